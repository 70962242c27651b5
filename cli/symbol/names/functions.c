/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The symbol table to functions and objects. */
#define _POSIX_C_SOURCE 200809L

#include <names/functions.h>

#include <stdlib.h>
#include <string.h>

#include <base/vec.h>
#include <elf/symbols.h>

#include "candidates.h"
#include "display_names.h"
#include "plt.h"

/* A longer name is none, and its function has an address only. */
#define NAME_LONGEST ((size_t)1 << 16)

/* Work for a symbol but for its name, and bytes that are needed for it for a while, and for good.
 */
#define NAME_STEPS 8
#define SYMBOL_BYTES                                                                    \
    (sizeof(struct candidate) + 4 * sizeof(uint64_t) + sizeof(struct symtab_function) + \
     2 * sizeof(struct span))

/* ELF for the Arm architecture, "Mapping symbols"; RISC-V ELF psABI, the same with an ISA string.
 */
static bool is_mapping(const struct image *image, const char *name)
{
    static const char letters[] = "atdx";
    GElf_Half machine = image->header.e_machine;

    if (machine != EM_ARM && machine != EM_AARCH64 && machine != EM_RISCV)
        return false;
    if (name[0] != '$' || name[1] == '\0' || !strchr(letters, name[1]))
        return false;
    return name[2] == '\0' || name[2] == '.' ||
           (machine == EM_RISCV && strncmp(name + 2, "rv", 2) == 0);
}

/* Names that a compiler made for itself; RISC-V keeps them for the linker's relaxation. */
static bool is_local_label(const struct symbol *s)
{
    return s->type == STT_NOTYPE && strncmp(s->name, ".L", 2) == 0;
}

static unsigned rank_of(const struct symbol *s)
{
    unsigned rank = RANK_NOT_DEBUG;

    if (s->type == STT_NOTYPE)
        rank |= RANK_LABEL;
    if (s->bind == STB_LOCAL || s->bind == STB_WEAK)
        rank |= s->bind == STB_WEAK ? RANK_WEAK : RANK_LOCAL;
    if (s->sym.st_size == 0)
        rank |= RANK_UNSIZED;
    if (s->name[0] == '_')
        rank |= RANK_UNDERSCORE;
    return rank;
}

static bool is_code(const struct symbol *s, const struct section *section)
{
    if (s->type == STT_FUNC || s->type == STT_GNU_IFUNC)
        return true;
    return s->type == STT_NOTYPE && s->section != 0 && section->exec;
}

static uint64_t address_of(const struct image *image, const struct symbol *s, bool code)
{
    return image->header.e_machine == EM_ARM && code ? s->sym.st_value & ~(uint64_t)1
                                                     : s->sym.st_value;
}

static bool make_candidate(const struct image *image, const struct symbol *s, uint64_t addr,
                           struct candidate *c)
{
    const struct section *section = &image->sections[s->section];

    *c = (struct candidate){
        .addr = addr,
        .size = s->sym.st_size,
        .name = s->name,
        .rank = rank_of(s),
        .is_label = s->type == STT_NOTYPE,
    };
    if (s->section == 0) {
        c->limit = addr + c->size;
        return c->size != 0 && c->limit > addr;
    }
    c->limit = section->addr + section->size;
    if (!section->alloc || addr < section->addr || addr >= c->limit)
        return false;
    if (c->size > c->limit - addr)
        c->size = c->limit - addr;
    return true;
}

/* Names may be parts of one another, so that all together are longer than their table. */
static bool count_name(const struct image *image, const char *name, bool *usable)
{
    size_t len = strnlen(name, NAME_LONGEST);

    *usable = len < NAME_LONGEST;
    return budget_work(&image->budgets->symbols, NAME_STEPS + len);
}

