/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Members of structures, and the registers that the calling conventions choose for them. */
#include "structures.h"

#include <dwarf.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <base/identifier.h>

#include "dies.h"
#include "scalars.h"

/* Structures in structures; the work of looking at a member, in entries; elements of an array. */
#define LEVELS_MAX     8
#define MEMBER_ENTRIES 10
#define ELEMENTS_MAX   16

/* Bytes of the largest structure that is described where a pointer points to it. */
#define POINTEE_MAX 64

/* Most registers of a structure that are described. */
#define PLACES_MAX 8

/* DWARF 5, 7.12: languages whose structures are passed by value whatever is in them. */
static bool is_c(Dwarf_Die *of)
{
    Dwarf_Die unit;
    int language = dwarf_diecu(of, &unit, NULL, NULL) ? dwarf_srclang(&unit) : -1;

    return language == DW_LANG_C || language == DW_LANG_C89 || language == DW_LANG_C99 ||
           language == DW_LANG_C11;
}

/* What a calling convention asks of a structure. */
struct shape {
    uint64_t size, alignment;
    unsigned floats, others; /* values that are floating point numbers, and that are not; of a union
                              * the floats of the member with most of them */
    unsigned float_sizes;    /* a bit for each size that they have: the size in bytes */
    bool whole[2];           /* some other value is in this part of 8 bytes */
    bool packed;             /* some value is not aligned */
};

void structures_put(struct structures *to, const char *text, size_t len)
{
    if (to->failed || len >= sizeof(to->layout->text) - 1 - to->used) { /* room for a "*" */
        to->failed = true;
        return;
    }
    memcpy(to->layout->text + to->used, text, len);
    to->used += len;
    to->layout->text[to->used] = '\0';
}

static void put(struct structures *to, const char *text)
{
    structures_put(to, text, strlen(text));
}

/* NULL: the member has no name. */
static void put_name(struct structures *to, const char *name)
{
    for (const char *at = name; at && *at; at++)
        to->failed |= !identifier_has(*at);
    put(to, name ? name : "");
    put(to, ":");
}

static void shape_add(struct shape *s, char letter, unsigned size, uint64_t offset)
{
    bool number = letter == 'r';

    s->packed |= offset % size != 0;
    s->alignment = size > s->alignment ? size : s->alignment;
    if (number)
        s->float_sizes |= size;
    s->floats += number;
    s->others += !number;
    if (!number && offset / 8 < 2)
        s->whole[offset / 8] = true;
}

/* Adds a value, of a bit field with its bits. */
static void add_scalar(struct structures *to, struct shape *shape, Dwarf_Die *of, uint64_t offset,
                       uint64_t bit, uint64_t bits)
{
    char code[2], text[64];

    bool described = scalars_describe(of, 'r', code) && to->count < SYMTAB_MEMBERS_MAX;
    unsigned size = described ? (unsigned)(code[1] - '0') : 0;
    if (!described || offset >= SYMTAB_OFFSET_END || bits > 8 * (uint64_t)size) {
        to->failed = true;
        return;
    }
    shape_add(shape, code[0], size, bits != 0 ? offset / size * size : offset);
    int len = snprintf(text, sizeof(text), "%c%c@%" PRIu64, code[0], code[1], offset);
    if (bits != 0)
        len = snprintf(text, sizeof(text), "%c%c@%" PRIu64 ".%" PRIu64 ".%" PRIu64, code[0],
                       code[1], offset, bit, bits);
    structures_put(to, text, (size_t)len);
    to->layout->types[to->count++] = scalars_type(of);
}

static void add_value(struct structures *to, struct shape *shape, Dwarf_Die *of, uint64_t offset,
                      unsigned level);

static void add_array(struct structures *to, struct shape *shape, Dwarf_Die *array, uint64_t offset,
                      unsigned level)
{
    Dwarf_Die range, element;
    uint64_t count = 0;
    bool found = dwarf_child(array, &range) == 0 && dwarf_tag(&range) == DW_TAG_subrange_type &&
                 !dwarf_hasattr(array, DW_AT_GNU_vector) && dies_type(array, &element);
    int size = found ? dwarf_bytesize(&element) : 0;

    if (found && !dies_number(&range, DW_AT_count, &count))
        count = dies_number(&range, DW_AT_upper_bound, &count) ? count + 1 : 0;
    to->failed |= size <= 0 || count == 0 || count > ELEMENTS_MAX || dies_next(to->budget, &range);
    put(to, "[");
    for (uint64_t i = 0; i < count && !to->failed; i++) {
        put(to, ":");
        add_value(to, shape, array, offset + i * (uint64_t)size, level + 1);
    }
    put(to, "]");
}

