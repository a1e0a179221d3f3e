// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* sib_test: reliable connections. */
#include <linux/delay.h>
#include <linux/sizes.h>

#include "sibt.h"

#define SIBT_MSGS	16	/* under way */

/* A stream of messages; message i is made of seed + i. */
struct sibt_stream {
	struct sibt_qp *a;
	struct sibt_qp *b;
	u32 len;
	u32 count;
	u32 sent;
	u32 completed;
	u32 received;
};

static u32 sibt_msg_len(const struct sibt *t, const struct sibt_stream *s,
			u32 i)
{
	struct rnd_state rnd;

	prandom_seed_state(&rnd, t->args.seed ^ i);
	return prandom_u32_state(&rnd) % (s->len + 1);
}

static int sibt_stream_send(struct sibt *t, struct sibt_stream *s)
{
	u32 i = s->sent, off = i % SIBT_MSGS * s->len;
	u32 len = sibt_msg_len(t, s, i);

	if (i == s->count || i - s->completed == SIBT_MSGS)
		return 0;
	sibt_fill(s->a->tx + off, len, t->args.seed + i);
	if (sibt_rc_send(s->a, off, len, 0))
		return sibt_fail(t, "message %u is not taken", i);
	s->sent++;
	return 0;
}

static int sibt_stream_complete(struct sibt *t, struct sibt_stream *s)
{
	struct ib_wc wc;

	while (ib_poll_cq(s->a->scq, 1, &wc) == 1) {
		if (wc.status != IB_WC_SUCCESS)
			return sibt_fail(t, "message %u of %u: %s",
					 s->completed, s->count,
					 ib_wc_status_msg(wc.status));
		if (wc.wr_id != s->completed % SIBT_MSGS * s->len)
			return sibt_fail(t, "message %u completes out of order",
					 s->completed);
		s->completed++;
	}
	return 0;
}

static int sibt_stream_receive(struct sibt *t, struct sibt_stream *s)
{
	struct ib_wc wc;
	u32 len;

	while (ib_poll_cq(s->b->rcq, 1, &wc) == 1) {
		len = sibt_msg_len(t, s, s->received);
		if (wc.status != IB_WC_SUCCESS || wc.byte_len != len)
			return sibt_fail(t, "message %u: %s, %u of %u bytes",
					 s->received,
					 ib_wc_status_msg(wc.status),
					 wc.byte_len, len);
		if (!sibt_filled(s->b->rx + wc.wr_id * s->b->slot, len,
				 t->args.seed + s->received))
			return sibt_fail(t, "message %u of %u bytes differs",
					 s->received, len);
		s->received++;
		if (sibt_recv(s->b, wc.wr_id))
			return sibt_fail(t, "repost");
	}
	return 0;
}

static int sibt_stream_run(struct sibt *t, struct sibt_stream *s)
{
	unsigned long end = jiffies + msecs_to_jiffies(t->args.ms ?: 60000);
	u32 before;

	while (s->received < s->count || s->completed < s->count) {
		before = s->sent + s->completed + s->received;
		if (sibt_stream_send(t, s) || sibt_stream_complete(t, s) ||
		    sibt_stream_receive(t, s))
			return -EIO;
		if (time_after(jiffies, end))
			return sibt_fail(t, "time is over at %u/%u/%u of %u",
					 s->sent, s->completed, s->received,
					 s->count);
		if (before == s->sent + s->completed + s->received)
			usleep_range(50, 200);
	}
	return 0;
}

static int sibt_stream_with(struct sibt *t, const struct sibt_opts *opts)
{
	struct sibt_stream s = {
		.len = t->args.len ?: 10000,
		.count = t->args.count ?: 500,
	};

	if (sibt_rc_pair(t, &s.a, &s.b, opts))
		return -EIO;
	if (s.len > s.b->slot || s.len > SIBT_TX / SIBT_MSGS)
		return sibt_fail(t, "len is too large");
	if (sibt_recv_all(t, s.b))
		return -EIO;
	return sibt_stream_run(t, &s);
}

/* Data verified, whatever the faults do; see the counters for what they did. */
static int sibt_rc_stream(struct sibt *t)
{
	struct sibt_opts opts = { .slot = SZ_16K };

	return sibt_stream_with(t, &opts);
}

static int sibt_rc_stream_srq(struct sibt *t)
{
	struct sibt_opts opts = { .slot = SZ_16K, .srq = true };

	return sibt_stream_with(t, &opts);
}

