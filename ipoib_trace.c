// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The one file that the tracepoints are defined in; ipoib_trace.h has them.
 */
#define CREATE_TRACE_POINTS
#include "ipoib_trace.h"
