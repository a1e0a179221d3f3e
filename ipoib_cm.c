// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Connected mode (RFC 4755): what all connections have in common, and their
 * lives. Those that we send on begin in ipoib_cm_tx.c, those that peers send on
 * in ipoib_cm_peer.c.
 *
 * A connection carries packets one way, from who asked for it to who accepted;
 * for the other way the peer makes one of its own. Implementations differ in
 * whether they would receive on the QP that they send from, and nothing in the
 * messages tells. So if two peers ask each other at the same time both are
 * accepted, and RFC 4755 section 3.3, which has one of two connections of which
 * either would do rejected, finds nothing to choose between.
 *
 * ib_core calls ipoib_conn_handler(), the HCA the QPs' event handlers, and NAPI
 * finds errors. All of them only note what happened (ipoib_conn_event()); what
 * is to be done about it is done in the work context, by ipoib_cm_work(), so
 * that there is no lock.
 */
#include <linux/delay.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "ipoib.h"
#include "ipoib_cm.h"

/* What a QP in the error state is given to flush. */
#define IPOIB_CM_FLUSH_JIFFIES	(2 * HZ)

/* --- what happens ------------------------------------------------------- */

/**
 * ipoib_conn_event() - something happened to a connection
 * @conn: the connection
 * @event: what
 *
 * Context: any.
 */
void ipoib_conn_event(struct ipoib_conn *conn, enum ipoib_conn_event event)
{
	struct ipoib_dev *ipoib = conn->ipoib;

	/* What the event is about, as ipoib_conn.reason, is there before it is
	 * seen; pairs with the full barrier of ipoib_conn_test().
	 */
	smp_mb__before_atomic();
	set_bit(event, &conn->events);
	/* The event is there before IPOIB_CONN_TODO is looked at, which orders
	 * nothing if it is set; pairs with the barrier in ipoib_cm_take().
	 */
	smp_mb__after_atomic();
	if (test_and_set_bit(IPOIB_CONN_TODO, &conn->events))
		return;
	llist_add(&conn->todo, &ipoib->cm.todo);
	/* The work context may have taken it from there already. */
	mod_delayed_work(ipoib->wq, &ipoib->cm.work, 0);
}

/**
 * ipoib_conn_handler() - ib_core's callback for all but a peer's request
 * @id: the connection
 * @event: what happened
 *
 * Context: process, on a workqueue of ib_core.
 * Return: 0: the work context destroys @id.
 */
int ipoib_conn_handler(struct ib_cm_id *id, const struct ib_cm_event *event)
{
	struct ipoib_conn *conn = id->context;
	const struct ipoib_cm_data *data = event->private_data;

	switch (event->event) {
	case IB_CM_REP_RECEIVED:
		conn->remote_mtu = be32_to_cpu(data->mtu);
		ipoib_conn_event(conn, IPOIB_CONN_EV_REP);
		break;
	case IB_CM_REJ_RECEIVED:
		conn->reason = event->param.rej_rcvd.reason;
		ipoib_conn_event(conn, IPOIB_CONN_EV_REJ);
		break;
	case IB_CM_REQ_ERROR:
	case IB_CM_REP_ERROR:
		ipoib_conn_event(conn, IPOIB_CONN_EV_TIMEOUT);
		break;
	case IB_CM_DREQ_RECEIVED:
	case IB_CM_DREQ_ERROR:
	case IB_CM_DREP_RECEIVED:
	case IB_CM_TIMEWAIT_EXIT:
		ipoib_conn_event(conn, IPOIB_CONN_EV_CLOSED);
		break;
	default:
		break;
	}
	return 0;
}

static int ipoib_cm_listen_handler(struct ib_cm_id *id,
				   const struct ib_cm_event *event)
{
	if (event->event != IB_CM_REQ_RECEIVED)
		return 0;
	return ipoib_cm_req_received(id->context, id, event);
}

