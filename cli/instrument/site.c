/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the site of a function. */
#include <instrument/site.h>

#include <string.h>

#include "machines.h"

const struct site_machine *site_machine_of(const struct symtab_elf *elf)
{
    static const struct site_machine *const machines[] = {&site_thumb, &site_riscv, &site_x86};

    for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]) && !elf->big_endian; i++) {
        if (machines[i]->machine == elf->machine)
            return machines[i];
    }
    return NULL;
}

/* Returns the number of nops that code starts with, up to a byte; 0 if an instruction is across
 * that. */
static unsigned count_nops(const struct site_machine *m, const uint8_t *code, size_t len)
{
    unsigned count = 0;

    for (size_t at = 0; at < len; count++) {
        size_t size = m->nop(code + at, len - at);
        if (size == 0)
            return 0;
        at += size;
    }
    return count;
}

static unsigned count_nops_after(const struct site_machine *m, const uint8_t *code, size_t len)
{
    unsigned count = 0;

    for (size_t size = m->nop(code, len); size != 0; size = m->nop(code, len)) {
        code += size;
        len -= size;
        count++;
    }
    return count;
}

bool site_find(const struct site_machine *machine, const struct site_code *code, uint64_t hook,
               struct site *site)
{
    size_t at = machine->landing(code->bytes, code->len);
    const uint8_t *bytes = code->bytes + at;
    size_t len = code->len - at;
    uint64_t to;

    if (len < machine->size)
        return false;
    *site = (struct site){.at = at};
    site->calls = machine->decode(bytes, code->addr + at, &to) && to == hook;
    site->nops = count_nops(machine, site->calls ? machine->nops[0] : bytes, machine->size);
    site->after = count_nops_after(machine, bytes + machine->size, len - machine->size);
    if (site->nops == 0)
        return false;
    site->nops += site->after;
    return true;
}

bool site_find_hook(const struct symtab *symtab, uint64_t *hook)
{
    size_t count;
    const struct symtab_function *functions = symtab_functions(symtab, &count);

    for (size_t i = 0; i < count; i++) {
        if (strcmp(functions[i].name, SITE_HOOK) == 0) {
            *hook = functions[i].addr;
            return true;
        }
    }
    return false;
}

size_t site_rest(const struct symtab *symtab, uint64_t addr)
{
    const struct symtab_elf *elf = symtab_elf(symtab);
    const struct site_machine *machine = site_machine_of(elf);
    const struct symtab_function *f = machine ? symtab_find(symtab, addr) : NULL;
    struct site_code code = {.addr_size = elf->addr_size};
    uint64_t hook;
    struct site site;

    if (!f || f->is_label || addr - f->addr >= 2 * SITE_MAX || !site_find_hook(symtab, &hook))
        return 0;
    code.addr = f->addr;
    code.bytes = symtab_constant(symtab, f->addr, &code.len);
    if (!code.bytes || !site_find(machine, &code, hook, &site))
        return 0;
    uint64_t end = f->addr + site.at + machine->size;
    return addr >= f->addr + site.at && addr < end ? (size_t)(end - addr) : 0;
}
