/* SPDX-License-Identifier: 0BSD */
/* Sends requests of a GDB remote link and finds their answers among the stops that come meanwhile.
 */
#ifndef GDBMI_SRC_RSP_EXCHANGE_H
#define GDBMI_SRC_RSP_EXCHANGE_H

#include "rsp_link.h"

/* Tells whether a packet can be the answer to a request. Packets that cannot are skipped: they come
 * late or were not asked for. Stop replies (gdb manual, "Stop Reply Packets") are never passed to
 * it. */
typedef bool rsp_form(const struct gdbmi_rsp_message *message);

bool rsp_form_any(const struct gdbmi_rsp_message *message);   /* any packet */
bool rsp_form_hex(const struct gdbmi_rsp_message *message);   /* pairs of digits, an error, empty */
bool rsp_form_value(const struct gdbmi_rsp_message *message); /* or "xx", not available */
bool rsp_form_ok(const struct gdbmi_rsp_message *message);    /* "OK", an error, or empty */
bool rsp_form_xfer(const struct gdbmi_rsp_message *message);  /* of qXfer, an error, or empty */
bool rsp_is_error(const struct gdbmi_rsp_message *message);   /* "E01", "E.text" */

/* Returns the signal of a stop reply of len bytes, 0 to 255; -1 if text is not one. */
int rsp_stop_signal(const char *text, size_t len);

/* Whether a Ctrl-C of this link caused the last stop, as far as its signal shows. */
bool rsp_is_stop_ours(const struct rsp_link *link);

/* Functions below return a code and set the link's error. *answer belongs to the port's reader, and
 * is valid until the next call that receives. */

/* Sends a request, a packet's payload, and waits for its answer, for at most port.io.timeout_ms.
 * Stops that come meanwhile are recorded in the link. */
enum gdbmi_code rsp_exchange(struct rsp_link *link, const char *request, rsp_form *form,
                             struct gdbmi_rsp_message *answer);

/* Waits for the answer to a request that was sent before, like rsp_exchange(). */
enum gdbmi_code rsp_await_answer(struct rsp_link *link, rsp_form *form,
                                 struct gdbmi_rsp_message *answer);

/*
 * Halts a running target and sends a request in one write, and waits for its answer. *ours says
 * whether the halt is this link's, on failure too. Only if rsp_may_ask_at_once(): QEMU hears what
 * follows a Ctrl-C in the same write, because its machine stands still by then, and it has told of
 * that before it answers.
 */
bool rsp_may_ask_at_once(const struct rsp_link *link);
enum gdbmi_code rsp_interrupt_and_ask(struct rsp_link *link, const char *request, rsp_form *form,
                                      struct gdbmi_rsp_message *answer, bool *ours);

/* Waits for a stop reply, for at most port.io.timeout_ms, and records it. */
enum gdbmi_code rsp_await_stop(struct rsp_link *link);

/* Records a stop reply, or the notification of a stop. Returns false if the message is neither. */
bool rsp_note_stop(struct rsp_link *link, const struct gdbmi_rsp_message *message);

/* Records one stop of a non-stop server, len bytes in the form of a stop reply. Ignores any other
 * text. */
void rsp_take_stop(struct rsp_link *link, const char *text, size_t len);

#endif
