// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Connected mode, receiving: the queues that peers' connections are on.
 *
 * Connections are spread over a few receive queues, each with an SRQ, a CQ and
 * a NAPI; on HCAs without SRQ each connection has buffers of its own. A queue
 * has these, and memory, from the first connection on it until there is none
 * and connected mode is off.
 *
 * A message lies in whole pages, of which as many as it takes go up with it and
 * are replaced.
 */
#include <linux/delay.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/slab.h>
#include <linux/tcp.h>
#include <linux/unaligned.h>
#include <net/page_pool/helpers.h>

#include "ipoib.h"
#include "ipoib_cm.h"
#include "ipoib_trace.h"

/* Bytes of a message that are copied to where the stack looks for headers. */
#define IPOIB_CM_HEAD		128
/* Buffers of a connection on HCAs without, a quarter of what a queue has. */
#define IPOIB_CM_OWN_SHARE	4

/* --- buffers ------------------------------------------------------------ */

static void ipoib_cm_buf_set(struct ipoib_cm_rxq *rxq, struct ipoib_cm_buf *buf,
			     unsigned int i, struct page *page)
{
	buf->page[i] = page;
	if (ipoib_virt_dma(rxq->ipoib))
		buf->addr[i] = (uintptr_t)page_address(page);
	else
		buf->addr[i] = page_pool_get_dma_addr(page);
}

/**
 * ipoib_cm_ring_free() - give receive buffers back that nothing is posted of
 * @rxq: the queue
 * @ring: whose they are
 *
 * Context: work context.
 */
void ipoib_cm_ring_free(struct ipoib_cm_rxq *rxq, struct ipoib_cm_ring *ring)
{
	unsigned int i, k;

	for (i = 0; i < ring->size; i++)
		for (k = 0; k < IPOIB_CM_PAGES; k++)
			if (ring->bufs[i].page[k])
				page_pool_put_full_page(rxq->pool,
							ring->bufs[i].page[k],
							false);
	kvfree(ring->bufs);
	memset(ring, 0, sizeof(*ring));
}

/**
 * ipoib_cm_ring_alloc() - make receive buffers
 * @rxq: the queue, started or being started; its consumer is held off
 * @ring: for them
 * @size: how many
 *
 * Context: work context, may sleep.
 * Return: 0 or -ENOMEM.
 */
int ipoib_cm_ring_alloc(struct ipoib_cm_rxq *rxq, struct ipoib_cm_ring *ring,
			unsigned int size)
{
	unsigned int i, k;

	ring->bufs = kvzalloc_objs(*ring->bufs, size);
	if (!ring->bufs)
		return -ENOMEM;
	ring->size = size;
	for (i = 0; i < size; i++) {
		ring->bufs[i].ring = ring;
		for (k = 0; k < rxq->ipoib->cm.rx_pages; k++) {
			struct page *page;

			page = page_pool_alloc_pages(rxq->pool, GFP_KERNEL);
			if (!page) {
				ipoib_cm_ring_free(rxq, ring);
				return -ENOMEM;
			}
			ipoib_cm_buf_set(rxq, &ring->bufs[i], k, page);
		}
	}
	return 0;
}

/**
 * ipoib_cm_rxq_failed() - a queue is of no use any more
 * @rxq: the queue
 *
 * The work context ends its connections and has it made anew.
 *
 * Context: any.
 */
void ipoib_cm_rxq_failed(struct ipoib_cm_rxq *rxq)
{
	WRITE_ONCE(rxq->broken, true);
	mod_delayed_work(rxq->ipoib->wq, &rxq->ipoib->cm.work, 0);
}

/* A QP that gets no buffers any more, or an SRQ, is of no use. */
static void ipoib_cm_post_failed(struct ipoib_cm_rxq *rxq,
				 struct ipoib_cm_ring *ring, int ret)
{
	struct ipoib_conn_rx *rx;

	net_err_ratelimited("%s: cannot post receive buffers for connections: %pe\n",
			    rxq->ipoib->netdev->name, ERR_PTR(ret));
	if (ring->srq) {
		ipoib_cm_rxq_failed(rxq);
		return;
	}
	rx = ring->qp->qp_context;
	ipoib_conn_event(&rx->conn, IPOIB_CONN_EV_ERROR);
}

