/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef IPOIB_COMPAT_LINUX_NETDEVICE_H
#define IPOIB_COMPAT_LINUX_NETDEVICE_H

#include <linux/version.h>
#include_next <linux/netdevice.h>

/*
 * ndo_set_rx_mode_async, which may sleep and fail, came with Linux 7.3.
 * NDO_RX_MODE_OP() defines what the table of operations needs beside the
 * function, NDO_RX_MODE_INIT() is its entry.
 */
#if LINUX_VERSION_CODE < KERNEL_VERSION(7, 3, 0)
#define NDO_RX_MODE_INIT(fn) .ndo_set_rx_mode = fn##_sync
#define NDO_RX_MODE_OP(fn)						\
static void fn##_sync(struct net_device *dev)				\
{									\
	fn(dev, &dev->uc, &dev->mc);					\
}
#else
#define NDO_RX_MODE_OP(fn)
#define NDO_RX_MODE_INIT(fn) .ndo_set_rx_mode_async = fn
#endif

/*
 * The lock of a device's own came with Linux 6.15. Where there is none, nobody can
 * ask for it.
 */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 15, 0)
#define NETDEV_HAS_OPS_LOCK false
static inline void netdev_request_ops_lock(struct net_device *dev)
{
}
#else
#define NETDEV_HAS_OPS_LOCK true
static inline void netdev_request_ops_lock(struct net_device *dev)
{
	dev->request_ops_lock = true;
}
#endif

/* Which NAPI serves a queue, for user space to see. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 8, 0)
#define netif_queue_set_napi(dev, index, type, napi) do { } while (0)
#endif

#endif
