// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The subnet management agent (chapter 14.2): the attributes that an HCA and
 * the switch answer in the same way, and the M_Key.
 */
#include <linux/jiffies.h>
#include <linux/string.h>

#include "sib_mgmt.h"

#define SIB_PKEYS_PER_BLOCK	32
#define SIB_GUIDS_PER_BLOCK	8
#define SIB_DEVICE_ID		0x5b00
#define SIB_DEVICE_ID_SWITCH	0x5b01

static struct sib_hca *sib_sma_hca(struct sib_sma *sma)
{
	return end_to_port(sma->node)->hca;
}

static u32 sib_attr_mod(struct sib_sma *sma)
{
	return be32_to_cpu(sma->smp->attr_mod);
}

static __be16 sib_node_desc_attr(struct sib_sma *sma)
{
	const char *desc = sib_sw->desc;

	if (sma->set)
		return SIB_MAD_BAD_ATTR;
	if (sma->node->type == SIB_END_HCA)
		desc = sib_sma_hca(sma)->ibdev.node_desc;
	memset(sma->smp->data, 0, sizeof(sma->smp->data));
	strscpy(sma->smp->data, desc, sizeof(sma->smp->data));
	return 0;
}

static __be16 sib_node_info_attr(struct sib_sma *sma)
{
	bool is_hca = sma->node->type == SIB_END_HCA;
	struct ib_node_info *ni = (void *)sma->smp->data;
	u64 node = sib_sw->guid, port = node, sys = node;
	int i;

	if (sma->set)
		return SIB_MAD_BAD_ATTR;
	if (is_hca) {
		int index = sib_sma_hca(sma)->index;

		node = SIB_GUID(index, SIB_GUID_NODE);
		port = SIB_GUID(index, SIB_GUID_PORT);
		sys = SIB_GUID(index, SIB_GUID_SYSTEM);
	}
	memset(sma->smp->data, 0, sizeof(sma->smp->data));
	ni->base_version = IB_MGMT_BASE_VERSION;
	ni->class_version = 1;
	ni->node_type = is_hca ? RDMA_NODE_IB_CA : RDMA_NODE_IB_SWITCH;
	ni->num_ports = is_hca ? 1 : sib_sw->n_ports;
	ni->sys_guid = cpu_to_be64(sys);
	ni->node_guid = cpu_to_be64(node);
	ni->port_guid = cpu_to_be64(port);
	ni->partition_cap = cpu_to_be16(SIB_PKEYS);
	ni->device_id = cpu_to_be16(is_hca ? SIB_DEVICE_ID :
					     SIB_DEVICE_ID_SWITCH);
	ni->revision = cpu_to_be32(1);
	ni->local_port_num = sma->in->num;
	for (i = 0; i < 3; i++)
		ni->vendor_id[i] = SIB_VENDOR_ID >> (16 - 8 * i);
	return 0;
}

/* GUIDInfo (14.2.5.5). Entry 0 is the port's own and read-only. */
static __be16 sib_guid_info_attr(struct sib_sma *sma)
{
	__be64 *data = (__be64 *)sma->smp->data;
	u32 first = sib_attr_mod(sma) * SIB_GUIDS_PER_BLOCK;
	struct sib_port *port;
	unsigned long flags;
	int i;

	if (sma->node->type != SIB_END_HCA)
		return SIB_MAD_BAD_ATTR;
	if (sib_attr_mod(sma) > SIB_GIDS || first >= SIB_GIDS)
		return SIB_MAD_BAD_VALUE;
	port = end_to_port(sma->node);
	spin_lock_irqsave(&sma->node->lock, flags);
	for (i = 0; i < SIB_GUIDS_PER_BLOCK && first + i < SIB_GIDS; i++) {
		u64 *guid = &port->guids[first + i];

		if (sma->set && first + i && be64_to_cpu(data[i]) != *guid) {
			WRITE_ONCE(*guid, be64_to_cpu(data[i]));
			sma->events |= BIT(IB_EVENT_GID_CHANGE);
		}
		data[i] = cpu_to_be64(*guid);
	}
	spin_unlock_irqrestore(&sma->node->lock, flags);
	return 0;
}

