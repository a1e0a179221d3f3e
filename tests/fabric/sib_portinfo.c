// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * PortInfo (14.2.5.6), of HCA ports and switch ports alike.
 *
 * LIDs, M_Key, the SM's address and the timeouts belong to the node: they are
 * those of an HCA's port, and of port 0 of the switch.
 */
#include "sib_mgmt.h"

/* PortInfo as <rdma/ib_smi.h> has it, with the components behind its end. */
struct sib_wire_portinfo {
	u8 base[60];
	__be16 cap_mask2;
	u8 speed_ext;		/* active 7:4, supported 3:0 */
	u8 speed_ext_enabled;	/* 4:0 */
} __packed;

#define SIB_SPEED_EXT_HDR	4
#define SIB_SPEED_EXT_NDR	8

/* Values with a meaning of their own in enabled masks: everything supported. */
#define SIB_WIDTH_ALL		0xff
#define SIB_SPEED_ALL		0x0f
#define SIB_SPEED_EXT_ALL	0x1f

static u16 sib_cap_mask2(const struct sib_portinfo *info)
{
	u16 mask = 0;

	if (info->speed_ext_supported & SIB_SPEED_EXT_HDR)
		mask |= IB_PORT_LINK_SPEED_HDR_SUP;
	if (info->speed_ext_supported & SIB_SPEED_EXT_NDR)
		mask |= IB_PORT_LINK_SPEED_NDR_SUP;
	return mask;
}

static void sib_portinfo_put_node(const struct sib_portinfo *n, bool m_key,
				  struct ib_port_info *pi)
{
	if (m_key)
		pi->mkey = cpu_to_be64(n->m_key);
	pi->gid_prefix = cpu_to_be64(n->gid_prefix);
	pi->lid = cpu_to_be16(n->lid);
	pi->sm_lid = cpu_to_be16(n->sm_lid);
	pi->cap_mask = cpu_to_be32(n->cap_mask);
	pi->diag_code = cpu_to_be16(n->diag_code);
	pi->mkey_lease_period = cpu_to_be16(n->m_key_lease);
	pi->mkey_violations = cpu_to_be16(n->m_key_violations);
	pi->mkeyprot_resv_lmc = n->m_key_protect << 6 | n->lmc;
	pi->clientrereg_resv_subnetto = n->subnet_timeout;
	pi->resv_resptimevalue = n->resp_time;
	pi->neighbormtu_mastersmsl = n->sm_sl;
	pi->guid_cap = SIB_GIDS;
}

static void sib_portinfo_put_link(const struct sib_portinfo *info,
				  struct ib_port_info *pi)
{
	pi->link_width_enabled = info->width_enabled;
	pi->link_width_supported = info->width_supported;
	pi->link_width_active = info->width_active;
	pi->linkspeed_portstate = info->speed_supported << 4 | info->state;
	pi->portphysstate_linkdown = info->phys_state << 4 | info->down_default;
	pi->linkspeedactive_enabled = info->speed_active << 4 |
				      info->speed_enabled;
	pi->neighbormtu_mastersmsl |= info->mtu << 4;
	pi->vlcap_inittype = info->vl_cap << 4;
	pi->vl_high_limit = info->vl_high_limit;
	pi->vl_arb_high_cap = 8;
	pi->vl_arb_low_cap = 8;
	pi->inittypereply_mtucap = info->init_type << 4 | info->mtu_cap;
	pi->operationalvl_pei_peo_fpi_fpo = info->op_vls << 4 |
					    info->part_enforce << 2;
	pi->pkey_violations = cpu_to_be16(info->p_key_violations);
	pi->qkey_violations = cpu_to_be16(info->q_key_violations);
	pi->localphyerrors_overrunerrors = info->phy_err << 4 |
					   info->overrun_err;
}

static void sib_portinfo_put_ext(const struct sib_portinfo *info,
				 const struct sib_portinfo *node,
				 struct sib_wire_portinfo *wire)
{
	if (node->cap_mask & IB_PORT_CAP_MASK2_SUP)
		wire->cap_mask2 = cpu_to_be16(sib_cap_mask2(node));
	wire->speed_ext = info->speed_ext_active << 4 |
			  info->speed_ext_supported;
	wire->speed_ext_enabled = info->speed_ext_enabled;
}

