// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The fault engine: what the rules of an end do to the packets it sends, and
 * verbs that fail on demand.
 */
#include <linux/bottom_half.h>
#include <linux/errno.h>
#include <linux/jiffies.h>
#include <linux/random.h>

#include "sib.h"

/* One of enum sib_fault_kind. */
static u8 sib_pkt_kind(struct sib_pkt *pkt)
{
	struct sib_bth *bth = sib_bth(pkt);
	u32 dqpn;

	if (sib_vl(pkt) == SIB_VL_MGMT)
		return SIB_KIND_SMP;
	if ((bth->opcode & ~0x1f) == SIB_OP_RC)
		return bth->opcode == SIB_OP_ACK ? SIB_KIND_RC_ACK :
						   SIB_KIND_RC_DATA;
	dqpn = be32_to_cpu(bth->dqpn) & SIB_24BIT;
	return dqpn == 1 ? SIB_KIND_GMP : SIB_KIND_UD;
}

static bool sib_rule_wants_mad(const struct sib_fault_rule *r)
{
	return r->mad_class || r->mad_method || r->mad_attr;
}

static bool sib_rule_matches_mad(const struct sib_fault_rule *r,
				 struct sib_pkt *pkt)
{
	const struct ib_mad_hdr *hdr = &sib_mad(pkt)->mad_hdr;

	if (r->mad_class && r->mad_class != hdr->mgmt_class)
		return false;
	if (r->mad_method && r->mad_method != hdr->method)
		return false;
	return !r->mad_attr || r->mad_attr == be16_to_cpu(hdr->attr_id);
}

static bool sib_rule_matches(const struct sib_fault_rule *r,
			     struct sib_pkt *pkt, u8 kind)
{
	u16 dlid = sib_dlid(pkt);

	if (!(r->kinds & kind))
		return false;
	if (r->multicast && (dlid < SIB_MLID_BASE || dlid == SIB_LID_PERMISSIVE))
		return false;
	if (r->dqpn != ~0U &&
	    r->dqpn != (be32_to_cpu(sib_bth(pkt)->dqpn) & SIB_24BIT))
		return false;
	if (!sib_rule_wants_mad(r))
		return true;
	return (kind & (SIB_KIND_SMP | SIB_KIND_GMP)) &&
	       sib_rule_matches_mad(r, pkt);
}

/* Does the rule strike this packet, which matches? */
static bool sib_rule_strikes(struct sib_faults *f, struct sib_fault_rule *r)
{
	lockdep_assert_held(&f->lock);

	r->seen++;
	if (r->skip) {
		r->skip--;
		return false;
	}
	if (!r->left)
		return false;
	if (r->den && prandom_u32_state(&f->rnd) % r->den >= r->num)
		return false;
	if (r->left != U32_MAX)
		r->left--;
	r->hits++;
	f->done[r->act]++;
	return true;
}

/* The first rule that strikes; rules behind it do not see the packet. */
static struct sib_fault_rule *sib_faults_find(struct sib_faults *f,
					      struct sib_pkt *pkt)
{
	u8 kind = sib_pkt_kind(pkt);
	struct sib_fault_rule *r;

	lockdep_assert_held(&f->lock);

	list_for_each_entry(r, &f->rules, node)
		if (sib_rule_matches(r, pkt, kind) && sib_rule_strikes(f, r))
			return r;
	return NULL;
}

/* The packet was sent like this. */
static void sib_fault_reseal(struct sib_pkt *pkt)
{
	pkt->csum = 0;
	if (pkt->crc)
		sib_pkt_add_crc(pkt);
}

/* Another value in a MAD, which its sender might have written. */
static void sib_fault_put(struct sib_pkt *pkt, u32 at, u32 value)
{
	u8 *to = (u8 *)sib_mad(pkt) + at;

	if (!(sib_pkt_kind(pkt) & (SIB_KIND_SMP | SIB_KIND_GMP)) ||
	    to + sizeof(value) > pkt->data + pkt->len)
		return;
	put_unaligned_be32(value, to);
	sib_fault_reseal(pkt);
}

/*
 * Flips one bit behind the BTH. Without @reseal it is a bit error on the cable:
 * the CRCs were computed before. With @reseal it is a bit error in the sender's
 * memory, and the last byte of the payload is hit so that headers stay valid.
 */
static void sib_fault_corrupt(struct sib_faults *f, struct sib_pkt *pkt,
			      bool reseal)
{
	u8 *from = sib_ext(pkt);
	u8 *end = pkt->data + pkt->len;
	u32 rnd = prandom_u32_state(&f->rnd);
	u8 pad = SIB_BTH_PAD(sib_bth(pkt)->flags);

	if (from + pad >= end)
		return;
	if (reseal) {
		end[-1 - pad] ^= 1 << (rnd & 7);
		sib_fault_reseal(pkt);
		return;
	}
	if (!pkt->crc)
		sib_pkt_add_crc(pkt);
	from[(rnd >> 3) % (end - from)] ^= 1 << (rnd & 7);
}

