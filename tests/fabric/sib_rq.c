// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Receive queues: a QP's own, and shared ones (chapter 10.2.9). */
#include <linux/slab.h>

#include "sib_verbs.h"

/**
 * sib_rq_init - make an empty receive queue
 * @rq: the queue
 * @lock: that will protect it
 * @max: requests it is to hold
 * @max_sge: SGEs of each
 *
 * Context: may sleep. Return: 0 or -ENOMEM.
 */
int sib_rq_init(struct sib_rq *rq, spinlock_t *lock, u32 max, u32 max_sge)
{
	u32 places = roundup_pow_of_two(max ?: 1);

	rq->lock = lock;
	rq->max = max;
	rq->max_sge = max_sge;
	rq->stride = struct_size_t(struct sib_rwqe, sge, max_sge);
	rq->mask = places - 1;
	rq->head = 0;
	rq->tail = 0;
	rq->ring = kvmalloc_array(places, rq->stride, GFP_KERNEL);
	return rq->ring ? 0 : -ENOMEM;
}

/**
 * sib_rq_cleanup - undo sib_rq_init()
 * @rq: the queue
 */
void sib_rq_cleanup(struct sib_rq *rq)
{
	kvfree(rq->ring);
	rq->ring = NULL;
}

static struct sib_rwqe *sib_rq_at(struct sib_rq *rq, u32 n)
{
	return rq->ring + (n & rq->mask) * rq->stride;
}

static int sib_rq_push(struct sib_rq *rq, const struct ib_recv_wr *wr)
{
	struct sib_rwqe *wqe;
	int i;

	lockdep_assert_held(rq->lock);

	if (wr->num_sge < 0 || wr->num_sge > rq->max_sge)
		return -EINVAL;
	if (rq->head - rq->tail >= rq->max)
		return -ENOMEM;
	wqe = sib_rq_at(rq, rq->head);
	wqe->wr_id = wr->wr_id;
	wqe->num_sge = wr->num_sge;
	wqe->len = 0;
	for (i = 0; i < wr->num_sge; i++) {
		wqe->sge[i] = wr->sg_list[i];
		wqe->len += wr->sg_list[i].length;
	}
	rq->head++;
	return 0;
}

/**
 * sib_rq_post - append requests
 * @hca: the HCA, for its counters
 * @rq: the queue
 * @wr: chain of requests
 * @bad: on failure the first that was not queued
 *
 * Context: any, @rq->lock held.
 * Return: 0, -EINVAL for too many SGEs, -ENOMEM if the queue is full.
 */
int sib_rq_post(struct sib_hca *hca, struct sib_rq *rq,
		const struct ib_recv_wr *wr, const struct ib_recv_wr **bad)
{
	u32 before = rq->head;
	int ret = 0;

	lockdep_assert_held(rq->lock);

	for (; wr; wr = wr->next) {
		ret = sib_rq_push(rq, wr);
		if (ret) {
			*bad = wr;
			break;
		}
	}
	sib_count(hca, SIB_STAT_POST_RECV_CALLS);
	sib_count_n(hca, SIB_STAT_RECV_REQUESTS, rq->head - before);
	return ret;
}

/**
 * sib_rq_first - the oldest request
 * @rq: the queue
 *
 * Context: any, @rq->lock held. Return: the request, still queued, or NULL.
 */
struct sib_rwqe *sib_rq_first(struct sib_rq *rq)
{
	lockdep_assert_held(rq->lock);

	return rq->head == rq->tail ? NULL : sib_rq_at(rq, rq->tail);
}

/* The armed limit is reported once (10.2.9.1). */
static void sib_srq_check_limit(struct sib_srq *srq)
{
	lockdep_assert_held(&srq->lock);

	if (likely(!srq->limit || srq->rq.head - srq->rq.tail >= srq->limit))
		return;
	srq->limit = 0;
	sib_event_add(&srq->events, IB_EVENT_SRQ_LIMIT_REACHED);
}

/* Fault: is the queue to look empty? */
static bool sib_qp_starves(struct sib_qp *qp)
{
	atomic_t *starve = &qp->hca->starve;

	return unlikely(atomic_read(starve)) &&
	       !sib_qp_is_for_mads(qp) && atomic_add_unless(starve, -1, 0);
}