/* One message of more packets than may be under way at a time. */
static int sibt_rc_huge(struct sibt *t)
{
	u32 len = t->args.len ?: SIBT_TX - 1;
	struct sibt_opts opts = { .slot = SIBT_TX, .recv_wr = 2 };
	struct sibt_qp *a, *b;
	struct ib_wc wc;

	t->args.mtu = 256;
	if (sibt_rc_pair(t, &a, &b, &opts) || sibt_recv_all(t, b))
		return -EIO;
	sibt_fill(a->tx, len, t->args.seed);
	if (sibt_rc_send(a, 0, len, 0))
		return sibt_fail(t, "not taken");
	if (sibt_expect(t, a->scq, &wc, IB_WC_SUCCESS, "send") ||
	    sibt_expect(t, b->rcq, &wc, IB_WC_SUCCESS, "receive"))
		return -EIO;
	if (wc.byte_len != len || !sibt_filled(b->rx, len, t->args.seed))
		return sibt_fail(t, "%u of %u bytes, or they differ",
				 wc.byte_len, len);
	return 0;
}

static int sibt_rc_self(struct sibt *t)
{
	strscpy(t->args.b, t->args.a, sizeof(t->args.b));
	return sibt_rc_stream(t);
}

static int sibt_rc_imm(struct sibt *t)
{
	struct ib_send_wr wr = {
		.opcode = IB_WR_SEND_WITH_IMM,
		.ex.imm_data = cpu_to_be32(0x87654321),
	};
	struct sibt_qp *a, *b;
	struct ib_wc wc;

	if (sibt_rc_pair(t, &a, &b, NULL) || sibt_recv_all(t, b))
		return -EIO;
	if (ib_post_send(a->qp, &wr, NULL) ||
	    sibt_expect(t, a->scq, &wc, IB_WC_SUCCESS, "send") ||
	    sibt_expect(t, b->rcq, &wc, IB_WC_SUCCESS, "receive"))
		return -EIO;
	if (!(wc.wc_flags & IB_WC_WITH_IMM) ||
	    wc.ex.imm_data != cpu_to_be32(0x87654321) || wc.byte_len)
		return sibt_fail(t, "immediate %#x, flags %#x, %u bytes",
				 be32_to_cpu(wc.ex.imm_data), wc.wc_flags,
				 wc.byte_len);
	return 0;
}

static int sibt_rc_state_is(struct sibt *t, struct sibt_qp *q,
			    enum ib_qp_state state)
{
	struct ib_qp_init_attr init;
	struct ib_qp_attr attr;

	if (ib_query_qp(q->qp, &attr, IB_QP_STATE, &init))
		return sibt_fail(t, "query_qp fails");
	if (attr.qp_state != state)
		return sibt_fail(t, "QP state %d, expected %d", attr.qp_state,
				 state);
	return 0;
}

/* Two sends to a peer that does not answer: how the first ends, and when. */
static int sibt_rc_retry(struct sibt *t)
{
	struct sibt_qp *a, *b;
	struct ib_wc wc;
	ktime_t start;

	if (sibt_rc_pair(t, &a, &b, NULL) || sibt_state(b, IB_QPS_RESET))
		return -EIO;
	start = ktime_get();
	if (sibt_rc_send(a, 0, 8, 0) || sibt_rc_send(a, 8, 8, 0))
		return sibt_fail(t, "not taken");
	if (sibt_expect(t, a->scq, &wc, IB_WC_RETRY_EXC_ERR, "first"))
		return -EIO;
	pr_info("sib_test: gave up after %lld ms\n",
		ktime_ms_delta(ktime_get(), start));
	if (sibt_expect(t, a->scq, &wc, IB_WC_WR_FLUSH_ERR, "second"))
		return -EIO;
	return sibt_rc_state_is(t, a, IB_QPS_ERR);
}

/* The peer has no receive, and rnr is not 7. */
static int sibt_rc_rnr(struct sibt *t)
{
	struct sibt_qp *a, *b;
	struct ib_wc wc;
	ktime_t start;

	if (t->args.rnr == 7)
		t->args.rnr = 3;
	if (sibt_rc_pair(t, &a, &b, NULL))
		return -EIO;
	start = ktime_get();
	if (sibt_rc_send(a, 0, 8, 0))
		return sibt_fail(t, "not taken");
	if (sibt_expect(t, a->scq, &wc, IB_WC_RNR_RETRY_EXC_ERR, "send"))
		return -EIO;
	pr_info("sib_test: gave up after %lld ms\n",
		ktime_ms_delta(ktime_get(), start));
	return sibt_rc_state_is(t, a, IB_QPS_ERR);
}

