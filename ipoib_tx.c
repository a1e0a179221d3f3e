// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * From the stack to a queue: link-layer headers, what xmit does with a packet,
 * and packets that wait until their destination is resolved.
 */
#include <linux/if_arp.h>
#include <net/neighbour.h>

#include "ipoib.h"
#include "ipoib_trace.h"

#define IPOIB_MAX_PARKED	64	/* packets awaiting one destination */
#define IPOIB_MAX_PARKED_ALL	4096	/* packets awaiting, whole interface */

/**
 * ipoib_park() - queue a packet for a destination that is not resolved yet
 * @ipoib: the interface
 * @parked: the destination's queue, whose lock is held
 * @skb: the packet; its data begins at the 20-byte pseudo header
 *
 * Context: any.
 * Return: false if too many wait; then the caller still owns the packet.
 */
bool ipoib_park(struct ipoib_dev *ipoib, struct sk_buff_head *parked,
		struct sk_buff *skb)
{
	if (skb_queue_len(parked) >= IPOIB_MAX_PARKED)
		return false;
	if (atomic_inc_return(&ipoib->parked) > IPOIB_MAX_PARKED_ALL) {
		atomic_dec(&ipoib->parked);
		return false;
	}
	__skb_queue_tail(parked, skb);
	return true;
}

/**
 * ipoib_unpark() - take all packets off a destination's queue
 * @ipoib: the interface
 * @parked: the destination's queue, whose lock is held
 * @to: where they go, in order
 *
 * Context: any.
 */
void ipoib_unpark(struct ipoib_dev *ipoib, struct sk_buff_head *parked,
		  struct sk_buff_head *to)
{
	atomic_sub(skb_queue_len(parked), &ipoib->parked);
	skb_queue_splice_tail_init(parked, to);
}

/**
 * ipoib_drop_list() - drop packets and count each
 * @ipoib: the interface
 * @list: the packets
 * @why: the counter
 *
 * Context: process or softirq.
 */
void ipoib_drop_list(struct ipoib_dev *ipoib, struct sk_buff_head *list,
		     enum ipoib_counter why)
{
	struct sk_buff *skb;

	while ((skb = __skb_dequeue(list)))
		ipoib_count_drop(ipoib, why, skb);
}

/* RFC 4391 section 6 names IPv4, IPv6 and ARP; RARP and TIPC are used too. */
static bool ipoib_ethertype_ok(__be16 proto)
{
	return proto == htons(ETH_P_IP) || proto == htons(ETH_P_IPV6) ||
	       proto == htons(ETH_P_ARP) || proto == htons(ETH_P_RARP) ||
	       proto == htons(ETH_P_TIPC);
}

static void ipoib_xmit_mcast(struct ipoib_txq *txq, struct sk_buff *skb,
			     const u8 *daddr, bool more)
{
	struct ipoib_dev *ipoib = txq->ipoib;
	struct ipoib_group *group = ipoib_group_get(ipoib, daddr);
	struct ipoib_ah *ah;

	if (unlikely(!group)) {
		ipoib_count_drop(ipoib, IPOIB_TX_NO_MEMORY, skb);
		return;
	}
	ah = rcu_dereference(group->ah);
	if (unlikely(!ah)) {
		ipoib_group_park(ipoib, group, skb);
		return;
	}
	__skb_pull(skb, INFINIBAND_ALEN);
	ipoib_txq_send(txq, skb, ah->ibah, IPOIB_MCAST_QPN, more);
}

static void ipoib_xmit_ucast(struct ipoib_txq *txq, struct sk_buff *skb,
			     const u8 *daddr, bool more)
{
	struct ipoib_dev *ipoib = txq->ipoib;
	struct ipoib_dst *dst = ipoib_dst_get(ipoib, daddr);
	struct ipoib_ah *ah;

	if (unlikely(!dst)) {
		ipoib_count_drop(ipoib, IPOIB_TX_NO_MEMORY, skb);
		return;
	}
	ah = rcu_dereference(dst->ah);
	if (unlikely(!ah)) {
		ipoib_dst_park(ipoib, dst, skb);
		return;
	}
	__skb_pull(skb, INFINIBAND_ALEN);
	ipoib_txq_send(txq, skb, ah->ibah, dst->qpn, more);
}

