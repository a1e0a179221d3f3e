// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Queues come and go: their creation, and changes of their number and size
 * while traffic goes on.
 *
 * Whatever a change needs is made beforehand: if there is no memory, or the HCA
 * refuses, all is as it was. Then the queues concerned complete what they hold
 * with their producers shut out, old and new parts change places, and the
 * producers come back. The stack keeps packets meanwhile.
 */
#include <linux/delay.h>
#include <linux/rtnetlink.h>
#include <net/netdev_queues.h>

#include "ipoib.h"
#include "ipoib_cm.h"

/* A multicast copy of what we sent finds its way back in less. */
#define IPOIB_ECHO_MS	20

/* What a transmit queue is made of. */
struct ipoib_tx_parts {
	struct ipoib_tx_req *ring;
	struct ipoib_tx_wr *chain;
	struct ib_cq *cq;
	struct ib_qp *qp;
};

/**
 * struct ipoib_parts - what all queues are made of, while it is not in use
 * @size: of the rings
 * @cap: what CQs and QPs are created for
 * @bufs: of the receive queue
 * @rx_cq: of the receive queue; NULL if CQs and QPs stay the old ones
 * @num_txq: entries of @tx
 * @tx: of the transmit queues
 */
struct ipoib_parts {
	struct ipoib_sizes size;
	struct ipoib_sizes cap;
	struct ipoib_rx_buf *bufs;
	struct ib_cq *rx_cq;
	unsigned int num_txq;
	struct ipoib_tx_parts tx[];
};

static void ipoib_tx_comp(struct ib_cq *cq, void *context)
{
	struct ipoib_txq *txq = context;

	napi_schedule(&txq->napi);
}

static void ipoib_rx_comp(struct ib_cq *cq, void *context)
{
	struct ipoib_rxq *rxq = context;

	rxq->events++;
	napi_schedule(&rxq->napi);
}

/* --- the work context, from outside ------------------------------------- */

struct ipoib_call {
	struct work_struct work;
	struct ipoib_dev *ipoib;
	int (*fn)(struct ipoib_dev *ipoib, void *arg);
	void *arg;
	int ret;
};

static void ipoib_call_work(struct work_struct *work)
{
	struct ipoib_call *call = container_of(work, struct ipoib_call, work);

	call->ret = call->fn(call->ipoib, call->arg);
}

/**
 * ipoib_in_work() - do something in the work context, and wait for it
 * @ipoib: the interface
 * @fn: what to do
 * @arg: for @fn
 *
 * Context: process, may sleep; RTNL or not, as the work context never takes it.
 * Return: what @fn returned.
 */
int ipoib_in_work(struct ipoib_dev *ipoib,
		  int (*fn)(struct ipoib_dev *ipoib, void *arg), void *arg)
{
	struct ipoib_call call = { .ipoib = ipoib, .fn = fn, .arg = arg };

	INIT_WORK_ONSTACK(&call.work, ipoib_call_work);
	queue_work(ipoib->wq, &call.work);
	flush_work(&call.work);
	destroy_work_on_stack(&call.work);
	return call.ret;
}

/* --- parts -------------------------------------------------------------- */

