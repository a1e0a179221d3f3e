// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The switch: where a packet that came in at one port goes (chapter 18.2).
 *
 * The data path takes no lock. It reads bytes of the linear forwarding table,
 * words of the multicast forwarding table and entries of P_Key tables, each
 * written with WRITE_ONCE(), so that a packet sees an old or a new value.
 * Cables are RCU: sib_end_forward() holds the read lock around this.
 */
#include <linux/bitmap.h>
#include <linux/err.h>
#include <linux/moduleparam.h>
#include <linux/slab.h>

#include "sib_mgmt.h"

#define SIB_LFT_NONE		255
#define SIB_ENFORCE_OUT		BIT(0)	/* bits of sib_portinfo.part_enforce */
#define SIB_ENFORCE_IN		BIT(1)
#define SIB_PKEY_FULL		0x8000
#define SIB_HDR_ALLOWANCE	124	/* bytes beside the payload, 7.7.8 */

static unsigned int sib_switch_ports = 72;
module_param_named(ports, sib_switch_ports, uint, 0444);
MODULE_PARM_DESC(ports, "ports of the switch, 2 to 250");

/*
 * Does the port's table let the P_Key pass (10.9.6)? Outbound, the table is
 * that of the receiver behind the port: two limited members do not talk.
 * Inbound, it is that of the sender, who may use any P_Key that he has, and
 * may not claim to be a full member where he is a limited one.
 */
static bool sib_pkey_passes(const struct sib_end *port, u8 dir, u16 pkey)
{
	u16 full = pkey & SIB_PKEY_FULL;
	int i;

	for (i = 0; i < SIB_PKEYS; i++) {
		u16 have = READ_ONCE(port->info.pkeys[i]);

		if ((have ^ pkey) & ~SIB_PKEY_FULL || !(have & ~SIB_PKEY_FULL))
			continue;
		if (have & SIB_PKEY_FULL)
			return true;
		if (dir == SIB_ENFORCE_IN ? !full : full)
			return true;
	}
	return false;
}

static bool sib_enforce(struct sib_end *port, u8 dir, struct sib_pkt *pkt)
{
	if (likely(!(READ_ONCE(port->info.part_enforce) & dir)))
		return true;
	if (sib_vl(pkt) == SIB_VL_MGMT)
		return true;
	if (sib_pkey_passes(port, dir, be16_to_cpu(sib_bth(pkt)->pkey)))
		return true;
	atomic64_inc(&port->err[dir == SIB_ENFORCE_IN ?
				SIB_ERR_RCV_CONSTRAINT :
				SIB_ERR_XMIT_CONSTRAINT]);
	return false;
}

/* Send, if the packet is allowed and fits. */
static void sib_switch_out(struct sib_end *out, struct sib_pkt *pkt)
{
	u16 mtu = ib_mtu_enum_to_int(READ_ONCE(out->info.mtu));

	if (unlikely(pkt->len + SIB_ICRC_LEN > mtu + SIB_HDR_ALLOWANCE)) {
		atomic64_inc(&out->err[SIB_ERR_XMIT_DISCARDS]);
		sib_pkt_free(pkt);
	} else if (unlikely(!sib_enforce(out, SIB_ENFORCE_OUT, pkt))) {
		sib_pkt_free(pkt);
	} else {
		sib_end_send(out, pkt);
	}
}

static void sib_switch_no_relay(struct sib_end *in, struct sib_pkt *pkt)
{
	atomic64_inc(&in->err[SIB_ERR_RCV_SWITCH_RELAY]);
	sib_pkt_free(pkt);
}

/**
 * sib_switch_route() - the port that leads to a LID
 * @sw: the switch
 * @lid: a unicast LID
 *
 * Any context. Return: an external port, or NULL if there is no way, or the
 * LID is the switch's own
 */
struct sib_end *sib_switch_route(struct sib_switch *sw, u16 lid)
{
	u8 num = SIB_LFT_NONE;

	if (lid <= READ_ONCE(sw->lft_top))
		num = READ_ONCE(sw->lft[lid]);
	return num && num <= sw->n_ports ? sw->ports[num] : NULL;
}

static void sib_switch_unicast(struct sib_switch *sw, struct sib_end *in,
			       struct sib_pkt *pkt)
{
	struct sib_end *out = sib_switch_route(sw, sib_dlid(pkt));

	if (likely(out && out != in))
		sib_switch_out(out, pkt);
	else
		sib_switch_no_relay(in, pkt);
}

/* To all ports of the group but the one it came from. */
static void sib_switch_multicast(struct sib_switch *sw, struct sib_end *in,
				 struct sib_pkt *pkt)
{
	unsigned int group = sib_dlid(pkt) - SIB_MLID_BASE;
	struct sib_end *last = NULL;
	DECLARE_BITMAP(mask, 256);
	unsigned int i;

	if (group >= SIB_MLIDS)
		goto none;
	for (i = 0; i < BITS_TO_LONGS(256); i++)
		mask[i] = READ_ONCE(sw->mft[group][i]);
	if (bitmap_empty(mask, 256))
		goto none;
	__clear_bit(in->num, mask);
	__clear_bit(0, mask);
	for_each_set_bit(i, mask, sw->n_ports + 1) {
		struct sib_pkt *copy;

		if (last) {
			copy = sib_pkt_copy(pkt);
			if (copy)
				sib_switch_out(last, copy);
			else
				atomic64_inc(&last->err[SIB_ERR_XMIT_DISCARDS]);
		}
		last = sw->ports[i];
	}
	if (last)
		sib_switch_out(last, pkt);
	else
		sib_pkt_free(pkt);
	return;
none:
	sib_switch_no_relay(in, pkt);
}

