/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The chain of callers of an entry. */
#ifndef TRACE_VIEW_TRACE_CHAIN_H
#define TRACE_VIEW_TRACE_CHAIN_H

#include <trace/writer.h>

#include "line_buffer.h"

/* Adds "main -> f(1) -> g(2)", or the member "stack" of an object: an array of the calls, each with
 * its function, an address in it and its arguments. "..." and null are calls that are not known.
 * Returns false if memory runs out. */
bool trace_chain_add(struct line_buffer *to, bool json, const struct trace_points *points,
                     const struct trace_about *about, const struct trace_chain *chain);

#endif
