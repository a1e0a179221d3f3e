// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Reliable connections, the requester (chapter 9.7.5): messages are cut into
 * packets, which are sent again from the oldest unacknowledged one on after a
 * timeout or a sequence error ("go back N").
 */
#include <linux/slab.h>

#include "sib_verbs.h"

#define SIB_RC_WINDOW	128	/* packets under way */
#define SIB_RC_ACK_EVERY 16	/* messages, if more are waiting to be sent */
#define SIB_RC_GRACE	2	/* jiffies */

/* How far PSN @a is ahead of @b, from -2^23 to 2^23 - 1. */
static s32 sib_psn_diff(u32 a, u32 b)
{
	return (s32)((a - b) << 8) >> 8;
}

static u32 sib_psn_add(u32 psn, u32 n)
{
	return (psn + n) & SIB_24BIT;
}

static struct sib_swqe *sib_swqe_at(struct sib_qp *qp, u32 n)
{
	return qp->req.ring + (n & qp->req.mask) * qp->req.stride;
}

/* Packets a message takes; an empty one takes one. */
static u32 sib_rc_packets(const struct sib_qp *qp, u32 len)
{
	return len ? DIV_ROUND_UP(len, qp->mtu) : 1;
}

/* Local ACK timeout: 4.096 us * 2^timeout, at least that long (9.7.6.1.3). */
static unsigned long sib_ack_jiffies(u8 timeout)
{
	return nsecs_to_jiffies(4096ULL << timeout) + 1;
}

/*
 * How long an RNR NAK makes the sender wait, by its 5-bit code (table 45): 0
 * is 655.36 ms; from 2 on each second code doubles, and those between are the
 * mean of their neighbours.
 */
static unsigned long sib_rnr_jiffies(u8 code)
{
	u32 tens_us;

	if (code < 2)
		tens_us = code ?: 1U << 16;
	else if (code & 1)
		tens_us = 3U << (code - 3) / 2;
	else
		tens_us = 1U << code / 2;
	return usecs_to_jiffies(tens_us * 10) ?: 1;
}

/**
 * sib_rc_post - take a send request
 * @qp: RC QP in RTS or SQD
 * @wr: the request
 *
 * Context: any, @qp->slock held. sib_rc_pump() is to follow.
 * Return: 0 or -EINVAL.
 */
int sib_rc_post(struct sib_qp *qp, const struct ib_send_wr *wr)
{
	struct sib_swqe *wqe = sib_swqe_at(qp, qp->sq_head);

	lockdep_assert_held(&qp->slock);

	if (wr->opcode != IB_WR_SEND && wr->opcode != IB_WR_SEND_WITH_IMM)
		return -EINVAL;
	if (wr->send_flags & (IB_SEND_INLINE | IB_SEND_IP_CSUM))
		return -EINVAL;
	wqe->wr_id = wr->wr_id;
	wqe->opcode = wr->opcode;
	wqe->flags = wr->send_flags;
	wqe->imm = wr->ex.imm_data;
	wqe->num_sge = wr->num_sge;
	wqe->bad = sib_gather_len(qp, wr->sg_list, wr->num_sge, &wqe->len) ||
		   wqe->len > SIB_MAX_MSG;
	memcpy(wqe->sge, wr->sg_list, wr->num_sge * sizeof(*wr->sg_list));
	qp->sq_head++;
	return 0;
}

static void sib_rc_complete(struct sib_qp *qp, enum ib_wc_status status)
{
	struct sib_swqe *wqe = sib_swqe_at(qp, qp->req.una);

	qp->req.una++;
	sib_send_done(qp, wqe->wr_id, IB_WC_SEND, status,
		      wqe->flags & IB_SEND_SIGNALED);
}

/* The oldest request fails and takes the QP with it. */
static void sib_rc_fail(struct sib_qp *qp, enum ib_wc_status status)
{
	lockdep_assert_held(&qp->slock);

	if (qp->req.una != qp->sq_head)
		sib_rc_complete(qp, status);
	sib_qp_error_locked(qp, IB_EVENT_QP_LAST_WQE_REACHED);
}

