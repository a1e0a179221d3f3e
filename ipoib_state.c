// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The state machine that drives an interface, and what the fabric has the
 * net_device say.
 *
 * Events do not say what to do, only that something may have changed: they ask
 * for a pass of ipoib_evaluate(), which looks at what is true now. Two events
 * in a row cost one pass, and their order does not matter.
 */
#include <linux/rtnetlink.h>
#include <linux/unaligned.h>
#include <rdma/ib_cache.h>

#include "ipoib.h"
#include "ipoib_cm.h"
#include "ipoib_trace.h"

#define IPOIB_GID_TRIES		3	/* to find our GID at the port */
#define IPOIB_GID_MS		20	/* between two of them */

/**
 * ipoib_kick() - ask for a pass of the state machine
 * @ipoib: the interface
 *
 * Context: any.
 */
void ipoib_kick(struct ipoib_dev *ipoib)
{
	mod_delayed_work(ipoib->wq, &ipoib->state_work, 0);
}

/**
 * ipoib_kick_after() - ask for a pass some time later, unless one is due
 * @ipoib: the interface
 * @delay: jiffies
 *
 * Every pass works out anew when the next is needed.
 *
 * Context: any.
 */
void ipoib_kick_after(struct ipoib_dev *ipoib, unsigned long delay)
{
	queue_delayed_work(ipoib->wq, &ipoib->state_work, delay);
}

/**
 * ipoib_backoff() - how long to wait after the SA or a peer was asked in vain
 * @status: what came of it, a negative errno
 * @failures: how many came before it in a row
 *
 * Doubles from one second, less up to half at random, so that the nodes of a
 * subnet do not come back to the SA all at once. From an eighth of a second if
 * nothing was sent: with -EAGAIN ib_sa is about to learn where the SA is.
 *
 * Return: jiffies.
 */
unsigned long ipoib_backoff(int status, unsigned int failures)
{
	unsigned long full = status == -EAGAIN ? HZ / 8 : HZ;

	full <<= min(failures, IPOIB_MAX_BACKOFF_SHIFT);

	return full - get_random_u32_below(full / 2);
}

/**
 * ipoib_sa_answers() - the SA gave a good answer
 * @ipoib: the interface
 *
 * What it did not answer before need not wait for its back-off to end. There is
 * no burst: each interface hears of it by an answer to its own queries, of which
 * only so many are in flight.
 *
 * Context: work context.
 */
void ipoib_sa_answers(struct ipoib_dev *ipoib)
{
	if (!ipoib->sa_deaf)
		return;
	ipoib->sa_deaf = false;
	ipoib_mcast_wake(ipoib);
	ipoib_path_wake(ipoib);
}

static const char *ipoib_state_name(enum ipoib_state state)
{
	static const char * const names[] = {
		[IPOIB_DOWN] = "down",
		[IPOIB_NO_PKEY] = "no P_Key",
		[IPOIB_NO_PORT] = "port not active",
		[IPOIB_JOINING] = "joining",
		[IPOIB_UP] = "up",
	};

	return names[state];
}

/**
 * ipoib_set_state() - the one place that writes the state
 * @ipoib: the interface
 * @state: as which it is to be known
 *
 * Carrier is a function of it.
 *
 * Context: work context.
 */
void ipoib_set_state(struct ipoib_dev *ipoib, enum ipoib_state state)
{
	enum ipoib_state old = ipoib->state;

	if (state == old)
		return;
	netdev_dbg(ipoib->netdev, "state %s -> %s\n", ipoib_state_name(old),
		   ipoib_state_name(state));
	trace_ipoib_state(ipoib, old, state);
	WRITE_ONCE(ipoib->state, state);
	if (state == IPOIB_UP) {
		netif_carrier_on(ipoib->netdev);
		ipoib_mcast_resend(ipoib);
		ipoib_path_resend(ipoib);
		mod_delayed_work(ipoib->wq, &ipoib->path_work, 0);
	} else {
		netif_carrier_off(ipoib->netdev);
	}
	if (state <= IPOIB_NO_PORT)
		ipoib_mcast_lost(ipoib);
}

/**
 * ipoib_find_pkey() - is the interface's P_Key in the port's table?
 * @ipoib: the interface
 * @index: where, if it is
 *
 * Context: any.
 * Return: true if it is.
 */
