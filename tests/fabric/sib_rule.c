// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Fault rules as text: what is written to and read from the files in faults/.
 * The grammar is described in Documentation/fabric.rst.
 */
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "sib.h"

const char * const sib_fault_names[SIB_FAULT_ACTS] = {
	[SIB_FAULT_DROP] = "drop",
	[SIB_FAULT_DUPLICATE] = "duplicate",
	[SIB_FAULT_DELAY] = "delay",
	[SIB_FAULT_REORDER] = "reorder",
	[SIB_FAULT_CORRUPT] = "corrupt",
};

const char * const sib_verb_names[SIB_VERBS] = {
	[SIB_VERB_ALLOC_PD] = "alloc_pd",
	[SIB_VERB_CREATE_AH] = "create_ah",
	[SIB_VERB_CREATE_CQ] = "create_cq",
	[SIB_VERB_CREATE_QP] = "create_qp",
	[SIB_VERB_CREATE_SRQ] = "create_srq",
	[SIB_VERB_MODIFY_QP] = "modify_qp",
	[SIB_VERB_QUERY_QP] = "query_qp",
	[SIB_VERB_POST_SEND] = "post_send",
	[SIB_VERB_POST_RECV] = "post_recv",
	[SIB_VERB_POST_SRQ_RECV] = "post_srq_recv",
	[SIB_VERB_REQ_NOTIFY] = "req_notify",
	[SIB_VERB_ATTACH_MCAST] = "attach_mcast",
	[SIB_VERB_DETACH_MCAST] = "detach_mcast",
	[SIB_VERB_QUERY_PORT] = "query_port",
};

/* A number that may be written as a name. */
struct sib_name {
	const char *name;
	u32 value;
};

#define SIB_KIND_RC	(SIB_KIND_RC_DATA | SIB_KIND_RC_ACK)
#define SIB_KIND_MAD	(SIB_KIND_SMP | SIB_KIND_GMP)
#define SIB_KIND_ANY	(SIB_KIND_UD | SIB_KIND_RC | SIB_KIND_GMP)
#define SIB_KIND_ALL	(SIB_KIND_ANY | SIB_KIND_SMP)

static const struct sib_name sib_kind_names[] = {
	{ "any", SIB_KIND_ANY },
	{ "all", SIB_KIND_ALL },
	{ "ud", SIB_KIND_UD },
	{ "rc", SIB_KIND_RC },
	{ "rc-data", SIB_KIND_RC_DATA },
	{ "rc-ack", SIB_KIND_RC_ACK },
	{ "mad", SIB_KIND_MAD },
	{ "smp", SIB_KIND_SMP },
	{ "gmp", SIB_KIND_GMP },
	{ }
};

static const struct sib_name sib_dir_names[] = {
	{ "tx", SIB_DIR_TX },
	{ "rx", SIB_DIR_RX },
	{ "both", SIB_DIR_TX | SIB_DIR_RX },
	{ }
};

static const struct sib_name sib_class_names[] = {
	{ "smp-lid", IB_MGMT_CLASS_SUBN_LID_ROUTED },
	{ "smp-dr", IB_MGMT_CLASS_SUBN_DIRECTED_ROUTE },
	{ "sa", IB_MGMT_CLASS_SUBN_ADM },
	{ "perf", IB_MGMT_CLASS_PERF_MGMT },
	{ "cm", IB_MGMT_CLASS_CM },
	{ }
};

static const struct sib_name sib_method_names[] = {
	{ "get", IB_MGMT_METHOD_GET },
	{ "set", IB_MGMT_METHOD_SET },
	{ "send", IB_MGMT_METHOD_SEND },
	{ "trap", IB_MGMT_METHOD_TRAP },
	{ "report", IB_MGMT_METHOD_REPORT },
	{ "repress", IB_MGMT_METHOD_TRAP_REPRESS },
	{ "delete", 0x15 },
	{ "get-resp", IB_MGMT_METHOD_GET_RESP },
	{ "delete-resp", 0x95 },
	{ }
};

static const struct sib_name sib_attr_names[] = {
	{ "notice", 0x02 },
	{ "node-info", 0x11 },
	{ "port-info", 0x15 },
	{ "pkey-table", 0x16 },
	{ "path-record", 0x35 },
	{ "mcmember-record", 0x38 },
	{ "cm-req", 0x10 },
	{ "cm-rej", 0x12 },
	{ "cm-rep", 0x13 },
	{ "cm-rtu", 0x14 },
	{ }
};

