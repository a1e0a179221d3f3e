/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * sib - a software InfiniBand fabric
 *
 * HCAs of one port each, joined by one switch. What travels between them are
 * InfiniBand packets in their wire format, LRH to VCRC. Chapters named in
 * comments are those of the InfiniBand Architecture Specification, volume 1.
 *
 * The way of a packet
 *
 *   post_send -> sib_ud.c/sib_rc.c build it -> sib_end_send() (sib_wire.c) over
 *   the HCA's cable -> sib_switch_receive() -> sib_end_send() over each cable
 *   the tables name -> the destination's input queue. All of that runs in
 *   the sender's context, possibly with interrupts off. From the input queue
 *   on, the destination port's tasklet does the work: P_Key, Q_Key, copying to
 *   the receive buffers, completions. Consumers are told by a tasklet per CQ.
 *
 * Lock order, outermost first. Every lock is taken with interrupts saved, as
 * ib_mad posts with interrupts off.
 *
 *   sib_hca.qps' xa_lock
 *     sib_qp.slock        send queue and requester
 *       sib_port.mc_lock  multicast attachments; held over delivery to members
 *         sib_qp.rlock    responder and the QP's own receive queue
 *           sib_srq.lock  shared receive queue
 *             sib_cq.lock leaf
 *   sib_switch.lock       forwarding tables; only for writers, readers use RCU
 *
 * Within any of these, and leaves but for sib_end.lock:
 *
 *   sib_end.lock          management attributes of one end of a cable
 *     sib_faults.lock, sib_verb_faults.lock, sib_traps.lock,
 *     sib_switch.mad_lock, sib_inq.lock
 *
 * Two QPs' locks are never held together: delivery goes through an input
 * queue even when sender and receiver are the same QP.
 * sib_lock (mutex) is outside all of these.
 */
#ifndef SIB_H
#define SIB_H

#include <linux/atomic.h>
#include <linux/interrupt.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/platform_device.h>
#include <linux/spinlock.h>
#include <linux/timer.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>
#include <rdma/ib_mad.h>
#include <rdma/ib_smi.h>
#include <rdma/ib_verbs.h>

#include "sib_fault.h"
#include "sib_wire.h"

#define SIB_MAX_HCAS	250	/* switch ports are numbered in a byte */
#define SIB_PKEYS	32	/* P_Key table of an HCA port or switch port */
#define SIB_GIDS	8	/* GID table of an HCA port */
#define SIB_RECENT	16	/* QPs a port remembers */
#define SIB_MLIDS	1024	/* multicast forwarding entries of the switch */
#define SIB_LFT_TOP	0xbfff	/* highest unicast LID */
#define SIB_MLID_BASE	0xc000
#define SIB_LID_PERMISSIVE 0xffff
#define SIB_VENDOR_ID	0x0051b0

/* GUIDs: 0x0051b00000000000 | index of the HCA from 1 << 8 | what it names */
#define SIB_GUID(hca, what) \
	(0x0051b00000000000ULL | (u64)((hca) + 1) << 8 | (what))
#define SIB_GUID_NODE	0x00
#define SIB_GUID_PORT	0x01
#define SIB_GUID_SYSTEM	0x0f
#define SIB_GUID_SWITCH	0x0051b000000f0000ULL

struct sib_hca;
struct sib_port;
struct sib_qp;
struct sib_switch;
struct sib_dbg_file;

/**
 * struct sib_pkt - one packet
 * @node: place in the one list that owns the packet
 * @due: jiffies at which a held packet goes on at the latest
 * @hold: packets that still overtake it before it goes on, 0: only @due counts
 * @len: bytes from LRH to the padded payload, CRCs not counted
 * @size: room in @data
 * @crc: ICRC and VCRC are present behind @len bytes and are checked at receipt
 * @csum: the receiver may believe the IP and TCP/UDP checksums without looking
 * @looped: has not left its own HCA
 * @in_port: port of the switch it came in at, while it waits for the SMA there
 * @data: LRH on
 */
struct sib_pkt {
	struct list_head node;
	unsigned long due;
	u32 hold;
	u16 len;
	u16 size;
	u8 crc:1;
	u8 csum:1;
	u8 looped:1;
	u8 in_port;
	u8 data[] __aligned(8);
};