/* Where a member is. Returns false if it is not one that is in the structure. */
static bool is_member(Dwarf_Die *die)
{
    int tag = dwarf_tag(die);

    return (tag == DW_TAG_member && !dwarf_hasattr(die, DW_AT_external)) ||
           tag == DW_TAG_inheritance;
}

/* Sets *bit to the number of the first bit of a bit field. Older DWARF counts from the other end of
 * a storage unit, which is where the member is (DWARF 3, 5.6.6). */
static bool bit_of(Dwarf_Die *member, uint64_t bits, uint64_t *bit)
{
    uint64_t at = 0, size, offset;

    if (dies_number(member, DW_AT_data_bit_offset, bit))
        return true;
    bool known = dies_number(member, DW_AT_bit_offset, &offset) &&
                 dies_number(member, DW_AT_byte_size, &size) && size <= 8 && bits <= 8 * size &&
                 offset <= 8 * size - bits;
    (void)dies_number(member, DW_AT_data_member_location, &at);
    if (known)
        *bit = 8 * (at + size) - offset - bits;
    return known;
}

static void add_member(struct structures *to, struct shape *shape, Dwarf_Die *member,
                       uint64_t offset, unsigned level)
{
    uint64_t at = 0, bit = 0, bits = 0;

    put_name(to, dwarf_tag(member) == DW_TAG_member ? dies_name(member) : NULL);
    if (!dies_number(member, DW_AT_bit_size, &bits)) {
        to->failed |= dwarf_hasattr(member, DW_AT_data_member_location) &&
                      !dies_number(member, DW_AT_data_member_location, &at);
        add_value(to, shape, member, offset + at, level);
        return;
    }
    to->failed |= !bit_of(member, bits, &bit) || bits == 0;
    add_scalar(to, shape, member, offset + bit / 8, bit % 8, bits);
}

static void add_members(struct structures *to, struct shape *shape, Dwarf_Die *type,
                        uint64_t offset, unsigned level)
{
    const bool is_union = dwarf_tag(type) == DW_TAG_union_type;
    const unsigned before = shape->floats;
    unsigned most = before;
    Dwarf_Die die;

    put(to, "{");
    if (dwarf_child(type, &die) == 0) {
        do {
            shape->floats = is_union ? before : shape->floats;
            to->failed |= !budget_work(to->budget, (uint64_t)MEMBER_ENTRIES * to->budget->entry);
            if (!to->failed && is_member(&die))
                add_member(to, shape, &die, offset, level);
            most = shape->floats > most ? shape->floats : most;
        } while (!to->failed && dies_next(to->budget, &die));
    }
    shape->floats = most;
    put(to, "}");
}

