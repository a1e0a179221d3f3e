/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * IP over InfiniBand: objects, locks and the calls between files.
 *
 * An interface is a few queues (ipoib_queue.h) and three tables: destinations
 * and paths (ipoib_path.c) and multicast groups (ipoib_multicast.c), driven by
 * one state machine (ipoib_state.c). Connected mode (ipoib_cm.h) adds
 * connections: each is one more QP on a queue. Three contexts touch them:
 *
 *  xmit   ndo_start_xmit, softirq or process with BH off, under the transmit
 *         queue's lock. Reads the tables under RCU, parks packets, never
 *         sleeps and never talks to the SA.
 *  NAPI   one poll function for each completion queue.
 *  work   everything else, on the interface's ordered workqueue @wq: at most
 *         one item of an interface runs at a time, so what only the work
 *         context touches needs no lock. It never takes RTNL, so that
 *         ndo_stop(), which holds RTNL, may wait for it. Whatever needs RTNL
 *         runs as the port's @config_work and its like on the module's second
 *         workqueue.
 *
 * Documentation/locking.rst has what protects what, in which order, and when
 * objects go.
 */
#ifndef IPOIB_H
#define IPOIB_H

#include <linux/if_infiniband.h>
#include <linux/llist.h>
#include <linux/netdevice.h>
#include <linux/ratelimit.h>
#include <linux/rhashtable.h>
#include <linux/u64_stats_sync.h>
#include <linux/workqueue.h>
#include <rdma/ib_sa.h>
#include <rdma/ib_verbs.h>

#include "ipoib_queue.h"

/* RFC 4391 section 6: type and reserved, before every payload. */
#define IPOIB_ENCAP_LEN		4
/* The destination's link-layer address, before the encapsulation header while
 * a packet is inside the host; never on the wire.
 */
#define IPOIB_HARD_LEN		(INFINIBAND_ALEN + IPOIB_ENCAP_LEN)
/* What IPv4 needs; the header has always been added to it. */
#define IPOIB_MIN_MTU		(68 + IPOIB_ENCAP_LEN)
/* RFC 4391 section 5: the destination QPN of a multicast packet. */
#define IPOIB_MCAST_QPN		0xffffff

/* RFC 4755 section 3.1: of the flags in a link-layer address, the one that says
 * that reliable connections are accepted.
 */
#define IPOIB_ADDR_RC		0x80

/* InfiniBand Architecture, section 10.9.1.1: set for a full member. */
#define IPOIB_PKEY_FULL		0x8000

#define IPOIB_MAX_ENTRIES	65536	/* of each table */
#define IPOIB_IDLE_JIFFIES	(60 * HZ)	/* then an entry is dropped */
#define IPOIB_DEBUGFS_FILES	4
#define IPOIB_MAX_BACKOFF_SHIFT	5	/* retries at 1, 2, 4 ... 32 s */

/**
 * enum ipoib_state - how far an interface is from carrying traffic
 * @IPOIB_DOWN: administratively down
 * @IPOIB_NO_PKEY: up, but the port's P_Key table does not hold its P_Key
 * @IPOIB_NO_PORT: the port is not Active, or does not hold the interface's GID
 * @IPOIB_JOINING: the broadcast group is not joined, or the MTU it sets is not
 *	yet in force
 * @IPOIB_UP: carrier is on
 */
enum ipoib_state {
	IPOIB_DOWN,
	IPOIB_NO_PKEY,
	IPOIB_NO_PORT,
	IPOIB_JOINING,
	IPOIB_UP,
};

/*
 * Every packet that the driver drops counts in exactly one of these; the rest
 * count events. ipoib_stats.c names them.
 */
