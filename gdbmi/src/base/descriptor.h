/* SPDX-License-Identifier: 0BSD */
/* Waits for descriptors, reads and writes them, until a deadline of clock_deadline(). */
#ifndef GDBMI_SRC_DESCRIPTOR_H
#define GDBMI_SRC_DESCRIPTOR_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Makes a descriptor non-blocking, and closed by exec(). Returns 0, or -1 with errno set. */
int fd_prepare(int fd);

/* Waits for events of poll() (POLLIN, POLLOUT). Returns 1 if they came or the descriptor has
 * failed, which the next call on it reports; 0 if the time is over; -1 with errno set. */
int fd_wait(int fd, short events, uint64_t deadline);

/* Waits for bytes and reads at most capacity of them. Reads what is there also after the deadline.
 * Returns the number of bytes; 0 if the time is over; -1 with errno set on failure, errno 0 at the
 * end of the stream. */
ssize_t fd_read(int fd, void *bytes, size_t capacity, uint64_t deadline);

/* Writes len bytes; a closed socket raises no SIGPIPE. Returns the number of bytes written, less
 * than len if the time was over; -1 with errno set on failure. */
ssize_t fd_write(int fd, const void *bytes, size_t len, uint64_t deadline);

#endif
