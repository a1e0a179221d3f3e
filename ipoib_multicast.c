// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Multicast groups: the broadcast group and what it sets, the stack's
 * multicast list, and groups that are only sent to (RFC 4391 sections 4 to 6).
 *
 * All of a group's changes happen in the work context, in ipoib_mcast_run().
 * xmit makes send-only groups and parks packets; ib_core's callback only notes
 * the answer. A group that has to be joined again stays attached, and its
 * address handle in use, until the new answer is in hand. Attachments survive a
 * Reset of the QP: an HCA keeps them until they are detached.
 */
#include <linux/slab.h>
#include <linux/unaligned.h>

#include "ipoib.h"
#include "ipoib_trace.h"

#define IPOIB_MAX_JOINS		8	/* joins in flight, one interface */

/* Failed joins of one group that are logged before it falls silent. */
#define IPOIB_JOIN_MAX_LOGGED	20

static const struct rhashtable_params ipoib_group_params = {
	.key_len = sizeof(union ib_gid),
	.key_offset = offsetof(struct ipoib_group, mgid),
	.head_offset = offsetof(struct ipoib_group, node),
	.max_size = IPOIB_MAX_ENTRIES,
	.automatic_shrinking = true,
};

/* The MGID of a multicast link-layer address. The P_Key in the address is the
 * one the stack mapped it with; ours is what counts (RFC 4391 section 4).
 */
static void ipoib_mcast_mgid(const struct ipoib_dev *ipoib, const u8 *addr,
			     union ib_gid *mgid)
{
	memcpy(mgid, ipoib_addr_gid(addr), sizeof(*mgid));
	put_unaligned_be16(READ_ONCE(ipoib->pkey), &mgid->raw[4]);
}

/* --- what xmit calls ---------------------------------------------------- */

static struct ipoib_group *ipoib_group_create(struct ipoib_dev *ipoib,
					      const union ib_gid *mgid,
					      bool send_only, gfp_t gfp)
{
	struct ipoib_group *group, *other;

	group = kzalloc_obj(*group, gfp);
	if (!group)
		return NULL;
	group->mgid = *mgid;
	group->ipoib = ipoib;
	group->send_only = send_only;
	group->created = jiffies;
	group->last_used = jiffies;
	spin_lock_init(&group->lock);
	__skb_queue_head_init(&group->parked);
	INIT_LIST_HEAD(&group->entry);

	other = rhashtable_lookup_get_insert_fast(&ipoib->groups, &group->node,
						  ipoib_group_params);
	if (!other)
		return group;
	kfree(group);
	return IS_ERR(other) ? NULL : other;
}

/**
 * ipoib_group_get() - find the group for a multicast address, or make it
 * @ipoib: the interface
 * @addr: 20-byte link-layer address, multicast
 *
 * A group that nobody has joined is joined to send to, RFC 4391 section 10.
 *
 * Context: rcu_read_lock held for as long as the result is used.
 * Return: the group, or NULL without memory.
 */
struct ipoib_group *ipoib_group_get(struct ipoib_dev *ipoib, const u8 *addr)
{
	struct ipoib_group *group;
	union ib_gid mgid;

	ipoib_mcast_mgid(ipoib, addr, &mgid);
	group = rhashtable_lookup(&ipoib->groups, &mgid, ipoib_group_params);
	if (unlikely(!group)) {
		group = ipoib_group_create(ipoib, &mgid, true,
					   GFP_ATOMIC | __GFP_NOWARN);
		/* Found by two at once: only the one that made it is new, and
		 * it alone is in no list.
		 */
		if (group && !test_and_set_bit(0, &group->handed_over)) {
			llist_add(&group->fresh, &ipoib->group_todo);
			ipoib_kick(ipoib);
		}
	}
	if (likely(group))
		ipoib_touch(&group->last_used);
	return group;
}

/**
 * ipoib_group_park() - keep a packet until its group is joined
 * @ipoib: the interface
 * @group: the group, which had no address handle a moment ago
 * @skb: the packet, consumed; its data begins at the 20-byte pseudo header
 *
 * Context: rcu_read_lock and BH off.
 */
void ipoib_group_park(struct ipoib_dev *ipoib, struct ipoib_group *group,
		      struct sk_buff *skb)
{
	enum ipoib_counter why = IPOIB_TX_PARK_FULL;
	bool parked = false, first = false;

