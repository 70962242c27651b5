/* SPDX-License-Identifier: 0BSD */
/* What reads over a link cost: a time for each request, and a time for each byte. */
#ifndef GDBMI_SRC_COST_H
#define GDBMI_SRC_COST_H

#include <stddef.h>
#include <stdint.h>

/* What was measured, as sums of products. What is older weighs less. Zeroed memory: nothing. */
struct link_cost {
    double requests_requests, requests_bytes, bytes_bytes;
    double requests_ns, bytes_ns;
};

/* Adds requests for bytes in all, which took ns nanoseconds together. */
void link_cost_add(struct link_cost *cost, unsigned requests, size_t bytes, uint64_t ns);

/* Return the nanoseconds of a request without its bytes, and of one byte: the least squares of what
 * was measured. If all requests were of one size, their time is that of their bytes. 0: nothing was
 * measured. */
double link_cost_request_ns(const struct link_cost *cost);
double link_cost_byte_ns(const struct link_cost *cost);

/* Returns the bytes that take as long as a request: what lies between two reads is better read
 * with them if it is less. */
size_t link_cost_gap(const struct link_cost *cost);

/* Returns the bytes that one request may read, at least least, so that others wait at most
 * LINK_OTHERS_WAIT_NS for it. If the request itself takes much of that, it may take longer, so that
 * LINK_REQUEST_PART of the time goes into bytes. */
size_t link_cost_piece(const struct link_cost *cost, size_t least, size_t most);

#define LINK_OTHERS_WAIT_NS 20000000.0
#define LINK_REQUEST_PART   0.9

/* What link_cost_gap() returns if nothing was measured, and at most. */
#define LINK_GAP_UNKNOWN 256U
#define LINK_GAP_MAX     2048U

#endif
