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

struct top {
    struct options *options;
    struct watch watch;
    struct time_range range;
    struct live *live;         /* NULL: no screen */
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

static int show_live(struct top *t)
{
    if (live_show(t->live))
        return STATUS_DONE;
    snprintf(t->failure, sizeof(t->failure), "out of memory");
    return STATUS_FAILED;
}

/* Shows what is known now. */
static int show(struct top *t)
{
    const struct refresh refresh = {
        .command = "top", .watch = &t->watch, .range = &t->range, .start_s = t->start_s};

    if (t->live)
        return show_live(t);
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

/* One wait of at most so many seconds; a screen takes what is typed. */
static enum live_event wait_once(struct top *t, double seconds)
{
    struct pollfd wake = {.fd = t->wake_fd, .events = POLLIN};

    if (t->live)
        return live_wait(t->live, seconds);
    return poll(&wake, 1, monotonic_wait_ms(seconds)) > 0 ? LIVE_LEAVE : LIVE_NOTHING;
}

/* When to drain next; not before the poll that is due at due_s if that is soon enough. */
static double next_drain_s(const struct top *t, double due_s)
{
    double drain_s = watch_drain_s(&t->watch);

    return drain_s > 0 ? monotonic_s() + drain_s : due_s;
}

/* Waits until the next poll is due. Keys and signals are looked at once in any case: a poll may
 * take longer than the delay. */
static void wait_until(struct top *t, double due_s, bool *leave)
{
    double drain_due_s = next_drain_s(t, due_s);
    enum live_event event;
    double left;

    do {
        left = fmin(due_s, drain_due_s) - monotonic_s();
        event = wait_once(t, left > 0 ? left : 0);
        *leave = event == LIVE_LEAVE || signals_pending() != 0;
        if (!*leave && event != LIVE_POLL && drain_due_s < due_s && monotonic_s() >= drain_due_s) {
            drain(t);
            drain_due_s = next_drain_s(t, due_s);
        }
        left = due_s - monotonic_s();
    } while (left > 0 && !*leave && event != LIVE_POLL);
}

static int follow(struct top *t)
{
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

    if (t->live || t->pause_said || pause < PAUSE_SAID_S || pause < t->options->delay_s)
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

/* Comparing the code with the ELF has halted the target already. */
static int wait_for_first_poll(struct top *t, bool *leave)
{
    double pause = watch_halt_pause_s(&t->watch);

    if (pause <= 0)
        return STATUS_DONE;
    snprintf(t->watch.message, sizeof(t->watch.message),
             "the target was halted to compare its code; the next halt, to read counts, is in %.1f "
             "s (--allow-halt=%g)",
             pause, t->options->duty);
    int status = t->live ? show(t) : STATUS_DONE;
    if (status == STATUS_DONE)
        wait_for_poll(t, 0, leave);
    return status;
}

static int run(struct top *t)
{
    unsigned long left = t->options->iterations;
    bool leave = signals_pending() != 0;
    int status = STATUS_DONE;

    if (left == 0 && !t->live)
        left = BATCH_ITERATIONS;
    bool endless = left == 0;
    if (!leave)
        status = wait_for_first_poll(t, &leave);
    while (status == STATUS_DONE && !leave) {
        double begin = monotonic_s();
        status = poll_target(t);
        if (status == STATUS_DONE)
            status = show(t);
        if (status != STATUS_DONE || (!endless && t->watch.fresh && --left == 0))
            break;
        wait_for_poll(t, begin + watch_delay_s(&t->watch, t->options->delay_s), &leave);
    }
    return status;
}

/* The screen is given back first, so that what went wrong can be read. */
static int run_on_output(void *top)
{
    struct top *t = top;
    int status = t->watch.live
                     ? live_open(t->options, &t->watch, &t->range, t->wake_fd, t->start_s, &t->live)
                     : top_output_open(t->options, &t->output);

    if (status == STATUS_DONE)
        status = run(t);
    live_close(t->live);
    top_output_close(t->output);
    if (t->unwritten)
        (void)output_failed(t->options->output, NULL);
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
    top.wake_fd = signals_begin();
    if (top.wake_fd < 0)
        return STATUS_FAILED;
    bool live = top_output_wants_live(&options);
    time_range_init(&top.range, options.restart_on_resume);
    status = watch_run(&top.watch, &options, live, run_on_output, &top);
    time_range_free(&top.range);
    /* On a live screen Ctrl-C is a way to say q. */
    return signals_end(status, live);
}
