/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* <net/page_pool.h> was split in two in Linux 6.6. */
#include <linux/version.h>
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 6, 0)
#include <net/page_pool.h>
#else
#include_next <net/page_pool/types.h>
#endif
