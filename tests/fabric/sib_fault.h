/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Faults on demand. What an administrator writes is in Documentation/fabric.rst.
 *
 * Every end of a cable has a list of rules for the packets it sends. A healthy
 * end costs a packet one look at sib_faults.active.
 */
#ifndef SIB_FAULT_H
#define SIB_FAULT_H

#include <linux/list.h>
#include <linux/prandom.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/workqueue.h>

struct seq_file;
struct sib_end;
struct sib_hca;
struct sib_pkt;

/* What happens to a packet; the names are those of the debugfs files. */
enum sib_fault_act {
	SIB_FAULT_DROP,
	SIB_FAULT_DUPLICATE,
	SIB_FAULT_DELAY,
	SIB_FAULT_REORDER,
	SIB_FAULT_CORRUPT,
	SIB_FAULT_ACTS
};

/* Which packets; a bit each, so that a rule's kind is a mask. */
enum sib_fault_kind {
	SIB_KIND_UD = BIT(0),		/* UD that is no MAD */
	SIB_KIND_RC_DATA = BIT(1),	/* RC requests */
	SIB_KIND_RC_ACK = BIT(2),	/* ACK, NAK, RNR NAK */
	SIB_KIND_SMP = BIT(3),		/* to QP0 */
	SIB_KIND_GMP = BIT(4),		/* to QP1 */
};

#define SIB_FAULT_MAX_HELD 4096	/* packets that one end holds back */

#define SIB_DIR_TX	BIT(0)	/* what an HCA sends */
#define SIB_DIR_RX	BIT(1)	/* what it receives: sent by the switch port */

/**
 * struct sib_fault_rule - one rule
 * @node: place in sib_faults.rules
 * @act: what it does
 * @kinds: mask of enum sib_fault_kind
 * @dirs: mask of SIB_DIR_*, while it is parsed
 * @mad_class: management class, 0: any
 * @mad_method: method, 0: any
 * @mad_attr: attribute, host order, 0: any
 * @dqpn: destination QP, ~0: any
 * @num: strikes @num
 * @den: of @den packets by chance; 0: every one, as @left permits
 * @skip: matching packets that pass before the rule begins
 * @left: packets it still strikes, U32_MAX: for ever
 * @ms: SIB_FAULT_DELAY: how long; SIB_FAULT_REORDER: at most, if fewer than @gap
 *	packets come
 * @gap: SIB_FAULT_REORDER: packets that overtake
 * @multicast: only packets to a multicast LID
 * @reseal: SIB_FAULT_CORRUPT: with CRCs that fit, so that only the payload's
 *	own checksums tell
 * @at: SIB_FAULT_CORRUPT: where in a MAD @put goes, ~0: nowhere
 * @put: four bytes, host order
 * @seen: packets that matched
 * @hits: packets struck
 */
struct sib_fault_rule {
	struct list_head node;
	enum sib_fault_act act;
	u32 kinds;
	u32 dirs;
	u32 mad_class;
	u32 mad_method;
	u32 mad_attr;
	u32 dqpn;
	u32 num;
	u32 den;
	u32 skip;
	u32 left;
	u32 ms;
	u32 gap;
	u32 at;
	u32 put;
	bool multicast;
	bool reseal;
	u64 seen;
	u64 hits;
};

/**
 * struct sib_faults - the faults of the packets that one end sends
 * @active: there are rules or held packets; read without the lock
 * @lock: protects everything else here; leaf but for the work queue's
 * @end: whose faults these are
 * @rules: struct sib_fault_rule, in the order they were given
 * @held: packets that wait for their time or to be overtaken
 * @num_held: how many, SIB_FAULT_MAX_HELD at most
 * @overflowed: packets lost because as many were held
 * @rnd: pseudo random numbers, so that a run can be repeated
 * @seed: what @rnd was started with
 * @work: lets go of packets in @held whose time has come
 * @done: packets struck, by enum sib_fault_act; never reset by a new rule
 */
struct sib_faults {
	bool active;
	spinlock_t lock; /* see @lock above */
	struct sib_end *end;
	struct list_head rules;
	struct list_head held;
	unsigned int num_held;
	u64 overflowed;
	struct rnd_state rnd;
	u32 seed;
	struct delayed_work work;
	u64 done[SIB_FAULT_ACTS];
};

/* Verbs that can be told to fail. */
enum sib_verb {
	SIB_VERB_ALLOC_PD,
	SIB_VERB_CREATE_AH,
	SIB_VERB_CREATE_CQ,
	SIB_VERB_CREATE_QP,
	SIB_VERB_CREATE_SRQ,
	SIB_VERB_MODIFY_QP,
	SIB_VERB_QUERY_QP,
	SIB_VERB_POST_SEND,
	SIB_VERB_POST_RECV,
	SIB_VERB_POST_SRQ_RECV,
	SIB_VERB_REQ_NOTIFY,
	SIB_VERB_ATTACH_MCAST,
	SIB_VERB_DETACH_MCAST,
	SIB_VERB_QUERY_PORT,
	SIB_VERBS
};

/**
 * struct sib_verb_fault - a verb that fails
 * @err: errno to fail with, positive; 0: no fault
 * @skip: calls that still succeed
 * @left: calls that then fail, U32_MAX: for ever
 * @hits: calls that failed so far
 */
struct sib_verb_fault {
	int err;
	u32 skip;
	u32 left;
	u64 hits;
};

/**
 * struct sib_verb_faults - those of an HCA
 * @active: some verb is told to fail; read without the lock
 * @lock: protects @verb; leaf
 * @verb: by enum sib_verb
 */
struct sib_verb_faults {
	bool active;
	spinlock_t lock; /* see @lock above */
	struct sib_verb_fault verb[SIB_VERBS];
};

/* sib_fault.c */
void sib_faults_init(struct sib_end *end);
void sib_faults_cleanup(struct sib_end *end);
void sib_fault_packet(struct sib_end *from, struct sib_pkt *pkt,
		      struct list_head *out);
void sib_faults_seed(struct sib_faults *f, u32 seed);
void sib_faults_add(struct sib_faults *f, struct list_head *rules);
void sib_faults_clear(struct sib_faults *f, enum sib_fault_act act);
void sib_faults_flush(struct sib_faults *f);
void sib_verb_faults_init(struct sib_verb_faults *vf);
bool sib_verb_fails(struct sib_hca *hca, enum sib_verb verb, int *err);

/* sib_rule.c */
int sib_rules_parse(enum sib_fault_act act, char *text,
		    struct list_head *tx, struct list_head *rx);
void sib_rules_free(struct list_head *rules);
void sib_rules_show(struct seq_file *s, struct sib_faults *f,
		    enum sib_fault_act act, const char *dir);
int sib_verb_rule_parse(struct sib_verb_faults *vf, char *text);
void sib_verb_rules_show(struct seq_file *s, struct sib_verb_faults *vf);
extern const char * const sib_fault_names[SIB_FAULT_ACTS];
extern const char * const sib_verb_names[SIB_VERBS];

#endif
