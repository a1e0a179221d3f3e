// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * ethtool: what the interface is, and what may be set of it.
 */
#include <linux/ethtool.h>
#include <linux/rtnetlink.h>
#include <linux/unaligned.h>

#include "ipoib.h"

static void ipoib_get_drvinfo(struct net_device *dev,
			      struct ethtool_drvinfo *info)
{
	struct ipoib_dev *ipoib = ipoib_priv(dev);
	struct device *parent = ipoib->ibdev->dev.parent;

	strscpy(info->driver, KBUILD_MODNAME, sizeof(info->driver));
	ib_get_device_fw_str(ipoib->ibdev, info->fw_version);
	if (parent)
		strscpy(info->bus_info, dev_name(parent),
			sizeof(info->bus_info));
}

/* Megabits per second of one lane, or 0 for a speed that nobody has heard of. */
static u32 ipoib_lane_speed(u16 speed)
{
	switch (speed) {
	case IB_SPEED_SDR:
		return 2500;
	case IB_SPEED_DDR:
		return 5000;
	case IB_SPEED_QDR:
	case IB_SPEED_FDR10:
		return 10000;
	case IB_SPEED_FDR:
		return 14000;
	case IB_SPEED_EDR:
		return 25000;
	case IB_SPEED_HDR:
		return 50000;
	case IB_SPEED_NDR:
		return 100000;
	case IB_SPEED_XDR:
		return 200000;
	default:
		return 0;
	}
}

static int ipoib_get_link_ksettings(struct net_device *dev,
				    struct ethtool_link_ksettings *settings)
{
	struct ethtool_link_settings *base = &settings->base;
	struct ipoib_dev *ipoib = ipoib_priv(dev);
	struct ib_port_attr attr;
	int lanes, ret;
	u32 speed;

	base->speed = SPEED_UNKNOWN;
	base->duplex = DUPLEX_UNKNOWN;
	base->port = PORT_OTHER;
	base->phy_address = 0xff;	/* none */
	base->autoneg = AUTONEG_ENABLE;
	if (!netif_carrier_ok(dev))
		return 0;

	ret = ib_query_port(ipoib->ibdev, ipoib->port_num, &attr);
	if (ret)
		return -EINVAL;
	speed = ipoib_lane_speed(attr.active_speed);
	lanes = ib_width_enum_to_int(attr.active_width);
	if (!speed || lanes < 0)
		return -EINVAL;
	base->speed = speed * lanes;
	base->duplex = DUPLEX_FULL;
	return 0;
}

/* --- rings -------------------------------------------------------------- */

static void ipoib_get_ringparam(struct net_device *dev,
				struct ethtool_ringparam *ring,
				struct kernel_ethtool_ringparam *kernel_ring,
				struct netlink_ext_ack *extack)
{
	struct ipoib_dev *ipoib = ipoib_priv(dev);

	ring->rx_max_pending = ipoib_max_queue_size(ipoib);
	ring->tx_max_pending = ipoib_max_queue_size(ipoib);
	ring->rx_pending = ipoib->size.rx;
	ring->tx_pending = ipoib->size.tx;
}

/* Another QPN is another link-layer address. */
static void ipoib_update_qpn(struct ipoib_dev *ipoib)
{
	struct net_device *dev = ipoib->netdev;
	u8 qpn[3];

	ASSERT_RTNL();
	put_unaligned_be24(ipoib->rxq->qp->qp_num, qpn);
	if (!memcmp(qpn, dev->dev_addr + 1, sizeof(qpn)))
		return;
	dev_addr_mod(dev, 1, qpn, sizeof(qpn));
	call_netdevice_notifiers(NETDEV_CHANGEADDR, dev);
	ipoib_announce(ipoib);
}

static int ipoib_resize_work(struct ipoib_dev *ipoib, void *size)
{
	int ret = ipoib_transport_resize(ipoib, size);
	int err = ipoib_moderate(ipoib);

	if (err)
		netdev_warn(ipoib->netdev, "cannot moderate new queues: %pe\n",
			    ERR_PTR(err));
	return ret;
}

/* Greater values than the greatest have been refused already. */
static int ipoib_set_ringparam(struct net_device *dev,
			       struct ethtool_ringparam *ring,
			       struct kernel_ethtool_ringparam *kernel_ring,
			       struct netlink_ext_ack *extack)
{
	struct ipoib_dev *ipoib = ipoib_priv(dev);
	struct ipoib_sizes size;
	int ret;