/* rnr 7: the sender waits for as long as it takes. */
static int sibt_rc_rnr_wait(struct sibt *t)
{
	struct sibt_qp *a, *b;
	struct ib_wc wc;

	t->args.rnr = 7;
	if (sibt_rc_pair(t, &a, &b, NULL))
		return -EIO;
	if (sibt_rc_send(a, 0, 8, 0) || sibt_rc_send(a, 8, 5000, 0))
		return sibt_fail(t, "not taken");
	if (sibt_quiet(t, a->scq, 300, "before there is a receive"))
		return -EIO;
	if (sibt_recv(b, 0) ||
	    sibt_expect(t, a->scq, &wc, IB_WC_SUCCESS, "first") ||
	    sibt_quiet(t, a->scq, 100, "before the second receive"))
		return -EIO;
	b->slot *= 2;	/* two buffers in one */
	return sibt_recv(b, 0) ? -EIO :
	       sibt_expect(t, a->scq, &wc, IB_WC_SUCCESS, "second");
}

/* A message longer than the receive: both ends fail, each with its reason. */
static int sibt_rc_long(struct sibt *t)
{
	struct sibt_opts opts = { .slot = 3000 };
	struct sibt_qp *a, *b;
	struct ib_wc wc;

	if (sibt_rc_pair(t, &a, &b, &opts) || sibt_recv(b, 0) ||
	    sibt_recv(b, 1))
		return -EIO;
	if (sibt_rc_send(a, 0, 3001, 0))
		return sibt_fail(t, "not taken");
	if (sibt_expect(t, b->rcq, &wc, IB_WC_LOC_LEN_ERR, "receive") ||
	    sibt_expect(t, b->rcq, &wc, IB_WC_WR_FLUSH_ERR, "next receive") ||
	    sibt_expect(t, a->scq, &wc, IB_WC_REM_INV_REQ_ERR, "send"))
		return -EIO;
	if (sibt_event(t, b, IB_EVENT_QP_REQ_ERR) ||
	    sibt_rc_state_is(t, b, IB_QPS_ERR))
		return -EIO;
	return sibt_rc_state_is(t, a, IB_QPS_ERR);
}

/* A key nobody has: fails after what was sent before it has arrived. */
static int sibt_rc_key(struct sibt *t)
{
	struct ib_sge sge = { .length = 8, .lkey = 0xdead };
	struct ib_send_wr wr = { .sg_list = &sge, .num_sge = 1 };
	struct sibt_qp *a, *b;
	struct ib_wc wc;

	wr.opcode = IB_WR_SEND;
	if (sibt_rc_pair(t, &a, &b, NULL) || sibt_recv_all(t, b))
		return -EIO;
	sge.addr = (uintptr_t)a->tx;
	if (sibt_rc_send(a, 0, 4000, 0) || ib_post_send(a->qp, &wr, NULL))
		return sibt_fail(t, "not taken");
	if (sibt_expect(t, a->scq, &wc, IB_WC_SUCCESS, "right key"))
		return -EIO;
	return sibt_expect(t, a->scq, &wc, IB_WC_LOC_PROT_ERR, "wrong key");
}

/* Sends and receives of a QP that goes to error, in their order. */
static int sibt_rc_flush(struct sibt *t)
{
	struct sibt_qp *a, *b;
	struct ib_wc wc;
	u32 i;

	t->args.timeout = 0;
	if (sibt_rc_pair(t, &a, &b, NULL) || sibt_recv_all(t, a) ||
	    sibt_state(b, IB_QPS_RESET))
		return -EIO;
	for (i = 0; i < 10; i++)
		if (sibt_rc_send(a, i, 8, 0))
			return sibt_fail(t, "not taken");
	if (sibt_quiet(t, a->scq, 50, "timeout 0 waits for ever") ||
	    sibt_state(a, IB_QPS_ERR))
		return -EIO;
	for (i = 0; i < 10; i++)
		if (sibt_expect(t, a->scq, &wc, IB_WC_WR_FLUSH_ERR, "send") ||
		    wc.wr_id != i)
			return sibt_fail(t, "send %u is number %llu", i,
					 wc.wr_id);
	for (i = 0; i < a->slots; i++)
		if (sibt_expect(t, a->rcq, &wc, IB_WC_WR_FLUSH_ERR, "recv") ||
		    wc.wr_id != i)
			return sibt_fail(t, "receive %u is number %llu", i,
					 wc.wr_id);
	return 0;
}

