/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Call stacks of made-up halted cores with real firmware, and of this program itself. Stacks of
 * running firmware are in tests/core/test_unwind.py. */
#define _GNU_SOURCE

#include "unit.h"

#include <sys/auxv.h>
#include <ucontext.h>

#include <unwind/unwind.h>

#include "machine.h"
#include "symbol_checks.h"

#define STACK 0x20000100U

enum { SP = 13, LR = 14 };

/* A halted Cortex-M whose program is cortex-m3.elf. */
struct core {
    struct symtab *symtab;
    struct unwinder *unwinder;
    struct unwind_registers registers;
    uint32_t words[32];
    struct unwind_memory memory;
    struct unwind_frame frames[8];
    struct unwind_stack stack;
};

/* Halts at the first instruction of a function. */
static void halt_at(struct core *c, const char *function, uint64_t lr)
{
    c->registers = (struct unwind_registers){.known = 0};
    unwind_set(&c->registers, UNWIND_PC, the(c->symtab, function)->addr);
    unwind_set(&c->registers, SP, STACK);
    unwind_set(&c->registers, LR, lr);
}

static void run(struct core *c, enum unwind_end end, size_t count, const char *why)
{
    c->memory = (struct unwind_memory){
        .addr = STACK, .bytes = (const uint8_t *)c->words, .len = sizeof(c->words)};
    c->stack.frames = c->frames;
    unwind(c->unwinder, &c->registers, &c->memory, &c->stack);
    assert_string_equal(c->stack.why, why);
    assert_int_equal(c->stack.end, end);
    assert_int_equal(c->stack.count, count);
}

static int open_core(void **state)
{
    struct core *c = calloc(1, sizeof(*c));
    char text[300];

    c->symtab = load("cortex-m3.elf");
    c->unwinder = unwinder_new(c->symtab, text, sizeof(text));
    c->stack.max = COUNT(c->frames);
    *state = c;
    return c->unwinder ? 0 : -1;
}

static int close_core(void **state)
{
    struct core *c = *state;

    unwinder_free(c->unwinder);
    symtab_free(c->symtab);
    free(c);
    return 0;
}

/* The return address of a call of one function by another, with the Thumb bit. */
static uint32_t return_address(const struct core *c, const char *from, const char *to)
{
    const struct symtab_function *f = the(c->symtab, from);
    uint64_t wanted = the(c->symtab, to)->addr;
    struct call call;
    size_t len;

    for (uint64_t at = f->addr + 4; at <= f->addr + f->size; at += 2) {
        const uint8_t *code = symtab_constant(c->symtab, at - 4, &len);
        if (code && machine_arm.call_before(at, code, 4, &call) && call.direct &&
            call.target == wanted)
            return (uint32_t)at | 1;
    }
    fail_msg("%s does not call %s", from, to);
    return 0;
}

/* Puts the frame of an exception that interrupted main() at its first instruction. */
static void interrupt(struct core *c, size_t at, uint32_t xpsr)
{
    const uint32_t frame[] = {0,
                              1,
                              2,
                              3,
                              12,
                              return_address(c, "Reset_Handler", "main"),
                              (uint32_t)the(c->symtab, "main")->addr,
                              xpsr};

    memcpy(c->words + at, frame, sizeof(frame));
}

static void exceptions(void **state)
{
    struct core *c = *state;
    uint64_t main_at = the(c->symtab, "main")->addr;

    interrupt(c, 0, 0x01000000);
    halt_at(c, "SysTick_Handler", 0xfffffff9);
    run(c, UNWIND_COMPLETE, 3, "start of the program");
    assert_false(c->frames[0].interrupted);
    assert_true(c->frames[1].interrupted);
    assert_int_equal(c->frames[1].pc, main_at);
    assert_int_equal(c->frames[1].at, main_at);
    assert_int_equal(c->frames[2].at, c->frames[2].pc - 1);
    assert_int_equal(c->stack.end_pc, c->frames[2].pc);

    /* Of a thread: its stack is elsewhere. */
    halt_at(c, "SysTick_Handler", 0xfffffffd);
    run(c, UNWIND_NO_MEMORY, 1, "PSP is not known (register 34)");
    memset(c->words, 0, sizeof(c->words));
    interrupt(c, 16, 0x01000200);
    unwind_set(&c->registers, UNWIND_PSP, STACK + 64);
    run(c, UNWIND_COMPLETE, 3, "start of the program");
    unwind_set(&c->registers, UNWIND_PSP, STACK + 66);
    run(c, UNWIND_IMPLAUSIBLE, 1, "its exception's frame is not aligned");

    halt_at(c, "SysTick_Handler", 0xffffffb9);
    run(c, UNWIND_NO_MEMORY, 1, "it has interrupted code of the other security state");
}

