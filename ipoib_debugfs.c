// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The tables, for people: /sys/kernel/debug/ipoib/IF_mcg, IF_path, IF_dst and
 * IF_conn.
 *
 * The tables belong to the work context, and what is worth reading of a path or
 * a group is written there without a lock. So a reader has its dump made by a
 * work item of the interface, in its turn among the others, and waits for it:
 * what it sees is what was true between two of them, and the packet paths know
 * nothing of it. debugfs_remove() waits for readers, who wait for work that
 * never takes RTNL, so it may be called under RTNL.
 */
#include <linux/debugfs.h>
#include <linux/rtnetlink.h>
#include <linux/seq_file.h>
#include <net/net_namespace.h>

#include "ipoib.h"
#include "ipoib_cm.h"

static struct dentry *ipoib_debugfs_root;

/* Names are those of the stock driver's files, as are the formats of the first
 * two; eight groups of a GID without leading zeros, and none left out.
 */
static void ipoib_show_gid(struct seq_file *m, const union ib_gid *gid)
{
	unsigned int i;

	seq_puts(m, "GID: ");
	for (i = 0; i < sizeof(*gid); i += 2)
		seq_printf(m, "%x%c", gid->raw[i] << 8 | gid->raw[i + 1],
			   i + 2 < sizeof(*gid) ? ':' : '\n');
}

static const char *ipoib_yes(bool yes)
{
	return yes ? "yes" : "no";
}

static int ipoib_dump_mcg(struct ipoib_dev *ipoib, void *arg)
{
	struct ipoib_group *group;
	struct seq_file *m = arg;

	list_for_each_entry(group, &ipoib->group_list, entry) {
		ipoib_show_gid(m, &group->mgid);
		seq_printf(m, "  created: %10ld\n", group->created);
		seq_printf(m, "  queuelen: %9d\n",
			   skb_queue_len_lockless(&group->parked));
		seq_printf(m, "  complete: %9s\n",
			   ipoib_yes(rcu_access_pointer(group->ah)));
		seq_printf(m, "  send_only: %8s\n\n",
			   ipoib_yes(group->send_only));
		/* Then there is another dump, with more room. */
		if (seq_has_overflowed(m))
			break;
	}
	return 0;
}

static int ipoib_dump_path(struct ipoib_dev *ipoib, void *arg)
{
	struct seq_file *m = arg;
	struct ipoib_path *path;

	list_for_each_entry(path, &ipoib->path_list, entry) {
		ipoib_show_gid(m, &path->gid);
		seq_printf(m, "  complete: %6s\n", ipoib_yes(path->ah));
		if (path->ah) {
			int mbps = ib_rate_to_mbps(path->rate);

			seq_printf(m, "  DLID:     0x%04x\n", path->dlid);
			seq_printf(m, "  SL: %12d\n", path->sl);
			seq_printf(m, "  rate: %8d.%d Gb/sec\n", mbps / 1000,
				   mbps % 1000);
		}
		seq_putc(m, '\n');
		if (seq_has_overflowed(m))
			break;
	}
	return 0;
}

static void ipoib_show_dst(struct seq_file *m, struct ipoib_dst *dst)
{
	/* In this order, so that it has not been used in the future. */
	unsigned long used = READ_ONCE(dst->last_used);
	unsigned long now = jiffies;

	seq_printf(m, "address: %20phC\n", dst->addr);
	seq_printf(m, "  QPN: 0x%06x\n", dst->qpn);
	seq_printf(m, "  complete: %s\n",
		   ipoib_yes(rcu_access_pointer(dst->ah)));
	seq_printf(m, "  unreachable: %s\n",
		   ipoib_yes(READ_ONCE(dst->unreachable) &&
			     time_before(now, READ_ONCE(dst->dead_until))));
	seq_printf(m, "  queuelen: %u\n", skb_queue_len_lockless(&dst->parked));
	seq_printf(m, "  idle: %lu s\n\n", (now - used) / HZ);
}

/* Those whose path there was no memory for are not in any list. */
static int ipoib_dump_dst(struct ipoib_dev *ipoib, void *arg)
{
	struct seq_file *m = arg;
	struct ipoib_path *path;
	struct ipoib_dst *dst;

	list_for_each_entry(path, &ipoib->path_list, entry) {
		list_for_each_entry(dst, &path->dsts, path_entry)
			ipoib_show_dst(m, dst);
		if (seq_has_overflowed(m))
			break;
	}
	return 0;
}

static const char *ipoib_conn_state_name(enum ipoib_conn_state state)
{
	static const char * const names[] = {
		[IPOIB_CONN_NEW] = "waiting",
		[IPOIB_CONN_OPENING] = "opening",
		[IPOIB_CONN_UP] = "up",
		[IPOIB_CONN_LEAVING] = "leaving",
		[IPOIB_CONN_DYING] = "flushing",
		[IPOIB_CONN_DEAD] = "ended",
	};

	return names[state];
}

static void ipoib_show_conn_tx(struct seq_file *m, struct ipoib_conn_tx *tx)
{
	if (tx->dst)
		seq_printf(m, "to: %20phC\n", tx->dst->addr);
	else
		seq_puts(m, "to: -\n");
	seq_printf(m, "  state: %s\n", ipoib_conn_state_name(tx->conn.state));
	seq_printf(m, "  QPN: 0x%06x\n", tx->sq.qp ? tx->sq.qp->qp_num : 0);
	seq_printf(m, "  queue: %u\n",
		   (unsigned int)(tx->sq.txq - tx->conn.ipoib->txq));
	seq_printf(m, "  MTU: %u\n", tx->mtu);
	if (tx->dst)
		seq_printf(m, "  idle: %lu s\n",
			   (jiffies - READ_ONCE(tx->dst->last_used)) / HZ);
	seq_putc(m, '\n');
}

