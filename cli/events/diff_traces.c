/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two recordings side by side, and limits of the new one. */
#define _POSIX_C_SOURCE 200809L

#include <events/diff_traces.h>

#include <fnmatch.h>
#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <base/file.h>
#include <base/output.h>
#include <base/say.h>
#include <base/text.h>
#include <table/call_diff.h>
#include <table/junit.h>

#include "trace_diff.h"

/* Bytes of a name or of a message of the gate; longer ones are cut. */
#define TEXT_MAX 600

struct comparison {
    const struct options *options;
    struct trace_load loads[TRACE_SIDES];
    struct trace_side sides[TRACE_SIDES];
    struct trace_diff_row *rows; /* owned */
    struct view_call_diff diff;
    struct view_fields fields, sort; /* count 0: not given */
    struct verdicts verdicts;
    bool blind;  /* a limit could not be judged */
    bool failed; /* memory ran out */
};

bool diff_is_of_traces(const struct options *options)
{
    for (size_t i = 0; i < options->operand_count; i++) {
        if (trace_file_is(options->operands[i]))
            return true;
    }
    return options->call_limit_count != 0;
}

/* '@0' and the like are snapshots of a folder. */
static int check_file(const struct options *o, const char *path)
{
    struct stat about;
    char why[FILE_WHY_MAX];
    int fd = path[0] == '@' ? -1 : file_open(path, "a trace file", &about, why);

    if (fd < 0 && path[0] != '@') {
        complain("%s: %s", path, why);
        return STATUS_FAILED;
    }
    if (fd >= 0)
        close(fd);
    if (trace_file_is(path))
        return STATUS_DONE;
    complain(o->call_limit_count != 0 && !trace_file_is(o->operands[0])
                 ? "%s is no trace file: limits with '@' are for two traces"
                 : "%s is no trace file: compare two traces, or snapshots",
             path);
    return STATUS_USAGE;
}

/* One trace a side, and no option that is for snapshots. */
static int check(const struct options *o)
{
    static const char *const names[] = {"base",       "new",   "format", "output", "limit",
                                        "fail-above", "junit", "sort",   "fields", NULL};
    const char *other;

    for (size_t i = 0; i < o->operand_count; i++) {
        int status = check_file(o, o->operands[i]);
        if (status != STATUS_DONE)
            return status;
    }
    if (o->operand_count > TRACE_SIDES) {
        complain("more than two traces: give one as base and one as new");
        return STATUS_USAGE;
    }
    if (o->threshold_count != 0) {
        complain("--fail-above %s is for snapshots: give a limit of a trace, like 'f=120us@max'",
                 o->threshold_texts[0]);
        return STATUS_USAGE;
    }
    other = options_other_than(o, names);
    if (!other)
        return STATUS_DONE;
    complain("--%s has no use for traces", other);
    return STATUS_USAGE;
}

static bool take_columns(const char *option, const char *typed, struct view_fields *fields)
{
    char text[400];

    if (!typed || view_fields_parse(&view_call_diff_columns, typed, fields, text, sizeof(text)))
        return true;
    complain("--%s: %s", option, text);
    return false;
}

static int choose_columns(struct comparison *c)
{
    const struct options *o = c->options;

    if (!take_columns("fields", o->change_fields_typed, &c->fields) ||
        !take_columns("sort", o->change_sort_typed, &c->sort))
        return STATUS_USAGE;
    c->diff.fields = c->fields.count != 0 ? &c->fields : NULL;
    c->diff.sort = c->sort.count != 0 ? c->sort.column[0] : NULL;
    return STATUS_DONE;
}

static int load(struct comparison *c)
{
    const struct options *o = c->options;
    int status = STATUS_DONE;

    for (int side = 0; status == STATUS_DONE && side < TRACE_SIDES; side++) {
        status = trace_load(o->operands[side], &c->loads[side]);
        if (status != STATUS_DONE)
            break;
        const struct trace_about *about = trace_reader_about(c->loads[side].reader);
        c->sides[side] = c->loads[side].side;
        c->diff.files[side] = o->operands[side];
        c->diff.elves[side] = about->elf;
        c->diff.builds[side] = about->build;
    }
    return status;
}

static int compare(struct comparison *c)
{
    bool same_build = c->diff.builds[TRACE_SIDE_BASE][0] != '\0' &&
                      strcmp(c->diff.builds[TRACE_SIDE_BASE], c->diff.builds[TRACE_SIDE_NEW]) == 0;

    c->rows = trace_diff_rows(c->sides, same_build, &c->diff.count);
    if (!c->rows)
        return fail("out of memory");
    c->diff.sides = c->sides;
    c->diff.rows = c->rows;
    c->diff.limit = c->options->limit;
    return STATUS_DONE;
}

static int print(const struct comparison *c)
{
    const struct options *o = c->options;
    bool edge = !o->output && o->format == FORMAT_TABLE;
    const struct view_page page = {.width = edge ? output_width(STDOUT_FILENO) : 0,
                                   .utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0};
    char *text = view_call_diff(&c->diff, o->format, &page);

    if (o->format == FORMAT_JSON)
        text = text_with_newline(text);
    if (!text)
        return fail("out of memory");
    int status = output_write(o->output, text);
    free(text);
    return status;
}

static void add_verdict(struct comparison *c, enum verdict_kind kind, const char *name,
                        const char *message)
{
    if (!verdicts_add(&c->verdicts, kind, "fail-above", name, message))
        c->failed = true;
    else if (kind != VERDICT_PASSED)
        complain("gate: %s", message);
}

