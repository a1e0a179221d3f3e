// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * ethtool: what the interface is, and what may be set of it.
 */
#include <linux/ethtool.h>

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

static const struct ethtool_ops ipoib_ethtool_ops = {
	.get_drvinfo = ipoib_get_drvinfo,
	.get_link = ethtool_op_get_link,
	.get_link_ksettings = ipoib_get_link_ksettings,
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
