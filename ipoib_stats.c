// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * What was counted: for ip -s link, ethtool -S and the stack's queue statistics.
 */
#include <linux/ethtool.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <net/netdev_queues.h>

#include "ipoib.h"
#include "ipoib_cm.h"

#define IPOIB_TOTAL(member) offsetof(struct rtnl_link_stats64, member)
#define IPOIB_EVENT (-1)

/* Numbers that ethtool -S shows of each queue. */
#define IPOIB_RXQ_STATS	2
#define IPOIB_TXQ_STATS	4

/**
 * struct ipoib_counter_desc - how a counter is shown
 * @name: in ethtool -S
 * @total: offset of the member of struct rtnl_link_stats64 that it is a part
 *	of, or IPOIB_EVENT if it counts no lost packets
 */
struct ipoib_counter_desc {
	char name[ETH_GSTRING_LEN];
	int total;
};

static const struct ipoib_counter_desc ipoib_counters[IPOIB_NUM_COUNTERS] = {
	[IPOIB_RX_SHORT] = { "rx_short", IPOIB_TOTAL(rx_errors) },
	[IPOIB_RX_WC_ERROR] = { "rx_wc_error", IPOIB_TOTAL(rx_errors) },
	[IPOIB_RX_NO_BUFFER] = { "rx_no_buffer", IPOIB_TOTAL(rx_dropped) },
	[IPOIB_RX_OWN_MCAST] = { "rx_own_multicast", IPOIB_EVENT },
	[IPOIB_TX_ETHERTYPE] = { "tx_bad_ethertype", IPOIB_TOTAL(tx_dropped) },
	[IPOIB_TX_SHORT] = { "tx_short", IPOIB_TOTAL(tx_dropped) },
	[IPOIB_TX_NOT_READY] = { "tx_not_ready", IPOIB_TOTAL(tx_dropped) },
	[IPOIB_TX_TOO_LONG] = { "tx_too_long", IPOIB_TOTAL(tx_errors) },
	[IPOIB_TX_LINEARIZE] = { "tx_linearize_failed", IPOIB_TOTAL(tx_errors) },
	[IPOIB_TX_MAP] = { "tx_map_failed", IPOIB_TOTAL(tx_errors) },
	[IPOIB_TX_POST] = { "tx_post_failed", IPOIB_EVENT },
	[IPOIB_TX_WC_ERROR] = { "tx_wc_error", IPOIB_TOTAL(tx_errors) },
	[IPOIB_TX_FLUSHED] = { "tx_flushed", IPOIB_TOTAL(tx_dropped) },
	[IPOIB_TX_PARK_FULL] = { "tx_park_full", IPOIB_TOTAL(tx_dropped) },
	[IPOIB_TX_PARK_FLUSHED] = { "tx_park_flushed", IPOIB_TOTAL(tx_dropped) },
	[IPOIB_TX_NO_MEMORY] = { "tx_no_memory", IPOIB_TOTAL(tx_dropped) },
	[IPOIB_TX_UNREACHABLE] = { "tx_unreachable", IPOIB_TOTAL(tx_dropped) },
	[IPOIB_TX_NO_GROUP] = { "tx_no_group", IPOIB_TOTAL(tx_dropped) },
	[IPOIB_TX_NO_CONN] = { "tx_no_connection", IPOIB_TOTAL(tx_dropped) },
	[IPOIB_TX_CONN_FULL] = { "tx_connection_full", IPOIB_TOTAL(tx_dropped) },
	[IPOIB_TX_TIMEOUTS] = { "tx_timeouts", IPOIB_EVENT },
	[IPOIB_QUEUE_RESETS] = { "queue_resets", IPOIB_EVENT },
	[IPOIB_PATH_QUERIES] = { "path_queries", IPOIB_EVENT },
	[IPOIB_PATH_FAILURES] = { "path_failures", IPOIB_EVENT },
	[IPOIB_JOINS] = { "mcast_joins", IPOIB_EVENT },
	[IPOIB_JOIN_FAILURES] = { "mcast_join_failures", IPOIB_EVENT },
	[IPOIB_MTU_CLAMPED] = { "mtu_clamped", IPOIB_EVENT },
	[IPOIB_CM_REQUESTS] = { "cm_requests", IPOIB_EVENT },
	[IPOIB_CM_CONNECTED] = { "cm_connected", IPOIB_EVENT },
	[IPOIB_CM_REJECTED] = { "cm_rejected", IPOIB_EVENT },
	[IPOIB_CM_UNANSWERED] = { "cm_unanswered", IPOIB_EVENT },
	[IPOIB_CM_LOST] = { "cm_lost", IPOIB_EVENT },
	[IPOIB_CM_ACCEPTED] = { "cm_accepted", IPOIB_EVENT },
	[IPOIB_CM_REFUSED] = { "cm_refused", IPOIB_EVENT },
	[IPOIB_CM_IDLE] = { "cm_idle", IPOIB_EVENT },
};

