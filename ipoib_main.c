// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * IP over InfiniBand: module, the net_device and its operations.
 */
#include <linux/if_arp.h>
#include <linux/module.h>
#include <linux/rtnetlink.h>
#include <linux/unaligned.h>
#include <net/netdev_lock.h>

#include "ipoib.h"
#include "ipoib_cm.h"

MODULE_DESCRIPTION("IP-over-InfiniBand net driver");
MODULE_LICENSE("Dual BSD/GPL");

int ipoib_send_queue_size __read_mostly = 128;
module_param_named(send_queue_size, ipoib_send_queue_size, int, 0444);
MODULE_PARM_DESC(send_queue_size, "Packets in each transmit queue");

int ipoib_recv_queue_size __read_mostly = 256;
module_param_named(recv_queue_size, ipoib_recv_queue_size, int, 0444);
MODULE_PARM_DESC(recv_queue_size, "Packets in each receive queue");

int ipoib_max_nonsrq_conn_qp __read_mostly = 128;
module_param_named(max_nonsrq_conn_qp, ipoib_max_nonsrq_conn_qp, int, 0444);
MODULE_PARM_DESC(max_nonsrq_conn_qp, "Peers' connections of an interface whose HCA has no SRQ");

int ipoib_max_srq_conn_qp __read_mostly = IPOIB_CM_MAX_RX;
module_param_named(max_srq_conn_qp, ipoib_max_srq_conn_qp, int, 0444);
MODULE_PARM_DESC(max_srq_conn_qp, "Peers' connections of an interface whose HCA has SRQs");

unsigned int ipoib_conn_idle_secs __read_mostly = 300;
module_param_named(conn_idle_secs, ipoib_conn_idle_secs, uint, 0644);
MODULE_PARM_DESC(conn_idle_secs, "Seconds without a packet after which a connection ends, twice that for those of peers; 0: never");

struct ib_sa_client ipoib_sa_client;

/* For what needs RTNL. Never flushed under RTNL. */
struct workqueue_struct *ipoib_rtnl_wq;

/* Flags, QPN of multicast, and the IPv4 broadcast MGID with link-local scope;
 * the P_Key goes into bytes 8 and 9 (RFC 4391 section 4).
 */
static const u8 ipoib_broadcast_addr[INFINIBAND_ALEN] = {
	0x00, 0xff, 0xff, 0xff, 0xff, 0x12, 0x40, 0x1b, 0x00, 0x00,
	0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff, 0xff
};

/**
 * ipoib_kick_config() - ask for the net_device to be set as the fabric says
 * @ipoib: the interface; the port's others are looked at with it
 *
 * Context: any.
 */
void ipoib_kick_config(struct ipoib_dev *ipoib)
{
	queue_work(ipoib_rtnl_wq, &ipoib->port->config_work);
}

/**
 * ipoib_kick_reap() - ask for doomed children to be unregistered
 * @port: the port they are on
 *
 * Context: any.
 */
void ipoib_kick_reap(struct ipoib_port *port)
{
	queue_work(ipoib_rtnl_wq, &port->reap_work);
}

/* --- net_device operations ---------------------------------------------- */

static void ipoib_cancel_work(struct ipoib_dev *ipoib)
{
	cancel_delayed_work_sync(&ipoib->state_work);
	cancel_delayed_work_sync(&ipoib->path_work);
	cancel_delayed_work_sync(&ipoib->gc_work);
	cancel_delayed_work_sync(&ipoib->ah_work);
	cancel_delayed_work_sync(&ipoib->cm.work);
	cancel_work_sync(&ipoib->cm.too_long_work);
}

static int ipoib_open(struct net_device *dev)
{
	struct ipoib_dev *ipoib = ipoib_priv(dev);
	u16 index;
	int ret;

	netif_carrier_off(dev);
	/* Without its P_Key the interface is up and waits for it. */
	if (ipoib_find_pkey(ipoib, &index)) {
		ret = ipoib_transport_up(ipoib, index);
		if (ret)
			return ret;
	} else {
		netdev_warn(dev, "P_Key 0x%04x not found\n", ipoib->pkey);
	}
	WRITE_ONCE(ipoib->port_stale, true);
	WRITE_ONCE(ipoib->admin_up, true);
	ipoib_kick(ipoib);
	queue_delayed_work(ipoib->wq, &ipoib->gc_work, IPOIB_IDLE_JIFFIES / 4);
	return 0;
}

