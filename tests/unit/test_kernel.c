/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernels found in ELF files, and names and stacks of threads read from memory. */
#include <inttypes.h>

#include <kernel/stack.h>

#include "unit.h"

#include "scratch_file.h"

#define ADDR  0x20000000U
#define BLOCK (ADDR + 0x100)
#define LOW   (ADDR + 0x200)
#define SIZE  0x400U

/* As kernel_shapes.c has them. */
enum { CORES, NAME, NAME_IS, STACK_LOW, STACK_SIZE, STACK_TOP, FILL, EXPECTED };

static struct symtab *load(const char *prefix, const char *shape)
{
    struct symtab *t = NULL;
    char path[512], text[600] = "";

    snprintf(path, sizeof(path), "%s/%s_%s.elf", KERNEL_FILES, prefix, shape);
    if (symtab_load(path, &t, text, sizeof(text)) != SYMTAB_OK)
        fail_msg("%s", text);
    return t;
}

static void read_constant(const struct symtab *t, const char *name, void *number, size_t len)
{
    uint64_t addr, size;
    size_t there;

    assert_true(symtab_object(t, name, &addr, &size));
    const uint8_t *bytes = symtab_constant(t, addr, &there);
    assert_non_null(bytes);
    assert_true(there >= len);
    memcpy(number, bytes, len);
}

static uint64_t expected_current(const struct symtab *t)
{
    uint64_t addr = 0;

    read_constant(t, "expected_current", &addr, symtab_elf(t)->addr_size);
    return addr;
}

static void check_shape(const char *prefix, const char *shape, const char *name)
{
    struct symtab *t = load(prefix, shape);
    struct kernel k;
    uint64_t e[EXPECTED];

    if (!kernel_find(t, &k))
        fail_msg("%s %s: not found", prefix, shape);
    read_constant(t, "expected", e, sizeof(e));
    const uint64_t found[EXPECTED] = {
        k.cores,
        k.thread_name.offset,
        k.thread_name.pointer,
        k.stack_low.offset,
        k.stack_size.offset,
        k.stack_top.offset,
        k.fill,
    };
    assert_string_equal(k.name, name);
    for (size_t i = 0; i < EXPECTED; i++)
        if (found[i] != e[i])
            fail_msg("%s %s: number %zu is %" PRIu64 ", not %" PRIu64, prefix, shape, i, found[i],
                     e[i]);
    assert_int_equal(k.current, expected_current(t));
    assert_int_equal(k.current_size, symtab_elf(t)->addr_size);
    assert_int_equal(k.stack_size.size != 0, e[STACK_SIZE] != 0);
    assert_int_equal(k.stack_top.size != 0, e[STACK_TOP] != 0);
    assert_true(k.thread_name.size != 0 && k.stack_low.size != 0);
    symtab_free(t);
}

static void check_none(const char *prefix, const char *shape)
{
    struct symtab *t = load(prefix, shape);
    struct kernel k;

    if (kernel_find(t, &k))
        fail_msg("%s %s: found %s", prefix, shape, k.name);
    assert_null(k.name);
    symtab_free(t);
}

static void check_shapes(const char *prefix)
{
    check_shape(prefix, "FREERTOS", "FreeRTOS");
    check_shape(prefix, "FREERTOS_SMP", "FreeRTOS");
    check_shape(prefix, "ZEPHYR", "Zephyr");
    check_shape(prefix, "ZEPHYR_OLD", "Zephyr");
    check_shape(prefix, "THREADX", "ThreadX");
    check_shape(prefix, "CHIBIOS", "ChibiOS");
    check_shape(prefix, "CHIBIOS_OLD", "ChibiOS");
    check_none(prefix, "NONE");
}

static void test_shapes(void **state)
{
    check_shapes("native");
    if (!KERNEL_ARM)
        return;
    check_shapes("arm");
    check_shapes("lto");
}

/* A symbol tells where the pointer is, unless it is in a structure. */
static void test_no_types(void **state)
{
    static const char *const shapes[] = {"FREERTOS", "THREADX"};
    struct kernel k;

    for (size_t i = 0; i < COUNT(shapes); i++) {
        struct symtab *t = load("plain", shapes[i]);
        assert_true(kernel_find(t, &k));
        assert_int_equal(k.current, expected_current(t));
        assert_int_equal(k.current_size, 8);
        assert_int_equal(k.cores, 1);
        assert_int_equal(k.thread_name.size, 0);
        assert_int_equal(k.stack_low.size, 0);
        symtab_free(t);
    }
    check_none("plain", "FREERTOS_SMP");
    check_none("plain", "ZEPHYR");
    check_none("plain", "CHIBIOS");
    check_none("plain", "NONE");
}

