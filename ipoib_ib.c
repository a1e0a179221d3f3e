// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Packets in and out of the queues: post, poll, map, offload, deliver.
 *
 * Every transmit queue has a QP of its own, so that two queues share no lock.
 * Queue 0's QP also receives: its QPN is the one in the link-layer address.
 * A ring is filled by whoever holds the queue's xmit lock and emptied by the
 * queue's NAPI alone; the two meet in @head and @tail only.
 */
#include <linux/ip.h>
#include <linux/tcp.h>
#include <net/netdev_queues.h>
#include <net/page_pool/helpers.h>

#include "ipoib.h"
#include "ipoib_trace.h"

/* Completions that one transmit poll takes before it lets others run. */
#define IPOIB_TX_POLL_MAX	128

/* --- transmit, producer side -------------------------------------------- */

/**
 * ipoib_txq_backlog() - packets that a transmit queue has not completed
 * @txq: the queue
 *
 * Context: any; exact for the holder of the queue's xmit lock, who can only
 * see it shrink.
 * Return: how many of the ring's slots are taken.
 */
unsigned int ipoib_txq_backlog(const struct ipoib_txq *txq)
{
	/* Pairs with the release in ipoib_tx_reclaim(): a slot seen as free
	 * is not read by the consumer any more.
	 */
	return READ_ONCE(txq->head) - smp_load_acquire(&txq->tail);
}

static unsigned int ipoib_txq_room(const struct ipoib_txq *txq)
{
	return txq->size - ipoib_txq_backlog(txq);
}

/* Free slots with which a queue that was full is woken: more than there are of
 * a queue that is not in use, which has none.
 */
static unsigned int ipoib_txq_wake_room(const struct ipoib_txq *txq)
{
	return txq->size / 2 + 1;
}

static noinline void ipoib_txq_stopped(struct ipoib_txq *txq)
{
	lockdep_assert_held(&txq->nq->_xmit_lock);

	WRITE_ONCE(txq->stops, txq->stops + 1);
	trace_ipoib_queue_stop(txq);
}

static noinline void ipoib_txq_woken(struct ipoib_txq *txq)
{
	WRITE_ONCE(txq->wakes, txq->wakes + 1);
	trace_ipoib_queue_wake(txq);
}

static void ipoib_tx_unmap(struct ib_device *ibdev, struct ipoib_tx_req *req,
			   unsigned int mapped)
{
	struct sk_buff *skb = req->skb;
	unsigned int linear = skb_headlen(skb) - req->hlen;
	unsigned int i = 0, frag;

	if (linear) {
		if (mapped)
			ib_dma_unmap_single(ibdev, req->mapping[0], linear,
					    DMA_TO_DEVICE);
		i = 1;
	}
	for (frag = 0; i < mapped; frag++, i++)
		ib_dma_unmap_page(ibdev, req->mapping[i],
				  skb_frag_size(&skb_shinfo(skb)->frags[frag]),
				  DMA_TO_DEVICE);
}

static unsigned int ipoib_tx_segments(const struct ipoib_tx_req *req)
{
	return (skb_headlen(req->skb) > req->hlen) +
	       skb_shinfo(req->skb)->nr_frags;
}

/* Maps the packet behind its first req->hlen bytes and fills the gather list.
 * Returns the number of entries or -ENOMEM.
 */
static int ipoib_tx_map(struct ipoib_dev *ipoib, struct ipoib_tx_req *req,
			struct ib_sge *sge)
{
	struct ib_device *ibdev = ipoib->ibdev;
	struct sk_buff *skb = req->skb;
	unsigned int linear = skb_headlen(skb) - req->hlen;
	u32 lkey = ipoib->pd->local_dma_lkey;
	unsigned int i = 0, frag;

	if (linear) {
		req->mapping[0] = ib_dma_map_single(ibdev, skb->data + req->hlen,
						    linear, DMA_TO_DEVICE);
		if (ib_dma_mapping_error(ibdev, req->mapping[0]))
			return -ENOMEM;
		sge[i++] = (struct ib_sge) { req->mapping[0], linear, lkey };
	}
	for (frag = 0; frag < skb_shinfo(skb)->nr_frags; frag++, i++) {
		const skb_frag_t *f = &skb_shinfo(skb)->frags[frag];

		req->mapping[i] = ib_dma_map_page(ibdev, skb_frag_page(f),
						  skb_frag_off(f),
						  skb_frag_size(f),
						  DMA_TO_DEVICE);
		if (ib_dma_mapping_error(ibdev, req->mapping[i])) {
			ipoib_tx_unmap(ibdev, req, i);
			return -ENOMEM;
		}
		sge[i] = (struct ib_sge) {
			req->mapping[i], skb_frag_size(f), lkey
		};
	}
	return i;
}

