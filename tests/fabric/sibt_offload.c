// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * sib_test: checksum offload and large send, against frames that are computed
 * here, bit by bit and without the kernel's helpers.
 */
#include <linux/if_ether.h>
#include <linux/in.h>
#include <linux/unaligned.h>

#include "sibt.h"

#define SIBT_ENCAP	4
#define SIBT_FRAME	2048	/* the MTU of the fabric at least */

/* A frame to make: 4 bytes of encapsulation, IP, TCP or UDP, data. */
struct sibt_frame {
	bool ip6;
	u8 proto;
	u8 tcp_options;	/* words */
	u8 tcp_flags;
	u32 seq;
	u16 id;
};

static u32 sibt_ip_len(const struct sibt_frame *f)
{
	return f->ip6 ? 40 : 20;
}

static u32 sibt_l4_len(const struct sibt_frame *f)
{
	return f->proto == IPPROTO_TCP ? 20 + f->tcp_options * 4 : 8;
}

static u32 sibt_head(const struct sibt_frame *f)
{
	return SIBT_ENCAP + sibt_ip_len(f) + sibt_l4_len(f);
}

/* RFC 1071, unhurried. */
static u32 sibt_sum(const u8 *p, u32 len, u32 sum)
{
	u32 i;

	for (i = 0; i < len; i++)
		sum += i & 1 ? p[i] : p[i] << 8;
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return sum;
}

static void sibt_put_ip4(u8 *p, const struct sibt_frame *f, u32 len)
{
	static const u8 addrs[] = { 10, 0, 0, 1, 10, 0, 0, 2 };

	memset(p, 0, 20);
	p[0] = 0x45;
	put_unaligned_be16(20 + len, p + 2);
	put_unaligned_be16(f->id, p + 4);
	p[6] = 0x40;
	p[8] = 64;
	p[9] = f->proto;
	memcpy(p + 12, addrs, sizeof(addrs));
	put_unaligned_be16(~sibt_sum(p, 20, 0), p + 10);
}

static void sibt_put_ip6(u8 *p, const struct sibt_frame *f, u32 len)
{
	memset(p, 0, 40);
	p[0] = 0x60;
	put_unaligned_be16(len, p + 4);
	p[6] = f->proto;
	p[7] = 64;
	p[8] = 0xfd;
	p[23] = 1;
	p[24] = 0xfd;
	p[39] = 2;
}

static void sibt_put_l4(u8 *p, const struct sibt_frame *f, u32 len)
{
	put_unaligned_be16(4000, p);
	put_unaligned_be16(5000, p + 2);
	if (f->proto == IPPROTO_UDP) {
		put_unaligned_be16(len, p + 4);
		put_unaligned_be16(0, p + 6);
		return;
	}
	memset(p + 4, 0, sibt_l4_len(f) - 4);
	put_unaligned_be32(f->seq, p + 4);
	put_unaligned_be32(0x1000, p + 8);
	p[12] = (5 + f->tcp_options) << 4;
	p[13] = f->tcp_flags;
	put_unaligned_be16(1000, p + 14);
	memset(p + 20, 1, f->tcp_options * 4);	/* no-operation */
}

static u8 *sibt_check(u8 *frame, const struct sibt_frame *f)
{
	return frame + SIBT_ENCAP + sibt_ip_len(f) +
	       (f->proto == IPPROTO_TCP ? 16 : 6);
}

static void sibt_put_check(u8 *frame, const struct sibt_frame *f, u32 data)
{
	u8 *ip = frame + SIBT_ENCAP;
	u32 len = sibt_l4_len(f) + data;
	u32 sum = f->ip6 ? sibt_sum(ip + 8, 32, 0) : sibt_sum(ip + 12, 8, 0);
	u16 check;

	sum = sibt_sum(ip + sibt_ip_len(f), len, sum + len + f->proto);
	check = ~sum;
	if (f->proto == IPPROTO_UDP && !check)
		check = 0xffff;
	put_unaligned_be16(check, sibt_check(frame, f));
}

/* The frame with right checksums; its data is there already. */
static void sibt_put_frame(u8 *frame, const struct sibt_frame *f, u32 data)
{
	u32 len = sibt_l4_len(f) + data;

	put_unaligned_be32((f->ip6 ? ETH_P_IPV6 : ETH_P_IP) << 16, frame);
	if (f->ip6)
		sibt_put_ip6(frame + SIBT_ENCAP, f, len);
	else
		sibt_put_ip4(frame + SIBT_ENCAP, f, len);
	sibt_put_l4(frame + SIBT_ENCAP + sibt_ip_len(f), f, len);
	sibt_put_check(frame, f, data);
}

