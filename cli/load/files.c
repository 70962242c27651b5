/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads snapshots, adds them up, and finds their names. */
#include <load/files.h>

#include <stdlib.h>

#include <base/say.h>
#include <base/signals.h>
#include <base/vec.h>
#include <load/elf_apply.h>
#include <load/elf_file.h>
#include <snapshot/fingerprint.h>

#define TEXT_MAX 600

void files_say_skipped(void *context, const char *text)
{
    (void)context;
    complain("%s; skipped", text);
}

static bool is_stopped(void)
{
    return signals_pending() != 0;
}

/* Without it, @0 would silently be another file than the one that somebody means. */
static void refuse_skipped(void *context, const char *text)
{
    bool *said = context;

    if (!*said)
        complain("%s; @0 cannot be resolved while it is in the folder: remove it, or name files",
                 text);
    *said = true;
}

static int open_history(const struct options *options, bool ranked, history_skip *skip,
                        void *context, struct history *history)
{
    char text[TEXT_MAX];

    if (!history_open(options->store, ranked, is_stopped, skip, context, history, text,
                      sizeof(text)))
        return fail(text);
    return STATUS_DONE;
}

int files_history(const struct options *options, bool ranked, struct history *history)
{
    return open_history(options, ranked, files_say_skipped, NULL, history);
}

/* A list in the making. */
struct expansion {
    const struct options *options;
    struct file_list *list;
    size_t capacity;
    size_t *picked; /* room for the whole history */
};

static int add_path(struct expansion *e, char *path)
{
    struct file_list *l = e->list;

    if (!VEC_ROOM(l->paths, e->capacity, l->count, 2)) /* with the NULL at the end */
        return fail("out of memory");
    l->paths[l->count++] = path;
    l->paths[l->count] = NULL;
    return STATUS_DONE;
}

static int need_history(struct expansion *e, const char *operand)
{
    struct history *h = &e->list->history;
    bool skipped = false;

    if (e->picked)
        return STATUS_DONE;
    if (!e->options->store) {
        complain("%s: no folder of snapshots: give it with --store or MPROF_STORE", operand);
        return STATUS_USAGE;
    }
    int status = open_history(e->options, false, refuse_skipped, &skipped, h);
    if (status != STATUS_DONE || skipped)
        return skipped ? STATUS_FAILED : status;
    e->picked = calloc(h->count + 1, sizeof(*e->picked));
    return e->picked ? STATUS_DONE : fail("out of memory");
}

static int expand_one(struct expansion *e, char *operand)
{
    struct history *h = &e->list->history;
    char text[TEXT_MAX];

    if (!history_is_word(operand))
        return add_path(e, operand);
    int status = need_history(e, operand);
    if (status != STATUS_DONE)
        return status;
    size_t count = history_pick(h, operand + 1, e->picked, text, sizeof(text));
    if (count == 0)
        return fail(text);
    for (size_t i = 0; status == STATUS_DONE && i < count; i++)
        status = add_path(e, h->entries[e->picked[i]].path);
    return status;
}

static void take_list(struct options *options, const struct file_list *list)
{
    size_t operands = options->operand_count;

    options->base_count = list->first[options->base_count];
    options->new_count = list->count - list->first[operands - options->new_count];
    options->operands = list->paths;
    options->operand_count = list->count;
}

int files_expand(struct options *options, struct file_list *list)
{
    struct expansion e = {.options = options, .list = list};
    size_t operands = options->operand_count;
    int status = STATUS_DONE;

    if (operands == 0)
        return STATUS_DONE;
    list->first = calloc(operands + 1, sizeof(*list->first));
    if (!list->first)
        return fail("out of memory");
    for (size_t i = 0; status == STATUS_DONE && i < operands; i++) {
        list->first[i] = list->count;
        status = expand_one(&e, options->operands[i]);
    }
    list->first[operands] = list->count;
    free(e.picked);
    if (status == STATUS_DONE)
        take_list(options, list);
    return status;
}

