/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of a ranking: the hits of a profile grouped by function, line, file or another key. */
#ifndef RANKING_ROWS_H
#define RANKING_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <profile/profile.h>
#include <profile/stats.h>
#include <ranking/ignore.h>
#include <symbol/naming.h>

/* How hits are grouped to rows: --by. */
enum view_by {
    VIEW_BY_FUNCTION,
    VIEW_BY_LINE,    /* source line */
    VIEW_BY_FILE,    /* source file */
    VIEW_BY_ADDRESS, /* block of code */
    VIEW_BY_ARC,     /* function and caller; function if the profile has no arcs */
    VIEW_BY_CONTEXT, /* task and exception, if the profile has their numbers; else function, and
                      * then view_contexts_mark() groups the functions by context */
    VIEW_BY_INLINE,  /* function; inlined code is a row of its own, named with its callers */
    VIEW_BY_TOTAL,   /* function, with the hits of all functions that it has called, if the profile
                      * has call stacks; so rows do not add up; else function */
};

/* What the core was doing when it was sampled. */
enum view_context {
    VIEW_CONTEXT_TASK,      /* also if nothing is known */
    VIEW_CONTEXT_INTERRUPT, /* it was in the handler of an exception */
    VIEW_CONTEXT_IDLE,      /* it waited or slept */
    VIEW_CONTEXTS,          /* their number */
};

/* One row. Strings belong to the source of names or to view_rows.made; NULL is not known. Hits are
 * those of struct profile_hit, added up. A row by line has only hits that are certainly its own;
 * those of a block that several lines share are a row without file and line. */
struct view_row {
    const char *function; /* demangled */
    const char *symbol;   /* the name in the symbol table; NULL: the same */
    bool twin;            /* another row has the same function name */
    bool several;         /* the row has several functions, so function is NULL */
    bool block;           /* by line: the row of a block that several lines share */
    struct view_lines {
        const char *file;
        unsigned first, last;
        bool more;        /* and lines of other files */
    } lines;              /* of a block; file NULL: none */
    const char *caller;   /* of an arc */
    const char *file;     /* path as the compiler was given it */
    unsigned line;        /* 0: not known */
    uint64_t addr;        /* start of the function or block; the lowest block of a line or file */
    uint64_t shift;       /* the target reports the function at addr + shift, modulo 2^64 (alias) */
    uint64_t caller_addr; /* start of the caller, or the return address if it has no name */
    enum view_context context;       /* set by view_contexts_mark() */
    unsigned exception;              /* by context: its number, see profile/tasks.h */
    const struct profile_task *task; /* by context, if it is one of these; NULL: it is not */
    uint64_t hits, inherited, recent, lost;
    uint64_t least, most; /* bounds of hits: a block may be shared with other rows */
    struct stats_unseen unseen;
    struct wander wander;         /* how its share wanders; see view_rows.cosines */
    double spread;                /* what wander_spread() makes of it */
    uint64_t in_interrupt;        /* hits in a handler; see view_rows.exceptions */
    uint64_t recent_in_interrupt; /* recent hits in a handler */
    uint64_t late;                /* hits that came late; 0 unless view_rows.late */
    struct stats_share share;     /* of view_rows.attributed; low, high < 0: not known */
    double recent_share;          /* of the recent hits of all rows, 0 to 1; < 0: not known */
    double rate;                  /* hits a second since the last update; < 0: not known */
    bool fell;                    /* it has fewer hits than at the last update (decay) */
    bool inlined;                 /* by inline: the row is inlined code */
    bool stale;                   /* some of its hits are from an earlier update */
    bool split;                   /* some of its hits are parts of blocks that several rows share */
    bool unplaced;                /* addr is not an address of the target: do not show it */
    double mean;                  /* hits a second since counting began; < 0: not known */
    double cpu;                   /* share of the time since the last update, all cores; < 0: not
                                   * known */
};

/* Functions of which nothing was counted, because the table lost all of their hits or because they
 * did not run. */
