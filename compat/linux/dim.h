/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef IPOIB_COMPAT_LINUX_DIM_H
#define IPOIB_COMPAT_LINUX_DIM_H

#include <linux/version.h>
#include_next <linux/dim.h>

/* A sample was passed by value. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
static inline void compat_net_dim(struct dim *dim,
				  const struct dim_sample *sample)
{
	net_dim(dim, *sample);
}

#define net_dim compat_net_dim
#endif

#endif
