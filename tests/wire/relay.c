/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A faulty wire over sockets, in a thread of its own. */
#include "relay.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* A sender that says nothing for so long is quiet. */
#define QUIET_MS 3

struct relay {
    struct wire_plan plan;
    struct wire wire;
    char server[100];
    char address[32];
    int listener;
    int ends[2]; /* by wire_direction: where what goes that way arrives */
    int wake[2];
    unsigned faults;
    pthread_t thread;
};

static int connect_unix(const char *path)
{
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    snprintf(to.sun_path, sizeof(to.sun_path), "%s", path);
    if (connect(fd, (const struct sockaddr *)&to, sizeof(to)) == 0)
        return fd;
    close(fd);
    return -1;
}

static int connect_tcp(const char *port)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port))};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int one = 1;

    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
    if (connect(fd, (const struct sockaddr *)&to, sizeof(to)) == 0)
        return fd;
    close(fd);
    return -1;
}

static int connect_server(const struct relay *relay)
{
    const char *colon = strrchr(relay->server, ':');

    return colon != NULL ? connect_tcp(colon + 1) : connect_unix(relay->server);
}

static void pass_on(void *context, enum wire_direction direction, const char *bytes, size_t len)
{
    struct relay *relay = context;

    poll(NULL, 0, (int)wire_delay_ms(&relay->wire));
    while (len > 0) {
        ssize_t sent = send(relay->ends[direction], bytes, len, MSG_NOSIGNAL);
        if (sent <= 0)
            return;
        bytes += sent;
        len -= (size_t)sent;
    }
}

/* false: the sender has closed. */
static bool take_bytes(struct relay *relay, enum wire_direction direction)
{
    char bytes[16384];
    ssize_t len = recv(relay->ends[!direction], bytes, sizeof(bytes), 0);

    if (len > 0)
        wire_feed(&relay->wire, direction, bytes, (size_t)len);
    return len > 0 && !relay->wire.closed;
}

/* Until one of the two has closed, or the relay ends. */
static void serve(struct relay *relay)
{
    struct pollfd fds[3] = {{.fd = relay->ends[WIRE_DOWN], .events = POLLIN},
                            {.fd = relay->ends[WIRE_UP], .events = POLLIN},
                            {.fd = relay->wake[0], .events = POLLIN}};
    bool open = true;

    while (open && fds[2].revents == 0) {
        int ready = poll(fds, 3, QUIET_MS);
        if (ready == 0)
            wire_quiet(&relay->wire);
        if (ready > 0 && fds[0].revents != 0)
            open = take_bytes(relay, WIRE_UP);
        if (ready > 0 && open && fds[1].revents != 0)
            open = take_bytes(relay, WIRE_DOWN);
    }
}

static void *run(void *argument)
{
    struct relay *relay = argument;
    struct pollfd fds[2] = {{.fd = relay->listener, .events = POLLIN},
                            {.fd = relay->wake[0], .events = POLLIN}};
    int one = 1;

    while (poll(fds, 2, -1) >= 0 && fds[1].revents == 0) {
        int client = accept(relay->listener, NULL, NULL);
        int server = client >= 0 ? connect_server(relay) : -1;
        if (server >= 0) {
            setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
            relay->ends[WIRE_DOWN] = client;
            relay->ends[WIRE_UP] = server;
            wire_init(&relay->wire, &relay->plan, pass_on, relay);
            serve(relay);
            relay->faults += relay->wire.faults;
            close(server);
        }
        if (client >= 0)
            close(client);
    }
    return NULL;
}

static bool start(struct relay *relay)
{
    struct sockaddr_in at = {.sin_family = AF_INET};
    socklen_t len = sizeof(at);

    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    relay->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (relay->listener < 0 || pipe(relay->wake) != 0 ||
        bind(relay->listener, (const struct sockaddr *)&at, sizeof(at)) != 0 ||
        listen(relay->listener, 4) != 0 ||
        getsockname(relay->listener, (struct sockaddr *)&at, &len) != 0)
        return false;
    snprintf(relay->address, sizeof(relay->address), "127.0.0.1:%u", ntohs(at.sin_port));
    return pthread_create(&relay->thread, NULL, run, relay) == 0;
}

struct relay *relay_open(const char *server, const struct wire_plan *plan)
{
    struct relay *relay = calloc(1, sizeof(*relay));

    if (relay == NULL)
        return NULL;
    relay->plan = *plan;
    snprintf(relay->server, sizeof(relay->server), "%s", server);
    if (start(relay))
        return relay;
    free(relay);
    return NULL;
}

const char *relay_address(const struct relay *relay)
{
    return relay->address;
}

unsigned relay_close(struct relay *relay)
{
    (void)!write(relay->wake[1], "", 1);
    pthread_join(relay->thread, NULL);
    unsigned faults = relay->faults;
    close(relay->listener);
    close(relay->wake[0]);
    close(relay->wake[1]);
    free(relay);
    return faults;
}
