// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * From the receive queue to the stack: refill, deliver, poll. Buffers are
 * posted and taken by the queue's NAPI alone. What arrives by connections is in
 * ipoib_cm_rx.c, and goes through ipoib_rx_stack() like the rest.
 */
#include <net/page_pool/helpers.h>

#include "ipoib.h"

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
		if (ipoib->txq[i].ud.qp->qp_num == wc->src_qp)
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

static void ipoib_rx_account(struct ipoib_queue_stats *stats, unsigned int len,
			     bool multicast)
{
	u64_stats_update_begin(&stats->syncp);
	u64_stats_inc(&stats->packets);
	u64_stats_add(&stats->bytes, len);
	if (multicast)
		u64_stats_inc(&stats->multicast);
	u64_stats_update_end(&stats->syncp);
}

/**
 * ipoib_rx_stack() - hand one good frame to the stack
 * @ipoib: the interface
 * @napi: the receive queue's
 * @stats: likewise
 * @skb: the frame; its data begins 20 bytes before the encapsulation header,
 *	and both are in its linear part
 * @pkt_type: whom the frame is for
 *
 * The skb's link-layer header becomes a 20-byte pseudo header, zero as the
 * sender's address is not in the frame, and the encapsulation header.
 *
 * Context: NAPI.
 */
void ipoib_rx_stack(struct ipoib_dev *ipoib, struct napi_struct *napi,
		    struct ipoib_queue_stats *stats, struct sk_buff *skb,
		    unsigned char pkt_type)
{
	struct ipoib_header *header = (struct ipoib_header *)skb->data;

	memset(header->daddr, 0, sizeof(header->daddr));
	skb->protocol = header->proto;
	skb->pkt_type = pkt_type;
	skb->dev = ipoib->netdev;
	skb_reset_mac_header(skb);
	__skb_pull(skb, IPOIB_HARD_LEN);
	ipoib_rx_account(stats, skb->len, pkt_type != PACKET_HOST);
	napi_gro_receive(napi, skb);
}

static void ipoib_rx_deliver(struct ipoib_rxq *rxq, struct ipoib_rx_buf *buf,
			     const struct ib_wc *wc)
{
	const struct ib_grh *grh = page_address(buf->page) + IPOIB_RX_OFFSET;
	struct ipoib_dev *ipoib = rxq->ipoib;
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
	if ((wc->wc_flags & IB_WC_IP_CSUM_OK) &&
	    (ipoib->netdev->features & NETIF_F_RXCSUM))
		skb->ip_summed = CHECKSUM_UNNECESSARY;
	ipoib_rx_stack(ipoib, &rxq->napi, &rxq->stats, skb, pkt_type);
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

	if (!ipoib_poll_begin(&rxq->ipoib->txq->running, napi, budget))
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
