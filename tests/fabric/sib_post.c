// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Posting of work requests and their completion, and what UD and RC share on
 * the way out.
 *
 * A place in the send queue is taken by post_send and given back when a
 * completion of that request, or of a later one, is polled - as real HCAs do,
 * so that a consumer that trusts in more is found out here.
 */
#include "sib_verbs.h"

/**
 * sib_send_done - a send request is complete
 * @qp: its QP
 * @wr_id: of the request
 * @opcode: of the completion
 * @status: failures are always reported
 * @visible: the request asked for a completion
 *
 * Context: any, @qp->slock held. Requests of a QP are completed in order.
 */
void sib_send_done(struct sib_qp *qp, u64 wr_id, enum ib_wc_opcode opcode,
		   enum ib_wc_status status, bool visible)
{
	struct sib_cqe cqe;

	lockdep_assert_held(&qp->slock);

	qp->unsignaled++;
	if (status == IB_WC_SUCCESS && !visible && !qp->sig_all)
		return;
	cqe = (struct sib_cqe) {
		.wr_id = wr_id,
		.qp = qp,
		.frees = qp->unsignaled,
		.status = status,
		.opcode = opcode,
	};
	sib_count(qp->hca, SIB_STAT_SEND_CQES);
	if (likely(sib_cq_add(qp->ibqp.send_cq, &cqe)))
		qp->unsignaled = 0;
}

/**
 * sib_recv_failed - a receive request completes without a message
 * @qp: its QP
 * @wr_id: of the request
 * @status: why
 *
 * Context: any, @qp->rlock held.
 */
void sib_recv_failed(struct sib_qp *qp, u64 wr_id, enum ib_wc_status status)
{
	struct sib_cqe cqe = {
		.wr_id = wr_id,
		.qp = qp,
		.status = status,
		.opcode = IB_WC_RECV,
	};

	lockdep_assert_held(&qp->rlock);

	sib_count(qp->hca, SIB_STAT_RECV_CQES);
	sib_cq_add(qp->ibqp.recv_cq, &cqe);
}

/**
 * sib_rq_flush - complete all receive requests of a QP in error
 * @qp: a QP with a receive queue of its own
 *
 * Context: any, @qp->rlock held.
 */
void sib_rq_flush(struct sib_qp *qp)
{
	struct sib_rwqe *wqe;

	lockdep_assert_held(&qp->rlock);

	while ((wqe = sib_rq_first(&qp->rq))) {
		sib_recv_failed(qp, wqe->wr_id, IB_WC_WR_FLUSH_ERR);
		qp->rq.tail++;
	}
}

/**
 * sib_gather_len - how long is a message?
 * @qp: the QP that sends it
 * @sge: gather list
 * @num: elements
 * @len: receives the length
 *
 * Context: any. Return: 0, or -EACCES for a key that is not valid.
 */
int sib_gather_len(const struct sib_qp *qp, const struct ib_sge *sge, int num,
		   u32 *len)
{
	u32 key = qp->ibqp.device->local_dma_lkey;
	u64 sum = 0;

	for (; num; num--, sge++) {
		if (unlikely(sge->lkey != key))
			return -EACCES;
		sum += sge->length;
	}
	*len = min_t(u64, sum, U32_MAX);
	return 0;
}

static int sib_check_send(const struct sib_qp *qp, const struct ib_send_wr *wr)
{
	if (unlikely(qp->state < IB_QPS_RTS))
		return -EINVAL;
	if (unlikely(wr->num_sge < 0 || wr->num_sge > qp->sq_max_sge))
		return -EINVAL;
	if (unlikely(qp->sq_head - READ_ONCE(qp->sq_retired) >= qp->sq_max))
		return -ENOMEM;
	return 0;
}

static int sib_post_one(struct sib_qp *qp, const struct ib_send_wr *wr)
{
	int ret;

	lockdep_assert_held(&qp->slock);

	ret = sib_check_send(qp, wr);
	if (unlikely(ret))
		return ret;
	if (unlikely(qp->state == IB_QPS_ERR || qp->state == IB_QPS_SQE)) {
		qp->sq_head++;
		sib_send_done(qp, wr->wr_id, IB_WC_SEND, IB_WC_WR_FLUSH_ERR,
			      true);
		return 0;
	}
	ret = qp->ibqp.qp_type == IB_QPT_RC ? sib_rc_post(qp, wr) :
					      sib_ud_send(qp, ud_wr(wr));
	return ret;
}

/**
 * sib_post_send - the verb
 * @ibqp: the QP
 * @wr: chain of requests
 * @bad: on failure the first that was not queued
 *
 * Data is copied into packets, and these are on their way, when it returns;
 * of RC as many as the window lets pass.
 *
 * Chapter 11.4.1.1. Context: any, also with interrupts off.
 * Return: 0; -EINVAL for a request or state that does not do; -ENOMEM if the
 * queue is full; the error of a fault.
 */
