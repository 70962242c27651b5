/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two sides of profiles as rows that say what changed (docs/statistics.md). */
#ifndef RANKING_CHANGE_H
#define RANKING_CHANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <profile/diff.h>
#include <profile/fingerprint.h>
#include <ranking/rows.h>

/* One snapshot. All is borrowed while it is added. */
struct view_run {
    const struct profile *profile;
    const struct symbol_naming *naming;
    const char *name;     /* its file */
    const char *elf;      /* file name without folders, "": not known */
    const char *build_id; /* as of symtab_build(), "": not known */
    const char *unit;     /* what is counted: "samples" */
    uint64_t start;       /* where its program was loaded, 0: not known */
    double sample_hz;     /* <= 0: not known */
    double duration_s;    /* <= 0: not known */
    bool decays;          /* hits also went down */
    bool differs;         /* the target ran something else than elf, and that was forced */
    const struct fingerprint *fingerprint; /* NULL: other snapshots never have the same hits */
};

enum view_side {
    VIEW_BASE,
    VIEW_NEW,
    VIEW_SIDES,
};

/* What is known of all snapshots of a side together. */
struct view_side_about {
    const char *const *names; /* of the files, count of them */
    size_t count;
    const char *elf, *build_id; /* of the first one, "": not known */
    size_t builds;              /* how many different ones that are known */
    uint64_t hits;              /* attributed, without what was left out */
    uint64_t dropped, ignored;
    uint64_t unnamed;    /* hits without a name */
    unsigned block_size; /* 0: they differ */
    double sample_hz;    /* 0: not known, or they differ */
    double duration_s;   /* 0: not known of all */
    bool locked, headerless, decays;
};

/* One row of both sides. Strings live as long as the set; NULL: not known. */
struct view_change {
    const char *function; /* without what the compiler added */
    const char *caller;   /* of an arc */
    const char *old_name; /* base's, of one that is thought to be renamed */
    const char *old_file; /* base's, of one that is thought to have moved */
    const char *file;
    unsigned line; /* 0: not known */
    uint64_t addr, caller_addr;
    bool placed;             /* addr says where the row starts */
    bool unnamed;            /* all that has no name, together */
    double time[VIEW_SIDES]; /* CPU milliseconds a second; NAN: not known */
    struct diff_row d;       /* NAN: not known */
};

enum view_note_kind {
    VIEW_NOTE_PLAIN,
    VIEW_NOTE_WARNING,
    VIEW_NOTE_ALARM, /* the numbers are not what they seem */
};

/* What is to be said before any number. */
struct view_note {
    enum view_note_kind kind;
    const char *text; /* one line; lives as long as the set */
};

#define VIEW_NOTES_MAX 24

struct view_changes {
    struct view_change *rows;
    size_t count;
    size_t significant;
    enum view_by by;
    const char *unit;
    struct diff whole; /* without its rows */
    struct diff_options options;
    const char *per_function; /* of DIFF_PER_FUNCTION */
    struct view_side_about sides[VIEW_SIDES];
    bool same_build;    /* all snapshots are known to be of one */
    bool judged;        /* some row could have been significant */
    bool little_common; /* less than half of a side's hits is in rows that both have */
    struct view_note notes[VIEW_NOTES_MAX];
    size_t note_count;
};

/* The snapshots of both sides, reduced to their rows. */
struct view_set;

/* ignore (NULL: nothing) is borrowed. NULL: no memory. Free with view_set_free(). */
struct view_set *view_set_new(enum view_by by, const struct view_ignore *ignore);
void view_set_free(struct view_set *set);

/* Takes one snapshot's rows; what it is made from is needed no longer. false: text says in one line
 * why it cannot be. */
bool view_set_add(struct view_set *set, enum view_side side, const struct view_run *run, char *text,
                  size_t capacity) __attribute__((warn_unused_result));

struct view_change_options {
    struct diff_options diff; /* its reference and exact are found here */
    const char *per_function; /* of DIFF_PER_FUNCTION: the row's name */
};

/*
 * Matches the rows of both sides and says what changed. Snapshots of a side that hold what another
 * one of it holds are left out of the set, and a note says so. Rows by line and address need one
 * build on both sides. false: text says in one line why it cannot be, *changes is untouched. Free
 * with view_changes_free(), before the set.
 */
bool view_changes_make(struct view_set *set, const struct view_change_options *options,
                       struct view_changes *changes, char *text, size_t capacity)
    __attribute__((warn_unused_result));
void view_changes_free(struct view_changes *changes);

/* What a row is called, for patterns and messages: its function, file without folder, "file:line",
 * "caller -> function" or address. The bytes that all of it has, as snprintf(). */
size_t view_change_name(const struct view_change *row, enum view_by by, char *text,
                        size_t capacity);

/* "function", "line", ... */
const char *view_change_word(enum view_by by);

/* "2 of 37 functions changed beyond noise". */
void view_changes_headline(const struct view_changes *changes, char *text, size_t capacity);

/* A build as people name it, view_build_len() of its name, or "build not known". */
void view_build_name(const char *build_id, char *text, size_t capacity);

#endif
