/* SPDX-License-Identifier: 0BSD */
/* Looks up the addresses of a host within a time limit. */
#ifndef GDBMI_SRC_RESOLVE_H
#define GDBMI_SRC_RESOLVE_H

#include <netdb.h>
#include <stdint.h>

/* Finds the addresses of a host for TCP. "localhost" and numeric addresses need no lookup. Another
 * name is looked up in a thread; if the deadline of clock_deadline() passes, the thread continues
 * alone and frees what it finds. On success returns 0; the caller frees *found with freeaddrinfo().
 * On failure returns an errno; *reason is a constant text that says why, or unchanged. */
int resolve_host(const char *host, const char *port, uint64_t deadline, struct addrinfo **found,
                 const char **reason);

#endif