/* Fills in what the packet costs on the wire and checks that it fits there.
 * An LSO header is everything up to the TCP payload, encapsulation included.
 */
static bool ipoib_tx_measure(struct ipoib_dev *ipoib, struct ipoib_tx_req *req)
{
	unsigned int max = READ_ONCE(ipoib->mcast_mtu) + IPOIB_ENCAP_LEN;
	struct sk_buff *skb = req->skb;

	if (skb_is_gso(skb)) {
		req->hlen = skb_tcp_all_headers(skb);
		req->packets = DIV_ROUND_UP(skb->len - req->hlen,
					    skb_shinfo(skb)->gso_size);
		req->bytes = skb->len + (req->packets - 1) * req->hlen;
		return skb_shinfo(skb)->gso_size + req->hlen <= max;
	}
	req->hlen = 0;
	req->packets = 1;
	req->bytes = skb->len;
	return skb->len <= max;
}

static void ipoib_tx_too_long(struct ipoib_dev *ipoib, struct sk_buff *skb)
{
	net_warn_ratelimited("%s: packet len %u (> %u) too long to send, dropping\n",
			     ipoib->netdev->name, skb->len,
			     ipoib->mcast_mtu + IPOIB_ENCAP_LEN);
	skb_dst_update_pmtu(skb, ipoib->mcast_mtu);
	ipoib_count_drop(ipoib, IPOIB_TX_TOO_LONG, skb);
}

static void ipoib_tx_fill_wr(struct ipoib_txq *txq, struct ipoib_tx_req *req,
			     struct ib_ah *ah, u32 qpn, int num_sge)
{
	struct ipoib_tx_wr *wr = &txq->chain[txq->chained];
	struct sk_buff *skb = req->skb;

	if (txq->chained)
		txq->chain[txq->chained - 1].ud.wr.next = &wr->ud.wr;
	txq->chained++;

	wr->ud.wr.next = NULL;
	wr->ud.wr.wr_cqe = &req->cqe;
	wr->ud.wr.sg_list = wr->sge;
	wr->ud.wr.num_sge = num_sge;
	wr->ud.wr.send_flags =
		skb->ip_summed == CHECKSUM_PARTIAL ? IB_SEND_IP_CSUM : 0;
	wr->ud.ah = ah;
	wr->ud.remote_qpn = qpn;
	wr->ud.remote_qkey = READ_ONCE(txq->ipoib->qkey);
	if (req->hlen) {
		wr->ud.wr.opcode = IB_WR_LSO;
		wr->ud.header = skb->data;
		wr->ud.hlen = req->hlen;
		wr->ud.mss = skb_shinfo(skb)->gso_size;
	} else {
		wr->ud.wr.opcode = IB_WR_SEND;
	}
}

/**
 * ipoib_txq_check() - something is wrong with a queue's QP
 * @txq: the queue
 *
 * Nothing more is sent until the work context has looked at it, in
 * ipoib_transport_mend().
 *
 * Context: any.
 */
void ipoib_txq_check(struct ipoib_txq *txq)
{
	WRITE_ONCE(txq->check_wanted, true);
	/* Before the queue is stopped: the consumer wakes it only after it has
	 * seen the flag clear, see ipoib_tx_poll().
	 */
	smp_mb();
	netif_tx_stop_queue(txq->nq);
	ipoib_kick(txq->ipoib);
}

/**
 * ipoib_txq_flush() - ring the doorbell for what ipoib_txq_send() has chained
 * @txq: the queue
 *
 * Only the last request of a chain is signalled: a send queue completes in
 * order, so its completion stands for all before it (InfiniBand Architecture,
 * section 10.8.6). A failed request always completes.
 *
 * Context: the queue's xmit lock is held.
 */
