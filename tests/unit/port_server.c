/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small servers in threads, on real ports of this host. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <unistd.h>

#include "unit.h"

#include "port_server.h"

static bool wait_readable(struct server *server, int fd)
{
    struct pollfd fds[] = {{.fd = fd, .events = POLLIN}, {.fd = server->stop[0], .events = POLLIN}};

    /* What came before the end is served, also by a thread that got no time until then. */
    return poll(fds, 2, -1) > 0 && (fds[0].revents != 0 || fds[1].revents == 0);
}

static void *serve_clients(void *argument)
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
            server->delay_ms = 0;
            if (server->answer != NULL)
                server->answer(server, fd, bytes, (size_t)len);
        }
        close(fd);
    }
    return NULL;
}

void start_server(struct server *server, const struct sockaddr *at, socklen_t at_len,
                  server_answer *answer, const char *text)
{
    server->answer = answer;
    server->text = text;
    fake_tcl_init(&server->tcl);
    server->reader = gdbmi_rsp_reader_new();
    server->listener = socket(at->sa_family, SOCK_STREAM, 0);
    assert_true(server->listener >= 0);
    assert_int_equal(bind(server->listener, at, at_len), 0);
    assert_int_equal(listen(server->listener, 4), 0);
    assert_int_equal(pipe(server->stop), 0);
    assert_int_equal(pthread_create(&server->thread, NULL, serve_clients, server), 0);
}

void start_tcp(struct server *server, server_answer *answer, const char *text)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof(at);

    memset(server, 0, sizeof(*server));
    start_server(server, (struct sockaddr *)&at, sizeof(at), answer, text);
    assert_int_equal(getsockname(server->listener, (struct sockaddr *)&at, &len), 0);
    snprintf(server->port, sizeof(server->port), "%u", (unsigned)ntohs(at.sin_port));
    snprintf(server->address, sizeof(server->address), "127.0.0.1:%s", server->port);
}

void stop_server(struct server *server)
{
    assert_int_equal(write(server->stop[1], "x", 1), 1);
    pthread_join(server->thread, NULL);
    close(server->listener);
    close(server->stop[0]);
    close(server->stop[1]);
    gdbmi_rsp_reader_free(server->reader);
    fake_tcl_free(&server->tcl);
}

static void say(int fd, const char *text)
{
    (void)!send(fd, text, strlen(text), MSG_NOSIGNAL);
}

void answer_tcl(struct server *server, int fd, const char *bytes, size_t len)
{
    struct fake_stream *stream = &server->tcl.stream;

    server->tcl.targets = server->text;
    stream->serve(stream->server, bytes, len);
    (void)!send(fd, stream->queue, stream->queue_len, MSG_NOSIGNAL);
    stream->queue_len = 0;
    if (stream->closed)
        shutdown(fd, SHUT_RDWR);
}

void answer_gdb(struct server *server, int fd, const char *bytes, size_t len)
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

void answer_text(struct server *server, int fd, const char *bytes, size_t len)
{
    say(fd, server->text);
}

void hang_up(struct server *server, int fd, const char *bytes, size_t len)
{
    shutdown(fd, SHUT_RDWR);
}

int reserve_port(char *address, size_t capacity)
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
