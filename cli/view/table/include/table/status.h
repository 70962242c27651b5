/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is known about one refresh beside its rows. */
#ifndef TABLE_STATUS_H
#define TABLE_STATUS_H

#include <stdbool.h>
#include <stdint.h>

#include <profile/profile.h>

/* Strings are never NULL. */
struct view_status {
    const char *command;  /* "top" */
    const char *elf;      /* file name without folders */
    const char *build_id; /* as of symtab_build(), "": not known */
    const char *identity; /* "= flash", "differs" */
    const char *kind;     /* of the link */
    const char *server;   /* what serves it */
    const char *address;  /* of the link */
    const char *target;   /* the server's name of it */
    const char *arch;     /* in gdb's words */
    const char *state;    /* "RUNNING", "HALTED" */
    const char *sampler;  /* "table" */
    const char *origin;   /* files that it all is from; NULL: a link */
    const char *unit;     /* what is counted; NULL: as the profile says */
    const char *message;  /* one line: how we are connected, or what is wrong */
    bool warning;         /* the message is a warning */
    bool answer;          /* to a key: it is shown on the smallest screen, too */
    bool alarm;           /* it says that the numbers are not what they seem, in red */
    bool live;            /* memory is read while the target runs */
    uint64_t halts;       /* by us */
    double halted_ms;     /* by us, in all */
    double halted_share;  /* of the time since the link was opened */
    bool once;            /* read once so far: the halts took nearly all of that time */
    double poll_ms;       /* of the last poll; < 0: not known */
    double age_s;         /* of the data; below 0: it is of a time to come; NAN: not known */
    double time_s; /* since mprof started; of files: for how long they counted, < 0: not known */
    unsigned addr_size; /* bytes of an address */
};

/* "samples", "calls", or what the status says. */
const char *view_unit(const struct view_status *status, const struct profile *profile);

#endif
