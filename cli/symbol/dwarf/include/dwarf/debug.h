/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The debug information of an ELF file, opened when it is first needed. */
#ifndef SYMBOL_DEBUG_H
#define SYMBOL_DEBUG_H

#include <elfutils/libdw.h>

#include <elf/image.h>

struct debug;

/* Creates the object without opening anything. The image must live as long. The caller frees it.
 * Returns NULL if memory runs out. */
struct debug *debug_new(const struct image *image);
/* NULL is allowed and does nothing. */
void debug_free(struct debug *debug);

/* Returns the image. */
const struct image *debug_image(const struct debug *debug);

/* Returns libdw's handle, which debug owns; the first call opens it. Returns NULL if there is no
 * debug information, the file has changed before the first call, or the budget is over. */
Dwarf *debug_dwarf(struct debug *debug);

/* Returns an unpacked section of the debug information, by either of two names (".debug_line",
 * ".zdebug_line"), and sets *len. It lives as long as debug. Call debug_dwarf() first. Returns NULL
 * if there is no such section. */
const uint8_t *debug_section(const struct debug *debug, const char *name, const char *packed_name,
                             size_t *len);

#endif
