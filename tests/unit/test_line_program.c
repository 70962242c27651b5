/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Line number programs byte by byte: every opcode, every version, both byte orders. */
#include "unit.h"

#include <dwarf/line_program.h>

struct program {
    uint8_t bytes[256];
    size_t len;
    bool big_endian;
};

static void put_number(struct program *p, uint64_t value, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        size_t shift = 8 * (p->big_endian ? size - 1 - i : i);
        p->bytes[p->len++] = (uint8_t)(value >> shift);
    }
}

static void put_bytes(struct program *p, const char *bytes, size_t len)
{
    memcpy(p->bytes + p->len, bytes, len);
    p->len += len;
}

/* What is run: line_base -3, line_range 12, opcode_base 14 (13 being unknown, with two operands),
 * instructions of 2 bytes. */
static void put_opcodes(struct program *p)
{
    put_bytes(p, "\0\5\2", 3);
    put_number(p, 0x1000, 4);
    put_bytes(p, "\3\xe4\0", 3); /* advance_line +100: 101 */
    put_bytes(p, "\4\2", 2);     /* set_file 2 */
    put_bytes(p, "\1", 1);       /* copy: 1000 2 101 */
    put_bytes(p, "\2\x81\1", 3); /* advance_pc 129: 1102 */
    put_bytes(p, "\5\7\6\7\12\13\14\1",
              8);                   /* set_column 7, negate, block, prologue, epilogue, isa 1 */
    put_bytes(p, "\15\xff\1\3", 4); /* unknown, two operands */
    put_bytes(p, "\x2d", 1);        /* special 45: +2 operations, +4 lines: 1106 2 105 */
    put_bytes(p, "\10", 1);         /* const_add_pc: +20 operations: 112e */
    put_bytes(p, "\11", 1);         /* fixed_advance_pc */
    put_number(p, 0x202, 2);        /* 1330 */
    put_bytes(p, "\3\x7b", 2);      /* advance_line -5: 100 */
    put_bytes(p, "\0\2\4\5", 4);    /* set_discriminator 5 */
    put_bytes(p, "\0\3\x80xy", 5);  /* a vendor's own */
    put_bytes(p, "\16", 1);         /* special 14: -3 lines: 1330 2 97 */
    put_bytes(p, "\2\4\0\1\1", 5);  /* advance_pc 4, end_sequence: 1338 */
    put_bytes(p, "\1", 1);          /* all registers are as at the begin: 0 1 1 */
}

static void build(struct program *p, unsigned version, size_t wide)
{
    struct program header = {.big_endian = p->big_endian};
    struct program opcodes = {.big_endian = p->big_endian};

    put_number(&header, 2, 1);
    if (version >= 4)
        put_number(&header, 1, 1);
    put_bytes(&header, "\1\xfd\14\16\0\1\1\1\1\0\0\0\1\0\0\1\2", 17);
    put_bytes(&header, "any tables of names", 19);
    put_opcodes(&opcodes);
    size_t unit = 2 + (version >= 5 ? 2 : 0) + wide + header.len + opcodes.len;
    if (wide == 8)
        put_number(p, 0xffffffff, 4);
    put_number(p, unit, wide);
    put_number(p, version, 2);
    if (version >= 5)
        put_bytes(p, "\4\0", 2);
    put_number(p, header.len, wide);
    put_bytes(p, (const char *)header.bytes, header.len);
    put_bytes(p, (const char *)opcodes.bytes, opcodes.len);
}

#define ROWS_MAX 8

struct log {
    char text[400];
    struct line_row rows[ROWS_MAX];
    size_t row_count;
    int left; /* calls until it stops */
};

static bool log_row(void *context, const struct line_row *row)
{
    struct log *log = context;
    size_t used = strlen(log->text);

    snprintf(log->text + used, sizeof(log->text) - used, "%x %u %u;", (unsigned)row->addr,
             (unsigned)row->file, (unsigned)row->line);
    if (log->row_count < ROWS_MAX)
        log->rows[log->row_count++] = *row;
    return --log->left > 0;
}

static bool log_end(void *context, uint64_t addr)
{
    struct log *log = context;
    size_t used = strlen(log->text);

    snprintf(log->text + used, sizeof(log->text) - used, "end %x;", (unsigned)addr);
    return --log->left > 0;
}

