/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * IP over InfiniBand: connected mode's objects, and the calls of the files that
 * implement it: ipoib_cm.c, the lives of all connections; ipoib_cm_tx.c, those
 * that we send on; ipoib_cm_peer.c, those that peers send on; ipoib_cm_rx.c,
 * what these receive by.
 */
#ifndef IPOIB_CM_H
#define IPOIB_CM_H

#include <rdma/ib_cm.h>

#include "ipoib.h"

/* What RFC 4755 allows is limited by the length field of IPv4; less what keeps
 * a 64 KiB buffer from being exceeded by the header, in bytes without it.
 */
#define IPOIB_CM_MTU		65520
#define IPOIB_CM_PAGES		DIV_ROUND_UP(IPOIB_CM_MTU + IPOIB_ENCAP_LEN, \
					     PAGE_SIZE)
#define IPOIB_MAX_CM_RXQ	4	/* receive queues for connections */
#define IPOIB_CM_CONNECTING	64	/* requests in flight, one interface */
#define IPOIB_CM_MAX_RX		16384	/* peers' connections, one interface */
#define IPOIB_CM_MAX_IDLE	86400U	/* seconds */
#define IPOIB_CM_OLD_IDLE	(30 * HZ)	/* of one that has a successor */

/* What a connection that works is given to complete what was sent on it. */
#define IPOIB_CM_LEAVE_JIFFIES	HZ

/* RFC 4755 section 3.5 has the other digit of the first byte be 1; this is what
 * all implementations use.
 */
#define IPOIB_CM_SERVICE	0x1000000000000000ULL

/**
 * enum ipoib_conn_state - the life of a connection, seen from the work context
 * @IPOIB_CONN_NEW: ours waits for its turn, a peer's to be looked at
 * @IPOIB_CONN_OPENING: our REQ or REP is on its way
 * @IPOIB_CONN_UP: in use
 * @IPOIB_CONN_LEAVING: not used any more; what was sent completes
 * @IPOIB_CONN_DYING: the QP is in the error state and flushes
 * @IPOIB_CONN_DEAD: nothing comes from the QP any more
 */
enum ipoib_conn_state {
	IPOIB_CONN_NEW,
	IPOIB_CONN_OPENING,
	IPOIB_CONN_UP,
	IPOIB_CONN_LEAVING,
	IPOIB_CONN_DYING,
	IPOIB_CONN_DEAD,
};

/* What happened to a connection, bits of ipoib_conn.events. */
enum ipoib_conn_event {
	IPOIB_CONN_TODO,	/* it is in ipoib_cm.todo */
	IPOIB_CONN_EV_REQ,	/* the peer asks for it */
	IPOIB_CONN_EV_REP,	/* the peer accepts it */
	IPOIB_CONN_EV_REJ,	/* the peer rejects it, see ipoib_conn.reason */
	IPOIB_CONN_EV_TIMEOUT,	/* the peer does not answer */
	IPOIB_CONN_EV_CLOSED,	/* the peer closed it */
	IPOIB_CONN_EV_ERROR,	/* the QP failed */
	IPOIB_CONN_EV_LAST_WQE,	/* the QP takes nothing from its SRQ any more */
};

/**
 * struct ipoib_conn - what connections of both directions have
 * @ipoib: the interface
 * @id: ib_core's connection, until @state is past IPOIB_CONN_LEAVING
 * @passive: the peer asked for it, and sends
 * @events: enum ipoib_conn_event; set by anybody
 * @todo: entry in ipoib_cm.todo
 * @reason: of a REJ; by the callback, before IPOIB_CONN_EV_REJ
 * @remote_mtu: the peer's Receive MTU, bytes with the encapsulation header; by
 *	the callback, before IPOIB_CONN_EV_REP
 * @state: this and all that follows belongs to the work context
 * @entry: entry in one of the lists of struct ipoib_cm
 * @deadline: jiffies: in IPOIB_CONN_NEW, before which it is not to be asked for;
 *	in IPOIB_CONN_UP, since when it is; in IPOIB_CONN_OPENING, and from
 *	IPOIB_CONN_LEAVING, when not to wait any longer
 * @stuck: the QP cannot flush, or did not in time
 */
struct ipoib_conn {
	struct ipoib_dev *ipoib;
	struct ib_cm_id *id;
	bool passive;
	unsigned long events;
	struct llist_node todo;
	int reason;
	u32 remote_mtu;
	enum ipoib_conn_state state;
	struct list_head entry;
	unsigned long deadline;
	bool stuck;
};

