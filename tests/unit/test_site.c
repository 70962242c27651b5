/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sites: the bytes of calls and of nops, and functions of which the first instructions are against
 * it. */
#include <elf.h>

#include "unit.h"

#include <instrument/site.h>

static const struct site_machine *machine(unsigned number)
{
    const struct symtab_elf elf = {.machine = number};
    const struct site_machine *m = site_machine_of(&elf);

    assert_non_null(m);
    assert_int_equal(m->machine, number);
    return m;
}

static void test_machines(void **state)
{
    const struct symtab_elf big = {.machine = EM_ARM, .big_endian = true};
    const struct symtab_elf others[] = {{.machine = EM_AARCH64}, {.machine = EM_386}, {0}};

    assert_null(site_machine_of(&big));
    for (size_t i = 0; i < COUNT(others); i++)
        assert_null(site_machine_of(&others[i]));
}

/* What binutils' assemblers make of a call over a distance. */
struct call {
    unsigned machine;
    int64_t distance; /* from the end of the site on Arm and x86-64, else from its start */
    uint8_t bytes[SITE_MAX];
};

static const struct call assembled[] = {
    {EM_ARM, 16777214, {0x00, 0xb5, 0xff, 0xf3, 0xff, 0xd7}},
    {EM_ARM, -16777216, {0x00, 0xb5, 0x00, 0xf4, 0x00, 0xd0}},
    {EM_ARM, 0, {0x00, 0xb5, 0x00, 0xf0, 0x00, 0xf8}},
    {EM_ARM, 0x123456, {0x00, 0xb5, 0x23, 0xf1, 0x2b, 0xfa}},
    {EM_ARM, -0x7654, {0x00, 0xb5, 0xf8, 0xf7, 0xd6, 0xfc}},
    {EM_ARM, 0x400000, {0x00, 0xb5, 0x00, 0xf0, 0x00, 0xf0}},
    {EM_ARM, -0x800002, {0x00, 0xb5, 0xff, 0xf7, 0xff, 0xdf}},
    {EM_ARM, -8, {0x00, 0xb5, 0xff, 0xf7, 0xfc, 0xff}},
    {EM_RISCV, 1048574, {0xef, 0xf2, 0xff, 0x7f}},
    {EM_RISCV, -1048576, {0xef, 0x02, 0x00, 0x80}},
    {EM_RISCV, 0, {0xef, 0x02, 0x00, 0x00}},
    {EM_RISCV, 0x12346, {0xef, 0x22, 0x61, 0x34}},
    {EM_RISCV, -0x7654, {0xef, 0x82, 0xdf, 0x9a}},
    {EM_RISCV, 0x800, {0xef, 0x02, 0x10, 0x00}},
    {EM_RISCV, -2, {0xef, 0xf2, 0xff, 0xff}},
    {EM_X86_64, 0x7fffffff, {0xe8, 0xff, 0xff, 0xff, 0x7f}},
    {EM_X86_64, -0x80000000LL, {0xe8, 0x00, 0x00, 0x00, 0x80}},
    {EM_X86_64, 0, {0xe8, 0x00, 0x00, 0x00, 0x00}},
    {EM_X86_64, 0x1234567, {0xe8, 0x67, 0x45, 0x23, 0x01}},
    {EM_X86_64, -0x7654, {0xe8, 0xac, 0x89, 0xff, 0xff}},
};

static void test_calls(void **state)
{
    const uint64_t from = 0x90001236;

    for (size_t i = 0; i < COUNT(assembled); i++) {
        const struct call *c = &assembled[i];
        const struct site_machine *m = machine(c->machine);
        uint64_t end = c->machine == EM_RISCV ? from : from + m->size, to = 0;
        uint8_t bytes[SITE_MAX] = {0};
        assert_true(m->encode(from, end + (uint64_t)c->distance, bytes));
        assert_memory_equal(bytes, c->bytes, m->size);
        assert_true(m->decode(c->bytes, from, &to));
        assert_int_equal(to, end + (uint64_t)c->distance);
    }
}

