/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gdb's answers, jumps, data among code, and source files of any kind. */
#include <sys/stat.h>
#include <unistd.h>

#include "unit.h"

#include <code/listing.h>
#include <code/source.h>

#include "disasm_parse.h"
#include "mapping.h"

/* The results of a line of gdb's; valid until the reader is freed. */
static const struct gdbmi_mi_value *parse(struct gdbmi_mi_reader *reader, const char *line)
{
    struct gdbmi_mi_message message;
    size_t used;

    assert_int_equal(gdbmi_mi_feed(reader, line, strlen(line), &used, &message), 1);
    assert_int_equal(message.kind, GDBMI_MI_RESULT);
    return message.results;
}

static void test_instructions(void **state)
{
    static const char line[] =
        "1^done,asm_insns=[{address=\"0x000000c4\",func-name=\"f\",offset=\"4\",opcodes=\"00 bf\","
        "inst=\"nop\"},{address=\"0x000000c6\",func-name=\"f\",offset=\"6\","
        "opcodes=\"46 f2 a8 13\",inst=\"movw\\tr3, #25000\\t@ 0x61a8\"},{address=\"0x000000ca\","
        "opcodes=\"fb d1\",inst=\"bne.n\\t0xc4 <f+4>\"},{address=\"0x000000cc\",opcodes=\"70 47\","
        "inst=\"bx\\tlr\"}]\n";
    struct gdbmi_mi_reader *reader = gdbmi_mi_reader_new();
    struct listing listing = {.items = NULL};
    uint64_t next = 0;

    assert_true(disasm_take(parse(reader, line), 0xcc, &listing, &next));
    assert_int_equal(listing.count, 3); /* what begins at the end is another's */
    assert_int_equal(next, 0xcc);
    assert_string_equal(listing.items[1].text, "movw r3, #25000 @ 0x61a8");
    assert_int_equal(listing.items[1].size, 4);
    assert_memory_equal(listing.items[1].bytes, ((uint8_t[]){0x46, 0xf2, 0xa8, 0x13}), 4);
    assert_false(listing.items[1].jumps);
    assert_true(listing.items[2].jumps);
    assert_int_equal(listing.items[2].target, 0xc4);
    listing_free(&listing);
    gdbmi_mi_reader_free(reader);
}

/* What a gdb may say that is broken, or means harm. */
static void test_wrong_answers(void **state)
{
    static const char *const lines[] = {
        "1^done\n",
        "1^done,asm_insns=[{address=\"0x10\",inst=\"nop\"}]\n",
        "1^done,asm_insns=[{address=\"10\",opcodes=\"00\",inst=\"nop\"}]\n",
        "1^done,asm_insns=[{address=\"0x10\",opcodes=\"00\"}]\n",
        "1^done,asm_insns=[{address=\"0x10\",opcodes=\"zz\",inst=\"nop\"}]\n",
        "1^done,asm_insns=[{address=\"0x10\",opcodes=\"0\",inst=\"nop\"}]\n",
        "1^done,asm_insns=[{address=\"0x10\",opcodes=\"\",inst=\"nop\"}]\n",
        "1^done,asm_insns=[{address=\"0x10\",opcodes=\"00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d "
        "0e 0f 10\",inst=\"nop\"}]\n",
        "1^done,asm_insns=[{address=\"0x10\",opcodes=\"00 00\",inst=\"nop\"},{address=\"0x11\","
        "opcodes=\"00\",inst=\"nop\"}]\n",
        "1^done,asm_insns=[{address=\"0x10\",opcodes=\"00\",inst=\"nop\"},{address=\"0x8\","
        "opcodes=\"00\",inst=\"nop\"}]\n",
    };

    for (size_t i = 0; i < COUNT(lines); i++) {
        struct gdbmi_mi_reader *reader = gdbmi_mi_reader_new();
        struct listing listing = {.items = NULL};
        uint64_t next = 0;
        if (disasm_take(parse(reader, lines[i]), 0x100, &listing, &next))
            fail_msg("taken: %s", lines[i]);
        listing_free(&listing);
        gdbmi_mi_reader_free(reader);
    }
}

static void test_text_is_clean(void **state)
{
    static const char line[] =
        "1^done,asm_insns=[{address=\"0x10\",opcodes=\"00\",inst=\"bl\\t \\0330x5 <a\\nb>  \"}]\n";
    struct gdbmi_mi_reader *reader = gdbmi_mi_reader_new();
    struct listing listing = {.items = NULL};
    uint64_t next;

    assert_true(disasm_take(parse(reader, line), 0x100, &listing, &next));
    assert_string_equal(listing.items[0].text, "bl ?0x5 <a?b>");
    listing_free(&listing);
    gdbmi_mi_reader_free(reader);
}

