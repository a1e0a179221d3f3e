// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Reliable connections, the responder (chapter 9.7.4): takes packets in order
 * only, and says which it expects if one is missing.
 */
#include "sib_verbs.h"

/* What became of a request packet. */
enum sib_verdict {
	SIB_TAKEN,
	SIB_NOT_READY,		/* no receive request: RNR NAK */
	SIB_BAD_REQUEST,	/* NAK, and the QP fails */
};

static s32 sib_psn_ahead(u32 psn, u32 expected)
{
	return (s32)((psn - expected) << 8) >> 8;
}

static bool sib_op_begins(u8 op)
{
	return op == SIB_OP_SEND_FIRST || op == SIB_OP_SEND_ONLY ||
	       op == SIB_OP_SEND_ONLY_IMM;
}

static bool sib_op_ends(u8 op)
{
	return op != SIB_OP_SEND_FIRST && op != SIB_OP_SEND_MIDDLE;
}

static bool sib_op_has_imm(u8 op)
{
	return op == SIB_OP_SEND_LAST_IMM || op == SIB_OP_SEND_ONLY_IMM;
}

/* Send an acknowledgment of kind and value @syndrome for @psn. */
static void sib_rc_reply(struct sib_qp *qp, u32 psn, u8 syndrome)
{
	u32 len = sizeof(struct sib_lrh) + sizeof(struct sib_bth) +
		  SIB_AETH_LEN + (qp->av.grh ? sizeof(struct sib_grh) : 0);
	struct sib_pkt *pkt = sib_pkt_alloc(len);
	struct sib_bth *bth;

	lockdep_assert_held(&qp->rlock);

	if (!pkt)
		return;
	bth = sib_route(pkt, qp->port, &qp->av, 0);
	bth->opcode = SIB_OP_ACK;
	bth->flags = SIB_BTH_MIG;
	bth->pkey = cpu_to_be16(sib_pkey(qp->port, qp->attr.pkey_index));
	bth->dqpn = cpu_to_be32(qp->attr.dest_qp_num);
	bth->psn = cpu_to_be32(psn);
	put_unaligned_be32(syndrome << 24 | qp->resp.msn, bth + 1);
	sib_port_send(qp->port, pkt);
}

static void sib_rc_ack(struct sib_qp *qp)
{
	qp->resp.ack_due = false;
	sib_count(qp->hca, SIB_STAT_RC_ACKS_SENT);
	sib_rc_reply(qp, (qp->resp.psn - 1) & SIB_24BIT,
		     SIB_AETH_ACK | SIB_AETH_NO_CREDITS);
}

/* One acknowledgment will do for all packets of a batch. */
static void sib_rc_owe_ack(struct sib_qp *qp)
{
	lockdep_assert_held(&qp->rlock);

	qp->resp.ack_due = true;
	if (list_empty(&qp->resp.ack_node))
		list_add_tail(&qp->resp.ack_node, &qp->port->acks);
}

/**
 * sib_rc_send_acks - send the acknowledgments owed for a batch of packets
 * @port: the port
 *
 * Context: the port's tasklet.
 */
void sib_rc_send_acks(struct sib_port *port)
{
	struct sib_qp *qp, *next;
	unsigned long flags;

	list_for_each_entry_safe(qp, next, &port->acks, resp.ack_node) {
		spin_lock_irqsave(&qp->rlock, flags);
		list_del_init(&qp->resp.ack_node);
		if (qp->resp.ack_due && qp->state >= IB_QPS_RTR &&
		    qp->state != IB_QPS_ERR)
			sib_rc_ack(qp);
		spin_unlock_irqrestore(&qp->rlock, flags);
	}
}

/* Tables 47 and following: what may come when, and how much of it. */
static bool sib_rc_in_sequence(struct sib_qp *qp, const struct sib_rx *rx,
			       u8 op, u32 len)
{
	if (op > SIB_OP_SEND_ONLY_IMM ||
	    sib_op_begins(op) == qp->resp.in_msg)
		return false;
	if (sib_op_has_imm(op) && rx->len < SIB_IMM_LEN)
		return false;
	if (!sib_op_ends(op))
		return len == qp->mtu;
	return len <= qp->mtu && (len || sib_op_begins(op));
}

static void sib_rc_message_done(struct sib_qp *qp, const struct sib_rx *rx,
				u8 op)
{
	struct sib_responder *resp = &qp->resp;
	struct sib_cqe cqe = {
		.wr_id = resp->wqe->wr_id,
		.qp = qp,
		.byte_len = resp->len,
		.src_qp = qp->attr.dest_qp_num,
		.slid = be16_to_cpu(sib_lrh(rx->pkt)->slid),
		.pkey_index = qp->attr.pkey_index,
		.opcode = IB_WC_RECV,
		.sl = sib_lrh(rx->pkt)->sl_lnh >> 4,
		.solicited = rx->bth->flags & SIB_BTH_SE,
	};

	if (sib_op_has_imm(op)) {
		cqe.flags = IB_WC_WITH_IMM;
		memcpy(&cqe.imm, rx->data, SIB_IMM_LEN);
	}
	sib_count(qp->hca, SIB_STAT_RECV_CQES);
	resp->in_msg = false;
	resp->msn = (resp->msn + 1) & SIB_24BIT;
	sib_cq_add(qp->ibqp.recv_cq, &cqe);
}