static void sibt_random_frame(struct sibt *t, struct sibt_frame *f, bool tcp)
{
	u32 rnd = prandom_u32_state(&t->rnd);

	f->ip6 = rnd & 1;
	f->proto = tcp || rnd & 2 ? IPPROTO_TCP : IPPROTO_UDP;
	f->tcp_options = rnd >> 2 & 7;
	f->tcp_flags = rnd >> 8;
	f->seq = prandom_u32_state(&t->rnd);
	f->id = rnd >> 16;
}

/* What is to arrive next is @want; whether it is known good is @ok. */
static int sibt_frame_arrives(struct sibt *t, struct sibt_qp *b,
			      const u8 *want, u32 len, bool ok)
{
	struct ib_wc wc;
	const u8 *got;
	u32 i;

	if (sibt_expect(t, b->rcq, &wc, IB_WC_SUCCESS, "receive"))
		return -EIO;
	got = b->rx + wc.wr_id * b->slot + SIBT_GRH;
	if (wc.byte_len != SIBT_GRH + len)
		return sibt_fail(t, "%u bytes, expected %u",
				 wc.byte_len - SIBT_GRH, len);
	for (i = 0; i < len; i++)
		if (got[i] != want[i])
			return sibt_fail(t, "byte %u of %u: %#x, expected %#x",
					 i, len, got[i], want[i]);
	if (!!(wc.wc_flags & IB_WC_IP_CSUM_OK) != ok)
		return sibt_fail(t, "checksum flag %d, expected %d", !ok, ok);
	return sibt_recv(b, wc.wr_id) ? sibt_fail(t, "repost") : 0;
}

/* Sent with offload, without, and with a wrong checksum. */
static int sibt_csum_once(struct sibt *t, struct sibt_qp *a,
			  struct sibt_qp *b, struct ib_ah *ah, u8 *want)
{
	u32 data, len, qpn = b->qp->qp_num;
	struct sibt_frame f = {};

	sibt_random_frame(t, &f, false);
	data = prandom_u32_state(&t->rnd) % (SIBT_FRAME - sibt_head(&f));
	len = sibt_head(&f) + data;
	prandom_bytes_state(&t->rnd, want + sibt_head(&f), data);
	sibt_put_frame(want, &f, data);
	memcpy(a->tx, want, len);
	if (!f.ip6)
		put_unaligned_be16(0x1234, a->tx + SIBT_ENCAP + 10);
	put_unaligned_be16(0x5678, sibt_check(a->tx, &f));
	if (sibt_ud_send(a, ah, qpn, len, IB_SEND_IP_CSUM) ||
	    sibt_frame_arrives(t, b, want, len, true))
		return sibt_fail(t, "offloaded frame");
	memcpy(a->tx, want, len);
	if (sibt_ud_send(a, ah, qpn, len, 0) ||
	    sibt_frame_arrives(t, b, want, len, true))
		return sibt_fail(t, "right frame");
	a->tx[len - 1] ^= 0x10;
	want[len - 1] ^= 0x10;
	if (sibt_ud_send(a, ah, qpn, len, 0) ||
	    sibt_frame_arrives(t, b, want, len, false))
		return sibt_fail(t, "wrong frame");
	return 0;
}

static int sibt_drain_sends(struct sibt_qp *a)
{
	struct ib_wc wc;
	int n = 0;

	while (ib_poll_cq(a->scq, 1, &wc) == 1)
		n += wc.status == IB_WC_SUCCESS;
	return n;
}

static int sibt_csum(struct sibt *t)
{
	u32 i, count = t->args.count ?: 300;
	struct sibt_qp *a, *b;
	struct ib_ah *ah;

	if (sibt_ud_pair(t, &a, &b, &ah, NULL))
		return -EIO;
	for (i = 0; i < count; i++) {
		if (sibt_csum_once(t, a, b, ah, a->tx + SIBT_TX / 2))
			return -EIO;
		if (sibt_drain_sends(a) != 3)
			return sibt_fail(t, "sends are not complete");
	}
	return 0;
}

/* What no HCA can vouch for: not IP, fragments, ICMP, UDP without checksum. */
static int sibt_csum_none(struct sibt *t)
{
	struct sibt_frame f = { .proto = IPPROTO_UDP };
	u32 i, len = SIBT_ENCAP + 20 + 8 + 32;
	struct sibt_qp *a, *b;
	struct ib_ah *ah;

	if (sibt_ud_pair(t, &a, &b, &ah, NULL))
		return -EIO;
	for (i = 0; i < 4; i++) {
		sibt_put_frame(a->tx, &f, 32);
		if (i == 0)
			put_unaligned_be16(ETH_P_ARP, a->tx);
		else if (i == 1)
			a->tx[SIBT_ENCAP + 6] = 0x20;	/* more fragments */
		else if (i == 2)
			a->tx[SIBT_ENCAP + 9] = IPPROTO_ICMP;
		else
			put_unaligned_be16(0, sibt_check(a->tx, &f));
		if (sibt_ud_send(a, ah, b->qp->qp_num, len, 0) ||
		    sibt_frame_arrives(t, b, a->tx, len, false))
			return sibt_fail(t, "case %u", i);
	}
	return 0;
}

