/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mprof report FILE...: one ranking of snapshots, without a target. */
#define _POSIX_C_SOURCE 200809L

#include "report_files.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "signals.h"
#include "top_output.h"

#define TEXT_MAX 600

static int fail(const char *text)
{
    complain("%s", text);
    return STATUS_FAILED;
}

static int load_all(char *const *paths, size_t count, struct snapshot **all)
{
    char text[TEXT_MAX];

    for (size_t i = 0; i < count; i++) {
        if (snapshot_load(paths[i], &all[i], text, sizeof(text)) != SNAPSHOT_OK)
            return fail(text);
    }
    return STATUS_DONE;
}

static int merge(char *const *paths, size_t count, struct snapshot **all,
                 struct snapshot **snapshot)
{
    char text[TEXT_MAX];

    if (count == 1) {
        *snapshot = all[0];
        all[0] = NULL;
        return STATUS_DONE;
    }
    enum snapshot_code code =
        snapshot_merge((const struct snapshot *const *)all, (const char *const *)paths, count,
                       snapshot, text, sizeof(text));
    return code == SNAPSHOT_OK ? STATUS_DONE : fail(text);
}

int files_load(char *const *paths, struct snapshot **snapshot)
{
    size_t count = 0;

    while (paths[count])
        count++;
    struct snapshot **all = calloc(count, sizeof(struct snapshot *));
    if (!all)
        return fail("out of memory");
    int status = load_all(paths, count, all);
    if (status == STATUS_DONE)
        status = merge(paths, count, all, snapshot);
    for (size_t i = 0; i < count; i++)
        snapshot_free(all[i]);
    free(all);
    return status;
}

/* A report in the making. */
struct report {
    const struct options *options;
    struct snapshot *snapshot;
    struct symtab *symtab; /* NULL: the snapshot has names of its own, or nobody has */
    struct symbol_naming names;
    struct profile profile;
    uint32_t type;
    char origin[200];
    char unit[120];
};

static int choose_type(struct report *r)
{
    const struct options *o = r->options;
    const struct snapshot *s = r->snapshot;

    r->type = snapshot_choose_type(s, o->type, o->by == VIEW_BY_ARC);
    if (r->type != SNAPSHOT_NONE)
        return STATUS_DONE;
    complain("--type: nothing is called '%s' in %s; its first type is %s", o->type, o->operands[0],
             s->types[0].name);
    return STATUS_USAGE;
}

/* A file without names, like OpenOCD's gmon.out, takes those of --elf. */
static int choose_names(struct report *r)
{
    char text[TEXT_MAX];

    r->names = snapshot_naming(r->snapshot);
    if (snapshot_has_names(r->snapshot) || !r->options->elf || r->names.unplaced)
        return STATUS_DONE;
    if (symtab_load(r->options->elf, &r->symtab, text, sizeof(text)) != SYMTAB_OK)
        return fail(text);
    r->names = symtab_naming(r->symtab);
    return STATUS_DONE;
}

static int make_profile(struct report *r)
{
    char text[TEXT_MAX];

    if (snapshot_profile(r->snapshot, r->type, &r->profile, text, sizeof(text)) == SNAPSHOT_OK)
        return STATUS_DONE;
    complain("%s: %s", r->options->operands[0], text);
    return STATUS_FAILED;
}

static double age_of(const struct snapshot *s)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    double age = (double)now.tv_sec + (double)now.tv_nsec * 1e-9 -
                 ((double)s->time_ns + (double)s->duration_ns) * 1e-9;
    return s->time_ns > 0 && age >= 0 ? age : -1;
}

static void describe(struct report *r)
{
    const struct snapshot_type *type = &r->snapshot->types[r->type];
    char **paths = r->options->operands;
    size_t count = 1;

    while (paths[count])
        count++;
    if (count == 1)
        snprintf(r->origin, sizeof(r->origin), "%s", paths[0]);
    else
        snprintf(r->origin, sizeof(r->origin), "%zu files from %s on", count, paths[0]);
    if (strcmp(type->unit, "count") == 0)
        snprintf(r->unit, sizeof(r->unit), "%s", type->name);
    else
        snprintf(r->unit, sizeof(r->unit), "%s/%s", type->name, type->unit);
}

static const char *message_for(const struct report *r)
{
    if (r->profile.locked)
        return "LOCKED TO THE FIRMWARE'S TICK: shares mislead, and have no intervals";
    return "";
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

static struct view_status status_of(const struct report *r)
{
    const struct snapshot *s = r->snapshot;
    const struct snapshot_conditions *c = &s->conditions;
    const struct snapshot_mapping *program = s->mapping_count ? &s->mappings[0] : NULL;
    double duration_s = (double)s->duration_ns * 1e-9;

    return (struct view_status){
        .command = "report",
        .elf = c->elf[0] || !program ? c->elf : base_name(program->file),
        .build_id = program ? program->build_id : "",
        .identity = c->identity,
        .kind = c->link,
        .server = c->server,
        .address = c->address,
        .target = c->target,
        .arch = c->arch,
        .state = "",
        .sampler = c->sampler,
        .origin = r->origin,
        .unit = r->unit,
        .message = message_for(r),
        .alarm = r->profile.locked,
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
    struct top_output *output = NULL;

    view_rows_sort(rows, r->options->sort);
    int status = top_output_open(r->options, -1, &output);
    if (status == STATUS_DONE && !top_output_show(output, &about, &r->profile, rows) &&
        !signals_pending())
        status = fail("the output could not be written");
    top_output_close(output);
    return status;
}

static int print(struct report *r)
{
    const struct options *o = r->options;
    struct view_rows rows;

    describe(r);
    if (!view_rows_build_named(&r->profile, &r->names, o->by, &o->ignore, &rows))
        return fail("out of memory");
    int status = print_rows(r, &rows);
    view_rows_free(&rows);
    return status;
}

int report_files(const struct options *options)
{
    struct report r = {.options = options};

    profile_init(&r.profile);
    int status = files_load(options->operands, &r.snapshot);
    if (status == STATUS_DONE)
        status = choose_type(&r);
    if (status == STATUS_DONE)
        status = choose_names(&r);
    if (status == STATUS_DONE)
        status = make_profile(&r);
    if (status == STATUS_DONE)
        status = print(&r);
    profile_free(&r.profile);
    symtab_free(r.symtab);
    snapshot_free(r.snapshot);
    return status;
}
