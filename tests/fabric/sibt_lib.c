// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* sib_test: QPs and what is done with them. */
#include <linux/delay.h>
#include <linux/sizes.h>
#include <linux/slab.h>

#include "sibt.h"

struct sibt_ah_ref {
	struct list_head node;
	struct ib_ah *ah;
};

static void sibt_comp(struct ib_cq *cq, void *context)
{
	struct sibt_qp *q = context;

	if (cq == q->rcq)
		atomic_inc(&q->comps);
}

static void sibt_raised(struct ib_event *event, void *context)
{
	struct sibt_qp *q = context;

	if (event->event == IB_EVENT_SRQ_LIMIT_REACHED)
		atomic_inc(&q->limit_events);
	set_bit(event->event, &q->qp_events);
}

static struct ib_cq *sibt_cq(struct sibt_qp *q, u32 cqe)
{
	struct ib_cq_init_attr attr = { .cqe = cqe };

	return ib_create_cq(q->dev, sibt_comp, sibt_raised, q, &attr);
}

static struct ib_srq *sibt_srq(struct sibt_qp *q, u32 max)
{
	struct ib_srq_init_attr init = {
		.event_handler = sibt_raised,
		.srq_context = q,
		.attr = { .max_wr = max, .max_sge = 1 },
		.srq_type = IB_SRQT_BASIC,
	};

	return ib_create_srq(q->pd, &init);
}

static struct ib_qp *sibt_ibqp(struct sibt_qp *q, enum ib_qp_type type,
			       const struct sibt_opts *opts)
{
	struct ib_qp_init_attr init = {
		.event_handler = sibt_raised,
		.qp_context = q,
		.send_cq = q->scq,
		.recv_cq = q->rcq,
		.srq = q->srq,
		.cap = {
			.max_send_wr = opts->send_wr ?: 64,
			.max_recv_wr = q->srq ? 0 : q->slots,
			.max_send_sge = opts->send_sge ?: 4,
			.max_recv_sge = q->srq ? 0 : 1,
		},
		.sq_sig_type = opts->sig_req ? IB_SIGNAL_REQ_WR :
					       IB_SIGNAL_ALL_WR,
		.qp_type = type,
		.create_flags = opts->create_flags,
	};

	return ib_create_qp(q->pd, &init);
}

/* Each in turn; what failed is an ERR_PTR, what was not reached is NULL. */
static int sibt_qp_make(struct sibt_qp *q, enum ib_qp_type type,
			const struct sibt_opts *opts)
{
	q->rx = kvzalloc(array_size(q->slot, q->slots), GFP_KERNEL);
	q->tx = kvzalloc(SIBT_TX, GFP_KERNEL);
	if (!q->rx || !q->tx)
		return -ENOMEM;
	q->pd = ib_alloc_pd(q->dev, 0);
	if (IS_ERR(q->pd))
		return PTR_ERR(q->pd);
	q->scq = sibt_cq(q, opts->cqe ?: 256);
	if (IS_ERR(q->scq))
		return PTR_ERR(q->scq);
	q->rcq = sibt_cq(q, opts->cqe ?: 256);
	if (IS_ERR(q->rcq))
		return PTR_ERR(q->rcq);
	if (opts->srq)
		q->srq = sibt_srq(q, q->slots);
	if (IS_ERR(q->srq))
		return PTR_ERR(q->srq);
	q->qp = sibt_ibqp(q, type, opts);
	return PTR_ERR_OR_ZERO(q->qp);
}

/**
 * sibt_qp - make a QP with CQs and buffers
 * @t: the test; failure is noted there
 * @dev: name of the device
 * @type: of the QP
 * @opts: what differs from the default, or NULL
 *
 * Return: the QP in RESET, or NULL.
 */
