/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads the snapshots that the operands of a verb name: paths, or @N in a folder. */
#ifndef LOAD_FILES_H
#define LOAD_FILES_H

#include <history/history.h>
#include <options/options.h>
#include <snapshot/snapshot.h>

/* All functions that return int return a status, and print a message if it is not STATUS_DONE. */

/* The files that operands name; file_list_free() frees them. */
struct file_list {
    char **paths;  /* count of them, and NULL */
    size_t *first; /* for each operand, the index of its first path; then count */
    size_t count;
    struct history history; /* the folder, if an operand begins with '@' */
};

/*
 * Replaces the operands of options by paths, and base_count and new_count by numbers of paths. "@0"
 * and "@BUILD" are snapshots in the folder of --store; all files there must be readable, because
 * the numbers count all of them. Other operands are paths. *list must be zeroed; the caller frees
 * it in any case, after the last use of the operands.
 */
int files_expand(struct options *options, struct file_list *list);
void file_list_free(struct file_list *list);

/* Prints a skipped file to stderr, as a history_skip. context is not used. */
void files_say_skipped(void *context, const char *text);

/* Reads the folder of --store or MPROF_STORE, which must be given, with ranked as in
 * history_open(). Prints each file that is skipped to stderr. Returns an exit status; after a
 * message on failure. On success the caller frees *history with history_free(). */
int files_history(const struct options *options, bool ranked, struct history *history);

/* Removes from an array those snapshots that would count hits twice: the same snapshot again, and
 * earlier readings of the same counts. Frees them and prints each to stderr. Moves
 * the remaining ones together, with their names, and sets *count to their number. */
int files_drop_overlapping(struct snapshot **all, const char **names, size_t *count);

/* Loads count files, at least one, and adds them up. On success the caller frees *snapshot with
 * snapshot_free(). */
int files_load(char *const *paths, size_t count, struct snapshot **snapshot);

/* Sets *type to that of --type or, without it, to the one to rank (snapshot_choose_type()). path is
 * for messages. */
int files_choose_type(const struct options *options, const struct snapshot *snapshot, bool arcs,
                      const char *path, uint32_t *type);

/* Makes a profile of one type of a snapshot, with or without callers. path is for messages. On
 * success the caller frees *profile with profile_free(). */
int files_profile(const struct snapshot *snapshot, uint32_t type, bool callers, const char *path,
                  struct profile *profile);
/* The same for one run of the snapshot, counted from 1; 0: all hits. */
int files_run_profile(const struct snapshot *snapshot, uint32_t type, uint32_t run, bool callers,
                      const char *path, struct profile *profile);

/* A source of names for a snapshot. */
struct file_names {
    struct symbol_naming naming;
    struct symtab
        *symtab; /* of --elf, owned; NULL: the names are the snapshot's, or there are none */
};

/* Sets the source of names: the snapshot itself, or --elf if the file has no names, like the
 * gmon.out of OpenOCD. *names must be zeroed; the caller frees it in any case, before the snapshot.
 */
int files_name(const struct options *options, const struct snapshot *snapshot,
               struct file_names *names);
void file_names_free(struct file_names *names);

#endif
