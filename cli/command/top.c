/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mprof top: polls the table and shows a ranking until it is told to leave. */
#define _POSIX_C_SOURCE 200809L

#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>

#include "session.h"
#include "signals.h"
#include "top_output.h"

/* Refreshes when nobody says how many and the output is no terminal. */
#define BATCH_ITERATIONS 3

/* Reads that the target may refuse in a row before a batch run gives up. */
#define READ_TRIES 3

/* How often a stub is looked for that has not started yet. */
#define WAIT_S 0.2

#define MESSAGE_MAX 400

struct top {
    const struct options *options;
    struct session session;
    struct profile profile;
    struct top_output *output;
    double start_s;
    double poll_s;        /* what the last poll took */
    double poll_halted_s; /* for how long it held the target */
    enum gdbmi_state state;
    unsigned refused; /* reads in a row */
    char message[MESSAGE_MAX];
    char failure[MESSAGE_MAX]; /* said when the screen is given back */
    bool warning;
    bool waiting;
};

static double now_s(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void say(struct top *t, bool warning, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void say(struct top *t, bool warning, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(t->message, sizeof(t->message), format, args);
    va_end(args);
    t->warning = warning;
}

static int fail(struct top *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

static int fail(struct top *t, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(t->failure, sizeof(t->failure), format, args);
    va_end(args);
    return STATUS_FAILED;
}

static int fail_link(struct top *t)
{
    t->session.said = true;
    return fail(t, "%s", gdbmi_link_error(t->session.link)->text);
}

/* What a reader of the numbers must know before he believes them. */
static void comment(struct top *t)
{
    if (t->state == GDBMI_STATE_HALTED)
        say(t, true, "the target is halted: the numbers stand still");
    else if (t->profile.heartbeat == 0)
        say(t, true, "no event yet: is the timer started (mprof_systick_start())?");
    else if (t->profile.recent_s > 0 && t->profile.events == 0)
        say(t, true, "no event since the last refresh: does the timer run, does the core sleep?");
    else if (t->session.doubt[0])
        say(t, true, "%s: names are right only if it is this ELF", t->session.doubt);
    else
        say(t, false, "%s", gdbmi_link_info(t->session.link)->why);
}

static int wait_for_stub(struct top *t)
{
    const char *halted = t->state == GDBMI_STATE_HALTED ? "; the target is halted: let it run" : "";

    say(t, true, "waiting for mprof_init(): %s at 0x%08" PRIx64 " is not initialised yet (%s)%s",
        t->session.symbol, t->session.table_addr, sampler_table_text(t->session.sampler), halted);
    if (!t->waiting && !top_output_is_live(t->output))
        complain("%s", t->message);
    t->waiting = true;
    profile_end(&t->profile);
    return STATUS_DONE;
}

static int refuse_table(struct top *t)
{
    return fail(t, "%s at 0x%08" PRIx64 " cannot be used: %s", t->session.symbol,
                t->session.table_addr, sampler_table_text(t->session.sampler));
}

static int read_refused(struct top *t)
{
    const char *text = sampler_table_text(t->session.sampler);

    t->refused++;
    say(t, true, "%s", text);
    if (top_output_is_live(t->output) || t->refused < READ_TRIES)
        return STATUS_DONE;
    return fail(t, "%s", text);
}

static int poll_target(struct top *t)
{
    uint64_t halted_ns = gdbmi_link_stats(t->session.link).halted_ns;

    double before = now_s();
    enum sampler_code code =
        sampler_table_poll(t->session.sampler, &t->profile, now_s(), &t->state);
    t->poll_s = now_s() - before;
    t->poll_halted_s = (double)(gdbmi_link_stats(t->session.link).halted_ns - halted_ns) * 1e-9;
    switch (code) {
    case SAMPLER_OK:
        t->waiting = false;
        t->refused = 0;
        comment(t);
        return STATUS_DONE;
    case SAMPLER_WAIT:
        return wait_for_stub(t);
    case SAMPLER_ETABLE:
        return refuse_table(t);
    case SAMPLER_EREAD:
        return read_refused(t);
    case SAMPLER_ELINK:
        return fail_link(t);
    case SAMPLER_ENOMEM:
        break;
    }
    return fail(t, "out of memory");
}

static const char *state_name(enum gdbmi_state state)
{
    switch (state) {
    case GDBMI_STATE_RUNNING:
        return "RUNNING";
    case GDBMI_STATE_HALTED:
        return "HALTED";
    case GDBMI_STATE_UNKNOWN:
        break;
    }
    return "";
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

static struct view_status status_of(const struct top *t)
{
    const struct gdbmi_info *info = gdbmi_link_info(t->session.link);
    const struct symtab_elf *elf = symtab_elf(t->session.symtab);
    struct gdbmi_stats stats = gdbmi_link_stats(t->session.link);
    double age_s = t->profile.row_count ? now_s() - t->profile.updated_s : 0;

    return (struct view_status){
        .elf = base_name(elf->path),
        .build_id = elf->build_id,
        .identity = t->session.identity,
        .kind = info->kind,
        .server = info->server,
        .address = info->address,
        .target = info->target,
        .arch = info->arch,
        .state = state_name(t->state),
        .sampler = "table",
        .message = t->message,
        .warning = t->warning,
        .live = info->live,
        .halts = stats.halts,
        .halted_ms = (double)stats.halted_ns * 1e-6,
        .halted_share = stats.age_ns ? (double)stats.halted_ns / (double)stats.age_ns : 0,
        .poll_ms = t->poll_s * 1e3,
        .age_s = age_s,
        .time_s = now_s() - t->start_s,
        .addr_size = elf->addr_size,
    };
}

/* Shows what is known now. */
static int show(struct top *t)
{
    struct view_status status = status_of(t);
    struct view_rows rows;
    bool shown = false;

    /* Text and JSON tell what was read just now, or nothing. */
    if ((t->waiting || t->refused) && !top_output_is_live(t->output))
        return STATUS_DONE;
    if (view_rows_build(&t->profile, t->session.symtab, t->options->by, &rows)) {
        view_rows_sort(&rows, t->options->sort);
        shown = top_output_show(t->output, &status, &t->profile, &rows);
        view_rows_free(&rows);
    }
    /* A signal that cuts a write short is a reason to leave, not a failure. */
    return shown || signals_pending() ? STATUS_DONE : fail(t, "the output could not be written");
}

/* Hardware that is halted for each poll is polled so seldom that the allowed share holds. */
static double next_delay(const struct top *t)
{
    const struct gdbmi_info *info = gdbmi_link_info(t->session.link);
    double delay = t->options->delay_s;

    if (t->waiting && delay > WAIT_S)
        delay = WAIT_S;
    if (!info->live && !info->simulator && delay < t->poll_halted_s / t->options->duty)
        delay = t->poll_halted_s / t->options->duty;
    return delay;
}

/* Waits until the next poll is due; a resize shows the old data again. Keys and signals are looked
 * at once in any case: a poll may take longer than the delay. */
static int wait_until(struct top *t, double due_s, bool *leave)
{
    int status = STATUS_DONE;
    double left;

    do {
        left = due_s - now_s();
        enum top_event event = top_output_wait(t->output, left > 0 ? left : 0);
        *leave = event == TOP_LEAVE || signals_pending() != 0;
        if (event == TOP_REDRAW && !*leave)
            status = show(t);
    } while (left > 0 && !*leave && status == STATUS_DONE);
    return status;
}

static int run(struct top *t)
{
    unsigned long left = t->options->iterations;
    bool leave = signals_pending() != 0;
    int status = STATUS_DONE;

    if (left == 0 && !top_output_is_live(t->output))
        left = BATCH_ITERATIONS;
    bool endless = left == 0;
    while (status == STATUS_DONE && !leave) {
        double begin = now_s();
        signals_hold(true);
        status = poll_target(t);
        signals_hold(false);
        if (status == STATUS_DONE)
            status = show(t);
        if (status != STATUS_DONE || (!endless && !t->waiting && !t->refused && --left == 0))
            break;
        status = wait_until(t, begin + next_delay(t), &leave);
    }
    return status;
}

/* The screen is given back first, so that what went wrong can be read. */
static int run_on_output(struct top *t, int wake_fd, bool *live)
{
    int status = top_output_open(t->options, wake_fd, &t->output);

    if (status == STATUS_DONE) {
        *live = top_output_is_live(t->output);
        status = run(t);
    }
    top_output_close(t->output);
    if (t->failure[0])
        complain("%s", t->failure);
    return status;
}

int command_top(const struct command *self, int argc, char **argv)
{
    struct options options;
    struct top top = {.options = &options, .start_s = now_s()};
    int status;

    if (!options_parse(self, argc, argv, &options, &status))
        return status;
    int wake_fd = signals_open();
    if (wake_fd < 0) {
        complain("no pipe for signals");
        return STATUS_FAILED;
    }
    bool live = false;
    profile_init(&top.profile);
    signals_hold(true);
    status = session_open(&top.session, &options);
    if (status == STATUS_DONE) {
        signals_hold(false);
        status = run_on_output(&top, wake_fd, &live);
        signals_hold(true);
        int closed = session_close(&top.session);
        status = status == STATUS_DONE ? closed : status;
    }
    signals_hold(false);
    profile_free(&top.profile);
    /* On a live screen Ctrl-C is a way to say q. */
    if (signals_pending() && status == STATUS_DONE && !(live && signals_pending() == SIGINT))
        signals_die(signals_pending());
    return status;
}
