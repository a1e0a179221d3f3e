// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Queue pairs: life cycle and states (chapters 10.2.4 and 10.3). */
#include <linux/slab.h>

#include "sib_verbs.h"

#define SIB_QPN_LIMIT	XA_LIMIT(0x10040, 0x3ffff)	/* use all of 24 bits */

static const u32 sib_qp_events = BIT(IB_EVENT_QP_FATAL) |
	BIT(IB_EVENT_QP_REQ_ERR) | BIT(IB_EVENT_QP_ACCESS_ERR) |
	BIT(IB_EVENT_COMM_EST) | BIT(IB_EVENT_QP_LAST_WQE_REACHED);

static void sib_qp_tell(struct work_struct *work)
{
	struct sib_qp *qp = container_of(work, struct sib_qp, events.work);
	struct ib_event event = {
		.device = qp->ibqp.device,
		.element.qp = &qp->ibqp,
	};
	unsigned long todo = sib_qp_events;
	unsigned int type;

	for_each_set_bit(type, &todo, BITS_PER_LONG) {
		if (!test_and_clear_bit(type, &qp->events.pending))
			continue;
		event.event = type;
		if (qp->ibqp.event_handler)
			qp->ibqp.event_handler(&event, qp->ibqp.qp_context);
	}
}

static bool sib_qp_is_rc(const struct sib_qp *qp)
{
	return qp->ibqp.qp_type == IB_QPT_RC;
}

static int sib_qp_check_init(const struct sib_hca *hca,
			     const struct ib_qp_init_attr *init)
{
	const u32 known = IB_QP_CREATE_IPOIB_UD_LSO |
			  IB_QP_CREATE_BLOCK_MULTICAST_LOOPBACK;
	const struct ib_qp_cap *cap = &init->cap;

	if (init->create_flags & ~known)
		return -EOPNOTSUPP;
	if (init->create_flags && init->qp_type != IB_QPT_UD)
		return -EINVAL;
	if ((init->create_flags & IB_QP_CREATE_IPOIB_UD_LSO) && !hca->opts.lso)
		return -EINVAL;
	if ((init->create_flags & IB_QP_CREATE_BLOCK_MULTICAST_LOOPBACK) &&
	    !hca->opts.block_loopback)
		return -EINVAL;
	if (cap->max_send_wr > SIB_MAX_QP_WR ||
	    cap->max_recv_wr > SIB_MAX_QP_WR ||
	    cap->max_send_sge > hca->opts.max_send_sge ||
	    cap->max_recv_sge > SIB_MAX_SGE || cap->max_inline_data)
		return -EINVAL;
	return 0;
}

static int sib_qp_number(struct sib_qp *qp)
{
	struct sib_hca *hca = qp->hca;
	u32 qpn;
	int ret;

	switch (qp->ibqp.qp_type) {
	case IB_QPT_SMI:
		if (qp->port->qp0)
			return -EBUSY;
		qp->ibqp.qp_num = 0;
		/* pairs with the dependency in sib_ud_find() */
		smp_store_release(&qp->port->qp0, qp);
		return 0;
	case IB_QPT_GSI:
		if (qp->port->qp1)
			return -EBUSY;
		qp->ibqp.qp_num = 1;
		/* pairs with the dependency in sib_ud_find() */
		smp_store_release(&qp->port->qp1, qp);
		return 0;
	default:
		ret = xa_alloc_cyclic(&hca->qps, &qpn, NULL, SIB_QPN_LIMIT,
				      &hca->qpn_next, GFP_KERNEL);
		if (ret < 0)
			return ret;
		qp->ibqp.qp_num = qpn;
		return xa_err(xa_store(&hca->qps, qpn, qp, GFP_KERNEL));
	}
}

static void sib_qp_unnumber(struct sib_qp *qp)
{
	switch (qp->ibqp.qp_type) {
	case IB_QPT_SMI:
		WRITE_ONCE(qp->port->qp0, NULL);
		break;
	case IB_QPT_GSI:
		WRITE_ONCE(qp->port->qp1, NULL);
		break;
	default:
		xa_erase(&qp->hca->qps, qp->ibqp.qp_num);
	}
}

