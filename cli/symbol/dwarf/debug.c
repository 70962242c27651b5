/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens the debug information within its budget: of a large file, that of a copy. */
#include <dwarf/debug.h>

#include <stdlib.h>
#include <string.h>

#include "debug_bounds.h"
#include "debug_copy.h"

struct debug {
    const struct image *image;
    bool tried;
    struct debug_copy copy;
    Elf *elf; /* of the copy, NULL: the image's own */
    Dwarf *dwarf;
};

static bool has_debug(const struct image *image)
{
    for (size_t i = 1; i < image->section_count; i++)
        if (strcmp(image->sections[i].name, ".debug_info") == 0 ||
            strcmp(image->sections[i].name, ".zdebug_info") == 0)
            return true;
    return false;
}

static void open_copy(struct debug *d)
{
    const struct image *image = d->image;

    if (!has_debug(image) || !image_is_unchanged(image))
        return;
    if (!debug_copy_make(&d->copy, image) || !image_is_unchanged(image))
        return;
    d->elf = elf_memory(d->copy.bytes, d->copy.len);
    if (d->elf && bounds_unpack(image, d->elf))
        d->dwarf = dwarf_begin_elf(d->elf, DWARF_C_READ, NULL);
}

static void close_all(struct debug *d)
{
    dwarf_end(d->dwarf);
    elf_end(d->elf);
    debug_copy_free(&d->copy);
    *d = (struct debug){.image = d->image, .tried = d->tried};
}

/* The handle that the debug information is read by. */
static Elf *handle_of(const struct debug *d)
{
    return d->elf ? d->elf : d->image->elf;
}

struct debug *debug_new(const struct image *image)
{
    struct debug *debug = calloc(1, sizeof(*debug));

    if (debug)
        debug->image = image;
    return debug;
}

void debug_free(struct debug *debug)
{
    if (!debug)
        return;
    close_all(debug);
    free(debug);
}

const struct image *debug_image(const struct debug *debug)
{
    return debug->image;
}

Dwarf *debug_dwarf(struct debug *debug)
{
    struct debug *d = debug;
    struct budget *budget = &d->image->budgets->debug;
    uint64_t before = budget->bytes;

    if (d->tried)
        return d->dwarf;
    d->tried = true;
    if (!d->image->bytes) {
        open_copy(d);
    } else if (bounds_unpack(d->image, d->image->elf)) {
        d->dwarf = dwarf_begin_elf(d->image->elf, DWARF_C_READ, NULL);
        before = budget->bytes; /* what it unpacked stays until the image is closed */
    }
    if (!d->dwarf || !bounds_units(d->image, handle_of(d))) {
        close_all(d);
        budget_give(budget, before - budget->bytes);
    }
    d->tried = !budget->stopped; /* who was stopped may ask again */
    return d->dwarf;
}

const uint8_t *debug_section(const struct debug *debug, const char *name, const char *packed_name,
                             size_t *len)
{
    *len = 0;
    return debug->dwarf ? image_section(debug->image, handle_of(debug), name, packed_name, len)
                        : NULL;
}
