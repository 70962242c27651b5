/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the made up functions one by one. */
#include "fake_names.h"

const struct symtab_function *fake_find(void *context, uint64_t addr)
{
    const struct fake_names *fake = context;

    for (size_t i = 0; i < fake->count; i++) {
        if (addr - fake->functions[i].addr < fake->functions[i].size)
            return &fake->functions[i];
    }
    return NULL;
}

const struct symtab_function *fake_find_caller(void *context, uint64_t caller)
{
    return fake_find(context, naming_call(caller));
}

bool fake_find_line(void *context, uint64_t addr, struct symtab_line *line)
{
    const struct fake_names *fake = context;

    return fake->line_at && fake->line_at(fake_find(context, addr), addr, line);
}

bool fake_find_start(void *context, const struct symtab_function *function,
                     struct symtab_line *line)
{
    const struct fake_names *fake = context;

    return fake->line_at && fake->line_at(function, function->addr, line);
}