/* @port's PortInfo into the answer; external switch ports have no LID. */
static void sib_portinfo_put(struct sib_sma *sma, struct sib_end *port)
{
	struct ib_port_info *pi = (void *)sma->smp->data;
	struct sib_portinfo *node = &sma->node->info;
	bool show_m_key = sma->m_key_ok || !node->m_key_protect;

	memset(sma->smp->data, 0, sizeof(sma->smp->data));
	if (port == sma->node)
		sib_portinfo_put_node(node, show_m_key, pi);
	sib_portinfo_put_link(&port->info, pi);
	sib_portinfo_put_ext(&port->info, node, (void *)sma->smp->data);
	pi->local_port_num = sma->in->num;
}

static bool sib_mask_ok(u8 want, u8 supported, u8 all)
{
	return !want || want == all || !(want & ~supported);
}

static bool sib_state_ok(u8 now, u8 want)
{
	switch (want) {
	case IB_PORT_NOP:
	case IB_PORT_DOWN:
		return true;
	case IB_PORT_ARMED:
		return now == IB_PORT_INIT || now == IB_PORT_ARMED;
	case IB_PORT_ACTIVE:
		return now == IB_PORT_ARMED || now == IB_PORT_ACTIVE;
	default:
		return false;
	}
}

/* Would a Set of @pi be valid? All or nothing. */
static bool sib_portinfo_valid(struct sib_end *port, bool node,
			       const struct ib_port_info *pi)
{
	const struct sib_wire_portinfo *wire = (const void *)pi;
	const struct sib_portinfo *info = &port->info;
	u16 lid = be16_to_cpu(pi->lid);
	u8 mtu = pi->neighbormtu_mastersmsl >> 4;
	u8 vls = pi->operationalvl_pei_peo_fpi_fpo >> 4;

	if (node && (!lid || lid > SIB_LFT_TOP ||
		     be16_to_cpu(pi->sm_lid) > SIB_LFT_TOP))
		return false;
	if (mtu > info->mtu_cap || vls > info->vl_cap)
		return false;
	if (!sib_mask_ok(pi->link_width_enabled, info->width_supported,
			 SIB_WIDTH_ALL) ||
	    !sib_mask_ok(pi->linkspeedactive_enabled & 0xf,
			 info->speed_supported, SIB_SPEED_ALL) ||
	    !sib_mask_ok(wire->speed_ext_enabled & 0x1f,
			 info->speed_ext_supported, SIB_SPEED_EXT_ALL))
		return false;
	if ((pi->portphysstate_linkdown >> 4) > IB_PORT_PHYS_STATE_DISABLED)
		return false;
	/* The state of a base port 0 is not the SM's to change. */
	return port->num == 0 ||
	       sib_state_ok(info->state, pi->linkspeed_portstate & 0xf);
}

static void sib_note(struct sib_sma *sma, bool changed, enum ib_event_type type)
{
	if (changed)
		sma->events |= BIT(type);
}

/* The node's components. Events that follow are collected in @sma. */
static void sib_portinfo_set_node(struct sib_sma *sma, struct sib_portinfo *n,
				  const struct ib_port_info *pi)
{
	u16 lid = be16_to_cpu(pi->lid), sm_lid = be16_to_cpu(pi->sm_lid);
	u8 sl = pi->neighbormtu_mastersmsl & 0xf;
	u8 lmc = pi->mkeyprot_resv_lmc & 7;
	u64 prefix = be64_to_cpu(pi->gid_prefix);

	sib_note(sma, lid != n->lid || lmc != n->lmc, IB_EVENT_LID_CHANGE);
	sib_note(sma, sm_lid != n->sm_lid || sl != n->sm_sl,
		 IB_EVENT_SM_CHANGE);
	sib_note(sma, prefix != n->gid_prefix, IB_EVENT_GID_CHANGE);
	sib_note(sma, pi->clientrereg_resv_subnetto & 0x80,
		 IB_EVENT_CLIENT_REREGISTER);
	n->m_key = be64_to_cpu(pi->mkey);
	n->m_key_protect = pi->mkeyprot_resv_lmc >> 6;
	n->m_key_lease = be16_to_cpu(pi->mkey_lease_period);
	n->m_key_violations = be16_to_cpu(pi->mkey_violations);
	n->subnet_timeout = pi->clientrereg_resv_subnetto & 0x1f;
	n->gid_prefix = prefix;
	WRITE_ONCE(n->lmc, lmc);
	WRITE_ONCE(n->lid, lid);
	WRITE_ONCE(n->sm_sl, sl);
	WRITE_ONCE(n->sm_lid, sm_lid);
}

