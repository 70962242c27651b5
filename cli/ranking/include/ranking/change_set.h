/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of snapshots before they are matched. */
#ifndef RANKING_CHANGE_SET_H
#define RANKING_CHANGE_SET_H

#include <base/string_pool.h>
#include <ranking/change.h>

/* One row of one snapshot. */
struct change_part {
    string_pool_id function, caller, file;
    unsigned line;
    uint32_t run;  /* which snapshot */
    uint32_t key;  /* which row of the diff, set by view_set_match() */
    bool unplaced; /* addr is no address */
    uint64_t addr, caller_addr;
    uint64_t hits, inherited;
    uint64_t size; /* bytes of code, 0: not known */
    size_t mark;   /* the caller's, who may set it when the parts are matched; at first 0 */
};

struct change_run {
    enum view_side side;
    string_pool_id name, elf, build_id, unit;
    uint64_t start;
    double sample_hz, duration_s; /* <= 0: not known */
    uint64_t hits, dropped, ignored;
    unsigned block_size;
    bool exact, locked, headerless, decays, differs;
    struct fingerprint *fingerprint; /* NULL: not known */
    bool gone;                       /* change_drop() takes it out of the set */
    uint32_t number;                 /* among those that are not gone: change_drop()'s */
};

#define VIEW_OVERLAP_NOTES 8

struct view_set {
    enum view_by by;
    const struct view_ignore *ignore;
    struct string_pool *pool;
    struct change_part *parts;
    size_t part_count, part_room;
    struct change_run *runs;
    size_t run_count, run_room;
    const char **names[VIEW_SIDES]; /* of the files, see struct view_side_about */
    bool same_build, same_place;    /* of all snapshots, set by view_set_match() */
    string_pool_id overlap_notes[VIEW_OVERLAP_NOTES]; /* of snapshots with the same hits */
    size_t overlap_note_count;
};

/*
 * Finds which rows of all snapshots are one. Snapshots of a side that hold what another one of it
 * holds leave the set. Each part gets its key, and each key a row with its names: count of *rows,
 * for free(). false: no memory. view_changes_make() does this by itself.
 */
bool view_set_match(struct view_set *set, struct view_change **rows, size_t *count)
    __attribute__((warn_unused_result));

/* For a series of comparisons, from the newest one back: forgets the new side; what was base is the
 * new side from then on, with its marks, and base is empty. */
void view_set_turn(struct view_set *set);

/* Takes the runs that are gone, and their parts, out of the set; the others keep their order. */
void change_drop(struct view_set *set);

/* Leaves out what a side holds twice, and notes it. false: no memory. */
bool change_overlap(struct view_set *set) __attribute__((warn_unused_result));

/* Gives every part its key, and each key a row that has its names, for free(). false: no memory. */
bool change_keys(struct view_set *set, struct view_change **rows, size_t *count)
    __attribute__((warn_unused_result));

/* Fills changes->notes. false: no memory. */
bool change_notes(struct view_set *set, struct view_changes *changes)
    __attribute__((warn_unused_result));

#endif
