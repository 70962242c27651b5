/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the ladder: which way is taken to a target, on real ports of this host. */
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/un.h>
#include <unistd.h>

#include "unit.h"

#include "ladder.h"
#include "link_checks.h"
#include "link_ops.h"
#include "port_server.h"

/* On a busy machine the time limit may have come first: then it is tried again with ten times as
 * much. */
static bool needs_more_time(int *timeout_ms, bool as_expected)
{
    if (as_expected || *timeout_ms == 0 || *timeout_ms >= 30000)
        return false;
    *timeout_ms *= 10;
    return true;
}

static void check_failure(const struct gdbmi_options *options, enum gdbmi_code code,
                          const char *text)
{
    struct gdbmi_options o = *options;
    struct gdbmi_link *link = NULL;
    struct gdbmi_error error;
    enum gdbmi_code found;

    do {
        found = gdbmi_link_open(&o, &link, &error);
    } while (found != GDBMI_OK &&
             needs_more_time(&o.timeout_ms, found == code && strstr(error.text, text) != NULL));
    assert_int_equal(found, code);
    assert_null(link);
    assert_int_equal(error.code, code);
    check_text(error.text, text);
}

static void check_way(const struct gdbmi_options *options, const char *name, const char *named)
{
    const struct gdbmi_way *way = gdbmi_way_of(options);
    char text[GDBMI_WAY_TEXT];

    assert_non_null(way);
    assert_string_equal(way->name, name);
    assert_string_equal(way->named(options, text), named);
}

static void test_ways(void **state)
{
    assert_null(gdbmi_way_of(&(struct gdbmi_options){.target = "a.cpu"}));
    check_way(&(struct gdbmi_options){.gdb = ":3333"}, "gdb", ":3333");
    check_way(&(struct gdbmi_options){.gdb = ":3333", .tcl = ":6666"}, "gdb", ":3333");
    check_way(&(struct gdbmi_options){.tcl = ":6666"}, "tcl", ":6666");
    check_way(&(struct gdbmi_options){.qmp = ":4444"}, "qmp", ":4444");
    check_way(&(struct gdbmi_options){.mi = "gdb"}, "mi", "gdb");
    check_way(&(struct gdbmi_options){.mi_attach = true}, "mi-attach", "");
    check_way(&(struct gdbmi_options){.mi_attach = true, .mi_link = "/l"}, "mi-attach", "/l");
    check_way(&(struct gdbmi_options){.pid = 7}, "pid", "7");
    check_way(&(struct gdbmi_options){.raw = "dump"}, "raw", "dump");
    check_way(&(struct gdbmi_options){.records = "/dev/tty"}, "records", "/dev/tty");
    for (const struct gdbmi_way *way = gdbmi_ways; way->name; way++)
        assert_int_equal(way->is_dump,
                         strcmp(way->name, "raw") == 0 || strcmp(way->name, "records") == 0);
    check_failure(&(struct gdbmi_options){.gdb = ":3333", .pid = 7}, GDBMI_EARG, "more than one");
    check_failure(&(struct gdbmi_options){.tcl = ":6666", .raw = "dump"}, GDBMI_EARG,
                  "more than one");
}

static void test_addresses(void **state)
{
    const char *const wrong[] = {
        "",         ":",        "localhost", "localhost:", "localhost:0", ":99999",
        "a:b:3333", "::1:3333", ":33x",      "unix:",      ":+33",        "[::1:3333"};

    for (size_t i = 0; i < COUNT(wrong); i++)
        check_failure(&(struct gdbmi_options){.gdb = wrong[i]}, GDBMI_EARG, "HOST:PORT");
    check_failure(&(struct gdbmi_options){.timeout_ms = 100}, GDBMI_EARG, "no debug server");
    check_failure(&(struct gdbmi_options){.gdb = ":3333", .tcl = "localhost:3333"}, GDBMI_EARG,
                  "a port for each");
}

