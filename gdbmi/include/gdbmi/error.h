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

/* The first error sticks to its link or stream: later calls return the same code. The text is one
 * line without a final newline or period, and says what failed, on what, and what to do where that
 * is known. */
struct gdbmi_error {
    enum gdbmi_code code;
    char text[320];
};

/* Sets *error unless it holds an error already; returns the code that it then holds. */
enum gdbmi_code gdbmi_error_set(struct gdbmi_error *error, enum gdbmi_code code, const char *format,
                                ...) __attribute__((format(printf, 3, 4)));

#endif