static int ipoib_cm_post(struct ipoib_cm_rxq *rxq)
{
	struct ipoib_cm_ring *ring = rxq->refill_ring;
	unsigned int n = rxq->refills, i;
	const struct ib_recv_wr *bad;
	int ret;

	if (!n)
		return 0;
	rxq->refill[n - 1].wr.next = NULL;
	rxq->refills = 0;
	if (ring->srq)
		ret = ib_post_srq_recv(ring->srq, &rxq->refill[0].wr, &bad);
	else
		ret = ib_post_recv(ring->qp, &rxq->refill[0].wr, &bad);
	if (likely(!ret)) {
		ring->posted += n;
		return 0;
	}
	for (i = 0; i < n && &rxq->refill[i].wr != bad; i++)
		ring->posted++;
	ipoib_cm_post_failed(rxq, ring, ret);
	return ret;
}

static int ipoib_cm_chain(struct ipoib_cm_rxq *rxq, struct ipoib_cm_buf *buf)
{
	unsigned int n, i, pages = rxq->ipoib->cm.rx_pages;
	struct ib_recv_wr *wr;
	int ret = 0;

	if (rxq->refill_ring != buf->ring) {
		ret = ipoib_cm_post(rxq);
		rxq->refill_ring = buf->ring;
	}
	n = rxq->refills++;
	wr = &rxq->refill[n].wr;
	if (n)
		rxq->refill[n - 1].wr.next = wr;
	wr->wr_cqe = &buf->cqe;
	wr->sg_list = rxq->refill[n].sge;
	wr->num_sge = pages;
	for (i = 0; i < pages; i++)
		rxq->refill[n].sge[i] = (struct ib_sge) {
			.addr = buf->addr[i],
			.length = PAGE_SIZE,
			.lkey = rxq->ipoib->pd->local_dma_lkey,
		};
	if (rxq->refills == IPOIB_POLL_BATCH)
		ret = ipoib_cm_post(rxq);
	return ret;
}

/**
 * ipoib_cm_post_all() - post all buffers of a ring that is not in use yet
 * @rxq: the queue, whose consumer is held off
 * @ring: the ring
 *
 * Context: work context.
 * Return: 0 or a negative errno, with some posted; the log says more.
 */
int ipoib_cm_post_all(struct ipoib_cm_rxq *rxq, struct ipoib_cm_ring *ring)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < ring->size && !ret; i++)
		ret = ipoib_cm_chain(rxq, &ring->bufs[i]);
	return ret ?: ipoib_cm_post(rxq);
}

/* --- frames ------------------------------------------------------------- */

static void ipoib_cm_sync(struct ipoib_cm_rxq *rxq,
			  const struct ipoib_cm_buf *buf, unsigned int len,
			  bool cpu)
{
	struct ib_device *ibdev = rxq->ipoib->ibdev;
	unsigned int i;

	for (i = 0; i < DIV_ROUND_UP(len, PAGE_SIZE); i++) {
		if (cpu)
			ib_dma_sync_single_for_cpu(ibdev, buf->addr[i],
						   PAGE_SIZE, DMA_FROM_DEVICE);
		else
			ib_dma_sync_single_for_device(ibdev, buf->addr[i],
						      PAGE_SIZE,
						      DMA_FROM_DEVICE);
	}
}

/* Room for the pseudo header, and the first @head bytes of the message. */
static struct sk_buff *ipoib_cm_skb(struct ipoib_cm_rxq *rxq,
				    const struct ipoib_cm_buf *buf,
				    unsigned int head)
{
	struct sk_buff *skb;

	skb = napi_alloc_skb(&rxq->napi, INFINIBAND_ALEN + head);
	if (unlikely(!skb))
		return NULL;
	skb_put(skb, INFINIBAND_ALEN);
	skb_put_data(skb, page_address(buf->page[0]), head);
	return skb;
}

/* How many bytes of a message are headers, if it is what most are: GRO merges
 * only what has no payload in front of its fragments.
 */
static unsigned int ipoib_cm_head_len(const u8 *data)
{
	unsigned int len = IPOIB_ENCAP_LEN;
	u8 proto;

	switch (get_unaligned_be16(data)) {
	case ETH_P_IP:
		proto = data[len + offsetof(struct iphdr, protocol)];
		len += (data[len] & 0xf) * 4;
		break;
	case ETH_P_IPV6:
		proto = data[len + offsetof(struct ipv6hdr, nexthdr)];
		len += sizeof(struct ipv6hdr);
		break;
	default:
		return IPOIB_CM_HEAD;
	}
	if (proto == IPPROTO_TCP)
		len += (data[len + 12] >> 4) * 4;
	else
		len += 8;
	return min_t(unsigned int, len, IPOIB_CM_HEAD);
}

