/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where instructions go, by the encodings that GNU as has made of them. */
#include "unit.h"

#include <elf.h>

#include <model/flow.h>

/* The instruction at at, in the order of bytes in memory. */
struct made {
    uint64_t at;
    uint8_t bytes[8];
    struct {
        unsigned len;
        enum flow_kind kind;
        uint64_t target;
    } flow;
};

#define HALF(h) (uint8_t)((h)&0xff), (uint8_t)((h) >> 8)
#define WORD(w) HALF((w)&0xffff), HALF((w) >> 16)

static const struct made thumb[] = {
    {0x100, {HALF(0xf7ff), HALF(0xbfbe)}, {4, FLOW_JUMP, 0x80}},     /* b.w */
    {0x104, {HALF(0xf000), HALF(0xb87c)}, {4, FLOW_JUMP, 0x200}},    /* b.w */
    {0x108, {HALF(0xf43f), HALF(0xafc2)}, {4, FLOW_JUMP, 0x90}},     /* beq.w */
    {0x10c, {HALF(0xf040), HALF(0x8778)}, {4, FLOW_JUMP, 0x1000}},   /* bne.w */
    {0x110, {HALF(0xf0ff), HALF(0xbf76)}, {4, FLOW_JUMP, 0x100000}}, /* b.w */
    {0x114, {HALF(0xf7ff), HALF(0xff76)}, {4, FLOW_CALL, 0x4}},      /* bl */
    {0x118, {HALF(0xf3ff), HALF(0xf76a)}, {4, FLOW_CALL, 0x7ffff0}}, /* bl */
    {0x11c, {HALF(0xb143)}, {2, FLOW_JUMP, 0x130}},                  /* cbz */
    {0x11e, {HALF(0xb9b0)}, {2, FLOW_JUMP, 0x14e}},                  /* cbnz */
    {0x100, {HALF(0xe7fe)}, {2, FLOW_JUMP, 0x100}},                  /* b . */
    {0x100, {HALF(0xd0fe)}, {2, FLOW_JUMP, 0x100}},                  /* beq . */
    {0x120, {HALF(0x4770)}, {2, FLOW_BREAK, 0}},                     /* bx lr */
    {0x122, {HALF(0x4798)}, {2, FLOW_ON, 0}},                        /* blx r3 */
    {0x124, {HALF(0xbd10)}, {2, FLOW_BREAK, 0}},                     /* pop {r4, pc} */
    {0x126, {HALF(0xbc30)}, {2, FLOW_ON, 0}},                        /* pop {r4, r5} */
    {0x128, {HALF(0x469f)}, {2, FLOW_BREAK, 0}},                     /* mov pc, r3 */
    {0x12a, {HALF(0x449f)}, {2, FLOW_BREAK, 0}},                     /* add pc, r3 */
    {0x12c, {HALF(0x4698)}, {2, FLOW_ON, 0}},                        /* mov r8, r3 */
    {0x12e, {HALF(0xde00)}, {2, FLOW_BREAK, 0}},                     /* udf */
    {0x130, {HALF(0xdf01)}, {2, FLOW_ON, 0}},                        /* svc */
    {0x132, {HALF(0xe8bd), HALF(0x8110)}, {4, FLOW_BREAK, 0}},       /* pop.w with pc */
    {0x136, {HALF(0xf85d), HALF(0xfb04)}, {4, FLOW_BREAK, 0}},       /* ldr pc */
    {0x13a, {HALF(0xf85d), HALF(0x3b04)}, {4, FLOW_ON, 0}},          /* ldr r3 */
    {0x13e, {HALF(0xe8df), HALF(0xf003)}, {4, FLOW_BREAK, 0}},       /* tbb */
    {0x142, {HALF(0xf3bf), HALF(0x8f4f)}, {4, FLOW_ON, 0}},          /* dsb */
    {0x146, {HALF(0xf3ef), HALF(0x8010)}, {4, FLOW_ON, 0}},          /* mrs */
    {0x14a, {HALF(0xe8b0), HALF(0x0110)}, {4, FLOW_ON, 0}},          /* ldmia without pc */
};

static const struct made rv32[] = {
    {0x100, {WORD(0x00b51463)}, {4, FLOW_JUMP, 0x108}},                        /* bne */
    {0x112, {WORD(0xf01ff0ef)}, {4, FLOW_CALL, 0x12}},                         /* jal ra */
    {0x116, {WORD(0x0008006f)}, {4, FLOW_JUMP, 0x80116}},                      /* j */
    {0x11a, {WORD(0x000200ef)}, {4, FLOW_CALL, 0x2011a}},                      /* jal ra */
    {0x11e, {WORD(0x000500e7)}, {4, FLOW_ON, 0}},                              /* jalr ra */
    {0x122, {HALF(0x8502)}, {2, FLOW_BREAK, 0}},                               /* c.jr a0 */
    {0x124, {HALF(0x8082)}, {2, FLOW_BREAK, 0}},                               /* ret */
    {0x126, {HALF(0xd165)}, {2, FLOW_JUMP, 0x106}},                            /* c.beqz */
    {0x128, {HALF(0xe121)}, {2, FLOW_JUMP, 0x168}},                            /* c.bnez */
    {0x12a, {HALF(0xb501)}, {2, FLOW_JUMP, 0xffffff2a}},                       /* c.j */
    {0x110, {HALF(0xa101)}, {2, FLOW_JUMP, 0x510}},                            /* c.j */
    {0x12c, {HALF(0x2601)}, {2, FLOW_CALL, 0x42c}},                            /* c.jal */
    {0x130, {HALF(0x9502)}, {2, FLOW_ON, 0}},                                  /* c.jalr */
    {0x132, {HALF(0x852e)}, {2, FLOW_ON, 0}},                                  /* c.mv */
    {0x136, {HALF(0x9002)}, {2, FLOW_BREAK, 0}},                               /* c.ebreak */
    {0x138, {WORD(0x00012097), WORD(0xffc080e7)}, {8, FLOW_CALL, 0x12134}},    /* call */
    {0x140, {WORD(0xfffff317), WORD(0x00830067)}, {8, FLOW_JUMP, 0xfffff148}}, /* tail */
    {0x148, {WORD(0x00001517), WORD(0x00450513)}, {4, FLOW_ON, 0}},            /* la */
};

