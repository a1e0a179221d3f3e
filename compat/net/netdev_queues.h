/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef IPOIB_COMPAT_NET_NETDEV_QUEUES_H
#define IPOIB_COMPAT_NET_NETDEV_QUEUES_H

#include_next <net/netdev_queues.h>

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
