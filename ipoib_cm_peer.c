// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Connected mode: the connections that peers send on, which are ours to accept
 * or refuse.
 *
 * A peer's REQ is judged in ib_core's callback, and the rest is up to the work
 * context. Which receive queue a connection is on is told by turns.
 */
#include <linux/slab.h>

#include "ipoib.h"
#include "ipoib_cm.h"
#include "ipoib_trace.h"

/* IB's code for 5.12 ms: how long a sender is to wait when it has found no
 * buffer (InfiniBand Architecture, table 45).
 */
#define IPOIB_CM_RNR_TIMER	18

static void ipoib_conn_rx_event(struct ib_event *event, void *context)
{
	struct ipoib_conn_rx *rx = context;

	switch (event->event) {
	case IB_EVENT_QP_LAST_WQE_REACHED:
		ipoib_conn_event(&rx->conn, IPOIB_CONN_EV_LAST_WQE);
		fallthrough;
	case IB_EVENT_QP_FATAL:
	case IB_EVENT_QP_REQ_ERR:
	case IB_EVENT_QP_ACCESS_ERR:
		ipoib_conn_event(&rx->conn, IPOIB_CONN_EV_ERROR);
		break;
	default:
		break;
	}
}

/* A QP that only receives; some HCAs do not make one that cannot send. */
static int ipoib_conn_rx_create_qp(struct ipoib_conn_rx *rx)
{
	struct ipoib_cm_rxq *rxq = rx->rxq;
	struct ipoib_dev *ipoib = rxq->ipoib;
	struct ib_qp_init_attr init = {
		.qp_type = IB_QPT_RC,
		.event_handler = ipoib_conn_rx_event,
		.qp_context = rx,
		.sq_sig_type = IB_SIGNAL_REQ_WR,
		.send_cq = rxq->cq,
		.recv_cq = rxq->cq,
		.srq = rxq->ring.srq,
		.cap = { .max_send_wr = 1, .max_send_sge = 1 },
	};
	struct ib_qp *qp;

	if (!init.srq) {
		init.cap.max_recv_wr = ipoib_cm_ring_size(ipoib);
		init.cap.max_recv_sge = ipoib->cm.rx_pages;
	}
	qp = ib_create_qp(ipoib->pd, &init);
	if (IS_ERR(qp))
		return PTR_ERR(qp);
	rx->qp = qp;
	return 0;
}

/* The queue's consumer is held off meanwhile: it refills other connections, and
 * takes from the same pool.
 */
static int ipoib_conn_rx_own_ring(struct ipoib_conn_rx *rx)
{
	struct ipoib_cm_rxq *rxq = rx->rxq;
	int ret;

	ipoib_cm_rxq_pause(rxq);
	ret = ipoib_cm_ring_alloc(rxq, &rx->ring,
				  ipoib_cm_ring_size(rx->conn.ipoib));
	if (!ret) {
		rx->ring.qp = rx->qp;
		ret = ipoib_cm_post_all(rxq, &rx->ring);
	}
	ipoib_cm_rxq_resume(rxq);
	return ret;
}

static int ipoib_conn_rx_modify(struct ipoib_conn_rx *rx,
				enum ib_qp_state state)
{
	struct ib_qp_attr attr = { .qp_state = state };
	int mask, ret;

	ret = ib_cm_init_qp_attr(rx->conn.id, &attr, &mask);
	if (ret)
		return ret;
	/* Which the REP will say, and ib_core does not know before. */
	attr.rq_psn = rx->psn;
	/* Messages are all that a peer may do. */
	attr.qp_access_flags = 0;
	attr.max_dest_rd_atomic = 0;
	attr.pkey_index = rx->conn.ipoib->pkey_index;
	attr.min_rnr_timer = IPOIB_CM_RNR_TIMER;
	return ib_modify_qp(rx->qp, &attr, mask);
}

static int ipoib_conn_rx_reply(struct ipoib_conn_rx *rx)
{
	struct ipoib_cm_data data;
	struct ib_cm_rep_param rep = {
		.qp_num = rx->qp->qp_num,
		.starting_psn = rx->psn,
		.private_data = &data,
		.private_data_len = sizeof(data),
		.rnr_retry_count = rx->rnr_retry,
		.srq = rx->conn.ipoib->cm.use_srq,
	};

	ipoib_cm_fill_data(rx->conn.ipoib, &data);
	return ib_send_cm_rep(rx->conn.id, &rep);
}

/* The next queue in turn that can be had. */
static int ipoib_conn_rx_place(struct ipoib_conn_rx *rx)
{
	struct ipoib_cm *cm = &rx->conn.ipoib->cm;
	unsigned int n = cm->num_rxq;
	struct ipoib_cm_rxq *rxq;
	int ret = -EAGAIN;

	do {
		if (!n--)
			return ret;
		rxq = &cm->rxq[cm->next_rxq++ % cm->num_rxq];
		if (!READ_ONCE(rxq->broken))
			ret = ipoib_cm_rxq_start(rxq);
	} while (ret);
	rx->rxq = rxq;
	rxq->conns++;
	return 0;
}

