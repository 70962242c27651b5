/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names, lines and bytes of an ELF file. */
#ifndef SYMBOL_SYMTAB_H
#define SYMBOL_SYMTAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symtab;

enum symtab_code {
    SYMTAB_OK = 0,
    SYMTAB_EOPEN,   /* no such file, not readable */
    SYMTAB_EFORMAT, /* not an ELF file, or a damaged one */
    SYMTAB_ENOMEM,
    SYMTAB_ESTOPPED, /* the caller wanted no more */
};

/* What kind of machine an ELF file is for. */
struct symtab_elf {
    const char *path;
    const char *arch;     /* in gdb's words: "arm", "riscv", "i386", ...; "" for others */
    const char *build_id; /* hexadecimal digits, "" if there is none */
    uint64_t entry;       /* where the file says that the program begins */
    unsigned machine;     /* e_machine */
    unsigned addr_size;   /* bytes: 4 or 8 */
    bool big_endian;
    uint64_t bias; /* from the file's addresses to those of the loaded program, modulo 2^64 */
};

/* How a name of a build begins that is a hash of the loaded segments and not a build-id. */
#define SYMTAB_SEGMENTS "seg-"

enum symtab_build {
    SYMTAB_BUILD_UNKNOWN, /* one of the two has no name of that kind */
    SYMTAB_BUILD_SAME,
    SYMTAB_BUILD_OTHER,
};

/* One function. size is never 0: a function without one reaches to the next symbol or to the end of
 * its section. */
struct symtab_function {
    uint64_t addr; /* without the Thumb bit */
    uint64_t size; /* bytes */
    /* As people write it: C++ and Rust without what their compilers add, with parameters only where
     * several functions would be called the same; without the version that a linker appends
     * (@@GLIBC_2.27); what a veneer or a PLT stub leads to, marked. */
    const char *name;
    const char *symbol; /* as the symbol table has it; NULL: the same as name */
};

struct symtab_line {
    const char *file; /* as DWARF names it, folder and all; lives as long as the symtab */
    unsigned line;    /* from 1 */
};

/* A function that was inlined. Strings live as long as the symtab. */
struct symtab_inlined {
    const char *name;
    const char *file;   /* where it was written, NULL: not known */
    unsigned line;      /* there, 0: not known */
    unsigned call_line; /* of the call that it replaces, in the function around it; 0: not known */
    const char *call_file; /* there, NULL: not known */
};

/* No more are told. */
#define SYMTAB_INLINED_MAX 16

/* A stretch of the image that is loaded from the file and that nobody writes to, and whose run and
 * load address agree: a segment, or a section of a segment that holds writable ones too. */
struct symtab_segment {
    uint64_t addr;
    const uint8_t *bytes; /* lives as long as the symtab */
    size_t len;
};

/* The target reports what a file has at to, size bytes of it, at from too. */
struct symtab_alias {
    uint64_t from, to, size;
};

enum symtab_table_kind {
    SYMTAB_TABLE_UNKNOWN,    /* no such variable in the debug information, or none at all */
    SYMTAB_TABLE_STUB,       /* its type begins with a magic: it describes itself */
    SYMTAB_TABLE_HEADERLESS, /* an array of addresses with counts, and nothing that says so */
    SYMTAB_TABLE_OTHER,      /* a type that is neither */
};

/* A table of hits as its type describes it: rows of stride bytes. Sizes are bytes, from 1 to 8;
 * addr_offset and hits_offset count from the start of a row. */
struct symtab_table {
    uint64_t addr, size; /* of the object; size 0: not known */
    bool indirect;       /* the object is a pointer to what holds the rows */
    uint64_t offset;     /* of the first row, in the object or in what it points to */
    uint64_t count, stride;
    unsigned addr_offset, addr_size;
    unsigned hits_offset, hits_size;
};

/*
 * Loads the symbols of the linked ELF file at path: it may change or vanish on disk afterwards. Of
 * a file of more than 8 MB the debug information is copied at the first question that needs it; if
 * it was written over before that, lines are not known. A stripped file has no functions, which is
 * no failure. On success *symtab is the caller's, to be freed by symtab_free().
 * Otherwise it is untouched and text (at most capacity bytes, NUL-terminated) says in one line what
 * is wrong with which file.
 *
 * What a file may cost in time and memory is bounded in proportion to its length (see
 * budget/budget.h). Past that, it is read no further, which is no failure: see symtab_trouble().
 */
enum symtab_code symtab_load(const char *path, struct symtab **symtab, char *text, size_t capacity)
    __attribute__((warn_unused_result));
void symtab_free(struct symtab *symtab);

/*
 * As symtab_load(). stop is asked now and then, as long as the symtab lives: once it returns true,
 * loading ends with SYMTAB_ESTOPPED, and questions are answered with what is known by then; when it
 * returns false again, they are answered in full.
 */
enum symtab_code symtab_load_until(const char *path, bool (*stop)(void), struct symtab **symtab,
                                   char *text, size_t capacity) __attribute__((warn_unused_result));

