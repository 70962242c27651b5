/* SPDX-License-Identifier: 0BSD */
/* The guardian of a GDB remote link. */
#ifndef GDBMI_SRC_RSP_GUARD_H
#define GDBMI_SRC_RSP_GUARD_H

#include "guardian.h"

struct rsp_link;

/* Starts one for a connection that is not made yet; NULL when that is not possible. It belongs to
 * the connection's stream: see stream_connect_guarded(). held: as of struct gdbmi_options. */
struct guardian *rsp_guard_start(bool held);

/* Tells it how this server is resumed and whether it acks. To be called before the first halt, and
 * when one of the two has changed. */
void rsp_guard_note(const struct rsp_link *link);

/* What runs in the guardian; and the link that it works with, which knows nothing but its stream.
 */
struct rsp_link *rsp_guard_new(void);
void rsp_guard_undo(struct rsp_link *link, struct gdbmi_stream *stream,
                    const struct guardian_page *page);
void rsp_guard_free(struct rsp_link *link);

#endif
