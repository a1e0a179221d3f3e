// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Packets for the switch itself: SMPs with a directed route through it or to
 * it (14.2.2), SMPs and performance management for its own LID. They wait for
 * a work item, so that no SMA runs in a sender's context.
 */
#include <linux/bottom_half.h>
#include <linux/workqueue.h>

#include "sib_mgmt.h"

#define SIB_SWITCH_MAX_MADS	4096	/* waiting; VL15 drops what is more */

static void sib_smp_drop(struct sib_end *in, struct sib_pkt *pkt)
{
	atomic64_inc(&in->err[SIB_ERR_VL15_DROPPED]);
	sib_pkt_free(pkt);
}

static struct ib_smp *sib_pkt_smp(struct sib_pkt *pkt)
{
	return (struct ib_smp *)sib_mad(pkt);
}

/* Send a packet that was changed on its way: old CRCs do not fit any more. */
static void sib_smp_resend(struct sib_end *out, struct sib_pkt *pkt)
{
	pkt->crc = 0;
	sib_end_send(out, pkt);
}

static void sib_smp_swap_lids(struct sib_pkt *pkt)
{
	swap(sib_lrh(pkt)->slid, sib_lrh(pkt)->dlid);
}

/* To port @num, as a directed route names it; there may be no such port. */
static void sib_smp_to_port(struct sib_switch *sw, struct sib_end *in,
			    u8 num, struct sib_pkt *pkt)
{
	if (!num || num > sw->n_ports)
		sib_smp_drop(in, pkt);
	else
		sib_smp_resend(sw->ports[num], pkt);
}

/* The directed part of the route begins here, where the SMP came by LID. */
static void sib_smp_begin_route(struct sib_switch *sw, struct sib_end *in,
				struct sib_pkt *pkt)
{
	struct ib_smp *smp = sib_pkt_smp(pkt);

	sib_lrh(pkt)->slid = cpu_to_be16(SIB_LID_PERMISSIVE);
	sib_lrh(pkt)->dlid = cpu_to_be16(SIB_LID_PERMISSIVE);
	smp->hop_ptr = 1;
	sib_smp_to_port(sw, in, smp->initial_path[1], pkt);
}

/* The directed part of the route is over: on by LID. */
static void sib_smp_to_lid(struct sib_switch *sw, struct sib_end *in,
			   __be16 lid, struct sib_pkt *pkt)
{
	struct sib_end *out = sib_switch_route(sw, be16_to_cpu(lid));

	if (!out || be16_to_cpu(lid) == SIB_LID_PERMISSIVE) {
		sib_smp_drop(in, pkt);
		return;
	}
	sib_lrh(pkt)->slid = cpu_to_be16(sw->ports[0]->info.lid);
	sib_lrh(pkt)->dlid = lid;
	sib_smp_resend(out, pkt);
}

/*
 * An SMP on its way back (14.2.2.4). The hop pointer counts down; it is one
 * beyond the hop count when the answer was made here.
 */
static void sib_smp_return(struct sib_switch *sw, struct sib_end *in,
			   struct sib_pkt *pkt)
{
	struct ib_smp *smp = sib_pkt_smp(pkt);

	if (!smp->hop_ptr || smp->hop_ptr > smp->hop_cnt + 1 ||
	    smp->hop_ptr > IB_SMP_MAX_PATH_HOPS) {
		sib_smp_drop(in, pkt);
		return;
	}
	smp->hop_ptr--;
	if (smp->hop_ptr)
		sib_smp_to_port(sw, in, smp->return_path[smp->hop_ptr], pkt);
	else
		sib_smp_to_lid(sw, in, smp->dr_slid, pkt);
}

/* Let the SMA answer. Whatever it answered goes back in the same packet. */
static void sib_smp_local(struct sib_switch *sw, struct sib_end *in,
			  struct sib_pkt *pkt)
{
	struct ib_smp *smp = sib_pkt_smp(pkt);
	bool directed = smp->mgmt_class == IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE;
	struct sib_end *out = in;

