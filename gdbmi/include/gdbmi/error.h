/* SPDX-License-Identifier: 0BSD */
/* Codes and texts of what can go wrong on a link. */
#ifndef GDBMI_ERROR_H
#define GDBMI_ERROR_H

enum gdbmi_code {
    GDBMI_OK = 0,
    GDBMI_EARG,         /* an address or option that cannot be parsed */
    GDBMI_ECONNECT,     /* nobody listens, name not found, refused */
    GDBMI_ETIMEOUT,     /* the server did not answer in time */
    GDBMI_ECLOSED,      /* the connection was lost */
    GDBMI_EPROTOCOL,    /* bytes that are not of the protocol */
    GDBMI_ETARGET,      /* the server answered, with an error */
    GDBMI_EUNSUPPORTED, /* this server cannot do that */
    GDBMI_EHALT,        /* it could only be done by halting, and that was not allowed */
    GDBMI_ENOMEM,
};

/* Which of struct gdbmi_options may help. The text says nothing of it: how a program takes them,
 * the program knows. */
enum gdbmi_hint {
    GDBMI_HINT_NONE = 0,
    GDBMI_HINT_REFUSED,     /* gdb, tcl or qmp: nobody listens at the address */
    GDBMI_HINT_ALLOW_HALT,  /* allow_halt, for a short halt at each access */
    GDBMI_HINT_STOP_BY_GDB, /* allow_halt: our gdb stops and continues the target at each access */
    GDBMI_HINT_STOP_BY_YOUR_GDB, /* the same of the user's; tcl and qmp read beside it without */
    GDBMI_HINT_TCL_NONE,         /* tcl = "none", if it is not OpenOCD that is silent there */
    GDBMI_HINT_GDB,              /* gdb: the address is that of a gdb port */
    GDBMI_HINT_GDB_IF,           /* gdb: if it is one */
    GDBMI_HINT_SERVE_OR_TCL,     /* one of serve and tcl without the other */
    GDBMI_HINT_MI,               /* mi: a command that starts a gdb */
};

/* What was left undone; the text says it in capitals. */
enum gdbmi_left {
    GDBMI_LEFT_NOTHING = 0,  /* the target is as it was, or the error is not about that */
    GDBMI_LEFT_MAYBE_HALTED, /* it may be halted, which it was not */
    GDBMI_LEFT_HALTED,
};

/* The first error sticks to its link or stream: later calls return the same code. The text is one
 * line without a final newline or period, and says what failed, on what, and what to do where that
 * is known and is no option. */
struct gdbmi_error {
    enum gdbmi_code code;
    enum gdbmi_hint hint;
    enum gdbmi_left left;
    char text[320];
};

/* Sets *error unless it holds an error already; returns the code that it then holds. */
enum gdbmi_code gdbmi_error_set(struct gdbmi_error *error, enum gdbmi_code code, const char *format,
                                ...) __attribute__((format(printf, 3, 4)));

/* The same with a hint. */
enum gdbmi_code gdbmi_error_set_hint(struct gdbmi_error *error, enum gdbmi_code code,
                                     enum gdbmi_hint hint, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The same with all of another error, which is one. */
enum gdbmi_code gdbmi_error_take(struct gdbmi_error *error, const struct gdbmi_error *from);

#endif
