/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hashes the loaded segments of an ELF file. */
#include "segment_hash.h"

#include <string.h>

#define CHUNK 16384

static void add_number(struct sha1 *sha1, uint64_t number)
{
    uint8_t bytes[8];

    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = (uint8_t)(number >> (8 * i));
    sha1_add(sha1, bytes, sizeof(bytes));
}

/* Clears what the chunk, len bytes from offset of the file, has of size bytes from start. */
static void wipe(uint8_t *chunk, uint64_t offset, uint64_t len, uint64_t start, uint64_t size)
{
    uint64_t end = offset + len;
    uint64_t from = start > offset ? start : offset;
    uint64_t to = size < end - start ? start + size : end;

    if (start < end && from < to)
        memset(chunk + (from - offset), 0, (size_t)(to - from));
}

static bool add_segment(struct sha1 *sha1, const struct image *image, const GElf_Phdr *ph)
{
    const GElf_Ehdr *e = &image->header;
    uint8_t chunk[CHUNK];

    add_number(sha1, ph->p_vaddr);
    add_number(sha1, ph->p_filesz);
    for (uint64_t at = 0; at < ph->p_filesz;) {
        uint64_t left = ph->p_filesz - at;
        size_t len = left < CHUNK ? (size_t)left : CHUNK;
        if (budget_asked_to_stop(&image->budgets->symbols) ||
            !image_read(image, ph->p_offset + at, chunk, len))
            return false;
        wipe(chunk, ph->p_offset + at, len, 0, e->e_ehsize);
        wipe(chunk, ph->p_offset + at, len, e->e_phoff, (uint64_t)e->e_phnum * e->e_phentsize);
        sha1_add(sha1, chunk, len);
        at += len;
    }
    return true;
}

/* A file of debug information alone still tells of the sections whose bytes it lacks. */
static bool lacks_code(const struct image *image)
{
    bool lacks = false;

    for (size_t i = 0; i < image->section_count; i++) {
        const struct section *s = &image->sections[i];
        if (s->alloc && s->exec && s->stored && s->size)
            return false;
        lacks |= s->alloc && s->exec && s->size;
    }
    return lacks;
}

/* What is read is bounded: segments of a damaged file may all have the same bytes. */
static bool add_segments(struct sha1 *sha1, const struct image *image)
{
    uint64_t left = 2 * (uint64_t)image->len;
    size_t count = 0;
    bool some = false;
    GElf_Phdr ph;

    if (elf_getphdrnum(image->elf, &count) != 0)
        return false;
    for (size_t i = 0; i < count; i++) {
        if (!gelf_getphdr(image->elf, (int)i, &ph))
            return false;
        if (ph.p_type != PT_LOAD || ph.p_filesz == 0)
            continue;
        if (ph.p_filesz > left || !add_segment(sha1, image, &ph))
            return false;
        left -= ph.p_filesz;
        some = true;
    }
    return some;
}

bool segment_hash(const struct image *image, uint8_t digest[SHA1_LEN])
{
    struct sha1 sha1;

    sha1_init(&sha1);
    if (lacks_code(image) || !add_segments(&sha1, image) ||
        (!image->bytes && !image_is_unchanged(image)))
        return false;
    sha1_end(&sha1, digest);
    return true;
}
