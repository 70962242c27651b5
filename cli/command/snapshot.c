/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mprof snapshot: a profile into a file, of now or over a time. */
#define _POSIX_C_SOURCE 200809L

#include <snapshot/snapshot.h>

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include <base/atomic_write.h>
#include <base/monotonic.h>
#include <base/output.h>
#include <base/path.h>
#include <base/say.h>
#include <base/signals.h>
#include <control/stub_control.h>
#include <history/history.h>
#include <options/help.h>
#include <profile/delta.h>
#include <profile/unsure.h>
#include <target/save.h>
#include <target/silence.h>
#include <target/watch.h>
#include <target/watch_status.h>

#include "progress.h"
#include "verbs.h"

/* Between two looks at the table. */
#define LOOK_S 0.5

/* Between two looks for a target that was reset. */
#define BOOT_LOOK_S 0.1

/* A target that runs counts; one that counted nothing for so long will not come to an end. */
#define IDLE_S 60.0

/* Of what --precision is asked: the first rows. */
#define PRECISE_ROWS 10

_Static_assert(OPTION_RUNS_MAX <= SNAPSHOT_RUNS_MAX, "all runs have a place in a file");

struct recorder {
    const struct options *options;
    struct watch watch;
    int wake_fd;
    struct profile base;  /* the reading that the counts are taken from */
    struct profile delta; /* what came since, as of the last reading */
    bool begun;
    bool idle;                                /* nothing was counted for too long */
    unsigned restarts;                        /* of the target, that were seen */
    double counted_s;                         /* when the last hit came */
    struct snapshot *runs[SNAPSHOT_RUNS_MAX]; /* of --runs: those that are complete */
    size_t run_count;
};

static bool is_over_time(const struct options *o)
{
    return o->duration_s > 0 || o->hits > 0 || o->precision > 0;
}

static struct symbol_naming names_of(const struct recorder *r)
{
    const struct session *s = &r->watch.session;

    return symtab_naming(session_has_names(s) ? s->elf.symtab : NULL);
}

/* What was counted, as a snapshot; NULL and a message: it failed. */
static struct snapshot *make(const struct recorder *r)
{
    bool over_time = is_over_time(r->options);
    const struct save_about about = {
        .session = &r->watch.session,
        .time_ns = save_time_ns(over_time ? r->delta.from_s : r->delta.updated_s),
        .duration_ns = over_time ? (int64_t)(r->delta.recent_s * 1e9) : 0,
    };
    struct snapshot *snapshot = NULL;
    char text[WATCH_TEXT + PATH_MAX];

    if (save_make(&r->delta, &about, &snapshot, text, sizeof(text)) != SNAPSHOT_OK)
        (void)fail(text);
    return snapshot;
}

/* path: where to, or empty: where the store has put it. Frees the snapshot. */
static int save(const struct recorder *r, struct snapshot *snapshot, char path[PATH_MAX])
{
    char text[WATCH_TEXT + PATH_MAX];

    if (!snapshot)
        return STATUS_FAILED;
    enum snapshot_code code =
        path[0] ? snapshot_save(snapshot, path, text, sizeof(text))
                : save_into_store(r->options->store, snapshot, path, text, sizeof(text));
    snapshot_free(snapshot);
    return code == SNAPSHOT_OK ? STATUS_DONE : fail(text);
}

static int poll_target(struct recorder *r)
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
    if (zero) /* the target began anew after the reading before */
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

static void drain_until(struct recorder *r, double due_s)
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
    drain_until(r, now_s + fmax(wait_s, watch_pause_s(&r->watch)));
}

/* Why nothing was counted, in all of the time or at its end. */
static void explain(const struct recorder *r, char text[SILENCE_TEXT])
{
    const struct watch *w = &r->watch;
    long pid = r->options->link.pid;
    bool dump = target_is_dump(r->options);

    if (w->state == GDBMI_STATE_HALTED && pid > 0)
        snprintf(text, SILENCE_TEXT, "the process is stopped: 'kill -CONT %ld' continues it", pid);
    else if (w->state == GDBMI_STATE_HALTED)
        snprintf(text, SILENCE_TEXT, "the target is halted: continue it in your debugger");
    else if (dump && is_over_time(r->options))
        snprintf(text, SILENCE_TEXT,
                 "a dump does not change by itself: write it again during --duration");
    else if (r->delta.attributed == 0)
        silence_reason(&r->delta, dump, w->profile.heartbeat, text);
    else if (!silence_switch(&r->delta, dump, text) && !silence_firmware(&r->delta, dump, text))
        snprintf(text, SILENCE_TEXT, "is the target running?");
}

