/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A name for a build that has no build-id: a hash of what its ELF file loads. */
#ifndef SYMBOL_SEGMENT_HASH_H
#define SYMBOL_SEGMENT_HASH_H

#include <elf/image.h>

#include "sha1.h"

/*
 * SHA-1 of the PT_LOAD segments that have bytes in the file, in the file's order: of each the
 * address in memory and the number of bytes, both as 8 bytes with the low one first, then the
 * bytes. The ELF header and the table of program headers count as zeros where they are loaded:
 * strip and objcopy change them, and nothing else of this. False if there are no such segments, if
 * the file has debug information but no code, if the bytes cannot be read, if a large file has
 * changed since it was opened, or if the image's stop says so.
 */
bool segment_hash(const struct image *image, uint8_t digest[SHA1_LEN]);

#endif
