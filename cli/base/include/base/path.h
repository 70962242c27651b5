/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of files, as text: no function here touches the file system. */
#ifndef BASE_PATH_H
#define BASE_PATH_H

#include <string.h>

/* Returns the last part of a path, after the last '/', as a pointer into path. A path that ends in
 * '/' is returned as it is. */
static inline const char *path_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash && slash[1] ? slash + 1 : path;
}

#endif