int sib_post_send(struct ib_qp *ibqp, const struct ib_send_wr *wr,
		  const struct ib_send_wr **bad)
{
	struct sib_qp *qp = to_sib_qp(ibqp);
	unsigned long flags;
	int ret = 0;
	u32 before;

	if (!sib_qp_is_for_mads(qp) &&
	    sib_verb_fails(qp->hca, SIB_VERB_POST_SEND, &ret)) {
		*bad = wr;
		return ret;
	}
	spin_lock_irqsave(&qp->slock, flags);
	before = qp->sq_head;
	for (; wr; wr = wr->next) {
		ret = sib_post_one(qp, wr);
		if (unlikely(ret)) {
			*bad = wr;
			break;
		}
	}
	sib_count(qp->hca, SIB_STAT_POST_SEND_CALLS);
	sib_count_n(qp->hca, SIB_STAT_SEND_REQUESTS, qp->sq_head - before);
	if (ibqp->qp_type == IB_QPT_RC)
		sib_rc_pump(qp);
	spin_unlock_irqrestore(&qp->slock, flags);
	return ret;
}

/**
 * sib_post_recv - the verb
 * @ibqp: the QP, without an SRQ
 * @wr: chain of requests
 * @bad: on failure the first that was not queued
 *
 * Chapter 11.4.1.2. Context: any, also with interrupts off.
 * Return: 0; -EINVAL for a request or state that does not do; -ENOMEM if the
 * queue is full; the error of a fault.
 */
int sib_post_recv(struct ib_qp *ibqp, const struct ib_recv_wr *wr,
		  const struct ib_recv_wr **bad)
{
	struct sib_qp *qp = to_sib_qp(ibqp);
	unsigned long flags;
	int ret = 0;

	*bad = wr;
	if (!sib_qp_is_for_mads(qp) &&
	    sib_verb_fails(qp->hca, SIB_VERB_POST_RECV, &ret))
		return ret;
	if (qp->srq)
		return -EINVAL;
	spin_lock_irqsave(&qp->rlock, flags);
	if (likely(qp->state != IB_QPS_RESET))
		ret = sib_rq_post(qp->hca, &qp->rq, wr, bad);
	else
		ret = -EINVAL;
	if (unlikely(qp->state == IB_QPS_ERR))
		sib_rq_flush(qp);
	spin_unlock_irqrestore(&qp->rlock, flags);
	return ret;
}

static void sib_put_grh(struct sib_grh *grh, struct sib_port *port,
			const struct sib_av *av, u16 len)
{
	const struct sib_portinfo *info = &port->end.info;

	grh->ver_tc_flow = av->ver_tc_flow;
	grh->len = cpu_to_be16(len);
	grh->next = SIB_GRH_NEXT_BTH;
	grh->hop_limit = av->hop_limit;
	put_unaligned_be64(READ_ONCE(info->gid_prefix), grh->sgid);
	put_unaligned_be64(READ_ONCE(port->guids[av->sgid_index]),
			   grh->sgid + 8);
	memcpy(grh->dgid, av->dgid, sizeof(grh->dgid));
}

/**
 * sib_route - write LRH and, if asked for, GRH
 * @pkt: packet with its final length
 * @port: sending port
 * @av: where to
 * @vl: virtual lane
 *
 * Chapters 7.7 and 8.3. Context: any. Return: where the BTH begins.
 */
struct sib_bth *sib_route(struct sib_pkt *pkt, struct sib_port *port,
			  const struct sib_av *av, u8 vl)
{
	__be16 slid = cpu_to_be16(READ_ONCE(port->end.info.lid) |
				  av->path_bits);
	struct sib_lrh *lrh = sib_lrh(pkt);
	struct sib_grh *grh;

	lrh->vl_ver = vl << 4;
	lrh->sl_lnh = av->sl << 4 | (av->grh ? SIB_LNH_GLOBAL : SIB_LNH_LOCAL);
	lrh->dlid = av->dlid;
	lrh->len = cpu_to_be16((pkt->len + SIB_ICRC_LEN) / 4);
	/* who is asked by directed route answers by directed route (14.2.2) */
	lrh->slid = av->dlid == IB_LID_PERMISSIVE ? IB_LID_PERMISSIVE : slid;
	if (!av->grh)
		return (struct sib_bth *)(lrh + 1);
	grh = (struct sib_grh *)(lrh + 1);
	sib_put_grh(grh, port, av, pkt->len + SIB_ICRC_LEN - sizeof(*lrh) -
				   sizeof(*grh));
	return (struct sib_bth *)(grh + 1);
}

static bool sib_port_owns(const struct sib_port *port, u16 dlid)
{
	u16 lid = READ_ONCE(port->end.info.lid);

	return lid && dlid - lid < 1U << READ_ONCE(port->end.info.lmc) &&
	       dlid >= lid;
}

/**
 * sib_port_send - send a packet to wherever its DLID says
 * @port: sending port
 * @pkt: complete packet, taken over
 *
 * The port's own LIDs are looped; of a multicast packet the port gets a copy
 * if a QP of its own is attached to the group.
 *
 * Context: any, also with interrupts off.
 */
void sib_port_send(struct sib_port *port, struct sib_pkt *pkt)
{
	u16 dlid = sib_dlid(pkt);
	struct sib_pkt *copy;

	if (likely(dlid < SIB_MLID_BASE)) {
		if (unlikely(sib_port_owns(port, dlid)))
			sib_end_loop(port, pkt);
		else
			sib_end_send(&port->end, pkt);
		return;
	}
	if (dlid != SIB_LID_PERMISSIVE && sib_grh(pkt) &&
	    sib_mcast_wanted(port, sib_grh(pkt)->dgid)) {
		copy = sib_pkt_copy(pkt);
		if (copy)
			sib_end_loop(port, copy);
	}
	sib_end_send(&port->end, pkt);
}
