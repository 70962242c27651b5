/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the FDE of an address. */
#include "cfi.h"

#include <base/sorted.h>

#include "cfi_entry.h"
#include "cfi_program.h"

/* Steps of the budget for an entry. */
#define ENTRY_WORK 16

/* The linker sets the start of code that it has left out to 0, where there may be other code. */
static bool is_left_out(const struct symtab *symtab, const struct cfi_entry *entry)
{
    const struct symtab_function *f = symtab_find(symtab, symtab_elf(symtab)->bias);

    return entry->start == 0 && (!f || f->size != entry->end);
}

static bool add_entry(struct cfi_section *s, const struct symtab *symtab, unsigned addr_size,
                      const struct cfi_head *head)
{
    struct cfi_entry entry;

    if (head->is_cie || !cfi_entry_read(s, addr_size, head, &entry) || is_left_out(symtab, &entry))
        return true;
    struct cfi_range range = {.start = entry.start, .end = entry.end, .fde = head->at};
    return budget_vec_push(&s->ranges, &range, sizeof(range));
}

static int by_start(const void *one, const void *other)
{
    const struct cfi_range *a = one, *b = other;

    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return a->fde < b->fde ? -1 : a->fde > b->fde;
}

static void open_section(struct cfi_section *s, const struct symtab *symtab, const char *name,
                         unsigned addr_size, struct budget *budget)
{
    struct cfi_head head = {.next = 0};

    s->ranges.budget = budget;
    if (!symtab_section(symtab, name, &s->bytes))
        return;
    s->bytes.addr -= s->bytes.addr ? symtab_elf(symtab)->bias : 0;
    while (cfi_head_read(s, head.next, &head)) {
        if (!budget_work(budget, ENTRY_WORK) || !add_entry(s, symtab, addr_size, &head))
            break;
    }
    if (s->ranges.count)
        qsort(s->ranges.items, s->ranges.count, sizeof(struct cfi_range), by_start);
}

void cfi_open(struct cfi *cfi, const struct symtab *symtab, struct budget *budget)
{
    cfi->addr_size = symtab_elf(symtab)->addr_size;
    cfi->sections[1].is_eh = true;
    open_section(&cfi->sections[0], symtab, ".debug_frame", cfi->addr_size, budget);
    open_section(&cfi->sections[1], symtab, ".eh_frame", cfi->addr_size, budget);
}

void cfi_close(struct cfi *cfi)
{
    budget_vec_free(&cfi->sections[0].ranges);
    budget_vec_free(&cfi->sections[1].ranges);
}

static bool find_in(const struct cfi_section *s, unsigned addr_size, uint64_t addr,
                    struct rules *rules)
{
    const struct cfi_range *ranges = s->ranges.items;
    size_t index = sorted_up_to(SORTED_BY(ranges, s->ranges.count, struct cfi_range, start), addr);
    struct cfi_head head;
    struct cfi_entry entry;

    return index != 0 && addr < ranges[index - 1].end &&
           cfi_head_read(s, ranges[index - 1].fde, &head) &&
           cfi_entry_read(s, addr_size, &head, &entry) && cfi_run(s, &entry, addr, rules);
}

bool cfi_find(const struct cfi *cfi, uint64_t addr, struct rules *rules)
{
    return find_in(&cfi->sections[0], cfi->addr_size, addr, rules) ||
           find_in(&cfi->sections[1], cfi->addr_size, addr, rules);
}