	ASSERT_RTNL();
	if (ring->tx_pending < IPOIB_MIN_SEND_QUEUE) {
		NL_SET_ERR_MSG(extack, "a transmit ring has at least 128 places");
		return -EINVAL;
	}
	if (ring->rx_pending < IPOIB_MIN_QUEUE_SIZE) {
		NL_SET_ERR_MSG(extack, "the receive ring has at least 2 places");
		return -EINVAL;
	}
	size.tx = roundup_pow_of_two(ring->tx_pending);
	size.rx = roundup_pow_of_two(ring->rx_pending);
	if (size.tx == ipoib->size.tx && size.rx == ipoib->size.rx)
		return 0;
	ret = ipoib_in_work(ipoib, ipoib_resize_work, &size);
	if (ret)
		NL_SET_ERR_MSG(extack, "cannot make rings of that size; the old ones stay in use");
	ipoib_update_qpn(ipoib);
	return ret;
}

/* --- channels ----------------------------------------------------------- */

static void ipoib_get_channels(struct net_device *dev,
			       struct ethtool_channels *channels)
{
	channels->max_rx = 1;
	channels->rx_count = 1;
	channels->max_tx = dev->num_tx_queues;
	channels->tx_count = ipoib_priv(dev)->num_txq;
}

static int ipoib_set_queues_work(struct ipoib_dev *ipoib, void *num)
{
	int ret = ipoib_transport_set_queues(ipoib, *(unsigned int *)num);
	int err = ipoib_moderate(ipoib);

	if (err)
		netdev_warn(ipoib->netdev, "cannot moderate new queues: %pe\n",
			    ERR_PTR(err));
	return ret;
}

/* The stack hears of queues that go before they do, and of new ones when they
 * can send.
 */
static int ipoib_use_queues(struct ipoib_dev *ipoib, unsigned int num)
{
	struct net_device *dev = ipoib->netdev;
	unsigned int old = ipoib->num_txq;
	int ret;

	ASSERT_RTNL();
	if (num < old) {
		ret = netif_set_real_num_tx_queues(dev, num);
		if (ret)
			return ret;
		ipoib_unlink_napis(ipoib, num, old);
		return ipoib_in_work(ipoib, ipoib_set_queues_work, &num);
	}
	ret = ipoib_in_work(ipoib, ipoib_set_queues_work, &num);
	if (ret)
		return ret;
	ret = netif_set_real_num_tx_queues(dev, num);
	if (ret)
		ipoib_in_work(ipoib, ipoib_set_queues_work, &old);
	else
		ipoib_link_napis(ipoib, old, num);
	return ret;
}

/* The one number that can be chosen has been checked against get_channels(). */
static int ipoib_set_channels(struct net_device *dev,
			      struct ethtool_channels *channels)
{
	struct ipoib_dev *ipoib = ipoib_priv(dev);
	int ret;

	if (channels->tx_count == ipoib->num_txq)
		return 0;
	ret = ipoib_use_queues(ipoib, channels->tx_count);
	if (ret)
		netdev_err(dev, "cannot have %u transmit queues: %pe\n",
			   channels->tx_count, ERR_PTR(ret));
	else
		ipoib_set_xps(ipoib);
	return ret;
}

static const struct ethtool_ops ipoib_ethtool_ops = {
	ETHTOOL_OPS_NEED_RTNL(ETHTOOL_OP_NEEDS_RTNL_SRINGPARAM |
			      ETHTOOL_OP_NEEDS_RTNL_SCHANNELS |
			      ETHTOOL_OP_NEEDS_RTNL_SCOALESCE |
			      ETHTOOL_OP_NEEDS_RTNL_GLINK)
	.supported_coalesce_params = ETHTOOL_COALESCE_USECS |
				     ETHTOOL_COALESCE_MAX_FRAMES |
				     ETHTOOL_COALESCE_USE_ADAPTIVE_RX,
	.get_drvinfo = ipoib_get_drvinfo,
	.get_link = ethtool_op_get_link,
	.get_link_ksettings = ipoib_get_link_ksettings,
	.get_ringparam = ipoib_get_ringparam,
	.set_ringparam = ipoib_set_ringparam,
	.get_channels = ipoib_get_channels,
	.set_channels = ipoib_set_channels,
	.get_coalesce = ipoib_get_coalesce,
	.set_coalesce = ipoib_set_coalesce,
	.get_sset_count = ipoib_get_sset_count,
	.get_strings = ipoib_get_strings,
	.get_ethtool_stats = ipoib_get_stats,
};

/**
 * ipoib_set_ethtool_ops() - give an interface its ethtool operations
 * @dev: its net_device, being set up
 */
void ipoib_set_ethtool_ops(struct net_device *dev)
{
	dev->ethtool_ops = &ipoib_ethtool_ops;
}
