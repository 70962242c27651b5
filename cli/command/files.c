/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads snapshots, adds them up, and finds their names. */
#include "files.h"

#include <stdlib.h>

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

int files_load(char *const *paths, size_t count, struct snapshot **snapshot)
{
    struct snapshot **all = calloc(count, sizeof(*all));

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

int files_name(const struct options *options, const struct snapshot *snapshot,
               struct file_names *names)
{
    char text[TEXT_MAX];

    names->naming = snapshot_naming(snapshot);
    if (snapshot_has_names(snapshot) || !options->elf || names->naming.unplaced)
        return STATUS_DONE;
    if (symtab_load(options->elf, &names->symtab, text, sizeof(text)) != SYMTAB_OK)
        return fail(text);
    names->naming = symtab_naming(names->symtab);
    return STATUS_DONE;
}

void file_names_free(struct file_names *names)
{
    symtab_free(names->symtab);
    *names = (struct file_names){.symtab = NULL};
}
