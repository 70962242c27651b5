/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Symbol table to functions: choose, name, measure. */
#include "functions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "names.h"
#include "veneers.h"

#define MARK " [veneer]"

/* Of a symbol's rank, from the weightiest one down: a label before a function loses, weak before
 * global, local before weak, one without a size, one that the debug information does not give to
 * the function, one that begins with an underscore. */
enum {
    RANK_LABEL = 1 << 5,
    RANK_LOCAL = 2 << 3,
    RANK_WEAK = 1 << 3,
    RANK_UNSIZED = 1 << 2,
    RANK_NOT_DEBUG = 1 << 1,
    RANK_UNDERSCORE = 1 << 0,
};

/* What is the same in names that only the debug information can tell apart. */
#define RANK_TIE (~(unsigned)(RANK_NOT_DEBUG | RANK_UNDERSCORE))

/* A symbol that may name code; rank is lower for a better name. */
struct candidate {
    uint64_t addr, size;
    uint64_t limit; /* end of its section */
    const char *name;
    unsigned rank;
    bool is_label; /* NOTYPE: a function only where no other one is */
};

struct candidates {
    struct candidate *list;
    size_t count;
    uint64_t *starts; /* of all symbols, whatever they name: what ends a function without size */
    size_t start_count;
    const char **names; /* of all symbols that name something */
    size_t name_count;
};

/* One table of symbols as libelf gives it. */
struct table {
    const struct image *image;
    Elf_Data *data;
    Elf_Data *extended; /* section numbers that do not fit into 16 bits, or NULL */
    size_t strings;
    size_t count;
};

struct symbol {
    GElf_Sym sym;
    size_t section; /* 0: absolute */
    const char *name;
    unsigned type, bind;
};

static bool open_table(const struct image *image, GElf_Word kind, struct table *table)
{
    for (size_t i = 1; i < image->section_count; i++) {
        Elf_Scn *scn = elf_getscn(image->elf, i);
        GElf_Shdr sh;
        if (!scn || !gelf_getshdr(scn, &sh) || sh.sh_type != kind)
            continue;
        Elf_Data *data = elf_getdata(scn, NULL);
        size_t entry = gelf_fsize(image->elf, ELF_T_SYM, 1, EV_CURRENT);
        int extended = elf_scnshndx(scn);
        if (!data || !data->d_buf || entry == 0)
            continue;
        *table = (struct table){.image = image, .data = data, .strings = sh.sh_link};
        table->count = data->d_size / entry;
        if (extended > 0)
            table->extended = elf_getdata(elf_getscn(image->elf, (size_t)extended), NULL);
        return true;
    }
    return false;
}

/* The full table where the file has it, else what the dynamic linker needs. */
static bool open_symbols(const struct image *image, struct table *table)
{
    return open_table(image, SHT_SYMTAB, table) || open_table(image, SHT_DYNSYM, table);
}

/* false: a symbol without a place in this file, or a damaged one. */
static bool take_symbol(const struct table *table, size_t index, struct symbol *s)
{
    Elf32_Word section = 0;

    if (!gelf_getsymshndx(table->data, table->extended, (int)index, &s->sym, &section))
        return false;
    if (s->sym.st_shndx != SHN_XINDEX)
        section = s->sym.st_shndx;
    else if (!table->extended)
        return false;
    s->section = section;
    if (s->sym.st_shndx == SHN_ABS)
        s->section = 0;
    else if (section == SHN_UNDEF || section >= table->image->section_count)
        return false;
    s->name = elf_strptr(table->image->elf, table->strings, s->sym.st_name);
    s->type = GELF_ST_TYPE(s->sym.st_info);
    s->bind = GELF_ST_BIND(s->sym.st_info);
    return s->name && s->name[0] != '\0';
}

/* ELF for the Arm architecture, "Mapping symbols"; RISC-V ELF psABI, the same with an ISA string.
 */
static bool is_mapping(const struct image *image, const char *name)
{
    static const char letters[] = "atdx";
    GElf_Half machine = image->header.e_machine;

    if (machine != EM_ARM && machine != EM_AARCH64 && machine != EM_RISCV)
        return false;
    if (name[0] != '$' || name[1] == '\0' || !strchr(letters, name[1]))
        return false;
    return name[2] == '\0' || name[2] == '.' ||
           (machine == EM_RISCV && strncmp(name + 2, "rv", 2) == 0);
}

/* Names that a compiler made for itself; RISC-V keeps them for the linker's relaxation. */
static bool is_local_label(const struct symbol *s)
{
    return s->type == STT_NOTYPE && strncmp(s->name, ".L", 2) == 0;
}

