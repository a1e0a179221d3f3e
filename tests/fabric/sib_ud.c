// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Unreliable datagrams, which is also how QP0 and QP1 talk (chapter 9.8.3). */
#include "sib_verbs.h"

/* P_Key a packet is to carry; QP1 chooses per request (10.9.8). */
static u16 sib_ud_pkey(const struct sib_qp *qp, const struct ib_ud_wr *ud)
{
	switch (qp->ibqp.qp_type) {
	case IB_QPT_SMI:
		return IB_DEFAULT_PKEY_FULL;
	case IB_QPT_GSI:
		return sib_pkey(qp->port, ud->pkey_index);
	default:
		return sib_pkey(qp->port, qp->attr.pkey_index);
	}
}

/* A request with the top bit set means the QP's own Q_Key (10.2.5). */
static u32 sib_ud_qkey(const struct sib_qp *qp, const struct ib_ud_wr *ud)
{
	return ud->remote_qkey & BIT(31) ? qp->attr.qkey : ud->remote_qkey;
}

static void sib_ud_put_bth(struct sib_qp *qp, const struct ib_ud_wr *ud,
			   struct sib_bth *bth, bool imm, u8 pad)
{
	struct sib_deth *deth = (struct sib_deth *)(bth + 1);

	bth->opcode = SIB_OP_UD | (imm ? SIB_OP_SEND_ONLY_IMM :
					 SIB_OP_SEND_ONLY);
	bth->flags = SIB_BTH_MIG | pad << 4;
	if (ud->wr.send_flags & IB_SEND_SOLICITED)
		bth->flags |= SIB_BTH_SE;
	bth->pkey = cpu_to_be16(sib_ud_pkey(qp, ud));
	bth->dqpn = cpu_to_be32(ud->remote_qpn & SIB_24BIT);
	bth->psn = cpu_to_be32(qp->attr.sq_psn);
	qp->attr.sq_psn = (qp->attr.sq_psn + 1) & SIB_24BIT;
	deth->qkey = cpu_to_be32(sib_ud_qkey(qp, ud));
	deth->sqpn = cpu_to_be32(qp->ibqp.qp_num);
}

/**
 * sib_ud_packet - make a UD packet
 * @qp: sender
 * @ud: the request it is for
 * @len: bytes of payload
 * @payload: receives where they belong
 *
 * Context: any, @qp->slock held.
 * Return: a packet in which only the payload is missing, or NULL.
 */
struct sib_pkt *sib_ud_packet(struct sib_qp *qp, const struct ib_ud_wr *ud,
			      u32 len, u8 **payload)
{
	const struct sib_av *av = &to_sib_ah(ud->ah)->av;
	bool imm = ud->wr.opcode == IB_WR_SEND_WITH_IMM;
	bool smi = qp->ibqp.qp_type == IB_QPT_SMI;
	u32 head = sizeof(struct sib_lrh) + sizeof(struct sib_bth) +
		   sizeof(struct sib_deth);
	u8 pad = -len & 3;
	struct sib_pkt *pkt;
	struct sib_bth *bth;
	u8 *data;

	lockdep_assert_held(&qp->slock);

	head += (av->grh ? sizeof(struct sib_grh) : 0) + (imm ? SIB_IMM_LEN : 0);
	pkt = sib_pkt_alloc(head + len + pad);
	if (unlikely(!pkt))
		return NULL;
	bth = sib_route(pkt, qp->port, av, smi ? SIB_VL_MGMT : 0);
	sib_ud_put_bth(qp, ud, bth, imm, pad);
	data = (u8 *)(bth + 1) + sizeof(struct sib_deth);
	if (imm) {
		memcpy(data, &ud->wr.ex.imm_data, SIB_IMM_LEN);
		data += SIB_IMM_LEN;
	}
	memset(data + len, 0, pad);
	*payload = data;
	return pkt;
}

