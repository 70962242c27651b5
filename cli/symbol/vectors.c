/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds and reads the vector table of a Cortex-M's ELF file. */
#define _POSIX_C_SOURCE 200809L

#include <symbol/vectors.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <base/number.h>

/* Bytes of an entry; a table is aligned to at least so many, and has at least as many entries as
 * the reset needs. */
#define ENTRY_SIZE  4
#define TABLE_STEP  128
#define ENTRIES_MIN 2

/* Damaged files may have no end of what looks like a table. */
#define TRIES_MAX 64

/* Words of 0 in a row that do not end a table. */
#define HOLES_MAX 16

/* How far into a segment a table is looked for by its shape: behind a bootloader's header. */
#define SEARCH_MAX ((size_t)64 << 10)

/* A power of two, several times VECTORS_MAX. */
#define MAYBE 4096

struct vectors {
    const struct symtab *symtab;
    bool big_endian;
    uint64_t addr;
    size_t count;
    uint32_t entries[VECTORS_MAX];
    bool maybe[MAYBE]; /* an address of that remainder may be a handler's: most are not */
};

/* What start-up files call it. */
static const char *const usual_names[] = {
    "__isr_vector",
    "g_pfnVectors",
    "__Vectors",
    "__vectors",
    "_vectors",
    "vectors",
    "vector_table",
    "_vector_table",
    "__vector_table",
    "__VECTOR_TABLE",
    "interrupt_vector_table",
    "__interrupt_vector_table",
    "InterruptVectorTable",
    "g_pfnVectorTable",
    "g_vector_table",
    "__cs3_interrupt_vector",
    "cortex_vector_base",
    "isr_vectors",
    "isr_vector",
};

/* ARMv8-M Architecture Reference Manual, B3.30. */
static const char *const own_names[VECTORS_IRQ] = {
    [1] = "Reset",         [2] = "NMI",        [3] = "HardFault",   [4] = "MemManage",
    [5] = "BusFault",      [6] = "UsageFault", [7] = "SecureFault", [11] = "SVCall",
    [12] = "DebugMonitor", [14] = "PendSV",    [15] = "SysTick",
};

/* A table that may be one. */
struct candidate {
    const uint8_t *bytes;
    size_t room; /* entries up to the end of the segment, at most VECTORS_MAX */
    uint64_t addr;
    size_t told; /* entries that the symbol says, 0: not known */
};

static uint32_t entry_of(const struct vectors *v, const struct candidate *c, size_t index)
{
    const uint8_t *b = c->bytes + index * ENTRY_SIZE;

    if (v->big_endian)
        return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
    return (uint32_t)b[3] << 24 | (uint32_t)b[2] << 16 | (uint32_t)b[1] << 8 | b[0];
}

/* A handler has the Thumb bit. */
static bool is_handler(const struct vectors *v, uint32_t entry)
{
    return (entry & 1) != 0 && symtab_is_code(v->symtab, entry & ~1u);
}

/* Stricter: what is behind a table may be code, whose words are seldom where functions begin. */
static bool begins_function(const struct vectors *v, uint32_t entry)
{
    const struct symtab_function *f = (entry & 1) != 0 ? symtab_find(v->symtab, entry & ~1u) : NULL;

    return f && f->addr == (entry & ~1u);
}

static bool holds_entry(const struct vectors *v, const struct candidate *c)
{
    uint64_t entry = symtab_elf(v->symtab)->entry;

    return entry != 0 && (entry_of(v, c, 1) & ~1u) == (entry & ~(uint64_t)1) &&
           (entry_of(v, c, 1) & 1) != 0;
}

static const struct symtab_segment *segment_of(const struct symtab *symtab, uint64_t addr)
{
    size_t count;
    const struct symtab_segment *segments = symtab_segments(symtab, &count);

    for (size_t i = 0; i < count; i++)
        if (addr >= segments[i].addr && addr - segments[i].addr < segments[i].len)
            return &segments[i];
    return NULL;
}

