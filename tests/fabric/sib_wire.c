// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Packets, cables and input queues. Every packet that crosses a cable passes
 * sib_end_send(), every packet that an HCA keeps to itself sib_end_loop().
 */
#include <linux/bitrev.h>
#include <linux/crc32.h>
#include <linux/moduleparam.h>
#include <linux/slab.h>

#include "sib.h"

#define SIB_INQ_RC	16	/* times as many RC packets may wait as UD */
#define SIB_PKT_SMALL	512
#define SIB_PKT_LARGE	(4096 + SIB_HDR_MAX + SIB_ICRC_LEN + SIB_VCRC_LEN)

static bool sib_crc_always;
module_param_named(crc, sib_crc_always, bool, 0644);
MODULE_PARM_DESC(crc, "compute and check ICRC and VCRC of every packet");

static struct kmem_cache *sib_small_cache;
static struct kmem_cache *sib_large_cache;
static u16 sib_vcrc_table[256];

/*
 * A cache with a constructor is left alone by init_on_alloc, which would
 * otherwise clear 4 KiB per packet.
 */
static void sib_pkt_construct(void *obj)
{
	INIT_LIST_HEAD(&((struct sib_pkt *)obj)->node);
}

/**
 * sib_pkt_alloc - get room for a packet
 * @len: bytes from LRH to padded payload; room for the CRCs is added
 *
 * Context: any. Return: a packet with @len set and arbitrary content, or NULL.
 */
struct sib_pkt *sib_pkt_alloc(unsigned int len)
{
	unsigned int room = len + SIB_ICRC_LEN + SIB_VCRC_LEN;
	bool small = room <= SIB_PKT_SMALL;
	struct sib_pkt *pkt;

	if (unlikely(room > SIB_PKT_LARGE))
		return NULL;
	pkt = kmem_cache_alloc(small ? sib_small_cache : sib_large_cache,
			       GFP_ATOMIC | __GFP_NOWARN);
	if (unlikely(!pkt))
		return NULL;
	pkt->len = len;
	pkt->size = small ? SIB_PKT_SMALL : SIB_PKT_LARGE;
	pkt->crc = 0;
	pkt->csum = 0;
	pkt->looped = 0;
	return pkt;
}

/**
 * sib_pkt_copy - a second packet like the first
 * @pkt: what to copy, with its CRCs
 *
 * Context: any. Return: the copy, or NULL.
 */
struct sib_pkt *sib_pkt_copy(const struct sib_pkt *pkt)
{
	unsigned int extra = pkt->crc ? SIB_ICRC_LEN + SIB_VCRC_LEN : 0;
	struct sib_pkt *copy = sib_pkt_alloc(pkt->len);

	if (!copy)
		return NULL;
	copy->crc = pkt->crc;
	copy->csum = pkt->csum;
	copy->looped = pkt->looped;
	memcpy(copy->data, pkt->data, pkt->len + extra);
	return copy;
}

/**
 * sib_pkt_free - end of a packet
 * @pkt: the packet, not NULL, on no list
 *
 * Context: any.
 */
void sib_pkt_free(struct sib_pkt *pkt)
{
	kmem_cache_free(pkt->size == SIB_PKT_SMALL ? sib_small_cache :
						     sib_large_cache, pkt);
}

/*
 * Invariant CRC (7.8.1): CRC-32 in which fields that a switch or router may
 * change count as ones: VL, or all of the LRH if a GRH follows, then TClass,
 * flow label and hop limit; and the reserved byte before the destination QP.
 */
static u32 sib_icrc(struct sib_pkt *pkt)
{
	u8 head[sizeof(struct sib_lrh) + sizeof(struct sib_grh) +
		sizeof(struct sib_bth)];
	unsigned int grh = sib_grh(pkt) ? sizeof(struct sib_grh) : 0;
	unsigned int n = sizeof(struct sib_lrh) + grh + sizeof(struct sib_bth);
	struct sib_bth *bth;

	memcpy(head, pkt->data, n);
	if (grh) {
		struct sib_grh *h = (void *)(head + sizeof(struct sib_lrh));

		memset(head, 0xff, sizeof(struct sib_lrh));
		h->ver_tc_flow |= cpu_to_be32(0x0fffffff);
		h->hop_limit = 0xff;
	} else {
		head[0] |= 0xf0;
	}
	bth = (void *)(head + n - sizeof(struct sib_bth));
	bth->dqpn |= cpu_to_be32(0xff000000);
	return ~crc32_le(crc32_le(~0, head, n), pkt->data + n, pkt->len - n);
}

