/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Groups files by what they count, and gives them names. */
#include "export_sources.h"

#include <stdlib.h>
#include <string.h>

#include <base/path.h>
#include <base/say.h>
#include <load/files.h>

#define TEXT_MAX 600

static uint32_t find_type(const struct snapshot *s, const char *name)
{
    return snapshot_choose_type(s, name, false);
}

static bool has_hits(const struct snapshot *s, uint32_t type)
{
    for (size_t i = 0; type != SNAPSHOT_NONE && i < s->sample_count; i++) {
        if (s->values[i * s->type_count + type] != 0)
            return true;
    }
    return false;
}

static bool is_calls(const struct snapshot *s)
{
    return s->type_count == 1 && strcmp(s->types[0].name, "calls") == 0;
}

/* The files as they are given, and what text calls them. */
struct loaded {
    struct snapshot **all;
    const char **names;
    size_t count, calls;
};

/* Those that count calls, and nothing else, go behind the others. */
static int load_all(const struct options *o, struct loaded *l)
{
    char text[TEXT_MAX];

    for (size_t i = 0; i < o->operand_count; i++) {
        struct snapshot *s = NULL;
        int status = files_load(&o->operands[i], 1, &s);
        if (status == STATUS_DONE && snapshot_forget_runs(&s, text, sizeof(text)) != SNAPSHOT_OK)
            status = fail(text);
        if (status != STATUS_DONE) {
            snapshot_free(s);
            return status;
        }
        size_t at = is_calls(s) ? o->operand_count - ++l->calls : l->count++;
        l->all[at] = s;
        l->names[at] = o->operands[i];
    }
    return STATUS_DONE;
}

static int add_up(struct export_sources *to, const struct loaded *l, size_t first, size_t count)
{
    char text[TEXT_MAX];

    if (count == 0)
        return STATUS_DONE;
    int status = files_drop_overlapping(l->all + first, l->names + first, &count);
    if (status != STATUS_DONE)
        return status;
    struct snapshot **group = &to->groups[to->group_count++];
    if (count == 1) {
        *group = l->all[first];
        l->all[first] = NULL;
        return STATUS_DONE;
    }
    if (snapshot_merge((const struct snapshot *const *)l->all + first, l->names + first, count,
                       group, text, sizeof(text)) != SNAPSHOT_OK)
        return fail(text);
    return STATUS_DONE;
}

static int load(const struct options *o, struct export_sources *to)
{
    struct loaded l = {.all = calloc(o->operand_count, sizeof(*l.all)),
                       .names = calloc(o->operand_count, sizeof(*l.names))};
    int status = l.all && l.names ? STATUS_DONE : fail("out of memory");

    if (status == STATUS_DONE)
        status = load_all(o, &l);
    if (status == STATUS_DONE)
        status = add_up(to, &l, 0, l.count);
    if (status == STATUS_DONE)
        status = add_up(to, &l, l.count, l.calls);
    for (size_t i = 0; l.all && i < o->operand_count; i++)
        snapshot_free(l.all[i]);
    free(l.all);
    free(l.names);
    return status;
}

/* Samples of one build and calls of another are no profile of anything. */
static int check_builds(const struct export_sources *s)
{
    const struct snapshot *a = s->groups[0], *b = s->groups[1];

    if (s->group_count < 2 || a->mapping_count == 0 || b->mapping_count == 0)
        return STATUS_DONE;
    const struct snapshot_mapping *x = &a->mappings[0], *y = &b->mappings[0];
    if (x->build_id[0] && y->build_id[0] && strcmp(x->build_id, y->build_id) != 0)
        return fail("the samples and the calls are of different builds");
    if (x->start != y->start && a->ours && b->ours)
        return fail("the program was at different addresses when samples and calls were taken");
    return STATUS_DONE;
}

