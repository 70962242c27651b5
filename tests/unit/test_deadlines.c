/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests that each operation on a link ends in time, however a server drips or floods: on a clock
 * that moves with each read, so that a limit of time is a number of reads. */
#include "unit.h"

#include "clock.h"
#include "fake_clock.h"
#include "fake_gdb.h"
#include "fake_mi.h"
#include "fake_qmp.h"
#include "fake_tcl.h"
#include "link_ops.h"
#include "mi_link.h"
#include "qmp_link.h"
#include "rsp_open.h"
#include "stream.h"
#include "tcl_link.h"

#define TIMEOUT_MS 2000
#define PIECE_MS   100
/* Just in time for one answer. */
#define SLOW_MS      1900
#define OPERATION_MS (LINK_OPERATION_ANSWERS * TIMEOUT_MS)
#define OPENING_MS   (LINK_OPENING_ANSWERS * TIMEOUT_MS)
#define PROMPT_MS    30000
#define READS_MAX    2000
/* For what has arrived by then: some hundred reads of 1 ms. */
#define LATE_MS       400
#define MI_TIMEOUT_MS 1000

static const struct gdbmi_options options = {.timeout_ms = TIMEOUT_MS, .allow_halt = true};

/* From here on each read takes time, until the check. SLOW_MS: bytes come when that has passed. */
static void start_clock(struct fake_stream *stream, int piece_ms)
{
    stream->pass = fake_clock_pass;
    stream->piece_ms = piece_ms;
    stream->drips = piece_ms == SLOW_MS;
    stream->reads = 0;
    stream->reads_max = READS_MAX;
    fake_clock_start();
}

static void check_in_time(enum gdbmi_code code, uint64_t limit_ms)
{
    if (code != GDBMI_ETIMEOUT && code != GDBMI_EPROTOCOL)
        fail_msg("code %d", code);
    assert_in_range(fake_clock_passed_ms(), 1, limit_ms + LATE_MS);
    fake_clock_stop();
}

/* A QMP server that is to say something, and says this again and again. */
static void check_qmp_flood(const char *flood, size_t split)
{
    struct fake_qmp qmp;
    struct gdbmi_link *link = NULL;
    struct gdbmi_error error = {.code = GDBMI_OK};
    unsigned char byte;

    fake_qmp_init(&qmp);
    qmp.stream.flood = flood;
    qmp.stream.split = split;
    start_clock(&qmp.stream, PIECE_MS);
    check_in_time(qmp_link_attach(&qmp.stream.base, "fake:4444", &options, &link, &error),
                  TIMEOUT_MS);
    assert_null(link);
    fake_qmp_free(&qmp);

    fake_qmp_init(&qmp);
    fake_stream_put(&qmp.stream, qmp.greeting, strlen(qmp.greeting));
    assert_int_equal(qmp_link_attach(&qmp.stream.base, "fake:4444", &options, &link, &error),
                     GDBMI_OK);
    qmp.silent_at = "human-monitor-command";
    qmp.stream.flood = flood;
    qmp.stream.split = split;
    start_clock(&qmp.stream, PIECE_MS);
    check_in_time(gdbmi_link_read(link, RAM, &byte, 1), TIMEOUT_MS);
    (void)gdbmi_link_close(link, NULL);
    fake_qmp_free(&qmp);
}

static void test_qmp_floods(void **state)
{
    check_qmp_flood(" ", 1);
    check_qmp_flood(" ", FAKE_NEVER);
    check_qmp_flood("\r\n", FAKE_NEVER);
    check_qmp_flood("{\"event\": \"VNC\"}\r\n", 18);
    check_qmp_flood("{\"event\": \"VNC\"}\r\n", FAKE_NEVER);
    check_qmp_flood("{\"return\": {}, \"id\": 5}", FAKE_NEVER);
}

