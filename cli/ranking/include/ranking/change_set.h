/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of snapshots before they are matched. */
#ifndef RANKING_CHANGE_SET_H
#define RANKING_CHANGE_SET_H

#include <base/pool.h>
#include <ranking/change.h>

/* One row of one snapshot. */
struct change_part {
    pool_id function, caller, file;
    unsigned line;
    uint32_t run;  /* which snapshot */
    uint32_t key;  /* which row of the diff, set by change_keys() */
    bool unplaced; /* addr is no address */
    uint64_t addr, caller_addr;
    uint64_t hits, inherited;
    uint64_t size; /* bytes of code, 0: not known */
};

struct change_run {
    enum view_side side;
    pool_id name, elf, build_id, unit;
    uint64_t start;
    double sample_hz, duration_s; /* <= 0: not known */
    uint64_t hits, dropped, ignored;
    unsigned grain;
    bool exact, locked, plain, decays, differs;
    struct reading *reading; /* NULL: not known */
};

#define VIEW_KIN_NOTES 8

struct view_set {
    enum view_by by;
    const struct view_ignore *ignore;
    struct pool *pool;
    struct change_part *parts;
    size_t part_count, part_room;
    struct change_run *runs;
    size_t run_count, run_room;
    const char **names[VIEW_SIDES];    /* of the files, see struct view_side_about */
    bool same_build, same_place;       /* of all snapshots, set by view_changes_make() */
    pool_id kin_notes[VIEW_KIN_NOTES]; /* of snapshots with the same hits */
    size_t kin_note_count;
};

/* Leaves out what a side holds twice, and notes it. false: no memory. */
bool change_kin(struct view_set *set) __attribute__((warn_unused_result));

/* Gives every part its key, and each key a row that has its names, for free(). false: no memory. */
bool change_keys(struct view_set *set, struct view_change **rows, size_t *count)
    __attribute__((warn_unused_result));

/* Fills changes->notes. false: no memory. */
bool change_notes(struct view_set *set, struct view_changes *changes)
    __attribute__((warn_unused_result));

#endif
