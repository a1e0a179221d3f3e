// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The ports of RDMA devices: each gets an interface when it comes and loses it,
 * and all others, when it goes; and rdma_cm is told which of them it is that an
 * IP address belongs to.
 */
#include <linux/inetdevice.h>
#include <linux/rtnetlink.h>
#include <net/addrconf.h>

#include "ipoib.h"

/**
 * struct ipoib_hca - an RDMA device, as the client data of ib_core
 * @num_ports: entries of @port
 * @port: by number less one; those without IPoIB have no @ibdev
 */
struct ipoib_hca {
	unsigned int num_ports;
	struct ipoib_port port[];
};

static struct net_device *ipoib_parent_alloc(struct ipoib_port *port)
{
	struct net_device *dev;

	dev = alloc_netdev_mqs(sizeof(struct rdma_netdev), "ib%d",
			       NET_NAME_UNKNOWN, ipoib_setup, ipoib_num_txqs(),
			       1);
	if (!dev)
		return NULL;
	if (!ipoib_dev_create(dev, port, NULL)) {
		free_netdev(dev);
		return NULL;
	}
	dev_net_set(dev, rdma_dev_net(port->ibdev));
	SET_NETDEV_DEV(dev, port->ibdev->dev.parent);
	dev->dev_port = port->port_num - 1;
	dev->dev_id = port->port_num - 1;
	dev->sysfs_groups[0] = &ipoib_parent_group;
	return dev;
}

static int ipoib_port_add(struct ipoib_port *port, struct ib_device *ibdev,
			  u32 port_num)
{
	const char *what = "allocate";
	struct net_device *dev;
	int ret = -ENOMEM;

	port->port_num = port_num;
	port->ibdev = ibdev;
	mutex_init(&port->lock);
	INIT_LIST_HEAD(&port->devs);
	INIT_WORK(&port->config_work, ipoib_config_work);
	INIT_DELAYED_WORK(&port->announce_work, ipoib_announce_work);
	INIT_WORK(&port->reap_work, ipoib_reap_work);

	dev = ipoib_parent_alloc(port);
	if (!dev)
		goto err;
	what = "register";
	rtnl_lock();
	ret = ipoib_dev_register(ipoib_priv(dev));
	if (ret)
		free_netdev(dev);
	else
		ipoib_sysfs_dev_id(dev);
	rtnl_unlock();
	if (ret)
		goto err;

	INIT_IB_EVENT_HANDLER(&port->event_handler, ibdev, ipoib_event);
	ib_register_event_handler(&port->event_handler);
	/* For what happened before the handler was there. */
	ipoib_kick_config(ipoib_priv(dev));
	return 0;

err:
	dev_warn(&ibdev->dev, "port %u: no IPoIB interface: cannot %s it: %pe\n",
		 port_num, what, ERR_PTR(ret));
	cancel_work_sync(&port->config_work);
	mutex_destroy(&port->lock);
	port->ibdev = NULL;
	return ret;
}

/* Children come and go under RTNL, so that all that are there go at once and
 * none comes after. One that is on its way out in another thread uses neither
 * port nor RDMA device any more.
 */
static void ipoib_port_remove(struct ipoib_port *port)
{
	struct ipoib_dev *ipoib;
	LIST_HEAD(devs);

	ib_unregister_event_handler(&port->event_handler);
	rtnl_lock();
	/* Its children close with it. They could not while the stack closes a
	 * list that they are in, as is about to happen.
	 */
	ipoib = list_first_entry(&port->devs, struct ipoib_dev, port_entry);
	dev_close(ipoib->netdev);
	list_for_each_entry_reverse(ipoib, &port->devs, port_entry)
		unregister_netdevice_queue(ipoib->netdev, &devs);
	unregister_netdevice_many(&devs);
	rtnl_unlock();
	cancel_work_sync(&port->reap_work);
	cancel_work_sync(&port->config_work);
	cancel_delayed_work_sync(&port->announce_work);
	mutex_destroy(&port->lock);
}