static const struct made x86[] = {
    {0x3683, {0xe8, 0x08, 0xf4, 0xff, 0xff}, {5, FLOW_CALL, 0x2a90}},
    {0x1000, {0xe9, 0x00, 0x01, 0x00, 0x00}, {5, FLOW_JUMP, 0x1105}},
    {0x1000, {0xc3}, {1, FLOW_ON, 0}},
};

static void check(const struct symtab_elf *machine, const struct made *all, size_t count)
{
    struct flow f;

    for (size_t i = 0; i < count; i++) {
        assert_true(flow_decode(machine, all[i].bytes, 8, all[i].at, &f));
        if (f.len != all[i].flow.len || f.kind != all[i].flow.kind ||
            f.target != all[i].flow.target)
            fail_msg("instruction %zu at %#jx: %u bytes, kind %d, to %#jx", i, (uintmax_t)all[i].at,
                     f.len, (int)f.kind, (uintmax_t)f.target);
    }
}

static void test_instructions(void **state)
{
    const struct symtab_elf arm = {.machine = EM_ARM, .addr_size = 4};
    const struct symtab_elf riscv = {.machine = EM_RISCV, .addr_size = 4};
    const struct symtab_elf intel = {.machine = EM_X86_64, .addr_size = 8};

    check(&arm, thumb, COUNT(thumb));
    check(&riscv, rv32, COUNT(rv32));
    check(&intel, x86, COUNT(x86));
}

/* With 64 bits, what is C.JAL is C.ADDIW. */
static void test_64_bits(void **state)
{
    const struct symtab_elf riscv = {.machine = EM_RISCV, .addr_size = 8};
    const uint8_t bytes[8] = {HALF(0x2601)};
    struct flow f;

    assert_true(flow_decode(&riscv, bytes, sizeof(bytes), 0x12c, &f));
    assert_int_equal(f.kind, FLOW_ON);
}

/* What may be executed next is told from what is. */
static void test_conditions(void **state)
{
    const struct symtab_elf arm = {.machine = EM_ARM, .addr_size = 4};
    const struct symtab_elf riscv = {.machine = EM_RISCV, .addr_size = 4};
    const uint8_t beq[] = {HALF(0xd0fe)}, b[] = {HALF(0xe7fe)},
                  wide[] = {HALF(0xf43f), HALF(0xaffe)};
    const uint8_t cbz[] = {HALF(0xb100)}, beqz[] = {HALF(0xc101)}, j[] = {HALF(0xa101)};
    struct flow f;

    assert_true(flow_decode(&arm, beq, 2, 0, &f) && f.maybe);
    assert_true(flow_decode(&arm, cbz, 2, 0, &f) && f.maybe);
    assert_true(flow_decode(&arm, wide, 4, 0, &f) && f.kind == FLOW_JUMP && f.maybe);
    assert_true(flow_decode(&arm, b, 2, 0, &f) && !f.maybe);
    assert_true(flow_decode(&riscv, beqz, 2, 0, &f) && f.maybe);
    assert_true(flow_decode(&riscv, j, 2, 0, &f) && !f.maybe);
}

static void test_short(void **state)
{
    const struct symtab_elf arm = {.machine = EM_ARM, .addr_size = 4};
    const struct symtab_elf riscv = {.machine = EM_RISCV, .addr_size = 4};
    const struct symtab_elf other = {.machine = EM_MIPS, .addr_size = 4};
    const uint8_t wide[] = {HALF(0xf7ff), HALF(0xff76)}, call[] = {WORD(0x00012097)};
    struct flow f;

    assert_false(flow_decode(&arm, wide, 2, 0, &f));
    assert_false(flow_decode(&arm, wide, 1, 0, &f));
    assert_true(flow_decode(&riscv, call, 4, 0, &f));
    assert_int_equal(f.kind, FLOW_ON);
    assert_false(flow_decode(&riscv, call, 2, 0, &f));
    assert_false(flow_decode(&other, wide, 4, 0, &f));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_instructions),
        cmocka_unit_test(test_64_bits),
        cmocka_unit_test(test_conditions),
        cmocka_unit_test(test_short),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
