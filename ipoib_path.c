// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Destinations, paths and address handles.
 *
 * A destination is a 20-byte link-layer address, a path is a GID: several
 * destinations (QPNs) share one path and its one address handle. xmit finds or
 * makes destinations and parks packets on them; everything else happens in the
 * work context, so only parking needs a lock.
 *
 * No parked packet is forgotten: whoever parks one puts the destination on
 * ipoib_dev.dst_todo, and the work context, having taken it from there, sends
 * what is parked if there is an address handle, asks for a path if not, and
 * sends what is parked when the answer is published.
 */
#include <linux/jhash.h>

#include "ipoib.h"
#include "ipoib_cm.h"
#include "ipoib_trace.h"

#define IPOIB_MAX_QUERIES	32	/* path queries in flight, one interface */
#define IPOIB_SA_TIMEOUT_MS	4000	/* path query, all retries together */

/* A path whose record is older than this is asked for again when a new QPN
 * appears at its GID: the host has most likely rebooted.
 */
#define IPOIB_PATH_FRESH	(10 * HZ)

static const struct rhashtable_params ipoib_dst_params = {
	.key_len = INFINIBAND_ALEN,
	.key_offset = offsetof(struct ipoib_dst, addr),
	.head_offset = offsetof(struct ipoib_dst, node),
	.max_size = IPOIB_MAX_ENTRIES,
	.automatic_shrinking = true,
};

static const struct rhashtable_params ipoib_path_params = {
	.key_len = sizeof(union ib_gid),
	.key_offset = offsetof(struct ipoib_path, gid),
	.head_offset = offsetof(struct ipoib_path, node),
	.max_size = IPOIB_MAX_ENTRIES,
	.automatic_shrinking = true,
};

/* --- address handles ---------------------------------------------------- */

/**
 * ipoib_ah_create() - make an address handle
 * @ipoib: the interface
 * @attr: the address; consumed
 *
 * Context: work context, may sleep.
 * Return: the handle or an ERR_PTR.
 */
struct ipoib_ah *ipoib_ah_create(struct ipoib_dev *ipoib,
				 struct rdma_ah_attr *attr)
{
	struct ipoib_ah *ah = kzalloc_obj(*ah);
	struct ib_ah *ibah;

	if (!ah) {
		rdma_destroy_ah_attr(attr);
		return ERR_PTR(-ENOMEM);
	}
	ibah = rdma_create_ah(ipoib->pd, attr, RDMA_CREATE_AH_SLEEPABLE);
	rdma_destroy_ah_attr(attr);
	if (IS_ERR(ibah)) {
		kfree(ah);
		return ERR_CAST(ibah);
	}
	ah->ibah = ibah;
	return ah;
}

static void ipoib_ah_free(struct ipoib_ah *ah)
{
	list_del(&ah->list);
	rdma_destroy_ah(ah->ibah, RDMA_DESTROY_AH_SLEEPABLE);
	kfree(ah);
}

/**
 * ipoib_ah_retire() - free an address handle once no queue can name it
 * @ipoib: the interface
 * @ah: the handle, no longer published anywhere; may be NULL
 *
 * A handle must outlive the work requests that name it (InfiniBand
 * Architecture, section 11.2.2.4), and counting references for each packet
 * would bounce a cache line between queues. Instead a burial waits for an RCU
 * grace period, after which nobody can post with the handle any more, notes
 * how far each queue's producer is, and frees the handle when the consumers
 * have come that far.
 *
 * Context: work context.
 */
void ipoib_ah_retire(struct ipoib_dev *ipoib, struct ipoib_ah *ah)
{
	if (!ah)
		return;
	list_add_tail(&ah->list, &ipoib->graves.dead);
	queue_delayed_work(ipoib->wq, &ipoib->ah_work, HZ / 10);
}

static void ipoib_ah_free_list(struct list_head *list)
{
	struct ipoib_ah *ah, *next;

	list_for_each_entry_safe(ah, next, list, list)
		ipoib_ah_free(ah);
}

