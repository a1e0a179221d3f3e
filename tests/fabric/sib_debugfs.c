// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Runtime control: /sys/kernel/debug/sib. Documentation/fabric.rst describes
 * every file. Those about faults are in sib_dbgfault.c, those about the switch
 * in sib_dbgswitch.c.
 */
#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "sib_debugfs.h"

#define SIB_TEXT_MAX	4096	/* bytes in one write */

static struct dentry *sib_debugfs_root;

static int sib_dbg_show(struct seq_file *s, void *unused)
{
	struct sib_dbg_file *f = s->private;

	return f->knob->show(s, f->hca, f->knob->arg);
}

static int sib_dbg_open(struct inode *inode, struct file *file)
{
	struct sib_dbg_file *f = inode->i_private;

	if ((file->f_mode & FMODE_READ) && !f->knob->show)
		return -EACCES;
	if ((file->f_mode & FMODE_WRITE) && !f->knob->write)
		return -EACCES;
	return single_open(file, sib_dbg_show, f);
}

static ssize_t sib_dbg_write(struct file *file, const char __user *buf,
			     size_t len, loff_t *pos)
{
	struct sib_dbg_file *f = file_inode(file)->i_private;
	bool append = file->f_flags & O_APPEND;
	char *text;
	int err;

	if (len > SIB_TEXT_MAX)
		return -E2BIG;
	text = memdup_user_nul(buf, len);
	if (IS_ERR(text))
		return PTR_ERR(text);
	err = f->knob->write(f->hca, strim(text), append, f->knob->arg);
	kfree(text);
	return err ?: len;
}

static const struct file_operations sib_dbg_fops = {
	.owner = THIS_MODULE,
	.open = sib_dbg_open,
	.read = seq_read,
	.write = sib_dbg_write,
	.llseek = seq_lseek,
	.release = single_release,
};

/**
 * sib_dbg_create() - make files for knobs
 * @dir: directory they go to
 * @hca: HCA they are about; NULL: the fabric
 * @knobs: ends with an entry without name
 * @files: an entry per knob, which must outlive @dir
 *
 * As usual for debugfs, errors are ignored.
 */
void sib_dbg_create(struct dentry *dir, struct sib_hca *hca,
		    const struct sib_knob *knobs, struct sib_dbg_file *files)
{
	for (; knobs->name; knobs++, files++) {
		umode_t mode = (knobs->show ? 0444 : 0) |
			       (knobs->write ? 0200 : 0);

		files->hca = hca;
		files->knob = knobs;
		debugfs_create_file(knobs->name, mode, dir, files,
				    &sib_dbg_fops);
	}
}

static int sib_link_show(struct seq_file *s, struct sib_hca *hca, int arg)
{
	seq_printf(s, "%d\n", hca->port.end.admin_up);
	return 0;
}

static int sib_link_write(struct sib_hca *hca, char *text, bool append, int arg)
{
	bool up;
	int err = kstrtobool(text, &up);

	return err ?: sib_link_set(&hca->port, up);
}

static void sib_info_keys(struct seq_file *s, struct sib_port *port)
{
	int i;

	for (i = 0; i < SIB_PKEYS; i++)
		if (READ_ONCE(port->end.info.pkeys[i]))
			seq_printf(s, "pkey %d 0x%04x\n", i,
				   READ_ONCE(port->end.info.pkeys[i]));
	for (i = 0; i < SIB_GIDS; i++)
		if (READ_ONCE(port->guids[i]))
			seq_printf(s, "guid %d 0x%016llx\n", i,
				   READ_ONCE(port->guids[i]));
}

static int sib_info_show(struct seq_file *s, struct sib_hca *hca, int arg)
{
	struct sib_portinfo *info = &hca->port.end.info;
	struct sib_end *peer;

	rcu_read_lock();
	peer = rcu_dereference(hca->port.end.peer);
	seq_printf(s, "switch_port %u\n", peer ? peer->num : 0);
	rcu_read_unlock();
	seq_printf(s, "state %s\n", sib_state_name(READ_ONCE(info->state)));
	seq_printf(s, "lid %u\n", READ_ONCE(info->lid));
	seq_printf(s, "lmc %u\n", READ_ONCE(info->lmc));
	seq_printf(s, "sm_lid %u\n", READ_ONCE(info->sm_lid));
	seq_printf(s, "mtu %d\n", ib_mtu_enum_to_int(READ_ONCE(info->mtu)));
	seq_printf(s, "cap_mask 0x%08x\n", READ_ONCE(info->cap_mask));
	seq_printf(s, "m_key_violations %u\n", info->m_key_violations);
	seq_printf(s, "p_key_violations %u\n", info->p_key_violations);
	seq_printf(s, "q_key_violations %u\n", info->q_key_violations);
	seq_printf(s, "traps_sent %llu\n", hca->port.traps.sent);
	sib_info_keys(s, &hca->port);
	seq_printf(s, "pds %d\n", atomic_read(&hca->n_pds));
	seq_printf(s, "cqs %d\n", atomic_read(&hca->n_cqs));
	seq_printf(s, "qps %d\n", atomic_read(&hca->n_qps));
	seq_printf(s, "srqs %d\n", atomic_read(&hca->n_srqs));
	seq_printf(s, "ahs %d\n", atomic_read(&hca->n_ahs));
	seq_printf(s, "mrs %d\n", atomic_read(&hca->n_mrs));
	return 0;
}