/**
 * sib_qp_find - find a QP by its number
 * @port: receiving port
 * @qpn: number
 *
 * Context: the port's tasklet, until whose end the QP stays.
 * Return: the QP or NULL.
 */
struct sib_qp *sib_qp_find(struct sib_port *port, u32 qpn)
{
	struct sib_qp **recent = &port->recent[qpn % SIB_RECENT];

	if (unlikely(!*recent || (*recent)->ibqp.qp_num != qpn))
		*recent = xa_load(&port->hca->qps, qpn);
	return *recent;
}

/* The port's tasklet cannot find @qp any more, nor has it in its hands. */
static void sib_qp_hide(struct sib_qp *qp)
{
	struct sib_port *port = qp->port;
	unsigned int i;

	sib_qp_unnumber(qp);
	tasklet_disable(&port->inq.task);
	for (i = 0; i < SIB_RECENT; i++)
		if (port->recent[i] == qp)
			port->recent[i] = NULL;
	tasklet_enable(&port->inq.task);
}

static int sib_qp_alloc_queues(struct sib_qp *qp,
			       const struct ib_qp_init_attr *init)
{
	u32 rsge = qp->srq ? qp->srq->rq.max_sge : init->cap.max_recv_sge;
	int ret;

	qp->resp.wqe = kmalloc(struct_size(qp->resp.wqe, sge, rsge),
			       GFP_KERNEL);
	if (!qp->resp.wqe)
		return -ENOMEM;
	ret = sib_rq_init(&qp->rq, &qp->rlock, qp->srq ? 0 : init->cap.max_recv_wr,
			  qp->srq ? 0 : rsge);
	if (ret)
		goto err_wqe;
	if (sib_qp_is_rc(qp)) {
		ret = sib_rc_init(qp);
		if (ret)
			goto err_rq;
	}
	return 0;
err_rq:
	sib_rq_cleanup(&qp->rq);
err_wqe:
	kfree(qp->resp.wqe);
	return ret;
}

static void sib_qp_free_queues(struct sib_qp *qp)
{
	if (sib_qp_is_rc(qp))
		sib_rc_cleanup(qp);
	sib_rq_cleanup(&qp->rq);
	kfree(qp->resp.wqe);
}

static void sib_qp_setup(struct sib_qp *qp, struct ib_qp_init_attr *init)
{
	qp->hca = to_sib_hca(qp->ibqp.device);
	qp->port = &qp->hca->port;
	qp->srq = init->srq ? to_sib_srq(init->srq) : NULL;
	qp->state = IB_QPS_RESET;
	qp->sq_max = init->cap.max_send_wr;
	qp->sq_max_sge = init->cap.max_send_sge;
	qp->sig_all = init->sq_sig_type == IB_SIGNAL_ALL_WR;
	qp->block_loop = init->create_flags &
			 IB_QP_CREATE_BLOCK_MULTICAST_LOOPBACK;
	qp->lso = init->create_flags & IB_QP_CREATE_IPOIB_UD_LSO;
	qp->attr.cap = init->cap;
	qp->attr.port_num = 1;
	spin_lock_init(&qp->slock);
	spin_lock_init(&qp->rlock);
	INIT_LIST_HEAD(&qp->resp.ack_node);
	INIT_WORK(&qp->events.work, sib_qp_tell);
}

/**
 * sib_create_qp - the verb
 * @ibqp: allocated by the core
 * @init: what is wanted
 * @udata: of a user's request, else NULL
 *
 * Chapter 11.2.4.1. Context: may sleep. Return: 0 or a negative errno.
 */
int sib_create_qp(struct ib_qp *ibqp, struct ib_qp_init_attr *init,
		  struct ib_udata *udata)
{
	struct sib_hca *hca = to_sib_hca(ibqp->device);
	struct sib_qp *qp = to_sib_qp(ibqp);
	int ret;

