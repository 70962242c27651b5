/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The length of a build's name. */
#include <ranking/build.h>

#include <string.h>

#include <symbol/symtab.h>

/* As many as tools show of a commit. */
#define DIGITS 7

int view_build_len(const char *build)
{
    const size_t prefix = strlen(SYMTAB_SEGMENTS);

    return DIGITS + (strncmp(build, SYMTAB_SEGMENTS, prefix) == 0 ? (int)prefix : 0);
}
