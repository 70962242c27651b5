/* SPDX-License-Identifier: 0BSD */
/* A process of ours that goes on when we end. */
#ifndef GDBMI_SRC_DETACH_H
#define GDBMI_SRC_DETACH_H

#include <stdbool.h>
#include <stddef.h>

/*
 * To be called first in a process that was forked with all signals blocked. It gets a name (Linux)
 * and a session of its own, and ignores signals but for those of a fault. Standard streams become
 * /dev/null: a message there, of a sanitizer for example, must not reach a target. Of all other
 * descriptors only fds are kept, as 3, 4, ...: whoever waits for the end of a pipe of ours must not
 * wait for this process. Returns false if that is not possible. Allocates no memory.
 */
bool detach(const char *name, int *fds, size_t count);

#endif
