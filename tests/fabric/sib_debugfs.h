/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Files below /sys/kernel/debug/sib: what the files that make them share. */
#ifndef SIB_DEBUGFS_H
#define SIB_DEBUGFS_H

#include "sib.h"

struct dentry;
struct seq_file;

/**
 * struct sib_knob - a file
 * @name: file name
 * @show: prints its content; NULL: it cannot be read
 * @write: takes what is written, trimmed and ended by a NUL, which it may
 *	overwrite; @append as in ">>"; NULL: it cannot be written
 * @arg: for @show and @write
 *
 * Process context, no locks held. @hca cannot go away meanwhile.
 */
struct sib_knob {
	const char *name;
	int (*show)(struct seq_file *s, struct sib_hca *hca, int arg);
	int (*write)(struct sib_hca *hca, char *text, bool append, int arg);
	int arg;
};

/* What a file's inode points to. */
struct sib_dbg_file {
	struct sib_hca *hca;
	const struct sib_knob *knob;
};

/* sib_debugfs.c */
void sib_dbg_create(struct dentry *dir, struct sib_hca *hca,
		    const struct sib_knob *knobs, struct sib_dbg_file *files);

/* sib_dbgfault.c */
extern const struct sib_knob sib_fault_knobs[];
extern const unsigned int sib_n_fault_knobs;

/* sib_dbgswitch.c */
const char *sib_state_name(u8 state);
void sib_dbg_end_counters(struct seq_file *s, struct sib_end *end);
int sib_switch_ports_show(struct seq_file *s, struct sib_hca *hca, int arg);
int sib_switch_lft_show(struct seq_file *s, struct sib_hca *hca, int arg);
int sib_switch_mft_show(struct seq_file *s, struct sib_hca *hca, int arg);

#endif
