/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mprof stat: tasks, interrupts and idle time, one line for each interval. */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/monotonic.h>
#include <base/output.h>
#include <base/say.h>
#include <base/signals.h>
#include <profile/unsure.h>
#include <target/silence.h>
#include <target/time_range.h>
#include <target/watch.h>
#include <target/watch_status.h>
#include <target/watch_text.h>

#include "stat_line.h"
#include "verbs.h"

/* Lines of a table under one heading. */
#define HEADING_EVERY 20

/* Bytes of tasks' stacks that are read for a line. */
#define STACK_BYTES 4096

struct stat {
    const struct options *options;
    struct watch watch;
    FILE *file;
    int wake_fd;
    double start_s;
    bool begun;         /* a first look there was: intervals begin with the second */
    bool said;          /* what must be known of the numbers */
    double line_s;      /* when the last line was due, or the first look was */
    uint64_t halted_ns; /* by us, until then */
    uint32_t dropped;   /* in the profile then */
    unsigned restarts;
    unsigned long lines;
    struct stat_mean mean;
    struct stat_task *tasks; /* owned; of the last line */
    struct time_range range;
    enum gdbmi_state state;     /* at the last reading */
    char silence[SILENCE_TEXT]; /* why nothing was counted, as it was said last; "": it was */
};

static bool usage_of(struct stat *s, const struct profile *p, struct view_usage *usage)
{
    const struct watch *w = &s->watch;
    struct symtab *names = session_has_names(&w->session) ? w->session.elf.symtab : NULL;
    struct view_rows rows;

    if (!view_rows_build(p, names, VIEW_BY_FUNCTION, NULL, &rows))
        return false;
    session_mark(&w->session, &rows);
    view_usage_make(p, &rows, usage);
    view_rows_free(&rows);
    return true;
}

static int order_tasks(const void *a, const void *b)
{
    const struct stat_task *x = a, *y = b;

    if (x->share != y->share)
        return x->share < y->share ? 1 : -1;
    return strcmp(x->name, y->name);
}

/* "blink" of "task blink"; the heading does not need the word. */
static const char *short_name(const char *label)
{
    const char *word = "task ";

    return strncmp(label, word, strlen(word)) == 0 ? label + strlen(word) : label;
}

/* The tasks that have run since the line before. */
static bool tasks_of(struct stat *s, const struct profile *p, struct stat_line *line)
{
    const struct session *session = &s->watch.session;
    struct view_rows rows;
    size_t count = 0;

    if (!p->tasks)
        return true;
    if (!view_rows_build(p, session->elf.symtab, VIEW_BY_CONTEXT, NULL, &rows))
        return false;
    session_mark(session, &rows);
    free(s->tasks);
    s->tasks = calloc(rows.count + 1, sizeof(*s->tasks));
    for (size_t i = 0; s->tasks && i < rows.count; i++) {
        const struct view_row *row = &rows.rows[i];
        double share = row->cpu >= 0 ? row->cpu : row->recent_share;
        if (row->exception < PROFILE_TASK_FIRST || !(share > 0) || !row->function)
            continue;
        snprintf(s->tasks[count].name, sizeof(s->tasks[count].name), "%s",
                 short_name(row->function));
        s->tasks[count].task = row->task ? *row->task : (struct profile_task){.name = ""};
        s->tasks[count++].share = share;
    }
    view_rows_free(&rows);
    if (s->tasks)
        qsort(s->tasks, count, sizeof(*s->tasks), order_tasks);
    line->tasks = s->tasks;
    line->task_count = count;
    return s->tasks != NULL;
}

/* Once, and not among the lines, which programs read. */
static void say_limits(struct stat *s, const struct view_usage *usage)
{
    char doubt[PROFILE_DOUBT_TEXT];

    if (s->said)
        return;
    s->said = true;
    if (usage->locked) {
        profile_doubt_text(PROFILE_DOUBT_LOCKED, NULL, 0, doubt);
        complain("%s", doubt);
    } else if (usage->callees && s->watch.profile.source == DECODE_PCSR)
        complain("DWT_PCSR does not say in which exception a sample came: functions called by a "
                 "handler count as tasks");
    else if (usage->callees)
        complain("a %s does not record the exception of a sample: functions called by a handler "
                 "count as tasks; --sampler stream tells them apart",
                 decode_source_name(s->watch.profile.source));
    if (!usage->wall)
        complain("the sampling rate is not known: shares are of the samples taken, not of time");
}