static bool ipoib_ah_drained(struct ipoib_dev *ipoib)
{
	unsigned int i;

	for (i = 0; i < ipoib->num_txq; i++) {
		struct ipoib_txq *txq = &ipoib->txq[i];
		unsigned int tail;

		/* The consumer is done with the work requests before it. */
		tail = smp_load_acquire(&txq->ud.tail);
		if ((int)(tail - txq->ah_mark) < 0)
			return false;
	}
	return true;
}

/**
 * ipoib_ah_work() - one step of the burial of retired address handles
 * @work: ipoib_dev.ah_work
 *
 * Context: work context, may sleep for an RCU grace period.
 */
void ipoib_ah_work(struct work_struct *work)
{
	struct ipoib_dev *ipoib =
		container_of(work, struct ipoib_dev, ah_work.work);
	struct ipoib_graveyard *graves = &ipoib->graves;
	unsigned int i;

	if (!READ_ONCE(ipoib->admin_up))
		return;
	if (!list_empty(&graves->draining)) {
		if (ipoib_ah_drained(ipoib))
			ipoib_ah_free_list(&graves->draining);
	}
	if (list_empty(&graves->draining) && !list_empty(&graves->dead)) {
		list_splice_init(&graves->dead, &graves->draining);
		synchronize_net();
		for (i = 0; i < ipoib->num_txq; i++)
			ipoib->txq[i].ah_mark =
				READ_ONCE(ipoib->txq[i].ud.head);
	}
	if (!list_empty(&graves->draining))
		queue_delayed_work(ipoib->wq, &ipoib->ah_work, HZ / 10);
}

/**
 * ipoib_ah_flush() - free all retired address handles at once
 * @ipoib: the interface, with its transport down and no xmit possible
 *
 * Context: work context, may sleep.
 */
void ipoib_ah_flush(struct ipoib_dev *ipoib)
{
	/* Parked packets may be resent outside the stack's own xmit. */
	synchronize_net();
	ipoib_ah_free_list(&ipoib->graves.draining);
	ipoib_ah_free_list(&ipoib->graves.dead);
}

/* --- destinations: what xmit calls -------------------------------------- */

/* Puts the destination on the work context's list, once. */
static void ipoib_dst_want(struct ipoib_dev *ipoib, struct ipoib_dst *dst)
{
	lockdep_assert_held(&dst->lock);

	if (dst->todo_queued)
		return;
	dst->todo_queued = true;
	llist_add(&dst->todo, &ipoib->dst_todo);
	mod_delayed_work(ipoib->wq, &ipoib->path_work, 0);
}

/**
 * ipoib_dst_find() - find the destination for a unicast address, if it is in use
 * @ipoib: the interface
 * @addr: 20-byte link-layer address
 *
 * Context: work context, which alone frees it.
 * Return: the destination, or NULL if there is none.
 */
struct ipoib_dst *ipoib_dst_find(struct ipoib_dev *ipoib, const u8 *addr)
{
	return rhashtable_lookup_fast(&ipoib->dsts, addr, ipoib_dst_params);
}

static struct ipoib_dst *ipoib_dst_create(struct ipoib_dev *ipoib,
					  const u8 *addr)
{
	struct ipoib_dst *dst, *other;

	dst = kzalloc_obj(*dst, GFP_ATOMIC | __GFP_NOWARN);
	if (!dst)
		return NULL;
	memcpy(dst->addr, addr, sizeof(dst->addr));
	dst->qpn = ipoib_addr_qpn(addr);
	dst->last_used = jiffies;
	spin_lock_init(&dst->lock);
	__skb_queue_head_init(&dst->parked);
	INIT_LIST_HEAD(&dst->path_entry);

	other = rhashtable_lookup_get_insert_fast(&ipoib->dsts, &dst->node,
						  ipoib_dst_params);
	if (other) {
		kfree(dst);
		return IS_ERR(other) ? NULL : other;
	}
	trace_ipoib_dst_create(ipoib, dst);
	spin_lock_bh(&dst->lock);
	ipoib_dst_want(ipoib, dst);
	spin_unlock_bh(&dst->lock);
	return dst;
}