void ipoib_txq_flush(struct ipoib_txq *txq)
{
	struct ib_send_wr *first = &txq->chain[0].ud.wr;
	const struct ib_send_wr *bad;
	int ret;

	if (!txq->chained)
		return;
	txq->chain[txq->chained - 1].ud.wr.send_flags |= IB_SEND_SIGNALED;
	txq->chained = 0;
	ret = ib_post_send(txq->qp, first, &bad);
	if (likely(!ret))
		return;

	/* The slots stay taken; the reset drops and counts what is in them. */
	txq->unposted = bad;
	net_err_ratelimited("%s: cannot post to send queue %u: %pe\n",
			    txq->ipoib->netdev->name,
			    (unsigned int)(txq - txq->ipoib->txq), ERR_PTR(ret));
	ipoib_count(txq->ipoib, IPOIB_TX_POST);
	WRITE_ONCE(txq->reset_wanted, true);
	ipoib_txq_check(txq);
}

/* Makes the packet one that the HCA can gather: an LSO header in one piece, and
 * no more pieces than the QP takes.
 */
static bool ipoib_tx_shape(const struct ipoib_txq *txq,
			   struct ipoib_tx_req *req)
{
	if (!pskb_may_pull(req->skb, req->hlen))
		return false;
	if (likely(ipoib_tx_segments(req) <= txq->max_sge))
		return true;
	return !skb_linearize(req->skb) &&
	       ipoib_tx_segments(req) <= txq->max_sge;
}

/**
 * ipoib_txq_ready() - is there room for a packet?
 * @txq: the queue
 *
 * Context: the queue's xmit lock is held.
 * Return: true if there is; otherwise the stack's queue is stopped and will be
 * woken.
 */
bool ipoib_txq_ready(struct ipoib_txq *txq)
{
	int ret = netif_txq_maybe_stop(txq->nq, ipoib_txq_room(txq), 1,
				       ipoib_txq_wake_room(txq));

	if (unlikely(!ret))
		ipoib_txq_stopped(txq);
	return ret != 0;
}

/**
 * ipoib_txq_send() - queue one packet to a UD destination
 * @txq: the queue
 * @skb: the packet, consumed; its data begins at the encapsulation header
 * @ah: address handle, valid for as long as the caller is in its RCU section
 * @qpn: destination QPN
 * @more: another packet for the same queue follows at once
 *
 * Posts the chain unless @more, or when the chain or the ring is full. A
 * packet that cannot be sent is dropped and counted.
 *
 * Context: the queue's xmit lock and rcu_read_lock are held.
 * Return: true if the packet is on its way.
 */
bool ipoib_txq_send(struct ipoib_txq *txq, struct sk_buff *skb,
		    struct ib_ah *ah, u32 qpn, bool more)
{
	struct ipoib_dev *ipoib = txq->ipoib;
	struct ipoib_tx_req *req = &txq->ring[txq->head & (txq->size - 1)];
	int num_sge;

	lockdep_assert_held(&txq->nq->_xmit_lock);

	req->skb = skb;
	if (unlikely(!ipoib_tx_measure(ipoib, req))) {
		ipoib_tx_too_long(ipoib, skb);
		return false;
	}
	if (unlikely(!ipoib_tx_shape(txq, req))) {
		ipoib_count_drop(ipoib, IPOIB_TX_LINEARIZE, skb);
		return false;
	}
	num_sge = ipoib_tx_map(ipoib, req, txq->chain[txq->chained].sge);
	if (unlikely(num_sge < 0)) {
		ipoib_count_drop(ipoib, IPOIB_TX_MAP, skb);
		return false;
	}
	ipoib_tx_fill_wr(txq, req, ah, qpn, num_sge);
	skb_tx_timestamp(skb);

	WRITE_ONCE(txq->head, txq->head + 1);
	if (unlikely(!netif_txq_maybe_stop(txq->nq, ipoib_txq_room(txq), 1,
					   ipoib_txq_wake_room(txq))))
		ipoib_txq_stopped(txq);
	if (__netdev_tx_sent_queue(txq->nq, req->bytes, more) ||
	    txq->chained == IPOIB_CHAIN_LEN)
		ipoib_txq_flush(txq);
	return true;
}

/* --- transmit, consumer side -------------------------------------------- */

struct ipoib_tx_sum {
	unsigned int packets;
	unsigned int bytes;
};

