// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Connected mode: the connections that we send on, one for each destination
 * that is worth it.
 *
 * A destination whose connection fails goes on by datagrams, and gets another
 * one when there is a packet for it, not too soon.
 */
#include <linux/jhash.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "ipoib.h"
#include "ipoib_cm.h"
#include "ipoib_trace.h"

/* Times as InfiniBand has them: 4.096 us * 2^n. */
#define IPOIB_CM_PACKET_LIFE	14	/* 67 ms at most, in our subnet */
#define IPOIB_CM_PEER_TIMEOUT	18	/* 1 s for a peer to answer our REQ */
#define IPOIB_CM_OUR_TIMEOUT	20	/* 4 s for us to answer a REP */
#define IPOIB_CM_RETRIES	5	/* of a REQ, then it has failed */
/* Twice what that takes: the peer, or a switch's agent, may ask for patience (MRA),
 * but not for hours.
 */
#define IPOIB_CM_OPEN_JIFFIES	(15 * HZ)
#define IPOIB_RC_RETRIES	7	/* of a packet that is not acknowledged */
#define IPOIB_RC_RNR_RETRIES	6	/* of one without a buffer; 7: for ever */
#define IPOIB_RC_MAX_TIMEOUT	17	/* 0.5 s, for a packet to be acknowledged */

/* One that did not last longer has failed as if it had not been made. A packet
 * that is never acknowledged ends it after 1 s, but up to 4 s by what HCAs may
 * make of a timeout (InfiniBand Architecture, section 9.7.6.1.3), as one without
 * a buffer may.
 */
#define IPOIB_CM_YOUNG_JIFFIES	(10 * HZ)
/* Failures in a row after which packets wait no longer. */
#define IPOIB_CM_PATIENCE	2
/* A peer that is back is to be found out in seconds. */
#define IPOIB_CM_MAX_BACKOFF	3
/* Refusals for as long, with no longer pause, are to be believed. A peer whose
 * driver is loaded anew refuses what is asked of its former QP until our stack asks
 * for its address again: up to 45 s for it to be stale, 5 s of delay, three probes.
 */
#define IPOIB_CM_REFUSAL_JIFFIES	(60 * HZ)

/* What a failure says of the peer. Routes keep an MTU that they learn from a
 * refusal for ten minutes, so it has to be one that lasts.
 */
enum ipoib_conn_verdict {
	IPOIB_CONN_AWAY,	/* nothing */
	IPOIB_CONN_NOT_NOW,	/* it lives, but there can be none at present */
	IPOIB_CONN_NEVER,	/* nor later */
};

/**
 * ipoib_cm_queue() - the transmit queue of a destination's connection
 * @addr: its link-layer address
 * @num: how many queues there are
 *
 * Return: the queue's number.
 */
u16 ipoib_cm_queue(const u8 *addr, unsigned int num)
{
	if (num == 1)
		return 0;
	return reciprocal_scale(jhash(addr + 1, INFINIBAND_ALEN - 1, 0), num);
}

/**
 * ipoib_conn_take() - have packets go through the queue that a connection is on
 * @tx: the connection
 * @list: the packets, to its peer, from whichever queue
 *
 * Context: any; the caller has seen to it that @list stays the same.
 */
void ipoib_conn_take(const struct ipoib_conn_tx *tx, struct sk_buff_head *list)
{
	u16 queue = tx->sq.txq - tx->conn.ipoib->txq;
	struct sk_buff *skb;

	skb_queue_walk(list, skb)
		skb_set_queue_mapping(skb, queue);
}

/**
 * ipoib_cm_wants() - is a connection to be made to a destination?
 * @ipoib: the interface
 * @dst: the destination, which has none and none on the way
 *
 * Context: any.
 * Return: true if there is to be one, and the last failure was long enough ago.
 */