static bool ipoib_cm_alloc_pages(struct ipoib_cm_rxq *rxq, struct page **pages,
				 unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++) {
		pages[i] = page_pool_dev_alloc_pages(rxq->pool);
		if (unlikely(!pages[i])) {
			while (i--)
				page_pool_recycle_direct(rxq->pool, pages[i]);
			return false;
		}
	}
	return true;
}

/* The message as an skb that takes the pages; the buffer gets others. */
static struct sk_buff *ipoib_cm_take_pages(struct ipoib_cm_rxq *rxq,
					   struct ipoib_cm_buf *buf,
					   unsigned int len)
{
	unsigned int n = DIV_ROUND_UP(len, PAGE_SIZE), i, head, off;
	struct page *fresh[IPOIB_CM_PAGES];
	struct sk_buff *skb;

	if (unlikely(!ipoib_cm_alloc_pages(rxq, fresh, n)))
		return NULL;
	head = ipoib_cm_head_len(page_address(buf->page[0]));
	skb = ipoib_cm_skb(rxq, buf, head);
	if (unlikely(!skb)) {
		for (i = 0; i < n; i++)
			page_pool_recycle_direct(rxq->pool, fresh[i]);
		return NULL;
	}
	for (i = 0; i < n; i++) {
		off = i ? 0 : head;
		skb_add_rx_frag(skb, i, buf->page[i], off,
				min_t(unsigned int, len - i * PAGE_SIZE,
				      PAGE_SIZE) - off, PAGE_SIZE);
		ipoib_cm_buf_set(rxq, buf, i, fresh[i]);
	}
	skb_mark_for_recycle(skb);
	return skb;
}

static void ipoib_cm_deliver(struct ipoib_cm_rxq *rxq, struct ipoib_cm_buf *buf,
			     unsigned int len)
{
	struct sk_buff *skb;

	ipoib_cm_sync(rxq, buf, len, true);
	if (len > IPOIB_COPYBREAK)
		skb = ipoib_cm_take_pages(rxq, buf, len);
	else
		skb = ipoib_cm_skb(rxq, buf, len);
	if (len <= IPOIB_COPYBREAK || unlikely(!skb))
		ipoib_cm_sync(rxq, buf, len, false);
	if (likely(skb))
		ipoib_rx_stack(rxq->ipoib, &rxq->napi, &rxq->stats, skb,
			       PACKET_HOST);
	else
		ipoib_count(rxq->ipoib, IPOIB_RX_NO_BUFFER);
}

/* Whatever arrived, the buffer goes back, unless its QP is being flushed. */
static void ipoib_cm_rx_done(struct ipoib_cm_rxq *rxq, const struct ib_wc *wc)
{
	struct ipoib_cm_buf *buf =
		container_of(wc->wr_cqe, struct ipoib_cm_buf, cqe);
	struct ipoib_conn_rx *rx = wc->qp->qp_context;

	buf->ring->posted--;
	if (unlikely(wc->status != IB_WC_SUCCESS)) {
		if (wc->status != IB_WC_WR_FLUSH_ERR)
			ipoib_count(rxq->ipoib, IPOIB_RX_WC_ERROR);
		ipoib_conn_event(&rx->conn, IPOIB_CONN_EV_ERROR);
		if (!buf->ring->srq)
			return;
	} else if (unlikely(wc->byte_len < IPOIB_ENCAP_LEN)) {
		ipoib_count(rxq->ipoib, IPOIB_RX_SHORT);
	} else {
		ipoib_touch(&rx->last_used);
		ipoib_cm_deliver(rxq, buf, wc->byte_len);
	}
	ipoib_cm_chain(rxq, buf);
}

