// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* sib_test: which tests there are, and how they are run and judged. */
#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/random.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "sibt.h"

#define SIBT_TEXT	256

MODULE_LICENSE("Dual BSD/GPL");
MODULE_DESCRIPTION("Tests of the software InfiniBand fabric");

struct sibt_dev {
	struct list_head node;
	struct ib_device *dev;
};

/* held over a test: protects sibt_devs, and what they name from going away */
static DEFINE_MUTEX(sibt_lock);
static LIST_HEAD(sibt_devs);
static struct dentry *sibt_dir;
static char sibt_result[SIBT_TEXT + 64] = "nothing was run\n";

static const struct sibt_test * const sibt_groups[] = {
	sibt_ud_tests, sibt_offload_tests, sibt_queue_tests, sibt_rc_tests,
	sibt_cost_tests,
};

/**
 * sibt_fail - say why a test fails
 * @t: the test
 * @fmt: printf-like
 *
 * Return: -EIO. The first reason of a run is kept.
 */
int sibt_fail(struct sibt *t, const char *fmt, ...)
{
	va_list args;

	if (t->reason[0])
		return -EIO;
	va_start(args, fmt);
	vsnprintf(t->reason, sizeof(t->reason), fmt, args);
	va_end(args);
	return -EIO;
}

/**
 * sibt_device - find a device
 * @name: its name
 *
 * Context: within a test. Return: the device or NULL.
 */
struct ib_device *sibt_device(const char *name)
{
	struct sibt_dev *d;

	lockdep_assert_held(&sibt_lock);

	list_for_each_entry(d, &sibt_devs, node)
		if (!strcmp(dev_name(&d->dev->dev), name))
			return d->dev;
	return NULL;
}

static const struct sibt_test *sibt_find(const char *name)
{
	const struct sibt_test *test;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sibt_groups); i++)
		for (test = sibt_groups[i]; test->name; test++)
			if (!strcmp(test->name, name))
				return test;
	return NULL;
}

static u32 *sibt_number(struct sibt_args *args, const char *key)
{
	const struct {
		const char *key;
		u32 *to;
	} keys[] = {
		{ "count", &args->count }, { "len", &args->len },
		{ "seed", &args->seed }, { "timeout", &args->timeout },
		{ "retry", &args->retry }, { "rnr", &args->rnr },
		{ "min_rnr", &args->min_rnr }, { "ms", &args->ms },
		{ "mtu", &args->mtu },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(keys); i++)
		if (!strcmp(keys[i].key, key))
			return keys[i].to;
	return NULL;
}

static int sibt_arg(struct sibt_args *args, char *word)
{
	char *value = strchr(word, '=');
	u32 *number;

	if (!value)
		return -EINVAL;
	*value++ = '\0';
	if (!strcmp(word, "a"))
		return strscpy(args->a, value, sizeof(args->a));
	if (!strcmp(word, "b"))
		return strscpy(args->b, value, sizeof(args->b));
	if (!strcmp(word, "grh"))
		return kstrtobool(value, &args->grh);
	number = sibt_number(args, word);
	return number ? kstrtou32(value, 0, number) : -EINVAL;
}

static int sibt_parse(struct sibt_args *args, char *text)
{
	char *word;
	int ret = 0;

	strscpy(args->a, "sib0", sizeof(args->a));
	strscpy(args->b, "sib1", sizeof(args->b));
	args->seed = get_random_u32();
	args->retry = 7;
	args->rnr = 7;
	args->timeout = 12;
	args->min_rnr = 12;
	args->mtu = 2048;
	while (ret >= 0 && (word = strsep(&text, " \t\n")))
		if (*word)
			ret = sibt_arg(args, word);
	return min(ret, 0);
}

