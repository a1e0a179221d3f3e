// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Performance management (chapter 16.1): counters of HCA ports and of switch
 * ports, to read and to reset.
 */
#include <linux/string.h>
#include <rdma/ib_pma.h>

#include "sib_mgmt.h"

#define SIB_PMA_ALL_PORTS	0xff
#define SIB_PMA_CAPS		(IB_PMA_CLASS_CAP_ALLPORTSELECT | \
				 IB_PMA_CLASS_CAP_EXT_WIDTH)
#define SIB_PMA_RESP_TIME	16

/* PortCounters' errors: where, how wide, and which bit of CounterSelect. */
static const struct {
	enum sib_err err;
	u8 bits;
	u8 offset;
	u8 shift;
	u16 select;
} sib_pma_errs[] = {
	{ SIB_ERR_SYMBOL, 16, 4, 0, BIT(0) },
	{ SIB_ERR_LINK_RECOVERY, 8, 6, 0, BIT(1) },
	{ SIB_ERR_LINK_DOWNED, 8, 7, 0, BIT(2) },
	{ SIB_ERR_RCV, 16, 8, 0, BIT(3) },
	{ SIB_ERR_RCV_REMOTE_PHYS, 16, 10, 0, BIT(4) },
	{ SIB_ERR_RCV_SWITCH_RELAY, 16, 12, 0, BIT(5) },
	{ SIB_ERR_XMIT_DISCARDS, 16, 14, 0, BIT(6) },
	{ SIB_ERR_XMIT_CONSTRAINT, 8, 16, 0, BIT(7) },
	{ SIB_ERR_RCV_CONSTRAINT, 8, 17, 0, BIT(8) },
	{ SIB_ERR_LINK_INTEGRITY, 4, 19, 4, BIT(9) },
	{ SIB_ERR_BUFFER_OVERRUN, 4, 19, 0, BIT(10) },
	{ SIB_ERR_QP1_DROPPED, 16, 20, 0, 0 },
	{ SIB_ERR_VL15_DROPPED, 16, 22, 0, BIT(11) },
};

#define SIB_SEL_XMIT_DATA	BIT(12)
#define SIB_SEL_RCV_DATA	BIT(13)
#define SIB_SEL_XMIT_PKTS	BIT(14)
#define SIB_SEL_RCV_PKTS	BIT(15)

#define SIB_SELX_XMIT_DATA	BIT(0)
#define SIB_SELX_RCV_DATA	BIT(1)
#define SIB_SELX_XMIT_PKTS	BIT(2)
#define SIB_SELX_RCV_PKTS	BIT(3)
#define SIB_SELX_XMIT_MCAST	BIT(6)
#define SIB_SELX_RCV_MCAST	BIT(7)

/* Counters stop at their largest value (16.1.3.5). */
static u64 sib_saturate(u64 value, unsigned int bits)
{
	return min(value, GENMASK_ULL(bits - 1, 0));
}

static void sib_pma_put_err(u8 *data, int i, u64 value)
{
	u8 *at = data + sib_pma_errs[i].offset;

	value = sib_saturate(value, sib_pma_errs[i].bits);
	if (sib_pma_errs[i].bits == 16)
		put_unaligned_be16(value, at);
	else
		*at |= value << sib_pma_errs[i].shift;
}

/* What PortCounters and PortCountersExtended are made of, of one port or all */
struct sib_pma_sum {
	struct sib_traffic traffic;
	u64 err[SIB_ERRS];
};

static void sib_pma_add(struct sib_pma_sum *sum, struct sib_end *end)
{
	struct sib_traffic t;
	int i;

	sib_end_traffic(end, &t);
	sum->traffic.xmit_data += t.xmit_data;
	sum->traffic.xmit_pkts += t.xmit_pkts;
	sum->traffic.xmit_mcast_pkts += t.xmit_mcast_pkts;
	sum->traffic.rcv_data += t.rcv_data;
	sum->traffic.rcv_pkts += t.rcv_pkts;
	sum->traffic.rcv_mcast_pkts += t.rcv_mcast_pkts;
	for (i = 0; i < SIB_ERRS; i++)
		sum->err[i] += atomic64_read(&end->err[i]);
}

