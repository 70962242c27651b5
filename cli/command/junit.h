/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What held and what did not, as CI servers read it. */
#ifndef COMMAND_JUNIT_H
#define COMMAND_JUNIT_H

#include <stdbool.h>
#include <stddef.h>

enum verdict_kind {
    VERDICT_PASSED,
    VERDICT_UNSURE,  /* passed: what is known does not speak against it */
    VERDICT_SKIPPED, /* there is no such row */
    VERDICT_FAILED,
    VERDICT_ERROR, /* it could not be judged */
};

/* One threshold or budget and what it was held against. */
struct verdict {
    enum verdict_kind kind;
    const char *group; /* "fail-above", "budgets", "error" */
    char *name;
    char *message; /* "": nothing to be said */
};

struct verdicts {
    struct verdict *all; /* count of them */
    size_t count, room;
    size_t kinds[VERDICT_ERROR + 1]; /* how many of each */
};

/* Copies the texts; false: no memory. */
bool verdicts_add(struct verdicts *verdicts, enum verdict_kind kind, const char *group,
                  const char *name, const char *message) __attribute__((warn_unused_result));
void verdicts_free(struct verdicts *verdicts);

/* As JUnit XML, well-formed whatever the names are; to be freed, NULL: no memory. */
char *junit_text(const struct verdicts *verdicts);

#endif
