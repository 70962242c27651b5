/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A JTAG test access port with an instruction register of 4 bits, driven by remote_bitbang bytes.
 */
#include "jtag.h"

#define IR_BITS 4U
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

static void reset_tap(struct jtag *jtag)
{
    jtag->state = TAP_RESET;
    jtag->ir = jtag->device->reset_ir;
}

void jtag_init(struct jtag *jtag, const struct jtag_device *device)
{
    *jtag = (struct jtag){.device = device, .bits = 1};
    reset_tap(jtag);
}

static void enter(struct jtag *jtag, enum tap_state state)
{
    const struct jtag_device *device = jtag->device;

    jtag->state = state;
    switch (state) {
    case TAP_RESET:
        reset_tap(jtag);
        break;
    case TAP_CAPTURE_DR:
        jtag->shift = device->capture(device->context, jtag->ir, &jtag->bits);
        break;
    case TAP_UPDATE_DR:
        device->update(device->context, jtag->ir, jtag->shift);
        break;
    case TAP_CAPTURE_IR:
        jtag->shift = IR_CAPTURE;
        jtag->bits = IR_BITS;
        break;
    case TAP_UPDATE_IR:
        jtag->ir = (unsigned)jtag->shift & ((1U << IR_BITS) - 1U);
        break;
    default:
        break;
    }
}

static void rising_edge(struct jtag *jtag, bool tms, bool tdi)
{
    if (jtag->state == TAP_SHIFT_DR || jtag->state == TAP_SHIFT_IR)
        jtag->shift = jtag->shift >> 1 | (uint64_t)tdi << (jtag->bits - 1U);
    enum tap_state next = tap_next[jtag->state][tms];
    if (next != jtag->state || next == TAP_RESET)
        enter(jtag, next);
}

/* TDO changes on the falling edge of TCK. The driver samples it with TCK low, when the bit to come
 * out is the lowest one. */
static bool tdo(const struct jtag *jtag)
{
    return jtag->shift & 1U;
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
            reset_tap(jtag);
        else if (byte == 'Q')
            return -1;
    }
    return answers;
}
