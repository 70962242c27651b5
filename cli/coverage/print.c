/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report of mprof coverage, and its gate. */
#define _POSIX_C_SOURCE 200809L

#include <inttypes.h>
#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <base/output.h>
#include <base/say.h>
#include <coverage/report.h>
#include <ranking/build.h>
#include <table/json_parts.h>
#include <table/table.h>

#include "rows.h"

#define FIELDS_LINES "covered,lines_reached,lines,count,function,where,not_reached"
#define FIELDS_BITS  "covered,lines_reached,lines,function,where,not_reached"
#define FIELDS_SEEN  "calls,function,where"

/* The keys are a contract. */
#define FIELDS_ALL \
    "function,file,line,count,lines,lines_reached,blocks,blocks_reached,covered,not_reached"

static bool has_lines(const struct coverage_report *r)
{
    return r->c->counts != COVERAGE_SEEN || r->c->line_count != 0;
}

/* The table of people has a column without a name for programs. */
static struct view_fields fields_of(const struct coverage_report *r, enum view_format format)
{
    const char *list = !has_lines(r)                    ? FIELDS_SEEN
                       : r->c->counts == COVERAGE_TIMES ? FIELDS_LINES
                                                        : FIELDS_BITS;

    return view_fields_of(&coverage_columns,
                          format == FORMAT_JSON || format == FORMAT_CSV ? FIELDS_ALL : list);
}

static void add_sums(const struct coverage_report *r, struct text *t)
{
    const struct coverage_sums s = coverage_sums(r->c);
    bool seen = !has_lines(r);

    text_printf(t, "%s: ", r->origin);
    if (!seen && s.lines != 0)
        text_printf(t, "%zu of %zu lines reached (%.1f %%), ", s.lines_reached, s.lines,
                    100 * (double)s.lines_reached / (double)s.lines);
    text_printf(t, "%zu of %zu functions %s", s.functions_reached, s.functions,
                seen ? "seen" : "reached");
    if (s.blocks != 0)
        text_printf(t, ", %zu of %zu blocks", s.blocks_reached, s.blocks);
    if (r->elf[0])
        text_printf(t, "; %s", r->elf);
    if (r->build[0])
        text_printf(t, ", build %.*s", view_build_len(r->build), r->build);
}

/* What a function without calls is. */
static void add_seen(const struct coverage_report *r, struct text *t)
{
    if (r->c->counts == COVERAGE_SEEN && r->lost_unknown)
        text_printf(t,
                    "not seen: no call was recorded; tracefiles do not say if calls were lost\n");
    else if (r->c->counts == COVERAGE_SEEN && r->lost == 0)
        text_printf(t, "not seen: no call was recorded, and none was lost\n");
    else if (r->c->counts == COVERAGE_SEEN)
        text_printf(t,
                    "not seen: no call was recorded, but %" PRIu64
                    " calls were lost, maybe of these functions\n",
                    r->lost);
}

/* What the numbers do not say, a line each. */
static void add_notes(const struct coverage_report *r, struct text *t)
{
    if (r->unhooked)
        text_printf(t, "no call hooks in the ELF file: functions that have none are listed too\n");
    if (r->uncovered != 0)
        text_printf(t, "%zu blocks are outside of the covered code and not listed", r->uncovered);
    if (r->uncovered != 0 && r->needs != 0)
        text_printf(t, ": build with MPROF_COVERAGE_SIZE=0x%" PRIx64,
                    (r->needs + 127) & ~(uint64_t)127);
    if (r->uncovered != 0)
        text_printf(t, "\n");
    if (r->outside != 0)
        text_printf(t, "reached outside of the covered code: %" PRIu64 " times\n", r->outside);
    if (r->jumps != 0)
        text_printf(t,
                    "%zu functions jump to the hook, so that it is not known whether they were "
                    "reached: compile with -fno-optimize-sibling-calls\n",
                    r->jumps);
    else if (r->strays != 0)
        text_printf(t,
                    "%zu places were reached where the ELF file has no call of the hook: is it the "
                    "one that runs?\n",
                    r->strays);
    if (r->full != 0)
        text_printf(t, "%zu counters are full: these places may have been reached more often\n",
                    r->full);
    if (r->early[0])
        text_printf(t,
                    "%s may have been reached before start-up code cleared the RAM: compile it "
                    "without coverage\n",
                    r->early);
}

/* The same as lines on standard error, for formats that have no place for them. */
static bool say_notes(const struct coverage_report *r)
{
    struct text t = {.bytes = NULL};
    char *next;

    if (r->lost != 0 || r->lost_unknown)
        add_seen(r, &t);
    add_notes(r, &t);
    char *notes = text_end(&t);
    for (char *line = notes; line && *line; line = next) {
        next = line + strcspn(line, "\n");
        *next++ = '\0';
        complain("%s", line);
    }
    free(notes);
    return notes != NULL;
}

