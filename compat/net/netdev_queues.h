/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef IPOIB_COMPAT_NET_NETDEV_QUEUES_H
#define IPOIB_COMPAT_NET_NETDEV_QUEUES_H

#include <linux/version.h>
#include_next <net/netdev_queues.h>

/* Counters of each queue, for netlink: what of them this driver has. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 9, 0)
struct netdev_queue_stats_rx {
	u64 bytes;
	u64 packets;
	u64 alloc_fail;
};

struct netdev_queue_stats_tx {
	u64 bytes;
	u64 packets;
	u64 stop;
	u64 wake;
};

struct netdev_stat_ops {
	void (*get_queue_stats_rx)(struct net_device *dev, int idx,
				   struct netdev_queue_stats_rx *stats);
	void (*get_queue_stats_tx)(struct net_device *dev, int idx,
				   struct netdev_queue_stats_tx *stats);
	void (*get_base_stats)(struct net_device *dev,
			       struct netdev_queue_stats_rx *rx,
			       struct netdev_queue_stats_tx *tx);
};

#define netdev_set_stat_ops(dev, ops) ((void)(ops))
#else
#define netdev_set_stat_ops(dev, ops) ((dev)->stat_ops = (ops))
#endif

/* Reports completions to BQL and wakes the queue, with one barrier for both. */
#ifndef __netif_txq_completed_wake
#define __netif_txq_completed_wake(txq, pkts, bytes, get_desc, start_thrs, \
				   down_cond)				\
	({								\
		netdev_tx_completed_queue(txq, pkts, bytes);		\
		(pkts) ? __netif_txq_maybe_wake(txq, get_desc,		\
						start_thrs, down_cond) : -1; \
	})
#endif

#endif
