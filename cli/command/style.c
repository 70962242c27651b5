/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the lines of a frame look like on a terminal. */
#include "style.h"

enum term_style style_of(enum view_style style)
{
    switch (style) {
    case VIEW_STYLE_DIM:
        return TERM_DIM;
    case VIEW_STYLE_TITLE:
        return TERM_BOLD;
    case VIEW_STYLE_HEADING:
        return TERM_TITLE;
    case VIEW_STYLE_WARNING:
        return TERM_WARN;
    case VIEW_STYLE_ALARM:
    case VIEW_STYLE_WORSE:
        return TERM_BAD;
    case VIEW_STYLE_BETTER:
        return TERM_GOOD;
    case VIEW_STYLE_FOOTER:
        return TERM_REVERSE;
    case VIEW_STYLE_NORMAL:
    case VIEW_STYLE_ROW:
        break;
    }
    return TERM_NORMAL;
}
