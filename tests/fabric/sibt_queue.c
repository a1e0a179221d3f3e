// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* sib_test: queues, completions, states and their rules. */
#include <linux/delay.h>

#include "sibt.h"

/* Places in the send queue, with every fourth request signalled. */
static int sibt_signal(struct sibt *t)
{
	struct sibt_opts opts = { .send_wr = 16, .sig_req = true };
	struct sibt_qp *a, *b;
	struct ib_ah *ah;
	struct ib_wc wc;
	int i;

	if (sibt_ud_pair(t, &a, &b, &ah, &opts))
		return -EIO;
	for (i = 0; i < 16; i++)
		if (sibt_ud_send(a, ah, b->qp->qp_num, 8,
				 i % 4 == 3 ? IB_SEND_SIGNALED : 0))
			return sibt_fail(t, "send %d of 16 not taken", i);
	if (sibt_ud_send(a, ah, b->qp->qp_num, 8, 0) != -ENOMEM)
		return sibt_fail(t, "a send too many is taken");
	for (i = 0; i < 4; i++)
		if (sibt_expect(t, a->scq, &wc, IB_WC_SUCCESS, "every 4th"))
			return -EIO;
	if (sibt_quiet(t, a->scq, 20, "unsignalled"))
		return -EIO;
	for (i = 0; i < 16; i++)
		if (sibt_ud_send(a, ah, b->qp->qp_num, 8, 0))
			return sibt_fail(t, "place %d is not free again", i);
	if (sibt_ud_send(a, ah, b->qp->qp_num, 8, 0) != -ENOMEM)
		return sibt_fail(t, "places free that nothing freed");
	/* unsignalled success is silent, but errors speak */
	if (sibt_state(a, IB_QPS_ERR) || sibt_state(a, IB_QPS_RESET) ||
	    sibt_ud_up(t, a))
		return -EIO;
	if (sibt_ud_send(a, ah, b->qp->qp_num, 4097, 0))
		return -EIO;
	return sibt_expect(t, a->scq, &wc, IB_WC_LOC_LEN_ERR, "failed send");
}

static int sibt_check_chain(struct sibt *t, struct sibt_qp *q)
{
	struct ib_recv_wr wr[4] = {};
	const struct ib_recv_wr *bad = NULL;
	int i, ret;

	for (i = 0; i < 3; i++)
		wr[i].next = &wr[i + 1];
	ret = ib_post_recv(q->qp, wr, &bad);
	if (ret != -ENOMEM || bad != &wr[2])
		return sibt_fail(t, "chain of 4 receives for 2: %d, bad is %td",
				 ret, bad - wr);
	return 0;
}

/* What each state of a UD QP takes, and what becomes of it. */
static int sibt_states(struct sibt *t)
{
	struct sibt_opts opts = { .recv_wr = 2 };
	struct ib_sge sge[5] = {};
	struct ib_recv_wr wide = { .sg_list = sge, .num_sge = 2 };
	struct sibt_qp *q = sibt_qp(t, t->args.a, IB_QPT_UD, &opts);
	struct ib_qp_attr attr = { .qp_state = IB_QPS_RTS };
	struct ib_ah *ah;
	struct ib_wc wc;

	if (!q)
		return -EIO;
	ah = sibt_ah(t, q, q);
	if (!ah)
		return -EIO;
	if (sibt_recv(q, 0) != -EINVAL)
		return sibt_fail(t, "receive is taken in RESET");
	if (sibt_ud_send(q, ah, 2, 8, 0) != -EINVAL)
		return sibt_fail(t, "send is taken in RESET");
	if (!ib_modify_qp(q->qp, &attr, IB_QP_STATE | IB_QP_SQ_PSN))
		return sibt_fail(t, "RESET to RTS is possible");
	if (sibt_ud_up(t, q) || sibt_check_chain(t, q))
		return -EIO;
	if (ib_post_recv(q->qp, &wide, NULL) != -EINVAL)
		return sibt_fail(t, "receive with too many SGEs is taken");
	if (sibt_state(q, IB_QPS_ERR))
		return sibt_fail(t, "cannot go to ERR");
	if (sibt_expect(t, q->rcq, &wc, IB_WC_WR_FLUSH_ERR, "1st receive") ||
	    sibt_expect(t, q->rcq, &wc, IB_WC_WR_FLUSH_ERR, "2nd receive"))
		return -EIO;
	if (sibt_recv(q, 0) || sibt_ud_send(q, ah, 2, 8, 0))
		return sibt_fail(t, "ERR takes no requests");
	if (sibt_expect(t, q->rcq, &wc, IB_WC_WR_FLUSH_ERR, "receive in ERR"))
		return -EIO;
	return sibt_expect(t, q->scq, &wc, IB_WC_WR_FLUSH_ERR, "send in ERR");
}

