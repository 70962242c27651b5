/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A chain of JTAG test access ports, driven by remote_bitbang bytes. */
#include "jtag.h"

/* IEEE 1149.1 wants 01 in the low bits, so that a broken chain shows. */
#define IR_CAPTURE 1U

/* The next state, by the state and TMS. */
static const unsigned char tap_next[16][2] = {
    [TAP_RESET] = {TAP_IDLE, TAP_RESET},
    [TAP_IDLE] = {TAP_IDLE, TAP_SELECT_DR},
    [TAP_SELECT_DR] = {TAP_CAPTURE_DR, TAP_SELECT_IR},
    [TAP_CAPTURE_DR] = {TAP_SHIFT_DR, TAP_EXIT1_DR},
    [TAP_SHIFT_DR] = {TAP_SHIFT_DR, TAP_EXIT1_DR},
    [TAP_EXIT1_DR] = {TAP_PAUSE_DR, TAP_UPDATE_DR},
    [TAP_PAUSE_DR] = {TAP_PAUSE_DR, TAP_EXIT2_DR},
    [TAP_EXIT2_DR] = {TAP_SHIFT_DR, TAP_UPDATE_DR},
    [TAP_UPDATE_DR] = {TAP_IDLE, TAP_SELECT_DR},
    [TAP_SELECT_IR] = {TAP_CAPTURE_IR, TAP_RESET},
    [TAP_CAPTURE_IR] = {TAP_SHIFT_IR, TAP_EXIT1_IR},
    [TAP_SHIFT_IR] = {TAP_SHIFT_IR, TAP_EXIT1_IR},
    [TAP_EXIT1_IR] = {TAP_PAUSE_IR, TAP_UPDATE_IR},
    [TAP_PAUSE_IR] = {TAP_PAUSE_IR, TAP_EXIT2_IR},
    [TAP_EXIT2_IR] = {TAP_SHIFT_IR, TAP_UPDATE_IR},
    [TAP_UPDATE_IR] = {TAP_IDLE, TAP_SELECT_DR},
};

void jtag_init(struct jtag *jtag)
{
    *jtag = (struct jtag){.state = TAP_RESET};
}

void jtag_add(struct jtag *jtag, const struct jtag_device *device)
{
    jtag->taps[jtag->count++] =
        (struct jtag_tap){.device = *device, .ir = device->reset_ir, .bits = 1};
}

static void act(struct jtag_tap *tap, enum tap_state state)
{
    const struct jtag_device *device = &tap->device;

    switch (state) {
    case TAP_RESET:
        tap->ir = device->reset_ir;
        break;
    case TAP_CAPTURE_DR:
        tap->shift = device->capture(device->context, tap->ir, &tap->bits);
        break;
    case TAP_UPDATE_DR:
        device->update(device->context, tap->ir, tap->shift);
        break;
    case TAP_CAPTURE_IR:
        tap->shift = IR_CAPTURE;
        tap->bits = device->ir_bits;
        break;
    case TAP_UPDATE_IR:
        tap->ir = (unsigned)tap->shift & ((1U << device->ir_bits) - 1U);
        break;
    default:
        break;
    }
}

/* TDI goes into the last tap, and what falls out of each into the one before it. */
static void shift(struct jtag *jtag, bool tdi)
{
    uint64_t in = tdi;

    for (int i = jtag->count - 1; i >= 0; i--) {
        struct jtag_tap *tap = &jtag->taps[i];
        uint64_t out = tap->shift & 1U;
        tap->shift = tap->shift >> 1 | in << (tap->bits - 1U);
        in = out;
    }
}

static void enter(struct jtag *jtag, enum tap_state state)
{
    jtag->state = state;
    if (jtag->plugging && state == TAP_IDLE)
        jtag->unplugged = jtag->plugging = false;
    for (int i = 0; i < jtag->count && !jtag->unplugged; i++)
        act(&jtag->taps[i], state);
}

static void rising_edge(struct jtag *jtag, bool tms, bool tdi)
{
    if (jtag->state == TAP_SHIFT_DR || jtag->state == TAP_SHIFT_IR) {
        shift(jtag, tdi);
        jtag->bits++;
    }
    enum tap_state next = tap_next[jtag->state][tms];
    if (next != jtag->state || next == TAP_RESET)
        enter(jtag, next);
}

void jtag_unplug(struct jtag *jtag)
{
    jtag->unplugged = true;
    jtag->plugging = false;
}

void jtag_plug(struct jtag *jtag)
{
    jtag->plugging = jtag->unplugged;
    if (jtag->state == TAP_IDLE)
        enter(jtag, TAP_IDLE);
}

/* TDO changes on the falling edge of TCK. The driver samples it with TCK low, when the bit to come
 * out is the lowest one. */
static bool tdo(const struct jtag *jtag)
{
    return !jtag->unplugged && (jtag->count == 0 || (jtag->taps[0].shift & 1U));
}

static void pins(struct jtag *jtag, unsigned levels)
{
    bool tck = levels & 4U;
    if (tck && !jtag->tck)
        rising_edge(jtag, levels & 2U, levels & 1U);
    jtag->tck = tck;
}

long jtag_obey(struct jtag *jtag, const char *bytes, size_t len, char *out)
{
    long answers = 0;

    for (size_t i = 0; i < len; i++) {
        char byte = bytes[i];
        if (byte >= '0' && byte <= '7')
            pins(jtag, (unsigned)(byte - '0'));
        else if (byte == 'R')
            out[answers++] = tdo(jtag) ? '1' : '0';
        else if (byte == 't' || byte == 'u')
            enter(jtag, TAP_RESET);
        else if (byte == 'B')
            jtag->queues++;
        else if (byte == 'Q')
            return -1;
    }
    return answers;
}
