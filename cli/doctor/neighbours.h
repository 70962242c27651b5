/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who is connected to a server of this machine. */
#ifndef DOCTOR_NEIGHBOURS_H
#define DOCTOR_NEIGHBOURS_H

#include <stdbool.h>
#include <stddef.h>

/* Size of a list of clients, bytes with the NUL. */
#define NEIGHBOURS_TEXT 160

/* One end of a TCP connection of this machine. */
struct neighbour {
    unsigned local, remote; /* ports */
    unsigned long inode;    /* of the socket */
};

/* All of them, at one moment. Zeroed memory is none. */
struct neighbours {
    struct neighbour *list; /* owned */
    size_t count, capacity;
    bool known; /* the tables could be read */
};

/* Reads the kernel's tables (/proc/net/tcp and tcp6), which takes some milliseconds. The caller
 * frees it with neighbours_free(). */
struct neighbours neighbours_read(void);
void neighbours_free(struct neighbours *neighbours);

/* Counts the clients of a TCP port of this machine, other than this process, and lists them in
 * text, "gdb-multiarch (process 4242)"; "" if they are on another machine or another user's.
 * Returns -1 if it is not known. */
int neighbours_count(const struct neighbours *neighbours, unsigned port,
                     char text[NEIGHBOURS_TEXT]);

#endif