enum ipoib_counter {
	IPOIB_RX_SHORT,
	IPOIB_RX_WC_ERROR,
	IPOIB_RX_NO_BUFFER,
	IPOIB_RX_OWN_MCAST,
	IPOIB_TX_ETHERTYPE,
	IPOIB_TX_SHORT,
	IPOIB_TX_NOT_READY,
	IPOIB_TX_TOO_LONG,
	IPOIB_TX_LINEARIZE,
	IPOIB_TX_MAP,
	IPOIB_TX_POST,
	IPOIB_TX_WC_ERROR,
	IPOIB_TX_FLUSHED,
	IPOIB_TX_PARK_FULL,
	IPOIB_TX_PARK_FLUSHED,
	IPOIB_TX_NO_MEMORY,
	IPOIB_TX_UNREACHABLE,
	IPOIB_TX_NO_GROUP,
	IPOIB_TX_NO_CONN,
	IPOIB_TX_CONN_FULL,
	IPOIB_TX_TIMEOUTS,
	IPOIB_QUEUE_RESETS,
	IPOIB_PATH_QUERIES,
	IPOIB_PATH_FAILURES,
	IPOIB_JOINS,
	IPOIB_JOIN_FAILURES,
	IPOIB_MTU_CLAMPED,
	IPOIB_CM_REQUESTS,
	IPOIB_CM_CONNECTED,
	IPOIB_CM_REJECTED,
	IPOIB_CM_UNANSWERED,
	IPOIB_CM_LOST,
	IPOIB_CM_ACCEPTED,
	IPOIB_CM_REFUSED,
	IPOIB_CM_IDLE,
	IPOIB_NUM_COUNTERS
};

struct ipoib_pcpu_stats {
	u64_stats_t cnt[IPOIB_NUM_COUNTERS];
	struct u64_stats_sync syncp;
};

/* What precedes the payload while a packet is inside the host. */
struct ipoib_header {
	u8 daddr[INFINIBAND_ALEN];
	__be16 proto;
	__be16 reserved;
};

/**
 * struct ipoib_ah - an address handle and its retirement
 * @ibah: the verbs object, created and destroyed in process context
 * @list: entry in one of the lists of struct ipoib_graveyard
 *
 * xmit borrows the pointer under RCU and takes no reference: see
 * ipoib_ah_retire() for how it is known that no work request names it.
 */
struct ipoib_ah {
	struct ib_ah *ibah;
	struct list_head list;
};

/**
 * struct ipoib_graveyard - address handles that are no longer published
 * @dead: retired since the last burial began
 * @draining: RCU readers are gone; freed once every transmit queue's consumer
 *	has passed its @ah_mark
 *
 * Both lists are touched by the work context only.
 */
struct ipoib_graveyard {
	struct list_head dead;
	struct list_head draining;
};

struct ipoib_conn_tx;
struct ipoib_cm_rxq;

/**
 * struct ipoib_dst - a 20-byte link-layer address in use
 * @node: entry in ipoib_dev.dsts
 * @addr: the key: flags, QPN and GID
 * @qpn: the address's QPN, host order
 * @ah: for xmit, the path's address handle once nothing is parked, or NULL; RCU,
 *	written by the work context while no queue moves
 * @dead_until: jiffies until which the SA is not asked again after a failure;
 *	valid while @unreachable
 * @unreachable: the last query failed and no earlier answer is in use
 * @last_used: jiffies of the last packet, to within a second
 * @lock: taken by xmit and the work context; nothing is sent under it
 * @parked: packets waiting for @ah
 * @gone: removed from the table; nothing may be parked here any more
 * @todo_queued: @todo is in ipoib_dev.dst_todo
 * @conn_asked: there is a packet that a connection is wanted for
 * @todo: entry in ipoib_dev.dst_todo
 * @conn: the connection to send on, or NULL; RCU, written by the work context
 * @connecting: a connection is being made; written by the work context
 * @conn_failed: some in a row could not be made, or died young; likewise
 * @conn_refused: there will be none for long; likewise, valid while @conn_failed
 * @conn_next_try: jiffies before which none is asked for; valid if @conn_failed
 * @tx: the connection in whatever state, or NULL; work context only, like all
 *	that follows
 * @conn_failures: in a row
 * @conn_refusing: by the last failure the peer lives, but there can be none
 * @refusal_first: jiffies of the first of such failures in a row; valid if
 *	@conn_refusing
 * @refusal_last: of the last, likewise
 * @path: holds no reference, the path outlives it
 * @path_entry: entry in ipoib_path.dsts
 * @rcu: for the free
 */
