/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Marks, resumes and the last seconds. */
#define _POSIX_C_SOURCE 200809L

#include <target/span.h>

#include <math.h>
#include <string.h>
#include <time.h>

#include <profile/delta.h>

void span_init(struct span *span, bool restart_on_resume)
{
    *span = (struct span){.window = recent_window_new(), .restarts = restart_on_resume};
    profile_init(&span->base);
    profile_init(&span->delta);
    profile_init(&span->halted);
    profile_init(&span->recent);
    snprintf(span->name, sizeof(span->name), "since reset");
}

void span_free(struct span *span)
{
    recent_window_free(span->window);
    span->window = NULL;
    profile_free(&span->base);
    profile_free(&span->delta);
    profile_free(&span->halted);
    profile_free(&span->recent);
}

/* The profile takes what is there now, or stays. */
static bool keep(const struct profile *from, struct profile *to)
{
    struct profile copy;

    if (!profile_copy(from, &copy))
        return false;
    profile_free(to);
    *to = copy;
    return true;
}

/* Of what came since the base, the last interval is that of the watch: its rows stand in the same
 * order. */
static void set_interval(struct profile *delta, const struct profile *now)
{
    delta->recent = 0;
    for (size_t i = 0; i < delta->row_count; i++) {
        struct profile_hit *row = &delta->rows[i];
        row->recent = row->hits < now->rows[i].recent ? (uint32_t)row->hits : now->rows[i].recent;
        row->lost = now->rows[i].lost;
        delta->recent += row->recent;
    }
    delta->slept = now->slept < delta->sleeping ? now->slept : delta->sleeping;
    delta->events = now->events < delta->heartbeat ? now->events : delta->heartbeat;
    delta->recent_s = delta->updated_s > delta->from_s ? now->recent_s : 0;
}

static bool count_since(struct span *s, const struct profile *now)
{
    struct profile delta;

    if (!s->marked)
        return true;
    if (!profile_delta(&s->base, now, &delta))
        return false;
    set_interval(&delta, now);
    profile_free(&s->delta);
    s->delta = delta;
    return true;
}

static bool count_recent(struct span *s, const struct profile *now)
{
    struct profile recent;

    if (!s->is_recent || !s->window)
        return true;
    if (!recent_window_profile(s->window, now, SPAN_RECENT_S, &recent))
        return false;
    profile_free(&s->recent);
    s->recent = recent;
    if (s->recent.recent_s > 0)
        s->recent.from_s = s->recent.updated_s - s->recent.recent_s;
    return true;
}

static void set_name(struct span *s, const struct profile *now)
{
    const char *whole = now->from_s > 0 ? "since connect" : "since reset";

    if (s->is_recent)
        snprintf(s->name, sizeof(s->name), "last %.0f s",
                 fmin(SPAN_RECENT_S, ceil(s->recent.recent_s)));
    else if (s->marked && !s->resumed)
        snprintf(s->name, sizeof(s->name), "since %s", s->time);
    else
        snprintf(s->name, sizeof(s->name), "%s", s->marked ? "since resume" : whole);
}

static bool count(struct span *s, const struct profile *now)
{
    bool done = count_since(s, now) && count_recent(s, now);

    set_name(s, now);
    return done;
}

static void fall(struct span *s)
{
    profile_free(&s->base);
    profile_free(&s->delta);
    s->marked = s->resumed = false;
}

/* Counts that began anew are no continuation of what was marked. */
static void check_run(struct span *s, const struct profile *now)
{
    if (s->halted.updated_s > 0 && !profile_same_run(&s->halted, now)) {
        profile_free(&s->halted);
        s->still = false;
    }
    if (!s->marked || profile_same_run(&s->base, now))
        return;
    snprintf(s->said, sizeof(s->said), "the mark %s fell: counting since the reset",
             s->resumed ? "at the resume" : s->time);
    fall(s);
}

