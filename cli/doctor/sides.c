/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Adds up hits of functions on two sides. */
#include "sides.h"

#include <stdlib.h>
#include <string.h>

#include <base/vec.h>

#include "checks.h"

void sides_free(struct sides *sides)
{
    free((void *)sides->rows);
    free(sides->hits[0]);
    free(sides->hits[1]);
    free(sides->before);
}

/* The stub's hits are of blocks, and so must the others be: both are given to the function at the
 * block's start, or to the first one in it. */
static const struct symtab_function *function_of(const struct sides *s, uint64_t addr)
{
    const struct profile *p = &s->doctor->profile;
    unsigned size = p->block_size ? p->block_size : 1;
    const struct symtab_function *f = NULL;

    addr &= ~(uint64_t)(size - 1);
    for (unsigned at = 0; !f && at < size; at += 2)
        f = symtab_find(s->doctor->elf.symtab, addr + at);
    return f;
}

static bool is_of_stub(const struct sides *s, const struct symtab_function *f)
{
    struct symtab_line line = {.file = NULL};

    return f && (strncmp(f->name, "mprof_", 6) == 0 ||
                 (symtab_find_line(s->doctor->elf.symtab, f->addr, &line) && line.file &&
                  strstr(line.file, "target-stub/")));
}

static size_t row_of(struct sides *s, const struct symtab_function *f)
{
    size_t i = 0;

    while (i < s->count && s->rows[i] != f)
        i++;
    if (i < s->count)
        return i;
    if (!VEC_ROOM(s->rows, s->capacity, i, 1) || !VEC_ROOM(s->hits[0], s->hits_capacity[0], i, 1) ||
        !VEC_ROOM(s->hits[1], s->hits_capacity[1], i, 1))
        return SIZE_MAX;
    s->rows[i] = f;
    s->hits[0][i] = s->hits[1][i] = 0;
    s->count++;
    return i;
}

void sides_add(struct sides *sides, unsigned side, uint64_t addr, uint64_t hits)
{
    const struct symtab_function *f = function_of(sides, addr);
    size_t i = is_of_stub(sides, f) ? SIZE_MAX : row_of(sides, f);

    if (i != SIZE_MAX)
        sides->hits[side][i] += hits;
}

bool sides_begin(struct sides *sides)
{
    const struct profile *p = &sides->doctor->profile;

    if (stub_poll(sides->doctor) != SAMPLER_OK)
        return false;
    sides->restarts = p->restarts;
    sides->before_count = p->row_count;
    free(sides->before);
    sides->before = calloc(p->row_count + 1, sizeof(*sides->before));
    for (size_t i = 0; sides->before && i < p->row_count; i++)
        sides->before[i] = p->rows[i].hits;
    return sides->before != NULL;
}

/* Rows never move; one that has another address now had fewer hits before. */
bool sides_end(struct sides *sides, unsigned side)
{
    const struct profile *p = &sides->doctor->profile;

    if (stub_poll(sides->doctor) != SAMPLER_OK || p->restarts != sides->restarts)
        return false;
    for (size_t i = 0; i < p->row_count; i++) {
        uint64_t before = i < sides->before_count ? sides->before[i] : 0;
        if (p->rows[i].hits > before)
            sides_add(sides, side, p->rows[i].addr, p->rows[i].hits - before);
    }
    return true;
}

uint64_t sides_sum(const struct sides *sides, unsigned side)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < sides->count; i++)
        sum += sides->hits[side][i];
    return sum;
}

bool sides_are_enough(const struct sides *sides)
{
    return sides_sum(sides, 0) >= SIDES_MIN && sides_sum(sides, 1) >= SIDES_MIN;
}

struct homogeneity sides_compare(const struct sides *sides)
{
    return homogeneity_test(sides->hits[0], sides->hits[1], sides->count);
}

const char *sides_name(const struct sides *sides, size_t row)
{
    const struct symtab_function *f = sides->rows[row];

    if (!f)
        return "code without a name";
    return sides->doctor->options->anonymous ? "a function" : f->name;
}

double sides_percent(const struct sides *sides, unsigned side, size_t row)
{
    uint64_t sum = sides_sum(sides, side);

    return sum ? 100.0 * (double)sides->hits[side][row] / (double)sum : 0;
}
