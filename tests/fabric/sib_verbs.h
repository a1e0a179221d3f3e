/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The objects behind the verbs: CQs, QPs, SRQs, address handles. */
#ifndef SIB_VERBS_H
#define SIB_VERBS_H

#include "sib.h"

#define SIB_MAX_QP	16384
#define SIB_MAX_QP_WR	16384
#define SIB_MAX_CQ	16384
#define SIB_MAX_CQE	65535
#define SIB_MAX_SRQ	1024
#define SIB_MAX_SRQ_WR	16384
#define SIB_MAX_SGE	32
#define SIB_MAX_PD	4096
#define SIB_MAX_AH	65536
#define SIB_MAX_MR	65536
#define SIB_MAX_MSG	0x80000000U

#define SIB_GRH_SPACE	sizeof(struct sib_grh)	/* of a UD receive buffer */

/**
 * struct sib_events - affiliated asynchronous events (11.6.3) still to be told
 * @pending: bit per enum ib_event_type
 * @work: tells them; consumers expect process context
 */
struct sib_events {
	unsigned long pending;
	struct work_struct work;
};

/**
 * struct sib_cqe - one completion: of struct ib_wc what is used here
 * @wr_id: as in struct ib_wc, as are the others
 * @qp: the QP
 * @byte_len: bytes received
 * @src_qp: sender
 * @imm: immediate data
 * @frees: places in the send queue that polling this gives back
 * @slid: source LID
 * @pkey_index: P_Key
 * @status: enum ib_wc_status
 * @opcode: enum ib_wc_opcode
 * @flags: enum ib_wc_flags
 * @sl: service level
 * @path_bits: of the destination LID
 * @solicited: the sender asked for an event
 */
struct sib_cqe {
	u64 wr_id;
	struct sib_qp *qp;
	u32 byte_len;
	u32 src_qp;
	__be32 imm;
	u32 frees;
	u16 slid;
	u16 pkey_index;
	u8 status;
	u8 opcode;
	u8 flags;
	u8 sl;
	u8 path_bits;
	bool solicited;
};

/**
 * struct sib_cq - completion queue
 * @ibcq: what the consumer sees
 * @hca: its HCA
 * @cqn: its number
 * @size: places in @ring
 * @lock: protects what follows, to @ring, and sib_qp.sq_retired of its QPs
 * @head: completions ever written
 * @tail: completions ever polled
 * @armed: 0, IB_CQ_SOLICITED or IB_CQ_NEXT_COMP
 * @frames: modify_cq: an event for so many completions; 0: for any number
 * @usecs: modify_cq: or for the first after so long; 0: no moderation
 * @held: completions since arming that have not been told of
 * @overrun: a completion found no place; the CQ takes nothing any more
 * @mads: ib_mad's, set when its QP is made: arming does not fail on demand
 * @ring: the completions
 * @task: tells the consumer of completions, never from under a lock of his
 * @delay: runs @task later, for struct sib_hca.cq_delay_ms
 * @moderate: @usecs have passed
 * @events: IB_EVENT_CQ_ERR
 */
struct sib_cq {
	struct ib_cq ibcq;
	struct sib_hca *hca;
	u32 cqn;
	u32 size;
	spinlock_t lock; /* see @lock above */
	u32 head;
	u32 tail;
	u8 armed;
	u16 frames;
	u16 usecs;
	u32 held;
	bool overrun;
	bool mads;
	struct sib_cqe *ring;
	struct tasklet_struct task;
	struct timer_list delay;
	struct hrtimer moderate;
	struct sib_events events;
};

/* Position in a work request's gather or scatter list. */
struct sib_sg {
	const struct ib_sge *sge;
	u32 off;	/* within this one */
};

static inline void sib_sg_advance(struct sib_sg *sg, u32 n)
{
	sg->off += n;
	if (sg->off == sg->sge->length) {
		sg->sge++;
		sg->off = 0;
	}
}

/* A receive request. */
struct sib_rwqe {
	u64 wr_id;
	u32 len;	/* bytes that fit */
	u32 num_sge;
	struct ib_sge sge[];
};

/**
 * struct sib_rq - receive requests of a QP or an SRQ
 * @lock: sib_srq.lock or, as only one QP takes from it, sib_qp.rlock
 * @max: requests it holds
 * @max_sge: SGEs of each
 * @stride: bytes from one to the next
 * @mask: places in @ring - 1
 * @ring: the requests
 * @head: requests ever posted
 * @tail: requests ever taken
 */
struct sib_rq {
	spinlock_t *lock; /* protects what follows @ring */
	u32 max;
	u32 max_sge;
	u32 stride;
	u32 mask;
	void *ring;
	u32 head;
	u32 tail;
};