/**
 * ipoib_dst_get() - find or make the destination for a unicast address
 * @ipoib: the interface
 * @addr: 20-byte link-layer address
 *
 * Context: rcu_read_lock held for as long as the result is used.
 * Return: the destination, or NULL without memory.
 */
struct ipoib_dst *ipoib_dst_get(struct ipoib_dev *ipoib, const u8 *addr)
{
	struct ipoib_dst *dst;

	dst = rhashtable_lookup(&ipoib->dsts, addr, ipoib_dst_params);
	if (likely(dst)) {
		ipoib_touch(&dst->last_used);
		return dst;
	}
	return ipoib_dst_create(ipoib, addr);
}

/**
 * ipoib_dst_ask_conn() - have a connection made to a destination
 * @ipoib: the interface
 * @dst: the destination; see ipoib_cm_wants()
 *
 * Context: rcu_read_lock, or work context; not under dst->lock.
 */
void ipoib_dst_ask_conn(struct ipoib_dev *ipoib, struct ipoib_dst *dst)
{
	spin_lock_bh(&dst->lock);
	if (!dst->gone) {
		dst->conn_asked = true;
		ipoib_dst_want(ipoib, dst);
	}
	spin_unlock_bh(&dst->lock);
}

/**
 * ipoib_dst_park() - keep a packet until it can go to its destination
 * @ipoib: the interface
 * @dst: the destination
 * @skb: the packet, consumed; its data begins at the 20-byte pseudo header
 *
 * It waits for a path; or for a connection, if it is too long for a datagram. The
 * packet is dropped and counted if too many wait, or if the SA said
 * lately that it does not know the GID.
 *
 * Context: rcu_read_lock and BH off; not under dst->lock.
 */
void ipoib_dst_park(struct ipoib_dev *ipoib, struct ipoib_dst *dst,
		    struct sk_buff *skb)
{
	enum ipoib_counter why = IPOIB_TX_PARK_FULL;
	bool parked = false;

	if (READ_ONCE(dst->unreachable) &&
	    time_before(jiffies, READ_ONCE(dst->dead_until))) {
		ipoib_count_drop(ipoib, IPOIB_TX_UNREACHABLE, skb);
		return;
	}

	spin_lock_bh(&dst->lock);
	if (dst->gone)
		why = IPOIB_TX_PARK_FLUSHED;
	else
		parked = ipoib_park(ipoib, &dst->parked, skb);
	if (parked)
		ipoib_dst_want(ipoib, dst);
	spin_unlock_bh(&dst->lock);
	if (!parked)
		ipoib_count_drop(ipoib, why, skb);
}

/* --- the work context --------------------------------------------------- */

/**
 * ipoib_dst_resend() - send what is parked, however it can go now
 * @ipoib: the interface
 * @dst: the destination, whose path has an address handle
 *
 * What cannot go yet is parked again.
 *
 * Context: work context.
 */
void ipoib_dst_resend(struct ipoib_dev *ipoib, struct ipoib_dst *dst)
{
	/* Some may come from a queue that the connection is not on. */
	spin_lock_bh(&dst->lock);
	if (dst->tx)
		ipoib_conn_take(dst->tx, &dst->parked);
	spin_unlock_bh(&dst->lock);
	ipoib_resend(ipoib, &dst->parked, &dst->lock, &dst->ah, dst->path->ah);
}

static void ipoib_dst_drop(struct ipoib_dev *ipoib, struct ipoib_dst *dst,
			   enum ipoib_counter why)
{
	struct sk_buff_head list;

