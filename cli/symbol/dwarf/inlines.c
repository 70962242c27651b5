/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inlined functions by address: each function's are read when it is asked for, and kept packed. */
#include <dwarf/inlines.h>

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include <budget/cursor.h>

#include "dies.h"
#include "entries.h"
#include "origins.h"
#include "subs.h"

/* Bytes of all that is kept; then all goes. */
#define KEPT_MAX ((size_t)24 << 20)

/* Entries inside each other, in a function. */
#define LEVELS_MAX 256

/* The work of asking libdw for an entry, in entries. */
#define ASK_ENTRIES 4

struct inlines {
    struct units *units;
    struct origins origins;
    struct budget_vec bytes, ranges; /* room for a body while it is made */
    size_t kept;                     /* bytes */
    uint64_t work;                   /* steps, for what is kept */
};

/*
 * A body is a row of calls that were replaced by code, each before those inside it. A call is
 * LEB128 numbers: its depth from 1 on, the number of its origin, line and file of the call, how
 * many ranges, and for each of them the distance of its start from the last one's, signed, and its
 * length. The first distance is from where the function's first piece begins.
 */
struct call {
    uint64_t depth, origin, line, file;
    bool hit; /* it holds the address */
};

/* A level of which nothing is told. */
#define NONE UINT32_MAX

struct reader {
    struct inlines *in;
    struct entries entries;
    struct budget_vec bytes, ranges;
    uint64_t last; /* start of a range */
    bool failed;
};

static void put_number(struct reader *r, uint64_t value)
{
    if (value < 0x80 && r->bytes.count < r->bytes.capacity) {
        ((uint8_t *)r->bytes.items)[r->bytes.count++] = (uint8_t)value;
        return;
    }
    uint8_t bytes[10];
    size_t count = 0;

    do {
        bytes[count++] = (uint8_t)((value & 0x7f) | (value > 0x7f ? 0x80 : 0));
        value >>= 7;
    } while (value != 0);
    r->failed |= !budget_vec_add(&r->bytes, bytes, count, 1);
}

/* Small numbers of both signs to small ones. */
static void put_signed(struct reader *r, uint64_t value)
{
    put_number(r, value << 1 ^ (value >> 63 ? ~(uint64_t)0 : 0));
}

static uint64_t take_signed(struct cursor *c)
{
    uint64_t value = cursor_leb(c, false);

    return value >> 1 ^ (value & 1 ? ~(uint64_t)0 : 0);
}

static bool add_range(void *context, const struct range *range)
{
    struct reader *r = context;

    return range->start >= range->end || budget_vec_push(&r->ranges, range, sizeof(*range));
}

static void ask_number(Dwarf_Die *die, unsigned name, uint64_t *value)
{
    Dwarf_Attribute attribute;
    Dwarf_Word word;

    if (dwarf_attr(die, name, &attribute) && dwarf_formudata(&attribute, &word) == 0)
        *value = word;
}

/* What is in a form that entries.h does not read. */
static void ask_libdw(struct reader *r, const struct entry *entry, struct entry_facts *facts)
{
    Dwarf_Attribute attribute;
    Dwarf_Die die, function;

    *facts = (struct entry_facts){.origin = 0};
    r->ranges.count = 0;
    r->failed |=
        !budget_work(r->in->units->budget, (uint64_t)ASK_ENTRIES * r->in->units->budget->entry);
    if (r->failed || !dwarf_offdie(r->in->units->dwarf, entry->offset, &die))
        return;
    r->failed |= !ranges_each(r->in->units, &die, r, add_range);
    if (dwarf_attr(&die, DW_AT_abstract_origin, &attribute) &&
        dwarf_formref_die(&attribute, &function))
        facts->origin = dwarf_dieoffset(&function);
    ask_number(&die, DW_AT_call_line, &facts->call_line);
    ask_number(&die, DW_AT_call_file, &facts->call_file);
}

static struct entry_facts read_facts(struct reader *r, const struct entry *entry)
{
    struct entry_facts facts = entries_read(&r->entries, entry);
    uint64_t at = 0, base = 0;
    struct range range;
    int said;

    r->ranges.count = 0;
    while ((said = entries_range(&r->entries, &facts, &at, &base, &range)) > 0 && !r->failed) {
        r->failed |= !add_range(r, &range) || !budget_work(r->in->units->budget, 1);
    }
    if (said < 0)
        ask_libdw(r, entry, &facts);
    return facts;
}

static void put_ranges(struct reader *r)
{
    const struct range *ranges = r->ranges.items;

    put_number(r, r->ranges.count);
    for (size_t i = 0; i < r->ranges.count; i++) {
        put_signed(r, ranges[i].start - r->last);
        put_number(r, ranges[i].end - ranges[i].start);
        r->last = ranges[i].start;
    }
}

