/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes a snapshot of a live target's profile, and writes it to a file. */
#ifndef TARGET_SAVE_H
#define TARGET_SAVE_H

#include <limits.h>

#include <snapshot/snapshot.h>
#include <target/watch.h>

/* What a snapshot needs in addition to the profile. */
struct save_about {
    const struct session *session; /* for names, link and halts */
    int64_t time_ns;               /* when counting began, since 1970 */
    int64_t duration_ns;           /* 0: the profile has all hits since the target's reset */
};

/* Converts at_s, a time of monotonic_s(), to the wall clock, ns since 1970. Both clocks are read at
 * the call, so a past time is never later than the wall clock, also if that was set meanwhile. */
int64_t save_time_ns(double at_s);

/* Makes a snapshot like snapshot_make(), with the session's names and conditions. If it is made,
 * text has one line if Ctrl-C ended the search of source lines, else "". */
enum snapshot_code save_make(const struct profile *profile, const struct save_about *about,
                             struct snapshot **snapshot, char *text, size_t capacity)
    __attribute__((warn_unused_result));

/* The same, with start and duration from the profile, which is that of the watch or was made from
 * it. */
enum snapshot_code save_make_shown(const struct watch *watch, const struct profile *profile,
                                   struct snapshot **snapshot, char *text, size_t capacity)
    __attribute__((warn_unused_result));

/* Writes a snapshot to a folder of snapshots, under a new name, which it writes to path. Returns an
 * error as snapshot_save_new() does, with one line in text. */
enum snapshot_code save_into_store(const char *folder, const struct snapshot *snapshot,
                                   char path[PATH_MAX], char *text, size_t capacity)
    __attribute__((warn_unused_result));

/*
 * Writes a profile of the watch to a snapshot file, completely or not at all; an existing file is
 * never replaced. path NULL: the file gets a new name in the folder of --store or, without --store,
 * the name mprof-YYYYMMDD-HHMMSS.pb.gz in the current folder. Writes the name to saved and returns
 * STATUS_DONE. On failure, or if there are no hits, writes one line to saved and returns
 * STATUS_FAILED.
 */
int save_snapshot(struct watch *watch, const struct profile *profile, const char *path, char *saved,
                  size_t capacity);

#endif