/* Gives back the slots up to and with @last. */
static void ipoib_tx_reclaim(struct ipoib_txq *txq, unsigned int last,
			     int budget, struct ipoib_tx_sum *sum)
{
	struct ib_device *ibdev = txq->ipoib->ibdev;
	bool unmap = !ipoib_virt_dma(txq->ipoib);
	unsigned int tail = txq->tail;

	do {
		struct ipoib_tx_req *req = &txq->ring[tail & (txq->size - 1)];

		if (unmap)
			ipoib_tx_unmap(ibdev, req, ipoib_tx_segments(req));
		sum->packets += req->packets;
		sum->bytes += req->bytes;
		napi_consume_skb(req->skb, budget);
	} while (tail++ != last);

	/* Pairs with the acquire in ipoib_txq_backlog(). */
	smp_store_release(&txq->tail, tail);
}

static unsigned int ipoib_tx_wc_slot(const struct ipoib_txq *txq,
				     const struct ib_wc *wc)
{
	struct ipoib_tx_req *req =
		container_of(wc->wr_cqe, struct ipoib_tx_req, cqe);
	unsigned int index = req - txq->ring;

	return txq->tail + ((index - txq->tail) & (txq->size - 1));
}

static void ipoib_tx_wc_error(struct ipoib_txq *txq, const struct ib_wc *wc)
{
	if (wc->status == IB_WC_WR_FLUSH_ERR) {
		ipoib_count(txq->ipoib, IPOIB_TX_FLUSHED);
	} else {
		ipoib_count(txq->ipoib, IPOIB_TX_WC_ERROR);
		net_warn_ratelimited("%s: failed send event (status=%d, %s, vend_err %#x)\n",
				     txq->ipoib->netdev->name, wc->status,
				     ib_wc_status_msg(wc->status),
				     wc->vendor_err);
	}
	/* Unless it is we who are taking the QP down. */
	if (READ_ONCE(txq->active))
		ipoib_txq_check(txq);
}

static void ipoib_tx_account(struct ipoib_txq *txq,
			     const struct ipoib_tx_sum *good)
{
	if (!good->packets)
		return;
	u64_stats_update_begin(&txq->stats.syncp);
	u64_stats_add(&txq->stats.packets, good->packets);
	u64_stats_add(&txq->stats.bytes, good->bytes);
	u64_stats_update_end(&txq->stats.syncp);
}

/* A failed request stands for itself alone, and for good ones before it. */
static void ipoib_tx_complete(struct ipoib_txq *txq, const struct ib_wc *wc,
			      int budget, struct ipoib_tx_sum *good,
			      struct ipoib_tx_sum *bad)
{
	unsigned int slot = ipoib_tx_wc_slot(txq, wc);

	/* A completion for a slot that is not in use is the HCA's mistake. */
	if (WARN_ON_ONCE(slot - txq->tail >= ipoib_txq_backlog(txq)))
		return;
	if (likely(wc->status == IB_WC_SUCCESS)) {
		ipoib_tx_reclaim(txq, slot, budget, good);
		return;
	}
	if (slot != txq->tail)
		ipoib_tx_reclaim(txq, slot - 1, budget, good);
	ipoib_tx_reclaim(txq, slot, budget, bad);
	ipoib_tx_wc_error(txq, wc);
}

/* Whether ring and buffers are the consumers'. Not while the QP is being reset:
 * then a poll ends at once.
 */
static bool ipoib_poll_begin(const struct ipoib_txq *txq,
			     struct napi_struct *napi, int budget)
{
	/* Pairs with the release in ipoib_txq_start(). */
	if (likely(smp_load_acquire(&txq->running)))
		return true;
	if (budget)
		napi_complete_done(napi, 0);
	return false;
}

/**
 * ipoib_tx_poll() - NAPI poll of a transmit queue
 * @napi: of struct ipoib_txq
 * @budget: 0 under netpoll; completions do not count against it
 *
 * Return: @budget if there is more to do, else 0 with the CQ armed again.
 */
