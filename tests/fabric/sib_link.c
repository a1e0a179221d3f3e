// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The state of links (chapter 7.2): what trains, what goes down, and who is
 * told.
 *
 * There is one rule: a link is up if both its ends want it. Whoever changes
 * what an end wants has sib_links_settle() compare wish and reality. Changes
 * that an SM asks for wait for a work item, so that the answer to the SMP gets
 * through first.
 */
#include <linux/bitops.h>
#include <linux/jiffies.h>
#include <linux/workqueue.h>

#include "sib_mgmt.h"

#define SIB_RETRAIN_DELAY	msecs_to_jiffies(10)

static void sib_links_work(struct work_struct *work);
static DECLARE_DELAYED_WORK(sib_link_work, sib_links_work);

/*
 * Take over the physical state that the SM asked for: disabled, or training
 * anew. 0: nothing was asked for.
 */
static u8 sib_end_take_request(struct sib_end *end)
{
	u8 request;

	spin_lock_irq(&end->lock);
	request = end->info.phys_request;
	end->info.phys_request = 0;
	if (request && end->info.phys_state != IB_PORT_PHYS_STATE_LINK_UP)
		end->info.phys_state = request;
	spin_unlock_irq(&end->lock);
	return request;
}

/* Take a port's side of the link down. Returns true if it was up. */
static bool sib_end_lower(struct sib_end *end, u8 phys)
{
	struct sib_portinfo *info = &end->info;
	bool was_up, was_active;

	spin_lock_irq(&end->lock);
	was_up = info->phys_state == IB_PORT_PHYS_STATE_LINK_UP;
	was_active = info->state == IB_PORT_ACTIVE;
	WRITE_ONCE(info->state, IB_PORT_DOWN);
	if (was_up)
		info->phys_state = phys;
	spin_unlock_irq(&end->lock);
	if (!was_up)
		return false;
	atomic64_inc(&end->err[SIB_ERR_LINK_DOWNED]);
	sib_faults_flush(&end->faults);
	if (was_active && end->type == SIB_END_HCA)
		sib_port_event(end_to_port(end), IB_EVENT_PORT_ERR);
	return true;
}

/* The code of two lanes is greater than that of four. */
static u8 sib_widest(u8 mask)
{
	u8 wide = mask & ~(IB_WIDTH_1X | IB_WIDTH_2X);

	if (wide)
		return BIT(fls(wide) - 1);
	return mask & IB_WIDTH_2X ? IB_WIDTH_2X : IB_WIDTH_1X;
}

/* What both ends can do: widest, then fastest. */
static void sib_link_negotiate(struct sib_end *end, const struct sib_end *other)
{
	struct sib_portinfo *info = &end->info;
	u8 width, speed, ext;

	lockdep_assert_held(&end->lock);

	width = info->width_enabled & READ_ONCE(other->info.width_enabled);
	speed = info->speed_enabled & READ_ONCE(other->info.speed_enabled);
	ext = info->speed_ext_enabled &
	      READ_ONCE(other->info.speed_ext_enabled);
	info->width_active = sib_widest(width);
	info->speed_active = speed ? BIT(fls(speed) - 1) : IB_SPEED_SDR;
	info->speed_ext_active = ext ? BIT(fls(ext) - 1) : 0;
}

static void sib_end_raise(struct sib_end *end, const struct sib_end *other)
{
	spin_lock_irq(&end->lock);
	sib_link_negotiate(end, other);
	end->info.phys_state = IB_PORT_PHYS_STATE_LINK_UP;
	WRITE_ONCE(end->info.state, IB_PORT_INIT);
	spin_unlock_irq(&end->lock);
}

static bool sib_end_wants_link(const struct sib_end *end)
{
	return end->admin_up &&
	       end->info.phys_state != IB_PORT_PHYS_STATE_DISABLED;
}

static void sib_switch_port_changed(struct sib_switch *sw)
{
	unsigned long flags;

	spin_lock_irqsave(&sw->lock, flags);
	sw->port_change = true;
	spin_unlock_irqrestore(&sw->lock, flags);
	sib_trap_link_state(sw);
}

/* One cable: @sw_end is the switch's end of it. */
static void sib_link_settle(struct sib_end *sw_end, struct sib_end *hca_end)
{
	u8 sw_phys, hca_phys;
	bool up, changed;

	lockdep_assert_held(&sib_lock);

	sw_phys = sib_end_take_request(sw_end);
	hca_phys = sib_end_take_request(hca_end);
	up = sw_end->info.phys_state == IB_PORT_PHYS_STATE_LINK_UP &&
	     hca_end->info.phys_state == IB_PORT_PHYS_STATE_LINK_UP;
	if (up && !sw_phys && !hca_phys && sw_end->admin_up &&
	    hca_end->admin_up)
		return;
	changed = sib_end_lower(sw_end, sw_phys ?: sw_end->info.down_default);
	changed |= sib_end_lower(hca_end,
				 hca_phys ?: hca_end->info.down_default);
	if (sib_end_wants_link(sw_end) && sib_end_wants_link(hca_end)) {
		sib_end_raise(sw_end, hca_end);
		sib_end_raise(hca_end, sw_end);
		changed = true;
	}
	if (changed)
		sib_switch_port_changed(sib_sw);
}

/**
 * sib_links_settle() - make every link what its ends want it to be
 *
 * Caller holds sib_lock. May sleep.
 */
void sib_links_settle(void)
{
	struct sib_switch *sw = sib_sw;
	unsigned int i;

	lockdep_assert_held(&sib_lock);

	for (i = 1; i <= sw->n_ports; i++) {
		struct sib_end *end = sw->ports[i], *peer;

		peer = rcu_dereference_protected(end->peer,
						 lockdep_is_held(&sib_lock));
		if (peer)
			sib_link_settle(end, peer);
		else
			sib_end_take_request(end);
	}
}

static void sib_links_work(struct work_struct *work)
{
	mutex_lock(&sib_lock);
	sib_links_settle();
	mutex_unlock(&sib_lock);
}

/**
 * sib_links_settle_later() - have sib_links_settle() called soon
 *
 * Any context.
 */
void sib_links_settle_later(void)
{
	queue_delayed_work(sib_wq, &sib_link_work, SIB_RETRAIN_DELAY);
}

/**
 * sib_links_exit() - wait until nothing is left to settle
 *
 * Called when no SMP can arrive any more, without sib_lock. Sleeps.
 */
void sib_links_exit(void)
{
	cancel_delayed_work_sync(&sib_link_work);
}

/**
 * sib_link_set() - pull out a port's plug, or put it back
 * @port: an HCA's port
 * @up: whether it shall be plugged in
 *
 * Takes sib_lock. Return: 0
 */
int sib_link_set(struct sib_port *port, bool up)
{
	mutex_lock(&sib_lock);
	port->end.admin_up = up;
	sib_links_settle();
	mutex_unlock(&sib_lock);
	return 0;
}

/**
 * sib_end_unplugged() - an end has lost its cable
 * @end: the end; its peer is NULL
 *
 * A switch port's faults were those of what the HCA received. Caller holds sib_lock.
 */
void sib_end_unplugged(struct sib_end *end)
{
	lockdep_assert_held(&sib_lock);

	if (sib_end_lower(end, end->info.down_default) &&
	    end->type == SIB_END_SWITCH)
		sib_switch_port_changed(sib_sw);
	if (end->type == SIB_END_SWITCH)
		sib_faults_clear(&end->faults, SIB_FAULT_ACTS);
}
