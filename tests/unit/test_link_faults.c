/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the GDB remote link against servers that refuse, keep silent and hang up. */
#include "unit.h"

#include "rsp_checks.h"
#include "rsp_open.h"

static void test_unreadable_address(void **state)
{
    for (int kind = FAKE_OPENOCD; kind <= FAKE_QEMU; kind++) {
        struct fake_gdb gdb;
        unsigned char byte = 0xee;
        fake_gdb_init(&gdb, (enum fake_kind)kind, true);
        struct gdbmi_link *link = must_open(&gdb, false);
        assert_int_equal(gdbmi_link_read(link, BAD, &byte, 1), GDBMI_ETARGET);
        check_text(gdbmi_link_error(link)->text, "0xf0000000");
        assert_int_equal(byte, 0xee);
        assert_true(gdb.running);
        check_read(link, RAM, 64);
        must_close(&gdb, link);
    }
}

static void test_lengths_of_answers(void **state)
{
    struct fake_gdb gdb;
    unsigned char bytes[8];

    fake_gdb_init(&gdb, FAKE_OPENOCD, true);
    struct gdbmi_link *link = must_open(&gdb, false);
    gdb.short_reads = 7;
    check_read(link, RAM, 200);
    gdb.short_reads = 0;
    gdb.extra_bytes = 1;
    assert_int_equal(gdbmi_link_read(link, RAM, bytes, 8), GDBMI_EPROTOCOL);
    must_close(&gdb, link);
}

static void test_packet_size_is_kept(void **state)
{
    struct fake_gdb gdb;

    fake_gdb_init(&gdb, FAKE_OPENOCD, true);
    gdb.packet_size = 104;
    struct gdbmi_link *link = must_open(&gdb, false);
    check_read(link, RAM, 96);
    /* (104 - 4) / 2 = 50, in whole words 48. */
    assert_int_equal(fake_gdb_count(&gdb, "m20000000,30"), 1);
    assert_int_equal(fake_gdb_count(&gdb, "m20000030,30"), 1);
    must_close(&gdb, link);
}

static void test_silence_while_held(void **state)
{
    struct fake_gdb gdb;
    unsigned char byte;

    fake_gdb_init(&gdb, FAKE_QEMU, true);
    struct gdbmi_link *link = must_open(&gdb, false);
    gdb.silent_at = "m";
    assert_int_equal(gdbmi_link_read(link, RAM, &byte, 1), GDBMI_ETIMEOUT);
    check_text(gdbmi_link_error(link)->text, "m20000000,1");
    check_text(gdbmi_link_error(link)->text, "TARGET MAY BE LEFT HALTED");
    assert_true(gdb.running);
    assert_int_equal(gdbmi_link_read(link, RAM, &byte, 1), GDBMI_ETIMEOUT);
    assert_int_equal(fake_gdb_count(&gdb, "^C"), 1);
    assert_true(gdbmi_link_stats(link).held);
    must_close(&gdb, link);
}

/* A stream that always gives the same bytes, and swallows what is written. */
static void swallow(void *server, const char *bytes, size_t len)
{
}

/* As long as bytes can be sent the core is told to run, once, whatever comes back. */
static void check_let_go(enum fake_kind kind, const char *mute_at, const char *damage_at,
                         enum gdbmi_code code)
{
    struct fake_gdb server;
    struct fake_gdb *gdb = &server;

    fake_gdb_init(gdb, kind, true);
    struct gdbmi_link *link = must_open(gdb, true);
    unsigned char byte;
    unsigned resumes = fake_gdb_count(gdb, "c");

    gdb->mute_at = mute_at;
    gdb->damage_at = damage_at;
    gdb->stream.mute = mute_at != NULL && mute_at[0] == '\0';
    assert_int_equal(gdbmi_link_read(link, RAM, &byte, 1), code);
    check_text(gdbmi_link_error(link)->text, "told to resume, but the TARGET MAY BE LEFT HALTED");
    assert_true(gdb->running);
    assert_int_equal(fake_gdb_count(gdb, "c"), resumes + 1);
    must_close(gdb, link);
    assert_int_equal(fake_gdb_count(gdb, "eaten"), 0);
    assert_true(gdb->running);
}

static void test_let_go_unheard(void **state)
{
    for (int kind = FAKE_QEMU; kind <= FAKE_DEAF; kind++) {
        check_let_go((enum fake_kind)kind, "", NULL, GDBMI_ETIMEOUT);
        check_let_go((enum fake_kind)kind, "m", NULL, GDBMI_ETIMEOUT);
        check_let_go((enum fake_kind)kind, "c", NULL, GDBMI_ETIMEOUT);
        check_let_go((enum fake_kind)kind, NULL, "m2", GDBMI_EPROTOCOL);
    }
}