/**
 * ipoib_cm_fill_data() - what we tell a peer of us (RFC 4755 section 6)
 * @ipoib: the interface
 * @data: where to write it
 *
 * Context: work context, while the queues are up.
 */
void ipoib_cm_fill_data(const struct ipoib_dev *ipoib,
			struct ipoib_cm_data *data)
{
	/* The address may still have that of before, see ipoib_set_ring(). */
	data->qpn = cpu_to_be32(ipoib->rxq->qp->qp_num);
	data->mtu = cpu_to_be32(ipoib_cm_receive_mtu(ipoib));
}

/* --- the end of connections --------------------------------------------- */

/**
 * ipoib_conn_leave() - begin with the end of a connection
 * @conn: the connection, which nobody begins to send on any more
 * @wait: jiffies at most for what was sent to complete
 *
 * Context: work context.
 */
void ipoib_conn_leave(struct ipoib_conn *conn, unsigned long wait)
{
	struct ipoib_cm *cm = &conn->ipoib->cm;

	if (conn->state >= IPOIB_CONN_LEAVING)
		return;
	conn->state = IPOIB_CONN_LEAVING;
	conn->deadline = jiffies + wait;
	list_move_tail(&conn->entry, &cm->leaving);
	mod_delayed_work(conn->ipoib->wq, &cm->work, 0);
}

/* --- the work context --------------------------------------------------- */

static void ipoib_conn_rx_run(struct ipoib_conn_rx *rx)
{
	struct ipoib_conn *conn = &rx->conn;

	if (ipoib_conn_test(conn, IPOIB_CONN_EV_REQ)) {
		list_add_tail(&conn->entry, &conn->ipoib->cm.conns);
		ipoib_conn_rx_open(rx);
	}
	if (ipoib_conn_test(conn, IPOIB_CONN_EV_REJ) ||
	    ipoib_conn_test(conn, IPOIB_CONN_EV_TIMEOUT) ||
	    ipoib_conn_test(conn, IPOIB_CONN_EV_CLOSED) ||
	    ipoib_conn_test(conn, IPOIB_CONN_EV_ERROR))
		ipoib_conn_leave(conn, 0);
}

/* What happened since the last time. */
static void ipoib_cm_take(struct ipoib_dev *ipoib)
{
	struct llist_node *todo = llist_del_all(&ipoib->cm.todo);
	struct ipoib_conn *conn, *next;

	todo = llist_reverse_order(todo);
	llist_for_each_entry_safe(conn, next, todo, todo) {
		clear_bit(IPOIB_CONN_TODO, &conn->events);
		/* Events are looked at after that: one that is not seen here
		 * puts the connection there again. Pairs with the barrier
		 * behind set_bit() in ipoib_conn_event().
		 */
		smp_mb__after_atomic();
		if (conn->state >= IPOIB_CONN_LEAVING)
			continue;
		if (conn->passive)
			ipoib_conn_rx_run(ipoib_conn_rx(conn));
		else
			ipoib_conn_tx_run(ipoib_conn_tx(conn));
	}
}

static struct ib_qp *ipoib_conn_qp(struct ipoib_conn *conn)
{
	return conn->passive ? ipoib_conn_rx(conn)->qp :
			       ipoib_conn_tx(conn)->sq.qp;
}

/* Nothing begins any more. What was sent has completed, or not in time. */
static bool ipoib_conn_may_close(struct ipoib_conn *conn)
{
	return conn->passive || time_after_eq(jiffies, conn->deadline) ||
	       ipoib_sq_drained(&ipoib_conn_tx(conn)->sq);
}

/* The QP flushes. One that cannot even do that has no time to lose. */
static void ipoib_conn_close(struct ipoib_conn *conn)
{
	struct ib_qp_attr attr = { .qp_state = IB_QPS_ERR };
	struct ib_qp *qp = ipoib_conn_qp(conn);

	conn->state = IPOIB_CONN_DYING;
	conn->deadline = jiffies;
	conn->stuck = qp && ib_modify_qp(qp, &attr, IB_QP_STATE);
}

