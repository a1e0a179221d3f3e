/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* <linux/hex.h> was part of <linux/kernel.h> before Linux 6.12. */
#include <linux/version.h>
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 12, 0)
#include <linux/kernel.h>
#else
#include_next <linux/hex.h>
#endif
