/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frame information against what libdw reads of the same files, at each address of each function.
 */
#include "unit.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <unistd.h>

#include "cfi.h"
#include "cfi_entry.h"
#include "cfi_program.h"
#include "rules.h"
#include "symbol_checks.h"

/* Columns that libdw is asked for. */
#define COLUMNS 17

/* libdw's view of a file. */
struct other {
    Elf *elf;
    Dwarf *dwarf;
    Dwarf_CFI *debug, *eh;
    int fd;
};

static void open_other(struct other *o, const char *name)
{
    char path[600];

    snprintf(path, sizeof(path), "%s/%s", SYMBOL_FILES, name);
    elf_version(EV_CURRENT);
    o->fd = open(path, O_RDONLY);
    o->elf = elf_begin(o->fd, ELF_C_READ, NULL);
    o->dwarf = dwarf_begin_elf(o->elf, DWARF_C_READ, NULL);
    o->debug = dwarf_getcfi(o->dwarf);
    o->eh = dwarf_getcfi_elf(o->elf);
    assert_true(o->debug || o->eh);
}

static void close_other(struct other *o)
{
    dwarf_cfi_end(o->eh);
    dwarf_end(o->dwarf);
    elf_end(o->elf);
    close(o->fd);
}

static Dwarf_Frame *frame_at(const struct other *o, uint64_t addr)
{
    Dwarf_Frame *frame = NULL;

    if (o->debug && dwarf_cfi_addrframe(o->debug, addr, &frame) == 0)
        return frame;
    return o->eh && dwarf_cfi_addrframe(o->eh, addr, &frame) == 0 ? frame : NULL;
}

static void check_cfa(Dwarf_Frame *frame, const struct rules *rules)
{
    Dwarf_Op *ops;
    size_t count;

    assert_int_equal(dwarf_frame_cfa(frame, &ops, &count), 0);
    if (rules->cfa_expression.len) {
        assert_true(count > 1);
        return;
    }
    assert_int_equal(count, 1);
    bool x = ops[0].atom == DW_OP_bregx;
    assert_int_equal(x ? ops[0].number : ops[0].atom - (uint64_t)DW_OP_breg0, rules->cfa_register);
    assert_int_equal(x ? ops[0].number2 : ops[0].number, (uint64_t)rules->cfa_offset);
}

/* Rules that are not of the CIE or FDE come from libdw's own knowledge of ABIs: not looked at. */
static bool check_register(Dwarf_Frame *frame, const struct rules *rules, int number)
{
    const struct rule *rule = &rules->registers[number];
    Dwarf_Op memory[3], *ops;
    size_t count;

    assert_int_equal(dwarf_frame_register(frame, number, memory, &ops, &count), 0);
    if (rule->kind == RULE_AT) {
        assert_true(count == 1 || count == 2);
        assert_int_equal(ops[0].atom, DW_OP_call_frame_cfa);
        assert_int_equal(count == 2 ? ops[1].number : 0, (uint64_t)rule->offset);
        return true;
    }
    /* Else it is not in the stack. */
    assert_true(count == 0 || ops[0].atom != DW_OP_call_frame_cfa ||
                ops[count - 1].atom == DW_OP_stack_value);
    return false;
}

static void compare(const char *name)
{
    struct symtab *t = load(name);
    struct budget budget;
    struct other other = {.fd = -1};
    struct cfi cfi = {.addr_size = 0};
    size_t count, known = 0, saved = 0;
    const struct symtab_function *f = symtab_functions(t, &count);

    budget_open(&budget, 0, NULL);
    cfi_open(&cfi, t, &budget);
    open_other(&other, name);
    for (size_t i = 0; i < count; i++) {
        for (uint64_t at = f[i].addr; at < f[i].addr + f[i].size; at += 2) {
            struct rules rules;
            Dwarf_Frame *frame = frame_at(&other, at);
            if (cfi_find(&cfi, at, &rules) != (frame != NULL))
                fail_msg("%s: %s at %#llx", name, f[i].name, (unsigned long long)at);
            if (!frame)
                continue;
            known++;
            check_cfa(frame, &rules);
            for (int n = 0; n < COLUMNS; n++)
                saved += check_register(frame, &rules, n);
            free(frame);
        }
    }
    assert_true(known > 300 && saved > 200);
    close_other(&other);
    cfi_close(&cfi);
    symtab_free(t);
}

static void arm(void **state)
{
    compare("cortex-m0.elf");
    compare("cortex-m4f.elf");
}

static void riscv(void **state)
{
    compare("rv32.elf");
    compare("rv64.elf");
}

/* Each frame of each sample runs them: a file that was made to harm may have megabytes of them. */
static void too_many(void **state)
{
    enum { MOST = 65536 };
    static uint8_t program[MOST + 3]; /* DW_CFA_nop is 0 */
    const struct cfi_section section = {.bytes = {.bytes = program, .len = sizeof(program)}};
    struct cfi_entry entry = {.start = 0x100, .end = 0x200};
    struct rules rules;

    for (size_t nops = MOST - 1; nops <= MOST; nops++) {
        memcpy(program + nops, (uint8_t[]){DW_CFA_def_cfa, 13, 8}, 3);
        entry.program_end = nops + 3;
        assert_int_equal(cfi_run(&section, &entry, 0x180, &rules), nops < MOST);
        memset(program + nops, 0, 3);
    }
    assert_int_equal(rules.cfa_register, 0);
}

static void x86(void **state)
{
    compare("x86-64");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arm),
        cmocka_unit_test(riscv),
        cmocka_unit_test(x86),
        cmocka_unit_test(too_many),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