/* Peers hear of the end, in a message for each connection, which ib_core is
 * waited for to be rid of. So all QPs begin to flush before the first, and what
 * they have not done after the last has one deadline.
 */
static void ipoib_cm_close(struct ipoib_cm *cm)
{
	struct ipoib_conn *conn, *next;
	unsigned long end;
	LIST_HEAD(closing);

	list_for_each_entry_safe(conn, next, &cm->leaving, entry) {
		if (conn->state != IPOIB_CONN_LEAVING ||
		    !ipoib_conn_may_close(conn))
			continue;
		ipoib_conn_close(conn);
		list_move_tail(&conn->entry, &closing);
	}
	list_for_each_entry(conn, &closing, entry) {
		if (conn->id)
			ib_destroy_cm_id(conn->id);
		conn->id = NULL;
	}
	end = jiffies + IPOIB_CM_FLUSH_JIFFIES;
	list_for_each_entry(conn, &closing, entry)
		if (!conn->stuck)
			conn->deadline = end;
	list_splice_tail(&closing, &cm->leaving);
}

static bool ipoib_conn_flushed(struct ipoib_conn *conn)
{
	if (conn->passive)
		return ipoib_conn_rx_flushed(ipoib_conn_rx(conn));
	return ipoib_sq_drained(&ipoib_conn_tx(conn)->sq);
}

/* Nothing comes from the QP any more, or not in time. That of a peer's is
 * destroyed later, see ipoib_cm_reap().
 */
static void ipoib_conn_bury(struct ipoib_conn *conn)
{
	struct ipoib_sq *sq;

	conn->state = IPOIB_CONN_DEAD;
	if (conn->passive)
		return;
	sq = &ipoib_conn_tx(conn)->sq;
	if (sq->qp)
		ib_destroy_qp(sq->qp);
	sq->qp = NULL;
	if (!ipoib_sq_empty(sq))
		ipoib_sq_abandon(sq);
}

/* Only the last of a chain says that it has been sent. Where that was not posted,
 * nothing comes from those before it.
 */
static bool ipoib_conn_is_silent(struct ipoib_conn *conn)
{
	return !conn->passive && ipoib_conn_tx(conn)->sq.unposted;
}

/* Returns true at the end. */
static bool ipoib_conn_advance(struct ipoib_conn *conn)
{
	if (conn->state == IPOIB_CONN_LEAVING)
		return false;
	if (conn->state == IPOIB_CONN_DYING) {
		conn->stuck = !ipoib_conn_flushed(conn);
		if (conn->stuck && time_before(jiffies, conn->deadline) &&
		    !ipoib_conn_is_silent(conn))
			return false;
		ipoib_conn_bury(conn);
	}
	return conn->passive || ipoib_sq_empty(&ipoib_conn_tx(conn)->sq);
}

static void ipoib_conn_free(struct ipoib_conn *conn)
{
	list_del(&conn->entry);
	if (conn->passive) {
		ipoib_conn_rx_free(ipoib_conn_rx(conn));
		return;
	}
	vfree(ipoib_conn_tx(conn)->sq.ring);
	kfree(ipoib_conn_tx(conn));
}

/* Polls that found a completion are over after a grace period, and with the QP
 * go its events: then nothing happens to a connection any more. One that
 * something happened to before is in ipoib_cm.todo, and is freed the next time.
 */
static void ipoib_cm_reap(struct ipoib_dev *ipoib)
{
	struct ipoib_cm *cm = &ipoib->cm;
	struct ipoib_conn *conn, *next;
	LIST_HEAD(ended);

	ipoib_cm_close(cm);
	list_for_each_entry_safe(conn, next, &cm->leaving, entry)
		if (ipoib_conn_advance(conn))
			list_move_tail(&conn->entry, &ended);
	if (list_empty(&ended))
		return;
	synchronize_net();
	list_for_each_entry_safe(conn, next, &ended, entry) {
		if (conn->passive)
			ipoib_conn_rx_destroy_qp(ipoib_conn_rx(conn));
		if (test_bit(IPOIB_CONN_TODO, &conn->events))
			list_move_tail(&conn->entry, &cm->leaving);
		else
			ipoib_conn_free(conn);
	}
}