/* Completions of a destroyed QP are never polled. */
static int sibt_purge(struct sibt *t)
{
	struct sibt_qp *a, *b;
	struct ib_ah *ah;
	struct ib_qp *qp;

	if (sibt_ud_pair(t, &a, &b, &ah, NULL))
		return -EIO;
	if (sibt_ud_send(a, ah, b->qp->qp_num, 8, 0) ||
	    sibt_ud_send(a, ah, b->qp->qp_num, 8, 0))
		return -EIO;
	msleep(20);
	qp = b->qp;
	b->qp = NULL;
	ib_destroy_qp(qp);
	if (sibt_quiet(t, b->rcq, 20, "destroyed receiver"))
		return -EIO;
	if (sibt_state(a, IB_QPS_ERR) || sibt_state(a, IB_QPS_RESET))
		return -EIO;
	return sibt_quiet(t, a->scq, 20, "sender in RESET");
}

/* Completion events: once per arming, solicited or not, and missed ones. */
static int sibt_notify(struct sibt *t)
{
	struct sibt_qp *a, *b;
	struct ib_ah *ah;
	int ret;

	if (sibt_ud_pair(t, &a, &b, &ah, NULL))
		return -EIO;
	if (ib_req_notify_cq(b->rcq, IB_CQ_NEXT_COMP) ||
	    sibt_ud_send(a, ah, b->qp->qp_num, 8, 0) ||
	    sibt_ud_send(a, ah, b->qp->qp_num, 8, 0))
		return -EIO;
	msleep(20);
	if (atomic_read(&b->comps) != 1)
		return sibt_fail(t, "%d events after one arming",
				 atomic_read(&b->comps));
	ret = ib_req_notify_cq(b->rcq, IB_CQ_SOLICITED |
				       IB_CQ_REPORT_MISSED_EVENTS);
	if (ret != 1)
		return sibt_fail(t, "missed events: %d, expected 1", ret);
	if (sibt_ud_send(a, ah, b->qp->qp_num, 8, 0))
		return -EIO;
	msleep(20);
	if (atomic_read(&b->comps) != 1)
		return sibt_fail(t, "event without solicitation");
	if (sibt_ud_send(a, ah, b->qp->qp_num, 8, IB_SEND_SOLICITED))
		return -EIO;
	msleep(20);
	if (atomic_read(&b->comps) != 2)
		return sibt_fail(t, "no event though solicited");
	return 0;
}

static int sibt_arm_and_send(struct sibt *t, struct sibt_qp *a,
			     struct sibt_qp *b, struct ib_ah *ah, int sends)
{
	int i;

	if (ib_req_notify_cq(b->rcq, IB_CQ_NEXT_COMP))
		return -EIO;
	for (i = 0; i < sends; i++)
		if (sibt_ud_send(a, ah, b->qp->qp_num, 8, 0))
			return -EIO;
	msleep(20);
	return 0;
}

/* So many sends make one event. */
static int sibt_one_event(struct sibt *t, struct sibt_qp *a, struct sibt_qp *b,
			  struct ib_ah *ah, int sends)
{
	int before = atomic_read(&b->comps);
	int seen;

	if (sibt_arm_and_send(t, a, b, ah, sends))
		return -EIO;
	seen = atomic_read(&b->comps) - before;
	if (seen != 1)
		return sibt_fail(t, "%d events of %d sends, expected 1", seen,
				 sends);
	return 0;
}

/*
 * So many sends make no event before @usecs are over. On a busy machine that may be
 * so before all are sent, which tells nothing. Returns how many there were until then.
 */
static int sibt_held(struct sibt *t, struct sibt_qp *a, struct sibt_qp *b,
		     struct ib_ah *ah, int sends, u32 usecs)
{
	ktime_t began;
	int before, try;