static int sibt_srq_arm(struct sibt *t, struct sibt_qp *q, u32 limit)
{
	struct ib_srq_attr attr = { .srq_limit = limit };

	if (ib_modify_srq(q->srq, &attr, IB_SRQ_LIMIT))
		return sibt_fail(t, "limit %u is not taken", limit);
	return 0;
}

static int sibt_srq_take(struct sibt *t, struct sibt_qp *a, struct sibt_qp *b,
			 u32 n)
{
	struct ib_wc wc;

	for (; n; n--)
		if (sibt_rc_send(a, 0, 8, 0) ||
		    sibt_expect(t, a->scq, &wc, IB_WC_SUCCESS, "send") ||
		    sibt_expect(t, b->rcq, &wc, IB_WC_SUCCESS, "receive"))
			return -EIO;
	msleep(20);
	return 0;
}

/* The event comes when fewer than the limit are left, once per arming. */
static int sibt_rc_srq_limit(struct sibt *t)
{
	struct sibt_opts opts = { .srq = true, .recv_wr = 10 };
	struct ib_srq_attr attr;
	struct sibt_qp *a, *b;

	if (sibt_rc_pair(t, &a, &b, &opts) || sibt_recv_all(t, b) ||
	    sibt_srq_arm(t, b, 6) || sibt_srq_take(t, a, b, 4))
		return -EIO;
	if (atomic_read(&b->limit_events))
		return sibt_fail(t, "event with 6 left of limit 6");
	if (sibt_srq_take(t, a, b, 1))
		return -EIO;
	if (atomic_read(&b->limit_events) != 1)
		return sibt_fail(t, "%d events with 5 left of limit 6",
				 atomic_read(&b->limit_events));
	if (ib_query_srq(b->srq, &attr) || attr.srq_limit)
		return sibt_fail(t, "limit %u after the event", attr.srq_limit);
	if (sibt_srq_take(t, a, b, 1))
		return -EIO;
	if (atomic_read(&b->limit_events) != 1)
		return sibt_fail(t, "an event without arming");
	if (sibt_srq_arm(t, b, 3) || sibt_srq_take(t, a, b, 2))
		return -EIO;
	if (atomic_read(&b->limit_events) != 2)
		return sibt_fail(t, "%d events after the second arming",
				 atomic_read(&b->limit_events));
	return 0;
}

/* An SRQ's receives outlive the QP, which says that it takes no more. */
static int sibt_rc_last_wqe(struct sibt *t)
{
	struct sibt_opts opts = { .srq = true };
	struct sibt_qp *a, *b;
	struct ib_wc wc;

	if (sibt_rc_pair(t, &a, &b, &opts) || sibt_recv_all(t, b) ||
	    sibt_srq_take(t, a, b, 3))
		return -EIO;
	if (test_bit(IB_EVENT_QP_LAST_WQE_REACHED, &b->qp_events))
		return sibt_fail(t, "last WQE event before the error");
	if (sibt_state(b, IB_QPS_ERR) ||
	    sibt_event(t, b, IB_EVENT_QP_LAST_WQE_REACHED))
		return -EIO;
	if (sibt_quiet(t, b->rcq, 20, "receives of the SRQ"))
		return -EIO;
	/* the drain that consumers do next */
	if (sibt_rc_send(b, 0, 8, 0))
		return sibt_fail(t, "drain request is not taken");
	return sibt_expect(t, b->scq, &wc, IB_WC_WR_FLUSH_ERR, "drain");
}

const struct sibt_test sibt_rc_tests[] = {
	{ "rc-stream", sibt_rc_stream, "messages, verified; len count ..." },
	{ "rc-stream-srq", sibt_rc_stream_srq, "the same with an SRQ" },
	{ "rc-huge", sibt_rc_huge, "a message larger than the window" },
	{ "rc-self", sibt_rc_self, "the same within one HCA" },
	{ "rc-imm", sibt_rc_imm, "immediate data" },
	{ "rc-retry", sibt_rc_retry, "a dead peer; retry timeout" },
	{ "rc-rnr", sibt_rc_rnr, "no receive; rnr min_rnr" },
	{ "rc-rnr-wait", sibt_rc_rnr_wait, "no receive yet" },
	{ "rc-long", sibt_rc_long, "messages longer than the receive" },
	{ "rc-key", sibt_rc_key, "a key that is not valid" },
	{ "rc-flush", sibt_rc_flush, "a QP in error" },
	{ "rc-srq-limit", sibt_rc_srq_limit, "SRQ limit event" },
	{ "rc-last-wqe", sibt_rc_last_wqe, "last WQE event" },
	{}
};
