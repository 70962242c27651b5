/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of who comes to the proxy's port: one who says nothing, a second one, one who does not
 * read. All of it runs in this process, and time passes when there is nothing to do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

#include "clock.h"
#include "fake_clock.h"
#include "fake_gdb.h"
#include "proxy_request.h"
#include "proxy_serve.h"
#include "proxy_sides.h"

#define FIRST_MS  5000
#define UNREAD_MS 30000
#define GOING_MS  1000
#define OWED_MAX  (1U << 20)

#define HELLO "$qSupported:x#e9"

int __real_poll(struct pollfd *fds, nfds_t count, int timeout_ms);
int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout_ms);

/* A gdb server whose answers lie in a socket as soon as it was asked. */
struct server {
    struct gdbmi_stream base;
    struct fake_gdb gdb;
    int ours, theirs;
    int delay_ms;  /* of all that it is sent */
    int answer_ms; /* what it says comes so late */
    struct buffer late;
};

/* The one whose answers are late. */
static struct server *slow_server;

static bool comes_late(struct server *server, int timeout_ms)
{
    struct buffer *late = &server->late;
    bool comes = timeout_ms < 0 || server->answer_ms <= timeout_ms;

    fake_clock_pass(comes ? server->answer_ms : timeout_ms);
    if (comes)
        assert_int_equal(send(server->theirs, late->data, late->len, MSG_DONTWAIT), late->len);
    if (comes)
        late->len = 0;
    return comes;
}

/* All that can come is there already: where nothing is, the time passes. */
int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout_ms)
{
    int ready = __real_poll(fds, count, 0);

    if (ready != 0)
        return ready;
    if (slow_server != NULL && slow_server->late.len > 0)
        return comes_late(slow_server, timeout_ms) ? __real_poll(fds, count, 0) : 0;
    if (timeout_ms < 0)
        fail_msg("this would wait for ever");
    fake_clock_pass(timeout_ms);
    return 0;
}

struct scene {
    struct server server;
    struct proxy_listeners listeners;
    struct proxy_serving serving;
    struct sockaddr_un at;
    socklen_t at_len;
};

static int server_read(struct gdbmi_stream *base, void *bytes, size_t capacity, int timeout_ms,
                       struct gdbmi_error *error)
{
    const struct server *server = (const struct server *)base;
    ssize_t len = recv(server->ours, bytes, capacity, MSG_DONTWAIT);

    (void)error;
    if (len < 0)
        fake_clock_pass(timeout_ms);
    return len < 0 ? 0 : (int)len;
}

static int server_write(struct gdbmi_stream *base, const void *bytes, size_t len, int timeout_ms,
                        struct gdbmi_error *error)
{
    struct server *server = (struct server *)base;
    struct fake_stream *stream = &server->gdb.stream;

    (void)timeout_ms, (void)error;
    fake_clock_pass(server->delay_ms);
    stream->serve(stream->server, bytes, len);
    if (server->answer_ms > 0)
        buffer_add(&server->late, stream->queue, stream->queue_len);
    else
        assert_int_equal(send(server->theirs, stream->queue, stream->queue_len, MSG_DONTWAIT),
                         stream->queue_len);
    stream->queue_len = 0;
    return 0;
}

static int server_descriptor(const struct gdbmi_stream *base)
{
    return ((const struct server *)base)->ours;
}

static void server_close(struct gdbmi_stream *base)
{
    const struct server *server = (const struct server *)base;

    close(server->ours);
    close(server->theirs);
}

static const struct gdbmi_stream_ops server_ops = {
    .read = server_read,
    .write = server_write,
    .descriptor = server_descriptor,
    .close = server_close,
};

static void start_server(struct server *server)
{
    int ends[2];

    fake_gdb_init(&server->gdb, FAKE_OPENOCD, true);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    server->base = (struct gdbmi_stream){.ops = &server_ops};
    server->ours = ends[0];
    server->theirs = ends[1];
}