/* Reads that take no time: a flood ends all the same once it is late. */
static void test_late_flood(void **state)
{
    struct fake_qmp qmp;
    struct gdbmi_link *link = NULL;
    struct gdbmi_error error = {.code = GDBMI_OK};

    fake_qmp_init(&qmp);
    qmp.stream.flood = "\n";
    start_clock(&qmp.stream, 0);
    uint64_t before = clock_limit_begin(0);
    assert_int_equal(qmp_link_attach(&qmp.stream.base, "fake:4444", &options, &link, &error),
                     GDBMI_ETIMEOUT);
    clock_limit_end(before);
    fake_clock_stop();
    assert_in_range(qmp.stream.reads, 1, 300);
    fake_qmp_free(&qmp);
}

static void test_mi_floods_before_the_prompt(void **state)
{
    static const char *const floods[] = {"=library-loaded,id=\"x\"\n", "~\"Reading symbols\\n\"\n",
                                         "\n", "&\"warning: x\\n\"\n"};

    for (size_t i = 0; i < COUNT(floods); i++) {
        for (int ours = 0; ours < 2; ours++) {
            struct fake_mi mi;
            struct gdbmi_link *link = NULL;
            struct gdbmi_error error = {.code = GDBMI_OK};
            fake_mi_init(&mi, FAKE_MI_QEMU, true);
            mi.stream.queue_len = 0;
            mi.stream.flood = floods[i];
            start_clock(&mi.stream, PIECE_MS);
            check_in_time(
                mi_link_on_stream(&mi.stream.base, ours, "fake-gdb", &options, &link, &error),
                ours ? PROMPT_MS : 2 * PROMPT_MS);
            assert_null(link);
            fake_mi_free(&mi);
        }
    }
}

static struct gdbmi_link *open_mi(struct fake_mi *mi)
{
    const struct gdbmi_options hurried = {.timeout_ms = MI_TIMEOUT_MS, .allow_halt = true};
    struct gdbmi_link *link = NULL;
    struct gdbmi_error error = {.code = GDBMI_OK};

    fake_mi_init(mi, FAKE_MI_QEMU, true);
    assert_int_equal(mi_link_on_stream(&mi->stream.base, true, "fake-gdb", &hurried, &link, &error),
                     GDBMI_OK);
    return link;
}

/* What a halt, a read and a resume wait for, each in its turn. */
static void test_mi_floods(void **state)
{
    static const char *const moments[] = {"-exec-interrupt", "-data-read-memory-bytes",
                                          "-exec-continue"};

    for (size_t i = 0; i < COUNT(moments); i++) {
        struct fake_mi mi;
        unsigned char byte;
        struct gdbmi_link *link = open_mi(&mi);
        mi.silent_at = moments[i];
        mi.stream.flood = "=thread-created,id=\"1\"\n";
        start_clock(&mi.stream, PIECE_MS);
        check_in_time(gdbmi_link_read(link, RAM, &byte, 1),
                      2 * LINK_OPERATION_ANSWERS * MI_TIMEOUT_MS);
        (void)gdbmi_link_close(link, NULL);
        fake_mi_free(&mi);
    }
}

static enum gdbmi_code open_tcl(struct fake_tcl *tcl, const struct gdbmi_options *how,
                                struct gdbmi_link **link, struct gdbmi_error *error)
{
    enum tcl_peer peer;

    *link = NULL;
    *error = (struct gdbmi_error){.code = GDBMI_OK};
    return tcl_link_open(&tcl->stream.base, "far.example:6666", NULL, how, link, &peer, error);
}

static enum gdbmi_code try_gdb(struct fake_gdb *gdb, struct gdbmi_link **link,
                               struct gdbmi_error *error)
{
    *link = NULL;
    *error = (struct gdbmi_error){.code = GDBMI_OK};
    return rsp_link_open(&gdb->stream.base, "fake:3333", &options, link, error);
}

static struct gdbmi_link *open_gdb(struct fake_gdb *gdb)
{
    struct gdbmi_link *link;
    struct gdbmi_error error;