	__skb_queue_head_init(&list);
	spin_lock_bh(&dst->lock);
	ipoib_unpark(ipoib, &dst->parked, &list);
	spin_unlock_bh(&dst->lock);
	ipoib_drop_list(ipoib, &list, why);
}

/* The destination is not in dst_todo, and can no longer get there. */
static void ipoib_dst_remove(struct ipoib_dev *ipoib, struct ipoib_dst *dst)
{
	spin_lock_bh(&dst->lock);
	dst->gone = true;
	spin_unlock_bh(&dst->lock);
	ipoib_cm_disconnect(dst);
	rhashtable_remove_fast(&ipoib->dsts, &dst->node, ipoib_dst_params);
	trace_ipoib_dst_remove(ipoib, dst);
	ipoib_dst_drop(ipoib, dst, IPOIB_TX_PARK_FLUSHED);
	list_del(&dst->path_entry);
	kfree_rcu(dst, rcu);
}

/* One that has packets waiting goes before those that only want news. */
static void ipoib_path_enqueue(struct ipoib_path *path)
{
	if (path->querying || !list_empty(&path->queued))
		return;
	if (path->ah)
		list_add_tail(&path->queued, &path->ipoib->path_queue);
	else
		list_add(&path->queued, &path->ipoib->path_queue);
}

/* Unless it is in use: then it stays. */
static void ipoib_dst_forget(struct ipoib_dev *ipoib, struct ipoib_dst *dst)
{
	bool busy;

	spin_lock_bh(&dst->lock);
	busy = dst->todo_queued || !skb_queue_empty(&dst->parked);
	if (!busy)
		dst->gone = true;
	spin_unlock_bh(&dst->lock);
	if (!busy)
		ipoib_dst_remove(ipoib, dst);
}

static struct ipoib_path *ipoib_path_create(struct ipoib_dev *ipoib,
					    const union ib_gid *gid)
{
	struct ipoib_path *path = kzalloc_obj(*path);

	if (!path)
		return NULL;
	path->gid = *gid;
	path->ipoib = ipoib;
	INIT_LIST_HEAD(&path->dsts);
	INIT_LIST_HEAD(&path->queued);
	if (rhashtable_insert_fast(&ipoib->paths, &path->node,
				   ipoib_path_params)) {
		kfree(path);
		return NULL;
	}
	list_add_tail(&path->entry, &ipoib->path_list);
	return path;
}

/* The path is in no list but path_list, and nothing is in flight. */
static void ipoib_path_destroy(struct ipoib_path *path)
{
	struct ipoib_dev *ipoib = path->ipoib;

	rhashtable_remove_fast(&ipoib->paths, &path->node, ipoib_path_params);
	list_del(&path->entry);
	list_del(&path->queued);
	ipoib_ah_retire(ipoib, path->ah);
	kfree(path);
}

static void ipoib_path_done(int status, struct sa_path_rec *rec,
			    ib_sa_path_count_t count, void *context)
{
	struct ipoib_path *path = context;
	struct ipoib_dev *ipoib = path->ipoib;

	spin_lock_bh(&ipoib->query_lock);
	path->query = NULL;
	spin_unlock_bh(&ipoib->query_lock);
	path->status = status;
	if (!status)
		path->answer = *rec;
	llist_add(&path->done, &ipoib->path_done);
	mod_delayed_work(ipoib->wq, &ipoib->path_work, 0);
	/* From here on the path may be gone, and after this the interface. */
	complete(&ipoib->query_ended);
}

/* RFC 4391 section 9.2 leaves it to the subnet how a path is found; asks the
 * SA for one path from our GID in our partition.
 */