/* Variant CRC (7.8.2): x^16 + x^12 + x^3 + x + 1 over LRH to ICRC. */
static u16 sib_vcrc(const u8 *data, unsigned int len)
{
	u16 crc = 0xffff;

	while (len--)
		crc = crc >> 8 ^ sib_vcrc_table[(crc ^ *data++) & 0xff];
	return ~crc;
}

static void sib_vcrc_init(void)
{
	unsigned int i, bit;

	for (i = 0; i < 256; i++) {
		u16 crc = i;

		for (bit = 0; bit < 8; bit++)
			crc = crc & 1 ? crc >> 1 ^ bitrev16(0x100b) : crc >> 1;
		sib_vcrc_table[i] = crc;
	}
}

/**
 * sib_pkt_add_crc - put ICRC and VCRC behind a packet
 * @pkt: complete packet
 *
 * Chapter 7.8. Context: any; nobody else has @pkt.
 */
void sib_pkt_add_crc(struct sib_pkt *pkt)
{
	u8 *end = pkt->data + pkt->len;

	put_unaligned_le32(sib_icrc(pkt), end);
	put_unaligned_le16(sib_vcrc(pkt->data, pkt->len + SIB_ICRC_LEN),
			   end + SIB_ICRC_LEN);
	pkt->crc = 1;
}

/* Which CRC is wrong: 0 none, SIB_VCRC_LEN, SIB_ICRC_LEN. */
static int sib_pkt_check_crc(struct sib_pkt *pkt)
{
	const u8 *end = pkt->data + pkt->len;

	if (get_unaligned_le16(end + SIB_ICRC_LEN) !=
	    sib_vcrc(pkt->data, pkt->len + SIB_ICRC_LEN))
		return SIB_VCRC_LEN;
	/* The VCRC held, so the LRH can be believed and the GRH be found. */
	if (get_unaligned_le32(end) != sib_icrc(pkt))
		return SIB_ICRC_LEN;
	return 0;
}

/* Bytes of a packet as PortXmitData counts them: LRH to VCRC less the VCRC. */
static unsigned int sib_pkt_words(const struct sib_pkt *pkt)
{
	return (pkt->len + SIB_ICRC_LEN) / 4;
}

static bool sib_pkt_is_mcast(struct sib_pkt *pkt)
{
	u16 dlid = sib_dlid(pkt);

	return dlid >= SIB_MLID_BASE && dlid != SIB_LID_PERMISSIVE;
}

/* VL15 passes as soon as the link is trained, all else when Active (7.2). */
static bool sib_end_carries(struct sib_end *end, struct sib_pkt *pkt)
{
	u8 state = READ_ONCE(end->info.state);

	if (likely(state == IB_PORT_ACTIVE))
		return true;
	return state >= IB_PORT_INIT && sib_vl(pkt) == SIB_VL_MGMT;
}

static void sib_end_count_xmit(struct sib_end *end, struct sib_pkt *pkt)
{
	this_cpu_inc(end->traffic->xmit_pkts);
	this_cpu_add(end->traffic->xmit_data, sib_pkt_words(pkt));
	if (unlikely(sib_pkt_is_mcast(pkt)))
		this_cpu_inc(end->traffic->xmit_mcast_pkts);
}

static void sib_end_count_rcv(struct sib_end *end, struct sib_pkt *pkt)
{
	this_cpu_inc(end->traffic->rcv_pkts);
	this_cpu_add(end->traffic->rcv_data, sib_pkt_words(pkt));
	if (unlikely(sib_pkt_is_mcast(pkt)))
		this_cpu_inc(end->traffic->rcv_mcast_pkts);
}

static bool sib_end_crc_ok(struct sib_end *at, struct sib_pkt *pkt)
{
	int bad = sib_pkt_check_crc(pkt);

	if (likely(!bad))
		return true;
	atomic64_inc(&at->err[SIB_ERR_RCV]);
	if (at->type == SIB_END_HCA)
		sib_count(end_to_port(at)->hca, bad == SIB_VCRC_LEN ?
			  SIB_STAT_VCRC_ERRORS : SIB_STAT_ICRC_ERRORS);
	return false;
}

