/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A folder of snapshots, sorted by time. There is no index: the files are read each time. */
#ifndef HISTORY_HISTORY_H
#define HISTORY_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <snapshot/snapshot.h>

/* Largest number at the end of a file name, for snapshots of the same second and build. */
#define HISTORY_SAME_NAME_MAX 9999

/* A summary of one snapshot. Strings are owned and never NULL; "" is not known. */
struct history_entry {
    char *path;             /* with the folder */
    int64_t time_ns;        /* since 1970; 0: not known */
    int64_t duration_ns;    /* 0: not known */
    char *build;            /* as symtab_build() returns it */
    bool differs;           /* the target ran another build, and --force was given */
    char *elf;              /* file name without folders */
    char *target, *sampler; /* as in struct snapshot_conditions */
    char *unit;             /* what is counted: "samples", "calls" */
    uint64_t hits;          /* sum over all rows */
    uint64_t runs;          /* snapshots that were added up */
    char *function;         /* the one with most hits; "" without ranked */
    double share;           /* its share, 0 to 1; < 0: not known */
};

/* The snapshots of a folder; history_free() frees them. */
struct history {
    char *folder;
    struct history_entry *entries; /* the newest first; with equal times, name-3 before name-2 */
    size_t count;
    size_t skipped; /* files that are not snapshots */
};

/* Called for each file that is skipped, with one line that says which and why. */
typedef void history_skip(void *context, const char *text);

/*
 * Reads the snapshots of a folder one after another, and keeps a summary of each; the function with
 * most hits only with ranked. Ignores files that begin with a dot, temporary files of a snapshot
 * that is being written, and everything that is not a regular file. stop is called regularly: if it
 * returns true, the history has only what was read so far. It may be NULL.
 *
 * The caller frees *history with history_free(). Returns false, and writes one line to text, on
 * failure; *history is unchanged then.
 */
bool history_open(const char *folder, bool ranked, bool (*stop)(void), history_skip *skip,
                  void *context, struct history *history, char *text, size_t capacity)
    __attribute__((warn_unused_result));
void history_free(struct history *history);

/* Returns the file name of an entry without the folder, a part of its path. */
const char *history_file(const struct history_entry *entry);

/*
 * Writes the path of a new snapshot: FOLDER/20261121T204237Z-3f9a21c.pb.gz, with the time in UTC
 * and the first 7 digits of the build ("seg-3f9a21c" without a build-id, "nobuild" if it is not
 * known). number is 1, or more for a further file of the same name: "-2" at its end. Returns false
 * if the path is too long for capacity bytes, or time_ns cannot be written as a date.
 */
bool history_name(const char *folder, int64_t time_ns, const char *build, unsigned number,
                  char *path, size_t capacity);

/* Creates a folder if it does not exist; its parent must exist. Returns false, and writes one line
 * to text, if nothing can be written there. */
bool history_make_folder(const char *folder, char *text, size_t capacity)
    __attribute__((warn_unused_result));

/*
 * Finds the snapshots that "@WORD" names: "0" is the newest, "1" the one before; at least four
 * digits of a build, with or without "seg-", are all its snapshots. Digits are a number if there
 * are enough snapshots, and otherwise a build. Writes the indexes of entries to picked, which has
 * room for history->count, the newest first. Returns their number; 0, with one line in text, if
 * there are none.
 */
size_t history_pick(const struct history *history, const char *word, size_t *picked, char *text,
                    size_t capacity);

/* Whether an operand is "@WORD". */
bool history_is_word(const char *operand);

#endif
