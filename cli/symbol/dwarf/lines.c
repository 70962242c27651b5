/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a unit's line program once and keeps points to go on from, in place of its rows. */
#include <dwarf/lines.h>

#include <stdlib.h>

#include <base/sorted.h>
#include <budget/vec.h>

/* Rows from one mark to the next. */
#define STEP 32

/* Bytes of all that is kept; then all goes. */
#define KEPT_MAX ((size_t)12 << 20)

/* A row from which the program can go on. */
struct mark {
    uint64_t addr;
    uint32_t next; /* from the program's start */
    uint32_t file, line;
};

/* Rows of a contiguous stretch of code, addresses ascending. */
struct sequence {
    uint64_t start, end;
    uint32_t first, count; /* marks */
};

struct unit_lines {
    struct line_header header;
    struct mark *marks;
    struct sequence *sequences; /* ordered by start */
    size_t sequence_count;
};

struct lines {
    struct units *units;
    struct sources *sources;
    const struct functions *functions;
    size_t kept;   /* bytes */
    uint64_t work; /* steps, for what is kept */
};

/* While a program runs. */
struct reader {
    const struct lines *lines;
    const struct line_header *header;
    struct budget_vec marks, sequences;
    size_t first; /* mark of this sequence */
    size_t rows;  /* in it */
    uint64_t last;
    bool unsound;   /* this sequence can't be looked up */
    bool no_memory; /* or the budget is over */
};

static bool on_row(void *context, const struct line_row *row)
{
    struct reader *r = context;

    r->unsound |= r->rows != 0 && row->addr < r->last;
    r->last = row->addr;
    if (r->rows++ % STEP != 0)
        return true;
    size_t next = row->next - r->header->program;
    struct mark mark = {
        .addr = row->addr,
        .next = (uint32_t)next,
        .file = row->file < UINT32_MAX ? (uint32_t)row->file : UINT32_MAX,
        .line = row->line <= UINT32_MAX ? (uint32_t)row->line : 0,
    };
    r->unsound |= next > UINT32_MAX;
    r->no_memory = !budget_vec_push(&r->marks, &mark, sizeof(mark));
    return !r->no_memory;
}

/* Code that the linker dropped keeps its lines, at address 0 or at the end of the address space.
 * Real code at 0 is where a function begins, and it ends where one ends, but for the padding. */
static bool is_dropped(const struct functions *f, const struct sequence *s)
{
    if (s->start != 0)
        return false;
    const struct symtab_function *last = spans_find(f, s->end - 1);
    return f->count == 0 || f->functions[0].addr != 0 || !last ||
           last->addr + last->size - s->end >= 4;
}

static bool is_live(const struct lines *lines, const struct sequence *s)
{
    const struct image *image = lines->units->image;

    if (is_dropped(lines->functions, s) ||
        !budget_work(lines->units->budget, 1 + image->section_count / 4))
        return false;
    for (size_t i = 1; i < image->section_count; i++) {
        const struct section *section = &image->sections[i];
        if (section->alloc && s->start >= section->addr && s->end <= section->addr + section->size)
            return true;
    }
    return false;
}

static bool on_end(void *context, uint64_t addr)
{
    struct reader *r = context;
    const struct mark *marks = r->marks.items;
    struct sequence s = {
        .end = addr, .first = (uint32_t)r->first, .count = (uint32_t)(r->marks.count - r->first)};
    bool good = r->rows != 0 && !r->unsound && r->last <= addr && marks[r->first].addr < addr;

    if (good) {
        s.start = marks[r->first].addr;
        good = is_live(r->lines, &s);
    }
    if (good)
        r->no_memory = !budget_vec_push(&r->sequences, &s, sizeof(s));
    else
        r->marks.count = r->first;
    r->first = r->marks.count;
    r->rows = 0;
    r->unsound = false;
    return !r->no_memory;
}

/* A shorter one behind a longer one, so that a search that goes down meets it first. */
static int compare_sequences(const void *a, const void *b)
{
    const struct sequence *x = a;
    const struct sequence *y = b;

    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    if (x->end != y->end)
        return x->end > y->end ? -1 : 1;
    return (x->first > y->first) - (x->first < y->first);
}

static void free_index(struct unit_lines *u)
{
    if (!u)
        return;
    free(u->marks);
    free(u->sequences);
    free(u);
}

static void drop_all(struct lines *lines)
{
    for (size_t i = 0; i < lines->units->count; i++) {
        free_index(lines->units->list[i].line_index);
        lines->units->list[i].line_index = NULL;
    }
    budget_give(lines->units->budget, lines->kept);
    budget_drop(lines->units->budget, lines->work);
    lines->kept = 0;
    lines->work = 0;
}

/* Takes over what was read, in just the memory that it needs. */
static bool keep(struct lines *lines, struct unit_lines *u, const struct reader *r)
{
    u->marks = budget_vec_copy(&r->marks, sizeof(struct mark));
    u->sequences = budget_vec_copy(&r->sequences, sizeof(struct sequence));
    u->sequence_count = r->sequences.count;
    size_t bytes = sizeof(*u) + r->marks.count * sizeof(struct mark) +
                   r->sequences.count * sizeof(struct sequence);
    if (!budget_take(lines->units->budget, bytes))
        return false;
    lines->kept += bytes;
    if (u->sequence_count != 0 && (!u->marks || !u->sequences))
        return false;
    if (u->sequence_count != 0)
        qsort(u->sequences, u->sequence_count, sizeof(*u->sequences), compare_sequences);
    return true;
}

/* NULL: no memory, or the budget is over. A unit without a table, or with a damaged one, has fewer
 * sequences or none. */