bool structures_is(Dwarf_Die *type)
{
    int tag = dwarf_tag(type);

    return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

/* Adds the value of the type that an entry has. */
static void add_value(struct structures *to, struct shape *shape, Dwarf_Die *of, uint64_t offset,
                      unsigned level)
{
    Dwarf_Die type;

    to->failed |= level > LEVELS_MAX || !dies_type(of, &type);
    if (to->failed)
        return;
    if (structures_is(&type))
        add_members(to, shape, &type, offset, level + 1);
    else if (dwarf_tag(&type) == DW_TAG_array_type)
        add_array(to, shape, &type, offset, level + 1);
    else
        add_scalar(to, shape, of, offset, 0, 0);
}

static void put_places(struct structures *to, const char *before, char place, uint64_t count)
{
    put(to, before);
    for (uint64_t i = 0; i < count && i < PLACES_MAX; i++)
        structures_put(to, &place, 1);
}

/* Procedure Call Standard for the Arm Architecture, 6.4.1 (C.3, C.4) and 7.1.2.1 (VFP candidates).
 */
static void place_arm(struct structures *to, const struct shape *s)
{
    bool one_size = (s->float_sizes & (s->float_sizes - 1)) == 0;
    bool homogeneous = s->others == 0 && s->floats <= 4 && one_size && !s->packed &&
                       s->size == (uint64_t)s->floats * s->float_sizes;

    if (to->floats == 'f' && homogeneous)
        put(to, "f");
    else
        put_places(to, s->alignment == 8 && !s->packed ? "e" : "", 'r', (s->size + 3) / 4);
}

/* RISC-V calling conventions, "Integer Calling Convention": larger ones are passed by reference. */
static void place_riscv(struct structures *to, const struct shape *s, unsigned word)
{
    to->failed |= to->floats == 'f' && s->floats != 0;
    if (s->size > (uint64_t)2 * word)
        put(to, "a");
    else
        put_places(to, "", 'r', (s->size + word - 1) / word);
}

/* System V ABI for x86-64, 3.2.3. */
static void place_x86_64(struct structures *to, const struct shape *s)
{
    if (s->size > 16 || s->packed) {
        put(to, "m");
        return;
    }
    for (unsigned i = 0; i < (s->size + 7) / 8; i++)
        put(to, s->whole[i] ? "r" : "f");
}

static bool read_header(Dwarf_Die *of, GElf_Ehdr *header)
{
    return gelf_getehdr(dwarf_getelf(dwarf_cu_getdwarf(of->cu)), header) &&
           header->e_ident[EI_DATA] == ELFDATA2LSB;
}

static void place(struct structures *to, Dwarf_Die *of, const struct shape *s)
{
    GElf_Ehdr header;

    if (!read_header(of, &header)) {
        to->failed = true;
        return;
    }
    switch (header.e_machine) {
    case EM_ARM:
        place_arm(to, s);
        break;
    case EM_RISCV:
        place_riscv(to, s, header.e_ident[EI_CLASS] == ELFCLASS64 ? 8 : 4);
        break;
    case EM_X86_64:
        place_x86_64(to, s);
        break;
    default:
        to->failed = true;
    }
}

/* Registers come before the members in the text, but follow from them. */
static void add_structure(struct structures *to, Dwarf_Die *parameter, Dwarf_Die *type)
{
    const struct structures before = *to;
    struct shape shape = {.alignment = 1};
    char members[SYMTAB_LAYOUT];
    int size = dwarf_bytesize(type);

    to->failed |= size <= 0 || !is_c(parameter);
    if (to->failed)
        return;
    shape.size = (uint64_t)size;
    add_members(to, &shape, type, 0, 0);
    to->failed |= shape.floats + shape.others == 0;
    if (to->failed)
        return;
    snprintf(members, sizeof(members), "%s", to->layout->text + before.used);
    to->used = before.used;
    put(to, "=");
    place(to, parameter, &shape);
    to->any = true;
    if (strcmp(to->layout->text + before.used, "=m") == 0)
        to->count = before.count; /* what is in memory is not known */
    else
        put(to, members);
}

/* What a pointer points to is left out if there would be little room for other parameters. */
static void add_pointee(struct structures *to, Dwarf_Die *parameter)
{
    const struct structures before = *to;
    struct shape shape = {.alignment = 1};
    Dwarf_Die pointer, type;
    GElf_Ehdr header;

    if (!dies_type(parameter, &pointer) || !dies_type(&pointer, &type) || !structures_is(&type) ||
        !read_header(parameter, &header))
        return;
    int size = dwarf_bytesize(&type);
    to->failed |= size <= 0 || size > POINTEE_MAX;
    put(to, "*");
    if (!to->failed)
        add_members(to, &shape, &type, 0, 0);
    if (to->failed || shape.floats + shape.others == 0 || to->used > SYMTAB_LAYOUT / 2 ||
        to->count > SYMTAB_MEMBERS_MAX - SYMTAB_PARAMETERS_MAX) {
        *to = before;
        to->layout->text[to->used] = '\0';
        return;
    }
    to->any = true;
}

void structures_add(struct structures *to, Dwarf_Die *parameter)
{
    Dwarf_Die type;
    char code[2];

    if (dies_type(parameter, &type) && structures_is(&type))
        add_structure(to, parameter, &type);
    else if (to->count < SYMTAB_MEMBERS_MAX && scalars_describe(parameter, to->floats, code)) {
        structures_put(to, code, sizeof(code));
        to->layout->types[to->count++] = scalars_type(parameter);
        if (code[0] == 'p')
            add_pointee(to, parameter);
    } else
        to->failed = true;
}

void structures_end(struct structures *to, bool more)
{
    char *end = to->layout->text + to->used;

    if (more)
        *end++ = '*';
    *end = '\0';
    to->layout->count = to->count;
    if (!to->any)
        to->layout->text[0] = '\0';
}
