/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef IPOIB_COMPAT_LINUX_ETHTOOL_H
#define IPOIB_COMPAT_LINUX_ETHTOOL_H

#include <linux/version.h>
#include_next <linux/ethtool.h>

/* Appends a string to a table that ethtool prints from. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 8, 0)
static inline void ethtool_puts(u8 **data, const char *str)
{
	strscpy(*data, str, ETH_GSTRING_LEN);
	*data += ETH_GSTRING_LEN;
}
#endif

/*
 * Until Linux 7.3 all operations are called with RTNL held. ETHTOOL_OPS_NEED_RTNL() is
 * the entry for those that are to be so also where devices have a lock of their own.
 */
#if LINUX_VERSION_CODE < KERNEL_VERSION(7, 3, 0)
#define ETHTOOL_OPS_NEED_RTNL(mask)
#else
#define ETHTOOL_OPS_NEED_RTNL(mask) .op_needs_rtnl = (mask),
#endif

#endif