static const struct sib_name sib_errno_names[] = {
	{ "EINVAL", EINVAL },
	{ "ENOMEM", ENOMEM },
	{ "EAGAIN", EAGAIN },
	{ "EIO", EIO },
	{ "ENODEV", ENODEV },
	{ "EBUSY", EBUSY },
	{ "ENOSPC", ENOSPC },
	{ "ENOENT", ENOENT },
	{ "EPERM", EPERM },
	{ "EOPNOTSUPP", EOPNOTSUPP },
	{ "ETIMEDOUT", ETIMEDOUT },
	{ }
};

static int sib_number(const struct sib_name *names, const char *text, u32 max,
		      u32 *value)
{
	int err;

	for (; names && names->name; names++)
		if (!strcasecmp(names->name, text)) {
			*value = names->value;
			return 0;
		}
	err = kstrtou32(text, 0, value);
	if (err)
		return err;
	return *value > max ? -ERANGE : 0;
}

static const char *sib_name_of(const struct sib_name *names, u32 value)
{
	for (; names->name; names++)
		if (names->value == value)
			return names->name;
	return NULL;
}

/* "1/100" */
static int sib_rule_chance(struct sib_fault_rule *r, char *word)
{
	char *den = strchr(word, '/');
	int err;

	*den++ = '\0';
	err = kstrtou32(word, 10, &r->num) ?: kstrtou32(den, 10, &r->den);
	if (err)
		return err;
	if (!r->den || r->num > r->den)
		return -ERANGE;
	return 0;
}

/* A word that takes no value. -ENOENT: it is none. */
static int sib_rule_flag(struct sib_fault_rule *r, char *word)
{
	if (strchr(word, '/'))
		return sib_rule_chance(r, word);
	if (!strcmp(word, "always"))
		r->left = U32_MAX;
	else if (!strcmp(word, "mcast"))
		r->multicast = true;
	else if (!strcmp(word, "reseal"))
		r->reseal = true;
	else
		return -ENOENT;
	return 0;
}

/* The words that take a value, which goes to a u32 of the rule. */
#define SIB_RULE_KEY(k, f, n, m) \
	{ .key = k, .offset = offsetof(struct sib_fault_rule, f), \
	  .names = n, .max = m }

static const struct {
	const char *key;
	size_t offset;
	const struct sib_name *names;
	u32 max;
} sib_rule_keys[] = {
	SIB_RULE_KEY("next", left, NULL, U32_MAX - 1),
	SIB_RULE_KEY("skip", skip, NULL, U32_MAX),
	SIB_RULE_KEY("kind", kinds, sib_kind_names, 0),
	SIB_RULE_KEY("dir", dirs, sib_dir_names, 0),
	SIB_RULE_KEY("class", mad_class, sib_class_names, U8_MAX),
	SIB_RULE_KEY("method", mad_method, sib_method_names, U8_MAX),
	SIB_RULE_KEY("attr", mad_attr, sib_attr_names, U16_MAX),
	SIB_RULE_KEY("qpn", dqpn, NULL, SIB_24BIT),
	SIB_RULE_KEY("ms", ms, NULL, 60000),
	SIB_RULE_KEY("gap", gap, NULL, 1000),
	SIB_RULE_KEY("at", at, NULL, IB_MGMT_MAD_SIZE - 4),
	SIB_RULE_KEY("put", put, NULL, U32_MAX),
};

/* The next word of *@text, words being separated by white space. */
static char *sib_next_word(char **text)
{
	char *word;

	do {
		word = strsep(text, " \t");
	} while (word && !*word);
	return word;
}

/* "key=value" or "key value" */
static int sib_rule_pair(struct sib_fault_rule *r, char *word, char **text)
{
	char *val = strchr(word, '=');
	unsigned int i;
	void *field;

	if (val)
		*val++ = '\0';
	else
		val = sib_next_word(text);
	if (!val)
		return -EINVAL;
	for (i = 0; i < ARRAY_SIZE(sib_rule_keys); i++) {
		if (strcmp(word, sib_rule_keys[i].key))
			continue;
		field = (void *)r + sib_rule_keys[i].offset;
		return sib_number(sib_rule_keys[i].names, val,
				  sib_rule_keys[i].max, field);
	}
	return -EINVAL;
}