static inline struct sib_lrh *sib_lrh(struct sib_pkt *pkt)
{
	return (struct sib_lrh *)pkt->data;
}

static inline u16 sib_dlid(struct sib_pkt *pkt)
{
	return be16_to_cpu(sib_lrh(pkt)->dlid);
}

static inline u8 sib_vl(struct sib_pkt *pkt)
{
	return sib_lrh(pkt)->vl_ver >> 4;
}

/* The GRH, or NULL; of a packet whose length has been checked. */
static inline struct sib_grh *sib_grh(struct sib_pkt *pkt)
{
	if ((sib_lrh(pkt)->sl_lnh & 3) != SIB_LNH_GLOBAL)
		return NULL;
	return (struct sib_grh *)(pkt->data + sizeof(struct sib_lrh));
}

static inline struct sib_bth *sib_bth(struct sib_pkt *pkt)
{
	return (struct sib_bth *)(pkt->data + sizeof(struct sib_lrh) +
		(sib_grh(pkt) ? sizeof(struct sib_grh) : 0));
}

/* What follows the BTH: the DETH of a UD packet, the AETH of an answer. */
static inline void *sib_ext(struct sib_pkt *pkt)
{
	return sib_bth(pkt) + 1;
}

/* The MAD in a packet for QP0 or QP1. */
static inline struct ib_mad *sib_mad(struct sib_pkt *pkt)
{
	return sib_ext(pkt) + sizeof(struct sib_deth);
}

/**
 * struct sib_inq - packets waiting for a tasklet
 * @lock: protects @list, @len and @dead
 * @list: oldest first
 * @len: packets on @list
 * @max: packets beyond are dropped, as there is no link-level credit
 * @dead: takes nothing any more
 * @task: runs @recv on each
 * @recv: takes over the packet; softirq, no locks held
 * @idle: may be NULL: called when all that waited has been received
 */
struct sib_inq {
	spinlock_t lock; /* see @lock above */
	struct list_head list;
	unsigned int len;
	unsigned int max;
	bool dead;
	struct tasklet_struct task;
	void (*recv)(struct sib_inq *inq, struct sib_pkt *pkt);
	void (*idle)(struct sib_inq *inq);
};

/* Hot counters of one end, one set per CPU. Data in units of 4 bytes. */
struct sib_traffic {
	u64 xmit_data;
	u64 xmit_pkts;
	u64 xmit_mcast_pkts;
	u64 rcv_data;
	u64 rcv_pkts;
	u64 rcv_mcast_pkts;
};

/* Error counters of one end, as PMA PortCounters names them (chapter 16.1). */
enum sib_err {
	SIB_ERR_SYMBOL,
	SIB_ERR_LINK_RECOVERY,
	SIB_ERR_LINK_DOWNED,
	SIB_ERR_RCV,			/* PortRcvErrors: bad CRC, malformed */
	SIB_ERR_RCV_REMOTE_PHYS,
	SIB_ERR_RCV_SWITCH_RELAY,	/* no route, MFT empty, would go back */
	SIB_ERR_XMIT_DISCARDS,		/* link down, input queue full, too long */
	SIB_ERR_XMIT_CONSTRAINT,	/* P_Key enforcement, outbound */
	SIB_ERR_RCV_CONSTRAINT,		/* P_Key enforcement, inbound */
	SIB_ERR_LINK_INTEGRITY,
	SIB_ERR_BUFFER_OVERRUN,
	SIB_ERR_VL15_DROPPED,
	SIB_ERR_QP1_DROPPED,
	SIB_ERRS
};

enum sib_end_type { SIB_END_HCA, SIB_END_SWITCH };

/* Traps of an SMA (13.4.8), a place for the last of each kind. */
enum sib_trap_kind {
	SIB_TRAP_LINK_STATE,	/* 128, switch only */
	SIB_TRAP_LOCAL_CHANGE,	/* 144 */
	SIB_TRAP_M_KEY,		/* 256 */
	SIB_TRAP_P_KEY,		/* 257 */
	SIB_TRAP_Q_KEY,		/* 258 */
	SIB_TRAPS
};

