/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of sockets and of the ladder: real ports of this host, with small servers in threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

#include <gdbmi/rsp.h>

#include "link_ops.h"

/* A server of one connection at a time: what it reads it hands to answer(), which writes to fd. */
struct server {
    int listener;
    int stop[2];
    pthread_t thread;
    void (*answer)(struct server *server, int fd, const char *bytes, size_t len);
    const char *text; /* for answer() */
    char address[128];
    char port[16];
    unsigned connections;
    int delay_ms; /* before an answer */
    struct gdbmi_rsp_reader *reader;
};

static bool wait_readable(struct server *server, int fd)
{
    struct pollfd fds[] = {{.fd = fd, .events = POLLIN}, {.fd = server->stop[0], .events = POLLIN}};

    return poll(fds, 2, -1) > 0 && fds[1].revents == 0;
}

static void *run(void *argument)
{
    struct server *server = argument;
    char bytes[1024];

    while (wait_readable(server, server->listener)) {
        int fd = accept(server->listener, NULL, NULL);
        if (fd < 0)
            break;
        server->connections++;
        while (wait_readable(server, fd)) {
            ssize_t len = recv(fd, bytes, sizeof(bytes), 0);
            if (len <= 0)
                break;
            poll(NULL, 0, server->delay_ms);
            if (server->answer != NULL)
                server->answer(server, fd, bytes, (size_t)len);
        }
        close(fd);
    }
    return NULL;
}

static void start(struct server *server, const struct sockaddr *at, socklen_t at_len,
                  void (*answer)(struct server *server, int fd, const char *bytes, size_t len),
                  const char *text)
{
    server->answer = answer;
    server->text = text;
    server->reader = gdbmi_rsp_reader_new();
    server->listener = socket(at->sa_family, SOCK_STREAM, 0);
    assert_true(server->listener >= 0);
    assert_int_equal(bind(server->listener, at, at_len), 0);
    assert_int_equal(listen(server->listener, 4), 0);
    assert_int_equal(pipe(server->stop), 0);
    assert_int_equal(pthread_create(&server->thread, NULL, run, server), 0);
}

static void start_tcp(struct server *server,
                      void (*answer)(struct server *server, int fd, const char *bytes, size_t len),
                      const char *text)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof(at);

    memset(server, 0, sizeof(*server));
    start(server, (struct sockaddr *)&at, sizeof(at), answer, text);
    assert_int_equal(getsockname(server->listener, (struct sockaddr *)&at, &len), 0);
    snprintf(server->port, sizeof(server->port), "%u", (unsigned)ntohs(at.sin_port));
    snprintf(server->address, sizeof(server->address), "127.0.0.1:%s", server->port);
}

static void stop(struct server *server)
{
    assert_int_equal(write(server->stop[1], "x", 1), 1);
    pthread_join(server->thread, NULL);
    close(server->listener);
    close(server->stop[0]);
    close(server->stop[1]);
    gdbmi_rsp_reader_free(server->reader);
}

static void say(int fd, const char *text)
{
    (void)!send(fd, text, strlen(text), MSG_NOSIGNAL);
}

/* Tcl, as far as opening a link needs it; text is the list of targets. */
static void answer_tcl(struct server *server, int fd, const char *bytes, size_t len)
{
    char reply[256];
    unsigned sequence = 0;
    char request[1024];

    snprintf(request, sizeof(request), "%.*s", (int)len, bytes);
    bool version = strstr(request, "version") != NULL;

    if (sscanf(request, "format {mp%u", &sequence) != 1)
        return;
    snprintf(reply, sizeof(reply), "mp%u 0 %s\x1a", sequence,
             version ? "Open On-Chip Debugger 0.12.0" : server->text);
    say(fd, reply);
}

/* A gdb server whose core is halted at a breakpoint. */
static void answer_gdb(struct server *server, int fd, const char *bytes, size_t len)
{
    struct gdbmi_rsp_message message;
    size_t used;

    while (gdbmi_rsp_feed(server->reader, bytes, len, &used, &message) == 1) {
        bytes += used;
        len -= used;
        if (message.kind != GDBMI_RSP_PACKET)
            continue;
        if (strcmp(message.data, "?") == 0)
            say(fd, "+$T05#b9");
        else if (message.data[0] == 'm')
            say(fd, "+$aabbccdd#14");
        else
            say(fd, "+$#00");
    }
}

static void answer_text(struct server *server, int fd, const char *bytes, size_t len)
{
    (void)bytes;
    (void)len;
    say(fd, server->text);
}