static void sib_faults_hold(struct sib_faults *f, struct sib_pkt *pkt,
			    u32 hold, u32 ms)
{
	unsigned long wait = msecs_to_jiffies(ms) ?: 1;

	lockdep_assert_held(&f->lock);

	if (f->num_held == SIB_FAULT_MAX_HELD) {
		f->overflowed++;
		sib_pkt_free(pkt);
		return;
	}
	f->num_held++;
	pkt->hold = hold;
	pkt->due = jiffies + wait;
	list_add_tail(&pkt->node, &f->held);
	/* the work finds out when it is due, be it before all others */
	mod_delayed_work(sib_wq, &f->work, 0);
}

/* Packets that @passed has overtaken, if that was the last they waited for. */
static void sib_faults_overtake(struct sib_faults *f, struct list_head *out)
{
	struct sib_pkt *pkt, *tmp;

	lockdep_assert_held(&f->lock);

	list_for_each_entry_safe(pkt, tmp, &f->held, node)
		if (pkt->hold && !--pkt->hold) {
			list_move_tail(&pkt->node, out);
			f->num_held--;
		}
}

static void sib_faults_set_active(struct sib_faults *f)
{
	lockdep_assert_held(&f->lock);

	WRITE_ONCE(f->active, !list_empty(&f->rules) || !list_empty(&f->held));
}

/* Apply @r to @pkt; what goes on now is appended to @out. */
static void sib_fault_apply(struct sib_faults *f, struct sib_fault_rule *r,
			    struct sib_pkt *pkt, struct list_head *out)
{
	struct sib_pkt *copy;

	lockdep_assert_held(&f->lock);

	switch (r->act) {
	case SIB_FAULT_DROP:
		sib_pkt_free(pkt);
		return;
	case SIB_FAULT_DELAY:
		sib_faults_hold(f, pkt, 0, r->ms);
		return;
	case SIB_FAULT_REORDER:
		sib_faults_hold(f, pkt, r->gap, r->ms);
		return;
	case SIB_FAULT_DUPLICATE:
		copy = sib_pkt_copy(pkt);
		if (copy)
			list_add_tail(&copy->node, out);
		break;
	case SIB_FAULT_CORRUPT:
		if (r->at != ~0U)
			sib_fault_put(pkt, r->at, r->put);
		else
			sib_fault_corrupt(f, pkt, r->reseal);
		break;
	default:
		break;
	}
	list_add_tail(&pkt->node, out);
}

/**
 * sib_fault_packet() - let an end's rules have their way with a packet
 * @from: the end that sends it
 * @pkt: the packet, consumed
 * @out: gets what goes on now, in this order; the caller's
 *
 * Called for each packet while @from->faults.active. What is held back goes
 * on by itself, through sib_end_forward(). Any context.
 */
void sib_fault_packet(struct sib_end *from, struct sib_pkt *pkt,
		      struct list_head *out)
{
	struct sib_faults *f = &from->faults;
	struct sib_fault_rule *r;
	unsigned long flags;
	LIST_HEAD(overtaken);

	spin_lock_irqsave(&f->lock, flags);
	r = sib_faults_find(f, pkt);
	if (!r || r->act != SIB_FAULT_REORDER)
		sib_faults_overtake(f, &overtaken);
	if (r)
		sib_fault_apply(f, r, pkt, out);
	else
		list_add_tail(&pkt->node, out);
	list_splice_tail(&overtaken, out);
	sib_faults_set_active(f);
	spin_unlock_irqrestore(&f->lock, flags);
}

static void sib_faults_work(struct work_struct *work)
{
	struct sib_faults *f = container_of(to_delayed_work(work),
					    struct sib_faults, work);
	unsigned long flags, next = 0;
	struct sib_pkt *pkt, *tmp;
	LIST_HEAD(due);

	spin_lock_irqsave(&f->lock, flags);
	list_for_each_entry_safe(pkt, tmp, &f->held, node) {
		if (time_after_eq(jiffies, pkt->due)) {
			list_move_tail(&pkt->node, &due);
			f->num_held--;
		} else if (!next || time_before(pkt->due, next)) {
			next = pkt->due ?: 1;
		}
	}
	if (next)
		mod_delayed_work(sib_wq, &f->work, next - jiffies);
	sib_faults_set_active(f);
	spin_unlock_irqrestore(&f->lock, flags);

	list_for_each_entry_safe(pkt, tmp, &due, node) {
		list_del(&pkt->node);
		/* the receiver's tasklet runs at the end of this, at once */
		local_bh_disable();
		sib_end_forward(f->end, pkt);
		local_bh_enable();
	}
}

