/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Coverage of files: lcov tracefiles, snapshots of calls, traces. */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <base/file.h>
#include <base/path.h>
#include <base/say.h>
#include <base/signals.h>
#include <coverage/report.h>
#include <events/trace_file.h>
#include <load/elf_apply.h>
#include <load/files.h>
#include <trace/reader.h>

#include "seen.h"

/* A tracefile of a large program has some megabytes. */
#define BYTES_MAX (256u << 20)

/* Says it if a file cannot be opened. */
static int check_files(const struct options *o)
{
    struct stat about;
    char why[FILE_WHY_MAX];

    for (size_t i = 0; i < o->operand_count; i++) {
        int fd = file_open(o->operands[i], "a coverage file", &about, why);
        if (fd < 0) {
            complain("%s: %s", o->operands[i], why);
            return STATUS_FAILED;
        }
        close(fd);
    }
    return STATUS_DONE;
}

/* Whether it begins as an lcov tracefile does. What cannot be read is none. */
static bool is_lcov(const char *path)
{
    struct stat about;
    char start[3];
    size_t have = 0;
    int fd = file_open(path, "a coverage file", &about, NULL);

    if (fd < 0)
        return false;
    bool done = file_read(fd, start, sizeof(start), &have);
    close(fd);
    return done && coverage_is_lcov(start, have);
}

/* The file as a text, which the caller frees; NULL: said why not. */
static char *read_text(const char *path)
{
    struct stat about;
    char why[FILE_WHY_MAX];
    int fd = file_open(path, "a coverage file", &about, why);
    size_t have = 0;

    if (fd < 0) {
        complain("%s: %s", path, why);
        return NULL;
    }
    size_t size = about.st_size >= 0 && about.st_size <= BYTES_MAX ? (size_t)about.st_size : 0;
    char *text = malloc(size + 1);
    bool done = text && size == (size_t)about.st_size && file_read(fd, text, size, &have);
    int error = text ? size == (size_t)about.st_size ? errno : EFBIG : ENOMEM;
    close(fd);
    if (done) {
        text[have] = '\0';
        if (strlen(text) == have)
            return text;
    }
    complain("%s: %s", path, done ? "is damaged: it has bytes of 0" : strerror(error));
    free(text);
    return NULL;
}

static int add_lcov(const char *path, struct coverage *c)
{
    char *text = read_text(path);
    size_t bad = 0;

    if (!text)
        return STATUS_FAILED;
    bool done = coverage_read_lcov(c, text, &bad);
    free(text);
    if (!done)
        return fail("out of memory");
    if (bad == 0)
        return STATUS_DONE;
    complain("%s:%zu: not a line of an lcov tracefile, or the file is cut short there: write it "
             "again with 'mprof coverage --format lcov' or geninfo",
             path, bad);
    return STATUS_FAILED;
}

static int read_lcov(const struct options *o, struct coverage_report *r)
{
    int status = STATUS_DONE;

    for (size_t i = 0; status == STATUS_DONE && i < o->operand_count; i++)
        status = add_lcov(o->operands[i], r->c);
    r->lost_unknown = r->c->counts == COVERAGE_SEEN;
    return status;
}

/* Whether the calls of a file are of this ELF file. build may be "". */
static int check_build(const struct options *o, struct symtab *symtab, const char *path,
                       const char *build)
{
    if (o->force || symtab_compare_build(symtab, build) != SYMTAB_BUILD_OTHER)
        return STATUS_DONE;
    complain("%s is of another build than %s: give the ELF file that ran, or --force", path,
             o->elf);
    return STATUS_FAILED;
}

/* Of a process that was loaded elsewhere than the file says: its first function tells. */
static uint64_t bias_of(const struct snapshot *s, const struct seen *seen)
{
    const struct snapshot_mapping *program = s->mapping_count ? &s->mappings[0] : NULL;

    if (!s->ours || !program || program->start == 0 || seen->count == 0)
        return 0;
    return program->start - seen->functions[0].addr;
}

static int add_profile(const struct options *o, char *path, struct snapshot *s, struct seen *seen,
                       struct coverage_report *r)
{
    struct profile profile;
    uint32_t type;

    profile_init(&profile);
    int status = files_choose_type(o, s, false, path, &type);
    if (status == STATUS_DONE)
        status = files_profile(s, type, true, path, &profile);
    if (status == STATUS_DONE && profile.unit != DECODE_UNIT_CALLS) {
        complain("%s has samples: a function without any may have run; take snapshots with "
                 "--sampler calls or arcs",
                 path);
        status = STATUS_FAILED;
    }
    if (status == STATUS_DONE)
        seen_profile(seen, &profile, bias_of(s, seen));
    r->lost += (uint64_t)profile.dropped + profile.displaced;
    profile_free(&profile);
    return status;
}

