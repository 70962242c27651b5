/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Snapshots of what a session shows. */
#define _POSIX_C_SOURCE 200809L

#include <target/save.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <base/monotonic.h>
#include <base/path.h>
#include <base/say.h>
#include <base/signals.h>
#include <history/history.h>

/* From the first function to the end of the last one. */
static void find_program(const struct symtab *symtab, struct snapshot_about *about)
{
    uint64_t bias = symtab_elf(symtab)->bias;
    size_t count;
    const struct symtab_function *functions = symtab_functions(symtab, &count);

    if (count == 0)
        return;
    about->program_start = functions[0].addr;
    about->conditions.linked_at = bias ? functions[0].addr - bias : 0;
    about->program_end = functions[count - 1].addr + functions[count - 1].size;
}

static struct snapshot_about about_of(const struct save_about *save)
{
    const struct session *s = save->session;
    const struct session_server *server = &s->server;
    const struct symtab_elf *elf = symtab_elf(s->elf.symtab);
    struct gdbmi_stats stats = session_stats(s);
    struct snapshot_about about = {
        .conditions =
            {
                .tool = "mprof " MPROF_VERSION,
                .elf = path_base_name(elf->path),
                .identity = session_identity(s),
                .target = server->target,
                .arch = session_arch(s),
                .link = server->kind,
                .server = server->name,
                .address = server->address,
                .addr_size = elf->addr_size,
                .big_endian = elf->big_endian,
                .halts = stats.halts,
                .halted_ns = stats.halted_ns,
            },
        .program = elf->path,
        .build_id = symtab_build(s->elf.symtab),
        .time_ns = save->time_ns,
        .duration_ns = save->duration_ns,
    };

    find_program(s->elf.symtab, &about);
    return about;
}

static unsigned kind_of(const struct view_row *row)
{
    bool task = row->exception >= PROFILE_TASK_FIRST && row->exception != PROFILE_OTHERS;

    return task ? PROFILE_TASK_FIRST : row->exception;
}

/* The hits of tasks and exceptions, by the names that rows have. The names are those of *rows; both
 * are freed after that. Returns false if memory runs out. */
static bool list_contexts(const struct session *s, const struct profile *profile,
                          struct view_rows *rows, struct snapshot_about *about)
{
    struct symtab *symtab = session_has_names(s) ? s->elf.symtab : NULL;

    if (!profile->tasks)
        return true;
    if (!view_rows_build(profile, symtab, VIEW_BY_CONTEXT, NULL, rows))
        return false;
    session_mark(s, rows);
    struct snapshot_context *list = calloc(rows->count + 1, sizeof(*list));
    for (size_t i = 0; list && i < rows->count; i++) {
        const struct view_row *row = &rows->rows[i];
        list[about->context_count++] = (struct snapshot_context){
            .hits = row->hits, .number = kind_of(row), .name = row->function ? row->function : "?"};
    }
    about->contexts = list;
    return list != NULL;
}

static void free_contexts(const struct snapshot_about *about, struct view_rows *rows)
{
    union {
        const struct snapshot_context *list;
        struct snapshot_context *owned;
    } contexts = {.list = about->contexts};

    free(contexts.owned);
    view_rows_free(rows);
}

enum snapshot_code save_make(const struct profile *profile, const struct save_about *about,
                             struct snapshot **snapshot, char *text, size_t capacity)
{
    const struct session *s = about->session;
    const struct symbol_naming names = symtab_naming(session_has_names(s) ? s->elf.symtab : NULL);

    /* Also what Ctrl-C ended is written with its lines, if it did not come because of these. */
    signals_finish(signals_pending() != 0);
    struct snapshot_about all = about_of(about);
    struct view_rows rows = {.rows = NULL};
    enum snapshot_code code = SNAPSHOT_ENOMEM;
    if (list_contexts(s, profile, &rows, &all))
        code = snapshot_make(profile, &names, &all, snapshot, text, capacity);
    else
        snprintf(text, capacity, "out of memory for a snapshot");
    free_contexts(&all, &rows);
    if (code == SNAPSHOT_OK)
        snprintf(text, capacity, "%s",
                 signals_stop()
                     ? "interrupted while source lines were looked up: some may be missing"
                     : "");
    signals_finish(false);
    return code;
}