	if (READ_ONCE(group->failed) &&
	    time_before(jiffies, READ_ONCE(group->failed_until))) {
		ipoib_count_drop(ipoib, IPOIB_TX_NO_GROUP, skb);
		return;
	}
	spin_lock_bh(&group->lock);
	if (group->gone) {
		why = IPOIB_TX_PARK_FLUSHED;
	} else {
		first = skb_queue_empty(&group->parked);
		parked = ipoib_park(ipoib, &group->parked, skb);
	}
	spin_unlock_bh(&group->lock);

	/* The pass that follows joins, or sends all that is parked by then. */
	if (!parked)
		ipoib_count_drop(ipoib, why, skb);
	else if (first)
		ipoib_kick(ipoib);
}

/* --- the work context --------------------------------------------------- */

/* Before carrier they stay: ipoib_mcast_resend() sends them then. */
static void ipoib_group_resend(struct ipoib_group *group)
{
	if (rcu_access_pointer(group->ah) == group->handle &&
	    skb_queue_empty_lockless(&group->parked))
		return;
	ipoib_resend(group->ipoib, &group->parked, &group->lock, &group->ah,
		     group->handle);
}

static void ipoib_group_drop_parked(struct ipoib_group *group,
				    enum ipoib_counter why)
{
	struct sk_buff_head list;

	__skb_queue_head_init(&list);
	spin_lock_bh(&group->lock);
	ipoib_unpark(group->ipoib, &group->parked, &list);
	spin_unlock_bh(&group->lock);
	ipoib_drop_list(group->ipoib, &list, why);
}

static void ipoib_group_free_sa(struct ipoib_group *group)
{
	if (group->sa)
		ib_sa_free_multicast(group->sa);
	group->sa = NULL;
	group->joining = false;
	spin_lock_bh(&group->lock);
	group->answered = false;
	group->reset = false;
	spin_unlock_bh(&group->lock);
}

/* Leaves the group and frees it once RCU readers are gone. The wait inside
 * ib_core is for a callback that is running, never for the SA.
 */
static void ipoib_group_remove(struct ipoib_group *group)
{
	struct ipoib_dev *ipoib = group->ipoib;

	rhashtable_remove_fast(&ipoib->groups, &group->node,
			       ipoib_group_params);
	spin_lock_bh(&group->lock);
	group->gone = true;
	spin_unlock_bh(&group->lock);
	ipoib_group_drop_parked(group, IPOIB_TX_PARK_FLUSHED);

	ipoib_group_free_sa(group);
	if (group->attached)
		ipoib_transport_detach(ipoib, &group->mgid,
				       be16_to_cpu(group->rec.mlid));
	if (group == ipoib->broadcast)
		ipoib->broadcast = NULL;
	list_del(&group->entry);
	ipoib_ah_retire(ipoib, group->handle);
	kfree_rcu(group, rcu);
}

/* ib_core's callback, on its own workqueue. */
static int ipoib_group_answered(int status, struct ib_sa_multicast *sa)
{
	struct ipoib_group *group = sa->context;

	spin_lock_bh(&group->lock);
	if (status == -ENETRESET) {
		group->reset = true;
	} else {
		group->answered = true;
		group->answer = status;
	}
	spin_unlock_bh(&group->lock);
	ipoib_kick(group->ipoib);
	/* Non-zero would free sa, which ipoib_group_free_sa() does. */
	return 0;
}

/* The broadcast group is the SM's to make, so no more than its name is given;
 * any other is made with the broadcast group's parameters if it is the first
 * join (RFC 4391 section 6).
 */
static ib_sa_comp_mask ipoib_group_request(const struct ipoib_group *group,
					   struct ib_sa_mcmember_rec *rec)
{
	struct ipoib_dev *ipoib = group->ipoib;
	const struct ib_sa_mcmember_rec *model = &ipoib->broadcast->rec;
	ib_sa_comp_mask mask = IB_SA_MCMEMBER_REC_MGID |
			       IB_SA_MCMEMBER_REC_PORT_GID |
			       IB_SA_MCMEMBER_REC_PKEY |
			       IB_SA_MCMEMBER_REC_JOIN_STATE;

