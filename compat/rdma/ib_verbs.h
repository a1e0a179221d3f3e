/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What a provider's operations look like.
 *
 * create_cq was given a struct ib_udata before 6.12, and reg_user_mr no DMA
 * handle before 6.17. IB_REG_USER_MR_OP() defines what the table of operations
 * needs beside the function, IB_REG_USER_MR_FN() names it.
 */
#ifndef COMPAT_RDMA_IB_VERBS_H
#define COMPAT_RDMA_IB_VERBS_H

#include <linux/version.h>
#include_next <rdma/ib_verbs.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 12, 0)
#include <rdma/uverbs_ioctl.h>
#define uverbs_attr_bundle ib_udata
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 17, 0)
struct ib_dmah;

#define IB_REG_USER_MR_FN(fn) fn##_no_dmah
#define IB_REG_USER_MR_OP(fn)						\
static struct ib_mr *IB_REG_USER_MR_FN(fn)(struct ib_pd *pd, u64 start,	\
					   u64 length, u64 virt,	\
					   int access,			\
					   struct ib_udata *udata)	\
{									\
	return fn(pd, start, length, virt, access, NULL, udata);	\
}
#else
#define IB_REG_USER_MR_FN(fn) fn
#define IB_REG_USER_MR_OP(fn)
#endif

/* A lane's speed, of enum ib_port_speed; 200 Gbit/s came with Linux 6.7. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 7, 0)
#define IB_SPEED_XDR 256
#endif

/* The network namespace that an RDMA device belongs to. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(7, 3, 0)
static inline struct net *rdma_dev_net(struct ib_device *device)
{
	return read_pnet(&device->coredev.rdma_net);
}
#endif

#endif
