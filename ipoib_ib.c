// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The transmit queues: map, offload, post, and what comes of it.
 *
 * Every transmit queue has a UD QP of its own, so that two queues share no lock.
 * Queue 0's UD QP also receives: its QPN is the one in the link-layer address.
 * Each connection (ipoib_cm.c) is a QP more, with a ring of its own, on one of
 * the queues, whose CQ, NAPI and lock it shares. A ring is filled by whoever
 * holds the queue's xmit lock and emptied by its NAPI alone; the two meet
 * in @head and @tail only.
 *
 * Only the UD ring stops the stack's queue, and only its bytes count for the
 * queue's limit (BQL): a peer that does not acknowledge fills the ring of its
 * connection, and must not hold up others. What is for a full ring is dropped.
 */
#include <linux/ip.h>
#include <linux/tcp.h>
#include <net/netdev_queues.h>

#include "ipoib.h"
#include "ipoib_cm.h"
#include "ipoib_trace.h"

/* Completions that one transmit poll takes before it lets others run. */
#define IPOIB_TX_POLL_MAX	128

/* --- transmit, producer side -------------------------------------------- */

/**
 * ipoib_txq_backlog() - datagrams that a transmit queue has not completed
 * @txq: the queue
 *
 * Context: any; exact for the holder of the queue's xmit lock, who can only
 * see it shrink.
 * Return: how many slots of its UD ring are taken.
 */
unsigned int ipoib_txq_backlog(const struct ipoib_txq *txq)
{
	/* Pairs with the release of @tail in ipoib_tx_reclaim(): a slot that
	 * is seen as free is not read by the consumer any more, and may be
	 * filled.
	 */
	return READ_ONCE(txq->ud.head) - smp_load_acquire(&txq->ud.tail);
}

/**
 * ipoib_txq_conn_backlog() - packets that connections have not completed
 * @txq: their queue
 *
 * Context: as ipoib_txq_backlog().
 * Return: how many slots of their rings are taken.
 */
unsigned int ipoib_txq_conn_backlog(const struct ipoib_txq *txq)
{
	/* Pairs with the release of @conn_tail in ipoib_tx_reclaim(). */
	return READ_ONCE(txq->conn_head) - smp_load_acquire(&txq->conn_tail);
}

/**
 * ipoib_sq_init() - have the slots of a new ring know it
 * @sq: @ring and @size are set, and nothing is under way
 */
void ipoib_sq_init(struct ipoib_sq *sq)
{
	unsigned int i;

	for (i = 0; i < sq->size; i++)
		sq->ring[i].sq = sq;
}

/**
 * ipoib_sq_drained() - has a QP completed all that it was given?
 * @sq: the QP's ring, which nothing is put into any more
 *
 * Context: any.
 * Return: true if it has; what it did not take may be left.
 */
bool ipoib_sq_drained(const struct ipoib_sq *sq)
{
	/* Pairs with the release in ipoib_tx_reclaim(). */
	return sq->head - smp_load_acquire(&sq->tail) == sq->unposted;
}

/**
 * ipoib_sq_empty() - is there nothing in a ring any more?
 * @sq: the ring, which nothing is put into any more
 *
 * Context: any.
 * Return: true if so; then the consumer is done with it.
 */
bool ipoib_sq_empty(const struct ipoib_sq *sq)
{
	/* Pairs with the release in ipoib_tx_reclaim(). */
	return sq->head == smp_load_acquire(&sq->tail);
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

/* Only of a UD packet has the rest of the request a meaning. */
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
	/* @reset_wanted is there before; pairs with the xchg() in ipoib_txq_mend(). */
	smp_store_release(&txq->check_wanted, true);
	/* The flag is set before the queue is stopped: the consumer wakes it
	 * only if it has seen that clear. Pairs with the barrier in
	 * __netif_txq_completed_wake(), see ipoib_tx_poll().
	 */
	smp_mb();
	netif_tx_stop_queue(txq->nq);
	ipoib_kick(txq->ipoib);
}

/* The QP of a connection did not take a request: nothing more is given to it,
 * and the work context makes another connection. What it did not take stays in
 * the ring until this one is taken down.
 */
static void ipoib_conn_unposted(struct ipoib_sq *sq,
				const struct ib_send_wr *bad)
{
	struct ipoib_conn_tx *tx = container_of(sq, struct ipoib_conn_tx, sq);

	for (; bad; bad = bad->next)
		sq->unposted++;
	WRITE_ONCE(tx->broken, true);
	ipoib_conn_event(&tx->conn, IPOIB_CONN_EV_ERROR);
}

