/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mprof snapshot: a profile into a file, of now or over a time. */
#define _POSIX_C_SOURCE 200809L

#include <snapshot/snapshot.h>

#include <errno.h>
#include <limits.h>
#include <string.h>

#include <base/atomic_write.h>
#include <base/output.h>
#include <base/path.h>
#include <base/say.h>
#include <base/signals.h>
#include <control/stub_control.h>
#include <history/history.h>
#include <options/help.h>
#include <profile/unsure.h>
#include <recorder/recorder.h>
#include <recorder/runs.h>
#include <target/save.h>
#include <target/watch_status.h>

#include "verbs.h"

struct taking {
    struct recorder recorder;
    bool saved;
};

/* path: where to, or empty: where the store has put it. Frees the snapshot. */
static int save(struct taking *t, struct snapshot *snapshot, char path[PATH_MAX])
{
    const struct recorder *r = &t->recorder;
    char text[WATCH_TEXT + PATH_MAX];

    if (!snapshot)
        return STATUS_FAILED;
    enum snapshot_code code =
        path[0] ? snapshot_save(snapshot, path, text, sizeof(text))
                : save_into_store(r->options->store, snapshot, path, text, sizeof(text));
    snapshot_free(snapshot);
    t->saved = code == SNAPSHOT_OK;
    return t->saved ? STATUS_DONE : fail(text);
}

static void say(const struct recorder *r, const char *path)
{
    const struct view_remedy known = watch_remedy(&r->watch);
    char advice[VIEW_REMEDY_TEXT], doubt[PROFILE_DOUBT_TEXT];

    printf("%s: %llu %s", path, (unsigned long long)r->delta.attributed,
           profile_unit_name(&r->delta));
    if (recorder_is_over_time(r->options))
        printf(" in %.1f s", r->delta.recent_s);
    putchar('\n');
    fflush(stdout);
    if (view_remedy(&known, &r->delta, advice))
        complain("%s", advice);
    if (profile_doubt(&r->delta, doubt) == PROFILE_DOUBT_TABLE)
        complain("%s", doubt);
}

static int take_one(struct taking *t, char path[PATH_MAX])
{
    struct recorder *r = &t->recorder;
    int status = recorder_count(r, path);

    if (!r->begun || r->delta.attributed == 0)
        return status;
    int saved = save(t, recorder_make(r), path);
    if (saved == STATUS_DONE)
        say(r, path);
    return status == STATUS_DONE ? saved : status;
}

static void say_runs(const struct recorder *r, const struct recorder_runs *runs, const char *path)
{
    printf("%s: %zu runs of %.1f s\n", path, runs->count, recorder_runs_mean_s(runs));
    fflush(stdout);
    if (runs->count < r->options->runs)
        complain("%zu of %lu runs were taken", runs->count, r->options->runs);
    if (!r->options->reset_target)
        complain("the runs are of one boot: what differs from boot to boot is not in them; "
                 "--reset-target resets the target before each");
}

static int take_runs(struct taking *t, char path[PATH_MAX])
{
    struct recorder *r = &t->recorder;
    struct recorder_runs runs = {0};
    struct snapshot *joined = NULL;
    char text[WATCH_TEXT];
    int saved = STATUS_DONE;

    int status = recorder_runs_take(r, path, &runs);
    if (runs.count != 0) {
        if (snapshot_join(runs.taken, runs.count, &joined, text, sizeof(text)) != SNAPSHOT_OK)
            saved = fail(text);
        else
            saved = save(t, joined, path);
        if (saved == STATUS_DONE)
            say_runs(r, &runs, path);
    }
    recorder_runs_free(&runs);
    return status == STATUS_DONE ? saved : status;
}

static int take_all(void *taking)
{
    struct taking *t = taking;
    struct recorder *r = &t->recorder;
    char path[PATH_MAX] = "";
    int status = STATUS_DONE;

    if (r->options->output)
        snprintf(path, sizeof(path), "%s", r->options->output);
    if (r->options->runs > 1)
        return take_runs(t, path);
    signals_hold(true);
    if (r->options->reset)
        status = control_reset(&r->watch.session);
    signals_hold(false);
    return status == STATUS_DONE && !signals_pending() ? take_one(t, path) : status;
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
    else if (o->runs > 1 && !recorder_is_over_time(o))
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

int command_snapshot(const struct command *self, int argc, char **argv)
{
    struct taking taking = {.saved = false};
    struct recorder *r = &taking.recorder;
    struct options options;
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
    if (!recorder_is_over_time(&options)) {
        options.wait_s = 0;
        if (options.sampler == SAMPLER_AUTO) /* a stream has no past */
            options.sampler = SAMPLER_TOTAL;
    }
    int wake_fd = signals_begin();
    if (wake_fd < 0)
        return STATUS_FAILED;
    recorder_init(r, &options, wake_fd);
    status = watch_run(&r->watch, &options, false, take_all, &taking);
    recorder_free(r);
    return signals_end(status, taking.saved);
}