/* First and last port that PortSelect means; false: there is none. */
static bool sib_pma_ports(struct sib_end *end, u8 select, u32 *first, u32 *last)
{
	bool is_switch = end->type == SIB_END_SWITCH;
	u32 ports = is_switch ? sib_sw->n_ports : 1;

	if (select == SIB_PMA_ALL_PORTS) {
		*first = 1;
		*last = ports;
		return true;
	}
	*first = select;
	*last = select;
	return select <= ports && (select || is_switch);
}

static void sib_pma_sum(struct sib_end *end, u32 first, u32 last,
			struct sib_pma_sum *sum)
{
	memset(sum, 0, sizeof(*sum));
	for (; first <= last; first++)
		sib_pma_add(sum, sib_node_port(end, first));
}

/* Make the selected traffic counters read 0 from now on. */
static void sib_pma_clear_traffic(struct sib_end *end, u16 select)
{
	struct sib_traffic *base = &end->traffic_base, t;
	unsigned long flags;

	spin_lock_irqsave(&end->lock, flags);
	sib_end_traffic(end, &t);
	if (select & SIB_SELX_XMIT_DATA)
		base->xmit_data += t.xmit_data;
	if (select & SIB_SELX_RCV_DATA)
		base->rcv_data += t.rcv_data;
	if (select & SIB_SELX_XMIT_PKTS)
		base->xmit_pkts += t.xmit_pkts;
	if (select & SIB_SELX_RCV_PKTS)
		base->rcv_pkts += t.rcv_pkts;
	if (select & SIB_SELX_XMIT_MCAST)
		base->xmit_mcast_pkts += t.xmit_mcast_pkts;
	if (select & SIB_SELX_RCV_MCAST)
		base->rcv_mcast_pkts += t.rcv_mcast_pkts;
	spin_unlock_irqrestore(&end->lock, flags);
}

static void sib_pma_clear_errs(struct sib_end *end, u16 select, u8 select2)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(sib_pma_errs); i++) {
		bool qp1 = sib_pma_errs[i].err == SIB_ERR_QP1_DROPPED;

		if (qp1 ? select2 & BIT(1) : select & sib_pma_errs[i].select)
			atomic64_set(&end->err[sib_pma_errs[i].err], 0);
	}
}

/* PortCounters' selection of traffic as PortCountersExtended's. */
static u16 sib_pma_traffic_select(u16 select)
{
	u16 x = 0;

	if (select & SIB_SEL_XMIT_DATA)
		x |= SIB_SELX_XMIT_DATA;
	if (select & SIB_SEL_RCV_DATA)
		x |= SIB_SELX_RCV_DATA;
	if (select & SIB_SEL_XMIT_PKTS)
		x |= SIB_SELX_XMIT_PKTS | SIB_SELX_XMIT_MCAST;
	if (select & SIB_SEL_RCV_PKTS)
		x |= SIB_SELX_RCV_PKTS | SIB_SELX_RCV_MCAST;
	return x;
}

static __be16 sib_pma_class_info(struct sib_end *end, struct ib_pma_mad *pma,
				 bool set)
{
	struct ib_class_port_info *cpi = (void *)pma->data;

	if (set)
		return SIB_MAD_BAD_ATTR;
	memset(pma->data, 0, sizeof(pma->data));
	cpi->base_version = IB_MGMT_BASE_VERSION;
	cpi->class_version = 1;
	cpi->capability_mask = SIB_PMA_CAPS;
	ib_set_cpi_resp_time(cpi, SIB_PMA_RESP_TIME);
	return 0;
}

/* 16.1.3.5 */
static __be16 sib_pma_counters(struct sib_end *end, struct ib_pma_mad *pma,
			       bool set)
{
	struct ib_pma_portcounters *pc = (void *)pma->data;
	u16 select = be16_to_cpu(pc->counter_select);
	u8 port = pc->port_select, select2 = pc->reserved1;
	struct sib_pma_sum sum;
	u32 first, last, i;

	if (!sib_pma_ports(end, port, &first, &last))
		return SIB_MAD_BAD_VALUE;
	for (i = first; set && i <= last; i++) {
		struct sib_end *p = sib_node_port(end, i);

		sib_pma_clear_traffic(p, sib_pma_traffic_select(select));
		sib_pma_clear_errs(p, select, select2);
	}
	sib_pma_sum(end, first, last, &sum);
	memset(pma->data, 0, sizeof(pma->data));
	for (i = 0; i < ARRAY_SIZE(sib_pma_errs); i++)
		sib_pma_put_err(pma->data, i, sum.err[sib_pma_errs[i].err]);
	pc->port_select = port;
	pc->counter_select = cpu_to_be16(select);
	pc->port_xmit_data =
		cpu_to_be32(sib_saturate(sum.traffic.xmit_data, 32));
	pc->port_rcv_data = cpu_to_be32(sib_saturate(sum.traffic.rcv_data, 32));
	pc->port_xmit_packets =
		cpu_to_be32(sib_saturate(sum.traffic.xmit_pkts, 32));
	pc->port_rcv_packets =
		cpu_to_be32(sib_saturate(sum.traffic.rcv_pkts, 32));
	return 0;
}

