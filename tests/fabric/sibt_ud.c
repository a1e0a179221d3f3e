// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* sib_test: unreliable datagrams. */
#include <linux/delay.h>

#include "sibt.h"

static int sibt_ud_check_wc(struct sibt *t, const struct ib_wc *wc,
			    const struct sibt_qp *a, const struct sibt_qp *b,
			    u32 len)
{
	if (wc->opcode != IB_WC_RECV || wc->qp != b->qp)
		return sibt_fail(t, "opcode %d or QP wrong", wc->opcode);
	if (wc->byte_len != len + SIBT_GRH)
		return sibt_fail(t, "byte_len %u for %u bytes", wc->byte_len,
				 len);
	if (wc->src_qp != a->qp->qp_num)
		return sibt_fail(t, "src_qp %#x, sent by %#x", wc->src_qp,
				 a->qp->qp_num);
	if (!!(wc->wc_flags & IB_WC_GRH) != t->args.grh)
		return sibt_fail(t, "wc_flags %#x", wc->wc_flags);
	return 0;
}

static int sibt_ud_check_grh(struct sibt *t, const struct sibt_qp *a,
			     const struct sibt_qp *b, const u8 *buf, u32 len)
{
	const struct ib_grh *grh = (const void *)buf;
	u32 rest = 12 + 8 + ALIGN(len, 4) + 4;	/* BTH, DETH, payload, ICRC */
	union ib_gid sgid, dgid;

	if (!t->args.grh)
		return 0;
	if (rdma_query_gid(a->dev, 1, 0, &sgid) ||
	    rdma_query_gid(b->dev, 1, 0, &dgid))
		return sibt_fail(t, "no GID");
	if (be32_to_cpu(grh->version_tclass_flow) !=
	    (6U << 28 | 0x5a << 20 | 0x12345))
		return sibt_fail(t, "GRH begins with %#x",
				 be32_to_cpu(grh->version_tclass_flow));
	if (be16_to_cpu(grh->paylen) != rest || grh->next_hdr != 0x1b ||
	    grh->hop_limit != 63)
		return sibt_fail(t, "GRH: length %u, next %#x, hop limit %u",
				 be16_to_cpu(grh->paylen), grh->next_hdr,
				 grh->hop_limit);
	if (memcmp(&grh->sgid, &sgid, 16) || memcmp(&grh->dgid, &dgid, 16))
		return sibt_fail(t, "GRH has wrong GIDs");
	return 0;
}

/* One datagram there, looked at from all sides. */
static int sibt_ud_once(struct sibt *t, struct sibt_qp *a, struct sibt_qp *b,
			struct ib_ah *ah, u32 len)
{
	u32 seed = prandom_u32_state(&t->rnd);
	struct ib_wc wc;
	u8 *buf;

	sibt_fill(a->tx, len, seed);
	if (sibt_ud_send(a, ah, b->qp->qp_num, len, 0))
		return sibt_fail(t, "%u bytes are not taken", len);
	if (sibt_expect(t, a->scq, &wc, IB_WC_SUCCESS, "send") ||
	    sibt_expect(t, b->rcq, &wc, IB_WC_SUCCESS, "receive") ||
	    sibt_ud_check_wc(t, &wc, a, b, len))
		return -EIO;
	buf = b->rx + wc.wr_id * b->slot;
	if (!sibt_filled(buf + SIBT_GRH, len, seed))
		return sibt_fail(t, "%u bytes arrive different", len);
	if (sibt_ud_check_grh(t, a, b, buf, len))
		return -EIO;
	return sibt_recv(b, wc.wr_id) ? sibt_fail(t, "repost") : 0;
}

static int sibt_ud_data(struct sibt *t)
{
	u32 mtu, len, i, count = t->args.count ?: 200;
	struct sibt_qp *a, *b;
	struct ib_port_attr port;
	struct ib_ah *ah;

	if (sibt_ud_pair(t, &a, &b, &ah, NULL) ||
	    ib_query_port(a->dev, 1, &port))
		return -EIO;
	mtu = ib_mtu_enum_to_int(port.active_mtu);
	for (len = 0; len < 9; len++)
		if (sibt_ud_once(t, a, b, ah, len))
			return -EIO;
	for (i = 0; i < count; i++)
		if (sibt_ud_once(t, a, b, ah,
				 prandom_u32_state(&t->rnd) % (mtu + 1)))
			return -EIO;
	return sibt_ud_once(t, a, b, ah, mtu);
}

