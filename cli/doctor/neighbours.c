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

#define CLIENTS_MAX 8
/* A state of the kernel's tcp_states.h. */
#define ESTABLISHED 1

/* The clients' ends of connections to one port. */
struct clients {
    unsigned port;
    unsigned ports[CLIENTS_MAX];      /* of the clients */
    unsigned long inode[CLIENTS_MAX]; /* of their sockets, 0: not on this machine */
    size_t count;
};

/* Calls take() for each established connection of a table; -1: there is no table. */
static int each_connection(const char *path, struct clients *c,
                           void (*take)(struct clients *c, unsigned local, unsigned remote,
                                        unsigned long inode))
{
    FILE *file = fopen(path, "re");
    char line[512];

    if (!file)
        return -1;
    while (fgets(line, sizeof(line), file)) {
        unsigned local, remote, state;
        unsigned long inode;
        if (sscanf(line, " %*u: %*[0-9A-Fa-f]:%x %*[0-9A-Fa-f]:%x %x %*s %*s %*s %*u %*u %lu",
                   &local, &remote, &state, &inode) == 4 &&
            state == ESTABLISHED)
            take(c, local, remote, inode);
    }
    fclose(file);
    return 0;
}

static void take_server_end(struct clients *c, unsigned local, unsigned remote, unsigned long inode)
{
    (void)inode;
    if (local == c->port && c->count < CLIENTS_MAX)
        c->ports[c->count++] = remote;
}

static void take_client_end(struct clients *c, unsigned local, unsigned remote, unsigned long inode)
{
    for (size_t i = 0; remote == c->port && i < c->count; i++) {
        if (c->ports[i] == local)
            c->inode[i] = inode;
    }
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
        c->ports[client] = c->ports[c->count];
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

int neighbours_count(unsigned port, char text[NEIGHBOURS_TEXT])
{
    struct clients c = {.port = port};

    text[0] = '\0';
    int known = each_connection("/proc/net/tcp", &c, take_server_end);
    (void)each_connection("/proc/net/tcp6", &c, take_server_end);
    if (known < 0)
        return -1;
    (void)each_connection("/proc/net/tcp", &c, take_client_end);
    (void)each_connection("/proc/net/tcp6", &c, take_client_end);
    drop_own(&c);
    name_clients(&c, text);
    return (int)c.count;
}