/**
 * sib_rc_flush - complete all send requests of a QP in error
 * @qp: RC QP
 *
 * Context: any, @qp->slock held.
 */
void sib_rc_flush(struct sib_qp *qp)
{
	lockdep_assert_held(&qp->slock);

	while (qp->req.una != qp->sq_head) {
		struct sib_swqe *wqe = sib_swqe_at(qp, qp->req.una++);

		sib_send_done(qp, wqe->wr_id, IB_WC_SEND, IB_WC_WR_FLUSH_ERR,
			      true);
	}
	qp->req.cur = qp->req.una;
	qp->req.off = 0;
	qp->req.rnr_wait = false;
}

/**
 * sib_rc_start - a QP may send from now on
 * @qp: RC QP that goes from RTR to RTS
 *
 * Context: any, @qp->slock held.
 */
void sib_rc_start(struct sib_qp *qp)
{
	struct sib_requester *r = &qp->req;

	lockdep_assert_held(&qp->slock);

	timer_delete(&r->timer);	/* of a former life */
	r->psn = qp->attr.sq_psn;
	r->psn_una = r->psn;
	r->psn_top = r->psn;
	r->retries = qp->attr.retry_cnt;
	r->rnr_retries = qp->attr.rnr_retry;
	r->unacked = 0;
}

static u8 sib_rc_opcode(const struct sib_swqe *wqe, bool first, bool last)
{
	bool imm = wqe->opcode == IB_WR_SEND_WITH_IMM;

	if (!last)
		return first ? SIB_OP_SEND_FIRST : SIB_OP_SEND_MIDDLE;
	if (first)
		return imm ? SIB_OP_SEND_ONLY_IMM : SIB_OP_SEND_ONLY;
	return imm ? SIB_OP_SEND_LAST_IMM : SIB_OP_SEND_LAST;
}

/* Is request @n none that will be sent? */
static bool sib_rc_is_end(struct sib_qp *qp, u32 n)
{
	return n == qp->sq_head || sib_swqe_at(qp, n)->bad;
}

/*
 * An answer is asked for where the sender would otherwise stop or wait: at the
 * end of all there is to send, or of the window; and now and then between.
 */
static bool sib_rc_wants_ack(struct sib_qp *qp, bool last)
{
	struct sib_requester *r = &qp->req;

	if (sib_psn_diff(r->psn, r->psn_una) >= SIB_RC_WINDOW - 1)
		return true;
	if (!last)
		return !(r->psn % (SIB_RC_WINDOW / 4));
	if (!sib_rc_is_end(qp, r->cur + 1) && ++r->unacked < SIB_RC_ACK_EVERY)
		return false;
	r->unacked = 0;
	return true;
}

static void sib_rc_put_bth(struct sib_qp *qp, const struct sib_swqe *wqe,
			   struct sib_bth *bth, u8 opcode, u8 pad)
{
	bool last = opcode != SIB_OP_SEND_FIRST && opcode != SIB_OP_SEND_MIDDLE;
	u32 ack = sib_rc_wants_ack(qp, last) ? SIB_BTH_ACKREQ : 0;

	bth->opcode = opcode;
	bth->flags = SIB_BTH_MIG | pad << 4;
	if (last && (wqe->flags & IB_SEND_SOLICITED))
		bth->flags |= SIB_BTH_SE;
	bth->pkey = cpu_to_be16(sib_pkey(qp->port, qp->attr.pkey_index));
	bth->dqpn = cpu_to_be32(qp->attr.dest_qp_num);
	bth->psn = cpu_to_be32(qp->req.psn | ack);
}

