/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Copies the debug information of a large file to a temporary file, or to memory. */
#define _GNU_SOURCE

#include "debug_copy.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define CHUNK ((size_t)1 << 18)

/* What is copied between two looks at the budget. */
#define STRETCH ((uint64_t)4 << 20)

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

static bool copy_to_file(struct debug_copy *out, const struct image *image)
{
    struct copy copy = {.image = image, .fd = open_temporary()};

    if (copy.fd < 0)
        return false;
    if (ftruncate(copy.fd, (off_t)image->len) == 0 && copy_parts(&copy)) {
        /* libelf writes to the headers of what it unpacks. */
        void *map = mmap(NULL, image->len, PROT_READ | PROT_WRITE, MAP_PRIVATE, copy.fd, 0);
        if (map != MAP_FAILED)
            out->bytes = map;
    }
    close(copy.fd);
    out->mapped = out->bytes != NULL;
    return out->mapped;
}

static bool copy_to_memory(struct debug_copy *out, const struct image *image)
{
    struct copy copy = {.image = image, .fd = -1, .memory = calloc(1, image->len)};

    out->bytes = copy.memory;
    return copy.memory && copy_parts(&copy);
}

bool debug_copy_make(struct debug_copy *copy, const struct image *image)
{
    *copy = (struct debug_copy){.len = image->len};
    return copy_to_file(copy, image) || copy_to_memory(copy, image);
}

void debug_copy_free(struct debug_copy *copy)
{
    if (copy->mapped)
        munmap(copy->bytes, copy->len);
    else
        free(copy->bytes);
    *copy = (struct debug_copy){.bytes = NULL};
}