/* false: there is too little of the segment behind addr. */
static bool candidate_in(const struct symtab_segment *s, uint64_t addr, struct candidate *c)
{
    size_t room = (s->len - (size_t)(addr - s->addr)) / ENTRY_SIZE;

    *c = (struct candidate){
        .bytes = s->bytes + (addr - s->addr),
        .room = room < VECTORS_MAX ? room : VECTORS_MAX,
        .addr = addr,
    };
    return room >= ENTRIES_MIN && addr % ENTRY_SIZE == 0;
}

/* The first word is where the stack begins: in RAM, so not in what nobody writes to. */
static bool is_sound(const struct vectors *v, const struct candidate *c)
{
    uint32_t stack = entry_of(v, c, 0);

    return stack != 0 && stack % ENTRY_SIZE == 0 && !segment_of(v->symtab, stack) &&
           is_handler(v, entry_of(v, c, 1));
}

/* Up to where the symbol says. Behind that, and without a symbol, as long as there are handlers: of
 * the core's own exceptions some words are checksums, and interrupts that a chip does not have are
 * holes. */
static void name_handlers(struct vectors *v, const struct candidate *c)
{
    size_t last = 0;

    for (size_t i = 0; i < c->room && (i < VECTORS_IRQ || i < c->told || i - last <= HOLES_MAX);
         i++) {
        uint32_t entry = entry_of(v, c, i);
        bool good = i == 0 || (i < c->told ? is_handler(v, entry) : begins_function(v, entry));
        if (i >= c->told && i >= VECTORS_IRQ && !good && entry != 0)
            break;
        v->entries[i] = good ? entry : 0;
        last = good || i < c->told ? i : last;
    }
    v->addr = c->addr;
    v->count = last + 1;
}

static bool find_named(struct vectors *v, bool with_entry)
{
    for (size_t i = 0; i < sizeof(usual_names) / sizeof(usual_names[0]); i++) {
        struct candidate c;
        uint64_t addr, size;
        if (!symtab_object(v->symtab, usual_names[i], &addr, &size))
            continue;
        const struct symtab_segment *s = segment_of(v->symtab, addr);
        if (!s || !candidate_in(s, addr, &c) || !is_sound(v, &c))
            continue;
        c.told = size / ENTRY_SIZE < VECTORS_MAX ? (size_t)(size / ENTRY_SIZE) : VECTORS_MAX;
        if (with_entry && !holds_entry(v, &c))
            continue;
        name_handlers(v, &c);
        return true;
    }
    return false;
}

/* tries: of what looks like one, as often as it is looked at more closely. */
static bool find_in(struct vectors *v, const struct symtab_segment *s, unsigned *tries)
{
    uint64_t skip = -s->addr & (TABLE_STEP - 1);
    struct candidate c;

    for (uint64_t at = skip; at < s->len && at<SEARCH_MAX && * tries> 0; at += TABLE_STEP) {
        if (!candidate_in(s, s->addr + at, &c) || !holds_entry(v, &c))
            continue;
        --*tries;
        if (is_sound(v, &c)) {
            name_handlers(v, &c);
            return true;
        }
    }
    return false;
}

static bool find_shaped(struct vectors *v)
{
    size_t count;
    const struct symtab_segment *segments = symtab_segments(v->symtab, &count);
    unsigned tries = TRIES_MAX;

    for (size_t i = 0; i < count; i++)
        if (find_in(v, &segments[i], &tries))
            return true;
    return false;
}

struct vectors *vectors_new(const struct symtab *symtab)
{
    struct vectors *v = calloc(1, sizeof(*v));

    if (!v)
        return NULL;
    v->symtab = symtab;
    v->big_endian = symtab_elf(symtab)->big_endian;
    if (strcmp(symtab_elf(symtab)->arch, "arm") == 0 && symtab_elf(symtab)->addr_size == 4)
        (void)(find_named(v, true) || find_shaped(v) || find_named(v, false));
    for (size_t i = 0; i < v->count; i++)
        v->maybe[v->entries[i] / 2 % MAYBE] = true;
    return v;
}

