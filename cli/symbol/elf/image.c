/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens an ELF file and refuses what is none, is damaged or is not linked. */
#define _GNU_SOURCE /* memrchr */

#include <elf/image.h>

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <base/file.h>
#include <base/sorted.h>

enum symtab_code image_complain(const struct complaint *complaint, enum symtab_code code,
                                const char *format, ...)
{
    va_list args;
    int used = snprintf(complaint->text, complaint->capacity, "%s: ", complaint->path);

    if (used >= 0 && (size_t)used < complaint->capacity) {
        va_start(args, format);
        vsnprintf(complaint->text + used, complaint->capacity - (size_t)used, format, args);
        va_end(args);
    }
    return code;
}

bool image_read(const struct image *image, uint64_t offset, void *to, size_t len)
{
    if (offset > image->len || len > image->len - offset)
        return false;
    if (image->bytes) {
        memcpy(to, image->bytes + offset, len);
        return true;
    }
    for (size_t have = 0; have < len;) {
        ssize_t got = pread(image->fd, (char *)to + have, len - have, (off_t)(offset + have));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        have += (size_t)got;
    }
    return true;
}

bool image_is_unchanged(const struct image *image)
{
    struct stat about;

    if (fstat(image->fd, &about) != 0)
        return false;
    const struct file_stamp now = file_stamp_of(&about);
    return file_stamp_same(&now, &image->stamp);
}

/* A file that shrinks meanwhile is as long as what could be read. */
static enum symtab_code read_whole(struct image *image, const struct complaint *complaint)
{
    image->bytes = malloc(image->len);
    if (!image->bytes)
        return image_complain(complaint, SYMTAB_ENOMEM, "out of memory for its %zu bytes",
                              image->len);
    if (!file_read(image->fd, image->bytes, image->len, &image->len))
        return image_complain(complaint, SYMTAB_EOPEN, "%s", strerror(errno));
    return SYMTAB_OK;
}

static bool lies_within(const struct image *image, uint64_t offset, uint64_t len)
{
    return offset <= image->len && len <= image->len - offset;
}

Elf_Data *image_data(const struct image *image, Elf_Scn *scn, struct budget *budget)
{
    GElf_Shdr sh;

    if (!scn || !gelf_getshdr(scn, &sh) || !lies_within(image, sh.sh_offset, sh.sh_size))
        return NULL;
    struct section *section = &image->sections[elf_ndxscn(scn)];
    if (!section->taken && !budget_take(budget, sh.sh_size))
        return NULL;
    section->taken = true;
    return elf_getdata(scn, NULL);
}

const uint8_t *image_section(const struct image *image, Elf *elf, const char *name,
                             const char *packed_name, size_t *len)
{
    *len = 0;
    for (size_t i = 1; i < image->section_count; i++) {
        const struct section *s = &image->sections[i];
        if (!s->stored || (strcmp(s->name, name) != 0 && strcmp(s->name, packed_name) != 0))
            continue;
        Elf_Data *data = elf_rawdata(elf_getscn(elf, i), NULL);
        *len = data && data->d_buf ? data->d_size : 0;
        return *len ? data->d_buf : NULL;
    }
    return NULL;
}

/* elf_strptr() would look for the end of each string as far as the end of the table. */
struct strings image_strings(const struct image *image, size_t section)
{
    Elf_Scn *scn = section != 0 ? elf_getscn(image->elf, section) : NULL;
    GElf_Shdr sh;

    if (!scn || !gelf_getshdr(scn, &sh) || sh.sh_type != SHT_STRTAB ||
        (sh.sh_flags & SHF_COMPRESSED) != 0)
        return (struct strings){.bytes = NULL};
    const Elf_Data *data = image_data(image, scn, &image->budgets->symbols);
    const char *last = data && data->d_buf ? memrchr(data->d_buf, 0, data->d_size) : NULL;
    if (!last)
        return (struct strings){.bytes = NULL};
    return (struct strings){.bytes = data->d_buf, .len = (size_t)(last - (char *)data->d_buf) + 1};
}