    fake_gdb_init(gdb, FAKE_OPENOCD, true);
    if (try_gdb(gdb, &link, &error) != GDBMI_OK)
        fail_msg("%s", error.text);
    return link;
}

/* Each answer comes in time; all of them would take minutes. */
static void test_tcl_is_slow_for_each_piece(void **state)
{
    const size_t len = 4096;
    unsigned char *bytes = malloc(len);
    struct fake_tcl tcl;
    struct gdbmi_link *link;
    struct gdbmi_error error;

    fake_tcl_init(&tcl);
    assert_int_equal(open_tcl(&tcl, &options, &link, &error), GDBMI_OK);
    tcl.stream.split = 400;
    start_clock(&tcl.stream, SLOW_MS);
    check_in_time(gdbmi_link_read(link, RAM, bytes, len), OPERATION_MS + LINK_BYTE_MS * len);
    (void)gdbmi_link_close(link, NULL);
    fake_tcl_free(&tcl);
    free(bytes);
}

static void test_tcl_floods(void **state)
{
    struct fake_tcl tcl;
    struct gdbmi_link *link;
    struct gdbmi_error error;
    enum gdbmi_state seen;

    fake_tcl_init(&tcl);
    assert_int_equal(open_tcl(&tcl, &options, &link, &error), GDBMI_OK);
    tcl.silent_at = "curstate";
    tcl.stream.flood = "type target_state state running\r\n\x1a";
    start_clock(&tcl.stream, PIECE_MS);
    check_in_time(gdbmi_link_state(link, &seen), TIMEOUT_MS);
    (void)gdbmi_link_close(link, NULL);
    fake_tcl_free(&tcl);
}

/* Opening ends in time when the answers come a few bytes at a time. */
static void test_opening_drips(void **state)
{
    struct fake_tcl tcl;
    struct fake_gdb gdb;
    struct gdbmi_link *link;
    struct gdbmi_error error;

    fake_tcl_init(&tcl);
    start_clock(&tcl.stream, SLOW_MS);
    tcl.stream.split = 4;
    check_in_time(open_tcl(&tcl, &options, &link, &error), OPENING_MS);
    assert_null(link);
    fake_tcl_free(&tcl);

    fake_gdb_init(&gdb, FAKE_LIVE, true);
    start_clock(&gdb.stream, SLOW_MS);
    gdb.stream.split = 8;
    check_in_time(try_gdb(&gdb, &link, &error), OPENING_MS + OPERATION_MS);
    fake_gdb_free(&gdb);
    assert_null(link);
}

/* Four bytes in each answer, in time. */
static void test_rsp_gives_little_at_a_time(void **state)
{
    const size_t len = 1024;
    unsigned char *bytes = malloc(len);
    struct fake_gdb gdb;

    struct gdbmi_link *link = open_gdb(&gdb);
    gdb.short_reads = 4;
    start_clock(&gdb.stream, SLOW_MS);
    check_in_time(gdbmi_link_read(link, RAM, bytes, len), OPERATION_MS + LINK_BYTE_MS * len);
    (void)gdbmi_link_close(link, NULL);
    fake_gdb_free(&gdb);
    free(bytes);
}

/* The bytes of a line of 9600 bits a second come in time. */
static void test_slow_line(void **state)
{
    const size_t len = 4096;
    unsigned char *bytes = malloc(len);
    struct fake_gdb gdb;

    struct gdbmi_link *link = open_gdb(&gdb);
    gdb.stream.split = 96;
    start_clock(&gdb.stream, PIECE_MS);
    assert_int_equal(gdbmi_link_read(link, RAM, bytes, len), GDBMI_OK);
    fake_clock_stop();
    assert_int_equal(bytes[40], fake_byte(RAM + 40));
    (void)gdbmi_link_close(link, NULL);
    fake_gdb_free(&gdb);
    free(bytes);
}

