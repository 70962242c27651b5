/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words and names of a target's threads. */
#include <kernel/kernel.h>

#include <string.h>

/* Bytes of a name that are read at a time: more may be beyond the end of memory. */
#define PIECE 16

static uint64_t number_of(const struct kernel *kernel, const uint8_t *bytes, size_t len)
{
    uint64_t number = 0;

    for (size_t i = 0; i < len; i++)
        number = number << 8 | bytes[kernel->big_endian ? i : len - 1 - i];
    return number;
}

bool kernel_read_word(const struct kernel *kernel, struct gdbmi_link *link, uint64_t addr,
                      uint64_t size, uint64_t *word)
{
    uint8_t bytes[sizeof(*word)];

    if (size == 0 || size > sizeof(bytes) || gdbmi_link_read(link, addr, bytes, size) != GDBMI_OK)
        return false;
    *word = number_of(kernel, bytes, size);
    return true;
}

/* Whether these bytes begin with a name that ends among them. */
static bool is_name(const char *bytes, size_t len)
{
    size_t i = 0;

    while (i < len && (unsigned char)bytes[i] >= ' ' && bytes[i] != 0x7f)
        i++;
    return i != 0 && i < len && bytes[i] == '\0';
}

/* What the program never writes is in the file. */
static bool read_bytes(const struct symtab *symtab, struct gdbmi_link *link, uint64_t addr,
                       char *bytes, size_t len)
{
    size_t there = 0;
    const uint8_t *constant = symtab_constant(symtab, addr, &there);

    if (!constant || there < len)
        return gdbmi_link_read(link, addr, bytes, len) == GDBMI_OK;
    memcpy(bytes, constant, len);
    return true;
}

/* A name that ends somewhere after addr; a longer one is cut. */
static bool read_text(const struct symtab *symtab, struct gdbmi_link *link, uint64_t addr,
                      char *name, size_t capacity)
{
    size_t len = 0;

    while (len + 1 < capacity) {
        size_t piece = capacity - 1 - len < PIECE ? capacity - 1 - len : PIECE;
        if (!read_bytes(symtab, link, addr + len, name + len, piece))
            return false;
        if (memchr(name + len, '\0', piece))
            return true;
        len += piece;
    }
    name[len] = '\0';
    return true;
}

bool kernel_read_name(const struct kernel *kernel, const struct symtab *symtab,
                      struct gdbmi_link *link, uint64_t block, char *name, size_t capacity)
{
    const struct kernel_field *field = &kernel->thread_name;
    size_t len = field->size < capacity ? (size_t)field->size : capacity;
    uint64_t addr = block + field->offset;
    bool done;

    name[0] = '\0';
    if (field->size == 0)
        return false;
    if (field->pointer) {
        done = kernel_read_word(kernel, link, addr, field->size, &addr) && addr != 0 &&
               read_text(symtab, link, addr, name, capacity);
        len = capacity;
    } else {
        done = gdbmi_link_read(link, addr, name, len) == GDBMI_OK;
        if (done && !memchr(name, '\0', len)) /* it fills its array, or is longer than is wanted */
            name[len < capacity ? len++ : len - 1] = '\0';
    }
    if (done && is_name(name, len))
        return true;
    name[0] = '\0';
    return false;
}
