/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Divides the lines of a screen between sections of rows. */
#include "screen_plan.h"

#include <stdlib.h>

#include <screen/frame.h>

/* From here on a section is kept in sight by its title, and by its first rows. */
#define ROOM_TITLES 4
#define ROOM_PINNED 8

static size_t section_of(const struct view_row *row)
{
    return (size_t)row->context < SECTIONS ? (size_t)row->context : 0;
}

size_t *screen_order(const struct view_rows *rows, size_t counts[SECTIONS])
{
    size_t *order = malloc((rows->count + 1) * sizeof(*order));
    size_t next[SECTIONS] = {0};

    for (size_t s = 0; s < SECTIONS; s++)
        counts[s] = 0;
    if (!order)
        return NULL;
    for (size_t i = 0; i < rows->count; i++)
        counts[section_of(&rows->rows[i])]++;
    for (size_t s = 1; s < SECTIONS; s++)
        next[s] = next[s - 1] + counts[s - 1];
    for (size_t i = 0; i < rows->count; i++)
        order[next[section_of(&rows->rows[i])]++] = i;
    return order;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Lines that are kept for a section that is not reached yet. */
static size_t kept_for(size_t section, size_t rows, size_t room)
{
    size_t quota = section == VIEW_CONTEXT_INTERRUPT ? room / 5 : room / 8;

    if (rows == 0 || room < ROOM_TITLES)
        return 0;
    if (room < ROOM_PINNED)
        return 1;
    return 1 + least(rows, quota) + (rows > quota && quota > 1);
}

/* Takes what it can use of the room. Behind others its rows do not stand without its title, nor
 * does a title that has no row say nothing: it has the section's share. */
static size_t fill(struct section_plan *p, size_t section, size_t rows, size_t room, bool behind)
{
    size_t used = 0;

    if (p->above == rows || room == 0)
        return 0;
    if (section > 0 && (behind || room > 1)) {
        p->title = true;
        used++;
    }
    p->shown = least(rows - p->above, room - used);
    if (p->shown < rows && room - used > 1) {
        p->others = true;
        p->shown = least(p->shown, room - used - 1);
        used++;
    }
    return used + p->shown;
}

static void plan_from(const size_t counts[SECTIONS], size_t room, size_t first,
                      struct screen_plan *plan)
{
    size_t kept[SECTIONS + 1] = {0}, left = room, start = 0;

    *plan = (struct screen_plan){.first = first};
    for (size_t s = SECTIONS; s-- > 1;)
        kept[s] = kept[s + 1] + kept_for(s, counts[s], room);
    for (size_t s = 0; s < SECTIONS; s++) {
        struct section_plan *p = &plan->section[s];
        size_t later = s + 1 < SECTIONS ? kept[s + 1] : 0;
        p->above = first > start ? least(first - start, counts[s]) : 0;
        left -= fill(p, s, counts[s], left > later ? left - later : 0, plan->shown > 0);
        plan->shown += p->shown;
        start += counts[s];
    }
}

static bool is_shown(const size_t counts[SECTIONS], const struct screen_plan *plan, size_t place)
{
    size_t start = 0;

    for (size_t s = 0; s < SECTIONS; s++) {
        const struct section_plan *p = &plan->section[s];
        if (place >= start && place < start + counts[s])
            return place >= start + p->above && place < start + p->above + p->shown;
        start += counts[s];
    }
    return false;
}

/* The first row with which all behind it are shown: scrolling on would only empty the screen. */
static size_t last_first(const size_t counts[SECTIONS], size_t room, size_t total)
{
    struct screen_plan plan;
    size_t first = total;

    while (first > 0) {
        plan_from(counts, room, first - 1, &plan);
        if (plan.shown < total - (first - 1))
            break;
        first--;
    }
    return first < total || total == 0 ? first : total - 1;
}

/* The least that is to be scrolled until the cursor is in sight: what comes into sight stays there
 * until it is scrolled past, but for a line more or less at the ends of sections. */
static size_t scroll_to(const size_t counts[SECTIONS], size_t room, size_t first, size_t place)
{
    struct screen_plan plan;
    size_t low = first, high = place;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        plan_from(counts, room, middle, &plan);
        if (is_shown(counts, &plan, place))
            high = middle;
        else
            low = middle + 1;
    }
    return high;
}

void screen_plan(const size_t counts[SECTIONS], size_t room, size_t first, size_t place,
                 struct screen_plan *plan)
{
    size_t total = 0;

    for (size_t s = 0; s < SECTIONS; s++)
        total += counts[s];
    first = least(first, last_first(counts, room, total));
    if (place < first)
        first = place;
    if (place < total)
        first = scroll_to(counts, room, first, place);
    plan_from(counts, room, first, plan);
}