struct sibt_qp *sibt_qp(struct sibt *t, const char *dev, enum ib_qp_type type,
			const struct sibt_opts *opts)
{
	static const struct sibt_opts defaults;
	struct sibt_qp *q;
	int ret;

	if (!opts)
		opts = &defaults;
	q = kzalloc_obj(*q);
	if (!q) {
		sibt_fail(t, "no memory");
		return NULL;
	}
	q->dev = sibt_device(dev);
	q->slot = opts->slot ?: 4096 + SIBT_GRH;
	q->slots = opts->recv_wr ?: 64;
	list_add(&q->node, &t->qps);
	ret = q->dev ? sibt_qp_make(q, type, opts) : -ENODEV;
	if (!ret)
		return q;
	sibt_fail(t, "cannot make a QP on %s: %pe", dev, ERR_PTR(ret));
	return NULL;
}

/**
 * sibt_qp_destroy - destroy a QP and what belongs to it
 * @q: the QP, perhaps made in part only
 */
void sibt_qp_destroy(struct sibt_qp *q)
{
	list_del(&q->node);
	/* a QP that stays may still write to its buffers */
	if (!IS_ERR_OR_NULL(q->qp) && WARN_ON(ib_destroy_qp(q->qp)))
		return;
	if (!IS_ERR_OR_NULL(q->srq))
		ib_destroy_srq(q->srq);
	if (!IS_ERR_OR_NULL(q->rcq))
		ib_destroy_cq(q->rcq);
	if (!IS_ERR_OR_NULL(q->scq))
		ib_destroy_cq(q->scq);
	if (!IS_ERR_OR_NULL(q->pd))
		ib_dealloc_pd(q->pd);
	kvfree(q->tx);
	kvfree(q->rx);
	kfree(q);
}

static int sibt_path(struct sibt *t, struct sibt_qp *from, struct sibt_qp *to,
		     struct rdma_ah_attr *attr)
{
	struct ib_port_attr port;
	union ib_gid gid;

	if (ib_query_port(to->dev, 1, &port) || !port.lid)
		return sibt_fail(t, "%s has no LID", dev_name(&to->dev->dev));
	memset(attr, 0, sizeof(*attr));
	attr->type = rdma_ah_find_type(from->dev, 1);
	rdma_ah_set_port_num(attr, 1);
	rdma_ah_set_dlid(attr, port.lid);
	if (!t->args.grh)
		return 0;
	if (rdma_query_gid(to->dev, 1, 0, &gid))
		return sibt_fail(t, "%s has no GID", dev_name(&to->dev->dev));
	rdma_ah_set_grh(attr, &gid, 0x12345, 0, 63, 0x5a);
	return 0;
}

/**
 * sibt_ah - make an address handle
 * @t: the test; failure is noted there
 * @from: sender
 * @to: receiver
 *
 * Return: the address handle, which lives as long as the test, or NULL.
 */
struct ib_ah *sibt_ah(struct sibt *t, struct sibt_qp *from, struct sibt_qp *to)
{
	struct sibt_ah_ref *ref;
	struct rdma_ah_attr attr;

	if (sibt_path(t, from, to, &attr))
		return NULL;
	ref = kzalloc_obj(*ref);
	if (!ref) {
		sibt_fail(t, "no memory");
		return NULL;
	}
	ref->ah = rdma_create_ah(from->pd, &attr, RDMA_CREATE_AH_SLEEPABLE);
	if (IS_ERR(ref->ah)) {
		sibt_fail(t, "cannot make an AH: %pe", ref->ah);
		kfree(ref);
		return NULL;
	}
	list_add(&ref->node, &t->ahs);
	return ref->ah;
}

/**
 * sibt_cleanup - destroy all that a test made
 * @t: the test
 */
void sibt_cleanup(struct sibt *t)
{
	struct sibt_ah_ref *ref, *next_ref;
	struct sibt_qp *q, *next;

	list_for_each_entry_safe(ref, next_ref, &t->ahs, node) {
		rdma_destroy_ah(ref->ah, RDMA_DESTROY_AH_SLEEPABLE);
		kfree(ref);
	}
	list_for_each_entry_safe(q, next, &t->qps, node)
		sibt_qp_destroy(q);
}

