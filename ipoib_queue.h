/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * IP over InfiniBand: queues, their parts, and the calls of the files that
 * implement them: ipoib_ib.c and ipoib_rx.c, what passes through them;
 * ipoib_verbs.c and ipoib_queues.c, their lives; ipoib_moderation.c.
 */
#ifndef IPOIB_QUEUE_H
#define IPOIB_QUEUE_H

#include <linux/dim.h>
#include <linux/ethtool.h>
#include <linux/llist.h>
#include <linux/netdevice.h>
#include <linux/u64_stats_sync.h>
#include <rdma/ib_verbs.h>

struct ipoib_dev;
struct ipoib_conn_tx;

#define IPOIB_MAX_TXQ		16	/* transmit queues of one interface */
#define IPOIB_CHAIN_LEN		16	/* work requests behind one doorbell */
#define IPOIB_POLL_BATCH	16	/* completions taken from a CQ at once */
#define IPOIB_COPYBREAK		256	/* bytes; shorter frames are copied */
#define IPOIB_DRAIN_MS		5000	/* wait for a QP to give back its WQEs */
#define IPOIB_MIN_QUEUE_SIZE	2
#define IPOIB_MIN_SEND_QUEUE	128
#define IPOIB_MAX_QUEUE_SIZE	8192
#define IPOIB_CONN_RING		128U	/* requests of one connection */
#define IPOIB_CONN_BUDGET	512U	/* of all connections on a queue */

/* A UD receive buffer begins with room for a GRH, present or not (InfiniBand
 * Architecture, section 11.4.1.2). Placed so that the IP header behind it and
 * the encapsulation header starts on a cache line.
 */
#define IPOIB_RX_OFFSET		(128 - IB_GRH_BYTES - IPOIB_ENCAP_LEN)

/* One writer at a time: the queue's NAPI. */
struct ipoib_queue_stats {
	u64_stats_t packets;
	u64_stats_t bytes;
	u64_stats_t multicast;		/* receive queues only */
	struct u64_stats_sync syncp;
};

/**
 * struct ipoib_tx_req - one slot of a transmit ring
 * @cqe: how the completion finds the slot
 * @sq: the ring
 * @skb: the packet, whose data begins at the encapsulation header
 * @packets: frames on the wire
 * @bytes: bytes in them, encapsulation headers included
 * @hlen: bytes at the start of the packet that are not mapped (LSO header)
 * @mapping: DMA addresses: linear part first if any, then the fragments
 */
struct ipoib_tx_req {
	struct ib_cqe cqe;
	struct ipoib_sq *sq;
	struct sk_buff *skb;
	unsigned int packets;
	unsigned int bytes;
	unsigned int hlen;
	u64 mapping[MAX_SKB_FRAGS + 1];
};

struct ipoib_tx_wr {
	struct ib_ud_wr ud;
	struct ib_sge sge[MAX_SKB_FRAGS + 1];
};

/**
 * struct ipoib_sq - a QP that sends, and its ring, which completes in order
 * @txq: the queue whose CQ, NAPI and lock it uses
 * @qp: the QP
 * @ring: @size slots; like @qp and @size written by the work context while
 *	nobody can be in xmit
 * @size: slots, a power of two
 * @head: next slot to fill; written by the producer, free running
 * @unposted: requests before @head that the HCA did not take; nothing follows
 *	them. Written by the producer, of connections only
 * @tail: next slot to complete; written by the consumer, free running
 * @abandoned: entry in ipoib_txq.abandoned
 */
struct ipoib_sq {
	struct ipoib_txq *txq;
	struct ib_qp *qp;
	struct ipoib_tx_req *ring;
	unsigned int size;
	unsigned int head;
	unsigned int unposted;
	unsigned int tail ____cacheline_aligned_in_smp;
	struct llist_node abandoned;
};

