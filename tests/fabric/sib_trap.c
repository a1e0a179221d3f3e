// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Traps (13.4.8 and 14.3): an SMA tells the SM of a change or a violation, and
 * says so again until the SM has answered with a TrapRepress.
 */
#include <linux/bottom_half.h>
#include <linux/jiffies.h>
#include <linux/string.h>

#include "sib_mgmt.h"

#define SIB_TRAP_NUM_LINK_STATE	cpu_to_be16(128)
/*
 * opensm takes more than ten traps of a kind, with less than 5 s between them,
 * for babble, and closes its ears for a minute. So some may follow at once, and
 * the next one waits for a pause; it stands for all that happens meanwhile.
 */
#define SIB_TRAP_BURST		8
#define SIB_TRAP_PAUSE		msecs_to_jiffies(6000)

#define SIB_TRAP_SHORTEST	msecs_to_jiffies(100)
#define SIB_TRAP_LONGEST	msecs_to_jiffies(10000)

/* A trap is repeated after PortInfo.SubnetTimeOut: 4.096 us << value. */
static unsigned long sib_trap_interval(const struct sib_portinfo *node)
{
	u64 us = 4096ULL << READ_ONCE(node->subnet_timeout);

	return clamp(usecs_to_jiffies(min_t(u64, us / 1000, 20000000)),
		     SIB_TRAP_SHORTEST, SIB_TRAP_LONGEST);
}

/* When a trap may be sent, for the first time or again. */
static unsigned long sib_trap_may(struct sib_trap *trap)
{
	if (time_after(jiffies, trap->last + SIB_TRAP_PAUSE))
		trap->burst = 0;
	return trap->burst < SIB_TRAP_BURST ? jiffies :
					      trap->last + SIB_TRAP_PAUSE;
}

/*
 * Put a notice in its place and have it sent. While an older one of its kind
 * is not repressed, it is replaced (@replace) or stands for the new one too.
 */
static void sib_trap_raise(struct sib_traps *traps, enum sib_trap_kind kind,
			   const struct ib_mad_notice_attr *notice,
			   bool replace)
{
	struct sib_trap *trap = &traps->trap[kind];
	unsigned long flags;

	spin_lock_irqsave(&traps->lock, flags);
	if (!traps->stopped && (!trap->pending || replace)) {
		trap->notice = *notice;
		trap->tid = ++traps->last_tid;
		trap->due = sib_trap_may(trap);
		trap->pending = true;
		/* which waits until something is due */
		mod_delayed_work(sib_wq, &traps->work, 0);
	}
	spin_unlock_irqrestore(&traps->lock, flags);
}

/* Begin a notice of a generic kind. */
static void sib_notice_init(struct ib_mad_notice_attr *notice,
			    const struct sib_end *end, u8 type, __be16 num)
{
	memset(notice, 0, sizeof(*notice));
	notice->generic_type = type;
	notice->prod_type_lsb = end->type == SIB_END_HCA ?
				IB_NOTICE_PROD_CA : IB_NOTICE_PROD_SWITCH;
	notice->trap_num = num;
	notice->issuer_lid = cpu_to_be16(READ_ONCE(end->info.lid));
}

static void sib_trap_sent(struct sib_trap *trap, unsigned long interval)
{
	unsigned long again = jiffies + interval, may;

	trap->burst++;
	trap->last = jiffies;
	may = sib_trap_may(trap);
	trap->due = time_after(may, again) ? may : again;
}

/* Take the next trap that is due, or say when to look again. */
static bool sib_trap_take(struct sib_traps *traps, struct sib_trap *copy)
{
	unsigned long wait = sib_trap_interval(&traps->end->info);
	unsigned long next = 0;
	bool found = false;
	int i;

	spin_lock_irq(&traps->lock);
	for (i = 0; i < SIB_TRAPS; i++) {
		struct sib_trap *trap = &traps->trap[i];

		if (!trap->pending)
			continue;
		if (!found && time_after_eq(jiffies, trap->due)) {
			*copy = *trap;
			sib_trap_sent(trap, wait);
			traps->sent++;
			found = true;
		}
		if (!next || time_before(trap->due, next))
			next = trap->due ?: 1;
	}
	if (next && !traps->stopped)
		mod_delayed_work(sib_wq, &traps->work,
				 max_t(long, next - jiffies, 0));
	spin_unlock_irq(&traps->lock);
	return found;
}

/* The end through which a node's SMA sends to @lid. */
static struct sib_end *sib_trap_way(struct sib_end *node, u16 lid)
{
	if (node->type == SIB_END_HCA)
		return node;
	return sib_switch_route(sib_sw, lid);
}