/**
 * ipoib_txq_flush() - ring the doorbell for what has been chained
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
	struct ipoib_sq *sq = txq->chain_sq;
	const struct ib_send_wr *bad;
	int ret;

	if (!txq->chained)
		return;
	txq->chain[txq->chained - 1].ud.wr.send_flags |= IB_SEND_SIGNALED;
	txq->chained = 0;
	ret = ib_post_send(sq->qp, first, &bad);
	if (likely(!ret))
		return;

	net_err_ratelimited("%s: cannot post to send queue %u: %pe\n",
			    txq->ipoib->netdev->name,
			    (unsigned int)(txq - txq->ipoib->txq), ERR_PTR(ret));
	ipoib_count(txq->ipoib, IPOIB_TX_POST);
	if (sq != &txq->ud) {
		ipoib_conn_unposted(sq, bad);
		return;
	}
	/* The slots stay taken; the reset drops and counts what is in them. */
	txq->unposted = bad;
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

/* The slot that is next, with the packet in it. */
static struct ipoib_tx_req *ipoib_sq_slot(struct ipoib_sq *sq,
					  struct sk_buff *skb)
{
	struct ipoib_tx_req *req = &sq->ring[sq->head & (sq->size - 1)];

	lockdep_assert_held(&sq->txq->nq->_xmit_lock);

	req->skb = skb;
	return req;
}

/* Chains the packet in the next slot, which has been measured. A chain is for
 * one QP.
 */
static bool ipoib_sq_put(struct ipoib_sq *sq, struct ipoib_tx_req *req,
			 struct ib_ah *ah, u32 qpn)
{
	struct ipoib_txq *txq = sq->txq;
	struct ipoib_dev *ipoib = txq->ipoib;
	int num_sge;

	if (unlikely(!ipoib_tx_shape(txq, req))) {
		ipoib_count_drop(ipoib, IPOIB_TX_LINEARIZE, req->skb);
		return false;
	}
	if (txq->chain_sq != sq) {
		ipoib_txq_flush(txq);
		txq->chain_sq = sq;
	}
	/* What was not posted stays in the chain for the reset. */
	if (unlikely(txq->unposted)) {
		ipoib_count_drop(ipoib, IPOIB_TX_NOT_READY, req->skb);
		return false;
	}
	num_sge = ipoib_tx_map(ipoib, req, txq->chain[txq->chained].sge);
	if (unlikely(num_sge < 0)) {
		ipoib_count_drop(ipoib, IPOIB_TX_MAP, req->skb);
		return false;
	}
	ipoib_tx_fill_wr(txq, req, ah, qpn, num_sge);
	skb_tx_timestamp(req->skb);

	WRITE_ONCE(sq->head, sq->head + 1);
	return true;
}

/**
 * ipoib_txq_send() - queue one packet to a UD destination
 * @txq: the queue, which has room
 * @skb: the packet, consumed; its data begins at the encapsulation header
 * @ah: address handle, valid for as long as the caller is in its RCU section
 * @qpn: destination QPN
 * @more: another packet for the same queue follows at once
 *
 * Posts the chain unless @more, or when the chain or the queue is full. A
 * packet that cannot be sent is dropped and counted.
 *
 * Context: the queue's xmit lock and rcu_read_lock are held.
 * Return: true if the packet is on its way.
 */
bool ipoib_txq_send(struct ipoib_txq *txq, struct sk_buff *skb,
		    struct ib_ah *ah, u32 qpn, bool more)
{
	struct ipoib_tx_req *req = ipoib_sq_slot(&txq->ud, skb);

	if (unlikely(!ipoib_tx_measure(txq->ipoib, req))) {
		ipoib_tx_too_long(txq->ipoib, skb, txq->ipoib->mcast_mtu);
		return false;
	}
	if (unlikely(!ipoib_sq_put(&txq->ud, req, ah, qpn)))
		return false;
	if (unlikely(!netif_txq_maybe_stop(txq->nq, ipoib_txq_room(txq), 1,
					   ipoib_txq_wake_room(txq))))
		ipoib_txq_stopped(txq);
	if (__netdev_tx_sent_queue(txq->nq, req->bytes, more) ||
	    txq->chained == IPOIB_CHAIN_LEN)
		ipoib_txq_flush(txq);
	return true;
}

/* A connection may take no more of the queue's room than it leaves, so that those
 * whose peers are silent leave some to all others.
 */
static bool ipoib_conn_full(const struct ipoib_sq *sq)
{
	/* Pairs with the release in ipoib_tx_reclaim(). */
	unsigned int used = sq->head - smp_load_acquire(&sq->tail);

	return used >= sq->size ||
	       used + ipoib_txq_conn_backlog(sq->txq) >= sq->txq->conn_size;
}