/**
 * struct sib_srq - shared receive queue
 * @ibsrq: what the consumer sees
 * @hca: its HCA
 * @lock: protects @limit and what sib_rq.lock does
 * @rq: its requests
 * @limit: armed limit, 0: none
 * @events: IB_EVENT_SRQ_LIMIT_REACHED
 */
struct sib_srq {
	struct ib_srq ibsrq;
	struct sib_hca *hca;
	spinlock_t lock; /* see @lock above */
	struct sib_rq rq;
	u32 limit;
	struct sib_events events;
};

/* Where packets go: what a work request's AH or a connected QP says. */
struct sib_av {
	__be16 dlid;
	u8 sl;
	u8 path_bits;
	bool grh;
	u8 sgid_index;
	u8 hop_limit;
	__be32 ver_tc_flow;
	u8 dgid[16];
};

struct sib_ah {
	struct ib_ah ibah;
	struct sib_av av;
	struct rdma_ah_attr attr;
};

/* A send request of an RC QP, kept until it is acknowledged. */
struct sib_swqe {
	u64 wr_id;
	u32 len;
	u32 psn;	/* of its first packet; valid once sent */
	u32 last_psn;
	__be32 imm;
	u8 opcode;	/* enum ib_wr_opcode */
	u8 flags;	/* enum ib_send_flags */
	u8 num_sge;
	bool bad;	/* a key is not valid */
	struct ib_sge sge[];
};

/**
 * struct sib_requester - sending half of an RC QP (chapter 9.7.5)
 *
 * Protected by sib_qp.slock. Work requests are counted from the QP's last
 * RESET: @una <= @cur <= @sent <= sib_qp.sq_head.
 *
 * @una: oldest work request not acknowledged
 * @cur: work request to send from next
 * @sent: work requests of which a packet was ever sent
 * @off: bytes of @cur that are sent
 * @psn_una: PSN of the oldest packet not acknowledged
 * @psn: PSN of the next packet
 * @psn_top: one beyond the highest PSN ever sent: packets below are resent
 * @retries: left until progress is seen again
 * @rnr_retries: likewise for RNR NAKs
 * @rnr_wait: nothing is sent until the RNR timer expires
 * @overdue: @deadline has passed once already
 * @unacked: messages since the last packet with AckReq
 * @deadline: jiffies at which the wait for an acknowledgment ends
 * @timer: for @deadline; may fire early, as it is not moved with each packet
 * @stride: bytes from one element of @ring to the next
 * @mask: elements - 1
 * @ring: struct sib_swqe
 */
struct sib_requester {
	u32 una;
	u32 cur;
	u32 sent;
	u32 off;
	u32 psn_una;
	u32 psn;
	u32 psn_top;
	u8 retries;
	u8 rnr_retries;
	bool rnr_wait;
	bool overdue;
	u8 unacked;
	unsigned long deadline;
	struct timer_list timer;
	u32 stride;
	u32 mask;
	void *ring;
};

/**
 * struct sib_responder - receiving half of an RC QP (chapter 9.7.4)
 *
 * Protected by sib_qp.rlock.
 *
 * @psn: expected PSN
 * @msn: messages completed
 * @nak_sent: a sequence error was reported, later packets are ignored
 * @in_msg: a message has begun
 * @ack_due: an acknowledgment is owed; the QP is on sib_port.acks
 * @ack_node: place there
 * @len: bytes of the message received so far
 * @comm_est: IB_EVENT_COMM_EST was raised
 * @wqe: the request it goes to, valid while @in_msg
 * @sg: where in it the next packet goes
 */
struct sib_responder {
	u32 psn;
	u32 msn;
	bool nak_sent;
	bool in_msg;
	bool ack_due;
	bool comm_est;
	struct list_head ack_node;
	u32 len;
	struct sib_rwqe *wqe;
	struct sib_sg sg;
};

/**
 * struct sib_qp - queue pair
 * @ibqp: what the consumer sees
 * @hca: its HCA
 * @port: its port
 * @sq_max: send requests it holds
 * @sq_max_sge: SGEs of each
 * @sig_all: every send request completes visibly
 * @block_loop: own multicast is not received
 * @lso: takes IB_WR_LSO
 * @mtu: bytes: of the port for UD, of the path for RC
 * @slock: protects @state (with @rlock), @attr, and the sending side
 * @state: written with both locks, read with either
 * @attr: as modify_qp left it
 * @av: of @attr.ah_attr
 * @sq_head: send requests ever posted
 * @sq_retired: send requests whose completion was polled; send CQ's lock
 * @unsignaled: completed since the last visible completion
 * @req: RC requester
 * @rlock: protects the receiving side; within @slock
 * @rq: own receive queue, unused with an SRQ
 * @srq: or NULL
 * @resp: RC responder
 * @events: told to the consumer
 */