static void sib_trap_send(struct sib_traps *traps, const struct sib_trap *trap)
{
	const struct sib_portinfo *info = &traps->end->info;
	u16 lid = READ_ONCE(info->lid), sm_lid = READ_ONCE(info->sm_lid);
	struct sib_end *out = sib_trap_way(traps->end, sm_lid);
	struct ib_smp smp = {
		.base_version = IB_MGMT_BASE_VERSION,
		.mgmt_class = IB_MGMT_CLASS_SUBN_LID_ROUTED,
		.class_version = 1,
		.method = IB_MGMT_METHOD_TRAP,
		.tid = cpu_to_be64(trap->tid),
		.attr_id = IB_SMP_ATTR_NOTICE,
		.mkey = cpu_to_be64(info->m_key),
	};

	if (!out || READ_ONCE(out->info.state) < IB_PORT_INIT)
		return;
	memcpy(smp.data, &trap->notice, sizeof(trap->notice));
	local_bh_disable();
	sib_smp_send(out, lid, sm_lid, READ_ONCE(info->sm_sl), (void *)&smp);
	local_bh_enable();
}

/* Without an SM there is nobody to tell, and a new SM looks for itself. */
static void sib_traps_forget(struct sib_traps *traps)
{
	int i;

	spin_lock_irq(&traps->lock);
	for (i = 0; i < SIB_TRAPS; i++)
		traps->trap[i].pending = false;
	spin_unlock_irq(&traps->lock);
}

static void sib_traps_work(struct work_struct *work)
{
	struct sib_traps *traps = container_of(to_delayed_work(work),
					       struct sib_traps, work);
	struct sib_trap trap;

	if (!READ_ONCE(traps->end->info.sm_lid))
		sib_traps_forget(traps);
	while (sib_trap_take(traps, &trap))
		sib_trap_send(traps, &trap);
}

/**
 * sib_traps_init() - a node that has nothing to say
 * @traps: its traps
 * @end: HCA port, or port 0 of the switch
 */
void sib_traps_init(struct sib_traps *traps, struct sib_end *end)
{
	memset(traps, 0, sizeof(*traps));
	traps->end = end;
	spin_lock_init(&traps->lock);
	INIT_DELAYED_WORK(&traps->work, sib_traps_work);
}

/**
 * sib_traps_stop() - send no more traps
 * @traps: a node's traps
 *
 * Sleeps.
 */
void sib_traps_stop(struct sib_traps *traps)
{
	spin_lock_irq(&traps->lock);
	traps->stopped = true;
	spin_unlock_irq(&traps->lock);
	cancel_delayed_work_sync(&traps->work);
}

static struct sib_traps *sib_node_traps(struct sib_end *node)
{
	return node->type == SIB_END_HCA ? &end_to_port(node)->traps :
					   &sib_sw->traps;
}

/**
 * sib_trap_repress() - the SM has heard a trap (13.4.9)
 * @node: HCA port, or port 0 of the switch
 * @smp: the TrapRepress
 *
 * Any context. Return: true if it was for a trap of this node
 */
bool sib_trap_repress(struct sib_end *node, const struct ib_smp *smp)
{
	struct sib_traps *traps = sib_node_traps(node);
	unsigned long flags;
	bool ours = false;
	int i;

	spin_lock_irqsave(&traps->lock, flags);
	for (i = 0; i < SIB_TRAPS; i++) {
		struct sib_trap *trap = &traps->trap[i];

		if (!trap->pending || be64_to_cpu(smp->tid) != trap->tid)
			continue;
		trap->pending = false;
		ours = true;
	}
	spin_unlock_irqrestore(&traps->lock, flags);
	return ours;
}

/**
 * sib_trap_link_state() - trap 128: the state of some link has changed
 * @sw: the switch; the SM finds out which link. Any context
 */
void sib_trap_link_state(struct sib_switch *sw)
{
	struct ib_mad_notice_attr notice;

	sib_notice_init(&notice, sw->ports[0], IB_NOTICE_TYPE_URGENT,
			SIB_TRAP_NUM_LINK_STATE);
	memcpy(notice.details.raw_data.details, &notice.issuer_lid,
	       sizeof(notice.issuer_lid));
	sib_trap_raise(&sw->traps, SIB_TRAP_LINK_STATE, &notice, true);
}

/**
 * sib_trap_local_change() - trap 144: something about an HCA has changed
 * @port: its port
 * @node_desc: the NodeDescription; otherwise the capability mask, as when a
 *	program becomes an SM
 *
 * After the change. Any context.
 */
void sib_trap_local_change(struct sib_port *port, bool node_desc)
{
	struct ib_mad_notice_attr notice;

	sib_notice_init(&notice, &port->end, IB_NOTICE_TYPE_INFO,
			IB_NOTICE_TRAP_CAP_MASK_CHG);
	notice.details.ntc_144.lid = notice.issuer_lid;
	notice.details.ntc_144.new_cap_mask =
		cpu_to_be32(READ_ONCE(port->end.info.cap_mask));
	if (node_desc) {
		notice.details.ntc_144.local_changes = 1;
		notice.details.ntc_144.change_flags =
			IB_NOTICE_TRAP_NODE_DESC_CHG;
	}
	sib_trap_raise(&port->traps, SIB_TRAP_LOCAL_CHANGE, &notice, true);
}