static int ipoib_path_query(struct ipoib_path *path)
{
	const ib_sa_comp_mask mask = IB_SA_PATH_REC_DGID | IB_SA_PATH_REC_SGID |
				     IB_SA_PATH_REC_NUMB_PATH |
				     IB_SA_PATH_REC_TRAFFIC_CLASS |
				     IB_SA_PATH_REC_PKEY;
	struct ipoib_dev *ipoib = path->ipoib;
	struct sa_path_rec rec = {
		.dgid = path->gid,
		.sgid = *ipoib_addr_gid(ipoib->netdev->dev_addr),
		.pkey = cpu_to_be16(ipoib->pkey),
		.numb_path = 1,
		.traffic_class = ipoib->broadcast->rec.traffic_class,
		.rec_type = rdma_cap_opa_ah(ipoib->ibdev, ipoib->port_num) ?
			    SA_PATH_REC_TYPE_OPA : SA_PATH_REC_TYPE_IB,
	};
	int id;

	path->again = false;
	id = ib_sa_path_rec_get(&ipoib_sa_client, ipoib->ibdev, ipoib->port_num,
				&rec, mask, IPOIB_SA_TIMEOUT_MS, GFP_KERNEL,
				ipoib_path_done, path, &path->query);
	if (id < 0)
		return id;
	path->query_id = id;
	path->querying = true;
	ipoib->queries++;
	ipoib_count(ipoib, IPOIB_PATH_QUERIES);
	trace_ipoib_path_start(path, 0);
	return 0;
}

/* Every query gives one completion, whichever callback is first to give it. */
static void ipoib_path_query_ended(struct ipoib_path *path)
{
	wait_for_completion(&path->ipoib->query_ended);
	path->querying = false;
	path->ipoib->queries--;
}

static void ipoib_path_failed(struct ipoib_path *path, int status)
{
	struct ipoib_dev *ipoib = path->ipoib;
	struct ipoib_dst *dst;

	path->timed_out = status == -ETIMEDOUT;
	ipoib->sa_deaf |= path->timed_out;
	path->next_try = jiffies + ipoib_backoff(status, path->failures++);
	ipoib_count(ipoib, IPOIB_PATH_FAILURES);
	trace_ipoib_path_failed(path, status);
	net_dbg_ratelimited("%s: no path to %pI6: %pe\n", ipoib->netdev->name,
			    path->gid.raw, ERR_PTR(status));

	/* An earlier answer serves on; it is asked for again in its time, as is
	 * what could not be asked now.
	 */
	if (path->ah || status == -EAGAIN) {
		ipoib_path_enqueue(path);
		return;
	}
	list_for_each_entry(dst, &path->dsts, path_entry) {
		WRITE_ONCE(dst->dead_until, path->next_try);
		WRITE_ONCE(dst->unreachable, true);
		ipoib_dst_drop(ipoib, dst, IPOIB_TX_UNREACHABLE);
	}
}

/* A connection's QP goes on sending to where it was made for, and is answered
 * where we were then.
 */
static bool ipoib_path_moved(struct ipoib_path *path)
{
	struct sa_path_rec *old = &path->rec, *new = &path->answer;

	return sa_path_get_dlid(old) != sa_path_get_dlid(new) ||
	       sa_path_get_slid(old) != sa_path_get_slid(new) ||
	       memcmp(&old->sgid, &new->sgid, sizeof(new->sgid)) ||
	       old->sl != new->sl || old->mtu != new->mtu;
}

static void ipoib_path_publish(struct ipoib_path *path, struct ipoib_ah *ah)
{
	struct ipoib_dev *ipoib = path->ipoib;
	struct ipoib_ah *old = path->ah;
	bool moved = old && ipoib_path_moved(path);
	struct ipoib_dst *dst;

	path->rec = path->answer;
	path->ah = ah;
	path->failures = 0;
	path->resolved = jiffies;
	path->dlid = be32_to_cpu(sa_path_get_dlid(&path->rec));
	path->sl = path->rec.sl;
	path->rate = path->rec.rate;
	trace_ipoib_path_done(path, 0);
	list_for_each_entry(dst, &path->dsts, path_entry) {
		if (moved)
			ipoib_cm_disconnect(dst);
		WRITE_ONCE(dst->unreachable, false);
		ipoib_dst_resend(ipoib, dst);
	}
	ipoib_ah_retire(ipoib, old);
	ipoib_sa_answers(ipoib);
}

