// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * What providers with interfaces of their own do to the driver that uses them:
 * ask for the network core's operations to run under the device's instance lock.
 */
#include <linux/if_arp.h>
#include <linux/netdevice.h>

#include "sibt.h"

static bool sibt_ops_lock;

static int sibt_set_ops_lock(const char *value, const struct kernel_param *kp)
{
	if (!NETDEV_HAS_OPS_LOCK)
		return -EOPNOTSUPP;
	return param_set_bool(value, kp);
}

static const struct kernel_param_ops sibt_ops_lock_ops = {
	.set = sibt_set_ops_lock,
	.get = param_get_bool,
};
module_param_cb(ops_lock, &sibt_ops_lock_ops, &sibt_ops_lock, 0644);
MODULE_PARM_DESC(ops_lock, "Interfaces made from now on have their operations run under the instance lock");

static int sibt_netdev_event(struct notifier_block *nb, unsigned long event,
			     void *ptr)
{
	struct net_device *dev = netdev_notifier_info_to_dev(ptr);

	/* After ndo_init, before anything else is called. */
	if (event == NETDEV_POST_INIT && dev->type == ARPHRD_INFINIBAND &&
	    sibt_ops_lock)
		netdev_request_ops_lock(dev);
	return NOTIFY_DONE;
}

static struct notifier_block sibt_netdev_notifier = {
	.notifier_call = sibt_netdev_event,
};

/**
 * sibt_netdev_init() - begin to watch network devices being made
 *
 * Context: module init.
 * Return: 0 or a negative errno.
 */
int sibt_netdev_init(void)
{
	return register_netdevice_notifier(&sibt_netdev_notifier);
}

/**
 * sibt_netdev_exit() - undo sibt_netdev_init()
 *
 * Context: module exit, may sleep.
 */
void sibt_netdev_exit(void)
{
	unregister_netdevice_notifier(&sibt_netdev_notifier);
}