int ipoib_tx_poll(struct napi_struct *napi, int budget)
{
	struct ipoib_txq *txq = container_of(napi, struct ipoib_txq, napi);
	struct ipoib_tx_sum good = {}, bad = {};
	int i, n, polled = 0;

	if (!ipoib_poll_begin(txq, napi, budget))
		return 0;
	do {
		n = ib_poll_cq(txq->cq, IPOIB_POLL_BATCH, txq->wc);
		for (i = 0; i < n; i++)
			ipoib_tx_complete(txq, &txq->wc[i], budget, &good, &bad);
		polled += max(n, 0);
	} while (n == IPOIB_POLL_BATCH && polled < IPOIB_TX_POLL_MAX);

	ipoib_tx_account(txq, &good);
	if (!__netif_txq_completed_wake(txq->nq, good.packets + bad.packets,
					good.bytes + bad.bytes,
					ipoib_txq_room(txq),
					ipoib_txq_wake_room(txq),
					!READ_ONCE(txq->active) ||
					READ_ONCE(txq->check_wanted)))
		ipoib_txq_woken(txq);

	if (n == IPOIB_POLL_BATCH)
		return budget;
	/* A budget of 0 is netpoll's: it must not complete the NAPI. A CQ that
	 * cannot be armed is polled on, for no event would come.
	 */
	if (budget && napi_complete_done(napi, 0) &&
	    ib_req_notify_cq(txq->cq, IB_CQ_NEXT_COMP |
				      IB_CQ_REPORT_MISSED_EVENTS))
		napi_schedule(napi);
	return 0;
}

/**
 * ipoib_txq_drop_all() - drop what a dead QP did not give back
 * @txq: the queue, its QP in Reset
 *
 * Context: process; NAPI is off and no producer is in.
 */
void ipoib_txq_drop_all(struct ipoib_txq *txq)
{
	struct ipoib_tx_sum sum = {};
	unsigned int n = ipoib_txq_backlog(txq);

	txq->chained = 0;
	txq->unposted = NULL;
	if (n) {
		unsigned int i;

		for (i = 0; i < n; i++)
			ipoib_count(txq->ipoib, IPOIB_TX_FLUSHED);
		ipoib_tx_reclaim(txq, txq->head - 1, 0, &sum);
	}
	netdev_tx_reset_queue(txq->nq);
}

/* --- receive ------------------------------------------------------------ */

/**
 * ipoib_rx_buf_set() - give a receive buffer its page
 * @rxq: the queue
 * @buf: the buffer
 * @page: from the queue's pool
 */
void ipoib_rx_buf_set(struct ipoib_rxq *rxq, struct ipoib_rx_buf *buf,
		      struct page *page)
{
	buf->page = page;
	if (ipoib_virt_dma(rxq->ipoib))
		buf->addr = (uintptr_t)page_address(page);
	else
		buf->addr = page_pool_get_dma_addr(page);
	buf->addr += IPOIB_RX_OFFSET;
}

static int ipoib_rx_post(struct ipoib_rxq *rxq)
{
	const struct ib_recv_wr *bad;
	unsigned int n = rxq->refills, i;
	int ret;

	if (!n)
		return 0;
	rxq->refill[n - 1].wr.next = NULL;
	rxq->refills = 0;
	ret = ib_post_recv(rxq->qp, &rxq->refill[0].wr, &bad);
	if (likely(!ret)) {
		rxq->posted += n;
		return 0;
	}

	/* Those from bad on stay unposted until the queue has been reset. */
	for (i = 0; i < n && &rxq->refill[i].wr != bad; i++)
		rxq->posted++;
	net_err_ratelimited("%s: cannot post to the receive queue: %pe\n",
			    rxq->ipoib->netdev->name, ERR_PTR(ret));
	WRITE_ONCE(rxq->ipoib->txq[0].reset_wanted, true);
	ipoib_txq_check(&rxq->ipoib->txq[0]);
	return ret;
}

static void ipoib_rx_chain(struct ipoib_rxq *rxq, struct ipoib_rx_buf *buf)
{
	unsigned int n = rxq->refills++;

	if (n)
		rxq->refill[n - 1].wr.next = &rxq->refill[n].wr;
	rxq->refill[n].wr.wr_cqe = &buf->cqe;
	rxq->refill[n].wr.sg_list = &rxq->refill[n].sge;
	rxq->refill[n].wr.num_sge = 1;
	rxq->refill[n].sge = (struct ib_sge) {
		.addr = buf->addr,
		.length = rxq->frame_max,
		.lkey = rxq->ipoib->pd->local_dma_lkey,
	};
}

/* RFC 4391 section 5 has every multicast carry a GRH; who sent it is told by
 * LID and QPN. Any of our transmit queues may have.
 */