struct ipoib_dst {
	struct rhash_head node;
	u8 addr[INFINIBAND_ALEN];
	u32 qpn;
	struct ipoib_ah __rcu *ah;
	struct ipoib_conn_tx __rcu *conn;
	unsigned long dead_until;
	bool unreachable;
	bool connecting;
	bool conn_failed;
	bool conn_refused;
	unsigned long conn_next_try;
	unsigned long last_used;

	/* Protects @parked, @gone, @todo_queued and @conn_asked. */
	spinlock_t lock;
	struct sk_buff_head parked;
	bool gone;
	bool todo_queued;
	bool conn_asked;
	struct llist_node todo;

	struct ipoib_conn_tx *tx;
	unsigned int conn_failures;
	bool conn_refusing;
	unsigned long refusal_first;
	unsigned long refusal_last;
	struct ipoib_path *path;
	struct list_head path_entry;
	struct rcu_head rcu;
};

/**
 * struct ipoib_path - a remote GID in use
 * @node: entry in ipoib_dev.paths
 * @gid: the key
 * @ipoib: the interface
 * @ah: the address handle in use, or NULL
 * @dsts: destinations at this GID
 * @entry: entry in ipoib_dev.path_list
 * @queued: entry in ipoib_dev.path_queue, or empty
 * @querying: a query is in flight
 * @again: an event came while a query was in flight, whose answer is old then
 * @query: to cancel it; NULL once the callback has run; ipoib_dev.query_lock
 * @query_id: to cancel it
 * @done: entry in ipoib_dev.path_done
 * @status: the answer's status; by the callback, before @done
 * @answer: the answer's record; likewise
 * @rec: the record that @ah was made from
 * @failures: queries failed in a row
 * @timed_out: the last of them was not answered
 * @next_try: jiffies before which the SA is not asked again; valid if @failures
 * @resolved: jiffies of the last good answer
 * @dlid: of @ah, as are @sl and @rate (enum ib_rate)
 * @sl: see @dlid
 * @rate: see @dlid
 *
 * All but @status, @answer and @done, which pass from the callback to the work
 * context through ipoib_dev.path_done, belong to the work context.
 */
struct ipoib_path {
	struct rhash_head node;
	union ib_gid gid;
	struct ipoib_dev *ipoib;
	struct ipoib_ah *ah;
	struct list_head dsts;
	struct list_head entry;
	struct list_head queued;
	bool querying;
	bool again;
	struct ib_sa_query *query;
	int query_id;
	struct llist_node done;
	int status;
	struct sa_path_rec answer;
	struct sa_path_rec rec;
	unsigned int failures;
	bool timed_out;
	unsigned long next_try;
	unsigned long resolved;
	u32 dlid;
	u8 sl;
	u8 rate;
};

/**
 * struct ipoib_group - a multicast group that the interface uses
 * @node: entry in ipoib_dev.groups
 * @mgid: the key
 * @ipoib: the interface
 * @ah: for xmit, @handle once nothing is parked, or NULL; RCU, written by the
 *	work context while no queue moves
 * @created: jiffies of its birth
 * @last_used: jiffies of the last packet sent, to within a second
 * @failed_until: jiffies until which packets are dropped, not parked; valid
 *	while @failed
 * @failed: the last join of a send-only group was refused
 * @lock: taken by xmit, ib_core's callback and the work context; nothing is
 *	sent under it
 * @parked: packets waiting for @ah
 * @gone: removed from the table; nothing may be parked here any more
 * @answered: the SA answered (or gave up on) the join in flight
 * @answer: its status, 0 or a negative errno
 * @reset: ib_core says that the membership is lost (-ENETRESET)
 * @handed_over: bit 0: in ipoib_dev.group_todo or group_list
 * @sa: ib_core's handle of the membership; this and all that follows belongs
 *	to the work context
 * @handle: how to send to the group, or NULL
 * @rec: the member record of the last successful join
 * @joining: a join is in flight
 * @joined: @rec is valid and the group is in use
 * @rejoin: joined, but the SA has to be asked again; the group stays in use
 * @attached: the receive QP is attached to @mgid at @rec.mlid
 * @send_only: joined to send, not to receive (SendOnlyFullMember)
 * @wanted: mark of the multicast list walk
 * @failures: in a row
 * @timed_out: the last of them was not answered
 * @next_try: jiffies before which no join is tried; valid if @failures
 * @fresh: entry in ipoib_dev.group_todo
 * @entry: entry in ipoib_dev.group_list
 * @rcu: for the free
 */