static void test_limits(void **state)
{
    static const struct {
        unsigned machine;
        int64_t most, least;
        bool odd; /* calls may go to an odd address */
    } limits[] = {{EM_ARM, 16777214 + 6, -16777216 + 6, false},
                  {EM_RISCV, 1048574, -1048576, false},
                  {EM_X86_64, 0x7fffffffLL + 5, -0x80000000LL + 5, true}};
    const uint64_t from = 0x1000000000;
    uint8_t bytes[SITE_MAX];

    for (size_t i = 0; i < COUNT(limits); i++) {
        const struct site_machine *m = machine(limits[i].machine);
        uint64_t most = from + (uint64_t)limits[i].most, least = from + (uint64_t)limits[i].least;
        assert_true(m->encode(from, most, bytes));
        assert_true(m->encode(from, least, bytes));
        assert_false(m->encode(from, most + 2, bytes));
        assert_false(m->encode(from, least - 2, bytes));
        assert_int_equal(m->encode(from, from + 0x101, bytes), limits[i].odd);
    }
}

/* Every distance that is near a carry from one field of an instruction to the next. */
static void test_round_trips(void **state)
{
    static const unsigned machines[] = {EM_ARM, EM_RISCV, EM_X86_64};

    for (size_t i = 0; i < COUNT(machines); i++) {
        const struct site_machine *m = machine(machines[i]);
        for (unsigned bit = 1; bit < 31; bit++) {
            for (int64_t sign = -1; sign <= 1; sign += 2) {
                for (int64_t near = -4; near <= 4; near += 2) {
                    uint64_t from = 0xa0000000, to = from + (uint64_t)(sign * (1LL << bit) + near);
                    uint64_t found = 0;
                    uint8_t bytes[SITE_MAX];
                    if (!m->encode(from, to, bytes))
                        continue;
                    assert_true(m->decode(bytes, from, &found));
                    assert_int_equal(found, to);
                }
            }
        }
    }
}

struct start {
    unsigned machine;
    const char *code; /* hexadecimal digits and blanks */
    int at;           /* where the site is; -1: there is none */
    unsigned nops, after;
};

static const struct start starts[] = {
    {EM_ARM, "00bf 00bf 00bf 10b5", 0, 3, 0},
    {EM_ARM, "c046 c046 c046 7047", 0, 3, 0},
    {EM_ARM, "aff30080 00bf 7047", 0, 2, 0},       /* nop.w; nop */
    {EM_ARM, "00bf 00bf aff30080 7047", -1, 0, 0}, /* the site would end in the last nop */
    {EM_ARM, "00bf 00bf 7047 00bf", -1, 0, 0},
    {EM_ARM, "00bf 00bf", -1, 0, 0},
    {EM_ARM, "00bf 00bf 00bf", 0, 3, 0},
    {EM_ARM, "aff30f80 00bf 00bf 00bf 00bf 7047", 4, 4, 1}, /* bti */
    {EM_ARM, "", -1, 0, 0},
    {EM_RISCV, "0100 0100 8280", 0, 2, 0},
    {EM_RISCV, "13000000 13000000 67800000", 0, 2, 1},
    {EM_RISCV, "13000000 67800000", 0, 1, 0},
    {EM_RISCV, "0100 13000000 8280", -1, 0, 0},
    {EM_RISCV, "0100 8280", -1, 0, 0},
    {EM_RISCV, "17002000 0100 0100 0100", 4, 3, 1}, /* lpad 512 */
    {EM_X86_64, "9090909090 c3", 0, 5, 0},
    {EM_X86_64, "0f1f440008 c3", 0, 1, 0},
    {EM_X86_64, "0f1f440000 c3", 0, 1, 0},
    {EM_X86_64, "f30f1efa 9090909090 90 c3", 4, 6, 1},
    {EM_X86_64, "6690 0f1f00 c3", 0, 2, 0},
    {EM_X86_64, "9090 0f1f4000 c3", -1, 0, 0},
    {EM_X86_64, "90909090 c3", -1, 0, 0},
    {EM_X86_64, "f30f1efa 90909090", -1, 0, 0},
};