/* What keeps the target from counting, once for each reason. */
static void say_silence(struct stat *s)
{
    const struct profile *p = &s->watch.profile;
    bool dump = target_is_dump(s->options);
    char text[SILENCE_TEXT] = "";

    if (p->recent == 0 && !silence_switch(p, dump, text) && p->events == 0)
        (void)silence_firmware(p, dump, text);
    if (text[0] && strcmp(text, s->silence) != 0)
        complain("no %s: %s", profile_unit_name(p), text);
    memcpy(s->silence, text, sizeof(text));
}

static struct stat_line line_of(struct stat *s, double now_s)
{
    const struct watch *w = &s->watch;
    const struct profile *p = &w->profile;
    uint64_t halted_ns = session_stats(&w->session).halted_ns;
    double since_s = now_s - s->line_s;
    struct stat_line line = {
        .time_s = now_s - s->start_s,
        .interval_s = -1,
        .usage = {.tasks = -1,
                  .interrupts = -1,
                  .idle = -1,
                  .unknown = -1,
                  .total_tasks = -1,
                  .total_interrupts = -1,
                  .total_idle = -1,
                  .total_unknown = -1},
        .rate = -1,
        .lost = -1,
        .halted = since_s > 0 ? fmin((double)(halted_ns - s->halted_ns) * 1e-9 / since_s, 1) : -1,
        .state = view_state_word(watch_state(w)),
    };

    if (w->fresh && p->recent_s > 0) {
        line.interval_s = p->recent_s;
        line.rate = (double)p->recent / p->recent_s;
        if (!p->headerless && p->restarts == s->restarts)
            line.lost = (double)(uint32_t)(p->dropped - s->dropped);
    }
    s->line_s = now_s;
    s->halted_ns = halted_ns;
    s->dropped = p->dropped;
    s->restarts = p->restarts;
    return line;
}

/* The fullest stack first. */
static int order_stacks(const void *a, const void *b)
{
    const struct stat_task *x = a, *y = b;

    if (x->task.stack_free != y->task.stack_free)
        return x->task.stack_free > y->task.stack_free ? 1 : -1;
    return strcmp(x->name, y->name);
}

/* The stacks of all tasks that were met. */
static bool put_stacks(const struct stat *s)
{
    const struct profile_tasks *tasks = s->watch.profile.tasks;
    size_t count = 0;
    struct stat_task *list = tasks ? calloc(tasks->count + 1, sizeof(*list)) : NULL;

    for (size_t i = 0; list && i < tasks->count; i++) {
        char label[sizeof(list->name)];
        if (!tasks->list[i].stack_known)
            continue;
        view_task_label(&tasks->list[i], label, sizeof(label));
        snprintf(list[count].name, sizeof(list[count].name), "%s", short_name(label));
        list[count++].task = tasks->list[i];
    }
    if (count != 0)
        qsort(list, count, sizeof(*list), order_stacks);
    bool done = stat_stacks_put(s->file, list, count);
    free(list);
    return done;
}

static bool put_heading(struct stat *s)
{
    const char *heading = stat_heading(s->options->format);
    bool due = s->options->format == FORMAT_TABLE ? s->lines % HEADING_EVERY == 0 : s->lines == 0;

    return !heading || !due || fprintf(s->file, "%s\n", heading) > 0;
}

static int show(struct stat *s)
{
    double now_s = monotonic_s();
    struct stat_line line = line_of(s, now_s);

    if (!s->begun) {
        s->begun = true;
        return STATUS_DONE;
    }
    if (line.interval_s > 0 &&
        (!usage_of(s, &s->watch.profile, &line.usage) || !tasks_of(s, &s->watch.profile, &line)))
        return fail("out of memory");
    if (line.interval_s > 0) {
        say_limits(s, &line.usage);
        say_silence(s);
    }
    stat_mean_add(&s->mean, &line);
    errno = 0;
    if (!put_heading(s) || !stat_line_put(s->file, s->options->format, &line, &s->mean))
        return signals_pending()
                   ? STATUS_DONE
                   : output_failed(s->options->output, errno ? strerror(errno) : NULL);
    s->lines++;
    return STATUS_DONE;
}

/* With --restart-on-resume, where the target has stopped again: what ran since it was let go, of
 * the samples that came meanwhile. */