static void test_let_go_while_opening(void **state)
{
    struct fake_gdb gdb;
    struct gdbmi_link *link;
    struct gdbmi_error error;

    fake_gdb_init(&gdb, FAKE_QEMU, true);
    gdb.mute_at = "qXfer";
    assert_int_equal(try_open(&gdb, false, &link, &error), GDBMI_ETIMEOUT);
    check_text(error.text, "TARGET MAY BE LEFT HALTED");
    assert_true(gdb.running);
    assert_int_equal(fake_gdb_count(&gdb, "c"), 1);
    fake_gdb_free(&gdb);

    fake_gdb_init(&gdb, FAKE_QEMU, true);
    gdb.damage_at = "qXfer";
    assert_int_equal(try_open(&gdb, false, &link, &error), GDBMI_EPROTOCOL);
    check_text(error.text, "TARGET MAY BE LEFT HALTED");
    assert_true(gdb.running);
    fake_gdb_free(&gdb);
}

/* The capitals are there however long the rest is. */
static void test_warning_is_never_cut(void **state)
{
    struct gdbmi_link link = {.held = true};
    struct gdbmi_error error = {.code = GDBMI_ECLOSED};

    for (size_t len = 0; len < sizeof(error.text); len++) {
        memset(error.text, 'x', len);
        error.text[len] = '\0';
        error.left = GDBMI_LEFT_NOTHING;
        link_warn_held(&link, &error);
        check_text(error.text, "; the TARGET IS LEFT HALTED");
        assert_int_equal(error.left, GDBMI_LEFT_HALTED);
        link_warn_held(&link, &error); /* it is not said twice */
        assert_ptr_equal(strstr(error.text, "; the"), strrchr(error.text, ';'));
    }
}

/* A server that sends for ever, and never what was asked for. */
static void check_flood(const char *flood)
{
    struct fake_stream stream;
    struct gdbmi_options options = {.timeout_ms = 50};
    struct gdbmi_link *link = NULL;
    struct gdbmi_error error = {.code = GDBMI_OK};

    fake_stream_init(&stream, swallow, NULL);
    stream.flood = flood;
    assert_int_not_equal(rsp_link_open(&stream.base, "fake:3333", &options, &link, &error),
                         GDBMI_OK);
    assert_null(link);
    check_text(error.text, "fake:3333: ");
    fake_stream_free(&stream);
}

static void test_floods(void **state)
{
    struct fake_gdb gdb;

    check_flood("$T05thread:01;#07");
    check_flood("$O0a#e0");
    check_flood("%x#78");
    check_flood("+");
    fake_gdb_init(&gdb, FAKE_OPENOCD, true);
    struct gdbmi_link *link = must_open(&gdb, false);
    /* What has come is taken here until there is no more, or too much. */
    gdb.stream.flood = "$T05thread:01;#07$O0a#e0";
    enum gdbmi_state seen;
    assert_int_equal(gdbmi_link_state(link, &seen), GDBMI_OK);
    must_close(&gdb, link);
}

static void test_lost_while_held(void **state)
{
    static const char *const moments[] = {"^C", "m", "c"};

    for (size_t i = 0; i < COUNT(moments); i++) {
        struct fake_gdb gdb;
        unsigned char byte = 0xee;
        fake_gdb_init(&gdb, FAKE_QEMU, true);
        struct gdbmi_link *link = must_open(&gdb, false);
        assert_false(gdbmi_link_stats(link).held);
        gdb.close_at = moments[i];
        assert_int_equal(gdbmi_link_read(link, RAM, &byte, 1), GDBMI_ECLOSED);
        assert_int_equal(byte, 0xee); /* also where it was read before */
        check_text(gdbmi_link_error(link)->text, "TARGET IS LEFT HALTED");
        assert_true(gdbmi_link_stats(link).held);
        assert_int_not_equal(gdbmi_link_close(link, NULL), GDBMI_OK);
        fake_gdb_free(&gdb);
    }
}

/* The connection is lost after every number of bytes: an error, and if the core was halted for us
 * and is still, it says so. */
static void test_lost_after_every_byte(void **state)
{
    for (int kind = FAKE_OPENOCD; kind <= FAKE_QEMU; kind++) {
        for (size_t count = 0;; count++) {
            struct fake_gdb gdb;
            struct gdbmi_link *link;
            struct gdbmi_error error;
            unsigned char bytes[16];
            fake_gdb_init(&gdb, (enum fake_kind)kind, true);
            gdb.stream.close_after = count;
            enum gdbmi_code code = try_open(&gdb, false, &link, &error);
            bool opened = code == GDBMI_OK;
            if (opened)
                code = gdbmi_link_read(link, RAM, bytes, sizeof(bytes));
            if (opened && code != GDBMI_OK)
                error = *gdbmi_link_error(link);
            if (code != GDBMI_OK && gdb.halted_by_client && (opened || count > 0))
                check_text(error.text, "LEFT HALTED");
            if (opened)
                gdbmi_link_close(link, NULL);
            assert_true(gdb.stream.closed_by_client);
            fake_gdb_free(&gdb);
            if (code == GDBMI_OK)
                break;
            assert_int_equal(code, GDBMI_ECLOSED);
            assert_int_not_equal(error.text[0], '\0');
            assert_true(count < 4000);
        }
    }
}