static struct unit_lines *read_unit(struct lines *lines, struct unit *unit)
{
    const struct line_section *section = &lines->units->section;
    struct unit_lines *u = calloc(1, sizeof(*u));
    struct budget *budget = lines->units->budget;
    struct reader r = {
        .lines = lines, .marks = {.budget = budget}, .sequences = {.budget = budget}};
    struct line_program_sink sink = {.context = &r, .row = on_row, .end = on_end};

    if (!u)
        return NULL;
    r.header = &u->header;
    if (section->bytes && line_header_read(section, unit->lines, &u->header))
        (void)line_program_run(section, &u->header, NULL, &sink);
    r.marks.count = r.first;
    if (r.no_memory || budget_is_over(budget) || !keep(lines, u, &r)) {
        free_index(u);
        u = NULL;
    }
    budget_vec_free(&r.marks);
    budget_vec_free(&r.sequences);
    return u;
}

struct lines *lines_new(struct units *units, struct sources *sources,
                        const struct functions *functions)
{
    struct lines *lines = calloc(1, sizeof(*lines));

    if (lines)
        *lines = (struct lines){.units = units, .sources = sources, .functions = functions};
    return lines;
}

void lines_free(struct lines *lines)
{
    if (!lines)
        return;
    drop_all(lines);
    free(lines);
}

static const struct sequence *find_sequence(const struct unit_lines *u, uint64_t addr)
{
    size_t behind =
        sorted_up_to(SORTED_BY(u->sequences, u->sequence_count, struct sequence, start), addr);

    return behind != 0 && addr < u->sequences[behind - 1].end ? &u->sequences[behind - 1] : NULL;
}

/* The mark to start from: the last one at or before addr; at an entry one before it, so that the
 * first row at addr is behind. */
static const struct mark *find_mark(const struct mark *marks, size_t count, uint64_t addr,
                                    bool entry)
{
    size_t behind = entry ? sorted_below(SORTED_BY(marks, count, struct mark, addr), addr)
                          : sorted_up_to(SORTED_BY(marks, count, struct mark, addr), addr);

    return &marks[behind != 0 ? behind - 1 : 0];
}

struct search {
    uint64_t addr;
    bool entry;
    struct line_row found;
};

/* Of several rows at one address the last one has the instruction; at a function's entry the first
 * one has the line where the function begins. */
static bool look_at_row(void *context, const struct line_row *row)
{
    struct search *s = context;

    if (row->addr > s->addr)
        return false;
    s->found = *row;
    return !(s->entry && row->addr == s->addr);
}

static bool look_at_end(void *context, uint64_t addr)
{
    (void)context;
    (void)addr;
    return false;
}

static void find_row(const struct lines *lines, const struct unit_lines *u,
                     const struct sequence *sequence, struct search *search)
{
    const struct mark *mark =
        find_mark(u->marks + sequence->first, sequence->count, search->addr, search->entry);
    struct line_row from = {.addr = mark->addr,
                            .file = mark->file,
                            .line = mark->line,
                            .next = u->header.program + mark->next};
    struct line_program_sink sink = {.context = search, .row = look_at_row, .end = look_at_end};

    search->found = from;
    if (!search->entry || from.addr != search->addr)
        (void)line_program_run(&lines->units->section, &u->header, &from, &sink);
}

/* The one that begins last, and the shorter one of two. */
static bool is_better(const struct sequence *a, const struct sequence *b)
{
    return !b || a->start > b->start || (a->start == b->start && a->end < b->end);
}

static const struct unit_lines *index_of(struct lines *lines, struct unit *unit)
{
    uint64_t before = budget_used(lines->units->budget);

    if (!unit->line_index && unit->lines != UINT64_MAX)
        unit->line_index = read_unit(lines, unit);
    lines->work += budget_used(lines->units->budget) - before;
    return unit->line_index;
}

/* As lines_find(); sets *exact to whether a row begins at addr. */
static bool find(struct lines *lines, uint64_t addr, bool entry, struct symtab_line *line,
                 bool *exact)
{
    const struct sequence *best = NULL;
    struct search search = {.addr = addr, .entry = entry};
    struct unit *owner = NULL;
    struct unit *unit;
    size_t at = 0;

    if (lines->kept > KEPT_MAX)
        drop_all(lines);
    while ((unit = units_next(lines->units, addr, &at)) != NULL) {
        const struct unit_lines *u = index_of(lines, unit);
        const struct sequence *s = u ? find_sequence(u, addr) : NULL;
        if (s && is_better(s, best)) {
            best = s;
            owner = unit;
        }
    }
    if (!best || budget_is_over(lines->units->budget))
        return false;
    find_row(lines, owner->line_index, best, &search);
    const char *file = sources_name(lines->sources, owner, search.found.file);
    if (search.found.line == 0 || search.found.line > UINT32_MAX || !file)
        return false;
    *line = (struct symtab_line){.file = file, .line = (unsigned)search.found.line};
    *exact = search.found.addr == addr;
    return true;
}

bool lines_find(struct lines *lines, uint64_t addr, struct symtab_line *line)
{
    bool exact;

    return find(lines, addr, false, line, &exact);
}

bool lines_find_start(struct lines *lines, uint64_t addr, uint64_t end, struct symtab_line *line)
{
    struct symtab_line found;
    bool exact = false;
    bool known = find(lines, addr, true, line, &exact);

    for (uint64_t at = addr + 2; !exact && at < end; at += 2) {
        if (find(lines, at, true, &found, &exact) && exact) {
            *line = found;
            known = true;
        }
    }
    return known;
}