static int show_stretch(struct stat *s)
{
    const struct watch *w = &s->watch;
    const struct profile *p = time_range_profile(&s->range, w);
    bool ran = s->state != GDBMI_STATE_HALTED && w->state == GDBMI_STATE_HALTED && w->fresh;
    struct stat_line line = {.time_s = monotonic_s() - s->start_s,
                             .interval_s = -1,
                             .rate = -1,
                             .lost = p->headerless ? -1 : (double)p->dropped,
                             .halted = -1,
                             .state = "since resume"};

    if (w->fresh)
        s->state = w->state;
    if (!ran || !s->options->restart_on_resume || p == &w->profile || p->attributed == 0)
        return STATUS_DONE;
    struct profile ran_only = *p;
    ran_only.from_s = 0; /* when it stopped is not known as well as that */
    if (!usage_of(s, &ran_only, &line.usage))
        return fail("out of memory");
    line.usage.tasks = line.usage.total_tasks;
    line.usage.interrupts = line.usage.total_interrupts;
    line.usage.idle = line.usage.total_idle;
    line.usage.unknown = line.usage.total_unknown;
    line.usage.samples = line.usage.total_samples;
    if (put_heading(s) && stat_line_put(s->file, s->options->format, &line, &s->mean))
        return STATUS_DONE;
    return signals_pending() ? STATUS_DONE : output_failed(s->options->output, NULL);
}

/* false: a signal says to leave. */
static bool wait_until(struct stat *s, double due_s)
{
    double drain_s = watch_drain_s(&s->watch);

    for (double left = due_s - monotonic_s(); left > 0; left = due_s - monotonic_s()) {
        struct pollfd wake = {.fd = s->wake_fd, .events = POLLIN};
        double next_s = drain_s > 0 ? fmin(left, drain_s) : left;
        if (poll(&wake, 1, monotonic_wait_ms(next_s)) > 0 || signals_pending())
            return false;
        if (drain_s > 0 && monotonic_s() < due_s) {
            signals_hold(true);
            watch_drain(&s->watch);
            signals_hold(false);
        }
    }
    return !signals_pending();
}

static int poll_target(struct stat *s)
{
    signals_hold(true);
    int status = watch_poll(&s->watch);
    if (status == STATUS_DONE)
        time_range_look(&s->watch);
    if (status == STATUS_DONE && !time_range_update(&s->range, &s->watch))
        status = watch_fail(&s->watch, "out of memory");
    signals_hold(false);
    if (status != STATUS_DONE)
        complain("%s", s->watch.failure);
    return status == STATUS_DONE ? show_stretch(s) : status;
}

/* While there is nothing to read, it is looked for more often than a line is due. */
static bool is_line_due(const struct stat *s)
{
    return s->watch.fresh || (s->begun && monotonic_s() - s->line_s >= s->options->delay_s * 0.999);
}

static int print_lines(void *stat)
{
    struct stat *s = stat;
    const struct options *o = s->options;
    int status = STATUS_DONE;

    while (status == STATUS_DONE && !signals_pending()) {
        double begin_s = monotonic_s();
        status = poll_target(s);
        if (status == STATUS_DONE && is_line_due(s))
            status = show(s);
        if (status != STATUS_DONE || (o->iterations && s->lines >= o->iterations))
            break;
        double due_s = begin_s + watch_delay_s(&s->watch, o->delay_s);
        if (!wait_until(s, fmax(due_s, monotonic_s() + watch_pause_s(&s->watch))))
            break;
    }
    if (o->format == FORMAT_TABLE && status == STATUS_DONE && s->lines != 0 &&
        !(stat_mean_put(s->file, &s->mean) && put_stacks(s)) && !signals_pending())
        status = output_failed(o->output, NULL);
    return status;
}

static bool open_output(struct stat *s)
{
    const char *path = s->options->output;

    s->file = path ? fopen(path, "we") : stdout;
    if (!s->file)
        complain("%s: %s", path, strerror(errno));
    return s->file != NULL;
}

static int run_on_target(struct stat *s)
{
    int status = open_output(s) ? STATUS_DONE : STATUS_FAILED;

    if (status == STATUS_DONE) {
        time_range_init(&s->range, s->options->restart_on_resume);
        status = watch_run(&s->watch, s->options, false, print_lines, s);
        free(s->tasks);
        stat_mean_free(&s->mean);
        time_range_free(&s->range);
    }
    if (s->file && s->file != stdout && fclose(s->file) != 0 && status == STATUS_DONE)
        status = output_failed(s->options->output, strerror(errno));
    return status;
}

int command_stat(const struct command *self, int argc, char **argv)
{
    struct options options;
    struct stat stat = {.options = &options, .start_s = monotonic_s()};
    int status;

    if (!options_parse(self, argc, argv, &options, &status))
        return status;
    options.stack_bytes = STACK_BYTES;
    if (target_is_dump(&options)) {
        complain("stat cannot read a memory dump; use 'mprof report --raw FILE'");
        return STATUS_USAGE;
    }
    stat.wake_fd = signals_begin();
    if (stat.wake_fd < 0)
        return STATUS_FAILED;
    status = run_on_target(&stat);
    return signals_end(status, false);
}