/* The packet that is next; NULL without memory, which is a packet lost. */
static struct sib_pkt *sib_rc_packet(struct sib_qp *qp,
				     const struct sib_swqe *wqe, u32 len)
{
	u32 off = qp->req.off;
	u8 opcode = sib_rc_opcode(wqe, !off, off + len == wqe->len);
	bool imm = opcode == SIB_OP_SEND_ONLY_IMM ||
		   opcode == SIB_OP_SEND_LAST_IMM;
	u32 head = sizeof(struct sib_lrh) + sizeof(struct sib_bth) +
		   (qp->av.grh ? sizeof(struct sib_grh) : 0) +
		   (imm ? SIB_IMM_LEN : 0);
	struct sib_sg sg = { .sge = wqe->sge };
	u8 pad = -len & 3;
	struct sib_bth *bth;
	struct sib_pkt *pkt;
	u8 *data;

	pkt = sib_pkt_alloc(head + len + pad);
	if (unlikely(!pkt))
		return NULL;
	bth = sib_route(pkt, qp->port, &qp->av, 0);
	sib_rc_put_bth(qp, wqe, bth, opcode, pad);
	data = (u8 *)(bth + 1);
	if (imm) {
		memcpy(data, &wqe->imm, SIB_IMM_LEN);
		data += SIB_IMM_LEN;
	}
	sib_sg_skip(&sg, off);
	sib_sg_gather(&sg, data, len);
	memset(data + len, 0, pad);
	return pkt;
}

static void sib_rc_send_next(struct sib_qp *qp)
{
	struct sib_requester *r = &qp->req;
	struct sib_swqe *wqe = sib_swqe_at(qp, r->cur);
	u32 len = min(wqe->len - r->off, qp->mtu);
	struct sib_pkt *pkt;

	if (!r->off) {
		if (r->cur == r->sent)
			r->sent++;
		wqe->psn = r->psn;
		wqe->last_psn = sib_psn_add(r->psn,
					    sib_rc_packets(qp, wqe->len) - 1);
	}
	pkt = sib_rc_packet(qp, wqe, len);
	sib_count(qp->hca, SIB_STAT_RC_SENT);
	if (sib_psn_diff(r->psn, r->psn_top) < 0)
		sib_count(qp->hca, SIB_STAT_RC_RETRANSMITTED);
	r->psn = sib_psn_add(r->psn, 1);
	if (sib_psn_diff(r->psn, r->psn_top) > 0)
		r->psn_top = r->psn;
	r->off += len;
	if (r->off == wqe->len) {
		r->cur++;
		r->off = 0;
	}
	if (likely(pkt))
		sib_port_send(qp->port, pkt);
}

static void sib_rc_arm(struct sib_qp *qp)
{
	struct sib_requester *r = &qp->req;

	if (!qp->attr.timeout)
		return;
	r->overdue = false;
	r->deadline = jiffies + sib_ack_jiffies(qp->attr.timeout);
	if (!timer_pending(&r->timer) ||
	    time_after(r->timer.expires, r->deadline))
		mod_timer(&r->timer, r->deadline);
}

/**
 * sib_rc_pump - send what may be sent
 * @qp: RC QP
 *
 * Context: any, @qp->slock held.
 */
void sib_rc_pump(struct sib_qp *qp)
{
	struct sib_requester *r = &qp->req;
	bool idle = r->psn_una == r->psn;
	bool sent = false;

	lockdep_assert_held(&qp->slock);

	if (qp->state != IB_QPS_RTS || r->rnr_wait)
		return;
	while (!sib_rc_is_end(qp, r->cur) &&
	       sib_psn_diff(r->psn, r->psn_una) < SIB_RC_WINDOW) {
		sib_rc_send_next(qp);
		sent = true;
	}
	if (sent && idle)
		sib_rc_arm(qp);
	/* a bad request fails once all before it are acknowledged */
	if (unlikely(r->cur == r->una && r->cur != qp->sq_head &&
		     sib_swqe_at(qp, r->cur)->bad))
		sib_rc_fail(qp, IB_WC_LOC_PROT_ERR);
}

/**
 * sib_rc_resume - go on sending
 * @qp: RC QP that has come to RTS, perhaps from SQD
 *
 * Context: any, @qp->slock held.
 */
