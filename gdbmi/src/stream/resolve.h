/* SPDX-License-Identifier: 0BSD */
/* Addresses of hosts, looked up no longer than one wants to wait. */
#ifndef GDBMI_SRC_RESOLVE_H
#define GDBMI_SRC_RESOLVE_H

#include <netdb.h>
#include <stdint.h>

/* Finds the addresses of a host for stream sockets. "localhost" and numeric addresses ask nobody;
 * for a name the system is asked in a thread, which is left behind when the deadline passes. 0:
 * *found is the caller's, to be freed by freeaddrinfo(). Otherwise an errno, and *reason says why.
 */
int resolve_host(const char *host, const char *port, uint64_t deadline, struct addrinfo **found,
                 const char **reason);

#endif
