// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * What the stack tells of our interfaces, and what peers are told of them.
 */
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <net/sch_generic.h>

#include "ipoib.h"

#define IPOIB_ANNOUNCEMENTS	3	/* of a new address, 1 s apart */

/* Once more, if it can be heard. Carrier comes on between linkwatch's look at it
 * and NETDEV_CHANGE, now and then: nothing is sent yet, and another follows.
 */
static void ipoib_announce_again(struct ipoib_dev *ipoib)
{
	struct net_device *dev = ipoib->netdev;

	ASSERT_RTNL();
	if (!ipoib->announce || !netif_running(dev) || !netif_carrier_ok(dev) ||
	    qdisc_tx_is_noop(dev))
		return;
	call_netdevice_notifiers(NETDEV_NOTIFY_PEERS, dev);
	if (--ipoib->announce)
		queue_delayed_work(ipoib_rtnl_wq, &ipoib->port->announce_work,
				   HZ);
}

/**
 * ipoib_announce_work() - tell peers again of addresses that have changed
 * @work: ipoib_port.announce_work
 *
 * Context: the module's own workqueue; takes RTNL.
 */
void ipoib_announce_work(struct work_struct *work)
{
	struct ipoib_port *port =
		container_of(work, struct ipoib_port, announce_work.work);
	struct ipoib_dev *ipoib;

	rtnl_lock();
	list_for_each_entry(ipoib, &port->devs, port_entry)
		ipoib_announce_again(ipoib);
	rtnl_unlock();
}

/**
 * ipoib_announce() - tell peers of a link-layer address that has changed
 * @ipoib: the interface
 *
 * By gratuitous ARP and unsolicited neighbour advertisements; at once, or when
 * carrier next comes on. More than once, as the SM answers a join before it has
 * told the switches of it, and what they do not forward yet is lost.
 *
 * Context: RTNL, may sleep.
 */
void ipoib_announce(struct ipoib_dev *ipoib)
{
	ipoib->announce = IPOIB_ANNOUNCEMENTS;
	ipoib_announce_again(ipoib);
}

/* An interface that moves to another network namespace is unregistered from the
 * one and registered in the other, for notifiers. NETDEV_CHANGE comes after
 * carrier, when packets are let through.
 */
static int ipoib_netdev_event(struct notifier_block *nb, unsigned long event,
			      void *ptr)
{
	struct net_device *dev = netdev_notifier_info_to_dev(ptr);
	struct ipoib_dev *ipoib;

	if (!ipoib_is_ours(dev))
		return NOTIFY_DONE;
	ipoib = ipoib_priv(dev);
	switch (event) {
	case NETDEV_REGISTER:
	case NETDEV_CHANGENAME:
		ipoib_debugfs_del(ipoib);
		ipoib_debugfs_add(ipoib);
		break;
	case NETDEV_UP:
		if (!ipoib->parent)
			ipoib_children_open(ipoib);
		break;
	case NETDEV_GOING_DOWN:
		if (!ipoib->parent)
			ipoib_children_close(ipoib);
		break;
	case NETDEV_UNREGISTER:
		ipoib_debugfs_del(ipoib);
		break;
	case NETDEV_CHANGE:
		/* From the beginning: who was told before may have been cut off. */
		if (ipoib->announce)
			ipoib_announce(ipoib);
		break;
	default:
		break;
	}
	return NOTIFY_DONE;
}

static struct notifier_block ipoib_netdev_notifier = {
	.notifier_call = ipoib_netdev_event,
};

/**
 * ipoib_notifier_init() - from now on, hear of interfaces
 *
 * Context: process; before there is any interface.
 * Return: 0 or a negative errno.
 */
int ipoib_notifier_init(void)
{
	return register_netdevice_notifier(&ipoib_netdev_notifier);
}

/**
 * ipoib_notifier_exit() - undo ipoib_notifier_init()
 *
 * Context: process; when there is no interface any more.
 */
void ipoib_notifier_exit(void)
{
	unregister_netdevice_notifier(&ipoib_netdev_notifier);
}
