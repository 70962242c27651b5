/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A live target's profile as a snapshot, in memory and in a file. */
#ifndef TARGET_SAVE_H
#define TARGET_SAVE_H

#include <limits.h>

#include <snapshot/snapshot.h>
#include <target/watch.h>

/* What of a snapshot the profile does not say. */
struct save_about {
    const struct session *session; /* names, link, halts */
    int64_t time_ns;               /* when counting began, since 1970 */
    int64_t duration_ns;           /* 0: it has all since the target's reset */
};

/* What the wall clock showed at at_s of monotonic_s(), in ns since 1970, by what both clocks show
 * at the call: what is over never ends ahead of the wall clock, however long reading took, and if
 * that clock was set meanwhile. */
int64_t save_time_ns(double at_s);

/* As snapshot_make(), under the session's conditions. */
enum snapshot_code save_make(const struct profile *profile, const struct save_about *about,
                             struct snapshot **snapshot, char *text, size_t capacity)
    __attribute__((warn_unused_result));

/* The same of a profile that a watch keeps, or that was made from it: when it was begun, and how
 * long it took, it says itself. */
enum snapshot_code save_make_shown(const struct watch *watch, const struct profile *profile,
                                   struct snapshot **snapshot, char *text, size_t capacity)
    __attribute__((warn_unused_result));

/* Writes it into a folder of snapshots, under a name that nobody has: path. */
enum snapshot_code save_into_store(const char *folder, const struct snapshot *snapshot,
                                   char path[PATH_MAX], char *text, size_t capacity)
    __attribute__((warn_unused_result));

/*
 * Writes what is shown as a snapshot file, whole or not at all, and never over a file that is
 * there. path NULL: in the folder of --store under its kind of name, without one as
 * mprof-YYYYMMDD-HHMMSS.pb.gz in the current folder. A status; saved is the file's name, or says in
 * one line why it could not be.
 */
int save_snapshot(struct watch *watch, const struct profile *profile, const char *path, char *saved,
                  size_t capacity);

#endif
