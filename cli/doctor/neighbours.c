/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads who is connected to a port from the tables in /proc, which only Linux has. */
#define _GNU_SOURCE
#include "neighbours.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <base/vec.h>

#define CLIENTS_MAX 8
/* A state of the kernel's tcp_states.h. */
#define ESTABLISHED 1

/* The clients' ends of connections to one port. */
struct clients {
    unsigned long inode[CLIENTS_MAX]; /* of their sockets, 0: not on this machine */
    size_t count;
};

/* A table that is not there, as that of IPv6, is an empty one. */
static bool read_table(const char *path, struct neighbours *n)
{
    FILE *file = fopen(path, "re");
    char line[512];

    while (file && fgets(line, sizeof(line), file)) {
        struct neighbour one;
        unsigned state;
        if (sscanf(line, " %*u: %*[0-9A-Fa-f]:%x %*[0-9A-Fa-f]:%x %x %*s %*s %*s %*u %*u %lu",
                   &one.local, &one.remote, &state, &one.inode) == 4 &&
            state == ESTABLISHED && VEC_ROOM(n->list, n->capacity, n->count, 1))
            n->list[n->count++] = one;
    }
    if (file)
        fclose(file);
    return file != NULL;
}

struct neighbours neighbours_read(void)
{
    struct neighbours n = {.list = NULL};

    n.known = read_table("/proc/net/tcp", &n);
    (void)read_table("/proc/net/tcp6", &n);
    return n;
}

void neighbours_free(struct neighbours *neighbours)
{
    free(neighbours->list);
    *neighbours = (struct neighbours){.list = NULL};
}

/* The socket at the client's end of a connection that the server has. */
static unsigned long other_end(const struct neighbours *n, const struct neighbour *end)
{
    for (size_t i = 0; i < n->count; i++) {
        if (n->list[i].local == end->remote && n->list[i].remote == end->local)
            return n->list[i].inode;
    }
    return 0;
}

/* Whether the process has the socket of a client open; its index in *client. */
static bool has_socket(const char *process, const struct clients *c, size_t *client)
{
    char path[300], target[64];
    bool found = false;

    snprintf(path, sizeof(path), "/proc/%.20s/fd", process);
    DIR *folder = opendir(path);
    for (struct dirent *d; folder && !found && (d = readdir(folder)) != NULL;) {
        ssize_t len = readlinkat(dirfd(folder), d->d_name, target, sizeof(target) - 1);
        unsigned long inode;
        target[len > 0 ? len : 0] = '\0';
        if (sscanf(target, "socket:[%lu]", &inode) != 1)
            continue;
        for (*client = 0; *client < c->count && c->inode[*client] != inode; ++*client)
            continue;
        found = *client < c->count;
    }
    if (folder)
        closedir(folder);
    return found;
}

/* mprof's own helper has a copy of the connection. */
static void add_name(const char *process, char text[NEIGHBOURS_TEXT])
{
    char path[64], name[32] = "";
    size_t len = strlen(text);

    snprintf(path, sizeof(path), "/proc/%.20s/comm", process);
    FILE *file = fopen(path, "re");
    if (file) {
        if (!fgets(name, sizeof(name), file))
            name[0] = '\0';
        fclose(file);
    }
    name[strcspn(name, "\n")] = '\0';
    if (strcmp(name, "mprof-guardian") != 0)
        snprintf(text + len, NEIGHBOURS_TEXT - len, "%s%s (process %.20s)", len ? ", " : "", name,
                 process);
}

/* Drops the connections of this process. */
static void drop_own(struct clients *c)
{
    size_t client;

    while (c->count != 0 && has_socket("self", c, &client)) {
        c->count--;
        c->inode[client] = c->inode[c->count];
    }
}

/* Lists whose the sockets are, as far as this user may know. */
static void name_clients(const struct clients *c, char text[NEIGHBOURS_TEXT])
{
    DIR *folder = opendir("/proc");
    size_t left = c->count, client;

    for (struct dirent *d; folder && left != 0 && (d = readdir(folder)) != NULL;) {
        if (!isdigit((unsigned char)d->d_name[0]) || !has_socket(d->d_name, c, &client))
            continue;
        add_name(d->d_name, text);
        left--;
    }
    if (folder)
        closedir(folder);
}

int neighbours_count(const struct neighbours *neighbours, unsigned port, char text[NEIGHBOURS_TEXT])
{
    struct clients c = {.count = 0};

    text[0] = '\0';
    for (size_t i = 0; i < neighbours->count && c.count < CLIENTS_MAX; i++) {
        if (neighbours->list[i].local == port)
            c.inode[c.count++] = other_end(neighbours, &neighbours->list[i]);
    }
    drop_own(&c);
    name_clients(&c, text);
    return neighbours->known ? (int)c.count : -1;
}
