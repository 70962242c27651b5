/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An s_prof with one block, byte by byte. */
#include "unit.h"

#include "object_checks.h"

void put_number(struct object *o, size_t at, size_t size, uint64_t value)
{
    for (size_t i = 0; i < size; i++)
        o->bytes[at + i] = (uint8_t)(value >> 8 * (o->big_endian ? size - 1 - i : i));
}

size_t entry(const struct object *o, size_t index)
{
    return DIRECTORY + 16 + index * o->entry_size;
}

void init_object(struct object *o, int shape, unsigned kind, unsigned unit, size_t entry_size,
                 size_t count)
{
    memset(o, 0, sizeof(*o));
    o->big_endian = shape & 1;
    o->addr_size = shape & 2 ? 8 : 4;
    o->entry_size = entry_size;
    o->count = count;
    put_number(o, 0, 4, 0x6672706d);
    put_number(o, 4, 1, 1);
    put_number(o, 5, 1, 1);
    put_number(o, 6, 1, o->addr_size);
    put_number(o, 7, 1, 1);
    put_number(o, 8, 2, HEADER);
    put_number(o, 12, 4, entry(o, count));
    put_number(o, 16, 4, 1);
    put_number(o, 20, 4, 77);
    put_number(o, 40, 4, 1000);
    put_number(o, 64, 4, 0xffffffab);
    put_number(o, 105, 1, 1);
    put_number(o, HEADER, 1, kind);
    put_number(o, HEADER + 1, 1, unit);
    put_number(o, HEADER + 4, 2, entry_size);
    put_number(o, HEADER + 6, 2, 1); /* led */
    put_number(o, HEADER + 8, 4, count);
    put_number(o, HEADER + 12, 4, DIRECTORY + 16);
}

static enum decode_code decode(struct object *o, char text[200])
{
    size_t need;

    return decode_header(o->bytes, entry(o, o->count), &o->header, &need, text, 200);
}

void decodes(struct object *o)
{
    char text[200] = "";

    if (decode(o, text) != DECODE_OK)
        fail_msg("%s", text);
}

void refuses(struct object *o, const char *word)
{
    char text[200] = "";

    assert_int_equal(decode(o, text), DECODE_EDAMAGED);
    if (!strstr(text, word))
        fail_msg("'%s' does not name '%s'", text, word);
}

size_t record_size(int shape)
{
    return shape & 2 ? 24 : 16;
}