/**
 * struct ipoib_conn_tx - a connection that we send on (RFC 4755)
 * @conn: what both directions have
 * @sq: QP and ring, on the transmit queue that the destination's address picks
 * @mtu: bytes that the peer takes, without the encapsulation header
 * @broken: the QP failed: it is not to be sent on any more
 * @dst: whose it is, or NULL once it has been given up; work context
 *
 * Found by xmit through ipoib_dst.conn under RCU, and used with the xmit lock of
 * @sq's queue held: who has taken that lock after taking it from there knows
 * that nobody is sending on it.
 */
struct ipoib_conn_tx {
	struct ipoib_conn conn;
	struct ipoib_sq sq;
	unsigned int mtu;
	bool broken;
	struct ipoib_dst *dst;
};

/**
 * struct ipoib_cm_buf - a receive buffer for one message
 * @cqe: how the completion finds the buffer
 * @ring: where it is posted
 * @page: pages, filled in order
 * @addr: of each, for the HCA
 */
struct ipoib_cm_buf {
	struct ib_cqe cqe;
	struct ipoib_cm_ring *ring;
	struct page *page[IPOIB_CM_PAGES];
	u64 addr[IPOIB_CM_PAGES];
};

/**
 * struct ipoib_cm_ring - receive buffers of an SRQ, or of one QP
 * @srq: the SRQ, or NULL
 * @qp: the QP if there is no SRQ
 * @bufs: @size buffers
 * @size: buffers
 * @posted: those that the HCA holds; NAPI, or whoever has stopped it
 */
struct ipoib_cm_ring {
	struct ib_srq *srq;
	struct ib_qp *qp;
	struct ipoib_cm_buf *bufs;
	unsigned int size;
	unsigned int posted;
};

/**
 * struct ipoib_cm_rxq - a receive queue for connections: SRQ, CQ, NAPI
 * @ipoib: the interface
 * @running: the buffers belong to the consumer; written by the work context
 * @ring: of the SRQ; not used on HCAs without
 * @pool: where buffers' pages come from and return to
 * @cq: of all QPs of the queue
 * @conns: QPs that there are; work context
 * @napi: the only consumer and the only refiller
 * @polled: completions taken, free running
 * @emptied: times that the CQ was found empty
 * @broken: the HCA took no buffers, or CQ or SRQ failed; set by anybody
 * @lost: QPs that may have taken buffers of the SRQ with them; work context
 * @refills: entries filled of @refill, which are all for @refill_ring
 * @refill_ring: see @refills
 * @refill: work requests to post
 * @stats: frames delivered
 * @wc: scratch of the poll function
 */
struct ipoib_cm_rxq {
	struct ipoib_dev *ipoib;
	bool running;
	struct ipoib_cm_ring ring;
	struct page_pool *pool;
	struct ib_cq *cq;
	unsigned int conns;
	struct napi_struct napi;
	unsigned int polled;
	unsigned int emptied;
	bool broken;
	unsigned int lost;
	unsigned int refills;
	struct ipoib_cm_ring *refill_ring;
	struct {
		struct ib_recv_wr wr;
		struct ib_sge sge[IPOIB_CM_PAGES];
	} refill[IPOIB_POLL_BATCH];
	struct ipoib_queue_stats stats;
	struct ib_wc wc[IPOIB_POLL_BATCH];
};

/**
 * struct ipoib_conn_rx - a connection that a peer sends on
 * @conn: what both directions have
 * @qp: receives; its context is this
 * @rxq: the queue that it is on
 * @ring: buffers, if the HCA has no SRQ
 * @last_used: jiffies of the last frame, to within a second; consumer
 * @addr: the peer's link-layer address
 * @rnr_retry: from its REQ
 * @psn: of the first packet that it is to send
 * @receiving: the QP was able to receive; this and all that follows: work context
 * @succeeded: the peer has made another one since
 * @last_wqe: the QP is known to take nothing from the SRQ any more
 * @polled: of @rxq when it became known
 * @emptied: likewise
 */
struct ipoib_conn_rx {
	struct ipoib_conn conn;
	struct ib_qp *qp;
	struct ipoib_cm_rxq *rxq;
	struct ipoib_cm_ring ring;
	unsigned long last_used;
	u8 addr[INFINIBAND_ALEN];
	u8 rnr_retry;
	u32 psn;
	bool receiving;
	bool succeeded;
	bool last_wqe;
	unsigned int polled;
	unsigned int emptied;
};

/* RFC 4755 section 6: in every message that makes a connection. */
struct ipoib_cm_data {
	__be32 qpn;
	__be32 mtu;
};

static inline struct ipoib_conn_tx *ipoib_conn_tx(struct ipoib_conn *conn)
{
	return container_of(conn, struct ipoib_conn_tx, conn);
}

