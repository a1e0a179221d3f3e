/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* <linux/unaligned.h> was <asm/unaligned.h> before 6.12. */
#if __has_include_next(<linux/unaligned.h>)
#include_next <linux/unaligned.h>
#else
#include <asm/unaligned.h>
#endif
