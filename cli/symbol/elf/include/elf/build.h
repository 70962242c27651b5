/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The two names of a build: build-id, and hash of the segments. See symtab_build(). */
#ifndef SYMBOL_BUILD_H
#define SYMBOL_BUILD_H

#include <elf/image.h>

/* Largest sizes of the names, bytes with the NUL. A longer build-id is cut. A hash has 20 bytes. */
#define BUILD_ID_MAX   (2 * 64 + 1)
#define BUILD_HASH_MAX (sizeof(SYMTAB_SEGMENTS) + 2 * 20)

/* Writes the build-id in hexadecimal, or "" if there is none or the budget is over. */
void build_id_read(const struct image *image, char text[BUILD_ID_MAX]);

/* Writes "seg-" and the hash of the segments in hexadecimal. Returns false and writes "" if the
 * file loads nothing, has changed, or reading was stopped. */
bool build_hash(const struct image *image, char text[BUILD_HASH_MAX]);

#endif
