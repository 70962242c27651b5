/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the list of frames, one step after the other. */
#include <unwind/unwind.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flow.h"
#include "step.h"
#include "unwinder.h"

static const struct machine *machine_of(const struct symtab_elf *elf)
{
    static const struct machine *const machines[] = {&machine_arm, &machine_riscv, &machine_x86};

    for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]) && !elf->big_endian; i++) {
        if (machines[i]->elf == elf->machine)
            return machines[i];
    }
    return NULL;
}

/* A Cortex-M starts where its vectors say. */
static bool find_reset(struct unwinder *u)
{
    const struct symtab_elf *elf = symtab_elf(u->symtab);
    struct vectors *vectors = vectors_new(u->symtab);

    u->reset = elf->entry;
    if (u->machine->thumb)
        u->reset &= ~(uint64_t)1;
    if (vectors)
        (void)vectors_handler(vectors, VECTORS_RESET, &u->reset); /* is never relocated */
    vectors_free(vectors);
    return vectors != NULL;
}

/* The tables of all files have one budget, as one file of that size has. */
static void open_parts(struct unwinder *u)
{
    budget_open(&u->budget, 0, NULL);
    for (size_t i = 0; i < u->part_count; i++) {
        struct part *part = &u->parts[i];
        part->symtab = symtab_part(u->symtab, i);
        cfi_open(&part->cfi, part->symtab, &u->budget);
        if (u->machine->thumb)
            exidx_open(&part->exidx, part->symtab);
    }
}

struct unwinder *unwinder_new(const struct symtab *symtab, char *text, size_t capacity)
{
    const struct symtab_elf *elf = symtab_elf(symtab);
    const struct machine *machine = machine_of(elf);

    if (!machine) {
        snprintf(text, capacity,
                 "%s: call stacks are known for Cortex-M, RISC-V and x86-64 (little-endian) only",
                 elf->path);
        return NULL;
    }
    struct unwinder *u = calloc(1, sizeof(*u));
    if (!u)
        goto no_memory;
    *u = (struct unwinder){.symtab = symtab, .machine = machine, .addr_size = elf->addr_size};
    u->part_count = symtab_part_count(symtab);
    u->parts = calloc(u->part_count, sizeof(*u->parts));
    u->flow = flow_new();
    if (!u->parts || !u->flow || !find_reset(u))
        goto no_memory;
    open_parts(u);
    return u;
no_memory:
    unwinder_free(u);
    snprintf(text, capacity, "%s: out of memory for call stacks", elf->path);
    return NULL;
}

void unwinder_free(struct unwinder *unwinder)
{
    if (!unwinder)
        return;
    for (size_t i = 0; unwinder->parts && i < unwinder->part_count; i++)
        cfi_close(&unwinder->parts[i].cfi);
    free(unwinder->parts);
    flow_free(unwinder->flow);
    free(unwinder);
}

uint64_t unwinder_registers(const struct unwinder *unwinder, uint64_t *useful)
{
    *useful = unwinder->machine->useful;
    return unwinder->machine->needed;
}

unsigned unwinder_stack_pointer(const struct unwinder *unwinder)
{
    return unwinder->machine->sp;
}

const struct part *unwinder_part(const struct unwinder *unwinder, uint64_t place)
{
    const struct symtab *owner = symtab_owner(unwinder->symtab, place);

    for (size_t i = 0; i < unwinder->part_count; i++) {
        if (unwinder->parts[i].symtab == owner)
            return &unwinder->parts[i];
    }
    return &unwinder->parts[0];
}

const uint8_t *unwinder_code(const struct unwinder *unwinder, uint64_t place, size_t *len)
{
    const struct symtab *symtab = unwinder_part(unwinder, place)->symtab;
    const uint8_t *code = symtab_constant(symtab, place, len);

    return code ? code : symtab_code(symtab, place, len);
}

/* Functions that nobody calls: those of start-up code, and those that threads of Zephyr, ThreadX
 * and ChibiOS start in. */
static bool is_first(const struct unwinder *u, const struct symtab_function *f)
{
    static const char *const names[] = {"_start",
                                        "__start",
                                        "Reset_Handler",
                                        "_mainCRTStartup",
                                        "z_thread_entry",
                                        "_tx_thread_shell_entry",
                                        "_port_thread_start"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (strcmp(f->name, names[i]) == 0)
            return true;
    }
    return u->reset + symtab_elf(u->symtab)->bias - f->addr < f->size;
}

static void add_frame(struct unwind_stack *stack, const struct walk *walk, uint64_t pc)
{
    bool interrupted = walk->exact && stack->count != 0;

    stack->frames[stack->count++] = (struct unwind_frame){
        .pc = pc, .at = walk->exact ? pc : pc - 1, .interrupted = interrupted};
    stack->end_pc = pc;
}

/* What a list is whose last step gave no frame. */
static enum unwind_end end_of(const struct symtab_function *f, enum step step, char *why)
{
    if (step == STEP_END)
        return UNWIND_COMPLETE;
    if (f && strcmp(f->name, "main") == 0 && step != STEP_NO_MEMORY) {
        snprintf(why, WALK_WHY, "the caller of main is not known");
        return UNWIND_COMPLETE;
    }
    if (step == STEP_UNKNOWN && why[0] == '\0')
        snprintf(why, WALK_WHY, "no unwind information for %.60s", f ? f->name : "its code");
    return step == STEP_UNKNOWN     ? UNWIND_NO_INFO
           : step == STEP_NO_MEMORY ? UNWIND_NO_MEMORY
                                    : UNWIND_IMPLAUSIBLE;
}

static void walk_frames(struct walk *walk, struct unwind_stack *stack)
{
    while (stack->count < stack->max) {
        const struct symtab_function *f = step_function(walk);
        if (f && is_first(walk->unwinder, f)) {
            stack->end = UNWIND_COMPLETE;
            snprintf(stack->why, sizeof(stack->why), "start of the program");
            return;
        }
        enum step step = step_to_caller(walk);
        if (step != STEP_DONE) {
            stack->end = end_of(f, step, stack->why);
            return;
        }
        uint64_t pc = unwinder_cut(walk->unwinder, walk->registers.value[UNWIND_PC]);
        add_frame(stack, walk, walk->unwinder->machine->thumb ? pc & ~(uint64_t)1 : pc);
    }
    stack->end = UNWIND_FULL;
    stack->why[0] = '\0';
}

void unwind(struct unwinder *unwinder, const struct unwind_registers *registers,
            const struct unwind_memory *memory, struct unwind_stack *stack)
{
    struct walk walk = {.unwinder = unwinder, .memory = memory, .registers = *registers};

    _Static_assert(sizeof(stack->why) == WALK_WHY, "what steps write into");
    walk.why = stack->why;
    stack->count = 0;
    stack->end = UNWIND_NO_MEMORY;
    stack->end_pc = 0;
    for (unsigned i = 0; i < UNWIND_REGISTERS; i++)
        walk.registers.value[i] = unwinder_cut(unwinder, registers->value[i]);
    if (!(registers->known >> UNWIND_PC & 1)) {
        snprintf(stack->why, sizeof(stack->why), "the pc is not known");
        return;
    }
    add_frame(stack, &walk, step_set_pc(&walk, registers->value[UNWIND_PC], true));
    walk_frames(&walk, stack);
}
