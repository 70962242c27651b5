/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Marks, resumes and the last seconds. */
#define _POSIX_C_SOURCE 200809L

#include <target/time_range.h>

#include <math.h>
#include <string.h>
#include <time.h>

#include <profile/delta.h>

void time_range_init(struct time_range *range, bool restart_on_resume)
{
    *range = (struct time_range){
        .window = recent_window_new(), .slices = slices_new(), .restarts = restart_on_resume};
    profile_init(&range->base);
    profile_init(&range->delta);
    profile_init(&range->halted);
    profile_init(&range->recent);
    snprintf(range->name, sizeof(range->name), "since reset");
}

void time_range_free(struct time_range *range)
{
    recent_window_free(range->window);
    slices_free(range->slices);
    range->window = NULL;
    range->slices = NULL;
    profile_free(&range->base);
    profile_free(&range->delta);
    profile_free(&range->halted);
    profile_free(&range->recent);
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
    if (delta->by_context && now->by_context)
        set_interval(delta->by_context, now->by_context);
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

/* What is known since the mark. Of contexts, it is counting only. */
static void set_wander(const struct slices *slices, struct profile *delta)
{
    if (delta->by_context)
        wander_list_free(&delta->by_context->wander);
    wander_list_free(&delta->wander);
    if (slices)
        slices_wander(slices, &delta->wander);
}

static bool count_since(struct time_range *s, const struct profile *now)
{
    struct profile delta;

    if (!s->marked)
        return true;
    if (!profile_delta(&s->base, now, &delta))
        return false;
    set_interval(&delta, now);
    set_wander(s->slices, &delta);
    profile_free(&s->delta);
    s->delta = delta;
    return true;
}

static bool count_recent(struct time_range *s, const struct profile *now)
{
    struct profile recent;

    if (!s->is_recent || !s->window)
        return true;
    if (!recent_window_profile(s->window, now, TIME_RANGE_RECENT_S, &recent))
        return false;
    profile_free(&s->recent);
    s->recent = recent;
    if (s->recent.recent_s > 0)
        s->recent.from_s = s->recent.updated_s - s->recent.recent_s;
    return true;
}

static void set_name(struct time_range *s, const struct profile *now)
{
    const char *whole = now->from_s > 0 ? "since connect" : "since reset";

    if (s->is_recent)
        snprintf(s->name, sizeof(s->name), "last %.0f s",
                 fmin(TIME_RANGE_RECENT_S, ceil(s->recent.recent_s)));
    else if (s->marked && !s->resumed)
        snprintf(s->name, sizeof(s->name), "since %s", s->time);
    else
        snprintf(s->name, sizeof(s->name), "%s", s->marked ? "since resume" : whole);
}

static bool count(struct time_range *s, const struct profile *now)
{
    bool done = count_since(s, now) && count_recent(s, now);

    set_name(s, now);
    return done;
}

static void fall(struct time_range *s)
{
    profile_free(&s->base);
    profile_free(&s->delta);
    s->marked = s->resumed = false;
}

/* Counts that began anew are no continuation of what was marked. */
static void check_run(struct time_range *s, const struct profile *now)
{
    if (s->halted.updated_s > 0 && !profile_same_run(&s->halted, now)) {
        profile_free(&s->halted);
        s->still = false;
    }
    if (!s->marked || profile_same_run(&s->base, now))
        return;
    snprintf(s->said, sizeof(s->said), "the mark %s is gone: counting since the reset",
             s->resumed ? "at the resume" : s->time);
    fall(s);
}

static void set_time(struct time_range *s)
{
    time_t now = time(NULL);
    struct tm local;

    s->time[0] = '\0';
    if (localtime_r(&now, &local))
        (void)strftime(s->time, sizeof(s->time), "%H:%M:%S", &local);
}

static bool mark(struct time_range *s, const struct profile *at, bool resumed)
{
    if (!keep(at, &s->base))
        return false;
    slices_clear(s->slices);
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
static bool meet_halted(struct time_range *s, const struct watch *watch)
{
    const struct profile *now = &watch->profile;

    if (!s->still || went_on(&s->halted, now)) {
        if (s->still && s->restarts && !mark(s, &s->halted, true))
            return false;
        s->still = watch->stood;
    }
    return !s->still || keep(now, &s->halted);
}

static bool meet_running(struct time_range *s)
{
    bool let_go = s->still && s->restarts;

    s->still = false;
    return !let_go || mark(s, &s->halted, true);
}

void time_range_look(struct watch *watch)
{
    const struct profile *p = &watch->profile;
    const uint64_t counts[] = {p->heartbeat, p->attributed, p->dropped, p->restarts};

    if (!watch->fresh)
        return;
    bool same = memcmp(counts, watch->counts, sizeof(counts)) == 0;
    memcpy(watch->counts, counts, sizeof(counts));
    if (watch->state != GDBMI_STATE_HALTED)
        watch->stood = false;
    else if (!watch->stood || !same)
        watch->stood = stood(watch);
}

bool time_range_update(struct time_range *range, const struct watch *watch)
{
    bool done = true;

    range->watch = watch;
    range->said[0] = '\0';
    if (!watch->fresh)
        return true;
    check_run(range, &watch->profile);
    if (watch->state == GDBMI_STATE_HALTED)
        done = meet_halted(range, watch);
    else if (watch->state == GDBMI_STATE_RUNNING)
        done = meet_running(range);
    if (range->marked && range->slices)
        profile_add_slice(&watch->profile, range->slices);
    if (range->window)
        done = recent_window_add(range->window, &watch->profile) && done;
    return count(range, &watch->profile) && done;
}

bool time_range_mark(struct time_range *range, const struct watch *watch)
{
    if (watch->profile.updated_s <= 0)
        return false;
    range->is_recent = false;
    return mark(range, &watch->profile, false) && count(range, &watch->profile);
}

/* Where there is no memory the rows come with the next update. */
static void show(struct time_range *s)
{
    profile_free(&s->recent);
    if (s->watch)
        (void)count(s, &s->watch->profile);
}

void time_range_clear(struct time_range *range)
{
    fall(range);
    range->is_recent = false;
    show(range);
}

void time_range_toggle_recent(struct time_range *range)
{
    range->is_recent = !range->is_recent;
    show(range);
}

void time_range_set_restart(struct time_range *range, bool restart_on_resume)
{
    range->restarts = restart_on_resume;
}

bool time_range_restarts(const struct time_range *range)
{
    return range->restarts;
}

const struct profile *time_range_profile(const struct time_range *range, const struct watch *watch)
{
    if (range->is_recent)
        return &range->recent;
    return range->marked ? &range->delta : &watch->profile;
}

const char *time_range_name(const struct time_range *range)
{
    return range->name;
}

const char *time_range_said(const struct time_range *range)
{
    return range->said[0] ? range->said : NULL;
}

const struct recent_window *time_range_recent_window(const struct time_range *range)
{
    return range->window;
}