	memset(rec, 0, sizeof(*rec));
	rec->mgid = group->mgid;
	rec->port_gid = *ipoib_addr_gid(ipoib->netdev->dev_addr);
	rec->pkey = cpu_to_be16(ipoib->pkey);
	rec->join_state = group->send_only ? BIT(SENDONLY_FULLMEMBER_JOIN) :
					     BIT(FULLMEMBER_JOIN);
	if (group == ipoib->broadcast)
		return mask;

	rec->qkey = model->qkey;
	rec->mtu_selector = IB_SA_EQ;
	rec->mtu = model->mtu;
	rec->traffic_class = model->traffic_class;
	rec->rate_selector = IB_SA_EQ;
	rec->rate = model->rate;
	rec->sl = model->sl;
	rec->flow_label = model->flow_label;
	rec->hop_limit = model->hop_limit;
	return mask | IB_SA_MCMEMBER_REC_QKEY |
	       IB_SA_MCMEMBER_REC_MTU_SELECTOR | IB_SA_MCMEMBER_REC_MTU |
	       IB_SA_MCMEMBER_REC_TRAFFIC_CLASS |
	       IB_SA_MCMEMBER_REC_RATE_SELECTOR | IB_SA_MCMEMBER_REC_RATE |
	       IB_SA_MCMEMBER_REC_SL | IB_SA_MCMEMBER_REC_FLOW_LABEL |
	       IB_SA_MCMEMBER_REC_HOP_LIMIT;
}

static void ipoib_group_failed(struct ipoib_group *group, int status)
{
	struct ipoib_dev *ipoib = group->ipoib;

	ipoib_group_free_sa(group);
	group->timed_out = status == -ETIMEDOUT;
	ipoib->sa_deaf |= group->timed_out;
	group->next_try = jiffies + ipoib_backoff(status, group->failures++);
	ipoib_count(ipoib, IPOIB_JOIN_FAILURES);
	trace_ipoib_join_failed(group, status);

	/* The SM is away or busy, or nobody listens: no news. */
	if (status == -ETIMEDOUT || status == -EAGAIN ||
	    (status == -EINVAL && group->send_only))
		netdev_dbg(ipoib->netdev,
			   "multicast join failed for %pI6, status %d\n",
			   group->mgid.raw, status);
	else if (group->failures <= IPOIB_JOIN_MAX_LOGGED && net_ratelimit())
		netdev_warn(ipoib->netdev,
			    "multicast join failed for %pI6, status %d\n",
			    group->mgid.raw, status);

	if (group->joined)
		return;
	if (group->send_only) {
		WRITE_ONCE(group->failed_until, group->next_try);
		WRITE_ONCE(group->failed, true);
	}
	ipoib_group_drop_parked(group, IPOIB_TX_NO_GROUP);
}

static void ipoib_group_join(struct ipoib_group *group)
{
	struct ipoib_dev *ipoib = group->ipoib;
	struct ib_sa_mcmember_rec rec;
	struct ib_sa_multicast *sa;
	ib_sa_comp_mask mask;

	ipoib_group_free_sa(group);
	mask = ipoib_group_request(group, &rec);
	ipoib_count(ipoib, IPOIB_JOINS);
	trace_ipoib_join_start(group, 0);
	sa = ib_sa_join_multicast(&ipoib_sa_client, ipoib->ibdev,
				  ipoib->port_num, &rec, mask, GFP_KERNEL,
				  ipoib_group_answered, group);
	if (IS_ERR(sa)) {
		ipoib_group_failed(group, PTR_ERR(sa));
		return;
	}
	group->sa = sa;
	group->joining = true;
}

static struct ipoib_ah *ipoib_group_ah(struct ipoib_group *group)
{
	struct ipoib_dev *ipoib = group->ipoib;
	const struct ib_sa_mcmember_rec *rec = &group->rec;
	struct rdma_ah_attr attr = {
		.type = rdma_ah_find_type(ipoib->ibdev, ipoib->port_num),
	};

	rdma_ah_set_dlid(&attr, be16_to_cpu(rec->mlid));
	rdma_ah_set_port_num(&attr, ipoib->port_num);
	rdma_ah_set_sl(&attr, rec->sl);
	rdma_ah_set_static_rate(&attr, rec->rate);
	rdma_ah_set_grh(&attr, &group->mgid, be32_to_cpu(rec->flow_label), 0,
			rec->hop_limit, rec->traffic_class);
	return ipoib_ah_create(ipoib, &attr);
}

