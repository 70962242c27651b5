/* SPDX-License-Identifier: 0BSD */
/* Descriptors that are waited for, read and written until a deadline. */
#ifndef GDBMI_SRC_DESCRIPTOR_H
#define GDBMI_SRC_DESCRIPTOR_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Makes a descriptor non-blocking, and closed by exec(). Returns 0, or -1 with errno. */
int fd_prepare(int fd);

/* Waits until the deadline of clock_deadline() for events of poll(). Returns 1 if they came, or the
 * descriptor has failed, as the next call on it will say; 0 if the time is over; -1 with errno. */
int fd_wait(int fd, short events, uint64_t deadline);

/* Waits for bytes and reads them. Returns how many, 0 if the time is over, -1 with errno on
 * failure: errno 0 is the end. Bytes that are there are read after the deadline, too. */
ssize_t fd_read(int fd, void *bytes, size_t capacity, uint64_t deadline);

/* Writes bytes without a SIGPIPE from a socket. Returns how many were taken, fewer than len if the
 * time was over, -1 with errno on failure. */
ssize_t fd_write(int fd, const void *bytes, size_t len, uint64_t deadline);

#endif
