/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One ELF file's names, lines and bytes behind the public interface. */
#define _POSIX_C_SOURCE 200809L

#include <symbol/symtab.h>

#include <elfutils/libdwelf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "functions.h"
#include "inlines.h"
#include "lines.h"
#include "load.h"
#include "map.h"
#include "segment_hash.h"
#include "tables.h"

/* A loader moves a program by whole pages; the smallest ones are meant. */
#define PAGE 4096

/* What the budget did not allow while loading. */
enum trouble {
    TROUBLE_NONE,
    TROUBLE_SEGMENTS,
    TROUBLE_TITLES, /* names as people know them */
    TROUBLE_NAMES,  /* any */
};

struct symtab {
    struct symtab_elf elf;
    struct image image;
    struct functions functions; /* at the file's own addresses, as all that is inside */
    struct symtab_function
        *moved; /* the same at the loaded program's; NULL: there is no difference */
    struct symtab_segment *segments; /* at the loaded program's */
    uint64_t bias;                   /* from the file's addresses to those of the loaded program */
    struct map map;                  /* of addresses of the loaded program */
    size_t segment_count;
    size_t segment_capacity;
    uint8_t **copies; /* bytes of segments, where the image has not all */
    size_t copy_count;
    bool debug_tried; /* what follows was made, as far as it could be */
    struct units *units;
    struct sources *sources;
    struct lines *lines;
    struct inlines *inlines;
    char *path;
    enum trouble trouble;
    char build_id[2 * 64 + 1];
    bool hash_tried;
    char hash[sizeof(SYMTAB_SEGMENTS) + 2 * SHA1_LEN]; /* of the segments, "": not known */
};

/* The words that gdb's "set architecture" begins with. */
static const char *arch_of(unsigned machine)
{
    static const struct {
        unsigned machine;
        const char *word;
    } words[] = {
        {EM_ARM, "arm"},
        {EM_RISCV, "riscv"},
        {EM_AARCH64, "aarch64"},
        {EM_386, "i386"},
        {EM_X86_64, "i386"},
        {EM_XTENSA, "xtensa"},
        {EM_MIPS, "mips"},
        {EM_PPC, "powerpc"},
        {EM_PPC64, "powerpc"},
        {EM_AVR, "avr"},
        {EM_MSP430, "msp430"},
        {EM_SPARC, "sparc"},
        {EM_SH, "sh"},
        {EM_68K, "m68k"},
        {EM_RX, "rx"},
        {EM_S390, "s390"},
        {EM_LOONGARCH, "Loongarch"},
    };

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (words[i].machine == machine)
            return words[i].word;
    return "";
}