/* Takes from the broadcast group's record what it sets for the whole link. */
static int ipoib_broadcast_apply(struct ipoib_dev *ipoib,
				 const struct ib_sa_mcmember_rec *rec)
{
	int mtu = rdma_mtu_enum_to_int(ipoib->ibdev, ipoib->port_num,
				       rec->mtu);

	if (mtu <= IPOIB_ENCAP_LEN)
		return -EPROTO;
	mtu = min_t(int, mtu - IPOIB_ENCAP_LEN, ipoib->max_mtu);
	WRITE_ONCE(ipoib->mcast_mtu, mtu);
	return ipoib_transport_set_qkey(ipoib, be32_to_cpu(rec->qkey));
}

/* HCAs know an attachment by QP and MGID, most of them not by the MLID: with
 * another MLID the old one has to go first, or the new one would go with it.
 */
static int ipoib_group_attach(struct ipoib_group *group, __be16 mlid)
{
	struct ipoib_dev *ipoib = group->ipoib;
	int ret;

	if (group->send_only || (group->attached && group->rec.mlid == mlid))
		return 0;
	if (group->attached)
		ipoib_transport_detach(ipoib, &group->mgid,
				       be16_to_cpu(group->rec.mlid));
	ret = ipoib_transport_attach(ipoib, &group->mgid, be16_to_cpu(mlid));
	group->attached = !ret;
	return ret;
}

/* Do the other groups of the link have to be joined with other parameters? */
static bool ipoib_broadcast_differs(const struct ib_sa_mcmember_rec *a,
				    const struct ib_sa_mcmember_rec *b)
{
	return a->qkey != b->qkey || a->mtu != b->mtu || a->rate != b->rate ||
	       a->sl != b->sl || a->traffic_class != b->traffic_class ||
	       a->flow_label != b->flow_label || a->hop_limit != b->hop_limit;
}

static void ipoib_mcast_rejoin_all(struct ipoib_dev *ipoib)
{
	struct ipoib_group *group;

	list_for_each_entry(group, &ipoib->group_list, entry) {
		group->rejoin = group->joined;
		group->failures = 0;
	}
}

static void ipoib_group_joined(struct ipoib_group *group)
{
	struct ib_sa_mcmember_rec rec = group->sa->rec;
	struct ipoib_dev *ipoib = group->ipoib;
	struct ipoib_ah *old = group->handle;
	struct ipoib_ah *ah;
	int ret = 0;

	if (group == ipoib->broadcast) {
		if (ipoib_broadcast_differs(&group->rec, &rec))
			ipoib_mcast_rejoin_all(ipoib);
		ret = ipoib_broadcast_apply(ipoib, &rec);
	}
	if (!ret)
		ret = ipoib_group_attach(group, rec.mlid);
	if (ret) {
		net_warn_ratelimited("%s: cannot use group %pI6: %pe\n",
				     ipoib->netdev->name, group->mgid.raw,
				     ERR_PTR(ret));
		ipoib_group_failed(group, ret);
		return;
	}
	group->rec = rec;
	ah = ipoib_group_ah(group);
	if (IS_ERR(ah)) {
		net_warn_ratelimited("%s: no address handle for %pI6: %pe\n",
				     ipoib->netdev->name, group->mgid.raw, ah);
		ipoib_group_failed(group, PTR_ERR(ah));
		return;
	}
	group->joined = true;
	trace_ipoib_join_done(group, 0);
	/* The stack may have joined while a send-only join was under way. */
	group->rejoin = !group->send_only &&
			!(rec.join_state & BIT(FULLMEMBER_JOIN));
	group->failures = 0;
	WRITE_ONCE(group->failed, false);
	group->handle = ah;
	ipoib_group_resend(group);
	ipoib_ah_retire(ipoib, old);
	ipoib_sa_answers(ipoib);
	if (ipoib->moved && group == ipoib->broadcast) {
		ipoib->moved = false;
		WRITE_ONCE(ipoib->tell_peers, true);
		ipoib_kick_config(ipoib);
	}
}

/* Looks at what ib_core's callback left. A lost membership means that the SM
 * may be another one, so the broadcast group is asked for again first.
 */