static struct sib_fault_rule *sib_rule_alloc(enum sib_fault_act act)
{
	struct sib_fault_rule *r = kzalloc(sizeof(*r), GFP_KERNEL);

	if (!r)
		return NULL;
	r->act = act;
	r->left = U32_MAX;
	r->dqpn = ~0U;
	r->at = ~0U;
	r->dirs = SIB_DIR_TX;
	r->ms = act == SIB_FAULT_REORDER ? 20 : 10;
	r->gap = 1;
	return r;
}

/* One rule; appended to @tx and @rx as it says. */
static int sib_rule_parse(enum sib_fault_act act, char *text,
			  struct list_head *tx, struct list_head *rx)
{
	struct sib_fault_rule *r = sib_rule_alloc(act), *other = NULL;
	char *word;
	int err = 0;

	if (!r)
		return -ENOMEM;
	while (!err && (word = sib_next_word(&text))) {
		err = sib_rule_flag(r, word);
		if (err == -ENOENT)
			err = sib_rule_pair(r, word, &text);
	}
	if (!r->kinds)
		r->kinds = r->mad_class || r->mad_method || r->mad_attr ||
			   r->at != ~0U ? SIB_KIND_MAD : SIB_KIND_ANY;
	if (!err && r->dirs == (SIB_DIR_TX | SIB_DIR_RX)) {
		other = kmemdup(r, sizeof(*r), GFP_KERNEL);
		if (!other)
			err = -ENOMEM;
	}
	if (err) {
		kfree(r);
		return err;
	}
	list_add_tail(&r->node, r->dirs & SIB_DIR_TX ? tx : rx);
	if (other)
		list_add_tail(&other->node, rx);
	return 0;
}

/**
 * sib_rules_parse() - rules from text
 * @act: what they do
 * @text: rules separated by newlines or semicolons; overwritten
 * @tx: gets rules for what the HCA sends
 * @rx: gets rules for what it receives
 *
 * "off" and nothing at all are no rules. Process context.
 *
 * Return: 0, -EINVAL or -ERANGE for what is no rule, or -ENOMEM; on errors the
 * lists are left empty.
 */
int sib_rules_parse(enum sib_fault_act act, char *text,
		    struct list_head *tx, struct list_head *rx)
{
	char *line;
	int err;

	while ((line = strsep(&text, ";\n"))) {
		line = strim(line);
		if (!*line || !strcmp(line, "off"))
			continue;
		err = sib_rule_parse(act, line, tx, rx);
		if (err) {
			sib_rules_free(tx);
			sib_rules_free(rx);
			return err;
		}
	}
	return 0;
}

/**
 * sib_rules_free() - free rules that no end uses
 * @rules: list of struct sib_fault_rule, empty afterwards
 */
void sib_rules_free(struct list_head *rules)
{
	struct sib_fault_rule *r, *tmp;

	list_for_each_entry_safe(r, tmp, rules, node) {
		list_del(&r->node);
		kfree(r);
	}
}

static void sib_rule_show(struct seq_file *s, const struct sib_fault_rule *r)
{
	const char *kind = sib_name_of(sib_kind_names, r->kinds);

	if (r->den)
		seq_printf(s, "%u/%u ", r->num, r->den);
	if (r->left == U32_MAX)
		seq_puts(s, r->den ? "" : "always ");
	else
		seq_printf(s, "next=%u ", r->left);
	if (r->skip)
		seq_printf(s, "skip=%u ", r->skip);
	seq_printf(s, "kind=%s", kind ?: "?");
	if (r->multicast)
		seq_puts(s, " mcast");
	if (r->mad_class)
		seq_printf(s, " class=0x%02x", r->mad_class);
	if (r->mad_method)
		seq_printf(s, " method=0x%02x", r->mad_method);
	if (r->mad_attr)
		seq_printf(s, " attr=0x%04x", r->mad_attr);
	if (r->dqpn != ~0U)
		seq_printf(s, " qpn=0x%x", r->dqpn);
	if (r->act == SIB_FAULT_REORDER)
		seq_printf(s, " gap=%u", r->gap);
	if (r->act == SIB_FAULT_DELAY || r->act == SIB_FAULT_REORDER)
		seq_printf(s, " ms=%u", r->ms);
	if (r->reseal)
		seq_puts(s, " reseal");
	if (r->at != ~0U)
		seq_printf(s, " at=%u put=0x%x", r->at, r->put);
	seq_printf(s, " seen=%llu hits=%llu\n", r->seen, r->hits);
}