/**
 * struct sib_trap - a trap that the SM has not repressed yet
 * @pending: it is to be sent (again)
 * @tid: transaction ID, which the TrapRepress repeats
 * @due: when to send next, jiffies
 * @last: when one of its kind was sent last, jiffies
 * @burst: how many were sent without a pause
 * @notice: its Notice
 */
struct sib_trap {
	bool pending;
	u64 tid;
	unsigned long due;
	unsigned long last;
	u32 burst;
	struct ib_mad_notice_attr notice;
};

/**
 * struct sib_traps - the traps of a node
 * @end: HCA port, or port 0 of the switch
 * @lock: protects all below; leaf
 * @stopped: nothing is sent any more
 * @last_tid: counts up
 * @sent: traps sent, repetitions counted
 * @trap: by enum sib_trap_kind
 * @work: sends what is due
 */
struct sib_traps {
	struct sib_end *end;
	spinlock_t lock; /* see @lock above */
	bool stopped;
	u64 last_tid;
	u64 sent;
	struct sib_trap trap[SIB_TRAPS];
	struct delayed_work work;
};

/**
 * struct sib_portinfo - what the SM reads and writes of a port (14.2.5.6)
 *
 * Host byte order. Written under sib_end.lock by the SMA (sib_mad.c for HCAs,
 * sib_switch.c for the switch) and by sib_port_set_state(); single fields are
 * read without the lock by the data path (READ_ONCE).
 */
struct sib_portinfo {
	u64 m_key;
	unsigned long m_key_expires;	/* jiffies; 0: the lease does not run */
	u64 gid_prefix;
	u32 cap_mask;
	u16 lid;
	u16 sm_lid;
	u16 diag_code;
	u16 m_key_lease;
	u16 m_key_violations;
	u16 p_key_violations;
	u16 q_key_violations;
	u8 m_key_protect;
	u8 lmc;
	u8 sm_sl;
	u8 state;		/* enum ib_port_state */
	u8 phys_state;		/* enum ib_port_phys_state */
	u8 phys_request;	/* what the SM asked for, 0: nothing */
	u8 down_default;	/* 1 sleep, 2 polling */
	u8 width_supported;
	u8 width_enabled;
	u8 width_active;
	u8 speed_supported;
	u8 speed_enabled;
	u8 speed_active;	/* 1 SDR, 2 DDR, 4 QDR */
	u8 speed_ext_supported;
	u8 speed_ext_enabled;
	u8 speed_ext_active;	/* 1 FDR, 2 EDR, 4 HDR, 8 NDR */
	u16 unspoken;		/* FDR10 or XDR, which only verbs tell of */
	u8 mtu_cap;		/* enum ib_mtu */
	u8 mtu;			/* NeighborMTU */
	u8 vl_cap;		/* 1: VL0 only */
	u8 op_vls;
	u8 vl_high_limit;
	u8 init_type;
	u8 part_enforce;	/* bit 0 outbound, bit 1 inbound; switch ports */
	u8 subnet_timeout;
	u8 resp_time;
	u8 phy_err;
	u8 overrun_err;
	u8 sl2vl[16];
	u16 pkeys[SIB_PKEYS];	/* [0] is 0xffff until the SM says otherwise */
};

/**
 * struct sib_end - one end of a cable
 * @peer: the other end, NULL: no cable. RCU; written under sib_lock
 * @type: what it is part of
 * @num: port number within the HCA (1) or switch
 * @admin_up: runtime control: false is a pulled plug
 * @lock: protects @info, serialises SMA sets and state changes
 * @info: management attributes
 * @faults: faults of the packets sent by this end
 * @traffic: per CPU
 * @traffic_base: subtracted from the sums of @traffic when read, set by PMA
 * @err: by enum sib_err
 */
struct sib_end {
	struct sib_end __rcu *peer;
	enum sib_end_type type;
	u8 num;
	bool admin_up;
	spinlock_t lock; /* see @lock above */
	struct sib_portinfo info;
	struct sib_faults faults;
	struct sib_traffic __percpu *traffic;
	struct sib_traffic traffic_base;
	atomic64_t err[SIB_ERRS];
};

