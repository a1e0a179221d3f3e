// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The module, and HCAs coming and going. */
#include <linux/module.h>
#include <linux/slab.h>

#include "sib_verbs.h"

#define SIB_PORT_INQ	8192
#define SIB_DMA_LKEY	0x51b0

MODULE_LICENSE("Dual BSD/GPL");
MODULE_DESCRIPTION("Software InfiniBand fabric: HCAs and a switch");

static unsigned int sib_hcas_param = 2;
module_param_named(hcas, sib_hcas_param, uint, 0444);
MODULE_PARM_DESC(hcas, "HCAs made at load (0 to 250, default 2)");

static struct sib_hca_opts sib_opts = {
	.csum = true,
	.lso = true,
	.srq = true,
	.block_loopback = true,
	.max_srq_sge = 16,
	.max_send_sge = 20,
	.comp_vectors = 4,
	.mtu = 2048,
	.speed = IB_SPEED_QDR,
	.width = 4,
};

module_param_named(csum, sib_opts.csum, bool, 0644);
MODULE_PARM_DESC(csum, "new HCAs compute and check IP checksums");
module_param_named(lso, sib_opts.lso, bool, 0644);
MODULE_PARM_DESC(lso, "new HCAs cut large UD sends");
module_param_named(srq, sib_opts.srq, bool, 0644);
MODULE_PARM_DESC(srq, "new HCAs have shared receive queues");
module_param_named(block_loopback, sib_opts.block_loopback, bool, 0644);
MODULE_PARM_DESC(block_loopback, "new HCAs can block multicast loopback");
module_param_named(max_srq_sge, sib_opts.max_srq_sge, uint, 0644);
MODULE_PARM_DESC(max_srq_sge, "SGEs of an SRQ's requests (1 to 32)");
module_param_named(max_send_sge, sib_opts.max_send_sge, uint, 0644);
MODULE_PARM_DESC(max_send_sge, "SGEs of a send request (1 to 32)");
module_param_named(comp_vectors, sib_opts.comp_vectors, uint, 0644);
MODULE_PARM_DESC(comp_vectors, "completion vectors (1 to 64)");
module_param_named(mtu, sib_opts.mtu, uint, 0644);
MODULE_PARM_DESC(mtu, "largest MTU: 256, 512, 1024, 2048 or 4096");
module_param_named(speed, sib_opts.speed, uint, 0644);
MODULE_PARM_DESC(speed, "1 SDR, 2 DDR, 4 QDR, 8 FDR10, 16 FDR, 32 EDR, 64 HDR, 128 NDR, 256 XDR");
module_param_named(width, sib_opts.width, uint, 0644);
MODULE_PARM_DESC(width, "lanes: 1, 2, 4, 8 or 12");

/* protects sib_hcas and all cables */
DEFINE_MUTEX(sib_lock);
LIST_HEAD(sib_hcas);
struct sib_switch *sib_sw;
struct workqueue_struct *sib_wq;