/* On @wq, so that no other work of the interface runs beside it; what comes
 * after it in the queue finds the interface down.
 */
static void ipoib_down_work(struct work_struct *work)
{
	struct ipoib_dev *ipoib =
		container_of(work, struct ipoib_dev, down_work);

	ipoib_set_state(ipoib, IPOIB_DOWN);
	ipoib_transport_down(ipoib);
	ipoib_mcast_flush(ipoib);
	ipoib_path_flush(ipoib);
	ipoib_ah_flush(ipoib);
}

static int ipoib_stop(struct net_device *dev)
{
	struct ipoib_dev *ipoib = ipoib_priv(dev);

	WRITE_ONCE(ipoib->admin_up, false);
	queue_work(ipoib->wq, &ipoib->down_work);
	flush_work(&ipoib->down_work);
	ipoib_cancel_work(ipoib);
	return 0;
}

static int ipoib_change_cm_mtu(struct ipoib_dev *ipoib, int new_mtu)
{
	struct net_device *dev = ipoib->netdev;

	if (new_mtu < IPOIB_MIN_MTU || new_mtu > IPOIB_CM_MTU)
		return -EINVAL;
	if (new_mtu > ipoib->mcast_mtu && ipoib_may_log())
		netdev_warn(dev, "mtu > %u will cause multicast packet drops.\n",
			    ipoib->mcast_mtu);
	WRITE_ONCE(dev->mtu, new_mtu);
	return 0;
}

static int ipoib_change_mtu(struct net_device *dev, int new_mtu)
{
	struct ipoib_dev *ipoib = ipoib_priv(dev);

	if (ipoib->connected)
		return ipoib_change_cm_mtu(ipoib, new_mtu);
	if (new_mtu < IPOIB_MIN_MTU || new_mtu > ipoib->max_mtu)
		return -EINVAL;
	WRITE_ONCE(ipoib->admin_mtu, new_mtu);
	if (new_mtu > ipoib->mcast_mtu) {
		ipoib_count(ipoib, IPOIB_MTU_CLAMPED);
		if (ipoib_may_log())
			netdev_info(dev, "MTU %d is more than the broadcast group allows, using %u\n",
				    new_mtu, ipoib->mcast_mtu);
		new_mtu = ipoib->mcast_mtu;
	}
	WRITE_ONCE(dev->mtu, new_mtu);
	return 0;
}

/* HCAs offload nothing of a connection's packets. */
static netdev_features_t ipoib_fix_features(struct net_device *dev,
					    netdev_features_t features)
{
	if (ipoib_priv(dev)->connected)
		features &= ~(NETIF_F_IP_CSUM | NETIF_F_TSO);
	return features;
}

/* What the stack has to hear of a mode. A datagram MTU that was set before
 * does not come back: the MTU is only cut down to what datagrams can carry.
 */
static int ipoib_mode_applied(struct ipoib_dev *ipoib)
{
	struct net_device *dev = ipoib->netdev;

	netdev_lock_ops(dev);
	netdev_update_features(dev);
	netdev_unlock_ops(dev);
	if (ipoib->connected)
		return dev_set_mtu(dev, IPOIB_CM_MTU);
	WRITE_ONCE(ipoib->admin_mtu, min(dev->mtu, ipoib->max_mtu));
	return ipoib_config_mtu(ipoib);
}

/**
 * ipoib_set_mode() - use connections to those who accept them, or do not
 * @ipoib: the interface
 * @connected: whether to
 *
 * Traffic goes on: new packets find connections being made, and those that are
 * there complete what they were given before they end.
 *
 * Context: RTNL, may sleep.
 * Return: 0, or -EINVAL if the RDMA device has no connections.
 */
int ipoib_set_mode(struct ipoib_dev *ipoib, bool connected)
{
	struct net_device *dev = ipoib->netdev;
	int ret;

	ASSERT_RTNL();
	if (connected == ipoib->connected)
		return 0;
	if (connected && !ipoib_addr_has_rc(dev->dev_addr))
		return -EINVAL;
	if (connected && ipoib_may_log())
		netdev_warn(dev, "enabling connected mode will cause multicast packet drops\n");
	WRITE_ONCE(ipoib->connected, connected);
	ret = ipoib_mode_applied(ipoib);
	if (ret)
		netdev_warn(dev, "cannot set the mode's MTU: %pe\n",
			    ERR_PTR(ret));
	/* It ends the connections, or looks at MTU and destinations anew. */
	mod_delayed_work(ipoib->wq, &ipoib->cm.work, 0);
	ipoib_kick(ipoib);
	return 0;
}

