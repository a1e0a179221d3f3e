// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Interfaces for further partitions (P_Keys) of a port, its children, and how
 * they and the port's own interface, their parent, are set up: by the files in
 * sysfs that IPoIB has always had, and by rtnetlink.
 *
 * A child made by sysfs ("legacy") has the private sysfs files and a P_Key that
 * none of its like has. One made by rtnetlink has neither. Beyond that they are
 * the same, and all of it happens under RTNL.
 */
#include <linux/capability.h>
#include <linux/kstrtox.h>
#include <linux/rtnetlink.h>
#include <net/rtnetlink.h>

#include "ipoib.h"
#include "ipoib_cm.h"

/* A P_Key is 15 bits that name the partition and one for the membership. */
static bool ipoib_pkey_ok(int pkey)
{
	return pkey > 0 && pkey <= 0xffff && pkey != IPOIB_PKEY_FULL;
}

/* Who of the port's own interface and the children made by sysfs has it? */
static struct ipoib_dev *ipoib_partition_owner(struct ipoib_dev *parent,
					       u16 pkey)
{
	struct ipoib_dev *ipoib;

	ASSERT_RTNL();
	list_for_each_entry(ipoib, &parent->port->devs, port_entry)
		if ((ipoib == parent || ipoib->legacy) &&
		    ipoib_same_partition(ipoib->pkey, pkey))
			return ipoib;
	return NULL;
}

static void ipoib_set_umcast(struct ipoib_dev *ipoib, bool umcast)
{
	ASSERT_RTNL();
	if (umcast && ipoib_may_log())
		netdev_warn(ipoib->netdev,
			    "ignoring multicast groups joined directly by userspace\n");
	if (umcast == ipoib->umcast)
		return;
	WRITE_ONCE(ipoib->umcast, umcast);
	WRITE_ONCE(ipoib->mc_changed, true);
	ipoib_kick(ipoib);
}

/* --- sysfs -------------------------------------------------------------- */

/* RTNL for a store. It must not be waited for: whoever removes the file holds
 * it, and waits for the store.
 */
static int ipoib_store_begin(const struct net_device *dev)
{
	if (!rtnl_trylock())
		return restart_syscall();
	if (dev->reg_state == NETREG_REGISTERED)
		return 0;
	rtnl_unlock();
	return -EPERM;
}

static ssize_t mode_show(struct device *d, struct device_attribute *attr,
			 char *buf)
{
	const struct ipoib_dev *ipoib = ipoib_priv(to_net_dev(d));

	return sysfs_emit(buf, READ_ONCE(ipoib->connected) ? "connected\n" :
							     "datagram\n");
}

static ssize_t mode_store(struct device *d, struct device_attribute *attr,
			  const char *buf, size_t count)
{
	bool connected = !strcmp(buf, "connected\n");
	struct net_device *dev = to_net_dev(d);
	int ret;

	if (!connected && strcmp(buf, "datagram\n"))
		return -EINVAL;
	ret = ipoib_store_begin(dev);
	if (ret)
		return ret;
	ret = ipoib_set_mode(ipoib_priv(dev), connected);
	rtnl_unlock();
	return ret ?: count;
}
static DEVICE_ATTR_RW(mode);

static ssize_t pkey_show(struct device *d, struct device_attribute *attr,
			 char *buf)
{
	const struct ipoib_dev *ipoib = ipoib_priv(to_net_dev(d));

	return sysfs_emit(buf, "0x%04x\n", READ_ONCE(ipoib->pkey));
}
static DEVICE_ATTR_RO(pkey);

static ssize_t umcast_show(struct device *d, struct device_attribute *attr,
			   char *buf)
{
	const struct ipoib_dev *ipoib = ipoib_priv(to_net_dev(d));

	return sysfs_emit(buf, "%d\n", READ_ONCE(ipoib->umcast));
}

/* What is no number has always been taken for 0. */
static ssize_t umcast_store(struct device *d, struct device_attribute *attr,
			    const char *buf, size_t count)
{
	struct net_device *dev = to_net_dev(d);
	unsigned long value;
	int ret;

	if (kstrtoul(buf, 0, &value))
		value = 0;
	ret = ipoib_store_begin(dev);
	if (ret)
		return ret;
	ipoib_set_umcast(ipoib_priv(dev), value);
	rtnl_unlock();
	return count;
}
static DEVICE_ATTR_RW(umcast);

