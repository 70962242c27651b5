/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which part of the time is shown: since the target's reset, since a mark, the last seconds. */
#ifndef TARGET_SPAN_H
#define TARGET_SPAN_H

#include <profile/profile.h>
#include <profile/recent_window.h>
#include <target/watch.h>

/* How far back "the last 10 s" goes. */
#define SPAN_RECENT_S 10

struct span {
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
 * span_free(). */
void span_init(struct span *span, bool restart_on_resume);
void span_free(struct span *span);

/*
 * To be called after each watch_poll(): takes what it brought, and looks at the table once more
 * when it met the target halted for the first time, to know that it was read at a standstill. A
 * mark falls when the target's counts begin anew. With restart_on_resume, the reading while the
 * target stood still becomes the mark when it runs again, so that nothing that runs between is
 * lost; counts that went on while both polls met it halted tell that it was let go in between. What
 * is let go and stops again between two polls that see it running is not seen. The watch is
 * borrowed for as long as the span is used. false: no memory.
 */
bool span_update(struct span *span, const struct watch *watch) __attribute__((warn_unused_result));

/* Counts from the last reading on. false: nothing was read yet, or no memory. */
bool span_mark(struct span *span, const struct watch *watch) __attribute__((warn_unused_result));

/* All since the target's reset again. */
void span_clear(struct span *span);

/* Between the last seconds and what was shown before. */
void span_toggle_recent(struct span *span);

void span_set_restart(struct span *span, bool restart_on_resume);
bool span_restarts(const struct span *span);

/* What is to be shown: the watch's own profile where nothing is marked. Borrowed until the next
 * call that changes the span. Its rates are those of the last interval. */
const struct profile *span_profile(const struct span *span, const struct watch *watch);

/* "since reset", "since 14:03:07", "since resume", "last 10 s"; "since connect" of a stream, which
 * has no past. */
const char *span_name(const struct span *span);

/* What the last update has to say, like that the mark fell; NULL: nothing. For watch_notice(). */
const char *span_said(const struct span *span);

const struct recent_window *span_recent_window(const struct span *span);

#endif
