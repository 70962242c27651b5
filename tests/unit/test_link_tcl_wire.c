/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of how OpenOCD's Tcl port is spoken to: what is printed for others, how many round trips,
 * and bytes that are damaged on the way. */
#include <sys/socket.h>

#include "unit.h"

#include "counted.h"
#include "tcl_checks.h"
#include "tcl_link.h"

static void test_quiet_channel(void **state)
{
    struct fake_tcl tcl;
    enum gdbmi_state seen;
    unsigned char bytes[64];

    fake_tcl_init(&tcl);
    struct gdbmi_link *link = must_open(&tcl, NEAR, "3333");
    assert_true(tcl.channel >= 0);
    assert_null(strstr(gdbmi_link_info(link)->why, "an attached gdb"));
    check_read(link, RAM + 1, 4000);
    assert_int_equal(gdbmi_link_poll(link, RAM, bytes, sizeof(bytes), &seen), GDBMI_OK);
    assert_int_equal(gdbmi_link_read(link, BAD, bytes, 1), GDBMI_ETARGET);
    assert_int_equal(tcl.results_len, 0);
    assert_false(tcl.said_goodbye);
    assert_int_equal(gdbmi_link_close(link, NULL), GDBMI_OK);
    assert_true(tcl.said_goodbye);
    assert_int_equal(tcl.results_len, 0);
    fake_tcl_free(&tcl);
}

/* Where it can't be made, the results are as short as they can be, and it is said. */
static void check_loud(const char *address, bool has_socket)
{
    struct fake_tcl tcl;

    fake_tcl_init(&tcl);
    tcl.has_socket = has_socket;
    struct gdbmi_link *link = must_open(&tcl, address, "3333");
    assert_true(tcl.channel < 0);
    check_text(gdbmi_link_info(link)->why, "an attached gdb");
    tcl.results_len = 0;
    check_read(link, RAM, 64);
    assert_in_range(tcl.results_len, 1, 16 * 9 + 80);
    must_close(&tcl, link);
}

static void test_no_channel(void **state)
{
    check_loud(FAR, true);
    check_loud(NEAR, false);
}

/* A stranger on our port is not believed. */
static void test_wrong_nonce(void **state)
{
    struct gdbmi_link *link;
    struct gdbmi_error error;
    struct fake_tcl tcl;

    fake_tcl_init(&tcl);
    tcl.wrong_nonce = true;
    assert_int_equal(try_open(&tcl, NEAR, "3333", NULL, &link, &error), GDBMI_EPROTOCOL);
    assert_null(link);
    fake_tcl_free(&tcl);
}

static void test_channel_that_closes(void **state)
{
    struct fake_tcl tcl;
    unsigned char byte = 0;

    fake_tcl_init(&tcl);
    struct gdbmi_link *link = must_open(&tcl, NEAR, "3333");
    int fd = tcl.channel;
    assert_int_equal(shutdown(fd, SHUT_RDWR), 0);
    assert_int_equal(gdbmi_link_read(link, RAM, &byte, 1), GDBMI_ECLOSED);
    gdbmi_link_close(link, NULL);
    fake_tcl_free(&tcl);
}

static void test_one_round_trip(void **state)
{
    struct fake_tcl tcl;
    enum gdbmi_state seen = GDBMI_STATE_UNKNOWN;
    static unsigned char bytes[1120];

    fake_tcl_init(&tcl);
    struct gdbmi_link *link = must_open(&tcl, NEAR, "3333");
    for (int i = 0; i < 3; i++) {
        tcl.writes = 0;
        memset(bytes, 0, sizeof(bytes));
        assert_int_equal(gdbmi_link_poll(link, RAM + 2, bytes, sizeof(bytes), &seen), GDBMI_OK);
        assert_int_equal(tcl.writes, 1);
        for (size_t at = 0; at < sizeof(bytes); at++)
            assert_int_equal(bytes[at], fake_byte(RAM + 2 + at));
        assert_int_equal(seen, GDBMI_STATE_RUNNING);
    }
    tcl.running = false;
    assert_int_equal(gdbmi_link_poll(link, RAM, bytes, 4, &seen), GDBMI_OK);
    assert_int_equal(seen, GDBMI_STATE_HALTED);
    must_close(&tcl, link);
}