struct ipoib_group {
	struct rhash_head node;
	union ib_gid mgid;
	struct ipoib_dev *ipoib;
	struct ipoib_ah __rcu *ah;
	unsigned long created;
	unsigned long last_used;
	unsigned long failed_until;
	bool failed;

	/* Protects @parked, @gone, @answered, @answer and @reset. */
	spinlock_t lock;
	struct sk_buff_head parked;
	bool gone;
	bool answered;
	int answer;
	bool reset;

	unsigned long handed_over;
	struct ib_sa_multicast *sa;
	struct ipoib_ah *handle;
	struct ib_sa_mcmember_rec rec;
	bool joining;
	bool joined;
	bool rejoin;
	bool attached;
	bool send_only;
	bool wanted;
	unsigned int failures;
	bool timed_out;
	unsigned long next_try;
	struct llist_node fresh;
	struct list_head entry;
	struct rcu_head rcu;
};

/**
 * struct ipoib_cm - connected mode's part of an interface
 * @work: one pass over what happened to connections
 * @listener: for peers' requests, while the transport is up
 * @todo: connections that something happened to
 * @waiting: ours in IPOIB_CONN_NEW; this and the next four: work context
 * @retrying: likewise, to those with whom the last one failed
 * @conns: from IPOIB_CONN_OPENING, and peers' from IPOIB_CONN_NEW
 * @leaving: from IPOIB_CONN_LEAVING
 * @opening: how many of ours are in IPOIB_CONN_OPENING
 * @num_rx: peers' that there are, also those the work context has not seen yet
 * @max_rx: peers' that there may be; written while there is no @listener
 * @rxq: receive queues
 * @num_rxq: entries of @rxq
 * @next_rxq: for the next peer's connection; work context
 * @use_srq: the HCA has SRQs
 * @rx_pages: pages of a receive buffer
 * @too_long: packets whose senders are to be told of a smaller MTU
 * @too_long_work: tells them
 */
struct ipoib_cm {
	struct delayed_work work;
	struct ib_cm_id *listener;
	struct llist_head todo;
	struct list_head waiting;
	struct list_head retrying;
	struct list_head conns;
	struct list_head leaving;
	unsigned int opening;
	atomic_t num_rx;
	unsigned int max_rx;
	struct ipoib_cm_rxq *rxq;
	unsigned int num_rxq;
	unsigned int next_rxq;
	bool use_srq;
	unsigned int rx_pages;
	struct sk_buff_head too_long;
	struct work_struct too_long_work;
};

/**
 * struct ipoib_port - a port of an RDMA device that has IPoIB interfaces
 * @ibdev: the device
 * @port_num: the port, from 1
 * @event_handler: tells the interfaces what happened to the port
 * @config_work: applies to the net_devices what the fabric says, under RTNL
 * @announce_work: tells peers again of new addresses, under RTNL
 * @reap_work: unregisters children that are @doomed
 * @lock: taken inside RTNL, never the other way round
 * @devs: the port's interfaces, by ipoib_dev.port_entry: its own first, the
 *	parent, then the children
 */
struct ipoib_port {
	struct ib_device *ibdev;
	u32 port_num;
	struct ib_event_handler event_handler;
	struct work_struct config_work;
	struct delayed_work announce_work;
	struct work_struct reap_work;
	/* Protects @devs, which changes under RTNL as well: either is enough
	 * to read it.
	 */
	struct mutex lock;
	struct list_head devs;
};

