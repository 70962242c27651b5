/* SPDX-License-Identifier: 0BSD */
/* The guardian of a GDB remote link. */
#ifndef GDBMI_SRC_RSP_GUARD_H
#define GDBMI_SRC_RSP_GUARD_H

#include "guardian.h"

struct rsp_link;

/* Starts a guardian; call it before connecting. held is that of struct gdbmi_options. The caller
 * gives the result to stream_connect_guarded(). Returns NULL on failure. */
struct guardian *rsp_guard_start(bool held);

/* Tells the link's guardian how this server is resumed and whether it uses acks. Call it before the
 * first halt, and when one of these has changed. */
void rsp_guard_note(const struct rsp_link *link);

/* The undo function of the guardian, for tests. rsp_guard_new() returns the link that it uses,
 * which has only a stream; NULL if memory runs out. rsp_guard_undo() resumes the target over the
 * stream, which stays the caller's, as page says. */
struct rsp_link *rsp_guard_new(void);
void rsp_guard_undo(struct rsp_link *link, struct gdbmi_stream *stream,
                    const struct guardian_page *page);
void rsp_guard_free(struct rsp_link *link);

#endif
