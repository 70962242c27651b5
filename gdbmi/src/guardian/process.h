/* SPDX-License-Identifier: 0BSD */
/* What the system knows of another process. */
#ifndef GDBMI_SRC_PROCESS_H
#define GDBMI_SRC_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

/* Returns whether a process is stopped, by a signal or by a debugger, with all its threads (Linux:
 * proc(5), /proc/PID/stat, states T and t). A process that waits, or that gets no processor, is
 * not. Returns false if that cannot be known, and on other systems. Allocates no memory. */
bool process_is_stopped(pid_t pid);

#endif