const char * const sib_stat_names[SIB_STATS] = {
	[SIB_STAT_UD_SENT] = "ud_sent",
	[SIB_STAT_UD_RECEIVED] = "ud_received",
	[SIB_STAT_UD_NO_QP] = "ud_no_qp",
	[SIB_STAT_UD_NO_WQE] = "ud_no_wqe",
	[SIB_STAT_UD_TOO_LONG] = "ud_too_long",
	[SIB_STAT_LSO_REQUESTS] = "lso_requests",
	[SIB_STAT_LSO_SEGMENTS] = "lso_segments",
	[SIB_STAT_CSUM_TX] = "csum_tx",
	[SIB_STAT_CSUM_RX_OK] = "csum_rx_ok",
	[SIB_STAT_BAD_PKEY] = "bad_pkey",
	[SIB_STAT_BAD_QKEY] = "bad_qkey",
	[SIB_STAT_MCAST_NO_GROUP] = "mcast_no_group",
	[SIB_STAT_RC_SENT] = "rc_sent",
	[SIB_STAT_RC_RECEIVED] = "rc_received",
	[SIB_STAT_RC_RETRANSMITTED] = "rc_retransmitted",
	[SIB_STAT_RC_TIMEOUTS] = "rc_timeouts",
	[SIB_STAT_RC_ACKS_SENT] = "rc_acks_sent",
	[SIB_STAT_RC_NAKS_SENT] = "rc_naks_sent",
	[SIB_STAT_RC_RNR_NAKS_SENT] = "rc_rnr_naks_sent",
	[SIB_STAT_RC_NAKS_RECEIVED] = "rc_naks_received",
	[SIB_STAT_RC_RNR_NAKS_RECEIVED] = "rc_rnr_naks_received",
	[SIB_STAT_RC_DUPLICATES] = "rc_duplicates",
	[SIB_STAT_RC_DROPPED] = "rc_dropped",
	[SIB_STAT_RC_FATAL] = "rc_fatal",
	[SIB_STAT_POST_SEND_CALLS] = "post_send_calls",
	[SIB_STAT_SEND_REQUESTS] = "send_requests",
	[SIB_STAT_SEND_CQES] = "send_cqes",
	[SIB_STAT_POST_RECV_CALLS] = "post_recv_calls",
	[SIB_STAT_RECV_REQUESTS] = "recv_requests",
	[SIB_STAT_RECV_CQES] = "recv_cqes",
	[SIB_STAT_INJECTED] = "injected",
	[SIB_STAT_CQ_OVERRUNS] = "cq_overruns",
	[SIB_STAT_CQE_LOST] = "cqe_lost",
	[SIB_STAT_CQE_DELAYED] = "cqe_delayed",
	[SIB_STAT_CQ_EVENTS] = "cq_events",
	[SIB_STAT_CQE_HELD] = "cqe_held",
	[SIB_STAT_CQ_MODIFIED] = "cq_modified",
	[SIB_STAT_STARVED] = "starved",
	[SIB_STAT_ICRC_ERRORS] = "icrc_errors",
	[SIB_STAT_VCRC_ERRORS] = "vcrc_errors",
};

/**
 * sib_stat_sum - read a counter
 * @hca: the HCA
 * @stat: which
 *
 * Context: any.
 */
u64 sib_stat_sum(struct sib_hca *hca, enum sib_stat stat)
{
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(per_cpu_ptr(hca->stats, cpu)->n[stat]);
	return sum;
}

/**
 * sib_port_event - tell the core and its clients of a change
 * @port: what changed; the change has been made, as the caches read it back
 * @type: the change
 *
 * Nothing is told of an HCA that is being removed, as the core would look at it
 * after it is gone. Context: any.
 */
void sib_port_event(struct sib_port *port, enum ib_event_type type)
{
	struct ib_event event = {
		.device = &port->hca->ibdev,
		.element.port_num = 1,
		.event = type,
	};

	if (READ_ONCE(port->hca->ready))
		ib_dispatch_event(&event);
}

/**
 * sib_default_opts - what the module parameters say
 * @opts: receives it
 *
 * Context: any.
 */
void sib_default_opts(struct sib_hca_opts *opts)
{
	*opts = sib_opts;
}

static bool sib_opts_valid(const struct sib_hca_opts *opts)
{
	/* the core takes a name for a format, and sysfs has no slashes */
	return !strpbrk(opts->name, "%/") &&
	       opts->max_srq_sge >= 1 && opts->max_srq_sge <= SIB_MAX_SGE &&
	       opts->max_send_sge >= 1 && opts->max_send_sge <= SIB_MAX_SGE &&
	       opts->comp_vectors >= 1 && opts->comp_vectors <= 64 &&
	       is_power_of_2(opts->mtu) && opts->mtu >= 256 &&
	       opts->mtu <= 4096 && is_power_of_2(opts->speed) &&
	       opts->speed <= IB_SPEED_XDR &&
	       (opts->width == 1 || opts->width == 2 || opts->width == 4 ||
		opts->width == 8 || opts->width == 12);
}

/* Lowest index no HCA has, which names its GUIDs; sets sib_hca.node's place. */
static int sib_hca_free_index(struct list_head **before)
{
	struct sib_hca *hca;
	int index = 0;

	lockdep_assert_held(&sib_lock);

	list_for_each_entry(hca, &sib_hcas, node) {
		if (hca->index != index)
			break;
		index++;
	}
	*before = &hca->node;
	return index < SIB_MAX_HCAS ? index : -ENOSPC;
}

