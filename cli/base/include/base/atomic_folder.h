/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes folders completely or not at all. */
#ifndef BASE_ATOMIC_FOLDER_H
#define BASE_ATOMIC_FOLDER_H

#include <limits.h>
#include <stdbool.h>

/* A folder that is being written. It gets a hidden file with the names of its files, by which a
 * later one knows that it may be replaced. */
struct atomic_folder {
    char path[PATH_MAX]; /* the folder to make or to replace */
    char name[PATH_MAX]; /* the temporary folder, next to it; put files into it */
};

/* Creates an empty temporary folder beside path. What is at path must be missing, an empty folder,
 * or one that this has written and that nobody has added files to: anything else is refused.
 * Returns true, and the caller calls atomic_folder_close(); returns false with errno set on
 * failure, EEXIST if it is refused. */
bool atomic_folder_open(struct atomic_folder *folder, const char *path)
    __attribute__((warn_unused_result));

/* With done, gives the folder its name, in place of the one that was there. Without done, removes
 * it and returns false. Its files are in no folders of their own. Returns false with errno set on
 * failure; an existing folder is then unchanged. */
bool atomic_folder_close(struct atomic_folder *folder, bool done);

#endif