/* At an address of the kernel's choice, in no folder. */
static void start_listener(struct scene *scene)
{
    const struct sockaddr_un any = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);

    assert_true(fd >= 0);
    assert_int_equal(bind(fd, (const struct sockaddr *)&any, sizeof(any.sun_family)), 0);
    assert_int_equal(listen(fd, 32), 0);
    scene->at_len = sizeof(scene->at);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&scene->at, &scene->at_len), 0);
    scene->listeners.fds[0] = fd;
    scene->listeners.count = 1;
}

static struct scene *start_scene(void)
{
    const struct gdbmi_options options = {.gdb = "fake:3333", .serve = ":1"};
    struct scene *scene = calloc(1, sizeof(*scene));
    struct gdbmi_error error = {.code = GDBMI_OK};

    assert_non_null(scene);
    fake_clock_start();
    start_server(&scene->server);
    start_listener(scene);
    scene->serving.server = &scene->server.base;
    scene->serving.listeners = &scene->listeners;
    scene->serving.owner_fd = -1;
    snprintf(scene->serving.address.text, sizeof(scene->serving.address.text), "fake:3333");
    if (proxy_serve_open(&scene->serving, &options, &error) != GDBMI_OK)
        fail_msg("%s", error.text);
    assert_true(scene->server.gdb.running);
    fake_clock_start();
    return scene;
}

static void end_scene(struct scene *scene)
{
    proxy_serve_close(&scene->serving);
    proxy_serve_free(&scene->serving);
    buffer_free(&scene->server.late);
    slow_server = NULL;
    fake_gdb_free(&scene->server.gdb);
    free(scene);
    fake_clock_stop();
}

static int come(struct scene *scene)
{
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);

    assert_true(fd >= 0);
    assert_int_equal(connect(fd, (const struct sockaddr *)&scene->at, scene->at_len), 0);
    proxy_serve_turn(&scene->serving);
    return fd;
}

static void say(int fd, const char *text)
{
    assert_int_equal(send(fd, text, strlen(text), MSG_NOSIGNAL), strlen(text));
}

/* A request with its checksum. */
static void ask(int fd, const char *request)
{
    struct buffer packet = {.data = NULL};

    proxy_packet_add(&packet, request);
    (void)send(fd, packet.data, packet.len, MSG_NOSIGNAL | MSG_DONTWAIT);
    buffer_free(&packet);
}

/* What has come to a client; "EOF" behind it if the proxy has left. */
static const char *hear(int fd)
{
    static char text[8192];
    ssize_t got = 1;
    size_t len = 0;

    while (got > 0 && len < sizeof(text) - 4) {
        got = recv(fd, text + len, sizeof(text) - 4 - len, MSG_DONTWAIT);
        len += got > 0 ? (size_t)got : 0;
    }
    snprintf(text + len, 4, "%s", got == 0 ? "EOF" : "");
    return text;
}

/* Turns until the proxy answers. */
static void must_be_served(struct scene *scene, int fd)
{
    bool answered = false;

    ask(fd, "qSupported:x");
    for (int i = 0; i < 10 && !answered; i++) {
        proxy_serve_turn(&scene->serving);
        answered = strstr(hear(fd), "PacketSize=") != NULL;
    }
    assert_true(answered);
    assert_false(scene->server.gdb.running);
}

static void check_dropped(struct scene *scene, int fd, uint64_t limit_ms)
{
    assert_string_equal(hear(fd), "EOF");
    assert_in_range(fake_clock_passed_ms(), 1, limit_ms);
    assert_true(scene->server.gdb.running);
    close(fd);
    fd = come(scene);
    must_be_served(scene, fd);
    close(fd);
    proxy_serve_turn(&scene->serving);
}

static void test_who_says_nothing(void **state)
{
    (void)state;
    struct scene *scene = start_scene();

    int fd = come(scene);
    proxy_serve_turn(&scene->serving);
    check_dropped(scene, fd, FIRST_MS);
    end_scene(scene);
}

