// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * What HCAs do for IPoIB: Internet checksums, and cutting a large TCP segment
 * into packets. A frame is the payload of a UD packet: 4 bytes of
 * encapsulation (RFC 4391), then IP.
 */
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/tcp.h>
#include <linux/udp.h>
#include <net/checksum.h>
#include <net/ip.h>
#include <net/ip6_checksum.h>

#include "sib_verbs.h"

#define SIB_ENCAP_LEN	4

/**
 * struct sib_frame - where things are in a frame
 * @ip4: IPv4 header, or NULL
 * @ip6: IPv6 header, or NULL
 * @l4: transport header
 * @l4_len: bytes from there to the end of the IP packet
 * @proto: IPPROTO_TCP or IPPROTO_UDP, 0 for anything without a checksum here
 */
struct sib_frame {
	struct iphdr *ip4;
	struct ipv6hdr *ip6;
	u8 *l4;
	u32 l4_len;
	u8 proto;
};

static bool sib_frame_ip4(struct sib_frame *f, u8 *ip, u32 len)
{
	struct iphdr *h = (struct iphdr *)ip;
	u32 head, total;

	if (len < sizeof(*h))
		return false;
	head = h->ihl * 4;
	total = be16_to_cpu(h->tot_len);
	if (h->version != 4 || head < sizeof(*h) || total < head || total > len)
		return false;
	f->ip4 = h;
	f->l4 = ip + head;
	f->l4_len = total - head;
	if (!ip_is_fragment(h))
		f->proto = h->protocol;
	return true;
}

static bool sib_frame_ip6(struct sib_frame *f, u8 *ip, u32 len)
{
	struct ipv6hdr *h = (struct ipv6hdr *)ip;

	if (len < sizeof(*h) || h->version != 6 ||
	    be16_to_cpu(h->payload_len) > len - sizeof(*h))
		return false;
	f->ip6 = h;
	f->l4 = ip + sizeof(*h);
	f->l4_len = be16_to_cpu(h->payload_len);
	f->proto = h->nexthdr;
	return true;
}

static bool sib_frame_parse(struct sib_frame *f, u8 *frame, u32 len)
{
	bool is_ip = false;
	u32 need;

	memset(f, 0, sizeof(*f));
	if (len < SIB_ENCAP_LEN)
		return false;
	if (get_unaligned_be16(frame) == ETH_P_IP)
		is_ip = sib_frame_ip4(f, frame + SIB_ENCAP_LEN,
				      len - SIB_ENCAP_LEN);
	else if (get_unaligned_be16(frame) == ETH_P_IPV6)
		is_ip = sib_frame_ip6(f, frame + SIB_ENCAP_LEN,
				      len - SIB_ENCAP_LEN);
	if (!is_ip)
		return false;
	need = f->proto == IPPROTO_TCP ? sizeof(struct tcphdr) :
					 sizeof(struct udphdr);
	if ((f->proto != IPPROTO_TCP && f->proto != IPPROTO_UDP) ||
	    f->l4_len < need)
		f->proto = 0;
	return true;
}

/* Sum over pseudo header and transport: 0 if the checksum within is right. */
static __sum16 sib_frame_sum(const struct sib_frame *f)
{
	__wsum sum = csum_partial(f->l4, f->l4_len, 0);

	if (f->ip4)
		return csum_tcpudp_magic(f->ip4->saddr, f->ip4->daddr,
					 f->l4_len, f->proto, sum);
	return csum_ipv6_magic(&f->ip6->saddr, &f->ip6->daddr, f->l4_len,
			       f->proto, sum);
}

/**
 * sib_csum_fill - compute IP header and TCP/UDP checksum of a frame
 * @frame: encapsulation header on
 * @len: bytes
 *
 * What is no IP, or a fragment, is left as it is. Context: any.
 * Return: whether a TCP or UDP checksum was set.
 */
bool sib_csum_fill(u8 *frame, u32 len)
{
	struct sib_frame f;
	__sum16 *check;

	if (!sib_frame_parse(&f, frame, len))
		return false;
	if (f.ip4)
		ip_send_check(f.ip4);
	if (!f.proto)
		return false;
	if (f.proto == IPPROTO_TCP)
		check = &((struct tcphdr *)f.l4)->check;
	else
		check = &((struct udphdr *)f.l4)->check;
	*check = 0;
	*check = sib_frame_sum(&f);
	if (f.proto == IPPROTO_UDP && !*check)
		*check = CSUM_MANGLED_0;
	return true;
}

/**
 * sib_csum_good - are the checksums of a frame there, and right?
 * @frame: encapsulation header on
 * @len: bytes
 *
 * Context: any. Return: true for an IPv4 or IPv6 packet, no fragment, whose
 * header checksum and TCP or UDP checksum hold.
 */