static bool ipoib_rx_is_own(const struct ipoib_dev *ipoib,
			    const struct ib_wc *wc)
{
	unsigned int num, i;

	if (wc->slid != READ_ONCE(ipoib->local_lid))
		return false;
	/* Pairs with the release in ipoib_txqs_add(). */
	num = smp_load_acquire(&ipoib->num_txq);
	for (i = 0; i < num; i++)
		if (ipoib->txq[i].qp->qp_num == wc->src_qp)
			return true;
	return false;
}

/* The frame's own bytes, from the GRH on, as an skb whose data begins 20 bytes
 * before the encapsulation header, or NULL. Takes the buffer's page unless the
 * frame is short enough to be copied; a buffer always keeps some page.
 */
static struct sk_buff *ipoib_rx_take(struct ipoib_rxq *rxq,
				     struct ipoib_rx_buf *buf, unsigned int len)
{
	const unsigned int skip = IB_GRH_BYTES - INFINIBAND_ALEN;
	u8 *frame = page_address(buf->page) + IPOIB_RX_OFFSET;
	unsigned int size = len - skip;
	struct sk_buff *skb;
	struct page *page;

	if (len <= IPOIB_COPYBREAK) {
		skb = napi_alloc_skb(&rxq->napi, size);
		if (likely(skb))
			skb_put_data(skb, frame + skip, size);
		return skb;
	}

	page = page_pool_dev_alloc_pages(rxq->pool);
	if (unlikely(!page))
		return NULL;
	skb = napi_build_skb(page_address(buf->page),
			     PAGE_SIZE << rxq->order);
	if (unlikely(!skb)) {
		page_pool_recycle_direct(rxq->pool, page);
		return NULL;
	}
	skb_mark_for_recycle(skb);
	skb_reserve(skb, IPOIB_RX_OFFSET + skip);
	skb_put(skb, size);
	ipoib_rx_buf_set(rxq, buf, page);
	return skb;
}

static unsigned char ipoib_rx_pkt_type(const struct ipoib_dev *ipoib,
				       const struct ib_wc *wc,
				       const struct ib_grh *grh)
{
	if (!(wc->wc_flags & IB_WC_GRH) || grh->dgid.raw[0] != 0xff)
		return PACKET_HOST;
	if (!memcmp(&grh->dgid, ipoib_addr_gid(ipoib->netdev->broadcast),
		    sizeof(grh->dgid)))
		return PACKET_BROADCAST;
	return PACKET_MULTICAST;
}

static void ipoib_rx_account(struct ipoib_rxq *rxq, unsigned int len,
			     bool multicast)
{
	u64_stats_update_begin(&rxq->stats.syncp);
	u64_stats_inc(&rxq->stats.packets);
	u64_stats_add(&rxq->stats.bytes, len);
	if (multicast)
		u64_stats_inc(&rxq->stats.multicast);
	u64_stats_update_end(&rxq->stats.syncp);
}

/* Hands one good frame to the stack. The skb's link-layer header is a 20-byte
 * pseudo header, zero as the sender's address is not in the frame, and the
 * encapsulation header.
 */
static void ipoib_rx_deliver(struct ipoib_rxq *rxq, struct ipoib_rx_buf *buf,
			     const struct ib_wc *wc)
{
	const struct ib_grh *grh = page_address(buf->page) + IPOIB_RX_OFFSET;
	struct ipoib_dev *ipoib = rxq->ipoib;
	struct ipoib_header *header;
	unsigned char pkt_type;
	struct sk_buff *skb;

	ib_dma_sync_single_for_cpu(ipoib->ibdev, buf->addr, wc->byte_len,
				   DMA_FROM_DEVICE);
	pkt_type = ipoib_rx_pkt_type(ipoib, wc, grh);
	if (pkt_type != PACKET_HOST && ipoib_rx_is_own(ipoib, wc)) {
		ipoib_count(ipoib, IPOIB_RX_OWN_MCAST);
		return;
	}
	skb = ipoib_rx_take(rxq, buf, wc->byte_len);
	if (unlikely(!skb)) {
		ipoib_count(ipoib, IPOIB_RX_NO_BUFFER);
		return;
	}
	header = (struct ipoib_header *)skb->data;
	memset(header->daddr, 0, sizeof(header->daddr));
	skb->protocol = header->proto;
	skb->pkt_type = pkt_type;
	skb->dev = ipoib->netdev;
	skb_reset_mac_header(skb);
	skb_pull(skb, IPOIB_HARD_LEN);
	if ((wc->wc_flags & IB_WC_IP_CSUM_OK) &&
	    (ipoib->netdev->features & NETIF_F_RXCSUM))
		skb->ip_summed = CHECKSUM_UNNECESSARY;

	ipoib_rx_account(rxq, skb->len, pkt_type != PACKET_HOST);
	napi_gro_receive(&rxq->napi, skb);
}

