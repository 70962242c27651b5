/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls of the hook in a running target: mprof trace --patch. */
#ifndef TARGET_PATCHING_H
#define TARGET_PATCHING_H

#include <load/addr_ranges.h>
#include <target/watch.h>

/* The request. Zeroed memory: there is none. */
struct patching {
    uint64_t addr;   /* of s_mprof_patch (target-stub/include/mprof/patch.h) */
    size_t count;    /* functions that were asked for */
    bool active;     /* they call the hook, as far as is known */
    uint32_t points; /* of the target, when it was read last */
    double read_s;   /* and when that was, by monotonic_s() */
};

/*
 * Makes the functions of ranges call the hook; NULL: all functions that can. They are taken back by
 * patching_end(), or by the stub itself some seconds after the last patching_follow(). Returns a
 * status, and prints a message if it is not STATUS_DONE.
 */
int patching_begin(struct patching *patching, struct watch *watch,
                   const struct addr_ranges *ranges);

/* Says to the stub that mprof is still there. Call it at least once a second. Returns a status as
 * above; it fails if the functions do not call the hook any more, as after a reset. */
int patching_follow(struct patching *patching, struct watch *watch);

/* Has the functions taken back, and waits for it for a while. Says so if the target does not do it.
 */
void patching_end(struct patching *patching, struct watch *watch);

#endif