/* The counters by cause, over all CPUs. */
static void ipoib_sum_counters(struct ipoib_dev *ipoib, u64 *sums)
{
	const struct ipoib_pcpu_stats *stats;
	u64 now[IPOIB_NUM_COUNTERS];
	unsigned int start;
	int cpu, i;

	memset(sums, 0, IPOIB_NUM_COUNTERS * sizeof(*sums));
	for_each_possible_cpu(cpu) {
		stats = per_cpu_ptr(ipoib->stats, cpu);
		do {
			start = u64_stats_fetch_begin(&stats->syncp);
			for (i = 0; i < IPOIB_NUM_COUNTERS; i++)
				now[i] = u64_stats_read(&stats->cnt[i]);
		} while (u64_stats_fetch_retry(&stats->syncp, start));
		for (i = 0; i < IPOIB_NUM_COUNTERS; i++)
			sums[i] += now[i];
	}
}

/* One queue's counters, consistent with each other. */
static void ipoib_queue_read(const struct ipoib_queue_stats *stats,
			     u64 *packets, u64 *bytes, u64 *multicast)
{
	unsigned int start;

	do {
		start = u64_stats_fetch_begin(&stats->syncp);
		*packets = u64_stats_read(&stats->packets);
		*bytes = u64_stats_read(&stats->bytes);
		if (multicast)
			*multicast = u64_stats_read(&stats->multicast);
	} while (u64_stats_fetch_retry(&stats->syncp, start));
}

/**
 * ipoib_get_stats64() - ndo_get_stats64
 * @dev: the interface
 * @stats: zero on entry
 *
 * Context: any.
 */
void ipoib_get_stats64(struct net_device *dev, struct rtnl_link_stats64 *stats)
{
	struct ipoib_dev *ipoib = ipoib_priv(dev);
	u64 sums[IPOIB_NUM_COUNTERS], packets, bytes;
	unsigned int i;

	ipoib_queue_read(&ipoib->rxq->stats, &stats->rx_packets,
			 &stats->rx_bytes, &stats->multicast);
	for (i = 0; i < ipoib->cm.num_rxq; i++) {
		ipoib_queue_read(&ipoib->cm.rxq[i].stats, &packets, &bytes,
				 NULL);
		stats->rx_packets += packets;
		stats->rx_bytes += bytes;
	}
	/* Also those that are not in use any more. */
	for (i = 0; i < dev->num_tx_queues; i++) {
		ipoib_queue_read(&ipoib->txq[i].stats, &packets, &bytes, NULL);
		stats->tx_packets += packets;
		stats->tx_bytes += bytes;
	}
	ipoib_sum_counters(ipoib, sums);
	for (i = 0; i < IPOIB_NUM_COUNTERS; i++)
		if (ipoib_counters[i].total != IPOIB_EVENT)
			*(u64 *)((u8 *)stats + ipoib_counters[i].total) +=
				sums[i];
}

/**
 * ipoib_get_sset_count() - ethtool_ops.get_sset_count
 * @dev: the interface
 * @sset: only ETH_SS_STATS is known
 *
 * Queues first, then the causes.
 *
 * Context: RTNL.
 * Return: how many strings there are, or -EOPNOTSUPP.
 */
int ipoib_get_sset_count(struct net_device *dev, int sset)
{
	struct ipoib_dev *ipoib = ipoib_priv(dev);

	if (sset != ETH_SS_STATS)
		return -EOPNOTSUPP;
	return IPOIB_RXQ_STATS * (1 + ipoib->cm.num_rxq) +
	       IPOIB_TXQ_STATS * ipoib->num_txq +
	       IPOIB_NUM_COUNTERS;
}

/**
 * ipoib_get_strings() - ethtool_ops.get_strings
 * @dev: the interface
 * @sset: only ETH_SS_STATS is known
 * @data: room for ipoib_get_sset_count() names
 *
 * Context: RTNL.
 */
