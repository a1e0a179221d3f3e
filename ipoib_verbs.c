// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The states of the queues: QPs and receive buffers up and down, and the
 * recovery of those that failed.
 */
#include <linux/delay.h>
#include <net/page_pool/helpers.h>

#include "ipoib.h"
#include "ipoib_cm.h"
#include "ipoib_trace.h"

#define IPOIB_DETACH_TRIES	3	/* to leave a group, one after the other */

/* --- receive buffers ---------------------------------------------------- */

static void ipoib_rx_free_bufs(struct ipoib_rxq *rxq)
{
	unsigned int i;

	for (i = 0; i < rxq->size; i++) {
		if (!rxq->bufs[i].page)
			continue;
		page_pool_put_full_page(rxq->pool, rxq->bufs[i].page, false);
		rxq->bufs[i].page = NULL;
	}
	rxq->posted = 0;
	rxq->refills = 0;
	page_pool_destroy(rxq->pool);
	rxq->pool = NULL;
}

/* Buffers cost memory only while the interface is up. */
static int ipoib_rx_alloc_bufs(struct ipoib_rxq *rxq)
{
	struct ib_device *ibdev = rxq->ipoib->ibdev;
	bool virt = ipoib_virt_dma(rxq->ipoib);
	struct page_pool_params params = {
		.flags = virt ? 0 : PP_FLAG_DMA_MAP | PP_FLAG_DMA_SYNC_DEV,
		.order = rxq->order,
		.pool_size = rxq->size,
		.nid = ibdev_to_node(ibdev),
		.dev = virt ? NULL : ibdev->dma_device,
		.dma_dir = DMA_FROM_DEVICE,
		.offset = IPOIB_RX_OFFSET,
		.max_len = rxq->frame_max,
	};
	unsigned int i;

	rxq->pool = page_pool_create(&params);
	if (IS_ERR(rxq->pool)) {
		int ret = PTR_ERR(rxq->pool);

		rxq->pool = NULL;
		return ret;
	}
	for (i = 0; i < rxq->size; i++) {
		struct page *page = page_pool_alloc_pages(rxq->pool, GFP_KERNEL);

		if (!page) {
			ipoib_rx_free_bufs(rxq);
			return -ENOMEM;
		}
		ipoib_rx_buf_set(rxq, &rxq->bufs[i], page);
	}
	return 0;
}

/* --- QP states ---------------------------------------------------------- */

static int ipoib_qp_modify(struct ib_qp *qp, enum ib_qp_state state, int mask,
			   struct ib_qp_attr *attr)
{
	attr->qp_state = state;
	return ib_modify_qp(qp, attr, mask | IB_QP_STATE);
}

static int ipoib_qp_to_state(struct ib_qp *qp, enum ib_qp_state state)
{
	struct ib_qp_attr attr = {};

	return ipoib_qp_modify(qp, state, 0, &attr);
}

static struct ipoib_rxq *ipoib_txq_rxq(struct ipoib_txq *txq)
{
	return txq == txq->ipoib->txq ? txq->ipoib->rxq : NULL;
}

/* The QP is in RTS: the consumers begin. Their first poll arms the CQs, whatever
 * came in before.
 */
static void ipoib_txq_start(struct ipoib_txq *txq)
{
	struct ipoib_rxq *rxq = ipoib_txq_rxq(txq);

	WRITE_ONCE(txq->active, true);
	/* Pairs with the acquire in ipoib_poll_begin(). */
	smp_store_release(&txq->running, true);
	local_bh_disable();
	napi_schedule(&txq->napi);
	if (rxq)
		napi_schedule(&rxq->napi);
	local_bh_enable();
}

static int ipoib_txq_to_reset(struct ipoib_txq *txq)
{
	int ret = ipoib_qp_to_state(txq->ud.qp, IB_QPS_RESET);

	txq->unreset = ret;
	return ret;
}

/**
 * ipoib_txq_up() - bring a QP from Reset to RTS, and its consumers to work
 * @txq: the queue; queue 0 has its receive buffers posted on the way
 *
 * Context: process, may sleep. Work context, or RTNL in ndo_open.
 * Return: 0, or a negative errno with the QP in Reset; the log names the step.
 */