/* The name has the P_Key as it was given, with or without the membership bit
 * that the child has in any case.
 */
static struct net_device *ipoib_legacy_alloc(struct ipoib_dev *parent, u16 pkey)
{
	struct ipoib_dev *child;
	struct net_device *dev;
	char name[IFNAMSIZ];

	snprintf(name, sizeof(name), "%.10s.%04x", parent->netdev->name, pkey);
	dev = alloc_netdev_mqs(sizeof(struct rdma_netdev), name,
			       NET_NAME_UNKNOWN, ipoib_setup, ipoib_num_txqs(),
			       1);
	if (!dev)
		return NULL;
	child = ipoib_dev_create(dev, parent->port, parent);
	if (!child) {
		free_netdev(dev);
		return NULL;
	}
	child->legacy = true;
	child->pkey = pkey;
	return dev;
}

static const struct attribute_group ipoib_legacy_group;

static int ipoib_legacy_add(struct ipoib_dev *parent, u16 pkey)
{
	struct ipoib_dev *owner = ipoib_partition_owner(parent, pkey);
	struct net_device *dev;
	int ret;

	ASSERT_RTNL();
	/* One that was deleted a moment ago: again when it is gone. */
	if (owner && owner->doomed)
		return restart_syscall();
	if (owner)
		return -ENOTUNIQ;
	ret = -ENOMEM;
	dev = ipoib_legacy_alloc(parent, pkey);
	if (!dev)
		goto err;
	dev_net_set(dev, dev_net(parent->netdev));
	/* With the device, so that whoever hears of it finds the files. */
	dev->sysfs_groups[0] = &ipoib_legacy_group;
	ret = ipoib_dev_register(ipoib_priv(dev));
	if (!ret)
		return 0;
	free_netdev(dev);
err:
	/* A file in sysfs has no sentence to answer with. */
	netdev_warn(parent->netdev, "cannot create a child with P_Key 0x%04x: %pe\n",
		    pkey, ERR_PTR(ret));
	return ret;
}

static ssize_t create_child_store(struct device *d,
				  struct device_attribute *attr,
				  const char *buf, size_t count)
{
	struct net_device *dev = to_net_dev(d);
	int pkey, ret;

	if (!capable(CAP_NET_ADMIN))
		return -EPERM;
	if (kstrtoint(buf, 0, &pkey) || !ipoib_pkey_ok(pkey))
		return -EINVAL;
	ret = ipoib_store_begin(dev);
	if (ret)
		return ret;
	ret = ipoib_legacy_add(ipoib_priv(dev), pkey);
	rtnl_unlock();
	return ret ?: count;
}
static DEVICE_ATTR_WO(create_child);

static ssize_t delete_child_store(struct device *d,
				  struct device_attribute *attr,
				  const char *buf, size_t count)
{
	struct net_device *dev = to_net_dev(d);
	struct ipoib_dev *child;
	int pkey, ret;

	if (!capable(CAP_NET_ADMIN))
		return -EPERM;
	if (kstrtoint(buf, 0, &pkey) || pkey < 0 || pkey > 0xffff)
		return -EINVAL;
	ret = ipoib_store_begin(dev);
	if (ret)
		return ret;
	child = ipoib_partition_owner(ipoib_priv(dev), pkey);
	if (child && child->legacy && !child->doomed) {
		child->doomed = true;
		ipoib_kick_reap(child->port);
		ret = count;
	} else {
		ret = -ENODEV;
	}
	rtnl_unlock();
	return ret;
}
static DEVICE_ATTR_WO(delete_child);

/**
 * ipoib_reap_work() - unregister children that were deleted through sysfs
 * @work: ipoib_port.reap_work
 *
 * Not in the store, which would wait in rtnl_unlock() for references to the
 * child that may need RTNL to be dropped, while somebody with RTNL waits for the
 * store in order to remove the parent.
 *
 * Context: the module's own workqueue; takes RTNL.
 */
void ipoib_reap_work(struct work_struct *work)
{
	struct ipoib_port *port =
		container_of(work, struct ipoib_port, reap_work);
	struct ipoib_dev *ipoib;
	LIST_HEAD(gone);

	rtnl_lock();
	list_for_each_entry(ipoib, &port->devs, port_entry)
		if (ipoib->doomed)
			unregister_netdevice_queue(ipoib->netdev, &gone);
	unregister_netdevice_many(&gone);
	rtnl_unlock();
}