/* No memory for a packet is a packet lost. */
static void sib_ud_send_one(struct sib_qp *qp, const struct ib_ud_wr *ud,
			    u32 len)
{
	struct sib_sg sg = { .sge = ud->wr.sg_list };
	struct sib_pkt *pkt;
	u8 *payload;

	pkt = sib_ud_packet(qp, ud, len, &payload);
	if (unlikely(!pkt))
		return;
	sib_sg_gather(&sg, payload, len);
	if ((ud->wr.send_flags & IB_SEND_IP_CSUM) &&
	    sib_csum_fill(payload, len)) {
		pkt->csum = 1;
		sib_count(qp->hca, SIB_STAT_CSUM_TX);
	}
	sib_count(qp->hca, SIB_STAT_UD_SENT);
	sib_port_send(qp->port, pkt);
}

/* A failed send stops the send queue only (10.3.1.6). */
static void sib_ud_send_failed(struct sib_qp *qp, const struct ib_ud_wr *ud,
			       enum ib_wc_status status)
{
	unsigned long flags;

	sib_send_done(qp, ud->wr.wr_id, IB_WC_SEND, status, true);
	spin_lock_irqsave(&qp->rlock, flags);
	qp->state = IB_QPS_SQE;
	spin_unlock_irqrestore(&qp->rlock, flags);
}

static int sib_ud_check(const struct sib_qp *qp, const struct ib_ud_wr *ud)
{
	const struct ib_send_wr *wr = &ud->wr;

	if (!ud->ah)
		return -EINVAL;
	if ((wr->send_flags & IB_SEND_IP_CSUM) && !qp->hca->opts.csum)
		return -EINVAL;
	if (wr->send_flags & IB_SEND_INLINE)
		return -EINVAL;
	switch (wr->opcode) {
	case IB_WR_SEND:
	case IB_WR_SEND_WITH_IMM:
		return 0;
	case IB_WR_LSO:
		return qp->lso && ud->header && ud->hlen > 0 && ud->mss > 0 ?
		       0 : -EINVAL;
	default:
		return -EINVAL;
	}
}

/**
 * sib_ud_send - do a send request
 * @qp: a UD, SMI or GSI QP that can send
 * @ud: the request
 *
 * The request is complete when this returns.
 *
 * Context: any, @qp->slock held. Return: 0, or -EINVAL for a request that is
 * not taken.
 */
int sib_ud_send(struct sib_qp *qp, const struct ib_ud_wr *ud)
{
	u32 mtu = ib_mtu_enum_to_int(READ_ONCE(qp->port->end.info.mtu));
	const struct ib_send_wr *wr = &ud->wr;
	bool lso = wr->opcode == IB_WR_LSO;
	u32 len;
	int ret;

	lockdep_assert_held(&qp->slock);

	ret = sib_ud_check(qp, ud);
	if (unlikely(ret))
		return ret;
	qp->sq_head++;
	if (unlikely(sib_gather_len(qp, wr->sg_list, wr->num_sge, &len))) {
		sib_ud_send_failed(qp, ud, IB_WC_LOC_PROT_ERR);
	} else if (unlikely((lso ? ud->hlen + ud->mss : len) > mtu)) {
		sib_ud_send_failed(qp, ud, IB_WC_LOC_LEN_ERR);
	} else if (lso && sib_lso_send(qp, ud, len)) {
		sib_ud_send_failed(qp, ud, IB_WC_LOC_QP_OP_ERR);
	} else {
		if (!lso)
			sib_ud_send_one(qp, ud, len);
		sib_send_done(qp, wr->wr_id, lso ? IB_WC_LSO : IB_WC_SEND,
			      IB_WC_SUCCESS, wr->send_flags & IB_SEND_SIGNALED);
	}
	return 0;
}