static enum symtab_code open_file(struct image *image, size_t whole_max,
                                  const struct complaint *complaint)
{
    char why[FILE_WHY_MAX];
    struct stat about;

    image->fd = file_open(complaint->path, "an ELF file", &about, why);
    if (image->fd < 0)
        return image_complain(complaint, SYMTAB_EOPEN, "%s", why);
    image->stamp = file_stamp_of(&about);
    if (image->stamp.size == 0)
        return image_complain(complaint, SYMTAB_EFORMAT, "the file is empty");
    image->len = (size_t)image->stamp.size;
    if (image->len > whole_max)
        return SYMTAB_OK;
    enum symtab_code code = read_whole(image, complaint);
    close(image->fd);
    image->fd = -1;
    return code;
}

static enum symtab_code check_header(struct image *image, const struct complaint *complaint)
{
    char magic[SELFMAG];

    if (!image_read(image, 0, magic, SELFMAG) || memcmp(magic, ELFMAG, SELFMAG) != 0)
        return image_complain(complaint, SYMTAB_EFORMAT,
                              "not an ELF file; give the linker's output, not a .bin or .hex");
    if (elf_version(EV_CURRENT) == EV_NONE)
        return image_complain(complaint, SYMTAB_EFORMAT, "libelf is too old");
    image->elf = image->bytes ? elf_memory((char *)image->bytes, image->len)
                              : elf_begin(image->fd, ELF_C_READ, NULL);
    if (!image->elf || elf_kind(image->elf) != ELF_K_ELF ||
        !gelf_getehdr(image->elf, &image->header))
        return image_complain(complaint, SYMTAB_EFORMAT,
                              "a damaged ELF file: its header is invalid");
    switch (image->header.e_type) {
    case ET_EXEC:
    case ET_DYN:
        return SYMTAB_OK;
    case ET_REL:
        return image_complain(complaint, SYMTAB_EFORMAT,
                              "an object file that is not linked yet: give the linked ELF file");
    default:
        return image_complain(complaint, SYMTAB_EFORMAT, "an ELF file of type %u, not a program",
                              (unsigned)image->header.e_type);
    }
}

static enum symtab_code cut_short(const struct image *image, const struct complaint *complaint,
                                  const char *what)
{
    return image_complain(complaint, SYMTAB_EFORMAT,
                          "cut short or damaged: %s is outside the file's %zu bytes", what,
                          image->len);
}

static enum symtab_code check_segments(const struct image *image, const struct complaint *complaint)
{
    const GElf_Ehdr *e = &image->header;
    size_t count = 0;
    GElf_Phdr ph;

    if (e->e_phnum != 0 && !lies_within(image, e->e_phoff, (uint64_t)e->e_phnum * e->e_phentsize))
        return cut_short(image, complaint, "the table of segments");
    if (elf_getphdrnum(image->elf, &count) < 0)
        return image_complain(complaint, SYMTAB_EFORMAT, "a damaged ELF file: %s", elf_errmsg(-1));
    for (size_t i = 0; i < count; i++) {
        if (!gelf_getphdr(image->elf, (int)i, &ph))
            return image_complain(complaint, SYMTAB_EFORMAT, "a damaged ELF file: %s",
                                  elf_errmsg(-1));
        if (ph.p_type == PT_LOAD && !lies_within(image, ph.p_offset, ph.p_filesz))
            return cut_short(image, complaint, "a segment");
    }
    return SYMTAB_OK;
}

static enum symtab_code take_section(struct image *image, size_t index, const struct strings *names,
                                     const struct complaint *complaint)
{
    Elf_Scn *scn = elf_getscn(image->elf, index);
    GElf_Shdr sh;

    if (!scn || !gelf_getshdr(scn, &sh))
        return image_complain(complaint, SYMTAB_EFORMAT, "a damaged ELF file: %s", elf_errmsg(-1));
    bool nobits = sh.sh_type == SHT_NOBITS || sh.sh_type == SHT_NULL;
    if (!nobits && !lies_within(image, sh.sh_offset, sh.sh_size))
        return cut_short(image, complaint, "a section");
    if (sh.sh_size > UINT64_MAX - sh.sh_addr)
        return image_complain(complaint, SYMTAB_EFORMAT,
                              "a damaged ELF file: a section is too large");
    const char *name = strings_at(names, sh.sh_name);
    image->sections[index] = (struct section){
        .name = name ? name : "",
        .addr = sh.sh_addr,
        .size = sh.sh_size,
        .alloc = (sh.sh_flags & SHF_ALLOC) != 0 && (sh.sh_flags & SHF_TLS) == 0,
        .exec = (sh.sh_flags & SHF_EXECINSTR) != 0,
        .offset = sh.sh_offset,
        .stored = !nobits,
        .constant = !nobits && (sh.sh_flags & SHF_ALLOC) != 0 && (sh.sh_flags & SHF_WRITE) == 0,
    };
    return SYMTAB_OK;
}

