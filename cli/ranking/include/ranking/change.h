/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares the snapshots of two sides, base and new, row by row (docs/statistics.md). */
#ifndef RANKING_CHANGE_H
#define RANKING_CHANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <profile/diff.h>
#include <profile/fingerprint.h>
#include <ranking/rows.h>

/* One snapshot. All is borrowed for the call that adds it. */
struct view_run {
    const struct profile *profile;
    const struct symbol_naming *naming;
    const char *name;                      /* path of the snapshot */
    const char *elf;                       /* name of the ELF file without folders, "": not known */
    const char *build_id;                  /* as symtab_build() gives it, "": not known */
    const char *unit;                      /* what is counted: "samples", "calls" */
    uint64_t start;                        /* address where a process was loaded, 0: not known */
    double sample_hz;                      /* samples a second; <= 0: not known */
    double duration_s;                     /* <= 0: not known */
    double iterations;                     /* of the main loop in this time; <= 0: not known */
    bool one_boot;                         /* one of several times of one boot of the target */
    bool decays;                           /* hits also went down */
    bool differs;                          /* the target did not run elf, and --force was given */
    const struct fingerprint *fingerprint; /* NULL: no other snapshot has the same hits */
};

/* The two sides. */
enum view_side {
    VIEW_BASE,
    VIEW_NEW,
    VIEW_SIDES, /* their number */
};

/* All runs of a side that are compared. Strings live as long as the set. */
struct view_side_about {
    const char *const *names; /* paths of their snapshots, each once; name_count of them */
    size_t name_count;
    size_t count;               /* runs */
    size_t spare;               /* older runs that are not used: the other side has fewer */
    const char *elf, *build_id; /* of the first snapshot, "": not known */
    size_t builds;              /* number of different builds that are known */
    uint64_t hits;              /* in rows, without those that were ignored */
    uint64_t dropped;           /* hits that were lost */
    uint64_t ignored;           /* events that the target's filter or view_ignore left out */
    uint64_t unnamed;           /* hits of rows without a name */
    unsigned block_size;        /* bytes; 0: they differ */
    double sample_hz;           /* 0: not known, or they differ */
    double duration_s;          /* sum; 0: one is not known */
    bool one_boot;              /* its runs are times of one boot */
    bool locked, fixed, headerless, decays; /* of at least one snapshot; as in struct profile */
    bool unsure;                            /* as in struct change_run */
    bool counting_only;                     /* of at least one snapshot, only counting is known */
};

/* Whether shares of the side have intervals, as profile_has_intervals(). */
bool view_side_has_intervals(const struct view_side_about *side);

/* One row of both sides. Strings live as long as the set; NULL: not known. */
struct view_change {
    const char *function; /* without suffixes of the compiler */
    const char *caller;   /* of an arc */
    const char *old_name; /* name in base, if the function seems to be renamed */
    const char *old_file; /* file in base, if the function seems to have moved */
    const char *file;
    unsigned line; /* 0: not known */
    uint64_t addr, caller_addr;
    bool placed;             /* addr is the start of the row */
    bool idle;               /* shown, and never judged */
    bool unnamed;            /* this row is all hits without a name */
    double time[VIEW_SIDES]; /* CPU time, milliseconds a second; NAN: not known */
    struct diff_row d;       /* NAN: not known */
};

/* How a note is shown. */
enum view_note_kind {
    VIEW_NOTE_PLAIN,
    VIEW_NOTE_WARNING,
    VIEW_NOTE_ALARM, /* the numbers mislead */
};

/* A sentence to read before any number. Strings live as long as the set. */
struct view_note {
    enum view_note_kind kind;
    const char *text;   /* what it means for the reader */
    const char *advice; /* what to type for mprof diff or snapshot; NULL: nothing */
};

#define VIEW_NOTES_MAX 24

/* The result of a comparison; freed with view_changes_free(). */
struct view_changes {
    struct view_change *rows; /* count of them, owned, in no particular order */
    size_t count;
    size_t significant; /* rows that are significant */
    enum view_by by;
    const char *unit;            /* what is counted; lives as long as the set */
    struct diff whole;           /* numbers of the whole diff, for diff_prove(); owned */
    struct diff_options options; /* those that were used */
    const char *per_function; /* name of the row for DIFF_PER_FUNCTION; borrowed from the options */
    struct view_side_about sides[VIEW_SIDES];
    bool same_build; /* all snapshots are known to be of the same build */
    bool judged;     /* at least one row could be tested for significance */
    struct view_note notes[VIEW_NOTES_MAX];
    size_t note_count;
};

/* The snapshots of both sides, reduced to rows. */
struct view_set;

/* Creates an empty set, which the caller frees. ignore is borrowed until then; NULL: nothing is
 * left out. Returns NULL if memory runs out. */
struct view_set *view_set_new(enum view_by by, const struct view_ignore *ignore);
/* Frees a set and its strings. NULL is allowed. */
void view_set_free(struct view_set *set);

/* Adds the rows of one snapshot to a side, and copies what it needs of *run. Returns false, and
 * writes one line to text, if the snapshot cannot be compared with those before or memory runs out.
 */
bool view_set_add(struct view_set *set, enum view_side side, const struct view_run *run, char *text,
                  size_t capacity) __attribute__((warn_unused_result));

/* How to compare. */
struct view_change_options {
    struct diff_options diff;       /* reference, idle and exact are set by view_changes_make() */
    const char *per_function;       /* for DIFF_PER_FUNCTION: name of the row */
    const struct view_ignore *idle; /* further functions that are idle; borrowed, or NULL */
};

/*
 * Matches the rows of both sides and compares them. Snapshots of a side whose hits another snapshot
 * of the side contains are removed from the set, with a note. By line and by address, both sides
 * must be of the same build. The caller frees *changes with view_changes_free(), before the set.
 *
 * Returns false, and writes one line to text, if the sides cannot be compared or memory runs out;
 * *changes is unchanged then.
 */
bool view_changes_make(struct view_set *set, const struct view_change_options *options,
                       struct view_changes *changes, char *text, size_t capacity)
    __attribute__((warn_unused_result));

/* Frees the rows. */
void view_changes_free(struct view_changes *changes);

/* Writes the name of a row, for patterns and messages: a function, a file without folders,
 * "file:line", "caller -> function" or an address. Returns the length of the name, as snprintf().
 */
size_t view_change_name(const struct view_change *row, enum view_by by, char *text,
                        size_t capacity);

/* Returns what count rows of a grouping are called ("function", "lines"), a constant. */
const char *view_change_word(enum view_by by, size_t count);

/* Writes a line like "2 of 37 functions changed: 1 more, 1 less". */
void view_changes_headline(const struct view_changes *changes, char *text, size_t capacity);

/* Writes "build 1a2b3c4", cut to view_build_len(), or "build not known" if build_id is "". */
void view_build_name(const char *build_id, char *text, size_t capacity);

#endif