/**
 * sib_faults_init() - an end without faults
 * @end: the end, whose faults are set up
 */
void sib_faults_init(struct sib_end *end)
{
	struct sib_faults *f = &end->faults;

	f->active = false;
	spin_lock_init(&f->lock);
	f->end = end;
	INIT_LIST_HEAD(&f->rules);
	INIT_LIST_HEAD(&f->held);
	f->num_held = 0;
	f->overflowed = 0;
	INIT_DELAYED_WORK(&f->work, sib_faults_work);
	memset(f->done, 0, sizeof(f->done));
	sib_faults_seed(f, get_random_u32());
}

/**
 * sib_faults_seed() - restart the pseudo random numbers
 * @f: faults of an end
 * @seed: the same seed and the same packets give the same faults
 */
void sib_faults_seed(struct sib_faults *f, u32 seed)
{
	unsigned long flags;

	spin_lock_irqsave(&f->lock, flags);
	f->seed = seed;
	prandom_seed_state(&f->rnd, seed);
	spin_unlock_irqrestore(&f->lock, flags);
}

/**
 * sib_faults_add() - append rules
 * @f: faults of an end
 * @rules: list of struct sib_fault_rule, empty afterwards
 */
void sib_faults_add(struct sib_faults *f, struct list_head *rules)
{
	unsigned long flags;

	spin_lock_irqsave(&f->lock, flags);
	list_splice_tail_init(rules, &f->rules);
	sib_faults_set_active(f);
	spin_unlock_irqrestore(&f->lock, flags);
}

/**
 * sib_faults_clear() - remove the rules of one kind of fault
 * @f: faults of an end
 * @act: which rules; SIB_FAULT_ACTS: all
 *
 * Packets already held stay so until their time has come.
 */
void sib_faults_clear(struct sib_faults *f, enum sib_fault_act act)
{
	struct sib_fault_rule *r, *tmp;
	unsigned long flags;
	LIST_HEAD(gone);

	spin_lock_irqsave(&f->lock, flags);
	list_for_each_entry_safe(r, tmp, &f->rules, node)
		if (act == SIB_FAULT_ACTS || r->act == act)
			list_move_tail(&r->node, &gone);
	sib_faults_set_active(f);
	spin_unlock_irqrestore(&f->lock, flags);
	sib_rules_free(&gone);
}

/**
 * sib_faults_flush() - drop held packets
 * @f: faults of an end whose cable has been pulled
 */
void sib_faults_flush(struct sib_faults *f)
{
	struct sib_pkt *pkt, *tmp;
	unsigned long flags;
	LIST_HEAD(gone);

	spin_lock_irqsave(&f->lock, flags);
	list_splice_init(&f->held, &gone);
	f->num_held = 0;
	sib_faults_set_active(f);
	spin_unlock_irqrestore(&f->lock, flags);
	list_for_each_entry_safe(pkt, tmp, &gone, node) {
		list_del(&pkt->node);
		sib_pkt_free(pkt);
	}
}

/**
 * sib_faults_cleanup() - no rules, no held packets, no work
 * @end: an end that sends nothing any more
 *
 * Process context, may sleep.
 */
void sib_faults_cleanup(struct sib_end *end)
{
	sib_faults_clear(&end->faults, SIB_FAULT_ACTS);
	cancel_delayed_work_sync(&end->faults.work);
	sib_faults_flush(&end->faults);
}

/**
 * sib_verb_faults_init() - no verb fails
 * @vf: faults of an HCA
 */
void sib_verb_faults_init(struct sib_verb_faults *vf)
{
	memset(vf, 0, sizeof(*vf));
	spin_lock_init(&vf->lock);
}

/**
 * sib_verb_fails() - shall this call of a verb fail?
 * @hca: the HCA it is called on
 * @verb: which verb
 * @err: set to a negative errno if so
 *
 * Called at the verb's start. Any context.
 */
bool sib_verb_fails(struct sib_hca *hca, enum sib_verb verb, int *err)
{
	struct sib_verb_faults *vf = &hca->verb_faults;
	struct sib_verb_fault *v = &vf->verb[verb];
	unsigned long flags;
	bool fails = false;

	if (likely(!READ_ONCE(vf->active)))
		return false;
	spin_lock_irqsave(&vf->lock, flags);
	if (v->err && v->skip) {
		v->skip--;
	} else if (v->err && v->left) {
		if (v->left != U32_MAX)
			v->left--;
		v->hits++;
		*err = -v->err;
		fails = true;
	}
	spin_unlock_irqrestore(&vf->lock, flags);
	return fails;
}