static enum symtab_code take_sections(struct image *image, const struct complaint *complaint)
{
    const GElf_Ehdr *e = &image->header;
    enum symtab_code code = SYMTAB_OK;
    size_t names_section = 0;

    if (e->e_shoff != 0 && !lies_within(image, e->e_shoff, (uint64_t)e->e_shnum * e->e_shentsize))
        return cut_short(image, complaint, "the table of sections");
    if (elf_getshdrnum(image->elf, &image->section_count) < 0)
        return image_complain(complaint, SYMTAB_EFORMAT, "a damaged ELF file: %s", elf_errmsg(-1));
    if (image->section_count > image->len)
        return image_complain(complaint, SYMTAB_EFORMAT, "a damaged ELF file: too many sections");
    image->sections = calloc(image->section_count + 1, sizeof(*image->sections));
    if (!image->sections)
        return image_complain(complaint, SYMTAB_ENOMEM, "out of memory for its sections");
    if (elf_getshdrstrndx(image->elf, &names_section) != 0)
        names_section = 0;
    const struct strings names = image_strings(image, names_section);
    for (size_t i = 0; i < image->section_count && code == SYMTAB_OK; i++)
        code = take_section(image, i, &names, complaint);
    return code;
}

static enum symtab_code open_budgets(struct image *image, bool (*stop)(void),
                                     const struct complaint *complaint)
{
    image->budgets = calloc(1, sizeof(*image->budgets));
    if (!image->budgets)
        return image_complain(complaint, SYMTAB_ENOMEM, "out of memory");
    budget_open(&image->budgets->symbols, image->len, stop);
    budget_open(&image->budgets->debug, image->len, stop);
    return SYMTAB_OK;
}

static int compare_extents(const void *a, const void *b)
{
    const struct extent *x = a;
    const struct extent *y = b;

    return (x->start > y->start) - (x->start < y->start);
}

static void join_extents(struct image *image)
{
    struct extent *all = image->code;
    size_t kept = 0;

    for (size_t i = 1; i < image->code_count; i++) {
        if (all[i].start > all[kept].end)
            all[++kept] = all[i];
        else if (all[i].end > all[kept].end)
            all[kept].end = all[i].end;
    }
    image->code_count = kept + 1;
}

static enum symtab_code take_code(struct image *image, const struct complaint *complaint)
{
    image->code = calloc(image->section_count + 1, sizeof(*image->code));
    if (!image->code)
        return image_complain(complaint, SYMTAB_ENOMEM, "out of memory for its sections");
    for (size_t i = 1; i < image->section_count; i++) {
        const struct section *s = &image->sections[i];
        if (s->alloc && s->exec && s->size != 0)
            image->code[image->code_count++] =
                (struct extent){.start = s->addr, .end = s->addr + s->size};
    }
    if (image->code_count > 1) {
        qsort(image->code, image->code_count, sizeof(*image->code), compare_extents);
        join_extents(image);
    }
    return SYMTAB_OK;
}

bool image_is_code(const struct image *image, uint64_t addr)
{
    size_t behind =
        sorted_up_to(SORTED_BY(image->code, image->code_count, struct extent, start), addr);

    return behind != 0 && addr < image->code[behind - 1].end;
}

enum symtab_code image_open(struct image *image, size_t whole_max, bool (*stop)(void),
                            const struct complaint *complaint)
{
    *image = (struct image){.fd = -1};
    enum symtab_code code = open_file(image, whole_max, complaint);
    if (code == SYMTAB_OK)
        code = open_budgets(image, stop, complaint);
    if (code == SYMTAB_OK)
        code = check_header(image, complaint);
    if (code == SYMTAB_OK)
        code = check_segments(image, complaint);
    if (code == SYMTAB_OK)
        code = take_sections(image, complaint);
    if (code == SYMTAB_OK)
        code = take_code(image, complaint);
    return code;
}

void image_close(struct image *image)
{
    elf_end(image->elf);
    if (image->fd >= 0)
        close(image->fd);
    free(image->budgets);
    free(image->code);
    free(image->sections);
    free(image->bytes);
    *image = (struct image){.fd = -1};
}
