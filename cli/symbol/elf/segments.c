/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes what a file loads and nobody writes to: by segments, or by the sections of one. */
#include <elf/segments.h>

#include <stdlib.h>

struct reader {
    struct segments *out;
    const struct image *image;
    struct budget *budget; /* the image's for symbols */
};

static int compare_segments(const void *a, const void *b)
{
    const struct symtab_segment *x = a;
    const struct symtab_segment *y = b;

    return (x->addr > y->addr) - (x->addr < y->addr);
}

static const uint8_t *stretch_bytes(struct reader *r, uint64_t offset, uint64_t size)
{
    if (r->image->bytes)
        return r->image->bytes + offset;
    if (!budget_take(r->budget, size))
        return NULL;
    uint8_t *copy = malloc((size_t)size);
    if (copy && !image_read(r->image, offset, copy, (size_t)size)) {
        free(copy);
        copy = NULL;
    }
    if (copy)
        r->out->copies[r->out->copy_count++] = copy;
    return copy;
}

/* Returns false if its bytes cannot be read. */
static bool take_stretch(struct reader *r, uint64_t addr, uint64_t offset, uint64_t size)
{
    struct segments *s = r->out;

    if (s->count == s->capacity) /* only if damaged segments overlap */
        return true;
    const uint8_t *bytes = stretch_bytes(r, offset, size);
    if (!bytes)
        return false;
    s->list[s->count++] = (struct symtab_segment){
        .addr = addr,
        .bytes = bytes,
        .len = (size_t)size,
    };
    return true;
}

/* Linker scripts often put code and .init_array, which counts as writable, into one segment: then
 * its sections say what nobody writes to. */
static bool take_constant_sections(struct reader *r, const GElf_Phdr *ph)
{
    const struct image *image = r->image;
    bool good = budget_work(r->budget, image->section_count);

    for (size_t i = 0; i < image->section_count && good; i++) {
        const struct section *s = &image->sections[i];
        if (s->constant && s->size != 0 && s->addr >= ph->p_vaddr && s->offset >= ph->p_offset &&
            s->addr - ph->p_vaddr == s->offset - ph->p_offset && s->size <= ph->p_filesz &&
            s->addr - ph->p_vaddr <= ph->p_filesz - s->size)
            good = take_stretch(r, s->addr, s->offset, s->size);
    }
    return good;
}

static bool take_all(struct reader *r, size_t count)
{
    bool good = true;
    GElf_Phdr ph;

    for (size_t i = 0; i < count && good; i++) {
        if (!gelf_getphdr(r->image->elf, (int)i, &ph) || ph.p_type != PT_LOAD ||
            ph.p_vaddr != ph.p_paddr || ph.p_filesz == 0)
            continue;
        if ((ph.p_flags & PF_W) == 0)
            good = take_stretch(r, ph.p_vaddr, ph.p_offset, ph.p_filesz);
        else
            good = take_constant_sections(r, &ph);
    }
    return good;
}

bool segments_read(struct segments *segments, const struct image *image, size_t functions)
{
    struct budget *budget = &image->budgets->symbols;
    struct reader r = {.out = segments, .image = image, .budget = budget};
    struct segments *s = segments;
    size_t count = 0;

    *s = (struct segments){.list = NULL};
    if (elf_getphdrnum(image->elf, &count) != 0 || count == 0)
        return true;
    s->capacity = count + image->section_count;
    s->list = calloc(s->capacity, sizeof(*s->list));
    s->copies = calloc(s->capacity, sizeof(*s->copies));
    if (!s->list || !s->copies)
        return false;
    bool good = take_all(&r, count);
    qsort(s->list, s->count, sizeof(*s->list), compare_segments);
    /* Whoever looks for what is in segments may compare each with all others and all functions. */
    return good && budget_work(budget, (uint64_t)s->count * (s->count + functions));
}

void segments_free(struct segments *segments)
{
    for (size_t i = 0; i < segments->copy_count; i++)
        free(segments->copies[i]);
    free(segments->list);
    free(segments->copies);
    *segments = (struct segments){.list = NULL};
}

void segments_move(struct segments *segments, uint64_t distance)
{
    for (size_t i = 0; i < segments->count; i++)
        segments->list[i].addr += distance;
}
