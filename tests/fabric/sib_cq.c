// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Completion queues (chapter 11.2.8) and asynchronous events (11.6.3). */
#include <linux/hrtimer.h>
#include <linux/slab.h>

#include "sib_verbs.h"

/**
 * sib_event_add - have an event told to an object's consumer
 * @ev: of the object
 * @type: the event; told once even if added twice meanwhile
 *
 * Context: any.
 */
void sib_event_add(struct sib_events *ev, enum ib_event_type type)
{
	set_bit(type, &ev->pending);
	queue_work(sib_wq, &ev->work);
}

static void sib_cq_tell_error(struct work_struct *work)
{
	struct sib_cq *cq = container_of(work, struct sib_cq, events.work);
	struct ib_event event = {
		.device = cq->ibcq.device,
		.event = IB_EVENT_CQ_ERR,
		.element.cq = &cq->ibcq,
	};

	if (!test_and_clear_bit(IB_EVENT_CQ_ERR, &cq->events.pending))
		return;
	sib_cq_fail_qps(cq);
	if (cq->ibcq.event_handler)
		cq->ibcq.event_handler(&event, cq->ibcq.cq_context);
}

static void sib_cq_task(struct tasklet_struct *task)
{
	struct sib_cq *cq = container_of(task, struct sib_cq, task);

	if (cq->ibcq.comp_handler)
		cq->ibcq.comp_handler(&cq->ibcq, cq->ibcq.cq_context);
}

static void sib_cq_delayed(struct timer_list *timer)
{
	struct sib_cq *cq = container_of(timer, struct sib_cq, delay);

	tasklet_schedule(&cq->task);
}

static void sib_cq_announce(struct sib_cq *cq)
{
	u32 ms = READ_ONCE(cq->hca->cq_delay_ms);

	lockdep_assert_held(&cq->lock);

	cq->armed = 0;
	cq->held = 0;
	sib_count(cq->hca, SIB_STAT_CQ_EVENTS);
	if (likely(!ms)) {
		tasklet_schedule(&cq->task);
		return;
	}
	sib_count(cq->hca, SIB_STAT_CQE_DELAYED);
	if (!timer_pending(&cq->delay))
		mod_timer(&cq->delay, jiffies + msecs_to_jiffies(ms));
}

static enum hrtimer_restart sib_cq_waited(struct hrtimer *timer)
{
	struct sib_cq *cq = container_of(timer, struct sib_cq, moderate);
	unsigned long flags;

	spin_lock_irqsave(&cq->lock, flags);
	if (cq->armed && cq->held)
		sib_cq_announce(cq);
	spin_unlock_irqrestore(&cq->lock, flags);
	return HRTIMER_NORESTART;
}

/* A completion that the consumer wants to hear of: now, or with later ones? */
static void sib_cq_moderate(struct sib_cq *cq)
{
	lockdep_assert_held(&cq->lock);

	cq->held++;
	if (likely(!cq->usecs)) {
		sib_cq_announce(cq);
	} else if (cq->frames && cq->held >= cq->frames) {
		/* One that runs just now finds nothing held. */
		hrtimer_try_to_cancel(&cq->moderate);
		sib_cq_announce(cq);
	} else {
		sib_count(cq->hca, SIB_STAT_CQE_HELD);
		if (cq->held == 1)
			hrtimer_start(&cq->moderate,
				      ns_to_ktime((u64)cq->usecs * NSEC_PER_USEC),
				      HRTIMER_MODE_REL_SOFT);
	}
}

static void sib_cq_fail(struct sib_cq *cq)
{
	lockdep_assert_held(&cq->lock);

	if (cq->overrun)
		return;
	cq->overrun = true;
	sib_count(cq->hca, SIB_STAT_CQ_OVERRUNS);
	sib_event_add(&cq->events, IB_EVENT_CQ_ERR);
}

/* Fault: is this completion to be lost? MADs' are not: ib_mad waits for them. */
static bool sib_cq_loses(struct sib_cq *cq, const struct sib_qp *qp)
{
	if (likely(!atomic_read(&cq->hca->cq_lose)))
		return false;
	if (sib_qp_is_for_mads(qp))
		return false;
	if (!atomic_add_unless(&cq->hca->cq_lose, -1, 0))
		return false;
	sib_count(cq->hca, SIB_STAT_CQE_LOST);
	return true;
}

