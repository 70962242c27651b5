/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the styles look like, by what colours the terminal has. */
#include <term/colour.h>

#include "term_private.h"

#include <curses.h>

/* Of 256 colours: the ground of the selected line, a dark grey on terminals of either kind. */
#define SELECTED_GROUND 238

struct look {
    attr_t plain;      /* without colours */
    attr_t attributes; /* with colours */
    short basic;       /* of 8 colours; < 0: the terminal's own */
    short fine;     /* of 256: some 4 times as bright as black, and white as it (WCAG contrast) */
    short selected; /* of 256, on that ground */
};

static const struct look looks[TERM_STYLE_COUNT] = {
    [TERM_NORMAL] = {A_NORMAL, A_NORMAL, -1, -1, 255},
    [TERM_DIM] = {A_DIM, A_DIM, -1, -1, 250},
    [TERM_BOLD] = {A_BOLD, A_BOLD, -1, -1, 255},
    [TERM_TITLE] = {A_BOLD | A_UNDERLINE, A_BOLD, COLOR_CYAN, 31, 117},
    [TERM_REVERSE] = {A_REVERSE, A_REVERSE, -1, -1, 255},
    [TERM_GOOD] = {A_NORMAL, A_NORMAL, COLOR_GREEN, 28, 114},
    [TERM_WARN] = {A_BOLD, A_BOLD, COLOR_YELLOW, 136, 221},
    [TERM_BAD] = {A_BOLD, A_BOLD, COLOR_RED, 160, 210},
    [TERM_BAR] = {A_NORMAL, A_NORMAL, COLOR_BLUE, 32, 75},
    [TERM_HOT] = {A_BOLD, A_BOLD, COLOR_RED, 160, 210},
    [TERM_WARM] = {A_NORMAL, A_NORMAL, COLOR_YELLOW, 166, 215},
    [TERM_SECTION] = {A_BOLD, A_BOLD, COLOR_MAGENTA, 133, 183},
    [TERM_MATCH] = {A_REVERSE, A_REVERSE, COLOR_YELLOW, 136, 221},
    [TERM_SOURCE] = {A_NORMAL, A_NORMAL, COLOR_CYAN, 67, 110},
    [TERM_INLINE] = {A_DIM, A_NORMAL, COLOR_MAGENTA, 97, 183},
    [TERM_KEY_NAME] = {A_BOLD, A_BOLD, COLOR_CYAN, 31, 117},
};

/* Pairs of colours have the numbers of their styles, on the selected line above those. */
static void start_fine(short ground)
{
    for (short i = 0; i < TERM_STYLE_COUNT; i++) {
        if (looks[i].fine >= 0)
            init_pair(i, looks[i].fine, ground);
        init_pair((short)(TERM_STYLE_COUNT + i), looks[i].selected, SELECTED_GROUND);
    }
}

void palette_start(struct term *term)
{
    if (!term_wants_colour() || !has_colors() || start_color() != OK)
        return;
    short ground = use_default_colors() == OK ? -1 : COLOR_BLACK;
    /* With more than 256, numbers of colours are what they are made of. */
    if (COLORS == 256 && COLOR_PAIRS >= 2 * TERM_STYLE_COUNT) {
        term->colours = COLOURS_256;
        start_fine(ground);
        return;
    }
    term->colours = COLOURS_BASIC;
    for (short i = 0; i < TERM_STYLE_COUNT; i++)
        if (looks[i].basic >= 0)
            init_pair(i, looks[i].basic, ground);
}

void palette_set(const struct term *term, unsigned style)
{
    bool selected = (style & TERM_SELECTED) != 0;
    unsigned number = style & ~TERM_SELECTED;
    const struct look *look = &looks[number];
    attr_t reverse = selected ? A_REVERSE : A_NORMAL;

    if (term->colours == COLOURS_NONE)
        attr_set(look->plain ^ reverse, 0, NULL);
    else if (term->colours == COLOURS_BASIC)
        attr_set(look->attributes ^ reverse, look->basic < 0 ? 0 : (short)number, NULL);
    else if (selected)
        attr_set(look->attributes & ~A_DIM, (short)(TERM_STYLE_COUNT + number), NULL);
    else
        attr_set(look->attributes, look->fine < 0 ? 0 : (short)number, NULL);
}