bool sib_csum_good(const u8 *frame, u32 len)
{
	struct sib_frame f;

	if (!sib_frame_parse(&f, (u8 *)frame, len) || !f.proto)
		return false;
	if (f.ip4 && ip_fast_csum((u8 *)f.ip4, f.ip4->ihl))
		return false;
	if (f.proto == IPPROTO_UDP && !((struct udphdr *)f.l4)->check)
		return false;
	return !sib_frame_sum(&f);
}

/**
 * struct sib_cut - state of cutting up one large send
 * @hlen: bytes of headers, in front of each segment
 * @tcp: where in the headers TCP begins
 * @ip6: IPv6
 * @seq: sequence number of the next segment
 * @id: IPv4 identification of the next segment
 * @first: the next segment is the first
 */
struct sib_cut {
	u32 hlen;
	u32 tcp;
	bool ip6;
	u32 seq;
	u16 id;
	bool first;
};

static int sib_cut_start(struct sib_cut *cut, const struct ib_ud_wr *ud)
{
	const u8 *ip = ud->header + SIB_ENCAP_LEN;
	const struct tcphdr *tcp;
	u32 head;

	if (ud->hlen < SIB_ENCAP_LEN + sizeof(struct iphdr))
		return -EINVAL;
	cut->ip6 = ip[0] >> 4 == 6;
	head = cut->ip6 ? sizeof(struct ipv6hdr) : (ip[0] & 0xf) * 4;
	cut->tcp = SIB_ENCAP_LEN + head;
	cut->hlen = ud->hlen;
	if (cut->hlen < cut->tcp + sizeof(*tcp))
		return -EINVAL;
	tcp = (const struct tcphdr *)(ud->header + cut->tcp);
	if (cut->hlen != cut->tcp + tcp->doff * 4)
		return -EINVAL;
	cut->seq = be32_to_cpu(tcp->seq);
	cut->id = cut->ip6 ? 0 : get_unaligned_be16(ip + 4);
	cut->first = true;
	return 0;
}

/* Make the copied headers those of a segment with @len bytes of data. */
static void sib_cut_patch(struct sib_cut *cut, u8 *frame, u32 len, bool last)
{
	struct tcphdr *tcp = (struct tcphdr *)(frame + cut->tcp);
	u8 *ip = frame + SIB_ENCAP_LEN;
	u32 behind_encap = cut->hlen - SIB_ENCAP_LEN + len;

	if (cut->ip6) {
		put_unaligned_be16(behind_encap - sizeof(struct ipv6hdr),
				   ip + 4);
	} else {
		put_unaligned_be16(behind_encap, ip + 2);
		put_unaligned_be16(cut->id++, ip + 4);
	}
	tcp->seq = cpu_to_be32(cut->seq);
	if (!last) {
		tcp->fin = 0;
		tcp->psh = 0;
	}
	if (!cut->first)
		tcp->cwr = 0;
	cut->first = false;
	cut->seq += len;
}

/**
 * sib_lso_send - cut a large send into packets and send them
 * @qp: sender
 * @ud: request with IB_WR_LSO
 * @len: bytes its SGEs hold
 *
 * Each packet gets the headers with length, identification, sequence number
 * and flags as TCP would have sent it by itself, and checksums.
 *
 * Context: any, @qp->slock held.
 * Return: 0, or -EINVAL if the header is not that of TCP over IP.
 */
int sib_lso_send(struct sib_qp *qp, const struct ib_ud_wr *ud, u32 len)
{
	struct sib_sg sg = { .sge = ud->wr.sg_list };
	struct sib_pkt *pkt;
	struct sib_cut cut;
	u8 *frame;
	u32 n;

	lockdep_assert_held(&qp->slock);

	if (sib_cut_start(&cut, ud))
		return -EINVAL;
	sib_count(qp->hca, SIB_STAT_LSO_REQUESTS);
	do {
		n = min_t(u32, len, ud->mss);
		len -= n;
		pkt = sib_ud_packet(qp, ud, cut.hlen + n, &frame);
		if (!pkt)
			return 0;	/* as if the rest were lost */
		memcpy(frame, ud->header, cut.hlen);
		sib_sg_gather(&sg, frame + cut.hlen, n);
		sib_cut_patch(&cut, frame, n, !len);
		pkt->csum = sib_csum_fill(frame, cut.hlen + n);
		sib_count(qp->hca, SIB_STAT_LSO_SEGMENTS);
		sib_count(qp->hca, SIB_STAT_UD_SENT);
		sib_port_send(qp->port, pkt);
	} while (len);
	return 0;
}