/**
 * ipoib_conn_send() - queue one packet to a connection
 * @tx: the connection; the packet fits its MTU
 * @skb: the packet, consumed; its data begins at the encapsulation header
 * @more: another packet for the same queue follows at once
 *
 * Like ipoib_txq_send(). HCAs compute no checksums here, and connected mode asks
 * the stack for none to compute; but packets may be under way that were made
 * before the mode was set.
 *
 * Context: the queue's xmit lock and rcu_read_lock are held.
 * Return: true if the packet is on its way.
 */
bool ipoib_conn_send(struct ipoib_conn_tx *tx, struct sk_buff *skb, bool more)
{
	struct ipoib_txq *txq = tx->sq.txq;
	struct ipoib_tx_req *req;

	if (unlikely(ipoib_conn_full(&tx->sq))) {
		ipoib_count_drop(tx->conn.ipoib, IPOIB_TX_CONN_FULL, skb);
		return false;
	}
	if (unlikely(skb->ip_summed == CHECKSUM_PARTIAL &&
		     skb_checksum_help(skb))) {
		ipoib_count_drop(tx->conn.ipoib, IPOIB_TX_LINEARIZE, skb);
		return false;
	}
	req = ipoib_sq_slot(&tx->sq, skb);
	req->hlen = 0;
	req->packets = 1;
	req->bytes = skb->len;
	if (unlikely(!ipoib_sq_put(&tx->sq, req, NULL, 0)))
		return false;
	WRITE_ONCE(txq->conn_head, txq->conn_head + 1);
	if (!more || txq->chained == IPOIB_CHAIN_LEN)
		ipoib_txq_flush(txq);
	return true;
}

/* --- transmit, consumer side -------------------------------------------- */

/* Of all rings, and of what BQL was told of. */
struct ipoib_tx_sum {
	unsigned int packets;
	unsigned int bytes;
	unsigned int ud_packets;
	unsigned int ud_bytes;
};

/* Gives back a ring's slots up to and with @last. */
static void ipoib_tx_reclaim(struct ipoib_sq *sq, unsigned int last,
			     int budget, struct ipoib_tx_sum *sum)
{
	struct ipoib_txq *txq = sq->txq;
	struct ib_device *ibdev = txq->ipoib->ibdev;
	bool unmap = !ipoib_virt_dma(txq->ipoib);
	unsigned int first = sq->tail, tail = first;
	unsigned int packets = 0, bytes = 0;

	do {
		struct ipoib_tx_req *req = &sq->ring[tail & (sq->size - 1)];

		if (unmap)
			ipoib_tx_unmap(ibdev, req, ipoib_tx_segments(req));
		packets += req->packets;
		bytes += req->bytes;
		napi_consume_skb(req->skb, budget);
	} while (tail++ != last);

	sum->packets += packets;
	sum->bytes += bytes;
	/* The slots have been read. Pairs with the acquires in
	 * ipoib_txq_backlog(), ipoib_conn_full(), ipoib_sq_drained(),
	 * ipoib_sq_empty() and ipoib_ah_drained().
	 */
	smp_store_release(&sq->tail, tail);
	if (sq == &txq->ud) {
		sum->ud_packets += packets;
		sum->ud_bytes += bytes;
	} else {
		/* Pairs with the acquire in ipoib_txq_conn_backlog(). */
		smp_store_release(&txq->conn_tail,
				  txq->conn_tail + (tail - first));
	}
}

static unsigned int ipoib_tx_wc_slot(const struct ipoib_tx_req *req)
{
	const struct ipoib_sq *sq = req->sq;
	unsigned int index = req - sq->ring;

	return sq->tail + ((index - sq->tail) & (sq->size - 1));
}

/* Connections fail when peers do, which is no news. */
static void ipoib_conn_wc_error(struct ipoib_sq *sq, const struct ib_wc *wc)
{
	struct ipoib_conn_tx *tx = container_of(sq, struct ipoib_conn_tx, sq);

	ipoib_count(tx->conn.ipoib, wc->status == IB_WC_WR_FLUSH_ERR ?
				    IPOIB_TX_FLUSHED : IPOIB_TX_WC_ERROR);
	if (READ_ONCE(tx->broken))
		return;
	WRITE_ONCE(tx->broken, true);
	net_dbg_ratelimited("%s: connection failed: %s\n",
			    tx->conn.ipoib->netdev->name,
			    ib_wc_status_msg(wc->status));
	ipoib_conn_event(&tx->conn, IPOIB_CONN_EV_ERROR);
}

