/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A profile as ranked rows with names. */
#ifndef RANKING_ROWS_H
#define RANKING_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <profile/profile.h>
#include <profile/stats.h>
#include <ranking/ignore.h>
#include <symbol/naming.h>

enum view_by {
    VIEW_BY_FUNCTION,
    VIEW_BY_LINE,
    VIEW_BY_FILE,
    VIEW_BY_ADDRESS,
    VIEW_BY_ARC,     /* a function and who calls it; of other profiles than arcs, a function */
    VIEW_BY_CONTEXT, /* an exception by its number, where the profile has them, else a function,
                      * until view_contexts_mark() has made contexts of them */
    VIEW_BY_INLINE,  /* a function; of inlined code, the innermost one with its callers behind it */
};

/* What the core was doing, as far as a row's function tells it. */
enum view_context {
    VIEW_CONTEXT_TASK,      /* or nothing is known */
    VIEW_CONTEXT_INTERRUPT, /* a handler */
    VIEW_CONTEXT_IDLE,      /* it waited, or slept */
    VIEW_CONTEXTS,
};

/* One row. Strings belong to the source of names and are NULL where there is no name. */
struct view_row {
    const char *function;
    const char *symbol; /* the function's in the symbol table; NULL: the same */
    bool twin;          /* another row's function has the same name */
    bool several;       /* it is of several functions, and function is NULL for that */
    const char *caller; /* of an arc */
    const char *file;
    unsigned line;  /* 0: not known */
    uint64_t addr;  /* where the function, the line or the block starts; lowest one of a file */
    uint64_t shift; /* modulo 2^64, so much above addr the target reports the function: an alias */
    uint64_t caller_addr; /* where the caller starts, or the place where its name is not known */
    enum view_context context; /* where it is shown, as view_contexts_mark() says */
    unsigned exception;        /* by context: its number, 0: none */
    uint64_t hits, inherited, recent, lost;
    uint64_t in_interrupt, recent_in_interrupt; /* of hits and of recent, those in a handler */
    uint64_t late;                              /* of hits; 0 where rows->late is not known */
    struct stats_share share; /* of the attributed hits; low, high < 0: not known */
    double recent_share;      /* of the attributed hits since the last update; < 0: not known */
    double rate;              /* hits a second since the last update; < 0: not known */
    bool fell;                /* it has fewer hits than before (decay) */
    bool inlined;             /* by inline: code of this function that stands in another */
    bool stale;               /* some of its numbers are from an earlier update */
    bool split;               /* a block that spans several rows was divided by bytes */
    bool unplaced;            /* addr is not to be shown: the profile has none */
    /* Hits a second since the start of the counts; part of the last interval's time, of all cores;
     * < 0: not known. */
    double mean, cpu;
};

struct view_rows {
    struct view_row *rows;
    size_t count;
    uint64_t attributed;     /* hits of all rows */
    uint64_t ignored;        /* hits that were left out */
    uint64_t ignored_recent; /* of them, new since the last update */
    bool arcs;               /* each has its caller, if that is known */
    enum view_by by;
    bool exceptions; /* in_interrupt is known of each hit, whatever function it was in */
    bool late;       /* how many hits came late is known */
    bool marked;     /* by view_contexts_mark(): contexts, and what follows, are known */
    uint64_t in[VIEW_CONTEXTS], recent_in[VIEW_CONTEXTS]; /* hits of all rows by context */
    const struct profile *profile;    /* that they are of, and what was left out: borrowed */
    const struct view_ignore *ignore; /* NULL: nothing */
    struct string_pool
        *made; /* names that the rows have and the source of names has not, or NULL */
};

/*
 * Groups the profile's hits. A block that spans several functions (lines, files) is divided by the
 * bytes that each has in it, rounded to whole hits that add up, so that nothing is lost or made up.
 * What ignore names is left out, of the shares too; NULL: nothing.
 * symtab may be NULL: then every row is an address. false: no memory, *out is untouched. Free with
 * view_rows_free(). The rows are in no particular order.
 */
bool view_rows_build(const struct profile *profile, struct symtab *symtab, enum view_by by,
                     const struct view_ignore *ignore, struct view_rows *out)
    __attribute__((warn_unused_result));
/* The same with names from wherever they come. */
bool view_rows_build_named(const struct profile *profile, const struct symbol_naming *names,
                           enum view_by by, const struct view_ignore *ignore, struct view_rows *out)
    __attribute__((warn_unused_result));
void view_rows_free(struct view_rows *rows);

/* Adds up rows that are to be one, and works out share, interval and rate of one of these rows. */
void view_row_merge(struct view_row *into, const struct view_row *from);
void view_row_work_out(const struct view_rows *rows, struct view_row *row);

/* "task", "interrupt", "idle" */
const char *view_context_name(enum view_context context);

/* "function", "line", ... to the enum; false: no such word. */
bool view_by_parse(const char *word, enum view_by *by);

#endif