/* 16.1.4.11 */
static __be16 sib_pma_counters_ext(struct sib_end *end, struct ib_pma_mad *pma,
				   bool set)
{
	struct ib_pma_portcounters_ext *pc = (void *)pma->data;
	u16 select = be16_to_cpu(pc->counter_select);
	u8 port = pc->port_select;
	struct sib_pma_sum sum;
	u32 first, last, i;

	if (!sib_pma_ports(end, port, &first, &last))
		return SIB_MAD_BAD_VALUE;
	for (i = first; set && i <= last; i++)
		sib_pma_clear_traffic(sib_node_port(end, i), select);
	sib_pma_sum(end, first, last, &sum);
	memset(pma->data, 0, sizeof(pma->data));
	pc->port_select = port;
	pc->counter_select = cpu_to_be16(select);
	pc->port_xmit_data = cpu_to_be64(sum.traffic.xmit_data);
	pc->port_rcv_data = cpu_to_be64(sum.traffic.rcv_data);
	pc->port_xmit_packets = cpu_to_be64(sum.traffic.xmit_pkts);
	pc->port_rcv_packets = cpu_to_be64(sum.traffic.rcv_pkts);
	pc->port_unicast_xmit_packets =
		cpu_to_be64(sum.traffic.xmit_pkts - sum.traffic.xmit_mcast_pkts);
	pc->port_unicast_rcv_packets =
		cpu_to_be64(sum.traffic.rcv_pkts - sum.traffic.rcv_mcast_pkts);
	pc->port_multicast_xmit_packets =
		cpu_to_be64(sum.traffic.xmit_mcast_pkts);
	pc->port_multicast_rcv_packets =
		cpu_to_be64(sum.traffic.rcv_mcast_pkts);
	return 0;
}

static __be16 sib_pma_attr(struct sib_end *end, struct ib_pma_mad *pma)
{
	bool set = pma->mad_hdr.method == IB_MGMT_METHOD_SET;

	if (pma->mad_hdr.base_version != IB_MGMT_BASE_VERSION ||
	    pma->mad_hdr.class_version != 1)
		return SIB_MAD_BAD_VERSION;
	switch (pma->mad_hdr.attr_id) {
	case IB_PMA_CLASS_PORT_INFO:
		return sib_pma_class_info(end, pma, set);
	case IB_PMA_PORT_COUNTERS:
		return sib_pma_counters(end, pma, set);
	case IB_PMA_PORT_COUNTERS_EXT:
		return sib_pma_counters_ext(end, pma, set);
	default:
		return SIB_MAD_BAD_ATTR;
	}
}

/**
 * sib_pma_process() - answer a performance management MAD
 * @end: HCA port, or any port of the switch
 * @in: the MAD
 * @out: gets the answer
 *
 * A Set resets the selected counters to 0, whatever value it brings: no tool
 * sends another. Any context.
 *
 * Return: IB_MAD_RESULT_*
 */
int sib_pma_process(struct sib_end *end, const struct ib_mad *in,
		    struct ib_mad *out)
{
	struct ib_pma_mad *pma = (struct ib_pma_mad *)out;

	if (in->mad_hdr.method != IB_MGMT_METHOD_GET &&
	    in->mad_hdr.method != IB_MGMT_METHOD_SET)
		return IB_MAD_RESULT_SUCCESS;
	*out = *in;
	pma->mad_hdr.status = sib_pma_attr(end, pma);
	pma->mad_hdr.method = IB_MGMT_METHOD_GET_RESP;
	return IB_MAD_RESULT_SUCCESS | IB_MAD_RESULT_REPLY;
}