static void ipoib_tx_wc_error(struct ipoib_sq *sq, const struct ib_wc *wc)
{
	struct ipoib_txq *txq = sq->txq;

	if (sq != &txq->ud) {
		ipoib_conn_wc_error(sq, wc);
		return;
	}
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
static void ipoib_tx_complete(const struct ib_wc *wc, int budget,
			      struct ipoib_tx_sum *good,
			      struct ipoib_tx_sum *bad)
{
	struct ipoib_tx_req *req =
		container_of(wc->wr_cqe, struct ipoib_tx_req, cqe);
	unsigned int slot = ipoib_tx_wc_slot(req);
	struct ipoib_sq *sq = req->sq;

	/* A completion for a slot that is not in use is the HCA's mistake. */
	if (WARN_ON_ONCE(slot - sq->tail >= READ_ONCE(sq->head) - sq->tail))
		return;
	if (likely(wc->status == IB_WC_SUCCESS)) {
		ipoib_tx_reclaim(sq, slot, budget, good);
		return;
	}
	if (slot != sq->tail)
		ipoib_tx_reclaim(sq, slot - 1, budget, good);
	ipoib_tx_reclaim(sq, slot, budget, bad);
	ipoib_tx_wc_error(sq, wc);
}

/* Everything that a ring still holds is dropped. */
static void ipoib_sq_drop_all(struct ipoib_sq *sq, int budget,
			      struct ipoib_tx_sum *sum)
{
	unsigned int n = READ_ONCE(sq->head) - sq->tail, i;

	if (!n)
		return;
	for (i = 0; i < n; i++)
		ipoib_count(sq->txq->ipoib, IPOIB_TX_FLUSHED);
	ipoib_tx_reclaim(sq, sq->tail + n - 1, budget, sum);
}

/* Rings whose QP is gone, once the CQ has nothing that points into them. */
static noinline void ipoib_tx_bury(struct llist_node *sqs, int budget,
				   struct ipoib_tx_sum *bad)
{
	struct ipoib_sq *sq, *next;

	llist_for_each_entry_safe(sq, next, sqs, abandoned) {
		sq->unposted = 0;
		ipoib_sq_drop_all(sq, budget, bad);
	}
}

static noinline void ipoib_tx_bury_later(struct ipoib_txq *txq,
					 struct llist_node *sqs)
{
	struct ipoib_sq *sq, *next;

	llist_for_each_entry_safe(sq, next, sqs, abandoned)
		llist_add(&sq->abandoned, &txq->abandoned);
}

/**
 * ipoib_sq_abandon() - have the consumer give back what a connection did not
 * @sq: the connection's ring, whose QP is destroyed
 *
 * ipoib_sq_empty() tells when it has been done.
 *
 * Context: work context, while the queue is up.
 */
void ipoib_sq_abandon(struct ipoib_sq *sq)
{
	struct ipoib_txq *txq = sq->txq;

	llist_add(&sq->abandoned, &txq->abandoned);
	local_bh_disable();
	napi_schedule(&txq->napi);
	local_bh_enable();
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
	struct llist_node *gone = NULL;
	int i, n, polled = 0;

	if (!ipoib_poll_begin(&txq->running, napi, budget))
		return 0;
	/* Before the CQ is looked at: it may have what their QPs did last. */
	if (unlikely(!llist_empty(&txq->abandoned)))
		gone = llist_del_all(&txq->abandoned);
	do {
		n = ib_poll_cq(txq->cq, IPOIB_POLL_BATCH, txq->wc);
		for (i = 0; i < n; i++)
			ipoib_tx_complete(&txq->wc[i], budget, &good, &bad);
		polled += max(n, 0);
	} while (n == IPOIB_POLL_BATCH && polled < IPOIB_TX_POLL_MAX);
	if (unlikely(gone)) {
		if (n < IPOIB_POLL_BATCH)
			ipoib_tx_bury(gone, budget, &bad);
		else
			ipoib_tx_bury_later(txq, gone);
	}

	ipoib_tx_account(txq, &good);
	if (!__netif_txq_completed_wake(txq->nq,
					good.ud_packets + bad.ud_packets,
					good.ud_bytes + bad.ud_bytes,
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
 * Context: process; NAPI is off and no producer is in, connections are gone.
 */
void ipoib_txq_drop_all(struct ipoib_txq *txq)
{
	struct ipoib_tx_sum sum = {};

	txq->chained = 0;
	txq->unposted = NULL;
	ipoib_tx_bury(llist_del_all(&txq->abandoned), 0, &sum);
	ipoib_sq_drop_all(&txq->ud, 0, &sum);
	netdev_tx_reset_queue(txq->nq);
}
