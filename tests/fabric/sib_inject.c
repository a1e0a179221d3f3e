// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * debugfs HCA/inject: UD packets that no consumer would send. What to write is
 * described in Documentation/fabric.rst.
 */
#include <linux/ctype.h>
#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/hex.h>
#include <linux/inet.h>
#include <linux/prandom.h>
#include <linux/random.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "sib_verbs.h"

#define SIB_INJECT_TEXT	8192
#define SIB_INJECT_HEX	2048
#define SIB_INJECT_MAX	4096	/* bytes of payload */
#define SIB_INJECT_COUNT 1000000

/**
 * struct sib_inject - one write, understood
 * @av: where to
 * @qpn: destination QP
 * @sqpn: source QP
 * @qkey: Q_Key
 * @pkey: P_Key
 * @min: random bytes at least
 * @max: random bytes at most
 * @count: packets
 * @seed: of the random bytes
 * @at_port: into the HCA's own input queue, not into the cable
 * @hex_len: bytes of @hex, which come before the random ones
 * @hex: bytes
 */
struct sib_inject {
	struct sib_av av;
	u32 qpn;
	u32 sqpn;
	u32 qkey;
	u32 pkey;
	u32 min;
	u32 max;
	u32 count;
	u32 seed;
	bool at_port;
	u32 hex_len;
	u8 hex[SIB_INJECT_HEX];
};

static int sib_inject_hex(struct sib_inject *inj, const char *text)
{
	size_t digits = strlen(text);

	if (digits % 2 || digits / 2 > sizeof(inj->hex))
		return -EINVAL;
	inj->hex_len = digits / 2;
	return hex2bin(inj->hex, text, inj->hex_len);
}

static int sib_inject_range(struct sib_inject *inj, char *text)
{
	char *max = strchr(text, '-');
	int ret;

	if (max)
		*max++ = '\0';
	ret = kstrtou32(text, 0, &inj->min);
	if (ret)
		return ret;
	inj->max = inj->min;
	if (max)
		ret = kstrtou32(max, 0, &inj->max);
	if (ret || inj->max < inj->min || inj->max > SIB_INJECT_MAX)
		return -EINVAL;
	return 0;
}

static int sib_inject_dgid(struct sib_inject *inj, const char *text)
{
	if (!in6_pton(text, -1, inj->av.dgid, -1, NULL))
		return -EINVAL;
	inj->av.grh = true;
	return 0;
}

static int sib_inject_number(struct sib_inject *inj, const char *key, u32 n)
{
	if (!strcmp(key, "dlid") && n <= U16_MAX)
		inj->av.dlid = cpu_to_be16(n);
	else if (!strcmp(key, "sl"))
		inj->av.sl = n & 0xf;
	else if (!strcmp(key, "hop") && n <= U8_MAX)
		inj->av.hop_limit = n;
	else if (!strcmp(key, "qpn"))
		inj->qpn = n & SIB_24BIT;
	else if (!strcmp(key, "sqpn"))
		inj->sqpn = n & SIB_24BIT;
	else if (!strcmp(key, "qkey"))
		inj->qkey = n;
	else if (!strcmp(key, "pkey"))
		inj->pkey = n & 0xffff;
	else if (!strcmp(key, "count") && n <= SIB_INJECT_COUNT)
		inj->count = n;
	else if (!strcmp(key, "seed"))
		inj->seed = n;
	else
		return -EINVAL;
	return 0;
}

static int sib_inject_word(struct sib_inject *inj, char *word)
{
	char *value = strchr(word, '=');
	u32 n;
	int ret;

	if (!value)
		return -EINVAL;
	*value++ = '\0';
	if (!strcmp(word, "hex"))
		return sib_inject_hex(inj, value);
	if (!strcmp(word, "random"))
		return sib_inject_range(inj, value);
	if (!strcmp(word, "dgid"))
		return sib_inject_dgid(inj, value);
	if (!strcmp(word, "at")) {
		inj->at_port = !strcmp(value, "port");
		return inj->at_port || !strcmp(value, "wire") ? 0 : -EINVAL;
	}
	ret = kstrtou32(value, 0, &n);
	return ret ?: sib_inject_number(inj, word, n);
}

static int sib_inject_parse(struct sib_inject *inj, char *text)
{
	char *word;
	int ret = 0;

	inj->count = 1;
	inj->pkey = IB_DEFAULT_PKEY_FULL;
	inj->seed = get_random_u32();
	inj->av.ver_tc_flow = cpu_to_be32(6U << 28);
	while (!ret && (word = strsep(&text, " \t\n")))
		if (*word)
			ret = sib_inject_word(inj, word);
	return ret;
}

