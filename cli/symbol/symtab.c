/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads one ELF file and tells what it is: its build, functions, objects and segments. */
#define _POSIX_C_SOURCE 200809L

#include <symbol/symtab.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dwarf/fields.h>
#include <dwarf/function_names.h>
#include <dwarf/tables.h>
#include <elf/symbols.h>

#include "load.h"
#include "symtab_private.h"

/* A loader moves a program by whole pages; the smallest ones are meant. */
#define PAGE 4096

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

static const char *hash_of(struct symtab *t)
{
    /* who was stopped may ask again */
    if (!t->hash_tried)
        t->hash_tried =
            build_hash(&t->image, t->hash) || !budget_asked_to_stop(&t->image.budgets->symbols);
    return t->hash;
}

static void describe(struct symtab *t)
{
    const GElf_Ehdr *e = &t->image.header;

    build_id_read(&t->image, t->build_id);
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

static void each_debug_name(void *source, void *context,
                            void (*take)(void *context, uint64_t addr, const char *name))
{
    function_names_each(source, context, take);
}

/* What is too much of the symbol table is left out. */
static enum symtab_code read_functions(struct symtab *t, const struct complaint *complaint)
{
    struct functions *f = &t->functions;
    const struct debug_names names = {
        .source = t->debug, .budget = &t->image.budgets->debug, .each = each_debug_name};

    if (functions_read(f, &t->image, &names))
        return SYMTAB_OK;
    if (!t->image.budgets->symbols.spent)
        return image_complain(complaint, SYMTAB_ENOMEM, "out of memory for its symbols");
    t->trouble = f->span_count != 0 ? TROUBLE_TITLES : TROUBLE_NAMES;
    if (t->trouble == TROUBLE_NAMES)
        functions_free(f);
    return SYMTAB_OK;
}

static enum symtab_code read_segments(struct symtab *t, const struct complaint *complaint)
{
    if (segments_read(&t->segments, &t->image, t->functions.count))
        return SYMTAB_OK;
    if (!t->image.budgets->symbols.spent)
        return image_complain(complaint, SYMTAB_EOPEN, "its code and data cannot be read");
    if (t->trouble == TROUBLE_NONE)
        t->trouble = TROUBLE_SEGMENTS;
    segments_free(&t->segments);
    return SYMTAB_OK;
}

static enum symtab_code read_all(struct symtab *t, const struct complaint *complaint)
{
    const struct budgets *budgets = t->image.budgets;

    t->debug = debug_new(&t->image);
    if (!t->debug)
        return image_complain(complaint, SYMTAB_ENOMEM, "out of memory");
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
        image_complain(&complaint, code, "out of memory");
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
        [TROUBLE_SEGMENTS] =
            "its segments are too large or malformed: they cannot be compared with the target",
        [TROUBLE_TITLES] = "its symbol table is too large or malformed: names are not demangled",
        [TROUBLE_NAMES] =
            "its symbol table is too large or malformed: addresses are shown instead of names",
    };
    const char *line = lines[symtab->trouble];

    if (symtab->image.budgets->debug.spent && symtab->trouble != TROUBLE_NAMES)
        line = "its debug information is too large or malformed: source lines and inlined "
               "functions may be missing";
    if (line)
        snprintf(text, capacity, "%s: %s", symtab->path, line);
    return line != NULL;
}

void symtab_free(struct symtab *symtab)
{
    if (!symtab)
        return;
    map_free(&symtab->map, symtab_free);
    lines_free(symtab->lines);
    inlines_free(symtab->inlines);
    sources_free(symtab->sources);
    units_free(symtab->units);
    free(symtab->moved);
    functions_free(&symtab->functions);
    objects_free(&symtab->objects);
    segments_free(&symtab->segments);
    debug_free(symtab->debug);
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
                              "not the running program: its entry is 0x%" PRIx64
                              ", that of the process 0x%" PRIx64 "; give the program with --elf",
                              (uint64_t)e->e_entry, entry);
    if (!move_functions(symtab, bias))
        return image_complain(&complaint, SYMTAB_ENOMEM, "out of memory for its symbols");
    segments_move(&symtab->segments, bias - symtab->bias);
    symtab->bias = symtab->elf.bias = bias;
    return SYMTAB_OK;
}

const struct symtab_function *symtab_functions(const struct symtab *symtab, size_t *count)
{
    *count = symtab->functions.count;
    return symtab_public_functions(symtab);
}

bool symtab_is_stripped(const struct symtab *symtab)
{
    return symbols_are_stripped(&symtab->image);
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
        tables_find(symtab->debug, name, addr, size, table, text, capacity);
    table->addr += symtab->bias;
    return kind;
}

bool symtab_find_field(const struct symtab *symtab, const char *path, struct symtab_field *field)
{
    return symtab->debug && fields_find(symtab->debug, path, field);
}

bool symtab_find_counter(const struct symtab *symtab, const char *name,
                         struct symtab_counter *counter)
{
    uint64_t addr, size;

    if (!object_find(&symtab->image, name, &addr, &size))
        return false;
    unsigned bytes = tables_counter_size(symtab->debug, name, addr, size);
    if (bytes == 0)
        return false;
    *counter = (struct symtab_counter){.addr = addr + symtab->bias, .size = bytes};
    return true;
}

const struct symtab_segment *symtab_segments(const struct symtab *symtab, size_t *count)
{
    *count = symtab->segments.count;
    return symtab->segments.list;
}
