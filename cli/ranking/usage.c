/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hits by context to shares of the CPU. */
#include <ranking/usage.h>

#include <math.h>

#include <profile/unsure.h>

struct parts {
    double tasks, interrupts, idle, unknown;
    double whole; /* samples */
};

/* What came as parts of whole, which is no less than what came. */
static struct parts parts_of(const struct profile *p, const uint64_t *in, double slept,
                             double whole)
{
    double idle = (double)in[VIEW_CONTEXT_IDLE] + slept;
    double known = (double)in[VIEW_CONTEXT_TASK] + (double)in[VIEW_CONTEXT_INTERRUPT] + idle;
    struct parts parts = {.tasks = -1, .interrupts = -1, .idle = -1, .unknown = -1};

    whole = fmax(whole, known);
    if (whole <= 0)
        return parts;
    parts.whole = whole;
    parts.tasks = (double)in[VIEW_CONTEXT_TASK] / whole;
    parts.idle = idle / whole;
    parts.unknown = (whole - known) / whole;
    /* Those below the tick's priority are the tick's own doing, the others it never meets. */
    if (!p->locked)
        parts.interrupts = (double)in[VIEW_CONTEXT_INTERRUPT] / whole;
    else
        parts.tasks = ((double)in[VIEW_CONTEXT_TASK] + (double)in[VIEW_CONTEXT_INTERRUPT]) / whole;
    return parts;
}

double view_usage_expected(const struct profile *p, double seconds)
{
    unsigned cores = p->cores ? p->cores : 1;

    if (p->headerless || p->unit != DECODE_UNIT_SAMPLES || !(seconds > 0))
        return 0;
    return (double)p->sample_hz * seconds * cores;
}

void view_usage_make(const struct profile *profile, const struct view_rows *rows,
                     struct view_usage *usage)
{
    const struct profile *p = profile;
    struct parts recent = {-1, -1, -1, -1, 0}, total = {-1, -1, -1, -1, 0};
    double interval = view_usage_expected(p, p->recent_s);
    double since = view_usage_expected(p, p->from_s > 0 ? p->updated_s - p->from_s : 0);
    bool known = rows->marked && p->unit == DECODE_UNIT_SAMPLES;
    bool intervals = profile_has_intervals(p);

    /* Timers are not as exact as their rates: what came beyond that is all there was. */
    if (known && p->recent_s > 0)
        recent = parts_of(p, rows->recent_in, p->slept, fmax(interval, p->events));
    if (known)
        total = parts_of(p, rows->in, p->sleeping, since > 0 ? since : p->heartbeat);
    *usage = (struct view_usage){
        .tasks = recent.tasks,
        .interrupts = recent.interrupts,
        .idle = recent.idle,
        .unknown = recent.unknown,
        .total_tasks = total.tasks,
        .total_interrupts = total.interrupts,
        .total_idle = total.idle,
        .total_unknown = total.unknown,
        .samples = intervals ? recent.whole : 0,
        .total_samples = intervals ? total.whole : 0,
        .spread = fmax(1, fmax(p->spread, p->task_spread)),
        .total_wall = since > 0,
        .wall = interval > 0,
        .callees = !rows->exceptions && !rows->counted,
        .locked = p->locked,
    };
}

struct stats_share view_usage_share(const struct view_usage *usage, double share)
{
    if (share < 0 || !(usage->samples > 0))
        return (struct stats_share){.value = share, .low = -1, .high = -1};
    /* Samples that depend on each other tell as much as fewer that do not. */
    double tell = usage->samples / fmax(usage->spread, 1);
    return stats_wilson(share * tell, tell);
}