	if (sib_sma_process(in, smp, false) != SIB_SMA_ANSWERED) {
		sib_pkt_free(pkt);
		return;
	}
	if (directed && smp->hop_cnt) {
		sib_smp_return(sw, in, pkt);
		return;
	}
	sib_smp_swap_lids(pkt);
	if (sib_lrh(pkt)->slid == cpu_to_be16(SIB_LID_PERMISSIVE))
		sib_lrh(pkt)->slid = cpu_to_be16(sw->ports[0]->info.lid);
	if (sib_dlid(pkt) != SIB_LID_PERMISSIVE)
		out = sib_switch_route(sw, sib_dlid(pkt)) ?: in;
	sib_smp_resend(out, pkt);
}

/*
 * An SMP on its way out (14.2.2.3). The hop pointer says which entry of the
 * initial path was used last.
 */
static void sib_smp_outbound(struct sib_switch *sw, struct sib_end *in,
			     struct sib_pkt *pkt)
{
	struct ib_smp *smp = sib_pkt_smp(pkt);

	if (smp->hop_cnt >= IB_SMP_MAX_PATH_HOPS ||
	    smp->hop_ptr > smp->hop_cnt + 1) {
		sib_smp_drop(in, pkt);
		return;
	}
	if (smp->hop_cnt && !smp->hop_ptr) {
		sib_smp_begin_route(sw, in, pkt);
		return;
	}
	if (smp->hop_ptr <= smp->hop_cnt) {
		smp->return_path[smp->hop_ptr] = in->num;
		smp->hop_ptr++;
	}
	if (smp->hop_ptr <= smp->hop_cnt)
		sib_smp_to_port(sw, in, smp->initial_path[smp->hop_ptr], pkt);
	else if (smp->dr_dlid == cpu_to_be16(SIB_LID_PERMISSIVE) ||
		 be16_to_cpu(smp->dr_dlid) == sw->ports[0]->info.lid)
		sib_smp_local(sw, in, pkt);
	else
		sib_smp_to_lid(sw, in, smp->dr_dlid, pkt);
}

static void sib_switch_smp(struct sib_switch *sw, struct sib_end *in,
			   struct sib_pkt *pkt)
{
	struct ib_smp *smp = sib_pkt_smp(pkt);

	if (smp->mgmt_class == IB_MGMT_CLASS_SUBN_LID_ROUTED)
		sib_smp_local(sw, in, pkt);
	else if (smp->mgmt_class != IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE)
		sib_smp_drop(in, pkt);
	else if (smp->status & IB_SMP_DIRECTION)
		sib_smp_return(sw, in, pkt);
	else
		sib_smp_outbound(sw, in, pkt);
}

/* Turn a packet for QP1 round, so that it goes back to where it came from. */
static void sib_gmp_turn(struct sib_pkt *pkt)
{
	struct sib_deth *deth = sib_ext(pkt);
	struct sib_grh *grh = sib_grh(pkt);
	struct sib_bth *bth = sib_bth(pkt);
	u8 gid[16];

	sib_smp_swap_lids(pkt);
	if (grh) {
		memcpy(gid, grh->sgid, sizeof(gid));
		memcpy(grh->sgid, grh->dgid, sizeof(gid));
		memcpy(grh->dgid, gid, sizeof(gid));
	}
	bth->dqpn = deth->sqpn & cpu_to_be32(SIB_24BIT);
	deth->sqpn = cpu_to_be32(1);
	deth->qkey = cpu_to_be32(IB_QP1_QKEY);
}

static void sib_switch_gmp(struct sib_switch *sw, struct sib_end *in,
			   struct sib_pkt *pkt)
{
	struct sib_end *out;
	struct ib_mad answer;
	int done;