int ipoib_txq_up(struct ipoib_txq *txq)
{
	struct ipoib_rxq *rxq = ipoib_txq_rxq(txq);
	struct ib_qp_attr attr = {
		.qkey = txq->ipoib->qkey,
		.port_num = txq->ipoib->port_num,
		.pkey_index = txq->ipoib->pkey_index,
	};
	const char *step = "Reset";
	int ret;

	WRITE_ONCE(txq->check_wanted, false);
	WRITE_ONCE(txq->reset_wanted, false);
	ret = txq->unreset ? ipoib_txq_to_reset(txq) : 0;
	if (ret)
		goto err;
	step = "INIT";
	ret = ipoib_qp_modify(txq->ud.qp, IB_QPS_INIT, IB_QP_PKEY_INDEX |
			      IB_QP_PORT | IB_QP_QKEY, &attr);
	if (ret)
		goto err;
	if (rxq) {
		step = "receive buffers";
		ret = ipoib_rx_alloc_bufs(rxq);
		if (ret)
			goto err;
		ret = ipoib_rx_post_all(rxq);
		if (ret)
			goto err;
	}
	step = "RTR";
	ret = ipoib_qp_to_state(txq->ud.qp, IB_QPS_RTR);
	if (ret)
		goto err;
	step = "RTS";
	ret = ipoib_qp_modify(txq->ud.qp, IB_QPS_RTS, IB_QP_SQ_PSN, &attr);
	if (ret)
		goto err;

	ipoib_txq_start(txq);
	return 0;

err:
	ipoib_txq_to_reset(txq);
	if (rxq && rxq->pool)
		ipoib_rx_free_bufs(rxq);
	netdev_err(txq->ipoib->netdev, "queue %u: %s failed: %pe\n",
		   (unsigned int)(txq - txq->ipoib->txq), step, ERR_PTR(ret));
	return ret;
}

static bool ipoib_txq_drained(struct ipoib_txq *txq)
{
	struct ipoib_rxq *rxq = ipoib_txq_rxq(txq);

	return !ipoib_txq_backlog(txq) && (!rxq || !READ_ONCE(rxq->posted));
}

/* Whoever was in xmit is out when this returns. Where the stack's queue was stopped in
 * the middle of a batch, what the rest of it was waited for with has not been posted.
 */
static void ipoib_txq_block(struct ipoib_txq *txq)
{
	__netif_tx_lock_bh(txq->nq);
	ipoib_txq_flush(txq);
	netif_tx_stop_queue(txq->nq);
	__netif_tx_unlock_bh(txq->nq);
}

static void ipoib_cq_discard(struct ib_cq *cq, struct ib_wc *wc)
{
	while (ib_poll_cq(cq, IPOIB_POLL_BATCH, wc) > 0)
		;
}

/* Polls that begin from now on leave rings and buffers alone, and those that began
 * before are over, whoever polls: all do so with bottom halves off. Whether a NAPI
 * is scheduled does not tell: netpoll polls without, and one whose thread is to poll
 * all the time always is. NAPI itself stays enabled for as long as the interface
 * exists: to disable it takes the device's instance lock, and whoever waits for the
 * work context may hold that.
 *
 * Returns which of the queues ran, as a mask.
 */
static unsigned int ipoib_queues_quiesce(struct ipoib_txq *first,
					 unsigned int n)
{
	unsigned int ran = 0, i;

	for (i = 0; i < n; i++) {
		if (!first[i].running)
			continue;
		WRITE_ONCE(first[i].running, false);
		ran |= BIT(i);
	}
	if (ran)
		synchronize_net();
	return ran;
}

/* Error to Reset, where the HCA forgets all work requests: what the ring still
 * holds is ours again, and completions that still come are for nothing.
 */
static void ipoib_txq_finish(struct ipoib_txq *txq)
{
	struct ipoib_rxq *rxq = ipoib_txq_rxq(txq);

	/* The consumer may have woken the queue just before it saw @active. */
	ipoib_txq_block(txq);

	/* A QP that fails with every packet is here many times a second. */
	if (!ipoib_txq_drained(txq) && net_ratelimit())
		netdev_warn(txq->ipoib->netdev,
			    "timing out; %u sends %u receives not completed\n",
			    ipoib_txq_backlog(txq), rxq ? rxq->posted : 0);
	if (ipoib_txq_to_reset(txq) && net_ratelimit())
		netdev_warn(txq->ipoib->netdev, "cannot reset QP\n");
	ipoib_cq_discard(txq->cq, txq->wc);
	ipoib_txq_drop_all(txq);
	if (rxq) {
		ipoib_dim_stop(rxq);
		ipoib_cq_discard(rxq->cq, rxq->wc);
		ipoib_rx_free_bufs(rxq);
	}
}

/* In the error state a QP takes requests only to flush them. Those that it did
 * not take before give their slots back that way, and with them those of
 * unsignalled requests before them.
 */
static int ipoib_txq_post_leftover(struct ipoib_txq *txq)
{
	const struct ib_send_wr *wr = txq->unposted, *bad;

	txq->unposted = NULL;
	return wr ? ib_post_send(txq->ud.qp, wr, &bad) : 0;
}

/**
 * ipoib_queues_drain() - let queues complete what they hold, and nothing new in
 * @first: the first of them
 * @n: how many
 *
 * What is not complete after a second, or with a QP that is in trouble, is left
 * for ipoib_queues_down() to drop.
 *
 * Context: work context, may sleep.
 */
