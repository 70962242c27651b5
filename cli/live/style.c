/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the lines of a frame look like on a terminal. */
#include <live/style.h>

enum term_style style_of(enum view_style style)
{
    switch (style) {
    case VIEW_STYLE_DIM:
        return TERM_DIM;
    case VIEW_STYLE_TITLE:
        return TERM_BOLD;
    case VIEW_STYLE_HEADING:
        return TERM_TITLE;
    case VIEW_STYLE_SECTION:
        return TERM_SECTION;
    case VIEW_STYLE_INLINE:
        return TERM_INLINE;
    case VIEW_STYLE_WARNING:
        return TERM_WARN;
    case VIEW_STYLE_MATCH:
        return TERM_MATCH;
    case VIEW_STYLE_ALARM:
    case VIEW_STYLE_WORSE:
        return TERM_BAD;
    case VIEW_STYLE_HOT:
        return TERM_HOT;
    case VIEW_STYLE_WARM:
        return TERM_WARM;
    case VIEW_STYLE_BETTER:
        return TERM_GOOD;
    case VIEW_STYLE_FOOTER:
        return TERM_REVERSE;
    case VIEW_STYLE_BAR:
        return TERM_BAR;
    case VIEW_STYLE_SOURCE:
        return TERM_SOURCE;
    case VIEW_STYLE_KEY:
        return TERM_KEY_NAME;
    case VIEW_STYLE_NORMAL:
    case VIEW_STYLE_ROW:
        break;
    }
    return TERM_NORMAL;
}
