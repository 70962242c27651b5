/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which location stands at an address, and so a snapshot as a source of names. */
#include "index.h"

#include <stdlib.h>
#include <string.h>

#include <base/sorted.h>

#include "store.h"

static int order_places(const void *a, const void *b)
{
    const struct index_place *p = a, *q = b;
    int order = (p->addr > q->addr) - (p->addr < q->addr);

    order = order ? order : p->folded - q->folded;
    return order ? order : (p->location > q->location) - (p->location < q->location);
}

/* What a row is called after. Ours: the function that it all stands in, as the live views do; of
 * others, the innermost one, as pprof does. */
static uint32_t owner_of(const struct snapshot *s, const struct snapshot_location *l)
{
    if (l->line_count == 0)
        return SNAPSHOT_NONE;
    return s->lines[l->first_line + (s->ours ? l->line_count - 1 : 0)].function;
}

/* Profiles of interpreters have no addresses, those of several processes have some twice. */
static bool needs_numbers(const struct snapshot *s, const struct snapshot_index *index)
{
    if (s->ours)
        return false;
    for (size_t i = 0; i < index->count; i++) {
        if (index->places[i].addr == 0 ||
            (i != 0 && index->places[i].addr == index->places[i - 1].addr))
            return true;
    }
    return false;
}

static void number_places(const struct snapshot *s, struct snapshot_index *index)
{
    for (size_t i = 0; i < s->location_count; i++)
        index->places[i] = (struct index_place){.addr = i + 1, .location = (uint32_t)i};
    index->count = s->location_count;
    index->unplaced = true;
}

/* A block's parts say more than the block does; but tools that write a profile of ours again leave
 * out what no sample has. */
static void drop_folded(struct snapshot_index *index)
{
    size_t kept = 0;

    for (size_t i = 0; i < index->count; i++) {
        const struct index_place *place = &index->places[i];
        if (!place->folded || kept == 0 || index->places[kept - 1].addr != place->addr)
            index->places[kept++] = *place;
    }
    index->count = kept;
}

/* Files of ours have them in order, and sorting needs as much memory again. */
static void sort_places(struct snapshot_index *index)
{
    for (size_t i = 1; i < index->count; i++) {
        if (order_places(&index->places[i - 1], &index->places[i]) > 0) {
            qsort(index->places, index->count, sizeof(*index->places), order_places);
            return;
        }
    }
}

static void fill_places(const struct snapshot *s, struct snapshot_index *index)
{
    for (size_t i = 0; i < s->location_count; i++) {
        index->places[index->count++] =
            (struct index_place){.addr = s->locations[i].addr,
                                 .location = (uint32_t)i,
                                 .folded = s->ours && s->locations[i].folded};
    }
    sort_places(index);
    drop_folded(index);
    if (needs_numbers(s, index))
        number_places(s, index);
}

/* Places come in their order, so the first one of a function is where it begins. */
static void find_owners(struct snapshot *s, struct snapshot_index *index)
{
    for (size_t i = 0; i < s->function_count; i++) {
        s->functions[i].addr = 0;
        const struct snapshot_function *f = &s->functions[i];
        bool other = f->system_name[0] && strcmp(f->system_name, f->name) != 0;
        index->functions[i] = (struct symtab_function){.name = f->name[0] ? f->name : NULL,
                                                       .symbol = other ? f->system_name : NULL};
    }
    for (size_t i = 0; i < index->count; i++) {
        uint32_t owner = owner_of(s, &s->locations[index->places[i].location]);
        bool named = owner != SNAPSHOT_NONE && index->functions[owner].name;
        index->owners[i] = named ? &index->functions[owner] : NULL;
        if (!named || index->functions[owner].size)
            continue;
        index->functions[owner].size = 1; /* seen, until the end of this */
        index->functions[owner].addr = s->functions[owner].addr = index->places[i].addr;
    }
    for (size_t i = 0; i < s->function_count; i++)
        index->functions[i].size = 0;
}

bool index_build(struct snapshot *s)
{
    struct snapshot_index *index = calloc(1, sizeof(*index));

    if (!index)
        return false;
    index->places = malloc((s->location_count + 1) * sizeof(*index->places));
    index->owners = malloc((s->location_count + 1) * sizeof(struct symtab_function *));
    index->functions = malloc((s->function_count + 1) * sizeof(*index->functions));
    if (!index->places || !index->owners || !index->functions) {
        index_free(index);
        return false;
    }
    fill_places(s, index);
    find_owners(s, index);
    index_free(s->index);
    s->index = index;
    return true;
}

void index_free(struct snapshot_index *index)
{
    if (!index)
        return;
    free(index->places);
    free(index->owners);
    free(index->functions);
    free(index);
}

uint64_t index_place(const struct snapshot *s, uint32_t location)
{
    return s->index->unplaced ? (uint64_t)location + 1 : s->locations[location].addr;
}

/* How many places are at or before addr. */
static size_t count_places(const struct snapshot_index *index, uint64_t addr)
{
    return sorted_up_to(SORTED_BY(index->places, index->count, struct index_place, addr), addr);
}

/* How far from a place its block may reach. */
static uint64_t reach_of(const struct snapshot *s)
{
    return s->index->unplaced ? 1 : s->conditions.block_size;
}

