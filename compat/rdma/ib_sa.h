/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef IPOIB_COMPAT_RDMA_IB_SA_H
#define IPOIB_COMPAT_RDMA_IB_SA_H

#include <linux/version.h>
#include_next <rdma/ib_sa.h>

/* The number of records that a path query's callback is given. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 12, 0)
#define ib_sa_path_count_t int
#else
#define ib_sa_path_count_t unsigned int
#endif

#endif
