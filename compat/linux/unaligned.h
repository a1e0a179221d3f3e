/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* <linux/unaligned.h> was <asm/unaligned.h> before Linux 6.12. */
#include <linux/version.h>
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 12, 0)
#include <asm/unaligned.h>
#else
#include_next <linux/unaligned.h>
#endif