static bool run_from(const struct program *p, size_t len, uint64_t offset,
                     const struct line_row *from, struct log *log)
{
    struct line_program_sink sink = {.context = log, .row = log_row, .end = log_end};
    uint8_t *copy = malloc(len ? len : 1);

    assert_non_null(copy);
    memcpy(copy, p->bytes, len);
    struct line_section section = {.bytes = copy, .len = len, .big_endian = p->big_endian};
    struct line_header header;
    bool done = line_header_read(&section, offset, &header) &&
                line_program_run(&section, &header, from, &sink);
    free(copy);
    return done;
}

static bool run_whole(const struct program *p, size_t len, uint64_t offset, struct log *log)
{
    return run_from(p, len, offset, NULL, log);
}

static const char wanted[] = "1000 2 101;1106 2 105;1330 2 97;end 1338;0 1 1;";

static void runs_all(void **state)
{
    for (unsigned version = 2; version <= 5; version++) {
        for (int way = 0; way < 4; way++) {
            struct program p = {.big_endian = (way & 1) != 0};
            struct log log = {.left = 100};
            put_bytes(&p, "before", 6);
            build(&p, version, way & 2 ? 8 : 4);
            put_bytes(&p, "\1behind", 7);
            assert_true(run_whole(&p, p.len, 6, &log));
            assert_string_equal(log.text, wanted);
        }
    }
}

/* From each row on, the same follows. */
static void goes_on(void **state)
{
    for (unsigned version = 2; version <= 5; version++) {
        struct program p = {.big_endian = version == 3};
        struct log all = {.left = 100};
        const char *rest = wanted;
        build(&p, version, 4);
        assert_true(run_whole(&p, p.len, 0, &all));
        assert_int_equal(all.row_count, 4);
        for (size_t i = 0; i < all.row_count; i++) {
            struct log log = {.left = 100};
            rest = strchr(rest, ';') + 1;
            if (strncmp(rest, "0 1 1;", 6) == 0) /* behind the end of a sequence */
                rest = strchr(rest, ';') + 1;
            assert_true(run_from(&p, p.len, 0, &all.rows[i], &log));
            assert_string_equal(log.text, rest);
        }
    }
}

static void stops_when_told(void **state)
{
    struct program p = {.len = 0};

    build(&p, 4, 4);
    for (int left = 1; left <= 5; left++) {
        struct log log = {.left = left};
        assert_false(run_whole(&p, p.len, 0, &log));
        assert_int_equal(log.left, 0);
    }
}

static void refuses_versions(void **state)
{
    struct log log = {.left = 100};

    for (unsigned version = 0; version < 10; version++) {
        struct program p = {.len = 0};
        if (version >= 2 && version <= 5)
            continue;
        build(&p, version, 4);
        assert_false(run_whole(&p, p.len, 0, &log));
    }
    assert_string_equal(log.text, "");
}

static void refuses_cut_ones(void **state)
{
    for (unsigned version = 2; version <= 5; version++) {
        struct program p = {.len = 0};
        struct log log = {.left = 100};
        build(&p, version, 4);
        for (size_t len = 0; len < p.len; len++)
            assert_false(run_whole(&p, len, 0, &log));
        assert_false(run_whole(&p, p.len, p.len, &log));
        assert_false(run_whole(&p, p.len, UINT64_MAX, &log));
        assert_string_equal(log.text, "");
    }
}

/* Any bytes at any place: an answer, within the bytes. */
static void survives_wrong_bytes(void **state)
{
    for (unsigned version = 2; version <= 5; version++) {
        struct program p = {.len = 0};
        build(&p, version, 4);
        for (size_t at = 0; at < p.len; at++) {
            uint8_t old = p.bytes[at];
            for (unsigned value = 0; value < 256; value++) {
                struct log log = {.left = 1000};
                p.bytes[at] = (uint8_t)value;
                run_whole(&p, p.len, 0, &log);
                assert_true(log.left > 0);
            }
            p.bytes[at] = old;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_all),         cmocka_unit_test(goes_on),
        cmocka_unit_test(stops_when_told),  cmocka_unit_test(refuses_versions),
        cmocka_unit_test(refuses_cut_ones), cmocka_unit_test(survives_wrong_bytes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