struct sib_qp {
	struct ib_qp ibqp;
	struct sib_hca *hca;
	struct sib_port *port;
	u32 sq_max;
	u32 sq_max_sge;
	bool sig_all;
	bool block_loop;
	bool lso;
	u32 mtu;
	spinlock_t slock; /* see @slock above */
	u8 state;	/* enum ib_qp_state */
	struct ib_qp_attr attr;
	struct sib_av av;
	u32 sq_head;
	u32 sq_retired;
	u32 unsignaled;
	struct sib_requester req;
	spinlock_t rlock; /* see @rlock above */
	struct sib_rq rq;
	struct sib_srq *srq;
	struct sib_responder resp;
	struct sib_events events;
};

static inline struct sib_cq *to_sib_cq(struct ib_cq *ibcq)
{
	return container_of(ibcq, struct sib_cq, ibcq);
}

static inline struct sib_qp *to_sib_qp(struct ib_qp *ibqp)
{
	return container_of(ibqp, struct sib_qp, ibqp);
}

static inline bool sib_qp_is_for_mads(const struct sib_qp *qp)
{
	return qp->ibqp.qp_type == IB_QPT_SMI || qp->ibqp.qp_type == IB_QPT_GSI;
}

static inline struct sib_srq *to_sib_srq(struct ib_srq *ibsrq)
{
	return container_of(ibsrq, struct sib_srq, ibsrq);
}

static inline struct sib_ah *to_sib_ah(struct ib_ah *ibah)
{
	return container_of(ibah, struct sib_ah, ibah);
}

/* The P_Key of the port's table at @index; both change under the reader. */
static inline u16 sib_pkey(const struct sib_port *port, u16 index)
{
	return READ_ONCE(port->end.info.pkeys[index % SIB_PKEYS]);
}

/* May the two talk? Same key, and at least one a full member (10.9.3). */
static inline bool sib_pkey_match(u16 a, u16 b)
{
	return !((a ^ b) & 0x7fff) && (a & 0x7fff) && ((a | b) & 0x8000);
}

/**
 * struct sib_rx - a packet that is being received
 * @pkt: the packet
 * @grh: or NULL
 * @bth: base transport header
 * @data: behind the BTH
 * @len: bytes there, padding not counted
 * @dqpn: destination QP
 * @psn: packet sequence number
 * @pkey: P_Key
 * @pkey_index: where it matches, for QP1
 */
struct sib_rx {
	struct sib_pkt *pkt;
	struct sib_grh *grh;
	struct sib_bth *bth;
	u8 *data;
	u32 len;
	u32 dqpn;
	u32 psn;
	u16 pkey;
	u16 pkey_index;
};

/* sib_verbs.c */
extern const struct ib_device_ops sib_dev_ops;
void sib_av_from_attr(struct sib_av *av, const struct rdma_ah_attr *attr);

/* sib_mcast.c */
int sib_attach_mcast(struct ib_qp *ibqp, union ib_gid *gid, u16 mlid);
int sib_detach_mcast(struct ib_qp *ibqp, union ib_gid *gid, u16 mlid);
void sib_mcast_receive(struct sib_port *port, const struct sib_rx *rx);
bool sib_mcast_wanted(struct sib_port *port, const u8 *mgid);

/* sib_cq.c */
int sib_create_cq(struct ib_cq *ibcq, const struct ib_cq_init_attr *attr,
		  struct uverbs_attr_bundle *attrs);
int sib_destroy_cq(struct ib_cq *ibcq, struct ib_udata *udata);
int sib_poll_cq(struct ib_cq *ibcq, int num, struct ib_wc *wc);
int sib_req_notify_cq(struct ib_cq *ibcq, enum ib_cq_notify_flags flags);
int sib_modify_cq(struct ib_cq *ibcq, u16 frames, u16 usecs);
bool sib_cq_add(struct ib_cq *ibcq, const struct sib_cqe *cqe);
void sib_cq_purge(struct sib_cq *cq, struct sib_qp *qp);
void sib_cq_overrun(struct sib_cq *cq);
void sib_event_add(struct sib_events *ev, enum ib_event_type type);

/* sib_rq.c */
int sib_rq_init(struct sib_rq *rq, spinlock_t *lock, u32 max, u32 max_sge);
void sib_rq_cleanup(struct sib_rq *rq);
int sib_rq_post(struct sib_hca *hca, struct sib_rq *rq,
		const struct ib_recv_wr *wr, const struct ib_recv_wr **bad);
