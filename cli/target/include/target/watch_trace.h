/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The events that polls and drains of a watch have read of a trace. */
#ifndef TARGET_WATCH_TRACE_H
#define TARGET_WATCH_TRACE_H

#include <sampler/trace.h>
#include <target/watch.h>

/* As sampler_table_events(), for options with SAMPLER_TRACE. Returns NULL, with *count 0, if there
 * is no sampler yet or memory runs out. */
const struct sampler_event *watch_events(struct watch *watch, bool last, size_t *count);

/* Returns as sampler_table_has_ended(), also false if there is no sampler yet. */
bool watch_has_ended(const struct watch *watch, uint64_t *left_out);

/* Size of a text, bytes with the NUL. */
#define WATCH_FROZEN 40

/* Writes how many resets ago a trace was frozen to text, like ", 2 resets ago"; "" if there was
 * none since. Returns text. */
const char *watch_frozen_when(const struct decode_frozen *frozen, char text[WATCH_FROZEN]);

/* What watch_peek() has done. */
enum watch_peek {
    WATCH_PEEK_DONE,
    WATCH_PEEK_GONE,  /* nothing can be read there */
    WATCH_PEEK_NEVER, /* it would halt the target, nothing runs, or the connection is lost */
};

/* Reads len bytes at addr, of a target that runs on meanwhile. Unless it returns WATCH_PEEK_DONE,
 * bytes are unchanged. */
enum watch_peek watch_peek(const struct watch *watch, uint64_t addr, void *bytes, size_t len);

/* As sampler_table_trace(). */
struct decode_trace watch_trace(const struct watch *watch, unsigned core);

#endif