static int sib_port_setup(struct sib_hca *hca)
{
	struct sib_port *port = &hca->port;
	int ret;

	port->hca = hca;
	ret = sib_end_init(&port->end, SIB_END_HCA, 1);
	if (ret)
		return ret;
	sib_port_mgmt_init(port, &hca->opts);
	sib_inq_init(&port->inq, SIB_PORT_INQ, sib_port_receive);
	port->inq.idle = sib_port_idle;
	INIT_LIST_HEAD(&port->acks);
	spin_lock_init(&port->mc_lock);
	INIT_LIST_HEAD(&port->mc_groups);
	return 0;
}

static void sib_hca_setup_ibdev(struct sib_hca *hca)
{
	struct ib_device *ibdev = &hca->ibdev;

	ibdev->node_type = RDMA_NODE_IB_CA;
	ibdev->node_guid = cpu_to_be64(SIB_GUID(hca->index, SIB_GUID_NODE));
	ibdev->phys_port_cnt = 1;
	ibdev->num_comp_vectors = hca->opts.comp_vectors;
	ibdev->local_dma_lkey = SIB_DMA_LKEY;
	ibdev->dev.parent = &hca->pdev->dev;
	snprintf(ibdev->node_desc, sizeof(ibdev->node_desc), "%s",
		 hca->opts.name);
	ib_set_device_ops(ibdev, &sib_dev_ops);
}

/* All of an HCA but its registration and cable. */
static struct sib_hca *sib_hca_alloc(const struct sib_hca_opts *opts,
				     int index)
{
	struct sib_hca *hca = ib_alloc_device(sib_hca, ibdev);
	int ret = -ENOMEM;

	if (!hca)
		return ERR_PTR(-ENOMEM);
	hca->index = index;
	hca->opts = *opts;
	if (!hca->opts.name[0])
		snprintf(hca->opts.name, sizeof(hca->opts.name), "sib%d",
			 index);
	xa_init_flags(&hca->qps, XA_FLAGS_ALLOC1);
	xa_init_flags(&hca->cqs, XA_FLAGS_ALLOC1);
	xa_init_flags(&hca->mrs, XA_FLAGS_ALLOC1);
	sib_verb_faults_init(&hca->verb_faults);
	hca->stats = alloc_percpu(struct sib_stats);
	if (!hca->stats)
		goto err_ibdev;
	ret = sib_port_setup(hca);
	if (ret)
		goto err_stats;
	hca->pdev = platform_device_register_simple("sib", index, NULL, 0);
	if (IS_ERR(hca->pdev)) {
		ret = PTR_ERR(hca->pdev);
		goto err_port;
	}
	sib_hca_setup_ibdev(hca);
	return hca;
err_port:
	sib_end_cleanup(&hca->port.end);
err_stats:
	free_percpu(hca->stats);
err_ibdev:
	ib_dealloc_device(&hca->ibdev);
	return ERR_PTR(ret);
}

/* Its index, in the name of its parent, is free to be used only after that. */
static void sib_hca_free(struct sib_hca *hca)
{
	sib_port_mgmt_stop(&hca->port);
	sib_inq_kill(&hca->port.inq);
	sib_end_cleanup(&hca->port.end);
	platform_device_unregister(hca->pdev);
	mutex_lock(&sib_lock);
	list_del(&hca->node);
	mutex_unlock(&sib_lock);
	free_percpu(hca->stats);
	ib_dealloc_device(&hca->ibdev);
}

static void sib_hca_unplug(struct sib_hca *hca)
{
	mutex_lock(&sib_lock);
	sib_switch_unplug(sib_sw, &hca->port);
	mutex_unlock(&sib_lock);
	synchronize_rcu();
}

/* Reserve an index and a place in sib_hcas. */
static struct sib_hca *sib_hca_enlist(const struct sib_hca_opts *opts)
{
	struct list_head *before;
	struct sib_hca *hca;
	int index;

	mutex_lock(&sib_lock);
	index = sib_hca_free_index(&before);
	hca = index < 0 ? ERR_PTR(index) : sib_hca_alloc(opts, index);
	if (!IS_ERR(hca))
		list_add_tail(&hca->node, before);
	mutex_unlock(&sib_lock);
	return hca;
}