	if (sib_verb_fails(hca, SIB_VERB_CREATE_QP, &ret))
		return ret;
	if (init->qp_type != IB_QPT_UD && init->qp_type != IB_QPT_RC &&
	    init->qp_type != IB_QPT_SMI && init->qp_type != IB_QPT_GSI)
		return -EOPNOTSUPP;
	ret = sib_qp_check_init(hca, init);
	if (ret)
		return ret;
	if (!atomic_add_unless(&hca->n_qps, 1, SIB_MAX_QP))
		return -ENOMEM;
	sib_qp_setup(qp, init);
	ret = sib_qp_alloc_queues(qp, init);
	if (ret)
		goto err_count;
	ret = sib_qp_number(qp);
	if (ret)
		goto err_queues;
	if (sib_qp_is_for_mads(qp)) {
		WRITE_ONCE(to_sib_cq(init->send_cq)->mads, true);
		WRITE_ONCE(to_sib_cq(init->recv_cq)->mads, true);
	}
	return 0;
err_queues:
	sib_qp_free_queues(qp);
err_count:
	atomic_dec(&hca->n_qps);
	return ret;
}

/* Everything a RESET forgets; the QP's number and sizes stay. */
static void sib_qp_reset(struct sib_qp *qp)
{
	lockdep_assert_held(&qp->slock);
	lockdep_assert_held(&qp->rlock);

	qp->sq_head = 0;
	qp->unsignaled = 0;
	qp->resp.in_msg = false;
	qp->resp.nak_sent = false;
	qp->resp.ack_due = false;
	qp->resp.comm_est = false;
	qp->req.una = 0;
	qp->req.cur = 0;
	qp->req.sent = 0;
	qp->req.off = 0;
	qp->req.rnr_wait = false;
}

/* Neither completions nor receive requests of a QP in RESET remain. */
static void sib_qp_forget(struct sib_qp *qp)
{
	struct sib_cq *scq = to_sib_cq(qp->ibqp.send_cq);
	struct sib_cq *rcq = to_sib_cq(qp->ibqp.recv_cq);
	unsigned long flags;

	sib_cq_purge(scq, qp);
	if (rcq != scq)
		sib_cq_purge(rcq, qp);
	spin_lock_irqsave(&qp->rlock, flags);
	qp->rq.tail = qp->rq.head;
	spin_unlock_irqrestore(&qp->rlock, flags);
	spin_lock_irqsave(&scq->lock, flags);
	qp->sq_retired = 0;
	spin_unlock_irqrestore(&scq->lock, flags);
}

/* Flush everything that waits; in order, and nothing can come between. */
static void sib_qp_enter_error(struct sib_qp *qp)
{
	lockdep_assert_held(&qp->slock);
	lockdep_assert_held(&qp->rlock);

	qp->state = IB_QPS_ERR;
	qp->attr.qp_state = IB_QPS_ERR;
	if (sib_qp_is_rc(qp))
		sib_rc_flush(qp);
	if (qp->resp.in_msg) {
		qp->resp.in_msg = false;
		sib_recv_failed(qp, qp->resp.wqe->wr_id, IB_WC_WR_FLUSH_ERR);
	}
	if (qp->srq)
		sib_event_add(&qp->events, IB_EVENT_QP_LAST_WQE_REACHED);
	else
		sib_rq_flush(qp);
}

/**
 * sib_qp_error_locked - a QP fails
 * @qp: the QP; in RESET, INIT or ERR nothing happens
 * @why: event to raise, or IB_EVENT_QP_LAST_WQE_REACHED for none but that
 *
 * Chapter 10.3.1.7. Context: any, @qp->slock held.
 */