static int sib_rq_take(struct sib_rq *rq, u32 need, struct sib_rwqe *to)
{
	struct sib_rwqe *wqe = sib_rq_first(rq);
	u32 i;

	if (unlikely(!wqe))
		return -ENOENT;
	if (unlikely(wqe->len < need))
		return -EMSGSIZE;
	*to = *wqe;
	for (i = 0; i < wqe->num_sge; i++)
		to->sge[i] = wqe->sge[i];
	rq->tail++;
	return 0;
}

/**
 * sib_qp_take_recv - take the oldest receive request
 * @qp: whose own or shared queue to take it from
 * @need: bytes it must have room for, else it stays
 *
 * The request is copied to @qp->resp.wqe, its place in the queue is free.
 * Context: any, @qp->rlock held.
 * Return: 0, -ENOENT if there is none, -EMSGSIZE if it is too short.
 */
int sib_qp_take_recv(struct sib_qp *qp, u32 need)
{
	struct sib_srq *srq = qp->srq;
	int ret;

	lockdep_assert_held(&qp->rlock);

	if (sib_qp_starves(qp)) {
		sib_count(qp->hca, SIB_STAT_STARVED);
		return -ENOENT;
	}
	if (!srq)
		return sib_rq_take(&qp->rq, need, qp->resp.wqe);
	spin_lock(&srq->lock);
	ret = sib_rq_take(&srq->rq, need, qp->resp.wqe);
	if (likely(!ret))
		sib_srq_check_limit(srq);
	spin_unlock(&srq->lock);
	return ret;
}

/**
 * sib_sg_scatter - write to the memory a list of SGEs names
 * @sg: position in the list, moved on
 * @from: what to write
 * @len: bytes; the list is long enough
 *
 * Context: any.
 */
void sib_sg_scatter(struct sib_sg *sg, const void *from, u32 len)
{
	while (len) {
		u32 n = min(sg->sge->length - sg->off, len);

		memcpy((void *)(uintptr_t)sg->sge->addr + sg->off, from, n);
		from += n;
		len -= n;
		sib_sg_advance(sg, n);
	}
}

/**
 * sib_sg_gather - read from the memory a list of SGEs names
 * @sg: position in the list, moved on
 * @to: where to put it
 * @len: bytes; the list is long enough
 *
 * Context: any.
 */
void sib_sg_gather(struct sib_sg *sg, void *to, u32 len)
{
	while (len) {
		u32 n = min(sg->sge->length - sg->off, len);

		memcpy(to, (void *)(uintptr_t)sg->sge->addr + sg->off, n);
		to += n;
		len -= n;
		sib_sg_advance(sg, n);
	}
}

/**
 * sib_sg_skip - move on in a list of SGEs
 * @sg: position in the list
 * @len: bytes; the list is long enough
 *
 * Context: any.
 */
void sib_sg_skip(struct sib_sg *sg, u32 len)
{
	while (len) {
		u32 n = min(sg->sge->length - sg->off, len);

		len -= n;
		sib_sg_advance(sg, n);
	}
}

static void sib_srq_tell_limit(struct work_struct *work)
{
	struct sib_srq *srq = container_of(work, struct sib_srq, events.work);
	struct ib_event event = {
		.device = srq->ibsrq.device,
		.event = IB_EVENT_SRQ_LIMIT_REACHED,
		.element.srq = &srq->ibsrq,
	};

	if (test_and_clear_bit(event.event, &srq->events.pending) &&
	    srq->ibsrq.event_handler)
		srq->ibsrq.event_handler(&event, srq->ibsrq.srq_context);
}

/**
 * sib_create_srq - the verb
 * @ibsrq: allocated by the core
 * @init: size; set to what it really holds
 * @udata: of a user's request, else NULL
 *
 * Chapter 11.2.6.1. Context: may sleep. Return: 0 or a negative errno.
 */
int sib_create_srq(struct ib_srq *ibsrq, struct ib_srq_init_attr *init,
		   struct ib_udata *udata)
{
	struct sib_srq *srq = to_sib_srq(ibsrq);
	struct sib_hca *hca = to_sib_hca(ibsrq->device);
	int ret;

