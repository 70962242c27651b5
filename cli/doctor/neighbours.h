/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who is connected to a server of this machine. */
#ifndef DOCTOR_NEIGHBOURS_H
#define DOCTOR_NEIGHBOURS_H

#include <stdbool.h>
#include <stddef.h>

/* Size of a list of clients, bytes with the NUL. */
#define NEIGHBOURS_TEXT 160

/* Counts the clients of a TCP port of this machine, other than this process, by the kernel's table
 * of connections (/proc/net/tcp and tcp6), and lists them in text, "gdb-multiarch (process 4242)";
 * "" if they are on another machine or another user's. Returns -1 if it is not known. */
int neighbours_count(unsigned port, char text[NEIGHBOURS_TEXT]);

#endif