/**
 * sib_cq_add - write a completion
 * @ibcq: where to
 * @cqe: the completion, copied
 *
 * A full CQ is an overrun: it takes nothing any more and says so once.
 * Context: under a lock of the QP, taken with interrupts saved. Takes the CQ's.
 * Return: false if the completion was lost.
 */
bool sib_cq_add(struct ib_cq *ibcq, const struct sib_cqe *cqe)
{
	struct sib_cq *cq = to_sib_cq(ibcq);
	bool added = true;

	if (sib_cq_loses(cq, cqe->qp))
		return false;
	spin_lock(&cq->lock);
	if (likely(!cq->overrun && cq->head - cq->tail < cq->size)) {
		cq->ring[cq->head++ & (cq->size - 1)] = *cqe;
		if (cq->armed == IB_CQ_NEXT_COMP ||
		    (cq->armed && (cqe->solicited || cqe->status)))
			sib_cq_moderate(cq);
	} else {
		sib_cq_fail(cq);
		added = false;
	}
	spin_unlock(&cq->lock);
	return added;
}

/**
 * sib_cq_overrun - make a CQ fail as if it had been overrun
 * @cq: the CQ
 *
 * Context: any.
 */
void sib_cq_overrun(struct sib_cq *cq)
{
	unsigned long flags;

	spin_lock_irqsave(&cq->lock, flags);
	sib_cq_fail(cq);
	spin_unlock_irqrestore(&cq->lock, flags);
}

/**
 * sib_cq_purge - forget what is known of a QP that is reset or destroyed
 * @cq: the CQ
 * @qp: the QP, of which no more completions can come
 *
 * Consumers follow wc->qp, so nothing of @qp may be polled later (11.2.5.4).
 * Context: any.
 */
void sib_cq_purge(struct sib_cq *cq, struct sib_qp *qp)
{
	unsigned long flags;
	u32 from, to;

	spin_lock_irqsave(&cq->lock, flags);
	for (from = to = cq->tail; from != cq->head; from++) {
		struct sib_cqe *cqe = &cq->ring[from & (cq->size - 1)];

		if (cqe->qp != qp)
			cq->ring[to++ & (cq->size - 1)] = *cqe;
	}
	cq->head = to;
	spin_unlock_irqrestore(&cq->lock, flags);
}

static void sib_cqe_to_wc(const struct sib_cqe *cqe, struct ib_wc *wc)
{
	wc->wr_id = cqe->wr_id;
	wc->status = cqe->status;
	wc->opcode = cqe->opcode;
	wc->vendor_err = 0;
	wc->byte_len = cqe->byte_len;
	wc->qp = &cqe->qp->ibqp;
	wc->ex.imm_data = cqe->imm;
	wc->src_qp = cqe->src_qp;
	wc->slid = cqe->slid;
	wc->wc_flags = cqe->flags;
	wc->pkey_index = cqe->pkey_index;
	wc->sl = cqe->sl;
	wc->dlid_path_bits = cqe->path_bits;
	wc->port_num = 1;
}

/**
 * sib_poll_cq - the verb
 * @ibcq: the CQ
 * @num: completions wanted
 * @wc: room for them
 *
 * Chapter 11.4.2.1. Context: any. Return: how many there were.
 */
int sib_poll_cq(struct ib_cq *ibcq, int num, struct ib_wc *wc)
{
	struct sib_cq *cq = to_sib_cq(ibcq);
	unsigned long flags;
	int n;

	spin_lock_irqsave(&cq->lock, flags);
	for (n = 0; n < num && cq->tail != cq->head; n++) {
		struct sib_cqe *cqe = &cq->ring[cq->tail++ & (cq->size - 1)];
		struct sib_qp *qp = cqe->qp;

		sib_cqe_to_wc(cqe, &wc[n]);
		if (cqe->frees)
			WRITE_ONCE(qp->sq_retired, qp->sq_retired + cqe->frees);
	}
	spin_unlock_irqrestore(&cq->lock, flags);
	return n;
}

/**
 * sib_req_notify_cq - the verb
 * @ibcq: the CQ
 * @flags: which completion is told of, and whether to say what was missed
 *
 * Chapter 11.4.2.2. Context: any.
 * Return: 1 if IB_CQ_REPORT_MISSED_EVENTS and completions wait, 0, or the
 * error of a fault.
 */
