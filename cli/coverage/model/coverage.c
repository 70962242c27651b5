/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines and functions, and their sums over runs. */
#include <model/coverage.h>

#include <stdlib.h>

#include <base/vec.h>

struct coverage *coverage_new(void)
{
    struct coverage *c = calloc(1, sizeof(*c));

    if (!c)
        return NULL;
    c->names = string_pool_new();
    if (c->names)
        return c;
    free(c);
    return NULL;
}

void coverage_free(struct coverage *coverage)
{
    if (!coverage)
        return;
    string_pool_free(coverage->names);
    free(coverage->lines);
    free(coverage->functions);
    free(coverage);
}

bool coverage_add_line(struct coverage *coverage, const char *file, unsigned line, uint64_t count)
{
    struct coverage *c = coverage;
    string_pool_id id = string_pool_add(c->names, file);

    if (id == 0 || !VEC_ROOM(c->lines, c->line_capacity, c->line_count, 1))
        return false;
    c->lines[c->line_count++] = (struct coverage_line){.file = id, .line = line, .count = count};
    return true;
}

bool coverage_add_function(struct coverage *coverage, const char *file, unsigned line,
                           const char *name, uint64_t count)
{
    struct coverage *c = coverage;
    string_pool_id name_id = string_pool_add(c->names, name);
    string_pool_id file_id = string_pool_add(c->names, file);

    if (string_pool_failed(c->names) ||
        !VEC_ROOM(c->functions, c->function_capacity, c->function_count, 1))
        return false;
    c->functions[c->function_count++] =
        (struct coverage_function){.file = file_id, .name = name_id, .line = line, .count = count};
    return true;
}

#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

static int by_line(const void *a, const void *b)
{
    const struct coverage_line *x = a, *y = b;

    return x->file != y->file ? COMPARE(x->file, y->file) : COMPARE(x->line, y->line);
}

static int by_place(const void *a, const void *b)
{
    const struct coverage_function *x = a, *y = b;

    if (x->file != y->file)
        return COMPARE(x->file, y->file);
    return x->line != y->line ? COMPARE(x->line, y->line) : COMPARE(x->name, y->name);
}

static uint64_t sum(const struct coverage *c, uint64_t a, uint64_t b)
{
    if (c->counts != COVERAGE_TIMES)
        return a || b;
    return a + b < a ? UINT64_MAX : a + b;
}

static void join_lines(struct coverage *c)
{
    size_t kept = 0;

    for (size_t i = 0; i < c->line_count; i++) {
        struct coverage_line *last = kept ? &c->lines[kept - 1] : NULL;
        if (last && by_line(last, &c->lines[i]) == 0)
            last->count = sum(c, last->count, c->lines[i].count);
        else
            c->lines[kept++] = c->lines[i];
    }
    c->line_count = kept;
}

static void join_functions(struct coverage *c)
{
    size_t kept = 0;

    for (size_t i = 0; i < c->function_count; i++) {
        const struct coverage_function *f = &c->functions[i];
        struct coverage_function *last = kept ? &c->functions[kept - 1] : NULL;
        if (last && by_place(last, f) == 0) {
            last->count = sum(c, last->count, f->count);
            last->blocks += f->blocks;
            last->reached += f->reached;
        } else {
            c->functions[kept++] = *f;
        }
    }
    c->function_count = kept;
}

void coverage_sort(struct coverage *coverage)
{
    struct coverage *c = coverage;

    if (c->line_count != 0)
        qsort(c->lines, c->line_count, sizeof(*c->lines), by_line);
    if (c->function_count != 0)
        qsort(c->functions, c->function_count, sizeof(*c->functions), by_place);
    join_lines(c);
    join_functions(c);
}

struct coverage_sums coverage_sums(const struct coverage *coverage)
{
    const struct coverage *c = coverage;
    struct coverage_sums sums = {.lines = c->line_count, .functions = c->function_count};

    for (size_t i = 0; i < c->line_count; i++)
        sums.lines_reached += c->lines[i].count != 0;
    for (size_t i = 0; i < c->function_count; i++) {
        sums.functions_reached += c->functions[i].count != 0;
        sums.blocks += c->functions[i].blocks;
        sums.blocks_reached += c->functions[i].reached;
    }
    return sums;
}
