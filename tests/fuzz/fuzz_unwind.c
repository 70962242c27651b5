/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Call stacks of ELF files and of what may be on a stack: 256 bytes of registers and stack, then
 * the file. */
#define _GNU_SOURCE

#include <unwind/unwind.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define STATE 256
#define STACK 0x20000000U

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static void check(const struct symtab *t, const struct unwind_stack *stack)
{
    if (stack->count == 0 || stack->count > stack->max || strlen(stack->why) >= sizeof(stack->why))
        abort();
    for (size_t i = 1; i < stack->count; i++) {
        if (!stack->frames[i].interrupted && !symtab_is_code(t, stack->frames[i].pc))
            abort();
    }
}

/* Halts at four places of a function. */

static void walk(const struct symtab *t, struct unwinder *u, const uint8_t *state,
                 const struct symtab_function *f)
{
    struct unwind_registers registers;
    struct unwind_frame frames[16];
    struct unwind_stack stack = {.frames = frames, .max = 16};
    struct unwind_memory memory = {.addr = STACK, .bytes = state, .len = STATE};

    registers.known = UINT64_MAX;
    for (unsigned i = 0; i < UNWIND_REGISTERS; i++)
        registers.value[i] = STACK + state[i];
    for (unsigned i = 0; i < 4; i++) {
        registers.value[UNWIND_PC] = f->addr + f->size * i / 4;
        registers.value[14] = f->addr + state[i + 40];
        unwind(u, &registers, &memory, &stack);
        check(t, &stack);
    }
}

static void ask(const struct symtab *t, const uint8_t *state)
{
    char text[600] = "";
    struct unwinder *u = unwinder_new(t, text, sizeof(text));
    size_t count;
    const struct symtab_function *f = symtab_functions(t, &count);

    if (!u && text[0] == '\0')
        abort();
    for (size_t i = 0; u && i < count && i < 20; i++)
        walk(t, u, state, &f[i]);
    unwinder_free(u);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    struct symtab *t = NULL;
    char path[64], text[600] = "";
    int fd = memfd_create("fuzz.elf", MFD_CLOEXEC);
    size_t state = len < STATE ? len : STATE;
    uint8_t copy[STATE] = {0};

    memcpy(copy, bytes, state);
    if (fd < 0 || write(fd, bytes + state, len - state) != (ssize_t)(len - state))
        abort();
    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    if (symtab_load(path, &t, text, sizeof(text)) == SYMTAB_OK)
        ask(t, copy);
    close(fd);
    symtab_free(t);
    return 0;
}
