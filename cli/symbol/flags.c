/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How an ELF file was built: options of its compiler, and frame information. */
#include <string.h>

#include "producers.h"
#include "symtab_private.h"

static bool has_section(const struct image *image, const char *name)
{
    for (size_t i = 0; i < image->section_count; i++) {
        if (image->sections[i].size != 0 && strcmp(image->sections[i].name, name) == 0)
            return true;
    }
    return false;
}

void symtab_read_flags(const struct symtab *symtab, struct symtab_flags *flags)
{
    const struct image *image = &symtab->image;

    *flags = (struct symtab_flags){
        .debug_frame = has_section(image, ".debug_frame"),
        .eh_frame = has_section(image, ".eh_frame"),
        .exidx = has_section(image, ".ARM.exidx"),
    };
    producers_read(symtab->debug, flags);
}