static ssize_t parent_show(struct device *d, struct device_attribute *attr,
			   char *buf)
{
	const struct ipoib_dev *ipoib = ipoib_priv(to_net_dev(d));

	return sysfs_emit(buf, "%s\n", ipoib->parent->netdev->name);
}
static DEVICE_ATTR_RO(parent);

static struct attribute *ipoib_parent_attrs[] = {
	&dev_attr_mode.attr,
	&dev_attr_pkey.attr,
	&dev_attr_umcast.attr,
	&dev_attr_create_child.attr,
	&dev_attr_delete_child.attr,
	NULL
};

const struct attribute_group ipoib_parent_group = {
	.attrs = ipoib_parent_attrs,
};

static struct attribute *ipoib_legacy_attrs[] = {
	&dev_attr_mode.attr,
	&dev_attr_pkey.attr,
	&dev_attr_umcast.attr,
	&dev_attr_parent.attr,
	NULL
};

static const struct attribute_group ipoib_legacy_group = {
	.attrs = ipoib_legacy_attrs,
};

/* The number of the port was to be found here before there was dev_port. */
static ssize_t dev_id_show(struct device *d, struct device_attribute *attr,
			   char *buf)
{
	struct net_device *dev = to_net_dev(d);

	if (dev->dev_id)
		netdev_info_once(dev, "%s[%d] reads dev_id for the number of the port; it should read dev_port\n",
				 current->comm, task_pid_nr(current));
	return sysfs_emit(buf, "%#x\n", dev->dev_id);
}
static DEVICE_ATTR_RO(dev_id);

/**
 * ipoib_sysfs_dev_id() - put our file dev_id in place of the stack's
 * @dev: a parent, registered
 *
 * Context: RTNL held.
 */
void ipoib_sysfs_dev_id(struct net_device *dev)
{
	ASSERT_RTNL();
	/* It goes by its name. */
	device_remove_file(&dev->dev, &dev_attr_dev_id);
	if (device_create_file(&dev->dev, &dev_attr_dev_id))
		netdev_warn(dev, "no memory for the file dev_id in sysfs\n");
}

/* --- rtnetlink ---------------------------------------------------------- */

static const struct nla_policy ipoib_policy[IFLA_IPOIB_MAX + 1] = {
	[IFLA_IPOIB_PKEY] = { .type = NLA_U16 },
	[IFLA_IPOIB_MODE] = { .type = NLA_U16 },
	[IFLA_IPOIB_UMCAST] = { .type = NLA_U16 },
};

static int ipoib_check_mode(struct nlattr *data[],
			    struct netlink_ext_ack *extack)
{
	const struct nlattr *mode = data[IFLA_IPOIB_MODE];

	if (!mode || nla_get_u16(mode) == IPOIB_MODE_DATAGRAM ||
	    nla_get_u16(mode) == IPOIB_MODE_CONNECTED)
		return 0;
	NL_SET_ERR_MSG_ATTR(extack, mode, "Unknown mode");
	return -EINVAL;
}

static int ipoib_check_pkey(struct nlattr *data[],
			    struct netlink_ext_ack *extack)
{
	const struct nlattr *pkey = data[IFLA_IPOIB_PKEY];

	if (!pkey || ipoib_pkey_ok(nla_get_u16(pkey)))
		return 0;
	NL_SET_ERR_MSG_ATTR(extack, pkey,
			    "Invalid P_Key: 0 and 0x8000 name no partition");
	return -EINVAL;
}

static bool ipoib_asks_connected(struct nlattr *data[])
{
	return data && data[IFLA_IPOIB_MODE] &&
	       nla_get_u16(data[IFLA_IPOIB_MODE]) == IPOIB_MODE_CONNECTED;
}

/* What the stack does not check of what it has put into the net_device, and
 * what depends on the HCA.
 */
static int ipoib_check_link(const struct ipoib_dev *parent, struct nlattr *tb[],
			    struct nlattr *data[],
			    struct netlink_ext_ack *extack)
{
	const struct nlattr *addr = tb[IFLA_ADDRESS], *mtu = tb[IFLA_MTU];
	unsigned int max_mtu = parent->max_mtu;

