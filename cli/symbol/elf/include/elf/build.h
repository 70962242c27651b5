/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The name of a build: see symtab_build(). */
#ifndef SYMBOL_BUILD_H
#define SYMBOL_BUILD_H

#include <elf/image.h>

/* Bytes of a name, with its NUL. A hash has 20 bytes, two digits each. */
#define BUILD_ID_MAX   (2 * 64 + 1)
#define BUILD_HASH_MAX (sizeof(SYMTAB_SEGMENTS) + 2 * 20)

/* Writes the digits of the build-id, "" if there is none or the budget does not allow to look. */
void build_id_read(const struct image *image, char text[BUILD_ID_MAX]);

/* Writes "seg-" and the digits of segment_hash(). Returns false, and text is "", if there is none.
 */
bool build_hash(const struct image *image, char text[BUILD_HASH_MAX]);

#endif
