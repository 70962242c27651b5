/* SPDX-License-Identifier: 0BSD */
/* Prepares a forked process that continues when its parent ends. */
#ifndef GDBMI_SRC_DETACH_H
#define GDBMI_SRC_DETACH_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Detaches the calling process; call it first after a fork with all signals blocked. The process
 * gets a name (Linux) and a session of its own, and ignores all signals except for those of a
 * fault. Standard streams become /dev/null, because a message there, such as a sanitizer's, must
 * not reach a target. The count descriptors of fds become 3, 4, ..., and fds is changed to that;
 * all others are closed, so that nobody who waits for the end of the parent's pipes waits for this
 * process. Returns false on failure. Allocates no memory.
 */
bool detach(const char *name, int *fds, size_t count);

#endif