/* A symbol's name is in the text of each jump to it. */
static void test_long_texts(void **state)
{
    struct listing listing = {.items = NULL};
    size_t sum = 0, count = 2 * LISTING_TEXTS_MAX / 1000;
    char text[1001];

    memset(text, 'a', 1000);
    text[1000] = '\0';
    for (size_t i = 0; i < count; i++) {
        const struct listing_item item = {.addr = 2 * i, .size = 2, .text = text};
        assert_true(listing_add(&listing, &item));
        sum += strlen(listing.items[i].text);
    }
    assert_int_equal(strlen(listing.items[0].text), 1000);
    assert_int_equal(strlen(listing.items[count - 1].text), LISTING_TEXT_SHORT);
    assert_in_range(sum, LISTING_TEXTS_MAX - 1000, LISTING_TEXTS_MAX + count * LISTING_TEXT_SHORT);
    listing_free(&listing);
}

static void test_data(void **state)
{
    static const char line[] = "1^done,memory=[{begin=\"0x7\",end=\"0x11\","
                               "contents=\"01020304050607080910\"}]\n";
    static const struct {
        uint64_t addr;
        const char *little, *big;
    } wanted[] = {{0x7, ".byte 0x01", ".byte 0x01"},
                  {0x8, ".word 0x05040302", ".word 0x02030405"},
                  {0xc, ".word 0x09080706", ".word 0x06070809"},
                  {0x10, ".byte 0x10", ".byte 0x10"}};

    for (int big = 0; big < 2; big++) {
        struct gdbmi_mi_reader *reader = gdbmi_mi_reader_new();
        struct listing listing = {.items = NULL};
        assert_true(disasm_take_data(parse(reader, line), 0x7, 0x11, big, &listing));
        assert_int_equal(listing.count, 4);
        for (size_t i = 0; i < 4; i++) {
            assert_int_equal(listing.items[i].addr, wanted[i].addr);
            assert_string_equal(listing.items[i].text, big ? wanted[i].big : wanted[i].little);
            assert_true(listing.items[i].data);
        }
        listing_free(&listing);
        assert_false(disasm_take_data(parse(reader, line), 0x7, 0x12, big, &listing));
        listing_free(&listing);
        gdbmi_mi_reader_free(reader);
    }
}

/* As gdb 13 writes them for each machine. */
static void test_jumps(void **state)
{
    static const struct {
        const char *text;
        uint64_t target; /* 0: it is no jump */
    } cases[] = {
        {"bne.n 0xc4 <work_a+4>", 0xc4},
        {"b.n 0x104 <main+20>", 0x104},
        {"cbz r0, 0x39c <mprof_init+124>", 0x39c},
        {"ble.n 0x20 <f+4>", 0x20},
        {"bls.n 0x20 <f+4>", 0x20},
        {"bl 0x20 <f+4>", 0},
        {"blx 0x20 <f+4>", 0},
        {"blne 0x20 <f+4>", 0},
        {"bl.w 0x20 <f+4>", 0},
        {"ldr r4, [pc, #132] @ (0x3a8 <f+136>)", 0},
        {"ldr r4, [pc, #132] ; 0x3a8 <f+136>", 0},
        {"movw r3, #25000 @ 0x61a8", 0},
        {"bnez a5,0x800000a6 <work_a+6>", 0x800000a6},
        {"bltu a4,a5,0x800000a6 <work_a+6>", 0x800000a6},
        {"j 0x800000a6 <work_a+6>", 0x800000a6},
        {"jal ra,0x800000a6 <work_a+6>", 0},
        {"jal 0x800000a6 <work_a>", 0},
        {"jne 0x555555555210 <work_a+16>", 0x555555555210},
        {"jmp 0x1210 <std::pair<int, char>::f(int)+16>", 0x1210},
        {"call 0x1210 <f+16>", 0},
        {"callq 0x1210 <f+16>", 0},
        {"notrack jmp *%rax", 0},
        {"lea -0x5f(%rip),%rax # 0x5555555552d6 <on_timer>", 0},
        {"jmp *0x2fe2(%rip) # 0x404018 <puts@got.plt>", 0},
        {"tbz w0, #3, 0x4006d8 <main+40>", 0x4006d8},
        {"b.eq 0x4006d8 <main+40> // b.none", 0x4006d8},
        {"cbnz x0, 0xffffffffffffff00 <f>", 0xffffffffffffff00},
        {"b 0x12", 0},
        {"", 0},
        {">", 0},
        {"0x10 <f>", 0},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        uint64_t target = 0;
        bool jumps = listing_jump(cases[i].text, &target);
        if (jumps != (cases[i].target != 0) || target != cases[i].target)
            fail_msg("%s: %d 0x%llx", cases[i].text, jumps, (unsigned long long)target);
    }
}