/* The core is not halted for him. */
static void test_who_says_half_a_packet(void **state)
{
    (void)state;
    struct scene *scene = start_scene();

    int fd = come(scene);
    say(fd, "+$qSupp");
    proxy_serve_turn(&scene->serving);
    proxy_serve_turn(&scene->serving);
    check_dropped(scene, fd, FIRST_MS);
    end_scene(scene);
}

static void test_who_drips(void **state)
{
    (void)state;
    struct scene *scene = start_scene();

    int fd = come(scene);
    for (int i = 0; i < FIRST_MS / 1000; i++) {
        say(fd, "+");
        proxy_serve_turn(&scene->serving);
        fake_clock_pass(1000);
    }
    proxy_serve_turn(&scene->serving);
    check_dropped(scene, fd, FIRST_MS);
    end_scene(scene);
}

/* In pieces, and with what follows it in the same write. */
static void test_first_packet(void **state)
{
    (void)state;
    struct scene *scene = start_scene();
    static const char *const pieces[] = {"+", "$qSup", "ported:x#", "e", "9+$qC#b4"};

    int fd = come(scene);
    for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
        assert_true(scene->server.gdb.running);
        say(fd, pieces[i]);
        proxy_serve_turn(&scene->serving);
    }
    proxy_serve_turn(&scene->serving);
    assert_false(scene->server.gdb.running);
    assert_int_equal(fake_gdb_count(&scene->server.gdb, "qSupported:x"), 1);
    assert_int_equal(fake_gdb_count(&scene->server.gdb, "qC"), 1);
    assert_non_null(strstr(hear(fd), "PacketSize="));
    close(fd);
    end_scene(scene);
}

/* gdb shows the text of an error that answers its first packet. */
static void test_second_is_told(void **state)
{
    (void)state;
    struct scene *scene = start_scene();

    int first = come(scene);
    must_be_served(scene, first);
    int second = come(scene);
    assert_true(scene->serving.clients.refused);
    say(second, "+" HELLO);
    proxy_serve_turn(&scene->serving);
    assert_string_equal(hear(second), "+$E.another gdb is attached to this port#cbEOF");
    close(second);
    proxy_serve_turn(&scene->serving);
    assert_int_equal(scene->serving.clients.going_count, 0);
    must_be_served(scene, first);
    close(first);
    end_scene(scene);
}

/* Whoever is to go does not stay, and does not keep the gdb from being served. */
static void test_many_others(void **state)
{
    (void)state;
    struct scene *scene = start_scene();
    int others[10];

    int first = come(scene);
    must_be_served(scene, first);
    uint64_t since = fake_clock_passed_ms();
    for (size_t i = 0; i < 10; i++)
        others[i] = come(scene);
    must_be_served(scene, first);
    while (scene->serving.clients.going_count > 0)
        proxy_serve_turn(&scene->serving);
    assert_in_range(fake_clock_passed_ms() - since, 1, GOING_MS);
    for (size_t i = 0; i < 10; i++) {
        assert_string_equal(hear(others[i]), "EOF");
        close(others[i]);
    }
    must_be_served(scene, first);
    close(first);
    end_scene(scene);
}

/* What is owed to him is bounded. */
static void test_who_reads_nothing(void **state)
{
    (void)state;
    struct scene *scene = start_scene();
    const struct buffer *owed = &scene->serving.proxy.to_gdb;
    size_t most = 0;

    int fd = come(scene);
    must_be_served(scene, fd);
    for (int i = 0; i < 20000 && scene->serving.clients.gdb_fd >= 0; i++) {
        ask(fd, "m20000000,100");
        proxy_serve_turn(&scene->serving);
        most = owed->len > most ? owed->len : most;
    }
    assert_int_equal(scene->serving.clients.gdb_fd, -1);
    assert_in_range(most, 1, OWED_MAX + 4096);
    assert_in_range(owed->capacity, 1, 4 * OWED_MAX);
    close(fd);
    end_scene(scene);
}