/* A handler that is interrupted itself, and registers of floating point on the stack. */
static void nested(void **state)
{
    struct core *c = *state;

    memset(c->words, 0, sizeof(c->words));
    interrupt(c, 0, 0x01000000);
    c->words[5] = 0xffffffe9;
    c->words[6] = (uint32_t)the(c->symtab, "Default_Handler")->addr;
    interrupt(c, 8, 0x01000000);
    halt_at(c, "SysTick_Handler", 0xfffffff1);
    run(c, UNWIND_COMPLETE, 4, "start of the program");
    assert_true(c->frames[1].interrupted && c->frames[2].interrupted);

    /* The frame of the inner one is longer: the outer one is after it. */
    c->words[6] = (uint32_t)the(c->symtab, "main")->addr;
    c->words[5] = 0;
    halt_at(c, "SysTick_Handler", 0xffffffe9);
    run(c, UNWIND_COMPLETE, 2, "start of a thread");
}

static void ends(void **state)
{
    struct core *c = *state;
    uint32_t ra = return_address(c, "Reset_Handler", "main");
    char text[100];

    halt_at(c, "main", ra);
    run(c, UNWIND_COMPLETE, 2, "start of the program");
    c->stack.max = 1;
    run(c, UNWIND_FULL, 1, "");
    c->stack.max = COUNT(c->frames);
    halt_at(c, "Default_Handler", 0xffffffff);
    run(c, UNWIND_COMPLETE, 1, "start of a thread");
    halt_at(c, "Default_Handler", 0);
    run(c, UNWIND_COMPLETE, 1, "start of a thread");
    halt_at(c, "Default_Handler", the(c->symtab, "SysTick_Handler")->addr | 1);
    run(c, UNWIND_COMPLETE, 1, "start of a thread");
    halt_at(c, "Default_Handler", ra - 1);
    snprintf(text, sizeof(text), "its return address %#x is not code", ra - 1);
    run(c, UNWIND_IMPLAUSIBLE, 1, text);
    halt_at(c, "Default_Handler", ra + 2);
    snprintf(text, sizeof(text), "its return address %#x is not after a call", ra + 2);
    run(c, UNWIND_IMPLAUSIBLE, 1, text);
    halt_at(c, "Default_Handler", 0x20000001);
    run(c, UNWIND_IMPLAUSIBLE, 1, "its return address 0x20000001 is not code");
    unwind_set(&c->registers, UNWIND_PC, 0x20000000);
    run(c, UNWIND_NO_INFO, 1, "it is not code of the ELF file");
    c->registers.known = 0;
    run(c, UNWIND_NO_MEMORY, 0, "the pc is not known");
}

/* What is needed is said to be missing. */
static void missing(void **state)
{
    struct core *c = *state;
    uint64_t useful, needed = unwinder_registers(c->unwinder, &useful);

    assert_int_equal(needed & useful, needed);
    assert_int_equal(unwinder_stack_pointer(c->unwinder), SP);
    halt_at(c, "Default_Handler", 0);
    c->registers.known &= ~((uint64_t)1 << LR);
    run(c, UNWIND_NO_MEMORY, 1, "register 14, with the return address, is not known");
    halt_at(c, "SysTick_Handler", 0xfffffff9);
    unwind_set(&c->registers, SP, STACK + 1024);
    run(c, UNWIND_NO_MEMORY, 1, "memory at 0x20000500 was not read");
}

static uint64_t random_number(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return *seed >> 32;
}

/* Halted anywhere in its functions, with registers and a stack of chance. */
static void halt_anywhere(struct core *c, uint64_t *seed, const struct symtab_function *f,
                          size_t count)
{
    for (unsigned i = 0; i < UNWIND_REGISTERS; i++)
        unwind_set(&c->registers, i, random_number(seed));
    for (size_t i = 0; i < COUNT(c->words); i++) {
        const struct symtab_function *to = &f[random_number(seed) % count];
        c->words[i] = (uint32_t)(to->addr + random_number(seed) % to->size) | 1;
        if (random_number(seed) % 4 == 0)
            c->words[i] = 0xfffffff0 | (uint32_t)random_number(seed);
    }
    const struct symtab_function *at = &f[random_number(seed) % count];
    unwind_set(&c->registers, UNWIND_PC, at->addr + (random_number(seed) % at->size & ~1U));
    unwind_set(&c->registers, SP, STACK + (random_number(seed) & 0x3c));
    unwind_set(&c->registers, 2, c->registers.value[SP]); /* of RISC-V */
}

