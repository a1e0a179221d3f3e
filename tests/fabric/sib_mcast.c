// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Multicast: which QPs receive what is sent to a group (chapter 10.5.2). */
#include <linux/slab.h>

#include "sib_verbs.h"

struct sib_group {
	struct list_head node;
	struct list_head members;
	u8 mgid[16];
};

struct sib_member {
	struct list_head node;
	struct sib_qp *qp;
};

static struct sib_group *sib_group_find(struct sib_port *port, const u8 *mgid)
{
	struct sib_group *group;

	lockdep_assert_held(&port->mc_lock);

	list_for_each_entry(group, &port->mc_groups, node)
		if (!memcmp(group->mgid, mgid, sizeof(group->mgid)))
			return group;
	return NULL;
}

static struct sib_member *sib_group_member(struct sib_group *group,
					   struct sib_qp *qp)
{
	struct sib_member *member;

	list_for_each_entry(member, &group->members, node)
		if (member->qp == qp)
			return member;
	return NULL;
}

/* Uses and clears *@group and *@member if they are needed. */
static void sib_group_join(struct sib_port *port, struct sib_qp *qp,
			   const u8 *mgid, struct sib_group **fresh,
			   struct sib_member **member)
{
	struct sib_group *group = sib_group_find(port, mgid);

	lockdep_assert_held(&port->mc_lock);

	if (!group) {
		group = *fresh;
		*fresh = NULL;
		INIT_LIST_HEAD(&group->members);
		memcpy(group->mgid, mgid, sizeof(group->mgid));
		list_add_tail(&group->node, &port->mc_groups);
	}
	if (sib_group_member(group, qp))
		return;	/* *@member remains */
	(*member)->qp = qp;
	list_add_tail(&(*member)->node, &group->members);
	*member = NULL;
}

/**
 * sib_attach_mcast - the verb
 * @ibqp: UD QP
 * @gid: multicast GID
 * @mlid: multicast LID; packets are matched by GID only
 *
 * Chapter 11.3.1. Context: may sleep.
 * Return: 0 or a negative errno; -EINVAL if it is attached already, as the
 * core counts how often it has to be detached.
 */
int sib_attach_mcast(struct ib_qp *ibqp, union ib_gid *gid, u16 mlid)
{
	struct sib_qp *qp = to_sib_qp(ibqp);
	struct sib_port *port = qp->port;
	struct sib_member *member;
	struct sib_group *group;
	int ret = 0;

	if (sib_verb_fails(qp->hca, SIB_VERB_ATTACH_MCAST, &ret))
		return ret;
	group = kzalloc_obj(*group);
	member = kzalloc_obj(*member);
	if (group && member) {
		spin_lock_irq(&port->mc_lock);
		sib_group_join(port, qp, gid->raw, &group, &member);
		spin_unlock_irq(&port->mc_lock);
		ret = member ? -EINVAL : 0;
	} else {
		ret = -ENOMEM;
	}
	kfree(member);
	kfree(group);
	return ret;
}

/**
 * sib_detach_mcast - the verb
 * @ibqp: UD QP
 * @gid: multicast GID
 * @mlid: multicast LID
 *
 * Chapter 11.3.2. Context: may sleep. Return: 0, -EINVAL if not attached, or
 * the error of a fault.
 */
int sib_detach_mcast(struct ib_qp *ibqp, union ib_gid *gid, u16 mlid)
{
	struct sib_qp *qp = to_sib_qp(ibqp);
	struct sib_port *port = qp->port;
	struct sib_member *member = NULL;
	struct sib_group *group;
	int ret;

	if (sib_verb_fails(qp->hca, SIB_VERB_DETACH_MCAST, &ret))
		return ret;
	spin_lock_irq(&port->mc_lock);
	group = sib_group_find(port, gid->raw);
	if (group)
		member = sib_group_member(group, qp);
	if (member)
		list_del(&member->node);
	if (group && list_empty(&group->members))
		list_del(&group->node);
	else
		group = NULL;
	spin_unlock_irq(&port->mc_lock);
	kfree(group);
	ret = member ? 0 : -EINVAL;
	kfree(member);
	return ret;
}

/**
 * sib_mcast_wanted - is a QP of the port attached to the group?
 * @port: the port
 * @mgid: multicast GID
 *
 * Context: any.
 */
bool sib_mcast_wanted(struct sib_port *port, const u8 *mgid)
{
	unsigned long flags;
	bool wanted;

	spin_lock_irqsave(&port->mc_lock, flags);
	wanted = sib_group_find(port, mgid);
	spin_unlock_irqrestore(&port->mc_lock, flags);
	return wanted;
}

/* A QP that blocks loopback does not hear itself. */
static bool sib_member_hears(const struct sib_qp *qp, const struct sib_rx *rx)
{
	const struct sib_deth *deth = (void *)rx->data;

	return !rx->pkt->looped || !qp->block_loop ||
	       (be32_to_cpu(deth->sqpn) & SIB_24BIT) != qp->ibqp.qp_num;
}

/**
 * sib_mcast_receive - deliver to the QPs of a group
 * @port: receiving port
 * @rx: packet whose DETH has been checked for
 *
 * Context: the port's tasklet.
 */
void sib_mcast_receive(struct sib_port *port, const struct sib_rx *rx)
{
	struct sib_group *group = NULL;
	struct sib_member *member;
	unsigned long flags;

	spin_lock_irqsave(&port->mc_lock, flags);
	if (rx->grh)
		group = sib_group_find(port, rx->grh->dgid);
	if (!group)
		sib_count(port->hca, SIB_STAT_MCAST_NO_GROUP);
	else
		list_for_each_entry(member, &group->members, node)
			if (sib_member_hears(member->qp, rx))
				sib_ud_receive(member->qp, rx);
	spin_unlock_irqrestore(&port->mc_lock, flags);
}