static struct ib_qp *ipoib_qp_create(struct ipoib_txq *txq, struct ib_cq *cq,
				     struct ib_cq *rx_cq,
				     const struct ipoib_sizes *cap)
{
	struct ipoib_dev *ipoib = txq->ipoib;
	const struct ib_device_attr *caps = &ipoib->ibdev->attrs;
	struct ib_qp_init_attr attr = {
		.qp_type = IB_QPT_UD,
		.sq_sig_type = IB_SIGNAL_REQ_WR,
		.send_cq = cq,
		.recv_cq = rx_cq ?: cq,
		.cap = {
			.max_send_wr = cap->tx,
			.max_send_sge = txq->max_sge,
			.max_recv_wr = rx_cq ? cap->rx : 0,
			.max_recv_sge = rx_cq ? 1 : 0,
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

/* CQ and QP; @rx_cq for the queue whose QP also receives, else NULL. */
static int ipoib_tx_parts_verbs(struct ipoib_txq *txq, struct ib_cq *rx_cq,
				const struct ipoib_sizes *cap,
				struct ipoib_tx_parts *parts)
{
	struct ipoib_dev *ipoib = txq->ipoib;
	unsigned int vectors = max(ipoib->ibdev->num_comp_vectors, 1);
	struct ib_cq_init_attr attr = {
		.cqe = min_t(unsigned int, cap->tx + IPOIB_CONN_BUDGET,
			     ipoib->ibdev->attrs.max_cqe),
		.comp_vector = (txq - ipoib->txq) % vectors,
	};
	struct ib_qp *qp;
	struct ib_cq *cq;

	cq = ib_create_cq(ipoib->ibdev, ipoib_tx_comp, NULL, txq, &attr);
	if (IS_ERR(cq))
		return PTR_ERR(cq);
	qp = ipoib_qp_create(txq, cq, rx_cq, cap);
	if (IS_ERR(qp)) {
		ib_destroy_cq(cq);
		return PTR_ERR(qp);
	}
	parts->cq = cq;
	parts->qp = qp;
	return 0;
}

static int ipoib_tx_parts_memory(struct ipoib_tx_parts *parts,
				 unsigned int size)
{
	parts->ring = kvzalloc_objs(*parts->ring, size);
	parts->chain = kzalloc_objs(*parts->chain, IPOIB_CHAIN_LEN);
	return parts->ring && parts->chain ? 0 : -ENOMEM;
}

/* Of what is there, in any state of completeness. */
static void ipoib_tx_parts_free(struct ipoib_tx_parts *parts)
{
	if (parts->qp)
		ib_destroy_qp(parts->qp);
	if (parts->cq)
		ib_destroy_cq(parts->cq);
	kfree(parts->chain);
	kvfree(parts->ring);
	memset(parts, 0, sizeof(*parts));
}

static void ipoib_tx_parts_swap(struct ipoib_txq *txq,
				struct ipoib_tx_parts *parts, bool verbs)
{
	swap(txq->ud.ring, parts->ring);
	swap(txq->chain, parts->chain);
	if (!verbs)
		return;
	swap(txq->cq, parts->cq);
	swap(txq->ud.qp, parts->qp);
}

/* With its parts in place, and nothing under way. */
static void ipoib_txq_set_size(struct ipoib_txq *txq, unsigned int size)
{
	txq->ud.size = size;
	ipoib_sq_init(&txq->ud);
	txq->size = size;
	txq->conn_size = min_t(unsigned int, txq->cq->cqe - size,
			       IPOIB_CONN_BUDGET);
}

static int ipoib_rx_parts_create(struct ipoib_dev *ipoib,
				 struct ipoib_parts *parts, bool verbs)
{
	struct ib_cq_init_attr attr = { .cqe = parts->cap.rx };
	unsigned int i;
	int ret = 0;

	parts->bufs = kvzalloc_objs(*parts->bufs, parts->size.rx);
	if (!parts->bufs)
		return -ENOMEM;
	for (i = 0; i < parts->size.rx; i++)
		parts->bufs[i].cqe.done = ipoib_rx_done;
	if (!verbs)
		return 0;
	parts->rx_cq = ib_create_cq(ipoib->ibdev, ipoib_rx_comp, NULL,
				    ipoib->rxq, &attr);
	if (IS_ERR(parts->rx_cq)) {
		ret = PTR_ERR(parts->rx_cq);
		parts->rx_cq = NULL;
	}
	return ret;
}

static void ipoib_parts_free(struct ipoib_parts *parts)
{
	unsigned int i;

	/* QPs first, as the first of them also uses rx_cq. */
	for (i = 0; i < parts->num_txq; i++)
		ipoib_tx_parts_free(&parts->tx[i]);
	if (parts->rx_cq)
		ib_destroy_cq(parts->rx_cq);
	kvfree(parts->bufs);
	kfree(parts);
}

/* Rings of @size for all queues, with CQs and QPs if the old ones are too small. */
static struct ipoib_parts *ipoib_parts_create(struct ipoib_dev *ipoib,
					      const struct ipoib_sizes *size)
{
	bool verbs = size->tx > ipoib->cap.tx || size->rx > ipoib->cap.rx;
	struct ipoib_parts *parts;
	unsigned int i;
	int ret;

	parts = kzalloc_flex(*parts, tx, ipoib->num_txq);
	if (!parts)
		return ERR_PTR(-ENOMEM);
	parts->num_txq = ipoib->num_txq;
	parts->size = *size;
	/* Not less than before, so that as few changes as can be need another
	 * QP, and with it another address.
	 */
	parts->cap.tx = max(size->tx, ipoib->cap.tx);
	parts->cap.rx = max(size->rx, ipoib->cap.rx);
	ret = ipoib_rx_parts_create(ipoib, parts, verbs);
	for (i = 0; i < parts->num_txq && !ret; i++) {
		ret = ipoib_tx_parts_memory(&parts->tx[i], size->tx);
		if (verbs && !ret)
			ret = ipoib_tx_parts_verbs(&ipoib->txq[i],
						   i ? NULL : parts->rx_cq,
						   &parts->cap, &parts->tx[i]);
	}
	if (!ret)
		return parts;
	ipoib_parts_free(parts);
	return ERR_PTR(ret);
}

/* What is in use goes there, and what is there comes into use. All queues are
 * down.
 */
static void ipoib_parts_swap(struct ipoib_dev *ipoib, struct ipoib_parts *parts)
{
	struct ipoib_rxq *rxq = ipoib->rxq;
	bool verbs = parts->rx_cq;
	unsigned int i;

	/* Also while the interface is down may ethtool have set it to work. */
	ipoib_dim_stop(rxq);
	swap(ipoib->size, parts->size);
	swap(ipoib->cap, parts->cap);
	swap(rxq->bufs, parts->bufs);
	rxq->size = ipoib->size.rx;
	if (verbs)
		swap(rxq->cq, parts->rx_cq);
	for (i = 0; i < parts->num_txq; i++) {
		ipoib_tx_parts_swap(&ipoib->txq[i], &parts->tx[i], verbs);
		ipoib_txq_set_size(&ipoib->txq[i], ipoib->size.tx);
	}
	rxq->qp = ipoib->txq[0].ud.qp;
}

/* --- size --------------------------------------------------------------- */

/**
 * ipoib_max_queue_size() - packets that a ring can have
 * @ipoib: the interface
 *
 * Return: a power of two.
 */
unsigned int ipoib_max_queue_size(const struct ipoib_dev *ipoib)
{
	const struct ib_device_attr *caps = &ipoib->ibdev->attrs;
	/* Half a CQ may be connections'. */
	unsigned int conns = min_t(unsigned int, caps->max_cqe / 2,
				   IPOIB_CONN_BUDGET);
	unsigned int max = min_t(unsigned int, caps->max_qp_wr,
				 caps->max_cqe - conns);

	return rounddown_pow_of_two(clamp_t(unsigned int, max, 1,
					    IPOIB_MAX_QUEUE_SIZE));
}

/* A QP that groups are attached to cannot be destroyed. */
static void ipoib_groups_detach(struct ipoib_dev *ipoib)
{
	struct ipoib_group *group;

	list_for_each_entry(group, &ipoib->group_list, entry)
		if (group->attached)
			ipoib_transport_detach(ipoib, &group->mgid,
					       be16_to_cpu(group->rec.mlid));
}

/* One that cannot be attached now is joined again, and attached then. */
static void ipoib_groups_attach(struct ipoib_dev *ipoib)
{
	struct ipoib_group *group;

	list_for_each_entry(group, &ipoib->group_list, entry) {
		if (!group->attached ||
		    !ipoib_transport_attach(ipoib, &group->mgid,
					    be16_to_cpu(group->rec.mlid)))
			continue;
		netdev_warn(ipoib->netdev, "cannot attach to %pI6\n",
			    group->mgid.raw);
		group->attached = false;
		group->rejoin = group->joined;
		ipoib_kick(ipoib);
	}
}

static int ipoib_parts_use(struct ipoib_dev *ipoib, struct ipoib_parts *parts,
			   bool up)
{
	bool verbs = parts->rx_cq;
	int ret = 0;

	if (verbs)
		ipoib_groups_detach(ipoib);
	ipoib_parts_swap(ipoib, parts);
	if (up)
		ret = ipoib_transport_up(ipoib, ipoib->pkey_index);
	if (verbs)
		ipoib_groups_attach(ipoib);
	return ret;
}

/**
 * ipoib_transport_resize() - give all rings another size
 * @ipoib: the interface
 * @size: powers of two within limits
 *
 * Rings larger than what the QPs were created for come with other QPs, and the
 * link-layer address is then to be changed. Packets that the queues hold are
 * sent before; some that arrive meanwhile are lost.
 *
 * Context: work context, may sleep for IPOIB_DRAIN_MS.
 * Return: 0, or a negative errno with the old rings in use.
 */
int ipoib_transport_resize(struct ipoib_dev *ipoib,
			   const struct ipoib_sizes *size)
{
	struct ipoib_parts *parts = ipoib_parts_create(ipoib, size);
	bool up = ipoib->transport_up;
	int ret;

	if (IS_ERR(parts))
		return PTR_ERR(parts);
	if (up) {
		ipoib_queues_drain(ipoib->txq, ipoib->num_txq);
		ipoib_transport_down(ipoib);
	}
	ret = ipoib_parts_use(ipoib, parts, up);
	/* If not even the old ones work, the state machine tries again. */
	if (ret && ipoib_parts_use(ipoib, parts, up))
		ipoib_kick_after(ipoib, HZ);
	/* A queue's last poll may still be about to arm the old CQ. */
	synchronize_net();
	ipoib_parts_free(parts);
	return ret;
}

/* --- number ------------------------------------------------------------- */

static void ipoib_txq_init(struct ipoib_dev *ipoib, unsigned int index)
{
	struct ipoib_txq *txq = &ipoib->txq[index];

	txq->ipoib = ipoib;
	txq->ud.txq = txq;
	init_llist_head(&txq->abandoned);
	txq->nq = netdev_get_tx_queue(ipoib->netdev, index);
	txq->max_sge = min_t(unsigned int, MAX_SKB_FRAGS + 1,
			     ipoib->ibdev->attrs.max_send_sge);
	u64_stats_init(&txq->stats.syncp);
}

/* Takes one more queue into use, but does not tell the stack of it. */
static int ipoib_txq_add(struct ipoib_dev *ipoib, unsigned int index)
{
	struct ipoib_txq *txq = &ipoib->txq[index];
	struct ipoib_tx_parts parts = {};
	int ret;

	ret = ipoib_tx_parts_memory(&parts, ipoib->size.tx);
	if (!ret)
		ret = ipoib_tx_parts_verbs(txq, NULL, &ipoib->cap, &parts);
	if (ret) {
		ipoib_tx_parts_free(&parts);
		return ret;
	}
	ipoib_tx_parts_swap(txq, &parts, true);
	ipoib_txq_set_size(txq, ipoib->size.tx);
	if (ipoib->transport_up)
		ret = ipoib_txq_up(txq);
	return ret;
}

/* Nobody sends to these queues any more, and what they sent is complete. One
 * that is not in use has no slots, which xmit takes for full.
 */
static void ipoib_txqs_free(struct ipoib_dev *ipoib, unsigned int first,
			    unsigned int end)
{
	struct ipoib_tx_parts parts = {};
	struct ipoib_txq *txq;

	/* For the receive queue, which asks for our QPNs. */
	synchronize_net();
	for (txq = &ipoib->txq[first]; txq < &ipoib->txq[end]; txq++) {
		txq->size = 0;
		ipoib_tx_parts_swap(txq, &parts, true);
		ipoib_tx_parts_free(&parts);
		/* The stack's watchdog looks at queues out of use, too. */
		netif_tx_start_queue(txq->nq);
	}
}

static int ipoib_txqs_add(struct ipoib_dev *ipoib, unsigned int num)
{
	unsigned int old = ipoib->num_txq, i;
	int ret = 0;

	for (i = old; i < num && !ret; i++)
		ret = ipoib_txq_add(ipoib, i);
	if (ret) {
		ipoib_queues_down(&ipoib->txq[old], i - old);
		ipoib_txqs_free(ipoib, old, i);
		return ret;
	}
	/* Pairs with the acquire in ipoib_rx_is_own(). */
	smp_store_release(&ipoib->num_txq, num);
	return 0;
}

static void ipoib_txqs_remove(struct ipoib_dev *ipoib, unsigned int num)
{
	unsigned int old = ipoib->num_txq;

	ipoib_queues_drain(&ipoib->txq[num], old - num);
	ipoib_queues_down(&ipoib->txq[num], old - num);
	msleep(IPOIB_ECHO_MS);
	WRITE_ONCE(ipoib->num_txq, num);
	ipoib_txqs_free(ipoib, num, old);
}

/**
 * ipoib_transport_set_queues() - use another number of transmit queues
 * @ipoib: the interface
 * @num: 1 to the net_device's num_tx_queues; the stack must not use more until
 *	this has returned, or not any more
 *
 * Context: work context, may sleep for IPOIB_DRAIN_MS.
 * Return: 0, or a negative errno with the old number in use.
 */
int ipoib_transport_set_queues(struct ipoib_dev *ipoib, unsigned int num)
{
	/* Which queue a connection is on depends on how many there are. */
	if (ipoib->transport_up)
		ipoib_cm_flush_tx(ipoib, ipoib->txq, ipoib->num_txq);
	if (num > ipoib->num_txq)
		return ipoib_txqs_add(ipoib, num);
	if (num < ipoib->num_txq)
		ipoib_txqs_remove(ipoib, num);
	return 0;
}

/**
 * ipoib_link_napis() - tell the stack which NAPI serves which transmit queue
 * @ipoib: the interface
 * @first: the first queue
 * @end: the one behind the last
 *
 * Context: RTNL.
 */
void ipoib_link_napis(struct ipoib_dev *ipoib, unsigned int first,
		      unsigned int end)
{
	ASSERT_RTNL();
	for (; first < end; first++)
		netif_queue_set_napi(ipoib->netdev, first,
				     NETDEV_QUEUE_TYPE_TX,
				     &ipoib->txq[first].napi);
}

/**
 * ipoib_unlink_napis() - undo ipoib_link_napis()
 * @ipoib: the interface
 * @first: the first queue
 * @end: the one behind the last
 *
 * Context: RTNL.
 */
void ipoib_unlink_napis(struct ipoib_dev *ipoib, unsigned int first,
			unsigned int end)
{
	ASSERT_RTNL();
	for (; first < end; first++)
		netif_queue_set_napi(ipoib->netdev, first,
				     NETDEV_QUEUE_TYPE_TX, NULL);
}

/**
 * ipoib_set_xps() - CPUs take turns with the transmit queues
 * @ipoib: the interface
 *
 * Unless the administrator says otherwise, later.
 *
 * Context: process, may sleep.
 */
void ipoib_set_xps(struct ipoib_dev *ipoib)
{
	unsigned int queue, i;
	cpumask_var_t mask;
	int cpu;

	if (ipoib->num_txq == 1)
		return;
	if (!zalloc_cpumask_var(&mask, GFP_KERNEL)) {
		netdev_warn(ipoib->netdev,
			    "no memory to spread CPUs over transmit queues\n");
		return;
	}
	for (queue = 0; queue < ipoib->num_txq; queue++) {
		cpumask_clear(mask);
		i = 0;
		for_each_online_cpu(cpu)
			if (i++ % ipoib->num_txq == queue)
				cpumask_set_cpu(cpu, mask);
		netif_set_xps_queue(ipoib->netdev, mask, queue);
	}
	free_cpumask_var(mask);
}

/* --- birth and death ---------------------------------------------------- */

static int ipoib_rxq_create(struct ipoib_dev *ipoib)
{
	struct ipoib_rxq *rxq = kzalloc_obj(*rxq);

	if (!rxq)
		return -ENOMEM;
	rxq->ipoib = ipoib;
	rxq->frame_max = IB_GRH_BYTES + IPOIB_ENCAP_LEN + ipoib->max_mtu;
	rxq->order = get_order(SKB_DATA_ALIGN(IPOIB_RX_OFFSET + rxq->frame_max) +
			       SKB_DATA_ALIGN(sizeof(struct skb_shared_info)));
	u64_stats_init(&rxq->stats.syncp);
	ipoib_dim_init(rxq);
	ipoib->rxq = rxq;
	return 0;
}

/* Those of queues that are not in use as well: to add one takes the device's
 * instance lock, which whoever changes their number may hold.
 */
static void ipoib_napis_add(struct ipoib_dev *ipoib)
{
	unsigned int i;

	for (i = 0; i < ipoib->netdev->num_tx_queues; i++) {
		netif_napi_add(ipoib->netdev, &ipoib->txq[i].napi,
			       ipoib_tx_poll);
		napi_enable(&ipoib->txq[i].napi);
	}
	netif_napi_add(ipoib->netdev, &ipoib->rxq->napi, ipoib_rx_poll);
	napi_enable(&ipoib->rxq->napi);
}

static void ipoib_napis_del(struct ipoib_dev *ipoib)
{
	unsigned int i;

	for (i = 0; i < ipoib->netdev->num_tx_queues; i++) {
		napi_disable(&ipoib->txq[i].napi);
		__netif_napi_del(&ipoib->txq[i].napi);
	}
	napi_disable(&ipoib->rxq->napi);
	__netif_napi_del(&ipoib->rxq->napi);
	/* One grace period for all, before what they are in is freed. */
	synchronize_net();
}

/* The parts of all queues, from nothing. */
static int ipoib_queues_create(struct ipoib_dev *ipoib)
{
	unsigned int max = ipoib_max_queue_size(ipoib), i;
	struct ipoib_sizes size = {
		.tx = min_t(unsigned int, ipoib_send_queue_size, max),
		.rx = min_t(unsigned int, ipoib_recv_queue_size, max),
	};
	struct ipoib_parts *parts;

	for (i = 0; i < ipoib->netdev->num_tx_queues; i++)
		ipoib_txq_init(ipoib, i);
	parts = ipoib_parts_create(ipoib, &size);
	if (IS_ERR(parts))
		return PTR_ERR(parts);
	ipoib_parts_swap(ipoib, parts);
	ipoib_parts_free(parts);
	ipoib_napis_add(ipoib);
	ipoib_link_napis(ipoib, 0, ipoib->num_txq);
	netif_queue_set_napi(ipoib->netdev, 0, NETDEV_QUEUE_TYPE_RX,
			     &ipoib->rxq->napi);
	return 0;
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
	what = "queues";
	ret = -ENOMEM;
	ipoib->txq = kvzalloc_objs(*ipoib->txq, ipoib->netdev->num_tx_queues);
	if (!ipoib->txq)
		goto err_rxq;
	ret = ipoib_queues_create(ipoib);
	if (ret)
		goto err_txq;
	return 0;

err_txq:
	kvfree(ipoib->txq);
err_rxq:
	kfree(ipoib->rxq);
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
	ipoib_unlink_napis(ipoib, 0, ipoib->num_txq);
	netif_queue_set_napi(ipoib->netdev, 0, NETDEV_QUEUE_TYPE_RX, NULL);
	ipoib_napis_del(ipoib);
	ipoib_dim_stop(ipoib->rxq);
	ipoib_txqs_free(ipoib, 0, ipoib->num_txq);
	ib_destroy_cq(ipoib->rxq->cq);
	kvfree(ipoib->rxq->bufs);
	kfree(ipoib->rxq);
	kvfree(ipoib->txq);
	ib_dealloc_pd(ipoib->pd);
}