void sib_rc_resume(struct sib_qp *qp)
{
	lockdep_assert_held(&qp->slock);

	qp->req.rnr_wait = false;
	sib_rc_pump(qp);
	if (qp->req.psn_una != qp->req.psn)
		sib_rc_arm(qp);
}

/* Continue sending from @psn: within what was sent, or one beyond. */
static void sib_rc_go_to(struct sib_qp *qp, u32 psn)
{
	struct sib_requester *r = &qp->req;

	r->psn = psn;
	r->off = 0;
	r->unacked = 0;
	for (r->cur = r->una; r->cur != r->sent; r->cur++) {
		struct sib_swqe *wqe = sib_swqe_at(qp, r->cur);

		if (sib_psn_diff(wqe->last_psn, psn) < 0)
			continue;
		r->off = sib_psn_diff(psn, wqe->psn) * qp->mtu;
		break;
	}
}

/* Everything before @psn has arrived. Whether that is news. */
static bool sib_rc_acked(struct sib_qp *qp, u32 psn)
{
	struct sib_requester *r = &qp->req;

	if (sib_psn_diff(psn, r->psn_una) <= 0)
		return false;
	r->psn_una = psn;
	r->retries = qp->attr.retry_cnt;
	r->rnr_retries = qp->attr.rnr_retry;
	while (r->una != r->sent &&
	       sib_psn_diff(sib_swqe_at(qp, r->una)->last_psn, psn) < 0)
		sib_rc_complete(qp, IB_WC_SUCCESS);
	/* while going back, an answer to the first attempt came */
	if (sib_psn_diff(psn, r->psn) > 0)
		sib_rc_go_to(qp, psn);
	return true;
}

/* Send again from the oldest unacknowledged packet on, if that is allowed. */
static void sib_rc_retry(struct sib_qp *qp)
{
	struct sib_requester *r = &qp->req;

	if (!r->retries) {
		sib_rc_fail(qp, IB_WC_RETRY_EXC_ERR);
		return;
	}
	r->retries--;
	sib_rc_go_to(qp, r->psn_una);
	sib_rc_pump(qp);
	sib_rc_arm(qp);
}

static void sib_rc_not_ready(struct sib_qp *qp, u8 code)
{
	struct sib_requester *r = &qp->req;

	sib_count(qp->hca, SIB_STAT_RC_RNR_NAKS_RECEIVED);
	if (r->rnr_wait)
		return;
	if (!r->rnr_retries) {
		sib_rc_fail(qp, IB_WC_RNR_RETRY_EXC_ERR);
		return;
	}
	if (qp->attr.rnr_retry != 7)	/* 7: for ever (9.7.5.2.8) */
		r->rnr_retries--;
	sib_rc_go_to(qp, r->psn_una);
	r->rnr_wait = true;
	r->deadline = jiffies + sib_rnr_jiffies(code);
	mod_timer(&r->timer, r->deadline);
}

static void sib_rc_nak(struct sib_qp *qp, u8 code)
{
	sib_count(qp->hca, SIB_STAT_RC_NAKS_RECEIVED);
	switch (code) {
	case SIB_NAK_SEQUENCE:
		sib_rc_retry(qp);
		break;
	case SIB_NAK_ACCESS:
		sib_rc_fail(qp, IB_WC_REM_ACCESS_ERR);
		break;
	case SIB_NAK_OPERATION:
		sib_rc_fail(qp, IB_WC_REM_OP_ERR);
		break;
	default:
		sib_rc_fail(qp, IB_WC_REM_INV_REQ_ERR);
	}
}