struct view_without_row {
    uint64_t most;    /* lost hits that one of them may have, at most */
    size_t functions; /* how many may have some; 0 with a most: not known */
    double high;      /* the high end of the share of one of them; < 0: not known */
};

/* The rows of a ranking; freed with view_rows_free(). */
struct view_rows {
    struct view_row *rows; /* count of them, owned */
    size_t count;
    uint64_t attributed;                /* sum of the hits of all rows */
    uint64_t ignored;                   /* hits that ignore left out */
    struct stats_unseen ignored_unseen; /* lost hits of the code that ignore leaves out */
    uint64_t ignored_recent;            /* recent hits that ignore left out */
    struct wander wander;               /* sum of that of all rows */
    unsigned cosines;                   /* how many coefficients of wander are known; 0: intervals
                                         * cover counting only */
    struct view_without_row without;    /* all 0 unless rows are functions */
    bool arcs;                          /* grouped by arc: rows have callers */
    bool stacks;                        /* by total, of call stacks */
    enum view_by by;
    bool exceptions; /* the profile has numbers of exceptions, so in_interrupt is exact */
    bool numbered;   /* by context: rows are tasks and exceptions, by their numbers */
    bool late;       /* the profile knows which samples came late */
    bool marked;     /* view_contexts_mark() was called: contexts, in and recent_in are set */
    bool counted;    /* in and recent_in have the hits of exceptions as they were counted */
    uint64_t in[VIEW_CONTEXTS], recent_in[VIEW_CONTEXTS]; /* hits, recent hits by context */
    const struct profile *profile; /* that the rows are of: samples, or its by_context; borrowed */
    const struct profile *samples; /* that was given; borrowed */
    const struct view_ignore *ignore; /* borrowed; NULL: nothing is left out */
    struct string_pool *made;         /* names of inlined code, or NULL; owned */
};

/*
 * Groups the hits of a profile to rows. Hits of a block that spans several functions or files are
 * divided by bytes, rounded so that they add up. If it spans several lines, the block is a row of
 * its own, and the intervals of these lines reach from none to all of its hits. Hits that ignore
 * matches are left out, also of shares; NULL leaves out nothing. symtab may be NULL: each row is
 * then an address. Rows have no particular order. Rows by context are of profile.by_context, if
 * there is one and ignore matches nothing.
 *
 * The caller frees *out with view_rows_free(); profile, symtab and ignore must live until then.
 * Returns false if memory runs out; *out is unchanged then.
 */
bool view_rows_build(const struct profile *profile, struct symtab *symtab, enum view_by by,
                     const struct view_ignore *ignore, struct view_rows *out)
    __attribute__((warn_unused_result));

/* The same, with another source of names than an ELF file. *names may be gone after the call, but
 * what gives the names must live as long as the rows. */
bool view_rows_build_named(const struct profile *profile, const struct symbol_naming *names,
                           enum view_by by, const struct view_ignore *ignore, struct view_rows *out)
    __attribute__((warn_unused_result));

/* Whether hits, or the profile's by_context, have numbers of tasks or exceptions. */
bool view_has_contexts(const struct profile *profile);

/* Frees the rows and the names that were made for them. */
void view_rows_free(struct view_rows *rows);

/* Adds the hits of one row to another, which stands for both from then on. */
void view_row_merge(struct view_row *into, const struct view_row *from);

/* Computes shares, rates and times of a row from its hits. Call it once for each row: it also
 * subtracts lost from recent. */
void view_row_work_out(const struct view_rows *rows, struct view_row *row);

/* Returns what shares of the profile's hits are a part of. attributed: hits of the rows shown. */
struct stats_whole view_whole(const struct profile *profile, uint64_t attributed);

/* Whether intervals cover counting only: there were too few polls to tell how shares wander. False
 * if there are no intervals, or hits are no samples. */
bool view_counting_only(const struct view_rows *rows);

/* Returns "task", "interrupt" or "idle", a constant. */
const char *view_context_name(enum view_context context);

/* Parses a word of --by ("function", "line"). Returns false if there is no such word; *by is
 * unchanged then. */
bool view_by_parse(const char *word, enum view_by *by);

#endif
