/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds data objects by their addresses. */
#include <names/objects.h>

#include <stdlib.h>

#include <base/sorted.h>
#include <budget/vec.h>
#include <elf/symbols.h>

/* Steps to sort one object. */
#define SORT_STEPS 20

static int compare(const void *left, const void *right)
{
    const struct object *a = left, *b = right;

    if (a->addr != b->addr)
        return a->addr < b->addr ? -1 : 1;
    if (a->size != b->size) /* the largest one comes first */
        return a->size > b->size ? -1 : 1;
    return strcmp(a->symbol, b->symbol);
}

/* Keeps the first one of each address. */
static size_t unique(struct object *list, size_t count)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++)
        if (kept == 0 || list[kept - 1].addr != list[i].addr)
            list[kept++] = list[i];
    return kept;
}

static bool collect(const struct symbol_table *table, struct budget_vec *list)
{
    struct symbol s;

    for (size_t i = 1; i < table->count; i++) {
        if (!budget_work(list->budget, 1))
            return false;
        if (!symbols_take(table, i, &s) || s.type != STT_OBJECT || s.sym.st_size == 0)
            continue;
        const struct object object = {
            .addr = s.sym.st_value, .size = s.sym.st_size, .symbol = s.name};
        if (!budget_work(list->budget, SORT_STEPS) ||
            !budget_vec_push(list, &object, sizeof(object)))
            return false;
    }
    return true;
}

bool objects_read(struct objects *objects, const struct image *image)
{
    struct budget_vec list = {.budget = &image->budgets->symbols};
    struct symbol_table table;

    objects->read = true;
    if (!symbols_open(&table, image) || !collect(&table, &list)) {
        budget_vec_free(&list);
        return false;
    }
    objects->list = list.items;
    if (list.count != 0)
        qsort(objects->list, list.count, sizeof(objects->list[0]), compare);
    objects->count = unique(objects->list, list.count);
    return true;
}

void objects_free(struct objects *objects)
{
    free(objects->list);
    *objects = (struct objects){.list = NULL};
}

const struct object *objects_find(const struct objects *objects, uint64_t addr)
{
    size_t place =
        sorted_up_to(SORTED_BY(objects->list, objects->count, struct object, addr), addr);
    const struct object *o = place != 0 ? &objects->list[place - 1] : NULL;

    return o && addr - o->addr < o->size ? o : NULL;
}
