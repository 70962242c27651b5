/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gives each jump a lane, short ones next to the instructions, and draws them. */
#include "annotate_lanes.h"

#include <stdlib.h>

#include <base/text.h>

enum { UP = 1, DOWN = 2, LEFT = 4, RIGHT = 8 };

/* The step at addr in the same part; SIZE_MAX: none. */
static size_t find_step(const struct annotation *a, size_t part, uint64_t addr)
{
    size_t low = 0, high = a->step_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct annotate_step *s = &a->steps[middle];
        if (s->part < part || (s->part == part && s->item->addr <= addr))
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0 || a->steps[low - 1].part != part || a->steps[low - 1].item->addr != addr)
        return SIZE_MAX;
    return low - 1;
}

static size_t target_of(const struct annotation *a, size_t step)
{
    const struct annotate_step *s = &a->steps[step];

    return s->item->jumps ? find_step(a, s->part, s->item->target) : SIZE_MAX;
}

/* where[target]: 1 + the number of its jump. */
static void collect(const struct annotation *a, struct lanes *lanes, uint32_t *where)
{
    for (size_t i = 0; i < a->step_count; i++) {
        size_t target = target_of(a, i);
        if (target == SIZE_MAX)
            continue;
        if (!where[target]) {
            lanes->jumps[lanes->count++] =
                (struct lanes_jump){.target = target, .first = target, .last = target};
            where[target] = (uint32_t)lanes->count;
        }
        struct lanes_jump *jump = &lanes->jumps[where[target] - 1];
        jump->first = i < jump->first ? i : jump->first;
        jump->last = i > jump->last ? i : jump->last;
    }
}

static int compare(const void *a, const void *b)
{
    const struct lanes_jump *x = a, *y = b;
    size_t x_len = x->last - x->first, y_len = y->last - y->first;

    if (x_len != y_len)
        return x_len < y_len ? -1 : 1;
    return (x->first > y->first) - (x->first < y->first);
}

static bool is_free(const uint32_t *lane, const struct lanes_jump *jump)
{
    for (size_t i = jump->first; i <= jump->last; i++) {
        if (lane[i])
            return false;
    }
    return true;
}

static void assign(struct lanes *lanes)
{
    for (size_t n = 0; n < lanes->count; n++) {
        const struct lanes_jump *jump = &lanes->jumps[n];
        unsigned lane = 0;
        while (lane < LANES_MAX && !is_free(lanes->at[lane], jump))
            lane++;
        if (lane == LANES_MAX)
            continue;
        for (size_t i = jump->first; i <= jump->last; i++)
            lanes->at[lane][i] = (uint32_t)n + 1;
        lanes->used = lane + 1 > lanes->used ? lane + 1 : lanes->used;
    }
}

static void mark_sources(const struct annotation *a, struct lanes *lanes)
{
    for (size_t i = 0; i < a->step_count; i++) {
        size_t target = target_of(a, i);
        for (unsigned lane = 0; target != SIZE_MAX && lane < lanes->used; lane++) {
            uint32_t jump = lanes->at[lane][i];
            if (jump && lanes->jumps[jump - 1].target == target)
                lanes->ends[i] |= (unsigned char)(1U << lane);
        }
    }
}

bool lanes_build(const struct annotation *a, struct lanes *lanes)
{
    uint32_t *where = calloc(a->step_count + 1, sizeof(*where));
    bool done = where != NULL;

    *lanes = (struct lanes){.jumps = calloc(a->step_count + 1, sizeof(*lanes->jumps)),
                            .ends = calloc(a->step_count + 1, 1)};
    for (unsigned i = 0; i < LANES_MAX; i++) {
        lanes->at[i] = calloc(a->step_count + 1, sizeof(*lanes->at[i]));
        done &= lanes->at[i] != NULL;
    }
    done = done && lanes->jumps && lanes->ends;
    if (done) {
        collect(a, lanes, where);
        qsort(lanes->jumps, lanes->count, sizeof(*lanes->jumps), compare);
        assign(lanes);
        mark_sources(a, lanes);
    }
    free(where);
    return done;
}

void lanes_free(struct lanes *lanes)
{
    for (unsigned i = 0; i < LANES_MAX; i++)
        free(lanes->at[i]);
    free(lanes->ends);
    free(lanes->jumps);
    *lanes = (struct lanes){.jumps = NULL};
}

unsigned lanes_width(const struct lanes *lanes)
{
    return lanes->used ? lanes->used + 1 : 0;
}

/* Which sides of a cell its line goes to. */
static unsigned sides_of(const struct lanes *l, size_t step, unsigned lane, bool above)
{
    uint32_t number = l->at[lane][step];
    const struct lanes_jump *jump = number ? &l->jumps[number - 1] : NULL;

    if (!jump)
        return 0;
    unsigned up = step > jump->first ? UP : 0;
    if (above)
        return up ? UP | DOWN : 0;
    unsigned sides = up | (step < jump->last ? DOWN : 0);
    return step == jump->target || (l->ends[step] & 1U << lane) ? sides | RIGHT : sides;
}

static const char *shape(unsigned sides, bool ascii)
{
    static const char *const lines[16] = {
        [0] = " ",
        [UP] = "│",
        [DOWN] = "│",
        [UP | DOWN] = "│",
        [RIGHT] = "─",
        [LEFT] = "─",
        [LEFT | RIGHT] = "─",
        [UP | RIGHT] = "└",
        [DOWN | RIGHT] = "┌",
        [UP | DOWN | RIGHT] = "├",
        [UP | LEFT | RIGHT] = "┴",
        [DOWN | LEFT | RIGHT] = "┬",
        [UP | DOWN | LEFT | RIGHT] = "┼",
        [UP | DOWN | LEFT] = "┼",
        [UP | LEFT] = "┴",
        [DOWN | LEFT] = "┬",
    };

    if (!ascii)
        return lines[sides];
    bool across = sides & (LEFT | RIGHT), along = sides & (UP | DOWN);
    return across && along ? "+" : across ? "-" : along ? "|" : " ";
}

void lanes_draw(const struct lanes *l, size_t step, bool above, bool ascii, struct text *text)
{
    bool target = false;
    unsigned from_left = 0;

    if (l->used == 0)
        return;
    for (unsigned lane = l->used; lane-- > 0;) {
        unsigned sides = sides_of(l, step, lane, above);
        bool ends = sides & RIGHT;
        const char *cell = shape(sides | from_left | (from_left ? RIGHT : 0), ascii);
        text_printf(text, "%s", cell);
        if (ends)
            from_left = LEFT;
        if (ends && l->jumps[l->at[lane][step] - 1].target == step)
            target = true;
    }
    text_printf(text, "%s", target ? ">" : shape(from_left, ascii));
}