void vectors_free(struct vectors *vectors)
{
    free(vectors);
}

size_t vectors_count(const struct vectors *vectors, uint64_t *addr)
{
    if (addr)
        *addr = vectors->addr;
    return vectors->count;
}

bool vectors_handler(const struct vectors *vectors, unsigned number, uint64_t *addr)
{
    if (number == 0 || number >= vectors->count || vectors->entries[number] == 0)
        return false;
    *addr = vectors->entries[number] & ~1u;
    return true;
}

unsigned vectors_number(const struct vectors *vectors, uint64_t addr)
{
    uint64_t handler;

    for (unsigned n = VECTORS_RESET + 1; vectors->maybe[addr / 2 % MAYBE] && n < vectors->count;
         n++)
        if (vectors_handler(vectors, n, &handler) && handler == addr)
            return n;
    return 0;
}

bool vectors_is_shared(const struct vectors *vectors, unsigned number)
{
    uint64_t own, other;

    if (!vectors_handler(vectors, number, &own))
        return false;
    for (unsigned n = VECTORS_RESET; n < vectors->count; n++)
        if (n != number && vectors_handler(vectors, n, &other) && other == own)
            return true;
    return false;
}

static const char *handler_name(const struct vectors *v, unsigned number)
{
    uint64_t addr;
    const struct symtab_function *f =
        vectors_handler(v, number, &addr) ? symtab_find(v->symtab, addr) : NULL;

    return f && f->addr == addr ? f->name : NULL;
}

static void number_text(unsigned number, char *text, size_t capacity)
{
    if (number >= VECTORS_IRQ)
        snprintf(text, capacity, "IRQ %u", number - VECTORS_IRQ);
    else if (own_names[number])
        snprintf(text, capacity, "%s", own_names[number]);
    else
        snprintf(text, capacity, "exception %u", number);
}

void vectors_label(const struct vectors *vectors, unsigned number, char *text, size_t capacity)
{
    const char *name = vectors ? handler_name(vectors, number) : NULL;
    char what[32];

    number_text(number, what, sizeof(what));
    if (number == 0)
        snprintf(text, capacity, "thread");
    else if (name)
        snprintf(text, capacity, "%s (%s)", name, what);
    else
        snprintf(text, capacity, "%s", what);
}

/* "28", and nothing else. */
static bool parse_number(const char *word, unsigned first, unsigned *number)
{
    uint64_t n;

    if (!number_parse_digits(word, 10, &n) || n >= VECTORS_MAX - first)
        return false;
    *number = (unsigned)n + first;
    return true;
}

bool vectors_parse(const struct vectors *vectors, const char *word, unsigned *number)
{
    if (parse_number(word, 0, number))
        return true;
    if (strncasecmp(word, "IRQ", 3) == 0 &&
        parse_number(word + 3 + (word[3] == ' '), VECTORS_IRQ, number))
        return true;
    for (unsigned n = 0; n < VECTORS_IRQ; n++) {
        if (strcasecmp(word, n == 0 ? "thread" : own_names[n] ? own_names[n] : "") == 0) {
            *number = n;
            return word[0] != '\0';
        }
    }
    for (unsigned n = VECTORS_RESET; n < vectors->count; n++) {
        const char *name = handler_name(vectors, n);
        if (name && strcasecmp(name, word) == 0) {
            *number = n;
            return true;
        }
    }
    return false;
}

bool vectors_choose(const struct vectors *vectors, const char *word, bool chosen[VECTORS_MAX])
{
    unsigned number;

    memset(chosen, 0, VECTORS_MAX * sizeof(*chosen));
    if (!vectors_parse(vectors, word, &number))
        return false;
    chosen[number] = true;
    for (unsigned n = number + 1; n < vectors->count; n++) {
        const char *name = handler_name(vectors, n);
        chosen[n] = name && strcasecmp(name, word) == 0;
    }
    return true;
}