/**
 * ipoib_rx_done() - ib_cqe.done of every receive buffer
 * @cq: the receive queue's
 * @wc: what came of the buffer
 *
 * Whatever arrived, the buffer goes back to the QP, except while the QP is
 * being flushed.
 *
 * Context: NAPI.
 */
void ipoib_rx_done(struct ib_cq *cq, struct ib_wc *wc)
{
	struct ipoib_rx_buf *buf =
		container_of(wc->wr_cqe, struct ipoib_rx_buf, cqe);
	struct ipoib_rxq *rxq = cq->cq_context;
	struct page *page = buf->page;

	rxq->posted--;
	if (unlikely(wc->status != IB_WC_SUCCESS)) {
		/* A receive error takes the QP to the error state, unless it
		 * is we who did (InfiniBand Architecture, section 10.10.2.2).
		 */
		if (READ_ONCE(rxq->ipoib->txq[0].active))
			ipoib_txq_check(&rxq->ipoib->txq[0]);
		if (wc->status == IB_WC_WR_FLUSH_ERR)
			return;
		ipoib_count(rxq->ipoib, IPOIB_RX_WC_ERROR);
		net_warn_ratelimited("%s: failed recv event (status=%d, %s, vend_err %#x)\n",
				     rxq->ipoib->netdev->name, wc->status,
				     ib_wc_status_msg(wc->status),
				     wc->vendor_err);
	} else if (unlikely(wc->byte_len < IB_GRH_BYTES + IPOIB_ENCAP_LEN)) {
		ipoib_count(rxq->ipoib, IPOIB_RX_SHORT);
	} else {
		ipoib_rx_deliver(rxq, buf, wc);
	}
	/* A new page comes from the pool synced for the device. */
	if (buf->page == page)
		ib_dma_sync_single_for_device(rxq->ipoib->ibdev, buf->addr,
					      rxq->frame_max, DMA_FROM_DEVICE);
	ipoib_rx_chain(rxq, buf);
}

/**
 * ipoib_rx_poll() - NAPI poll of the receive queue
 * @napi: of struct ipoib_rxq
 * @budget: frames
 *
 * Return: frames taken; less than @budget with the CQ armed again.
 */
int ipoib_rx_poll(struct napi_struct *napi, int budget)
{
	struct ipoib_rxq *rxq = container_of(napi, struct ipoib_rxq, napi);
	int done = 0, want, n, i;

	if (!ipoib_poll_begin(rxq->ipoib->txq, napi, budget))
		return 0;
	while (done < budget) {
		want = min(budget - done, IPOIB_POLL_BATCH);
		n = ib_poll_cq(rxq->cq, want, rxq->wc);
		for (i = 0; i < n; i++)
			rxq->wc[i].wr_cqe->done(rxq->cq, &rxq->wc[i]);
		ipoib_rx_post(rxq);
		done += max(n, 0);
		if (n < want)
			break;
	}
	if (done < budget && READ_ONCE(rxq->adaptive))
		ipoib_dim_sample(rxq);
	/* As in ipoib_tx_poll(), also if arming fails. */
	if (done < budget && napi_complete_done(napi, done) &&
	    ib_req_notify_cq(rxq->cq, IB_CQ_NEXT_COMP |
				      IB_CQ_REPORT_MISSED_EVENTS))
		napi_schedule(napi);
	return done;
}

/**
 * ipoib_rx_post_all() - post every buffer of an empty receive queue
 * @rxq: the queue, its QP in INIT
 *
 * Context: process; the queue's NAPI is off.
 * Return: 0 or a negative errno, with some posted.
 */
int ipoib_rx_post_all(struct ipoib_rxq *rxq)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < rxq->size && !ret; i++) {
		ipoib_rx_chain(rxq, &rxq->bufs[i]);
		if (rxq->refills == IPOIB_POLL_BATCH || i + 1 == rxq->size)
			ret = ipoib_rx_post(rxq);
	}
	return ret;
}
