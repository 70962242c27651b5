/* SPDX-License-Identifier: 0BSD */
/* Requests of a GDB remote link and their answers, and the stops that come in between. */
#ifndef GDBMI_SRC_RSP_EXCHANGE_H
#define GDBMI_SRC_RSP_EXCHANGE_H

#include "rsp_link.h"

/* Tells whether a packet has the form of an answer to a request. Stop replies are never asked
 * about, and what has not the form is passed over as late or unasked for. */
typedef bool rsp_form(const struct gdbmi_rsp_message *message);

bool rsp_form_any(const struct gdbmi_rsp_message *message);
bool rsp_form_hex(const struct gdbmi_rsp_message *message); /* or an error, or empty */
bool rsp_form_ok(const struct gdbmi_rsp_message *message);  /* or an error, or empty */
bool rsp_form_xfer(const struct gdbmi_rsp_message *message);
bool rsp_is_error(const struct gdbmi_rsp_message *message);

/* The signal of a stop reply, which also stands in a notification of one; -1: it is none. */
int rsp_stop_signal(const char *text, size_t len);

/* Whether the last stop is that of a Ctrl-C of ours. */
bool rsp_is_stop_ours(const struct rsp_link *link);

/* Sends a request and waits for its answer, at most port.io.timeout_ms. Stops are noted meanwhile.
 */
enum gdbmi_code rsp_exchange(struct rsp_link *link, const char *request, rsp_form *form,
                             struct gdbmi_rsp_message *answer);

/* Waits for the answer to a request that was sent before. */
enum gdbmi_code rsp_await_answer(struct rsp_link *link, rsp_form *form,
                                 struct gdbmi_rsp_message *answer);

/* Waits for a stop reply. */
enum gdbmi_code rsp_await_stop(struct rsp_link *link);

/* Notes a stop that was not asked for, or the notification of one; false if the message is none. */
bool rsp_note_stop(struct rsp_link *link, const struct gdbmi_rsp_message *message);

/* Notes a stop of a non-stop server, in the form of a stop reply; anything else is passed over. */
void rsp_take_stop(struct rsp_link *link, const char *text, size_t len);

#endif
