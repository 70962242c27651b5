/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The time range that is shown: since the target's reset, since a mark, or the last seconds. */
#ifndef TARGET_TIME_RANGE_H
#define TARGET_TIME_RANGE_H

#include <profile/profile.h>
#include <profile/recent_window.h>
#include <target/watch.h>

/* Seconds of the range "last 10 s". */
#define TIME_RANGE_RECENT_S 10

/* The range; time_range_init() initialises it, time_range_free() frees it. Members are private. */
struct time_range {
    struct recent_window *window; /* NULL: memory ran out */
    struct slices *slices;        /* of the hits since the mark. NULL: memory ran out */
    struct profile base;          /* the reading at the mark */
    struct profile delta;         /* hits since the mark, at the last update */
    struct profile halted;        /* the last reading of the halted target */
    struct profile recent;        /* hits of the last seconds, at the last update */
    const struct watch *watch;    /* that of the last update, or NULL; borrowed */
    bool marked;                  /* there is a mark */
    bool resumed;                 /* the mark is where the target was resumed */
    bool still;                   /* the target was halted at the last update */
    bool restarts;                /* each resume sets a mark */
    bool is_recent;               /* the last seconds are shown */
    char time[16];                /* of the mark, "14:03:07" */
    char name[40];                /* see time_range_name() */
    char said[120];               /* see time_range_said() */
};

/* Initialises a range that is "since reset". With restart_on_resume, each resume of the target sets
 * a mark. The caller frees it with time_range_free(). */
void time_range_init(struct time_range *range, bool restart_on_resume);
void time_range_free(struct time_range *range);

/* Reads the table of a halted target once more, to be sure that it was halted during the last
 * reading: sets watch->stood. Call it after each watch_poll(). */
void time_range_look(struct watch *watch);

/*
 * Updates a range after time_range_look(). Does not use the link. A mark is removed if the target's
 * counts have restarted.
 *
 * With restart_on_resume, the last reading of the halted target becomes the mark when it runs
 * again, so no hits between are missed. If two polls find it halted with different counts, it has
 * run in between. A resume and a halt between two polls that find it running are not noticed.
 *
 * watch is borrowed as long as the range is used. Returns false if memory runs out.
 */
bool time_range_update(struct time_range *range, const struct watch *watch)
    __attribute__((warn_unused_result));

/* Sets a mark at the last reading: counts from there on. Returns false if nothing was read yet or
 * memory runs out. */
bool time_range_mark(struct time_range *range, const struct watch *watch)
    __attribute__((warn_unused_result));

/* Removes the mark: shows all since the target's reset. */
void time_range_clear(struct time_range *range);

/* Switches between the last seconds and the range shown before. */
void time_range_toggle_recent(struct time_range *range);

/* Set and get whether each resume sets a mark. */
void time_range_set_restart(struct time_range *range, bool restart_on_resume);
bool time_range_restarts(const struct time_range *range);

/* Returns the profile to show: that of the watch if there is no mark. Its rates are those of the
 * last interval. It belongs to the range or the watch, and is valid until the range is changed. */
const struct profile *time_range_profile(const struct time_range *range, const struct watch *watch);

/* Returns the name of the range: "since reset", "since 14:03:07", "since resume", "last 10 s", or
 * "since connect" for a stream, which has no earlier samples. Valid until the range is changed. */
const char *time_range_name(const struct time_range *range);

/* Returns a line about the last update, such as that the mark was removed, for watch_notice(); NULL
 * if there is none. */
const char *time_range_said(const struct time_range *range);

/* Returns the hits of the last minute, owned by the range. NULL if memory ran out. */
const struct recent_window *time_range_recent_window(const struct time_range *range);

#endif