/**
 * struct ipoib_txq - a transmit queue: a UD QP, the QPs of connections that
 *	share it, CQ and NAPI
 * @ipoib: the interface
 * @nq: the stack's queue; its xmit lock is the producer's lock
 * @ud: the UD QP; that of queue 0 also receives
 * @size: requests that @ud may have under way, a power of two, or 0 of a queue
 *	that does not exist; written by the work context while nobody can be in
 *	xmit
 * @conn_size: requests that all connections together may have under way: what
 *	@cq has room for beside those of @ud; likewise
 * @max_sge: gather entries the QPs take
 * @active: the consumer may wake the stack's queue; written by the work
 *	context, or RTNL while no work can run
 * @running: the QP is up and the ring belongs to the consumer; likewise
 * @check_wanted: something went wrong with the QP: its state is to be looked at
 * @reset_wanted: the stack's watchdog fired, or slots are taken by packets that
 *	could not be posted: only a reset helps. The work context clears both
 * @unreset: the QP could not be moved to Reset, which its way up begins with;
 *	work context, or RTNL in ndo_open
 * @conn_head: requests put into rings of connections; written by the producer,
 *	free running
 * @chain: work requests filled but not posted; producer only
 * @chained: how many
 * @chain_sq: whose they are; valid if @chained
 * @stops: times that the ring was full; written by the producer
 * @unposted: the first UD request that the HCA did not take, still in @chain;
 *	then the queue is stopped until the work context has reset it
 * @conn_tail: those completed; written by the consumer, free running
 * @cq: completions of sends
 * @abandoned: rings whose QP is gone and will complete nothing any more
 * @napi: the consumer
 * @ah_mark: value of @ud.head that the draining address handles wait for; work
 *	context
 * @wakes: times that the consumer woke the stack's queue
 * @stats: frames completed without error; consumer only
 * @wc: scratch of the poll function
 */
struct ipoib_txq {
	struct ipoib_dev *ipoib;
	struct netdev_queue *nq;
	struct ipoib_sq ud;
	unsigned int size;
	unsigned int conn_size;
	unsigned int max_sge;
	bool active;
	bool running;
	bool check_wanted;
	bool reset_wanted;
	bool unreset;

	unsigned int conn_head ____cacheline_aligned_in_smp;
	unsigned int chained;
	struct ipoib_sq *chain_sq;
	unsigned long stops;
	const struct ib_send_wr *unposted;
	struct ipoib_tx_wr *chain;

	unsigned int conn_tail ____cacheline_aligned_in_smp;
	struct ib_cq *cq;
	struct llist_head abandoned;
	struct napi_struct napi;
	unsigned int ah_mark;
	unsigned long wakes;
	struct ipoib_queue_stats stats;
	struct ib_wc wc[IPOIB_POLL_BATCH];
};

struct ipoib_rx_buf {
	struct ib_cqe cqe;
	struct page *page;
	u64 addr;
};

/**
 * struct ipoib_rxq - the receive queue: CQ, NAPI and buffers of queue 0's QP
 * @ipoib: the interface
 * @qp: the QP that receives
 * @bufs: @size buffers
 * @size: buffers, a power of two
 * @order: page order of a buffer
 * @frame_max: bytes that the HCA may write: GRH and IB MTU
 * @pool: where buffers' pages come from and return to
 * @posted: buffers that the QP holds; NAPI, or whoever has stopped it
 * @refill: work requests to post, of which @refills are filled
 * @refills: see @refill
 * @cq: completions of @qp's receive queue
 * @napi: the only consumer and the only refiller
 * @stats: frames delivered
 * @adaptive: moderation follows what comes in; written under RTNL
 * @events: interrupts, for @dim
 * @dim: the library's state; its work sets the CQ
 * @wc: scratch of the poll function
 */
struct ipoib_rxq {
	struct ipoib_dev *ipoib;
	struct ib_qp *qp;
	struct ipoib_rx_buf *bufs;
	unsigned int size;
	unsigned int order;
	unsigned int frame_max;
	struct page_pool *pool;
	unsigned int posted;
	unsigned int refills;
	struct {
		struct ib_recv_wr wr;
		struct ib_sge sge;
	} refill[IPOIB_POLL_BATCH];
	struct ib_cq *cq;
	struct napi_struct napi;
	struct ipoib_queue_stats stats;
	bool adaptive;
	u16 events;
	struct dim dim;
	struct ib_wc wc[IPOIB_POLL_BATCH];
};

/* What ethtool -C sets; 0 is no moderation. */
struct ipoib_moderation {
	bool adaptive_rx;
	u16 rx_usecs;
	u16 rx_frames;
	u16 tx_usecs;
	u16 tx_frames;
};

/* Packets in each transmit ring, and in the receive ring. */
struct ipoib_sizes {
	unsigned int tx;
	unsigned int rx;
};

/* Whether ring and buffers are the consumer's, who is asking. Not while the QP
 * is being reset: then the poll ends at once, and has completed its NAPI.
 */