/* And those of a long description, which nobody could count before. */
static void test_long_description_on_a_slow_line(void **state)
{
    struct gdbmi_link *link;
    struct gdbmi_error error;
    struct fake_gdb gdb;

    fake_gdb_init(&gdb, FAKE_OPENOCD, true);
    gdb.padding = 25000;
    gdb.stream.split = 96;
    start_clock(&gdb.stream, PIECE_MS);
    gdb.stream.drips = true;
    if (try_gdb(&gdb, &link, &error) != GDBMI_OK)
        fail_msg("%s", error.text);
    assert_in_range(fake_clock_passed_ms(), OPENING_MS + 1, 2 * OPENING_MS);
    fake_clock_stop();
    assert_string_equal(gdbmi_link_info(link)->arch, "arm");
    assert_true(gdb.running);
    (void)gdbmi_link_close(link, NULL);
    fake_gdb_free(&gdb);
}

/* A core that an earlier link held is resumed however long opening took; and if that gets no
 * answer, it is told so once more, and the error says it. */
static void test_tcl_held_is_let_go(void **state)
{
    const struct gdbmi_options held = {.timeout_ms = TIMEOUT_MS, .allow_halt = true, .held = true};
    struct gdbmi_link *link;
    struct gdbmi_error error;
    struct fake_tcl tcl;

    fake_tcl_init(&tcl);
    tcl.running = false;
    tcl.silent_at = "resume";
    start_clock(&tcl.stream, PIECE_MS);
    check_in_time(open_tcl(&tcl, &held, &link, &error), OPENING_MS + OPERATION_MS);
    assert_null(link);
    assert_int_equal(tcl.resumes, 2);
    assert_non_null(strstr(error.text, "TARGET MAY BE LEFT HALTED"));
    fake_tcl_free(&tcl);
}

/* A list of threads that goes on as long as it is asked for. */
static void test_list_without_an_end(void **state)
{
    struct gdbmi_link *link;
    struct gdbmi_error error;
    struct fake_gdb gdb;

    fake_gdb_init(&gdb, FAKE_LIVE, true);
    gdb.offers_non_stop = gdb.non_stop.works = true;
    gdb.silent_at = "qsThreadInfo";
    gdb.stream.flood = "$m1#9e";
    gdb.stream.split = 8;
    start_clock(&gdb.stream, PIECE_MS);
    check_in_time(try_gdb(&gdb, &link, &error), OPENING_MS + OPERATION_MS);
    assert_null(link);
    fake_gdb_free(&gdb);
}

/* A core that we hold when the time is over is let go, in time of its own. */
static void test_target_is_let_go(void **state)
{
    struct fake_gdb gdb;
    unsigned char bytes[64];

    struct gdbmi_link *link = open_gdb(&gdb);
    assert_int_equal(gdbmi_link_halt(link), GDBMI_OK);
    gdb.silent_at = "m";
    start_clock(&gdb.stream, PIECE_MS);
    check_in_time(gdbmi_link_read(link, RAM, bytes, sizeof(bytes)), 2 * OPERATION_MS);
    assert_true(gdb.running);
    (void)gdbmi_link_close(link, NULL);
    fake_gdb_free(&gdb);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_qmp_floods),
        cmocka_unit_test(test_late_flood),
        cmocka_unit_test(test_mi_floods_before_the_prompt),
        cmocka_unit_test(test_mi_floods),
        cmocka_unit_test(test_tcl_is_slow_for_each_piece),
        cmocka_unit_test(test_tcl_floods),
        cmocka_unit_test(test_opening_drips),
        cmocka_unit_test(test_rsp_gives_little_at_a_time),
        cmocka_unit_test(test_slow_line),
        cmocka_unit_test(test_long_description_on_a_slow_line),
        cmocka_unit_test(test_tcl_held_is_let_go),
        cmocka_unit_test(test_list_without_an_end),
        cmocka_unit_test(test_target_is_let_go),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