bool ipoib_cm_wants(const struct ipoib_dev *ipoib, const struct ipoib_dst *dst)
{
	return READ_ONCE(ipoib->connected) && ipoib_addr_has_rc(dst->addr) &&
	       !READ_ONCE(dst->connecting) && !rcu_access_pointer(dst->conn) &&
	       (!READ_ONCE(dst->conn_failed) ||
		time_after_eq(jiffies, READ_ONCE(dst->conn_next_try)));
}

static void ipoib_conn_tx_event(struct ib_event *event, void *context)
{
	struct ipoib_conn_tx *tx = context;

	switch (event->event) {
	case IB_EVENT_QP_FATAL:
	case IB_EVENT_QP_REQ_ERR:
	case IB_EVENT_QP_ACCESS_ERR:
		WRITE_ONCE(tx->broken, true);
		ipoib_conn_event(&tx->conn, IPOIB_CONN_EV_ERROR);
		break;
	default:
		break;
	}
}

static int ipoib_conn_tx_create_qp(struct ipoib_conn_tx *tx)
{
	struct ipoib_dev *ipoib = tx->conn.ipoib;
	struct ipoib_txq *txq = tx->sq.txq;
	struct ib_qp_init_attr init = {
		.qp_type = IB_QPT_RC,
		.event_handler = ipoib_conn_tx_event,
		.qp_context = tx,
		.sq_sig_type = IB_SIGNAL_REQ_WR,
		.send_cq = txq->cq,
		.recv_cq = txq->cq,
		.cap = {
			.max_send_wr = min(txq->size, IPOIB_CONN_RING),
			.max_send_sge = txq->max_sge,
		},
	};
	struct ib_qp_attr attr = {
		.qp_state = IB_QPS_INIT,
		.pkey_index = ipoib->pkey_index,
		.port_num = ipoib->port_num,
	};
	struct ib_qp *qp;

	tx->sq.size = init.cap.max_send_wr;
	/* Six pages; kmalloc() would take eight, of each connection. */
	tx->sq.ring = vzalloc(array_size(tx->sq.size, sizeof(*tx->sq.ring)));
	if (!tx->sq.ring)
		return -ENOMEM;
	ipoib_sq_init(&tx->sq);
	qp = ib_create_qp(ipoib->pd, &init);
	if (IS_ERR(qp))
		return PTR_ERR(qp);
	tx->sq.qp = qp;
	return ib_modify_qp(qp, &attr, IB_QP_STATE | IB_QP_PKEY_INDEX |
				       IB_QP_PORT | IB_QP_ACCESS_FLAGS);
}

static int ipoib_conn_tx_send_req(struct ipoib_conn_tx *tx)
{
	struct ipoib_dev *ipoib = tx->conn.ipoib;
	struct sa_path_rec rec = tx->dst->path->rec;
	struct ipoib_cm_data data;
	struct ib_cm_req_param req = {
		.primary_path = &rec,
		.service_id = cpu_to_be64(IPOIB_CM_SERVICE | tx->dst->qpn),
		.qp_num = tx->sq.qp->qp_num,
		.qp_type = IB_QPT_RC,
		.starting_psn = get_random_u32() & 0xffffff,
		.private_data = &data,
		.private_data_len = sizeof(data),
		.remote_cm_response_timeout = IPOIB_CM_PEER_TIMEOUT,
		.local_cm_response_timeout = IPOIB_CM_OUR_TIMEOUT,
		.max_cm_retries = IPOIB_CM_RETRIES,
		.retry_count = IPOIB_RC_RETRIES,
		.rnr_retry_count = IPOIB_RC_RNR_RETRIES,
	};

	/* RFC 4755 section 7.1: short, compared with what TCP waits. What SMs
	 * have as a default is a second and more.
	 */
	rec.packet_life_time = min_t(u8, rec.packet_life_time,
				     IPOIB_CM_PACKET_LIFE);
	ipoib_cm_fill_data(ipoib, &data);
	return ib_send_cm_req(tx->conn.id, &req);
}