static int sib_counters_show(struct seq_file *s, struct sib_hca *hca, int arg)
{
	int i;

	sib_dbg_end_counters(s, &hca->port.end);
	for (i = 0; i < SIB_STATS; i++)
		seq_printf(s, "%s %llu\n", sib_stat_names[i],
			   sib_stat_sum(hca, i));
	return 0;
}

static const struct sib_knob sib_hca_knobs[] = {
	{ .name = "link", .show = sib_link_show, .write = sib_link_write },
	{ .name = "info", .show = sib_info_show },
	{ .name = "counters", .show = sib_counters_show },
	{ }
};

/**
 * sib_debugfs_add() - an HCA's directory
 * @hca: a registered HCA
 */
void sib_debugfs_add(struct sib_hca *hca)
{
	unsigned int n = ARRAY_SIZE(sib_hca_knobs);
	struct sib_dbg_file *files;
	struct dentry *faults;

	files = kcalloc(n + sib_n_fault_knobs, sizeof(*files), GFP_KERNEL);
	if (!files)
		return;
	hca->dbg_files = files;
	hca->dbg = debugfs_create_dir(dev_name(&hca->ibdev.dev),
				      sib_debugfs_root);
	sib_dbg_create(hca->dbg, hca, sib_hca_knobs, files);
	faults = debugfs_create_dir("faults", hca->dbg);
	sib_dbg_create(faults, hca, sib_fault_knobs, files + n);
}

/**
 * sib_debugfs_remove() - remove an HCA's directory
 * @hca: the HCA
 *
 * Waits for those who are reading or writing in it, and thus must not be called
 * with sib_lock held.
 */
void sib_debugfs_remove(struct sib_hca *hca)
{
	debugfs_remove(hca->dbg);
	kfree(hca->dbg_files);
	hca->dbg = NULL;
	hca->dbg_files = NULL;
}

/* What may be written to add, beside name=. */
#define SIB_OPT(field, bool) \
	{ #field, offsetof(struct sib_hca_opts, field), bool }

static const struct {
	const char *name;
	size_t offset;
	bool is_bool;		/* otherwise u32 */
} sib_opts[] = {
	SIB_OPT(csum, true),
	SIB_OPT(lso, true),
	SIB_OPT(srq, true),
	SIB_OPT(block_loopback, true),
	SIB_OPT(max_srq_sge, false),
	SIB_OPT(max_send_sge, false),
	SIB_OPT(comp_vectors, false),
	SIB_OPT(mtu, false),
	SIB_OPT(speed, false),
	SIB_OPT(width, false),
};

static int sib_opt_set(struct sib_hca_opts *opts, const char *key,
		       const char *val)
{
	unsigned int i;

	if (!strcmp(key, "name"))
		return strscpy(opts->name, val, sizeof(opts->name)) < 0 ?
		       -ENAMETOOLONG : 0;
	for (i = 0; i < ARRAY_SIZE(sib_opts); i++) {
		void *field = (void *)opts + sib_opts[i].offset;

		if (strcmp(key, sib_opts[i].name))
			continue;
		return sib_opts[i].is_bool ? kstrtobool(val, field) :
					     kstrtou32(val, 0, field);
	}
	return -EINVAL;
}

static int sib_add_write(struct sib_hca *unused, char *text, bool append,
			 int arg)
{
	struct sib_hca_opts opts;
	char *word, *val;
	int err;

	sib_default_opts(&opts);
	while ((word = strsep(&text, " \t\n"))) {
		if (!*word)
			continue;
		val = strchr(word, '=');
		if (!val)
			return -EINVAL;
		*val++ = '\0';
		err = sib_opt_set(&opts, word, val);
		if (err)
			return err;
	}
	return PTR_ERR_OR_ZERO(sib_hca_add(&opts));
}

static int sib_del_write(struct sib_hca *unused, char *text, bool append,
			 int arg)
{
	return sib_hca_remove_name(text);
}

static const struct sib_knob sib_root_knobs[] = {
	{ .name = "add", .write = sib_add_write },
	{ .name = "del", .write = sib_del_write },
	{ .name = "switch_ports", .show = sib_switch_ports_show },
	{ .name = "switch_lft", .show = sib_switch_lft_show },
	{ .name = "switch_mft", .show = sib_switch_mft_show },
	{ }
};

static struct sib_dbg_file sib_root_files[ARRAY_SIZE(sib_root_knobs)];

/**
 * sib_debugfs_init() - make the fabric's directory
 */
void sib_debugfs_init(void)
{
	sib_debugfs_root = debugfs_create_dir("sib", NULL);
	sib_dbg_create(sib_debugfs_root, NULL, sib_root_knobs, sib_root_files);
}

/**
 * sib_debugfs_exit() - remove the fabric's directory
 *
 * After the HCAs have been removed: the module is being unloaded then, so that
 * nobody can open the files and add another.
 */
void sib_debugfs_exit(void)
{
	debugfs_remove(sib_debugfs_root);
	sib_debugfs_root = NULL;
}
