/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of snapshots that a verb works on, and the folder in which @N numbers them. */
#ifndef LOAD_FILES_H
#define LOAD_FILES_H

#include <history/history.h>
#include <options/options.h>
#include <snapshot/snapshot.h>

/* What the operands of a verb stand for. */
struct file_list {
    char **paths;  /* count of them, and NULL */
    size_t *first; /* the first path of each operand, and at the end count */
    size_t count;
    struct history history; /* read when the first operand begins with '@' */
};

/*
 * Takes the operands for files: "@0", "@BUILD" are those in the folder of --store, where every file
 * must be readable, since the numbers count all of them; all others are paths as they are. The
 * options' operands, and the counts of the base's and the new ones, are then of paths. A status;
 * what went wrong is said. *list, zeroed before, is to be freed in any case, when the operands are
 * not needed any more.
 */
int files_expand(struct options *options, struct file_list *list);
void file_list_free(struct file_list *list);

/* A history_skip that says which file is left out, one line on stderr. */
void files_say_skipped(void *context, const char *text);

/* Reads the folder of --store or MPROF_STORE. Each file that is left out is one line on stderr. A
 * status; what went wrong is said, else *history is to be freed. */
int files_history(const struct options *options, bool ranked, struct history *history);

/* Takes out of those that are to be added up what would be counted twice: the same snapshot again,
 * and earlier readings of counts that went on. Each one that is left out is one line on stderr; it
 * is freed, and those that stay move together, their names too. A status; what went wrong is said.
 */
int files_drop_overlapping(struct snapshot **all, const char **names, size_t *count);

/* Loads the files (count of them, at least one) and adds them up. A status; what went wrong is
 * said, else *snapshot is to be freed by snapshot_free(). */
int files_load(char *const *paths, size_t count, struct snapshot **snapshot);

/* Chooses the snapshot's type that --type names or, without it, the one to rank. arcs: calls are
 * wanted. path is what a complaint names. A status; what went wrong is said. */
int files_choose_type(const struct options *options, const struct snapshot *snapshot, bool arcs,
                      const char *path, uint32_t *type);

/* Makes the profile of one of the snapshot's types, with the callers of its hits or without. A
 * status; what went wrong is said, else *profile is to be freed by profile_free(). */
int files_profile(const struct snapshot *snapshot, uint32_t type, bool callers, const char *path,
                  struct profile *profile);

struct file_names {
    struct symbol_naming naming;
    struct symtab *symtab; /* of --elf; NULL: the snapshot has names of its own, or nobody has */
};

/* Where the snapshot's names come from: a file without any, like OpenOCD's gmon.out, takes those of
 * --elf. A status; *names, zeroed before, is to be freed in any case, before the snapshot is. */
int files_name(const struct options *options, const struct snapshot *snapshot,
               struct file_names *names);
void file_names_free(struct file_names *names);

#endif