/* One type of a snapshot without names, as one that has them. */
static int name_type(struct export_sources *to, const struct snapshot *s, uint32_t type,
                     const struct file_names *names)
{
    const struct symtab_elf *elf = symtab_elf(names->symtab);
    const struct snapshot_mapping *map = s->mapping_count ? &s->mappings[0] : NULL;
    struct snapshot_about about = {.conditions = s->conditions,
                                   .program = elf->path,
                                   .build_id = map ? map->build_id : symtab_build(names->symtab),
                                   .time_ns = s->time_ns,
                                   .duration_ns = s->duration_ns};
    struct snapshot *named = NULL;
    struct profile profile;
    char text[TEXT_MAX];

    about.conditions.elf = path_base_name(elf->path);
    if (snapshot_profile(s, type, &profile, text, sizeof(text)) != SNAPSHOT_OK)
        return fail(text);
    enum snapshot_code code =
        snapshot_make(&profile, &names->naming, &about, &named, text, sizeof(text));
    profile_free(&profile);
    if (code != SNAPSHOT_OK)
        return fail(text);
    to->groups[to->group_count++] = named;
    return STATUS_DONE;
}

/* A file with samples and calls becomes one of each. */
static int name_group(const struct options *o, struct export_sources *to, size_t group)
{
    struct snapshot *s = to->groups[group];
    struct file_names names = {.symtab = NULL};
    uint32_t main = snapshot_choose_type(s, o->type, false);
    uint32_t calls = find_type(s, "calls");
    int status = files_name(o, s, &names);

    if (status == STATUS_DONE && names.symtab && main != SNAPSHOT_NONE) {
        status = name_type(to, s, main, &names);
        if (status == STATUS_DONE && !o->type && !o->exporter->one && main != calls &&
            has_hits(s, calls))
            status = name_type(to, s, calls, &names);
        snapshot_free(s);
        to->groups[group] = NULL;
    }
    file_names_free(&names);
    return status;
}

static void add_source(struct export_sources *to, const struct options *o, const struct snapshot *s,
                       uint32_t type)
{
    to->sources[to->count++] =
        (struct export_source){.snapshot = s, .type = type, .all = o->type == NULL};
}

/* Of a group that holds samples and calls, as gmon.out does, both. */
static void choose(const struct options *o, struct export_sources *to)
{
    for (size_t i = 0; i < to->group_count; i++) {
        const struct snapshot *s = to->groups[i];
        uint32_t main = s ? snapshot_choose_type(s, o->type, false) : SNAPSHOT_NONE;
        uint32_t calls = s ? find_type(s, "calls") : SNAPSHOT_NONE;
        if (main == SNAPSHOT_NONE)
            continue;
        add_source(to, o, s, main);
        if (!o->type && !o->exporter->all && !o->exporter->one && main != calls &&
            has_hits(s, calls))
            add_source(to, o, s, calls);
    }
}

static int check_choice(const struct options *o, struct export_sources *to)
{
    if (to->count == 0) {
        complain("--type '%s': not in %s", o->type, o->operands[0]);
        return STATUS_USAGE;
    }
    if (o->exporter->one && to->count > 1) {
        complain("%s holds one kind of hits: choose with --type samples or --type calls",
                 o->exporter->name);
        return STATUS_USAGE;
    }
    return STATUS_DONE;
}

int export_sources_load(const struct options *options, struct export_sources *sources)
{
    int status = load(options, sources);
    size_t count = sources->group_count;

    if (status == STATUS_DONE)
        status = check_builds(sources);
    for (size_t i = 0; status == STATUS_DONE && i < count; i++)
        status = name_group(options, sources, i);
    if (status != STATUS_DONE)
        return status;
    choose(options, sources);
    return check_choice(options, sources);
}

void export_sources_free(struct export_sources *sources)
{
    for (size_t i = 0; i < sources->group_count; i++)
        snapshot_free(sources->groups[i]);
    *sources = (struct export_sources){.count = 0};
}