/* And the time is, where little is owed; that has nothing to do with the time of a read of ours. */
static void test_who_stops_reading(void **state)
{
    (void)state;
    struct scene *scene = start_scene();

    int fd = come(scene);
    must_be_served(scene, fd);
    uint64_t before = clock_limit_begin(10);
    while (scene->serving.proxy.to_gdb.len == 0) {
        ask(fd, "m20000000,100");
        proxy_serve_turn(&scene->serving);
    }
    clock_limit_end(before);
    uint64_t since = fake_clock_passed_ms();
    for (int i = 0; i < 10 && scene->serving.clients.gdb_fd >= 0; i++)
        proxy_serve_turn(&scene->serving);
    assert_int_equal(scene->serving.clients.gdb_fd, -1);
    assert_in_range(fake_clock_passed_ms() - since, UNREAD_MS - 1, UNREAD_MS + 1);
    close(fd);
    end_scene(scene);
}

/* The program that reads memory beside the gdb. */
static int come_as_owner(struct scene *scene)
{
    int ends[2];

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    scene->serving.owner_fd = ends[0];
    return ends[1];
}

/* It reads, which takes the server longer than a client may be silent. */
static void read_slowly(struct scene *scene, int owner)
{
    const struct proxy_request request = {.op = PROXY_READ, .addr = 0x20000000, .len = 4};

    assert_int_equal(send(owner, &request, sizeof(request), MSG_NOSIGNAL), sizeof(request));
    scene->server.delay_ms = FIRST_MS + 1000;
}

static void leave_as_owner(struct scene *scene, int owner)
{
    close(owner);
    proxy_serve_turn(&scene->serving);
    assert_int_equal(scene->serving.owner_fd, -1);
}

/* He has spoken at once; that he was not heard was not his fault. */
static void test_slow_read_when_gdb_comes(void **state)
{
    (void)state;
    struct scene *scene = start_scene();
    int owner = come_as_owner(scene);

    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_int_equal(connect(fd, (const struct sockaddr *)&scene->at, scene->at_len), 0);
    say(fd, "+" HELLO);
    read_slowly(scene, owner);
    proxy_serve_turn(&scene->serving);
    assert_in_range(fake_clock_passed_ms(), FIRST_MS + 1, 2 * FIRST_MS);
    scene->server.delay_ms = 0;
    proxy_serve_turn(&scene->serving);
    proxy_serve_turn(&scene->serving);
    assert_non_null(strstr(hear(fd), "PacketSize="));
    close(fd);
    leave_as_owner(scene, owner);
    end_scene(scene);
}

static void test_slow_read_when_second_comes(void **state)
{
    (void)state;
    struct scene *scene = start_scene();

    int first = come(scene);
    must_be_served(scene, first);
    int owner = come_as_owner(scene);
    int second = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_int_equal(connect(second, (const struct sockaddr *)&scene->at, scene->at_len), 0);
    say(second, "+" HELLO);
    read_slowly(scene, owner);
    proxy_serve_turn(&scene->serving);
    scene->server.delay_ms = 0;
    proxy_serve_turn(&scene->serving);
    assert_string_equal(hear(second), "+$E.another gdb is attached to this port#cbEOF");
    assert_int_equal(scene->serving.clients.going_count, 1);
    close(second);
    proxy_serve_turn(&scene->serving);
    assert_int_equal(scene->serving.clients.going_count, 0);
    close(first);
    leave_as_owner(scene, owner);
    end_scene(scene);
}

/* As a gdb leaves them behind that is killed. */
static void leave_breakpoints(struct scene *scene, size_t count)
{
    struct proxy *proxy = &scene->serving.proxy;

    while (proxy->breakpoint_count < count) {
        char *text = proxy->breakpoints[proxy->breakpoint_count];
        snprintf(text, PROXY_REQUEST_MAX, "0,%zx,2", 0x100 + 2 * proxy->breakpoint_count);
        proxy->breakpoint_count++;
    }
}