static inline struct ipoib_conn_rx *ipoib_conn_rx(struct ipoib_conn *conn)
{
	return container_of(conn, struct ipoib_conn_rx, conn);
}

/* Whether it happened to a connection since last asked. */
static inline bool ipoib_conn_test(struct ipoib_conn *conn,
				   enum ipoib_conn_event event)
{
	return test_and_clear_bit(event, &conn->events);
}

/* Jiffies after which a connection that we send on is given up; twice as many, for
 * those of peers, can still be compared.
 */
static inline unsigned long ipoib_conn_idle(void)
{
	unsigned int secs = READ_ONCE(ipoib_conn_idle_secs);

	if (!secs)
		return MAX_JIFFY_OFFSET;
	return HZ * (unsigned long)min(secs, IPOIB_CM_MAX_IDLE);
}

/* ipoib_cm.c */
void ipoib_conn_event(struct ipoib_conn *conn, enum ipoib_conn_event event);
int ipoib_conn_handler(struct ib_cm_id *id, const struct ib_cm_event *event);
void ipoib_cm_fill_data(const struct ipoib_dev *ipoib,
			struct ipoib_cm_data *data);
void ipoib_conn_leave(struct ipoib_conn *conn, unsigned long wait);
void ipoib_cm_flush_tx(struct ipoib_dev *ipoib, struct ipoib_txq *first,
		       unsigned int n);
void ipoib_cm_gc(struct ipoib_dev *ipoib);
int ipoib_cm_up(struct ipoib_dev *ipoib);
void ipoib_cm_down(struct ipoib_dev *ipoib);
int ipoib_cm_init(struct ipoib_dev *ipoib);
void ipoib_cm_destroy(struct ipoib_dev *ipoib);

/* ipoib_cm_tx.c */
u16 ipoib_cm_queue(const u8 *addr, unsigned int num);
bool ipoib_cm_wants(const struct ipoib_dev *ipoib, const struct ipoib_dst *dst);
bool ipoib_cm_connect(struct ipoib_dev *ipoib, struct ipoib_dst *dst,
		      unsigned long delay);
void ipoib_conn_take(const struct ipoib_conn_tx *tx, struct sk_buff_head *list);
void ipoib_cm_disconnect(struct ipoib_dst *dst);
void ipoib_cm_peer_lives(struct ipoib_dst *dst);
void ipoib_conn_tx_run(struct ipoib_conn_tx *tx);
void ipoib_cm_start(struct ipoib_dev *ipoib);
void ipoib_cm_leave_tx(struct ipoib_dev *ipoib, struct ipoib_txq *first,
		       unsigned int n, unsigned long wait);

/* ipoib_cm_peer.c */
unsigned int ipoib_cm_max_rx(const struct ipoib_dev *ipoib);
int ipoib_cm_req_received(struct ipoib_dev *ipoib, struct ib_cm_id *id,
			  const struct ib_cm_event *event);
void ipoib_conn_rx_open(struct ipoib_conn_rx *rx);
bool ipoib_conn_rx_flushed(struct ipoib_conn_rx *rx);
void ipoib_conn_rx_destroy_qp(struct ipoib_conn_rx *rx);
void ipoib_conn_rx_free(struct ipoib_conn_rx *rx);

/* ipoib_cm_rx.c */
int ipoib_cm_ring_alloc(struct ipoib_cm_rxq *rxq, struct ipoib_cm_ring *ring,
			unsigned int size);
void ipoib_cm_ring_free(struct ipoib_cm_rxq *rxq, struct ipoib_cm_ring *ring);
int ipoib_cm_post_all(struct ipoib_cm_rxq *rxq, struct ipoib_cm_ring *ring);
unsigned int ipoib_cm_ring_size(const struct ipoib_dev *ipoib);
unsigned int ipoib_cm_cq_size(const struct ipoib_dev *ipoib);
int ipoib_cm_rxq_start(struct ipoib_cm_rxq *rxq);
void ipoib_cm_rxq_pause(struct ipoib_cm_rxq *rxq);
void ipoib_cm_rxq_resume(struct ipoib_cm_rxq *rxq);
void ipoib_cm_rxq_failed(struct ipoib_cm_rxq *rxq);
int ipoib_cm_rxqs_init(struct ipoib_dev *ipoib);
void ipoib_cm_rxqs_destroy(struct ipoib_dev *ipoib);
void ipoib_cm_rxqs_mend(struct ipoib_dev *ipoib);
void ipoib_cm_rxqs_release(struct ipoib_dev *ipoib);
int ipoib_cm_rxqs_moderate(struct ipoib_dev *ipoib, void *unused);
u32 ipoib_cm_receive_mtu(const struct ipoib_dev *ipoib);

#endif /* IPOIB_CM_H */
