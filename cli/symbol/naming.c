/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An ELF file as a source of names. */
#include <symbol/naming.h>

#include <string.h>

#define EXC_RETURN_FIRST 0xffffff80u
#define EXC_RETURN_LAST  0xffffffffu

/*
 * The pseudo function that calls interrupt handlers on a 32-bit Arm core: NULL if caller is not one
 * of the values that the link register has in them, EXC_RETURN, of every profile, with and without
 * bit 0 (ARMv8-M Architecture Reference Manual, B3.19: bits 31 to 7 are ones). No code is there.
 */
static const struct symtab_function *exception_return(uint64_t caller)
{
    static const struct symtab_function function = {
        .addr = EXC_RETURN_FIRST,
        .size = EXC_RETURN_LAST - EXC_RETURN_FIRST + 1,
        .name = "[exception return]",
    };

    return caller >= EXC_RETURN_FIRST && caller <= EXC_RETURN_LAST ? &function : NULL;
}

static bool is_arm(const struct symtab *symtab)
{
    const struct symtab_elf *elf = symtab_elf(symtab);

    return strcmp(elf->arch, "arm") == 0 && elf->addr_size == 4;
}

static const struct symtab_function *find(void *context, uint64_t addr)
{
    return symtab_find(context, addr);
}

static const struct symtab_function *find_caller(void *context, uint64_t caller)
{
    const struct symtab_function *function = symtab_find(context, naming_call(caller));

    return function || !is_arm(context) ? function : exception_return(caller);
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

static const struct symtab_function *functions(void *context, size_t *count)
{
    return symtab_functions(context, count);
}

static bool aliased(void *context)
{
    size_t count;

    symtab_aliases(context, &count);
    return count != 0;
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
                                  .place = place,
                                  .functions = functions,
                                  .aliased = aliased};
}
