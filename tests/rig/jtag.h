/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A chain of JTAG test access ports, driven by remote_bitbang bytes. */
#ifndef RIG_JTAG_H
#define RIG_JTAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define JTAG_TAPS 4

/* IEEE 1149.1, figure 6-1. The order matters to the tables in jtag.c. */
enum tap_state {
    TAP_RESET,
    TAP_IDLE,
    TAP_SELECT_DR,
    TAP_CAPTURE_DR,
    TAP_SHIFT_DR,
    TAP_EXIT1_DR,
    TAP_PAUSE_DR,
    TAP_EXIT2_DR,
    TAP_UPDATE_DR,
    TAP_SELECT_IR,
    TAP_CAPTURE_IR,
    TAP_SHIFT_IR,
    TAP_EXIT1_IR,
    TAP_PAUSE_IR,
    TAP_EXIT2_IR,
    TAP_UPDATE_IR,
};

/* What stands behind the port. */
struct jtag_device {
    /* The value that register ir captures, and its length in bits (1..64). */
    uint64_t (*capture)(void *context, unsigned ir, unsigned *bits);
    /* The value that was shifted into register ir. */
    void (*update)(void *context, unsigned ir, uint64_t value);
    void *context;
    unsigned ir_bits;  /* length of the instruction register */
    unsigned reset_ir; /* the instruction that Test-Logic-Reset selects */
};

struct jtag_tap {
    struct jtag_device device;
    unsigned ir;
    uint64_t shift;
    unsigned bits; /* length of what is being shifted */
};

struct jtag {
    struct jtag_tap taps[JTAG_TAPS];
    int count;
    enum tap_state state; /* all taps follow the same TMS */
    bool tck;
    bool unplugged;  /* the cable: nothing of what is sent arrives, and TDO is low */
    bool plugging;   /* until the driver comes to rest */
    uint64_t bits;   /* that were shifted so far */
    uint64_t queues; /* of scans that the driver began, each to be answered as a whole */
};

/* A chain without taps. */
void jtag_init(struct jtag *jtag);

/* One more tap, further from TDO than those that are there; JTAG_TAPS at most. */
void jtag_add(struct jtag *jtag, const struct jtag_device *device);

/* Pulls the cable, and puts it in again: that waits until the driver is in Run-Test/Idle, so that
 * it and the taps agree on where they are. */
void jtag_unplug(struct jtag *jtag);
void jtag_plug(struct jtag *jtag);

/*
 * Obeys len bytes of OpenOCD's remote_bitbang protocol and stores the answers to 'R' in out, which
 * needs room for len bytes. Returns the number of answers, or -1 at 'Q' (the client says goodbye).
 * Bytes without a meaning here (SRST) are passed over. The driver lights the LED for each queue of
 * scans.
 */
long jtag_obey(struct jtag *jtag, const char *bytes, size_t len, char *out);

#endif