/* One line that says which part of the file was too large, or made to harm, and what is therefore
 * missing, in at most capacity bytes. Returns false if nothing is. Parts that were joined are not
 * looked at. */
bool symtab_trouble(const struct symtab *symtab, char *text, size_t capacity);

/*
 * Says that the program was loaded so that it begins at entry: from now on every address that comes
 * or goes is one of the loaded program. May be called again. A file that cannot begin there is
 * SYMTAB_EFORMAT, with one line in text; addresses are then as before, as they are for want of
 * memory.
 */
enum symtab_code symtab_relocate(struct symtab *symtab, uint64_t entry, char *text, size_t capacity)
    __attribute__((warn_unused_result));

const struct symtab_elf *symtab_elf(const struct symtab *symtab);

/*
 * The name of the build: the build-id, or if the file has none, "seg-" and 40 hexadecimal digits, a
 * hash of the bytes that the file loads and of their addresses, which strip and objcopy leave as it
 * is (docs/snapshot.md). The hash is computed at the first call, for which all of these bytes are
 * read. "" if the file loads nothing or has changed meanwhile, or while stop says so. Lives as long
 * as the symtab.
 */
const char *symtab_build(struct symtab *symtab);

/* Whether build, a name as symtab_build() gives it or "", is that of this file. A hash is compared
 * with this file's hash even if it has a build-id. */
enum symtab_build symtab_compare_build(struct symtab *symtab, const char *build);

/* The function whose bytes hold addr, or NULL; where functions overlap, the one that begins last.
 * All functions, ordered by address, one per address. */
const struct symtab_function *symtab_find(const struct symtab *symtab, uint64_t addr);
const struct symtab_function *symtab_functions(const struct symtab *symtab, size_t *count);

/* Whether the file has no symbol table but the dynamic linker's. */
bool symtab_is_stripped(const struct symtab *symtab);

/* The data object of that name, a GLOBAL one first; false if there is none: *addr and *size are
 * untouched. size may be 0. */
bool symtab_object(const struct symtab *symtab, const char *name, uint64_t *addr, uint64_t *size);

/*
 * What the debug information says of the variable of that name (also a linkage name, or one that is
 * static in a function). *table is set, its rows where it is SYMTAB_TABLE_HEADERLESS, its addr
 * unless it is SYMTAB_TABLE_UNKNOWN. A row's members are known by their names, in any case and with
 * or without underscores. SYMTAB_TABLE_UNKNOWN, SYMTAB_TABLE_OTHER: text says in one line what was
 * looked for.
 */
enum symtab_table_kind symtab_find_table(const struct symtab *symtab, const char *name,
                                         struct symtab_table *table, char *text, size_t capacity);

/* Whether instructions may stand at addr: in a section of code, or in a function elsewhere. */
bool symtab_is_code(const struct symtab *symtab, uint64_t addr);

/* The source line of the instruction at addr; of a function's first one, the line where the
 * function begins. false if that is not known: *line is untouched. */
bool symtab_find_line(struct symtab *symtab, uint64_t addr, struct symtab_line *line);

/* The functions whose inlined code the instruction at addr is, the innermost one first, at most max
 * of them; returns how many there are. */
size_t symtab_find_inlined(struct symtab *symtab, uint64_t addr, struct symtab_inlined *frames,
                           size_t max);

/*
 * Flash that is mapped twice: addresses that go in may be of either place from now on; those of
 * functions that come out are the file's. The from of one must not meet the from or to of another,
 * nor its own to. false: no memory.
 */
bool symtab_add_alias(struct symtab *symtab, const struct symtab_alias *alias);
const struct symtab_alias *symtab_aliases(const struct symtab *symtab, size_t *count);

/* Gives what stands at start, size bytes that no file tells of, one name: it is a function called
 * "[NAME]", also where the file has others there, and has no lines. false: no memory. */
bool symtab_add_region(struct symtab *symtab, const char *name, uint64_t start, uint64_t size);

/*
 * Adds the functions and lines of another file that is in the same target: at addresses at which
 * this one, or one that was added before, has code, they are not asked. Takes it over unless it
 * returns false: no memory. Table, objects, segments and the list of functions remain this file's.
 */
bool symtab_join(struct symtab *symtab, struct symtab *other) __attribute__((warn_unused_result));

/* This file is part 0, those that were added follow. A part that is not used is not asked. */
size_t symtab_part_count(const struct symtab *symtab);
const struct symtab *symtab_part(const struct symtab *symtab, size_t index);
bool symtab_part_is_used(const struct symtab *symtab, size_t index);
void symtab_use_part(struct symtab *symtab, size_t index, bool used);

/* The part that is asked about what a file has at addr. */
const struct symtab *symtab_owner(const struct symtab *symtab, uint64_t addr);

/* Where its file has what the target reports at addr: elsewhere only by an alias. */
uint64_t symtab_place(const struct symtab *symtab, uint64_t addr);

/* The stretches to compare with a target's memory, ordered by address. */
const struct symtab_segment *symtab_segments(const struct symtab *symtab, size_t *count);

#endif