static int sibt_ud_grh(struct sibt *t)
{
	t->args.grh = true;
	return sibt_ud_data(t);
}

/* A send to the sender itself: the port loops its own LID. */
static int sibt_ud_self(struct sibt *t)
{
	strscpy(t->args.b, t->args.a, sizeof(t->args.b));
	return sibt_ud_data(t);
}

static int sibt_ud_imm(struct sibt *t)
{
	struct sibt_qp *a, *b;
	struct ib_ud_wr ud = {};
	struct ib_ah *ah;
	struct ib_wc wc;

	if (sibt_ud_pair(t, &a, &b, &ah, NULL))
		return -EIO;
	ud.wr.opcode = IB_WR_SEND_WITH_IMM;
	ud.wr.ex.imm_data = cpu_to_be32(0x12345678);
	ud.ah = ah;
	ud.remote_qpn = b->qp->qp_num;
	ud.remote_qkey = SIBT_QKEY;
	if (ib_post_send(a->qp, &ud.wr, NULL))
		return sibt_fail(t, "not taken");
	if (sibt_expect(t, b->rcq, &wc, IB_WC_SUCCESS, "receive"))
		return -EIO;
	if (!(wc.wc_flags & IB_WC_WITH_IMM) ||
	    wc.ex.imm_data != cpu_to_be32(0x12345678) ||
	    wc.byte_len != SIBT_GRH)
		return sibt_fail(t, "immediate %#x, flags %#x, %u bytes",
				 be32_to_cpu(wc.ex.imm_data), wc.wc_flags,
				 wc.byte_len);
	return 0;
}

static int sibt_ud_send_qkey(struct sibt_qp *a, struct ib_ah *ah, u32 qpn,
			     u32 qkey)
{
	struct ib_ud_wr ud = {
		.wr.opcode = IB_WR_SEND,
		.ah = ah,
		.remote_qpn = qpn,
		.remote_qkey = qkey,
	};

	return ib_post_send(a->qp, &ud.wr, NULL);
}

static int sibt_ud_qkey(struct sibt *t)
{
	struct ib_port_attr before, after;
	struct sibt_qp *a, *b;
	struct ib_ah *ah;
	struct ib_wc wc;

	if (sibt_ud_pair(t, &a, &b, &ah, NULL) ||
	    ib_query_port(b->dev, 1, &before))
		return -EIO;
	if (sibt_ud_send_qkey(a, ah, b->qp->qp_num, SIBT_QKEY + 1) ||
	    sibt_quiet(t, b->rcq, 50, "wrong Q_Key"))
		return -EIO;
	if (ib_query_port(b->dev, 1, &after) ||
	    after.qkey_viol_cntr != before.qkey_viol_cntr + 1)
		return sibt_fail(t, "Q_Key violations: %u, then %u",
				 before.qkey_viol_cntr, after.qkey_viol_cntr);
	/* the top bit stands for the sender's own, which is right */
	if (sibt_ud_send_qkey(a, ah, b->qp->qp_num, 0x80000000))
		return -EIO;
	return sibt_expect(t, b->rcq, &wc, IB_WC_SUCCESS, "own Q_Key");
}

/* A datagram that does not fit is lost, and takes no receive with it. */
static int sibt_ud_long(struct sibt *t)
{
	struct sibt_opts opts = { .slot = SIBT_GRH + 100, .recv_wr = 2 };
	struct sibt_qp *a, *b;
	struct ib_ah *ah;
	struct ib_wc wc;

	if (sibt_ud_pair(t, &a, &b, &ah, &opts))
		return -EIO;
	if (sibt_ud_send(a, ah, b->qp->qp_num, 101, 0) ||
	    sibt_quiet(t, b->rcq, 50, "101 bytes for 100"))
		return -EIO;
	if (sibt_ud_send(a, ah, b->qp->qp_num, 100, 0))
		return -EIO;
	return sibt_expect(t, b->rcq, &wc, IB_WC_SUCCESS, "100 bytes for 100");
}