static void test_nobody_listens(void **state)
{
    char address[64];
    char expected[128];
    int fd = reserve_port(address, sizeof(address));

    snprintf(expected, sizeof(expected), "%s: connection refused", address);
    check_failure(&(struct gdbmi_options){.gdb = address}, GDBMI_ECONNECT, expected);
    check_failure(&(struct gdbmi_options){.tcl = address}, GDBMI_ECONNECT, "connection refused");
    check_failure(&(struct gdbmi_options){.gdb = "/nonexistent/socket"}, GDBMI_ECONNECT,
                  "/nonexistent/socket: No such file");
    close(fd);
}

static void test_tcl_beside_gdb(void **state)
{
    struct server tcl;
    struct server gdb;
    struct gdbmi_link *link = NULL;
    struct gdbmi_error error;
    char targets[64];

    start_tcp(&gdb, answer_gdb, NULL);
    snprintf(targets, sizeof(targets), "x.cpu cortex_m little 1\nt.cpu cortex_m little %s\n",
             gdb.port);
    start_tcp(&tcl, answer_tcl, targets);
    struct gdbmi_options options = {.gdb = gdb.address, .tcl = tcl.address, .timeout_ms = 60000};
    if (gdbmi_link_open(&options, &link, &error) != GDBMI_OK)
        fail_msg("%s", error.text);
    assert_string_equal(gdbmi_link_info(link)->kind, "openocd-tcl");
    assert_string_equal(gdbmi_link_info(link)->target, "t.cpu");
    assert_string_equal(gdbmi_link_info(link)->arch, "arm");
    check_text(gdbmi_link_info(link)->why, "gdb port is not used");
    assert_int_equal(gdbmi_link_close(link, &error), GDBMI_OK);
    stop_server(&tcl);
    stop_server(&gdb);
    assert_int_equal(gdb.connections, 0);
}

/* A Tcl port that was named is never passed over in silence. */
static void test_named_tcl_of_another_server(void **state)
{
    struct server tcl;
    struct server gdb;

    start_tcp(&gdb, answer_gdb, NULL);
    start_tcp(&tcl, answer_tcl, "x.cpu cortex_m little 1\n");
    check_failure(&(struct gdbmi_options){.gdb = gdb.address, .tcl = tcl.address}, GDBMI_ECONNECT,
                  "no target on gdb port");
    stop_server(&tcl);
    start_tcp(&tcl, answer_text, "220 ready\r\n");
    check_failure(
        &(struct gdbmi_options){.gdb = gdb.address, .tcl = tcl.address, .timeout_ms = 3000},
        GDBMI_EPROTOCOL, "not OpenOCD's Tcl port");
    stop_server(&tcl);
    start_tcp(&tcl, NULL, NULL);
    check_failure(
        &(struct gdbmi_options){.gdb = gdb.address, .tcl = tcl.address, .timeout_ms = 100},
        GDBMI_ETIMEOUT, "Tcl port?");
    stop_server(&tcl);
    stop_server(&gdb);
    assert_int_equal(gdb.connections, 0);
}

static unsigned attempts; /* of the last climb() */

/* The ladder with the Tcl port of another server as its default; false if it failed. A server that
 * answers late counts as one that is read in halts. */
static bool climb(struct server *gdb, const char *named_tcl, const char *tcl_port, int timeout_ms,
                  const char *text)
{
    struct gdbmi_options options = {
        .gdb = gdb->address, .tcl = named_tcl, .timeout_ms = timeout_ms, .allow_halt = true};
    struct gdbmi_link *link = NULL;
    struct gdbmi_error error;
    enum gdbmi_code code;
    const char *said;

    attempts = 0;
    do {
        attempts++;
        gdbmi_link_close(link, NULL);
        link = NULL;
        code = ladder_open(&options, tcl_port, &link, &error);
        said = code == GDBMI_OK ? gdbmi_link_info(link)->why : error.text;
    } while (needs_more_time(&options.timeout_ms, strstr(said, text) != NULL));
    check_text(said, text);
    if (code != GDBMI_OK) {
        assert_int_equal(error.hint, GDBMI_HINT_TCL_NONE);
        assert_int_equal(code, GDBMI_ETIMEOUT);
    }
    gdbmi_link_close(link, NULL);
    return code == GDBMI_OK;
}

/* A busy OpenOCD takes the connection and says nothing: its gdb port must not be touched then, but
 * there is a way on. */
