// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Verbs that ask or set what an HCA and its port are, and small objects. */
#include <linux/slab.h>

#include "sib_verbs.h"

#define SIB_FW_VER	0x0000000100000000ULL	/* 1.0.0 */

struct sib_pd {
	struct ib_pd ibpd;
};

struct sib_mr {
	struct ib_mr ibmr;
};

static int sib_query_device(struct ib_device *ibdev, struct ib_device_attr *a,
			    struct ib_udata *udata)
{
	struct sib_hca *hca = to_sib_hca(ibdev);
	const struct sib_hca_opts *opts = &hca->opts;

	memset(a, 0, sizeof(*a));
	a->fw_ver = SIB_FW_VER;
	a->sys_image_guid = cpu_to_be64(SIB_GUID(hca->index, SIB_GUID_SYSTEM));
	a->max_mr_size = ~0ULL;
	a->page_size_cap = PAGE_MASK;
	a->vendor_id = SIB_VENDOR_ID;
	a->vendor_part_id = 1;
	a->hw_ver = 1;
	a->device_cap_flags = IB_DEVICE_PORT_ACTIVE_EVENT |
		IB_DEVICE_BAD_PKEY_CNTR | IB_DEVICE_BAD_QKEY_CNTR |
		IB_DEVICE_SYS_IMAGE_GUID | IB_DEVICE_RC_RNR_NAK_GEN |
		(opts->csum ? IB_DEVICE_UD_IP_CSUM : 0);
	a->kernel_cap_flags = IBK_LOCAL_DMA_LKEY |
		(opts->lso ? IBK_UD_TSO : 0) |
		(opts->block_loopback ? IBK_BLOCK_MULTICAST_LOOPBACK : 0);
	a->max_qp = SIB_MAX_QP;
	a->max_qp_wr = SIB_MAX_QP_WR;
	a->max_send_sge = opts->max_send_sge;
	a->max_recv_sge = SIB_MAX_SGE;
	a->max_sge_rd = 1;
	a->max_cq = SIB_MAX_CQ;
	a->max_cqe = SIB_MAX_CQE;
	a->max_mr = SIB_MAX_MR;
	a->max_pd = SIB_MAX_PD;
	a->max_mcast_grp = SIB_MLIDS;
	a->max_mcast_qp_attach = SIB_MAX_QP;
	a->max_total_mcast_qp_attach = SIB_MAX_QP;
	a->max_ah = SIB_MAX_AH;
	if (opts->srq) {
		a->max_srq = SIB_MAX_SRQ;
		a->max_srq_wr = SIB_MAX_SRQ_WR;
		a->max_srq_sge = opts->max_srq_sge;
	}
	a->max_pkeys = SIB_PKEYS;
	a->local_ca_ack_delay = 15;
	return 0;
}

static u16 sib_active_speed(const struct sib_portinfo *info)
{
	u16 speed = info->speed_ext_active ? info->speed_ext_active << 4 :
					     info->speed_active;

	/* Unless the SM has slowed the link down. */
	return speed << 1 == info->unspoken ? info->unspoken : speed;
}

static int sib_query_port(struct ib_device *ibdev, u32 port_num,
			  struct ib_port_attr *a)
{
	struct sib_hca *hca = to_sib_hca(ibdev);
	struct sib_end *end = &hca->port.end;
	const struct sib_portinfo *info = &end->info;
	unsigned long flags;
	int ret;

	if (sib_verb_fails(hca, SIB_VERB_QUERY_PORT, &ret))
		return ret;
	spin_lock_irqsave(&end->lock, flags);
	a->state = info->state;
	a->max_mtu = info->mtu_cap;
	a->active_mtu = info->mtu;
	a->gid_tbl_len = SIB_GIDS;
	a->port_cap_flags = info->cap_mask;
	a->max_msg_sz = SIB_MAX_MSG;
	a->bad_pkey_cntr = info->p_key_violations;
	a->qkey_viol_cntr = info->q_key_violations;
	a->pkey_tbl_len = SIB_PKEYS;
	a->lid = info->lid;
	a->sm_lid = info->sm_lid;
	a->lmc = info->lmc;
	a->max_vl_num = info->vl_cap;
	a->sm_sl = info->sm_sl;
	a->subnet_timeout = info->subnet_timeout;
	a->init_type_reply = 0;
	a->active_width = info->width_active;
	a->active_speed = sib_active_speed(info);
	a->phys_state = info->phys_state;
	spin_unlock_irqrestore(&end->lock, flags);
	return 0;
}

static int sib_query_gid(struct ib_device *ibdev, u32 port_num, int index,
			 union ib_gid *gid)
{
	struct sib_port *port = &to_sib_hca(ibdev)->port;

	if (index < 0 || index >= SIB_GIDS)
		return -EINVAL;
	gid->global.subnet_prefix =
		cpu_to_be64(READ_ONCE(port->end.info.gid_prefix));
	gid->global.interface_id = cpu_to_be64(READ_ONCE(port->guids[index]));
	return 0;
}