/* Memory of a target with one thread, whose stack is LOW to LOW + SIZE. */
static uint8_t memory[0x800];

static void put_word(uint64_t addr, uint32_t word)
{
    for (unsigned i = 0; i < 4; i++)
        memory[addr - ADDR + i] = (uint8_t)(word >> 8 * i);
}

/* Copies the memory and opens it. */
static struct gdbmi_link *open_memory(void)
{
    const struct gdbmi_options options = {.raw = scratch_path, .raw_addr = ADDR};
    struct gdbmi_error error = {.code = GDBMI_OK};
    struct gdbmi_link *link;

    scratch_write((const char *)memory, sizeof(memory));
    if (gdbmi_link_open(&options, &link, &error) != GDBMI_OK)
        fail_msg("%s", error.text);
    return link;
}

static const struct kernel by_array = {.name = "one",
                                       .current_size = 4,
                                       .fill = 0xa5,
                                       .thread_name = {.offset = 8, .size = 12},
                                       .stack_low = {.offset = 4, .size = 4},
                                       .stack_size = {.offset = 20, .size = 4}};

static void check_name(const struct kernel *kernel, const char *wanted, size_t capacity)
{
    struct symtab *t = load("native", "NONE");
    struct gdbmi_link *link = open_memory();
    char name[64] = "before";

    bool done = kernel_read_name(kernel, t, link, BLOCK, name, capacity);
    assert_int_equal(done, wanted[0] != '\0');
    assert_string_equal(name, wanted);
    assert_int_equal(gdbmi_link_close(link, NULL), GDBMI_OK);
    symtab_free(t);
}

static void test_names(void **state)
{
    struct kernel by_pointer = by_array;

    by_pointer.thread_name = (struct kernel_field){.offset = 8, .size = 4, .pointer = true};
    memset(memory, 0, sizeof(memory));
    check_name(&by_array, "", 64);
    memcpy(memory + 0x108, "blink", 6);
    check_name(&by_array, "blink", 64);
    memcpy(memory + 0x108, "twelve bytes", 12); /* all of the array */
    check_name(&by_array, "twelve bytes", 64);
    check_name(&by_array, "twelve", 7);
    memcpy(memory + 0x108, "bl\x01nk", 6);
    check_name(&by_array, "", 64);
    put_word(BLOCK + 8, 0);
    check_name(&by_pointer, "", 64);
    put_word(BLOCK + 8, ADDR + 0x7f0); /* the last 16 bytes */
    memcpy(memory + 0x7f0, "fifteen letters", 16);
    check_name(&by_pointer, "fifteen letters", 64);
    put_word(BLOCK + 8, ADDR + 0x600);
    memcpy(memory + 0x600, "more than sixteen letters", 26);
    check_name(&by_pointer, "more than sixteen letters", 64);
    check_name(&by_pointer, "more than sixteen l", 20);
    put_word(BLOCK + 8, ADDR + 0x800);
    check_name(&by_pointer, "", 64);
    by_pointer.thread_name.size = 0;
    check_name(&by_pointer, "", 64);
}

static void test_words(void **state)
{
    struct kernel k = by_array;
    uint64_t word = 0;

    put_word(BLOCK, 0x01020304);
    struct gdbmi_link *link = open_memory();
    assert_true(kernel_read_word(&k, link, BLOCK, 4, &word));
    assert_int_equal(word, 0x01020304);
    k.big_endian = true;
    assert_true(kernel_read_word(&k, link, BLOCK, 4, &word));
    assert_int_equal(word, 0x04030201);
    assert_false(kernel_read_word(&k, link, BLOCK, 16, &word));
    assert_false(kernel_read_word(&k, link, 0, 4, &word));
    assert_int_equal(gdbmi_link_close(link, NULL), GDBMI_OK);
}

static void fill_stack(uint32_t unused, uint8_t fill)
{
    memset(memory, 0, sizeof(memory));
    memset(memory + (LOW - ADDR), fill, unused);
    put_word(BLOCK + 4, LOW);
    put_word(BLOCK + 20, SIZE);
}

/* Reads the stack in calls of some bytes each until it is counted; returns how many there were. */
static unsigned count_stack(const struct kernel *kernel, struct kernel_stack *stack, size_t bytes)
{
    struct gdbmi_link *link = open_memory();
    unsigned calls = 0;

    do {
        size_t budget = bytes;
        assert_true(kernel_stack_read(kernel, link, stack, &budget));
        assert_true(budget < bytes);
    } while (++calls < 100 && stack->at != 0);
    assert_int_equal(gdbmi_link_close(link, NULL), GDBMI_OK);
    return calls;
}