static void test_marks(void **state)
{
    struct mapping_mark marks[] = {{0x10, false}, {0x20, true}, {0x28, true}, {0x30, false}};
    const struct mapping m = {.marks = marks, .count = 4};
    uint64_t end;

    assert_false(mapping_is_data(&m, 0x8, 0x100, &end));
    assert_int_equal(end, 0x10);
    assert_false(mapping_is_data(&m, 0x10, 0x18, &end));
    assert_int_equal(end, 0x18);
    assert_true(mapping_is_data(&m, 0x20, 0x100, &end));
    assert_int_equal(end, 0x28);
    assert_true(mapping_is_data(&m, 0x2f, 0x100, &end));
    assert_false(mapping_is_data(&m, 0x30, 0x100, &end));
    assert_int_equal(end, 0x100);
}

static char folder[] = "/tmp/mprof-code-XXXXXX";

static char *write_file(const char *name, const void *bytes, size_t len)
{
    static char path[300];

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, len, file), len);
    assert_int_equal(fclose(file), 0);
    return path;
}

static void test_source_lines(void **state)
{
    static const char text[] = "a\tb\r\n\tx \n\n\x1b[31mred\x7f\xc2\x9b\n"
                               "\xc3\xa4\xff\xed\xa0\x80\xe2\x82\xac\xc3\nlast";
    struct source_file file;

    char *path = write_file("a.c", text, sizeof(text) - 1);
    assert_true(source_read(path, NULL, &file));
    assert_string_equal(file.path, path);
    assert_int_equal(file.count, 6);
    assert_string_equal(source_line(&file, 1), "a       b");
    assert_string_equal(source_line(&file, 2), "        x");
    assert_string_equal(source_line(&file, 3), "");
    assert_string_equal(source_line(&file, 4), "?[31mred???");
    assert_string_equal(source_line(&file, 5), "\xc3\xa4????\xe2\x82\xac?");
    assert_string_equal(source_line(&file, 6), "last");
    assert_null(source_line(&file, 0));
    assert_null(source_line(&file, 7));
    assert_true(file.modified > 1500000000);
    source_free(&file);
    unlink(path);
}

static void test_source_long_lines(void **state)
{
    static char text[100000];
    struct source_file file;

    memset(text, '\t', sizeof(text));
    text[sizeof(text) - 1] = 'x';
    char *path = write_file("long.c", text, sizeof(text));
    assert_true(source_read(path, NULL, &file));
    assert_int_equal(file.count, 1);
    assert_true(strlen(file.lines[0]) <= SOURCE_LINE_MAX + SOURCE_TAB);
    source_free(&file);
    unlink(path);
}

/* By the end of a path that is from another machine. */
static void test_source_is_found(void **state)
{
    char path[300], *folders[] = {folder, NULL};
    struct source_file file;

    snprintf(path, sizeof(path), "%s/sub", folder);
    assert_int_equal(mkdir(path, 0700), 0);
    unlink(write_file("b.c", "wrong", 5));
    write_file("sub/b.c", "right", 5);
    assert_true(source_read("/other/machine/sub/b.c", folders, &file));
    assert_int_equal(file.count, 1);
    assert_string_equal(file.lines[0], "right");
    source_free(&file);
    assert_true(source_read("/other/machine/b.c", folders, &file));
    assert_null(file.path);
    assert_null(source_line(&file, 1));
    source_free(&file);
    write_file("b.c", "other", 5);
    assert_true(source_read("/other/machine/sub/b.c", folders, &file));
    assert_string_equal(file.lines[0], "right"); /* the longest end is meant */
    source_free(&file);
    snprintf(path, sizeof(path), "%s/sub/b.c", folder);
    unlink(path);
    snprintf(path, sizeof(path), "%s/b.c", folder);
    unlink(path);
    snprintf(path, sizeof(path), "%s/sub", folder);
    rmdir(path);
}

/* No file that could hold us up, or that is none. */
static void test_source_is_no_file(void **state)
{
    struct source_file file;
    char path[300], *name;

    snprintf(path, sizeof(path), "%s/fifo", folder);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_true(source_read(path, NULL, &file));
    assert_null(file.path);
    source_free(&file);
    unlink(path);
    assert_true(source_read(folder, NULL, &file));
    assert_null(file.path);
    source_free(&file);
    assert_true(source_read("/dev/zero", NULL, &file));
    assert_null(file.path);
    source_free(&file);
    name = calloc(1, 20001);
    memset(name, '/', 20000);
    assert_true(source_read(name, (char *[]){folder, NULL}, &file));
    assert_null(file.path);
    source_free(&file);
    free(name);
}

static int make_folder(void **state)
{
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_instructions),    cmocka_unit_test(test_wrong_answers),
        cmocka_unit_test(test_text_is_clean),   cmocka_unit_test(test_data),
        cmocka_unit_test(test_jumps),           cmocka_unit_test(test_marks),
        cmocka_unit_test(test_source_lines),    cmocka_unit_test(test_source_long_lines),
        cmocka_unit_test(test_source_is_found), cmocka_unit_test(test_source_is_no_file),
        cmocka_unit_test(test_long_texts),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