static void sib_port_overrun(struct sib_port *port, bool mgmt)
{
	atomic64_inc(&port->end.err[mgmt ? SIB_ERR_VL15_DROPPED :
					   SIB_ERR_BUFFER_OVERRUN]);
}

static void sib_port_arrive(struct sib_port *port, struct sib_pkt *pkt)
{
	bool mgmt = sib_vl(pkt) == SIB_VL_MGMT;

	if (unlikely(!sib_inq_add(&port->inq, pkt)))
		sib_port_overrun(port, mgmt);
}

/* A packet comes out of the cable at @at, which takes it over. */
static void sib_end_arrive(struct sib_end *at, struct sib_pkt *pkt)
{
	if (unlikely((pkt->crc && !sib_end_crc_ok(at, pkt)) ||
		     !sib_end_carries(at, pkt))) {
		sib_pkt_free(pkt);
		return;
	}
	sib_end_count_rcv(at, pkt);
	if (at->type == SIB_END_SWITCH)
		sib_switch_receive(at, pkt);
	else
		sib_port_arrive(end_to_port(at), pkt);
}

static void sib_end_discard(struct sib_end *from, struct sib_pkt *pkt)
{
	atomic64_inc(&from->err[SIB_ERR_XMIT_DISCARDS]);
	sib_pkt_free(pkt);
}

static void sib_end_cross(struct sib_end *from, struct sib_pkt *pkt)
{
	struct sib_end *to;

	rcu_read_lock();
	to = rcu_dereference(from->peer);
	if (likely(to))
		sib_end_arrive(to, pkt);
	else
		sib_end_discard(from, pkt);
	rcu_read_unlock();
}

static void sib_end_turn(struct sib_end *from, struct sib_pkt *pkt)
{
	if (unlikely(pkt->crc && !sib_end_crc_ok(from, pkt)))
		sib_pkt_free(pkt);
	else
		sib_port_arrive(end_to_port(from), pkt);
}

/**
 * sib_end_forward - put a packet into the cable, past the faults
 * @from: the end it is sent from
 * @pkt: complete packet, taken over
 *
 * For packets that sib_fault_packet() held back. Context: any.
 */
void sib_end_forward(struct sib_end *from, struct sib_pkt *pkt)
{
	if (pkt->looped)
		sib_end_turn(from, pkt);
	else if (sib_end_carries(from, pkt))
		sib_end_cross(from, pkt);
	else
		sib_end_discard(from, pkt);
}

/* The rare things that may happen to a packet on its way. */
static noinline void sib_end_meddle(struct sib_end *from, struct sib_pkt *pkt)
{
	struct sib_pkt *next;
	LIST_HEAD(out);

	if (sib_crc_always && !pkt->crc)
		sib_pkt_add_crc(pkt);
	if (READ_ONCE(from->faults.active))
		sib_fault_packet(from, pkt, &out);
	else
		list_add(&pkt->node, &out);
	list_for_each_entry_safe(pkt, next, &out, node)
		sib_end_forward(from, pkt);
}

static bool sib_end_meddles(const struct sib_end *from)
{
	return unlikely(READ_ONCE(from->faults.active) ||
			READ_ONCE(sib_crc_always));
}

/**
 * sib_end_send - the wire: a packet goes into the cable
 * @from: the end it is sent from
 * @pkt: complete packet, taken over
 *
 * The switch forwards within this call; a packet for an HCA ends in that
 * port's input queue. A packet that the state of the link forbids is counted
 * as discarded.
 *
 * Context: any, also with interrupts off.
 */
void sib_end_send(struct sib_end *from, struct sib_pkt *pkt)
{
	if (unlikely(!sib_end_carries(from, pkt))) {
		sib_end_discard(from, pkt);
		return;
	}
	sib_end_count_xmit(from, pkt);
	if (sib_end_meddles(from))
		sib_end_meddle(from, pkt);
	else
		sib_end_cross(from, pkt);
}

/**
 * sib_end_loop - hand a packet back to the port that sends it
 * @port: sender and receiver
 * @pkt: complete packet, taken over
 *
 * Works whatever the state of the link, as an SM needs its own port's agents.
 * Context: any, also with interrupts off.
 */
void sib_end_loop(struct sib_port *port, struct sib_pkt *pkt)
{
	pkt->looped = 1;
	if (sib_end_meddles(&port->end))
		sib_end_meddle(&port->end, pkt);
	else
		sib_port_arrive(port, pkt);
}