static void ipoib_group_collect(struct ipoib_group *group)
{
	struct ipoib_group *broadcast = group->ipoib->broadcast;
	bool answered, reset;
	int answer;

	spin_lock_bh(&group->lock);
	answered = group->answered;
	answer = group->answer;
	reset = group->reset;
	group->answered = false;
	group->reset = false;
	spin_unlock_bh(&group->lock);

	if (answered && group->joining) {
		group->joining = false;
		if (answer)
			ipoib_group_failed(group, answer);
		else
			ipoib_group_joined(group);
	}
	if (!reset)
		return;
	group->rejoin = group->joined;
	group->failures = 0;
	broadcast->rejoin = broadcast->joined;
	broadcast->failures = 0;
}

/* Joins if there is need to, the back-off is over and not too many joins are in
 * flight: the SA's time to answer runs for all of them at once. Returns the
 * delay after which to look again, or MAX_JIFFY_OFFSET if something else will
 * bring us, an answer for one.
 */
static unsigned long ipoib_group_run(struct ipoib_group *group,
				     unsigned int *in_flight)
{
	bool wanted = !group->send_only || group->joined ||
		      !skb_queue_empty_lockless(&group->parked);

	if (group->joined)
		ipoib_group_resend(group);
	if (group->joining || !wanted || (group->joined && !group->rejoin))
		return MAX_JIFFY_OFFSET;
	if (group->failures && time_before(jiffies, group->next_try))
		return group->next_try - jiffies;
	if (*in_flight >= IPOIB_MAX_JOINS)
		return MAX_JIFFY_OFFSET;
	ipoib_group_join(group);
	if (!group->joining)
		return HZ;
	(*in_flight)++;
	return MAX_JIFFY_OFFSET;
}

/* The stack's list, as MGIDs. Its lock is a spinlock, so there may be more
 * entries than there was memory taken for: then the walk is done again.
 */
static union ib_gid *ipoib_mcast_snapshot(struct ipoib_dev *ipoib, int *count)
{
	struct net_device *dev = ipoib->netdev;
	struct netdev_hw_addr *ha;
	union ib_gid *mgids;
	int room, n;

again:
	room = netdev_mc_count(dev) + 8;
	mgids = kvzalloc_objs(*mgids, room);
	if (!mgids)
		return NULL;
	n = 0;
	netif_addr_lock_bh(dev);
	if (netdev_mc_count(dev) > room) {
		netif_addr_unlock_bh(dev);
		kvfree(mgids);
		goto again;
	}
	netdev_for_each_mc_addr(ha, dev) {
		/* Multicast of our scope with IPoIB's signature; byte 6 tells
		 * IPv4 from IPv6. The P_Key may be one that the interface
		 * had when the stack mapped the address: ours replaces it.
		 */
		if (memcmp(ha->addr, dev->broadcast, 6) ||
		    ha->addr[7] != dev->broadcast[7])
			continue;
		ipoib_mcast_mgid(ipoib, ha->addr, &mgids[n++]);
	}
	netif_addr_unlock_bh(dev);
	*count = n;
	return mgids;
}

static bool ipoib_mcast_want(struct ipoib_dev *ipoib, const union ib_gid *mgid)
{
	struct ipoib_group *group;

	group = rhashtable_lookup_fast(&ipoib->groups, mgid,
				       ipoib_group_params);
	if (!group)
		group = ipoib_group_create(ipoib, mgid, false, GFP_KERNEL);
	if (!group)
		return false;
	if (!test_and_set_bit(0, &group->handed_over))
		list_add_tail(&group->entry, &ipoib->group_list);
	group->wanted = true;
	if (group->send_only) {
		group->send_only = false;
		group->rejoin = group->joined;
		group->failures = 0;
		WRITE_ONCE(group->failed, false);
	}
	return true;
}

/* A user's own group, which umcast says is to be left to it. It is ib_core that
 * knows the groups of the port, whoever joined them.
 */
static bool ipoib_mcast_is_users(struct ipoib_dev *ipoib, union ib_gid *mgid)
{
	struct ib_sa_mcmember_rec rec;

	return READ_ONCE(ipoib->umcast) &&
	       !rhashtable_lookup_fast(&ipoib->groups, mgid,
				       ipoib_group_params) &&
	       !ib_sa_get_mcmember_rec(ipoib->ibdev, ipoib->port_num, mgid,
				       &rec);
}

