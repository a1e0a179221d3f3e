// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* What a port does with a packet from its input queue. */
#include "sib_verbs.h"

/* Find the headers; false if the packet is not what it says it is (7.8.3). */
static bool sib_rx_parse(struct sib_rx *rx, struct sib_pkt *pkt)
{
	struct sib_lrh *lrh = sib_lrh(pkt);
	u8 lnh = lrh->sl_lnh & 3;
	u32 head = sizeof(*lrh) + sizeof(struct sib_bth);
	u32 pad;

	if (lnh == SIB_LNH_GLOBAL)
		head += sizeof(struct sib_grh);
	else if (lnh != SIB_LNH_LOCAL)
		return false;
	if (pkt->len < head || (lrh->vl_ver & 0xf) ||
	    be16_to_cpu(lrh->len) * 4 != pkt->len + SIB_ICRC_LEN)
		return false;
	rx->pkt = pkt;
	rx->grh = sib_grh(pkt);
	rx->bth = (struct sib_bth *)(pkt->data + head) - 1;
	rx->data = pkt->data + head;
	rx->dqpn = be32_to_cpu(rx->bth->dqpn) & SIB_24BIT;
	rx->psn = be32_to_cpu(rx->bth->psn) & SIB_24BIT;
	rx->pkey = be16_to_cpu(rx->bth->pkey);
	rx->pkey_index = 0;
	pad = SIB_BTH_PAD(rx->bth->flags);
	if (pkt->len - head < pad)
		return false;
	rx->len = pkt->len - head - pad;
	return true;
}

/* The switch may flood; a port takes what is for its LIDs (7.11.1). */
static bool sib_rx_mine(const struct sib_port *port, struct sib_pkt *pkt)
{
	u16 lid = READ_ONCE(port->end.info.lid);
	u16 dlid = sib_dlid(pkt);

	if (dlid == SIB_LID_PERMISSIVE)
		return sib_vl(pkt) == SIB_VL_MGMT;
	return dlid >= SIB_MLID_BASE ||
	       (dlid >= lid && dlid - lid < 1 << READ_ONCE(port->end.info.lmc));
}

static void sib_rc_dispatch(struct sib_port *port, struct sib_rx *rx)
{
	struct sib_qp *qp = sib_qp_find(port, rx->dqpn);

	if (!qp || qp->ibqp.qp_type != IB_QPT_RC) {
		sib_count(port->hca, SIB_STAT_RC_DROPPED);
		return;
	}
	if (!sib_pkey_match(rx->pkey, sib_pkey(port, qp->attr.pkey_index))) {
		sib_count(port->hca, SIB_STAT_BAD_PKEY);
		sib_pkey_violation(port, rx->pkt);
		return;
	}
	if (rx->bth->opcode == SIB_OP_ACK)
		sib_rc_answer(qp, rx);
	else
		sib_rc_request(qp, rx);
}

/**
 * sib_port_receive - receive a packet
 * @inq: a port's input queue
 * @pkt: the packet, taken over
 *
 * Context: the port's tasklet. A QP found here stays until the tasklet ends,
 * as sib_destroy_qp() waits for that.
 */
void sib_port_receive(struct sib_inq *inq, struct sib_pkt *pkt)
{
	struct sib_port *port = container_of(inq, struct sib_port, inq);
	struct sib_rx rx;

	if (unlikely(!sib_rx_parse(&rx, pkt) || !sib_rx_mine(port, pkt)))
		atomic64_inc(&port->end.err[SIB_ERR_RCV]);
	else if ((rx.bth->opcode & 0xe0) == SIB_OP_UD)
		sib_ud_dispatch(port, &rx);
	else if ((rx.bth->opcode & 0xe0) == SIB_OP_RC)
		sib_rc_dispatch(port, &rx);
	else
		atomic64_inc(&port->end.err[SIB_ERR_RCV]);
	sib_pkt_free(pkt);
}

/**
 * sib_port_idle - a batch of packets has been received
 * @inq: a port's input queue
 *
 * Context: the port's tasklet.
 */
void sib_port_idle(struct sib_inq *inq)
{
	struct sib_port *port = container_of(inq, struct sib_port, inq);

	if (!list_empty(&port->acks))
		sib_rc_send_acks(port);
}
