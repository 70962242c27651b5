/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An ELF file as a source of names. */
#include <symbol/naming.h>

static const struct symtab_function *find(void *context, uint64_t addr)
{
    return symtab_find(context, addr);
}

static const struct symtab_function *find_caller(void *context, uint64_t caller)
{
    return symtab_find(context, naming_call(caller));
}

static bool find_line(void *context, uint64_t addr, struct symtab_line *line)
{
    return symtab_find_line(context, addr, line);
}

static bool find_start(void *context, const struct symtab_function *function,
                       struct symtab_line *line)
{
    return symtab_find_line(context, function->addr, line);
}

static size_t find_inlined(void *context, uint64_t addr, struct symtab_inlined *frames, size_t max)
{
    return symtab_find_inlined(context, addr, frames, max);
}

static uint64_t place(void *context, uint64_t addr)
{
    return symtab_place(context, addr);
}

struct symbol_naming symtab_naming(struct symtab *symtab)
{
    if (!symtab)
        return (struct symbol_naming){.context = NULL};
    return (struct symbol_naming){.context = symtab,
                                  .find = find,
                                  .find_caller = find_caller,
                                  .find_line = find_line,
                                  .find_start = find_start,
                                  .find_inlined = find_inlined,
                                  .place = place};
}