static size_t read_code(const char *text, uint8_t bytes[32])
{
    size_t len = 0;

    for (unsigned value; *text; text += 2) {
        if (*text == ' ')
            text++;
        assert_int_equal(sscanf(text, "%2x", &value), 1);
        bytes[len++] = (uint8_t)value;
    }
    return len;
}

static void test_starts(void **state)
{
    for (size_t i = 0; i < COUNT(starts); i++) {
        const struct start *s = &starts[i];
        uint8_t *bytes = malloc(32);
        struct site_code code = {.addr = 0x8000, .addr_size = 4};
        struct site site;
        assert_non_null(bytes);
        code.len = read_code(s->code, bytes);
        code.bytes = bytes = realloc(bytes, code.len + 1); /* no byte after the end is read */
        assert_int_equal(site_find(machine(s->machine), &code, 0x9000, &site), s->at >= 0);
        if (s->at >= 0) {
            assert_int_equal(site.at, s->at);
            assert_int_equal(site.nops, s->nops);
            assert_int_equal(site.after, s->after);
            assert_false(site.calls);
        }
        free(bytes);
    }
}

/* A call of another function is no site. */
static void test_other_calls(void **state)
{
    for (size_t i = 0; i < COUNT(assembled); i++) {
        const struct site_machine *m = machine(assembled[i].machine);
        struct site_code code = {.addr = 0x90001236, .bytes = assembled[i].bytes, .len = m->size};
        struct site site;
        uint64_t to;
        assert_true(m->decode(code.bytes, code.addr, &to));
        assert_true(site_find(m, &code, to, &site));
        assert_true(site.calls);
        assert_false(site_find(m, &code, to + 2, &site));
    }
}

struct judged {
    unsigned machine, addr_size;
    const char *code; /* after the site */
    const char *why;  /* its beginning; NULL: nothing is against it */
};