static void ipoib_path_answer(struct ipoib_path *path)
{
	struct ipoib_dev *ipoib = path->ipoib;
	struct rdma_ah_attr attr;
	struct ipoib_ah *ah;
	int ret;

	ipoib_path_query_ended(path);
	if (path->again)
		ipoib_path_enqueue(path);
	if (path->status) {
		/* What is asked again was most likely cancelled. */
		if (!path->again)
			ipoib_path_failed(path, path->status);
		return;
	}
	ret = ib_init_ah_attr_from_path(ipoib->ibdev, ipoib->port_num,
					&path->answer, &attr, NULL);
	if (!ret) {
		ah = ipoib_ah_create(ipoib, &attr);
		ret = PTR_ERR_OR_ZERO(ah);
	}
	if (ret) {
		net_warn_ratelimited("%s: no address handle for %pI6: %pe\n",
				     ipoib->netdev->name, path->gid.raw,
				     ERR_PTR(ret));
		ipoib_path_failed(path, ret);
		return;
	}
	ipoib_path_publish(path, ah);
}

static void ipoib_dst_attach(struct ipoib_dev *ipoib, struct ipoib_dst *dst)
{
	const union ib_gid *gid = ipoib_addr_gid(dst->addr);
	struct ipoib_path *path;

	path = rhashtable_lookup_fast(&ipoib->paths, gid, ipoib_path_params);
	if (!path)
		path = ipoib_path_create(ipoib, gid);
	if (!path)
		return;
	dst->path = path;
	list_add_tail(&dst->path_entry, &path->dsts);
	if (path->ah && time_after(jiffies, path->resolved + IPOIB_PATH_FRESH))
		ipoib_path_enqueue(path);
}

/* A destination with parked packets, or one that a connection is wanted to. */
static void ipoib_dst_todo(struct ipoib_dev *ipoib, struct ipoib_dst *dst)
{
	struct ipoib_path *path;
	bool connect;

	spin_lock_bh(&dst->lock);
	dst->todo_queued = false;
	connect = dst->conn_asked;
	dst->conn_asked = false;
	spin_unlock_bh(&dst->lock);

	if (!dst->path)
		ipoib_dst_attach(ipoib, dst);
	path = dst->path;
	if (!path) {
		ipoib_dst_drop(ipoib, dst, IPOIB_TX_NO_MEMORY);
		ipoib_dst_forget(ipoib, dst);
		return;
	}
	if (path->ah) {
		if (connect && ipoib_cm_wants(ipoib, dst))
			ipoib_cm_connect(ipoib, dst, 0);
		/* What is parked then is too long for a datagram. */
		if (!dst->connecting)
			ipoib_dst_resend(ipoib, dst);
	} else if (path->failures && time_before(jiffies, path->next_try) &&
		   list_empty(&path->queued)) {
		WRITE_ONCE(dst->dead_until, path->next_try);
		WRITE_ONCE(dst->unreachable, true);
		ipoib_dst_drop(ipoib, dst, IPOIB_TX_UNREACHABLE);
	} else {
		ipoib_path_enqueue(path);
	}
}

/* Starts what may be started; comes back when the first back-off ends. */
static void ipoib_path_start(struct ipoib_dev *ipoib)
{
	unsigned long delay = MAX_JIFFY_OFFSET, now = jiffies;
	struct ipoib_path *path, *next;
	int ret;

	list_for_each_entry_safe(path, next, &ipoib->path_queue, queued) {
		if (ipoib->queries >= IPOIB_MAX_QUERIES)
			break;
		if (path->failures && time_before(now, path->next_try)) {
			delay = min(delay, path->next_try - now);
			continue;
		}
		list_del_init(&path->queued);
		ret = ipoib_path_query(path);
		if (!ret)
			continue;
		ipoib_path_failed(path, ret);
		delay = min(delay, path->next_try - now);
	}
	/* Unless there is reason to come back at once. */
	if (delay < MAX_JIFFY_OFFSET)
		queue_delayed_work(ipoib->wq, &ipoib->path_work, delay);
}