static void hang_up(struct server *server, int fd, const char *bytes, size_t len)
{
    (void)server;
    (void)bytes;
    (void)len;
    shutdown(fd, SHUT_RDWR);
}

/* A port that nobody listens at: bound, so that nobody else takes it meanwhile. */
static int reserve_port(char *address, size_t capacity)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof(at);

    int fd = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(fd >= 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&at, sizeof(at)), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&at, &len), 0);
    snprintf(address, capacity, "127.0.0.1:%u", (unsigned)ntohs(at.sin_port));
    return fd;
}

static void check_text(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("\"%s\" is not in \"%s\"", part, text);
    assert_null(strchr(text, '\n'));
}

static void check_failure(const struct gdbmi_options *options, enum gdbmi_code code,
                          const char *text)
{
    struct gdbmi_link *link = NULL;
    struct gdbmi_error error = {.code = GDBMI_OK};

    assert_int_equal(gdbmi_link_open(options, &link, &error), code);
    assert_null(link);
    assert_int_equal(error.code, code);
    check_text(error.text, text);
}

static void test_addresses(void **state)
{
    (void)state;
    const char *const wrong[] = {
        "",         ":",        "localhost", "localhost:", "localhost:0", ":99999",
        "a:b:3333", "::1:3333", ":33x",      "unix:",      ":+33",        "[::1:3333"};

    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        check_failure(&(struct gdbmi_options){.gdb = wrong[i]}, GDBMI_EARG, "HOST:PORT");
    check_failure(&(struct gdbmi_options){.timeout_ms = 100}, GDBMI_EARG, "no debug server");
    check_failure(&(struct gdbmi_options){.gdb = ":3333", .tcl = "localhost:3333"}, GDBMI_EARG,
                  "different ports");
}

static void test_nobody_listens(void **state)
{
    (void)state;
    char address[64];
    char expected[128];
    int fd = reserve_port(address, sizeof(address));

    snprintf(expected, sizeof(expected), "%s: connection refused: is OpenOCD running?", address);
    check_failure(&(struct gdbmi_options){.gdb = address}, GDBMI_ECONNECT, expected);
    check_failure(&(struct gdbmi_options){.tcl = address}, GDBMI_ECONNECT, "connection refused");
    check_failure(&(struct gdbmi_options){.gdb = "/nonexistent/socket"}, GDBMI_ECONNECT,
                  "/nonexistent/socket: No such file");
    close(fd);
}

static void test_tcl_beside_gdb(void **state)
{
    (void)state;
    struct server tcl;
    struct server gdb;
    struct gdbmi_link *link = NULL;
    struct gdbmi_error error;
    char targets[64];

    start_tcp(&gdb, answer_gdb, NULL);
    snprintf(targets, sizeof(targets), "x.cpu riscv little 1\nt.cpu riscv little %s\n", gdb.port);
    start_tcp(&tcl, answer_tcl, targets);
    struct gdbmi_options options = {.gdb = gdb.address, .tcl = tcl.address};
    if (gdbmi_link_open(&options, &link, &error) != GDBMI_OK)
        fail_msg("%s", error.text);
    assert_string_equal(gdbmi_link_info(link)->kind, "openocd-tcl");
    assert_string_equal(gdbmi_link_info(link)->target, "t.cpu");
    assert_string_equal(gdbmi_link_info(link)->arch, "riscv");
    check_text(gdbmi_link_info(link)->why, "gdb port is left alone");
    assert_int_equal(gdbmi_link_close(link, &error), GDBMI_OK);
    stop(&tcl);
    stop(&gdb);
    assert_int_equal(gdb.connections, 0);
}

/* A Tcl port that was named is never passed over in silence. */
static void test_named_tcl_of_another_server(void **state)
{
    (void)state;
    struct server tcl;
    struct server gdb;

    start_tcp(&gdb, answer_gdb, NULL);
    start_tcp(&tcl, answer_tcl, "x.cpu cortex_m little 1\n");
    check_failure(&(struct gdbmi_options){.gdb = gdb.address, .tcl = tcl.address}, GDBMI_ECONNECT,
                  "no target on gdb port");
    stop(&tcl);
    start_tcp(&tcl, answer_text, "220 ready\r\n");
    check_failure(
        &(struct gdbmi_options){.gdb = gdb.address, .tcl = tcl.address, .timeout_ms = 100},
        GDBMI_EPROTOCOL, "not OpenOCD's Tcl port");
    stop(&tcl);
    start_tcp(&tcl, NULL, NULL);
    check_failure(
        &(struct gdbmi_options){.gdb = gdb.address, .tcl = tcl.address, .timeout_ms = 100},
        GDBMI_ETIMEOUT, "Tcl port?");
    stop(&tcl);
    stop(&gdb);
    assert_int_equal(gdb.connections, 0);
}