bool ipoib_find_pkey(struct ipoib_dev *ipoib, u16 *index)
{
	/* An empty entry of the table is no P_Key, but would match. */
	return ipoib->pkey != IPOIB_PKEY_FULL &&
	       !ib_find_cached_pkey(ipoib->ibdev, ipoib->port_num,
				    ipoib->pkey, index);
}

/* The QPs are up with the right P_Key index, or it is made so. */
static bool ipoib_evaluate_pkey(struct ipoib_dev *ipoib)
{
	u16 index;

	if (!ipoib_find_pkey(ipoib, &index)) {
		if (ipoib->transport_up)
			netdev_warn(ipoib->netdev,
				    "P_Key 0x%04x is gone from the port\n",
				    ipoib->pkey);
		ipoib_transport_down(ipoib);
		return false;
	}
	if (ipoib->transport_up && ipoib->pkey_index == index)
		return true;
	ipoib_transport_down(ipoib);
	if (!ipoib_transport_up(ipoib, index))
		return true;
	ipoib_kick_after(ipoib, HZ);
	return false;
}

/* A query is a command to the HCA's firmware: it is made when an event says so,
 * and now and then, not in every pass.
 */
static bool ipoib_evaluate_port(struct ipoib_dev *ipoib)
{
	struct ib_port_attr attr;

	if (!xchg(&ipoib->port_stale, false))
		return ipoib->port_active;
	if (ib_query_port(ipoib->ibdev, ipoib->port_num, &attr)) {
		/* What was true before is the best guess. */
		WRITE_ONCE(ipoib->port_stale, true);
		ipoib_kick_after(ipoib, HZ);
		return ipoib->port_active;
	}
	WRITE_ONCE(ipoib->local_lid, attr.lid);
	ipoib->port_active = attr.state == IB_PORT_ACTIVE;
	return ipoib->port_active;
}

static bool ipoib_port_has_gid(const struct ipoib_dev *ipoib,
			       const union ib_gid *gid)
{
	const struct ib_gid_attr *attr;

	attr = rdma_find_gid_by_port(ipoib->ibdev, gid, IB_GID_TYPE_IB,
				     ipoib->port_num, NULL);
	if (IS_ERR(attr))
		return false;
	rdma_put_gid_attr(attr);
	return true;
}

/* Nobody is told of a change in ib_core's table of GIDs, so every pass looks.
 * After some events the table is written again, entry by entry, and each is away
 * for a moment even if it stays the same: looking once does not prove that a GID
 * is gone.
 *
 * Returns 0, or -EAGAIN if the port has got another prefix, which the address
 * has to follow, or -ENOENT if the address names a GUID that the SM has not
 * assigned to the port, or not yet.
 */
static int ipoib_evaluate_gid(struct ipoib_dev *ipoib)
{
	const union ib_gid *own = ipoib_addr_gid(ipoib->netdev->dev_addr);
	int tries = IPOIB_GID_TRIES;
	union ib_gid gid;
	bool found;

	for (;;) {
		found = ipoib_port_has_gid(ipoib, own);
		if (!rdma_query_gid(ipoib->ibdev, ipoib->port_num, 0, &gid) &&
		    gid.global.subnet_prefix != own->global.subnet_prefix)
			return -EAGAIN;
		if (found)
			return 0;
		if (!--tries)
			return -ENOENT;
		msleep(IPOIB_GID_MS);
	}
}

/* In connected mode the MTU is the administrator's alone. */
static unsigned int ipoib_wanted_mtu(const struct ipoib_dev *ipoib)
{
	if (READ_ONCE(ipoib->connected))
		return READ_ONCE(ipoib->netdev->mtu);
	return min(READ_ONCE(ipoib->admin_mtu), READ_ONCE(ipoib->mcast_mtu));
}

/* What is true now. On the way, does what brings the interface further. */
static enum ipoib_state ipoib_evaluate(struct ipoib_dev *ipoib)
{
	int gid;