/* Makes the groups those of the stack's list. */
static void ipoib_mcast_sync(struct ipoib_dev *ipoib)
{
	struct ipoib_group *group, *next;
	union ib_gid *mgids;
	int count, i;
	bool ok = true;

	mgids = ipoib_mcast_snapshot(ipoib, &count);
	if (!mgids) {
		WRITE_ONCE(ipoib->mc_changed, true);
		ipoib_kick_after(ipoib, HZ);
		return;
	}
	list_for_each_entry(group, &ipoib->group_list, entry)
		group->wanted = group == ipoib->broadcast;
	for (i = 0; i < count; i++)
		if (!ipoib_mcast_is_users(ipoib, &mgids[i]))
			ok &= ipoib_mcast_want(ipoib, &mgids[i]);
	kvfree(mgids);
	if (!ok) {
		WRITE_ONCE(ipoib->mc_changed, true);
		ipoib_kick_after(ipoib, HZ);
	}
	list_for_each_entry_safe(group, next, &ipoib->group_list, entry)
		if (!group->wanted && !group->send_only)
			ipoib_group_remove(group);
}

static void ipoib_mcast_adopt(struct ipoib_dev *ipoib)
{
	struct llist_node *fresh = llist_del_all(&ipoib->group_todo);
	struct ipoib_group *group, *next;

	llist_for_each_entry_safe(group, next, fresh, fresh)
		list_add_tail(&group->entry, &ipoib->group_list);
}

static bool ipoib_mcast_have_broadcast(struct ipoib_dev *ipoib)
{
	struct ipoib_group *group;
	union ib_gid mgid;

	if (ipoib->broadcast)
		return true;
	ipoib_mcast_mgid(ipoib, ipoib->netdev->broadcast, &mgid);
	if (!ipoib_mcast_want(ipoib, &mgid))
		return false;
	group = rhashtable_lookup_fast(&ipoib->groups, &mgid,
				       ipoib_group_params);
	ipoib->broadcast = group;
	return true;
}

/**
 * ipoib_mcast_run() - do what there is to do for the groups
 * @ipoib: the interface, with its port Active and its P_Key found
 *
 * Joins the broadcast group first, as all others take their parameters from
 * it; then the others, some at a time. Asks for another pass when a back-off ends.
 *
 * Context: work context, may sleep.
 * Return: true if the broadcast group is joined.
 */
bool ipoib_mcast_run(struct ipoib_dev *ipoib)
{
	unsigned long delay = MAX_JIFFY_OFFSET;
	unsigned int in_flight = 0;
	struct ipoib_group *group;

	ipoib_mcast_adopt(ipoib);
	if (!ipoib_mcast_have_broadcast(ipoib)) {
		ipoib_kick_after(ipoib, HZ);
		return false;
	}
	if (xchg(&ipoib->mc_changed, false))
		ipoib_mcast_sync(ipoib);

	list_for_each_entry(group, &ipoib->group_list, entry) {
		ipoib_group_collect(group);
		in_flight += group->joining;
	}
	delay = ipoib_group_run(ipoib->broadcast, &in_flight);
	if (ipoib->broadcast->joined && !ipoib->broadcast->rejoin) {
		list_for_each_entry(group, &ipoib->group_list, entry)
			if (group != ipoib->broadcast)
				delay = min(delay,
					    ipoib_group_run(group, &in_flight));
	}
	if (delay != MAX_JIFFY_OFFSET)
		ipoib_kick_after(ipoib, delay + 1);
	return ipoib->broadcast->joined;
}

/**
 * ipoib_mcast_retry() - no group has to wait for its back-off to end
 * @ipoib: the interface
 *
 * The SA is another one, or back: it may grant what was refused, or could not be
 * asked for, before.
 *
 * Context: work context.
 */
void ipoib_mcast_retry(struct ipoib_dev *ipoib)
{
	struct ipoib_group *group;

	list_for_each_entry(group, &ipoib->group_list, entry) {
		group->failures = 0;
		WRITE_ONCE(group->failed, false);
	}
}

/**
 * ipoib_mcast_wake() - joins that timed out need not wait for their back-off
 * @ipoib: the interface
 *
 * It grows on if they fail again: the SA may be overloaded.
 *
 * Context: work context.
 */