static int ipoib_cm_rx_poll(struct napi_struct *napi, int budget)
{
	struct ipoib_cm_rxq *rxq = container_of(napi, struct ipoib_cm_rxq, napi);
	int done = 0, want, n, i;

	if (!ipoib_poll_begin(&rxq->running, napi, budget))
		return 0;
	while (done < budget) {
		want = min(budget - done, IPOIB_POLL_BATCH);
		n = max(ib_poll_cq(rxq->cq, want, rxq->wc), 0);
		for (i = 0; i < n; i++)
			ipoib_cm_rx_done(rxq, &rxq->wc[i]);
		ipoib_cm_post(rxq);
		done += n;
		/* They have been dealt with, and posted again. Pairs with the
		 * acquire in ipoib_conn_rx_flushed().
		 */
		smp_store_release(&rxq->polled, rxq->polled + n);
		if (n < want) {
			/* Likewise. */
			smp_store_release(&rxq->emptied, rxq->emptied + 1);
			break;
		}
	}
	if (done < budget && napi_complete_done(napi, done) &&
	    ib_req_notify_cq(rxq->cq, IB_CQ_NEXT_COMP |
				      IB_CQ_REPORT_MISSED_EVENTS))
		napi_schedule(napi);
	return done;
}

static void ipoib_cm_rx_comp(struct ib_cq *cq, void *context)
{
	struct ipoib_cm_rxq *rxq = context;

	napi_schedule(&rxq->napi);
}

/* Of the CQ, or of the SRQ. */
static void ipoib_cm_rxq_event(struct ib_event *event, void *context)
{
	struct ipoib_cm_rxq *rxq = context;

	if (event->event != IB_EVENT_CQ_ERR && event->event != IB_EVENT_SRQ_ERR)
		return;
	net_warn_ratelimited("%s: receive queue for connections failed: %s\n",
			     rxq->ipoib->netdev->name,
			     ib_event_msg(event->event));
	ipoib_cm_rxq_failed(rxq);
}

/* --- queues ------------------------------------------------------------- */

/**
 * ipoib_cm_ring_size() - buffers that a queue has, or without SRQ a connection
 * @ipoib: the interface
 *
 * Return: their number.
 */
unsigned int ipoib_cm_ring_size(const struct ipoib_dev *ipoib)
{
	const struct ib_device_attr *caps = &ipoib->ibdev->attrs;

	if (!ipoib->cm.use_srq)
		return max(ipoib->size.rx / IPOIB_CM_OWN_SHARE, 1U);
	return min_t(unsigned int, ipoib->size.rx, caps->max_srq_wr);
}

/**
 * ipoib_cm_cq_size() - completions that a queue has room for
 * @ipoib: the interface
 *
 * Return: their number.
 */
unsigned int ipoib_cm_cq_size(const struct ipoib_dev *ipoib)
{
	unsigned int size = ipoib_cm_ring_size(ipoib);

	if (!ipoib->cm.use_srq)
		size *= max(ipoib_max_nonsrq_conn_qp, 1);
	return min_t(unsigned int, size, ipoib->ibdev->attrs.max_cqe);
}

static int ipoib_cm_rxq_srq(struct ipoib_cm_rxq *rxq)
{
	struct ipoib_dev *ipoib = rxq->ipoib;
	unsigned int size = ipoib_cm_ring_size(ipoib);
	struct ib_srq_init_attr init = {
		.srq_type = IB_SRQT_BASIC,
		.event_handler = ipoib_cm_rxq_event,
		.srq_context = rxq,
		.attr = {
			.max_wr = size,
			.max_sge = ipoib->cm.rx_pages,
		},
	};
	struct ib_srq *srq;
	int ret;

	if (!ipoib->cm.use_srq)
		return 0;
	srq = ib_create_srq(ipoib->pd, &init);
	if (IS_ERR(srq))
		return PTR_ERR(srq);
	ret = ipoib_cm_ring_alloc(rxq, &rxq->ring, size);
	rxq->ring.srq = srq;
	return ret ?: ipoib_cm_post_all(rxq, &rxq->ring);
}

/* Of what is there; nothing is posted to, and nobody polls. */
static void ipoib_cm_rxq_free(struct ipoib_cm_rxq *rxq)
{
	if (rxq->ring.srq)
		ib_destroy_srq(rxq->ring.srq);
	ipoib_cm_ring_free(rxq, &rxq->ring);
	if (rxq->cq)
		ib_destroy_cq(rxq->cq);
	rxq->cq = NULL;
	rxq->refills = 0;
	if (rxq->pool)
		page_pool_destroy(rxq->pool);
	rxq->pool = NULL;
	rxq->broken = false;
	rxq->lost = 0;
}