/**
 * sibt_state - move a QP where no attribute but the state is needed
 * @q: the QP
 * @state: where to
 *
 * Return: what ib_modify_qp() says.
 */
int sibt_state(struct sibt_qp *q, enum ib_qp_state state)
{
	struct ib_qp_attr attr = { .qp_state = state };

	return ib_modify_qp(q->qp, &attr, IB_QP_STATE);
}

/**
 * sibt_ud_up - make a UD QP ready to send
 * @t: the test; failure is noted there
 * @q: the QP
 *
 * Return: 0 or -EIO.
 */
int sibt_ud_up(struct sibt *t, struct sibt_qp *q)
{
	struct ib_qp_attr attr = {
		.qp_state = IB_QPS_INIT,
		.port_num = 1,
		.qkey = SIBT_QKEY,
	};
	int ret;

	ret = ib_modify_qp(q->qp, &attr, IB_QP_STATE | IB_QP_PKEY_INDEX |
					 IB_QP_PORT | IB_QP_QKEY);
	attr.qp_state = IB_QPS_RTR;
	ret = ret ?: ib_modify_qp(q->qp, &attr, IB_QP_STATE);
	attr.qp_state = IB_QPS_RTS;
	ret = ret ?: ib_modify_qp(q->qp, &attr, IB_QP_STATE | IB_QP_SQ_PSN);
	return ret ? sibt_fail(t, "UD QP does not get to RTS: %d", ret) : 0;
}

/**
 * sibt_ud_pair - two UD QPs, and how to send from the first to the second
 * @t: the test; failure is noted there
 * @a: receives the sender
 * @b: receives the receiver, with all its receives posted
 * @ah: receives the address handle
 * @opts: of both, or NULL
 *
 * Return: 0 or -EIO.
 */
int sibt_ud_pair(struct sibt *t, struct sibt_qp **a, struct sibt_qp **b,
		 struct ib_ah **ah, const struct sibt_opts *opts)
{
	*a = sibt_qp(t, t->args.a, IB_QPT_UD, opts);
	if (!*a)
		return -EIO;
	*b = sibt_qp(t, t->args.b, IB_QPT_UD, opts);
	if (!*b || sibt_ud_up(t, *a) || sibt_ud_up(t, *b))
		return -EIO;
	*ah = sibt_ah(t, *a, *b);
	return *ah ? sibt_recv_all(t, *b) : -EIO;
}

static int sibt_rc_init(struct sibt_qp *q)
{
	struct ib_qp_attr attr = { .qp_state = IB_QPS_INIT, .port_num = 1 };

	return ib_modify_qp(q->qp, &attr, IB_QP_STATE | IB_QP_PKEY_INDEX |
					  IB_QP_PORT | IB_QP_ACCESS_FLAGS);
}

/**
 * sibt_rc_up - connect an RC QP one way
 * @t: the test, whose arguments set the attributes; failure is noted there
 * @q: the QP, in RESET
 * @to: the QP it is to talk to
 *
 * The PSNs begin close to where they wrap. Return: 0 or -EIO.
 */
