/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef IPOIB_COMPAT_NET_RTNETLINK_H
#define IPOIB_COMPAT_NET_RTNETLINK_H

#include <linux/version.h>
#include_next <net/rtnetlink.h>

/*
 * newlink was given its parameters one by one before Linux 6.15, and the
 * namespace in which to look for the link in place of the requester's.
 * RTNL_NEWLINK_OP() defines what the table of operations needs beside the
 * function, RTNL_NEWLINK_INIT() is its entry.
 */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 15, 0)
struct rtnl_newlink_params {
	struct net *src_net;
	struct nlattr **tb;
	struct nlattr **data;
};

static inline struct net *
rtnl_newlink_link_net(struct rtnl_newlink_params *params)
{
	return params->src_net;
}

#define RTNL_NEWLINK_INIT(fn) .newlink = fn##_args
#define RTNL_NEWLINK_OP(fn)						\
static int fn##_args(struct net *src_net, struct net_device *dev,	\
		     struct nlattr *tb[], struct nlattr *data[],	\
		     struct netlink_ext_ack *extack)			\
{									\
	struct rtnl_newlink_params params = {				\
		.src_net = src_net, .tb = tb, .data = data,		\
	};								\
									\
	return fn(dev, &params, extack);				\
}
#else
#define RTNL_NEWLINK_OP(fn)
#define RTNL_NEWLINK_INIT(fn) .newlink = fn
#endif

#endif