static bool is_matched(const struct call_limit *limit, const char *name)
{
    char glob[TEXT_MAX];

    snprintf(glob, sizeof(glob), "%.*s", (int)limit->glob_len, limit->glob);
    return strcmp(glob, name) == 0 || fnmatch(glob, name, 0) == 0;
}

static const char *name_of(const struct trace_diff_row *row)
{
    return row->of[row->of[TRACE_SIDE_NEW] ? TRACE_SIDE_NEW : TRACE_SIDE_BASE]->name;
}

/* A change is one of what base had too. */
static void hold_row(struct comparison *c, const struct call_limit *limit,
                     const struct trace_diff_row *row)
{
    double was = view_call_value(&c->diff, row, TRACE_SIDE_BASE, limit->value);
    double is = view_call_value(&c->diff, row, TRACE_SIDE_NEW, limit->value);
    double most = limit->relative ? was * (1 + limit->limit) : limit->limit;
    const char *name = name_of(row);
    char title[TEXT_MAX], message[TEXT_MAX], number[40], before[40];

    if (is < 0 || (limit->relative && was < 0))
        return;
    snprintf(title, sizeof(title), "%.400s: %.150s", name, limit->text + limit->glob_len + 1);
    view_call_value_show(&c->diff, limit->value, is, number, sizeof(number));
    view_call_value_show(&c->diff, limit->value, was, before, sizeof(before));
    if (is <= most)
        snprintf(message, sizeof(message), "%.400s: %s", name, number);
    else
        snprintf(message, sizeof(message), "%.300s: %s, base %s: above %.150s", name, number,
                 before, limit->text + limit->glob_len + 1);
    add_verdict(c, is <= most ? VERDICT_PASSED : VERDICT_FAILED, title, message);
}

/* The functions of a name: how many there are, and how many of them new has called. */
struct matched {
    size_t count, called;
};

/* Why a limit was held against no function. */
static const char *doubt_of(const struct comparison *c, const struct call_limit *limit,
                            struct matched matched)
{
    bool time = limit->value != CALL_VALUE_CALLS;

    if (matched.count == 0)
        return "neither trace has a function of this name";
    if (matched.called == 0)
        return "new has no call of it";
    if (time && !trace_diff_is_timed(c->sides))
        return "durations are not known on both sides in one unit";
    if (time && !limit->relative && !c->sides[TRACE_SIDE_NEW].state.seconds)
        return "times are ticks: give a change like +10%, or build with MPROF_TIME_HZ";
    if (!limit->relative && !view_call_value_has_unit(&c->diff, limit->value))
        return "how long a recording took is not known: give a change like +10%";
    return limit->relative ? "no call has a duration on both sides" : "no call has a duration";
}

static void hold_limit(struct comparison *c, const struct call_limit *limit)
{
    bool comparable = limit->relative || view_call_value_has_unit(&c->diff, limit->value);
    struct matched matched = {.count = 0};
    size_t before = c->verdicts.count;
    char message[TEXT_MAX];

    for (size_t i = 0; i < c->diff.count; i++) {
        if (!is_matched(limit, name_of(&c->rows[i])))
            continue;
        matched.count++;
        matched.called += c->rows[i].of[TRACE_SIDE_NEW] != NULL;
        if (comparable)
            hold_row(c, limit, &c->rows[i]);
    }
    if (c->verdicts.count != before)
        return;
    snprintf(message, sizeof(message), "%.300s cannot be judged: %s", limit->text,
             doubt_of(c, limit, matched));
    add_verdict(c, VERDICT_ERROR, limit->text, message);
    c->blind = true;
}

static int write_verdicts(const struct comparison *c)
{
    const char *path = c->options->junit;

    if (!path)
        return STATUS_DONE;
    char *text = junit_text(&c->verdicts);
    if (!text)
        return fail("out of memory");
    int status = output_write(strcmp(path, "-") == 0 ? NULL : path, text);
    free(text);
    return status;
}

/* A call that was lost may have been a longer one. */
static int gate(struct comparison *c)
{
    const struct options *o = c->options;

    for (size_t i = 0; i < o->call_limit_count; i++)
        hold_limit(c, &o->call_limits[i]);
    if (o->call_limit_count != 0 && c->sides[TRACE_SIDE_NEW].state.lost != 0)
        complain("gate: calls among the lost events of %s are not judged",
                 c->diff.files[TRACE_SIDE_NEW]);
    int status = c->failed ? fail("out of memory") : write_verdicts(c);
    if (c->verdicts.kinds[VERDICT_FAILED] != 0)
        return STATUS_GATE;
    return c->blind ? STATUS_FAILED : status;
}

int diff_traces(const struct options *options, bool *judged)
{
    struct comparison c = {.options = options};
    int status = check(options);

    if (status == STATUS_DONE)
        status = choose_columns(&c);
    if (status == STATUS_DONE)
        status = load(&c);
    if (status == STATUS_DONE)
        status = compare(&c);
    if (status == STATUS_DONE) {
        int printed = print(&c);
        status = gate(&c);
        *judged = true;
        status = status == STATUS_DONE ? printed : status;
    }
    verdicts_free(&c.verdicts);
    free(c.rows);
    for (int side = 0; side < TRACE_SIDES; side++)
        trace_load_free(&c.loads[side]);
    return status;
}