static bool sib_ud_csum_ok(struct sib_qp *qp, const struct sib_rx *rx,
			   const u8 *frame, u32 len)
{
	if (!qp->hca->opts.csum || qp->ibqp.qp_type != IB_QPT_UD)
		return false;
	if (!rx->pkt->csum && !sib_csum_good(frame, len))
		return false;
	sib_count(qp->hca, SIB_STAT_CSUM_RX_OK);
	return true;
}

static void sib_ud_scatter(struct sib_qp *qp, const struct sib_rx *rx,
			   const u8 *payload, u32 len)
{
	struct sib_sg sg = { .sge = qp->resp.wqe->sge };

	if (rx->grh)
		sib_sg_scatter(&sg, rx->grh, SIB_GRH_SPACE);
	else if (likely(sg.sge->length > SIB_GRH_SPACE))
		sg.off = SIB_GRH_SPACE;
	else
		sib_sg_skip(&sg, SIB_GRH_SPACE);
	sib_sg_scatter(&sg, payload, len);
}

static void sib_ud_complete(struct sib_qp *qp, const struct sib_rx *rx,
			    const u8 *payload, u32 len)
{
	const struct sib_deth *deth = (void *)rx->data;
	const struct sib_lrh *lrh = sib_lrh(rx->pkt);
	u16 dlid = be16_to_cpu(lrh->dlid);
	struct sib_cqe cqe = {
		.wr_id = qp->resp.wqe->wr_id,
		.qp = qp,
		.byte_len = SIB_GRH_SPACE + len,
		.src_qp = be32_to_cpu(deth->sqpn) & SIB_24BIT,
		.slid = be16_to_cpu(lrh->slid),
		.pkey_index = qp->ibqp.qp_type == IB_QPT_GSI ?
			      rx->pkey_index : qp->attr.pkey_index,
		.opcode = IB_WC_RECV,
		.flags = rx->grh ? IB_WC_GRH : 0,
		.sl = lrh->sl_lnh >> 4,
		.solicited = rx->bth->flags & SIB_BTH_SE,
	};

	if (dlid < SIB_MLID_BASE)
		cqe.path_bits = dlid - READ_ONCE(qp->port->end.info.lid);
	if (rx->bth->opcode == (SIB_OP_UD | SIB_OP_SEND_ONLY_IMM)) {
		cqe.flags |= IB_WC_WITH_IMM;
		memcpy(&cqe.imm, payload - SIB_IMM_LEN, SIB_IMM_LEN);
	}
	if (sib_ud_csum_ok(qp, rx, payload, len))
		cqe.flags |= IB_WC_IP_CSUM_OK;
	sib_count(qp->hca, SIB_STAT_RECV_CQES);
	sib_cq_add(qp->ibqp.recv_cq, &cqe);
}

/* Is the packet for this QP? With the counters that go with a no. */
static bool sib_ud_admits(struct sib_qp *qp, const struct sib_rx *rx)
{
	const struct sib_deth *deth = (void *)rx->data;
	enum ib_qp_type type = qp->ibqp.qp_type;

	lockdep_assert_held(&qp->rlock);

	if (type == IB_QPT_RC || qp->state < IB_QPS_RTR ||
	    qp->state == IB_QPS_ERR) {
		sib_count(qp->hca, SIB_STAT_UD_NO_QP);
		return false;
	}
	if (type == IB_QPT_SMI)
		return true;
	if (type == IB_QPT_UD &&
	    !sib_pkey_match(rx->pkey,
			    sib_pkey(qp->port, qp->attr.pkey_index))) {
		sib_count(qp->hca, SIB_STAT_BAD_PKEY);
		sib_pkey_violation(qp->port, rx->pkt);
		return false;
	}
	if (be32_to_cpu(deth->qkey) !=
	    (type == IB_QPT_GSI ? IB_QP1_QKEY : qp->attr.qkey)) {
		sib_count(qp->hca, SIB_STAT_BAD_QKEY);
		sib_qkey_violation(qp->port, rx->pkt);
		return false;
	}
	return true;
}