static inline bool ipoib_poll_begin(const bool *running,
				    struct napi_struct *napi, int budget)
{
	/* Pairs with the releases in ipoib_txq_start() and
	 * ipoib_cm_rxq_resume(): what they prepared is there to be used.
	 */
	if (likely(smp_load_acquire(running)))
		return true;
	if (budget)
		napi_complete_done(napi, 0);
	return false;
}

/* ipoib_ib.c */
void ipoib_sq_init(struct ipoib_sq *sq);
bool ipoib_txq_ready(struct ipoib_txq *txq);
bool ipoib_txq_send(struct ipoib_txq *txq, struct sk_buff *skb,
		    struct ib_ah *ah, u32 qpn, bool more);
bool ipoib_conn_send(struct ipoib_conn_tx *tx, struct sk_buff *skb, bool more);
bool ipoib_sq_drained(const struct ipoib_sq *sq);
bool ipoib_sq_empty(const struct ipoib_sq *sq);
void ipoib_sq_abandon(struct ipoib_sq *sq);
void ipoib_txq_flush(struct ipoib_txq *txq);
void ipoib_txq_check(struct ipoib_txq *txq);
unsigned int ipoib_txq_backlog(const struct ipoib_txq *txq);
unsigned int ipoib_txq_conn_backlog(const struct ipoib_txq *txq);
void ipoib_txq_drop_all(struct ipoib_txq *txq);
int ipoib_tx_poll(struct napi_struct *napi, int budget);

/* ipoib_rx.c */
void ipoib_rx_buf_set(struct ipoib_rxq *rxq, struct ipoib_rx_buf *buf,
		      struct page *page);
int ipoib_rx_post_all(struct ipoib_rxq *rxq);
void ipoib_rx_done(struct ib_cq *cq, struct ib_wc *wc);
int ipoib_rx_poll(struct napi_struct *napi, int budget);
void ipoib_rx_stack(struct ipoib_dev *ipoib, struct napi_struct *napi,
		    struct ipoib_queue_stats *stats, struct sk_buff *skb,
		    unsigned char pkt_type);

/* ipoib_queues.c */
int ipoib_in_work(struct ipoib_dev *ipoib,
		  int (*fn)(struct ipoib_dev *ipoib, void *arg), void *arg);
int ipoib_transport_init(struct ipoib_dev *ipoib);
void ipoib_transport_destroy(struct ipoib_dev *ipoib);
unsigned int ipoib_max_queue_size(const struct ipoib_dev *ipoib);
int ipoib_transport_resize(struct ipoib_dev *ipoib,
			   const struct ipoib_sizes *size);
int ipoib_transport_set_queues(struct ipoib_dev *ipoib, unsigned int num);
void ipoib_set_xps(struct ipoib_dev *ipoib);
void ipoib_link_napis(struct ipoib_dev *ipoib, unsigned int first,
		      unsigned int end);
void ipoib_unlink_napis(struct ipoib_dev *ipoib, unsigned int first,
			unsigned int end);

/* ipoib_verbs.c */
int ipoib_txq_up(struct ipoib_txq *txq);
void ipoib_queues_drain(struct ipoib_txq *first, unsigned int n);
void ipoib_queues_down(struct ipoib_txq *first, unsigned int n);
int ipoib_transport_up(struct ipoib_dev *ipoib, u16 pkey_index);
void ipoib_transport_down(struct ipoib_dev *ipoib);
void ipoib_transport_mend(struct ipoib_dev *ipoib);
int ipoib_transport_set_qkey(struct ipoib_dev *ipoib, u32 qkey);
int ipoib_transport_attach(struct ipoib_dev *ipoib, union ib_gid *mgid,
			   u16 mlid);
void ipoib_transport_detach(struct ipoib_dev *ipoib, union ib_gid *mgid,
			    u16 mlid);

/* ipoib_moderation.c */
void ipoib_dim_init(struct ipoib_rxq *rxq);
void ipoib_dim_stop(struct ipoib_rxq *rxq);
void ipoib_dim_sample(struct ipoib_rxq *rxq);
int ipoib_cq_moderate(struct ib_cq *cq, u16 frames, u16 usecs);
int ipoib_moderate(struct ipoib_dev *ipoib);
int ipoib_get_coalesce(struct net_device *dev, struct ethtool_coalesce *coal,
		       struct kernel_ethtool_coalesce *kernel_coal,
		       struct netlink_ext_ack *extack);
int ipoib_set_coalesce(struct net_device *dev, struct ethtool_coalesce *coal,
		       struct kernel_ethtool_coalesce *kernel_coal,
		       struct netlink_ext_ack *extack);

#endif /* IPOIB_QUEUE_H */