/**
 * sib_hca_add - make an HCA, register it and plug it into the switch
 * @opts: what it can do
 *
 * Context: may sleep, without sib_lock. Return: the HCA, which may be gone by
 * the time the caller looks at it, or an ERR_PTR.
 */
struct sib_hca *sib_hca_add(const struct sib_hca_opts *opts)
{
	struct sib_hca *hca;
	int ret;

	if (!sib_opts_valid(opts))
		return ERR_PTR(-EINVAL);
	hca = sib_hca_enlist(opts);
	if (IS_ERR(hca))
		return hca;
	ret = ib_register_device(&hca->ibdev, hca->opts.name, NULL);
	if (ret)
		goto err_free;
	sib_debugfs_add(hca);
	sib_inject_add(hca);
	mutex_lock(&sib_lock);
	ret = sib_switch_plug(sib_sw, &hca->port);
	WRITE_ONCE(hca->ready, !ret);
	mutex_unlock(&sib_lock);
	if (ret)
		goto err_register;
	return hca;
err_register:
	sib_debugfs_remove(hca);
	ib_unregister_device(&hca->ibdev);
err_free:
	sib_hca_free(hca);
	return ERR_PTR(ret);
}

/* @hca is ready no more, so it is ours; the index is free at the very end. */
static void sib_hca_remove(struct sib_hca *hca)
{
	sib_debugfs_remove(hca);
	ib_unregister_device(&hca->ibdev);
	sib_hca_unplug(hca);
	sib_hca_free(hca);
}

/* Claim an HCA for removal: the one called @name, or any. */
static struct sib_hca *sib_hca_claim(const char *name)
{
	struct sib_hca *hca, *found = NULL;

	mutex_lock(&sib_lock);
	list_for_each_entry(hca, &sib_hcas, node) {
		if (!hca->ready || (name && strcmp(hca->opts.name, name)))
			continue;
		WRITE_ONCE(hca->ready, false);
		found = hca;
		break;
	}
	mutex_unlock(&sib_lock);
	return found;
}

/**
 * sib_hca_remove_name - remove an HCA, whatever uses it
 * @name: of its RDMA device when it was made
 *
 * Returns when its clients have let go of it.
 * Context: may sleep, without sib_lock. Return: 0 or -ENODEV.
 */
int sib_hca_remove_name(const char *name)
{
	struct sib_hca *hca = sib_hca_claim(name);

	if (!hca)
		return -ENODEV;
	sib_hca_remove(hca);
	return 0;
}

static void sib_hca_remove_all(void)
{
	struct sib_hca *hca;

	while ((hca = sib_hca_claim(NULL)))
		sib_hca_remove(hca);
}

static int sib_hca_add_initial(void)
{
	struct sib_hca *hca;
	unsigned int i;

	for (i = 0; i < sib_hcas_param; i++) {
		hca = sib_hca_add(&sib_opts);
		if (IS_ERR(hca)) {
			sib_hca_remove_all();
			return PTR_ERR(hca);
		}
	}
	return 0;
}

static int __init sib_init(void)
{
	int ret;

	if (sib_hcas_param > SIB_MAX_HCAS)
		return -EINVAL;
	ret = sib_wire_init();
	if (ret)
		return ret;
	sib_wq = alloc_workqueue("sib", WQ_UNBOUND, 0);
	if (!sib_wq) {
		ret = -ENOMEM;
		goto err_wire;
	}
	sib_sw = sib_switch_create();
	if (IS_ERR(sib_sw)) {
		ret = PTR_ERR(sib_sw);
		goto err_wq;
	}
	sib_debugfs_init();
	ret = sib_hca_add_initial();
	if (ret)
		goto err_debugfs;
	return 0;
err_debugfs:
	sib_debugfs_exit();
	sib_switch_destroy(sib_sw);
err_wq:
	destroy_workqueue(sib_wq);
err_wire:
	sib_wire_exit();
	return ret;
}
module_init(sib_init);

static void __exit sib_exit(void)
{
	sib_hca_remove_all();
	sib_debugfs_exit();
	sib_switch_destroy(sib_sw);
	destroy_workqueue(sib_wq);
	sib_wire_exit();
}
module_exit(sib_exit);
