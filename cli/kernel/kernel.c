/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernels that are known, and how to find them. */
#include <kernel/kernel.h>

#include <stdio.h>
#include <string.h>

/* Versions of a kernel have these at other places. */
#define WAYS 5

/* Bytes of the longest path, with the NUL. */
#define PATH 100

/* What a kernel calls things: paths of symtab_find_field(), those of members from the control block
 * on. The first one that the firmware has is used. */
struct kernel_names {
    const char *name;
    const char
        *current[WAYS + 1]; /* the pointer to the thread that runs; an array has one a core */
    const char *thread_name[WAYS];
    const char *stack_low[WAYS], *stack_size[WAYS], *stack_top[WAYS];
    uint8_t fill;
    uint32_t guard;
    bool idle_is_none, block_on_top;
};

static const struct kernel_names kernels[] = {
    {
        .name = "FreeRTOS",
        .current = {"pxCurrentTCB", "pxCurrentTCBs"},
        .thread_name = {"pcTaskName"},
        .stack_low = {"pxStack"},
        .stack_top = {"pxEndOfStack"},
        .fill = 0xa5,
    },
    {
        .name = "Zephyr",
        .current = {"_kernel.cpus.current", "_kernel.current"},
        .thread_name = {"name"},
        .stack_low = {"stack_info.start"},
        .stack_size = {"stack_info.size"},
        .fill = 0xaa,
        .guard = 0xf0f0f0f0,
    },
    {
        .name = "ThreadX",
        .current = {"_tx_thread_current_ptr"},
        .thread_name = {"tx_thread_name"},
        .stack_low = {"tx_thread_stack_start"},
        .stack_size = {"tx_thread_stack_size"},
        .fill = 0xef,
        .idle_is_none = true,
    },
    {
        .name = "ChibiOS",
        .current = {"ch0.rlist.current", "ch.rlist.current", "ch.rlist.r_current",
                    "rlist.r_current"},
        .thread_name = {"name", "p_name"},
        .stack_low = {"wabase", "stklimit", "p_stklimit"},
        .fill = 0x55,
        .block_on_top = true,
    },
};

/* Finds the path, or the member at the end of a path to a control block. */
static bool find(const struct symtab *symtab, const char *path, const char *member,
                 struct symtab_field *field)
{
    char text[PATH];

    snprintf(text, sizeof(text), "%s%s%s", path, member ? "->" : "", member ? member : "");
    return symtab_find_field(symtab, text, field);
}

static bool is_pointer(const struct symtab_field *field)
{
    return field->kind == SYMTAB_FIELD_POINTER && (field->size == 4 || field->size == 8);
}

/* The address of a pointer at the end of a path; without debug information only that of a variable
 * as large as one. */
static bool find_current(const struct symtab *symtab, const char *path, struct kernel *kernel)
{
    const struct symtab_elf *elf = symtab_elf(symtab);
    struct symtab_field field;
    uint64_t addr, size;
    char name[PATH];

    snprintf(name, sizeof(name), "%.*s", (int)strcspn(path, "."), path);
    if (!symtab_object(symtab, name, &addr, &size))
        return false;
    bool known = find(symtab, path, NULL, &field);
    if (!known && !strchr(path, '.') && size == elf->addr_size)
        field = (struct symtab_field){.kind = SYMTAB_FIELD_POINTER, .size = size, .count = 1};
    else if (!known)
        return false;
    kernel->current = addr + field.offset;
    kernel->current_size = (unsigned)field.size;
    kernel->cores = (unsigned)field.count;
    kernel->big_endian = elf->big_endian;
    return is_pointer(&field);
}

static struct kernel_field find_member(const struct symtab *symtab, const char *path,
                                       const char *const names[WAYS])
{
    struct symtab_field field;

    for (size_t i = 0; i < WAYS && names[i]; i++)
        if (find(symtab, path, names[i], &field) && field.kind != SYMTAB_FIELD_OTHER)
            return (struct kernel_field){.offset = field.offset,
                                         .size = field.size,
                                         .pointer = field.kind == SYMTAB_FIELD_POINTER};
    return (struct kernel_field){.size = 0};
}

static bool is_word(const struct kernel_field *field)
{
    return field->size == 4 || field->size == 8;
}

static void find_members(const struct symtab *symtab, const char *path,
                         const struct kernel_names *names, struct kernel *kernel)
{
    const struct kernel_field none = {.size = 0};

    kernel->thread_name = find_member(symtab, path, names->thread_name);
    kernel->stack_low = find_member(symtab, path, names->stack_low);
    kernel->stack_size = find_member(symtab, path, names->stack_size);
    kernel->stack_top = find_member(symtab, path, names->stack_top);
    if (kernel->thread_name.pointer && !is_word(&kernel->thread_name))
        kernel->thread_name = none;
    if (!is_word(&kernel->stack_low))
        kernel->stack_low = none;
    if (!is_word(&kernel->stack_size))
        kernel->stack_size = none;
    if (!is_word(&kernel->stack_top))
        kernel->stack_top = none;
}

static bool find_kernel(const struct symtab *symtab, const struct kernel_names *names,
                        struct kernel *kernel)
{
    for (size_t i = 0; names->current[i]; i++) {
        if (!find_current(symtab, names->current[i], kernel))
            continue;
        kernel->name = names->name;
        kernel->fill = names->fill;
        kernel->guard = names->guard;
        kernel->idle_is_none = names->idle_is_none;
        kernel->block_on_top = names->block_on_top;
        find_members(symtab, names->current[i], names, kernel);
        return true;
    }
    return false;
}

bool kernel_find(const struct symtab *symtab, struct kernel *kernel)
{
    for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++)
        if (find_kernel(symtab, &kernels[i], kernel))
            return true;
    *kernel = (struct kernel){.name = NULL};
    return false;
}