void sib_qp_error_locked(struct sib_qp *qp, enum ib_event_type why)
{
	unsigned long flags;

	lockdep_assert_held(&qp->slock);

	if (qp->state < IB_QPS_RTR || qp->state == IB_QPS_ERR)
		return;
	sib_count(qp->hca, SIB_STAT_RC_FATAL);
	spin_lock_irqsave(&qp->rlock, flags);
	sib_qp_enter_error(qp);
	spin_unlock_irqrestore(&qp->rlock, flags);
	if (why != IB_EVENT_QP_LAST_WQE_REACHED)
		sib_event_add(&qp->events, why);
}

/**
 * sib_qp_error - a QP fails
 * @qp: the QP
 * @why: see sib_qp_error_locked()
 *
 * Context: any, none of the QP's locks held.
 */
void sib_qp_error(struct sib_qp *qp, enum ib_event_type why)
{
	unsigned long flags;

	spin_lock_irqsave(&qp->slock, flags);
	sib_qp_error_locked(qp, why);
	spin_unlock_irqrestore(&qp->slock, flags);
}

/**
 * sib_qp_force_error - make a QP fail, as a broken HCA would
 * @hca: the HCA
 * @qpn: number of the QP; QP0 and QP1 are spared
 *
 * Context: may sleep. Return: 0 or -ENOENT.
 */
int sib_qp_force_error(struct sib_hca *hca, u32 qpn)
{
	struct sib_qp *qp;

	xa_lock(&hca->qps);
	qp = xa_load(&hca->qps, qpn);
	if (qp)
		sib_qp_error(qp, IB_EVENT_QP_FATAL);
	xa_unlock(&hca->qps);
	return qp ? 0 : -ENOENT;
}

/**
 * sib_cq_force_overrun - make the CQ of a QP fail, as if it had been overrun
 * @hca: the HCA
 * @qpn: number of the QP
 * @send: the send CQ, else the receive CQ
 *
 * Context: may sleep. Return: 0 or -ENOENT.
 */
int sib_cq_force_overrun(struct sib_hca *hca, u32 qpn, bool send)
{
	struct sib_qp *qp;

	xa_lock(&hca->qps);
	qp = xa_load(&hca->qps, qpn);
	if (qp)
		sib_cq_overrun(to_sib_cq(send ? qp->ibqp.send_cq :
						qp->ibqp.recv_cq));
	xa_unlock(&hca->qps);
	return qp ? 0 : -ENOENT;
}

/**
 * sib_cq_fail_qps - the QPs of a CQ that was overrun fail with it
 * @cq: the CQ
 *
 * All but QP0 and QP1. Chapter 10.10.2.5. Context: may sleep.
 */
void sib_cq_fail_qps(struct sib_cq *cq)
{
	struct xarray *qps = &cq->hca->qps;
	unsigned long qpn;
	struct sib_qp *qp;

	xa_lock(qps);
	xa_for_each(qps, qpn, qp)
		if (qp->ibqp.send_cq == &cq->ibcq ||
		    qp->ibqp.recv_cq == &cq->ibcq)
			sib_qp_error(qp, IB_EVENT_QP_FATAL);
	xa_unlock(qps);
}

static void sib_qp_set_path(struct sib_qp *qp, const struct ib_qp_attr *attr,
			    int mask)
{
	struct ib_qp_attr *a = &qp->attr;

	if (mask & IB_QP_AV) {
		a->ah_attr = attr->ah_attr;
		a->ah_attr.grh.sgid_attr = NULL;
		sib_av_from_attr(&qp->av, &attr->ah_attr);
	}
	if (mask & IB_QP_PATH_MTU) {
		a->path_mtu = attr->path_mtu;
		qp->mtu = ib_mtu_enum_to_int(attr->path_mtu);
	}
	if (mask & IB_QP_DEST_QPN)
		a->dest_qp_num = attr->dest_qp_num & SIB_24BIT;
	if (mask & IB_QP_TIMEOUT)
		a->timeout = attr->timeout & 0x1f;
	if (mask & IB_QP_RETRY_CNT)
		a->retry_cnt = attr->retry_cnt;
	if (mask & IB_QP_RNR_RETRY)
		a->rnr_retry = attr->rnr_retry;
	if (mask & IB_QP_MIN_RNR_TIMER)
		a->min_rnr_timer = attr->min_rnr_timer & 0x1f;
	if (mask & IB_QP_MAX_QP_RD_ATOMIC)
		a->max_rd_atomic = attr->max_rd_atomic;
	if (mask & IB_QP_MAX_DEST_RD_ATOMIC)
		a->max_dest_rd_atomic = attr->max_dest_rd_atomic;
}