	if (ipoib_asks_connected(data)) {
		if (!ipoib_addr_has_rc(parent->netdev->dev_addr)) {
			NL_SET_ERR_MSG_ATTR(extack, data[IFLA_IPOIB_MODE],
					    "The RDMA device has no connections");
			return -EINVAL;
		}
		max_mtu = IPOIB_CM_MTU;
	}

	if (addr && (nla_len(addr) != INFINIBAND_ALEN ||
		     !memchr_inv(nla_data(addr) + 12, 0, sizeof(__be64)))) {
		NL_SET_ERR_MSG_ATTR(extack, addr,
				    "An address has 20 bytes, the last 8 of which are a GUID");
		return -EINVAL;
	}
	if (mtu && (nla_get_u32(mtu) < IPOIB_MIN_MTU ||
		    nla_get_u32(mtu) > max_mtu)) {
		NL_SET_ERR_MSG_ATTR(extack, mtu,
				    "MTU is not within 72 and what the port can carry in that mode");
		return -EINVAL;
	}
	return 0;
}

static struct ipoib_dev *ipoib_find_parent(struct rtnl_newlink_params *params,
					   struct netlink_ext_ack *extack)
{
	struct net *net = rtnl_newlink_link_net(params);
	const struct nlattr *link = params->tb[IFLA_LINK];
	struct net_device *dev;

	if (!link) {
		NL_SET_ERR_MSG(extack,
			       "Give an IPoIB interface with link, whose port to use");
		return ERR_PTR(-EINVAL);
	}
	dev = __dev_get_by_index(net, nla_get_u32(link));
	if (!dev) {
		NL_SET_ERR_MSG_ATTR(extack, link, "No such link");
		return ERR_PTR(-ENODEV);
	}
	/* A bond of IPoIB interfaces looks like one from outside. */
	if (!ipoib_is_ours(dev)) {
		NL_SET_ERR_MSG_ATTR(extack, link,
				    "Link is not an interface of this driver");
		return ERR_PTR(-ENODEV);
	}
	if (ipoib_priv(dev)->parent) {
		NL_SET_ERR_MSG_ATTR(extack, link,
				    "Link is a child itself: give its parent");
		return ERR_PTR(-EINVAL);
	}
	return ipoib_priv(dev);
}

/* What the administrator asked for, checked before. */
static void ipoib_child_configure(struct ipoib_dev *child, struct nlattr *tb[],
				  struct nlattr *data[])
{
	child->pkey = child->parent->pkey;
	child->addr_set = tb[IFLA_ADDRESS];
	child->connected = ipoib_asks_connected(data);
	if (tb[IFLA_MTU])
		child->admin_mtu = nla_get_u32(tb[IFLA_MTU]);
	else if (child->connected)
		child->netdev->mtu = IPOIB_CM_MTU;
	if (!data)
		return;
	if (data[IFLA_IPOIB_PKEY])
		child->pkey = nla_get_u16(data[IFLA_IPOIB_PKEY]);
	if (data[IFLA_IPOIB_UMCAST])
		child->umcast = nla_get_u16(data[IFLA_IPOIB_UMCAST]);
}

static int ipoib_newlink(struct net_device *dev,
			 struct rtnl_newlink_params *params,
			 struct netlink_ext_ack *extack)
{
	struct ipoib_dev *parent, *child;
	int ret;

	ASSERT_RTNL();
	parent = ipoib_find_parent(params, extack);
	if (IS_ERR(parent))
		return PTR_ERR(parent);
	ret = ipoib_check_link(parent, params->tb, params->data, extack);
	if (ret)
		return ret;
	child = ipoib_dev_create(dev, parent->port, parent);
	if (!child) {
		NL_SET_ERR_MSG(extack, "No memory for the interface");
		return -ENOMEM;
	}
	ipoib_child_configure(child, params->tb, params->data);
	ret = ipoib_dev_register(child);
	if (ret)
		NL_SET_ERR_MSG(extack,
			       "Cannot create the interface; if its name is free, the kernel log says why");
	return ret;
}

RTNL_NEWLINK_OP(ipoib_newlink)

/* For both of newlink and changelink. */
static int ipoib_validate(struct nlattr *tb[], struct nlattr *data[],
			  struct netlink_ext_ack *extack)
{
	if (!data)
		return 0;
	return ipoib_check_mode(data, extack) ?:
	       ipoib_check_pkey(data, extack);
}

