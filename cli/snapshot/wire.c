/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Protocol buffers' outermost layer: numbers of fields and what they hold. */
#include "wire.h"

#include <stdlib.h>
#include <string.h>

#include <base/vec.h>

bool wire_varint(struct wire_cursor *c, uint64_t *number)
{
    uint64_t value = 0;

    for (unsigned shift = 0; shift < 64 && c->at < c->end; shift += 7) {
        uint8_t byte = *c->at++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            *number = value;
            return true;
        }
    }
    return false;
}

static bool item_bytes(struct wire_cursor *c, struct wire_item *item, uint64_t len)
{
    if (len > (size_t)(c->end - c->at))
        return false;
    item->bytes = c->at;
    item->len = (size_t)len;
    c->at += len;
    return true;
}

bool wire_next(struct wire_cursor *c, struct wire_item *item)
{
    uint64_t tag, len;

    *item = (struct wire_item){.field = 0};
    if (!wire_varint(c, &tag) || tag >> 3 == 0)
        return false;
    item->field = tag >> 3;
    item->kind = (enum wire_kind)(tag & 7);
    switch (item->kind) {
    case WIRE_VARINT:
        return wire_varint(c, &item->number);
    case WIRE_FIXED64:
        return item_bytes(c, item, 8);
    case WIRE_FIXED32:
        return item_bytes(c, item, 4);
    case WIRE_BYTES:
        return wire_varint(c, &len) && item_bytes(c, item, len);
    }
    return false;
}

static uint8_t *room(struct wire_out *out, size_t len)
{
    out->failed = out->failed || !VEC_ROOM(out->bytes, out->capacity, out->len, len);
    if (out->failed)
        return NULL;
    out->len += len;
    return out->bytes + out->len - len;
}

void wire_put_varint(struct wire_out *out, uint64_t number)
{
    do {
        uint8_t *byte = room(out, 1);
        if (!byte)
            return;
        *byte = (uint8_t)(number >= 0x80 ? number | 0x80 : number);
        number >>= 7;
    } while (number != 0);
}

void wire_put_number(struct wire_out *out, enum wire_field field, uint64_t number)
{
    if (number == 0)
        return;
    wire_put_varint(out, (uint64_t)field << 3 | WIRE_VARINT);
    wire_put_varint(out, number);
}

uint8_t *wire_put_room(struct wire_out *out, enum wire_field field, size_t len)
{
    wire_put_varint(out, (uint64_t)field << 3 | WIRE_BYTES);
    wire_put_varint(out, len);
    return room(out, len);
}

void wire_put_bytes(struct wire_out *out, enum wire_field field, const void *bytes, size_t len)
{
    uint8_t *to = wire_put_room(out, field, len);

    if (to && len)
        memcpy(to, bytes, len);
}