/* P_KeyTable (14.2.5.7): of the port that the modifier's upper half names. */
static __be16 sib_pkey_table_attr(struct sib_sma *sma)
{
	u32 first = (sib_attr_mod(sma) & 0xffff) * SIB_PKEYS_PER_BLOCK;
	struct sib_end *port = sma->node;
	__be16 *data = (__be16 *)sma->smp->data;
	unsigned long flags;
	int i;

	if (port->type == SIB_END_SWITCH)
		port = sib_node_port(port, sib_attr_mod(sma) >> 16);
	if (!port || first >= SIB_PKEYS)
		return SIB_MAD_BAD_VALUE;
	spin_lock_irqsave(&port->lock, flags);
	for (i = 0; i < SIB_PKEYS_PER_BLOCK && first + i < SIB_PKEYS; i++) {
		u16 *pkey = &port->info.pkeys[first + i];

		if (sma->set && be16_to_cpu(data[i]) != *pkey) {
			WRITE_ONCE(*pkey, be16_to_cpu(data[i]));
			sma->events |= BIT(IB_EVENT_PKEY_CHANGE);
		}
		data[i] = cpu_to_be16(*pkey);
	}
	spin_unlock_irqrestore(&port->lock, flags);
	return 0;
}

/* SLtoVLMappingTable (14.2.5.8). With one data VL it is kept but not used. */
static __be16 sib_sl2vl_attr(struct sib_sma *sma)
{
	struct sib_end *port = sma->node;
	unsigned long flags;
	u8 *data = sma->smp->data;
	int i;

	if (port->type == SIB_END_SWITCH)
		port = sib_node_port(port, sib_attr_mod(sma) & 0xff);
	if (!port)
		return SIB_MAD_BAD_VALUE;
	spin_lock_irqsave(&port->lock, flags);
	for (i = 0; i < 8; i++) {
		u8 *vl = &port->info.sl2vl[2 * i];

		if (sma->set) {
			vl[0] = data[i] >> 4;
			vl[1] = data[i] & 0xf;
		}
		data[i] = vl[0] << 4 | vl[1];
	}
	spin_unlock_irqrestore(&port->lock, flags);
	memset(data + 8, 0, sizeof(sma->smp->data) - 8);
	return 0;
}

/* VLArbitrationTable (14.2.5.9): there is one data VL, and it gets it all. */
static __be16 sib_vlarb_attr(struct sib_sma *sma)
{
	struct ib_vl_weight_elem *elem = (void *)sma->smp->data;
	u32 block = sib_attr_mod(sma) >> 16;

	if (!block || block > 4)
		return SIB_MAD_BAD_VALUE;
	memset(sma->smp->data, 0, sizeof(sma->smp->data));
	if (block == 1 || block == 3)
		elem[0].weight = 255;
	return 0;
}

static const struct {
	__be16 attr;
	bool switch_only;
	__be16 (*answer)(struct sib_sma *sma);
} sib_sma_attrs[] = {
	{ IB_SMP_ATTR_NODE_DESC, false, sib_node_desc_attr },
	{ IB_SMP_ATTR_NODE_INFO, false, sib_node_info_attr },
	{ IB_SMP_ATTR_SWITCH_INFO, true, sib_switchinfo_attr },
	{ IB_SMP_ATTR_GUID_INFO, false, sib_guid_info_attr },
	{ IB_SMP_ATTR_PORT_INFO, false, sib_portinfo_attr },
	{ IB_SMP_ATTR_PKEY_TABLE, false, sib_pkey_table_attr },
	{ IB_SMP_ATTR_SL_TO_VL_TABLE, false, sib_sl2vl_attr },
	{ IB_SMP_ATTR_VL_ARB_TABLE, false, sib_vlarb_attr },
	{ IB_SMP_ATTR_LINEAR_FORWARD_TABLE, true, sib_lft_attr },
	{ IB_SMP_ATTR_MCAST_FORWARD_TABLE, true, sib_mft_attr },
};

static __be16 sib_sma_attr(struct sib_sma *sma)
{
	bool is_hca = sma->node->type == SIB_END_HCA;
	int i;

	for (i = 0; i < ARRAY_SIZE(sib_sma_attrs); i++)
		if (sib_sma_attrs[i].attr == sma->smp->attr_id &&
		    !(is_hca && sib_sma_attrs[i].switch_only))
			return sib_sma_attrs[i].answer(sma);
	return SIB_MAD_BAD_ATTR;
}