/* A server that takes its time for each of them keeps no gdb out. */
static void test_slow_removal_of_breakpoints(void **state)
{
    (void)state;
    struct scene *scene = start_scene();

    leave_breakpoints(scene, 20);
    int fd = come(scene);
    scene->server.answer_ms = 1500;
    slow_server = &scene->server;
    must_be_served(scene, fd);
    assert_in_range(fake_clock_passed_ms(), 20 * 1500, 25 * 1500);
    assert_int_equal(scene->serving.proxy.breakpoint_count, 0);
    assert_int_equal(fake_gdb_count(&scene->server.gdb, "z0,"), 20);
    scene->server.answer_ms = 0;
    close(fd);
    end_scene(scene);
}

/* One that does not answer: the core runs again, and what was removed is not removed once more. */
static void test_removal_that_fails(void **state)
{
    (void)state;
    struct scene *scene = start_scene();

    leave_breakpoints(scene, 5);
    int fd = come(scene);
    scene->server.gdb.silent_at = "z0,102";
    ask(fd, "qSupported:x");
    proxy_serve_turn(&scene->serving);
    assert_string_equal(hear(fd), "EOF");
    assert_true(scene->server.gdb.running);
    assert_int_equal(scene->serving.proxy.breakpoint_count, 2);
    close(fd);
    end_scene(scene);
}

/* Who reads a little is served on. */
static void test_who_reads_slowly(void **state)
{
    (void)state;
    struct scene *scene = start_scene();
    char bytes[65536];

    int fd = come(scene);
    must_be_served(scene, fd);
    while (scene->serving.proxy.to_gdb.len < sizeof(bytes)) {
        ask(fd, "m20000000,100");
        proxy_serve_turn(&scene->serving);
    }
    while (scene->serving.proxy.to_gdb.len > 0) {
        fake_clock_pass(UNREAD_MS - 1000);
        assert_true(recv(fd, bytes, sizeof(bytes), MSG_DONTWAIT) > 0);
        proxy_serve_turn(&scene->serving);
        assert_true(scene->serving.clients.gdb_fd >= 0);
    }
    close(fd);
    end_scene(scene);
}

/* What a gdb asks while it has to wait, and what a server says that nobody asked for. */
static void test_floods_are_bounded(void **state)
{
    (void)state;
    const char packet[] = "$m20000000,100#ac";
    struct proxy proxy;
    unsigned count = 0;

    proxy_init(&proxy, "fake:3333", 2000);
    proxy_gdb_begin(&proxy);
    proxy.turn = true;
    for (; !proxy.gdb_broken && count < 10 * OWED_MAX; count++) {
        proxy_feed_gdb(&proxy, packet, sizeof(packet) - 1, 0);
        proxy.to_gdb.len = 0;
    }
    assert_true(proxy.gdb_broken);
    assert_in_range(proxy.waiting.len, 1, OWED_MAX + sizeof(packet));
    proxy_gdb_gone(&proxy);
    proxy_end_turn(&proxy);
    proxy_start_sync(&proxy, 1000);
    for (count = 0; proxy.error.code == GDBMI_OK && count < 10 * OWED_MAX; count++) {
        proxy_feed_server(&proxy, packet, sizeof(packet) - 1, 0);
        proxy.to_server.len = 0;
    }
    assert_int_equal(proxy.error.code, GDBMI_EPROTOCOL);
    assert_in_range(proxy.collected.len, 1, 5 * OWED_MAX);
    proxy_free(&proxy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_who_says_nothing),
        cmocka_unit_test(test_who_says_half_a_packet),
        cmocka_unit_test(test_who_drips),
        cmocka_unit_test(test_first_packet),
        cmocka_unit_test(test_second_is_told),
        cmocka_unit_test(test_many_others),
        cmocka_unit_test(test_who_reads_nothing),
        cmocka_unit_test(test_who_stops_reading),
        cmocka_unit_test(test_who_reads_slowly),
        cmocka_unit_test(test_floods_are_bounded),
        cmocka_unit_test(test_slow_read_when_gdb_comes),
        cmocka_unit_test(test_slow_read_when_second_comes),
        cmocka_unit_test(test_slow_removal_of_breakpoints),
        cmocka_unit_test(test_removal_that_fails),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