/* Without a receive a datagram is lost, and only that. */
static int sibt_ud_empty(struct sibt *t)
{
	struct sibt_opts opts = { .recv_wr = 1 };
	struct sibt_qp *a, *b;
	struct ib_ah *ah;
	struct ib_wc wc;
	int i;

	if (sibt_ud_pair(t, &a, &b, &ah, &opts))
		return -EIO;
	for (i = 0; i < 3; i++)
		if (sibt_ud_send(a, ah, b->qp->qp_num, 8, 0))
			return -EIO;
	if (sibt_expect(t, b->rcq, &wc, IB_WC_SUCCESS, "first of three") ||
	    sibt_quiet(t, b->rcq, 50, "second of three"))
		return -EIO;
	if (sibt_recv(b, 0) || sibt_ud_send(a, ah, b->qp->qp_num, 8, 0))
		return -EIO;
	return sibt_expect(t, b->rcq, &wc, IB_WC_SUCCESS, "fourth");
}

/* A failed send stops the send queue, and a modify starts it again. */
static int sibt_ud_sqe(struct sibt *t)
{
	struct ib_qp_init_attr init;
	struct ib_qp_attr attr;
	struct sibt_qp *a, *b;
	struct ib_ah *ah;
	struct ib_wc wc;

	if (sibt_ud_pair(t, &a, &b, &ah, NULL))
		return -EIO;
	if (sibt_ud_send(a, ah, b->qp->qp_num, 4097, 0) ||
	    sibt_expect(t, a->scq, &wc, IB_WC_LOC_LEN_ERR, "4097 bytes"))
		return -EIO;
	if (ib_query_qp(a->qp, &attr, IB_QP_STATE, &init) ||
	    attr.qp_state != IB_QPS_SQE)
		return sibt_fail(t, "state %d after it", attr.qp_state);
	if (sibt_ud_send(a, ah, b->qp->qp_num, 8, 0) ||
	    sibt_expect(t, a->scq, &wc, IB_WC_WR_FLUSH_ERR, "send in SQE"))
		return -EIO;
	if (sibt_state(a, IB_QPS_RTS))
		return sibt_fail(t, "cannot go from SQE to RTS");
	if (sibt_ud_send(a, ah, b->qp->qp_num, 8, 0) ||
	    sibt_expect(t, a->scq, &wc, IB_WC_SUCCESS, "send after SQE"))
		return -EIO;
	return sibt_expect(t, b->rcq, &wc, IB_WC_SUCCESS, "receive after SQE");
}

static const union ib_gid sibt_mgid = { .raw = {
	0xff, 0x12, 0x51, 0xb0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1
} };

#define SIBT_MLID	0xc0fe

static struct ib_ah *sibt_mcast_ah(struct sibt *t, struct sibt_qp *q)
{
	struct rdma_ah_attr attr = {};
	struct ib_ah *ah;

	attr.type = rdma_ah_find_type(q->dev, 1);
	rdma_ah_set_port_num(&attr, 1);
	rdma_ah_set_dlid(&attr, SIBT_MLID);
	rdma_ah_set_grh(&attr, (union ib_gid *)&sibt_mgid, 0, 0, 1, 0);
	ah = rdma_create_ah(q->pd, &attr, RDMA_CREATE_AH_SLEEPABLE);
	if (!IS_ERR(ah))
		return ah;
	sibt_fail(t, "cannot make an AH: %pe", ah);
	return NULL;
}

/* @a sends to the group both are in; whether it hears itself is @self. */
static int sibt_mcast_send(struct sibt *t, struct sibt_qp *a,
			   struct sibt_qp *b, struct ib_ah *ah, bool self)
{
	struct ib_wc wc;