/* false: it has no code, or no name. */
static bool put_call(struct reader *r, const struct entry *entry, unsigned depth)
{
    struct entry_facts facts = read_facts(r, entry);

    if (r->ranges.count == 0 || facts.origin == 0)
        return false;
    size_t origin = origins_take(&r->in->origins, facts.origin);
    r->failed |= origin == SIZE_MAX;
    if (r->failed || !origins_get(&r->in->origins, origin)->name)
        return false;
    put_number(r, depth);
    put_number(r, origin);
    put_number(r, facts.call_line <= UINT32_MAX ? facts.call_line : 0);
    put_number(r, facts.call_file);
    put_ranges(r);
    return true;
}

/* The depth of the calls around what is inside an entry, NONE: it is of no interest. */
static unsigned depth_inside(struct reader *r, const struct entry *entry, unsigned around)
{
    if (around == NONE || entry->shape->tag == DW_TAG_lexical_block)
        return around;
    if (entry->shape->tag != DW_TAG_inlined_subroutine)
        return NONE;
    return around + put_call(r, entry, around + 1);
}

/* Goes through all that is below a function's entry, which is the next one. */
static void read_calls(struct reader *r)
{
    unsigned depths[LEVELS_MAX] = {0}; /* inside the entries that are open */
    unsigned level = 0;
    struct entry entry;

    do {
        if (!entries_next(&r->entries, &entry)) {
            r->failed = true;
        } else if (!entry.shape) {
            level -= level != 0;
        } else {
            unsigned depth = level == 0 ? 0 : depth_inside(r, &entry, depths[level - 1]);
            r->failed |= level == LEVELS_MAX;
            if (entry.shape->children && !r->failed)
                depths[level++] = depth;
        }
    } while (level != 0 && !r->failed);
}

/* Counts what is kept until drop_all(). */
static void keep(struct inlines *in, size_t bytes)
{
    if (budget_take(in->units->budget, bytes))
        in->kept += bytes;
}

/* What can't be read has no inlined functions. */
static void read_body(struct inlines *in, struct unit *unit, struct sub *sub)
{
    struct reader r = {.in = in, .bytes = in->bytes, .ranges = in->ranges};
    const struct budget *budget = in->units->budget;
    size_t before = origins_bytes(&in->origins);
    uint64_t used = budget_used(budget);

    sub->read = true;
    if (!unit->shapes) {
        unit->shapes = shapes_read(in->units, unit);
        in->kept += unit->shapes ? shapes_bytes(unit->shapes) : 0; /* taken already */
    }
    if (!unit->shapes) {
        sub->read = !budget->stopped;
        return;
    }
    r.entries = entries_at(in->units, unit->shapes, sub->entry);
    read_calls(&r);
    if (!r.failed) {
        sub->body = budget_vec_copy(&r.bytes, 1);
        sub->body_len = sub->body ? r.bytes.count : 0;
    }
    keep(in, sub->body_len + origins_bytes(&in->origins) - before);
    in->work += budget_used(budget) - used;
    sub->read = !budget->stopped;
    r.bytes.count = 0;
    in->bytes = r.bytes;
    in->ranges = r.ranges;
}

static struct call next_call(struct cursor *c, uint64_t addr, uint64_t *last)
{
    struct call call = {.depth = cursor_leb(c, false)};

    call.origin = cursor_leb(c, false);
    call.line = cursor_leb(c, false);
    call.file = cursor_leb(c, false);
    uint64_t ranges = cursor_leb(c, false);
    for (uint64_t i = 0; i < ranges && !c->over; i++) {
        *last += take_signed(c);
        call.hit |= addr - *last < cursor_leb(c, false);
    }
    return call;
}

/* The calls around addr, from the outermost one on; returns how many. */
static size_t find_calls(const struct sub *sub, uint64_t addr, struct call *calls)
{
    struct cursor c = {.bytes = sub->body, .end = sub->body_len};
    uint64_t last = 0;
    size_t depth = 0;

    while (c.at < c.end) {
        struct call call = next_call(&c, addr, &last);
        if (call.depth <= depth) /* behind the one that held addr */
            break;
        if (call.hit && call.depth == depth + 1 && depth < DIES_DEPTH)
            calls[depth++] = call;
    }
    return depth;
}

static bool is_name(const char *symbol, const char *name)
{
    size_t len = name ? strlen(name) : 0;

    return len != 0 && strncmp(symbol, name, len) == 0 &&
           (symbol[len] == '\0' || symbol[len] == '.');
}

static bool is_start(uint64_t addr, const struct symtab_function *function)
{
    return addr - function->addr < functions_described_by(function) - function->addr;
}

/* What linkers dropped is left at address 0, where the flash of many parts is: there, the name must
 * tell, too. */
