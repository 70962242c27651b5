/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The formats, each in a file of its own. */
#ifndef TRACE_EXPORT_FORMATS_H
#define TRACE_EXPORT_FORMATS_H

#include "walk.h"

extern const struct trace_export_ops chrome_trace_ops, ctf_trace_ops, firefox_trace_ops,
    folded_trace_ops, callgrind_trace_ops, pprof_trace_ops, speedscope_trace_ops, uftrace_trace_ops;

#endif
