// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Runtime control: the state of the switch and counters of ports, to read. */
#include <linux/bitmap.h>
#include <linux/seq_file.h>

#include "sib_debugfs.h"

static const char * const sib_err_names[SIB_ERRS] = {
	[SIB_ERR_SYMBOL] = "symbol_errors",
	[SIB_ERR_LINK_RECOVERY] = "link_recoveries",
	[SIB_ERR_LINK_DOWNED] = "link_downed",
	[SIB_ERR_RCV] = "rcv_errors",
	[SIB_ERR_RCV_REMOTE_PHYS] = "rcv_remote_phys_errors",
	[SIB_ERR_RCV_SWITCH_RELAY] = "rcv_switch_relay_errors",
	[SIB_ERR_XMIT_DISCARDS] = "xmit_discards",
	[SIB_ERR_XMIT_CONSTRAINT] = "xmit_constraint_errors",
	[SIB_ERR_RCV_CONSTRAINT] = "rcv_constraint_errors",
	[SIB_ERR_LINK_INTEGRITY] = "link_integrity_errors",
	[SIB_ERR_BUFFER_OVERRUN] = "buffer_overruns",
	[SIB_ERR_VL15_DROPPED] = "vl15_dropped",
	[SIB_ERR_QP1_DROPPED] = "qp1_dropped",
};

/**
 * sib_state_name() - the name of a port state
 * @state: enum ib_port_state
 *
 * Return: as ibstat says it
 */
const char *sib_state_name(u8 state)
{
	switch (state) {
	case IB_PORT_DOWN:
		return "Down";
	case IB_PORT_INIT:
		return "Initializing";
	case IB_PORT_ARMED:
		return "Armed";
	case IB_PORT_ACTIVE:
		return "Active";
	default:
		return "?";
	}
}

/**
 * sib_dbg_end_counters() - print the counters of a port
 * @s: where to
 * @end: the port
 */
void sib_dbg_end_counters(struct seq_file *s, struct sib_end *end)
{
	struct sib_traffic t;
	int i;

	sib_end_traffic(end, &t);
	seq_printf(s, "xmit_data %llu\n", t.xmit_data);
	seq_printf(s, "xmit_pkts %llu\n", t.xmit_pkts);
	seq_printf(s, "xmit_mcast_pkts %llu\n", t.xmit_mcast_pkts);
	seq_printf(s, "rcv_data %llu\n", t.rcv_data);
	seq_printf(s, "rcv_pkts %llu\n", t.rcv_pkts);
	seq_printf(s, "rcv_mcast_pkts %llu\n", t.rcv_mcast_pkts);
	for (i = 0; i < SIB_ERRS; i++)
		seq_printf(s, "%s %lld\n", sib_err_names[i],
			   atomic64_read(&end->err[i]));
}

static void sib_switch_port_show(struct seq_file *s, struct sib_end *end)
{
	struct sib_end *peer;
	struct sib_traffic t;
	int i;

	rcu_read_lock();
	peer = rcu_dereference(end->peer);
	seq_printf(s, "%u %s %s enforce=%u", end->num,
		   sib_state_name(READ_ONCE(end->info.state)),
		   peer ? dev_name(&end_to_port(peer)->hca->ibdev.dev) : "-",
		   READ_ONCE(end->info.part_enforce));
	rcu_read_unlock();
	sib_end_traffic(end, &t);
	seq_printf(s, " xmit=%llu rcv=%llu", t.xmit_pkts, t.rcv_pkts);
	for (i = 0; i < SIB_ERRS; i++)
		if (atomic64_read(&end->err[i]))
			seq_printf(s, " %s=%lld", sib_err_names[i],
				   atomic64_read(&end->err[i]));
	seq_putc(s, '\n');
}

/**
 * sib_switch_ports_show() - the file switch_ports
 * @s: where to
 * @hca: not used
 * @arg: not used
 *
 * Return: 0
 */
int sib_switch_ports_show(struct seq_file *s, struct sib_hca *hca, int arg)
{
	struct sib_switch *sw = sib_sw;
	unsigned int i;

	seq_printf(s, "lid %u sm_lid %u traps_sent %llu\n",
		   READ_ONCE(sw->ports[0]->info.lid),
		   READ_ONCE(sw->ports[0]->info.sm_lid), sw->traps.sent);
	for (i = 1; i <= sw->n_ports; i++)
		sib_switch_port_show(s, sw->ports[i]);
	return 0;
}

/**
 * sib_switch_lft_show() - the file switch_lft: LID and port
 * @s: where to
 * @hca: not used
 * @arg: not used
 *
 * Return: 0
 */
int sib_switch_lft_show(struct seq_file *s, struct sib_hca *hca, int arg)
{
	struct sib_switch *sw = sib_sw;
	unsigned int lid, top = READ_ONCE(sw->lft_top);

	for (lid = 0; lid <= top; lid++)
		if (READ_ONCE(sw->lft[lid]) <= sw->n_ports)
			seq_printf(s, "%u %u\n", lid, READ_ONCE(sw->lft[lid]));
	return 0;
}

/**
 * sib_switch_mft_show() - the file switch_mft: MLID and list of ports
 * @s: where to
 * @hca: not used
 * @arg: not used
 *
 * Return: 0
 */
int sib_switch_mft_show(struct seq_file *s, struct sib_hca *hca, int arg)
{
	struct sib_switch *sw = sib_sw;
	unsigned int i;

	for (i = 0; i < SIB_MLIDS; i++)
		if (!bitmap_empty(sw->mft[i], 256))
			seq_printf(s, "0x%04x %*pbl\n", SIB_MLID_BASE + i, 256,
				   sw->mft[i]);
	return 0;
}
