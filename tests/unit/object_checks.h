/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An s_prof with one block, byte by byte, by docs/layout.md and not by the stub's structs. */
#ifndef OBJECT_CHECKS_H
#define OBJECT_CHECKS_H

#include <profile/decode.h>

#define HEADER     112
#define DIRECTORY  (HEADER + 16)
#define LEAD       DIRECTORY
#define OBJECT_MAX 4096

/* One object with one block behind a lead of 16 bytes. */
struct object {
    bool big_endian;
    unsigned addr_size;
    size_t entry_size, count;
    uint8_t bytes[OBJECT_MAX];
    struct decode_header header;
};

/* A shape: bit 0 is big-endian, bit 1 is 64 bits. */
void init_object(struct object *o, int shape, unsigned kind, unsigned unit, size_t entry_size,
                 size_t count);
void put_number(struct object *o, size_t at, size_t size, uint64_t value);

/* Where an entry of the block begins. */
size_t entry(const struct object *o, size_t index);

void decodes(struct object *o);

/* The error's text has the word in it. */
void refuses(struct object *o, const char *word);

/* Bytes of a record of a stream, and of an arc. */
size_t record_size(int shape);

#endif