/* Nothing but code comes out of nonsense. */
static void nonsense(void **state)
{
    static const char *const files[] = {"cortex-m0.elf", "cortex-m4f.elf", "rv32.elf"};
    uint64_t seed = 21;
    size_t count, longest = 0;
    char text[300];

    for (size_t i = 0; i < COUNT(files); i++) {
        struct core c = {.symtab = load(files[i]), .stack = {.max = 8}};
        c.unwinder = unwinder_new(c.symtab, text, sizeof(text));
        c.memory = (struct unwind_memory){
            .addr = STACK, .bytes = (const uint8_t *)c.words, .len = sizeof(c.words)};
        c.stack.frames = c.frames;
        const struct symtab_function *f = symtab_functions(c.symtab, &count);
        for (int n = 0; n < 4000; n++) {
            halt_anywhere(&c, &seed, f, count);
            unwind(c.unwinder, &c.registers, &c.memory, &c.stack);
            for (size_t k = 1; k < c.stack.count; k++)
                assert_true(c.frames[k].interrupted || symtab_is_code(c.symtab, c.frames[k].at));
            longest = c.stack.count > longest ? c.stack.count : longest;
        }
        unwinder_free(c.unwinder);
        symtab_free(c.symtab);
    }
    assert_true(longest >= 3);
}

#ifdef __x86_64__

static bool read_own(void *context, uint64_t addr, void *to, size_t len)
{
    memcpy(to, (const void *)(uintptr_t)addr, len);
    return true;
}

/* The stack of its caller; noinline, and not left by a tail call. */
static __attribute__((noinline)) void take(struct unwinder *u, struct unwind_stack *stack)
{
    static const int gregs[] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI,
                                REG_RBP, REG_RSP, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};
    struct unwind_registers registers = {.known = 0};
    struct unwind_memory memory = {.read = read_own};
    ucontext_t context;

    getcontext(&context);
    for (unsigned i = 0; i < COUNT(gregs); i++)
        unwind_set(&registers, i == 16 ? UNWIND_PC : i,
                   (uint64_t)context.uc_mcontext.gregs[gregs[i]]);
    unwind(u, &registers, &memory, stack);
}

static __attribute__((noinline)) int deeper(struct unwinder *u, struct unwind_stack *stack, int n)
{
    if (n == 0)
        take(u, stack);
    else
        return deeper(u, stack, n - 1) + 1;
    return 0;
}

static bool is_in(const struct symtab *t, const struct unwind_frame *frame, const char *name)
{
    const struct symtab_function *f = symtab_find(t, frame->at);

    return f && strcmp(f->name, name) == 0;
}

/* A process: its own frames, up to the library that has no ELF file here. */
static void of_itself(void **state)
{
    struct unwind_frame frames[16];
    struct unwind_stack stack = {.frames = frames, .max = COUNT(frames)};
    char text[300];
    struct symtab *t = load("/proc/self/exe");

    assert_int_equal(symtab_relocate(t, getauxval(AT_ENTRY), text, sizeof(text)), SYMTAB_OK);
    struct unwinder *u = unwinder_new(t, text, sizeof(text));
    assert_non_null(u);
    assert_int_equal(deeper(u, &stack, 3), 3);
    assert_true(stack.count >= 6 && unwind_is_cut(&stack));
    assert_true(is_in(t, &frames[0], "take"));
    for (size_t i = 1; i <= 4; i++)
        assert_true(is_in(t, &frames[i], "deeper"));
    assert_true(is_in(t, &frames[5], "of_itself"));
    unwinder_free(u);
    symtab_free(t);
}

#endif

static void other_machines(void **state)
{
    struct elf_copy *copy = copy_of("cortex-m3.elf");
    struct symtab *t;
    char text[300];

    copy->bytes[18] = 8; /* e_machine: MIPS */
    write_copy(copy, copy->len);
    assert_int_equal(symtab_load(copy->path, &t, text, sizeof(text)), SYMTAB_OK);
    assert_null(unwinder_new(t, text, sizeof(text)));
    assert_non_null(strstr(text, ": call stacks are known for Cortex-M, RISC-V and x86-64"));
    symtab_free(t);
    free_copy(copy);
    unwinder_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(exceptions, open_core, close_core),
        cmocka_unit_test_setup_teardown(nested, open_core, close_core),
        cmocka_unit_test_setup_teardown(ends, open_core, close_core),
        cmocka_unit_test_setup_teardown(missing, open_core, close_core),
        cmocka_unit_test(nonsense),
#ifdef __x86_64__
        cmocka_unit_test(of_itself),
#endif
        cmocka_unit_test(other_machines),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