/* Children that have no address of their own follow their parent's. */
static void ipoib_pass_gid_on(struct ipoib_dev *parent)
{
	struct ipoib_dev *child;

	ASSERT_RTNL();
	list_for_each_entry(child, &parent->port->devs, port_entry) {
		if (child->parent != parent)
			continue;
		ipoib_config_gid(child);
		WRITE_ONCE(child->port_stale, true);
		ipoib_kick(child);
	}
}

/* Only the GUID may be chosen; the rest is the port's and the QP's. That of a
 * virtual function is for whoever manages the HCA to choose.
 */
static int ipoib_set_mac_address(struct net_device *dev, void *p)
{
	const struct sockaddr_storage *ss = p;
	const u8 *addr = (const u8 *)ss + offsetof(struct sockaddr, sa_data);
	struct ipoib_dev *ipoib = ipoib_priv(dev);
	const unsigned int guid = INFINIBAND_ALEN - sizeof(__be64);

	if (ipoib->ibdev->attrs.kernel_cap_flags & IBK_VIRTUAL_FUNCTION)
		return -EOPNOTSUPP;
	if (netif_running(dev))
		return -EBUSY;
	if (memcmp(dev->dev_addr, addr, guid) ||
	    !memchr_inv(addr + guid, 0, sizeof(__be64)))
		return -EINVAL;
	dev_addr_mod(dev, guid, addr + guid, sizeof(__be64));
	ipoib->addr_set = true;
	ipoib_pass_gid_on(ipoib);
	return 0;
}

static int ipoib_get_iflink(const struct net_device *dev)
{
	const struct ipoib_dev *ipoib = ipoib_priv(dev);

	return READ_ONCE((ipoib->parent ?: ipoib)->netdev->ifindex);
}

/* The work context reads the list when it comes to it, as it also has to after
 * a change of P_Key.
 */
static int ipoib_set_rx_mode(struct net_device *dev,
			     struct netdev_hw_addr_list *uc,
			     struct netdev_hw_addr_list *mc)
{
	struct ipoib_dev *ipoib = ipoib_priv(dev);

	WRITE_ONCE(ipoib->mc_changed, true);
	ipoib_kick(ipoib);
	return 0;
}

NDO_RX_MODE_OP(ipoib_set_rx_mode)

/* What the HCA can do for us that the stack would have to do otherwise. */
static void ipoib_set_features(struct ipoib_dev *ipoib)
{
	const struct ib_device_attr *caps = &ipoib->ibdev->attrs;
	struct net_device *dev = ipoib->netdev;

	if (caps->max_send_sge > 1)
		dev->features |= NETIF_F_SG;
	if (caps->device_cap_flags & IB_DEVICE_UD_IP_CSUM) {
		dev->hw_features |= NETIF_F_IP_CSUM | NETIF_F_RXCSUM;
		if (caps->kernel_cap_flags & IBK_UD_TSO)
			dev->hw_features |= NETIF_F_TSO;
	}
	dev->features |= dev->hw_features;
}

/* Reads from the port what the interface starts with. */
static int ipoib_read_port(struct ipoib_dev *ipoib)
{
	struct ib_device *ibdev = ipoib->ibdev;
	struct net_device *dev = ipoib->netdev;
	u16 pkey = ipoib->pkey;
	struct ib_port_attr attr;
	union ib_gid gid;
	int ret;

	ret = ib_query_port(ibdev, ipoib->port_num, &attr);
	if (!ret && !ipoib->parent)
		ret = ib_query_pkey(ibdev, ipoib->port_num, 0, &pkey);
	if (!ret)
		ret = ipoib_wanted_gid(ipoib, &gid);
	if (ret) {
		dev_warn(&ibdev->dev, "port %u: cannot query: %pe\n",
			 ipoib->port_num, ERR_PTR(ret));
		return ret;
	}
	ipoib->max_mtu = rdma_mtu_from_attr(ibdev, ipoib->port_num, &attr) -
			 IPOIB_ENCAP_LEN;
	ipoib->mcast_mtu = ipoib->max_mtu;
	if (!ipoib->admin_mtu || ipoib->admin_mtu > ipoib->max_mtu)
		ipoib->admin_mtu = ipoib->max_mtu;
	if (!ipoib->connected)
		dev->mtu = ipoib->admin_mtu;
	ipoib->pkey = pkey | IPOIB_PKEY_FULL;
	put_unaligned_be16(ipoib->pkey, &dev->broadcast[8]);
	dev_addr_mod(dev, 4, gid.raw, sizeof(gid));
	return 0;
}