/* The last place at or before addr, in the same block. */
static const struct index_place *find_place(const struct snapshot *s, uint64_t addr)
{
    size_t count = count_places(s->index, addr);

    if (count == 0 || addr - s->index->places[count - 1].addr >= reach_of(s))
        return NULL;
    return &s->index->places[count - 1];
}

/* Up to the next place, the end of this one's reach, or the last address. */
static uint64_t same(const struct snapshot *s, uint64_t addr)
{
    size_t count = count_places(s->index, addr);
    uint64_t bytes = addr == 0 ? UINT64_MAX : UINT64_MAX - addr + 1;

    if (count < s->index->count && s->index->places[count].addr - addr < bytes)
        bytes = s->index->places[count].addr - addr;
    if (count == 0)
        return bytes;
    uint64_t past = addr - s->index->places[count - 1].addr;
    uint64_t reach = reach_of(s);
    return past < reach && reach - past < bytes ? reach - past : bytes;
}

static uint64_t naming_same(void *context, uint64_t addr)
{
    return same(context, addr);
}

static const struct symtab_function *find(void *context, uint64_t addr)
{
    const struct snapshot *s = context;
    const struct index_place *place = find_place(s, addr);

    return place ? s->index->owners[place - s->index->places] : NULL;
}

static const struct symtab_function *find_caller(void *context, uint64_t caller)
{
    return find(context, caller - 1);
}

static bool find_line(void *context, uint64_t addr, struct symtab_line *line)
{
    const struct snapshot *s = context;
    const struct index_place *place = find_place(s, addr);
    const struct snapshot_location *l = place ? &s->locations[place->location] : NULL;

    if (!l || l->line_count == 0)
        return false;
    const struct snapshot_line *frame = &s->lines[l->first_line];
    if (frame->function == SNAPSHOT_NONE || frame->line <= 0 || frame->line > UINT32_MAX ||
        s->functions[frame->function].file[0] == '\0')
        return false;
    line->file = s->functions[frame->function].file;
    line->line = (unsigned)frame->line;
    return true;
}

static bool find_start(void *context, const struct symtab_function *function,
                       struct symtab_line *line)
{
    const struct snapshot *s = context;
    const struct snapshot_function *f = &s->functions[function - s->index->functions];

    if (f->file[0] == '\0')
        return false;
    line->file = f->file;
    line->line = f->start_line > 0 && f->start_line <= UINT32_MAX ? (unsigned)f->start_line : 0;
    return true;
}

/* The last frame is the function itself; one of its name before that is its own code in another
 * file.
 */
static size_t find_inlined(void *context, uint64_t addr, struct symtab_inlined *frames, size_t max)
{
    const struct snapshot *s = context;
    const struct index_place *place = find_place(s, addr);
    const struct snapshot_location *l = place ? &s->locations[place->location] : NULL;
    const struct symtab_function *owner = find(context, addr);
    size_t count = 0;

    for (uint32_t i = 0; l && owner && s->ours && i + 1 < l->line_count && count < max; i++) {
        const struct snapshot_line *at = &s->lines[l->first_line + i];
        const struct snapshot_function *f =
            at->function == SNAPSHOT_NONE ? NULL : &s->functions[at->function];
        if (!f || (l->line_count == 2 && strcmp(f->name, owner->name) == 0))
            continue;
        frames[count++] = (struct symtab_inlined){
            .name = f->name[0] ? f->name : NULL,
            .file = f->file[0] ? f->file : NULL,
            .line = f->start_line > 0 ? (unsigned)f->start_line : 0,
            .call_line = at[1].line > 0 ? (unsigned)at[1].line : 0,
        };
    }
    return count;
}

struct symbol_naming snapshot_naming(const struct snapshot *snapshot)
{
    union {
        const struct snapshot *in;
        void *out; /* nothing is written to it */
    } context = {.in = snapshot};

    return (struct symbol_naming){.context = context.out,
                                  .find = find,
                                  .find_caller = find_caller,
                                  .find_line = find_line,
                                  .find_start = find_start,
                                  .find_inlined = find_inlined,
                                  .same = naming_same,
                                  .unplaced = snapshot->index->unplaced};
}

uint32_t snapshot_find_location(const struct snapshot *snapshot, uint64_t addr)
{
    const struct index_place *place = find_place(snapshot, addr);

    return place ? place->location : SNAPSHOT_NONE;
}

uint64_t snapshot_same(const struct snapshot *snapshot, uint64_t addr)
{
    return same(snapshot, addr);
}

uint32_t snapshot_owner(const struct snapshot *snapshot, uint32_t location)
{
    uint32_t owner = owner_of(snapshot, &snapshot->locations[location]);

    return owner != SNAPSHOT_NONE && snapshot->functions[owner].name[0] ? owner : SNAPSHOT_NONE;
}

bool snapshot_is_placed(const struct snapshot *snapshot)
{
    return !snapshot->index->unplaced;
}

uint64_t snapshot_bias(const struct snapshot *snapshot)
{
    uint64_t linked_at = snapshot->conditions.linked_at;

    return linked_at && snapshot->mapping_count ? snapshot->mappings[0].start - linked_at : 0;
}

bool snapshot_has_names(const struct snapshot *snapshot)
{
    return snapshot->line_count != 0;
}