/* The way that an SMP with a directed route came, as much as there is room. */
static void sib_notice_add_path(struct ib_mad_notice_attr *notice,
				const struct ib_smp *smp)
{
	const u8 room = sizeof(notice->details.ntc_256.dr_rtn_path);
	u8 flags = IB_NOTICE_TRAP_DR_NOTICE, hops = smp->hop_cnt;

	if (hops > room) {
		flags |= IB_NOTICE_TRAP_DR_TRUNC;
		hops = room;
	}
	memcpy(notice->details.ntc_256.dr_rtn_path, smp->return_path, hops);
	notice->details.ntc_256.dr_trunc_hop = flags | hops;
	notice->details.ntc_256.dr_slid = smp->dr_slid;
}

/**
 * sib_trap_m_key() - trap 256: an SMP had a wrong M_Key
 * @node: HCA port, or port 0 of the switch
 * @smp: the SMP
 *
 * Any context.
 */
void sib_trap_m_key(struct sib_end *node, const struct ib_smp *smp)
{
	struct ib_mad_notice_attr notice;

	sib_notice_init(&notice, node, IB_NOTICE_TYPE_SECURITY,
			IB_NOTICE_TRAP_BAD_MKEY);
	notice.details.ntc_256.mkey = smp->mkey;
	notice.details.ntc_256.attr_id = smp->attr_id;
	notice.details.ntc_256.attr_mod = smp->attr_mod;
	notice.details.ntc_256.method = smp->method;
	notice.details.ntc_256.lid = notice.issuer_lid;
	if (smp->mgmt_class == IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE)
		sib_notice_add_path(&notice, smp);
	sib_trap_raise(sib_node_traps(node), SIB_TRAP_M_KEY, &notice, false);
}

/* What traps 257 and 258 say of a packet. */
static void sib_trap_key(struct sib_port *port, struct sib_pkt *pkt,
			 enum sib_trap_kind kind, __be16 num, u32 key)
{
	struct sib_grh *grh = sib_grh(pkt);
	struct ib_mad_notice_attr notice;
	struct sib_deth *deth = sib_ext(pkt);
	u32 sl = sib_lrh(pkt)->sl_lnh >> 4, sqpn = 0;

	if ((sib_bth(pkt)->opcode & 0xe0) == SIB_OP_UD)
		sqpn = be32_to_cpu(deth->sqpn) & SIB_24BIT;
	sib_notice_init(&notice, &port->end, IB_NOTICE_TYPE_SECURITY, num);
	notice.details.ntc_257_258.lid1 = sib_lrh(pkt)->slid;
	notice.details.ntc_257_258.lid2 = sib_lrh(pkt)->dlid;
	notice.details.ntc_257_258.key = cpu_to_be32(key);
	notice.details.ntc_257_258.sl_qp1 = cpu_to_be32(sl << 28 | sqpn);
	notice.details.ntc_257_258.qp2 = sib_bth(pkt)->dqpn &
					 cpu_to_be32(SIB_24BIT);
	if (grh) {
		memcpy(&notice.details.ntc_257_258.gid1, grh->sgid, 16);
		memcpy(&notice.details.ntc_257_258.gid2, grh->dgid, 16);
	}
	sib_trap_raise(&port->traps, kind, &notice, false);
}

static void sib_violation(struct sib_end *end, u16 *counter)
{
	unsigned long flags;

	spin_lock_irqsave(&end->lock, flags);
	if (*counter < U16_MAX)
		++*counter;
	spin_unlock_irqrestore(&end->lock, flags);
}

/**
 * sib_pkey_violation() - count a packet with a P_Key that the port has not
 * @port: the port it arrived at
 * @pkt: the packet, still the caller's
 *
 * Chapter 10.9.4. Any context.
 */
void sib_pkey_violation(struct sib_port *port, struct sib_pkt *pkt)
{
	sib_violation(&port->end, &port->end.info.p_key_violations);
	sib_trap_key(port, pkt, SIB_TRAP_P_KEY, IB_NOTICE_TRAP_BAD_PKEY,
		     be16_to_cpu(sib_bth(pkt)->pkey));
}

/**
 * sib_qkey_violation() - count a datagram with a Q_Key that is not the QP's
 * @port: the port it arrived at
 * @pkt: the packet, still the caller's
 *
 * Chapter 10.2.5. Any context.
 */
void sib_qkey_violation(struct sib_port *port, struct sib_pkt *pkt)
{
	struct sib_deth *deth = sib_ext(pkt);

	sib_violation(&port->end, &port->end.info.q_key_violations);
	sib_trap_key(port, pkt, SIB_TRAP_Q_KEY, IB_NOTICE_TRAP_BAD_QKEY,
		     be32_to_cpu(deth->qkey));
}
