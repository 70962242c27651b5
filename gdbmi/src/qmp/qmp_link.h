/* SPDX-License-Identifier: 0BSD */
/* A link through QMP: what opening it and using it have in common. */
#ifndef GDBMI_SRC_QMP_LINK_H
#define GDBMI_SRC_QMP_LINK_H

#include "link_ops.h"
#include "qmp_port.h"

/* What QEMU emulates, by its own name of it. */
struct qmp_machine {
    const char *name;
    const char *arch; /* in gdb's words; "": the name leaves that open */
    bool big_endian;
    const char *pc; /* what precedes the program counter in "info registers"; NULL: not known */
};

struct qmp_link {
    struct gdbmi_link base;
    struct qmp_port port;
    const struct qmp_machine *machine;
    bool physical; /* read physical memory: the core has no MMU, and its MPU does not matter */
    json_int_t cpu;
    enum gdbmi_state state; /* as events and answers told last */
};

extern const struct gdbmi_link_ops qmp_link_ops;

/* The operations of these names, as link_ops.h describes them. */
enum gdbmi_code qmp_command(struct gdbmi_link *base, const char *command, char **answer);
enum gdbmi_code qmp_registers(struct gdbmi_link *base, const struct link_registers *map, bool all,
                              struct gdbmi_sample *sample);

/* qmp_port_run(), with the error in the link. */
enum gdbmi_code qmp_link_run(struct qmp_link *link, struct qmp_call *calls, size_t count);

/* Asks for the state and keeps it in the link. */
enum gdbmi_code qmp_link_ask_state(struct qmp_link *link);

/* The error that what was answered for this (text, or NULL) is something else. */
enum gdbmi_code qmp_link_odd(struct qmp_link *link, const char *what, const char *text);

/* A link over a stream that is connected already; owns it from the call on, on failure too. Of the
 * options timeout_ms and target count. */
enum gdbmi_code qmp_link_attach(struct gdbmi_stream *stream, const char *address,
                                const struct gdbmi_options *options, struct gdbmi_link **link,
                                struct gdbmi_error *error);

#endif