/**
 * sib_end_traffic - what went through one end
 * @end: the end
 * @sum: receives the counts since the last reset
 *
 * Context: any.
 */
void sib_end_traffic(struct sib_end *end, struct sib_traffic *sum)
{
	const struct sib_traffic *base = &end->traffic_base;
	int cpu;

	memset(sum, 0, sizeof(*sum));
	for_each_possible_cpu(cpu) {
		const struct sib_traffic *t = per_cpu_ptr(end->traffic, cpu);

		sum->xmit_data += READ_ONCE(t->xmit_data);
		sum->xmit_pkts += READ_ONCE(t->xmit_pkts);
		sum->xmit_mcast_pkts += READ_ONCE(t->xmit_mcast_pkts);
		sum->rcv_data += READ_ONCE(t->rcv_data);
		sum->rcv_pkts += READ_ONCE(t->rcv_pkts);
		sum->rcv_mcast_pkts += READ_ONCE(t->rcv_mcast_pkts);
	}
	sum->xmit_data -= base->xmit_data;
	sum->xmit_pkts -= base->xmit_pkts;
	sum->xmit_mcast_pkts -= base->xmit_mcast_pkts;
	sum->rcv_data -= base->rcv_data;
	sum->rcv_pkts -= base->rcv_pkts;
	sum->rcv_mcast_pkts -= base->rcv_mcast_pkts;
}

/**
 * sib_end_init - make one end of a cable that is not there yet
 * @end: the end; @end->info is the caller's to fill
 * @type: what it is part of
 * @num: its port number
 *
 * Context: may sleep. Return: 0 or -ENOMEM.
 */
int sib_end_init(struct sib_end *end, enum sib_end_type type, u8 num)
{
	end->type = type;
	end->num = num;
	end->admin_up = true;
	spin_lock_init(&end->lock);
	sib_faults_init(end);
	end->traffic = alloc_percpu(struct sib_traffic);
	return end->traffic ? 0 : -ENOMEM;
}

/**
 * sib_end_cleanup - undo sib_end_init()
 * @end: an end without a peer; RCU readers of the former peer are gone
 *
 * Context: may sleep.
 */
void sib_end_cleanup(struct sib_end *end)
{
	sib_faults_cleanup(end);
	free_percpu(end->traffic);
	end->traffic = NULL;
}

static void sib_inq_run(struct tasklet_struct *task)
{
	struct sib_inq *inq = container_of(task, struct sib_inq, task);
	struct sib_pkt *pkt, *next;
	unsigned long flags;
	LIST_HEAD(batch);

	spin_lock_irqsave(&inq->lock, flags);
	list_splice_init(&inq->list, &batch);
	inq->len = 0;
	spin_unlock_irqrestore(&inq->lock, flags);

	list_for_each_entry_safe(pkt, next, &batch, node)
		inq->recv(inq, pkt);
	if (inq->idle)
		inq->idle(inq);
}

/**
 * sib_inq_init - make an empty input queue
 * @inq: the queue
 * @max: UD packets beyond so many waiting ones are dropped
 * @recv: called for each packet from a tasklet; takes it over
 *
 * Context: any.
 */
void sib_inq_init(struct sib_inq *inq, unsigned int max,
		  void (*recv)(struct sib_inq *inq, struct sib_pkt *pkt))
{
	spin_lock_init(&inq->lock);
	INIT_LIST_HEAD(&inq->list);
	inq->len = 0;
	inq->max = max;
	inq->dead = false;
	inq->recv = recv;
	inq->idle = NULL;
	tasklet_setup(&inq->task, sib_inq_run);
}

/* RC limits itself to a window per QP, and loses a connection with a packet. */
static bool sib_inq_takes(struct sib_inq *inq, struct sib_pkt *pkt)
{
	lockdep_assert_held(&inq->lock);
	if (unlikely(inq->dead))
		return false;
	return inq->len < inq->max || (sib_bth(pkt)->opcode < SIB_OP_UD &&
				       inq->len < inq->max * SIB_INQ_RC);
}

/**
 * sib_inq_add - queue a packet
 * @inq: the queue
 * @pkt: the packet, taken over in any case
 *
 * Context: any. Return: false if the packet was dropped.
 */