/* Notes may overlap, and each one is read to its end. */
static bool may_read_notes(const struct symtab *t)
{
    struct budget *budget = &t->image.budgets->symbols;
    size_t count = 0;
    GElf_Phdr ph;
    GElf_Shdr sh;
    bool good = elf_getphdrnum(t->image.elf, &count) == 0;

    for (size_t i = 0; i < count && good; i++)
        if (gelf_getphdr(t->image.elf, (int)i, &ph) && ph.p_type == PT_NOTE)
            good = budget_work(budget, ph.p_filesz);
    for (size_t i = 1; i < t->image.section_count && good; i++)
        if (gelf_getshdr(elf_getscn(t->image.elf, i), &sh) && sh.sh_type == SHT_NOTE)
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

static void take_build_id(struct symtab *t)
{
    const size_t max = (sizeof(t->build_id) - 1) / 2;
    const void *note = NULL;
    ssize_t len = may_read_notes(t) ? dwelf_elf_gnu_build_id(t->image.elf, &note) : 0;

    if (len > 0)
        print_hex(note, (size_t)len < max ? (size_t)len : max, t->build_id);
}

static const char *hash_of(struct symtab *t)
{
    uint8_t digest[SHA1_LEN];

    if (!t->hash_tried && segment_hash(&t->image, digest)) {
        memcpy(t->hash, SYMTAB_SEGMENTS, sizeof(SYMTAB_SEGMENTS));
        print_hex(digest, sizeof(digest), t->hash + strlen(SYMTAB_SEGMENTS));
    }
    /* who was stopped may ask again */
    t->hash_tried = t->hash[0] || !budget_asked_to_stop(&t->image.budgets->symbols);
    return t->hash;
}

static int compare_segments(const void *a, const void *b)
{
    const struct symtab_segment *x = a;
    const struct symtab_segment *y = b;

    return (x->addr > y->addr) - (x->addr < y->addr);
}

static const uint8_t *stretch_bytes(struct symtab *t, uint64_t offset, uint64_t size)
{
    if (t->image.bytes)
        return t->image.bytes + offset;
    if (!budget_take(&t->image.budgets->symbols, size))
        return NULL;
    uint8_t *copy = malloc((size_t)size);
    if (copy && !image_read(&t->image, offset, copy, (size_t)size)) {
        free(copy);
        copy = NULL;
    }
    if (copy)
        t->copies[t->copy_count++] = copy;
    return copy;
}

/* false: its bytes can't be had. */
static bool take_stretch(struct symtab *t, uint64_t addr, uint64_t offset, uint64_t size)
{
    if (t->segment_count == t->segment_capacity) /* only where damaged segments overlap */
        return true;
    const uint8_t *bytes = stretch_bytes(t, offset, size);
    if (!bytes)
        return false;
    t->segments[t->segment_count++] = (struct symtab_segment){
        .addr = addr,
        .bytes = bytes,
        .len = (size_t)size,
    };
    return true;
}

/* Linker scripts often put code and .init_array, which counts as writable, into one segment: then
 * its sections say what nobody writes to. */
static bool take_constant_sections(struct symtab *t, const GElf_Phdr *ph)
{
    bool good = true;

    good = budget_work(&t->image.budgets->symbols, t->image.section_count);
    for (size_t i = 0; i < t->image.section_count && good; i++) {
        const struct section *s = &t->image.sections[i];
        if (s->constant && s->size != 0 && s->addr >= ph->p_vaddr && s->offset >= ph->p_offset &&
            s->addr - ph->p_vaddr == s->offset - ph->p_offset && s->size <= ph->p_filesz &&
            s->addr - ph->p_vaddr <= ph->p_filesz - s->size)
            good = take_stretch(t, s->addr, s->offset, s->size);
    }
    return good;
}

/* Whoever looks for what is in segments may compare each of them with all others and with all
 * functions. */
static bool may_compare_segments(const struct symtab *t)
{
    uint64_t count = t->segment_count;

    return budget_work(&t->image.budgets->symbols, count * (count + t->functions.count));
}

static bool take_segments(struct symtab *t)
{
    size_t count = 0;
    bool good = true;
    GElf_Phdr ph;

    if (elf_getphdrnum(t->image.elf, &count) != 0 || count == 0)
        return true;
    t->segment_capacity = count + t->image.section_count;
    t->segments = calloc(t->segment_capacity, sizeof(*t->segments));
    t->copies = calloc(t->segment_capacity, sizeof(*t->copies));
    if (!t->segments || !t->copies)
        return false;
    for (size_t i = 0; i < count && good; i++) {
        if (!gelf_getphdr(t->image.elf, (int)i, &ph) || ph.p_type != PT_LOAD ||
            ph.p_vaddr != ph.p_paddr || ph.p_filesz == 0)
            continue;
        if ((ph.p_flags & PF_W) == 0)
            good = take_stretch(t, ph.p_vaddr, ph.p_offset, ph.p_filesz);
        else
            good = take_constant_sections(t, &ph);
    }
    qsort(t->segments, t->segment_count, sizeof(*t->segments), compare_segments);
    return good && may_compare_segments(t);
}

static void describe(struct symtab *t)
{
    const GElf_Ehdr *e = &t->image.header;

    take_build_id(t);
    t->elf = (struct symtab_elf){
        .path = t->path,
        .arch = arch_of(e->e_machine),
        .build_id = t->build_id,
        .entry = t->image.header.e_entry,
        .machine = e->e_machine,
        .addr_size = e->e_ident[EI_CLASS] == ELFCLASS64 ? 8 : 4,
        .big_endian = e->e_ident[EI_DATA] == ELFDATA2MSB,
    };
}

/* What is too much of the symbol table is left out. */
static enum symtab_code read_functions(struct symtab *t, const struct complaint *complaint)
{
    struct functions *f = &t->functions;

    if (functions_read(f, &t->image))
        return SYMTAB_OK;
    if (!t->image.budgets->symbols.spent)
        return image_complain(complaint, SYMTAB_ENOMEM, "no memory for its symbols");
    t->trouble = f->span_count != 0 ? TROUBLE_TITLES : TROUBLE_NAMES;
    if (t->trouble == TROUBLE_NAMES)
        functions_free(f);
    return SYMTAB_OK;
}

static void drop_segments(struct symtab *t)
{
    for (size_t i = 0; i < t->copy_count; i++)
        free(t->copies[i]);
    t->segment_count = t->copy_count = 0;
}

static enum symtab_code read_segments(struct symtab *t, const struct complaint *complaint)
{
    if (take_segments(t))
        return SYMTAB_OK;
    if (!t->image.budgets->symbols.spent)
        return image_complain(complaint, SYMTAB_EOPEN, "what it loads can't be read");
    if (t->trouble == TROUBLE_NONE)
        t->trouble = TROUBLE_SEGMENTS;
    drop_segments(t);
    return SYMTAB_OK;
}

static enum symtab_code read_all(struct symtab *t, const struct complaint *complaint)
{
    const struct budgets *budgets = t->image.budgets;
    enum symtab_code code = read_functions(t, complaint);

    if (code == SYMTAB_OK)
        code = read_segments(t, complaint);
    if (budgets->symbols.stopped || budgets->debug.stopped)
        code = image_complain(complaint, SYMTAB_ESTOPPED, "reading it was interrupted");
    return code;
}

static enum symtab_code load(const char *path, size_t whole_max, bool (*stop)(void),
                             struct symtab **symtab, char *text, size_t capacity)
{
    struct complaint complaint = {.path = path, .text = text, .capacity = capacity};
    struct symtab *t = calloc(1, sizeof(*t));
    enum symtab_code code = SYMTAB_ENOMEM;

    if (t)
        t->path = strdup(path);
    if (!t || !t->path) {
        image_complain(&complaint, code, "no memory");
        goto out;
    }
    code = image_open(&t->image, whole_max, stop, &complaint);
    if (code != SYMTAB_OK)
        goto out;
    code = read_all(t, &complaint);
    if (code != SYMTAB_OK)
        goto out;
    describe(t);
    *symtab = t;
    return SYMTAB_OK;
out:
    symtab_free(t);
    return code;
}

enum symtab_code symtab_load(const char *path, struct symtab **symtab, char *text, size_t capacity)
{
    return load(path, IMAGE_WHOLE_MAX, NULL, symtab, text, capacity);
}

enum symtab_code symtab_load_by(const char *path, size_t whole_max, struct symtab **symtab,
                                char *text, size_t capacity)
{
    return load(path, whole_max, NULL, symtab, text, capacity);
}

enum symtab_code symtab_load_until(const char *path, bool (*stop)(void), struct symtab **symtab,
                                   char *text, size_t capacity)
{
    return load(path, IMAGE_WHOLE_MAX, stop, symtab, text, capacity);
}

const struct budgets *symtab_budgets(const struct symtab *symtab)
{
    return symtab->image.budgets;
}

bool symtab_trouble(const struct symtab *symtab, char *text, size_t capacity)
{
    static const char *const lines[] = {
        [TROUBLE_SEGMENTS] = "it loads more than its size allows, or was made to harm: it can't be "
                             "compared with the target",
        [TROUBLE_TITLES] = "its symbol table is too large or was made to harm: names are shown as "
                           "compilers wrote them",
        [TROUBLE_NAMES] = "its symbol table is too large or was made to harm: addresses are shown "
                          "in place of names",
    };
    const char *line = lines[symtab->trouble];

    if (symtab->image.budgets->debug.spent && symtab->trouble != TROUBLE_NAMES)
        line = "its debug information is too large or was made to harm: source lines and inlined "
               "functions may be missing";
    if (line)
        snprintf(text, capacity, "%s: %s", symtab->path, line);
    return line != NULL;
}

void symtab_free(struct symtab *symtab)
{
    if (!symtab)
        return;
    map_free(&symtab->map);
    lines_free(symtab->lines);
    inlines_free(symtab->inlines);
    sources_free(symtab->sources);
    units_free(symtab->units);
    free(symtab->moved);
    functions_free(&symtab->functions);
    free(symtab->segments);
    drop_segments(symtab);
    free(symtab->copies);
    image_close(&symtab->image);
    free(symtab->path);
    free(symtab);
}

const struct symtab_elf *symtab_elf(const struct symtab *symtab)
{
    return &symtab->elf;
}

const char *symtab_build(struct symtab *symtab)
{
    return symtab->build_id[0] ? symtab->build_id : hash_of(symtab);
}

enum symtab_build symtab_compare_build(struct symtab *symtab, const char *build)
{
    bool hash = strncmp(build, SYMTAB_SEGMENTS, strlen(SYMTAB_SEGMENTS)) == 0;
    const char *own = hash ? hash_of(symtab) : symtab->build_id;

    if (!build[0] || !own[0])
        return SYMTAB_BUILD_UNKNOWN;
    return strcmp(own, build) == 0 ? SYMTAB_BUILD_SAME : SYMTAB_BUILD_OTHER;
}

static bool move_functions(struct symtab *t, uint64_t bias)
{
    size_t count = t->functions.count;
    struct symtab_function *moved = calloc(count ? count : 1, sizeof(*moved));

    if (!moved)
        return false;
    for (size_t i = 0; i < count; i++) {
        moved[i] = t->functions.functions[i];
        moved[i].addr += bias;
    }
    free(t->moved);
    t->moved = moved;
    return true;
}

enum symtab_code symtab_relocate(struct symtab *symtab, uint64_t entry, char *text, size_t capacity)
{
    struct complaint complaint = {.path = symtab->path, .text = text, .capacity = capacity};
    const GElf_Ehdr *e = &symtab->image.header;
    uint64_t bias = entry - e->e_entry;

    if (bias % PAGE != 0 || (bias != 0 && e->e_type != ET_DYN))
        return image_complain(&complaint, SYMTAB_EFORMAT,
                              "it begins at 0x%" PRIx64 ", and the program that runs at 0x%" PRIx64
                              ": that is another one",
                              (uint64_t)e->e_entry, entry);
    if (!move_functions(symtab, bias))
        return image_complain(&complaint, SYMTAB_ENOMEM, "no memory for its symbols");
    for (size_t i = 0; i < symtab->segment_count; i++)
        symtab->segments[i].addr += bias - symtab->bias;
    symtab->bias = symtab->elf.bias = bias;
    return SYMTAB_OK;
}

static const struct symtab_function *public_functions(const struct symtab *t)
{
    return t->moved ? t->moved : t->functions.functions;
}

static const struct symtab_function *own_function(const struct symtab *t, uint64_t addr)
{
    const struct symtab_function *f = spans_find(&t->functions, addr - t->bias);

    return f ? &public_functions(t)[f - t->functions.functions] : NULL;
}

static bool own_code(const struct symtab *t, uint64_t addr)
{
    uint64_t own = addr - t->bias;

    return image_is_code(&t->image, own) || spans_find(&t->functions, own) != NULL;
}

/* Whose code stands at addr, which is one of images: the first one's, where several have some. */
static size_t owner_of(const struct symtab *t, uint64_t addr)
{
    const struct map *m = &t->map;

    for (size_t i = 0; m->part_count && !own_code(t, addr) && i < m->part_count; i++) {
        if (m->parts[i].used && own_code(m->parts[i].symtab, addr))
            return i + 1;
    }
    return 0;
}

static const struct symtab *part_of(const struct symtab *t, size_t index)
{
    return index == 0 ? t : t->map.parts[index - 1].symtab;
}

bool symtab_add_alias(struct symtab *symtab, const struct symtab_alias *alias)
{
    return map_alias(&symtab->map, alias);
}

const struct symtab_alias *symtab_aliases(const struct symtab *symtab, size_t *count)
{
    *count = symtab->map.alias_count;
    return symtab->map.aliases;
}

bool symtab_add_region(struct symtab *symtab, const char *name, uint64_t start, uint64_t size)
{
    return map_region(&symtab->map, name, start, size);
}

bool symtab_join(struct symtab *symtab, struct symtab *other)
{
    return map_join(&symtab->map, other);
}

size_t symtab_part_count(const struct symtab *symtab)
{
    return 1 + symtab->map.part_count;
}

const struct symtab *symtab_part(const struct symtab *symtab, size_t index)
{
    return part_of(symtab, index);
}

bool symtab_part_is_used(const struct symtab *symtab, size_t index)
{
    return index == 0 || symtab->map.parts[index - 1].used;
}

void symtab_use_part(struct symtab *symtab, size_t index, bool used)
{
    if (index)
        symtab->map.parts[index - 1].used = used;
}

const struct symtab *symtab_part_at(const struct symtab *symtab, uint64_t addr)
{
    return part_of(symtab, owner_of(symtab, map_place(&symtab->map, addr)));
}

const struct symtab *symtab_owner(const struct symtab *symtab, uint64_t addr)
{
    return part_of(symtab, owner_of(symtab, addr));
}

uint64_t symtab_place(const struct symtab *symtab, uint64_t addr)
{
    return map_region_at(&symtab->map, addr) ? addr : map_place(&symtab->map, addr);
}

const struct symtab_function *symtab_find(const struct symtab *symtab, uint64_t addr)
{
    const struct symtab_function *region = map_region_at(&symtab->map, addr);
    uint64_t place = map_place(&symtab->map, addr);

    return region ? region : own_function(part_of(symtab, owner_of(symtab, place)), place);
}

const struct symtab_function *symtab_functions(const struct symtab *symtab, size_t *count)
{
    *count = symtab->functions.count;
    return public_functions(symtab);
}

bool symtab_object(const struct symtab *symtab, const char *name, uint64_t *addr, uint64_t *size)
{
    if (!object_find(&symtab->image, name, addr, size))
        return false;
    *addr += symtab->bias;
    return true;
}

/* Where the stub's functions are, the object of its name is its own. Asked of large files, whose
 * debug information takes a while. */
static bool is_stub(const struct symtab *t, const char *name)
{
    if (t->image.bytes || strcmp(name, "s_prof") != 0)
        return false;
    for (size_t i = 0; i < t->functions.count; i++)
        if (strcmp(t->functions.functions[i].name, "mprof_init") == 0)
            return true;
    return false;
}

enum symtab_table_kind symtab_find_table(const struct symtab *symtab, const char *name,
                                         struct symtab_table *table, char *text, size_t capacity)
{
    uint64_t addr = 0;
    uint64_t size = 0;

    bool named = object_find(&symtab->image, name, &addr, &size);
    if (named && is_stub(symtab, name)) {
        *table = (struct symtab_table){.addr = addr + symtab->bias, .size = size};
        return SYMTAB_TABLE_STUB;
    }
    enum symtab_table_kind kind =
        tables_find(&symtab->image, name, addr, size, table, text, capacity);
    table->addr += symtab->bias;
    return kind;
}

bool symtab_is_code(const struct symtab *symtab, uint64_t addr)
{
    uint64_t place = map_place(&symtab->map, addr);

    return map_region_at(&symtab->map, addr) ||
           own_code(part_of(symtab, owner_of(symtab, place)), place);
}

/* false: there is no debug information, no memory, or the budget is over. */
static bool open_debug(struct symtab *t)
{
    struct budget *budget = &t->image.budgets->debug;

    if (!budget_resume(budget))
        return false;
    if (!t->debug_tried) {
        t->units = units_open(&t->image);
        t->sources = t->units ? sources_new(t->units) : NULL;
        t->lines = t->sources ? lines_new(t->units, t->sources, &t->functions) : NULL;
        t->inlines = t->sources ? inlines_new(t->units, t->sources, &t->functions) : NULL;
        t->debug_tried = t->units || !budget->stopped; /* who was stopped may ask again */
    }
    return t->lines && t->inlines;
}

/* As part_of(), to be asked what may have to be loaded first; NULL: addr is in a region. */
static struct symtab *open_at(struct symtab *t, uint64_t addr, uint64_t *own)
{
    uint64_t place = map_place(&t->map, addr);

    if (map_region_at(&t->map, addr))
        return NULL;
    size_t index = owner_of(t, place);
    struct symtab *part = index == 0 ? t : t->map.parts[index - 1].symtab;
    *own = place - part->bias;
    return open_debug(part) ? part : NULL;
}

bool symtab_find_line(struct symtab *symtab, uint64_t addr, struct symtab_line *line)
{
    uint64_t own;
    struct symtab *part = open_at(symtab, addr, &own);

    if (!part)
        return false;
    const struct symtab_function *f = spans_find(&part->functions, own);
    return lines_find(part->lines, own, f && f->addr == own, line);
}

size_t symtab_find_inlined(struct symtab *symtab, uint64_t addr, struct symtab_inlined *frames,
                           size_t max)
{
    uint64_t own;
    struct symtab *part = open_at(symtab, addr, &own);
    const struct symtab_function *f = part ? spans_find(&part->functions, own) : NULL;

    return f ? inlines_find(part->inlines, f, own, frames, max) : 0;
}

const struct symtab_segment *symtab_segments(const struct symtab *symtab, size_t *count)
{
    *count = symtab->segment_count;
    return symtab->segments;
}