void ipoib_queues_drain(struct ipoib_txq *first, unsigned int n)
{
	unsigned long end = jiffies + HZ;
	struct ipoib_txq *txq;

	for (txq = first; txq < first + n; txq++) {
		if (!txq->running)
			continue;
		WRITE_ONCE(txq->active, false);
		ipoib_txq_block(txq);
	}
	/* Once more for consumers that had not seen that. */
	synchronize_net();
	for (txq = first; txq < first + n; txq++)
		if (txq->running)
			ipoib_txq_block(txq);
	for (txq = first; txq < first + n; txq++)
		while (txq->running && (ipoib_txq_backlog(txq) ||
					ipoib_txq_conn_backlog(txq)) &&
		       !READ_ONCE(txq->check_wanted) && time_before(jiffies, end))
			usleep_range(500, 1000);
}

/**
 * ipoib_queues_down() - take queues from any state to Reset, their rings empty
 * @first: the first of them
 * @n: how many
 *
 * Bounded by IPOIB_DRAIN_MS for all together, also on a device that is gone and
 * will never flush. The stack's queues stay stopped.
 *
 * Context: process, may sleep. Work context, or RTNL in ndo_open.
 */
void ipoib_queues_down(struct ipoib_txq *first, unsigned int n)
{
	unsigned long end = jiffies + msecs_to_jiffies(IPOIB_DRAIN_MS);
	struct ipoib_txq *txq;
	unsigned int ran;

	for (txq = first; txq < first + n; txq++) {
		if (!txq->running)
			continue;
		WRITE_ONCE(txq->active, false);
		ipoib_txq_block(txq);
		if (ipoib_qp_to_state(txq->ud.qp, IB_QPS_ERR)) {
			net_warn_ratelimited("%s: cannot move QP to Error\n",
					     txq->ipoib->netdev->name);
			end = jiffies;
		} else if (ipoib_txq_post_leftover(txq)) {
			end = jiffies;
		}
	}
	for (txq = first; txq < first + n; txq++)
		while (txq->running && !ipoib_txq_drained(txq) &&
		       time_before(jiffies, end))
			usleep_range(500, 1000);
	ran = ipoib_queues_quiesce(first, n);
	for (txq = first; txq < first + n; txq++)
		if (ran & BIT(txq - first))
			ipoib_txq_finish(txq);
}

/**
 * ipoib_transport_up() - bring all UD QPs to RTS and post receive buffers
 * @ipoib: the interface
 * @pkey_index: index of its P_Key in the port's table
 *
 * The stack's queues may then send, and peers ask for connections.
 *
 * Context: process, may sleep. Work context, or RTNL in ndo_open.
 * Return: 0, or a negative errno with nothing left up; the log names the step.
 */
int ipoib_transport_up(struct ipoib_dev *ipoib, u16 pkey_index)
{
	unsigned int i;
	int ret;

	ipoib->pkey_index = pkey_index;
	for (i = 0; i < ipoib->num_txq; i++) {
		ret = ipoib_txq_up(&ipoib->txq[i]);
		if (ret)
			goto err;
	}
	/* Requests are judged by it, and may come as soon as there is a
	 * listener, whose lock orders this.
	 */
	ipoib->transport_up = true;
	ret = ipoib_cm_up(ipoib);
	if (ret)
		goto err;
	/* Those that ipoib_transport_down() stopped. */
	for (i = 0; i < ipoib->num_txq; i++)
		netif_tx_wake_queue(ipoib->txq[i].nq);
	return 0;

err:
	ipoib->transport_up = false;
	ipoib_queues_down(ipoib->txq, i);
	return ret;
}

/**
 * ipoib_transport_down() - end connections, drain and reset all UD QPs, give
 * receive buffers back
 * @ipoib: the interface
 *
 * Stops the stack's queues, and leaves them stopped.
 *
 * Context: work context, may sleep for IPOIB_DRAIN_MS.
 */
void ipoib_transport_down(struct ipoib_dev *ipoib)
{
	if (!ipoib->transport_up)
		return;
	ipoib->transport_up = false;
	ipoib_cm_down(ipoib);
	ipoib_queues_down(ipoib->txq, ipoib->num_txq);
}

/* Finds out what is wrong with a QP that gave cause for doubt. One whose send
 * failed is in SQE and needs one step back to RTS, with its receive side
 * undisturbed (InfiniBand Architecture, section 10.3.1.6).
 */