static void ipoib_show_conn_rx(struct seq_file *m, struct ipoib_conn_rx *rx)
{
	seq_printf(m, "from: %20phC\n", rx->addr);
	seq_printf(m, "  state: %s\n", ipoib_conn_state_name(rx->conn.state));
	seq_printf(m, "  QPN: 0x%06x\n", rx->qp ? rx->qp->qp_num : 0);
	if (rx->rxq)
		seq_printf(m, "  queue: %u\n",
			   (unsigned int)(rx->rxq - rx->conn.ipoib->cm.rxq));
	seq_printf(m, "  idle: %lu s\n\n",
		   (jiffies - READ_ONCE(rx->last_used)) / HZ);
}

static int ipoib_dump_conn(struct ipoib_dev *ipoib, void *arg)
{
	struct list_head *lists[] = {
		&ipoib->cm.waiting, &ipoib->cm.retrying, &ipoib->cm.conns,
		&ipoib->cm.leaving
	};
	struct ipoib_conn *conn;
	struct seq_file *m = arg;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(lists); i++) {
		list_for_each_entry(conn, lists[i], entry) {
			if (conn->passive)
				ipoib_show_conn_rx(m, ipoib_conn_rx(conn));
			else
				ipoib_show_conn_tx(m, ipoib_conn_tx(conn));
			if (seq_has_overflowed(m))
				return 0;
		}
	}
	return 0;
}

static int ipoib_mcg_show(struct seq_file *m, void *unused)
{
	return ipoib_in_work(m->private, ipoib_dump_mcg, m);
}
DEFINE_SHOW_ATTRIBUTE(ipoib_mcg);

static int ipoib_path_show(struct seq_file *m, void *unused)
{
	return ipoib_in_work(m->private, ipoib_dump_path, m);
}
DEFINE_SHOW_ATTRIBUTE(ipoib_path);

static int ipoib_dst_show(struct seq_file *m, void *unused)
{
	return ipoib_in_work(m->private, ipoib_dump_dst, m);
}
DEFINE_SHOW_ATTRIBUTE(ipoib_dst);

static int ipoib_conn_show(struct seq_file *m, void *unused)
{
	return ipoib_in_work(m->private, ipoib_dump_conn, m);
}
DEFINE_SHOW_ATTRIBUTE(ipoib_conn);

static const struct {
	const char *suffix;
	const struct file_operations *fops;
} ipoib_debugfs_files[IPOIB_DEBUGFS_FILES] = {
	{ "mcg", &ipoib_mcg_fops },
	{ "path", &ipoib_path_fops },
	{ "dst", &ipoib_dst_fops },
	{ "conn", &ipoib_conn_fops },
};

/* debugfs knows no network namespaces, and two of them may each have an ib0: who
 * comes second has the inode number of its namespace in the name.
 */
static struct dentry *ipoib_debugfs_create(struct ipoib_dev *ipoib,
					   unsigned int i)
{
	struct net_device *dev = ipoib->netdev;
	char name[IFNAMSIZ + 24];
	struct dentry *taken;

	snprintf(name, sizeof(name), "%s_%s", dev->name,
		 ipoib_debugfs_files[i].suffix);
	taken = debugfs_lookup(name, ipoib_debugfs_root);
	/* An error where the kernel has no debugfs. */
	if (!IS_ERR_OR_NULL(taken)) {
		dput(taken);
		snprintf(name, sizeof(name), "%s@%u_%s", dev->name,
			 dev_net(dev)->ns.inum, ipoib_debugfs_files[i].suffix);
	}
	return debugfs_create_file(name, 0444, ipoib_debugfs_root, ipoib,
				   ipoib_debugfs_files[i].fops);
}

/**
 * ipoib_debugfs_del() - remove an interface's files
 * @ipoib: the interface
 *
 * Nobody reads them any more when this returns.
 *
 * Context: RTNL, may sleep.
 */
void ipoib_debugfs_del(struct ipoib_dev *ipoib)
{
	unsigned int i;

	ASSERT_RTNL();
	for (i = 0; i < IPOIB_DEBUGFS_FILES; i++) {
		debugfs_remove(ipoib->debugfs[i]);
		ipoib->debugfs[i] = NULL;
	}
}

/**
 * ipoib_debugfs_add() - make an interface's files, by the name that it has
 * @ipoib: the interface
 *
 * Context: RTNL, may sleep.
 */
void ipoib_debugfs_add(struct ipoib_dev *ipoib)
{
	unsigned int i;

	ASSERT_RTNL();
	for (i = 0; i < IPOIB_DEBUGFS_FILES; i++)
		ipoib->debugfs[i] = ipoib_debugfs_create(ipoib, i);
}

/**
 * ipoib_debugfs_init() - make the directory
 *
 * A kernel without debugfs, or without memory, is no error.
 *
 * Context: process; before there is any interface.
 */
void ipoib_debugfs_init(void)
{
	ipoib_debugfs_root = debugfs_create_dir("ipoib", NULL);
}

/**
 * ipoib_debugfs_exit() - undo ipoib_debugfs_init()
 *
 * Context: process; when there is no interface any more.
 */
void ipoib_debugfs_exit(void)
{
	debugfs_remove(ipoib_debugfs_root);
}
