/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inlined functions by address, out of DWARF. */
#include "inlines.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "dies.h"

/* A stretch of code that a call was replaced by. */
struct inlined {
    uint64_t start, end;
    uint64_t reach;   /* the largest end up to this one, in the order of starts */
    size_t number;    /* in the file: what is inside another one comes after it */
    uint64_t root;    /* where the function begins that it all stands in */
    const char *name; /* of that function */
    struct symtab_inlined frame;
};

struct inlines {
    Dwarf *dwarf; /* the names are in it */
    struct inlined *items;
    size_t count, capacity;
    uint64_t root; /* while reading */
    const char *root_name;
    bool failed;
};

static bool add(struct inlines *in, const struct inlined *item)
{
    if (in->count == in->capacity) {
        size_t capacity = in->capacity ? 2 * in->capacity : 256;
        struct inlined *items = realloc(in->items, capacity * sizeof(*items));
        in->failed = items == NULL;
        if (!items)
            return false;
        in->items = items;
        in->capacity = capacity;
    }
    in->items[in->count] = *item;
    in->items[in->count].number = in->count;
    in->count++;
    return true;
}

static unsigned number_of(Dwarf_Die *die, unsigned name)
{
    Dwarf_Attribute attribute;
    Dwarf_Word value = 0;

    if (!dwarf_attr(die, name, &attribute) || dwarf_formudata(&attribute, &value) != 0)
        return 0;
    return value <= UINT32_MAX ? (unsigned)value : 0;
}

static bool add_ranges(struct inlines *in, Dwarf_Die *die)
{
    int line = 0;
    struct inlined item = {.root = in->root, .name = in->root_name};
    Dwarf_Addr base, start, end;
    ptrdiff_t at = 0;

    item.frame.name = dies_name(die);
    item.frame.file = dwarf_decl_file(die);
    if (dwarf_decl_line(die, &line) == 0 && line > 0)
        item.frame.line = (unsigned)line;
    item.frame.call_line = number_of(die, DW_AT_call_line);
    if (!item.frame.name)
        return true;
    while ((at = dwarf_ranges(die, at, &base, &start, &end)) > 0) {
        item.start = start;
        item.end = end;
        if (start < end && !add(in, &item))
            return false;
    }
    return true;
}

static bool on_die(void *context, Dwarf_Die *die)
{
    struct inlines *in = context;

    if (dwarf_tag(die) == DW_TAG_subprogram) {
        in->root_name = dies_name(die);
        if (dwarf_entrypc(die, &in->root) != 0)
            in->root = UINT64_MAX;
    }
    return dwarf_tag(die) != DW_TAG_inlined_subroutine || add_ranges(in, die);
}

static int order(const void *a, const void *b)
{
    const struct inlined *x = a, *y = b;

    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static void sort(struct inlines *in)
{
    uint64_t reach = 0;

    if (in->count)
        qsort(in->items, in->count, sizeof(*in->items), order);
    for (size_t i = 0; i < in->count; i++) {
        reach = in->items[i].end > reach ? in->items[i].end : reach;
        in->items[i].reach = reach;
    }
}

struct inlines *inlines_read(const struct image *image)
{
    struct inlines *in = calloc(1, sizeof(*in));
    struct dies_walk walk = {.context = in, .visit = on_die, .deep = true, .left = image->len};

    if (!in)
        return NULL;
    in->dwarf = dwarf_begin_elf(image->elf, DWARF_C_READ, NULL);
    if (in->dwarf)
        dies_each(in->dwarf, &walk);
    if (!in->dwarf || in->failed) {
        inlines_free(in);
        return NULL;
    }
    sort(in);
    return in;
}

void inlines_free(struct inlines *inlines)
{
    if (!inlines)
        return;
    dwarf_end(inlines->dwarf);
    free(inlines->items);
    free(inlines);
}

/* What linkers dropped is left at address 0, where the flash of many parts is: there, the name must
 * tell, too. */
static bool stands_in(const struct inlined *item, const struct symtab_function *function)
{
    if (item->root != function->addr)
        return false;
    return item->root != 0 || (item->name && strcmp(item->name, function->name) == 0);
}

/* The index behind the last one that begins at or before addr. */
static size_t behind(const struct inlines *in, uint64_t addr)
{
    size_t low = 0, high = in->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (in->items[middle].start <= addr)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

size_t inlines_find(const struct inlines *inlines, const struct symtab_function *function,
                    uint64_t addr, struct symtab_inlined *frames, size_t max)
{
    size_t numbers[SYMTAB_INLINED_MAX];
    size_t count = 0;

    for (size_t i = behind(inlines, addr); i > 0 && inlines->items[i - 1].reach > addr; i--) {
        const struct inlined *item = &inlines->items[i - 1];
        if (addr >= item->end || !stands_in(item, function))
            continue;
        if (count == max || count == SYMTAB_INLINED_MAX)
            break;
        /* The innermost one has the highest number. */
        size_t at = count++;
        for (; at > 0 && numbers[at - 1] < item->number; at--) {
            numbers[at] = numbers[at - 1];
            frames[at] = frames[at - 1];
        }
        numbers[at] = item->number;
        frames[at] = item->frame;
    }
    return count;
}
