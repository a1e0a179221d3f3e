// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Interrupt moderation: how many completions, or microseconds, the HCA may wait
 * before it tells of them. Chosen by ethtool -C, or for receiving, from what
 * comes in, by the kernel's library for it (CONFIG_DIMLIB, which ib_core needs
 * too).
 */
#include <linux/dim.h>
#include <linux/ethtool.h>

#include "ipoib.h"
#include "ipoib_cm.h"

#define IPOIB_MAX_MODERATION	65535

/**
 * ipoib_cq_moderate() - have the HCA moderate a completion queue
 * @cq: the queue
 * @frames: completions that it may wait for
 * @usecs: microseconds that it may wait
 *
 * An HCA that cannot is no error: there is nothing to be gained by one.
 *
 * Context: process, may sleep.
 * Return: 0 or the errno of a device that refused.
 */
int ipoib_cq_moderate(struct ib_cq *cq, u16 frames, u16 usecs)
{
	int ret = rdma_set_cq_moderation(cq, frames, usecs);

	return ret == -EOPNOTSUPP ? 0 : ret;
}

/* --- adaptive ----------------------------------------------------------- */

static void ipoib_dim_work(struct work_struct *work)
{
	struct dim *dim = container_of(work, struct dim, work);
	struct ipoib_rxq *rxq = container_of(dim, struct ipoib_rxq, dim);
	struct dim_cq_moder moder;
	int ret;

	moder = net_dim_get_rx_moderation(dim->mode, dim->profile_ix);
	ret = ipoib_cq_moderate(rxq->cq, moder.pkts, moder.usec);
	if (ret)
		net_warn_ratelimited("%s: cannot moderate the receive queue: %pe\n",
				     rxq->ipoib->netdev->name, ERR_PTR(ret));
	dim->state = DIM_START_MEASURE;
}

/**
 * ipoib_dim_init() - make a receive queue ready for adaptive moderation
 * @rxq: the queue
 */
void ipoib_dim_init(struct ipoib_rxq *rxq)
{
	INIT_WORK(&rxq->dim.work, ipoib_dim_work);
	rxq->dim.mode = DIM_CQ_PERIOD_MODE_START_FROM_EQE;
}

/**
 * ipoib_dim_stop() - no more changes of a receive queue's moderation
 * @rxq: the queue, whose NAPI does not call ipoib_dim_sample() any more
 *
 * Context: process, may sleep.
 */
void ipoib_dim_stop(struct ipoib_rxq *rxq)
{
	cancel_work_sync(&rxq->dim.work);
	rxq->dim.state = DIM_START_MEASURE;
}

/**
 * ipoib_dim_sample() - look at what came in since last time
 * @rxq: the queue
 *
 * Context: its NAPI, once for each interrupt.
 */
void ipoib_dim_sample(struct ipoib_rxq *rxq)
{
	struct dim_sample sample = {};

	dim_update_sample(rxq->events, u64_stats_read(&rxq->stats.packets),
			  u64_stats_read(&rxq->stats.bytes), &sample);
	net_dim(&rxq->dim, &sample);
}

/* --- as set ------------------------------------------------------------- */

static int ipoib_moderate_rx(struct ipoib_dev *ipoib)
{
	const struct ipoib_moderation *mod = &ipoib->moderation;
	struct ipoib_rxq *rxq = ipoib->rxq;

	if (mod->adaptive_rx) {
		WRITE_ONCE(rxq->adaptive, true);
		/* A new CQ has to be told what was decided for the old one. */
		schedule_work(&rxq->dim.work);
		return 0;
	}
	WRITE_ONCE(rxq->adaptive, false);
	/* NAPI has seen that. */
	synchronize_net();
	ipoib_dim_stop(rxq);
	return ipoib_cq_moderate(rxq->cq, mod->rx_frames, mod->rx_usecs);
}

/**
 * ipoib_moderate() - have the HCA moderate all queues as set
 * @ipoib: the interface
 *
 * Context: RTNL, or the work context while someone who holds RTNL waits for it.
 * May sleep.
 * Return: 0 or the errno of a device that refused.
 */
int ipoib_moderate(struct ipoib_dev *ipoib)
{
	const struct ipoib_moderation *mod = &ipoib->moderation;
	int ret = ipoib_moderate_rx(ipoib);
	unsigned int i;

	for (i = 0; i < ipoib->num_txq && !ret; i++)
		ret = ipoib_cq_moderate(ipoib->txq[i].cq, mod->tx_frames,
					mod->tx_usecs);
	return ret;
}

/* Connections' queues come and go in the work context. */
static int ipoib_moderate_all(struct ipoib_dev *ipoib)
{
	int ret = ipoib_moderate(ipoib);

	return ret ?: ipoib_in_work(ipoib, ipoib_cm_rxqs_moderate, NULL);
}

/**
 * ipoib_get_coalesce() - ethtool_ops.get_coalesce
 * @dev: the interface
 * @coal: to fill in
 * @kernel_coal: not used
 * @extack: not used
 *
 * Context: RTNL.
 * Return: 0.
 */
int ipoib_get_coalesce(struct net_device *dev, struct ethtool_coalesce *coal,
		       struct kernel_ethtool_coalesce *kernel_coal,
		       struct netlink_ext_ack *extack)
{
	const struct ipoib_moderation *mod = &ipoib_priv(dev)->moderation;

	coal->use_adaptive_rx_coalesce = mod->adaptive_rx;
	coal->rx_coalesce_usecs = mod->rx_usecs;
	coal->rx_max_coalesced_frames = mod->rx_frames;
	coal->tx_coalesce_usecs = mod->tx_usecs;
	coal->tx_max_coalesced_frames = mod->tx_frames;
	return 0;
}

/**
 * ipoib_set_coalesce() - ethtool_ops.set_coalesce
 * @dev: the interface
 * @coal: what is wanted
 * @kernel_coal: not used
 * @extack: why not
 *
 * Context: RTNL, may sleep.
 * Return: 0, or a negative errno with everything as it was.
 */
int ipoib_set_coalesce(struct net_device *dev, struct ethtool_coalesce *coal,
		       struct kernel_ethtool_coalesce *kernel_coal,
		       struct netlink_ext_ack *extack)
{
	struct ipoib_dev *ipoib = ipoib_priv(dev);
	struct ipoib_moderation old = ipoib->moderation;
	int ret;

	ASSERT_RTNL();
	if (coal->rx_coalesce_usecs > IPOIB_MAX_MODERATION ||
	    coal->tx_coalesce_usecs > IPOIB_MAX_MODERATION) {
		NL_SET_ERR_MSG(extack, "at most 65535 microseconds");
		return -EINVAL;
	}
	if (coal->rx_max_coalesced_frames > IPOIB_MAX_MODERATION ||
	    coal->tx_max_coalesced_frames > IPOIB_MAX_MODERATION) {
		NL_SET_ERR_MSG(extack, "at most 65535 frames");
		return -EINVAL;
	}
	ipoib->moderation = (struct ipoib_moderation) {
		.adaptive_rx = coal->use_adaptive_rx_coalesce,
		.rx_usecs = coal->rx_coalesce_usecs,
		.rx_frames = coal->rx_max_coalesced_frames,
		.tx_usecs = coal->tx_coalesce_usecs,
		.tx_frames = coal->tx_max_coalesced_frames,
	};
	ret = ipoib_moderate_all(ipoib);
	if (ret) {
		NL_SET_ERR_MSG(extack, "the device refused");
		ipoib->moderation = old;
		ipoib_moderate_all(ipoib);
	}
	return ret;
}