static void test_stack(void **state)
{
    static const uint32_t unused[] = {SIZE, 1023, 700, 512, 511, 257, 256, 255, 1, 0};
    struct kernel_stack stack = {.block = BLOCK};

    for (size_t i = 0; i < COUNT(unused); i++) { /* it never grows */
        fill_stack(unused[i], 0xa5);
        assert_int_equal(count_stack(&by_array, &stack, 10000), 1);
        assert_true(stack.known);
        assert_int_equal(stack.size, SIZE);
        assert_int_equal(stack.free, unused[i]);
    }
    fill_stack(300, 0xa5);
    assert_int_equal(count_stack(&by_array, &stack, 10000), 1);
    assert_int_equal(stack.free, 0); /* what was used stays used */
    stack = (struct kernel_stack){.block = BLOCK};
    fill_stack(1000, 0xa5);
    assert_int_equal(count_stack(&by_array, &stack, 300), 3);
    assert_int_equal(stack.free, 1000);
    memory[LOW - ADDR + 600] = 0; /* further down */
    assert_int_equal(count_stack(&by_array, &stack, 10000), 1);
    assert_int_equal(stack.free, 600);
    put_word(BLOCK + 4, LOW + 16); /* another thread at that address */
    assert_int_equal(count_stack(&by_array, &stack, 10000), 1);
    assert_int_equal(stack.free, 584);
}

/* The size by what each kernel's control block says, and not even that. */
static void test_stack_ends(void **state)
{
    struct kernel k = by_array;
    struct kernel_stack stack = {.block = BLOCK};

    k.stack_size.size = 0;
    fill_stack(600, 0xa5);
    (void)count_stack(&k, &stack, 10000);
    assert_int_equal(stack.size, 0);
    assert_int_equal(stack.free, 600);
    k.stack_top = (struct kernel_field){.offset = 20, .size = 4};
    put_word(BLOCK + 20, LOW + SIZE - 4); /* its highest word */
    (void)count_stack(&k, &stack, 10000);
    assert_int_equal(stack.size, SIZE);
    k.stack_top.size = 0;
    k.block_on_top = true;
    put_word(BLOCK + 4, ADDR + 0x80); /* below the control block */
    memset(memory + 0x80, 0xa5, 0x30);
    (void)count_stack(&k, &stack, 10000);
    assert_int_equal(stack.size, 0x80);
    assert_int_equal(stack.free, 0x30);
}

static void test_stack_guard(void **state)
{
    struct kernel k = by_array;
    struct kernel_stack stack = {.block = BLOCK};

    k.guard = 0xf0f0f0f0;
    fill_stack(100, 0xa5);
    (void)count_stack(&k, &stack, 10000);
    assert_int_equal(stack.free, 100);
    put_word(LOW, k.guard);
    (void)count_stack(&k, &stack, 10000);
    assert_int_equal(stack.free, 96);
    assert_int_equal(stack.size, SIZE - 4);
}

static void test_stack_unreadable(void **state)
{
    struct kernel k = by_array;
    struct kernel_stack stack = {.block = ADDR + 0x10000};
    size_t budget = 1000;

    fill_stack(100, 0xa5);
    struct gdbmi_link *link = open_memory();
    assert_false(kernel_stack_read(&k, link, &stack, &budget));
    stack.block = BLOCK;
    k.stack_low.size = 0;
    assert_false(kernel_stack_read(&k, link, &stack, &budget));
    assert_int_equal(gdbmi_link_close(link, NULL), GDBMI_OK);
    fill_stack(100, 0xa5);
    put_word(BLOCK + 4, ADDR + 0x700); /* it ends after the memory */
    memset(memory + 0x700, 0xa5, 0x100);
    link = open_memory();
    budget = 10000;
    assert_false(kernel_stack_read(&by_array, link, &stack, &budget));
    assert_false(stack.known);
    assert_int_equal(gdbmi_link_close(link, NULL), GDBMI_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes),      cmocka_unit_test(test_no_types),
        cmocka_unit_test(test_names),       cmocka_unit_test(test_words),
        cmocka_unit_test(test_stack),       cmocka_unit_test(test_stack_ends),
        cmocka_unit_test(test_stack_guard), cmocka_unit_test(test_stack_unreadable),
    };

    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
