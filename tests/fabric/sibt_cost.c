// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * sib_test: what the fabric costs. The time per packet in the kernel log is
 * that of post_send, the way to the receiver, both completions and a new
 * receive; on an emulator that counts instructions it is their number.
 */
#include <linux/bottom_half.h>

#include "sibt.h"

/* Most often it is there; if softirqs were put off, sleep for them. */
static int sibt_cost_poll(struct sibt *t, struct ib_cq *cq)
{
	struct ib_wc wc;

	if (ib_poll_cq(cq, 1, &wc) != 1 && !sibt_poll(cq, &wc, 5000))
		return sibt_fail(t, "no completion");
	if (wc.status != IB_WC_SUCCESS)
		return sibt_fail(t, "%s", ib_wc_status_msg(wc.status));
	return 0;
}

static void sibt_cost_report(struct sibt *t, const char *what, ktime_t start,
			     u32 count)
{
	s64 ns = ktime_to_ns(ktime_sub(ktime_get(), start));

	pr_info("sib_test: %s: %lld ns per packet of %u bytes\n", what,
		div_s64(ns, count), t->args.len);
}

/* Softirqs, and thus the receiver, run where they are enabled. */
static int sibt_cost_one(struct sibt *t, struct sibt_qp *a, struct sibt_qp *b,
			 struct ib_ah *ah)
{
	int ret;

	local_bh_disable();
	ret = ah ? sibt_ud_send(a, ah, b->qp->qp_num, t->args.len, 0) :
		   sibt_rc_send(a, 0, t->args.len, 0);
	local_bh_enable();
	if (ret)
		return sibt_fail(t, "send is not taken");
	if (sibt_cost_poll(t, a->scq) || sibt_cost_poll(t, b->rcq))
		return -EIO;
	return sibt_recv(b, 0);
}

static int sibt_cost(struct sibt *t, struct sibt_qp *a, struct sibt_qp *b,
		     struct ib_ah *ah)
{
	u32 i, count = t->args.count ?: 10000;
	ktime_t start = ktime_get();

	for (i = 0; i < count; i++)
		if (sibt_cost_one(t, a, b, ah))
			return -EIO;
	sibt_cost_report(t, ah ? "UD" : "RC", start, count);
	return 0;
}

static int sibt_ud_cost(struct sibt *t)
{
	struct sibt_qp *a, *b;
	struct ib_ah *ah;

	t->args.len = t->args.len ?: 64;
	if (sibt_ud_pair(t, &a, &b, &ah, NULL))
		return -EIO;
	return sibt_cost(t, a, b, ah);
}

static int sibt_rc_cost(struct sibt *t)
{
	struct sibt_qp *a, *b;

	t->args.len = t->args.len ?: 64;
	if (sibt_rc_pair(t, &a, &b, NULL) || sibt_recv_all(t, b))
		return -EIO;
	return sibt_cost(t, a, b, NULL);
}

const struct sibt_test sibt_cost_tests[] = {
	{ "ud-cost", sibt_ud_cost, "time per datagram; len count" },
	{ "rc-cost", sibt_rc_cost, "time per message and its ACK; len count" },
	{}
};