static int ipoib_cm_rxq_pool(struct ipoib_cm_rxq *rxq)
{
	struct ib_device *ibdev = rxq->ipoib->ibdev;
	bool virt = ipoib_virt_dma(rxq->ipoib);
	struct page_pool_params params = {
		.flags = virt ? 0 : PP_FLAG_DMA_MAP | PP_FLAG_DMA_SYNC_DEV,
		.pool_size = min(ipoib_cm_ring_size(rxq->ipoib) *
				 rxq->ipoib->cm.rx_pages, 16384U),
		.nid = ibdev_to_node(ibdev),
		.dev = virt ? NULL : ibdev->dma_device,
		.dma_dir = DMA_FROM_DEVICE,
		.max_len = PAGE_SIZE,
	};
	struct page_pool *pool = page_pool_create(&params);

	if (IS_ERR(pool))
		return PTR_ERR(pool);
	rxq->pool = pool;
	return 0;
}

/**
 * ipoib_cm_rxq_resume() - let a queue's consumer begin, or go on
 * @rxq: the queue, with its buffers posted
 *
 * Its first poll arms the CQ.
 *
 * Context: work context.
 */
void ipoib_cm_rxq_resume(struct ipoib_cm_rxq *rxq)
{
	/* Pairs with the acquire in ipoib_poll_begin(). */
	smp_store_release(&rxq->running, true);
	local_bh_disable();
	napi_schedule(&rxq->napi);
	local_bh_enable();
}

/**
 * ipoib_cm_rxq_pause() - hold a queue's consumer off
 * @rxq: the queue
 *
 * See ipoib_queues_quiesce() for what is waited for, and why NAPI stays enabled.
 *
 * Context: work context, may sleep.
 */
void ipoib_cm_rxq_pause(struct ipoib_cm_rxq *rxq)
{
	WRITE_ONCE(rxq->running, false);
	/* Not tens of milliseconds, for each connection on an HCA without SRQ. */
	synchronize_rcu_expedited();
}

/* As ethtool -C says; where that says that moderation follows what comes in, it
 * does so for datagrams alone.
 */
static int ipoib_cm_rxq_moderate(struct ipoib_cm_rxq *rxq)
{
	const struct ipoib_moderation *mod = &rxq->ipoib->moderation;

	if (READ_ONCE(mod->adaptive_rx))
		return ipoib_cq_moderate(rxq->cq, 0, 0);
	return ipoib_cq_moderate(rxq->cq, READ_ONCE(mod->rx_frames),
				 READ_ONCE(mod->rx_usecs));
}

/**
 * ipoib_cm_rxqs_moderate() - have the HCA moderate the queues as set
 * @ipoib: the interface
 * @unused: for ipoib_in_work()
 *
 * Context: work context, may sleep.
 * Return: 0 or the errno of a device that refused.
 */
int ipoib_cm_rxqs_moderate(struct ipoib_dev *ipoib, void *unused)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < ipoib->cm.num_rxq && !ret; i++)
		if (ipoib->cm.rxq[i].running)
			ret = ipoib_cm_rxq_moderate(&ipoib->cm.rxq[i]);
	return ret;
}

/**
 * ipoib_cm_rxq_start() - give a queue what it needs, if it does not have it
 * @rxq: the queue
 *
 * Context: work context, may sleep.
 * Return: 0 or a negative errno.
 */
int ipoib_cm_rxq_start(struct ipoib_cm_rxq *rxq)
{
	struct ipoib_dev *ipoib = rxq->ipoib;
	struct ib_cq_init_attr attr = {
		.cqe = ipoib_cm_cq_size(ipoib),
		.comp_vector = (rxq - ipoib->cm.rxq) %
			       max(ipoib->ibdev->num_comp_vectors, 1),
	};
	int ret;

	if (rxq->running)
		return 0;
	ret = ipoib_cm_rxq_pool(rxq);
	if (ret)
		return ret;
	rxq->cq = ib_create_cq(ipoib->ibdev, ipoib_cm_rx_comp,
			       ipoib_cm_rxq_event, rxq, &attr);
	ret = PTR_ERR_OR_ZERO(rxq->cq);
	if (ret)
		rxq->cq = NULL;
	else
		ret = ipoib_cm_rxq_moderate(rxq);
	if (!ret)
		ret = ipoib_cm_rxq_srq(rxq);
	if (ret) {
		ipoib_cm_rxq_free(rxq);
		return ret;
	}
	ipoib_cm_rxq_resume(rxq);
	return 0;
}