static void ipoib_conn_reject(struct ipoib_dev *ipoib, struct ib_cm_id *id,
			      enum ib_cm_rej_reason reason)
{
	struct ipoib_cm_data data;

	ipoib_count(ipoib, IPOIB_CM_REFUSED);
	ipoib_cm_fill_data(ipoib, &data);
	ib_send_cm_rej(id, reason, NULL, 0, &data, sizeof(data));
}

static int ipoib_conn_rx_accept(struct ipoib_conn_rx *rx)
{
	int ret;

	ret = ipoib_conn_rx_place(rx);
	if (!ret)
		ret = ipoib_conn_rx_create_qp(rx);
	if (!ret)
		ret = ipoib_conn_rx_modify(rx, IB_QPS_INIT);
	if (!ret && !rx->rxq->ring.srq)
		ret = ipoib_conn_rx_own_ring(rx);
	if (!ret)
		ret = ipoib_conn_rx_modify(rx, IB_QPS_RTR);
	if (ret)
		return ret;
	rx->receiving = true;
	return ipoib_conn_rx_reply(rx);
}

/* One that a peer makes while it has another takes the other's place, most
 * likely: it has lost that, and we were not told. A peer who uses both keeps
 * both.
 */
static void ipoib_conn_rx_succeed(struct ipoib_conn_rx *rx)
{
	struct ipoib_conn_rx *other;
	struct ipoib_conn *conn;

	list_for_each_entry(conn, &rx->conn.ipoib->cm.conns, entry) {
		if (!conn->passive || conn == &rx->conn)
			continue;
		other = ipoib_conn_rx(conn);
		if (!memcmp(other->addr, rx->addr, sizeof(rx->addr)))
			other->succeeded = true;
	}
}

/**
 * ipoib_conn_rx_open() - accept a peer's connection, or refuse it
 * @rx: the connection
 *
 * It may be used as soon as the peer knows. Whether our REP arrived is not
 * waited for: a peer that does not send costs one QP until it is idle for long.
 *
 * Context: work context, may sleep.
 */
void ipoib_conn_rx_open(struct ipoib_conn_rx *rx)
{
	struct ipoib_dev *ipoib = rx->conn.ipoib;
	struct ipoib_dst *dst;
	int ret;

	/* It was asked for when the QP still was there. */
	if (!ipoib->transport_up) {
		ipoib_conn_reject(ipoib, rx->conn.id,
				  IB_CM_REJ_INVALID_SERVICE_ID);
		ipoib_conn_leave(&rx->conn, 0);
		return;
	}
	ret = ipoib_conn_rx_accept(rx);
	if (ret) {
		net_warn_ratelimited("%s: cannot accept a connection: %pe\n",
				     ipoib->netdev->name, ERR_PTR(ret));
		ipoib_conn_reject(ipoib, rx->conn.id,
				  IB_CM_REJ_NO_RESOURCES);
		ipoib_conn_leave(&rx->conn, 0);
		return;
	}
	rx->conn.state = IPOIB_CONN_UP;
	ipoib_count(ipoib, IPOIB_CM_ACCEPTED);
	trace_ipoib_conn_accept(&rx->conn, rx->addr, 0);
	ipoib_conn_rx_succeed(rx);
	dst = ipoib_dst_find(ipoib, rx->addr);
	if (dst)
		ipoib_cm_peer_lives(dst);
}

/**
 * ipoib_conn_rx_flushed() - has a QP in the error state given back all buffers?
 * @rx: the connection
 *
 * Those that it took from an SRQ have all completed when the HCA says so
 * (InfiniBand Architecture, section 10.3.1.7), and have been seen by the
 * consumer when that has found the CQ empty since, or taken as many as fit in.
 *
 * Context: work context.
 * Return: true if its memory can go.
 */
bool ipoib_conn_rx_flushed(struct ipoib_conn_rx *rx)
{
	struct ipoib_cm_rxq *rxq = rx->rxq;

	if (!rx->qp)
		return true;
	if (rx->ring.bufs)
		return !READ_ONCE(rx->ring.posted);
	if (!rx->receiving)
		return true;
	if (!rx->last_wqe) {
		if (!test_bit(IPOIB_CONN_EV_LAST_WQE, &rx->conn.events))
			return false;
		rx->last_wqe = true;
		rx->polled = READ_ONCE(rxq->polled);
		rx->emptied = READ_ONCE(rxq->emptied);
	}
	/* Pairs with the release of @emptied in ipoib_cm_rx_poll(): what was
	 * polled before has been dealt with. One poll may have begun before we
	 * looked first, and have looked at the CQ already.
	 */
	if (smp_load_acquire(&rxq->emptied) - rx->emptied > 1)
		return true;
	/* Likewise with that of @polled. */
	if (smp_load_acquire(&rxq->polled) - rx->polled >
	    ipoib_cm_cq_size(rx->conn.ipoib))
		return true;
	local_bh_disable();
	napi_schedule(&rxq->napi);
	local_bh_enable();
	return false;
}