void ipoib_get_strings(struct net_device *dev, u32 sset, u8 *data)
{
	struct ipoib_dev *ipoib = ipoib_priv(dev);
	unsigned int i;

	if (sset != ETH_SS_STATS)
		return;
	ethtool_puts(&data, "rx_queue_0_packets");
	ethtool_puts(&data, "rx_queue_0_bytes");
	for (i = 0; i < ipoib->cm.num_rxq; i++) {
		ethtool_sprintf(&data, "rx_cm_queue_%u_packets", i);
		ethtool_sprintf(&data, "rx_cm_queue_%u_bytes", i);
	}
	for (i = 0; i < ipoib->num_txq; i++) {
		ethtool_sprintf(&data, "tx_queue_%u_packets", i);
		ethtool_sprintf(&data, "tx_queue_%u_bytes", i);
		ethtool_sprintf(&data, "tx_queue_%u_stops", i);
		ethtool_sprintf(&data, "tx_queue_%u_wakes", i);
	}
	for (i = 0; i < IPOIB_NUM_COUNTERS; i++)
		ethtool_puts(&data, ipoib_counters[i].name);
}

/**
 * ipoib_get_stats() - ethtool_ops.get_ethtool_stats
 * @dev: the interface
 * @stats: not used
 * @data: room for ipoib_get_sset_count() numbers
 *
 * Context: RTNL.
 */
void ipoib_get_stats(struct net_device *dev, struct ethtool_stats *stats,
		     u64 *data)
{
	struct ipoib_dev *ipoib = ipoib_priv(dev);
	unsigned int i;

	ipoib_queue_read(&ipoib->rxq->stats, &data[0], &data[1], NULL);
	data += IPOIB_RXQ_STATS;
	for (i = 0; i < ipoib->cm.num_rxq; i++, data += IPOIB_RXQ_STATS)
		ipoib_queue_read(&ipoib->cm.rxq[i].stats, &data[0], &data[1],
				 NULL);
	for (i = 0; i < ipoib->num_txq; i++, data += IPOIB_TXQ_STATS) {
		ipoib_queue_read(&ipoib->txq[i].stats, &data[0], &data[1],
				 NULL);
		data[2] = READ_ONCE(ipoib->txq[i].stops);
		data[3] = READ_ONCE(ipoib->txq[i].wakes);
	}
	ipoib_sum_counters(ipoib, data);
}

/* --- the stack's queue statistics --------------------------------------- */

static void ipoib_queue_stats_rx(struct net_device *dev, int index,
				 struct netdev_queue_stats_rx *stats)
{
	struct ipoib_dev *ipoib = ipoib_priv(dev);
	u64 sums[IPOIB_NUM_COUNTERS];

	ipoib_queue_read(&ipoib->rxq->stats, &stats->packets, &stats->bytes,
			 NULL);
	ipoib_sum_counters(ipoib, sums);
	stats->alloc_fail = sums[IPOIB_RX_NO_BUFFER];
}

static void ipoib_queue_stats_tx(struct net_device *dev, int index,
				 struct netdev_queue_stats_tx *stats)
{
	struct ipoib_txq *txq = &ipoib_priv(dev)->txq[index];

	ipoib_queue_read(&txq->stats, &stats->packets, &stats->bytes, NULL);
	stats->stop = READ_ONCE(txq->stops);
	stats->wake = READ_ONCE(txq->wakes);
}

/* What queues counted that are not in use at present. Their number stays the same: it
 * is changed under RTNL and the device's own lock, and here one of the two is held.
 */
static void ipoib_base_stats(struct net_device *dev,
			     struct netdev_queue_stats_rx *rx,
			     struct netdev_queue_stats_tx *tx)
{
	struct netdev_queue_stats_tx one;
	unsigned int i;

	rx->packets = 0;
	rx->bytes = 0;
	rx->alloc_fail = 0;
	tx->packets = 0;
	tx->bytes = 0;
	tx->stop = 0;
	tx->wake = 0;
	for (i = dev->real_num_tx_queues; i < dev->num_tx_queues; i++) {
		ipoib_queue_stats_tx(dev, i, &one);
		tx->packets += one.packets;
		tx->bytes += one.bytes;
		tx->stop += one.stop;
		tx->wake += one.wake;
	}
}

static const struct netdev_stat_ops ipoib_stat_ops = {
	.get_queue_stats_rx = ipoib_queue_stats_rx,
	.get_queue_stats_tx = ipoib_queue_stats_tx,
	.get_base_stats = ipoib_base_stats,
};

/**
 * ipoib_set_stat_ops() - give an interface its queue statistics
 * @dev: its net_device, being set up
 */
void ipoib_set_stat_ops(struct net_device *dev)
{
	netdev_set_stat_ops(dev, &ipoib_stat_ops);
}
