/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Offers the names of an ELF file to a search for the nearest one. */
#include <load/near_names.h>

#include <string.h>

#include <base/say.h>
#include <profile/match.h>

void near_functions(struct nearest *nearest, const struct symtab *symtab)
{
    for (size_t part = 0; part < symtab_part_count(symtab); part++) {
        size_t count;
        const struct symtab_function *f = symtab_functions(symtab_part(symtab, part), &count);
        for (size_t i = 0; i < count; i++)
            nearest_offer(nearest, f[i].name);
    }
}

void near_handlers(struct nearest *nearest, const struct symtab *symtab,
                   const struct vectors *vectors)
{
    size_t count = vectors ? vectors_count(vectors, NULL) : 0;
    uint64_t addr;

    nearest_offer(nearest, "thread");
    for (size_t i = VECTORS_RESET + 1; i < count; i++) {
        if (!vectors_handler(vectors, (unsigned)i, &addr))
            continue;
        const struct symtab_function *f = symtab_find(symtab, addr);
        nearest_offer(nearest, f ? f->name : NULL);
    }
}

static bool is_there(const struct symtab *symtab, const char *name)
{
    for (size_t part = 0; part < symtab_part_count(symtab); part++) {
        size_t count;
        const struct symtab_function *f = symtab_functions(symtab_part(symtab, part), &count);
        for (size_t i = 0; i < count; i++) {
            if (strcmp(f[i].name, name) == 0 || match_is_unqualified(f[i].name, name))
                return true;
        }
    }
    return false;
}

void near_check_ignore(const struct view_ignore *ignore, const struct symtab *symtab)
{
    char hint[NEAREST_HINT];
    struct nearest near;

    for (size_t i = 0; i < ignore->count; i++) {
        const struct view_ignore_rule *rule = &ignore->rules[i];
        if (!rule->glob[0] || rule->files || strpbrk(rule->glob, "*?[") ||
            is_there(symtab, rule->glob))
            continue;
        nearest_begin(&near, rule->glob, strlen(rule->glob));
        near_functions(&near, symtab);
        if (near.name)
            complain("--ignore: no function named '%s'%s", rule->glob,
                     nearest_hint(&near, "", hint, sizeof(hint)));
    }
}