int64_t save_time_ns(double at_s)
{
    struct timespec t;

    clock_gettime(CLOCK_REALTIME, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec - (int64_t)((monotonic_s() - at_s) * 1e9);
}

enum snapshot_code save_make_shown(const struct watch *watch, const struct profile *profile,
                                   struct snapshot **snapshot, char *text, size_t capacity)
{
    bool whole = profile->from_s <= 0;
    double begun_s = whole ? profile->updated_s : profile->from_s;
    double lasted_s = profile->updated_s - begun_s;
    struct save_about about = {
        .session = &watch->session,
        .time_ns = save_time_ns(begun_s),
        .duration_ns = (int64_t)(lasted_s * 1e9),
    };

    if (!whole && about.duration_ns < 1) /* a snapshot without one has all since the reset */
        about.duration_ns = 1;
    return save_make(profile, &about, snapshot, text, capacity);
}

enum snapshot_code save_into_store(const char *folder, const struct snapshot *snapshot,
                                   char path[PATH_MAX], char *text, size_t capacity)
{
    const char *build_id = snapshot->mapping_count ? snapshot->mappings[0].build_id : "";
    enum snapshot_code code = SNAPSHOT_ETAKEN;

    for (unsigned i = 1; code == SNAPSHOT_ETAKEN && i <= HISTORY_SAME_NAME_MAX; i++) {
        if (!history_name(folder, snapshot->time_ns, build_id, i, path, PATH_MAX)) {
            snprintf(text, capacity, "%s: the file name is too long", folder);
            return SNAPSHOT_EWRITE;
        }
        code = snapshot_save_new(snapshot, path, text, capacity);
    }
    return code;
}

/* Named after the moment that it is written, in local time. */
static enum snapshot_code save_here(const struct snapshot *snapshot, char path[PATH_MAX],
                                    char *text, size_t capacity)
{
    enum snapshot_code code = SNAPSHOT_ETAKEN;
    time_t now = time(NULL);
    char moment[40] = "";
    struct tm local;

    if (localtime_r(&now, &local))
        (void)strftime(moment, sizeof(moment), "-%Y%m%d-%H%M%S", &local);
    for (unsigned i = 1; code == SNAPSHOT_ETAKEN && i <= HISTORY_SAME_NAME_MAX; i++) {
        if (i == 1)
            snprintf(path, PATH_MAX, "mprof%s.pb.gz", moment);
        else
            snprintf(path, PATH_MAX, "mprof%s-%u.pb.gz", moment, i);
        code = snapshot_save_new(snapshot, path, text, capacity);
    }
    return code;
}

static enum snapshot_code save(const struct watch *watch, const struct snapshot *snapshot,
                               const char *path, char name[PATH_MAX], char *text, size_t capacity)
{
    const char *store = watch->options->store;

    if (path) {
        snprintf(name, PATH_MAX, "%s", path);
        return snapshot_save_new(snapshot, path, text, capacity);
    }
    if (!store)
        return save_here(snapshot, name, text, capacity);
    if (!history_make_folder(store, text, capacity))
        return SNAPSHOT_EWRITE;
    return save_into_store(store, snapshot, name, text, capacity);
}

int save_snapshot(struct watch *watch, const struct profile *profile, const char *path, char *saved,
                  size_t capacity)
{
    struct snapshot *snapshot = NULL;
    char name[PATH_MAX];

    if (profile->attributed == 0) {
        snprintf(saved, capacity, "no hits yet: nothing saved");
        return STATUS_FAILED;
    }
    enum snapshot_code code = save_make_shown(watch, profile, &snapshot, saved, capacity);
    if (code == SNAPSHOT_OK)
        code = save(watch, snapshot, path, name, saved, capacity);
    snapshot_free(snapshot);
    if (code != SNAPSHOT_OK)
        return STATUS_FAILED;
    snprintf(saved, capacity, "%s", name);
    return STATUS_DONE;
}
