/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions whose instructions are followed, written here by halves. */
#include "unit.h"

#include "flow.h"
#include "symbol_checks.h"

/* Where no function of the ELF files is. */
#define CODE 0x50000000U

#define HALVES_MAX 16

struct example {
    const char *name;
    uint16_t code[HALVES_MAX];
    unsigned halves;
    uint64_t at; /* offset that is asked for */
    bool after_call;
    bool known;
    unsigned cfa_register;
    int64_t cfa_offset;
    enum rule_kind ra;
    int64_t ra_offset;
};

/* Encodings are in comments as assembly. */
static const struct example thumb[] = {
    {"entry", {0xb510}, 1, 0, false, true, 13, 0, RULE_SAME, 0}, /* push {r4, lr} */
    {"saved", {0xb510, 0xbf00}, 2, 2, false, true, 13, 8, RULE_AT, -4},
    /* push {r4, lr}; sub sp, #8; itt eq; addeq sp, #8; popeq {r4, pc}; nop */
    {"it",
     {0xb510, 0xb082, 0xbf04, 0xb002, 0xbd10, 0xbf00},
     6,
     10,
     false,
     true,
     13,
     16,
     RULE_AT,
     -4},
    /* push {lr}; beq 8; bl; 8: pop {r3}; bx r3 */
    {"in r3",
     {0xb500, 0xd001, 0xf000, 0xf800, 0xbc08, 0x4718},
     6,
     10,
     false,
     true,
     13,
     0,
     RULE_REGISTER,
     3},
    /* push {r4, lr}; bl; pop.w {r4, lr}; b.w */
    {"tail",
     {0xb510, 0xf000, 0xf800, 0xe8bd, 0x4010, 0xf000, 0xb800},
     7,
     10,
     false,
     true,
     13,
     0,
     RULE_SAME,
     0},
    {"call", {0xb510, 0xf000, 0xf800, 0xbd10}, 4, 6, true, true, 13, 8, RULE_AT, -4},
    {"never returns", {0xf000, 0xf800, 0xbf00}, 3, 4, true, false, 0, 0, RULE_SAME, 0},
    /* push {r7, lr}; mov r7, sp; sub.w sp, sp, r3; nop */
    {"alloca", {0xb580, 0x466f, 0xebad, 0x0d03, 0xbf00}, 5, 8, false, true, 7, 8, RULE_AT, -4},
    /* beq 6; sub sp, #8; nop; 6: nop */
    {"two ways", {0xd001, 0xb082, 0xbf00, 0xbf00}, 4, 6, false, false, 0, 0, RULE_SAME, 0},
    /* push {r4-r6, lr}; vpush {d8}; movw r3, #300; sub.w sp, sp, r3; nop */
    {"vpush",
     {0xb570, 0xed2d, 0x8b02, 0xf240, 0x132c, 0xebad, 0x0d03, 0xbf00},
     8,
     14,
     false,
     true,
     13,
     324,
     RULE_AT,
     -4},
    /* push {lr}; tbb [pc, r0]; .byte 2, 4; b .; 8: nop; nop; 12: nop */
    {"table",
     {0xb500, 0xe8df, 0xf000, 0x0402, 0xe7fe, 0xbf00, 0xbf00, 0xbf00},
     8,
     14,
     false,
     true,
     13,
     4,
     RULE_AT,
     -4},
    /* sg; vmov r3, s0; nop */
    {"secure entry",
     {0xe97f, 0xe97f, 0xee10, 0x3a10, 0xbf00},
     5,
     8,
     false,
     true,
     13,
     0,
     RULE_SAME,
     0},
    /* str lr, [sp, #-8]!; ldr pc, [sp], #8; nop: nothing comes there */
    {"ends", {0xf84d, 0xed08, 0xf85d, 0xfb08, 0xbf00}, 5, 8, false, false, 0, 0, RULE_SAME, 0},
    {"before its end", {0xf84d, 0xed08, 0xf85d, 0xfb08}, 4, 4, false, true, 13, 8, RULE_AT, -8},
};

static const struct example riscv[] = {
    {"saved", {0x1141, 0xc606, 0x0001}, 3, 4, false, true, 2, 16, RULE_AT, -4}, /* sw ra, 12(sp) */
    {"loaded", {0x1141, 0xc606, 0x40b2, 0x0141}, 4, 6, false, true, 2, 16, RULE_SAME, 0},
    {"released", {0x1141, 0xc606, 0x40b2, 0x0141, 0x8082}, 5, 8, false, true, 2, 0, RULE_SAME, 0},
    /* lui t0, 1; sub sp, sp, t0; nop */
    {"large", {0x6285, 0x0133, 0x4051, 0x0001}, 4, 6, false, true, 2, 4096, RULE_SAME, 0},
    /* fcvt.s.w ft1, a0; fadd.s ft2, ft1, ft1; nop */
    {"float", {0x70d3, 0xd005, 0xf153, 0x0010, 0x0001}, 5, 8, false, true, 2, 0, RULE_SAME, 0},
    {"to ra", {0xf0d3, 0xc000, 0x0001}, 3, 4, false, false, 0, 0, RULE_SAME, 0}, /* fcvt.w.s ra, ft1
                                                                                  */
    /* addi sp, sp, -16; sw s0, 8(sp); addi s0, sp, 16; sub sp, sp, a0; nop */
    {"alloca",
     {0x1141, 0xc422, 0x0800, 0x0133, 0x40a1, 0x0001},
     6,
     10,
     false,
     true,
     8,
     0,
     RULE_SAME,
     0},
};

static void check(const struct symtab *t, const struct machine *m, const struct example *e)
{
    uint8_t bytes[2 * HALVES_MAX];
    struct flow *flow = flow_new();
    struct rules rules;

    for (unsigned i = 0; i < e->halves; i++) {
        bytes[2 * i] = (uint8_t)e->code[i];
        bytes[2 * i + 1] = (uint8_t)(e->code[i] >> 8);
    }
    struct flow_place place = {.machine = m,
                               .symtab = t,
                               .code = bytes,
                               .len = 2 * e->halves,
                               .addr = CODE,
                               .pc = CODE + e->at,
                               .exact = !e->after_call};
    bool known = flow_find(flow, &place, &rules);
    const struct rule *ra = &rules.registers[m->ra];
    if (known != e->known ||
        (known && (rules.cfa_register != e->cfa_register || rules.cfa_offset != e->cfa_offset ||
                   ra->kind != e->ra || ra->offset != e->ra_offset)))
        fail_msg("%s: known %d, CFA r%u%+lld, return address %d %+lld", e->name, known,
                 rules.cfa_register, (long long)rules.cfa_offset, ra->kind, (long long)ra->offset);
    flow_free(flow);
}

static void arm(void **state)
{
    struct symtab *t = load("cortex-m3.elf");

    for (size_t i = 0; i < COUNT(thumb); i++)
        check(t, &machine_arm, &thumb[i]);
    symtab_free(t);
}

static void risc_v(void **state)
{
    struct symtab *t = load("rv32.elf");

    for (size_t i = 0; i < COUNT(riscv); i++)
        check(t, &machine_riscv, &riscv[i]);
    symtab_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(arm), cmocka_unit_test(risc_v)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