static void sib_rc_ack_received(struct sib_qp *qp, u32 psn, u8 syndrome)
{
	struct sib_requester *r = &qp->req;
	u8 value = syndrome & SIB_AETH_VALUE;

	/* from before a reset, or of packets never sent: not ours (9.7.5.1.4) */
	if (sib_psn_diff(psn, r->psn_una) < -1 ||
	    sib_psn_diff(psn, r->psn_top) >= 0)
		return;
	switch (syndrome & SIB_AETH_KIND) {
	case SIB_AETH_ACK:
		if (!sib_rc_acked(qp, sib_psn_add(psn, 1)))
			break;
		if (r->psn_una != r->psn)
			sib_rc_arm(qp);
		sib_rc_pump(qp);
		break;
	case SIB_AETH_RNR:
		sib_rc_acked(qp, psn);
		if (psn == r->psn_una)
			sib_rc_not_ready(qp, value);
		break;
	case SIB_AETH_NAK:
		sib_rc_acked(qp, psn);
		if (psn == r->psn_una)
			sib_rc_nak(qp, value);
		break;
	}
}

/**
 * sib_rc_answer - an ACK, NAK or RNR NAK has arrived
 * @qp: RC QP it is for
 * @rx: the packet
 *
 * Context: the port's tasklet.
 */
void sib_rc_answer(struct sib_qp *qp, const struct sib_rx *rx)
{
	unsigned long flags;

	if (rx->len != SIB_AETH_LEN) {
		sib_count(qp->hca, SIB_STAT_RC_DROPPED);
		return;
	}
	spin_lock_irqsave(&qp->slock, flags);
	if (qp->state == IB_QPS_RTS || qp->state == IB_QPS_SQD)
		sib_rc_ack_received(qp, rx->psn,
				    get_unaligned_be32(rx->data) >> 24);
	else
		sib_count(qp->hca, SIB_STAT_RC_DROPPED);
	spin_unlock_irqrestore(&qp->slock, flags);
}

/*
 * The timer of a machine that stood still for a while expires before the
 * packets are looked at that had arrived by then, so they get a last chance.
 */
static void sib_rc_overdue(struct sib_qp *qp)
{
	struct sib_requester *r = &qp->req;

	if (r->overdue) {
		sib_count(qp->hca, SIB_STAT_RC_TIMEOUTS);
		sib_rc_retry(qp);
		return;
	}
	r->overdue = true;
	r->deadline = jiffies + SIB_RC_GRACE;
	mod_timer(&r->timer, r->deadline);
}

static void sib_rc_expired(struct sib_qp *qp)
{
	struct sib_requester *r = &qp->req;

	lockdep_assert_held(&qp->slock);

	if (qp->state != IB_QPS_RTS)
		return;
	if (time_before(jiffies, r->deadline)) {
		mod_timer(&r->timer, r->deadline);
	} else if (r->rnr_wait) {
		r->rnr_wait = false;
		sib_rc_pump(qp);
		sib_rc_arm(qp);
	} else if (r->psn_una != r->psn) {
		sib_rc_overdue(qp);
	}
}

static void sib_rc_timer(struct timer_list *timer)
{
	struct sib_qp *qp = container_of(timer, struct sib_qp, req.timer);
	unsigned long flags;

	spin_lock_irqsave(&qp->slock, flags);
	sib_rc_expired(qp);
	spin_unlock_irqrestore(&qp->slock, flags);
}

/**
 * sib_rc_init - make the requester of a new QP
 * @qp: RC QP
 *
 * Context: may sleep. Return: 0 or -ENOMEM.
 */
int sib_rc_init(struct sib_qp *qp)
{
	u32 places = roundup_pow_of_two(qp->sq_max ?: 1);
	struct sib_requester *r = &qp->req;

	r->stride = struct_size_t(struct sib_swqe, sge, qp->sq_max_sge);
	r->mask = places - 1;
	r->ring = kvmalloc_array(places, r->stride, GFP_KERNEL);
	if (!r->ring)
		return -ENOMEM;
	timer_setup(&r->timer, sib_rc_timer, 0);
	return 0;
}

/**
 * sib_rc_cleanup - undo sib_rc_init()
 * @qp: RC QP that nothing can reach any more
 *
 * Context: may sleep.
 */
void sib_rc_cleanup(struct sib_qp *qp)
{
	timer_shutdown_sync(&qp->req.timer);
	kvfree(qp->req.ring);
}
