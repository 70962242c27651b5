/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A faulty wire between a client and a server. */
#include "wire.h"

#include <stdio.h>
#include <string.h>

#define DELAY_MAX_MS 8
#define NO_ACK       "QStartNoAckMode"

static const char *const names[WIRE_FAULTS] = {
    [WIRE_NONE] = "none",     [WIRE_DELAY] = "delay",     [WIRE_SPLIT] = "split",
    [WIRE_MERGE] = "merge",   [WIRE_FLIP] = "flip",       [WIRE_DROP] = "drop",
    [WIRE_DOUBLE] = "double", [WIRE_SILENT] = "silent",   [WIRE_CLOSE] = "close",
    [WIRE_NAK] = "nak",       [WIRE_CONSOLE] = "console", [WIRE_STOP] = "stop",
};

const char *wire_fault_name(enum wire_fault fault)
{
    return names[fault];
}

enum wire_fault wire_fault_find(const char *name)
{
    int fault = 0;

    while (fault < WIRE_FAULTS && strcmp(names[fault], name) != 0)
        fault++;
    return (enum wire_fault)fault;
}

static uint32_t draw(struct wire *wire)
{
    wire->random ^= wire->random << 13;
    wire->random ^= wire->random >> 17;
    wire->random ^= wire->random << 5;
    return wire->random;
}

static void plan_next(struct wire *wire)
{
    wire->next = wire->passed + wire->plan.gap + draw(wire) % (wire->plan.gap + 1);
}

void wire_init(struct wire *wire, const struct wire_plan *plan, wire_put *put, void *context)
{
    *wire = (struct wire){.plan = *plan, .put = put, .context = context, .random = plan->seed};
    for (int i = 0; i < 8; i++)
        draw(wire);
    wire->next = plan->clean + draw(wire) % 64;
}

unsigned wire_delay_ms(struct wire *wire)
{
    return wire->plan.fault == WIRE_DELAY ? draw(wire) % DELAY_MAX_MS : 0;
}

static void pass_on(struct wire *wire, enum wire_direction direction)
{
    struct wire_side *side = &wire->sides[direction];

    if (side->out_len > 0)
        wire->put(wire->context, direction, side->out, side->out_len);
    side->out_len = 0;
}

void wire_quiet(struct wire *wire)
{
    pass_on(wire, WIRE_UP);
    pass_on(wire, WIRE_DOWN);
}

static void append(struct wire *wire, enum wire_direction direction, char byte)
{
    struct wire_side *side = &wire->sides[direction];

    side->out[side->out_len++] = byte;
    if (side->out_len == sizeof(side->out) || wire->plan.fault == WIRE_SPLIT)
        pass_on(wire, direction);
}

static void append_packet(struct wire *wire, const char *payload)
{
    char packet[64];
    unsigned sum = 0;

    for (const char *at = payload; *at != '\0'; at++)
        sum += (unsigned char)*at;
    snprintf(packet, sizeof(packet), "$%s#%02x", payload, sum % 256);
    for (const char *at = packet; *at != '\0'; at++)
        append(wire, WIRE_DOWN, *at);
    wire->faults++;
}

/* Between two packets of the server. */
static void intrude(struct wire *wire)
{
    if (wire->passed < wire->plan.clean || draw(wire) % 2 != 0)
        return;
    if (wire->plan.fault == WIRE_CONSOLE)
        append_packet(wire, draw(wire) % 4 != 0 ? "O6e6f6973650a" : "O");
    else if (wire->plan.fault == WIRE_STOP)
        append_packet(wire, draw(wire) % 2 != 0 ? "T05thread:01;" : "T02thread:01;");
}

/* A client gives up after some refusals in a row. */
static bool is_refused(struct wire *wire)
{
    bool refuse = wire->plan.fault == WIRE_NAK && !wire->no_ack &&
                  wire->passed >= wire->plan.clean && wire->refused < 2 && draw(wire) % 2 == 0;

    wire->refused = refuse ? wire->refused + 1 : 0;
    return refuse;
}

static void begin_packet(struct wire *wire, enum wire_direction direction)
{
    struct wire_side *side = &wire->sides[direction];

    side->inside = true;
    side->begin_len = 0;
    if (direction == WIRE_DOWN)
        intrude(wire);
    else
        side->swallow = is_refused(wire);
}

static void end_packet(struct wire *wire, enum wire_direction direction)
{
    struct wire_side *side = &wire->sides[direction];

    side->inside = false;
    if (direction == WIRE_DOWN) {
        intrude(wire);
    } else if (side->swallow) {
        wire->faults++;
        append(wire, WIRE_DOWN, '-');
    } else if (side->begin_len == strlen(NO_ACK) &&
               memcmp(side->begin, NO_ACK, strlen(NO_ACK)) == 0) {
        wire->no_ack = true;
    }
    side->swallow = false;
}

/* A byte of packets, or between them. */
static void follow(struct wire *wire, enum wire_direction direction, char byte)
{
    struct wire_side *side = &wire->sides[direction];
    bool ends = side->digits > 0 && --side->digits == 0;

    if (byte == '$' && !side->inside)
        begin_packet(wire, direction);
    else if (byte == '#' && side->inside && side->digits == 0 && !ends)
        side->digits = 2;
    else if (side->inside && side->digits == 0 && !ends && side->begin_len < sizeof(side->begin))
        side->begin[side->begin_len++] = byte;
    if (!side->swallow)
        append(wire, direction, byte);
    if (ends)
        end_packet(wire, direction);
}

static void damage(struct wire *wire, enum wire_direction direction, char byte)
{
    wire->faults++;
    plan_next(wire);
    switch (wire->plan.fault) {
    case WIRE_FLIP:
        append(wire, direction, (char)(byte ^ 1 << draw(wire) % 8));
        break;
    case WIRE_DOUBLE:
        append(wire, direction, byte);
        append(wire, direction, byte);
        break;
    case WIRE_SILENT:
        wire->silent = true;
        break;
    case WIRE_CLOSE:
        wire->closed = true;
        break;
    default: /* WIRE_DROP */
        break;
    }
}

void wire_feed(struct wire *wire, enum wire_direction direction, const char *bytes, size_t len)
{
    enum wire_fault fault = wire->plan.fault;
    bool damages = fault >= WIRE_FLIP && fault <= WIRE_CLOSE;

    for (size_t i = 0; i < len && !wire->silent && !wire->closed; i++, wire->passed++) {
        if (damages && wire->passed >= wire->next)
            damage(wire, direction, bytes[i]);
        else if (fault >= WIRE_NAK)
            follow(wire, direction, bytes[i]);
        else
            append(wire, direction, bytes[i]);
    }
    if (fault != WIRE_MERGE)
        wire_quiet(wire);
}
