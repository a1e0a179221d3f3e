/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Fabric management: what the SMAs of HCAs and of the switch share. Only the
 * files that answer MADs include this.
 */
#ifndef SIB_MGMT_H
#define SIB_MGMT_H

#include "sib.h"

/* MAD status codes, table 111, without the direction bit */
#define SIB_MAD_BAD_VERSION	cpu_to_be16(IB_MGMT_MAD_STATUS_BAD_VERSION)
#define SIB_MAD_BAD_METHOD	\
	cpu_to_be16(IB_MGMT_MAD_STATUS_UNSUPPORTED_METHOD)
#define SIB_MAD_BAD_ATTR	\
	cpu_to_be16(IB_MGMT_MAD_STATUS_UNSUPPORTED_METHOD_ATTRIB)
#define SIB_MAD_BAD_VALUE	\
	cpu_to_be16(IB_MGMT_MAD_STATUS_INVALID_ATTRIB_VALUE)

/**
 * struct sib_sma - an SMP being answered, in place
 * @in: end it arrived at; for the switch's own requests: port 0
 * @node: end that stands for the node: the HCA's port or switch port 0
 * @smp: the request, becomes the answer
 * @set: it is a Set
 * @m_key_ok: the request carries the right M_Key, or needs none
 * @events: bit per enum ib_event_type that the Set caused on the HCA
 * @retrain: the Set asked for a change of the link
 */
struct sib_sma {
	struct sib_end *in;
	struct sib_end *node;
	struct ib_smp *smp;
	bool set;
	bool m_key_ok;
	unsigned long events;
	bool retrain;
};

/* What became of an SMP. */
enum sib_sma_result {
	SIB_SMA_IGNORED,	/* not for an SMA: a response, or for an SM */
	SIB_SMA_CONSUMED,	/* dealt with, no answer */
	SIB_SMA_ANSWERED,
};

/* The end that answers for the node that @end is on. */
static inline struct sib_end *sib_node_end(struct sib_end *end)
{
	return end->type == SIB_END_HCA ? end : sib_sw->ports[0];
}

/* Port @num of the node that @end is on; an HCA's port is also port 0. */
static inline struct sib_end *sib_node_port(struct sib_end *end, u32 num)
{
	if (end->type == SIB_END_HCA)
		return num <= 1 ? end : NULL;
	return num <= sib_sw->n_ports ? sib_sw->ports[num] : NULL;
}

/* sib_sma.c */
enum sib_sma_result sib_sma_process(struct sib_end *in, struct ib_smp *smp,
				    bool ignore_m_key);

/* sib_portinfo.c */
__be16 sib_portinfo_attr(struct sib_sma *sma);

/* sib_swinfo.c */
__be16 sib_switchinfo_attr(struct sib_sma *sma);
__be16 sib_lft_attr(struct sib_sma *sma);
__be16 sib_mft_attr(struct sib_sma *sma);

/* sib_swmad.c */
void sib_switch_to_self(struct sib_switch *sw, struct sib_end *in,
			struct sib_pkt *pkt);
void sib_switch_mads_init(struct sib_switch *sw);
void sib_switch_mads_stop(struct sib_switch *sw);

/* sib_link.c */
void sib_links_exit(void);
void sib_links_settle(void);
void sib_links_settle_later(void);
void sib_end_unplugged(struct sib_end *end);

/* sib_switch.c */
struct sib_end *sib_switch_route(struct sib_switch *sw, u16 lid);

/* sib_trap.c */
void sib_traps_init(struct sib_traps *traps, struct sib_end *end);
void sib_traps_stop(struct sib_traps *traps);
bool sib_trap_repress(struct sib_end *node, const struct ib_smp *smp);
void sib_trap_link_state(struct sib_switch *sw);
void sib_trap_m_key(struct sib_end *node, const struct ib_smp *smp);

#endif