int sib_req_notify_cq(struct ib_cq *ibcq, enum ib_cq_notify_flags flags)
{
	struct sib_cq *cq = to_sib_cq(ibcq);
	u8 want = flags & IB_CQ_SOLICITED_MASK;
	unsigned long irq;
	int ret = 0;

	if (!READ_ONCE(cq->mads) &&
	    sib_verb_fails(cq->hca, SIB_VERB_REQ_NOTIFY, &ret))
		return ret;
	spin_lock_irqsave(&cq->lock, irq);
	if (!cq->armed)
		cq->held = 0;
	if (cq->armed != IB_CQ_NEXT_COMP)
		cq->armed = want;
	if ((flags & IB_CQ_REPORT_MISSED_EVENTS) && cq->head != cq->tail)
		ret = 1;
	spin_unlock_irqrestore(&cq->lock, irq);
	return ret;
}

/**
 * sib_modify_cq - the verb, for moderation
 * @ibcq: the CQ
 * @frames: completions that an event may stand for; 0: any number
 * @usecs: how long the first of them may wait; 0: no moderation at all, as
 *	nothing else says that a lonely one is told of
 *
 * Context: any. Return: 0.
 */
int sib_modify_cq(struct ib_cq *ibcq, u16 frames, u16 usecs)
{
	struct sib_cq *cq = to_sib_cq(ibcq);
	unsigned long flags;

	spin_lock_irqsave(&cq->lock, flags);
	cq->frames = frames;
	cq->usecs = usecs;
	if (cq->armed && cq->held)
		sib_cq_announce(cq);
	spin_unlock_irqrestore(&cq->lock, flags);
	sib_count(cq->hca, SIB_STAT_CQ_MODIFIED);
	return 0;
}

static int sib_cq_number(struct sib_cq *cq)
{
	struct sib_hca *hca = cq->hca;
	int ret;

	if (!atomic_add_unless(&hca->n_cqs, 1, SIB_MAX_CQ))
		return -ENOMEM;
	ret = xa_alloc(&hca->cqs, &cq->cqn, cq, XA_LIMIT(1, SIB_MAX_CQ * 2),
		       GFP_KERNEL);
	if (ret)
		atomic_dec(&hca->n_cqs);
	return ret;
}

/**
 * sib_create_cq - the verb
 * @ibcq: allocated by the core
 * @attr: size and vector
 * @attrs: of a user's request, else NULL
 *
 * Chapter 11.2.8.1. Context: may sleep. Return: 0 or a negative errno.
 */
int sib_create_cq(struct ib_cq *ibcq, const struct ib_cq_init_attr *attr,
		  struct uverbs_attr_bundle *attrs)
{
	struct sib_cq *cq = to_sib_cq(ibcq);
	int ret;

	cq->hca = to_sib_hca(ibcq->device);
	if (sib_verb_fails(cq->hca, SIB_VERB_CREATE_CQ, &ret))
		return ret;
	if (attr->flags || !attr->cqe || attr->cqe > SIB_MAX_CQE ||
	    attr->comp_vector >= ibcq->device->num_comp_vectors)
		return -EINVAL;
	cq->size = roundup_pow_of_two(attr->cqe);
	spin_lock_init(&cq->lock);
	tasklet_setup(&cq->task, sib_cq_task);
	timer_setup(&cq->delay, sib_cq_delayed, 0);
	hrtimer_setup(&cq->moderate, sib_cq_waited, CLOCK_MONOTONIC,
		      HRTIMER_MODE_REL_SOFT);
	INIT_WORK(&cq->events.work, sib_cq_tell_error);
	cq->ring = kvcalloc(cq->size, sizeof(*cq->ring), GFP_KERNEL);
	if (!cq->ring)
		return -ENOMEM;
	ret = sib_cq_number(cq);
	if (ret)
		kvfree(cq->ring);
	else
		ibcq->cqe = cq->size;
	return ret;
}

/**
 * sib_destroy_cq - the verb
 * @ibcq: a CQ without QPs
 * @udata: of a user's request, else NULL
 *
 * Returns when no completion handler runs any more.
 * Chapter 11.2.8.4. Context: may sleep. Return: 0.
 */
int sib_destroy_cq(struct ib_cq *ibcq, struct ib_udata *udata)
{
	struct sib_cq *cq = to_sib_cq(ibcq);

	xa_erase(&cq->hca->cqs, cq->cqn);
	atomic_dec(&cq->hca->n_cqs);
	hrtimer_cancel(&cq->moderate);
	timer_delete_sync(&cq->delay);
	tasklet_kill(&cq->task);
	cancel_work_sync(&cq->events.work);
	kvfree(cq->ring);
	return 0;
}
