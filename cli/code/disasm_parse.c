/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes instructions and data out of gdb's answers. */
#include "disasm_parse.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <base/number.h>

/* A longer text is cut: it holds the name of a symbol. */
#define TEXT_MAX 1000

static bool take_number(const char *text, uint64_t *number)
{
    return text && strncmp(text, "0x", 2) == 0 && number_parse_digits(text + 2, 16, number);
}

/* "46 f2 a8 13"; 0: it is not that. */
static unsigned take_bytes(const char *text, uint8_t *bytes)
{
    unsigned count = 0;
    unsigned value;
    int used;

    while (text && *text) {
        if (count == LISTING_BYTES_MAX || sscanf(text, "%2x%n", &value, &used) != 1 || used != 2)
            return 0;
        bytes[count++] = (uint8_t)value;
        text += used;
        text += *text == ' ';
    }
    return count;
}

/* One blank between mnemonic and operands, and nothing that a terminal obeys. */
static void copy_text(const char *from, char *to)
{
    size_t len = 0;

    for (; *from && len < TEXT_MAX; from++) {
        bool blank = *from == ' ' || *from == '\t';
        if (blank && (len == 0 || to[len - 1] == ' '))
            continue;
        bool control = (unsigned char)*from < ' ' || *from == 0x7f;
        to[len++] = blank ? ' ' : control ? '?' : *from;
    }
    while (len > 0 && to[len - 1] == ' ')
        len--;
    to[len] = '\0';
}

static bool take_one(const struct gdbmi_mi_value *value, struct listing_item *item)
{
    const char *text = gdbmi_mi_text(value, "inst");

    if (!take_number(gdbmi_mi_text(value, "address"), &item->addr) || !text)
        return false;
    item->size = take_bytes(gdbmi_mi_text(value, "opcodes"), item->bytes);
    copy_text(text, item->text);
    item->jumps = listing_jump(item->text, &item->target);
    return item->size > 0;
}

bool disasm_take(const struct gdbmi_mi_value *results, uint64_t end, struct listing *listing,
                 uint64_t *next)
{
    const struct gdbmi_mi_value *list = gdbmi_mi_get(results, "asm_insns");
    char text[TEXT_MAX + 1];

    for (const struct gdbmi_mi_value *v = list ? list->first : NULL; v; v = v->next) {
        struct listing_item item = {.text = text};
        if (!take_one(v, &item))
            return false;
        if (item.addr >= end)
            break;
        if (!listing_add(listing, &item))
            return false;
        *next = item.addr + item.size;
    }
    return list != NULL;
}

/* What a compiler would have written, so that it is assembled to the same bytes. */
static void word_text(const struct listing_item *item, bool big_endian, char *text, size_t capacity)
{
    static const char *const names[] = {[1] = ".byte", [2] = ".short", [4] = ".word"};
    uint32_t value = 0;

    for (unsigned i = 0; i < item->size; i++)
        value |= (uint32_t)item->bytes[i] << 8 * (big_endian ? item->size - 1 - i : i);
    snprintf(text, capacity, "%s 0x%0*" PRIx32, names[item->size], (int)(2 * item->size), value);
}

/* Bytes that make one number at addr. */
static unsigned word_size(uint64_t addr, uint64_t end)
{
    unsigned size = addr % 4 == 0 ? 4 : addr % 2 == 0 ? 2 : 1;

    while (size > end - addr)
        size /= 2;
    return size;
}

bool disasm_take_data(const struct gdbmi_mi_value *results, uint64_t addr, uint64_t end,
                      bool big_endian, struct listing *listing)
{
    const char *hex = gdbmi_mi_text(results, "memory.0.contents");
    char text[40];

    if (!hex || strlen(hex) / 2 < end - addr)
        return false;
    while (addr < end) {
        struct listing_item item = {
            .addr = addr, .size = word_size(addr, end), .text = text, .data = true};
        for (unsigned i = 0; i < item.size; i++, hex += 2) {
            unsigned value;
            if (sscanf(hex, "%2x", &value) != 1)
                return false;
            item.bytes[i] = (uint8_t)value;
        }
        word_text(&item, big_endian, text, sizeof(text));
        if (!listing_add(listing, &item))
            return false;
        addr += item.size;
    }
    return true;
}