static void test_silent_default_tcl(void **state)
{
    struct server tcl;
    struct server gdb;

    start_tcp(&gdb, answer_gdb, NULL);
    start_tcp(&tcl, NULL, NULL);
    assert_false(climb(&gdb, NULL, tcl.port, 500, "the server is busy"));
    unsigned of_tcl = attempts;
    assert_true(climb(&gdb, "none", tcl.port, 10000, "(no Tcl: as requested)"));
    stop_server(&tcl);
    stop_server(&gdb);
    assert_int_equal(tcl.connections, of_tcl);
    assert_int_equal(gdb.connections, attempts);
    check_failure(&(struct gdbmi_options){.tcl = "none"}, GDBMI_EARG, "no debug server");
}

/* Busy for longer than nobody would wait, but not for as long as was allowed. */
static void test_late_default_tcl(void **state)
{
    struct server tcl;
    struct server gdb;
    char targets[64];

    start_tcp(&gdb, answer_gdb, NULL);
    snprintf(targets, sizeof(targets), "t.cpu cortex_m little %s\n", gdb.port);
    start_tcp(&tcl, answer_tcl, targets);
    tcl.delay_ms = 1100;
    assert_true(climb(&gdb, NULL, tcl.port, 30000, "the gdb port is not used"));
    stop_server(&tcl);
    stop_server(&gdb);
    assert_int_equal(gdb.connections, 0);
}

/* So busy that not even the connection is taken. */
static void test_full_default_tcl(void **state)
{
    struct server gdb;
    struct sockaddr_in at;
    socklen_t len = sizeof(at);
    char address[64];
    int waiting[8];

    start_tcp(&gdb, answer_gdb, NULL);
    int listener = reserve_port(address, sizeof(address));
    assert_int_equal(listen(listener, 0), 0);
    assert_int_equal(getsockname(listener, (struct sockaddr *)&at, &len), 0);
    for (size_t i = 0; i < 8; i++) {
        waiting[i] = socket(AF_INET, SOCK_STREAM, 0);
        assert_int_equal(fcntl(waiting[i], F_SETFL, O_NONBLOCK), 0);
        (void)!connect(waiting[i], (struct sockaddr *)&at, len);
    }
    assert_false(climb(&gdb, NULL, strchr(address, ':') + 1, 200, "the server is busy"));
    for (size_t i = 0; i < 8; i++)
        close(waiting[i]);
    close(listener);
    stop_server(&gdb);
    assert_int_equal(gdb.connections, 0);
}

/* timeout_ms is waited for where a server says nothing more; else it is for a hang only. */
static void check_passed_over(server_answer *answer, const char *says, int timeout_ms,
                              const char *text)
{
    struct server tcl;
    struct server gdb;

    start_tcp(&gdb, answer_gdb, NULL);
    start_tcp(&tcl, answer, says);
    assert_true(climb(&gdb, NULL, tcl.port, timeout_ms, text));
    stop_server(&tcl);
    stop_server(&gdb);
    assert_int_equal(tcl.connections, attempts);
    assert_int_equal(gdb.connections, attempts);
}

/* The gdb port is taken where it is sure that no Tcl port belongs to it. */
static void test_no_default_tcl(void **state)
{
    struct server gdb;
    char address[64];

    start_tcp(&gdb, answer_gdb, NULL);
    int fd = reserve_port(address, sizeof(address));
    assert_true(climb(&gdb, NULL, strchr(address, ':') + 1, 20000, "(no Tcl: "));
    close(fd);
    stop_server(&gdb);
    check_passed_over(answer_tcl, "x.cpu cortex_m little 1\n", 20000, "no target on gdb port");
    check_passed_over(answer_text, "220 ready\r\n", 1000, "not OpenOCD's Tcl port");
    check_passed_over(answer_text, "x\x1a", 20000, "not OpenOCD's Tcl port");
    check_passed_over(hang_up, "", 20000, "(no Tcl: ");
}