static int sib_query_pkey(struct ib_device *ibdev, u32 port_num, u16 index,
			  u16 *pkey)
{
	if (index >= SIB_PKEYS)
		return -EINVAL;
	*pkey = sib_pkey(&to_sib_hca(ibdev)->port, index);
	return 0;
}

static int sib_modify_port(struct ib_device *ibdev, u32 port_num, int mask,
			   struct ib_port_modify *props)
{
	struct sib_port *port = &to_sib_hca(ibdev)->port;
	struct sib_portinfo *info = &port->end.info;
	unsigned long flags;
	bool changed;
	u32 caps;

	spin_lock_irqsave(&port->end.lock, flags);
	caps = (info->cap_mask | props->set_port_cap_mask) &
	       ~props->clr_port_cap_mask;
	changed = caps != info->cap_mask;
	info->cap_mask = caps;
	port->is_sm = caps & IB_PORT_SM;
	if (mask & IB_PORT_RESET_QKEY_CNTR)
		info->q_key_violations = 0;
	spin_unlock_irqrestore(&port->end.lock, flags);
	if (changed)
		sib_trap_local_change(port, false);
	return 0;
}

static int sib_modify_device(struct ib_device *ibdev, int mask,
			     struct ib_device_modify *props)
{
	if (mask & ~IB_DEVICE_MODIFY_NODE_DESC)
		return -EOPNOTSUPP;
	if (mask & IB_DEVICE_MODIFY_NODE_DESC) {
		memcpy(ibdev->node_desc, props->node_desc,
		       sizeof(ibdev->node_desc));
		sib_trap_local_change(&to_sib_hca(ibdev)->port, true);
	}
	return 0;
}

static int sib_port_immutable(struct ib_device *ibdev, u32 port_num,
			      struct ib_port_immutable *imm)
{
	imm->pkey_tbl_len = SIB_PKEYS;
	imm->gid_tbl_len = SIB_GIDS;
	imm->core_cap_flags = RDMA_CORE_PORT_IBA_IB;
	imm->max_mad_size = IB_MGMT_MAD_SIZE;
	return 0;
}

static enum rdma_link_layer sib_link_layer(struct ib_device *ibdev,
					   u32 port_num)
{
	return IB_LINK_LAYER_INFINIBAND;
}

static void sib_fw_str(struct ib_device *ibdev, char *str)
{
	snprintf(str, IB_FW_VERSION_NAME_MAX, "%llu.%llu.%llu",
		 SIB_FW_VER >> 32, SIB_FW_VER >> 16 & 0xffff,
		 SIB_FW_VER & 0xffff);
}

static int sib_alloc_pd(struct ib_pd *ibpd, struct ib_udata *udata)
{
	struct sib_hca *hca = to_sib_hca(ibpd->device);
	int ret;

	if (sib_verb_fails(hca, SIB_VERB_ALLOC_PD, &ret))
		return ret;
	return atomic_add_unless(&hca->n_pds, 1, SIB_MAX_PD) ? 0 : -ENOMEM;
}

static int sib_dealloc_pd(struct ib_pd *ibpd, struct ib_udata *udata)
{
	atomic_dec(&to_sib_hca(ibpd->device)->n_pds);
	return 0;
}

/**
 * sib_av_from_attr - keep of an address vector what packets need
 * @av: receives it
 * @attr: as the consumer gave it
 *
 * Context: any.
 */
void sib_av_from_attr(struct sib_av *av, const struct rdma_ah_attr *attr)
{
	const struct ib_global_route *grh = rdma_ah_read_grh(attr);

	memset(av, 0, sizeof(*av));
	av->dlid = cpu_to_be16(rdma_ah_get_dlid(attr));
	av->sl = rdma_ah_get_sl(attr) & 0xf;
	av->path_bits = rdma_ah_get_path_bits(attr);
	av->grh = rdma_ah_get_ah_flags(attr) & IB_AH_GRH;
	if (!av->grh)
		return;
	av->sgid_index = grh->sgid_index % SIB_GIDS;
	av->hop_limit = grh->hop_limit;
	av->ver_tc_flow = cpu_to_be32(6U << 28 | grh->traffic_class << 20 |
				      (grh->flow_label & 0xfffff));
	memcpy(av->dgid, grh->dgid.raw, sizeof(av->dgid));
}

static int sib_create_ah(struct ib_ah *ibah, struct rdma_ah_init_attr *init,
			 struct ib_udata *udata)
{
	struct sib_hca *hca = to_sib_hca(ibah->device);
	const struct rdma_ah_attr *attr = init->ah_attr;
	struct sib_ah *ah = to_sib_ah(ibah);
	int ret;