/* QP and REQ. */
static int ipoib_conn_tx_open(struct ipoib_conn_tx *tx)
{
	struct ipoib_dev *ipoib = tx->conn.ipoib;
	struct ib_cm_id *id;
	int ret;

	id = ib_create_cm_id(ipoib->ibdev, ipoib_conn_handler, &tx->conn);
	if (IS_ERR(id))
		return PTR_ERR(id);
	tx->conn.id = id;
	ret = ipoib_conn_tx_create_qp(tx);
	if (!ret)
		ret = ipoib_conn_tx_send_req(tx);
	if (ret)
		return ret;
	tx->conn.state = IPOIB_CONN_OPENING;
	tx->conn.deadline = jiffies + IPOIB_CM_OPEN_JIFFIES;
	list_move_tail(&tx->conn.entry, &ipoib->cm.conns);
	ipoib->cm.opening++;
	ipoib_count(ipoib, IPOIB_CM_REQUESTS);
	trace_ipoib_conn_request(&tx->conn, tx->dst->addr, 0);
	return 0;
}

static int ipoib_conn_modify(struct ib_cm_id *id, struct ib_qp *qp,
			     enum ib_qp_state state)
{
	struct ib_qp_attr attr = { .qp_state = state };
	int mask, ret;

	ret = ib_cm_init_qp_attr(id, &attr, &mask);
	if (ret)
		return ret;
	/* The REP says some of these; a peer could have us wait for ever, with room
	 * taken that others need, for it to have a buffer or to acknowledge.
	 */
	attr.rnr_retry = min_t(u8, attr.rnr_retry, IPOIB_RC_RNR_RETRIES);
	attr.timeout = min_t(u8, attr.timeout, IPOIB_RC_MAX_TIMEOUT);
	/* Messages are all that there is. */
	attr.max_rd_atomic = 0;
	attr.max_dest_rd_atomic = 0;
	return ib_modify_qp(qp, &attr, mask);
}

/* The peer has accepted. */
static int ipoib_conn_tx_use(struct ipoib_conn_tx *tx)
{
	struct ipoib_conn *conn = &tx->conn;
	struct ipoib_cm_data data;
	int ret;

	/* As many bytes as the peer wants to take, of those a length may say
	 * (RFC 4755 section 5.1).
	 */
	if (conn->remote_mtu < IPOIB_MIN_MTU)
		return -EPROTO;
	tx->mtu = min_t(u32, conn->remote_mtu - IPOIB_ENCAP_LEN, IPOIB_CM_MTU);
	ret = ipoib_conn_modify(conn->id, tx->sq.qp, IB_QPS_RTR);
	if (!ret)
		ret = ipoib_conn_modify(conn->id, tx->sq.qp, IB_QPS_RTS);
	if (ret)
		return ret;
	ipoib_cm_fill_data(conn->ipoib, &data);
	return ib_send_cm_rtu(conn->id, &data, sizeof(data));
}

/* Whoever was about to send is out when this returns. */
static void ipoib_conn_tx_shut(struct ipoib_conn_tx *tx)
{
	struct ipoib_txq *txq = tx->sq.txq;

	__netif_tx_lock_bh(txq->nq);
	ipoib_txq_flush(txq);
	__netif_tx_unlock_bh(txq->nq);
}

/* It was of use for a while. */
static bool ipoib_conn_tx_lasted(const struct ipoib_conn_tx *tx)
{
	return tx->conn.state == IPOIB_CONN_UP &&
	       time_after_eq(jiffies, tx->conn.deadline + IPOIB_CM_YOUNG_JIFFIES);
}

/* The destination is without a connection. */
static void ipoib_conn_tx_leave(struct ipoib_conn_tx *tx, unsigned long wait)
{
	struct ipoib_dst *dst = tx->dst;

	if (!dst)
		return;
	if (tx->conn.state == IPOIB_CONN_OPENING)
		tx->conn.ipoib->cm.opening--;
	if (ipoib_conn_tx_lasted(tx))
		dst->conn_failures = 0;
	tx->dst = NULL;
	dst->tx = NULL;
	WRITE_ONCE(dst->connecting, false);
	if (rcu_access_pointer(dst->conn)) {
		RCU_INIT_POINTER(dst->conn, NULL);
		ipoib_conn_tx_shut(tx);
	}
	ipoib_conn_leave(&tx->conn, wait);
}