static unsigned rank_of(const struct symbol *s)
{
    unsigned rank = RANK_NOT_DEBUG;

    if (s->type == STT_NOTYPE)
        rank |= RANK_LABEL;
    if (s->bind == STB_LOCAL || s->bind == STB_WEAK)
        rank |= s->bind == STB_WEAK ? RANK_WEAK : RANK_LOCAL;
    if (s->sym.st_size == 0)
        rank |= RANK_UNSIZED;
    if (s->name[0] == '_')
        rank |= RANK_UNDERSCORE;
    return rank;
}

static bool is_code(const struct symbol *s, const struct section *section)
{
    if (s->type == STT_FUNC || s->type == STT_GNU_IFUNC)
        return true;
    return s->type == STT_NOTYPE && s->section != 0 && section->exec;
}

static uint64_t address_of(const struct image *image, const struct symbol *s, bool code)
{
    return image->header.e_machine == EM_ARM && code ? s->sym.st_value & ~(uint64_t)1
                                                     : s->sym.st_value;
}

static bool make_candidate(const struct image *image, const struct symbol *s, uint64_t addr,
                           struct candidate *c)
{
    const struct section *section = &image->sections[s->section];

    *c = (struct candidate){
        .addr = addr,
        .size = s->sym.st_size,
        .name = s->name,
        .rank = rank_of(s),
        .is_label = s->type == STT_NOTYPE,
    };
    if (s->section == 0) {
        c->limit = addr + c->size;
        return c->size != 0 && c->limit > addr;
    }
    c->limit = section->addr + section->size;
    if (!section->alloc || addr < section->addr || addr >= c->limit)
        return false;
    if (c->size > c->limit - addr)
        c->size = c->limit - addr;
    return true;
}

static void collect(const struct table *table, struct candidates *out)
{
    const struct image *image = table->image;
    struct symbol s;

    for (size_t i = 1; i < table->count; i++) {
        if (!take_symbol(table, i, &s) || is_mapping(image, s.name) || is_local_label(&s) ||
            s.type == STT_FILE || s.type == STT_SECTION || s.type == STT_TLS)
            continue;
        out->names[out->name_count++] = s.name;
        bool code = is_code(&s, &image->sections[s.section]);
        uint64_t addr = address_of(image, &s, code);
        if (s.section != 0)
            out->starts[out->start_count++] = addr;
        if (code && make_candidate(image, &s, addr, &out->list[out->count]))
            out->count++;
    }
}

static int compare_starts(const void *a, const void *b)
{
    const uint64_t *x = a;
    const uint64_t *y = b;

    return (*x > *y) - (*x < *y);
}

static int compare_candidates(const void *a, const void *b)
{
    const struct candidate *x = a;
    const struct candidate *y = b;

    if (x->addr != y->addr)
        return x->addr < y->addr ? -1 : 1;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    size_t x_len = strlen(x->name);
    size_t y_len = strlen(y->name);
    if (x_len != y_len)
        return x_len < y_len ? -1 : 1;
    return strcmp(x->name, y->name);
}

/* The best name comes first; the aliases behind it can only make it longer. */
static void merge_aliases(struct candidates *c)
{
    size_t kept = 0;

    for (size_t i = 1; i < c->count; i++) {
        struct candidate *last = &c->list[kept];
        if (c->list[i].addr != last->addr)
            c->list[++kept] = c->list[i];
        else if (c->list[i].size > last->size)
            last->size = c->list[i].size;
    }
    if (c->count != 0)
        c->count = kept + 1;
}

/* Labels inside a function with a size are no functions. */
static void drop_labels(struct candidates *c)
{
    uint64_t covered = 0;
    size_t kept = 0;

    for (size_t i = 0; i < c->count; i++) {
        const struct candidate *one = &c->list[i];
        if (one->is_label && one->addr < covered)
            continue;
        if (!one->is_label && one->addr + one->size > covered)
            covered = one->addr + one->size;
        c->list[kept++] = *one;
    }
    c->count = kept;
}

static uint64_t next_start(const struct candidates *c, uint64_t addr)
{
    size_t low = 0;
    size_t high = c->start_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (c->starts[middle] <= addr)
            low = middle + 1;
        else
            high = middle;
    }
    return low < c->start_count ? c->starts[low] : UINT64_MAX;
}

static void measure(struct candidates *c)
{
    for (size_t i = 0; i < c->count; i++) {
        struct candidate *one = &c->list[i];
        if (one->size != 0)
            continue;
        uint64_t end = next_start(c, one->addr);
        one->size = (end < one->limit ? end : one->limit) - one->addr;
    }
}

