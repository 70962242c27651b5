/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What functions and addresses of a trace are called. */
#ifndef TRACE_VIEW_TRACE_NAMES_H
#define TRACE_VIEW_TRACE_NAMES_H

#include <stdio.h>

#include <inttypes.h>

#include <base/text.h>
#include <trace/points.h>

/* Bytes of an address as text. */
#define TRACE_ADDRESS_TEXT 24

/* Returns an address as text in buffer; NULL: it is 0, not known. */
static inline const char *trace_address_text(uint64_t addr, char buffer[TRACE_ADDRESS_TEXT])
{
    if (addr == 0)
        return NULL;
    snprintf(buffer, TRACE_ADDRESS_TEXT, "0x%08" PRIx64, addr);
    return buffer;
}

/* Returns the name of a function or of TRACE_NO_FUNCTION; NULL: not known. */
static inline const char *trace_function_name(const struct trace_points *points, uint32_t function)
{
    const char *name =
        function == TRACE_NO_FUNCTION ? "" : trace_function_at(points, function)->name;

    return name[0] ? name : NULL;
}

/* Adds the name of a function, or else an address in it. */
static inline void trace_put_name(struct text *t, const struct trace_points *points,
                                  uint32_t function, uint64_t addr)
{
    const char *name = trace_function_name(points, function);
    char buffer[TRACE_ADDRESS_TEXT];

    if (!name) /* of a damaged record the address may be 0 */
        name = trace_address_text(addr, buffer);
    text_escape(t, name ? name : "?", "", "");
}

#endif