static int sibt_run(const struct sibt_test *test, struct sibt *t)
{
	int ret;

	INIT_LIST_HEAD(&t->qps);
	INIT_LIST_HEAD(&t->ahs);
	prandom_seed_state(&t->rnd, t->args.seed);
	ret = test->run(t);
	sibt_cleanup(t);
	if (!ret && !t->reason[0])
		snprintf(sibt_result, sizeof(sibt_result), "ok %s\n",
			 test->name);
	else
		snprintf(sibt_result, sizeof(sibt_result),
			 "not ok %s (seed %u): %s\n", test->name, t->args.seed,
			 t->reason[0] ? t->reason : "no reason given");
	pr_info("sib_test: %s", sibt_result);
	return ret || t->reason[0] ? -EIO : 0;
}

static int sibt_command(char *text)
{
	const struct sibt_test *test;
	struct sibt *t;
	char *name;
	int ret;

	text = strim(text);
	name = strsep(&text, " \t\n");
	test = sibt_find(name);
	if (!test)
		return -ENOENT;
	t = kzalloc_obj(*t);
	if (!t)
		return -ENOMEM;
	ret = sibt_parse(&t->args, text);
	if (!ret) {
		mutex_lock(&sibt_lock);
		ret = sibt_run(test, t);
		mutex_unlock(&sibt_lock);
	}
	kfree(t);
	return ret;
}

static ssize_t sibt_write(struct file *file, const char __user *buf,
			  size_t len, loff_t *pos)
{
	char *text;
	int ret;

	if (len > SIBT_TEXT)
		return -EINVAL;
	text = memdup_user_nul(buf, len);
	if (IS_ERR(text))
		return PTR_ERR(text);
	ret = sibt_command(text);
	kfree(text);
	return ret ?: len;
}

static const struct file_operations sibt_run_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = sibt_write,
	.llseek = noop_llseek,
};

static int sibt_result_show(struct seq_file *file, void *unused)
{
	mutex_lock(&sibt_lock);
	seq_puts(file, sibt_result);
	mutex_unlock(&sibt_lock);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(sibt_result);

static int sibt_tests_show(struct seq_file *file, void *unused)
{
	const struct sibt_test *test;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sibt_groups); i++)
		for (test = sibt_groups[i]; test->name; test++)
			seq_printf(file, "%-16s %s\n", test->name, test->what);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(sibt_tests);

static int sibt_add_device(struct ib_device *dev)
{
	struct sibt_dev *d;

	if (!rdma_protocol_ib(dev, 1))
		return -EOPNOTSUPP;
	d = kzalloc_obj(*d);
	if (!d)
		return -ENOMEM;
	d->dev = dev;
	mutex_lock(&sibt_lock);
	list_add_tail(&d->node, &sibt_devs);
	mutex_unlock(&sibt_lock);
	return 0;
}

static void sibt_remove_device(struct ib_device *dev, void *client_data)
{
	struct sibt_dev *d, *next;

	mutex_lock(&sibt_lock);
	list_for_each_entry_safe(d, next, &sibt_devs, node) {
		if (d->dev != dev)
			continue;
		list_del(&d->node);
		kfree(d);
	}
	mutex_unlock(&sibt_lock);
}

static struct ib_client sibt_client = {
	.name = "sib_test",
	.add = sibt_add_device,
	.remove = sibt_remove_device,
};

static int __init sibt_init(void)
{
	int ret;

	ret = sibt_netdev_init();
	if (ret)
		return ret;
	ret = ib_register_client(&sibt_client);
	if (ret) {
		sibt_netdev_exit();
		return ret;
	}
	sibt_dir = debugfs_create_dir("sib_test", NULL);
	debugfs_create_file("run", 0200, sibt_dir, NULL, &sibt_run_fops);
	debugfs_create_file("result", 0400, sibt_dir, NULL, &sibt_result_fops);
	debugfs_create_file("tests", 0400, sibt_dir, NULL, &sibt_tests_fops);
	return 0;
}
module_init(sibt_init);

static void __exit sibt_exit(void)
{
	debugfs_remove_recursive(sibt_dir);
	ib_unregister_client(&sibt_client);
	sibt_netdev_exit();
}
module_exit(sibt_exit);