static void ipoib_cm_work(struct work_struct *work)
{
	struct ipoib_dev *ipoib =
		container_of(work, struct ipoib_dev, cm.work.work);

	ipoib_cm_take(ipoib);
	if (!READ_ONCE(ipoib->connected))
		ipoib_cm_leave_tx(ipoib, ipoib->txq, ipoib->num_txq,
				  IPOIB_CM_LEAVE_JIFFIES);
	ipoib_cm_start(ipoib);
	ipoib_cm_reap(ipoib);
	ipoib_cm_rxqs_mend(ipoib);
	if (!list_empty(&ipoib->cm.leaving))
		queue_delayed_work(ipoib->wq, &ipoib->cm.work, HZ / 100 + 1);
	else if (!list_empty(&ipoib->cm.waiting) ||
		 !list_empty(&ipoib->cm.retrying))
		queue_delayed_work(ipoib->wq, &ipoib->cm.work, HZ / 10);
}

/* Peers' connections may come and go without end: those are not waited for. */
static bool ipoib_cm_leaving_from(struct ipoib_dev *ipoib,
				  struct ipoib_txq *first, unsigned int n)
{
	struct ipoib_conn *conn;
	struct ipoib_txq *txq;

	list_for_each_entry(conn, &ipoib->cm.leaving, entry) {
		if (conn->passive)
			continue;
		txq = ipoib_conn_tx(conn)->sq.txq;
		if (txq >= first && txq < first + n)
			return true;
	}
	return false;
}

/**
 * ipoib_cm_flush_tx() - end all connections that we send on from some queues
 * @ipoib: the interface
 * @first: the first queue, which is up
 * @n: how many
 *
 * Context: work context, may sleep for IPOIB_CM_FLUSH_JIFFIES, or for as long as
 * HCA and ib_core take for a few calls for each connection, one after the other.
 */
void ipoib_cm_flush_tx(struct ipoib_dev *ipoib, struct ipoib_txq *first,
		       unsigned int n)
{
	/* What happens meanwhile may have others made. */
	for (;;) {
		ipoib_cm_take(ipoib);
		ipoib_cm_leave_tx(ipoib, first, n, 0);
		ipoib_cm_reap(ipoib);
		if (!ipoib_cm_leaving_from(ipoib, first, n))
			break;
		usleep_range(500, 1000);
	}
}

/**
 * ipoib_cm_gc() - end connections of peers that have not sent for long, and
 * requests that have not been answered for long
 * @ipoib: the interface
 *
 * Gives receive buffers back that no connection needs.
 *
 * Context: work context, may sleep.
 */
void ipoib_cm_gc(struct ipoib_dev *ipoib)
{
	long limit = 2 * ipoib_conn_idle(), idle;
	struct ipoib_conn *conn, *next;
	struct ipoib_conn_rx *rx;

	list_for_each_entry_safe(conn, next, &ipoib->cm.conns, entry) {
		if (!conn->passive) {
			if (conn->state == IPOIB_CONN_OPENING &&
			    time_after(jiffies, conn->deadline))
				ipoib_conn_event(conn, IPOIB_CONN_EV_TIMEOUT);
			continue;
		}
		rx = ipoib_conn_rx(conn);
		/* Less than 0 if it has been used since jiffies was read. */
		idle = jiffies - READ_ONCE(rx->last_used);
		if (idle < limit &&
		    !(rx->succeeded && idle > IPOIB_CM_OLD_IDLE))
			continue;
		ipoib_count(ipoib, IPOIB_CM_IDLE);
		ipoib_conn_leave(conn, 0);
	}
	if (!READ_ONCE(ipoib->connected))
		ipoib_cm_rxqs_release(ipoib);
}