int sibt_rc_up(struct sibt *t, struct sibt_qp *q, struct sibt_qp *to)
{
	const struct sibt_args *args = &t->args;
	struct ib_qp_attr attr = {
		.qp_state = IB_QPS_RTR,
		.path_mtu = ib_mtu_int_to_enum(args->mtu),
		.dest_qp_num = to->qp->qp_num,
		.rq_psn = 0xfffff0,
		.sq_psn = 0xfffff0,
		.min_rnr_timer = args->min_rnr,
		.timeout = args->timeout,
		.retry_cnt = args->retry,
		.rnr_retry = args->rnr,
	};
	int ret;

	if (sibt_path(t, q, to, &attr.ah_attr))
		return -EIO;
	ret = sibt_rc_init(q);
	ret = ret ?: ib_modify_qp(q->qp, &attr, IB_QP_STATE | IB_QP_AV |
				  IB_QP_PATH_MTU | IB_QP_DEST_QPN |
				  IB_QP_RQ_PSN | IB_QP_MIN_RNR_TIMER |
				  IB_QP_MAX_DEST_RD_ATOMIC);
	attr.qp_state = IB_QPS_RTS;
	ret = ret ?: ib_modify_qp(q->qp, &attr, IB_QP_STATE | IB_QP_TIMEOUT |
				  IB_QP_RETRY_CNT | IB_QP_RNR_RETRY |
				  IB_QP_SQ_PSN | IB_QP_MAX_QP_RD_ATOMIC);
	return ret ? sibt_fail(t, "RC QP does not get to RTS: %d", ret) : 0;
}

/**
 * sibt_rc_pair - two connected RC QPs
 * @t: the test; failure is noted there
 * @a: receives the first
 * @b: receives the second; no receives are posted
 * @opts: of both, or NULL
 *
 * Return: 0 or -EIO.
 */
int sibt_rc_pair(struct sibt *t, struct sibt_qp **a, struct sibt_qp **b,
		 const struct sibt_opts *opts)
{
	*a = sibt_qp(t, t->args.a, IB_QPT_RC, opts);
	if (!*a)
		return -EIO;
	*b = sibt_qp(t, t->args.b, IB_QPT_RC, opts);
	if (!*b || sibt_rc_up(t, *a, *b))
		return -EIO;
	return sibt_rc_up(t, *b, *a);
}

/**
 * sibt_recv - post one receive
 * @q: to its receive queue or SRQ
 * @slot: the buffer, and the wr_id
 *
 * Return: what the verb says.
 */
int sibt_recv(struct sibt_qp *q, u32 slot)
{
	struct ib_sge sge = {
		.addr = (uintptr_t)q->rx + slot * q->slot,
		.length = q->slot,
		.lkey = q->pd->local_dma_lkey,
	};
	struct ib_recv_wr wr = {
		.wr_id = slot,
		.sg_list = &sge,
		.num_sge = 1,
	};

	return q->srq ? ib_post_srq_recv(q->srq, &wr, NULL) :
			ib_post_recv(q->qp, &wr, NULL);
}

/**
 * sibt_recv_all - post all receives
 * @t: the test; failure is noted there
 * @q: to its receive queue or SRQ
 *
 * Return: 0 or -EIO.
 */
int sibt_recv_all(struct sibt *t, struct sibt_qp *q)
{
	u32 slot;

	for (slot = 0; slot < q->slots; slot++)
		if (sibt_recv(q, slot))
			return sibt_fail(t, "receive %u is not taken", slot);
	return 0;
}

/**
 * sibt_ud_send - send from the send buffer's start
 * @q: sender
 * @ah: where to
 * @qpn: to which QP
 * @len: bytes
 * @flags: enum ib_send_flags
 *
 * Return: what the verb says.
 */
int sibt_ud_send(struct sibt_qp *q, struct ib_ah *ah, u32 qpn, u32 len,
		 int flags)
{
	struct ib_sge sge = {
		.addr = (uintptr_t)q->tx,
		.length = len,
		.lkey = q->pd->local_dma_lkey,
	};
	struct ib_ud_wr ud = {
		.wr = {
			.sg_list = &sge,
			.num_sge = 1,
			.opcode = IB_WR_SEND,
			.send_flags = flags,
		},
		.ah = ah,
		.remote_qpn = qpn,
		.remote_qkey = SIBT_QKEY,
	};

	return ib_post_send(q->qp, &ud.wr, NULL);
}

/**
 * sibt_rc_send - send a message
 * @q: sender
 * @off: where in the send buffer
 * @len: bytes
 * @flags: enum ib_send_flags
 *
 * Return: what the verb says.
 */