static void sib_qp_set_attr(struct sib_qp *qp, const struct ib_qp_attr *attr,
			    int mask)
{
	struct ib_qp_attr *a = &qp->attr;

	lockdep_assert_held(&qp->slock);
	lockdep_assert_held(&qp->rlock);

	if (mask & IB_QP_PKEY_INDEX)
		a->pkey_index = attr->pkey_index;
	if (mask & IB_QP_QKEY)
		a->qkey = attr->qkey;
	if (mask & IB_QP_ACCESS_FLAGS)
		a->qp_access_flags = attr->qp_access_flags;
	if (mask & IB_QP_RQ_PSN) {
		a->rq_psn = attr->rq_psn & SIB_24BIT;
		qp->resp.psn = a->rq_psn;
		qp->resp.msn = 0;
	}
	if (mask & IB_QP_SQ_PSN)
		a->sq_psn = attr->sq_psn & SIB_24BIT;
	sib_qp_set_path(qp, attr, mask);
}

static int sib_qp_check_attr(const struct sib_qp *qp,
			     const struct ib_qp_attr *attr, int mask)
{
	if (mask & (IB_QP_ALT_PATH | IB_QP_CAP))
		return -EOPNOTSUPP;
	if ((mask & IB_QP_PKEY_INDEX) && attr->pkey_index >= SIB_PKEYS)
		return -EINVAL;
	if ((mask & IB_QP_PORT) && attr->port_num != 1)
		return -EINVAL;
	if ((mask & IB_QP_PATH_MTU) &&
	    (attr->path_mtu < IB_MTU_256 ||
	     attr->path_mtu > qp->port->end.info.mtu_cap))
		return -EINVAL;
	/* sib_port_send() of a multicast packet would take mc_lock in rlock */
	if ((mask & IB_QP_AV) &&
	    rdma_ah_get_dlid(&attr->ah_attr) >= SIB_MLID_BASE)
		return -EINVAL;
	if ((mask & IB_QP_AV) &&
	    rdma_ah_get_ah_flags(&attr->ah_attr) & IB_AH_GRH &&
	    attr->ah_attr.grh.sgid_index >= SIB_GIDS)
		return -EINVAL;
	if (((mask & IB_QP_RETRY_CNT) && attr->retry_cnt > 7) ||
	    ((mask & IB_QP_RNR_RETRY) && attr->rnr_retry > 7))
		return -EINVAL;
	return 0;
}

/* The move itself; everything was checked. */
static void sib_qp_move(struct sib_qp *qp, const struct ib_qp_attr *attr,
			int mask, enum ib_qp_state from, enum ib_qp_state to)
{
	lockdep_assert_held(&qp->slock);
	lockdep_assert_held(&qp->rlock);

	sib_qp_set_attr(qp, attr, mask);
	qp->attr.qp_state = to;
	if (to == IB_QPS_ERR) {
		if (from != IB_QPS_ERR)
			sib_qp_enter_error(qp);
		return;
	}
	if (to == IB_QPS_RESET)
		sib_qp_reset(qp);
	qp->state = to;
	if (to == IB_QPS_RTS && sib_qp_is_rc(qp) && from == IB_QPS_RTR)
		sib_rc_start(qp);
}

/**
 * sib_modify_qp - the verb
 * @ibqp: the QP
 * @attr: what to set
 * @mask: enum ib_qp_attr_mask
 * @udata: of a user's request, else NULL
 *
 * Chapter 11.2.4.2. Context: may sleep. Return: 0 or a negative errno.
 */
