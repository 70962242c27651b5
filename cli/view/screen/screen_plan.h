/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which rows stand on a screen: sections, scrolled to the cursor. */
#ifndef SCREEN_SCREEN_PLAN_H
#define SCREEN_SCREEN_PLAN_H

#include <ranking/rows.h>

#define SECTIONS 3 /* as enum view_context */

/* What is shown of a section; nothing of one that is scrolled past, or has no rows. */
struct section_plan {
    bool title;   /* a line above */
    size_t above; /* rows that are scrolled past */
    size_t shown; /* rows after them */
    bool others;  /* a line that counts the rest */
};

struct screen_plan {
    size_t first; /* place of the first row shown, as it was moved */
    size_t shown;
    struct section_plan section[SECTIONS];
};

/* Index of each row in the order of the screen, to be freed; NULL: no memory. counts has the rows
 * of each section. */
size_t *screen_order(const struct view_rows *rows, size_t counts[SECTIONS]);

/* Divides the room (lines) so that the rows from first on are shown in their order, and later
 * sections show at least their first row where the room is not small. place: of the cursor, which
 * is to be in sight; SIZE_MAX: none. */
void screen_plan(const size_t counts[SECTIONS], size_t room, size_t first, size_t place,
                 struct screen_plan *plan);

#endif
