/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A folder of snapshots, in the order of time: no index, the files are all there is. */
#ifndef HISTORY_HISTORY_H
#define HISTORY_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <snapshot/snapshot.h>

/* Files of one name, but for the number at its end. */
#define HISTORY_SAME_NAME_MAX 9999

/* What is known of a snapshot without having it. Texts are never NULL, "": not known. */
struct history_entry {
    char *path;          /* the folder's, and its name in it */
    int64_t time_ns;     /* since 1970; 0: not known */
    int64_t duration_ns; /* 0: not known */
    char *build;         /* as of symtab_build(), all of it */
    bool differs;        /* the target ran another build, and that was forced */
    char *elf;           /* file name without folders */
    char *target, *sampler;
    char *unit; /* what is counted */
    uint64_t hits;
    uint64_t runs;  /* snapshots that it was added up from */
    char *function; /* the first one of the ranking */
    double share;   /* its share, 0 to 1; < 0: not known */
};

struct history {
    char *folder;
    struct history_entry *entries; /* the newest first; of equal times by name, -3 before -2 */
    size_t count;
    size_t skipped; /* files that are no snapshots */
};

/* Hears of each file that is left out: one line that names it. */
typedef void history_skip(void *context, const char *text);

/*
 * Reads the folder's files one after another and keeps what struct history_entry says of each, the
 * first function only if ranked. Files whose name begins with a dot, those that are being written,
 * folders and what else is no file are passed over silently. Stops early, with what there is, when
 * stop (may be NULL) says so. false: text says in one line why, *history is untouched; free it with
 * history_free().
 */
bool history_open(const char *folder, bool ranked, bool (*stop)(void), history_skip *skip,
                  void *context, struct history *history, char *text, size_t capacity)
    __attribute__((warn_unused_result));
void history_free(struct history *history);

/* The base name of an entry's path. */
const char *history_file(const struct history_entry *entry);

/*
 * The path of a new file: FOLDER/20261121T204237Z-3f9a21c.pb.gz, of UTC and the first 7 digits of
 * the build ("seg-3f9a21c" if it has no build-id, "nobuild" if it is not known); the second one of
 * that name ends in -2. false: it is too long, or time_ns no time that has a name.
 */
bool history_name(const char *folder, int64_t time_ns, const char *build, unsigned number,
                  char *path, size_t capacity);

/* Makes the folder where it is missing, but none above it. false: text says why it cannot be one to
 * write into. */
bool history_make_folder(const char *folder, char *text, size_t capacity)
    __attribute__((warn_unused_result));

/*
 * What "@WORD" means: "0" the newest, "1" the one before; at least four digits of a build, with or
 * without "seg-" before them, all its snapshots, the newest first. Digits alone are a number if
 * there are so many snapshots. The numbers of entries go to picked, which has room for
 * history->count. 0: none, text says why.
 */
size_t history_pick(const struct history *history, const char *word, size_t *picked, char *text,
                    size_t capacity);

/* Whether an operand is such a word, after its '@'. */
bool history_is_word(const char *operand);

#endif