/* Where the candidates at an address begin, or would. */
static size_t first_at(const struct candidates *c, uint64_t addr)
{
    size_t low = 0;
    size_t high = c->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (c->list[middle].addr < addr)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void take_debug_name(void *context, uint64_t addr, const char *name)
{
    struct candidates *c = context;

    for (size_t i = first_at(c, addr); i < c->count && c->list[i].addr == addr; i++) {
        if (strcmp(c->list[i].name, name) == 0)
            c->list[i].rank &= ~(unsigned)RANK_NOT_DEBUG;
    }
}

/* Reading the debug information takes a while in large files: only where it can decide. */
static void ask_debug(const struct image *image, struct candidates *c)
{
    bool tied = false;

    for (size_t i = 1; i < c->count && !tied; i++) {
        const struct candidate *a = &c->list[i - 1];
        const struct candidate *b = &c->list[i];
        tied = a->addr == b->addr && (a->rank & RANK_TIE) == (b->rank & RANK_TIE);
    }
    if (!tied)
        return;
    names_each(image, c, take_debug_name);
    qsort(c->list, c->count, sizeof(*c->list), compare_candidates);
}

static bool is_veneer(const struct candidate *one)
{
    return (one->rank & RANK_LOCAL) != 0 && veneer_has_form(one->name);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool rename_veneer(struct candidate *one, const char *goal, char **made)
{
    size_t size = strlen(goal) + sizeof(MARK);

    *made = malloc(size);
    if (!*made)
        return false;
    snprintf(*made, size, "%s" MARK, goal);
    one->name = *made;
    return true;
}

/* A veneer gets the name of the function that it leads to, and a mark. */
static bool name_veneers(struct candidates *c, struct functions *out)
{
    size_t count = 0;

    for (size_t i = 0; i < c->count; i++)
        count += is_veneer(&c->list[i]);
    if (count == 0)
        return true;
    qsort(c->names, c->name_count, sizeof(*c->names), compare_names);
    out->made = calloc(count, sizeof(*out->made));
    if (!out->made)
        return false;
    for (size_t i = 0; i < c->count; i++) {
        struct candidate *one = &c->list[i];
        const char *goal = is_veneer(one) ? veneer_goal(one->name, c->names, c->name_count) : NULL;
        if (goal && !rename_veneer(one, goal, &out->made[out->made_count++]))
            return false;
    }
    return true;
}

static bool keep(const struct candidates *c, struct functions *out)
{
    if (c->count == 0)
        return true;
    out->functions = calloc(c->count, sizeof(*out->functions));
    if (!out->functions)
        return false;
    for (size_t i = 0; i < c->count; i++)
        out->functions[i] = (struct symtab_function){
            .addr = c->list[i].addr, .size = c->list[i].size, .name = c->list[i].name};
    out->count = c->count;
    return spans_build(out);
}

bool functions_read(struct functions *functions, const struct image *image)
{
    struct candidates c = {.list = NULL};
    struct table table;
    bool done = false;

    *functions = (struct functions){.functions = NULL};
    if (!open_symbols(image, &table) || table.count == 0)
        return true;
    c.list = calloc(table.count, sizeof(*c.list));
    c.starts = calloc(table.count, sizeof(*c.starts));
    c.names = calloc(table.count, sizeof(*c.names));
    if (!c.list || !c.starts || !c.names)
        goto out;
    collect(&table, &c);
    qsort(c.list, c.count, sizeof(*c.list), compare_candidates);
    qsort(c.starts, c.start_count, sizeof(*c.starts), compare_starts);
    ask_debug(image, &c);
    if (!name_veneers(&c, functions))
        goto out;
    merge_aliases(&c);
    drop_labels(&c);
    measure(&c);
    done = keep(&c, functions);
out:
    free(c.list);
    free(c.starts);
    free(c.names);
    return done;
}

void functions_free(struct functions *functions)
{
    free(functions->functions);
    free(functions->spans);
    for (size_t i = 0; i < functions->made_count; i++)
        free(functions->made[i]);
    free(functions->made);
    *functions = (struct functions){.functions = NULL};
}

bool object_find(const struct image *image, const char *name, uint64_t *addr, uint64_t *size)
{
    struct table table;
    struct symbol s;
    unsigned best = UINT32_MAX;

    if (!open_symbols(image, &table))
        return false;
    for (size_t i = 1; i < table.count; i++) {
        if (!take_symbol(&table, i, &s) || strcmp(s.name, name) != 0)
            continue;
        bool data = s.type == STT_OBJECT || s.type == STT_COMMON ||
                    (s.type == STT_NOTYPE && !image->sections[s.section].exec);
        if (!data || rank_of(&s) >= best)
            continue;
        best = rank_of(&s);
        *addr = s.sym.st_value;
        *size = s.sym.st_size;
    }
    return best != UINT32_MAX;
}

bool object_at(const struct image *image, uint64_t addr, uint64_t *size)
{
    struct table table;
    struct symbol s;

    if (!open_symbols(image, &table))
        return false;
    for (size_t i = 1; i < table.count; i++) {
        if (take_symbol(&table, i, &s) && s.type == STT_OBJECT && s.sym.st_value == addr) {
            *size = s.sym.st_size;
            return true;
        }
    }
    return false;
}
