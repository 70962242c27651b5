/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The callers of a sample, from the registers and the stack of the halted core. */
#include "halt_stack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unwind/unwind.h>

_Static_assert(GDBMI_MSP == (int)UNWIND_MSP && GDBMI_PSP == (int)UNWIND_PSP &&
                   GDBMI_MEPC == (int)UNWIND_MEPC,
               "a sample has registers by the numbers of the unwinder");

/* General registers, which have the same numbers in a sample and in the unwinder. */
#define ARM_GENERAL   15
#define RISCV_GENERAL 32

struct halt_stack {
    struct unwinder *unwinder;
    unsigned general;
    struct gdbmi_sample_request request;
    unsigned char bytes[UNWIND_STACK_BYTES], process[UNWIND_STACK_BYTES];
    const struct gdbmi_sample *read; /* during a call */
    unsigned max;
    uint64_t addrs[PROFILE_STACK_DEPTH];
    struct unwind_frame frames[PROFILE_STACK_DEPTH];
};

struct halt_stack *halt_stack_new(const struct symtab *symtab, unsigned frames, char *text,
                                  size_t capacity)
{
    struct halt_stack *s = calloc(1, sizeof(*s));

    snprintf(text, capacity, "out of memory");
    if (!s)
        return NULL;
    s->max = frames < PROFILE_STACK_DEPTH ? frames : PROFILE_STACK_DEPTH;
    s->request = (struct gdbmi_sample_request){
        .all = true, .stack = s->bytes, .stack_len = sizeof(s->bytes), .process_stack = s->process};
    s->unwinder = unwinder_new(symtab, text, capacity);
    if (!s->unwinder) {
        free(s);
        return NULL;
    }
    s->general = unwinder_stack_pointer(s->unwinder) == 2 ? RISCV_GENERAL : ARM_GENERAL;
    return s;
}

void halt_stack_free(struct halt_stack *stack)
{
    if (!stack)
        return;
    unwinder_free(stack->unwinder);
    free(stack);
}

const struct gdbmi_sample_request *halt_stack_request(const struct halt_stack *stack)
{
    return &stack->request;
}

static void take_registers(const struct halt_stack *s, const struct gdbmi_sample *read,
                           struct unwind_registers *registers)
{
    for (unsigned i = 0; i < GDBMI_REGISTERS_MAX; i++) {
        bool known = (read->known >> i & 1) != 0;
        if (known && (i < s->general || i >= GDBMI_MSP))
            unwind_set(registers, i, read->registers[i]);
    }
    unwind_set(registers, UNWIND_PC, read->pc);
}

/* The stack of the code that an exception has interrupted. */
static bool read_process(void *context, uint64_t addr, void *to, size_t len)
{
    const struct halt_stack *s = context;
    uint64_t at = addr - s->read->registers[GDBMI_PSP];

    if (at > s->read->process_len || len > s->read->process_len - at)
        return false;
    memcpy(to, s->process + at, len);
    return true;
}

/* As return addresses, whose calls end before them: of a frame that was interrupted, the end of the
 * first halfword of the instruction at which it goes on. */
void halt_stack_find(struct halt_stack *stack, const struct gdbmi_sample *read,
                     struct taken_sample *sample)
{
    struct unwind_stack found = {.frames = stack->frames, .max = stack->max};
    struct unwind_registers registers = {.known = 0};
    const struct unwind_memory memory = {
        .addr = read->sp,
        .bytes = stack->bytes,
        .len = read->stack_len,
        .read = read->process_len != 0 ? read_process : NULL,
        .context = stack,
    };

    stack->read = read;
    take_registers(stack, read, &registers);
    unwind(stack->unwinder, &registers, &memory, &found);
    for (size_t i = 1; i < found.count; i++)
        stack->addrs[i - 1] = (stack->frames[i].at | 1) + 1;
    sample->stack = stack->addrs;
    sample->depth = found.count > 0 ? found.count - 1 : 0;
    sample->cut = found.end != UNWIND_COMPLETE;
}
