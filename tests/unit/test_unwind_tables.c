/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arm's exception tables and expressions of frame information, byte by byte. */
#include "unit.h"

#include "exidx.h"
#include "expression.h"
#include "unwinder.h"

#define STACK 0x20001000U
#define CODE  0x1000U
#define INDEX 0x8000U
#define TABLE 0x9000U

enum { R4 = 4, R7 = 7, SP = 13, LR = 14 };

/* A halted core whose stack has the words 0x100, 0x101, ... */
struct core {
    struct unwinder unwinder;
    struct unwind_memory memory;
    struct walk walk;
    uint32_t words[64];
    char why[WALK_WHY];
};

static void reset(struct core *c, size_t words)
{
    *c = (struct core){.unwinder = {.machine = &machine_arm, .addr_size = 4}};
    for (uint32_t i = 0; i < COUNT(c->words); i++)
        c->words[i] = 0x100 + i;
    c->memory =
        (struct unwind_memory){.addr = STACK, .bytes = (const uint8_t *)c->words, .len = 4 * words};
    c->walk = (struct walk){.unwinder = &c->unwinder, .memory = &c->memory, .why = c->why};
    for (unsigned i = 0; i < 13; i++)
        unwind_set(&c->walk.registers, i, 0x700 + i);
    unwind_set(&c->walk.registers, SP, STACK);
    unwind_set(&c->walk.registers, LR, 0x77);
}

/* An index with two entries, of which the second one covers nothing; first is its second word. */
static enum step run(struct core *c, uint32_t first, const uint32_t *table, size_t table_words)
{
    static uint32_t index[4];
    uint32_t entries[] = {CODE - INDEX, first, CODE + 0x100 - (INDEX + 8), 1};

    for (size_t i = 0; i < COUNT(index); i++)
        index[i] = i % 2 == 0 ? entries[i] & 0x7fffffff : entries[i];
    struct exidx exidx = {
        .index = {.addr = INDEX, .bytes = (const uint8_t *)index, .len = sizeof(index)},
        .table = {.addr = TABLE, .bytes = (const uint8_t *)table, .len = 4 * table_words}};
    return exidx_step(&exidx, &c->walk, CODE + 6);
}

static uint64_t reg(const struct core *c, unsigned number)
{
    return c->walk.registers.known >> number & 1 ? c->walk.registers.value[number] : UINT64_MAX;
}

/* Three operations in the index. */
struct one {
    uint32_t code;    /* the three bytes */
    unsigned words;   /* that the stack shrinks by */
    uint64_t pc;      /* of the caller */
    unsigned changed; /* a register that is popped */
    uint64_t value;
};

static void operations(void **state)
{
    static const struct one all[] = {
        {0x8400b0, 1, 0x100, SP, STACK + 4}, /* pop {lr} */
        {0xa9b0b0, 3, 0x102, 5, 0x101},      /* pop {r4, r5, lr} */
        {0xafb0b0, 9, 0x108, 11, 0x107},     /* pop {r4-r11, lr} */
        {0x8801b0, 2, 0x101, R4, 0x100},     /* pop {r4, pc} */
        {0x01a8b0, 4, 0x103, R4, 0x102},     /* vsp += 8; pop {r4, lr} */
        {0x3fa8b0, 2, 0x141, 0, 0},          /* vsp += 256: beyond what was read */
        {0xb10484, 0, 0, 0, 0},              /* cut in the middle: the last byte is missing */
        {0xb20084, 0, 0, 0, 0},              /* the same */
        {0xd1a8b0, 6, 0x105, R4, 0x104},     /* vpop {d8, d9}; pop {r4, lr} */
        {0xb9a8b0, 7, 0x106, R4, 0x105},     /* the same by FSTMFDX */
        {0xb4a8b0, 3, 0x102, R4, 0x101},     /* pop {ra_auth_code} */
        {0x800000, 0, 0, 0, 0},              /* refuse to unwind */
        {0xb5a8b0, 0, 0, 0, 0},              /* spare */
        {0x9da8b0, 0, 0, 0, 0},              /* reserved */
        {0xc000b0, 0, 0, 0, 0},              /* of another coprocessor */
    };
    struct core c;

    for (size_t i = 0; i < COUNT(all); i++) {
        reset(&c, 64);
        enum step step = run(&c, 0x80000000 | all[i].code, NULL, 0);
        if (all[i].pc == 0 || all[i].pc == 0x141) {
            assert_int_not_equal(step, STEP_DONE);
            assert_int_equal(reg(&c, SP), STACK);
            continue;
        }
        assert_int_equal(step, STEP_DONE);
        assert_int_equal(reg(&c, UNWIND_PC), all[i].pc);
        assert_int_equal(reg(&c, SP), STACK + 4 * all[i].words);
        assert_int_equal(reg(&c, all[i].changed), all[i].value);
    }
}