/**
 * sib_ud_receive - deliver a datagram to a QP
 * @qp: receiver
 * @rx: packet with a DETH, for this QP or a group it is attached to
 *
 * A datagram that does not fit, or finds no request, is dropped (9.8.3.2).
 * Context: the port's tasklet; not under a lock of the QP.
 */
void sib_ud_receive(struct sib_qp *qp, const struct sib_rx *rx)
{
	bool imm = rx->bth->opcode == (SIB_OP_UD | SIB_OP_SEND_ONLY_IMM);
	u32 head = sizeof(struct sib_deth) + (imm ? SIB_IMM_LEN : 0);
	const u8 *payload = rx->data + head;
	u32 len = rx->len - head;
	unsigned long flags;
	int ret;

	spin_lock_irqsave(&qp->rlock, flags);
	if (unlikely(!sib_ud_admits(qp, rx)))
		goto out;
	ret = sib_qp_take_recv(qp, SIB_GRH_SPACE + len);
	if (unlikely(ret)) {
		sib_count(qp->hca, ret == -ENOENT ? SIB_STAT_UD_NO_WQE :
						    SIB_STAT_UD_TOO_LONG);
		if (qp->ibqp.qp_type == IB_QPT_GSI)
			atomic64_inc(&qp->port->end.err[SIB_ERR_QP1_DROPPED]);
		goto out;
	}
	sib_ud_scatter(qp, rx, payload, len);
	sib_ud_complete(qp, rx, payload, len);
	sib_count(qp->hca, SIB_STAT_UD_RECEIVED);
out:
	spin_unlock_irqrestore(&qp->rlock, flags);
}

/* Any entry of the port's P_Key table will do for QP1 (10.9.8). */
static bool sib_gsi_pkey(struct sib_port *port, struct sib_rx *rx)
{
	u16 i;

	for (i = 0; i < SIB_PKEYS; i++) {
		if (!sib_pkey_match(rx->pkey, sib_pkey(port, i)))
			continue;
		rx->pkey_index = i;
		return true;
	}
	sib_count(port->hca, SIB_STAT_BAD_PKEY);
	sib_pkey_violation(port, rx->pkt);
	return false;
}

static struct sib_qp *sib_ud_find(struct sib_port *port, struct sib_rx *rx)
{
	bool mgmt = sib_vl(rx->pkt) == SIB_VL_MGMT;

	/* QP0 hears VL15 only, and nobody else does (7.6.3) */
	if (mgmt == !!rx->dqpn)
		return NULL;
	if (rx->dqpn == 0)
		return READ_ONCE(port->qp0);
	if (rx->dqpn == 1)
		return READ_ONCE(port->qp1);
	return sib_qp_find(port, rx->dqpn);
}

/**
 * sib_ud_dispatch - find out who a UD packet is for
 * @port: receiving port
 * @rx: the packet
 *
 * Context: the port's tasklet.
 */
void sib_ud_dispatch(struct sib_port *port, struct sib_rx *rx)
{
	bool imm = rx->bth->opcode == (SIB_OP_UD | SIB_OP_SEND_ONLY_IMM);
	struct sib_qp *qp;

	if ((!imm && rx->bth->opcode != (SIB_OP_UD | SIB_OP_SEND_ONLY)) ||
	    rx->len < sizeof(struct sib_deth) + (imm ? SIB_IMM_LEN : 0)) {
		atomic64_inc(&port->end.err[SIB_ERR_RCV]);
		return;
	}
	if (rx->dqpn == SIB_24BIT) {
		sib_mcast_receive(port, rx);
		return;
	}
	qp = sib_ud_find(port, rx);
	if (unlikely(!qp))
		sib_count(port->hca, SIB_STAT_UD_NO_QP);
	else if (likely(rx->dqpn != 1) || sib_gsi_pkey(port, rx))
		sib_ud_receive(qp, rx);
}
