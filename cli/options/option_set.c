/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks the value of each option, and stores it. */
#define _POSIX_C_SOURCE 200809L

#include "option_set.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <base/nearest.h>
#include <base/number.h>
#include <table/call_columns.h>
#include <table/call_diff.h>

#include "option_call_limit.h"
#include "option_trigger.h"
#include "option_words.h"

#define DELAY_MIN      0.01
#define DELAY_MAX      86400.0
#define TIMEOUT_MIN    0.01
#define TIMEOUT_MAX    3600.0
#define BLOCK_SIZE_MAX 65536
#define DEPTH_MAX      65536
#define EXPORTERS_MAX  16  /* more than there are formats */
#define LIMIT_MAX      1e4 /* of a change, 1000000 % */

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static bool wrong(char *text, const char *what, const char *value)
{
    snprintf(text, OPTION_TEXT, "'%s' is not %s", value, what);
    return false;
}

static bool refuse(char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool refuse(char *text, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(text, OPTION_TEXT, format, args);
    va_end(args);
    return false;
}

/* The value is none of the names, count of them. */
static bool not_one_of(char *text, const char *value, const char *const *names, size_t count)
{
    char list[OPTION_TEXT / 2] = "", hint[NEAREST_HINT];
    struct nearest near;
    size_t used = 0;

    nearest_begin(&near, value, strlen(value));
    for (size_t i = 0; i < count && used < sizeof(list); i++) {
        used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s", i ? ", " : "", names[i]);
        nearest_offer(&near, names[i]);
    }
    snprintf(text, OPTION_TEXT, "'%.60s' is not one of %s%s", value, list,
             nearest_hint(&near, "", hint, sizeof(hint)));
    return false;
}

static bool take_time(const char *value, double low, double high, double *seconds, char *text)
{
    if (number_parse_duration(value, low, high, seconds))
        return true;
    snprintf(text, OPTION_TEXT, "'%.60s' is not a time from %gs to %gh, like 500ms, 10s or 2min",
             value, low, high / 3600);
    return false;
}

static bool take_count(const char *value, unsigned long *count)
{
    double n;

    if (!number_parse(value, 1, 1e9, &n) || fabs(n - floor(n)) > 0)
        return false;
    *count = (unsigned long)n;
    return true;
}

/* Options whose value is taken as it is. */
#define TAKE(name, member)                                                   \
    bool option_set_##name(struct options *o, const char *value, char *text) \
    {                                                                        \
        (void)text;                                                          \
        o->member = value;                                                   \
        return true;                                                         \
    }
TAKE(gdb, link.gdb)
TAKE(tcl, link.tcl)
TAKE(target, link.target)
TAKE(serve, link.serve)
TAKE(qmp, link.qmp)
TAKE(mi, link.mi)
TAKE(raw, link.raw)
TAKE(records, link.records)
TAKE(record_link, link.record)
TAKE(play_link, link.play)
TAKE(symbol, symbol)
TAKE(budgets, budgets)
TAKE(junit, junit)
TAKE(type, type)
TAKE(context, context)
TAKE(output, output)
TAKE(script, script)
TAKE(check, check)

/* Options without one. */
#define SWITCH(name)                                                         \
    bool option_set_##name(struct options *o, const char *value, char *text) \
    {                                                                        \
        (void)value, (void)text;                                             \
        o->name = true;                                                      \
        return true;                                                         \
    }
SWITCH(force)
SWITCH(reset)
SWITCH(reset_target)
SWITCH(strict)
SWITCH(record)
SWITCH(arguments)
SWITCH(results)
SWITCH(restart_on_resume)
SWITCH(batch)
SWITCH(verbose)
SWITCH(keep_going)
SWITCH(live)
SWITCH(trace)
SWITCH(graph)
SWITCH(list)
SWITCH(patch)

bool option_set_elf(struct options *o, const char *value, char *text)
{
    bool again = o->elf_given && strcmp(value, o->elf) == 0;
    for (size_t i = 0; i < o->map.more_count; i++)
        again |= strcmp(value, o->map.more[i]) == 0;
    if (again)
        return refuse(text, "--elf %s was given twice", value);
    if (o->elf_given)
        return elf_map_add(&o->map, value) ||
               refuse(text, "--elf %s is one too many: 8 ELF files at most", value);
    o->elf_given = true;
    o->elf = value;
    return true;
}

bool option_set_alias(struct options *o, const char *value, char *text)
{
    return elf_map_alias(&o->map, value, text, OPTION_TEXT);
}

bool option_set_region(struct options *o, const char *value, char *text)
{
    return elf_map_region(&o->map, value, text, OPTION_TEXT);
}

bool option_set_mi_attach(struct options *o, const char *value, char *text)
{
    (void)text;
    o->link.mi_attach = true;
    o->link.mi_link = value;
    return true;
}

bool option_set_pid(struct options *o, const char *value, char *text)
{
    unsigned long pid;

    if (!take_count(value, &pid))
        return wrong(text, "a process ID", value);
    o->link.pid = (long)pid;
    return true;
}

bool option_set_block_size(struct options *o, const char *value, char *text)
{
    unsigned long bytes;

    if (!take_count(value, &bytes) || bytes > BLOCK_SIZE_MAX || (bytes & (bytes - 1)) != 0)
        return wrong(text, "a power of two from 1 to 65536", value);
    o->block_size = (unsigned)bytes;
    return true;
}

/* The sources of the profile have the same order. */
bool option_set_sampler(struct options *o, const char *value, char *text)
{
    if (strcmp(value, "auto") == 0) {
        o->sampler = SAMPLER_AUTO;
        return true;
    }
    for (int i = SAMPLER_TABLE; i <= SAMPLER_HISTOGRAM; i++) {
        if (strcmp(value, decode_source_name((enum decode_source)(i - SAMPLER_TABLE))) == 0) {
            o->sampler = (enum sampler_kind)i;
            return true;
        }
    }
    for (int i = SAMPLER_PCSR; i <= SAMPLER_HALT; i++) {
        if (strcmp(value,
                   decode_source_name((enum decode_source)(i - SAMPLER_PCSR + DECODE_PCSR))) == 0) {
            o->sampler = (enum sampler_kind)i;
            return true;
        }
    }
    return not_one_of(text, value, option_samplers, OPTION_SAMPLERS);
}

bool option_set_burst(struct options *o, const char *value, char *text)
{
    (void)value;
    (void)text;
    o->burst = true;
    return true;
}

bool option_set_stacks(struct options *o, const char *value, char *text)
{
    uint64_t depth = OPTION_STACKS_NORMAL;

    if (value &&
        (!number_parse_digits(value, 10, &depth) || depth == 0 || depth > PROFILE_STACK_DEPTH))
        return wrong(text, "a number of functions, 1 to 128", value);
    o->stacks = (unsigned)depth;
    return true;
}

bool option_set_allow_halt(struct options *o, const char *value, char *text)
{
    o->link.allow_halt = true;
    o->duty = OPTION_DUTY_NORMAL;
    return !value || number_parse_part(value, 1e-300, 1, &o->duty) ||
           wrong(text, "a fraction of the time, like 0.05 or 5%", value);
}

bool option_set_link_share(struct options *o, const char *value, char *text)
{
    return number_parse_part(value, 0.001, 1, &o->link_share) ||
           wrong(text, "a part of the link's time, like 0.25 or 25%", value);
}

bool option_set_by(struct options *o, const char *value, char *text)
{
    return view_by_parse(value, &o->by) || not_one_of(text, value, option_bys, OPTION_BYS);
}

bool option_set_change_by(struct options *o, const char *value, char *text)
{
    return view_by_parse(value, &o->by) || not_one_of(text, value, option_bys, OPTION_CHANGE_BYS);
}

bool option_set_ignore(struct options *o, const char *value, char *text)
{
    return view_ignore_parse(value, &o->ignore, text, OPTION_TEXT);
}

bool option_set_idle(struct options *o, const char *value, char *text)
{
    return view_ignore_parse(value, &o->idle, text, OPTION_TEXT);
}

bool option_set_filter(struct options *o, const char *value, char *text)
{
    return view_ignore_parse(value, &o->traced, text, OPTION_TEXT);
}

bool option_set_not(struct options *o, const char *value, char *text)
{
    return view_ignore_parse(value, &o->not_traced, text, OPTION_TEXT);
}

bool option_set_start_at(struct options *o, const char *value, char *text)
{
    return option_trigger_parse(value, &o->start_at, text);
}

bool option_set_stop_at(struct options *o, const char *value, char *text)
{
    return option_trigger_parse(value, &o->stop_at, text);
}

bool option_set_between(struct options *o, const char *value, char *text)
{
    o->between_typed = value;
    return option_between_parse(value, &o->between, text);
}

bool option_set_worst(struct options *o, const char *value, char *text)
{
    o->worst_typed = value;
    return view_ignore_parse(value, &o->worst, text, OPTION_TEXT);
}

bool option_set_depth(struct options *o, const char *value, char *text)
{
    return (take_count(value, &o->depth) && o->depth <= DEPTH_MAX) ||
           wrong(text, "a number of levels from 1 to 65536", value);
}

bool option_set_below(struct options *o, const char *value, char *text)
{
    return view_ignore_parse(value, &o->below, text, OPTION_TEXT);
}

bool option_set_shortest(struct options *o, const char *value, char *text)
{
    return number_parse_duration(value, 1e-9, DELAY_MAX, &o->shortest_s) ||
           wrong(text, "a time up to 24h, like 20us or 1.5ms", value);
}

bool option_set_stack(struct options *o, const char *value, char *text)
{
    return view_ignore_parse(value, &o->stack, text, OPTION_TEXT);
}

/* Columns of a trace are allowed here; options_parse() refuses them where there is none. */
static bool are_call_columns(struct options *o, const struct view_columns *of, const char *value)
{
    struct view_fields fields;
    char text[OPTION_TEXT];
    bool known = view_fields_parse(of, value, &fields, text, sizeof(text));

    o->unknown_columns |= !known;
    return known;
}

bool option_set_fields(struct options *o, const char *value, char *text)
{
    o->fields_given = true;
    o->fields_typed = value;
    return view_fields_parse(&view_ranking_columns, value, &o->fields, text, OPTION_TEXT) ||
           are_call_columns(o, &view_call_columns, value);
}

static bool take_column(const struct view_columns *of, const struct view_column **column,
                        const char *value, char *text)
{
    struct view_fields one;

    if (!view_fields_parse(of, value, &one, text, OPTION_TEXT))
        return false;
    *column = one.column[0];
    return one.count == 1 || wrong(text, "one column", value);
}

bool option_set_sort(struct options *o, const char *value, char *text)
{
    o->sort_typed = value;
    return take_column(&view_ranking_columns, &o->sort, value, text) ||
           (!strchr(value, ',') && are_call_columns(o, &view_call_columns, value));
}

bool option_set_change_fields(struct options *o, const char *value, char *text)
{
    o->change_fields_typed = value;
    return view_fields_parse(&view_change_columns, value, &o->change_fields, text, OPTION_TEXT) ||
           are_call_columns(o, &view_call_diff_columns, value);
}

bool option_set_change_sort(struct options *o, const char *value, char *text)
{
    o->change_sort_typed = value;
    return take_column(&view_change_columns, &o->change_sort, value, text) ||
           (!strchr(value, ',') && are_call_columns(o, &view_call_diff_columns, value));
}

bool option_set_per(struct options *o, const char *value, char *text)
{
    static const char prefix[] = "function:";
    static const char *const names[] = {"iteration", "second", "median", "function:NAME"};
    struct diff_options *d = &o->change.diff;

    o->change.per_function = NULL;
    if (strcmp(value, "iteration") == 0) {
        d->per = DIFF_PER_ITERATION;
    } else if (strcmp(value, "median") == 0) {
        d->per = DIFF_PER_MEDIAN;
    } else if (strcmp(value, "second") == 0) {
        d->per = DIFF_PER_SECOND;
    } else if (strncmp(value, prefix, strlen(prefix)) == 0 && value[strlen(prefix)]) {
        d->per = DIFF_PER_FUNCTION;
        o->change.per_function = value + strlen(prefix);
    } else {
        return not_one_of(text, value, names, COUNT(names));
    }
    return true;
}

bool option_set_fdr(struct options *o, const char *value, char *text)
{
    return number_parse_part(value, 1e-9, 0.5, &o->change.diff.fdr) ||
           wrong(text, "a fraction above 0 and up to 0.5, like 0.05 or 5%", value);
}

bool option_set_noise(struct options *o, const char *value, char *text)
{
    return number_parse_part(value, 0, 1, &o->change.diff.noise) ||
           wrong(text, "a relative standard deviation like 2% or 0.02", value);
}

bool option_set_fail_above(struct options *o, const char *value, char *text)
{
    if (option_is_call_limit(value))
        return option_add_call_limit(o, value, text);
    if (o->threshold_count == OPTION_THRESHOLDS)
        return refuse(text, "--fail-above %s is one too many: 64 limits at most", value);
    struct gate_threshold *t = &o->thresholds[o->threshold_count];
    if (!gate_parse(value, t))
        return wrong(text, "a limit like +2pp, +5%, 'fir_*=+5%', or of traces 'f=120us@max'",
                     value);
    if (t->limit <= -1)
        return refuse(text, "'%s' can never be exceeded: nothing falls by more than 100 %%", value);
    if (t->limit > LIMIT_MAX)
        return refuse(text, "'%s' is above the largest limit, 1000000 %%", value);
    o->threshold_texts[o->threshold_count++] = value;
    return true;
}

bool option_set_iterations(struct options *o, const char *value, char *text)
{
    return take_count(value, &o->iterations) ||
           wrong(text, "a number of refreshes, 1 or more", value);
}

bool option_set_events(struct options *o, const char *value, char *text)
{
    return take_count(value, &o->iterations) || wrong(text, "a number of events, 1 or more", value);
}

bool option_set_delay(struct options *o, const char *value, char *text)
{
    return take_time(value, DELAY_MIN, DELAY_MAX, &o->delay_s, text);
}

bool option_set_wait(struct options *o, const char *value, char *text)
{
    return take_time(value, 0, DELAY_MAX, &o->wait_s, text);
}

bool option_set_timeout(struct options *o, const char *value, char *text)
{
    double seconds;

    if (!take_time(value, TIMEOUT_MIN, TIMEOUT_MAX, &seconds, text))
        return false;
    o->link.timeout_ms = (int)(seconds * 1e3);
    return true;
}

bool option_set_limit(struct options *o, const char *value, char *text)
{
    unsigned long limit;

    if (!take_count(value, &limit))
        return wrong(text, "a number of rows, 1 or more", value);
    o->limit = limit;
    return true;
}

bool option_set_format(struct options *o, const char *value, char *text)
{
    const char *names[OPTION_FORMATS];
    size_t count = option_list_formats(o->formats, names);

    for (size_t i = 0; i < OPTION_FORMATS; i++) {
        if (strcmp(value, option_formats[i]) == 0 && (o->formats == 0 || (o->formats & 1U << i))) {
            o->format = (enum view_format)i;
            return true;
        }
    }
    return not_one_of(text, value, names, count);
}

bool option_set_coverage_format(struct options *o, const char *value, char *text)
{
    const char *names[] = {option_formats[0], option_formats[1], option_formats[2],
                           option_formats[3], "lcov"};

    o->lcov = strcmp(value, "lcov") == 0;
    for (size_t i = 0; !o->lcov && i < OPTION_FORMATS; i++) {
        if (strcmp(value, option_formats[i]) == 0) {
            o->format = (enum view_format)i;
            return true;
        }
    }
    return o->lcov || not_one_of(text, value, names, sizeof(names) / sizeof(names[0]));
}

bool option_set_fail_under(struct options *o, const char *value, char *text)
{
    return (number_parse_part(value, 0, 1, &o->fail_under) && o->fail_under > 0) ||
           wrong(text, "a share above 0, like 80% or 0.8", value);
}

bool option_set_cross_check(struct options *o, const char *value, char *text)
{
    (void)value, (void)text;
    o->cross_check = true;
    return true;
}

bool option_set_anonymous(struct options *o, const char *value, char *text)
{
    (void)value, (void)text;
    o->anonymous = true;
    return true;
}

bool option_set_not_seen(struct options *o, const char *value, char *text)
{
    (void)value, (void)text;
    o->not_seen = true;
    return true;
}

bool option_set_exporter(struct options *o, const char *value, char *text)
{
    const char *names[EXPORTERS_MAX];
    size_t count = 0;

    o->exporter = exporter_find(value);
    for (const struct exporter *x = exporters; x->name && count < EXPORTERS_MAX; x++)
        names[count++] = x->name;
    return o->exporter || not_one_of(text, value, names, count);
}

bool option_set_duration(struct options *o, const char *value, char *text)
{
    return take_time(value, DELAY_MIN, DELAY_MAX, &o->duration_s, text);
}

bool option_set_focus(struct options *o, const char *value, char *text)
{
    o->focus_s = 1;
    return !value || take_time(value, DELAY_MIN, DELAY_MAX, &o->focus_s, text);
}

bool option_set_hits(struct options *o, const char *value, char *text)
{
    return take_count(value, &o->hits) || wrong(text, "a number of hits, 1 or more", value);
}

bool option_set_precision(struct options *o, const char *value, char *text)
{
    return (number_parse(value, 0, 1, &o->precision) && o->precision > 0) ||
           wrong(text, "a share above 0, like 0.01", value);
}

bool option_set_runs(struct options *o, const char *value, char *text)
{
    return (take_count(value, &o->runs) && o->runs <= OPTION_RUNS_MAX) ||
           wrong(text, "a number of runs from 1 to 50", value);
}

bool option_set_settle(struct options *o, const char *value, char *text)
{
    return take_time(value, 0, DELAY_MAX, &o->settle_s, text);
}

bool option_set_store(struct options *o, const char *value, char *text)
{
    (void)text;
    o->store_given = true;
    o->store = value;
    return true;
}

/* The value is the first of the side's operands, which the parser collects. */
bool option_set_base(struct options *o, const char *value, char *text)
{
    (void)value, (void)text;
    o->side = OPTION_SIDE_BASE;
    return true;
}

bool option_set_new(struct options *o, const char *value, char *text)
{
    (void)value, (void)text;
    o->side = OPTION_SIDE_NEW;
    return true;
}

bool option_set_source(struct options *o, const char *value, char *text)
{
    size_t count = 0;

    while (o->sources[count])
        count++;
    if (count == OPTION_SOURCES_MAX)
        return refuse(text, "--source %s is one too many: 16 folders at most", value);
    union {
        const char *given;
        char *kept;
    } folder = {.given = value};
    o->sources[count] = folder.kept;
    return true;
}

bool option_set_min(struct options *o, const char *value, char *text)
{
    return number_parse_part(value, 0, 1, &o->min_share) ||
           wrong(text, "a share like 0.005 or 0.5%", value);
}

bool option_set_disassembler(struct options *o, const char *value, char *text)
{
    (void)text;
    o->disassembler = value;
    return true;
}
