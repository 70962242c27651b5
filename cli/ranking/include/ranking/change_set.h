/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The contents of a set of snapshots: rows before and after they are matched. */
#ifndef RANKING_CHANGE_SET_H
#define RANKING_CHANGE_SET_H

#include <base/string_pool.h>
#include <ranking/change.h>

/* One row of one snapshot. Strings are in the set's pool; 0: not known. */
struct change_part {
    string_pool_id function, caller, file;
    unsigned line; /* 0: not known */
    uint32_t run;  /* index of the snapshot in runs */
    uint32_t key;  /* index of the row of the diff, set by view_set_match() */
    bool unplaced; /* addr is not an address of the target */
    uint64_t addr, caller_addr;
    uint64_t hits, inherited;
    uint64_t least, most; /* see struct view_row */
    struct stats_unseen unseen;
    double spread; /* as in struct view_row */
    bool idle;     /* an idle task */
    uint64_t size; /* bytes of code, 0: not known */
    size_t mark;   /* for the caller of view_set_match(), 0 at first; kept by view_set_turn() */
};

/* One snapshot; members as in struct view_run and struct profile. */
struct change_run {
    enum view_side side;
    string_pool_id name, elf, build_id, unit;
    uint64_t start;
    double sample_hz, duration_s, iterations; /* <= 0: not known */
    uint64_t hits, dropped, ignored, slept;
    uint64_t events; /* of the timer, those asleep and lost included; 0: not known */
    unsigned block_size;
    bool exact;         /* hits are calls and not samples */
    bool located;       /* lost hits are known by region of code */
    bool counting_only; /* as view_counting_only() says */
    bool locked, fixed, headerless, decays, differs, one_boot;
    bool unsure;                     /* shares have no intervals, as profile_unsure_reason() says */
    struct fingerprint *fingerprint; /* a copy, owned; NULL: not known */
    bool gone;                       /* change_drop() removes it */
    bool spare;                      /* not used in this comparison: the other side has fewer */
    uint32_t number;                 /* private to change_drop(): its new index */
};

/* Largest number of notes about snapshots with the same hits. */
#define VIEW_OVERLAP_NOTES 8

/* The set; it owns its arrays. */
struct view_set {
    enum view_by by;
    const struct view_ignore *ignore; /* borrowed, or NULL */
    struct string_pool *pool;
    struct change_part *parts; /* sorted by run */
    size_t part_count, part_room;
    struct change_run *runs; /* in the order in which they were added */
    size_t run_count, run_room;
    const char **names[VIEW_SIDES]; /* paths of the snapshots, see struct view_side_about */
    bool same_build; /* all snapshots are known to be of the same build; set by view_set_match() */
    bool same_place; /* and were loaded at the same address */
    string_pool_id overlap_notes[VIEW_OVERLAP_NOTES]; /* lines about snapshots with the same hits */
    size_t overlap_note_count;
};

/*
 * Finds which rows of all snapshots are the same. Removes snapshots of a side whose hits another
 * snapshot of the side contains. Sets the key of each part, and makes *count rows, one for each
 * key, with their names and without numbers. The caller frees *rows with free(). Returns false if
 * memory runs out. view_changes_make() calls this.
 */
bool view_set_match(struct view_set *set, struct view_change **rows, size_t *count)
    __attribute__((warn_unused_result));

/* Prepares the next comparison of a series that goes back in time: removes the snapshots of the new
 * side and makes base the new side; its parts keep their marks. */
void view_set_turn(struct view_set *set);

/* Removes the runs that are gone and their parts. The remaining ones keep their order. */
void change_drop(struct view_set *set);

/* Steps of view_set_match() and view_changes_make(). Each returns false if memory runs out. */

/* Removes snapshots of a side with hits that another one contains, and adds notes about that. */
bool change_overlap(struct view_set *set) __attribute__((warn_unused_result));

/* Sets the key of each part, and makes the rows. The caller frees *rows with free(). */
bool change_keys(struct view_set *set, struct view_change **rows, size_t *count)
    __attribute__((warn_unused_result));

/* Writes changes->notes. */
bool change_notes(struct view_set *set, struct view_changes *changes)
    __attribute__((warn_unused_result));

#endif