static void set_time(struct span *s)
{
    time_t now = time(NULL);
    struct tm local;

    s->time[0] = '\0';
    if (localtime_r(&now, &local))
        (void)strftime(s->time, sizeof(s->time), "%H:%M:%S", &local);
}

static bool mark(struct span *s, const struct profile *at, bool resumed)
{
    if (!keep(at, &s->base))
        return false;
    s->marked = true;
    s->resumed = resumed;
    set_time(s);
    return true;
}

static bool went_on(const struct profile *before, const struct profile *now)
{
    return before->heartbeat != now->heartbeat || before->attributed != now->attributed ||
           before->dropped != now->dropped;
}

static bool is_running(const struct watch *watch)
{
    enum gdbmi_state state = GDBMI_STATE_UNKNOWN;

    return watch->session.link && gdbmi_link_state(watch->session.link, &state) == GDBMI_OK &&
           state == GDBMI_STATE_RUNNING;
}

/* The state is of the moment before the reading, and much may happen until the last byte of it is
 * there: the reading is of a target that stood still if a second look finds as many events. */
static bool stood(const struct watch *watch)
{
    const struct session *session = &watch->session;
    const struct profile *p = &watch->profile;
    const struct profile_object *objects;
    bool same = true;
    size_t count;

    if (!session->link || !session->sampler)
        return true;
    if (sampler_table_look(session->sampler, &objects, &count) != SAMPLER_OK)
        return !is_running(watch);
    for (size_t i = 0; same && i < count && i < p->cores; i++)
        same = objects[i].header->boot == p->runs[i].boot &&
               objects[i].header->heartbeat == p->runs[i].heartbeat;
    return same;
}

/* It stands still: its counts are those at the next resume. Where they went on since it last did,
 * it was let go in between. */
static bool meet_halted(struct span *s, const struct watch *watch)
{
    const struct profile *now = &watch->profile;

    if (!s->still || went_on(&s->halted, now)) {
        if (s->still && s->restarts && !mark(s, &s->halted, true))
            return false;
        s->still = stood(watch);
    }
    return !s->still || keep(now, &s->halted);
}

static bool meet_running(struct span *s)
{
    bool let_go = s->still && s->restarts;

    s->still = false;
    return !let_go || mark(s, &s->halted, true);
}

bool span_update(struct span *span, const struct watch *watch)
{
    bool done = true;

    span->watch = watch;
    span->said[0] = '\0';
    if (!watch->fresh)
        return true;
    check_run(span, &watch->profile);
    if (watch->state == GDBMI_STATE_HALTED)
        done = meet_halted(span, watch);
    else if (watch->state == GDBMI_STATE_RUNNING)
        done = meet_running(span);
    if (span->window)
        done = recent_window_add(span->window, &watch->profile) && done;
    return count(span, &watch->profile) && done;
}

bool span_mark(struct span *span, const struct watch *watch)
{
    if (watch->profile.updated_s <= 0)
        return false;
    span->is_recent = false;
    return mark(span, &watch->profile, false) && count(span, &watch->profile);
}

/* Where there is no memory the rows come with the next update. */
static void show(struct span *s)
{
    profile_free(&s->recent);
    if (s->watch)
        (void)count(s, &s->watch->profile);
}

void span_clear(struct span *span)
{
    fall(span);
    span->is_recent = false;
    show(span);
}

void span_toggle_recent(struct span *span)
{
    span->is_recent = !span->is_recent;
    show(span);
}

void span_set_restart(struct span *span, bool restart_on_resume)
{
    span->restarts = restart_on_resume;
}

bool span_restarts(const struct span *span)
{
    return span->restarts;
}

const struct profile *span_profile(const struct span *span, const struct watch *watch)
{
    if (span->is_recent)
        return &span->recent;
    return span->marked ? &span->delta : &watch->profile;
}

const char *span_name(const struct span *span)
{
    return span->name;
}

const char *span_said(const struct span *span)
{
    return span->said[0] ? span->said : NULL;
}

const struct recent_window *span_recent_window(const struct span *span)
{
    return span->window;
}