int sibt_rc_send(struct sibt_qp *q, u32 off, u32 len, int flags)
{
	struct ib_sge sge = {
		.addr = (uintptr_t)q->tx + off,
		.length = len,
		.lkey = q->pd->local_dma_lkey,
	};
	struct ib_send_wr wr = {
		.wr_id = off,
		.sg_list = &sge,
		.num_sge = 1,
		.opcode = IB_WR_SEND,
		.send_flags = flags,
	};

	return ib_post_send(q->qp, &wr, NULL);
}

/**
 * sibt_poll - wait for a completion
 * @cq: where
 * @wc: receives it
 * @ms: how long to wait
 *
 * Return: 1, or 0 if none came.
 */
int sibt_poll(struct ib_cq *cq, struct ib_wc *wc, u32 ms)
{
	unsigned long end = jiffies + msecs_to_jiffies(ms);

	while (ib_poll_cq(cq, 1, wc) != 1) {
		if (time_after(jiffies, end))
			return 0;
		usleep_range(100, 500);
	}
	return 1;
}

/**
 * sibt_expect - wait for a completion of a kind
 * @t: the test; failure is noted there
 * @cq: where
 * @wc: receives it
 * @status: what it has to say
 * @what: for the failure's reason
 *
 * Return: 0 or -EIO.
 */
int sibt_expect(struct sibt *t, struct ib_cq *cq, struct ib_wc *wc,
		enum ib_wc_status status, const char *what)
{
	if (!sibt_poll(cq, wc, t->args.ms ?: 5000))
		return sibt_fail(t, "%s: no completion", what);
	if (wc->status != status)
		return sibt_fail(t, "%s: status '%s', expected '%s'", what,
				 ib_wc_status_msg(wc->status),
				 ib_wc_status_msg(status));
	return 0;
}

/**
 * sibt_quiet - see that no completion comes
 * @t: the test; failure is noted there
 * @cq: where
 * @ms: how long to wait
 * @what: for the failure's reason
 *
 * Return: 0 or -EIO.
 */
int sibt_quiet(struct sibt *t, struct ib_cq *cq, u32 ms, const char *what)
{
	struct ib_wc wc;

	if (!sibt_poll(cq, &wc, ms))
		return 0;
	return sibt_fail(t, "%s: completion with status '%s', expected none",
			 what, ib_wc_status_msg(wc.status));
}

/**
 * sibt_event - wait for an asynchronous event
 * @t: the test; failure is noted there
 * @q: of this QP, its SRQ or CQs
 * @type: the event; forgotten, so that it can be waited for again
 *
 * Return: 0 or -EIO.
 */
int sibt_event(struct sibt *t, struct sibt_qp *q, enum ib_event_type type)
{
	unsigned long end = jiffies + msecs_to_jiffies(2000);

	while (!test_and_clear_bit(type, &q->qp_events)) {
		if (time_after(jiffies, end))
			return sibt_fail(t, "no event '%s'",
					 ib_event_msg(type));
		usleep_range(100, 500);
	}
	return 0;
}

/**
 * sibt_fill - make data that can be recognised
 * @to: where
 * @len: bytes
 * @seed: names the data
 */
void sibt_fill(u8 *to, u32 len, u32 seed)
{
	struct rnd_state rnd;

	prandom_seed_state(&rnd, seed);
	prandom_bytes_state(&rnd, to, len);
}

/**
 * sibt_filled - is it what sibt_fill() makes?
 * @from: where
 * @len: bytes
 * @seed: names the data
 */
bool sibt_filled(const u8 *from, u32 len, u32 seed)
{
	struct rnd_state rnd;
	u8 want[64];
	u32 n;

	prandom_seed_state(&rnd, seed);
	for (; len; len -= n, from += n) {
		n = min_t(u32, len, sizeof(want));
		prandom_bytes_state(&rnd, want, n);
		if (memcmp(from, want, n))
			return false;
	}
	return true;
}
