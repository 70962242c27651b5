/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names a build: by its build-id, or by a hash of what it loads. */
#include <elf/build.h>

#include <elfutils/libdwelf.h>
#include <string.h>

#include "segment_hash.h"

/* Notes may overlap, and each one is read to its end. */
static bool may_read_notes(const struct image *image)
{
    struct budget *budget = &image->budgets->symbols;
    size_t count = 0;
    GElf_Phdr ph;
    GElf_Shdr sh;
    bool good = elf_getphdrnum(image->elf, &count) == 0;

    for (size_t i = 0; i < count && good; i++)
        if (gelf_getphdr(image->elf, (int)i, &ph) && ph.p_type == PT_NOTE)
            good = budget_work(budget, ph.p_filesz);
    for (size_t i = 1; i < image->section_count && good; i++)
        if (gelf_getshdr(elf_getscn(image->elf, i), &sh) && sh.sh_type == SHT_NOTE)
            good = budget_work(budget, sh.sh_size);
    return good;
}

static void print_hex(const uint8_t *bytes, size_t len, char *text)
{
    static const char digits[] = "0123456789abcdef";

    for (size_t i = 0; i < len; i++) {
        text[2 * i] = digits[bytes[i] >> 4];
        text[2 * i + 1] = digits[bytes[i] & 15];
    }
    text[2 * len] = '\0';
}

void build_id_read(const struct image *image, char text[BUILD_ID_MAX])
{
    const size_t max = (BUILD_ID_MAX - 1) / 2;
    const void *note = NULL;
    ssize_t len = may_read_notes(image) ? dwelf_elf_gnu_build_id(image->elf, &note) : 0;

    text[0] = '\0';
    if (len > 0)
        print_hex(note, (size_t)len < max ? (size_t)len : max, text);
}

bool build_hash(const struct image *image, char text[BUILD_HASH_MAX])
{
    uint8_t digest[SHA1_LEN];

    text[0] = '\0';
    if (!segment_hash(image, digest))
        return false;
    memcpy(text, SYMTAB_SEGMENTS, sizeof(SYMTAB_SEGMENTS));
    print_hex(digest, sizeof(digest), text + strlen(SYMTAB_SEGMENTS));
    return true;
}