/* Of a function whose frame pointer is r7, with a table entry of each model. */
static void models(void **state)
{
    static const uint32_t own[] = {0x7fffff00, 0x0197a8b0, 0xb0b0b0b0};
    static const uint32_t short_model[] = {0x8097a8b0};
    static const uint32_t long_model[] = {0x810197a8, 0xb0b0b0b0};
    static const uint32_t too_long[] = {0x810597a8, 0xb0b0b0b0};
    static const uint32_t unknown[] = {0x8397a8b0};
    struct core c;
    uint32_t place = (TABLE - (INDEX + 4)) & 0x7fffffff;

    for (int i = 0; i < 3; i++) {
        reset(&c, 64);
        unwind_set(&c.walk.registers, R7, STACK + 32);
        const uint32_t *table = i == 0 ? own : i == 1 ? short_model : long_model;
        assert_int_equal(run(&c, place, table, i == 0 ? 3 : i == 1 ? 1 : 2), STEP_DONE);
        assert_int_equal(reg(&c, UNWIND_PC), 0x109);
        assert_int_equal(reg(&c, R4), 0x108);
        assert_int_equal(reg(&c, SP), STACK + 40);
        assert_int_equal(reg(&c, 0), UINT64_MAX); /* calls change it */
    }
    reset(&c, 64);
    assert_int_equal(run(&c, place, too_long, 2), STEP_UNKNOWN);
    assert_int_equal(run(&c, place, unknown, 1), STEP_UNKNOWN);
    assert_int_equal(run(&c, place, NULL, 0), STEP_UNKNOWN);
    assert_int_equal(run(&c, 1, NULL, 0), STEP_UNKNOWN); /* cannot be unwound */
    c.walk.registers.known &= ~((uint64_t)1 << R7);
    assert_int_equal(run(&c, place, short_model, 1), STEP_NO_MEMORY);
}

/* Without a return address in the stack, it is lr, unless that was changed by a call. */
static void leaf(void **state)
{
    struct core c;

    reset(&c, 64);
    c.walk.exact = true;
    assert_int_equal(run(&c, 0x80b0b0b0, NULL, 0), STEP_DONE);
    assert_int_equal(reg(&c, UNWIND_PC), 0x77);
    reset(&c, 64);
    assert_int_equal(run(&c, 0x80b0b0b0, NULL, 0), STEP_UNKNOWN);
    assert_string_equal(c.why, "it has not saved its return address");
    reset(&c, 1);
    assert_int_equal(run(&c, 0x80a8b0b0, NULL, 0), STEP_NO_MEMORY);
    assert_string_equal(c.why, "memory at 0x20001004 was not read");
}

struct formula {
    const char *bytes;
    size_t len;
    uint64_t result; /* UINT64_MAX: it is refused */
};

#define FORMULA(bytes, result)           \
    {                                    \
        bytes, sizeof(bytes) - 1, result \
    }

