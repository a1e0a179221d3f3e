/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * sib_test - a consumer of the verbs that tests the fabric
 *
 * debugfs sib_test/run takes "TEST [KEY=VALUE...]", runs the test, and fails
 * with EIO if that does; sib_test/result then says why.
 */
#ifndef SIBT_H
#define SIBT_H

#include <linux/list.h>
#include <linux/prandom.h>
#include <linux/types.h>
#include <rdma/ib_cache.h>
#include <rdma/ib_verbs.h>

#define SIBT_GRH	40
#define SIBT_QKEY	0x00000b1b

/**
 * struct sibt_args - what a test can be told
 * @a: name of the HCA that sends
 * @b: name of the HCA that receives
 * @count: how many, 0: the test's own idea; likewise the others
 * @len: bytes at most
 * @seed: of random data
 * @timeout: QP attribute
 * @retry: QP attribute
 * @rnr: QP attribute
 * @min_rnr: QP attribute min_rnr_timer
 * @ms: a time
 * @mtu: path MTU in bytes
 * @grh: with a GRH
 */
struct sibt_args {
	char a[IB_DEVICE_NAME_MAX];
	char b[IB_DEVICE_NAME_MAX];
	u32 count;
	u32 len;
	u32 seed;
	u32 timeout;
	u32 retry;
	u32 rnr;
	u32 min_rnr;
	u32 ms;
	u32 mtu;
	bool grh;
};

/* One run of a test. Everything on the lists is destroyed at its end. */
struct sibt {
	struct sibt_args args;
	struct rnd_state rnd;
	char reason[256];
	struct list_head qps;
	struct list_head ahs;
};

/* How to make a QP; what is 0 gets a default. */
struct sibt_opts {
	u32 send_wr;
	u32 recv_wr;
	u32 send_sge;
	u32 cqe;
	u32 slot;	/* bytes of a receive buffer */
	u32 create_flags;
	bool sig_req;	/* selective signalling */
	bool srq;
};

/**
 * struct sibt_qp - a QP with all it needs
 * @node: in struct sibt.qps
 * @dev: its device
 * @pd: protection domain of its own
 * @scq: send CQ
 * @rcq: receive CQ
 * @srq: or NULL
 * @qp: the QP
 * @slot: bytes of a receive buffer
 * @slots: receive buffers
 * @rx: receive buffers; slot n belongs to wr_id n
 * @tx: send buffer
 * @comps: completion handler calls of the receive CQ
 * @qp_events: bit per enum ib_event_type the QP, SRQ or a CQ raised
 * @limit_events: SRQ limit events
 */
struct sibt_qp {
	struct list_head node;
	struct ib_device *dev;
	struct ib_pd *pd;
	struct ib_cq *scq;
	struct ib_cq *rcq;
	struct ib_srq *srq;
	struct ib_qp *qp;
	u32 slot;
	u32 slots;
	u8 *rx;
	u8 *tx;
	atomic_t comps;
	unsigned long qp_events;
	atomic_t limit_events;
};

#define SIBT_TX		SZ_256K

struct sibt_test {
	const char *name;
	int (*run)(struct sibt *t);
	const char *what;
};

extern const struct sibt_test sibt_ud_tests[];
extern const struct sibt_test sibt_offload_tests[];
extern const struct sibt_test sibt_queue_tests[];
extern const struct sibt_test sibt_rc_tests[];
extern const struct sibt_test sibt_cost_tests[];

/* sibt_main.c */
__printf(2, 3) int sibt_fail(struct sibt *t, const char *fmt, ...);
struct ib_device *sibt_device(const char *name);

/* sibt_lib.c */
struct sibt_qp *sibt_qp(struct sibt *t, const char *dev, enum ib_qp_type type,
			const struct sibt_opts *opts);
void sibt_qp_destroy(struct sibt_qp *q);
struct ib_ah *sibt_ah(struct sibt *t, struct sibt_qp *from,
		      struct sibt_qp *to);
void sibt_cleanup(struct sibt *t);
int sibt_state(struct sibt_qp *q, enum ib_qp_state state);
int sibt_ud_up(struct sibt *t, struct sibt_qp *q);
int sibt_ud_pair(struct sibt *t, struct sibt_qp **a, struct sibt_qp **b,
		 struct ib_ah **ah, const struct sibt_opts *opts);
int sibt_rc_up(struct sibt *t, struct sibt_qp *q, struct sibt_qp *to);
int sibt_rc_pair(struct sibt *t, struct sibt_qp **a, struct sibt_qp **b,
		 const struct sibt_opts *opts);
int sibt_recv(struct sibt_qp *q, u32 slot);
int sibt_recv_all(struct sibt *t, struct sibt_qp *q);
int sibt_ud_send(struct sibt_qp *q, struct ib_ah *ah, u32 qpn, u32 len,
		 int flags);
int sibt_rc_send(struct sibt_qp *q, u32 off, u32 len, int flags);
int sibt_poll(struct ib_cq *cq, struct ib_wc *wc, u32 ms);
int sibt_expect(struct sibt *t, struct ib_cq *cq, struct ib_wc *wc,
		enum ib_wc_status status, const char *what);
int sibt_quiet(struct sibt *t, struct ib_cq *cq, u32 ms, const char *what);
int sibt_event(struct sibt *t, struct sibt_qp *q, enum ib_event_type type);
void sibt_fill(u8 *to, u32 len, u32 seed);
bool sibt_filled(const u8 *from, u32 len, u32 seed);

/* sibt_netdev.c */
int sibt_netdev_init(void);
void sibt_netdev_exit(void);

#endif
