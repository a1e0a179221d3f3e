/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The InfiniBand wire format: headers as they stand in a packet. */
#ifndef SIB_WIRE_H
#define SIB_WIRE_H

#include <linux/types.h>
#include <linux/unaligned.h>

/* Local route header, chapter 7.7 */
struct sib_lrh {
	u8 vl_ver;	/* VL 7:4, version 3:0 */
	u8 sl_lnh;	/* SL 7:4, LNH 1:0 */
	__be16 dlid;
	__be16 len;	/* in words of 4 bytes, LRH to ICRC */
	__be16 slid;
};

#define SIB_LNH_LOCAL	2	/* BTH follows */
#define SIB_LNH_GLOBAL	3	/* GRH, then BTH */
#define SIB_VL_MGMT	15

/* Global route header, chapter 8.3 */
struct sib_grh {
	__be32 ver_tc_flow;	/* version 6, TClass, flow label */
	__be16 len;		/* bytes behind the GRH, to ICRC */
	u8 next;		/* 0x1b: BTH */
	u8 hop_limit;
	u8 sgid[16];
	u8 dgid[16];
};

#define SIB_GRH_NEXT_BTH 0x1b

/* Base transport header, chapter 9.2 */
struct sib_bth {
	u8 opcode;
	u8 flags;	/* solicited 7, migrate 6, pad 5:4, version 3:0 */
	__be16 pkey;
	__be32 dqpn;	/* 31:24 reserved */
	__be32 psn;	/* AckReq 31, 23:0 PSN */
};

#define SIB_BTH_SE	0x80
#define SIB_BTH_MIG	0x40
#define SIB_BTH_PAD(flags) ((flags) >> 4 & 3)
#define SIB_BTH_ACKREQ	0x80000000
#define SIB_24BIT	0xffffff

/* Datagram extended transport header, chapter 9.3.2 */
struct sib_deth {
	__be32 qkey;
	__be32 sqpn;	/* 31:24 reserved */
};

/* RDMA extended transport header, chapter 9.3.3 */
struct sib_reth {
	__be32 va_hi;
	__be32 va_lo;
	__be32 rkey;
	__be32 len;
};

#define SIB_IMM_LEN	4
#define SIB_AETH_LEN	4	/* syndrome 31:24, MSN 23:0; chapter 9.3.5 */
#define SIB_ICRC_LEN	4
#define SIB_VCRC_LEN	2

#define SIB_HDR_MAX	(sizeof(struct sib_lrh) + sizeof(struct sib_grh) + \
			 sizeof(struct sib_bth) + sizeof(struct sib_reth) + \
			 SIB_IMM_LEN)

/* BTH opcodes, table 38: transport in 7:5, operation in 4:0 */
enum {
	SIB_OP_RC = 0x00,
	SIB_OP_UD = 0x60,

	SIB_OP_SEND_FIRST = 0x00,
	SIB_OP_SEND_MIDDLE = 0x01,
	SIB_OP_SEND_LAST = 0x02,
	SIB_OP_SEND_LAST_IMM = 0x03,
	SIB_OP_SEND_ONLY = 0x04,
	SIB_OP_SEND_ONLY_IMM = 0x05,
	SIB_OP_ACK = 0x11,
};

/* AETH syndrome, tables 44 to 46 */
enum {
	SIB_AETH_ACK = 0x00,
	SIB_AETH_RNR = 0x20,
	SIB_AETH_NAK = 0x60,
	SIB_AETH_KIND = 0x60,
	SIB_AETH_VALUE = 0x1f,
	SIB_AETH_NO_CREDITS = 0x1f,	/* credit field not in use */

	SIB_NAK_SEQUENCE = 0,
	SIB_NAK_INVALID = 1,
	SIB_NAK_ACCESS = 2,
	SIB_NAK_OPERATION = 3,
};

#endif