/* The ladder with the Tcl port of another server as its default; false if it failed. */
static bool climb(struct server *gdb, const char *named_tcl, const char *tcl_port, int timeout_ms,
                  const char *text)
{
    struct gdbmi_options options = {
        .gdb = gdb->address, .tcl = named_tcl, .timeout_ms = timeout_ms};
    struct gdbmi_link *link = NULL;
    struct gdbmi_error error;

    enum gdbmi_code code = ladder_open(&options, tcl_port, &link, &error);
    check_text(code == GDBMI_OK ? gdbmi_link_info(link)->why : error.text, text);
    if (code != GDBMI_OK)
        assert_int_equal(code, GDBMI_ETIMEOUT);
    gdbmi_link_close(link, NULL);
    return code == GDBMI_OK;
}

/* A busy OpenOCD takes the connection and says nothing: its gdb port must not be touched then, but
 * there is a way on. */
static void test_silent_default_tcl(void **state)
{
    (void)state;
    struct server tcl;
    struct server gdb;

    start_tcp(&gdb, answer_gdb, NULL);
    start_tcp(&tcl, NULL, NULL);
    assert_false(climb(&gdb, NULL, tcl.port, 100, "--tcl none"));
    assert_true(climb(&gdb, "none", tcl.port, 2000, "(no Tcl: as asked for)"));
    stop(&tcl);
    stop(&gdb);
    assert_int_equal(tcl.connections, 1);
    assert_int_equal(gdb.connections, 1);
    check_failure(&(struct gdbmi_options){.tcl = "none"}, GDBMI_EARG, "no debug server");
}

/* Busy for longer than nobody would wait, but not for as long as was allowed. */
static void test_late_default_tcl(void **state)
{
    (void)state;
    struct server tcl;
    struct server gdb;
    char targets[64];

    start_tcp(&gdb, answer_gdb, NULL);
    snprintf(targets, sizeof(targets), "t.cpu cortex_m little %s\n", gdb.port);
    start_tcp(&tcl, answer_tcl, targets);
    tcl.delay_ms = 1100;
    assert_true(climb(&gdb, NULL, tcl.port, 30000, "the gdb port is left alone"));
    stop(&tcl);
    stop(&gdb);
    assert_int_equal(gdb.connections, 0);
}

/* So busy that not even the connection is taken. */
static void test_full_default_tcl(void **state)
{
    (void)state;
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
    assert_false(climb(&gdb, NULL, strchr(address, ':') + 1, 200, "--tcl none"));
    for (size_t i = 0; i < 8; i++)
        close(waiting[i]);
    close(listener);
    stop(&gdb);
    assert_int_equal(gdb.connections, 0);
}

static void check_passed_over(void (*answer)(struct server *server, int fd, const char *bytes,
                                             size_t len),
                              const char *says, const char *text)
{
    struct server tcl;
    struct server gdb;

    start_tcp(&gdb, answer_gdb, NULL);
    start_tcp(&tcl, answer, says);
    assert_true(climb(&gdb, NULL, tcl.port, 300, text));
    stop(&tcl);
    stop(&gdb);
    assert_int_equal(tcl.connections, 1);
    assert_int_equal(gdb.connections, 1);
}

/* The gdb port is taken where it is sure that no Tcl port belongs to it. */
static void test_no_default_tcl(void **state)
{
    (void)state;
    struct server gdb;
    char address[64];

    start_tcp(&gdb, answer_gdb, NULL);
    int fd = reserve_port(address, sizeof(address));
    assert_true(climb(&gdb, NULL, strchr(address, ':') + 1, 2000, "(no Tcl: "));
    close(fd);
    stop(&gdb);
    check_passed_over(answer_tcl, "x.cpu cortex_m little 1\n", "no target on gdb port");
    check_passed_over(answer_text, "220 ready\r\n", "not OpenOCD's Tcl port");
    check_passed_over(answer_text, "x\x1a", "not OpenOCD's Tcl port");
    check_passed_over(hang_up, "", "(no Tcl: ");
}

