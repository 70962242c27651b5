/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One snapshot at a time: loaded, reduced to its rows, freed. */
#include <load/diff_load.h>

#include <string.h>

#include <base/path.h>
#include <base/say.h>
#include <history/run.h>
#include <snapshot/fingerprint.h>

#define TEXT_MAX 600

/* One file on its way. */
struct load {
    const struct options *options;
    char *path;
    struct snapshot *snapshot;
    struct file_names names;
    struct profile profile;
    uint32_t type, run;
};

static bool has_callers(const struct profile *p)
{
    for (size_t i = 0; i < p->row_count; i++) {
        if (p->rows[i].caller != 0 && p->rows[i].hits != 0)
            return true;
    }
    return false;
}

static int make_profile(struct load *l)
{
    bool arcs = l->options->by == VIEW_BY_ARC;
    int status = files_run_profile(l->snapshot, l->type, l->run, arcs, l->path, &l->profile);

    if (status != STATUS_DONE)
        return status;
    if (!arcs || !l->profile.used || has_callers(&l->profile))
        return STATUS_DONE;
    complain("--by arc: no arcs in %s: take snapshots with --sampler arcs, or compare with --by "
             "function",
             l->path);
    return STATUS_FAILED;
}

bool diff_add(const struct diff_file *file, enum view_side side, struct view_set *set, char *text,
              size_t capacity)
{
    const struct snapshot *s = file->snapshot;
    const struct snapshot_type *type = &s->types[file->type];
    char unit[120];
    struct view_run run = history_run(s, file->run, file->profile);

    run.naming = &file->names->naming;
    run.name = file->path;
    run.unit = unit;
    run.fingerprint = file->fingerprint;
    if (file->names->symtab) {
        run.elf = path_base_name(file->elf);
        run.build_id = symtab_build(file->names->symtab);
    }
    if (strcmp(type->unit, "count") == 0)
        snprintf(unit, sizeof(unit), "%s", type->name);
    else
        snprintf(unit, sizeof(unit), "%s/%s", type->name, type->unit);
    return view_set_add(set, side, &run, text, capacity);
}

static int add_file(struct load *l, enum view_side side, struct view_set *set)
{
    struct fingerprint fingerprint;
    const struct diff_file file = {.snapshot = l->snapshot,
                                   .profile = &l->profile,
                                   .names = &l->names,
                                   .type = l->type,
                                   .run = l->run,
                                   .path = l->path,
                                   .elf = l->options->elf,
                                   .fingerprint = &fingerprint};
    char text[TEXT_MAX];

    snapshot_fingerprint(l->snapshot, l->run, &l->profile, &fingerprint);
    return diff_add(&file, side, set, text, sizeof(text)) ? STATUS_DONE : fail(text);
}

static int add_run(struct load *l, uint32_t run, enum view_side side, struct view_set *set)
{
    l->run = run;
    profile_init(&l->profile);
    int status = make_profile(l);
    if (status == STATUS_DONE)
        status = add_file(l, side, set);
    profile_free(&l->profile);
    return status;
}

static int load_one(const struct options *options, char *path, enum view_side side,
                    struct view_set *set)
{
    struct load l = {.options = options, .path = path};

    int status = files_load(&path, 1, &l.snapshot);
    if (status == STATUS_DONE)
        status = files_choose_type(options, l.snapshot, options->by == VIEW_BY_ARC, path, &l.type);
    if (status == STATUS_DONE)
        status = files_name(options, l.snapshot, &l.names);
    size_t runs = status == STATUS_DONE ? l.snapshot->run_count : 0;
    if (status == STATUS_DONE && runs == 0)
        status = add_run(&l, 0, side, set);
    for (uint32_t run = 1; status == STATUS_DONE && run <= runs; run++)
        status = add_run(&l, run, side, set);
    file_names_free(&l.names);
    snapshot_free(l.snapshot);
    return status;
}

int diff_load(const struct options *options, struct view_set *set)
{
    int status = STATUS_DONE;

    for (size_t i = 0; status == STATUS_DONE && i < options->operand_count; i++)
        status = load_one(options, options->operands[i],
                          i < options->base_count ? VIEW_BASE : VIEW_NEW, set);
    return status;
}