/* --- life --------------------------------------------------------------- */

/**
 * ipoib_cm_up() - accept connections from now on
 * @ipoib: the interface, whose queues are up
 *
 * Context: process, may sleep. Work context, or RTNL in ndo_open.
 * Return: 0 or a negative errno; the log says more.
 */
int ipoib_cm_up(struct ipoib_dev *ipoib)
{
	u32 qpn = ipoib->rxq->qp->qp_num;
	struct ib_cm_id *id;
	int ret;

	if (!ipoib_addr_has_rc(ipoib->netdev->dev_addr))
		return 0;
	ipoib->cm.max_rx = ipoib_cm_max_rx(ipoib);
	id = ib_create_cm_id(ipoib->ibdev, ipoib_cm_listen_handler, ipoib);
	ret = PTR_ERR_OR_ZERO(id);
	if (!ret) {
		ret = ib_cm_listen(id, cpu_to_be64(IPOIB_CM_SERVICE | qpn));
		if (ret)
			ib_destroy_cm_id(id);
	}
	if (ret) {
		netdev_err(ipoib->netdev, "cannot listen for connections: %pe\n",
			   ERR_PTR(ret));
		return ret;
	}
	ipoib->cm.listener = id;
	return 0;
}

/**
 * ipoib_cm_down() - end all connections, and accept none
 * @ipoib: the interface, whose queues are still up, but no more said to be
 *
 * Context: work context, may sleep as ipoib_cm_flush_tx() does.
 */
void ipoib_cm_down(struct ipoib_dev *ipoib)
{
	struct ipoib_cm *cm = &ipoib->cm;
	struct ipoib_conn *conn, *next;

	/* Its callback is not running any more after this. */
	if (cm->listener)
		ib_destroy_cm_id(cm->listener);
	cm->listener = NULL;
	do {
		ipoib_cm_take(ipoib);
		ipoib_cm_leave_tx(ipoib, ipoib->txq, ipoib->num_txq, 0);
		list_for_each_entry_safe(conn, next, &cm->conns, entry)
			ipoib_conn_leave(conn, 0);
		ipoib_cm_reap(ipoib);
		if (!list_empty(&cm->leaving))
			usleep_range(500, 1000);
	} while (!list_empty(&cm->leaving) || !llist_empty(&cm->todo));
	ipoib_cm_rxqs_release(ipoib);
	skb_queue_purge(&cm->too_long);
}

/**
 * ipoib_cm_init() - prepare for connections
 * @ipoib: the interface
 *
 * Context: process, may sleep; ndo_init.
 * Return: 0 or a negative errno.
 */
int ipoib_cm_init(struct ipoib_dev *ipoib)
{
	struct ipoib_cm *cm = &ipoib->cm;

	init_llist_head(&cm->todo);
	INIT_LIST_HEAD(&cm->waiting);
	INIT_LIST_HEAD(&cm->retrying);
	INIT_LIST_HEAD(&cm->conns);
	INIT_LIST_HEAD(&cm->leaving);
	skb_queue_head_init(&cm->too_long);
	INIT_DELAYED_WORK(&cm->work, ipoib_cm_work);
	INIT_WORK(&cm->too_long_work, ipoib_too_long_work);
	return ipoib_cm_rxqs_init(ipoib);
}

/**
 * ipoib_cm_destroy() - undo ipoib_cm_init()
 * @ipoib: the interface, after ipoib_cm_down()
 *
 * Context: process, may sleep; ndo_uninit.
 */
void ipoib_cm_destroy(struct ipoib_dev *ipoib)
{
	cancel_delayed_work_sync(&ipoib->cm.work);
	cancel_work_sync(&ipoib->cm.too_long_work);
	skb_queue_purge(&ipoib->cm.too_long);
	ipoib_cm_rxqs_destroy(ipoib);
}