/**
 * struct ipoib_dev - an interface
 * @netdev: its net_device, which holds us at rdma_netdev.clnt_priv
 * @ibdev: the RDMA device
 * @port: the port it is on
 * @port_num: its number
 * @port_entry: entry in ipoib_port.devs, from the end of ndo_init to the start
 *	of ndo_uninit
 * @parent: the port's own interface, or NULL for that
 * @parent_ref: the reference that @parent's net_device is held with
 * @legacy: a child made by sysfs
 * @doomed: a child that is to be unregistered; RTNL
 * @pd: protection domain of the QPs and address handles
 * @txq: transmit queues, as many as the net_device can have
 * @num_txq: those that exist; written by the work context
 * @size: of the rings; written by the work context, under RTNL
 * @cap: what the QPs and CQs were created for; likewise
 * @moderation: what the administrator chose; RTNL
 * @rxq: the receive queue
 * @stats: per-CPU counters by cause
 *
 * @state: written by ipoib_set_state() alone, read with READ_ONCE()
 * @qkey: of the broadcast group: the Q_Key of every packet
 * @mcast_mtu: payload bytes that the broadcast group allows, without the
 *	encapsulation header; written by the work context
 *
 * @connected: packets to those who accept connections go by them; written under
 *	RTNL
 * @pkey: with the full membership bit set; written under RTNL
 * @admin_mtu: what the administrator asked for; RTNL
 * @max_mtu: what the port can carry, IB MTU less the encapsulation header
 * @addr_set: the administrator chose the GUID in the address; RTNL
 * @umcast: leave alone the groups that others on the port are in; written under
 *	RTNL
 * @announce: how often peers are still to be told of the address; RTNL
 * @debugfs: the interface's files there; RTNL
 *
 * @wq: the ordered workqueue of the work context
 * @state_work: one pass of the state machine
 * @down_work: what ndo_stop does, in its turn among the others
 * @path_work: one pass over destinations and paths; with a delay for paths whose
 *	back-off ends then
 * @gc_work: ageing
 * @ah_work: burial of retired address handles
 * @admin_up: between ndo_open and ndo_stop; set under RTNL
 * @mc_changed: the stack's multicast list is to be read again
 * @relink: the P_Key changed: every group is another one now; set under RTNL
 * @gid_changed: the groups have to be joined with the new GID; set under RTNL
 * @moved: peers are to be told of the new GID once the broadcast group is joined
 *	with it; work context only
 * @tell_peers: now they are
 * @paths_stale: an event says that path records may have changed
 * @sa_deaf: a query or a join timed out, and none has had a good answer since;
 *	work context only
 * @transport_up: the QPs are in RTS; work context, or RTNL in ndo_open
 * @pkey_index: that the QPs use, valid if @transport_up
 * @local_lid: the port's LID, READ_ONCE()
 * @port_stale: the port is to be queried again
 * @port_active: the answer when it last was
 *
 * @dsts: destinations by address; inserted to by xmit, removed from by the
 *	work context
 * @dst_todo: destinations with parked packets that want a path
 * @paths: by GID; work context only
 * @path_list: all of @paths; work context only
 * @path_queue: paths that await a query; work context only
 * @path_done: paths whose query was answered
 * @queries: in flight; work context only
 * @query_lock: taken by a query's callback and by whoever cancels it
 * @query_ended: completed by each query's callback as the last thing it does
 * @groups: by MGID; inserted to by xmit and the work context
 * @group_list: all groups known to the work context
 * @group_todo: send-only groups that xmit made
 * @broadcast: the broadcast group, or NULL; work context only
 * @parked: packets parked anywhere on the interface
 * @graves: retired address handles
 * @cm: connections
 */
struct ipoib_dev {
	/* Read-mostly: what the packet paths use. */
	struct net_device *netdev;
	struct ib_device *ibdev;
	struct ipoib_txq *txq;
	struct ipoib_rxq *rxq;
	struct ipoib_pcpu_stats __percpu *stats;
	enum ipoib_state state;
	u32 qkey;
	unsigned int mcast_mtu;
	bool connected;
	u16 pkey;
	u16 local_lid;
	unsigned int num_txq;
	struct rhashtable dsts;
	struct rhashtable groups;