static void sib_set_mask(u8 *enabled, u8 want, u8 supported, u8 all)
{
	if (!want)
		return;
	if (want == all)
		want = supported;
	*enabled = want;
}

static void sib_portinfo_set_link(struct sib_sma *sma,
				  struct sib_portinfo *info,
				  const struct ib_port_info *pi)
{
	const struct sib_wire_portinfo *wire = (const void *)pi;
	u8 mtu = pi->neighbormtu_mastersmsl >> 4;

	sib_set_mask(&info->width_enabled, pi->link_width_enabled,
		     info->width_supported, SIB_WIDTH_ALL);
	sib_set_mask(&info->speed_enabled,
		     pi->linkspeedactive_enabled & 0xf,
		     info->speed_supported, SIB_SPEED_ALL);
	sib_set_mask(&info->speed_ext_enabled,
		     wire->speed_ext_enabled & 0x1f,
		     info->speed_ext_supported, SIB_SPEED_EXT_ALL);
	if (mtu)
		WRITE_ONCE(info->mtu, mtu);
	if (pi->operationalvl_pei_peo_fpi_fpo >> 4)
		info->op_vls = pi->operationalvl_pei_peo_fpi_fpo >> 4;
	if (pi->portphysstate_linkdown & 0xf)
		info->down_default = pi->portphysstate_linkdown & 0xf;
	WRITE_ONCE(info->part_enforce,
		   pi->operationalvl_pei_peo_fpi_fpo >> 2 & 3);
	info->vl_high_limit = pi->vl_high_limit;
	info->init_type = pi->inittypereply_mtucap >> 4;
	info->p_key_violations = be16_to_cpu(pi->pkey_violations);
	info->q_key_violations = be16_to_cpu(pi->qkey_violations);
	info->phy_err = pi->localphyerrors_overrunerrors >> 4;
	info->overrun_err = pi->localphyerrors_overrunerrors & 0xf;
}

/* PortState and PortPhysicalState. A link goes down only after the answer. */
static void sib_portinfo_set_state(struct sib_sma *sma,
				   struct sib_portinfo *info,
				   const struct ib_port_info *pi)
{
	u8 state = pi->linkspeed_portstate & 0xf;
	u8 phys = pi->portphysstate_linkdown >> 4;

	sib_note(sma, state == IB_PORT_ACTIVE && info->state != state,
		 IB_EVENT_PORT_ACTIVE);
	if (state == IB_PORT_ARMED || state == IB_PORT_ACTIVE)
		WRITE_ONCE(info->state, state);
	if (phys)
		info->phys_request = phys;
	else if (state == IB_PORT_DOWN)
		info->phys_request = info->down_default;
	sma->retrain = info->phys_request;
}

static __be16 sib_portinfo_set(struct sib_sma *sma, struct sib_end *port)
{
	const struct ib_port_info *pi = (const void *)sma->smp->data;
	bool node = port == sma->node;

	lockdep_assert_held(&port->lock);

	if (!sib_portinfo_valid(port, node, pi))
		return SIB_MAD_BAD_VALUE;
	if (node)
		sib_portinfo_set_node(sma, &port->info, pi);
	sib_portinfo_set_link(sma, &port->info, pi);
	if (port->num)
		sib_portinfo_set_state(sma, &port->info, pi);
	return 0;
}

/**
 * sib_portinfo_attr() - Get or Set PortInfo
 * @sma: the SMP, answered in place
 *
 * The attribute modifier names the port; 0 is the only port of an HCA and the
 * management port of a switch. Any context; takes the port's lock.
 *
 * Return: MAD status
 */
