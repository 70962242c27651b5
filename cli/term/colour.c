/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sequences that all terminals with colours share (ECMA-48, 8.3.117). */
#include <term/colour.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool term_wants_colour(void)
{
    const char *no_colour = getenv("NO_COLOR");

    return !no_colour || no_colour[0] == '\0';
}

bool term_has_colour(int fd)
{
    const char *name = getenv("TERM");

    return term_wants_colour() && isatty(fd) && name && name[0] && strcmp(name, "dumb") != 0;
}

const char *term_colour(enum term_style style)
{
    switch (style) {
    case TERM_NORMAL:
        return "\033[0m";
    case TERM_DIM:
        return "\033[2m";
    case TERM_BOLD:
        return "\033[1m";
    case TERM_TITLE:
    case TERM_SOURCE:
        return "\033[36m";
    case TERM_GOOD:
        return "\033[32m";
    case TERM_WARN:
    case TERM_WARM:
        return "\033[33m";
    case TERM_BAD:
    case TERM_HOT:
        return "\033[31m";
    case TERM_SECTION:
    case TERM_INLINE:
        return "\033[35m";
    case TERM_MATCH:
        return "\033[7m";
    case TERM_KEY_NAME:
        return "\033[1m";
    case TERM_REVERSE:
    case TERM_BAR:
    case TERM_STYLE_COUNT:
        break;
    }
    return "";
}