bool sib_inq_add(struct sib_inq *inq, struct sib_pkt *pkt)
{
	unsigned long flags;
	bool took;

	spin_lock_irqsave(&inq->lock, flags);
	took = sib_inq_takes(inq, pkt);
	if (likely(took)) {
		list_add_tail(&pkt->node, &inq->list);
		if (!inq->len++)
			tasklet_schedule(&inq->task);
	}
	spin_unlock_irqrestore(&inq->lock, flags);
	if (unlikely(!took))
		sib_pkt_free(pkt);
	return took;
}

/**
 * sib_inq_sync - wait until the packets in the tasklet's hands are received
 * @inq: the queue
 *
 * What was made unreachable for the tasklet before may be freed after.
 * Context: may sleep.
 */
void sib_inq_sync(struct sib_inq *inq)
{
	tasklet_disable(&inq->task);
	tasklet_enable(&inq->task);
}

/**
 * sib_inq_kill - close an input queue for good
 * @inq: the queue; what still waits in it is dropped
 *
 * Context: may sleep.
 */
void sib_inq_kill(struct sib_inq *inq)
{
	struct sib_pkt *pkt, *next;
	LIST_HEAD(rest);

	spin_lock_irq(&inq->lock);
	inq->dead = true;
	list_splice_init(&inq->list, &rest);
	inq->len = 0;
	spin_unlock_irq(&inq->lock);
	list_for_each_entry_safe(pkt, next, &rest, node)
		sib_pkt_free(pkt);
	tasklet_kill(&inq->task);
}

/**
 * sib_smp_send - send a MAD from QP0 to a QP0
 * @from: end to send from
 * @slid: source LID
 * @dlid: destination LID, or SIB_LID_PERMISSIVE for the other end of the cable
 * @sl: service level
 * @mad: the MAD
 *
 * A port's own LID is looped. Chapter 13.5.1: on VL15. Context: any. Return: 0 or -ENOMEM.
 */
int sib_smp_send(struct sib_end *from, u16 slid, u16 dlid, u8 sl,
		 const struct ib_mad *mad)
{
	unsigned int rest = sizeof(struct sib_bth) + sizeof(struct sib_deth) +
			    sizeof(*mad);
	struct sib_pkt *pkt = sib_pkt_alloc(sizeof(struct sib_lrh) + rest);
	struct sib_lrh *lrh;
	struct sib_bth *bth;

	if (!pkt)
		return -ENOMEM;
	memset(pkt->data, 0, pkt->len);
	lrh = sib_lrh(pkt);
	lrh->vl_ver = SIB_VL_MGMT << 4;
	lrh->sl_lnh = sl << 4 | SIB_LNH_LOCAL;
	lrh->dlid = cpu_to_be16(dlid);
	lrh->slid = cpu_to_be16(slid);
	lrh->len = cpu_to_be16((pkt->len + SIB_ICRC_LEN) / 4);
	bth = sib_bth(pkt);
	bth->opcode = SIB_OP_UD | SIB_OP_SEND_ONLY;
	bth->flags = SIB_BTH_MIG;
	bth->pkey = cpu_to_be16(IB_DEFAULT_PKEY_FULL);
	memcpy(sib_mad(pkt), mad, sizeof(*mad));
	if (from->type == SIB_END_HCA && dlid == READ_ONCE(from->info.lid))
		sib_end_loop(end_to_port(from), pkt);
	else
		sib_end_send(from, pkt);
	return 0;
}

/**
 * sib_wire_init - prepare for packets
 *
 * Context: may sleep. Return: 0 or -ENOMEM.
 */
int sib_wire_init(void)
{
	sib_vcrc_init();
	sib_small_cache = kmem_cache_create("sib_pkt_small",
					    sizeof(struct sib_pkt) +
					    SIB_PKT_SMALL, 0, 0,
					    sib_pkt_construct);
	if (!sib_small_cache)
		return -ENOMEM;
	sib_large_cache = kmem_cache_create("sib_pkt_large",
					    sizeof(struct sib_pkt) +
					    SIB_PKT_LARGE, 0, 0,
					    sib_pkt_construct);
	if (!sib_large_cache) {
		kmem_cache_destroy(sib_small_cache);
		return -ENOMEM;
	}
	return 0;
}

/**
 * sib_wire_exit - undo sib_wire_init(); complains if a packet has leaked
 *
 * Context: may sleep.
 */
void sib_wire_exit(void)
{
	kmem_cache_destroy(sib_large_cache);
	kmem_cache_destroy(sib_small_cache);
}
