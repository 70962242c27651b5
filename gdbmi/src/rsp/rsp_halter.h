/* SPDX-License-Identifier: 0BSD */
/* Who halted a target that is found halted. */
#ifndef GDBMI_SRC_RSP_HALTER_H
#define GDBMI_SRC_RSP_HALTER_H

#include "rsp_link.h"

enum rsp_halter {
    RSP_HALTER_UNKNOWN, /* nothing tells */
    RSP_HALTER_REQUEST, /* a debugger's request: our coming, as far as one can tell */
    RSP_HALTER_OTHER,   /* a breakpoint, a step, a fault */
    RSP_HALTER_PROCESS, /* it is a process, which its server or a user has stopped */
};

/*
 * Asks who halted the target, after it was found halted with a breakpoint's signal
 * (RSP_SIGNAL_TRAP). OpenOCD and QEMU give that signal to a breakpoint's halt only. Of other
 * servers it is decided by what they let one read: a Cortex-M's DFSR, a RISC-V hart's DCSR, the
 * instruction at which the core stands. Also describes the target as rsp_describe() does. The
 * guardian asks too, so nothing is allocated. Returns an error only if the connection fails.
 */
enum gdbmi_code rsp_ask_halter(struct rsp_link *link, enum rsp_halter *halter);

#endif