/* The packet that was expected. */
static enum sib_verdict sib_rc_take(struct sib_qp *qp, const struct sib_rx *rx)
{
	struct sib_responder *resp = &qp->resp;
	u8 op = rx->bth->opcode;
	u32 head = sib_op_has_imm(op) ? SIB_IMM_LEN : 0;
	u32 len = rx->len - head;

	if (!sib_rc_in_sequence(qp, rx, op, len))
		return SIB_BAD_REQUEST;
	if (sib_op_begins(op)) {
		if (sib_qp_take_recv(qp, 0))
			return SIB_NOT_READY;
		resp->in_msg = true;
		resp->len = 0;
		resp->sg = (struct sib_sg){ .sge = resp->wqe->sge };
	}
	if (resp->wqe->len - resp->len < len) {
		resp->in_msg = false;
		sib_recv_failed(qp, resp->wqe->wr_id, IB_WC_LOC_LEN_ERR);
		return SIB_BAD_REQUEST;
	}
	sib_sg_scatter(&resp->sg, rx->data + head, len);
	resp->len += len;
	resp->psn = (resp->psn + 1) & SIB_24BIT;
	resp->nak_sent = false;
	if (sib_op_ends(op))
		sib_rc_message_done(qp, rx, op);
	return SIB_TAKEN;
}

/* A packet is missing; said once, until the expected one comes (9.7.5.2.8). */
static void sib_rc_gap(struct sib_qp *qp)
{
	if (qp->resp.nak_sent)
		return;
	qp->resp.nak_sent = true;
	sib_count(qp->hca, SIB_STAT_RC_NAKS_SENT);
	sib_rc_reply(qp, qp->resp.psn, SIB_AETH_NAK | SIB_NAK_SEQUENCE);
}

/* Whether the QP is to fail. */
static bool sib_rc_expected(struct sib_qp *qp, const struct sib_rx *rx)
{
	lockdep_assert_held(&qp->rlock);

	switch (sib_rc_take(qp, rx)) {
	case SIB_TAKEN:
		sib_count(qp->hca, SIB_STAT_RC_RECEIVED);
		if (rx->bth->psn & cpu_to_be32(SIB_BTH_ACKREQ))
			sib_rc_owe_ack(qp);
		return false;
	case SIB_NOT_READY:
		/* those behind it are not out of sequence, just too early */
		qp->resp.nak_sent = true;
		sib_count(qp->hca, SIB_STAT_RC_RNR_NAKS_SENT);
		sib_rc_reply(qp, rx->psn,
			     SIB_AETH_RNR | qp->attr.min_rnr_timer);
		return false;
	case SIB_BAD_REQUEST:
		sib_rc_reply(qp, rx->psn, SIB_AETH_NAK | SIB_NAK_INVALID);
		break;
	}
	return true;
}

/**
 * sib_rc_request - a SEND packet has arrived
 * @qp: RC QP it is for
 * @rx: the packet
 *
 * Duplicates are acknowledged if the sender asks, and otherwise ignored: their
 * sender may be going back after an acknowledgment that is under way.
 *
 * Context: the port's tasklet.
 */
void sib_rc_request(struct sib_qp *qp, const struct sib_rx *rx)
{
	bool fatal = false;
	unsigned long flags;
	s32 ahead;

	spin_lock_irqsave(&qp->rlock, flags);
	if (qp->state < IB_QPS_RTR || qp->state == IB_QPS_ERR) {
		sib_count(qp->hca, SIB_STAT_RC_DROPPED);
		goto out;
	}
	if (qp->state == IB_QPS_RTR && !qp->resp.comm_est) {
		qp->resp.comm_est = true;
		sib_event_add(&qp->events, IB_EVENT_COMM_EST);
	}
	ahead = sib_psn_ahead(rx->psn, qp->resp.psn);
	if (likely(!ahead)) {
		fatal = sib_rc_expected(qp, rx);
	} else if (ahead > 0) {
		sib_rc_gap(qp);
	} else {
		sib_count(qp->hca, SIB_STAT_RC_DUPLICATES);
		if (rx->bth->psn & cpu_to_be32(SIB_BTH_ACKREQ))
			sib_rc_owe_ack(qp);
	}
out:
	spin_unlock_irqrestore(&qp->rlock, flags);
	if (unlikely(fatal))
		sib_qp_error(qp, IB_EVENT_QP_REQ_ERR);
}