void ipoib_mcast_wake(struct ipoib_dev *ipoib)
{
	struct ipoib_group *group;

	list_for_each_entry(group, &ipoib->group_list, entry) {
		if (!group->failures || !group->timed_out)
			continue;
		group->next_try = jiffies;
		WRITE_ONCE(group->failed, false);
	}
	ipoib_kick(ipoib);
}

/**
 * ipoib_mcast_renew() - the interface has another GID: join all groups with it
 * @ipoib: the interface
 *
 * What is joined serves on until it is joined again; then peers are told. A join
 * in flight names the old GID, and is given up.
 *
 * Context: work context, may sleep.
 */
void ipoib_mcast_renew(struct ipoib_dev *ipoib)
{
	struct ipoib_group *group;

	ipoib->moved = true;
	ipoib_mcast_rejoin_all(ipoib);
	list_for_each_entry(group, &ipoib->group_list, entry)
		ipoib_group_free_sa(group);
}

/**
 * ipoib_mcast_lost() - the port went down: memberships have to be made anew
 * @ipoib: the interface
 *
 * Context: work context.
 */
void ipoib_mcast_lost(struct ipoib_dev *ipoib)
{
	ipoib_mcast_rejoin_all(ipoib);
	if (ipoib->broadcast)
		ipoib->broadcast->joined = false;
}

/**
 * ipoib_mcast_resend() - carrier is on: send what waits for joined groups
 * @ipoib: the interface
 *
 * Context: work context.
 */
void ipoib_mcast_resend(struct ipoib_dev *ipoib)
{
	struct ipoib_group *group;

	list_for_each_entry(group, &ipoib->group_list, entry)
		if (group->joined)
			ipoib_group_resend(group);
}

/**
 * ipoib_mcast_is_stale() - is the broadcast address another one by now?
 * @ipoib: the interface
 *
 * The administrator may have set it, for the scope, and a change of P_Key does.
 *
 * Context: work context.
 * Return: true if all groups have to be left and joined anew.
 */
bool ipoib_mcast_is_stale(const struct ipoib_dev *ipoib)
{
	union ib_gid mgid;

	if (!ipoib->broadcast)
		return false;
	ipoib_mcast_mgid(ipoib, ipoib->netdev->broadcast, &mgid);
	return memcmp(&mgid, &ipoib->broadcast->mgid, sizeof(mgid));
}

/**
 * ipoib_mcast_gc() - leave send-only groups that are idle
 * @ipoib: the interface
 *
 * Context: work context, may sleep.
 */
void ipoib_mcast_gc(struct ipoib_dev *ipoib)
{
	struct ipoib_group *group, *next;

	list_for_each_entry_safe(group, next, &ipoib->group_list, entry) {
		if (group->send_only && !group->joining &&
		    skb_queue_empty_lockless(&group->parked) &&
		    time_after(jiffies, READ_ONCE(group->last_used) +
					IPOIB_IDLE_JIFFIES))
			ipoib_group_remove(group);
	}
}

/**
 * ipoib_mcast_flush() - leave all groups
 * @ipoib: the interface
 *
 * Does not wait for the SA: ib_core sends the leaves in its own time.
 *
 * Context: work context, may sleep.
 */
void ipoib_mcast_flush(struct ipoib_dev *ipoib)
{
	struct ipoib_group *group, *next;

	ipoib_mcast_adopt(ipoib);
	list_for_each_entry_safe(group, next, &ipoib->group_list, entry)
		ipoib_group_remove(group);
	WRITE_ONCE(ipoib->mc_changed, true);
}

/**
 * ipoib_groups_init() - make the empty group table
 * @ipoib: the interface
 *
 * Context: process, may sleep.
 * Return: 0 or a negative errno.
 */
int ipoib_groups_init(struct ipoib_dev *ipoib)
{
	INIT_LIST_HEAD(&ipoib->group_list);
	init_llist_head(&ipoib->group_todo);
	ipoib->mc_changed = true;
	return rhashtable_init(&ipoib->groups, &ipoib_group_params);
}

/**
 * ipoib_groups_destroy() - undo ipoib_groups_init()
 * @ipoib: the interface; ipoib_mcast_flush() has emptied its table
 *
 * Context: process, may sleep.
 */
void ipoib_groups_destroy(struct ipoib_dev *ipoib)
{
	rhashtable_destroy(&ipoib->groups);
}