static struct sib_pkt *sib_inject_packet(struct sib_port *port,
					 const struct sib_inject *inj, u32 len)
{
	u32 head = sizeof(struct sib_lrh) + sizeof(struct sib_bth) +
		   sizeof(struct sib_deth) +
		   (inj->av.grh ? sizeof(struct sib_grh) : 0);
	u8 pad = -len & 3;
	struct sib_pkt *pkt = sib_pkt_alloc(head + len + pad);
	struct sib_deth *deth;
	struct sib_bth *bth;

	if (!pkt)
		return NULL;
	bth = sib_route(pkt, port, &inj->av, inj->qpn ? 0 : SIB_VL_MGMT);
	bth->opcode = SIB_OP_UD | SIB_OP_SEND_ONLY;
	bth->flags = SIB_BTH_MIG | pad << 4;
	bth->pkey = cpu_to_be16(inj->pkey);
	bth->dqpn = cpu_to_be32(inj->qpn);
	bth->psn = 0;
	deth = sib_ext(pkt);
	deth->qkey = cpu_to_be32(inj->qkey);
	deth->sqpn = cpu_to_be32(inj->sqpn);
	memset(deth + 1, 0, len + pad);
	return pkt;
}

/* One packet. Softirqs run at its end, so that the receiver keeps up. */
static int sib_inject_one(struct sib_port *port, const struct sib_inject *inj,
			  struct rnd_state *rnd)
{
	u32 random = inj->min;
	struct sib_pkt *pkt;
	u8 *payload;

	if (inj->max > inj->min)
		random += prandom_u32_state(rnd) % (inj->max - inj->min + 1);
	if (inj->hex_len + random > SIB_INJECT_MAX)
		return -EINVAL;
	pkt = sib_inject_packet(port, inj, inj->hex_len + random);
	if (!pkt)
		return -ENOMEM;
	payload = sib_ext(pkt) + sizeof(struct sib_deth);
	memcpy(payload, inj->hex, inj->hex_len);
	prandom_bytes_state(rnd, payload + inj->hex_len, random);
	local_bh_disable();
	sib_count(port->hca, SIB_STAT_INJECTED);
	if (inj->at_port)
		sib_inq_add(&port->inq, pkt);
	else
		sib_port_send(port, pkt);
	local_bh_enable();
	return 0;
}

/* Without a DLID packets are for the HCA itself. */
static int sib_inject_all(struct sib_hca *hca, struct sib_inject *inj)
{
	struct rnd_state rnd;
	int ret = 0;
	u32 i;

	if (!inj->av.dlid)
		inj->av.dlid = cpu_to_be16(READ_ONCE(hca->port.end.info.lid));
	WRITE_ONCE(hca->inject_seed, inj->seed);
	prandom_seed_state(&rnd, inj->seed);
	for (i = 0; i < inj->count && !ret; i++) {
		ret = sib_inject_one(&hca->port, inj, &rnd);
		if (fatal_signal_pending(current))
			ret = -EINTR;
		cond_resched();
	}
	return ret;
}

static ssize_t sib_inject_write(struct file *file, const char __user *buf,
				size_t len, loff_t *pos)
{
	struct sib_hca *hca = file->private_data;
	struct sib_inject *inj;
	char *text;
	int ret;

	if (len > SIB_INJECT_TEXT)
		return -EINVAL;
	text = memdup_user_nul(buf, len);
	if (IS_ERR(text))
		return PTR_ERR(text);
	inj = kzalloc_obj(*inj);
	ret = inj ? sib_inject_parse(inj, text) : -ENOMEM;
	if (!ret)
		ret = sib_inject_all(hca, inj);
	kfree(inj);
	kfree(text);
	return ret ?: len;
}

static ssize_t sib_inject_read(struct file *file, char __user *buf,
			       size_t len, loff_t *pos)
{
	struct sib_hca *hca = file->private_data;
	char text[32];
	int n;

	n = scnprintf(text, sizeof(text), "seed %u\n",
		      READ_ONCE(hca->inject_seed));
	return simple_read_from_buffer(buf, len, pos, text, n);
}

static const struct file_operations sib_inject_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.read = sib_inject_read,
	.write = sib_inject_write,
	.llseek = noop_llseek,
};

/**
 * sib_inject_add - make the file
 * @hca: its HCA, whose debugfs directory exists and will be removed with it
 *
 * Context: may sleep.
 */
void sib_inject_add(struct sib_hca *hca)
{
	if (!IS_ERR_OR_NULL(hca->dbg))
		debugfs_create_file("inject", 0600, hca->dbg, hca,
				    &sib_inject_fops);
}
