// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The life of the queues: QPs, CQs and receive buffers, from ndo_init to
 * ndo_uninit, up and down, and the recovery of those that failed.
 */
#include <linux/delay.h>
#include <net/page_pool/helpers.h>

#include "ipoib.h"

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

/* Reset to RTS, with the receive buffers posted on the way for queue 0. */
static int ipoib_txq_up(struct ipoib_txq *txq)
{
	struct ipoib_rxq *rxq = ipoib_txq_rxq(txq);
	struct ib_qp_attr attr = {
		.qkey = txq->ipoib->qkey,
		.port_num = txq->ipoib->port_num,
		.pkey_index = txq->ipoib->pkey_index,
	};
	const char *step = "INIT";
	int ret;

	WRITE_ONCE(txq->check_wanted, false);
	WRITE_ONCE(txq->reset_wanted, false);
	ret = ipoib_qp_modify(txq->qp, IB_QPS_INIT, IB_QP_PKEY_INDEX |
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
	ret = ipoib_qp_to_state(txq->qp, IB_QPS_RTR);
	if (ret)
		goto err;
	step = "RTS";
	ret = ipoib_qp_modify(txq->qp, IB_QPS_RTS, IB_QP_SQ_PSN, &attr);
	if (ret)
		goto err;

	ipoib_txq_start(txq);
	return 0;

err:
	ipoib_qp_to_state(txq->qp, IB_QPS_RESET);
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

/* Whoever was in xmit is out when this returns. */
static void ipoib_txq_block(struct ipoib_txq *txq)
{
	__netif_tx_lock_bh(txq->nq);
	netif_tx_stop_queue(txq->nq);
	__netif_tx_unlock_bh(txq->nq);
}

static void ipoib_cq_discard(struct ib_cq *cq, struct ib_wc *wc)
{
	while (ib_poll_cq(cq, IPOIB_POLL_BATCH, wc) > 0)
		;
}

/* Polls that begin from now on leave ring and buffers alone; waits for one that
 * began before. NAPI itself stays enabled for as long as the interface exists:
 * to disable it takes the device's instance lock, and whoever waits for the
 * work context may hold that.
 */
static void ipoib_txq_quiesce(struct ipoib_txq *txq)
{
	struct ipoib_rxq *rxq = ipoib_txq_rxq(txq);

	WRITE_ONCE(txq->running, false);
	/* A poll sets NAPI_STATE_SCHED before it reads @running. */
	smp_mb();
	while (test_bit(NAPI_STATE_SCHED, &txq->napi.state) ||
	       (rxq && test_bit(NAPI_STATE_SCHED, &rxq->napi.state)))
		usleep_range(50, 100);
}

/* Error to Reset, where the HCA forgets all work requests: what the ring still
 * holds is ours again, and completions that still come are for nothing.
 */
static void ipoib_txq_finish(struct ipoib_txq *txq)
{
	struct ipoib_rxq *rxq = ipoib_txq_rxq(txq);

	ipoib_txq_quiesce(txq);
	/* The consumer may have woken the queue just before it saw @active. */
	ipoib_txq_block(txq);

	if (!ipoib_txq_drained(txq))
		netdev_warn(txq->ipoib->netdev,
			    "timing out; %u sends %u receives not completed\n",
			    ipoib_txq_backlog(txq), rxq ? rxq->posted : 0);
	if (ipoib_qp_to_state(txq->qp, IB_QPS_RESET))
		netdev_warn(txq->ipoib->netdev, "cannot reset QP\n");
	ipoib_cq_discard(txq->cq, txq->wc);
	ipoib_txq_drop_all(txq);
	if (rxq) {
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
	return wr ? ib_post_send(txq->qp, wr, &bad) : 0;
}

/* Takes queues from any state to Reset, with their rings empty. Bounded by
 * IPOIB_DRAIN_MS for all together, also on a device that is gone and will never
 * flush.
 */
static void ipoib_queues_down(struct ipoib_txq *first, unsigned int n)
{
	unsigned long end = jiffies + msecs_to_jiffies(IPOIB_DRAIN_MS);
	struct ipoib_txq *txq;

	for (txq = first; txq < first + n; txq++) {
		if (!txq->running)
			continue;
		WRITE_ONCE(txq->active, false);
		ipoib_txq_block(txq);
		if (ipoib_qp_to_state(txq->qp, IB_QPS_ERR)) {
			netdev_warn(txq->ipoib->netdev,
				    "cannot move QP to Error\n");
			end = jiffies;
		} else if (ipoib_txq_post_leftover(txq)) {
			end = jiffies;
		}
	}
	for (txq = first; txq < first + n; txq++)
		while (txq->running && !ipoib_txq_drained(txq) &&
		       time_before(jiffies, end))
			usleep_range(500, 1000);
	for (txq = first; txq < first + n; txq++)
		if (txq->running)
			ipoib_txq_finish(txq);
}

/**
 * ipoib_transport_up() - bring all QPs to RTS and post receive buffers
 * @ipoib: the interface
 * @pkey_index: index of its P_Key in the port's table
 *
 * The stack's queues may then send.
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
	ipoib->transport_up = true;
	/* Those that ipoib_transport_down() stopped. */
	netif_tx_wake_all_queues(ipoib->netdev);
	return 0;

err:
	ipoib_queues_down(ipoib->txq, i);
	return ret;
}

/**
 * ipoib_transport_down() - drain and reset all QPs, give receive buffers back
 * @ipoib: the interface
 *
 * Stops the stack's queues first, and leaves them stopped.
 *
 * Context: work context, may sleep for IPOIB_DRAIN_MS.
 */
void ipoib_transport_down(struct ipoib_dev *ipoib)
{
	if (!ipoib->transport_up)
		return;
	ipoib->transport_up = false;
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
	    ib_query_qp(txq->qp, &attr, IB_QP_STATE, &init_attr))
		return false;
	if (attr.qp_state == IB_QPS_SQE)
		return !ipoib_qp_to_state(txq->qp, IB_QPS_RTS);
	return attr.qp_state == IB_QPS_RTS;
}

static int ipoib_txq_reset(struct ipoib_txq *txq)
{
	ipoib_count(txq->ipoib, IPOIB_QUEUE_RESETS);
	ipoib_queues_down(txq, 1);
	return ipoib_txq_up(txq);
}

static void ipoib_txq_mend(struct ipoib_txq *txq)
{
	bool reset = xchg(&txq->reset_wanted, false);

	/* Cleared first: trouble during the repair is new trouble. */
	WRITE_ONCE(txq->check_wanted, false);
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
			ret = ib_modify_qp(ipoib->txq[i].qp, &attr, IB_QP_QKEY);
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

	if (ret)
		netdev_warn(ipoib->netdev, "cannot detach from %pI6: %pe\n",
			    mgid->raw, ERR_PTR(ret));
}

/* --- creation ----------------------------------------------------------- */

static void ipoib_tx_comp(struct ib_cq *cq, void *context)
{
	struct ipoib_txq *txq = context;

	napi_schedule(&txq->napi);
}

static void ipoib_rx_comp(struct ib_cq *cq, void *context)
{
	struct ipoib_rxq *rxq = context;

	napi_schedule(&rxq->napi);
}

static int ipoib_rxq_create(struct ipoib_dev *ipoib)
{
	struct ib_cq_init_attr attr = { .cqe = ipoib_recv_queue_size };
	struct ipoib_rxq *rxq;
	unsigned int i;
	int ret;

	rxq = kzalloc_obj(*rxq);
	if (!rxq)
		return -ENOMEM;
	rxq->ipoib = ipoib;
	rxq->size = ipoib_recv_queue_size;
	rxq->frame_max = IB_GRH_BYTES + IPOIB_ENCAP_LEN + ipoib->max_mtu;
	rxq->order = get_order(SKB_DATA_ALIGN(IPOIB_RX_OFFSET + rxq->frame_max) +
			       SKB_DATA_ALIGN(sizeof(struct skb_shared_info)));
	u64_stats_init(&rxq->stats.syncp);
	rxq->bufs = kvzalloc_objs(*rxq->bufs, rxq->size);
	if (!rxq->bufs) {
		ret = -ENOMEM;
		goto err_free;
	}
	for (i = 0; i < rxq->size; i++)
		rxq->bufs[i].cqe.done = ipoib_rx_done;
	rxq->cq = ib_create_cq(ipoib->ibdev, ipoib_rx_comp, NULL, rxq, &attr);
	if (IS_ERR(rxq->cq)) {
		ret = PTR_ERR(rxq->cq);
		goto err_bufs;
	}
	netif_napi_add(ipoib->netdev, &rxq->napi, ipoib_rx_poll);
	napi_enable(&rxq->napi);
	ipoib->rxq = rxq;
	return 0;

err_bufs:
	kvfree(rxq->bufs);
err_free:
	kfree(rxq);
	return ret;
}

static void ipoib_rxq_destroy(struct ipoib_rxq *rxq)
{
	ib_destroy_cq(rxq->cq);
	kvfree(rxq->bufs);
	kfree(rxq);
}

static struct ib_qp *ipoib_qp_create(struct ipoib_txq *txq)
{
	struct ipoib_dev *ipoib = txq->ipoib;
	struct ipoib_rxq *rxq = ipoib_txq_rxq(txq);
	const struct ib_device_attr *caps = &ipoib->ibdev->attrs;
	struct ib_qp_init_attr attr = {
		.qp_type = IB_QPT_UD,
		.sq_sig_type = IB_SIGNAL_REQ_WR,
		.send_cq = txq->cq,
		.recv_cq = rxq ? rxq->cq : txq->cq,
		.cap = {
			.max_send_wr = txq->size,
			.max_send_sge = txq->max_sge,
			.max_recv_wr = rxq ? rxq->size : 0,
			.max_recv_sge = rxq ? 1 : 0,
		},
	};

	if (caps->kernel_cap_flags & IBK_UD_TSO)
		attr.create_flags |= IB_QP_CREATE_IPOIB_UD_LSO;
	/* IB_QP_CREATE_BLOCK_MULTICAST_LOOPBACK would save us our own multicast,
	 * which ipoib_rx_is_own() knows by its QPN. But there are HCAs that block
	 * it for the whole port, and then an interface would not be heard by
	 * another one on its port in the same partition.
	 */
	return ib_create_qp(ipoib->pd, &attr);
}

static int ipoib_txq_create(struct ipoib_dev *ipoib, unsigned int index)
{
	struct ipoib_txq *txq = &ipoib->txq[index];
	struct ib_cq_init_attr attr = {
		.cqe = ipoib_send_queue_size,
		.comp_vector = index % max(ipoib->ibdev->num_comp_vectors, 1),
	};
	int ret = -ENOMEM;

	txq->ipoib = ipoib;
	txq->nq = netdev_get_tx_queue(ipoib->netdev, index);
	txq->size = ipoib_send_queue_size;
	txq->max_sge = min_t(unsigned int, MAX_SKB_FRAGS + 1,
			     ipoib->ibdev->attrs.max_send_sge);
	u64_stats_init(&txq->stats.syncp);
	txq->ring = kvzalloc_objs(*txq->ring, txq->size);
	txq->chain = kzalloc_objs(*txq->chain, IPOIB_CHAIN_LEN);
	if (!txq->ring || !txq->chain)
		goto err_free;

	txq->cq = ib_create_cq(ipoib->ibdev, ipoib_tx_comp, NULL, txq, &attr);
	if (IS_ERR(txq->cq)) {
		ret = PTR_ERR(txq->cq);
		goto err_free;
	}
	txq->qp = ipoib_qp_create(txq);
	if (IS_ERR(txq->qp)) {
		ret = PTR_ERR(txq->qp);
		goto err_cq;
	}
	netif_napi_add_tx(ipoib->netdev, &txq->napi, ipoib_tx_poll);
	napi_enable(&txq->napi);
	return 0;

err_cq:
	ib_destroy_cq(txq->cq);
err_free:
	kfree(txq->chain);
	kvfree(txq->ring);
	return ret;
}

static void ipoib_txq_destroy(struct ipoib_txq *txq)
{
	ib_destroy_qp(txq->qp);
	ib_destroy_cq(txq->cq);
	kfree(txq->chain);
	kvfree(txq->ring);
}

/* One grace period for all, before what the NAPIs are in is freed. */
static void ipoib_napi_del(struct ipoib_dev *ipoib, unsigned int num_txq)
{
	unsigned int i;

	for (i = 0; i < num_txq; i++) {
		napi_disable(&ipoib->txq[i].napi);
		__netif_napi_del(&ipoib->txq[i].napi);
	}
	napi_disable(&ipoib->rxq->napi);
	__netif_napi_del(&ipoib->rxq->napi);
	synchronize_net();
}

/**
 * ipoib_transport_init() - create PD, queues and QPs
 * @ipoib: the interface; @num_txq and @max_mtu are set
 *
 * Context: process, may sleep; ndo_init.
 * Return: 0, or a negative errno with nothing left behind; the log names what
 * failed.
 */
int ipoib_transport_init(struct ipoib_dev *ipoib)
{
	const char *what = "protection domain";
	unsigned int i = 0;
	int ret;

	ipoib->pd = ib_alloc_pd(ipoib->ibdev, 0);
	if (IS_ERR(ipoib->pd)) {
		ret = PTR_ERR(ipoib->pd);
		goto err;
	}
	what = "receive queue";
	ret = ipoib_rxq_create(ipoib);
	if (ret)
		goto err_pd;
	what = "transmit queue";
	ret = -ENOMEM;
	ipoib->txq = kvzalloc_objs(*ipoib->txq, ipoib->num_txq);
	if (!ipoib->txq)
		goto err_queues;
	for (; i < ipoib->num_txq; i++) {
		ret = ipoib_txq_create(ipoib, i);
		if (ret)
			goto err_queues;
	}
	ipoib->rxq->qp = ipoib->txq[0].qp;
	return 0;

err_queues:
	ipoib_napi_del(ipoib, i);
	while (i--)
		ipoib_txq_destroy(&ipoib->txq[i]);
	kvfree(ipoib->txq);
	ipoib_rxq_destroy(ipoib->rxq);
err_pd:
	ib_dealloc_pd(ipoib->pd);
err:
	dev_warn(&ipoib->ibdev->dev, "port %u: cannot create %s: %pe\n",
		 ipoib->port_num, what, ERR_PTR(ret));
	return ret;
}

/**
 * ipoib_transport_destroy() - undo ipoib_transport_init()
 * @ipoib: the interface, with its transport down
 *
 * Context: process, may sleep; ndo_uninit.
 */
void ipoib_transport_destroy(struct ipoib_dev *ipoib)
{
	unsigned int i;

	ipoib_napi_del(ipoib, ipoib->num_txq);
	for (i = 0; i < ipoib->num_txq; i++)
		ipoib_txq_destroy(&ipoib->txq[i]);
	ipoib_rxq_destroy(ipoib->rxq);
	kvfree(ipoib->txq);
	ib_dealloc_pd(ipoib->pd);
}
