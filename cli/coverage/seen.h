/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which functions of an ELF file were seen, by addresses of their calls. */
#ifndef COVERAGE_SEEN_H
#define COVERAGE_SEEN_H

#include <coverage/report.h>
#include <profile/profile.h>

struct seen {
    struct symtab *symtab; /* borrowed */
    const struct symtab_function *functions;
    size_t count;
    uint64_t *calls; /* owned; of each function */
    bool *seen;      /* owned; it was called, or has called another */
};

/* Begins; the caller calls seen_free() in any case. Returns false if memory runs out. */
bool seen_begin(struct seen *seen, struct symtab *symtab) __attribute__((warn_unused_result));
void seen_free(struct seen *seen);

/* A function was called that often: addr is near its entry. */
void seen_add(struct seen *seen, uint64_t addr, uint64_t calls);

/* A function has called another one: addr is in it. */
void seen_ran(struct seen *seen, uint64_t addr);

/* The same for all rows of a profile of calls, whose addresses are that much larger than those of
 * the ELF file, modulo 2^64. */
void seen_profile(struct seen *seen, const struct profile *profile, uint64_t bias);

/* Adds the functions that have a call hook to the report, or all if none has. Returns false if
 * memory runs out. */
bool seen_end(struct seen *seen, struct coverage_report *report)
    __attribute__((warn_unused_result));

#endif
