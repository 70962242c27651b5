/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs of a target, one after the other. */
#define _POSIX_C_SOURCE 200809L

#include <recorder/runs.h>

#include <math.h>
#include <string.h>

#include <base/monotonic.h>
#include <base/say.h>
#include <base/signals.h>
#include <control/stub_control.h>
#include <options/options.h>
#include <profile/decode.h>

#include "recording.h"

_Static_assert(OPTION_RUNS_MAX <= SNAPSHOT_RUNS_MAX, "all runs have a place in a file");

/* Between two looks for a target that was reset. */
#define BOOT_LOOK_S 0.1

static int reset_target(struct recorder *r)
{
    signals_hold(true);
    int status = session_reset_target(&r->watch.session);
    signals_hold(false);
    return status;
}

/* Where the target's counts cannot be written, runs are told apart by readings alone. */
static bool can_clear(const struct recorder *r)
{
    static const char *const kinds[] = {"qmp", "raw", "records", "play"};

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (strcmp(r->watch.session.server.kind, kinds[i]) == 0)
            return false;
    }
    return !r->watch.profile.headerless && !decode_is_taken(r->watch.profile.source);
}

/* After a reset the table may still be that of the boot before, until the firmware has begun; a
 * poll has events if it is the second one of a boot that counts. */
static int wait_for_events(struct recorder *r, bool first)
{
    const struct profile *p = &r->watch.profile;
    double until_s = monotonic_s() + RECORDER_IDLE_S;
    int status = recorder_first_poll(r);

    while (status == STATUS_DONE && monotonic_s() < until_s && !signals_pending() &&
           (p->events == 0 || (!first && p->restarts == r->restarts))) {
        recorder_drain_until(r, monotonic_s() + fmax(BOOT_LOOK_S, watch_pause_s(&r->watch)));
        status = recorder_poll(r);
    }
    return status;
}

/* A run begins with empty counts and a firmware that is past its start. */
static int prepare_run(struct recorder *r, bool first)
{
    const struct options *o = r->options;
    int status = o->reset_target ? reset_target(r) : STATUS_DONE;

    if (status == STATUS_DONE && (o->reset_target || first))
        recorder_drain_until(r, monotonic_s() + o->settle_s);
    if (status == STATUS_DONE)
        status = o->reset_target ? wait_for_events(r, first) : recorder_first_poll(r);
    if (status != STATUS_DONE || !r->watch.fresh || !can_clear(r))
        return status;
    signals_hold(true);
    status = control_reset(&r->watch.session);
    signals_hold(false);
    return status;
}

static int take_run(struct recorder *r, const char *path, struct recorder_runs *runs)
{
    int status = prepare_run(r, runs->count == 0);

    if (status == STATUS_DONE && !signals_pending())
        status = recorder_count(r, path);
    /* A run that was cut short is not like the others. */
    if (status != STATUS_DONE || signals_pending() || r->delta.attributed == 0)
        return status;
    struct snapshot *run = recorder_make(r);
    if (!run)
        return STATUS_FAILED;
    run->conditions.one_boot = !r->options->reset_target;
    runs->taken[runs->count++] = run;
    return STATUS_DONE;
}

int recorder_runs_take(struct recorder *r, const char *path, struct recorder_runs *runs)
{
    int status = STATUS_DONE;

    r->watch.clears = true;
    for (unsigned long i = 0; i < r->options->runs && status == STATUS_DONE && !signals_pending();
         i++)
        status = take_run(r, path, runs);
    return status;
}

double recorder_runs_mean_s(const struct recorder_runs *runs)
{
    double seconds = 0;

    for (size_t i = 0; i < runs->count; i++)
        seconds += (double)runs->taken[i]->duration_ns * 1e-9 / (double)runs->count;
    return seconds;
}

void recorder_runs_free(struct recorder_runs *runs)
{
    for (size_t i = 0; i < runs->count; i++)
        snapshot_free(runs->taken[i]);
    runs->count = 0;
}