/**
 * struct sib_hca_opts - in what real HCAs differ; debugfs or module parameters
 * @name: of the RDMA device; empty: sib and its index
 * @csum: transmit and receive checksum offload
 * @lso: UD large send
 * @srq: shared receive queues
 * @block_loopback: IBK_BLOCK_MULTICAST_LOOPBACK
 * @max_srq_sge: SGEs of an SRQ's receive request
 * @max_send_sge: SGEs of a send request
 * @comp_vectors: completion vectors
 * @mtu: bytes, 256 to 4096
 * @speed: 1 SDR, 2 DDR, 4 QDR, 8 FDR10, 16 FDR, 32 EDR, 64 HDR, 128 NDR,
 *	256 XDR
 * @width: lanes: 1, 2, 4, 8, 12
 */
struct sib_hca_opts {
	char name[IB_DEVICE_NAME_MAX];
	bool csum;
	bool lso;
	bool srq;
	bool block_loopback;
	u32 max_srq_sge;
	u32 max_send_sge;
	u32 comp_vectors;
	u32 mtu;
	u32 speed;
	u32 width;
};

/* Counters of an HCA beside those of its port; names in sib_stat_names. */
enum sib_stat {
	SIB_STAT_UD_SENT,
	SIB_STAT_UD_RECEIVED,
	SIB_STAT_UD_NO_QP,		/* no such QP, or wrong type or state */
	SIB_STAT_UD_NO_WQE,		/* receive queue empty */
	SIB_STAT_UD_TOO_LONG,
	SIB_STAT_LSO_REQUESTS,
	SIB_STAT_LSO_SEGMENTS,
	SIB_STAT_CSUM_TX,
	SIB_STAT_CSUM_RX_OK,
	SIB_STAT_BAD_PKEY,
	SIB_STAT_BAD_QKEY,
	SIB_STAT_MCAST_NO_GROUP,
	SIB_STAT_RC_SENT,
	SIB_STAT_RC_RECEIVED,
	SIB_STAT_RC_RETRANSMITTED,	/* packets */
	SIB_STAT_RC_TIMEOUTS,
	SIB_STAT_RC_ACKS_SENT,
	SIB_STAT_RC_NAKS_SENT,		/* PSN sequence error */
	SIB_STAT_RC_RNR_NAKS_SENT,
	SIB_STAT_RC_NAKS_RECEIVED,
	SIB_STAT_RC_RNR_NAKS_RECEIVED,
	SIB_STAT_RC_DUPLICATES,
	SIB_STAT_RC_DROPPED,		/* no QP, wrong state or P_Key */
	SIB_STAT_RC_FATAL,		/* QPs gone to error for a fault */
	SIB_STAT_POST_SEND_CALLS,	/* doorbells */
	SIB_STAT_SEND_REQUESTS,
	SIB_STAT_SEND_CQES,
	SIB_STAT_POST_RECV_CALLS,	/* of QPs and SRQs */
	SIB_STAT_RECV_REQUESTS,
	SIB_STAT_RECV_CQES,
	SIB_STAT_INJECTED,
	SIB_STAT_CQ_OVERRUNS,
	SIB_STAT_CQE_LOST,		/* by fault */
	SIB_STAT_CQE_DELAYED,		/* by fault */
	SIB_STAT_CQ_EVENTS,
	SIB_STAT_CQE_HELD,		/* by moderation */
	SIB_STAT_CQ_MODIFIED,
	SIB_STAT_STARVED,		/* by fault */
	SIB_STAT_ICRC_ERRORS,
	SIB_STAT_VCRC_ERRORS,
	SIB_STATS
};

struct sib_stats {
	u64 n[SIB_STATS];
};

/**
 * struct sib_port - an HCA's port
 * @hca: the HCA it is on
 * @end: its end of the cable; its LID, GID prefix, P_Keys ... are in @end.info
 * @guids: GUID table (14.2.5.5): [0] the port's own, others set by the SM
 * @inq: packets that arrived
 * @qp0: the SMI QP; used by @inq's tasklet, which destroy_qp waits for
 * @qp1: the GSI QP, likewise
 * @recent: QPs by the low bits of their number; only used by @inq's tasklet
 * @acks: RC QPs that owe an acknowledgment; only used by @inq's tasklet
 * @mc_lock: protects @mc_groups and the groups' lists
 * @mc_groups: multicast groups with attached QPs
 * @traps: of the HCA's SMA
 * @is_sm: IB_PORT_SM is set by modify_port
 */
