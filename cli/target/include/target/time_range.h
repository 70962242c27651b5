/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which part of the time is shown: since the target's reset, since a mark, the last seconds. */
#ifndef TARGET_TIME_RANGE_H
#define TARGET_TIME_RANGE_H

#include <profile/profile.h>
#include <profile/recent_window.h>
#include <target/watch.h>

/* How far back "the last 10 s" goes. */
#define TIME_RANGE_RECENT_S 10

struct time_range {
    struct recent_window *window;
    struct profile base;       /* the reading that the mark is at */
    struct profile delta;      /* what came since, as of the last update */
    struct profile halted;     /* the last reading of a target that stood still */
    struct profile recent;     /* of the last seconds */
    const struct watch *watch; /* of the last update, NULL: there was none */
    bool marked, resumed;      /* a mark is there; it is where the target was let go */
    bool still;                /* the last update met it halted: halted is of now */
    bool restarts;             /* each resume is a new mark */
    bool is_recent;            /* the last seconds are shown */
    char time[16];             /* of the mark, "14:03:07" */
    char name[40];
    char said[120];
};

/* restart_on_resume: each time that the target is let go, counting begins anew. To be freed by
 * time_range_free(). */
void time_range_init(struct time_range *range, bool restart_on_resume);
void time_range_free(struct time_range *range);

/*
 * To be called after each watch_poll(): takes what it brought, and looks at the table once more
 * when it met the target halted for the first time, to know that it was read at a standstill. A
 * mark falls when the target's counts begin anew. With restart_on_resume, the reading while the
 * target stood still becomes the mark when it runs again, so that nothing that runs between is
 * lost; counts that went on while both polls met it halted tell that it was let go in between. What
 * is let go and stops again between two polls that see it running is not seen. The watch is
 * borrowed for as long as the range is used. false: no memory.
 */
bool time_range_update(struct time_range *range, const struct watch *watch)
    __attribute__((warn_unused_result));

/* Counts from the last reading on. false: nothing was read yet, or no memory. */
bool time_range_mark(struct time_range *range, const struct watch *watch)
    __attribute__((warn_unused_result));

/* All since the target's reset again. */
void time_range_clear(struct time_range *range);

/* Between the last seconds and what was shown before. */
void time_range_toggle_recent(struct time_range *range);

void time_range_set_restart(struct time_range *range, bool restart_on_resume);
bool time_range_restarts(const struct time_range *range);

/* What is to be shown: the watch's own profile where nothing is marked. Borrowed until the next
 * call that changes the range. Its rates are those of the last interval. */
const struct profile *time_range_profile(const struct time_range *range, const struct watch *watch);

/* "since reset", "since 14:03:07", "since resume", "last 10 s"; "since connect" of a stream, which
 * has no past. */
const char *time_range_name(const struct time_range *range);

/* What the last update has to say, like that the mark fell; NULL: nothing. For watch_notice(). */
const char *time_range_said(const struct time_range *range);

const struct recent_window *time_range_recent_window(const struct time_range *range);

#endif