static void ipoib_cm_rxq_stop(struct ipoib_cm_rxq *rxq)
{
	if (!rxq->running)
		return;
	ipoib_cm_rxq_pause(rxq);
	/* The last poll may still be about to arm the CQ. */
	synchronize_net();
	ipoib_cm_rxq_free(rxq);
}

/**
 * ipoib_cm_rxqs_release() - give back what no connection needs
 * @ipoib: the interface
 *
 * Context: work context, may sleep.
 */
void ipoib_cm_rxqs_release(struct ipoib_dev *ipoib)
{
	unsigned int i;

	for (i = 0; i < ipoib->cm.num_rxq; i++)
		if (!ipoib->cm.rxq[i].conns)
			ipoib_cm_rxq_stop(&ipoib->cm.rxq[i]);
}

static void ipoib_cm_rxq_leave(struct ipoib_cm_rxq *rxq)
{
	struct ipoib_conn *conn, *next;

	list_for_each_entry_safe(conn, next, &rxq->ipoib->cm.conns, entry)
		if (conn->passive && ipoib_conn_rx(conn)->rxq == rxq)
			ipoib_conn_leave(conn, 0);
}

/**
 * ipoib_cm_rxqs_mend() - have queues made anew that have failed
 * @ipoib: the interface
 *
 * Their connections end; peers make others, which find a new queue.
 *
 * Context: work context, may sleep.
 */
void ipoib_cm_rxqs_mend(struct ipoib_dev *ipoib)
{
	struct ipoib_cm_rxq *rxq;
	unsigned int i;

	for (i = 0; i < ipoib->cm.num_rxq; i++) {
		rxq = &ipoib->cm.rxq[i];
		if (likely(!READ_ONCE(rxq->broken)))
			continue;
		ipoib_cm_rxq_leave(rxq);
		if (!rxq->conns)
			ipoib_cm_rxq_stop(rxq);
	}
}

/**
 * ipoib_cm_receive_mtu() - what peers are told that we can take
 * @ipoib: the interface
 *
 * Return: bytes of a message, with the encapsulation header.
 */
u32 ipoib_cm_receive_mtu(const struct ipoib_dev *ipoib)
{
	return min_t(u32, ipoib->cm.rx_pages * PAGE_SIZE,
		     IPOIB_CM_MTU + IPOIB_ENCAP_LEN);
}

/**
 * ipoib_cm_rxqs_init() - make receive queues, without buffers
 * @ipoib: the interface
 *
 * Context: process, may sleep; ndo_init.
 * Return: 0 or a negative errno.
 */
int ipoib_cm_rxqs_init(struct ipoib_dev *ipoib)
{
	const struct ib_device_attr *caps = &ipoib->ibdev->attrs;
	struct ipoib_cm *cm = &ipoib->cm;
	unsigned int i;

	cm->use_srq = caps->max_srq && caps->max_srq_wr;
	cm->rx_pages = clamp_t(unsigned int, cm->use_srq ? caps->max_srq_sge :
							   caps->max_recv_sge,
			       1, IPOIB_CM_PAGES);
	cm->num_rxq = min_t(unsigned int, num_online_cpus(), IPOIB_MAX_CM_RXQ);
	cm->rxq = kvzalloc_objs(*cm->rxq, cm->num_rxq);
	if (!cm->rxq)
		return -ENOMEM;
	for (i = 0; i < cm->num_rxq; i++) {
		cm->rxq[i].ipoib = ipoib;
		u64_stats_init(&cm->rxq[i].stats.syncp);
		netif_napi_add(ipoib->netdev, &cm->rxq[i].napi,
			       ipoib_cm_rx_poll);
		napi_enable(&cm->rxq[i].napi);
	}
	return 0;
}

/**
 * ipoib_cm_rxqs_destroy() - undo ipoib_cm_rxqs_init()
 * @ipoib: the interface, after ipoib_cm_rxqs_release()
 *
 * Context: process, may sleep; ndo_uninit.
 */
void ipoib_cm_rxqs_destroy(struct ipoib_dev *ipoib)
{
	struct ipoib_cm *cm = &ipoib->cm;
	unsigned int i;

	for (i = 0; i < cm->num_rxq; i++) {
		napi_disable(&cm->rxq[i].napi);
		__netif_napi_del(&cm->rxq[i].napi);
	}
	synchronize_net();
	kvfree(cm->rxq);
}