static void check_opening(const char *answer, bool closes, enum gdbmi_code code, const char *text)
{
    struct fake_stream stream;
    struct gdbmi_options options = {.timeout_ms = 2000};
    struct gdbmi_link *link = NULL;
    struct gdbmi_error error = {.code = GDBMI_OK};

    fake_stream_init(&stream, swallow, NULL);
    fake_stream_put(&stream, answer, strlen(answer));
    stream.closed = closes;
    assert_int_equal(rsp_link_open(&stream.base, "fake:3333", &options, &link, &error), code);
    assert_null(link);
    check_text(error.text, "fake:3333: ");
    check_text(error.text, text);
    assert_true(stream.closed_by_client);
    fake_stream_free(&stream);
}

static void test_no_gdb_server(void **state)
{
    check_opening("", false, GDBMI_ETIMEOUT, "nothing answered a gdb packet within 2 s");
    check_opening("+++", false, GDBMI_ETIMEOUT, "nothing answered a gdb packet within 2 s");
    check_opening("+++", false, GDBMI_ETIMEOUT, "TARGET MAY BE LEFT HALTED");
    check_opening("SSH-2.0-OpenSSH\r\n", false, GDBMI_EPROTOCOL, "not gdb packets");
    check_opening("$PacketSize=4000;", false, GDBMI_EPROTOCOL, "half a gdb packet");
    check_opening("$PacketSize=4000;", false, GDBMI_EPROTOCOL, "TARGET MAY BE LEFT HALTED");
    check_opening("$* #4a", false, GDBMI_EPROTOCOL, "not a gdb packet");
    check_opening("", true, GDBMI_ECLOSED, "is another gdb attached");
    check_opening("-------", false, GDBMI_EPROTOCOL, "rejects our packets");
}

static void test_no_core_behind_the_server(void **state)
{
    struct fake_gdb gdb;
    struct gdbmi_link *link;
    struct gdbmi_error error;

    fake_gdb_init(&gdb, FAKE_OPENOCD, true);
    gdb.silent_at = "?";
    assert_int_equal(try_open(&gdb, false, &link, &error), GDBMI_ETIMEOUT);
    check_text(error.text, "no answer to \"?\"");
    fake_gdb_free(&gdb);

    fake_gdb_init(&gdb, FAKE_DEAF, false);
    gdb.ended = true;
    assert_int_equal(try_open(&gdb, false, &link, &error), GDBMI_ETARGET);
    check_text(error.text, "not attached to a core");
    assert_int_equal(fake_gdb_count(&gdb, "c"), 0);
    fake_gdb_free(&gdb);
}

static void test_commands(void **state)
{
    struct fake_gdb gdb;
    char *answer = NULL;

    fake_gdb_init(&gdb, FAKE_OPENOCD, true);
    struct gdbmi_link *link = must_open(&gdb, false);
    assert_int_equal(gdbmi_link_command(link, "version", &answer), GDBMI_OK);
    assert_string_equal(answer, "Open On-Chip Debugger 0.12.0\n");
    free(answer);
    answer = NULL;
    assert_int_equal(gdbmi_link_command(link, "nonsense", &answer), GDBMI_ETARGET);
    assert_null(answer);
    check_read(link, RAM, 64);
    must_close(&gdb, link);
}

static void test_write(void **state)
{
    const unsigned char bytes[] = {0x01, 0x23, 0x45, 0x67, 0x89};
    struct fake_gdb gdb;

    fake_gdb_init(&gdb, FAKE_QEMU, true);
    struct gdbmi_link *link = must_open(&gdb, false);
    assert_int_equal(gdbmi_link_write(link, RAM, bytes, sizeof(bytes)), GDBMI_OK);
    assert_int_equal(fake_gdb_count(&gdb, "M20000000,5:0123456789"), 1);
    assert_int_equal(gdbmi_link_write(link, RAM, bytes + 1, 1), GDBMI_ETARGET);
    assert_true(gdb.running);
    must_close(&gdb, link);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unreadable_address),
        cmocka_unit_test(test_lengths_of_answers),
        cmocka_unit_test(test_packet_size_is_kept),
        cmocka_unit_test(test_silence_while_held),
        cmocka_unit_test(test_let_go_unheard),
        cmocka_unit_test(test_let_go_while_opening),
        cmocka_unit_test(test_warning_is_never_cut),
        cmocka_unit_test(test_floods),
        cmocka_unit_test(test_lost_while_held),
        cmocka_unit_test(test_lost_after_every_byte),
        cmocka_unit_test(test_no_gdb_server),
        cmocka_unit_test(test_no_core_behind_the_server),
        cmocka_unit_test(test_commands),
        cmocka_unit_test(test_write),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