/* Sends, parks or drops one packet, whose data begins at the 20-byte pseudo
 * header that ipoib_header_create() wrote. The queue's xmit lock is held.
 */
static void ipoib_xmit_one(struct ipoib_txq *txq, struct sk_buff *skb,
			   bool more)
{
	struct ipoib_dev *ipoib = txq->ipoib;
	const struct ipoib_header *header;

	if (unlikely(READ_ONCE(ipoib->state) != IPOIB_UP)) {
		ipoib_count_drop(ipoib, IPOIB_TX_NOT_READY, skb);
		return;
	}
	if (unlikely(!pskb_may_pull(skb, IPOIB_HARD_LEN))) {
		ipoib_count_drop(ipoib, IPOIB_TX_SHORT, skb);
		return;
	}
	header = (const struct ipoib_header *)skb->data;
	if (unlikely(!ipoib_ethertype_ok(header->proto))) {
		ipoib_count_drop(ipoib, IPOIB_TX_ETHERTYPE, skb);
		return;
	}
	rcu_read_lock();
	if (ipoib_addr_is_mcast(header->daddr))
		ipoib_xmit_mcast(txq, skb, header->daddr, more);
	else
		ipoib_xmit_ucast(txq, skb, header->daddr, more);
	rcu_read_unlock();
}

/**
 * ipoib_start_xmit() - ndo_start_xmit
 * @skb: the packet, behind the header that ipoib_header_ops made
 * @dev: the interface
 *
 * Context: BH off, the queue's xmit lock is held.
 * Return: NETDEV_TX_OK with the packet sent, parked or dropped and counted;
 * NETDEV_TX_BUSY if the ring is full.
 */
netdev_tx_t ipoib_start_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct ipoib_dev *ipoib = ipoib_priv(dev);
	struct ipoib_txq *txq = &ipoib->txq[skb_get_queue_mapping(skb)];
	bool more = netdev_xmit_more();

	if (unlikely(!ipoib_txq_ready(txq))) {
		/* Packet sockets may choose a queue just before it goes. */
		if (!txq->size) {
			netif_tx_start_queue(txq->nq);
			ipoib_count_drop(ipoib, IPOIB_TX_NOT_READY, skb);
			return NETDEV_TX_OK;
		}
		ipoib_txq_flush(txq);
		return NETDEV_TX_BUSY;
	}
	ipoib_xmit_one(txq, skb, more);
	/* The last of a batch may have been parked or dropped: it must not
	 * leave the others behind.
	 */
	if (!more)
		ipoib_txq_flush(txq);
	return NETDEV_TX_OK;
}

/* They have been through the queueing discipline and the taps already, so they
 * go to the ring directly, whatever byte queue limits say. Those that do not fit
 * are left.
 */
static void ipoib_resend_list(struct ipoib_dev *ipoib,
			      struct sk_buff_head *list)
{
	struct ipoib_txq *txq;
	struct sk_buff *skb;
	bool room;

	while ((skb = skb_peek(list))) {
		/* The queue it was meant for may not exist any more. */
		if (skb_get_queue_mapping(skb) >= ipoib->num_txq)
			skb_set_queue_mapping(skb, 0);
		txq = &ipoib->txq[skb_get_queue_mapping(skb)];
		__netif_tx_lock(txq->nq, smp_processor_id());
		room = !netif_tx_queue_stopped(txq->nq) && ipoib_txq_ready(txq);
		if (room) {
			__skb_unlink(skb, list);
			ipoib_xmit_one(txq, skb, false);
			txq_trans_cond_update(txq->nq);
		}
		__netif_tx_unlock(txq->nq);
		if (!room)
			return;
	}
}

/**
 * ipoib_resend() - send what is parked, and let xmit send what comes later
 * @ipoib: the interface
 * @parked: the packets of one destination
 * @lock: what protects them
 * @slot: where xmit looks for the address handle
 * @ah: the handle
 *
 * Later packets must not overtake earlier ones, so all queues stand still for
 * that long, once for a destination, and xmit finds either no handle or nothing
 * parked. Packets for which a ring has no room go around once more, and may be
 * overtaken. Without carrier they all stay, and xmit is not shown the handle.
 *
 * Context: work context.
 */