/* A target that was named is never taken for another one. */
static void test_named_target_without_tcl(void **state)
{
    struct server gdb;

    start_tcp(&gdb, answer_gdb, NULL);
    check_failure(&(struct gdbmi_options){.gdb = gdb.address, .tcl = "none", .target = "b.cpu"},
                  GDBMI_EUNSUPPORTED, "b.cpu: choosing a target by name needs OpenOCD's Tcl port");
    stop_server(&gdb);
    assert_int_equal(gdb.connections, 0);
}

/* OpenOCD's connection breaks after it proved itself: its gdb port stays untouched. */
static void test_default_tcl_that_breaks(void **state)
{
    struct gdbmi_options options = {.timeout_ms = 20000};
    struct gdbmi_link *link = NULL;
    struct gdbmi_error error;
    struct server tcl;
    struct server gdb;

    start_tcp(&gdb, answer_gdb, NULL);
    start_tcp(&tcl, answer_tcl, "t.cpu cortex_m little 1\n");
    tcl.tcl.close_at = "version";
    options.gdb = gdb.address;
    assert_int_equal(ladder_open(&options, tcl.port, &link, &error), GDBMI_ECLOSED);
    assert_null(link);
    stop_server(&tcl);
    stop_server(&gdb);
    assert_int_equal(gdb.connections, 0);
}

static void test_gdb_over_a_unix_socket(void **state)
{
    struct server gdb;
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    struct gdbmi_link *link = NULL;
    struct gdbmi_error error;
    unsigned char bytes[8];
    char folder[] = "/tmp/mprof-test-XXXXXX";

    assert_non_null(mkdtemp(folder));
    snprintf(at.sun_path, sizeof(at.sun_path), "%s/gdb", folder);
    memset(&gdb, 0, sizeof(gdb));
    start_server(&gdb, (struct sockaddr *)&at, sizeof(at), answer_gdb, NULL);
    struct gdbmi_options options = {.gdb = at.sun_path, .allow_halt = true, .timeout_ms = 60000};
    if (gdbmi_link_open(&options, &link, &error) != GDBMI_OK)
        fail_msg("%s", error.text);
    assert_string_equal(gdbmi_link_info(link)->kind, "gdb-remote");
    check_text(gdbmi_link_info(link)->why, "unknown if it ran before; resumed (no Tcl: ");
    assert_int_equal(gdbmi_link_read(link, 0x100, bytes, 8), GDBMI_OK);
    assert_memory_equal(bytes, "\xaa\xbb\xcc\xdd\xaa\xbb\xcc\xdd", 8);
    assert_int_equal(gdbmi_link_close(link, &error), GDBMI_OK);
    stop_server(&gdb);
    unlink(at.sun_path);
    rmdir(folder);
}

static void check_gdb_server(server_answer *answer, const char *says, int timeout_ms,
                             enum gdbmi_code code, const char *text)
{
    struct server gdb;

    start_tcp(&gdb, answer, says);
    check_failure(&(struct gdbmi_options){.gdb = gdb.address, .timeout_ms = timeout_ms}, code,
                  text);
    stop_server(&gdb);
}

static void test_servers_that_are_none(void **state)
{
    check_gdb_server(NULL, "", 100, GDBMI_ETIMEOUT, "nothing answered a gdb packet within");
    check_gdb_server(answer_text, "220 mail ready\r\n", 3000, GDBMI_EPROTOCOL, "not gdb packets");
    check_gdb_server(answer_text, "+$Packet", 3000, GDBMI_EPROTOCOL, "half a gdb packet");
    check_gdb_server(hang_up, "", 10000, GDBMI_ECLOSED, "another gdb attached");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ways),
        cmocka_unit_test(test_addresses),
        cmocka_unit_test(test_nobody_listens),
        cmocka_unit_test(test_tcl_beside_gdb),
        cmocka_unit_test(test_named_tcl_of_another_server),
        cmocka_unit_test(test_silent_default_tcl),
        cmocka_unit_test(test_late_default_tcl),
        cmocka_unit_test(test_full_default_tcl),
        cmocka_unit_test(test_no_default_tcl),
        cmocka_unit_test(test_named_target_without_tcl),
        cmocka_unit_test(test_default_tcl_that_breaks),
        cmocka_unit_test(test_gdb_over_a_unix_socket),
        cmocka_unit_test(test_servers_that_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
