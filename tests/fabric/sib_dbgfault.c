// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Runtime control: the files in an HCA's directory faults/. */
#include <linux/seq_file.h>
#include <linux/string.h>

#include "sib_debugfs.h"

/* The end that sends what the HCA receives: the switch's. */
static struct sib_end *sib_hca_peer(struct sib_hca *hca)
{
	return rcu_dereference_protected(hca->port.end.peer,
					 lockdep_is_held(&sib_lock));
}

static int sib_rules_file_show(struct seq_file *s, struct sib_hca *hca, int act)
{
	struct sib_end *peer;

	mutex_lock(&sib_lock);
	sib_rules_show(s, &hca->port.end.faults, act, "tx");
	peer = sib_hca_peer(hca);
	if (peer)
		sib_rules_show(s, &peer->faults, act, "rx");
	mutex_unlock(&sib_lock);
	return 0;
}

/* ">" replaces the rules, ">>" adds to them. */
static int sib_rules_file_write(struct sib_hca *hca, char *text, bool append,
				int act)
{
	struct sib_faults *f = &hca->port.end.faults;
	struct sib_end *peer;
	LIST_HEAD(tx);
	LIST_HEAD(rx);
	int err;

	err = sib_rules_parse(act, text, &tx, &rx);
	if (err)
		return err;
	mutex_lock(&sib_lock);
	peer = sib_hca_peer(hca);
	if (!append) {
		sib_faults_clear(f, act);
		if (peer)
			sib_faults_clear(&peer->faults, act);
	}
	sib_faults_add(f, &tx);
	if (peer)
		sib_faults_add(&peer->faults, &rx);
	else if (!list_empty(&rx))
		err = -ENOTCONN;
	mutex_unlock(&sib_lock);
	sib_rules_free(&rx);
	return err;
}

static int sib_seed_show(struct seq_file *s, struct sib_hca *hca, int arg)
{
	seq_printf(s, "%u\n", READ_ONCE(hca->port.end.faults.seed));
	return 0;
}

static int sib_seed_write(struct sib_hca *hca, char *text, bool append, int arg)
{
	struct sib_end *peer;
	u32 seed;
	int err;

	err = kstrtou32(text, 0, &seed);
	if (err)
		return err;
	mutex_lock(&sib_lock);
	sib_faults_seed(&hca->port.end.faults, seed);
	peer = sib_hca_peer(hca);
	if (peer)
		sib_faults_seed(&peer->faults, seed);
	mutex_unlock(&sib_lock);
	return 0;
}

static int sib_verb_show(struct seq_file *s, struct sib_hca *hca, int arg)
{
	sib_verb_rules_show(s, &hca->verb_faults);
	return 0;
}

static int sib_verb_write(struct sib_hca *hca, char *text, bool append, int arg)
{
	char *line;
	int err = 0;

	while (!err && (line = strsep(&text, ";\n")))
		err = sib_verb_rule_parse(&hca->verb_faults, line);
	return err;
}

/* Files that are one number. */
static int sib_lose_show(struct seq_file *s, struct sib_hca *hca, int arg)
{
	seq_printf(s, "%d\n", atomic_read(&hca->cq_lose));
	return 0;
}

static int sib_number_write(atomic_t *to, const char *text)
{
	unsigned int n;
	int err;

	err = kstrtouint(text, 0, &n);
	if (err)
		return err;
	if (n > INT_MAX)
		return -ERANGE;
	atomic_set(to, n);
	return 0;
}

static int sib_lose_write(struct sib_hca *hca, char *text, bool append, int arg)
{
	return sib_number_write(&hca->cq_lose, text);
}

static int sib_starve_show(struct seq_file *s, struct sib_hca *hca, int arg)
{
	seq_printf(s, "%d\n", atomic_read(&hca->starve));
	return 0;
}

static int sib_starve_write(struct sib_hca *hca, char *text, bool append,
			    int arg)
{
	return sib_number_write(&hca->starve, text);
}

static int sib_cq_delay_show(struct seq_file *s, struct sib_hca *hca, int arg)
{
	seq_printf(s, "%u\n", READ_ONCE(hca->cq_delay_ms));
	return 0;
}

static int sib_cq_delay_write(struct sib_hca *hca, char *text, bool append,
			      int arg)
{
	u32 ms;
	int err;

	err = kstrtou32(text, 0, &ms);
	if (err)
		return err;
	if (ms > 60000)
		return -ERANGE;
	WRITE_ONCE(hca->cq_delay_ms, ms);
	return 0;
}

