/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How slow the simulated debug probe is: what a USB adapter takes for its packets. */
#ifndef RIG_PROBE_H
#define RIG_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A probe. Zeroed memory is one that takes no time. */
struct probe {
    uint64_t latency_ns; /* from a packet to its answer */
    unsigned packet;     /* bytes of one; 0: each scan that is answered is a packet */
    unsigned speed;      /* bytes a second of the JTAG line; 0: no limit */
    uint64_t packets;    /* so far */
    uint64_t halted;     /* of these, while the first core was halted */
    uint64_t spent_ns;   /* so far */
    uint64_t filled;     /* bits in the packet that is being filled */
    uint64_t busy_until_ns;
};

/* What probe_set() takes, for messages. */
#define PROBE_FORM "a probe is LATENCY_US[:PACKET[:BYTES_PER_S]], latency up to 1000000"

/* Sets how slow it is by text, see PROBE_FORM. False, and nothing is set: malformed. */
bool probe_set(struct probe *probe, const char *text);

/* What the driver sent at once: bits that were shifted, queues of scans that began with it, and
 * answers. A queue begins a packet of its own. Returns when the answers may go, in nanoseconds. */
uint64_t probe_take(struct probe *probe, uint64_t bits, uint64_t queues, size_t answers,
                    uint64_t now_ns);

#endif
