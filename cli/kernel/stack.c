/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds where the pattern of a stack ends. */
#include <kernel/stack.h>

#include <string.h>

/* Bytes that are read at a time, and what a request counts of the budget besides. */
#define PIECE   256
#define REQUEST 32

/* No stack of a microcontroller is larger; the pattern of one whose size is not known ends before.
 */
#define STACK_MAX ((uint64_t)1 << 20)

static void spend(size_t *budget, size_t bytes)
{
    *budget = *budget > bytes + REQUEST ? *budget - bytes - REQUEST : 0;
}

static bool read_field(const struct kernel *kernel, struct gdbmi_link *link,
                       const struct kernel_stack *stack, const struct kernel_field *field,
                       size_t *budget, uint64_t *word)
{
    spend(budget, field->size);
    return kernel_read_word(kernel, link, stack->block + field->offset, field->size, word);
}

/* Sets *size to 0 if the control block does not say it. */
static bool read_size(const struct kernel *k, struct gdbmi_link *link,
                      const struct kernel_stack *stack, uint64_t low, size_t *budget,
                      uint64_t *size)
{
    uint64_t top = 0;

    *size = 0;
    if (k->stack_size.size != 0)
        return read_field(k, link, stack, &k->stack_size, budget, size);
    if (k->stack_top.size != 0) {
        if (!read_field(k, link, stack, &k->stack_top, budget, &top))
            return false;
        *size = top > low ? top - low + k->stack_top.size : 0;
    } else if (k->block_on_top && stack->block > low) {
        *size = stack->block - low;
    }
    return true;
}

/* Another thread may have got the control block. */
static bool begin(const struct kernel *kernel, struct gdbmi_link *link, struct kernel_stack *stack,
                  size_t *budget)
{
    uint64_t low, size, word;

    if (!read_field(kernel, link, stack, &kernel->stack_low, budget, &low) || low == 0 ||
        !read_size(kernel, link, stack, low, budget, &size) || size > STACK_MAX)
        return false;
    if (kernel->guard != 0 && kernel_read_word(kernel, link, low, sizeof(kernel->guard), &word) &&
        word == kernel->guard) {
        low += sizeof(kernel->guard);
        size -= size > sizeof(kernel->guard) ? sizeof(kernel->guard) : 0;
    }
    if (low != stack->low || size != stack->size)
        *stack = (struct kernel_stack){.block = stack->block, .low = low, .size = size};
    return true;
}

static void end(struct kernel_stack *stack, uint64_t free)
{
    stack->free = free;
    stack->known = true;
    stack->at = 0;
}

/* Bytes that may have the pattern: it does not come back. */
static uint64_t limit_of(const struct kernel_stack *stack)
{
    if (stack->known)
        return stack->free;
    return stack->size != 0 ? stack->size : STACK_MAX;
}

bool kernel_stack_read(const struct kernel *kernel, struct gdbmi_link *link,
                       struct kernel_stack *stack, size_t *budget)
{
    uint8_t bytes[PIECE];

    if (kernel->stack_low.size == 0 || (stack->at == 0 && !begin(kernel, link, stack, budget)))
        return false;
    uint64_t limit = limit_of(stack);
    do {
        uint64_t left = limit - stack->at;
        size_t len = left < PIECE ? (size_t)left : PIECE, same = 0;
        if (len != 0 && gdbmi_link_read(link, stack->low + stack->at, bytes, len) != GDBMI_OK)
            return false;
        spend(budget, len);
        while (same < len && bytes[same] == kernel->fill)
            same++;
        stack->at += same;
        if (same < len || stack->at == limit) {
            end(stack, stack->at);
            return true;
        }
    } while (*budget != 0);
    return true;
}
