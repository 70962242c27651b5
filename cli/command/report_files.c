/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mprof report FILE...: one ranking of snapshots, without a target. */
#define _POSIX_C_SOURCE 200809L

#include "report_files.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <base/path.h>
#include <base/say.h>
#include <base/signals.h>
#include <load/files.h>
#include <profile/unsure.h>
#include <ranking/context.h>

#include "top_output.h"

/* Clocks of two machines are seldom closer. */
#define LEAST_AHEAD_S 1

/* A report in the making. */
struct report {
    const struct options *options;
    struct snapshot *snapshot;
    struct file_names names;
    struct profile profile;
    uint32_t type;
    char origin[200];
    char unit[120];
    char doubt[PROFILE_DOUBT_TEXT];
};

/* Seconds; a clock may be behind the one of the snapshot. NAN: not known. */
static double age_of(const struct snapshot *s)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    int64_t end_ns = snapshot_end_ns(s);
    double age = (double)now.tv_sec + (double)now.tv_nsec * 1e-9 - (double)end_ns * 1e-9;
    if (end_ns <= 0)
        return NAN;
    return age < 0 && age > -LEAST_AHEAD_S ? 0 : age;
}

static void describe(struct report *r)
{
    const struct snapshot_type *type = &r->snapshot->types[r->type];
    const struct options *o = r->options;

    if (o->operand_count == 1)
        snprintf(r->origin, sizeof(r->origin), "%s", o->operands[0]);
    else
        snprintf(r->origin, sizeof(r->origin), "%zu files, the first is %s", o->operand_count,
                 o->operands[0]);
    if (r->profile.unsure & PROFILE_SCALE)
        snprintf(r->unit, sizeof(r->unit), "%s", profile_unit_name(&r->profile));
    else if (strcmp(type->unit, "count") == 0)
        snprintf(r->unit, sizeof(r->unit), "%s", type->name);
    else
        snprintf(r->unit, sizeof(r->unit), "%s/%s", type->name, type->unit);
}

static struct view_status status_of(const struct report *r)
{
    const struct snapshot *s = r->snapshot;
    const struct snapshot_conditions *c = &s->conditions;
    const struct snapshot_mapping *program = s->mapping_count ? &s->mappings[0] : NULL;
    double duration_s = (double)s->duration_ns * 1e-9;

    return (struct view_status){
        .command = "report",
        .elf = c->elf[0] || !program ? c->elf : path_base_name(program->file),
        .build_id = program ? program->build_id : "",
        .identity = c->identity,
        .kind = c->link,
        .server = c->server,
        .address = c->address,
        .target = c->target,
        .arch = c->arch,
        .sampler = c->sampler,
        .origin = r->origin,
        .unit = r->unit,
        .message = r->doubt,
        .alarm = r->profile.locked,
        .warning = r->doubt[0] != '\0',
        .halts = c->halts,
        .halted_ms = (double)c->halted_ns * 1e-6,
        .halted_share = s->duration_ns > 0 ? (double)c->halted_ns / (double)s->duration_ns : 0,
        .poll_ms = -1,
        .age_s = age_of(s),
        .time_s = s->duration_ns > 0 ? duration_s : -1,
        .addr_size = c->addr_size == 4 || c->addr_size == 8 ? (unsigned)c->addr_size : 8,
    };
}

static int print_rows(struct report *r, struct view_rows *rows)
{
    const struct view_status about = status_of(r);

    view_rows_sort(rows, r->options->sort);
    return top_output_once(r->options, &about, &r->profile, rows);
}

static int print(struct report *r)
{
    const struct options *o = r->options;
    struct view_rows rows;

    profile_doubt(&r->profile, r->doubt);
    describe(r);
    if (!view_rows_build_named(&r->profile, &r->names.naming, o->by, &o->ignore, &rows))
        return fail("out of memory");
    /* Of the ELF only names are left. */
    struct view_contexts *contexts = view_contexts_new(NULL);
    if (contexts) {
        view_contexts_set_idle(contexts, &o->idle);
        view_contexts_mark(contexts, &rows);
    }
    int status = signals_pending() ? STATUS_DONE : print_rows(r, &rows);
    view_rows_free(&rows);
    view_contexts_free(contexts);
    return status;
}

int report_files(const struct options *options)
{
    struct report r = {.options = options};
    const char *path = options->operands[0];
    bool arcs = options->by == VIEW_BY_ARC;

    if (options->context) {
        complain("--context needs a target: snapshots do not record the exceptions of samples");
        return STATUS_USAGE;
    }
    profile_init(&r.profile);
    int status = files_load(options->operands, options->operand_count, &r.snapshot);
    if (status == STATUS_DONE)
        status = files_choose_type(options, r.snapshot, arcs, path, &r.type);
    if (status == STATUS_DONE)
        status = files_name(options, r.snapshot, &r.names);
    if (status == STATUS_DONE)
        status = files_profile(r.snapshot, r.type, arcs, path, &r.profile);
    if (status == STATUS_DONE)
        status = print(&r);
    profile_free(&r.profile);
    file_names_free(&r.names);
    snapshot_free(r.snapshot);
    return status;
}