static int add_snapshot(const struct options *o, char *path, struct seen *seen,
                        struct coverage_report *r)
{
    struct snapshot *s = NULL;
    int status = files_load(&path, 1, &s);

    if (status == STATUS_DONE)
        status =
            check_build(o, seen->symtab, path, s->mapping_count ? s->mappings[0].build_id : "");
    if (status == STATUS_DONE)
        status = add_profile(o, path, s, seen, r);
    snapshot_free(s);
    return status;
}

static int add_events(const struct options *o, const char *path, struct trace_reader *reader,
                      struct seen *seen, struct coverage_report *r)
{
    const struct trace_points *points = trace_reader_points(reader);
    struct trace_event event;

    while (trace_reader_next(reader, &event) && !signals_pending()) {
        if (event.kind == TRACE_RUN &&
            check_build(o, seen->symtab, path, trace_reader_about(reader)->build) != STATUS_DONE)
            return STATUS_FAILED;
        if (event.kind == TRACE_OVERWRITTEN || event.kind == TRACE_UNFINISHED ||
            event.kind == TRACE_FULL)
            r->lost += event.count;
        if (event.kind != TRACE_CALL)
            continue;
        const struct trace_point *p = trace_point_at(points, event.point);
        if (p->kind == TRACE_ENTRY)
            seen_add(seen, trace_function_at(points, p->function)->addr, 1);
        else if (p->kind == TRACE_EXIT)
            seen_ran(seen, trace_function_at(points, p->function)->addr);
        if (p->kind != TRACE_MARK && p->caller_function != TRACE_NO_FUNCTION)
            seen_ran(seen, trace_function_at(points, p->caller_function)->addr);
    }
    return STATUS_DONE;
}

static int add_trace(const struct options *o, const char *path, struct seen *seen,
                     struct coverage_report *r)
{
    char text[TRACE_TEXT];
    struct trace_reader *reader = trace_reader_open(path, text);

    if (!reader)
        return fail(text);
    int status = add_events(o, path, reader, seen, r);
    if (status == STATUS_DONE && !signals_pending())
        status = trace_file_say(path, reader);
    trace_reader_close(reader);
    return status;
}

static int add_all(const struct options *o, struct seen *seen, struct coverage_report *r)
{
    int status = STATUS_DONE;

    for (size_t i = 0; status == STATUS_DONE && i < o->operand_count; i++) {
        char *path = o->operands[i];
        if (is_lcov(path)) {
            complain("%s is an lcov tracefile: give only such files, or only snapshots and traces",
                     path);
            return STATUS_USAGE;
        }
        status = trace_file_is(path) ? add_trace(o, path, seen, r) : add_snapshot(o, path, seen, r);
    }
    return status;
}

static int read_calls(const struct options *o, struct coverage_report *r)
{
    struct symtab *symtab = NULL;
    struct seen seen = {.calls = NULL};
    char text[600];

    if (!o->elf) {
        complain(
            "missing ELF file: %s is no lcov tracefile, and the functions that were not called "
            "are in the ELF file; give --elf FILE",
            o->operands[0]);
        return STATUS_USAGE;
    }
    if (symtab_load_until(o->elf, signals_stop, &symtab, text, sizeof(text)) != SYMTAB_OK ||
        !elf_apply(&o->map, symtab, text, sizeof(text))) {
        symtab_free(symtab);
        return signals_pending() ? STATUS_DONE : fail(text);
    }
    int status = seen_begin(&seen, symtab) ? add_all(o, &seen, r) : fail("out of memory");
    if (status == STATUS_DONE && !seen_end(&seen, r))
        status = fail("out of memory");
    snprintf(r->elf, sizeof(r->elf), "%s", path_base_name(o->elf));
    snprintf(r->build, sizeof(r->build), "%s", symtab_build(symtab));
    seen_free(&seen);
    symtab_free(symtab);
    return status;
}

int coverage_read_files(const struct options *options, struct coverage_report *report)
{
    size_t count = options->operand_count;

    report->c = coverage_new();
    if (!report->c)
        return fail("out of memory");
    if (count == 1)
        snprintf(report->origin, sizeof(report->origin), "%s", options->operands[0]);
    else
        snprintf(report->origin, sizeof(report->origin), "%zu files", count);
    int status = check_files(options);
    if (status != STATUS_DONE)
        return status;
    return is_lcov(options->operands[0]) ? read_lcov(options, report) : read_calls(options, report);
}