	for (try = 0; try < 50; try++) {
		before = atomic_read(&b->comps);
		began = ktime_get();
		if (sibt_arm_and_send(t, a, b, ah, sends))
			return -EIO;
		if (atomic_read(&b->comps) == before)
			return before;
		if (ktime_us_delta(ktime_get(), began) < usecs)
			return sibt_fail(t, "told of %d before %u us", sends,
					 usecs);
	}
	return sibt_fail(t, "%d sends always take more than %u us", sends,
			 usecs);
}

/* Moderation: an event for so many completions, or after so long. */
static int sibt_moderate(struct sibt *t)
{
	struct sibt_qp *a, *b;
	struct ib_ah *ah;
	int before;

	if (sibt_ud_pair(t, &a, &b, &ah, NULL))
		return -EIO;
	if (rdma_set_cq_moderation(b->rcq, 4, 60000))
		return sibt_fail(t, "no moderation");
	if (sibt_one_event(t, a, b, ah, 4))
		return -EIO;
	before = sibt_held(t, a, b, ah, 3, 60000);
	if (before < 0)
		return before;
	msleep(100);
	if (atomic_read(&b->comps) != before + 1)
		return sibt_fail(t, "3 of 4 are never told of");
	/* Any number, but not for long; then not at all. */
	if (rdma_set_cq_moderation(b->rcq, 0, 50000))
		return -EIO;
	before = sibt_held(t, a, b, ah, 8, 50000);
	if (before < 0)
		return before;
	if (rdma_set_cq_moderation(b->rcq, 0, 0))
		return -EIO;
	msleep(20);
	if (atomic_read(&b->comps) != before + 1)
		return sibt_fail(t, "its end does not tell of what was held");
	return sibt_one_event(t, a, b, ah, 1);
}

/* A full CQ fails, and its QPs with it. */
static int sibt_overrun(struct sibt *t)
{
	struct sibt_opts opts = { .cqe = 16 };
	struct ib_qp_init_attr init;
	struct ib_qp_attr attr;
	struct sibt_qp *a, *b;
	struct ib_ah *ah;
	struct ib_wc wc;
	int i;

	if (sibt_ud_pair(t, &a, &b, &ah, &opts))
		return -EIO;
	for (i = 0; i < 17; i++)
		if (sibt_ud_send(a, ah, b->qp->qp_num, 8, 0) ||
		    sibt_expect(t, a->scq, &wc, IB_WC_SUCCESS, "send"))
			return -EIO;
	if (sibt_event(t, b, IB_EVENT_CQ_ERR) ||
	    sibt_event(t, b, IB_EVENT_QP_FATAL))
		return -EIO;
	if (ib_query_qp(b->qp, &attr, IB_QP_STATE, &init) ||
	    attr.qp_state != IB_QPS_ERR)
		return sibt_fail(t, "state %d after it", attr.qp_state);
	return 0;
}

/* Drain while packets come and go; it must end, and find nothing left. */
static int sibt_drain(struct sibt *t)
{
	struct ib_cq_init_attr attr = {};
	struct sibt_qp *a, *b;
	struct ib_ah *ah;
	struct ib_cq *cq;
	struct ib_wc wc;
	int i;

	if (sibt_ud_pair(t, &a, &b, &ah, NULL))
		return -EIO;
	for (i = 0; i < 32; i++)
		if (sibt_ud_send(a, ah, b->qp->qp_num, 8, 0))
			return -EIO;
	if (sibt_state(b, IB_QPS_ERR))
		return -EIO;
	for (i = 0; i < 64; i++)
		if (!sibt_poll(b->rcq, &wc, 1000))
			return sibt_fail(t, "%d of 64 receives completed", i);
	if (sibt_quiet(t, b->rcq, 20, "65th of 64 receives"))
		return -EIO;
	attr.cqe = 1;
	attr.comp_vector = 1U << 20;
	cq = ib_create_cq(a->dev, NULL, NULL, NULL, &attr);
	if (IS_ERR(cq))
		return 0;
	ib_destroy_cq(cq);
	return sibt_fail(t, "completion vector %u is taken", attr.comp_vector);
}

const struct sibt_test sibt_queue_tests[] = {
	{ "signal", sibt_signal, "selective signalling, and a full queue" },
	{ "states", sibt_states, "what QPs take in which state" },
	{ "purge", sibt_purge, "completions of destroyed and reset QPs" },
	{ "notify", sibt_notify, "completion events" },
	{ "moderate", sibt_moderate, "moderation of completion events" },
	{ "overrun", sibt_overrun, "CQ overrun" },
	{ "drain", sibt_drain, "every receive completes, once" },
	{}
};