/* Once the callback has run, the id and the query may be someone else's. */
static void ipoib_path_cancel(struct ipoib_path *path)
{
	spin_lock_bh(&path->ipoib->query_lock);
	if (path->query)
		ib_sa_cancel_query(path->query_id, path->query);
	spin_unlock_bh(&path->ipoib->query_lock);
}

/* The record of each path may have changed, and so may the SA's address: what
 * is in flight would be waited for until it times out. The old records serve
 * until there are new ones.
 */
static void ipoib_path_ask_again(struct ipoib_dev *ipoib)
{
	struct ipoib_path *path;

	list_for_each_entry(path, &ipoib->path_list, entry) {
		path->failures = 0;
		path->again = path->querying;
		if (path->querying)
			ipoib_path_cancel(path);
		else
			ipoib_path_enqueue(path);
	}
}

/**
 * ipoib_path_work() - resolve what is wanted, use what was answered
 * @work: ipoib_dev.path_work
 *
 * Context: work context, may sleep.
 */
void ipoib_path_work(struct work_struct *work)
{
	struct ipoib_dev *ipoib =
		container_of(work, struct ipoib_dev, path_work.work);
	struct ipoib_path *path, *next_path;
	struct llist_node *dsts, *paths;
	struct ipoib_dst *dst, *next_dst;

	/* After ndo_stop there is nothing left to do. */
	if (!READ_ONCE(ipoib->admin_up))
		return;
	dsts = llist_del_all(&ipoib->dst_todo);
	paths = llist_del_all(&ipoib->path_done);
	llist_for_each_entry_safe(path, next_path, paths, done)
		ipoib_path_answer(path);
	llist_for_each_entry_safe(dst, next_dst, dsts, todo)
		ipoib_dst_todo(ipoib, dst);

	if (xchg(&ipoib->paths_stale, false))
		ipoib_path_ask_again(ipoib);

	/* Without the broadcast group there is no Q_Key to send with, and
	 * packets for the SA wait like all others: see ipoib_set_state().
	 */
	if (READ_ONCE(ipoib->state) == IPOIB_UP)
		ipoib_path_start(ipoib);
}

/* A destination has a path or stands here, so this finds those without. */
static void ipoib_dst_flush_todo(struct ipoib_dev *ipoib)
{
	struct llist_node *dsts = llist_del_all(&ipoib->dst_todo);
	struct ipoib_dst *dst, *next;

	llist_for_each_entry_safe(dst, next, dsts, todo)
		if (!dst->path)
			ipoib_dst_remove(ipoib, dst);
}

static void ipoib_path_gc_dsts(struct ipoib_path *path)
{
	struct ipoib_dst *dst, *next;

	list_for_each_entry_safe(dst, next, &path->dsts, path_entry) {
		/* Less than 0 if it has been used since jiffies was read. */
		long idle = jiffies - READ_ONCE(dst->last_used);

		if (dst->tx && idle > (long)ipoib_conn_idle()) {
			ipoib_count(path->ipoib, IPOIB_CM_IDLE);
			ipoib_cm_disconnect(dst);
		}
		if (!dst->tx && idle > IPOIB_IDLE_JIFFIES)
			ipoib_dst_forget(path->ipoib, dst);
	}
}

/**
 * ipoib_path_resend() - carrier is on: send what waits for resolved paths
 * @ipoib: the interface
 *
 * Context: work context.
 */
void ipoib_path_resend(struct ipoib_dev *ipoib)
{
	struct ipoib_path *path;
	struct ipoib_dst *dst;

	list_for_each_entry(path, &ipoib->path_list, entry)
		if (path->ah)
			list_for_each_entry(dst, &path->dsts, path_entry)
				ipoib_dst_resend(ipoib, dst);
}

