/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes a copy of a large file's debug information that nobody can write over. */
#define _GNU_SOURCE

#include "image_debug.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "debug_bounds.h"

#define CHUNK ((size_t)1 << 18)

/* What is copied between two looks at the budget. */
#define STRETCH ((uint64_t)4 << 20)

struct image_debug {
    bool tried;
    void *map; /* of the copy, NULL: there is none */
    size_t map_len;
    bool mapped; /* else map was allocated */
    Elf *elf;    /* of the copy, NULL: the image's own */
    Dwarf *dwarf;
};

/* Where the copied bytes go: a file, or memory where none can be had. */
struct copy {
    const struct image *image;
    int fd;
    uint8_t *memory;
};

static int open_in(const char *folder)
{
    char path[4096];
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

    if (fd >= 0)
        return fd;
    int len = snprintf(path, sizeof(path), "%s/mprof-XXXXXX", folder);
    if (len < 0 || (size_t)len >= sizeof(path))
        return -1;
    fd = mkostemp(path, O_CLOEXEC);
    if (fd >= 0)
        unlink(path);
    return fd;
}

/* /var/tmp is on a disk where /tmp may be memory. */
static int open_temporary(void)
{
    const char *folders[] = {getenv("TMPDIR"), "/var/tmp", "/tmp"};
    int fd = -1;

    for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]) && fd < 0; i++)
        if (folders[i] && folders[i][0] == '/')
            fd = open_in(folders[i]);
    return fd;
}

static bool write_all(int fd, const char *bytes, size_t len, uint64_t offset)
{
    while (len > 0) {
        ssize_t done = pwrite(fd, bytes, len, (off_t)offset);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        bytes += done;
        offset += (uint64_t)done;
        len -= (size_t)done;
    }
    return true;
}

static bool copy_by_hand(const struct copy *copy, uint64_t offset, uint64_t len)
{
    char *buffer = malloc(CHUNK);
    bool good = buffer != NULL;

    while (good && len > 0) {
        size_t part = len < CHUNK ? (size_t)len : CHUNK;
        good = image_read(copy->image, offset, buffer, part) &&
               write_all(copy->fd, buffer, part, offset);
        offset += part;
        len -= part;
        good = good && budget_work(&copy->image->budgets->debug, 1);
    }
    free(buffer);
    return good;
}

/* The same bytes to the same place. */
static bool copy_range(const struct copy *copy, uint64_t offset, uint64_t len)
{
    /* Sections that overlap would have one file copied again and again. */
    if (offset > copy->image->len || len > copy->image->len - offset ||
        !budget_work(&copy->image->budgets->debug, len / 4))
        return false;
    if (copy->fd < 0)
        return image_read(copy->image, offset, copy->memory + offset, (size_t)len);
    while (len > 0) {
        off_t from = (off_t)offset;
        off_t to = from;
        size_t part = (size_t)(len < STRETCH ? len : STRETCH);
        ssize_t done = copy_file_range(copy->image->fd, &from, copy->fd, &to, part, 0);
        if (done <= 0)
            return copy_by_hand(copy, offset, len);
        offset += (uint64_t)done;
        len -= (uint64_t)done;
        if (!budget_pause(&copy->image->budgets->debug, 1))
            return false;
    }
    return true;
}

static bool begins_with(const char *name, const char *start)
{
    return strncmp(name, start, strlen(start)) == 0;
}

/* Of the rest, zeros are enough; what says where variables are is most of it. */
static bool is_wanted(const struct section *s)
{
    static const char *const unused[] = {".debug_loc", ".debug_aranges", ".debug_macro",
                                         ".debug_pub", ".debug_gnu_pub", ".debug_frame"};

    if (!s->stored || s->alloc)
        return false;
    for (size_t i = 0; i < sizeof(unused) / sizeof(unused[0]); i++)
        if (begins_with(s->name, unused[i]))
            return false;
    return begins_with(s->name, ".debug") || begins_with(s->name, ".zdebug") ||
           begins_with(s->name, ".gnu_debug") || strcmp(s->name, ".shstrtab") == 0;
}

