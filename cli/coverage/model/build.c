/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines and functions of the sites of an ELF file. */
#include <stdlib.h>
#include <string.h>

#include <base/vec.h>
#include <model/coverage.h>

/* A line or a function that a site has, before they are put together. */
struct mark {
    string_pool_id file, name; /* name 0: a line */
    unsigned line;
    bool own;        /* the site is of that line itself; of a function, it is its first one */
    size_t function; /* the function that has the site, which others may be inlined into */
    uint64_t count;
    size_t blocks, reached;
};

struct build {
    struct coverage *c;
    struct symtab *symtab;
    struct mark *marks; /* owned */
    size_t count, capacity;
};

static bool add(struct build *b, const char *file, unsigned line, const char *name,
                const struct mark *like)
{
    struct mark mark = *like;

    mark.file = string_pool_add(b->c->names, file);
    mark.name = string_pool_add(b->c->names, name);
    mark.line = line;
    if (string_pool_failed(b->c->names) || !VEC_ROOM(b->marks, b->capacity, b->count, 1))
        return false;
    b->marks[b->count++] = mark;
    return true;
}

/* The line of each instruction that is executed if the site is, once for each run of them. */
static bool add_lines(struct build *b, const struct site *site, struct mark *mark)
{
    struct symtab_line at, last = {.line = 0};

    mark->own = true;
    if (symtab_find_line(b->symtab, site->call, &at) && at.line != 0 &&
        !add(b, at.file, at.line, NULL, mark))
        return false;
    mark->own = false;
    for (uint64_t addr = site->returns; addr < site->end; addr += 2) {
        if (!symtab_find_line(b->symtab, addr, &at) || at.line == 0 ||
            (at.line == last.line && at.file == last.file))
            continue;
        last = at;
        if (!add(b, at.file, at.line, NULL, mark))
            return false;
    }
    return true;
}

/* Those of the source: what was inlined has rows of its own. The innermost one has the block. */
static bool add_functions(struct build *b, const struct symtab_function *f, const struct site *site,
                          bool first, struct mark *mark)
{
    struct symtab_inlined frames[SYMTAB_INLINED_MAX];
    struct symtab_line start = {.file = NULL};
    size_t count = symtab_find_inlined(b->symtab, site->call, frames, SYMTAB_INLINED_MAX);

    mark->blocks = 1;
    mark->reached = mark->count != 0;
    for (size_t i = 0; i < count; i++) {
        if (!frames[i].name)
            continue;
        if (!add(b, frames[i].file, frames[i].line, frames[i].name, mark))
            return false;
        mark->blocks = mark->reached = 0;
    }
    mark->own = first;
    (void)symtab_find_line(b->symtab, f->addr, &start);
    return add(b, start.file, start.line, f->name, mark);
}

/* The line where a function begins is before its first site. */
static bool add_start(struct build *b, const struct symtab_function *f, const struct mark *mark)
{
    struct symtab_line start;

    return !symtab_find_line(b->symtab, f->addr, &start) || start.line == 0 ||
           add(b, start.file, start.line, NULL, mark);
}

#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

/* Those that are put together are neighbours: lines by whether they are the site's own, and then by
 * function, functions the other way round. */
static int by_key(const void *a, const void *b)
{
    const struct mark *x = a, *y = b;
    int own = COMPARE(y->own, x->own), function = COMPARE(x->function, y->function);

    if (x->name != y->name)
        return COMPARE(x->name, y->name);
    if (x->file != y->file)
        return COMPARE(x->file, y->file);
    if (x->line != y->line)
        return COMPARE(x->line, y->line);
    if (x->name == 0)
        return own ? own : function;
    return function ? function : own;
}

static bool is_same(const struct mark *a, const struct mark *b)
{
    return a->name == b->name && a->file == b->file && a->line == b->line;
}

/* Whether two marks of one line or function are of one group, of which one count is taken. */
static bool is_group(const struct mark *a, const struct mark *b)
{
    return a->function == b->function && (a->name != 0 || a->own == b->own);
}

