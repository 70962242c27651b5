/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results of a gate as JUnit XML, for the display of a CI server. */
#ifndef TABLE_JUNIT_H
#define TABLE_JUNIT_H

#include <stdbool.h>
#include <stddef.h>

/* The result of one check. */
enum verdict_kind {
    VERDICT_PASSED,
    VERDICT_UNSURE,  /* passed: the data is too uncertain to fail it */
    VERDICT_SKIPPED, /* no row has this name */
    VERDICT_FAILED,
    VERDICT_ERROR, /* it could not be judged */
};

/* A threshold or a budget, checked against one row. */
struct verdict {
    enum verdict_kind kind;
    const char *group; /* "fail-above", "budgets", "error" */
    char *name;        /* owned */
    char *message;     /* owned; "": none */
};

/* All results. Zeroed memory is none. */
struct verdicts {
    struct verdict *all; /* count of them, owned */
    size_t count, room;
    size_t kinds[VERDICT_ERROR + 1]; /* number of each kind */
};

/* Adds a result; copies name and message, group must be a constant. Returns false if memory runs
 * out. */
bool verdicts_add(struct verdicts *verdicts, enum verdict_kind kind, const char *group,
                  const char *name, const char *message) __attribute__((warn_unused_result));
void verdicts_free(struct verdicts *verdicts);

/* Returns the results as JUnit XML, which is well-formed for any name. The caller frees it with
 * free(). Returns NULL if memory runs out. */
char *junit_text(const struct verdicts *verdicts);

#endif
