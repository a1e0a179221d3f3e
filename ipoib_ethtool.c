// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * ethtool: what the interface is and what it counted.
 */
#include <linux/ethtool.h>
#include <linux/if_link.h>

#include "ipoib.h"

#define IPOIB_TOTAL(member) offsetof(struct rtnl_link_stats64, member)
#define IPOIB_EVENT (-1)

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
	[IPOIB_TX_TIMEOUTS] = { "tx_timeouts", IPOIB_EVENT },
	[IPOIB_QUEUE_RESETS] = { "queue_resets", IPOIB_EVENT },
	[IPOIB_PATH_QUERIES] = { "path_queries", IPOIB_EVENT },
	[IPOIB_PATH_FAILURES] = { "path_failures", IPOIB_EVENT },
	[IPOIB_JOINS] = { "mcast_joins", IPOIB_EVENT },
	[IPOIB_JOIN_FAILURES] = { "mcast_join_failures", IPOIB_EVENT },
	[IPOIB_MTU_CLAMPED] = { "mtu_clamped", IPOIB_EVENT },
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
	for (i = 0; i < ipoib->num_txq; i++) {
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

static void ipoib_get_drvinfo(struct net_device *dev,
			      struct ethtool_drvinfo *info)
{
	struct ipoib_dev *ipoib = ipoib_priv(dev);
	struct device *parent = ipoib->ibdev->dev.parent;

	strscpy(info->driver, KBUILD_MODNAME, sizeof(info->driver));
	ib_get_device_fw_str(ipoib->ibdev, info->fw_version);
	if (parent)
		strscpy(info->bus_info, dev_name(parent),
			sizeof(info->bus_info));
}

/* Totals, the queues one by one, then the causes. */
static int ipoib_get_sset_count(struct net_device *dev, int sset)
{
	struct ipoib_dev *ipoib = ipoib_priv(dev);

	if (sset != ETH_SS_STATS)
		return -EOPNOTSUPP;
	return 2 + 2 * ipoib->num_txq + IPOIB_NUM_COUNTERS;
}

static void ipoib_get_strings(struct net_device *dev, u32 sset, u8 *data)
{
	struct ipoib_dev *ipoib = ipoib_priv(dev);
	unsigned int i;

	if (sset != ETH_SS_STATS)
		return;
	ethtool_puts(&data, "rx_queue_0_packets");
	ethtool_puts(&data, "rx_queue_0_bytes");
	for (i = 0; i < ipoib->num_txq; i++) {
		ethtool_sprintf(&data, "tx_queue_%u_packets", i);
		ethtool_sprintf(&data, "tx_queue_%u_bytes", i);
	}
	for (i = 0; i < IPOIB_NUM_COUNTERS; i++)
		ethtool_puts(&data, ipoib_counters[i].name);
}

static void ipoib_get_stats(struct net_device *dev,
			    struct ethtool_stats *stats, u64 *data)
{
	struct ipoib_dev *ipoib = ipoib_priv(dev);
	unsigned int i;

	ipoib_queue_read(&ipoib->rxq->stats, &data[0], &data[1], NULL);
	data += 2;
	for (i = 0; i < ipoib->num_txq; i++, data += 2)
		ipoib_queue_read(&ipoib->txq[i].stats, &data[0], &data[1],
				 NULL);
	ipoib_sum_counters(ipoib, data);
}

static const struct ethtool_ops ipoib_ethtool_ops = {
	.get_drvinfo = ipoib_get_drvinfo,
	.get_link = ethtool_op_get_link,
	.get_sset_count = ipoib_get_sset_count,
	.get_strings = ipoib_get_strings,
	.get_ethtool_stats = ipoib_get_stats,
};

/**
 * ipoib_set_ethtool_ops() - give an interface its ethtool operations
 * @dev: its net_device, being set up
 */
void ipoib_set_ethtool_ops(struct net_device *dev)
{
	dev->ethtool_ops = &ipoib_ethtool_ops;
}