	done = sib_pma_process(sw->ports[0], sib_mad(pkt), &answer);
	if (!(done & IB_MAD_RESULT_REPLY)) {
		atomic64_inc(&in->err[SIB_ERR_QP1_DROPPED]);
		sib_pkt_free(pkt);
		return;
	}
	*sib_mad(pkt) = answer;
	sib_gmp_turn(pkt);
	out = sib_switch_route(sw, sib_dlid(pkt));
	if (out)
		sib_smp_resend(out, pkt);
	else
		sib_pkt_free(pkt);
}

/* Is there a whole MAD in the packet, sent with an opcode that carries MADs? */
static bool sib_pkt_has_mad(struct sib_pkt *pkt)
{
	u8 *end = pkt->data + pkt->len;

	return sib_bth(pkt)->opcode == (SIB_OP_UD | SIB_OP_SEND_ONLY) &&
	       (u8 *)(sib_mad(pkt) + 1) <= end;
}

static void sib_switch_mad(struct sib_switch *sw, struct sib_pkt *pkt)
{
	struct sib_end *in = sw->ports[pkt->in_port];
	u32 dqpn = be32_to_cpu(sib_bth(pkt)->dqpn) & SIB_24BIT;

	if (!sib_pkt_has_mad(pkt) || dqpn > 1) {
		atomic64_inc(&in->err[SIB_ERR_RCV]);
		sib_pkt_free(pkt);
	} else if (dqpn == 0) {
		sib_switch_smp(sw, in, pkt);
	} else {
		sib_switch_gmp(sw, in, pkt);
	}
}

static void sib_switch_work(struct work_struct *work)
{
	struct sib_switch *sw = container_of(work, struct sib_switch, mad_work);
	struct sib_pkt *pkt, *next;
	LIST_HEAD(todo);

	spin_lock_irq(&sw->mad_lock);
	list_splice_init(&sw->mads, &todo);
	sw->n_mads = 0;
	spin_unlock_irq(&sw->mad_lock);
	list_for_each_entry_safe(pkt, next, &todo, node) {
		list_del(&pkt->node);
		/* the receiver's tasklet runs at the end of this, at once */
		local_bh_disable();
		sib_switch_mad(sw, pkt);
		local_bh_enable();
	}
}

/**
 * sib_switch_to_self() - a packet for the switch's own QP0 or QP1
 * @sw: the switch
 * @in: port it came in at
 * @pkt: the packet, taken over
 *
 * Any context.
 */
void sib_switch_to_self(struct sib_switch *sw, struct sib_end *in,
			struct sib_pkt *pkt)
{
	unsigned long flags;
	bool took;

	pkt->in_port = in->num;
	spin_lock_irqsave(&sw->mad_lock, flags);
	took = !sw->mads_stopped && sw->n_mads < SIB_SWITCH_MAX_MADS;
	if (took) {
		list_add_tail(&pkt->node, &sw->mads);
		sw->n_mads++;
		queue_work(sib_wq, &sw->mad_work);
	}
	spin_unlock_irqrestore(&sw->mad_lock, flags);
	if (!took)
		sib_smp_drop(in, pkt);
}

/**
 * sib_switch_mads_init() - be ready for packets to the switch itself
 * @sw: the switch
 */
void sib_switch_mads_init(struct sib_switch *sw)
{
	spin_lock_init(&sw->mad_lock);
	INIT_LIST_HEAD(&sw->mads);
	INIT_WORK(&sw->mad_work, sib_switch_work);
}

/**
 * sib_switch_mads_stop() - answer no more
 * @sw: the switch; no cable is left in it. May sleep
 */
void sib_switch_mads_stop(struct sib_switch *sw)
{
	struct sib_pkt *pkt, *next;

	spin_lock_irq(&sw->mad_lock);
	sw->mads_stopped = true;
	spin_unlock_irq(&sw->mad_lock);
	cancel_work_sync(&sw->mad_work);
	list_for_each_entry_safe(pkt, next, &sw->mads, node) {
		list_del(&pkt->node);
		sib_pkt_free(pkt);
	}
}