/* The largest count of a group from first on; of a function that of its first site, if it is not 0:
 * the compiler may have left that out. Sets *end to where the group ends. */
static uint64_t count_of_group(const struct build *b, size_t first, size_t end, size_t *group_end)
{
    const struct mark *m = b->marks;
    uint64_t most = 0;
    size_t i = first;

    for (; i < end && is_group(&m[first], &m[i]); i++)
        most = m[i].count > most ? m[i].count : most;
    *group_end = i;
    return m[first].name != 0 && m[first].own && m[first].count != 0 ? m[first].count : most;
}

/* Of marks that are the same, from first on: the counts of their groups; of a line only of the own
 * ones, if there are some. */
static struct mark sum_of(const struct build *b, size_t first, size_t end)
{
    struct mark sum = b->marks[first];

    sum.count = sum.blocks = sum.reached = 0;
    for (size_t i = first; i < end; i++) {
        sum.blocks += b->marks[i].blocks;
        sum.reached += b->marks[i].reached;
    }
    for (size_t i = first, next; i < end; i = next) {
        uint64_t count = count_of_group(b, i, end, &next);
        if (sum.name != 0 || b->marks[i].own == sum.own)
            sum.count += count;
    }
    return sum;
}

static bool put(struct coverage *c, const struct mark *sum)
{
    const char *file = string_pool_text(c->names, sum->file);

    if (sum->name == 0)
        return !file || coverage_add_line(c, file, sum->line, sum->count);
    const char *name = string_pool_text(c->names, sum->name);
    if (!coverage_add_function(c, file, sum->line, name, sum->count))
        return false;
    c->functions[c->function_count - 1].blocks = sum->blocks;
    c->functions[c->function_count - 1].reached = sum->reached;
    return true;
}

static bool put_all(struct build *b)
{
    size_t end;

    if (b->count != 0)
        qsort(b->marks, b->count, sizeof(*b->marks), by_key);
    for (size_t first = 0; first < b->count; first = end) {
        end = first + 1;
        while (end < b->count && is_same(&b->marks[first], &b->marks[end]))
            end++;
        const struct mark sum = sum_of(b, first, end);
        if (!put(b->c, &sum))
            return false;
    }
    return true;
}

/* How sites are counted. */
struct counter {
    uint64_t (*count_of)(void *context, const struct site *site);
    void *context;
};

/* The sites of a function, count of them. */
static bool add_sites(struct build *b, const struct symtab_function *f, const struct site *sites,
                      size_t count, const struct counter *counter)
{
    struct mark start = {.function = sites->function, .own = true};
    uint64_t first = 0, most = 0;

    for (size_t i = 0; i < count; i++) {
        struct mark mark = {.function = sites->function,
                            .count = counter->count_of(counter->context, &sites[i])};
        if (!add_lines(b, &sites[i], &mark) || !add_functions(b, f, &sites[i], i == 0, &mark))
            return false;
        first = i == 0 ? mark.count : first;
        most = mark.count > most ? mark.count : most;
    }
    start.count = first ? first : most;
    return add_start(b, f, &start);
}

bool coverage_add_sites(struct coverage *coverage, struct symtab *symtab, const struct sites *sites,
                        uint64_t (*count_of)(void *context, const struct site *site), void *context)
{
    struct build b = {.c = coverage, .symtab = symtab};
    const struct counter counter = {.count_of = count_of, .context = context};
    size_t functions, end;
    const struct symtab_function *all = symtab_functions(symtab, &functions);
    bool done = true;

    for (size_t i = 0; done && i < sites->count; i = end) {
        const struct site *first = &sites->all[i];
        for (end = i + 1; end < sites->count; end++) {
            if (sites->all[end].function != first->function)
                break;
        }
        done = add_sites(&b, &all[first->function], first, end - i, &counter);
    }
    done = done && put_all(&b);
    free(b.marks);
    return done;
}