void ipoib_resend(struct ipoib_dev *ipoib, struct sk_buff_head *parked,
		  spinlock_t *lock, struct ipoib_ah __rcu **slot,
		  struct ipoib_ah *ah)
{
	bool up = READ_ONCE(ipoib->state) == IPOIB_UP;
	struct sk_buff_head list;
	struct sk_buff *skb;

	/* With a handle, an older one, xmit does not park. */
	if (rcu_access_pointer(*slot) && skb_queue_empty_lockless(parked)) {
		rcu_assign_pointer(*slot, ah);
		return;
	}
	__skb_queue_head_init(&list);
	netif_tx_lock_bh(ipoib->netdev);
	if (up || rcu_access_pointer(*slot) || skb_queue_empty_lockless(parked))
		rcu_assign_pointer(*slot, ah);
	if (up) {
		spin_lock(lock);
		ipoib_unpark(ipoib, parked, &list);
		spin_unlock(lock);
	}
	ipoib_resend_list(ipoib, &list);
	netif_tx_unlock_bh(ipoib->netdev);
	while ((skb = __skb_dequeue(&list)))
		dev_queue_xmit(skb);
}

/**
 * ipoib_tx_timeout() - ndo_tx_timeout: the work context resets the queue
 * @dev: the interface
 * @index: the queue
 *
 * Context: softirq; the device's transmit lock is held.
 */
void ipoib_tx_timeout(struct net_device *dev, unsigned int index)
{
	struct ipoib_dev *ipoib = ipoib_priv(dev);
	struct ipoib_txq *txq = &ipoib->txq[index];

	ipoib_count(ipoib, IPOIB_TX_TIMEOUTS);
	trace_ipoib_tx_timeout(txq);
	net_warn_ratelimited("%s: transmit timeout: latency %u msecs, queue %u, %u packets outstanding\n",
			     dev->name,
			     jiffies_to_msecs(jiffies -
					      READ_ONCE(txq->nq->trans_start)),
			     index, ipoib_txq_backlog(txq));
	WRITE_ONCE(txq->reset_wanted, true);
	ipoib_txq_check(txq);
}

/* --- link-layer header -------------------------------------------------- */

static void ipoib_header_fill(struct ipoib_header *header, __be16 proto,
			      const void *daddr)
{
	memcpy(header->daddr, daddr, INFINIBAND_ALEN);
	header->proto = proto;
	header->reserved = 0;
}

static int ipoib_header_create(struct sk_buff *skb, struct net_device *dev,
			       unsigned short type, const void *daddr,
			       const void *saddr, unsigned int len)
{
	struct ipoib_header *header = skb_push(skb, sizeof(*header));

	ipoib_header_fill(header, htons(type), daddr ?: dev->broadcast);
	return sizeof(*header);
}

/* A neighbour's header is made once and then copied in front of each packet. */
static int ipoib_header_cache(const struct neighbour *neigh,
			      struct hh_cache *hh, __be16 type)
{
	u8 *data = (u8 *)hh->hh_data + HH_DATA_OFF(IPOIB_HARD_LEN);

	ipoib_header_fill((struct ipoib_header *)data, type, neigh->ha);
	/* Pairs with the acquire in neigh_hh_output()'s caller. */
	smp_store_release(&hh->hh_len, IPOIB_HARD_LEN);
	return 0;
}

static void ipoib_header_cache_update(struct hh_cache *hh,
				      const struct net_device *dev,
				      const unsigned char *haddr)
{
	u8 *data = (u8 *)hh->hh_data + HH_DATA_OFF(IPOIB_HARD_LEN);

	memcpy(data, haddr, INFINIBAND_ALEN);
}

const struct header_ops ipoib_header_ops = {
	.create = ipoib_header_create,
	.cache = ipoib_header_cache,
	.cache_update = ipoib_header_cache_update,
};