/* For packets that could not be sent otherwise, another one is made; if there is
 * to be none, they see what becomes of them: see ipoib_dst_todo().
 */
static void ipoib_dst_reconnect(struct ipoib_dev *ipoib, struct ipoib_dst *dst)
{
	if (!skb_queue_empty_lockless(&dst->parked))
		ipoib_dst_ask_conn(ipoib, dst);
}

/**
 * ipoib_cm_disconnect() - give up a destination's connection, if it has one
 * @dst: the destination
 *
 * What was sent on it completes.
 *
 * Context: work context.
 */
void ipoib_cm_disconnect(struct ipoib_dst *dst)
{
	struct ipoib_conn_tx *tx = dst->tx;

	if (!tx)
		return;
	dst->conn_failures = 0;
	ipoib_conn_tx_leave(tx, IPOIB_CM_LEAVE_JIFFIES);
	ipoib_dst_reconnect(tx->conn.ipoib, dst);
}

static void ipoib_dst_judge(struct ipoib_dst *dst,
			    enum ipoib_conn_verdict verdict)
{
	unsigned long now = jiffies;

	if (verdict == IPOIB_CONN_AWAY) {
		dst->conn_refusing = false;
		WRITE_ONCE(dst->conn_refused, false);
		return;
	}
	if (!dst->conn_refusing ||
	    time_after(now, dst->refusal_last + IPOIB_CM_REFUSAL_JIFFIES))
		dst->refusal_first = now;
	dst->conn_refusing = true;
	dst->refusal_last = now;
	WRITE_ONCE(dst->conn_refused, verdict == IPOIB_CONN_NEVER ||
		   time_after_eq(now, dst->refusal_first +
				      IPOIB_CM_REFUSAL_JIFFIES));
}

/* None can be had, or it did not last: again no sooner than a second from now,
 * without being asked at first, and then when there is a packet for it. Parked
 * packets see what becomes of them then.
 */
static void ipoib_conn_tx_failed(struct ipoib_conn_tx *tx, int status,
				 enum ipoib_conn_verdict verdict)
{
	struct ipoib_dev *ipoib = tx->conn.ipoib;
	struct ipoib_dst *dst = tx->dst;
	unsigned long delay;

	trace_ipoib_conn_failed(&tx->conn, dst->addr, status);
	delay = HZ / 2 + ipoib_backoff(status,
				       min_t(unsigned int, dst->conn_failures++,
					     IPOIB_CM_MAX_BACKOFF));
	ipoib_dst_judge(dst, verdict);
	ipoib_conn_tx_leave(tx, 0);
	if (dst->conn_failures < IPOIB_CM_PATIENCE &&
	    READ_ONCE(ipoib->connected) &&
	    ipoib_cm_connect(ipoib, dst, delay))
		return;
	WRITE_ONCE(dst->conn_next_try, jiffies + delay);
	WRITE_ONCE(dst->conn_failed, true);
	ipoib_dst_resend(ipoib, dst);
}

/* What a REJ means. Without the service the peer may be down for a moment, or not
 * be the one any more that the address is of. IB_CM_REJ_CONSUMER_DEFINED is what
 * the kernel's driver says whatever went wrong.
 */
static enum ipoib_conn_verdict ipoib_conn_rejection(int reason)
{
	switch (reason) {
	case IB_CM_REJ_STALE_CONN:
	case IB_CM_REJ_TIMEOUT:
		return IPOIB_CONN_AWAY;
	case IB_CM_REJ_UNSUPPORTED:
	case IB_CM_REJ_INVALID_TRANSPORT_TYPE:
		return IPOIB_CONN_NEVER;
	default:
		return IPOIB_CONN_NOT_NOW;
	}
}

