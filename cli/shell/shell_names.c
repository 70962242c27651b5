/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What commands would find, for completing it: functions and snapshots. */
#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>
#include <string.h>

#include <base/file_stamp.h>
#include <base/signals.h>
#include <history/history.h>
#include <options/option_defaults.h>
#include <target/session.h>

#include "shell_inner.h"

/* The last one that had to be loaded for this alone. */
static struct {
    char *path;
    struct file_stamp stamp;
    struct symtab *symtab;
} loaded;

/* What the shell was told, else the environment. */
static const char *told(const char *name, const char *variable)
{
    size_t count;
    const struct option_default *all = option_defaults_all(&count);
    const char *value = getenv(variable);

    for (size_t i = 0; i < count; i++) {
        if (strcmp(all[i].spec->name, name) == 0)
            return all[i].value;
    }
    return value && value[0] ? value : NULL;
}

static bool is_loaded(const char *path, const struct file_stamp *now)
{
    return loaded.path && strcmp(loaded.path, path) == 0 && file_stamp_same(&loaded.stamp, now);
}

static const struct symtab *load(const char *path)
{
    char text[480];
    struct file_stamp now = file_stamp_at(path);

    if (now.size < 0)
        return NULL;
    if (is_loaded(path, &now))
        return loaded.symtab;
    symtab_free(loaded.symtab);
    free(loaded.path);
    loaded.path = strdup(path);
    loaded.stamp = now;
    loaded.symtab = NULL;
    (void)!symtab_load_until(path, signals_stop, &loaded.symtab, text, sizeof(text));
    return loaded.symtab;
}

const struct symtab *shell_symtab(const char *elf)
{
    const struct session *kept = session_keeper();
    bool there = kept && kept->elf.symtab;

    if (there && !elf && !kept->idle)
        return kept->elf.symtab;
    if (!elf)
        elf = told("elf", "MPROF_ELF");
    if (there && (!elf || strcmp(elf, kept->elf.path) == 0))
        return kept->elf.symtab;
    return elf ? load(elf) : NULL;
}

static void say_nothing(void *context, const char *text)
{
    (void)context, (void)text;
}

size_t shell_snapshots(const char *store)
{
    struct history history;
    char text[600];

    if (!store)
        store = told("store", "MPROF_STORE");
    if (!store ||
        !history_open(store, false, NULL, say_nothing, NULL, &history, text, sizeof(text)))
        return 0;
    size_t count = history.count;
    history_free(&history);
    return count;
}
