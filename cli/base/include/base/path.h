/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of files. */
#ifndef BASE_PATH_H
#define BASE_PATH_H

#include <string.h>

/* The name without its folders; of one that ends in '/', all of it. */
static inline const char *path_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash && slash[1] ? slash + 1 : path;
}

#endif