	if (xchg(&ipoib->relink, false) || ipoib_mcast_is_stale(ipoib)) {
		ipoib_mcast_flush(ipoib);
		WRITE_ONCE(ipoib->paths_stale, true);
	}
	if (xchg(&ipoib->gid_changed, false)) {
		ipoib_mcast_renew(ipoib);
		WRITE_ONCE(ipoib->paths_stale, true);
	}
	if (!ipoib_evaluate_pkey(ipoib))
		return IPOIB_NO_PKEY;
	ipoib_transport_mend(ipoib);
	gid = ipoib_evaluate_gid(ipoib);
	/* What there is serves until the address has followed. */
	if (gid == -EAGAIN) {
		ipoib_kick_config(ipoib);
		return ipoib->broadcast ? ipoib->state :
					  min(ipoib->state, IPOIB_JOINING);
	}
	if (READ_ONCE(ipoib->paths_stale))
		ipoib_mcast_retry(ipoib);
	if (!ipoib_evaluate_port(ipoib))
		return IPOIB_NO_PORT;
	if (gid) {
		ipoib_kick_after(ipoib, HZ);
		return IPOIB_NO_PORT;
	}
	if (!ipoib_mcast_run(ipoib))
		return IPOIB_JOINING;
	if (READ_ONCE(ipoib->netdev->mtu) != ipoib_wanted_mtu(ipoib)) {
		ipoib_kick_config(ipoib);
		/* Not up with the wrong MTU, but if up, not down for it. */
		if (ipoib->state != IPOIB_UP)
			return IPOIB_JOINING;
	}
	return IPOIB_UP;
}

/**
 * ipoib_state_work() - one pass of the state machine
 * @work: ipoib_dev.state_work
 *
 * Context: work context, may sleep for IPOIB_DRAIN_MS.
 */
void ipoib_state_work(struct work_struct *work)
{
	struct ipoib_dev *ipoib =
		container_of(work, struct ipoib_dev, state_work.work);

	if (!READ_ONCE(ipoib->admin_up))
		return;
	ipoib_set_state(ipoib, ipoib_evaluate(ipoib));
	if (READ_ONCE(ipoib->paths_stale))
		mod_delayed_work(ipoib->wq, &ipoib->path_work, 0);
}

/**
 * ipoib_gc_work() - let go what has not been used for long, and look around
 * @work: ipoib_dev.gc_work
 *
 * Context: work context, may sleep.
 */
void ipoib_gc_work(struct work_struct *work)
{
	struct ipoib_dev *ipoib =
		container_of(work, struct ipoib_dev, gc_work.work);

	if (!READ_ONCE(ipoib->admin_up))
		return;
	ipoib_path_gc(ipoib);
	ipoib_cm_gc(ipoib);
	ipoib_mcast_gc(ipoib);
	/* The last event may have come before what it was about, or not at all,
	 * as ib_core keeps it to itself if it has no memory for its own part.
	 */
	WRITE_ONCE(ipoib->port_stale, true);
	ipoib_kick(ipoib);
	queue_delayed_work(ipoib->wq, &ipoib->gc_work, IPOIB_IDLE_JIFFIES / 4);
}

/* --- what the fabric says about the net_device -------------------------- */

/* A parent's P_Key is the one at index 0, with the membership bit set. */
static void ipoib_config_pkey(struct ipoib_dev *ipoib)
{
	u16 pkey;

	ASSERT_RTNL();
	if (ib_query_pkey(ipoib->ibdev, ipoib->port_num, 0, &pkey))
		return;
	pkey |= IPOIB_PKEY_FULL;
	/* An entry of 0 is an invalid P_Key: the table is not set yet. */
	if (pkey == ipoib->pkey || pkey == IPOIB_PKEY_FULL)
		return;
	WRITE_ONCE(ipoib->pkey, pkey);
	put_unaligned_be16(pkey, &ipoib->netdev->broadcast[8]);
	WRITE_ONCE(ipoib->relink, true);
}

/**
 * ipoib_wanted_gid() - the GID that an interface's address is to have
 * @ipoib: the interface
 * @gid: the answer: the port's, for a child its parent's; of an address that
 *	was chosen only the prefix is the port's
 *
 * Context: RTNL, may sleep.
 * Return: 0 or a negative errno.
 */
int ipoib_wanted_gid(const struct ipoib_dev *ipoib, union ib_gid *gid)
{
	int ret = 0;

	if (ipoib->parent)
		memcpy(gid, &ipoib->parent->netdev->dev_addr[4], sizeof(*gid));
	else
		ret = rdma_query_gid(ipoib->ibdev, ipoib->port_num, 0, gid);
	if (ipoib->addr_set)
		memcpy(&gid->raw[8], &ipoib->netdev->dev_addr[12], 8);
	return ret;
}

/**
 * ipoib_config_gid() - put the GID into the address that it is to have
 * @ipoib: the interface
 *
 * Context: RTNL, may sleep.
 */