static int sibt_lso_post(struct sibt_qp *a, struct ib_ah *ah, u32 qpn,
			 u32 head, u32 data, u32 mss)
{
	struct ib_sge sge[2] = {};
	struct ib_ud_wr ud = {
		.wr = {
			.sg_list = sge,
			.num_sge = 2,
			.opcode = IB_WR_LSO,
			.send_flags = IB_SEND_IP_CSUM,
		},
		.ah = ah,
		.header = a->tx,
		.hlen = head,
		.mss = mss,
		.remote_qpn = qpn,
		.remote_qkey = SIBT_QKEY,
	};

	sge[0].addr = (uintptr_t)a->tx + head;
	sge[0].length = data / 3;
	sge[0].lkey = a->pd->local_dma_lkey;
	sge[1].addr = sge[0].addr + sge[0].length;
	sge[1].length = data - data / 3;
	sge[1].lkey = a->pd->local_dma_lkey;
	return ib_post_send(a->qp, &ud.wr, NULL);
}

/* Each segment as TCP would have made it (RFC 9293, RFC 3168). */
static int sibt_lso_segments(struct sibt *t, struct sibt_qp *a,
			     struct sibt_qp *b, const struct sibt_frame *whole,
			     u32 data, u32 mss)
{
	u8 *want = a->tx + SIBT_TX / 2;
	u32 head = sibt_head(whole), off, n;
	struct sibt_frame f;

	for (off = 0; off < data; off += n) {
		n = min(mss, data - off);
		f = *whole;
		f.seq += off;
		f.id += off / mss;
		if (off)
			f.tcp_flags &= ~0x80;	/* CWR: first only */
		if (off + n < data)
			f.tcp_flags &= ~0x09;	/* PSH, FIN: last only */
		memcpy(want + head, a->tx + head + off, n);
		sibt_put_frame(want, &f, n);
		if (sibt_frame_arrives(t, b, want, head + n, true))
			return sibt_fail(t, "segment at %u", off);
	}
	return 0;
}

static int sibt_lso_once(struct sibt *t, struct sibt_qp *a, struct sibt_qp *b,
			 struct ib_ah *ah)
{
	struct sibt_frame f = {};
	u32 head, data, mss;
	struct ib_wc wc;

	sibt_random_frame(t, &f, true);
	head = sibt_head(&f);
	mss = 1 + prandom_u32_state(&t->rnd) % (SIBT_FRAME - head);
	/* as many segments as there are receives at most */
	data = 1 + prandom_u32_state(&t->rnd) % min_t(u32, mss * 60, 65000);
	prandom_bytes_state(&t->rnd, a->tx + head, data);
	sibt_put_frame(a->tx, &f, data % 1000);	/* lengths do not matter */
	if (sibt_lso_post(a, ah, b->qp->qp_num, head, data, mss))
		return sibt_fail(t, "not taken");
	if (sibt_expect(t, a->scq, &wc, IB_WC_SUCCESS, "large send"))
		return -EIO;
	if (wc.opcode != IB_WC_LSO)
		return sibt_fail(t, "opcode %d", wc.opcode);
	if (sibt_lso_segments(t, a, b, &f, data, mss))
		return sibt_fail(t, "IPv%d, %u bytes, mss %u", f.ip6 ? 6 : 4,
				 data, mss);
	return 0;
}

static int sibt_lso(struct sibt *t)
{
	struct sibt_opts opts = {
		.create_flags = IB_QP_CREATE_IPOIB_UD_LSO,
	};
	u32 i, count = t->args.count ?: 100;
	struct sibt_qp *a, *b;
	struct ib_ah *ah;

	if (sibt_ud_pair(t, &a, &b, &ah, &opts))
		return -EIO;
	for (i = 0; i < count; i++)
		if (sibt_lso_once(t, a, b, ah))
			return -EIO;
	return 0;
}

const struct sibt_test sibt_offload_tests[] = {
	{ "csum", sibt_csum, "checksums on sending and receiving" },
	{ "csum-none", sibt_csum_none, "frames without a checksum to trust" },
	{ "lso", sibt_lso, "segments of large sends" },
	{}
};
