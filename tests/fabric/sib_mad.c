// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * MADs that an HCA answers itself. The kernel's MAD layer shows each one that
 * arrives to the device first, and takes what the device leaves.
 */
#include <linux/string.h>

#include "sib_mgmt.h"

static int sib_hca_smp(struct sib_port *port, bool ignore_m_key,
		       const struct ib_mad *in, struct ib_mad *out)
{
	*out = *in;
	switch (sib_sma_process(&port->end, (struct ib_smp *)out,
				ignore_m_key)) {
	case SIB_SMA_ANSWERED:
		return IB_MAD_RESULT_SUCCESS | IB_MAD_RESULT_REPLY;
	case SIB_SMA_CONSUMED:
		return IB_MAD_RESULT_SUCCESS | IB_MAD_RESULT_CONSUMED;
	default:
		return IB_MAD_RESULT_SUCCESS;
	}
}

/**
 * sib_process_mad() - the device's chance to answer a MAD
 * @ibdev: HCA
 * @flags: IB_MAD_IGNORE_MKEY: the M_Key need not be checked
 * @port_num: port, always 1
 * @in_wc: its completion, NULL for a request from within the host
 * @in_grh: its GRH, may be NULL
 * @in: the MAD
 * @out: gets the answer
 * @out_size: size of @out, left alone
 * @out_pkey_index: P_Key index of the answer, left alone
 *
 * SMInfo, traps and answers are left to whoever has registered for them. Any
 * context.
 *
 * Return: IB_MAD_RESULT_*
 */
int sib_process_mad(struct ib_device *ibdev, int flags, u32 port_num,
		    const struct ib_wc *in_wc, const struct ib_grh *in_grh,
		    const struct ib_mad *in, struct ib_mad *out,
		    size_t *out_size, u16 *out_pkey_index)
{
	struct sib_port *port = &to_sib_hca(ibdev)->port;

	switch (in->mad_hdr.mgmt_class) {
	case IB_MGMT_CLASS_SUBN_LID_ROUTED:
	case IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE:
		return sib_hca_smp(port, flags & IB_MAD_IGNORE_MKEY, in, out);
	case IB_MGMT_CLASS_PERF_MGMT:
		return sib_pma_process(&port->end, in, out);
	default:
		return IB_MAD_RESULT_SUCCESS;
	}
}

/**
 * sib_port_mgmt_init() - an HCA's port before an SM has seen it
 * @port: the port; its end has been initialised
 * @opts: the HCA's
 */
void sib_port_mgmt_init(struct sib_port *port, const struct sib_hca_opts *opts)
{
	sib_portinfo_init(&port->end.info, opts);
	memset(port->guids, 0, sizeof(port->guids));
	port->guids[0] = SIB_GUID(port->hca->index, SIB_GUID_PORT);
	sib_traps_init(&port->traps, &port->end);
}

/**
 * sib_port_mgmt_stop() - no more traps from an HCA
 * @port: its port, which has been unplugged
 *
 * Sleeps.
 */
void sib_port_mgmt_stop(struct sib_port *port)
{
	sib_traps_stop(&port->traps);
}