__be16 sib_portinfo_attr(struct sib_sma *sma)
{
	u32 num = be32_to_cpu(sma->smp->attr_mod) & 0xff;
	struct sib_end *port = sib_node_port(sma->in, num);
	unsigned long flags;
	__be16 status = 0;

	if (!port)
		return SIB_MAD_BAD_VALUE;
	spin_lock_irqsave(&port->lock, flags);
	if (sma->set)
		status = sib_portinfo_set(sma, port);
	sib_portinfo_put(sma, port);
	spin_unlock_irqrestore(&port->lock, flags);
	return status;
}

static void sib_portinfo_init_speed(struct sib_portinfo *info, u32 speed)
{
	u8 ext;

	/* PortInfo has these as the next slower speed. */
	info->unspoken = speed & (IB_SPEED_FDR10 | IB_SPEED_XDR);
	speed = info->unspoken ? speed >> 1 : speed;
	ext = speed >> 4;	/* enum ib_port_speed: FDR is 16 */
	info->speed_supported = ext ? 7 : (speed << 1) - 1;
	info->speed_enabled = info->speed_supported;
	info->speed_active = ext ? 4 : speed;
	info->speed_ext_supported = ext ? (ext << 1) - 1 : 0;
	info->speed_ext_enabled = info->speed_ext_supported;
	info->speed_ext_active = ext;
	if (ext)
		info->cap_mask |= IB_PORT_EXTENDED_SPEEDS_SUP;
	if (ext >= SIB_SPEED_EXT_HDR)
		info->cap_mask |= IB_PORT_CAP_MASK2_SUP;
}

/* Lanes to the code of LinkWidthActive. */
static u8 sib_width_code(u32 lanes)
{
	switch (lanes) {
	case 1:
		return IB_WIDTH_1X;
	case 2:
		return IB_WIDTH_2X;
	case 8:
		return IB_WIDTH_8X;
	case 12:
		return IB_WIDTH_12X;
	default:
		return IB_WIDTH_4X;
	}
}

/* Whatever is narrower; links of two lanes came last, and so did their code. */
static u8 sib_width_mask(u8 width)
{
	if (width == IB_WIDTH_2X)
		return IB_WIDTH_1X | IB_WIDTH_2X;
	return (width << 1) - 1;
}

/**
 * sib_portinfo_init() - a port before an SM has seen it
 * @info: what to fill
 * @opts: the HCA's; NULL: a port of the switch
 */
void sib_portinfo_init(struct sib_portinfo *info,
		       const struct sib_hca_opts *opts)
{
	u8 width = opts ? sib_width_code(opts->width) : IB_WIDTH_12X;

	memset(info, 0, sizeof(*info));
	info->cap_mask = IB_PORT_TRAP_SUP | IB_PORT_SL_MAP_SUP |
			 IB_PORT_SYS_IMAGE_GUID_SUP;
	if (opts)
		info->cap_mask |= IB_PORT_CM_SUP | IB_PORT_CAP_MASK_NOTICE_SUP |
				  IB_PORT_CLIENT_REG_SUP |
				  IB_PORT_OTHER_LOCAL_CHANGES_SUP;
	sib_portinfo_init_speed(info, opts ? opts->speed : 128);
	info->gid_prefix = 0xfe80000000000000ULL;
	info->state = IB_PORT_DOWN;
	info->phys_state = IB_PORT_PHYS_STATE_POLLING;
	info->down_default = IB_PORT_PHYS_STATE_POLLING;
	info->width_supported = sib_width_mask(width);
	if (!opts)
		info->width_supported |= IB_WIDTH_2X;
	info->width_enabled = info->width_supported;
	info->width_active = width;
	info->mtu_cap = ib_mtu_int_to_enum(opts ? opts->mtu : 4096);
	/* opensm retrains a link whose NeighborMTU it has to change */
	info->mtu = info->mtu_cap;
	info->vl_cap = 1;
	info->op_vls = 1;
	info->subnet_timeout = 18;
	info->resp_time = 16;
	info->phy_err = 8;
	info->overrun_err = 8;
	info->pkeys[0] = IB_DEFAULT_PKEY_FULL;
}