static void expressions(void **state)
{
    static const struct formula all[] = {
        FORMULA("\x35", 5),                              /* lit5 */
        FORMULA("\x7d\x08", STACK + 8),                  /* breg13 8 */
        FORMULA("\x92\x0d\x78", STACK - 8),              /* bregx 13 -8 */
        FORMULA("\x7d\x08\x06", 0x102),                  /* and deref */
        FORMULA("\x7d\x08\x94\x01", 2),                  /* deref_size 1 */
        FORMULA("\x09\xff\x08\x02\x22", 1),              /* const1s -1, const1u 2, plus */
        FORMULA("\x09\xff\x38\x2d", 1),                  /* -1 < 8 */
        FORMULA("\x0a\x34\x12\x0b\xff\xff\x1a", 0x1234), /* const2u, const2s, and */
        FORMULA("\x10\x81\x01\x11\x7f\x1c", 0x82),       /* constu 129, consts -1, minus */
        FORMULA("\x31\x32\x16\x1c", 1),                  /* 1 2 swap minus */
        FORMULA("\x31\x32\x14\x22\x22", 4),              /* 1 2 over plus plus */
        FORMULA("\x31\x32\x15\x01\x1e\x13", 1),          /* 1 2 pick 1, mul, drop */
        FORMULA("\x33\x12\x24\x20", 0xffffffe7),         /* 3 dup shl not */
        FORMULA("\x33\x1f\x23\x05", 2),                  /* 3 neg plus_uconst 5 */
        FORMULA("\x31\x28\x01\x00\x30\x37", 7),          /* 1 bra over a lit0 */
        FORMULA("\x2f\x01\x00\x30\x36", 6),              /* skip */
        FORMULA("\x03\x78\x56\x34\x12", 0x12345678),     /* addr */
        FORMULA("", UINT64_MAX),                         /* nothing */
        FORMULA("\x22", UINT64_MAX),                     /* too few numbers */
        FORMULA("\x2f\xfd\xff", UINT64_MAX),             /* forever */
        FORMULA("\x2f\xff\x7f", UINT64_MAX),             /* outside */
        FORMULA("\x0a\x34", UINT64_MAX),                 /* cut */
        FORMULA("\x31\xf3", UINT64_MAX),                 /* of a vendor */
        FORMULA("\x92\xff\xff\x03\x00", UINT64_MAX),     /* no such register */
        FORMULA("\x30\x06", UINT64_MAX),                 /* memory that was not read */
    };
    struct core c;

    for (size_t i = 0; i < COUNT(all); i++) {
        struct expression e = {.bytes = (const uint8_t *)all[i].bytes, .len = all[i].len};
        uint64_t result = 0;
        reset(&c, 64);
        bool done = expression_evaluate(&c.walk, &e, NULL, &result) == STEP_DONE;
        if (done != (all[i].result != UINT64_MAX) || (done && result != all[i].result))
            fail_msg("expression %zu: %#llx", i, (unsigned long long)result);
    }
}

static bool call_of(const struct machine *m, const char *bytes, size_t len, struct call *call)
{
    return m->call_before(0x1000, (const uint8_t *)bytes, len, call);
}

/* What may be before a return address, and what may not. */
static void calls(void **state)
{
    struct call call;

    assert_true(call_of(&machine_arm, "\x00\xf0\x02\xf8", 4, &call)); /* bl .+8 */
    assert_true(call.direct);
    assert_int_equal(call.target, 0x1004);
    assert_true(call_of(&machine_arm, "\x98\x47", 2, &call)); /* blx r3 */
    assert_false(call.direct);
    assert_false(call_of(&machine_arm, "\x18\x47", 2, &call));         /* bx r3 */
    assert_false(call_of(&machine_arm, "\x00\xf0\x02\xb8", 4, &call)); /* b.w */
    assert_false(call_of(&machine_arm, "", 0, &call));
    assert_true(call_of(&machine_riscv, "\xef\x00\x80\x00", 4, &call)); /* jal ra, .+8 */
    assert_int_equal(call.target, 0x1004);
    assert_true(call_of(&machine_riscv, "\xe7\x80\x07\x00", 4, &call)); /* jalr ra, a5 */
    assert_true(call_of(&machine_riscv, "\x82\x97", 2, &call));         /* c.jalr a5 */
    assert_true(call_of(&machine_riscv, "\x21\x20", 2, &call));         /* c.jal .+8 */
    assert_int_equal(call.target, 0x1006);
    assert_false(call_of(&machine_riscv, "\x6f\x00\x80\x00", 4, &call)); /* j */
    assert_false(call_of(&machine_riscv, "\x82\x87", 2, &call));         /* c.jr a5 */
    assert_true(call_of(&machine_x86, "\xe8\x10\0\0\0", 5, &call));
    assert_int_equal(call.target, 0x1010);
    assert_true(call_of(&machine_x86, "\x90\xff\xd0", 3, &call));          /* call *%rax */
    assert_true(call_of(&machine_x86, "\xff\x54\x24\x08", 4, &call));      /* call *8(%rsp) */
    assert_true(call_of(&machine_x86, "\xff\x15\1\0\0\0", 6, &call));      /* call *1(%rip) */
    assert_false(call_of(&machine_x86, "\x90\xff\xe0\x90\x90", 5, &call)); /* jmp *%rax */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operations),  cmocka_unit_test(models), cmocka_unit_test(leaf),
        cmocka_unit_test(expressions), cmocka_unit_test(calls),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