	if (sib_verb_fails(hca, SIB_VERB_CREATE_AH, &ret))
		return ret;
	if (rdma_ah_get_port_num(attr) != 1)
		return -EINVAL;
	if ((rdma_ah_get_ah_flags(attr) & IB_AH_GRH) &&
	    rdma_ah_read_grh(attr)->sgid_index >= SIB_GIDS)
		return -EINVAL;
	if (!atomic_add_unless(&hca->n_ahs, 1, SIB_MAX_AH))
		return -ENOMEM;
	ah->attr = *attr;
	ah->attr.grh.sgid_attr = NULL;
	sib_av_from_attr(&ah->av, attr);
	return 0;
}

static int sib_query_ah(struct ib_ah *ibah, struct rdma_ah_attr *attr)
{
	*attr = to_sib_ah(ibah)->attr;
	return 0;
}

static int sib_destroy_ah(struct ib_ah *ibah, u32 flags)
{
	atomic_dec(&to_sib_hca(ibah->device)->n_ahs);
	return 0;
}

/* All of the kernel's memory under the one key that kernel consumers have. */
static struct ib_mr *sib_get_dma_mr(struct ib_pd *ibpd, int access)
{
	struct sib_hca *hca = to_sib_hca(ibpd->device);
	struct sib_mr *mr;

	if (!atomic_add_unless(&hca->n_mrs, 1, SIB_MAX_MR))
		return ERR_PTR(-ENOMEM);
	mr = kzalloc_obj(*mr);
	if (!mr) {
		atomic_dec(&hca->n_mrs);
		return ERR_PTR(-ENOMEM);
	}
	mr->ibmr.lkey = hca->ibdev.local_dma_lkey;
	mr->ibmr.rkey = hca->ibdev.local_dma_lkey;
	return &mr->ibmr;
}

static struct ib_mr *sib_reg_user_mr(struct ib_pd *ibpd, u64 start, u64 length,
				     u64 virt, int access,
				     struct ib_dmah *dmah,
				     struct ib_udata *udata)
{
	return ERR_PTR(-EOPNOTSUPP);
}

IB_REG_USER_MR_OP(sib_reg_user_mr)

static int sib_dereg_mr(struct ib_mr *ibmr, struct ib_udata *udata)
{
	atomic_dec(&to_sib_hca(ibmr->device)->n_mrs);
	kfree(container_of(ibmr, struct sib_mr, ibmr));
	return 0;
}

/* Nobody has one, but only devices that can take them away may move to another
 * network namespace.
 */
static void sib_disassociate_ucontext(struct ib_ucontext *context)
{
}

const struct ib_device_ops sib_dev_ops = {
	.owner = THIS_MODULE,
	.driver_id = RDMA_DRIVER_QIB,
	.uverbs_abi_ver = 1,

	.alloc_pd = sib_alloc_pd,
	.attach_mcast = sib_attach_mcast,
	.create_ah = sib_create_ah,
	.create_cq = sib_create_cq,
	.create_qp = sib_create_qp,
	.create_srq = sib_create_srq,
	.dealloc_pd = sib_dealloc_pd,
	.dereg_mr = sib_dereg_mr,
	.destroy_ah = sib_destroy_ah,
	.destroy_cq = sib_destroy_cq,
	.destroy_qp = sib_destroy_qp,
	.destroy_srq = sib_destroy_srq,
	.detach_mcast = sib_detach_mcast,
	.disassociate_ucontext = sib_disassociate_ucontext,
	.get_dev_fw_str = sib_fw_str,
	.get_dma_mr = sib_get_dma_mr,
	.get_link_layer = sib_link_layer,
	.get_port_immutable = sib_port_immutable,
	.modify_cq = sib_modify_cq,
	.modify_device = sib_modify_device,
	.modify_port = sib_modify_port,
	.modify_qp = sib_modify_qp,
	.modify_srq = sib_modify_srq,
	.poll_cq = sib_poll_cq,
	.post_recv = sib_post_recv,
	.post_send = sib_post_send,
	.post_srq_recv = sib_post_srq_recv,
	.process_mad = sib_process_mad,
	.query_ah = sib_query_ah,
	.query_device = sib_query_device,
	.query_gid = sib_query_gid,
	.query_pkey = sib_query_pkey,
	.query_port = sib_query_port,
	.query_qp = sib_query_qp,
	.query_srq = sib_query_srq,
	.reg_user_mr = IB_REG_USER_MR_FN(sib_reg_user_mr),
	.req_notify_cq = sib_req_notify_cq,

	INIT_RDMA_OBJ_SIZE(ib_ah, sib_ah, ibah),
	INIT_RDMA_OBJ_SIZE(ib_cq, sib_cq, ibcq),
	INIT_RDMA_OBJ_SIZE(ib_pd, sib_pd, ibpd),
	INIT_RDMA_OBJ_SIZE(ib_qp, sib_qp, ibqp),
	INIT_RDMA_OBJ_SIZE(ib_srq, sib_srq, ibsrq),
};