/* One piece of a read that fails does not bring the answers out of step. */
static void test_pipeline_with_a_failure(void **state)
{
    struct fake_tcl tcl;
    static unsigned char bytes[1024];

    fake_tcl_init(&tcl);
    struct gdbmi_link *link = must_open(&tcl, NEAR, "3333");
    bytes[0] = 0xee;
    assert_int_equal(gdbmi_link_read(link, BAD - 512, bytes, sizeof(bytes)), GDBMI_ETARGET);
    check_text(gdbmi_link_error(link)->text, "failed to read memory");
    assert_int_equal(bytes[0], 0xee);
    check_read(link, RAM + 3, 1024);
    must_close(&tcl, link);
}

static void test_given_up(void **state)
{
    struct fake_tcl tcl;

    fake_tcl_init(&tcl);
    struct gdbmi_link *link = must_open(&tcl, NEAR, "3333");
    check_given_up(link, RAM, 40960);
    must_close(&tcl, link);
}

static void test_resets_are_counted(void **state)
{
    struct fake_tcl tcl;

    fake_tcl_init(&tcl);
    struct gdbmi_link *link = must_open(&tcl, NEAR, "3333");
    assert_true(tcl.notifying);
    check_read(link, RAM, 4);
    assert_int_equal(gdbmi_link_stats(link).resets, 0);
    tcl.notification = "type target_state state reset\r\n\x1atype target_reset mode run\r\n\x1a";
    check_read(link, RAM, 4);
    assert_int_equal(gdbmi_link_stats(link).resets, 1);
    check_read(link, RAM, 4);
    assert_int_equal(gdbmi_link_stats(link).resets, 2);
    must_close(&tcl, link);
}

/* Characters that are not English, by both kinds of build. */
static void test_characters(void **state)
{
    for (int utf8 = 0; utf8 < 2; utf8++) {
        struct fake_tcl tcl;
        char *answer = NULL;
        fake_tcl_init(&tcl);
        tcl.utf8 = utf8 == 1;
        struct gdbmi_link *link = must_open(&tcl, NEAR, "3333");
        assert_int_equal(gdbmi_link_command(link, "x \xc3\xa9\xe2\x82\xac", &answer),
                         GDBMI_ETARGET);
        check_text(gdbmi_link_error(link)->text, "x \xc3\xa9\xe2\x82\xac");
        must_close(&tcl, link);
    }
}

/* The right bytes, or an error and none. Returns whether it was an error. */
static bool read_is_honest(struct gdbmi_link *link, uint64_t addr, size_t len)
{
    unsigned char bytes[64];

    memset(bytes, 0xee, sizeof(bytes));
    bool failed = gdbmi_link_read(link, addr, bytes, len) != GDBMI_OK;
    for (size_t i = 0; i < len; i++)
        assert_int_equal(bytes[i], failed ? 0xee : fake_byte(addr + i));
    return failed;
}

/* Bytes from one that is damaged to the next. */
static size_t stride(void)
{
    return getenv("MPROF_SOAK") != NULL ? 1 : 3;
}

static size_t all_damaged_reads;

/* Damages one byte of a read, or of its answer, after another. Returns how many reads failed. */
static unsigned damage_reads(const char *address, enum fake_damage kind, unsigned char bits,
                             bool of_answer)
{
    unsigned failed = 0;
    bool damaged = true;

    for (size_t at = 0; damaged; at += stride()) {
        struct fake_tcl tcl;
        fake_tcl_init(&tcl);
        struct gdbmi_link *link = must_open(&tcl, address, "3333");
        tcl.at = at;
        tcl.bits = bits;
        *(of_answer ? &tcl.answer : &tcl.request) = kind;
        failed += read_is_honest(link, RAM + 0x101, 21);
        damaged = tcl.was_damaged;
        all_damaged_reads += damaged;
        gdbmi_link_close(link, NULL);
        fake_tcl_free(&tcl);
    }
    return failed;
}

static void test_damaged_reads(void **state)
{
    for (int i = 0; i < 2; i++) {
        const char *address = i == 0 ? NEAR : FAR;
        for (int of_answer = 0; of_answer < 2; of_answer++) {
            for (unsigned bit = 1; bit < 256; bit <<= 3)
                assert_in_range(
                    damage_reads(address, FAKE_FLIP, (unsigned char)bit, of_answer == 1), 20, 900);
            assert_in_range(damage_reads(address, FAKE_DROP, 0, of_answer == 1), 20, 900);
            assert_in_range(damage_reads(address, FAKE_DOUBLE, 0, of_answer == 1), 20, 900);
        }
    }
}