/**
 * ipoib_path_wake() - queries that timed out need not wait for their back-off
 * @ipoib: the interface
 *
 * One that no packet waits for is made when the next comes. The back-off grows on
 * if it fails again: the SA may be overloaded.
 *
 * Context: work context.
 */
void ipoib_path_wake(struct ipoib_dev *ipoib)
{
	struct ipoib_path *path;
	struct ipoib_dst *dst;

	list_for_each_entry(path, &ipoib->path_list, entry) {
		if (!path->failures || !path->timed_out)
			continue;
		path->next_try = jiffies;
		list_for_each_entry(dst, &path->dsts, path_entry)
			WRITE_ONCE(dst->unreachable, false);
	}
	mod_delayed_work(ipoib->wq, &ipoib->path_work, 0);
}

/**
 * ipoib_path_gc() - drop destinations that are idle, and paths without any
 * @ipoib: the interface
 *
 * Context: work context, may sleep.
 */
void ipoib_path_gc(struct ipoib_dev *ipoib)
{
	struct ipoib_path *path, *next;

	list_for_each_entry_safe(path, next, &ipoib->path_list, entry) {
		ipoib_path_gc_dsts(path);
		if (list_empty(&path->dsts) && !path->querying)
			ipoib_path_destroy(path);
	}
}

/**
 * ipoib_path_flush() - forget all destinations and paths
 * @ipoib: the interface
 *
 * Cancels the queries in flight; their callbacks are over on return.
 *
 * Context: work context, may sleep; with no xmit possible.
 */
void ipoib_path_flush(struct ipoib_dev *ipoib)
{
	struct ipoib_path *path, *next;
	struct ipoib_dst *dst, *next_dst;

	ipoib_dst_flush_todo(ipoib);
	list_for_each_entry(path, &ipoib->path_list, entry)
		if (path->querying)
			ipoib_path_cancel(path);
	list_for_each_entry(path, &ipoib->path_list, entry)
		if (path->querying)
			ipoib_path_query_ended(path);
	llist_del_all(&ipoib->path_done);

	list_for_each_entry_safe(path, next, &ipoib->path_list, entry) {
		list_for_each_entry_safe(dst, next_dst, &path->dsts, path_entry)
			ipoib_dst_remove(ipoib, dst);
		ipoib_path_destroy(path);
	}
}

/**
 * ipoib_tables_init() - make the empty destination and path tables
 * @ipoib: the interface
 *
 * Context: process, may sleep.
 * Return: 0 or a negative errno.
 */
int ipoib_tables_init(struct ipoib_dev *ipoib)
{
	int ret;

	init_llist_head(&ipoib->dst_todo);
	init_llist_head(&ipoib->path_done);
	INIT_LIST_HEAD(&ipoib->path_list);
	INIT_LIST_HEAD(&ipoib->path_queue);
	spin_lock_init(&ipoib->query_lock);
	init_completion(&ipoib->query_ended);
	INIT_LIST_HEAD(&ipoib->graves.dead);
	INIT_LIST_HEAD(&ipoib->graves.draining);
	ret = rhashtable_init(&ipoib->dsts, &ipoib_dst_params);
	if (ret)
		return ret;
	ret = rhashtable_init(&ipoib->paths, &ipoib_path_params);
	if (ret)
		rhashtable_destroy(&ipoib->dsts);
	return ret;
}

/**
 * ipoib_tables_destroy() - undo ipoib_tables_init()
 * @ipoib: the interface; ipoib_path_flush() has emptied its tables
 *
 * Context: process, may sleep.
 */
void ipoib_tables_destroy(struct ipoib_dev *ipoib)
{
	rhashtable_destroy(&ipoib->dsts);
	rhashtable_destroy(&ipoib->paths);
}
