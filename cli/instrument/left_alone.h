/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that must not call the hook, whatever their sites are. */
#ifndef INSTRUMENT_LEFT_ALONE_H
#define INSTRUMENT_LEFT_ALONE_H

#include <instrument/site.h>

/* A function as this part sees it. */
struct left_alone {
    const struct symtab_function *function;
    struct site_code code; /* bytes NULL: they are not known */
    const char *why;       /* set by left_alone_mark(); NULL: nothing is against it */
};

/*
 * Marks the functions of the stub, those that the hook at hook runs, and those that machine's code
 * sets as trap handlers. functions are sorted by address. Returns false if memory runs out.
 */
bool left_alone_mark(const struct site_machine *machine, uint64_t hook,
                     struct left_alone *functions, size_t count)
    __attribute__((warn_unused_result));

#endif