void ipoib_config_gid(struct ipoib_dev *ipoib)
{
	struct net_device *dev = ipoib->netdev;
	union ib_gid gid;

	ASSERT_RTNL();
	if (ipoib_wanted_gid(ipoib, &gid) ||
	    !memcmp(ipoib_addr_gid(dev->dev_addr), &gid, sizeof(gid)))
		return;
	dev_addr_mod(dev, 4, gid.raw, sizeof(gid));
	/* It makes the stack forget neighbours, which may be in use. */
	if (!netif_running(dev))
		call_netdevice_notifiers(NETDEV_CHANGEADDR, dev);
	WRITE_ONCE(ipoib->gid_changed, true);
}

/**
 * ipoib_config_mtu() - set the MTU that mode and broadcast group ask for
 * @ipoib: the interface
 *
 * Context: RTNL, may sleep.
 * Return: 0 or a negative errno; the log says more.
 */
int ipoib_config_mtu(struct ipoib_dev *ipoib)
{
	unsigned int admin_mtu = ipoib->admin_mtu;
	unsigned int mtu = ipoib_wanted_mtu(ipoib);
	int ret;

	ASSERT_RTNL();
	if (ipoib->netdev->mtu == mtu)
		return 0;
	/* Through the front door, as others want to hear of it; but that is
	 * also where the administrator's wish is noted.
	 */
	ret = dev_set_mtu(ipoib->netdev, mtu);
	if (ret && net_ratelimit())
		netdev_warn(ipoib->netdev, "cannot set MTU %u: %pe\n", mtu,
			    ERR_PTR(ret));
	WRITE_ONCE(ipoib->admin_mtu, admin_mtu);
	return ret;
}

static void ipoib_config(struct ipoib_dev *ipoib)
{
	if (xchg(&ipoib->tell_peers, false))
		ipoib_announce(ipoib);
	if (!ipoib->parent)
		ipoib_config_pkey(ipoib);
	ipoib_config_gid(ipoib);
	WRITE_ONCE(ipoib->port_stale, true);
	if (ipoib_config_mtu(ipoib))
		ipoib_kick_after(ipoib, HZ);
	else
		ipoib_kick(ipoib);
}

/**
 * ipoib_config_work() - set a port's net_devices as the fabric says
 * @work: ipoib_port.config_work
 *
 * One work item for all interfaces of a port: they come and go under RTNL, so
 * none of them has to wait for work of its own in order to go.
 *
 * Context: the module's own workqueue; takes RTNL.
 */
void ipoib_config_work(struct work_struct *work)
{
	struct ipoib_port *port =
		container_of(work, struct ipoib_port, config_work);
	struct ipoib_dev *ipoib;

	rtnl_lock();
	/* Parent first, whose address the others take. */
	list_for_each_entry(ipoib, &port->devs, port_entry)
		ipoib_config(ipoib);
	rtnl_unlock();
}

/**
 * ipoib_event() - something may have changed at a port
 * @handler: ipoib_port.event_handler
 * @event: what and where
 *
 * Context: process; ib_core's caches are up to date.
 */
void ipoib_event(struct ib_event_handler *handler, struct ib_event *event)
{
	struct ipoib_port *port =
		container_of(handler, struct ipoib_port, event_handler);
	struct ipoib_dev *ipoib;

	if (event->element.port_num != port->port_num)
		return;
	mutex_lock(&port->lock);
	list_for_each_entry(ipoib, &port->devs, port_entry) {
		trace_ipoib_event(ipoib, event->event);
		switch (event->event) {
		case IB_EVENT_PKEY_CHANGE:
		case IB_EVENT_GID_CHANGE:
			ipoib_kick_config(ipoib);
			break;
		case IB_EVENT_CLIENT_REREGISTER:
			/* All that is heard of another GID prefix: ib_core
			 * keeps the change of an InfiniBand port's GIDs to
			 * itself.
			 */
			ipoib_kick_config(ipoib);
			fallthrough;
		case IB_EVENT_PORT_ACTIVE:
		case IB_EVENT_LID_CHANGE:
		case IB_EVENT_SM_CHANGE:
			WRITE_ONCE(ipoib->paths_stale, true);
			fallthrough;
		case IB_EVENT_PORT_ERR:
			WRITE_ONCE(ipoib->port_stale, true);
			ipoib_kick(ipoib);
			break;
		default:
			break;
		}
	}
	mutex_unlock(&port->lock);
}