static bool ipoib_txq_recover(struct ipoib_txq *txq)
{
	struct ib_qp_init_attr init_attr;
	struct ib_qp_attr attr = {};

	if (!txq->running ||
	    ib_query_qp(txq->ud.qp, &attr, IB_QP_STATE, &init_attr))
		return false;
	if (attr.qp_state == IB_QPS_SQE)
		return !ipoib_qp_to_state(txq->ud.qp, IB_QPS_RTS);
	return attr.qp_state == IB_QPS_RTS;
}

static int ipoib_txq_reset(struct ipoib_txq *txq)
{
	ipoib_count(txq->ipoib, IPOIB_QUEUE_RESETS);
	trace_ipoib_queue_reset(txq);
	/* Connections take a while to end, and what they complete must not wake the
	 * stack's queue meanwhile.
	 */
	WRITE_ONCE(txq->active, false);
	ipoib_txq_block(txq);
	ipoib_cm_flush_tx(txq->ipoib, txq, 1);
	ipoib_queues_down(txq, 1);
	return ipoib_txq_up(txq);
}

static void ipoib_txq_mend(struct ipoib_txq *txq)
{
	bool reset;

	/* Cleared first: trouble during the repair is new trouble. In this order,
	 * so that none that comes meanwhile is taken for one that a look at the QP
	 * is enough for; pairs with the release in ipoib_txq_check().
	 */
	WRITE_ONCE(txq->check_wanted, false);
	reset = xchg(&txq->reset_wanted, false);
	if (reset || !ipoib_txq_recover(txq)) {
		if (ipoib_txq_reset(txq)) {
			WRITE_ONCE(txq->check_wanted, true);
			ipoib_kick_after(txq->ipoib, HZ);
			return;
		}
	}
	if (!READ_ONCE(txq->check_wanted))
		netif_tx_wake_queue(txq->nq);
}

/**
 * ipoib_transport_mend() - repair queues whose QP failed or hangs
 * @ipoib: the interface
 *
 * What a queue held that has to be reset is dropped and counted; other queues
 * go on.
 *
 * Context: work context, may sleep for IPOIB_DRAIN_MS.
 */
void ipoib_transport_mend(struct ipoib_dev *ipoib)
{
	unsigned int i;

	for (i = 0; i < ipoib->num_txq && ipoib->transport_up; i++)
		if (READ_ONCE(ipoib->txq[i].check_wanted))
			ipoib_txq_mend(&ipoib->txq[i]);
}

/**
 * ipoib_transport_set_qkey() - use the broadcast group's Q_Key
 * @ipoib: the interface
 * @qkey: the Q_Key, host order (RFC 4391 section 4)
 *
 * Context: work context, may sleep.
 * Return: 0 or a negative errno; then the old Q_Key stays in use.
 */
int ipoib_transport_set_qkey(struct ipoib_dev *ipoib, u32 qkey)
{
	struct ib_qp_attr attr = { .qkey = qkey };
	unsigned int i;
	int ret = 0;

	if (qkey == ipoib->qkey)
		return 0;
	/* Queues that only send need it too: with the top bit set, it is the
	 * QP's Q_Key that goes out (InfiniBand Architecture, section 10.2.5).
	 * One that is being repaired takes it when it comes up.
	 */
	for (i = 0; i < ipoib->num_txq && !ret; i++)
		if (ipoib->txq[i].running)
			ret = ib_modify_qp(ipoib->txq[i].ud.qp, &attr, IB_QP_QKEY);
	if (!ret)
		WRITE_ONCE(ipoib->qkey, qkey);
	return ret;
}

/**
 * ipoib_transport_attach() - receive a multicast group
 * @ipoib: the interface
 * @mgid: the group
 * @mlid: its LID
 *
 * Context: work context, may sleep.
 * Return: 0 or a negative errno.
 */
int ipoib_transport_attach(struct ipoib_dev *ipoib, union ib_gid *mgid,
			   u16 mlid)
{
	return ib_attach_mcast(ipoib->rxq->qp, mgid, mlid);
}

/**
 * ipoib_transport_detach() - no longer receive a multicast group
 * @ipoib: the interface
 * @mgid: the group
 * @mlid: the LID it was attached at
 *
 * Context: work context, may sleep.
 */
void ipoib_transport_detach(struct ipoib_dev *ipoib, union ib_gid *mgid,
			    u16 mlid)
{
	int ret = ib_detach_mcast(ipoib->rxq->qp, mgid, mlid);
	int tries;

	/* Nobody comes back to it later, and a QP that is attached can neither
	 * join the group again nor be destroyed. Without a pause, for there may
	 * be hundreds of groups.
	 */
	for (tries = 1; ret && tries < IPOIB_DETACH_TRIES; tries++)
		ret = ib_detach_mcast(ipoib->rxq->qp, mgid, mlid);
	if (ret)
		netdev_warn(ipoib->netdev, "cannot detach from %pI6: %pe\n",
			    mgid->raw, ERR_PTR(ret));
}