/**
 * ipoib_cm_peer_lives() - a peer that did not answer has been heard of
 * @dst: the peer
 *
 * Context: work context.
 */
void ipoib_cm_peer_lives(struct ipoib_dst *dst)
{
	if (!dst->conn_refusing)
		WRITE_ONCE(dst->conn_failed, false);
}

static void ipoib_conn_tx_lost(struct ipoib_conn_tx *tx)
{
	struct ipoib_dev *ipoib = tx->conn.ipoib;
	struct ipoib_dst *dst = tx->dst;

	ipoib_count(ipoib, IPOIB_CM_LOST);
	if (!ipoib_conn_tx_lasted(tx)) {
		ipoib_conn_tx_failed(tx, -ECONNRESET, IPOIB_CONN_AWAY);
		return;
	}
	trace_ipoib_conn_lost(&tx->conn, dst->addr, -ECONNRESET);
	ipoib_conn_tx_leave(tx, 0);
	/* The peer may be gone: it is asked after those who are not known to be. */
	dst->conn_failures = 1;
	ipoib_dst_reconnect(ipoib, dst);
}

static void ipoib_conn_tx_accepted(struct ipoib_conn_tx *tx)
{
	struct ipoib_dev *ipoib = tx->conn.ipoib;
	struct ipoib_dst *dst = tx->dst;
	int ret = ipoib_conn_tx_use(tx);

	if (ret) {
		net_warn_ratelimited("%s: cannot use connection: %pe\n",
				     ipoib->netdev->name, ERR_PTR(ret));
		ipoib_conn_tx_failed(tx, ret, ret == -EPROTO ?
					      IPOIB_CONN_NEVER :
					      IPOIB_CONN_NOT_NOW);
		return;
	}
	ipoib->cm.opening--;
	tx->conn.state = IPOIB_CONN_UP;
	tx->conn.deadline = jiffies;
	dst->conn_refusing = false;
	WRITE_ONCE(dst->conn_refused, false);
	WRITE_ONCE(dst->conn_failed, false);
	ipoib_count(ipoib, IPOIB_CM_CONNECTED);
	trace_ipoib_conn_up(&tx->conn, dst->addr, 0);
	ipoib_resend_connected(ipoib, dst, tx);
	WRITE_ONCE(dst->connecting, false);
}

/**
 * ipoib_conn_tx_run() - see to what happened to a connection that we send on
 * @tx: the connection
 *
 * Context: work context, may sleep.
 */
void ipoib_conn_tx_run(struct ipoib_conn_tx *tx)
{
	struct ipoib_conn *conn = &tx->conn;
	struct ipoib_dev *ipoib = conn->ipoib;

	if (ipoib_conn_test(conn, IPOIB_CONN_EV_REJ)) {
		ipoib_count(ipoib, IPOIB_CM_REJECTED);
		net_dbg_ratelimited("%s: connection rejected: %s\n",
				    ipoib->netdev->name,
				    ibcm_reject_msg(conn->reason));
		ipoib_conn_tx_failed(tx, -ECONNREFUSED,
				     ipoib_conn_rejection(conn->reason));
	} else if (ipoib_conn_test(conn, IPOIB_CONN_EV_TIMEOUT)) {
		ipoib_count(ipoib, IPOIB_CM_UNANSWERED);
		ipoib_conn_tx_failed(tx, -ETIMEDOUT, IPOIB_CONN_AWAY);
	} else if (ipoib_conn_test(conn, IPOIB_CONN_EV_CLOSED) ||
		   ipoib_conn_test(conn, IPOIB_CONN_EV_ERROR)) {
		ipoib_conn_tx_lost(tx);
	} else if (ipoib_conn_test(conn, IPOIB_CONN_EV_REP)) {
		ipoib_conn_tx_accepted(tx);
	}
}

static void ipoib_cm_start_from(struct ipoib_dev *ipoib,
				struct list_head *list, unsigned int limit)
{
	struct ipoib_conn *conn, *next;
	int ret;