/**
 * ipoib_conn_rx_destroy_qp() - nothing more comes from a peer's connection
 * @rx: the connection, flushed, or given up
 *
 * A completion refers to the QP. One that may still come goes with the QP, while
 * nobody takes any.
 *
 * Context: work context, may sleep.
 */
void ipoib_conn_rx_destroy_qp(struct ipoib_conn_rx *rx)
{
	bool pause = rx->conn.stuck || rx->ring.bufs;
	struct ipoib_cm_rxq *rxq = rx->rxq;

	if (!rx->qp)
		return;
	if (pause)
		ipoib_cm_rxq_pause(rxq);
	ib_destroy_qp(rx->qp);
	rx->qp = NULL;
	if (!pause)
		return;
	ipoib_cm_rxq_resume(rxq);
	/* What of the SRQ's buffers it had is not known. */
	if (rxq->ring.srq && ++rxq->lost > rxq->ring.size / 4)
		ipoib_cm_rxq_failed(rxq);
}

/**
 * ipoib_conn_rx_free() - free a peer's connection
 * @rx: the connection, its QP destroyed
 *
 * Context: work context, may sleep.
 */
void ipoib_conn_rx_free(struct ipoib_conn_rx *rx)
{
	struct ipoib_dev *ipoib = rx->conn.ipoib;

	if (rx->ring.bufs)
		ipoib_cm_ring_free(rx->rxq, &rx->ring);
	if (rx->rxq)
		rx->rxq->conns--;
	atomic_dec(&ipoib->cm.num_rx);
	kfree(rx);
}

/**
 * ipoib_cm_max_rx() - connections that peers may have to an interface
 * @ipoib: the interface
 *
 * Bounds the memory that they can make it take. Without SRQ a CQ also has to have
 * room for all that they might complete on it.
 *
 * Context: whoever may change the rings' sizes.
 * Return: their number.
 */
unsigned int ipoib_cm_max_rx(const struct ipoib_dev *ipoib)
{
	if (ipoib->cm.use_srq)
		return ipoib_max_srq_conn_qp;
	return min_t(unsigned int, ipoib_max_nonsrq_conn_qp,
		     ipoib_cm_cq_size(ipoib) / ipoib_cm_ring_size(ipoib));
}

/* Why a peer's request is refused; or 0, and it is counted. */
static enum ib_cm_rej_reason
ipoib_cm_judge(struct ipoib_dev *ipoib, const struct ib_cm_req_event_param *req)
{
	if (req->qp_type != IB_QPT_RC)
		return IB_CM_REJ_INVALID_TRANSPORT_TYPE;
	/* The service ID is one of the HCA, not of a port or partition. */
	if (req->port != ipoib->port_num ||
	    !ipoib_same_partition(be16_to_cpu(req->primary_path->pkey),
				  READ_ONCE(ipoib->pkey)))
		return IB_CM_REJ_CONSUMER_DEFINED;
	/* Requests are judged side by side. */
	if (atomic_inc_return(&ipoib->cm.num_rx) <= ipoib->cm.max_rx)
		return 0;
	atomic_dec(&ipoib->cm.num_rx);
	return IB_CM_REJ_NO_QP;
}

/**
 * ipoib_cm_req_received() - a peer asks for a connection
 * @ipoib: the interface
 * @id: of the connection, from now on ours
 * @event: the request
 *
 * Context: process, on a workqueue of ib_core.
 * Return: 0 if the work context will see to it, else a negative errno with @id
 * for ib_core to destroy.
 */
int ipoib_cm_req_received(struct ipoib_dev *ipoib, struct ib_cm_id *id,
			  const struct ib_cm_event *event)
{
	const struct ib_cm_req_event_param *req = &event->param.req_rcvd;
	const struct ipoib_cm_data *data = event->private_data;
	enum ib_cm_rej_reason reason = ipoib_cm_judge(ipoib, req);
	struct ipoib_conn_rx *rx;

	if (reason) {
		ipoib_conn_reject(ipoib, id, reason);
		return -EINVAL;
	}
	rx = kzalloc_obj(*rx);
	if (!rx) {
		atomic_dec(&ipoib->cm.num_rx);
		return -ENOMEM;
	}
	rx->conn.ipoib = ipoib;
	rx->conn.passive = true;
	rx->conn.id = id;
	rx->rnr_retry = req->rnr_retry_count;
	rx->psn = get_random_u32() & 0xffffff;
	rx->last_used = jiffies;
	memcpy(rx->addr, &data->qpn, 4);
	rx->addr[0] = IPOIB_ADDR_RC;
	memcpy(rx->addr + 4, &req->primary_path->dgid, sizeof(union ib_gid));
	id->context = &rx->conn;
	id->cm_handler = ipoib_conn_handler;
	ipoib_conn_event(&rx->conn, IPOIB_CONN_EV_REQ);
	return 0;
}
