// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Attributes that only a switch has: SwitchInfo and the forwarding tables
 * (14.2.5.4, 14.2.5.10 to 14.2.5.12).
 */
#include "sib_mgmt.h"

#define SIB_LFT_BLOCK		64	/* LIDs */
#define SIB_MFT_BLOCK		32	/* MLIDs */
#define SIB_MFT_PORTS		16	/* ports in a mask */

#define SIB_PORT_STATE_CHANGE	0x04
#define SIB_ENFORCEMENT_CAPS	0xc0	/* inbound and outbound */

struct sib_switch_info {
	__be16 lin_cap;
	__be16 rand_cap;
	__be16 mcast_cap;
	__be16 lin_top;
	u8 def_port;
	u8 def_mcast_pri_port;
	u8 def_mcast_not_port;
	u8 life_state;		/* LifeTimeValue 7:3, PortStateChange 2 */
	__be16 lids_per_port;
	__be16 enforce_cap;
	u8 flags;
	u8 reserved;
	__be16 mcast_top;
} __packed;

static void sib_switchinfo_set(struct sib_switch *sw,
			       const struct sib_switch_info *si)
{
	lockdep_assert_held(&sw->lock);

	WRITE_ONCE(sw->lft_top, min_t(u16, be16_to_cpu(si->lin_top),
				      SIB_LFT_TOP));
	sw->life_time = si->life_state >> 3;
	if (si->life_state & SIB_PORT_STATE_CHANGE)
		sw->port_change = false;
}

/**
 * sib_switchinfo_attr() - Get or Set SwitchInfo
 * @sma: the SMP, answered in place
 *
 * Takes the switch's lock. Return: MAD status
 */
__be16 sib_switchinfo_attr(struct sib_sma *sma)
{
	struct sib_switch_info *si = (void *)sma->smp->data;
	struct sib_switch *sw = sib_sw;
	unsigned long flags;

	spin_lock_irqsave(&sw->lock, flags);
	if (sma->set)
		sib_switchinfo_set(sw, si);
	memset(sma->smp->data, 0, sizeof(sma->smp->data));
	si->lin_cap = cpu_to_be16(SIB_LFT_TOP + 1);
	si->mcast_cap = cpu_to_be16(SIB_MLIDS);
	si->lin_top = cpu_to_be16(sw->lft_top);
	si->life_state = sw->life_time << 3;
	if (sw->port_change)
		si->life_state |= SIB_PORT_STATE_CHANGE;
	spin_unlock_irqrestore(&sw->lock, flags);
	si->enforce_cap = cpu_to_be16(SIB_PKEYS);
	si->flags = SIB_ENFORCEMENT_CAPS;
	return 0;
}

/**
 * sib_lft_attr() - Get or Set a block of the LinearForwardingTable
 * @sma: the SMP, answered in place; modifier: the block
 *
 * The data path reads single bytes without a lock. Return: MAD status
 */
__be16 sib_lft_attr(struct sib_sma *sma)
{
	u32 block = be32_to_cpu(sma->smp->attr_mod);
	struct sib_switch *sw = sib_sw;
	unsigned long flags;
	u8 *lft;
	int i;

	if (block > SIB_LFT_TOP / SIB_LFT_BLOCK)
		return SIB_MAD_BAD_VALUE;
	lft = sw->lft + block * SIB_LFT_BLOCK;
	spin_lock_irqsave(&sw->lock, flags);
	for (i = 0; i < SIB_LFT_BLOCK; i++) {
		if (sma->set)
			WRITE_ONCE(lft[i], sma->smp->data[i]);
		sma->smp->data[i] = lft[i];
	}
	spin_unlock_irqrestore(&sw->lock, flags);
	return 0;
}

/* Sixteen ports' bits of a mask. */
static u16 sib_mft_get(const unsigned long *mask, unsigned int pos)
{
	unsigned int bit = pos * SIB_MFT_PORTS;

	return mask[BIT_WORD(bit)] >> (bit % BITS_PER_LONG);
}

static void sib_mft_put(unsigned long *mask, unsigned int pos, u16 bits)
{
	unsigned int bit = pos * SIB_MFT_PORTS;
	unsigned long *word = &mask[BIT_WORD(bit)];
	unsigned int shift = bit % BITS_PER_LONG;

	lockdep_assert_held(&sib_sw->lock);

	WRITE_ONCE(*word, (*word & ~(0xffffUL << shift)) |
			  (unsigned long)bits << shift);
}

/**
 * sib_mft_attr() - Get or Set a block of the MulticastForwardingTable
 * @sma: the SMP, answered in place; modifier: position in the upper four bits,
 *	block in the lower nine
 *
 * The data path reads single words without a lock. Return: MAD status
 */
__be16 sib_mft_attr(struct sib_sma *sma)
{
	u32 mod = be32_to_cpu(sma->smp->attr_mod);
	__be16 *data = (__be16 *)sma->smp->data;
	u32 pos = mod >> 28, block = mod & 0x1ff;
	struct sib_switch *sw = sib_sw;
	unsigned long flags;
	int i;

	if ((block + 1) * SIB_MFT_BLOCK > SIB_MLIDS ||
	    pos * SIB_MFT_PORTS > sw->n_ports)
		return SIB_MAD_BAD_VALUE;
	spin_lock_irqsave(&sw->lock, flags);
	for (i = 0; i < SIB_MFT_BLOCK; i++) {
		unsigned long *mask = sw->mft[block * SIB_MFT_BLOCK + i];

		if (sma->set)
			sib_mft_put(mask, pos, be16_to_cpu(data[i]));
		data[i] = cpu_to_be16(sib_mft_get(mask, pos));
	}
	spin_unlock_irqrestore(&sw->lock, flags);
	return 0;
}
