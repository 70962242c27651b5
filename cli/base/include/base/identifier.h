/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which characters names of C have. */
#ifndef BASE_IDENTIFIER_H
#define BASE_IDENTIFIER_H

#include <stdbool.h>

/* Whether a character may be in a name of C: an ASCII letter, a digit, "_" or "$". Unlike
 * isalnum(), the locale does not matter. */
static inline bool identifier_has(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$';
}

#endif