/* The lease runs from the first SMP with a wrong M_Key (14.2.4.2). */
static void sib_m_key_violated(struct sib_portinfo *n)
{
	if (n->m_key_violations < U16_MAX)
		n->m_key_violations++;
	if (n->m_key_lease && !n->m_key_expires)
		n->m_key_expires = (jiffies + n->m_key_lease * HZ) ?: 1;
}

/*
 * May this SMP be answered? Sets @sma->m_key_ok if its M_Key is the right one.
 * A Get with a wrong one is still answered if the protection level is 0 or 1.
 */
static bool sib_m_key_check(struct sib_sma *sma)
{
	struct sib_portinfo *n = &sma->node->info;
	unsigned long flags;
	bool pass = true;

	spin_lock_irqsave(&sma->node->lock, flags);
	if (n->m_key_expires && time_after(jiffies, n->m_key_expires)) {
		n->m_key_protect = 0;
		n->m_key_expires = 0;
	}
	if (!n->m_key || be64_to_cpu(sma->smp->mkey) == n->m_key) {
		sma->m_key_ok = true;
		n->m_key_expires = 0;
	} else if (sma->smp->method != IB_MGMT_METHOD_GET ||
		   n->m_key_protect > 1) {
		sib_m_key_violated(n);
		pass = false;
	}
	spin_unlock_irqrestore(&sma->node->lock, flags);
	if (!pass)
		sib_trap_m_key(sma->node, sma->smp);
	return pass;
}

/* Tell the HCA's consumers what a Set has changed. */
static void sib_sma_events(struct sib_sma *sma)
{
	unsigned int type;

	if (sma->node->type != SIB_END_HCA)
		return;
	for_each_set_bit(type, &sma->events, BITS_PER_LONG)
		sib_port_event(end_to_port(sma->node), type);
}

static enum sib_sma_result sib_sma_answer(struct sib_sma *sma)
{
	struct ib_smp *smp = sma->smp;
	__be16 status;

	if (smp->base_version != IB_MGMT_BASE_VERSION ||
	    smp->class_version != 1)
		status = SIB_MAD_BAD_VERSION;
	else
		status = sib_sma_attr(sma);
	smp->method = IB_MGMT_METHOD_GET_RESP;
	smp->status = status;
	if (smp->mgmt_class == IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE)
		smp->status |= IB_SMP_DIRECTION;
	sib_sma_events(sma);
	if (sma->retrain)
		sib_links_settle_later();
	return SIB_SMA_ANSWERED;
}

/**
 * sib_sma_process() - let a node's SMA have an SMP
 * @in: end at which it arrived, 0 of a switch for none
 * @smp: the SMP; becomes the answer if there is one
 * @ignore_m_key: the SMP comes from this host's own kernel
 *
 * Any context.
 *
 * Return: see enum sib_sma_result
 */
enum sib_sma_result sib_sma_process(struct sib_end *in, struct ib_smp *smp,
				    bool ignore_m_key)
{
	struct sib_sma sma = {
		.in = in,
		.node = sib_node_end(in),
		.smp = smp,
		.set = smp->method == IB_MGMT_METHOD_SET,
		.m_key_ok = ignore_m_key,
	};

	switch (smp->method) {
	case IB_MGMT_METHOD_GET:
	case IB_MGMT_METHOD_SET:
		if (smp->attr_id == IB_SMP_ATTR_SM_INFO)
			return SIB_SMA_IGNORED;
		if (!ignore_m_key && !sib_m_key_check(&sma))
			return SIB_SMA_CONSUMED;
		return sib_sma_answer(&sma);
	case IB_MGMT_METHOD_TRAP_REPRESS:
		if (!ignore_m_key && !sib_m_key_check(&sma))
			return SIB_SMA_CONSUMED;
		return sib_trap_repress(sma.node, smp) ? SIB_SMA_CONSUMED :
							 SIB_SMA_IGNORED;
	default:
		return SIB_SMA_IGNORED;
	}
}