static void add_escaped(struct text *t, struct text *from, bool markdown)
{
    char *line = text_end(from);

    if (!line)
        t->failed = true;
    else if (markdown)
        text_markdown(t, line);
    else
        text_escape(t, line, "", "");
    free(line);
}

static json_t *known(uint64_t count, bool is_known)
{
    return is_known ? json_integer((json_int_t)count) : json_null();
}

static json_t *object_of(const struct coverage_report *r, const struct view_table *table)
{
    static const char *const counts[] = {
        [COVERAGE_TIMES] = "times", [COVERAGE_REACHED] = "reached", [COVERAGE_SEEN] = "seen"};
    const struct coverage_sums s = coverage_sums(r->c);

    return json_pack(
        "{s:o, s:o, s:o, s:s, s:I, s:I, s:I, s:I, s:o, s:o, s:o, s:I, s:I, s:I, s:I, s:I, s:o}",
        "source", json_text(r->origin), "elf", json_text(r->elf), "build", json_text(r->build),
        "counts", counts[r->c->counts], "lines", (json_int_t)s.lines, "lines_reached",
        (json_int_t)s.lines_reached, "functions", (json_int_t)s.functions, "functions_reached",
        (json_int_t)s.functions_reached, "blocks", known(s.blocks, s.blocks != 0), "blocks_reached",
        known(s.blocks_reached, s.blocks != 0), "lost", known(r->lost, !r->lost_unknown), "outside",
        (json_int_t)r->outside, "uncovered", (json_int_t)r->uncovered, "strays",
        (json_int_t)r->strays, "jumps", (json_int_t)r->jumps, "full", (json_int_t)r->full, "rows",
        view_table_json(table));
}

static char *report_text(const struct options *o, const struct coverage_report *r,
                         const struct coverage_rows *rows)
{
    struct view_fields fields = fields_of(r, o->format);
    size_t shown = o->limit && o->limit < rows->count ? o->limit : rows->count;
    const struct view_table table = {
        .fields = &fields, .rows = rows->all, .size = sizeof(*rows->all), .count = shown};
    bool edge = !o->output && o->format == FORMAT_TABLE;
    struct text t = {.bytes = NULL}, line = {.bytes = NULL};

    if (o->format == FORMAT_JSON)
        return text_with_newline(json_line(object_of(r, &table)));
    if (o->format != FORMAT_CSV) {
        add_sums(r, &line);
        add_escaped(&t, &line, o->format == FORMAT_MARKDOWN);
        text_printf(&t, "\n");
        add_seen(r, &t);
        add_notes(r, &t);
        text_printf(&t, "\n");
    }
    view_table_write(&table, o->format, edge ? output_width(STDOUT_FILENO) : 0, &t);
    if (o->format != FORMAT_CSV && shown < rows->count)
        text_printf(&t, "\n%zu more rows\n", rows->count - shown);
    return text_end(&t);
}

int coverage_print(const struct options *options, const struct coverage_report *report)
{
    struct coverage_rows rows = {.all = NULL};
    char *text = NULL;

    coverage_sort(report->c);
    if (options->lcov)
        text = coverage_lcov(report->c);
    else if (coverage_rows_make(report->c, options->not_seen, &rows))
        text = report_text(options, report, &rows);
    coverage_rows_free(&rows);
    bool bare = options->lcov || options->format == FORMAT_CSV;
    if (text && bare && !say_notes(report)) {
        free(text);
        text = NULL;
    }
    if (!text)
        return fail("out of memory");
    int status = output_write(options->output, text);
    free(text);
    return status;
}

int coverage_gate(const struct options *options, const struct coverage_report *report)
{
    const struct coverage_sums s = coverage_sums(report->c);
    bool lines = has_lines(report) && s.lines != 0;
    size_t all = lines ? s.lines : s.functions;
    size_t reached = lines ? s.lines_reached : s.functions_reached;

    if (options->fail_under <= 0)
        return STATUS_DONE;
    if (all == 0)
        return fail("gate: --fail-under cannot be judged: there are no lines and no functions");
    if (report->uncovered != 0)
        complain("gate: %zu blocks outside of the covered code are not judged", report->uncovered);
    if ((double)reached >= options->fail_under * (double)all)
        return STATUS_DONE;
    complain("gate: %zu of %zu %s %s: %.2f %% is less than %g %%", reached, all,
             lines ? "lines" : "functions", lines ? "reached" : "seen",
             100 * (double)reached / (double)all, 100 * options->fail_under);
    return STATUS_GATE;
}