static const struct judged judged[] = {
    {EM_ARM, 4, "7046 7047", "reads lr"},           /* mov r0, lr */
    {EM_ARM, 4, "1ef0040f 7047", "reads lr"},       /* tst lr, #4 */
    {EM_ARM, 4, "4ef0100e 7047", "reads lr"},       /* orr lr, lr, #16 */
    {EM_ARM, 4, "10b5 7046 7047", NULL},            /* after push {r4, lr} */
    {EM_ARM, 4, "4df804ed 7046", NULL},             /* after str lr, [sp, #-4]! */
    {EM_ARM, 4, "2de9f04f 7046", NULL},             /* after push {r4-r11, lr} */
    {EM_ARM, 4, "20e9f04f 7047", "saves lr"},       /* stmdb r0!, {r4-r11, lr} */
    {EM_ARM, 4, "0130 eff30980", "switches"},       /* adds r0, #1; mrs r0, psp */
    {EM_ARM, 4, "80f30988", "switches"},            /* msr psp, r0 */
    {EM_ARM, 4, "80f31488", "switches"},            /* msr control, r0 */
    {EM_ARM, 4, "80f31188 7047", NULL},             /* msr basepri, r0 */
    {EM_ARM, 4, "eff31080 7047", NULL},             /* mrs r0, primask */
    {EM_ARM, 4, "9d46 7047", "sets the stack"},     /* mov sp, r3 */
    {EM_ARM, 4, "bd46 7047", NULL},                 /* mov sp, r7 */
    {EM_ARM, 4, "6846 7047", "is naked: reads sp"}, /* mov r0, sp */
    {EM_ARM, 4, "6f46 7047", NULL},                 /* mov r7, sp */
    /* mov r0, sp; bic r1, r0, #7; mov sp, r1, as a handler; and one that looks at psp then */
    {EM_ARM, 4, "6846 20f00701 8d46 01b5 7047", NULL},
    {EM_ARM, 4, "6846 20f00701 8d46 eff30980", "switches"},
    {EM_ARM, 4, "6846 20f00701", "is naked: reads sp"},
    {EM_ARM, 4, "7047 eff30980", NULL}, /* after bx lr */
    {EM_ARM, 4, "00f07eb8 7046", NULL}, /* after b.w */
    {EM_ARM, 4, "10b1 7046", NULL},     /* after cbz */
    {EM_ARM, 4, "1ef0", NULL},          /* half an instruction */
    {EM_RISCV, 4, "73002030", "handles traps (mret"},
    {EM_RISCV, 4, "8280 73002010", "handles traps (mret"}, /* also after ret */
    {EM_RISCV, 4, "16c0 8280", "needs t0"},                /* sw t0, 0(sp) */
    {EM_RISCV, 8, "16e0 8280", "needs t0"},                /* sd t0, 0(sp) */
    {EM_RISCV, 4, "16e0 8280", NULL},                      /* fsw ft5, 0(sp) of RV32 */
    {EM_RISCV, 4, "73900234", "needs t0"},                 /* csrw mscratch, t0 */
    {EM_RISCV, 4, "f3220034 1685", NULL},                  /* csrr t0, ...; mv a0, t0 */
    {EM_RISCV, 4, "1685 8280", "needs t0"},                /* mv a0, t0 */
    {EM_RISCV, 4, "8282", "needs t0"},                     /* jr t0 */
    {EM_RISCV, 4, "aa92", "needs t0"},                     /* add t0, t0, a0 */
    {EM_RISCV, 4, "fd72 1691", NULL},                      /* lui t0, ...; add sp, sp, t0 */
    {EM_RISCV, 4, "3971 16c0", "needs t0"},                /* addi sp, sp, -64; sw t0, 0(sp) */
    {EM_RISCV, 4, "37110080 8280", "sets the stack"},      /* lui sp, ... */
    {EM_RISCV, 4, "2a81 8280", "sets the stack"},          /* mv sp, a0 */
    {EM_RISCV, 4, "3971 2a81 8280", NULL},                 /* after addi sp, sp, -64 */
    {EM_RISCV, 4, "73110134 6f000000", "sets the stack"},  /* csrrw sp, mscratch, sp: not addi */
    {EM_RISCV, 4, "8280 1685", NULL},                      /* after ret */
    {EM_X86_64, 8, "58 ffe0", "pops its return"},
    {EM_X86_64, 8, "415b", "pops its return"},
    {EM_X86_64, 8, "50 58 48cf", "handles interrupts"},
    {EM_X86_64, 8, "50 58 48cf 0f0b", "handles interrupts"},
    {EM_X86_64, 8, "53 5b c3", NULL},
    {EM_X86_64, 8, "c3", NULL},
    {EM_X86_64, 8, "", NULL},
};

static void test_refused(void **state)
{
    for (size_t i = 0; i < COUNT(judged); i++) {
        const struct judged *j = &judged[i];
        const struct site_machine *m = machine(j->machine);
        uint8_t bytes[SITE_MAX + 32];
        struct site_code code = {.addr = 0x8000, .bytes = bytes, .addr_size = j->addr_size};
        memcpy(bytes, m->nops[0], m->size);
        code.len = m->size + read_code(j->code, bytes + m->size);
        const char *why = m->refuse(&code, m->size);
        if (j->why ? !why || strncmp(why, j->why, strlen(j->why)) != 0 : why != NULL)
            fail_msg("%s: %s", j->code, why ? why : "not refused");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_machines), cmocka_unit_test(test_calls),
        cmocka_unit_test(test_limits),   cmocka_unit_test(test_round_trips),
        cmocka_unit_test(test_starts),   cmocka_unit_test(test_other_calls),
        cmocka_unit_test(test_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
