/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts until what was asked for is there. */
#define _POSIX_C_SOURCE 200809L

#include <recorder/recorder.h>

#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>

#include <base/monotonic.h>
#include <base/say.h>
#include <base/signals.h>
#include <profile/delta.h>
#include <ranking/rows.h>
#include <recorder/progress.h>
#include <target/save.h>

#include "empty.h"
#include "recording.h"

/* Between two looks at the table. */
#define LOOK_S 0.5

/* Of what --precision is asked: the first rows. */
#define PRECISE_ROWS 10

bool recorder_is_over_time(const struct options *o)
{
    return o->duration_s > 0 || o->hits > 0 || o->precision > 0;
}

static struct symbol_naming names_of(const struct recorder *r)
{
    const struct session *s = &r->watch.session;

    return symtab_naming(session_has_names(s) ? s->elf.symtab : NULL);
}

struct snapshot *recorder_make(const struct recorder *r)
{
    bool over_time = recorder_is_over_time(r->options);
    const struct save_about about = {
        .session = &r->watch.session,
        .time_ns = save_time_ns(over_time ? r->delta.from_s : r->delta.updated_s),
        .duration_ns = over_time ? (int64_t)(r->delta.recent_s * 1e9) : 0,
    };
    struct snapshot *snapshot = NULL;
    char text[WATCH_TEXT + PATH_MAX];

    if (save_make(&r->delta, &about, &snapshot, text, sizeof(text)) != SNAPSHOT_OK)
        (void)fail(text);
    else if (text[0])
        complain("%s", text);
    return snapshot;
}

int recorder_poll(struct recorder *r)
{
    signals_hold(true);
    int status = watch_poll(&r->watch);
    signals_hold(false);
    if (status != STATUS_DONE)
        complain("%s", r->watch.failure);
    return status;
}

/* The counts that the snapshot is taken from: those there are, or none. */
static bool set_base(struct recorder *r, bool zero)
{
    double before_s = r->begun ? r->base.updated_s + r->delta.recent_s : 0;

    profile_free(&r->base);
    r->restarts = r->watch.profile.restarts;
    if (!zero)
        profile_begin(&r->watch.profile);
    if (zero) /* the target has restarted since the reading before */
        r->base.updated_s = before_s;
    else if (!profile_copy(&r->watch.profile, &r->base))
        return false;
    if (!r->begun)
        r->counted_s = monotonic_s();
    r->begun = true;
    return true;
}

static bool is_other_run(const struct recorder *r)
{
    return r->begun && r->restarts != r->watch.profile.restarts;
}

/* Takes what the last poll brought. */
static int record_poll(struct recorder *r)
{
    uint64_t before = r->delta.attributed;
    struct profile delta;

    if (!r->watch.fresh)
        return STATUS_DONE;
    if (is_other_run(r))
        complain("the target has restarted: the snapshot has only the counts since then");
    if ((!r->begun || is_other_run(r)) && !set_base(r, r->begun))
        return fail("out of memory");
    if (!profile_delta(&r->base, &r->watch.profile, &delta))
        return fail("out of memory");
    profile_free(&r->delta);
    r->delta = delta;
    if (r->delta.attributed != before)
        r->counted_s = monotonic_s();
    return STATUS_DONE;
}

/* The widest interval of the first rows; < 0: there are none. */
static double widest(const struct recorder *r)
{
    const struct symbol_naming names = names_of(r);
    struct view_rows rows;
    double width = -1;

    if (!view_rows_build_named(&r->delta, &names, VIEW_BY_FUNCTION, NULL, &rows))
        return -1;
    view_rows_sort(&rows, NULL);
    for (size_t i = 0; i < rows.count && i < PRECISE_ROWS; i++) {
        const struct stats_share *share = &rows.rows[i].share;
        width = share->low < 0 ? width : fmax(width, share->high - share->low);
    }
    view_rows_free(&rows);
    return width;
}

static double part_of(double done, double all)
{
    return all > 0 ? fmin(done / all, 1) : 0;
}

/* How much of it is done, from 0 to 1: all limits that were given hold, but the time ends it. */
static double done_part(const struct recorder *r, double width)
{
    const struct options *o = r->options;
    double by_time = part_of(r->delta.recent_s, o->duration_s);
    double by_hits = o->hits ? part_of((double)r->delta.attributed, (double)o->hits) : 1;
    /* The width goes with the root of the hits. */
    double by_width = o->precision <= 0 ? 1
                      : width <= 0      ? 0
                                        : part_of(o->precision * o->precision, width * width);

    if (o->hits == 0 && o->precision <= 0)
        return by_time;
    return fmax(by_time, fmin(by_hits, by_width));
}