int sib_modify_qp(struct ib_qp *ibqp, struct ib_qp_attr *attr, int mask,
		  struct ib_udata *udata)
{
	struct sib_qp *qp = to_sib_qp(ibqp);
	enum ib_qp_state from, to;
	unsigned long flags;
	int ret;

	if (sib_verb_fails(qp->hca, SIB_VERB_MODIFY_QP, &ret))
		return ret;
	if (mask & ~IB_QP_ATTR_STANDARD_BITS)
		return -EOPNOTSUPP;
	ret = sib_qp_check_attr(qp, attr, mask);
	if (ret)
		return ret;
	spin_lock_irqsave(&qp->slock, flags);
	spin_lock(&qp->rlock);
	from = qp->state;
	to = mask & IB_QP_STATE ? attr->qp_state : from;
	if ((mask & IB_QP_CUR_STATE && attr->cur_qp_state != from) ||
	    !ib_modify_qp_is_ok(from, to, ibqp->qp_type, mask))
		ret = -EINVAL;
	else
		sib_qp_move(qp, attr, mask, from, to);
	spin_unlock(&qp->rlock);
	if (!ret && to == IB_QPS_RTS && from != to && sib_qp_is_rc(qp))
		sib_rc_resume(qp);
	spin_unlock_irqrestore(&qp->slock, flags);
	if (!ret && to == IB_QPS_RESET)
		sib_qp_forget(qp);
	return ret;
}

/**
 * sib_query_qp - the verb
 * @ibqp: the QP
 * @attr: receives all that was set
 * @mask: what the caller looks at
 * @init: receives how it was created
 *
 * Chapter 11.2.4.3. Context: any. Return: 0 or the error of a fault.
 */
int sib_query_qp(struct ib_qp *ibqp, struct ib_qp_attr *attr, int mask,
		 struct ib_qp_init_attr *init)
{
	struct sib_qp *qp = to_sib_qp(ibqp);
	unsigned long flags;
	int ret;

	if (sib_verb_fails(qp->hca, SIB_VERB_QUERY_QP, &ret))
		return ret;
	spin_lock_irqsave(&qp->slock, flags);
	*attr = qp->attr;
	attr->qp_state = qp->state;
	attr->cur_qp_state = qp->state;
	spin_unlock_irqrestore(&qp->slock, flags);
	memset(init, 0, sizeof(*init));
	init->event_handler = ibqp->event_handler;
	init->qp_context = ibqp->qp_context;
	init->send_cq = ibqp->send_cq;
	init->recv_cq = ibqp->recv_cq;
	init->srq = ibqp->srq;
	init->cap = attr->cap;
	init->sq_sig_type = qp->sig_all ? IB_SIGNAL_ALL_WR : IB_SIGNAL_REQ_WR;
	init->qp_type = ibqp->qp_type;
	init->port_num = 1;
	return 0;
}

/**
 * sib_destroy_qp - the verb
 * @ibqp: a QP attached to no group
 * @udata: of a user's request, else NULL
 *
 * Returns when neither the port's tasklet nor a timer nor an event handler
 * can use it any more, and no completion of it can be polled.
 * Chapter 11.2.4.4. Context: may sleep. Return: 0.
 */
int sib_destroy_qp(struct ib_qp *ibqp, struct ib_udata *udata)
{
	struct sib_qp *qp = to_sib_qp(ibqp);
	unsigned long flags;

	spin_lock_irqsave(&qp->slock, flags);
	spin_lock(&qp->rlock);
	qp->state = IB_QPS_RESET;
	sib_qp_reset(qp);
	spin_unlock(&qp->rlock);
	spin_unlock_irqrestore(&qp->slock, flags);
	sib_qp_hide(qp);
	if (sib_qp_is_rc(qp))
		timer_shutdown_sync(&qp->req.timer);
	cancel_work_sync(&qp->events.work);
	sib_qp_forget(qp);
	sib_qp_free_queues(qp);
	atomic_dec(&qp->hca->n_qps);
	return 0;
}
