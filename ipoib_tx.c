// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * From the stack to a queue: link-layer headers, what xmit does with a packet,
 * and packets that wait until their destination is resolved.
 */
#include <linux/icmpv6.h>
#include <linux/if_arp.h>
#include <net/icmp.h>
#include <net/ndisc.h>
#include <net/neighbour.h>

#include "ipoib.h"
#include "ipoib_cm.h"
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

/* --- packets that are too long ------------------------------------------ */

/* Packets whose senders have not been told yet; more are dropped silently. */
#define IPOIB_MAX_TOO_LONG	64

struct ipoib_too_long {
	unsigned int mtu;
};

static struct ipoib_too_long *ipoib_too_long_cb(struct sk_buff *skb)
{
	return (struct ipoib_too_long *)skb->cb;
}

/**
 * ipoib_tx_too_long() - drop a packet that is longer than its way allows
 * @ipoib: the interface
 * @skb: the packet, consumed
 * @mtu: bytes that a packet to its destination may have
 *
 * Its route learns the MTU, and its sender is told by ICMP, from the work
 * context as that sends a packet. In datagram mode it is none that the stack
 * should have let through.
 *
 * Context: the queue's xmit lock is held.
 */
void ipoib_tx_too_long(struct ipoib_dev *ipoib, struct sk_buff *skb,
		       unsigned int mtu)
{
	if (!READ_ONCE(ipoib->connected))
		net_warn_ratelimited("%s: packet len %u (> %u) too long to send, dropping\n",
				     ipoib->netdev->name, skb->len,
				     mtu + IPOIB_ENCAP_LEN);
	ipoib_count(ipoib, IPOIB_TX_TOO_LONG);
	skb_dst_update_pmtu(skb, mtu);
	if (!skb_dst(skb) ||
	    skb_queue_len_lockless(&ipoib->cm.too_long) >= IPOIB_MAX_TOO_LONG) {
		dev_kfree_skb_any(skb);
		return;
	}
	ipoib_too_long_cb(skb)->mtu = mtu;
	skb_queue_tail(&ipoib->cm.too_long, skb);
	queue_work(ipoib->wq, &ipoib->cm.too_long_work);
}

/**
 * ipoib_too_long_work() - tell senders of packets that were too long
 * @work: ipoib_cm.too_long_work
 *
 * Context: work context.
 */
void ipoib_too_long_work(struct work_struct *work)
{
	struct ipoib_dev *ipoib =
		container_of(work, struct ipoib_dev, cm.too_long_work);
	struct sk_buff_head list;
	struct sk_buff *skb;

	/* What comes meanwhile has queued the work again. */
	__skb_queue_head_init(&list);
	spin_lock_bh(&ipoib->cm.too_long.lock);
	skb_queue_splice_init(&ipoib->cm.too_long, &list);
	spin_unlock_bh(&ipoib->cm.too_long.lock);
	while ((skb = __skb_dequeue(&list))) {
		unsigned int mtu = ipoib_too_long_cb(skb)->mtu;

		if (skb->protocol == htons(ETH_P_IP))
			icmp_ndo_send(skb, ICMP_DEST_UNREACH, ICMP_FRAG_NEEDED,
				      htonl(mtu));
		else if (skb->protocol == htons(ETH_P_IPV6))
			icmpv6_ndo_send(skb, ICMPV6_PKT_TOOBIG, 0, mtu);
		dev_kfree_skb(skb);
	}
}

/* --- xmit --------------------------------------------------------------- */

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

/* RFC 4755 section 7: how a link-layer address is found out is a matter of UD. */
static bool ipoib_is_resolution(const struct sk_buff *skb)
{
	const struct ipoib_header *header = (const void *)skb->data;
	struct ipv6hdr ip6_buf, *ip6;
	u8 type_buf, *type;

	if (likely(header->proto == htons(ETH_P_IP)))
		return false;
	if (header->proto != htons(ETH_P_IPV6))
		return header->proto == htons(ETH_P_ARP) ||
		       header->proto == htons(ETH_P_RARP);
	ip6 = skb_header_pointer(skb, IPOIB_HARD_LEN, sizeof(*ip6), &ip6_buf);
	if (!ip6 || ip6->nexthdr != IPPROTO_ICMPV6)
		return false;
	type = skb_header_pointer(skb, IPOIB_HARD_LEN + sizeof(*ip6), 1,
				  &type_buf);
	return type && *type >= NDISC_ROUTER_SOLICITATION &&
	       *type <= NDISC_REDIRECT;
}