	if (sib_verb_fails(hca, SIB_VERB_CREATE_SRQ, &ret))
		return ret;
	if (!hca->opts.srq || init->srq_type != IB_SRQT_BASIC)
		return -EOPNOTSUPP;
	if (!init->attr.max_wr || init->attr.max_wr > SIB_MAX_SRQ_WR ||
	    init->attr.max_sge > hca->opts.max_srq_sge)
		return -EINVAL;
	if (!atomic_add_unless(&hca->n_srqs, 1, SIB_MAX_SRQ))
		return -ENOMEM;
	srq->hca = hca;
	srq->limit = 0;
	INIT_WORK(&srq->events.work, sib_srq_tell_limit);
	spin_lock_init(&srq->lock);
	ret = sib_rq_init(&srq->rq, &srq->lock, init->attr.max_wr, init->attr.max_sge);
	if (ret)
		atomic_dec(&hca->n_srqs);
	return ret;
}

/**
 * sib_modify_srq - the verb
 * @ibsrq: the SRQ
 * @attr: holds the limit
 * @mask: only IB_SRQ_LIMIT; the size is fixed
 * @udata: of a user's request, else NULL
 *
 * Chapter 11.2.6.3. Context: any. Return: 0 or -EINVAL.
 */
int sib_modify_srq(struct ib_srq *ibsrq, struct ib_srq_attr *attr,
		   enum ib_srq_attr_mask mask, struct ib_udata *udata)
{
	struct sib_srq *srq = to_sib_srq(ibsrq);
	unsigned long flags;

	if (mask & ~IB_SRQ_LIMIT || attr->srq_limit > srq->rq.max)
		return -EINVAL;
	if (!(mask & IB_SRQ_LIMIT))
		return 0;
	spin_lock_irqsave(&srq->lock, flags);
	srq->limit = attr->srq_limit;
	sib_srq_check_limit(srq);
	spin_unlock_irqrestore(&srq->lock, flags);
	return 0;
}

/**
 * sib_query_srq - the verb
 * @ibsrq: the SRQ
 * @attr: receives size and limit; a limit that was reported reads 0
 *
 * Chapter 11.2.6.2. Context: any. Return: 0.
 */
int sib_query_srq(struct ib_srq *ibsrq, struct ib_srq_attr *attr)
{
	struct sib_srq *srq = to_sib_srq(ibsrq);

	attr->max_wr = srq->rq.max;
	attr->max_sge = srq->rq.max_sge;
	attr->srq_limit = READ_ONCE(srq->limit);
	return 0;
}

/**
 * sib_destroy_srq - the verb
 * @ibsrq: an SRQ without QPs
 * @udata: of a user's request, else NULL
 *
 * Chapter 11.2.6.4. Context: may sleep. Return: 0.
 */
int sib_destroy_srq(struct ib_srq *ibsrq, struct ib_udata *udata)
{
	struct sib_srq *srq = to_sib_srq(ibsrq);

	cancel_work_sync(&srq->events.work);
	sib_rq_cleanup(&srq->rq);
	atomic_dec(&srq->hca->n_srqs);
	return 0;
}

/**
 * sib_post_srq_recv - the verb
 * @ibsrq: the SRQ
 * @wr: chain of requests
 * @bad: on failure the first that was not queued
 *
 * Chapter 11.4.1.3. Context: any.
 * Return: 0, -EINVAL, -ENOMEM or the error of a fault.
 */
int sib_post_srq_recv(struct ib_srq *ibsrq, const struct ib_recv_wr *wr,
		      const struct ib_recv_wr **bad)
{
	struct sib_srq *srq = to_sib_srq(ibsrq);
	unsigned long flags;
	int ret = 0;

	*bad = wr;
	if (sib_verb_fails(srq->hca, SIB_VERB_POST_SRQ_RECV, &ret))
		return ret;
	spin_lock_irqsave(&srq->lock, flags);
	ret = sib_rq_post(srq->hca, &srq->rq, wr, bad);
	spin_unlock_irqrestore(&srq->lock, flags);
	return ret;
}