/* false: the budget is over. */
static bool collect(const struct symbol_table *table, struct candidates *out)
{
    const struct image *image = table->image;
    struct symbol s;
    bool usable;

    for (size_t i = 1; i < table->count; i++) {
        if (!symbols_take(table, i, &s) || is_mapping(image, s.name) || is_local_label(&s) ||
            s.type == STT_FILE || s.type == STT_SECTION || s.type == STT_TLS)
            continue;
        if (!count_name(image, s.name, &usable))
            return false;
        if (!usable)
            continue;
        out->names[out->name_count++] = s.name;
        bool code = is_code(&s, &image->sections[s.section]);
        uint64_t addr = address_of(image, &s, code);
        if (s.section != 0)
            out->starts[out->start_count++] = addr;
        if (code && make_candidate(image, &s, addr, &out->list[out->count]))
            out->count++;
    }
    return true;
}

static bool add_plt(void *context, uint64_t addr, uint64_t size, const char *goal)
{
    struct candidates *c = context;

    if (!budget_take(c->budget, 2 * sizeof(*c->list)) ||
        !VEC_ROOM(c->list, c->capacity, c->count, 1))
        return false;
    c->list[c->count++] = (struct candidate){
        .addr = addr,
        .size = size,
        .limit = addr + size,
        .name = goal,
        .goal = goal,
        .mark = "@plt",
        .rank = RANK_LABEL | RANK_LOCAL | RANK_NOT_DEBUG,
    };
    return true;
}

/* All have the names of the symbol table. */
static void functions_plain(struct functions *functions, const struct candidates *c)
{
    for (size_t i = 0; i < functions->count; i++) {
        const struct candidate *one = &c->list[i];
        functions->functions[i] = (struct symtab_function){
            .addr = one->addr, .size = one->size, .name = one->name, .is_label = one->is_label};
    }
}

bool functions_read(struct functions *functions, const struct image *image,
                    const struct debug_names *debug)
{
    struct budget *budget = &image->budgets->symbols;
    struct candidates c = {.budget = budget};
    struct symbol_table table;
    bool done = false;

    *functions = (struct functions){.functions = NULL};
    if (!symbols_open(&table, image) || table.count == 0)
        return !budget_is_over(budget);
    if (!budget_take(budget, table.count * SYMBOL_BYTES))
        return false;
    c.list = calloc(table.count, sizeof(*c.list));
    c.capacity = c.list ? table.count : 0;
    c.starts = calloc(table.count, sizeof(*c.starts));
    c.names = calloc(table.count, sizeof(*c.names));
    if (!c.list || !c.starts || !c.names)
        goto out;
    if (!collect(&table, &c) || !plt_each(image, &c, add_plt))
        goto out;
    candidates_choose(&c, debug);
    done = display_names_make(functions, &c);
    if (!done && budget->spent)
        functions_plain(functions, &c);
    done &= spans_build(functions);
out:
    free(c.list);
    free(c.starts);
    free(c.names);
    return done;
}

void functions_free(struct functions *functions)
{
    free(functions->functions);
    free(functions->spans);
    string_arena_free(&functions->made);
    *functions = (struct functions){.functions = NULL};
}

bool object_find(const struct image *image, const char *name, uint64_t *addr, uint64_t *size)
{
    struct symbol_table table;
    struct symbol s;
    unsigned best = UINT32_MAX;

    if (!symbols_open(&table, image))
        return false;
    for (size_t i = 1; i < table.count; i++) {
        if (!symbols_take(&table, i, &s) || strcmp(s.name, name) != 0)
            continue;
        bool data = s.type == STT_OBJECT || s.type == STT_COMMON ||
                    (s.type == STT_NOTYPE && !image->sections[s.section].exec);
        if (!data || rank_of(&s) >= best)
            continue;
        best = rank_of(&s);
        *addr = s.sym.st_value;
        *size = s.sym.st_size;
    }
    return best != UINT32_MAX;
}

bool object_at(const struct image *image, uint64_t addr, uint64_t *size)
{
    struct symbol_table table;
    struct symbol s;

    if (!symbols_open(&table, image))
        return false;
    for (size_t i = 1; i < table.count; i++) {
        if (symbols_take(&table, i, &s) && s.type == STT_OBJECT && s.sym.st_value == addr) {
            *size = s.sym.st_size;
            return true;
        }
    }
    return false;
}