struct sib_rwqe *sib_rq_first(struct sib_rq *rq);
int sib_create_srq(struct ib_srq *ibsrq, struct ib_srq_init_attr *init,
		   struct ib_udata *udata);
int sib_modify_srq(struct ib_srq *ibsrq, struct ib_srq_attr *attr,
		   enum ib_srq_attr_mask mask, struct ib_udata *udata);
int sib_query_srq(struct ib_srq *ibsrq, struct ib_srq_attr *attr);
int sib_destroy_srq(struct ib_srq *ibsrq, struct ib_udata *udata);
int sib_post_srq_recv(struct ib_srq *ibsrq, const struct ib_recv_wr *wr,
		      const struct ib_recv_wr **bad);
int sib_qp_take_recv(struct sib_qp *qp, u32 need);
void sib_sg_scatter(struct sib_sg *sg, const void *from, u32 len);
void sib_sg_gather(struct sib_sg *sg, void *to, u32 len);
void sib_sg_skip(struct sib_sg *sg, u32 len);

/* sib_qp.c */
int sib_create_qp(struct ib_qp *ibqp, struct ib_qp_init_attr *init,
		  struct ib_udata *udata);
int sib_modify_qp(struct ib_qp *ibqp, struct ib_qp_attr *attr, int mask,
		  struct ib_udata *udata);
int sib_query_qp(struct ib_qp *ibqp, struct ib_qp_attr *attr, int mask,
		 struct ib_qp_init_attr *init);
int sib_destroy_qp(struct ib_qp *ibqp, struct ib_udata *udata);
struct sib_qp *sib_qp_find(struct sib_port *port, u32 qpn);
void sib_qp_error(struct sib_qp *qp, enum ib_event_type why);
void sib_qp_error_locked(struct sib_qp *qp, enum ib_event_type why);
void sib_cq_fail_qps(struct sib_cq *cq);

/* sib_post.c */
int sib_post_send(struct ib_qp *ibqp, const struct ib_send_wr *wr,
		  const struct ib_send_wr **bad);
int sib_post_recv(struct ib_qp *ibqp, const struct ib_recv_wr *wr,
		  const struct ib_recv_wr **bad);
void sib_send_done(struct sib_qp *qp, u64 wr_id, enum ib_wc_opcode opcode,
		   enum ib_wc_status status, bool visible);
void sib_recv_failed(struct sib_qp *qp, u64 wr_id, enum ib_wc_status status);
void sib_rq_flush(struct sib_qp *qp);
void sib_sq_flush(struct sib_qp *qp);
int sib_gather_len(const struct sib_qp *qp, const struct ib_sge *sge, int num,
		   u32 *len);
struct sib_bth *sib_route(struct sib_pkt *pkt, struct sib_port *port,
			  const struct sib_av *av, u8 vl);
void sib_port_send(struct sib_port *port, struct sib_pkt *pkt);

/* sib_ud.c */
int sib_ud_send(struct sib_qp *qp, const struct ib_ud_wr *ud);
void sib_ud_receive(struct sib_qp *qp, const struct sib_rx *rx);
struct sib_pkt *sib_ud_packet(struct sib_qp *qp, const struct ib_ud_wr *ud,
			      u32 len, u8 **payload);
void sib_ud_dispatch(struct sib_port *port, struct sib_rx *rx);

/* sib_lso.c */
int sib_lso_send(struct sib_qp *qp, const struct ib_ud_wr *ud, u32 len);
bool sib_csum_fill(u8 *frame, u32 len);
bool sib_csum_good(const u8 *frame, u32 len);

/* sib_rc.c */
int sib_rc_post(struct sib_qp *qp, const struct ib_send_wr *wr);
void sib_rc_pump(struct sib_qp *qp);
void sib_rc_answer(struct sib_qp *qp, const struct sib_rx *rx);
void sib_rc_start(struct sib_qp *qp);
void sib_rc_resume(struct sib_qp *qp);
void sib_rc_flush(struct sib_qp *qp);
int sib_rc_init(struct sib_qp *qp);
void sib_rc_cleanup(struct sib_qp *qp);

/* sib_rc_resp.c */
void sib_rc_request(struct sib_qp *qp, const struct sib_rx *rx);
void sib_rc_send_acks(struct sib_port *port);

/* sib_rx.c */
void sib_port_receive(struct sib_inq *inq, struct sib_pkt *pkt);
void sib_port_idle(struct sib_inq *inq);

#endif