static int ipoib_changelink(struct net_device *dev, struct nlattr *tb[],
			    struct nlattr *data[],
			    struct netlink_ext_ack *extack)
{
	struct ipoib_dev *ipoib = ipoib_priv(dev);
	const struct nlattr *pkey;

	ASSERT_RTNL();
	if (!data)
		return 0;
	pkey = data[IFLA_IPOIB_PKEY];
	if (pkey && !ipoib_same_partition(nla_get_u16(pkey), ipoib->pkey)) {
		NL_SET_ERR_MSG_ATTR(extack, pkey,
				    "The P_Key cannot be changed: add another child");
		return -EINVAL;
	}
	if (data[IFLA_IPOIB_MODE] &&
	    ipoib_set_mode(ipoib, ipoib_asks_connected(data))) {
		NL_SET_ERR_MSG_ATTR(extack, data[IFLA_IPOIB_MODE],
				    "The RDMA device has no connections");
		return -EINVAL;
	}
	if (data[IFLA_IPOIB_UMCAST])
		ipoib_set_umcast(ipoib, nla_get_u16(data[IFLA_IPOIB_UMCAST]));
	return 0;
}

/* The stack has asked already whether it is to be done, and cannot be told. */
static void ipoib_dellink(struct net_device *dev, struct list_head *head)
{
	ASSERT_RTNL();
	if (ipoib_priv(dev)->parent)
		unregister_netdevice_queue(dev, head);
	else if (ipoib_may_log())
		netdev_warn(dev, "cannot be deleted: it goes with its RDMA device or with the module ib_ipoib\n");
}

static size_t ipoib_get_size(const struct net_device *dev)
{
	return 3 * nla_total_size(sizeof(u16));
}

static int ipoib_fill_info(struct sk_buff *skb, const struct net_device *dev)
{
	const struct ipoib_dev *ipoib = ipoib_priv(dev);

	if (nla_put_u16(skb, IFLA_IPOIB_PKEY, READ_ONCE(ipoib->pkey)) ||
	    nla_put_u16(skb, IFLA_IPOIB_MODE, READ_ONCE(ipoib->connected) ?
			IPOIB_MODE_CONNECTED : IPOIB_MODE_DATAGRAM) ||
	    nla_put_u16(skb, IFLA_IPOIB_UMCAST, READ_ONCE(ipoib->umcast)))
		return -EMSGSIZE;
	return 0;
}

static struct net *ipoib_get_link_net(const struct net_device *dev)
{
	const struct ipoib_dev *ipoib = ipoib_priv(dev);

	return dev_net((ipoib->parent ?: ipoib)->netdev);
}

struct rtnl_link_ops ipoib_link_ops __read_mostly = {
	.kind = "ipoib",
	.netns_refund = true,
	.maxtype = IFLA_IPOIB_MAX,
	.policy = ipoib_policy,
	.priv_size = sizeof(struct rdma_netdev),
	.setup = ipoib_setup,
	.get_num_tx_queues = ipoib_num_txqs,
	.validate = ipoib_validate,
	RTNL_NEWLINK_INIT(ipoib_newlink),
	.changelink = ipoib_changelink,
	.dellink = ipoib_dellink,
	.get_size = ipoib_get_size,
	.fill_info = ipoib_fill_info,
	.get_link_net = ipoib_get_link_net,
};

MODULE_ALIAS_RTNL_LINK("ipoib");

/* --- virtual functions of the HCA --------------------------------------- */

/**
 * ipoib_set_vf_link_state() - ndo_set_vf_link_state, for the HCA to do
 * @dev: the interface
 * @vf: number of the virtual function
 * @state: IFLA_VF_LINK_STATE_*
 *
 * Context: RTNL held.
 * Return: 0 or a negative errno, -EOPNOTSUPP if the HCA has none.
 */
int ipoib_set_vf_link_state(struct net_device *dev, int vf, int state)
{
	struct ipoib_dev *ipoib = ipoib_priv(dev);

	return ib_set_vf_link_state(ipoib->ibdev, vf, ipoib->port_num, state);
}

/**
 * ipoib_set_vf_guid() - ndo_set_vf_guid, for the HCA to do
 * @dev: the interface
 * @vf: number of the virtual function
 * @guid: the GUID, host order
 * @type: IFLA_VF_IB_NODE_GUID or IFLA_VF_IB_PORT_GUID
 *
 * Context: RTNL held.
 * Return: 0 or a negative errno, -EOPNOTSUPP if the HCA has none.
 */
