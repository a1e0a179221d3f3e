/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The lock of a device's own came with Linux 6.15; before, RTNL was enough. */
#ifndef IPOIB_COMPAT_NET_NETDEV_LOCK_H
#define IPOIB_COMPAT_NET_NETDEV_LOCK_H

#include <linux/version.h>
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 15, 0)
struct net_device;

static inline void netdev_lock_ops(struct net_device *dev)
{
}

static inline void netdev_unlock_ops(struct net_device *dev)
{
}
#else
#include_next <net/netdev_lock.h>
#endif

#endif
