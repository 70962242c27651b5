/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds a variable in DWARF, and in its type an array of addresses with counts, or of calls. */
#include <dwarf/tables.h>

#include <ctype.h>
#include <dwarf.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <names/functions.h>

#include "dies.h"

#define ADDRESS_WORDS "base_addr, addr, address, base or pc"
#define COUNT_WORDS   "hit_cnt, hit_count, hits, count or cnt"
#define CALLEE_WORDS  "callee, func, function, fn, to or self"
#define CALLER_WORDS  "caller, from, parent or call_site"

/* Members of a type, however deep, are looked at so often: a damaged one has no end. */
#define LOOKS_MAX 10000

/* The work of finding the type behind names, in entries. */
#define TYPE_ENTRIES 8

struct member {
    unsigned offset, size;
    unsigned rank; /* lower for a better name, UINT_MAX: none was found */
};

struct search {
    const struct image *image;
    bool (*is_row)(struct search *s, Dwarf_Die *type); /* sets what the table has of a row */
    struct symtab_table *table;
    uint64_t size; /* of the object, 0: not known */
    unsigned looks;
};

/* Without underscores and capitals: hitCnt is hit_cnt. */
static void normalise(const char *name, char *plain, size_t capacity)
{
    size_t used = 0;

    for (; *name && used + 1 < capacity; name++) {
        if (*name != '_')
            plain[used++] = (char)tolower((unsigned char)*name);
    }
    plain[used] = '\0';
}

static unsigned rank_in(const char *const *words, const char *name)
{
    char plain[32];

    normalise(name, plain, sizeof(plain));
    for (unsigned i = 0; words[i]; i++) {
        if (strcmp(words[i], plain) == 0)
            return i;
    }
    return UINT32_MAX;
}

static bool has_magic_name(const char *name)
{
    static const char *const words[] = {"magic", NULL};

    return name && rank_in(words, name) == 0;
}