static bool stands_in(const struct inlines *in, const struct sub *sub,
                      const struct code_range *piece, const struct symtab_function *function)
{
    Dwarf_Die die;

    if (!is_start(sub->start, function) && !is_start(piece->start, function))
        return false;
    if (function->addr != 0)
        return true;
    const char *symbol = function->symbol ? function->symbol : function->name;
    struct budget *budget = in->units->budget;
    return budget_work(budget, (uint64_t)ASK_ENTRIES * budget->entry) &&
           dwarf_offdie(in->units->dwarf, sub->entry, &die) &&
           (is_name(symbol, dies_name(&die)) || is_name(symbol, dies_linkage_name(&die)));
}

static struct sub *find_in(const struct inlines *in, const struct unit_subs *subs,
                           const struct symtab_function *function, uint64_t addr)
{
    const struct code_range *piece;
    size_t at = subs->piece_count;

    while ((piece = subs_next(subs, in->units->budget, addr, &at)) != NULL)
        if (stands_in(in, &subs->list[piece->owner], piece, function))
            return &subs->list[piece->owner];
    return NULL;
}

static bool read_subs(struct inlines *in, struct unit *unit, bool deep)
{
    uint64_t used = budget_used(in->units->budget);
    struct unit_subs *subs = subs_read(in->units, unit, deep);

    if (!subs)
        return false;
    in->work += budget_used(in->units->budget) - used;
    subs_free(unit->subs);
    unit->subs = subs;
    keep(in, subs_bytes(subs));
    return true;
}

static struct sub *find_sub(struct inlines *in, struct unit *unit,
                            const struct symtab_function *function, uint64_t addr)
{
    if (!unit->subs && !read_subs(in, unit, false))
        return NULL;
    struct sub *sub = find_in(in, unit->subs, function, addr);
    if (sub || unit->subs->deep || !read_subs(in, unit, true))
        return sub;
    return find_in(in, unit->subs, function, addr);
}

static void drop_all(struct inlines *in)
{
    for (size_t i = 0; i < in->units->count; i++) {
        subs_free(in->units->list[i].subs);
        in->units->list[i].subs = NULL;
        shapes_free(in->units->list[i].shapes);
        in->units->list[i].shapes = NULL;
    }
    origins_drop(&in->origins);
    budget_vec_free(&in->bytes);
    budget_vec_free(&in->ranges);
    budget_give(in->units->budget, in->kept);
    budget_drop(in->units->budget, in->work);
    in->kept = 0;
    in->work = 0;
}

struct inlines *inlines_new(struct units *units, struct sources *sources,
                            const struct functions *functions)
{
    struct inlines *in = calloc(1, sizeof(*in));

    if (in)
        *in = (struct inlines){.units = units,
                               .origins = {.units = units,
                                           .sources = sources,
                                           .functions = functions,
                                           .children = {.budget = units->budget}},
                               .bytes = {.budget = units->budget},
                               .ranges = {.budget = units->budget}};
    return in;
}

void inlines_free(struct inlines *inlines)
{
    if (!inlines)
        return;
    drop_all(inlines);
    free(inlines);
}

static struct symtab_inlined frame_of(const struct inlines *in, struct unit *unit,
                                      const struct call *call)
{
    const struct origin *o = origins_get(&in->origins, (size_t)call->origin);
    struct sources *sources = in->origins.sources;

    return (struct symtab_inlined){
        .name = o->name,
        .file = o->unit != UINT32_MAX ? sources_name(sources, &in->units->list[o->unit], o->file)
                                      : NULL,
        .line = o->line,
        .call_line = (unsigned)call->line,
        .call_file = sources_name(sources, unit, call->file),
    };
}

static struct sub *sub_at(struct inlines *in, const struct symtab_function *function, uint64_t addr,
                          struct unit **unit)
{
    struct sub *sub = NULL;
    size_t at = 0;

    if (in->kept > KEPT_MAX)
        drop_all(in);
    while ((*unit = units_next(in->units, addr, &at)) != NULL &&
           (sub = find_sub(in, *unit, function, addr)) == NULL)
        ;
    return budget_is_over(in->units->budget) ? NULL : sub;
}

bool inlines_entry(struct inlines *inlines, const struct symtab_function *function, uint64_t addr,
                   Dwarf_Die *entry)
{
    struct unit *unit;
    const struct sub *sub = sub_at(inlines, function, addr, &unit);

    return sub && dwarf_offdie(inlines->units->dwarf, sub->entry, entry);
}

size_t inlines_find(struct inlines *inlines, const struct symtab_function *function, uint64_t addr,
                    struct symtab_inlined *frames, size_t max)
{
    struct call calls[DIES_DEPTH];
    struct unit *unit;
    struct sub *sub = sub_at(inlines, function, addr, &unit);

    if (!sub)
        return 0;
    if (!sub->read)
        read_body(inlines, unit, sub);
    size_t depth = find_calls(sub, addr, calls);
    size_t count = depth < max ? depth : max;
    if (count > SYMTAB_INLINED_MAX)
        count = SYMTAB_INLINED_MAX;
    for (size_t i = 0; i < count; i++)
        frames[i] = frame_of(inlines, unit, &calls[depth - 1 - i]);
    return count;
}
