/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mprof top: polls the table and shows a ranking until it is told to leave. */
#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <poll.h>
#include <string.h>

#include <base/monotonic.h>
#include <base/output.h>
#include <base/say.h>
#include <base/signals.h>
#include <live/live.h>
#include <target/watch.h>
#include <target/watch_text.h>

#include "refresh.h"
#include "top_output.h"
#include "verbs.h"

/* Refreshes when nobody says how many and the output is no terminal. */
#define BATCH_ITERATIONS 3
/* Without a screen, a shorter pause between halts is not worth a line. */
#define PAUSE_SAID_S 2
/* Bytes of tasks' stacks that are read at each refresh. */
#define STACK_BYTES 1024

struct top {
    struct options *options;
    struct watch watch;
    struct time_range range;
    struct top_output *output; /* NULL: a live screen */
    int wake_fd;
    double start_s;
    char failure[WATCH_TEXT]; /* said when the screen is given back */
    bool unwritten;           /* the output could not be written, which is said then, too */
    bool pause_said;          /* why nothing is printed for long */
};

static int fail_output(struct top *t)
{
    t->unwritten = true;
    return STATUS_FAILED;
}

/* Shows what is known now. */
static int show(struct top *t)
{
    const struct refresh refresh = {
        .command = "top", .watch = &t->watch, .range = &t->range, .start_s = t->start_s};

    /* Text and data tell what was read just now, or nothing. */
    if (!t->watch.fresh)
        return STATUS_DONE;
    bool shown = refresh_show(&refresh, t->output);
    /* A signal that cuts a write short is a reason to leave, not a failure. */
    return shown || signals_pending() ? STATUS_DONE : fail_output(t);
}

static void drain(struct top *t)
{
    signals_hold(true);
    watch_drain(&t->watch);
    signals_hold(false);
}

/* When to drain next; not before the poll that is due at due_s if that is soon enough. */
static double next_drain_s(const struct top *t, double due_s)
{
    double drain_s = watch_drain_s(&t->watch);

    return drain_s > 0 ? monotonic_s() + drain_s : due_s;
}

/* Waits until the next poll is due. Signals are looked at once in any case: a poll may take longer
 * than the delay. */
static void wait_until(struct top *t, double due_s, bool *leave)
{
    struct pollfd wake = {.fd = t->wake_fd, .events = POLLIN};
    double drain_due_s = next_drain_s(t, due_s);
    double left;

    do {
        left = fmax(fmin(due_s, drain_due_s) - monotonic_s(), 0);
        *leave = poll(&wake, 1, monotonic_wait_ms(left)) > 0 || signals_pending() != 0;
        if (!*leave && drain_due_s < due_s && monotonic_s() >= drain_due_s) {
            drain(t);
            drain_due_s = next_drain_s(t, due_s);
        }
    } while (!*leave && monotonic_s() < due_s);
}

static int follow(struct top *t)
{
    time_range_look(&t->watch);
    if (!time_range_update(&t->range, &t->watch))
        return watch_fail(&t->watch, "out of memory");
    if (time_range_said(&t->range))
        watch_notice(&t->watch, "%s", time_range_said(&t->range));
    if (t->watch.profile.fixed)
        t->watch.lockstep = lockstep_of(time_range_recent_window(&t->range));
    return STATUS_DONE;
}

static int poll_target(struct top *t)
{
    signals_hold(true);
    int status = watch_poll(&t->watch);
    if (status == STATUS_DONE)
        status = follow(t);
    signals_hold(false);
    if (status != STATUS_DONE)
        memcpy(t->failure, t->watch.failure, sizeof(t->failure));
    return status;
}

/* Without a screen nothing else tells why nothing is printed. */
static void say_pause(struct top *t)
{
    double pause = watch_halt_pause_s(&t->watch);

    if (t->pause_said || pause < PAUSE_SAID_S || pause < t->options->delay_s)
        return;
    t->pause_said = true;
    complain("the next refresh is in %.0f s: each halts the target, and --allow-halt=%g allows "
             "%g%% of the time",
             pause, t->options->duty, t->options->duty * 100);
}

/* Waits until due_s, and longer where --allow-halt or --link-share asks for it. */
static void wait_for_poll(struct top *t, double due_s, bool *leave)
{
    double pause = watch_pause_s(&t->watch);
    double earliest_s = monotonic_s() + (pause > 0 ? pause : 0);

    say_pause(t);
    wait_until(t, due_s > earliest_s ? due_s : earliest_s, leave);
}

static int run(struct top *t)
{
    unsigned long left = t->options->iterations ? t->options->iterations : BATCH_ITERATIONS;
    bool leave = signals_pending() != 0;
    int status = STATUS_DONE;

    /* Comparing the code with the ELF has halted the target already. */
    if (!leave && watch_halt_pause_s(&t->watch) > 0)
        wait_for_poll(t, 0, &leave);
    while (status == STATUS_DONE && !leave) {
        double begin = monotonic_s();
        status = poll_target(t);
        if (status == STATUS_DONE)
            status = show(t);
        if (status != STATUS_DONE || (t->watch.fresh && --left == 0))
            break;
        wait_for_poll(t, begin + watch_delay_s(&t->watch, t->options->delay_s), &leave);
    }
    return status;
}

static int run_on_screen(struct top *t)
{
    struct live *live;
    int status = live_open(t->options, &t->watch, &t->range, t->wake_fd, t->start_s, &live);

    if (status != STATUS_DONE)
        return status;
    status = live_run(live, t->failure);
    live_close(live);
    return status;
}

static int run_on_output(struct top *t)
{
    int status = top_output_open(t->options, &t->output);

    if (status == STATUS_DONE)
        status = run(t);
    top_output_close(t->output);
    if (t->unwritten)
        (void)output_failed(t->options->output, NULL);
    return status;
}

/* What went wrong is said when the screen was given back, so that it can be read. */
static int run_top(void *top)
{
    struct top *t = top;
    int status = t->watch.live ? run_on_screen(t) : run_on_output(t);

    if (t->failure[0])
        complain("%s", t->failure);
    return status;
}

int command_top(const struct command *self, int argc, char **argv)
{
    struct options options;
    struct top top = {.options = &options, .start_s = monotonic_s()};
    int status;

    if (!options_parse(self, argc, argv, &options, &status))
        return status;
    options.stack_bytes = STACK_BYTES;
    top.wake_fd = signals_begin();
    if (top.wake_fd < 0)
        return STATUS_FAILED;
    bool live = top_output_wants_live(&options);
    time_range_init(&top.range, options.restart_on_resume);
    status = watch_run(&top.watch, &options, live, run_top, &top);
    time_range_free(&top.range);
    /* On a live screen Ctrl-C is a way to say q. */
    return signals_end(status, live);
}
