/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads what arguments point to, as it is when their line is printed. */
#include "strings.h"

#include <elf.h>
#include <string.h>

#include <base/signals.h>
#include <trace/arguments.h>

/* Memory begins and ends at multiples of this many bytes. */
#define UNIT 64

/* Reading a register of a peripheral may change it. Where these are is known for processes, which
 * have none, and for Arm (Armv7-M Architecture Reference Manual, B3.1: code, SRAM, external RAM).
 * Of others, only sections of the ELF file are known to be memory. */
static bool is_memory(const struct symtab *symtab, uint64_t addr)
{
    uint64_t region = addr >> 29;

    switch (symtab_elf(symtab)->machine) {
    case EM_X86_64:
        return true;
    case EM_ARM:
        return region <= 1 || region == 3 || region == 4;
    default:
        return symtab_has_section(symtab, addr);
    }
}

static enum watch_peek read_string(const struct watch *watch, uint64_t addr,
                                   char text[TRACE_STRING_KEPT + 1])
{
    size_t part = UNIT - addr % UNIT;
    size_t first = part < TRACE_STRING_KEPT ? part : TRACE_STRING_KEPT;
    enum watch_peek peek = watch_peek(watch, addr, text, first);

    if (peek == WATCH_PEEK_DONE && first < TRACE_STRING_KEPT && !memchr(text, '\0', first))
        peek = watch_peek(watch, addr + first, text + first, TRACE_STRING_KEPT - first);
    text[TRACE_STRING_KEPT] = '\0';
    return peek;
}

bool contents_add(struct trace_points *points, uint32_t type, uint64_t addr, const uint8_t *bytes,
                  size_t len)
{
    static const char digits[] = "0123456789abcdef";
    char text[2 * TRACE_STRUCTURE + 1];
    const struct trace_name name = {.type = type, .first = addr, .size = 1, .text = text};
    size_t used = 0;

    for (size_t i = 0; i < len && i < TRACE_STRUCTURE; i++) {
        text[used++] = digits[bytes[i] >> 4];
        text[used++] = digits[bytes[i] & 0xf];
    }
    text[used] = '\0';
    return trace_add_name(points, &name);
}

/* Whether something may be read at an address, which then counts. */
static bool may_read(const struct symtab *symtab, const struct trace_points *points, uint64_t addr,
                     unsigned *left)
{
    if (*left == 0 || !is_memory(symtab, addr) || trace_find_name(points, TRACE_GONE, addr))
        return false;
    --*left;
    return true;
}

bool contents_read(const struct watch *watch, const struct symtab *symtab,
                   struct trace_points *points, uint64_t addr, size_t len, unsigned *left)
{
    uint8_t bytes[TRACE_STRUCTURE];
    const struct trace_name gone = {.type = TRACE_GONE, .first = addr, .size = 1, .text = ""};

    len = len < sizeof(bytes) ? len : sizeof(bytes);
    /* A shorter structure may be the first member of this one. */
    const struct trace_name *kept = trace_find_name(points, TRACE_CONTENT_NOW, addr);
    bool shorter = kept && strlen(kept->text) < 2 * len;
    if ((kept && !shorter) || !may_read(symtab, points, addr, left))
        return true;
    signals_hold(true);
    enum watch_peek peek = watch_peek(watch, addr, bytes, len);
    signals_hold(false);
    if (peek == WATCH_PEEK_DONE)
        return contents_add(points, TRACE_CONTENT_NOW, addr, bytes, len);
    *left = peek == WATCH_PEEK_NEVER ? 0 : *left;
    return peek == WATCH_PEEK_NEVER || shorter || trace_add_name(points, &gone);
}

bool strings_read(const struct watch *watch, const struct symtab *symtab,
                  struct trace_points *points, uint64_t addr, unsigned *left)
{
    char text[TRACE_STRING_KEPT + 1];
    struct trace_name name = {.first = addr, .size = 1, .text = text};

    if (trace_find_name(points, TRACE_NOW, addr) || !may_read(symtab, points, addr, left))
        return true;
    signals_hold(true);
    enum watch_peek peek = read_string(watch, addr, text);
    signals_hold(false);
    if (peek == WATCH_PEEK_NEVER) {
        *left = 0;
        return true;
    }
    name.type = peek == WATCH_PEEK_DONE ? TRACE_NOW : TRACE_GONE;
    if (peek == WATCH_PEEK_GONE)
        name.text = "";
    return trace_add_name(points, &name);
}