/**
 * sib_switch_receive() - a packet has come in
 * @in: the port
 * @pkt: the packet, taken over
 *
 * Any context, under rcu_read_lock(). Sends copies on within the call, so a
 * switch must not lead to itself.
 */
void sib_switch_receive(struct sib_end *in, struct sib_pkt *pkt)
{
	struct sib_switch *sw = sib_sw;
	u16 dlid = sib_dlid(pkt);

	if (unlikely(!sib_enforce(in, SIB_ENFORCE_IN, pkt)))
		sib_pkt_free(pkt);
	else if (unlikely(dlid == SIB_LID_PERMISSIVE ||
			  dlid == READ_ONCE(sw->ports[0]->info.lid)))
		sib_switch_to_self(sw, in, pkt);
	else if (dlid < SIB_MLID_BASE)
		sib_switch_unicast(sw, in, pkt);
	else
		sib_switch_multicast(sw, in, pkt);
}

/* The port with the HCA's number, or the first free one; 0: none is free. */
static u8 sib_switch_free_port(struct sib_switch *sw, int index)
{
	unsigned int num = index + 1;

	lockdep_assert_held(&sib_lock);

	if (num <= sw->n_ports && !rcu_access_pointer(sw->ports[num]->peer))
		return num;
	for (num = 1; num <= sw->n_ports; num++)
		if (!rcu_access_pointer(sw->ports[num]->peer))
			return num;
	return 0;
}

/**
 * sib_switch_plug() - connect an HCA's port to the switch
 * @sw: the switch
 * @port: the HCA's port
 *
 * The link comes up to Init if nothing forbids it. Caller holds sib_lock. May
 * sleep.
 *
 * Return: 0, or -ENOSPC if no port of the switch is free
 */
int sib_switch_plug(struct sib_switch *sw, struct sib_port *port)
{
	u8 num = sib_switch_free_port(sw, port->hca->index);

	if (!num)
		return -ENOSPC;
	rcu_assign_pointer(port->end.peer, sw->ports[num]);
	rcu_assign_pointer(sw->ports[num]->peer, &port->end);
	sib_links_settle();
	return 0;
}

/**
 * sib_switch_unplug() - pull an HCA's cable out of the switch
 * @sw: the switch
 * @port: the HCA's port
 *
 * Packets in the cable have arrived or are lost when this returns. Caller
 * holds sib_lock. Sleeps.
 */
void sib_switch_unplug(struct sib_switch *sw, struct sib_port *port)
{
	struct sib_end *there;

	lockdep_assert_held(&sib_lock);

	there = rcu_dereference_protected(port->end.peer,
					  lockdep_is_held(&sib_lock));
	if (!there)
		return;
	RCU_INIT_POINTER(port->end.peer, NULL);
	RCU_INIT_POINTER(there->peer, NULL);
	sib_end_unplugged(there);
	sib_end_unplugged(&port->end);
	synchronize_rcu();
}

static void sib_switch_free(struct sib_switch *sw, unsigned int n_ends)
{
	while (n_ends--)
		sib_end_cleanup(&sw->ends[n_ends]);
	kvfree(sw->ends);
	kvfree(sw->mft);
	kvfree(sw->lft);
	kfree(sw);
}

static struct sib_switch *sib_switch_alloc(void)
{
	struct sib_switch *sw = kzalloc(sizeof(*sw), GFP_KERNEL);

	if (!sw)
		return NULL;
	sw->n_ports = clamp(sib_switch_ports, 2U, (u32)SIB_MAX_HCAS);
	sw->lft = kvmalloc(SIB_LFT_TOP + 1, GFP_KERNEL);
	sw->mft = kvcalloc(SIB_MLIDS, sizeof(*sw->mft), GFP_KERNEL);
	sw->ends = kvcalloc(sw->n_ports + 1, sizeof(*sw->ends), GFP_KERNEL);
	if (!sw->lft || !sw->mft || !sw->ends) {
		sib_switch_free(sw, 0);
		return NULL;
	}
	memset(sw->lft, SIB_LFT_NONE, SIB_LFT_TOP + 1);
	spin_lock_init(&sw->lock);
	sw->guid = SIB_GUID_SWITCH;
	sw->life_time = 18;
	strscpy(sw->desc, "sib switch", sizeof(sw->desc));
	return sw;
}

/**
 * sib_switch_create() - a switch without cables
 *
 * May sleep. Return: the switch, or ERR_PTR(-ENOMEM)
 */
struct sib_switch *sib_switch_create(void)
{
	struct sib_switch *sw = sib_switch_alloc();
	unsigned int i;

	if (!sw)
		return ERR_PTR(-ENOMEM);
	for (i = 0; i <= sw->n_ports; i++) {
		struct sib_end *end = &sw->ends[i];

		if (sib_end_init(end, SIB_END_SWITCH, i)) {
			sib_switch_free(sw, i);
			return ERR_PTR(-ENOMEM);
		}
		sib_portinfo_init(&end->info, NULL);
		sw->ports[i] = end;
	}
	/* base port 0 has no link, and is always as active as it gets */
	sw->ports[0]->info.state = IB_PORT_ACTIVE;
	sw->ports[0]->info.phys_state = IB_PORT_PHYS_STATE_LINK_UP;
	sib_switch_mads_init(sw);
	sib_traps_init(&sw->traps, sw->ports[0]);
	return sw;
}

/**
 * sib_switch_destroy() - end of a switch
 * @sw: the switch, all cables of which have been pulled
 *
 * Without sib_lock. Sleeps.
 */
void sib_switch_destroy(struct sib_switch *sw)
{
	sib_switch_mads_stop(sw);
	sib_links_exit();
	sib_traps_stop(&sw->traps);
	sib_switch_free(sw, sw->n_ports + 1);
}
