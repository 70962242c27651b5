/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the GDB remote link against servers whose packets, or ours, are damaged on their way. */
#include "unit.h"

#include "rsp_checks.h"

static void test_refused_packets_are_sent_again(void **state)
{
    struct fake_gdb gdb;

    fake_gdb_init(&gdb, FAKE_QEMU, true);
    struct gdbmi_link *link = must_open(&gdb, false);
    gdb.nak_count = 3;
    check_read(link, RAM, 64);
    gdb.nak_count = 100;
    unsigned char byte;
    assert_int_equal(gdbmi_link_read(link, RAM, &byte, 1), GDBMI_EPROTOCOL);
    check_text(gdbmi_link_error(link)->text, "damaged");
    gdbmi_link_close(link, NULL);
    fake_gdb_free(&gdb);
}

static void test_damaged_answers_are_asked_for_again(void **state)
{
    struct fake_gdb gdb;

    fake_gdb_init(&gdb, FAKE_QEMU, true);
    struct gdbmi_link *link = must_open(&gdb, false);
    gdb.whole_count = 1; /* the stop */
    gdb.damage_count = 1;
    check_read(link, RAM, 64);
    assert_true(gdb.running);
    must_close(&gdb, link);

    fake_gdb_init(&gdb, FAKE_OPENOCD, true);
    link = must_open(&gdb, false);
    gdb.damage_count = 1;
    unsigned char byte = 0xee;
    assert_int_equal(gdbmi_link_read(link, RAM, &byte, 1), GDBMI_EPROTOCOL);
    assert_int_equal(byte, 0xee);
    gdb.damage_count = 0;
    assert_int_equal(gdbmi_link_read(link, RAM, &byte, 1), GDBMI_EPROTOCOL);
    must_close(&gdb, link);
}

/* QEMU, asked for a damaged stop reply again, sends its answer behind that again. */
static void test_damaged_stop(void **state)
{
    struct fake_gdb gdb;
    unsigned char byte = 0xee;

    fake_gdb_init(&gdb, FAKE_QEMU, true);
    struct gdbmi_link *link = must_open(&gdb, false);
    gdb.damage_count = 1;
    assert_int_equal(gdbmi_link_read(link, RAM, &byte, 1), GDBMI_EPROTOCOL);
    assert_int_equal(byte, 0xee);
    check_text(gdbmi_link_error(link)->text, "told to resume, but the TARGET MAY BE LEFT HALTED");
    assert_true(gdb.running);
    must_close(&gdb, link);
}

/* Some bits of one byte of QEMU's are other ones. What is wrong is an error, and a core that is
 * left halted is told of; true: the byte came. */
static bool check_flipped(size_t at, char flip)
{
    struct fake_gdb gdb;
    struct gdbmi_link *link;
    struct gdbmi_error error;
    unsigned char bytes[24];

    fake_gdb_init(&gdb, FAKE_QEMU, true);
    gdb.stream.flip_at = at;
    gdb.stream.flip = flip;
    enum gdbmi_code code = try_open(&gdb, false, &link, &error);
    bool opened = code == GDBMI_OK;
    for (size_t i = 0; code == GDBMI_OK && i < 3; i++) {
        size_t len = i == 0 ? 24 : 16;
        code = gdbmi_link_read(link, RAM + 0x21 * i, bytes, len);
        error = *gdbmi_link_error(link);
        for (size_t k = 0; code == GDBMI_OK && k < len; k++)
            assert_int_equal(bytes[k], fake_byte(RAM + 0x21 * i + k));
    }
    if (!gdb.running) {
        assert_int_not_equal(code, GDBMI_OK);
        check_text(error.text, "LEFT HALTED");
    }
    bool came = gdb.stream.given > at;
    if (opened)
        gdbmi_link_close(link, NULL);
    fake_gdb_free(&gdb);
    return came;
}

static void test_every_flipped_bit(void **state)
{
    for (int bit = 0; bit < 8; bit++) {
        size_t at = 0;
        while (check_flipped(at, (char)(1 << bit)))
            at++;
        assert_in_range(at, 300, 4000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused_packets_are_sent_again),
        cmocka_unit_test(test_damaged_answers_are_asked_for_again),
        cmocka_unit_test(test_damaged_stop),
        cmocka_unit_test(test_every_flipped_bit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