	if (sibt_ud_send(a, ah, 0xffffff, 64, 0) ||
	    sibt_expect(t, a->scq, &wc, IB_WC_SUCCESS, "multicast send") ||
	    sibt_expect(t, b->rcq, &wc, IB_WC_SUCCESS, "another member"))
		return -EIO;
	if (!(wc.wc_flags & IB_WC_GRH) ||
	    memcmp(b->rx + wc.wr_id * b->slot + 24, &sibt_mgid, 16))
		return sibt_fail(t, "DGID is not the group's");
	if (self)
		return sibt_expect(t, a->rcq, &wc, IB_WC_SUCCESS, "itself");
	return sibt_quiet(t, a->rcq, 50, "itself");
}

static int sibt_mcast_attach(struct sibt *t, struct sibt_qp *q, bool in)
{
	union ib_gid gid = sibt_mgid;
	int ret = in ? ib_attach_mcast(q->qp, &gid, SIBT_MLID) :
		       ib_detach_mcast(q->qp, &gid, SIBT_MLID);

	return ret ? sibt_fail(t, "attach or detach: %d", ret) : 0;
}

/* @b leaves the group and hears nothing more. */
static int sibt_mcast_leave(struct sibt *t, struct sibt_qp *a,
			    struct sibt_qp *b, struct ib_ah *ah)
{
	if (sibt_mcast_attach(t, b, false))
		return -EIO;
	if (sibt_ud_send(a, ah, 0xffffff, 64, 0))
		return sibt_fail(t, "not taken");
	return sibt_quiet(t, b->rcq, 50, "former member");
}

static int sibt_mcast_both(struct sibt *t, struct sibt_qp *a,
			   struct sibt_qp *b, bool self)
{
	struct ib_ah *ah = sibt_mcast_ah(t, a);
	int ret;

	if (!ah)
		return -EIO;
	ret = sibt_mcast_attach(t, b, true);
	if (!ret && sibt_mcast_send(t, a, b, ah, self)) {
		sibt_mcast_attach(t, b, false);
		ret = -EIO;
	} else if (!ret) {
		ret = sibt_mcast_leave(t, a, b, ah);
	}
	rdma_destroy_ah(ah, RDMA_DESTROY_AH_SLEEPABLE);
	return ret;
}

static int sibt_mcast_run(struct sibt *t, struct sibt_qp *a,
			  struct sibt_qp *b, bool self)
{
	int ret = sibt_mcast_attach(t, a, true);

	if (ret)
		return ret;
	ret = sibt_mcast_both(t, a, b, self);
	return sibt_mcast_attach(t, a, false) ?: ret;
}

/* Members on one HCA, so that no SM is needed. */
static int sibt_ud_mcast(struct sibt *t)
{
	struct sibt_opts opts = {};
	struct sibt_qp *a, *b;
	struct ib_ah *ah;

	strscpy(t->args.b, t->args.a, sizeof(t->args.b));
	if (sibt_ud_pair(t, &a, &b, &ah, &opts) || sibt_recv_all(t, a) ||
	    sibt_mcast_run(t, a, b, true))
		return -EIO;
	opts.create_flags = IB_QP_CREATE_BLOCK_MULTICAST_LOOPBACK;
	if (sibt_ud_pair(t, &a, &b, &ah, &opts) || sibt_recv_all(t, a))
		return -EIO;
	return sibt_mcast_run(t, a, b, false);
}

const struct sibt_test sibt_ud_tests[] = {
	{ "ud-data", sibt_ud_data, "datagrams of 0 bytes to the MTU" },
	{ "ud-grh", sibt_ud_grh, "the same with a GRH" },
	{ "ud-self", sibt_ud_self, "the same within one HCA" },
	{ "ud-imm", sibt_ud_imm, "immediate data" },
	{ "ud-qkey", sibt_ud_qkey, "Q_Key: wrong ones, and the QP's own" },
	{ "ud-long", sibt_ud_long, "datagrams longer than the buffer" },
	{ "ud-empty", sibt_ud_empty, "datagrams without a receive" },
	{ "ud-sqe", sibt_ud_sqe, "send queue error and recovery" },
	{ "ud-mcast", sibt_ud_mcast, "groups, loopback and its blocking" },
	{}
};