/* From here on events find the interface, and rdma_cm once it is registered. */
static void ipoib_enlist(struct ipoib_dev *ipoib)
{
	struct ipoib_port *port = ipoib->port;

	ASSERT_RTNL();
	mutex_lock(&port->lock);
	list_add_tail(&ipoib->port_entry, &port->devs);
	mutex_unlock(&port->lock);
}

static void ipoib_delist(struct ipoib_dev *ipoib)
{
	struct ipoib_port *port = ipoib->port;

	ASSERT_RTNL();
	mutex_lock(&port->lock);
	list_del(&ipoib->port_entry);
	mutex_unlock(&port->lock);
}

/* Flags and QPN of the link-layer address; RC is said to be accepted whatever
 * the mode, as it is.
 */
static void ipoib_set_qpn(struct ipoib_dev *ipoib)
{
	u8 head[4] = {};

	if (rdma_cap_ib_cm(ipoib->ibdev, ipoib->port_num))
		head[0] = IPOIB_ADDR_RC;
	put_unaligned_be24(ipoib->rxq->qp->qp_num, &head[1]);
	dev_addr_mod(ipoib->netdev, 0, head, sizeof(head));
}

static int ipoib_ndo_init(struct net_device *dev)
{
	struct ipoib_dev *ipoib = ipoib_priv(dev);
	int ret;

	ret = ipoib_read_port(ipoib);
	if (ret)
		return ret;
	ret = -ENOMEM;
	ipoib->stats = netdev_alloc_pcpu_stats(struct ipoib_pcpu_stats);
	if (!ipoib->stats)
		return ret;
	ipoib->wq = alloc_ordered_workqueue("ipoib_%s", WQ_MEM_RECLAIM,
					    dev_name(&ipoib->ibdev->dev));
	if (!ipoib->wq)
		goto err_stats;
	ret = ipoib_tables_init(ipoib);
	if (ret)
		goto err_wq;
	ret = ipoib_groups_init(ipoib);
	if (ret)
		goto err_tables;
	ret = ipoib_transport_init(ipoib);
	if (ret)
		goto err_groups;
	ret = ipoib_cm_init(ipoib);
	if (ret)
		goto err_transport;
	ipoib_set_qpn(ipoib);
	ipoib_set_features(ipoib);
	ipoib_enlist(ipoib);
	return 0;

err_transport:
	ipoib_transport_destroy(ipoib);
err_groups:
	ipoib_groups_destroy(ipoib);
err_tables:
	ipoib_tables_destroy(ipoib);
err_wq:
	destroy_workqueue(ipoib->wq);
err_stats:
	free_percpu(ipoib->stats);
	return ret;
}

static void ipoib_ndo_uninit(struct net_device *dev)
{
	struct ipoib_dev *ipoib = ipoib_priv(dev);

	ipoib_delist(ipoib);
	ipoib_cancel_work(ipoib);
	ipoib_cm_destroy(ipoib);
	ipoib_transport_destroy(ipoib);
	ipoib_groups_destroy(ipoib);
	ipoib_tables_destroy(ipoib);
	destroy_workqueue(ipoib->wq);
	free_percpu(ipoib->stats);
}