	/* Life cycle and configuration. */
	struct ipoib_port *port;
	u32 port_num;
	struct list_head port_entry;
	struct ipoib_dev *parent;
	netdevice_tracker parent_ref;
	bool legacy;
	bool doomed;
	struct ib_pd *pd;
	struct ipoib_sizes size;
	struct ipoib_sizes cap;
	struct ipoib_moderation moderation;
	unsigned int admin_mtu;
	unsigned int max_mtu;
	bool addr_set;
	bool umcast;
	unsigned int announce;
	struct dentry *debugfs[IPOIB_DEBUGFS_FILES];

	/* The work context. */
	struct workqueue_struct *wq;
	struct delayed_work state_work;
	struct work_struct down_work;
	struct delayed_work path_work;
	struct delayed_work gc_work;
	struct delayed_work ah_work;
	bool admin_up;
	bool mc_changed;
	bool relink;
	bool gid_changed;
	bool moved;
	bool tell_peers;
	bool paths_stale;
	bool port_stale;
	bool port_active;
	bool sa_deaf;
	bool transport_up;
	u16 pkey_index;
	struct llist_head dst_todo;
	struct rhashtable paths;
	struct list_head path_list;
	struct list_head path_queue;
	struct llist_head path_done;
	unsigned int queries;
	/* Protects ipoib_path.query. */
	spinlock_t query_lock;
	struct completion query_ended;
	struct list_head group_list;
	struct llist_head group_todo;
	struct ipoib_group *broadcast;
	struct ipoib_graveyard graves;
	struct ipoib_cm cm;
	atomic_t parked ____cacheline_aligned_in_smp;
};

/* Once the net_device is to be freed, or was never registered, this is NULL. */
static inline struct ipoib_dev *ipoib_priv(const struct net_device *dev)
{
	struct rdma_netdev *rn = netdev_priv(dev);

	return rn->clnt_priv;
}

/* A place's own allowance of lines in the log: net_ratelimit() is one for all, so
 * that a flood of one line hides another that comes but once.
 */
#define ipoib_may_log()							\
({									\
	static DEFINE_RATELIMIT_STATE(allowance,			\
				      DEFAULT_RATELIMIT_INTERVAL,	\
				      DEFAULT_RATELIMIT_BURST);		\
									\
	__ratelimit(&allowance);					\
})

/* Software devices take kernel addresses in work requests. */
static inline bool ipoib_virt_dma(const struct ipoib_dev *ipoib)
{
	return ib_uses_virt_dma(ipoib->ibdev);
}

static inline void ipoib_count(struct ipoib_dev *ipoib, enum ipoib_counter id)
{
	struct ipoib_pcpu_stats *stats = get_cpu_ptr(ipoib->stats);
	unsigned long flags = u64_stats_update_begin_irqsave(&stats->syncp);

	u64_stats_inc(&stats->cnt[id]);
	u64_stats_update_end_irqrestore(&stats->syncp, flags);
	put_cpu_ptr(ipoib->stats);
}

static inline void ipoib_count_drop(struct ipoib_dev *ipoib,
				    enum ipoib_counter id, struct sk_buff *skb)
{
	ipoib_count(ipoib, id);
	dev_kfree_skb_any(skb);
}

/* Notes the time of use, but dirties the cache line once a second at most. */
static inline void ipoib_touch(unsigned long *last_used)
{
	if (jiffies - READ_ONCE(*last_used) > HZ)
		WRITE_ONCE(*last_used, jiffies);
}

/* P_Keys that differ in the membership bit name the same partition. */
static inline bool ipoib_same_partition(u16 a, u16 b)
{
	return !((a ^ b) & ~IPOIB_PKEY_FULL);
}

static inline bool ipoib_addr_is_mcast(const u8 *addr)
{
	return addr[4] == 0xff;
}

static inline u32 ipoib_addr_qpn(const u8 *addr)
{
	return addr[1] << 16 | addr[2] << 8 | addr[3];
}

/* RFC 4755 section 3.1 */
static inline bool ipoib_addr_has_rc(const u8 *addr)
{
	return addr[0] & IPOIB_ADDR_RC;
}

