/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A proxy, clients of its port, and a server whose answers take time that the test says. */
#include "proxy_clients_checks.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "unit.h"

#include "fake_clock.h"
#include "proxy_sides.h"

int __real_poll(struct pollfd *fds, nfds_t count, int timeout_ms);
int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout_ms);

/* A Cortex-M stands at a breakpoint (ARMv7-M Architecture Reference Manual, C1.6.1). */
#define DFSR_BKPT 0x02

struct server *slow_server;

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

static int server_read(struct gdbmi_stream *base, void *bytes, size_t capacity, int timeout_ms,
                       struct gdbmi_error *error)
{
    const struct server *server = (const struct server *)base;
    ssize_t len = recv(server->ours, bytes, capacity, MSG_DONTWAIT);

    if (len < 0)
        fake_clock_pass(timeout_ms);
    return len < 0 ? 0 : (int)len;
}

static int server_write(struct gdbmi_stream *base, const void *bytes, size_t len, int timeout_ms,
                        struct gdbmi_error *error)
{
    struct server *server = (struct server *)base;
    struct fake_stream *stream = &server->gdb.stream;

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

static void start_server(struct server *server, enum fake_kind kind, bool running)
{
    int ends[2];

    fake_gdb_init(&server->gdb, kind, running);
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

struct scene *start_scene_at(enum fake_kind kind, bool running)
{
    const struct gdbmi_options options = {.gdb = "fake:3333", .serve = ":1"};
    struct scene *scene = calloc(1, sizeof(*scene));
    struct gdbmi_error error = {.code = GDBMI_OK};

    assert_non_null(scene);
    fake_clock_start();
    start_server(&scene->server, kind, running);
    scene->server.gdb.m_profile = true;
    scene->server.gdb.dfsr = running ? 0 : DFSR_BKPT;
    start_listener(scene);
    scene->serving.server = &scene->server.base;
    scene->serving.listeners = &scene->listeners;
    scene->serving.owner_fd = -1;
    snprintf(scene->serving.address.text, sizeof(scene->serving.address.text), "fake:3333");
    if (proxy_serve_open(&scene->serving, &options, &error) != GDBMI_OK)
        fail_msg("%s", error.text);
    assert_int_equal(scene->server.gdb.running, running);
    fake_clock_start();
    return scene;
}

struct scene *start_scene(void)
{
    return start_scene_at(FAKE_OPENOCD, true);
}

void end_scene(struct scene *scene)
{
    proxy_serve_close(&scene->serving);
    proxy_serve_free(&scene->serving);
    buffer_free(&scene->server.late);
    slow_server = NULL;
    fake_gdb_free(&scene->server.gdb);
    free(scene);
    fake_clock_stop();
}

int come(struct scene *scene)
{
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);

    assert_true(fd >= 0);
    assert_int_equal(connect(fd, (const struct sockaddr *)&scene->at, scene->at_len), 0);
    proxy_serve_turn(&scene->serving);
    return fd;
}

void say(int fd, const char *text)
{
    assert_int_equal(send(fd, text, strlen(text), MSG_NOSIGNAL), strlen(text));
}

void ask(int fd, const char *request)
{
    struct buffer packet = {.data = NULL};

    proxy_packet_add(&packet, request);
    (void)send(fd, packet.data, packet.len, MSG_NOSIGNAL | MSG_DONTWAIT);
    buffer_free(&packet);
}

const char *hear(int fd)
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

void must_be_served(struct scene *scene, int fd)
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

int come_as_owner(struct scene *scene)
{
    int ends[2];

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    scene->serving.owner_fd = ends[0];
    return ends[1];
}

void leave_as_owner(struct scene *scene, int owner)
{
    close(owner);
    proxy_serve_turn(&scene->serving);
    assert_int_equal(scene->serving.owner_fd, -1);
}

struct proxy_reply ask_as_owner(struct scene *scene, int owner, enum proxy_op op)
{
    const struct proxy_request request = {
        .op = op, .addr = 0x20000000, .len = op == PROXY_READ ? 4 : 0};
    struct proxy_reply reply;
    char bytes[4];

    assert_int_equal(send(owner, &request, sizeof(request), MSG_NOSIGNAL), sizeof(request));
    for (int i = 0; i < 10; i++) {
        proxy_serve_turn(&scene->serving);
        if (recv(owner, &reply, sizeof(reply), MSG_DONTWAIT) == sizeof(reply)) {
            if (reply.data_len > 0)
                assert_int_equal(recv(owner, bytes, sizeof(bytes), MSG_DONTWAIT), reply.data_len);
            return reply;
        }
    }
    fail_msg("no reply");
    return reply;
}