static const struct net_device_ops ipoib_netdev_ops = {
	.ndo_init = ipoib_ndo_init,
	.ndo_uninit = ipoib_ndo_uninit,
	.ndo_open = ipoib_open,
	.ndo_stop = ipoib_stop,
	.ndo_start_xmit = ipoib_start_xmit,
	.ndo_select_queue = ipoib_select_queue,
	.ndo_tx_timeout = ipoib_tx_timeout,
	.ndo_change_mtu = ipoib_change_mtu,
	.ndo_fix_features = ipoib_fix_features,
	.ndo_set_mac_address = ipoib_set_mac_address,
	NDO_RX_MODE_INIT(ipoib_set_rx_mode),
	.ndo_get_iflink = ipoib_get_iflink,
	.ndo_get_stats64 = ipoib_get_stats64,
	.ndo_set_vf_link_state = ipoib_set_vf_link_state,
	.ndo_set_vf_guid = ipoib_set_vf_guid,
	.ndo_get_vf_guid = ipoib_get_vf_guid,
	.ndo_get_vf_config = ipoib_get_vf_config,
	.ndo_get_vf_stats = ipoib_get_vf_stats,
};

/**
 * ipoib_is_ours() - is this net_device one of this driver's?
 * @dev: any net_device
 *
 * Its type does not tell: a bond of InfiniBand interfaces has the same.
 *
 * Context: any.
 * Return: true if ipoib_priv() may be asked about it.
 */
bool ipoib_is_ours(const struct net_device *dev)
{
	return dev->netdev_ops == &ipoib_netdev_ops;
}

/* The last that is called of an interface, when nobody has a reference any
 * more; or when its registration failed.
 */
static void ipoib_destructor(struct net_device *dev)
{
	struct rdma_netdev *rn = netdev_priv(dev);
	struct ipoib_dev *ipoib = rn->clnt_priv;

	if (!ipoib)
		return;
	if (ipoib->parent)
		netdev_put(ipoib->parent->netdev, &ipoib->parent_ref);
	rn->clnt_priv = NULL;
	kfree(ipoib);
}

/**
 * ipoib_setup() - what all interfaces' net_devices have in common
 * @dev: newly allocated
 *
 * Context: process.
 */
void ipoib_setup(struct net_device *dev)
{
	dev->netdev_ops = &ipoib_netdev_ops;
	dev->rtnl_link_ops = &ipoib_link_ops;
	dev->needs_free_netdev = true;
	dev->priv_destructor = ipoib_destructor;
	dev->header_ops = &ipoib_header_ops;
	ipoib_set_ethtool_ops(dev);
	ipoib_set_stat_ops(dev);
	dev->type = ARPHRD_INFINIBAND;
	dev->addr_len = INFINIBAND_ALEN;
	dev->hard_header_len = IPOIB_HARD_LEN;
	dev->min_mtu = 0;
	dev->max_mtu = IPOIB_CM_MTU;
	dev->flags |= IFF_BROADCAST | IFF_MULTICAST;
	dev->features = NETIF_F_VLAN_CHALLENGED | NETIF_F_HIGHDMA;
	dev->tx_queue_len = 1000;
	dev->watchdog_timeo = 10 * HZ;
	/* skb_dst_update_pmtu() needs the packet's route in xmit. */
	netif_keep_dst(dev);
	memcpy(dev->broadcast, ipoib_broadcast_addr, INFINIBAND_ALEN);
}

/* --- interfaces --------------------------------------------------------- */

/**
 * ipoib_num_txqs() - how many transmit queues an interface can have
 *
 * Context: any.
 * Return: one for each processor that there may ever be, within limits.
 */
unsigned int ipoib_num_txqs(void)
{
	return min_t(unsigned int, num_possible_cpus(), IPOIB_MAX_TXQ);
}

/**
 * ipoib_dev_create() - give a net_device its private part
 * @dev: made with ipoib_setup(), not registered
 * @port: where it is
 * @parent: the port's own interface if this is a child, else NULL
 *
 * Context: process, may sleep.
 * Return: the interface, which ipoib_dev_register() takes over, or NULL without
 * memory.
 */
struct ipoib_dev *ipoib_dev_create(struct net_device *dev,
				   struct ipoib_port *port,
				   struct ipoib_dev *parent)
{
	struct rdma_netdev *rn = netdev_priv(dev);
	struct ipoib_dev *ipoib;

	ipoib = kzalloc_obj(*ipoib);
	if (!ipoib)
		return NULL;
	rn->clnt_priv = ipoib;
	rn->hca = port->ibdev;
	rn->port_num = port->port_num;