int ipoib_set_vf_guid(struct net_device *dev, int vf, u64 guid, int type)
{
	struct ipoib_dev *ipoib = ipoib_priv(dev);

	if (type != IFLA_VF_IB_NODE_GUID && type != IFLA_VF_IB_PORT_GUID)
		return -EINVAL;
	return ib_set_vf_guid(ipoib->ibdev, vf, ipoib->port_num, guid, type);
}

/**
 * ipoib_get_vf_guid() - ndo_get_vf_guid, for the HCA to answer
 * @dev: the interface
 * @vf: number of the virtual function
 * @node: its node GUID
 * @port: its port GUID
 *
 * Context: RTNL held.
 * Return: 0 or a negative errno, -EOPNOTSUPP if the HCA has none.
 */
int ipoib_get_vf_guid(struct net_device *dev, int vf,
		      struct ifla_vf_guid *node, struct ifla_vf_guid *port)
{
	struct ipoib_dev *ipoib = ipoib_priv(dev);

	return ib_get_vf_guid(ipoib->ibdev, vf, ipoib->port_num, node, port);
}

/**
 * ipoib_get_vf_config() - ndo_get_vf_config, for the HCA to answer
 * @dev: the interface
 * @vf: number of the virtual function
 * @info: what is set for it
 *
 * Context: RTNL held.
 * Return: 0 or a negative errno, -EOPNOTSUPP if the HCA has none.
 */
int ipoib_get_vf_config(struct net_device *dev, int vf,
			struct ifla_vf_info *info)
{
	struct ipoib_dev *ipoib = ipoib_priv(dev);
	int ret;

	ret = ib_get_vf_config(ipoib->ibdev, vf, ipoib->port_num, info);
	if (ret)
		return ret;
	/* An address with a QPN is nothing that the HCA could know. */
	info->vf = vf;
	memcpy(info->mac, dev->dev_addr, INFINIBAND_ALEN);
	return 0;
}

/**
 * ipoib_get_vf_stats() - ndo_get_vf_stats, for the HCA to answer
 * @dev: the interface
 * @vf: number of the virtual function
 * @stats: its counters
 *
 * Context: RTNL held.
 * Return: 0 or a negative errno, -EOPNOTSUPP if the HCA has none.
 */
int ipoib_get_vf_stats(struct net_device *dev, int vf,
		       struct ifla_vf_stats *stats)
{
	struct ipoib_dev *ipoib = ipoib_priv(dev);

	return ib_get_vf_stats(ipoib->ibdev, vf, ipoib->port_num, stats);
}

/* --- parents and children ----------------------------------------------- */

/**
 * ipoib_children_open() - set a parent's children up with it
 * @parent: the parent
 *
 * In whatever namespaces they are. One that cannot be opened is not in the way
 * of the others.
 *
 * Context: RTNL held.
 */
void ipoib_children_open(struct ipoib_dev *parent)
{
	struct ipoib_dev *child;
	int ret;

	ASSERT_RTNL();
	list_for_each_entry(child, &parent->port->devs, port_entry) {
		if (!child->parent)
			continue;
		ret = dev_open(child->netdev, NULL);
		if (ret && ipoib_may_log())
			netdev_warn(child->netdev,
				    "cannot be set up with %s: %pe\n",
				    parent->netdev->name, ERR_PTR(ret));
	}
}

/**
 * ipoib_children_close() - set a parent's children down with it
 * @parent: the parent
 *
 * Context: RTNL held.
 */
void ipoib_children_close(struct ipoib_dev *parent)
{
	struct ipoib_dev *child;

	ASSERT_RTNL();
	list_for_each_entry(child, &parent->port->devs, port_entry)
		if (child->parent)
			dev_close(child->netdev);
}

/**
 * ipoib_vlan_init() - be ready for requests by netlink
 *
 * Context: process, at module load.
 * Return: 0 or a negative errno.
 */
int ipoib_vlan_init(void)
{
	return rtnl_link_register(&ipoib_link_ops);
}

/**
 * ipoib_vlan_exit() - undo ipoib_vlan_init()
 *
 * Context: process, with no interface registered; waits for those that are
 * being freed.
 */
void ipoib_vlan_exit(void)
{
	rtnl_link_unregister(&ipoib_link_ops);
}