void recorder_drain_until(struct recorder *r, double due_s)
{
    double drain_s = watch_drain_s(&r->watch);
    double left;

    while ((left = due_s - monotonic_s()) > 0 && !signals_pending()) {
        struct pollfd wake = {.fd = r->wake_fd, .events = POLLIN};
        double step_s = drain_s > 0 ? fmin(left, drain_s) : left;
        (void)poll(&wake, 1, monotonic_wait_ms(step_s));
        if (drain_s > 0 && left > drain_s) {
            signals_hold(true);
            watch_drain(&r->watch);
            signals_hold(false);
        }
    }
}

/* Until the next look: sooner where the time ends sooner, later where a look halts the target. */
static void wait_for_look(struct recorder *r)
{
    double now_s = monotonic_s();
    double wait_s = watch_delay_s(&r->watch, LOOK_S);

    if (r->begun && r->options->duration_s > 0)
        wait_s = fmin(wait_s, fmax(r->base.updated_s + r->options->duration_s - now_s, 0));
    recorder_drain_until(r, now_s + fmax(wait_s, watch_pause_s(&r->watch)));
}

static int check_idle(struct recorder *r)
{
    char why[SILENCE_TEXT];

    r->idle =
        r->options->duration_s <= 0 && r->begun && monotonic_s() - r->counted_s >= RECORDER_IDLE_S;
    if (!r->idle)
        return STATUS_DONE;
    if (r->delta.attributed != 0) {
        recorder_explain(r, why);
        complain("nothing was counted for %.0f s: %s; earlier counts are kept", RECORDER_IDLE_S,
                 why);
    }
    return STATUS_FAILED;
}

static int count_until_done(struct recorder *r)
{
    struct progress progress = progress_begin("hits");
    double part = 0;
    int status = STATUS_DONE;

    while (status == STATUS_DONE && part < 1 && !signals_pending()) {
        wait_for_look(r);
        if (signals_pending())
            break;
        status = recorder_poll(r);
        if (status == STATUS_DONE)
            status = record_poll(r);
        if (status != STATUS_DONE || !r->begun)
            continue;
        double width = widest(r);
        part = done_part(r, width);
        progress_show(&progress, part, r->delta.recent_s, r->delta.attributed, width);
        status = check_idle(r);
    }
    progress_end(&progress);
    return status;
}

int recorder_first_poll(struct recorder *r)
{
    int status = STATUS_DONE;

    profile_free(&r->base);
    profile_free(&r->delta);
    r->begun = false;
    do {
        recorder_drain_until(r, monotonic_s() + fmax(0, watch_pause_s(&r->watch)));
        if (signals_pending())
            break;
        status = recorder_poll(r);
        if (status == STATUS_DONE && !r->watch.fresh)
            recorder_drain_until(r, monotonic_s() + watch_delay_s(&r->watch, LOOK_S));
    } while (status == STATUS_DONE && !r->watch.fresh);
    return status;
}

static int take_now(struct recorder *r)
{
    int status = watch_collect(&r->watch, WATCH_COLLECT_S);

    if (status != STATUS_DONE) {
        complain("%s", r->watch.failure);
        return status;
    }
    r->restarts = r->watch.profile.restarts;
    r->begun = true;
    return profile_copy(&r->watch.profile, &r->delta) ? STATUS_DONE : fail("out of memory");
}

void recorder_init(struct recorder *r, const struct options *options, int wake_fd)
{
    *r = (struct recorder){.options = options, .wake_fd = wake_fd};
    profile_init(&r->base);
    profile_init(&r->delta);
}

void recorder_free(struct recorder *r)
{
    profile_free(&r->base);
    profile_free(&r->delta);
}

/* A failure was said already; who ends it at once, or for good, asks nothing. */
static bool is_worth_saying(const struct recorder *r, int status)
{
    int number = signals_pending();

    return (status == STATUS_DONE || r->idle) &&
           (!number || (number == SIGINT && r->delta.recent_s > 0));
}

int recorder_count(struct recorder *r, const char *path)
{
    int status = recorder_first_poll(r);

    if (status != STATUS_DONE || !r->watch.fresh)
        return status;
    if (!recorder_is_over_time(r->options))
        status = take_now(r);
    else if ((status = record_poll(r)) == STATUS_DONE)
        status = count_until_done(r);
    if (r->begun && r->delta.attributed == 0 && is_worth_saying(r, status))
        return recorder_fail_empty(r, path);
    return status;
}
