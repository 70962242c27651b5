/* SPDX-License-Identifier: 0BSD */
/*
 * Errors of links and streams: a code, one line of text, and which option may help.
 *
 * A function that can fail returns a code. The text is in the struct gdbmi_error that was passed to
 * it, or in that of its link. The first error stays until the caller zeroes the struct; later ones
 * are usually its consequences. The struct owns its text, so there is nothing to free.
 */
#ifndef GDBMI_ERROR_H
#define GDBMI_ERROR_H

/* What failed. The text of the error says on what. */
enum gdbmi_code {
    GDBMI_OK = 0,
    GDBMI_EARG,         /* an address or option cannot be parsed, or options contradict */
    GDBMI_ECONNECT,     /* no connection: refused, or the host is not found */
    GDBMI_ETIMEOUT,     /* the server did not answer in time */
    GDBMI_ECLOSED,      /* the connection was lost */
    GDBMI_EPROTOCOL,    /* the server sent bytes that the protocol does not allow */
    GDBMI_ETARGET,      /* the server answered with an error, such as for an unmapped address */
    GDBMI_EUNSUPPORTED, /* this server or link cannot do it */
    GDBMI_EHALT,        /* it needs a halt, and options.allow_halt is not set */
    GDBMI_ENOMEM,
    GDBMI_EPLAY, /* the record that is played ends here, or does not fit */
    GDBMI_ESTOPPED, /* this process was stopped by a signal or a debugger while the target was
                     * halted for it, so another process has let the target go: connect again */
};

/* Which member of struct gdbmi_options may help. The text of the error does not name it, because
 * only the program knows how its user sets that member. */
enum gdbmi_hint {
    GDBMI_HINT_NONE = 0,
    GDBMI_HINT_REFUSED,          /* gdb, tcl or qmp: nothing listens at this address */
    GDBMI_HINT_ALLOW_HALT,       /* allow_halt: each access halts the target for a moment */
    GDBMI_HINT_STOP_BY_GDB,      /* allow_halt: the library's gdb stops the target at each access */
    GDBMI_HINT_STOP_BY_YOUR_GDB, /* the same by the user's gdb; tcl and qmp need no stop */
    GDBMI_HINT_TCL_NONE,         /* tcl = "none", if the silent server is not OpenOCD */
    GDBMI_HINT_TCL,              /* tcl: this address is OpenOCD's Tcl port */
    GDBMI_HINT_GDB,              /* gdb: this address is a gdb port */
    GDBMI_HINT_GDB_IF,           /* gdb: if this address is a gdb port */
    GDBMI_HINT_SERVE_OR_TCL,     /* serve or tcl, but not both */
    GDBMI_HINT_MI,               /* mi: a command that starts a gdb */
    GDBMI_HINT_TYPE,             /* no error: what the user types in his gdb for the link to open */
};

/* The state in which an error left the target. If it is not NOTHING, the text says so in capitals.
 */
enum gdbmi_left {
    GDBMI_LEFT_NOTHING = 0,  /* it was not changed, or the error has nothing to do with it */
    GDBMI_LEFT_MAYBE_HALTED, /* it ran, and may be halted */
    GDBMI_LEFT_HALTED,       /* it ran, and is halted */
};

/* An error; zeroed memory is none. The text is one line without a newline or a period at its end,
 * "" if code is GDBMI_OK. It says what failed, on what, and what to do, except for options. */
struct gdbmi_error {
    enum gdbmi_code code;
    enum gdbmi_hint hint;
    enum gdbmi_left left;
    char text[320];
};

/* Writes an error to *error, unless that holds one: the first error stays. format is as in
 * printf(). The text is cut to the size of the array. Returns the code that *error then holds. */
enum gdbmi_code gdbmi_error_set(struct gdbmi_error *error, enum gdbmi_code code, const char *format,
                                ...) __attribute__((format(printf, 3, 4)));

/* The same, with a hint. */
enum gdbmi_code gdbmi_error_set_hint(struct gdbmi_error *error, enum gdbmi_code code,
                                     enum gdbmi_hint hint, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Copies all of *from to *error, unless *error holds an error. Returns the code that *error then
 * holds. */
enum gdbmi_code gdbmi_error_take(struct gdbmi_error *error, const struct gdbmi_error *from);

#endif
