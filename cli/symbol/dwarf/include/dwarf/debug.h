/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The debug information of an ELF file, opened when somebody asks. */
#ifndef SYMBOL_DEBUG_H
#define SYMBOL_DEBUG_H

#include <elfutils/libdw.h>

#include <elf/image.h>

struct debug;

/* Opens nothing yet. The image must live as long. Returns NULL if memory runs out. */
struct debug *debug_new(const struct image *image);
void debug_free(struct debug *debug);

const struct image *debug_image(const struct debug *debug);

/* The debug information, opened at the first call; debug owns it. NULL: there is none, the file has
 * changed before the first call, or its budget is over. */
Dwarf *debug_dwarf(struct debug *debug);

/* A section of the debug information, unpacked, after debug_dwarf(); both names are looked for.
 * NULL: it has none. Lives as long as debug. */
const uint8_t *debug_section(const struct debug *debug, const char *name, const char *packed_name,
                             size_t *len);

#endif
