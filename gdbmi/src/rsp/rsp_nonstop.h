/* SPDX-License-Identifier: 0BSD */
/* Non-stop servers (gdbserver, pyOCD): the program runs while it is asked about. */
#ifndef GDBMI_SRC_RSP_NONSTOP_H
#define GDBMI_SRC_RSP_NONSTOP_H

#include "rsp_link.h"

/* Turns non-stop on, learns what is stopped, and chooses a thread through which memory is read.
 * link->non_stop stays false where the server refuses. passes_signals: the server can be told to
 * leave signals to the program. */
enum gdbmi_code rsp_nonstop_open(struct rsp_link *link, bool passes_signals);

/* Whether all that is stopped may have been stopped by our coming: no signal or breakpoint was the
 * reason. */
bool rsp_nonstop_is_stop_blank(const struct rsp_link *link);

/* Takes the stops that were notified, until link->running is true to what the server said. */
enum gdbmi_code rsp_nonstop_update(struct rsp_link *link);

/* Stops all threads and waits for it; *ours is false if one came to a stop for another reason. */
enum gdbmi_code rsp_nonstop_halt(struct rsp_link *link, bool *ours);
enum gdbmi_code rsp_nonstop_resume(struct rsp_link *link);

/* After a refused read: chooses another thread if the chosen one has ended. *again: ask again. */
enum gdbmi_code rsp_nonstop_choose_again(struct rsp_link *link, bool *again);

/* Leaves a program that the server would end with the connection, but that runs since we let it. */
enum gdbmi_code rsp_nonstop_leave(struct rsp_link *link);

#endif