static bool copy_parts(const struct copy *copy)
{
    const struct image *image = copy->image;
    const GElf_Ehdr *e = &image->header;
    bool good = copy_range(copy, 0, e->e_ehsize) &&
                copy_range(copy, e->e_phoff, (uint64_t)e->e_phnum * e->e_phentsize) &&
                copy_range(copy, e->e_shoff, (uint64_t)image->section_count * e->e_shentsize);

    for (size_t i = 1; good && i < image->section_count; i++)
        if (is_wanted(&image->sections[i]))
            good = copy_range(copy, image->sections[i].offset, image->sections[i].size);
    return good;
}

static bool copy_to_file(struct image_debug *d, const struct image *image)
{
    struct copy copy = {.image = image, .fd = open_temporary()};

    if (copy.fd < 0)
        return false;
    if (ftruncate(copy.fd, (off_t)image->len) == 0 && copy_parts(&copy)) {
        /* libelf writes to the headers of what it unpacks. */
        void *map = mmap(NULL, image->len, PROT_READ | PROT_WRITE, MAP_PRIVATE, copy.fd, 0);
        if (map != MAP_FAILED)
            d->map = map;
    }
    close(copy.fd);
    d->mapped = d->map != NULL;
    return d->mapped;
}

static bool copy_to_memory(struct image_debug *d, const struct image *image)
{
    struct copy copy = {.image = image, .fd = -1, .memory = calloc(1, image->len)};

    d->map = copy.memory;
    return copy.memory && copy_parts(&copy);
}

static bool has_debug(const struct image *image)
{
    for (size_t i = 1; i < image->section_count; i++)
        if (strcmp(image->sections[i].name, ".debug_info") == 0 ||
            strcmp(image->sections[i].name, ".zdebug_info") == 0)
            return true;
    return false;
}

static void open_copy(struct image_debug *d, const struct image *image)
{
    if (!has_debug(image) || !image_is_unchanged(image))
        return;
    d->map_len = image->len;
    if (!copy_to_file(d, image) && !copy_to_memory(d, image))
        return;
    if (!image_is_unchanged(image))
        return;
    d->elf = elf_memory(d->map, d->map_len);
    if (d->elf && bounds_unpack(image, d->elf))
        d->dwarf = dwarf_begin_elf(d->elf, DWARF_C_READ, NULL);
}

static void close_all(struct image_debug *d)
{
    dwarf_end(d->dwarf);
    elf_end(d->elf);
    if (d->mapped)
        munmap(d->map, d->map_len);
    else
        free(d->map);
    *d = (struct image_debug){.tried = d->tried};
}

struct image_debug *image_debug_new(void)
{
    return calloc(1, sizeof(struct image_debug));
}

void image_debug_free(struct image_debug *debug)
{
    if (!debug)
        return;
    close_all(debug);
    free(debug);
}

Dwarf *image_dwarf(const struct image *image)
{
    struct image_debug *d = image->debug;
    struct budget *budget = &image->budgets->debug;
    uint64_t before = budget->bytes;

    if (d->tried)
        return d->dwarf;
    d->tried = true;
    if (!image->bytes) {
        open_copy(d, image);
    } else if (bounds_unpack(image, image->elf)) {
        d->dwarf = dwarf_begin_elf(image->elf, DWARF_C_READ, NULL);
        before = budget->bytes; /* what it unpacked stays until the image is closed */
    }
    if (!d->dwarf || !bounds_units(image)) {
        close_all(d);
        budget_give(budget, before - budget->bytes);
    }
    d->tried = !budget->stopped; /* who was stopped may ask again */
    return d->dwarf;
}

const uint8_t *image_debug_section(const struct image *image, const char *name,
                                   const char *packed_name, size_t *len)
{
    Elf *elf = image->debug->elf ? image->debug->elf : image->elf;

    *len = 0;
    for (size_t i = 1; image->debug->dwarf && i < image->section_count; i++) {
        const struct section *s = &image->sections[i];
        if (!s->stored || (strcmp(s->name, name) != 0 && strcmp(s->name, packed_name) != 0))
            continue;
        Elf_Data *data = elf_rawdata(elf_getscn(elf, i), NULL);
        *len = data && data->d_buf ? data->d_size : 0;
        return *len ? data->d_buf : NULL;
    }
    return NULL;
}