static int ipoib_client_add(struct ib_device *ibdev)
{
	struct ipoib_hca *hca;
	unsigned int added = 0;
	u32 port;

	hca = kzalloc_flex(*hca, port, ibdev->phys_port_cnt);
	if (!hca) {
		dev_warn(&ibdev->dev, "no memory for IPoIB interfaces\n");
		return -ENOMEM;
	}
	hca->num_ports = ibdev->phys_port_cnt;
	/* IPoIB is for InfiniBand and Omni-Path; RoCE and iWARP ports have an
	 * Ethernet interface of their own.
	 */
	rdma_for_each_port(ibdev, port)
		if (rdma_protocol_ib(ibdev, port) &&
		    !ipoib_port_add(&hca->port[port - 1], ibdev, port))
			added++;
	if (!added) {
		kfree(hca);
		return -EOPNOTSUPP;
	}
	ib_set_client_data(ibdev, &ipoib_client, hca);
	return 0;
}

static void ipoib_client_remove(struct ib_device *ibdev, void *client_data)
{
	struct ipoib_hca *hca = client_data;
	unsigned int i;

	for (i = 0; i < hca->num_ports; i++)
		if (hca->port[i].ibdev)
			ipoib_port_remove(&hca->port[i]);
	kfree(hca);
}

static bool ipoib_matches(const struct ipoib_dev *ipoib, u16 pkey,
			  const union ib_gid *gid)
{
	if (!ipoib_same_partition(READ_ONCE(ipoib->pkey), pkey))
		return false;
	return !gid || !memcmp(gid, ipoib_addr_gid(ipoib->netdev->dev_addr),
			       sizeof(*gid));
}

/* The answer for rdma_cm: an interface under a bond answers with the bond, which
 * has the IP address.
 */
static struct net_device *ipoib_cm_dev(const struct ipoib_dev *ipoib)
{
	struct net_device *master;

	master = netdev_master_upper_dev_get_rcu(ipoib->netdev);
	if (master && !netif_is_l3_master(master))
		return master;
	return ipoib->netdev;
}

static bool ipoib_has_ip(struct net_device *dev, const struct sockaddr *addr)
{
	const struct sockaddr_in6 *in6 = (const struct sockaddr_in6 *)addr;
	const struct sockaddr_in *in = (const struct sockaddr_in *)addr;
	struct in_device *in_dev;

	switch (addr->sa_family) {
	case AF_INET:
		in_dev = __in_dev_get_rcu(dev);
		return in_dev && inet_confirm_addr(dev_net(dev), in_dev, 0,
						   in->sin_addr.s_addr,
						   RT_SCOPE_HOST);
	case AF_INET6:
		return IS_ENABLED(CONFIG_IPV6) &&
		       ipv6_chk_addr(dev_net(dev), &in6->sin6_addr, dev, 1);
	default:
		return false;
	}
}

/* Several may have the P_Key and the GID: then the IP address tells. */
static struct net_device *ipoib_port_lookup(struct ipoib_port *port, u16 pkey,
					    const union ib_gid *gid,
					    const struct sockaddr *addr)
{
	struct net_device *found = NULL, *dev;
	struct ipoib_dev *ipoib;

	lockdep_assert_held(&port->lock);
	list_for_each_entry(ipoib, &port->devs, port_entry) {
		/* Seen before it is registered, and while it is no more. */
		if (ipoib->netdev->reg_state != NETREG_REGISTERED ||
		    !ipoib_matches(ipoib, pkey, gid))
			continue;
		dev = ipoib_cm_dev(ipoib);
		if (addr && ipoib_has_ip(dev, addr))
			return dev;
		if (!found)
			found = dev;
	}
	return found;
}

/* rdma_cm's question: which interface does a connection request belong to? */
static struct net_device *
ipoib_get_net_dev_by_params(struct ib_device *ibdev, u32 port_num, u16 pkey,
			    const union ib_gid *gid,
			    const struct sockaddr *addr, void *client_data)
{
	struct ipoib_hca *hca = client_data;
	struct ipoib_port *port;
	struct net_device *dev;

	if (!port_num || port_num > hca->num_ports)
		return NULL;
	port = &hca->port[port_num - 1];
	if (!port->ibdev)
		return NULL;

	mutex_lock(&port->lock);
	rcu_read_lock();
	dev = ipoib_port_lookup(port, pkey, gid, addr);
	dev_hold(dev);
	rcu_read_unlock();
	mutex_unlock(&port->lock);
	return dev;
}

struct ib_client ipoib_client = {
	.name = "ipoib",
	.add = ipoib_client_add,
	.remove = ipoib_client_remove,
	.get_net_dev_by_params = ipoib_get_net_dev_by_params,
};