void file_list_free(struct file_list *list)
{
    free(list->paths);
    free(list->first);
    history_free(&list->history);
    *list = (struct file_list){.paths = NULL};
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

/* NULL: it cannot be ranked, which is said later, or there is no memory. */
static struct fingerprint *read_hits(const struct snapshot *s)
{
    uint32_t type = snapshot_choose_type(s, NULL, false);
    struct fingerprint *fingerprint = NULL;
    struct profile profile;
    char text[TEXT_MAX];

    if (type == SNAPSHOT_NONE ||
        snapshot_profile_flat(s, type, &profile, text, sizeof(text)) != SNAPSHOT_OK)
        return NULL;
    fingerprint = malloc(sizeof(*fingerprint));
    if (fingerprint)
        snapshot_fingerprint(s, 0, &profile, fingerprint);
    profile_free(&profile);
    return fingerprint;
}

static void leave_out(struct snapshot **all, const char **names, size_t *count,
                      const struct overlap_verdict *verdicts)
{
    size_t kept = 0;

    for (size_t i = 0; i < *count; i++) {
        if (verdicts[i].overlap == OVERLAP_SAME)
            complain("%s is the same snapshot as %s: added once", names[i],
                     names[verdicts[i].other]);
        else if (verdicts[i].overlap == OVERLAP_PART)
            complain("%s is not added: its counts are also in %s", names[i],
                     names[verdicts[i].other]);
    }
    for (size_t i = 0; i < *count; i++) {
        if (verdicts[i].overlap != OVERLAP_NONE) {
            snapshot_free(all[i]);
            continue;
        }
        all[kept] = all[i];
        names[kept++] = names[i];
    }
    for (size_t i = kept; i < *count; i++)
        all[i] = NULL;
    *count = kept;
}

int files_drop_overlapping(struct snapshot **all, const char **names, size_t *count)
{
    struct fingerprint **fingerprints = calloc(*count + 1, sizeof(*fingerprints));
    struct overlap_verdict *verdicts = calloc(*count + 1, sizeof(*verdicts));
    bool done = fingerprints && verdicts;
    size_t given = *count;

    for (size_t i = 0; done && i < given; i++)
        fingerprints[i] = read_hits(all[i]);
    if (done) {
        fingerprint_drop_overlapping((const struct fingerprint *const *)fingerprints, *count, false,
                                     verdicts);
        leave_out(all, names, count, verdicts);
    }
    for (size_t i = 0; done && i < given; i++)
        free(fingerprints[i]);
    free(fingerprints);
    free(verdicts);
    return done ? STATUS_DONE : fail("out of memory");
}

static int merge(const char **names, size_t count, struct snapshot **all,
                 struct snapshot **snapshot)
{
    char text[TEXT_MAX];
    int status = count > 1 ? files_drop_overlapping(all, names, &count) : STATUS_DONE;

    if (status != STATUS_DONE)
        return status;
    if (count == 1) {
        *snapshot = all[0];
        all[0] = NULL;
        return STATUS_DONE;
    }
    enum snapshot_code code = snapshot_merge((const struct snapshot *const *)all, names, count,
                                             snapshot, text, sizeof(text));
    return code == SNAPSHOT_OK ? STATUS_DONE : fail(text);
}

int files_load(char *const *paths, size_t count, struct snapshot **snapshot)
{
    struct snapshot **all = calloc(count, sizeof(*all));
    const char **names = calloc(count, sizeof(*names));
    int status = all && names ? load_all(paths, count, all) : fail("out of memory");

    for (size_t i = 0; names && i < count; i++)
        names[i] = paths[i];
    if (status == STATUS_DONE)
        status = merge(names, count, all, snapshot);
    for (size_t i = 0; all && i < count; i++)
        snapshot_free(all[i]);
    free(all);
    free(names);
    return status;
}

int files_choose_type(const struct options *options, const struct snapshot *snapshot, bool arcs,
                      const char *path, uint32_t *type)
{
    *type = snapshot_choose_type(snapshot, options->type, arcs);
    if (*type != SNAPSHOT_NONE)
        return STATUS_DONE;
    complain("--type '%s': not in %s; its first type is '%s'", options->type, path,
             snapshot->types[0].name);
    return STATUS_USAGE;
}

int files_profile(const struct snapshot *snapshot, uint32_t type, bool callers, const char *path,
                  struct profile *profile)
{
    return files_run_profile(snapshot, type, 0, callers, path, profile);
}

int files_run_profile(const struct snapshot *snapshot, uint32_t type, uint32_t run, bool callers,
                      const char *path, struct profile *profile)
{
    char text[TEXT_MAX];
    enum snapshot_code code =
        snapshot_run_profile(snapshot, type, run, callers, profile, text, sizeof(text));

    if (code == SNAPSHOT_OK)
        return STATUS_DONE;
    complain("%s: %s", path, text);
    return STATUS_FAILED;
}

int files_name(const struct options *options, const struct snapshot *snapshot,
               struct file_names *names)
{
    char text[TEXT_MAX];

    names->naming = snapshot_naming(snapshot);
    if (snapshot_has_names(snapshot) || !options->elf || names->naming.unplaced)
        return STATUS_DONE;
    if (symtab_load_until(options->elf, signals_stop, &names->symtab, text, sizeof(text)) !=
        SYMTAB_OK) {
        if (signals_pending())
            signals_die(signals_pending());
        return fail(text);
    }
    if (!elf_apply(&options->map, names->symtab, text, sizeof(text)))
        return fail(text);
    elf_apply_say(names->symtab);
    names->naming = symtab_naming(names->symtab);
    return STATUS_DONE;
}

void file_names_free(struct file_names *names)
{
    if (!signals_pending())
        elf_say_trouble(names->symtab);
    symtab_free(names->symtab);
    *names = (struct file_names){.symtab = NULL};
}