/**
 * sib_rules_show() - rules as text
 * @s: where to
 * @f: whose rules
 * @act: which of them
 * @dir: direction to name at each line's start
 */
void sib_rules_show(struct seq_file *s, struct sib_faults *f,
		    enum sib_fault_act act, const char *dir)
{
	struct sib_fault_rule *r;
	unsigned long flags;

	spin_lock_irqsave(&f->lock, flags);
	list_for_each_entry(r, &f->rules, node) {
		if (r->act != act)
			continue;
		seq_printf(s, "dir=%s ", dir);
		sib_rule_show(s, r);
	}
	spin_unlock_irqrestore(&f->lock, flags);
}

static int sib_verb_number(const char *name)
{
	int i;

	for (i = 0; i < SIB_VERBS; i++)
		if (!strcmp(name, sib_verb_names[i]))
			return i;
	return -EINVAL;
}

/* "ENOMEM skip=2 next=1", behind the verb's name */
static int sib_verb_words(struct sib_verb_fault *v, char *text)
{
	char *word = sib_next_word(&text);
	u32 n;

	if (!word)
		return -EINVAL;
	if (!strcmp(word, "off"))
		return 0;
	if (*word == '-')
		word++;
	if (sib_number(sib_errno_names, word, 4095, &n) || !n)
		return -EINVAL;
	v->err = n;
	v->left = U32_MAX;
	while ((word = sib_next_word(&text))) {
		char *val = strchr(word, '=');

		if (val)
			*val++ = '\0';
		else
			val = sib_next_word(&text);
		if (!val || kstrtou32(val, 0, &n))
			return -EINVAL;
		if (!strcmp(word, "next"))
			v->left = n;
		else if (!strcmp(word, "skip"))
			v->skip = n;
		else
			return -EINVAL;
	}
	return 0;
}

/**
 * sib_verb_rule_parse() - tell a verb to fail
 * @vf: faults of an HCA
 * @text: "VERB ERRNO [skip=N] [next=N]", "VERB off" or "off"; overwritten
 *
 * Return: 0 or -EINVAL. Process context.
 */
int sib_verb_rule_parse(struct sib_verb_faults *vf, char *text)
{
	struct sib_verb_fault v = {};
	bool all, active = false;
	int i, err, verb = 0;
	char *name;

	text = strim(text);
	all = !strcmp(text, "off");
	if (!all) {
		name = sib_next_word(&text);
		verb = name ? sib_verb_number(name) : -EINVAL;
		if (verb < 0)
			return verb;
		err = sib_verb_words(&v, text);
		if (err)
			return err;
	}
	spin_lock_irq(&vf->lock);
	for (i = 0; i < SIB_VERBS; i++) {
		if (all || i == verb) {
			v.hits = vf->verb[i].hits;
			vf->verb[i] = v;
		}
		active |= vf->verb[i].err;
	}
	WRITE_ONCE(vf->active, active);
	spin_unlock_irq(&vf->lock);
	return 0;
}

/**
 * sib_verb_rules_show() - which verbs are told to fail, and did
 * @s: where to
 * @vf: faults of an HCA
 */
void sib_verb_rules_show(struct seq_file *s, struct sib_verb_faults *vf)
{
	int i;

	spin_lock_irq(&vf->lock);
	for (i = 0; i < SIB_VERBS; i++) {
		const struct sib_verb_fault *v = &vf->verb[i];
		const char *name = sib_name_of(sib_errno_names, v->err);

		if (!v->err && !v->hits)
			continue;
		seq_printf(s, "%s ", sib_verb_names[i]);
		if (!v->err)
			seq_puts(s, "off");
		else if (name)
			seq_puts(s, name);
		else
			seq_printf(s, "%d", v->err);
		if (v->err && v->left != U32_MAX)
			seq_printf(s, " next=%u", v->left);
		if (v->skip)
			seq_printf(s, " skip=%u", v->skip);
		seq_printf(s, " hits=%llu\n", v->hits);
	}
	spin_unlock_irq(&vf->lock);
}