static int sib_qp_error_write(struct sib_hca *hca, char *text, bool append,
			      int arg)
{
	u32 qpn;
	int err;

	err = kstrtou32(text, 0, &qpn) ?: sib_qp_force_error(hca, qpn);
	if (!err)
		atomic_inc(&hca->qps_failed);
	return err;
}

/* "0x12 send": the CQ for what QP 0x12 sends, or "recv" */
static int sib_cq_overrun_write(struct sib_hca *hca, char *text, bool append,
				int arg)
{
	char *number = strsep(&text, " \t");
	bool send;
	u32 qpn;
	int err;

	err = kstrtou32(number, 0, &qpn);
	if (err)
		return err;
	send = text && !strcmp(text, "send");
	if (!send && (!text || strcmp(text, "recv")))
		return -EINVAL;
	err = sib_cq_force_overrun(hca, qpn, send);
	if (!err)
		atomic_inc(&hca->cqs_failed);
	return err;
}

static int sib_counts_show(struct seq_file *s, struct sib_hca *hca, int arg)
{
	struct sib_faults *tx = &hca->port.end.faults, *rx = NULL;
	struct sib_end *peer;
	u64 verbs = 0;
	int i;

	mutex_lock(&sib_lock);
	peer = sib_hca_peer(hca);
	if (peer)
		rx = &peer->faults;
	for (i = 0; i < SIB_FAULT_ACTS; i++)
		seq_printf(s, "%s %llu\n", sib_fault_names[i],
			   tx->done[i] + (rx ? rx->done[i] : 0));
	seq_printf(s, "overflowed %llu\n",
		   tx->overflowed + (rx ? rx->overflowed : 0));
	mutex_unlock(&sib_lock);
	for (i = 0; i < SIB_VERBS; i++)
		verbs += READ_ONCE(hca->verb_faults.verb[i].hits);
	seq_printf(s, "verb %llu\n", verbs);
	seq_printf(s, "lose_completions %llu\n",
		   sib_stat_sum(hca, SIB_STAT_CQE_LOST));
	seq_printf(s, "delay_completions_ms %llu\n",
		   sib_stat_sum(hca, SIB_STAT_CQE_DELAYED));
	seq_printf(s, "starve %llu\n", sib_stat_sum(hca, SIB_STAT_STARVED));
	seq_printf(s, "qp_error %d\n", atomic_read(&hca->qps_failed));
	seq_printf(s, "cq_overrun %d\n", atomic_read(&hca->cqs_failed));
	return 0;
}

/* Back to health; what has been counted stays counted. */
static int sib_clear_write(struct sib_hca *hca, char *text, bool append,
			   int arg)
{
	char off[] = "off";
	struct sib_end *peer;

	mutex_lock(&sib_lock);
	sib_faults_clear(&hca->port.end.faults, SIB_FAULT_ACTS);
	peer = sib_hca_peer(hca);
	if (peer)
		sib_faults_clear(&peer->faults, SIB_FAULT_ACTS);
	mutex_unlock(&sib_lock);
	atomic_set(&hca->cq_lose, 0);
	atomic_set(&hca->starve, 0);
	WRITE_ONCE(hca->cq_delay_ms, 0);
	return sib_verb_rule_parse(&hca->verb_faults, off);
}

#define SIB_RULE_KNOB(n, a) \
	{ .name = n, .show = sib_rules_file_show, \
	  .write = sib_rules_file_write, .arg = a }

const struct sib_knob sib_fault_knobs[] = {
	SIB_RULE_KNOB("drop", SIB_FAULT_DROP),
	SIB_RULE_KNOB("duplicate", SIB_FAULT_DUPLICATE),
	SIB_RULE_KNOB("delay", SIB_FAULT_DELAY),
	SIB_RULE_KNOB("reorder", SIB_FAULT_REORDER),
	SIB_RULE_KNOB("corrupt", SIB_FAULT_CORRUPT),
	{ .name = "seed", .show = sib_seed_show, .write = sib_seed_write },
	{ .name = "verb", .show = sib_verb_show, .write = sib_verb_write },
	{ .name = "lose_completions", .show = sib_lose_show,
	  .write = sib_lose_write },
	{ .name = "delay_completions_ms", .show = sib_cq_delay_show,
	  .write = sib_cq_delay_write },
	{ .name = "starve", .show = sib_starve_show,
	  .write = sib_starve_write },
	{ .name = "qp_error", .write = sib_qp_error_write },
	{ .name = "cq_overrun", .write = sib_cq_overrun_write },
	{ .name = "counts", .show = sib_counts_show },
	{ .name = "clear", .write = sib_clear_write },
	{ }
};

const unsigned int sib_n_fault_knobs = ARRAY_SIZE(sib_fault_knobs);