struct sib_port {
	struct sib_hca *hca;
	struct sib_end end;
	u64 guids[SIB_GIDS];
	struct sib_inq inq;
	struct sib_qp *qp0;
	struct sib_qp *qp1;
	struct sib_qp *recent[SIB_RECENT];
	struct list_head acks;
	spinlock_t mc_lock; /* see @mc_lock above */
	struct list_head mc_groups;
	struct sib_traps traps;
	bool is_sm;
};

/**
 * struct sib_hca - a host channel adapter
 * @ibdev: what the kernel's InfiniBand core sees
 * @node: place in sib_hcas
 * @ready: registered and plugged in; cleared, under sib_lock, by its remover
 * @index: its number: name, GUIDs and default switch port follow from it
 * @pdev: parent device
 * @opts: as it was made
 * @port: its only port, number 1
 * @qps: struct sib_qp by number
 * @qpn_next: where the search for a free number begins
 * @cqs: struct sib_cq by number
 * @mrs: struct sib_mr by key >> 8
 * @stats: per CPU
 * @verb_faults: verbs that fail on demand
 * @cq_delay_ms: fault: completions are announced so much later
 * @cq_lose: fault: so many of the next completions are lost
 * @starve: fault: so many of the next packets find no receive request
 * @qps_failed: fault: QPs sent to the error state
 * @cqs_failed: fault: CQs made to overrun
 * @n_qps: QPs that exist; likewise the other objects
 * @inject_seed: of the last write to debugfs inject
 * @dbg: debugfs directory
 * @dbg_files: what its files point to
 */
struct sib_hca {
	struct ib_device ibdev;
	struct list_head node;
	bool ready;
	int index;
	struct platform_device *pdev;
	struct sib_hca_opts opts;
	struct sib_port port;
	struct xarray qps;
	u32 qpn_next;
	struct xarray cqs;
	struct xarray mrs;
	struct sib_stats __percpu *stats;
	struct sib_verb_faults verb_faults;
	u32 cq_delay_ms;
	atomic_t cq_lose;
	atomic_t starve;
	atomic_t qps_failed;
	atomic_t cqs_failed;
	atomic_t n_qps;
	atomic_t n_cqs;
	atomic_t n_srqs;
	atomic_t n_pds;
	atomic_t n_ahs;
	atomic_t n_mrs;
	u32 inject_seed;
	struct dentry *dbg;
	struct sib_dbg_file *dbg_files;
};

#define sib_count(hca, stat)	this_cpu_inc((hca)->stats->n[stat])
#define sib_count_n(hca, stat, k) this_cpu_add((hca)->stats->n[stat], k)

static inline struct sib_hca *to_sib_hca(struct ib_device *ibdev)
{
	return container_of(ibdev, struct sib_hca, ibdev);
}

static inline struct sib_port *end_to_port(struct sib_end *end)
{
	return container_of(end, struct sib_port, end);
}

/**
 * struct sib_switch - the switch
 * @ports: [0] management port (no cable; its LID is the switch's), [1..] cabled
 * @n_ports: highest port number
 * @lock: protects the tables against each other's writers
 * @lft: output port by LID, 255: none
 * @lft_top: LinearFDBTop
 * @mft: output ports by MLID - SIB_MLID_BASE
 * @port_change: SwitchInfo.PortStateChange
 * @life_time: SwitchInfo.LifeTimeValue
 * @guid: node GUID
 * @desc: NodeDescription
 * @ends: what @ports points to
 * @mad_lock: protects @mads, @n_mads and @mads_stopped; leaf
 * @mads: packets for the switch's own QP0 and QP1
 * @n_mads: how many
 * @mads_stopped: no more are taken
 * @mad_work: answers them
 * @traps: of the switch's SMA
 */
struct sib_switch {
	struct sib_end *ports[SIB_MAX_HCAS + 1];
	u8 n_ports;
	spinlock_t lock; /* see @lock above */
	u8 *lft;
	u16 lft_top;
	unsigned long (*mft)[BITS_TO_LONGS(256)];
	bool port_change;
	u8 life_time;
	u64 guid;
	char desc[64];
	struct sib_end *ends;
	spinlock_t mad_lock; /* see @mad_lock above */
	struct list_head mads;
	unsigned int n_mads;
	bool mads_stopped;
	struct work_struct mad_work;
	struct sib_traps traps;
};