static void test_gdb_over_a_unix_socket(void **state)
{
    (void)state;
    struct server gdb;
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    struct gdbmi_link *link = NULL;
    struct gdbmi_error error;
    unsigned char bytes[8];
    char folder[] = "/tmp/mprof-test-XXXXXX";

    assert_non_null(mkdtemp(folder));
    snprintf(at.sun_path, sizeof(at.sun_path), "%s/gdb", folder);
    memset(&gdb, 0, sizeof(gdb));
    start(&gdb, (struct sockaddr *)&at, sizeof(at), answer_gdb, NULL);
    struct gdbmi_options options = {.gdb = at.sun_path};
    if (gdbmi_link_open(&options, &link, &error) != GDBMI_OK)
        fail_msg("%s", error.text);
    assert_string_equal(gdbmi_link_info(link)->kind, "gdb-remote");
    check_text(gdbmi_link_info(link)->why, "left so (no Tcl: ");
    assert_int_equal(gdbmi_link_read(link, 0x100, bytes, 8), GDBMI_OK);
    assert_memory_equal(bytes, "\xaa\xbb\xcc\xdd\xaa\xbb\xcc\xdd", 8);
    assert_int_equal(gdbmi_link_close(link, &error), GDBMI_OK);
    stop(&gdb);
    unlink(at.sun_path);
    rmdir(folder);
}

static void check_gdb_server(void (*answer)(struct server *server, int fd, const char *bytes,
                                            size_t len),
                             const char *says, enum gdbmi_code code, const char *text)
{
    struct server gdb;

    start_tcp(&gdb, answer, says);
    check_failure(&(struct gdbmi_options){.gdb = gdb.address, .timeout_ms = 100}, code, text);
    stop(&gdb);
}

static void test_servers_that_are_none(void **state)
{
    (void)state;
    check_gdb_server(NULL, "", GDBMI_ETIMEOUT, "nothing answered a gdb packet within 0.1 s");
    check_gdb_server(answer_text, "220 mail ready\r\n", GDBMI_EPROTOCOL, "not gdb packets");
    check_gdb_server(answer_text, "+$Packet", GDBMI_EPROTOCOL, "half a gdb packet");
    check_gdb_server(hang_up, "", GDBMI_ECLOSED, "another gdb attached");
}

static void test_stream_times_out(void **state)
{
    (void)state;
    struct server server;
    struct gdbmi_stream *stream = NULL;
    struct gdbmi_error error = {.code = GDBMI_OK};
    char byte;

    start_tcp(&server, answer_text, "hello");
    assert_int_equal(gdbmi_stream_connect(server.address, 2000, &stream, &error), GDBMI_OK);
    assert_int_equal(stream->ops->read(stream, &byte, 1, 0, &error), 0);
    assert_int_equal(stream->ops->write(stream, "x", 1, 2000, &error), 0);
    assert_int_equal(stream->ops->read(stream, &byte, 1, 2000, &error), 1);
    assert_int_equal(byte, 'h');
    gdbmi_stream_close(stream);
    stop(&server);
}

/* A server that takes nothing any more must not block the client. */
static void test_write_is_bounded(void **state)
{
    (void)state;
    struct gdbmi_stream *stream = NULL;
    struct gdbmi_error error = {.code = GDBMI_OK};
    char address[64];
    static const char bytes[65536];
    int result = 0;

    int listener = reserve_port(address, sizeof(address));
    assert_int_equal(listen(listener, 1), 0);
    assert_int_equal(gdbmi_stream_connect(address, 2000, &stream, &error), GDBMI_OK);
    for (int i = 0; i < 2000 && result == 0; i++)
        result = stream->ops->write(stream, bytes, sizeof(bytes), 20, &error);
    assert_int_equal(result, -1);
    assert_int_equal(error.code, GDBMI_ETIMEOUT);
    gdbmi_stream_close(stream);
    close(listener);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_addresses),
        cmocka_unit_test(test_nobody_listens),
        cmocka_unit_test(test_tcl_beside_gdb),
        cmocka_unit_test(test_named_tcl_of_another_server),
        cmocka_unit_test(test_silent_default_tcl),
        cmocka_unit_test(test_late_default_tcl),
        cmocka_unit_test(test_full_default_tcl),
        cmocka_unit_test(test_no_default_tcl),
        cmocka_unit_test(test_gdb_over_a_unix_socket),
        cmocka_unit_test(test_servers_that_are_none),
        cmocka_unit_test(test_stream_times_out),
        cmocka_unit_test(test_write_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