/* While there is no connection, what a datagram can carry goes by that. What is
 * longer waits, or if no connection can be had at present, is dropped: if the
 * peer has refused for long, with word to the sender, who would be misled by it
 * for minutes if the peer were only away, or short of something.
 */
static bool ipoib_xmit_unconnected(struct ipoib_txq *txq, struct sk_buff *skb,
				   struct ipoib_dst *dst)
{
	struct ipoib_dev *ipoib = txq->ipoib;
	unsigned int mtu = READ_ONCE(ipoib->mcast_mtu);
	bool hope = READ_ONCE(dst->connecting) ||
		    rcu_access_pointer(dst->conn);

	if (!hope && ipoib_cm_wants(ipoib, dst)) {
		ipoib_dst_ask_conn(ipoib, dst);
		hope = true;
	}
	/* Or it has begun since, and is not wanted for that. */
	hope = hope || READ_ONCE(dst->connecting);
	if (skb->len <= mtu + IPOIB_HARD_LEN)
		return false;
	if (hope)
		ipoib_dst_park(ipoib, dst, skb);
	else if (READ_ONCE(dst->conn_refused))
		ipoib_tx_too_long(ipoib, skb, mtu);
	else
		ipoib_count_drop(ipoib, IPOIB_TX_NO_CONN, skb);
	return true;
}

/* Returns false if the packet has to go by UD; otherwise it is consumed. */
static bool ipoib_xmit_connected(struct ipoib_txq *txq, struct sk_buff *skb,
				 struct ipoib_dst *dst, bool more)
{
	struct ipoib_conn_tx *tx = rcu_dereference(dst->conn);
	unsigned int len = skb->len - IPOIB_HARD_LEN;

	/* Segmentation is for UD: the mode has been changed. */
	if (ipoib_is_resolution(skb) || unlikely(skb_is_gso(skb)))
		return false;
	/* Whoever chose the queue may not have asked us which. */
	if (unlikely(!tx || tx->sq.txq != txq || READ_ONCE(tx->broken)))
		return ipoib_xmit_unconnected(txq, skb, dst);
	if (likely(len <= tx->mtu)) {
		__skb_pull(skb, INFINIBAND_ALEN);
		ipoib_conn_send(tx, skb, more);
		return true;
	}
	if (len <= READ_ONCE(txq->ipoib->mcast_mtu))
		return false;
	ipoib_tx_too_long(txq->ipoib, skb,
			  max(tx->mtu, READ_ONCE(txq->ipoib->mcast_mtu)));
	return true;
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
	if (rcu_access_pointer(dst->conn) ||
	    (READ_ONCE(ipoib->connected) && ipoib_addr_has_rc(daddr) && ah)) {
		if (ipoib_xmit_connected(txq, skb, dst, more))
			return;
	}
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

/**
 * ipoib_select_queue() - ndo_select_queue
 * @dev: the interface
 * @skb: the packet, behind its link-layer header
 * @sb_dev: for netdev_pick_tx()
 *
 * Connected mode picks the queue by the destination, so that a connection is
 * used from one queue only; the stack does as it likes with other packets.
 *
 * Context: BH off.
 * Return: the queue's number.
 */
u16 ipoib_select_queue(struct net_device *dev, struct sk_buff *skb,
		       struct net_device *sb_dev)
{
	const struct ipoib_header *header = (const void *)skb->data;

	if (READ_ONCE(ipoib_priv(dev)->connected) &&
	    skb_headlen(skb) >= IPOIB_HARD_LEN &&
	    !ipoib_addr_is_mcast(header->daddr) &&
	    ipoib_addr_has_rc(header->daddr))
		return ipoib_cm_queue(header->daddr, dev->real_num_tx_queues);
	return netdev_pick_tx(dev, skb, sb_dev);
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
 * ipoib_resend_connected() - send what is parked, then let xmit use a connection
 * @ipoib: the interface
 * @dst: the destination, which has an address handle
 * @tx: the connection to it
 *
 * In order, as ipoib_resend() has it.
 *
 * Context: work context.
 */
void ipoib_resend_connected(struct ipoib_dev *ipoib, struct ipoib_dst *dst,
			    struct ipoib_conn_tx *tx)
{
	struct sk_buff_head list;
	struct sk_buff *skb;

	__skb_queue_head_init(&list);
	netif_tx_lock_bh(ipoib->netdev);
	rcu_assign_pointer(dst->conn, tx);
	if (READ_ONCE(ipoib->state) == IPOIB_UP) {
		spin_lock(&dst->lock);
		ipoib_unpark(ipoib, &dst->parked, &list);
		spin_unlock(&dst->lock);
	}
	ipoib_conn_take(tx, &list);
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