	ipoib->netdev = dev;
	ipoib->ibdev = port->ibdev;
	ipoib->port = port;
	ipoib->port_num = port->port_num;
	/* The stack may ask for a child's iflink until the child is freed, when
	 * the parent has been unregistered with it.
	 */
	ipoib->parent = parent;
	if (parent)
		netdev_hold(parent->netdev, &ipoib->parent_ref, GFP_KERNEL);
	ipoib->num_txq = min3(num_online_cpus(), ipoib_num_txqs(),
			      dev->num_tx_queues);
	/* As the state is IPOIB_DOWN. */
	netif_carrier_off(dev);
	INIT_DELAYED_WORK(&ipoib->state_work, ipoib_state_work);
	INIT_WORK(&ipoib->down_work, ipoib_down_work);
	INIT_DELAYED_WORK(&ipoib->path_work, ipoib_path_work);
	INIT_DELAYED_WORK(&ipoib->gc_work, ipoib_gc_work);
	INIT_DELAYED_WORK(&ipoib->ah_work, ipoib_ah_work);
	return ipoib;
}

/**
 * ipoib_dev_register() - make an interface known to the stack
 * @ipoib: from ipoib_dev_create(); gone if this fails, its net_device is not
 *
 * Context: RTNL held.
 * Return: 0, or a negative errno; then the caller calls free_netdev().
 */
int ipoib_dev_register(struct ipoib_dev *ipoib)
{
	struct net_device *dev = ipoib->netdev;
	int ret;

	ASSERT_RTNL();
	/* More queues may have been asked for than there are processors. */
	ret = netif_set_real_num_tx_queues(dev, ipoib->num_txq);
	if (!ret)
		ret = netif_set_real_num_rx_queues(dev, 1);
	if (!ret)
		ret = register_netdevice(dev);
	if (!ret) {
		ipoib_set_xps(ipoib);
		/* For what happened before events found it. */
		ipoib_kick_config(ipoib);
	} else if (dev->reg_state == NETREG_UNINITIALIZED) {
		/* It failed too early for the stack to do that. */
		ipoib_destructor(dev);
	}
	return ret;
}

/* --- module ------------------------------------------------------------- */

static int __init ipoib_module_init(void)
{
	int ret;

	ipoib_recv_queue_size = clamp(ipoib_recv_queue_size,
				      IPOIB_MIN_QUEUE_SIZE,
				      IPOIB_MAX_QUEUE_SIZE);
	ipoib_recv_queue_size = roundup_pow_of_two(ipoib_recv_queue_size);
	ipoib_send_queue_size = clamp(ipoib_send_queue_size,
				      IPOIB_MIN_SEND_QUEUE,
				      IPOIB_MAX_QUEUE_SIZE);
	ipoib_send_queue_size = roundup_pow_of_two(ipoib_send_queue_size);
	ipoib_max_nonsrq_conn_qp = clamp(ipoib_max_nonsrq_conn_qp, 0, 4096);
	ipoib_max_srq_conn_qp = clamp(ipoib_max_srq_conn_qp, 0,
				      IPOIB_CM_MAX_RX);

	/* Unregistration waits for references, and must not keep others. */
	ipoib_rtnl_wq = alloc_workqueue("ipoib_rtnl", WQ_UNBOUND, 0);
	if (!ipoib_rtnl_wq) {
		pr_err("%s: cannot create workqueue\n", KBUILD_MODNAME);
		return -ENOMEM;
	}
	ipoib_debugfs_init();
	ret = ipoib_notifier_init();
	if (ret)
		goto err_debugfs;
	ib_sa_register_client(&ipoib_sa_client);
	/* Before there are interfaces, which refer to them. */
	ret = ipoib_vlan_init();
	if (ret)
		goto err_sa;
	ret = ib_register_client(&ipoib_client);
	if (ret)
		goto err_vlan;
	return 0;

err_vlan:
	ipoib_vlan_exit();
err_sa:
	ib_sa_unregister_client(&ipoib_sa_client);
	ipoib_notifier_exit();
err_debugfs:
	ipoib_debugfs_exit();
	destroy_workqueue(ipoib_rtnl_wq);
	return ret;
}

static void __exit ipoib_module_exit(void)
{
	ib_unregister_client(&ipoib_client);
	/* Waits for interfaces that others are unregistering. */
	ipoib_vlan_exit();
	ib_sa_unregister_client(&ipoib_sa_client);
	ipoib_notifier_exit();
	ipoib_debugfs_exit();
	destroy_workqueue(ipoib_rtnl_wq);
}

module_init(ipoib_module_init);
module_exit(ipoib_module_exit);