static inline const union ib_gid *ipoib_addr_gid(const u8 *addr)
{
	return (const union ib_gid *)(addr + 4);
}

/* ipoib_main.c */
extern struct ib_sa_client ipoib_sa_client;
extern int ipoib_send_queue_size;
extern int ipoib_recv_queue_size;
extern int ipoib_max_nonsrq_conn_qp;
extern int ipoib_max_srq_conn_qp;
extern unsigned int ipoib_conn_idle_secs;
extern struct workqueue_struct *ipoib_rtnl_wq;

void ipoib_kick_config(struct ipoib_dev *ipoib);
void ipoib_kick_reap(struct ipoib_port *port);
bool ipoib_is_ours(const struct net_device *dev);
unsigned int ipoib_num_txqs(void);
int ipoib_set_mode(struct ipoib_dev *ipoib, bool connected);
void ipoib_setup(struct net_device *dev);
struct ipoib_dev *ipoib_dev_create(struct net_device *dev,
				   struct ipoib_port *port,
				   struct ipoib_dev *parent);
int ipoib_dev_register(struct ipoib_dev *ipoib);

/* ipoib_state.c */
void ipoib_kick(struct ipoib_dev *ipoib);
void ipoib_kick_after(struct ipoib_dev *ipoib, unsigned long delay);
unsigned long ipoib_backoff(int status, unsigned int failures);
void ipoib_sa_answers(struct ipoib_dev *ipoib);
void ipoib_set_state(struct ipoib_dev *ipoib, enum ipoib_state state);
bool ipoib_find_pkey(struct ipoib_dev *ipoib, u16 *index);
void ipoib_state_work(struct work_struct *work);
void ipoib_gc_work(struct work_struct *work);
int ipoib_wanted_gid(const struct ipoib_dev *ipoib, union ib_gid *gid);
void ipoib_config_gid(struct ipoib_dev *ipoib);
int ipoib_config_mtu(struct ipoib_dev *ipoib);
void ipoib_config_work(struct work_struct *work);
void ipoib_event(struct ib_event_handler *handler, struct ib_event *event);

/* ipoib_port.c */
extern struct ib_client ipoib_client;

/* ipoib_tx.c */
extern const struct header_ops ipoib_header_ops;

netdev_tx_t ipoib_start_xmit(struct sk_buff *skb, struct net_device *dev);
u16 ipoib_select_queue(struct net_device *dev, struct sk_buff *skb,
		       struct net_device *sb_dev);
void ipoib_tx_timeout(struct net_device *dev, unsigned int index);
void ipoib_tx_too_long(struct ipoib_dev *ipoib, struct sk_buff *skb,
		       unsigned int mtu);
void ipoib_resend(struct ipoib_dev *ipoib, struct sk_buff_head *parked,
		  spinlock_t *lock, struct ipoib_ah __rcu **slot,
		  struct ipoib_ah *ah);
void ipoib_resend_connected(struct ipoib_dev *ipoib, struct ipoib_dst *dst,
			    struct ipoib_conn_tx *tx);
bool ipoib_park(struct ipoib_dev *ipoib, struct sk_buff_head *parked,
		struct sk_buff *skb);
void ipoib_unpark(struct ipoib_dev *ipoib, struct sk_buff_head *parked,
		  struct sk_buff_head *to);
void ipoib_drop_list(struct ipoib_dev *ipoib, struct sk_buff_head *list,
		     enum ipoib_counter why);
void ipoib_too_long_work(struct work_struct *work);

/* ipoib_path.c */
int ipoib_tables_init(struct ipoib_dev *ipoib);
void ipoib_tables_destroy(struct ipoib_dev *ipoib);
struct ipoib_ah *ipoib_ah_create(struct ipoib_dev *ipoib,
				 struct rdma_ah_attr *attr);
