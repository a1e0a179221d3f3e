/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef IPOIB_COMPAT_LINUX_OVERFLOW_H
#define IPOIB_COMPAT_LINUX_OVERFLOW_H

#include_next <linux/overflow.h>

/* Came to Linux 6.1 in an update. */
#ifndef struct_size_t
#define struct_size_t(type, member, count) \
	struct_size((type *)NULL, member, count)
#endif

#endif
