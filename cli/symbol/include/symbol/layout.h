/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Characters that are not for a line of text from anywhere: the one rule for all outputs. */
#ifndef SYMBOL_LAYOUT_H
#define SYMBOL_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

/* Control characters: C0 and DEL, and the C1 set, which terminals obey too. */
static inline bool layout_is_control(uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

/* Line and paragraph separators, what turns the order of a line around, and the byte order mark,
 * which nobody sees. */
static inline bool layout_is_hidden(uint32_t code)
{
    return code == 0x61c || code == 0x200e || code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2066 && code <= 0x2069) || code == 0xfeff;
}

#endif