void ipoib_ah_retire(struct ipoib_dev *ipoib, struct ipoib_ah *ah);
void ipoib_ah_work(struct work_struct *work);
void ipoib_ah_flush(struct ipoib_dev *ipoib);
struct ipoib_dst *ipoib_dst_get(struct ipoib_dev *ipoib, const u8 *addr);
void ipoib_dst_park(struct ipoib_dev *ipoib, struct ipoib_dst *dst,
		    struct sk_buff *skb);
void ipoib_path_work(struct work_struct *work);
void ipoib_path_resend(struct ipoib_dev *ipoib);
void ipoib_path_wake(struct ipoib_dev *ipoib);
void ipoib_path_gc(struct ipoib_dev *ipoib);
void ipoib_path_flush(struct ipoib_dev *ipoib);
void ipoib_dst_ask_conn(struct ipoib_dev *ipoib, struct ipoib_dst *dst);
void ipoib_dst_resend(struct ipoib_dev *ipoib, struct ipoib_dst *dst);
struct ipoib_dst *ipoib_dst_find(struct ipoib_dev *ipoib, const u8 *addr);

/* ipoib_multicast.c */
int ipoib_groups_init(struct ipoib_dev *ipoib);
void ipoib_groups_destroy(struct ipoib_dev *ipoib);
struct ipoib_group *ipoib_group_get(struct ipoib_dev *ipoib, const u8 *addr);
void ipoib_group_park(struct ipoib_dev *ipoib, struct ipoib_group *group,
		      struct sk_buff *skb);
bool ipoib_mcast_run(struct ipoib_dev *ipoib);
void ipoib_mcast_resend(struct ipoib_dev *ipoib);
void ipoib_mcast_renew(struct ipoib_dev *ipoib);
void ipoib_mcast_retry(struct ipoib_dev *ipoib);
void ipoib_mcast_wake(struct ipoib_dev *ipoib);
bool ipoib_mcast_is_stale(const struct ipoib_dev *ipoib);
void ipoib_mcast_lost(struct ipoib_dev *ipoib);
void ipoib_mcast_gc(struct ipoib_dev *ipoib);
void ipoib_mcast_flush(struct ipoib_dev *ipoib);

/* ipoib_vlan.c */
extern struct rtnl_link_ops ipoib_link_ops;
extern const struct attribute_group ipoib_parent_group;

int ipoib_vlan_init(void);
void ipoib_vlan_exit(void);
void ipoib_reap_work(struct work_struct *work);
void ipoib_children_open(struct ipoib_dev *parent);
void ipoib_children_close(struct ipoib_dev *parent);
void ipoib_sysfs_dev_id(struct net_device *dev);
int ipoib_set_vf_link_state(struct net_device *dev, int vf, int state);
int ipoib_set_vf_guid(struct net_device *dev, int vf, u64 guid, int type);
int ipoib_get_vf_guid(struct net_device *dev, int vf,
		      struct ifla_vf_guid *node, struct ifla_vf_guid *port);
int ipoib_get_vf_config(struct net_device *dev, int vf,
			struct ifla_vf_info *info);
int ipoib_get_vf_stats(struct net_device *dev, int vf,
		       struct ifla_vf_stats *stats);

/* ipoib_stats.c */
void ipoib_get_stats64(struct net_device *dev, struct rtnl_link_stats64 *stats);
int ipoib_get_sset_count(struct net_device *dev, int sset);
void ipoib_get_strings(struct net_device *dev, u32 sset, u8 *data);
void ipoib_set_stat_ops(struct net_device *dev);
void ipoib_get_stats(struct net_device *dev, struct ethtool_stats *stats,
		     u64 *data);

/* ipoib_debugfs.c */
void ipoib_debugfs_init(void);
void ipoib_debugfs_exit(void);
void ipoib_debugfs_add(struct ipoib_dev *ipoib);
void ipoib_debugfs_del(struct ipoib_dev *ipoib);

/* ipoib_notifier.c */
int ipoib_notifier_init(void);
void ipoib_notifier_exit(void);
void ipoib_announce_work(struct work_struct *work);
void ipoib_announce(struct ipoib_dev *ipoib);

/* ipoib_ethtool.c */
void ipoib_set_ethtool_ops(struct net_device *dev);

#endif /* IPOIB_H */