/* A file that says nothing would look like a measurement. */
static int fail_empty(const struct recorder *r, const char *path)
{
    char why[SILENCE_TEXT], when[40] = "";

    explain(r, why);
    if (is_over_time(r->options))
        snprintf(when, sizeof(when), " in %.1f s", r->delta.recent_s);
    complain("nothing saved to %s: no %s%s: %s", path[0] ? path : r->options->store,
             profile_unit_name(&r->delta), when, why);
    return STATUS_FAILED;
}

static int check_idle(struct recorder *r)
{
    char why[SILENCE_TEXT];

    r->idle = r->options->duration_s <= 0 && r->begun && monotonic_s() - r->counted_s >= IDLE_S;
    if (!r->idle)
        return STATUS_DONE;
    if (r->delta.attributed != 0) {
        explain(r, why);
        complain("nothing was counted for %.0f s: %s; earlier counts are kept", IDLE_S, why);
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
        status = poll_target(r);
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

/* A first reading: of now, or the one to count from. */
static int first_poll(struct recorder *r)
{
    int status = STATUS_DONE;

    profile_free(&r->base);
    profile_free(&r->delta);
    r->begun = false;
    do {
        drain_until(r, monotonic_s() + fmax(0, watch_pause_s(&r->watch)));
        if (signals_pending())
            break;
        status = poll_target(r);
        if (status == STATUS_DONE && !r->watch.fresh)
            drain_until(r, monotonic_s() + watch_delay_s(&r->watch, LOOK_S));
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

static void say(const struct recorder *r, const char *path)
{
    const struct view_remedy known = watch_remedy(&r->watch);
    char advice[VIEW_REMEDY_TEXT], doubt[PROFILE_DOUBT_TEXT];

    printf("%s: %llu %s", path, (unsigned long long)r->delta.attributed,
           profile_unit_name(&r->delta));
    if (is_over_time(r->options))
        printf(" in %.1f s", r->delta.recent_s);
    putchar('\n');
    fflush(stdout);
    if (view_remedy(&known, &r->delta, advice))
        complain("%s", advice);
    if (profile_doubt(&r->delta, doubt) == PROFILE_DOUBT_TABLE)
        complain("%s", doubt);
}

/* A failure was said already; who ends it at once, or for good, asks nothing. */
static bool is_worth_saying(const struct recorder *r, int status)
{
    int number = signals_pending();

    return (status == STATUS_DONE || r->idle) &&
           (!number || (number == SIGINT && r->delta.recent_s > 0));
}

/* Counts once. What was there when a signal or a failure came is kept, too. */
static int count_once(struct recorder *r, const char *path)
{
    int status = first_poll(r);

    if (status != STATUS_DONE || !r->watch.fresh)
        return status;
    if (!is_over_time(r->options))
        status = take_now(r);
    else if ((status = record_poll(r)) == STATUS_DONE)
        status = count_until_done(r);
    if (r->begun && r->delta.attributed == 0 && is_worth_saying(r, status))
        return fail_empty(r, path);
    return status;
}

static int take_one(struct recorder *r, char path[PATH_MAX])
{
    int status = count_once(r, path);

    if (!r->begun || r->delta.attributed == 0)
        return status;
    int saved = save(r, make(r), path);
    if (saved == STATUS_DONE)
        say(r, path);
    return status == STATUS_DONE ? saved : status;
}

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
static int wait_for_events(struct recorder *r)
{
    const struct profile *p = &r->watch.profile;
    double until_s = monotonic_s() + IDLE_S;
    int status = first_poll(r);

    while (status == STATUS_DONE && monotonic_s() < until_s && !signals_pending() &&
           (p->events == 0 || (r->run_count != 0 && p->restarts == r->restarts))) {
        drain_until(r, monotonic_s() + fmax(BOOT_LOOK_S, watch_pause_s(&r->watch)));
        status = poll_target(r);
    }
    return status;
}

/* A run begins with empty counts and a firmware that is past its start. */
static int prepare_run(struct recorder *r)
{
    const struct options *o = r->options;
    int status = o->reset_target ? reset_target(r) : STATUS_DONE;

    if (status == STATUS_DONE && (o->reset_target || r->run_count == 0))
        drain_until(r, monotonic_s() + o->settle_s);
    if (status == STATUS_DONE)
        status = o->reset_target ? wait_for_events(r) : first_poll(r);
    if (status != STATUS_DONE || !r->watch.fresh || !can_clear(r))
        return status;
    signals_hold(true);
    status = control_reset(&r->watch.session);
    signals_hold(false);
    return status;
}

static int take_run(struct recorder *r, const char *path)
{
    int status = prepare_run(r);

    if (status == STATUS_DONE && !signals_pending())
        status = count_once(r, path);
    /* A run that was cut short is not like the others. */
    if (status != STATUS_DONE || signals_pending() || r->delta.attributed == 0)
        return status;
    struct snapshot *run = make(r);
    if (!run)
        return STATUS_FAILED;
    run->conditions.one_boot = !r->options->reset_target;
    r->runs[r->run_count++] = run;
    return STATUS_DONE;
}

static void say_runs(const struct recorder *r, const char *path)
{
    double seconds = 0;

    for (size_t i = 0; i < r->run_count; i++)
        seconds += (double)r->runs[i]->duration_ns * 1e-9 / (double)r->run_count;
    printf("%s: %zu runs of %.1f s\n", path, r->run_count, seconds);
    fflush(stdout);
    if (r->run_count < r->options->runs)
        complain("%zu of %lu runs were taken", r->run_count, r->options->runs);
    if (!r->options->reset_target)
        complain("the runs are of one boot: what differs from boot to boot is not in them; "
                 "--reset-target resets the target before each");
}

static int take_runs(struct recorder *r)
{
    char path[PATH_MAX] = "", text[WATCH_TEXT];
    struct snapshot *joined = NULL;
    int status = STATUS_DONE;

    r->watch.clears = true;
    if (r->options->output)
        snprintf(path, sizeof(path), "%s", r->options->output);
    for (unsigned long i = 0; i < r->options->runs && status == STATUS_DONE && !signals_pending();
         i++)
        status = take_run(r, path);
    if (r->run_count == 0)
        return status;
    if (snapshot_join(r->runs, r->run_count, &joined, text, sizeof(text)) != SNAPSHOT_OK)
        return fail(text);
    int saved = save(r, joined, path);
    if (saved == STATUS_DONE)
        say_runs(r, path);
    return status == STATUS_DONE ? saved : status;
}

static int take_all(void *recorder)
{
    struct recorder *r = recorder;
    char path[PATH_MAX] = "";
    int status = STATUS_DONE;

    if (r->options->runs > 1)
        return take_runs(r);
    signals_hold(true);
    if (r->options->reset)
        status = control_reset(&r->watch.session);
    signals_hold(false);
    if (r->options->output)
        snprintf(path, sizeof(path), "%s", r->options->output);
    return status == STATUS_DONE && !signals_pending() ? take_one(r, path) : status;
}

static bool check_options(const struct command *self, const struct options *o)
{
    const char *wrong = NULL;

    if (!o->output && !o->store) {
        (void)help_missing(self, "missing output: give -o FILE or --store DIR");
        return false;
    }
    if (o->output && o->store_given)
        wrong = "give -o or --store, not both";
    else if (o->output && strlen(o->output) >= PATH_MAX)
        wrong = "the file name is too long";
    else if (o->runs > 1 && !is_over_time(o))
        wrong = "--runs needs --duration, --hits or --precision";
    else if (o->runs <= 1 && o->reset_target)
        wrong = "--reset-target needs --runs";
    if (wrong)
        complain("%s; see 'mprof %s --help'", wrong, self->name);
    return wrong == NULL;
}

/* What cannot be written is said before the time that it is about. */
static int check_output(const struct options *o)
{
    return !o->output || atomic_write_check(o->output) ? STATUS_DONE
                                                       : output_failed(o->output, strerror(errno));
}

static int record(struct recorder *r)
{
    int status = watch_run(&r->watch, r->options, false, take_all, r);

    for (size_t i = 0; i < r->run_count; i++)
        snapshot_free(r->runs[i]);
    profile_free(&r->base);
    profile_free(&r->delta);
    return status;
}

int command_snapshot(const struct command *self, int argc, char **argv)
{
    struct options options;
    struct recorder r = {.options = &options};
    char text[PATH_MAX + 200];
    int status;

    if (!options_parse(self, argc, argv, &options, &status))
        return status;
    if (!check_options(self, &options))
        return STATUS_USAGE;
    if (!options.output && !history_make_folder(options.store, text, sizeof(text)))
        return fail(text);
    status = check_output(&options);
    if (status != STATUS_DONE)
        return status;
    if (!is_over_time(&options)) {
        options.wait_s = 0;
        if (options.sampler == SAMPLER_AUTO) /* a stream has no past */
            options.sampler = SAMPLER_TOTAL;
    }
    profile_init(&r.base);
    profile_init(&r.delta);
    r.wake_fd = signals_begin();
    if (r.wake_fd < 0)
        return STATUS_FAILED;
    return signals_end(record(&r), true);
}
