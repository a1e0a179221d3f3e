// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Mistakes made on purpose, one for each load: what a debug kernel must find
 * before its silence about other modules means anything.
 */
#include <linux/delay.h>
#include <linux/dma-mapping.h>
#include <linux/if_arp.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/netdevice.h>
#include <linux/platform_device.h>
#include <linux/preempt.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/timer.h>
#include <linux/workqueue.h>

static char *bug = "none";
module_param(bug, charp, 0);
MODULE_PARM_DESC(bug, "which of the mistakes");

static noinline int plant_none(void)
{
	void *memory = kmalloc(100, GFP_KERNEL);

	kfree(memory);
	return 0;
}

static noinline int plant_uaf(void)
{
	char *memory = kmalloc(100, GFP_KERNEL);

	if (!memory)
		return -ENOMEM;
	OPTIMIZER_HIDE_VAR(memory);
	kfree(memory);
	return READ_ONCE(memory[8]) == 1 ? -EINVAL : 0;
}

static noinline int plant_oob(void)
{
	char *memory = kmalloc(100, GFP_KERNEL);

	if (!memory)
		return -ENOMEM;
	OPTIMIZER_HIDE_VAR(memory);
	WRITE_ONCE(memory[100], 1);
	kfree(memory);
	return 0;
}

static DEFINE_MUTEX(plant_a);
static DEFINE_MUTEX(plant_b);

/* No two threads ever meet here: the order alone is the mistake. */
static noinline int plant_lock_inversion(void)
{
	mutex_lock(&plant_a);
	mutex_lock(&plant_b);
	mutex_unlock(&plant_b);
	mutex_unlock(&plant_a);

	mutex_lock(&plant_b);
	mutex_lock(&plant_a);
	mutex_unlock(&plant_a);
	mutex_unlock(&plant_b);
	return 0;
}

static noinline int plant_sleep_atomic(void)
{
	void *memory;

	preempt_disable();
	memory = kmalloc(100, GFP_KERNEL);
	preempt_enable();
	kfree(memory);
	return 0;
}

/* Several, for a stale copy of one pointer on some stack not to hide it all. */
static noinline int plant_leak(void)
{
	void *memory;
	int i;

	for (i = 0; i < 8; i++) {
		memory = kmalloc(200, GFP_KERNEL);
		if (!memory)
			return -ENOMEM;
		memset(memory, i, 200);
		OPTIMIZER_HIDE_VAR(memory);
	}
	return 0;
}

static noinline int plant_dma(void)
{
	struct platform_device *pdev;
	dma_addr_t addr;
	void *memory;
	int ret;

	pdev = platform_device_register_simple("plant", -1, NULL, 0);
	if (IS_ERR(pdev))
		return PTR_ERR(pdev);
	ret = dma_coerce_mask_and_coherent(&pdev->dev, DMA_BIT_MASK(64));
	memory = kmalloc(256, GFP_KERNEL);
	if (ret || !memory)
		goto out;
	addr = dma_map_single(&pdev->dev, memory, 256, DMA_TO_DEVICE);
	if (!dma_mapping_error(&pdev->dev, addr))
		dma_unmap_single(&pdev->dev, addr, 128, DMA_TO_DEVICE);
out:
	kfree(memory);
	platform_device_unregister(pdev);
	return ret;
}

struct plant_netdev {
	struct net_device *dev;
	netdevice_tracker tracker;
	struct delayed_work work;
};

static void plant_put(struct work_struct *work)
{
	struct plant_netdev *p = container_of(work, struct plant_netdev, work.work);

	netdev_put(p->dev, &p->tracker);
}

static netdev_tx_t plant_xmit(struct sk_buff *skb, struct net_device *dev)
{
	dev_kfree_skb_any(skb);
	return NETDEV_TX_OK;
}

static const struct net_device_ops plant_netdev_ops = {
	.ndo_start_xmit = plant_xmit,
};

static void plant_setup(struct net_device *dev)
{
	dev->netdev_ops = &plant_netdev_ops;
	dev->type = ARPHRD_NONE;
	dev->flags = IFF_NOARP;
}

/* Held for 25 s too long, so that the guest can go on to the next mistake. */
static noinline int plant_netdev_ref(void)
{
	static struct plant_netdev p;
	int ret;

	p.dev = alloc_netdev(0, "plant%d", NET_NAME_ENUM, plant_setup);
	if (!p.dev)
		return -ENOMEM;
	ret = register_netdev(p.dev);
	if (ret) {
		free_netdev(p.dev);
		return ret;
	}
	INIT_DELAYED_WORK(&p.work, plant_put);
	netdev_hold(p.dev, &p.tracker, GFP_KERNEL);
	schedule_delayed_work(&p.work, 25 * HZ);
	unregister_netdev(p.dev);
	flush_delayed_work(&p.work);
	free_netdev(p.dev);
	return 0;
}

static void plant_expired(struct timer_list *timer)
{
}

/* The timer is put out of harm's way once it has been found. */
static noinline int plant_timer(void)
{
	struct timer_list *timer = kmalloc(sizeof(*timer), GFP_KERNEL);

	if (!timer)
		return -ENOMEM;
	timer_setup(timer, plant_expired, 0);
	mod_timer(timer, jiffies + 3600 * HZ);
	kfree(timer);
	return 0;
}

static noinline int plant_shift(void)
{
	int count = 40;

	OPTIMIZER_HIDE_VAR(count);
	return (1 << count) == 1 ? -EINVAL : 0;
}

static int plant_shared;

static int plant_racer(void *data)
{
	while (!kthread_should_stop()) {
		plant_shared++;
		barrier();
		cond_resched();
	}
	return 0;
}

static noinline int plant_race(void)
{
	struct task_struct *racers[2];
	int i;

	for (i = 0; i < 2; i++)
		racers[i] = kthread_run(plant_racer, NULL, "racer%d", i);
	msleep(10000);
	for (i = 0; i < 2; i++)
		if (!IS_ERR(racers[i]))
			kthread_stop(racers[i]);
	return 0;
}

static const struct {
	const char *name;
	int (*plant)(void);
} plants[] = {
	{ "none", plant_none },
	{ "uaf", plant_uaf },
	{ "oob", plant_oob },
	{ "lock-inversion", plant_lock_inversion },
	{ "sleep-atomic", plant_sleep_atomic },
	{ "leak", plant_leak },
	{ "dma", plant_dma },
	{ "netdev-ref", plant_netdev_ref },
	{ "timer", plant_timer },
	{ "shift", plant_shift },
	{ "race", plant_race },
};

static int __init plant_init(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(plants); i++)
		if (!strcmp(bug, plants[i].name))
			return plants[i].plant();
	return -EINVAL;
}

static void __exit plant_exit(void)
{
}

module_init(plant_init);
module_exit(plant_exit);
MODULE_DESCRIPTION("Mistakes that a debug kernel must find");
MODULE_LICENSE("Dual BSD/GPL");