/* Nothing is written that is not what was to be written. */
static void test_damaged_writes(void **state)
{
    static const unsigned char bytes[] = {0x12, 0x34, 0x56, 0x78};
    bool damaged = true;

    for (size_t at = 0; damaged; at += stride()) {
        for (unsigned kind = FAKE_FLIP; kind <= FAKE_DOUBLE; kind++) {
            struct fake_tcl tcl;
            fake_tcl_init(&tcl);
            struct gdbmi_link *link = must_open(&tcl, NEAR, "3333");
            tcl.at = at;
            tcl.bits = 1;
            tcl.request = (enum fake_damage)kind;
            enum gdbmi_code code = gdbmi_link_write(link, RAM, bytes, sizeof(bytes));
            if (code == GDBMI_OK || tcl.written[0] != '\0')
                assert_string_equal(tcl.written, "0x20000000 32 {0x78563412}");
            damaged = tcl.was_damaged;
            gdbmi_link_close(link, NULL);
            fake_tcl_free(&tcl);
        }
    }
}

/* The client's procedure as it arrived, without its name, which is another one each time. */
static void procedure(const struct fake_tcl *tcl, char text[static sizeof(tcl->body)])
{
    size_t len = strlen(tcl->name);

    for (const char *at = tcl->body; *at != '\0';) {
        bool is_name = strncmp(at, tcl->name, len) == 0;
        *text++ = *at;
        at += is_name ? len : 1;
    }
    *text = '\0';
}

static void learn_procedure(char text[static sizeof(((struct fake_tcl *)0)->body)])
{
    struct fake_tcl tcl;

    fake_tcl_init(&tcl);
    struct gdbmi_link *link = must_open(&tcl, NEAR, "3333");
    procedure(&tcl, text);
    must_close(&tcl, link);
}

/* Damage while the link is being opened: it opens and is right, or it does not; and never is an
 * OpenOCD taken for something else, whose gdb port might be touched. */
static void damage_opening(enum fake_damage kind, bool of_answer)
{
    struct gdbmi_options options = {.timeout_ms = 20};
    char expected[sizeof(((struct fake_tcl *)0)->body)];
    char arrived[sizeof(expected)];
    bool damaged = true;

    learn_procedure(expected);
    for (size_t at = 0; damaged; at += stride()) {
        struct gdbmi_error error = {.code = GDBMI_OK};
        struct gdbmi_link *link = NULL;
        struct fake_tcl tcl;
        enum tcl_peer peer = TCL_PEER_UNKNOWN;
        fake_tcl_init(&tcl);
        tcl.at = at;
        tcl.bits = 4;
        *(of_answer ? &tcl.answer : &tcl.request) = kind;
        enum gdbmi_code code =
            tcl_link_open(&tcl.stream.base, NEAR, "3333", &options, &link, &peer, &error);
        if (code == GDBMI_OK) {
            (void)read_is_honest(link, RAM, 8);
            procedure(&tcl, arrived);
            assert_string_equal(arrived, expected);
            assert_string_equal(gdbmi_link_info(link)->target, "a.cpu");
            assert_string_equal(gdbmi_link_info(link)->server, "Open On-Chip Debugger 0.12.0");
            gdbmi_link_close(link, NULL);
        } else if (code != GDBMI_ETIMEOUT && peer != TCL_PEER_OPENOCD) {
            fail_msg("byte %zu: taken for another server: %s", at, error.text);
        }
        damaged = tcl.was_damaged;
        fake_tcl_free(&tcl);
    }
}

static void test_damaged_opening(void **state)
{
    for (int of_answer = 0; of_answer < 2; of_answer++) {
        damage_opening(FAKE_FLIP, of_answer == 1);
        damage_opening(FAKE_DROP, of_answer == 1);
        damage_opening(FAKE_DOUBLE, of_answer == 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quiet_channel),      cmocka_unit_test(test_no_channel),
        cmocka_unit_test(test_wrong_nonce),        cmocka_unit_test(test_channel_that_closes),
        cmocka_unit_test(test_one_round_trip),     cmocka_unit_test(test_pipeline_with_a_failure),
        cmocka_unit_test(test_resets_are_counted), cmocka_unit_test(test_characters),
        cmocka_unit_test(test_damaged_reads),      cmocka_unit_test(test_damaged_writes),
        cmocka_unit_test(test_damaged_opening),    cmocka_unit_test(test_given_up),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    return counted(failed, all_damaged_reads, "damaged reads");
}