/* sib_main.c */
extern struct mutex sib_lock;		/* protects sib_hcas and all cables */
extern struct list_head sib_hcas;
extern struct sib_switch *sib_sw;	/* from module load to unload */
extern struct workqueue_struct *sib_wq;
void sib_default_opts(struct sib_hca_opts *opts);
struct sib_hca *sib_hca_add(const struct sib_hca_opts *opts);
int sib_hca_remove_name(const char *name);
void sib_port_event(struct sib_port *port, enum ib_event_type type);
extern const char * const sib_stat_names[SIB_STATS];
u64 sib_stat_sum(struct sib_hca *hca, enum sib_stat stat);

/* sib_inject.c */
void sib_inject_add(struct sib_hca *hca);

/* sib_qp.c */
int sib_qp_force_error(struct sib_hca *hca, u32 qpn);
int sib_cq_force_overrun(struct sib_hca *hca, u32 qpn, bool send);

/* sib_wire.c */
struct sib_pkt *sib_pkt_alloc(unsigned int len);
struct sib_pkt *sib_pkt_copy(const struct sib_pkt *pkt);
void sib_pkt_free(struct sib_pkt *pkt);
void sib_pkt_add_crc(struct sib_pkt *pkt);
int sib_end_init(struct sib_end *end, enum sib_end_type type, u8 num);
void sib_end_cleanup(struct sib_end *end);
void sib_end_send(struct sib_end *from, struct sib_pkt *pkt);
void sib_end_forward(struct sib_end *from, struct sib_pkt *pkt);
void sib_end_loop(struct sib_port *port, struct sib_pkt *pkt);
void sib_end_traffic(struct sib_end *end, struct sib_traffic *sum);
void sib_inq_init(struct sib_inq *inq, unsigned int max,
		  void (*recv)(struct sib_inq *inq, struct sib_pkt *pkt));
bool sib_inq_add(struct sib_inq *inq, struct sib_pkt *pkt);
void sib_inq_kill(struct sib_inq *inq);
void sib_inq_sync(struct sib_inq *inq);
int sib_smp_send(struct sib_end *from, u16 slid, u16 dlid, u8 sl,
		 const struct ib_mad *mad);
int sib_wire_init(void);
void sib_wire_exit(void);

/* sib_link.c */
int sib_link_set(struct sib_port *port, bool up);

/* sib_switch.c */
struct sib_switch *sib_switch_create(void);
void sib_switch_destroy(struct sib_switch *sw);
int sib_switch_plug(struct sib_switch *sw, struct sib_port *port);
void sib_switch_unplug(struct sib_switch *sw, struct sib_port *port);
void sib_switch_receive(struct sib_end *in, struct sib_pkt *pkt);

/* sib_mad.c */
int sib_process_mad(struct ib_device *ibdev, int flags, u32 port_num,
		    const struct ib_wc *in_wc, const struct ib_grh *in_grh,
		    const struct ib_mad *in, struct ib_mad *out,
		    size_t *out_size, u16 *out_pkey_index);
void sib_port_mgmt_init(struct sib_port *port, const struct sib_hca_opts *opts);
void sib_port_mgmt_stop(struct sib_port *port);

/* sib_portinfo.c */
void sib_portinfo_init(struct sib_portinfo *info,
		       const struct sib_hca_opts *opts);

/* sib_trap.c */
void sib_trap_local_change(struct sib_port *port, bool node_desc);
void sib_pkey_violation(struct sib_port *port, struct sib_pkt *pkt);
void sib_qkey_violation(struct sib_port *port, struct sib_pkt *pkt);

/* sib_pma.c */
int sib_pma_process(struct sib_end *end, const struct ib_mad *in,
		    struct ib_mad *out);

/* sib_debugfs.c */
void sib_debugfs_init(void);
void sib_debugfs_exit(void);
void sib_debugfs_add(struct sib_hca *hca);
void sib_debugfs_remove(struct sib_hca *hca);

#endif