	list_for_each_entry_safe(conn, next, list, entry) {
		if (ipoib->cm.opening >= limit)
			break;
		if (time_before(jiffies, conn->deadline))
			continue;
		ret = ipoib_conn_tx_open(ipoib_conn_tx(conn));
		if (!ret)
			continue;
		net_warn_ratelimited("%s: cannot make a connection: %pe\n",
				     ipoib->netdev->name, ERR_PTR(ret));
		ipoib_conn_tx_failed(ipoib_conn_tx(conn), ret,
				     IPOIB_CONN_NOT_NOW);
	}
}

/**
 * ipoib_cm_start() - ask peers for the connections that wait for it
 * @ipoib: the interface
 *
 * Not too many at once: peers answer in a second or have to be asked again. One
 * that is gone takes its place for seconds, so those that failed lately have half
 * of the places, and never wait before others.
 *
 * Context: work context, may sleep.
 */
void ipoib_cm_start(struct ipoib_dev *ipoib)
{
	struct ipoib_cm *cm = &ipoib->cm;

	ipoib_cm_start_from(ipoib, &cm->waiting, IPOIB_CM_CONNECTING);
	ipoib_cm_start_from(ipoib, &cm->retrying, IPOIB_CM_CONNECTING / 2);
}

/**
 * ipoib_cm_leave_tx() - begin with the end of all connections that we send on
 * from some queues
 * @ipoib: the interface
 * @first: the first queue
 * @n: how many
 * @wait: jiffies at most for what was sent to complete
 *
 * Context: work context.
 */
void ipoib_cm_leave_tx(struct ipoib_dev *ipoib, struct ipoib_txq *first,
		       unsigned int n, unsigned long wait)
{
	struct list_head *lists[] = {
		&ipoib->cm.waiting, &ipoib->cm.retrying, &ipoib->cm.conns
	};
	struct ipoib_conn *conn, *next;
	struct ipoib_txq *txq;
	struct ipoib_dst *dst;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(lists); i++) {
		list_for_each_entry_safe(conn, next, lists[i], entry) {
			if (conn->passive)
				continue;
			txq = ipoib_conn_tx(conn)->sq.txq;
			if (txq < first || txq >= first + n)
				continue;
			dst = ipoib_conn_tx(conn)->dst;
			ipoib_conn_tx_leave(ipoib_conn_tx(conn), wait);
			ipoib_dst_reconnect(ipoib, dst);
		}
	}
}

/**
 * ipoib_cm_connect() - have a connection made to a destination
 * @ipoib: the interface
 * @dst: the destination, which has a path; see ipoib_cm_wants()
 * @delay: jiffies before which it is not asked for
 *
 * Context: work context.
 * Return: true if it will be asked for.
 */
bool ipoib_cm_connect(struct ipoib_dev *ipoib, struct ipoib_dst *dst,
		      unsigned long delay)
{
	struct ipoib_conn_tx *tx;

	/* Nor while connections are being ended, or there is nothing to make
	 * them with: see ipoib_transport_down().
	 */
	if (!ipoib->transport_up)
		return false;
	tx = kzalloc_obj(*tx);
	if (!tx) {
		WRITE_ONCE(dst->conn_next_try, jiffies + HZ);
		WRITE_ONCE(dst->conn_failed, true);
		return false;
	}
	tx->conn.ipoib = ipoib;
	tx->conn.deadline = jiffies + delay;
	tx->dst = dst;
	tx->sq.txq = &ipoib->txq[ipoib_cm_queue(dst->addr, ipoib->num_txq)];
	dst->tx = tx;
	WRITE_ONCE(dst->connecting, true);
	list_add_tail(&tx->conn.entry, dst->conn_failures ?
					&ipoib->cm.retrying :
					&ipoib->cm.waiting);
	mod_delayed_work(ipoib->wq, &ipoib->cm.work, 0);
	return true;
}
