/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef IPOIB_COMPAT_LINUX_SLAB_H
#define IPOIB_COMPAT_LINUX_SLAB_H

#include_next <linux/slab.h>

/* Allocation by type instead of by size, GFP_KERNEL unless said otherwise. */
#ifndef kzalloc_obj
#define compat_gfp(first, gfp, ...) gfp
#define kzalloc_obj(P, ...) \
	kzalloc(sizeof(P), compat_gfp(0, ##__VA_ARGS__, GFP_KERNEL))
#define kzalloc_objs(P, COUNT, ...) \
	kcalloc(COUNT, sizeof(P), compat_gfp(0, ##__VA_ARGS__, GFP_KERNEL))
#define kvzalloc_objs(P, COUNT, ...) \
	kvcalloc(COUNT, sizeof(P), compat_gfp(0, ##__VA_ARGS__, GFP_KERNEL))
#define kzalloc_flex(P, FAM, COUNT, ...) \
	kzalloc(struct_size((typeof(P) *)NULL, FAM, COUNT), \
		compat_gfp(0, ##__VA_ARGS__, GFP_KERNEL))
#endif

#endif