static bool is_struct(Dwarf_Die *type)
{
    int tag = dwarf_tag(type);

    return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

/* Bytes of a number or an address; 0: it is neither. */
static unsigned number_size(const struct image *image, Dwarf_Die *type)
{
    uint64_t encoding = 0;
    uint64_t size = image->header.e_ident[EI_CLASS] == ELFCLASS64 ? 8 : 4;
    int tag = dwarf_tag(type);

    if (tag != DW_TAG_base_type && tag != DW_TAG_pointer_type && tag != DW_TAG_enumeration_type)
        return 0;
    (void)dies_number(type, DW_AT_encoding, &encoding);
    if (encoding == DW_ATE_float || encoding == DW_ATE_complex_float || encoding == DW_ATE_boolean)
        return 0;
    (void)dies_number(type, DW_AT_byte_size, &size);
    return size <= 8 ? (unsigned)size : 0;
}

/* A member of a struct: what it is, and where. */
struct part {
    Dwarf_Die type;
    const char *name; /* NULL: none */
    uint64_t offset;
};

/* The next member at or behind *die; false: there is none. *die is then the one behind it. */
static bool next_part(struct search *s, Dwarf_Die *die, bool *more, struct part *part)
{
    struct budget *budget = &s->image->budgets->debug;

    while (*more && s->looks < LOOKS_MAX &&
           budget_work(budget, (uint64_t)TYPE_ENTRIES * budget->entry)) {
        Dwarf_Die one = *die;
        int tag = dwarf_tag(&one);
        s->looks++;
        *more = dies_next(budget, die);
        bool member = tag == DW_TAG_member || tag == DW_TAG_inheritance;
        if (!member || dwarf_hasattr(&one, DW_AT_bit_size) ||
            dwarf_hasattr(&one, DW_AT_declaration) || !dies_offset(&one, &part->offset) ||
            !dies_type(&one, &part->type))
            continue;
        part->name = tag == DW_TAG_member ? dies_name(&one) : NULL;
        return true;
    }
    return false;
}

static void consider(const struct search *s, struct part *part, const char *const *words,
                     struct member *best)
{
    unsigned size = number_size(s->image, &part->type);
    unsigned rank = part->name && size != 0 ? rank_in(words, part->name) : UINT32_MAX;

    if (rank < best->rank && part->offset <= UINT16_MAX)
        *best = (struct member){.offset = (unsigned)part->offset, .size = size, .rank = rank};
}

/* Whether the struct is a row; then the table says where its members are. */
static bool is_item(struct search *s, Dwarf_Die *type)
{
    static const char *const addresses[] = {"baseaddr", "addr", "address", "pc", "base", NULL};
    static const char *const counts[] = {"hitcnt", "hitcount", "hits", "count", "cnt", NULL};
    struct member addr = {.rank = UINT32_MAX};
    struct member hits = {.rank = UINT32_MAX};
    uint64_t stride;
    struct part part;
    Dwarf_Die die;
    bool more = is_struct(type) && dwarf_child(type, &die) == 0;

    while (next_part(s, &die, &more, &part)) {
        consider(s, &part, addresses, &addr);
        consider(s, &part, counts, &hits);
    }
    if (addr.rank == UINT32_MAX || hits.rank == UINT32_MAX ||
        !dies_number(type, DW_AT_byte_size, &stride) || stride > UINT16_MAX ||
        addr.offset + addr.size > stride || hits.offset + hits.size > stride)
        return false;
    s->table->stride = stride;
    s->table->addr_offset = addr.offset;
    s->table->addr_size = addr.size;
    s->table->hits_offset = hits.offset;
    s->table->hits_size = hits.size;
    return true;
}

static bool is_in(const struct member *m, uint64_t stride)
{
    return m->rank != UINT32_MAX && m->offset + m->size <= stride;
}

static struct symtab_member member_of(const struct member *m, uint64_t stride)
{
    return is_in(m, stride) ? (struct symtab_member){.offset = m->offset, .size = m->size}
                            : (struct symtab_member){.size = 0};
}

static uint64_t elements(struct search *s, Dwarf_Die *array);

/* Words named arg0, arg1 and so on, in their order, or an array of them. */
static void add_arguments(struct search *s, struct part *part, uint64_t stride)
{
    static const char *const arrays[] = {"args", "arg", "arguments", "argv", NULL};
    struct symtab_table *t = s->table;
    uint64_t count = 1;
    Dwarf_Die type = part->type;
    char plain[32] = "";

    if (part->name)
        normalise(part->name, plain, sizeof(plain));
    if (dwarf_tag(&part->type) == DW_TAG_array_type) {
        bool word = rank_in(arrays, plain) != UINT32_MAX && dies_type(&part->type, &type);
        count = word ? elements(s, &part->type) : 0;
    } else if (strncmp(plain, "arg", 3) != 0 || !isdigit((unsigned char)plain[3]) || plain[4]) {
        return;
    }
    unsigned size = number_size(s->image, &type);
    for (uint64_t i = 0; i < count && size != 0 && t->argument_count < SYMTAB_RECORD_ARGUMENTS;
         i++) {
        uint64_t offset = part->offset + i * size;
        if (offset > stride || size > stride - offset)
            return;
        t->arguments[t->argument_count++] =
            (struct symtab_member){.offset = (unsigned)offset, .size = size};
    }
}

/* Whether the struct is a record of a call. Times of other sizes are none: when they begin at 0
 * again is not known. */
static bool is_record(struct search *s, Dwarf_Die *type)
{
    static const char *const callees[] = {"callee", "func", "function", "fn", "to", "self", NULL};
    static const char *const callers[] = {"caller", "from", "parent", "callsite", NULL};
    static const char *const times[] = {"time", "timestamp", "ts", "tsc", "cycles", NULL};
    struct member callee = {.rank = UINT32_MAX}, caller = callee, time = callee;
    uint64_t stride;
    struct part part;
    Dwarf_Die die;
    bool more = is_struct(type) && dwarf_child(type, &die) == 0;

    if (!more || !dies_number(type, DW_AT_byte_size, &stride) || stride > UINT16_MAX)
        return false;
    s->table->argument_count = 0;
    while (next_part(s, &die, &more, &part)) {
        consider(s, &part, callees, &callee);
        consider(s, &part, callers, &caller);
        consider(s, &part, times, &time);
        add_arguments(s, &part, stride);
    }
    if (!is_in(&callee, stride) || !is_in(&caller, stride))
        return false;
    s->table->stride = stride;
    s->table->callee = member_of(&callee, stride);
    s->table->caller = member_of(&caller, stride);
    s->table->time = member_of(&time, stride);
    if (s->table->time.size != 4 && s->table->time.size != 8)
        s->table->time.size = 0;
    return true;
}

static uint64_t elements(struct search *s, Dwarf_Die *array)
{
    uint64_t all = 0;
    Dwarf_Die die;

    if (dwarf_child(array, &die) != 0)
        return 0;
    do {
        if (dwarf_tag(&die) != DW_TAG_subrange_type)
            continue;
        uint64_t one = dies_elements(&die);
        if (one > UINT32_MAX || all > UINT32_MAX)
            return 0;
        all = all ? all * one : one;
    } while (s->looks++ < LOOKS_MAX && dies_next(&s->image->budgets->debug, &die));
    return all;
}

/* A last array without a length reaches to the end of the object. */
static uint64_t fit(const struct search *s, uint64_t count, uint64_t offset)
{
    uint64_t room = s->size > offset ? (s->size - offset) / s->table->stride : 0;

    if (count == 0)
        return room;
    return s->size != 0 && count > room ? room : count;
}

static bool find_rows(struct search *s, Dwarf_Die *type, uint64_t offset, unsigned depth);

static bool find_in_array(struct search *s, Dwarf_Die *array, uint64_t offset, unsigned depth)
{
    Dwarf_Die element;
    uint64_t count = elements(s, array);

    if (!dies_type(array, &element))
        return false;
    if (s->is_row(s, &element)) {
        s->table->offset = offset;
        s->table->count = fit(s, count, offset);
        return s->table->count != 0;
    }
    /* Of several tables only one would be shown. */
    return count == 1 && find_rows(s, &element, offset, depth);
}

/* The first array of rows in a type that begins there. */
static bool find_rows(struct search *s, Dwarf_Die *type, uint64_t offset, unsigned depth)
{
    struct part part;
    Dwarf_Die die;

    if (depth == DIES_DEPTH || s->looks++ >= LOOKS_MAX)
        return false;
    if (dwarf_tag(type) == DW_TAG_array_type)
        return find_in_array(s, type, offset, depth + 1);
    bool more = is_struct(type) && dwarf_child(type, &die) == 0;
    while (next_part(s, &die, &more, &part)) {
        if (find_rows(s, &part.type, offset + part.offset, depth + 1))
            return true;
    }
    return false;
}

/* The stub's object, or another one that describes itself, begins with a magic. */
static bool begins_with_magic(struct search *s, Dwarf_Die *type, unsigned depth)
{
    struct part part;
    Dwarf_Die die;

    if (depth == DIES_DEPTH)
        return false;
    if (dwarf_tag(type) == DW_TAG_array_type) /* one object a core */
        return dies_type(type, &die) && begins_with_magic(s, &die, depth + 1);
    bool more = is_struct(type) && dwarf_child(type, &die) == 0;
    while (next_part(s, &die, &more, &part)) {
        if (part.offset == 0 &&
            (has_magic_name(part.name) || begins_with_magic(s, &part.type, depth + 1)))
            return true;
    }
    return false;
}

struct variable {
    const char *name;
    uint64_t addr;        /* 0: not known */
    Dwarf_Die definition; /* at addr, or the first one of that name */
    bool found, placed;
};

static bool place_of(Dwarf_Die *die, uint64_t *addr)
{
    Dwarf_Attribute attribute, indirect;

    if (!dwarf_attr_integrate(die, DW_AT_location, &attribute))
        return false;
    const Dwarf_Op *operation = dies_operation(&attribute);
    if (!operation)
        return false;
    if (operation->atom == DW_OP_addr) {
        *addr = operation->number;
        return true;
    }
    return operation->atom == DW_OP_addrx &&
           dwarf_getlocation_attr(&attribute, operation, &indirect) == 0 &&
           dwarf_formaddr(&indirect, addr) == 0;
}

static bool is_called(Dwarf_Die *die, const char *name)
{
    const char *one = dies_name(die);

    if (one && strcmp(one, name) == 0)
        return true;
    one = dies_linkage_name(die);
    return one && strcmp(one, name) == 0;
}

/* The one at the address, else one with an address, else a declaration. */
static bool on_die(void *context, Dwarf_Die *die)
{
    struct variable *v = context;
    uint64_t addr;
    Dwarf_Die type;

    if (dwarf_tag(die) != DW_TAG_variable || !is_called(die, v->name) || !dies_type(die, &type))
        return true;
    bool placed = place_of(die, &addr);
    if (placed && v->addr != 0 && addr != v->addr)
        return true;
    bool partial = dwarf_hasattr_integrate(&type, DW_AT_declaration) != 0;
    if (partial || (v->found && !placed))
        return true;
    v->definition = *die;
    v->found = true;
    v->placed = placed;
    if (placed)
        v->addr = addr;
    return !placed;
}

/* What stands in functions is only looked at where nothing else has the name. Debug information
 * also has variables that the linker dropped, at an address of something else: the symbol table
 * must know the address. */
static bool find_variable(const struct image *image, Dwarf *dwarf, struct variable *v,
                          uint64_t *size)
{
    bool named = v->addr != 0;

    for (unsigned deep = 0; deep < (named ? 1 : 2) && !v->placed; deep++) {
        struct dies_walk walk = {
            .context = v, .visit = on_die, .deep = deep != 0, .budget = &image->budgets->debug};
        dies_each(dwarf, &walk);
    }
    return v->found && (named || (v->placed && object_at(image, v->addr, size)));
}

unsigned tables_counter_size(struct debug *debug, const char *name, uint64_t addr, uint64_t size)
{
    const struct image *image = debug_image(debug);
    struct variable v = {.name = name, .addr = addr};
    Dwarf *dwarf = budget_resume(&image->budgets->debug) ? debug_dwarf(debug) : NULL;
    Dwarf_Die type;

    if (!dwarf || !find_variable(image, dwarf, &v, &size) || !dies_type(&v.definition, &type) ||
        dwarf_tag(&type) == DW_TAG_enumeration_type)
        return 0;
    return number_size(image, &type);
}

static void say_unfit(Dwarf_Die *type, const char *name, char *text, size_t capacity)
{
    const char *called = is_struct(type) ? dies_name(type) : NULL;

    snprintf(text, capacity,
             "'%s'%s%s%s is not a table of hits: expected an array of structs with an address "
             "(" ADDRESS_WORDS ") and a count (" COUNT_WORDS "); nor a ring of calls: a function "
             "(" CALLEE_WORDS ") and its caller (" CALLER_WORDS ")",
             name, called ? " (struct " : "", called ? called : "", called ? ")" : "");
}

static enum symtab_table_kind judge(struct search *s, Dwarf_Die *type, const char *name, char *text,
                                    size_t capacity)
{
    Dwarf_Die goal;

    if (dwarf_tag(type) == DW_TAG_pointer_type && dies_type(type, &goal)) {
        s->table->indirect = true;
        s->size = 0;
        *type = goal;
    }
    if (!s->table->indirect && begins_with_magic(s, type, 0))
        return SYMTAB_TABLE_STUB;
    s->is_row = is_item;
    if (find_rows(s, type, 0, 0))
        return SYMTAB_TABLE_HEADERLESS;
    s->is_row = is_record;
    if (!s->table->indirect && find_rows(s, type, 0, 0))
        return SYMTAB_TABLE_RING;
    say_unfit(type, name, text, capacity);
    return SYMTAB_TABLE_OTHER;
}

enum symtab_table_kind tables_find(struct debug *debug, const char *name, uint64_t addr,
                                   uint64_t size, struct symtab_table *table, char *text,
                                   size_t capacity)
{
    const struct image *image = debug_image(debug);
    struct variable v = {.name = name, .addr = addr};
    struct search s = {.image = image, .table = table, .size = size};
    enum symtab_table_kind kind = SYMTAB_TABLE_UNKNOWN;
    Dwarf *dwarf = budget_resume(&image->budgets->debug) ? debug_dwarf(debug) : NULL;
    Dwarf_Die type;

    *table = (struct symtab_table){.size = size};
    if (dwarf && find_variable(image, dwarf, &v, &s.size) && dies_type(&v.definition, &type)) {
        table->addr = v.addr;
        table->size = s.size;
        kind = judge(&s, &type, name, text, capacity);
    } else {
        snprintf(text, capacity, "the type of '%s' is not known: compile it with -g", name);
    }
    return kind;
}
