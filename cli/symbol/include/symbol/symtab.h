/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An ELF file: names, source lines and bytes by address. */
#ifndef SYMBOL_SYMTAB_H
#define SYMBOL_SYMTAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One ELF file, with further files of the same target (symtab_join()). Strings and arrays that
 * functions return belong to it, and live until symtab_free(). */
struct symtab;

/* Why a file cannot be used. */
enum symtab_code {
    SYMTAB_OK = 0,
    SYMTAB_EOPEN,   /* it does not exist or cannot be read */
    SYMTAB_EFORMAT, /* it is not an ELF file, is damaged, or is not linked */
    SYMTAB_ENOMEM,
    SYMTAB_ESTOPPED, /* stop() returned true */
};

/* What the header of an ELF file says. */
struct symtab_elf {
    const char *path;
    const char *arch;     /* by gdb's name: "arm", "riscv", "i386", ...; "": another one */
    const char *build_id; /* hexadecimal digits, "" if there is none */
    uint64_t entry;       /* e_entry, not relocated */
    unsigned machine;     /* e_machine */
    unsigned addr_size;   /* bytes of an address, 4 or 8 */
    bool big_endian;
    uint64_t bias; /* address of the loaded program minus that in the file, modulo 2^64 */
};

/* Prefix of a build's name that is a hash of the loaded segments and not a build-id. */
#define SYMTAB_SEGMENTS "seg-"

/* Size of a compiler's option, bytes with the NUL. */
#define SYMTAB_FLAG_TEXT 12

/* How a file was built. */
struct symtab_flags {
    bool debug;                   /* it has debug information */
    char compiler[80];            /* of its first unit, "GNU C11 12.2.1 20221205"; "": not known */
    unsigned units;               /* compilation units, without those of an assembler */
    unsigned known;               /* of these, units whose options are known */
    char level[SYMTAB_FLAG_TEXT]; /* optimisation of most of them, "-O2"; "": not known */
    unsigned with_level;          /* units with this level */
    unsigned hooked;    /* units whose functions call a hook: -pg, -finstrument-functions */
    unsigned patchable; /* units with -fpatchable-function-entry */
    bool debug_frame, eh_frame, exidx; /* frame information: .debug_frame, .eh_frame, .ARM.exidx */
};

/* Result of symtab_compare_build(). */
enum symtab_build {
    SYMTAB_BUILD_UNKNOWN, /* one of the two has no name of that type */
    SYMTAB_BUILD_SAME,
    SYMTAB_BUILD_OTHER,
};

/* One function. */
struct symtab_function {
    uint64_t addr; /* its first byte, without the Thumb bit */
    uint64_t size; /* bytes, never 0: without a size it ends at the next symbol or its section */
    /* Demangled; with parameters only if several functions would have the same name. Without a
     * symbol version (@@GLIBC_2.27). Veneers and PLT entries have the name of their target, marked.
     */
    const char *name;
    const char *symbol; /* the name in the symbol table; NULL: the same as name */
    bool is_label;      /* has no type in the symbol table: a label of assembly, or data in code */
};

/* A place in the source. */
struct symtab_line {
    const char *file; /* path as DWARF has it, with its folder */
    unsigned line;    /* from 1 on */
};

/* An inlined function. NULL and 0 are not known. */
struct symtab_inlined {
    const char *name;
    const char *file;      /* where it is defined */
    unsigned line;         /* where it is defined */
    unsigned call_line;    /* of the call that was inlined, in the surrounding function */
    const char *call_file; /* of that call */
};

/* Largest number of nested inlined functions that are found. */
#define SYMTAB_INLINED_MAX 16

/* Bytes that are loaded from the file to their run address and that the program never writes: a
 * segment, or a section of a segment that has writable sections too. */
struct symtab_segment {
    uint64_t addr;
    const uint8_t *bytes; /* len of them */
    size_t len;
};

/* The target also reports addresses from the range at from, of size bytes, for those at to. */
struct symtab_alias {
    uint64_t from, to, size;
};

/* What a variable is, by its type in the debug information. */
enum symtab_table_kind {
    SYMTAB_TABLE_UNKNOWN,    /* there is no such variable, or no debug information */
    SYMTAB_TABLE_STUB,       /* s_prof of the stub: its type begins with a magic */
    SYMTAB_TABLE_HEADERLESS, /* an array of addresses and counts, without a header */
    SYMTAB_TABLE_RING,       /* an array of records of calls, without a header */
    SYMTAB_TABLE_OTHER,      /* another type */
};

/* Most arguments of a record of a call that are found. */
#define SYMTAB_RECORD_ARGUMENTS 4

/* A member of a record. */
struct symtab_member {
    unsigned offset, size; /* size 1 to 8; 0: there is none */
};

/* A headerless table. Offsets and sizes are bytes. */
struct symtab_table {
    uint64_t addr, size;             /* the variable; size 0: not known */
    bool indirect;                   /* the variable is a pointer to the rows */
    uint64_t offset;                 /* of the first row, in the variable or where it points to */
    uint64_t count, stride;          /* number of rows; bytes from one row to the next */
    unsigned addr_offset, addr_size; /* the address in a row; addr_size 1 to 8 */
    unsigned hits_offset, hits_size; /* the hits in a row; hits_size 1 to 8 */

    /* Of SYMTAB_TABLE_RING, in place of these two; the variable is an array or has one. */
    struct symtab_member callee, caller;
    struct symtab_member time; /* of 4 or 8 bytes, or none */
    struct symtab_member arguments[SYMTAB_RECORD_ARGUMENTS];
    unsigned argument_count;
};

/* A variable that counts how often a ring was written to. */
struct symtab_counter {
    uint64_t addr;
    unsigned size; /* bytes, 1 to 8 */
};

/*
 * Loads the linked ELF file at path, which may change or disappear afterwards. Of a file larger
 * than 8 MB, the debug information is copied when it is first needed; if the file has changed by
 * then, lines are not known. A stripped file has no functions, which is not a failure.
 *
 * Reading a file takes time and memory in proportion to its length (budget/budget.h). A file that
 * needs more is not read further, which is not a failure either: see symtab_trouble().
 *
 * On success *symtab belongs to the caller, who frees it with symtab_free(). On failure *symtab is
 * unchanged, and one line with the path is written to text, which has room for capacity bytes.
 */
enum symtab_code symtab_load(const char *path, struct symtab **symtab, char *text, size_t capacity)
    __attribute__((warn_unused_result));

/* Frees a file, with those that joined it. NULL is allowed. */
void symtab_free(struct symtab *symtab);

/*
 * The same, with a function that is called regularly as long as the symtab lives. If it returns
 * true, loading ends with SYMTAB_ESTOPPED, and later functions return what is known so far. If it
 * returns false again, they return all.
 */
enum symtab_code symtab_load_until(const char *path, bool (*stop)(void), struct symtab **symtab,
                                   char *text, size_t capacity) __attribute__((warn_unused_result));

/* Returns whether a part of the file was too large or malformed to be read, and writes one line
 * that says which and what is missing therefore. Does not look at files that joined. */
bool symtab_trouble(const struct symtab *symtab, char *text, size_t capacity);

/*
 * Relocates a position-independent program whose entry point is loaded at entry: all addresses of
 * functions below are then those of the loaded program. May be called again. Returns SYMTAB_EFORMAT
 * if the program cannot be loaded there, or SYMTAB_ENOMEM, with one line in text; addresses are
 * unchanged then.
 */
enum symtab_code symtab_relocate(struct symtab *symtab, uint64_t entry, char *text, size_t capacity)
    __attribute__((warn_unused_result));

/* Returns what the header says. */
const struct symtab_elf *symtab_elf(const struct symtab *symtab);

/*
 * Returns the name of the build: the build-id, or without one "seg-" and 40 hexadecimal digits, a
 * hash of the loaded bytes and their addresses that strip and objcopy do not change
 * (docs/snapshot.md). The first call reads these bytes. Returns "" if the file loads nothing, has
 * changed on disk, or stop() returns true.
 */
const char *symtab_build(struct symtab *symtab);

/* Compares the file with build, a name as symtab_build() returns it, or "". A hash is compared with
 * the hash of this file, also if that has a build-id. */
enum symtab_build symtab_compare_build(struct symtab *symtab, const char *build);

/* Reads how this file was built, not those that joined. What a compiler does not write is not
 * known: clang writes no options by default. */
void symtab_read_flags(const struct symtab *symtab, struct symtab_flags *flags);

/* Returns the function that contains addr, or NULL. Of functions that overlap, the one that starts
 * last is returned. */
const struct symtab_function *symtab_find(const struct symtab *symtab, uint64_t addr);

/* Returns all functions of this file, sorted by address, one for each address; sets *count. */
const struct symtab_function *symtab_functions(const struct symtab *symtab, size_t *count);

/* Whether the file has no symbol table, except for that of the dynamic linker. */
bool symtab_is_stripped(const struct symtab *symtab);

/* Finds a data object by its name; of several a GLOBAL one. *size may become 0. Returns false if
 * there is none; *addr and *size are unchanged then. */
bool symtab_object(const struct symtab *symtab, const char *name, uint64_t *addr, uint64_t *size);

/* A data object. */
struct symtab_data {
    uint64_t addr, size; /* size is not 0 */
    char name[200];      /* demangled; a longer one is cut */
};

/* Finds the data object of this file, not of those that joined, that contains addr. Returns false
 * if there is none; *data is unchanged then. */
bool symtab_find_data(struct symtab *symtab, uint64_t addr, struct symtab_data *data);

/* Returns the bytes that this file has at addr and that the program never writes, and sets *len to
 * their number. Returns NULL if there are none. */
const uint8_t *symtab_constant(const struct symtab *symtab, uint64_t addr, size_t *len);

/*
 * Finds a variable in the debug information by its name or linkage name; it may be static in a
 * function. Sets addr and size of *table, except for SYMTAB_TABLE_UNKNOWN, and all of it for
 * SYMTAB_TABLE_HEADERLESS and SYMTAB_TABLE_RING. Members of a row are recognised by their names;
 * case and underscores are ignored. For SYMTAB_TABLE_UNKNOWN and SYMTAB_TABLE_OTHER, one line that
 * says what was searched is written to text.
 */
enum symtab_table_kind symtab_find_table(const struct symtab *symtab, const char *name,
                                         struct symtab_table *table, char *text, size_t capacity);

/* Finds a variable of the symbol table that is an integer or a pointer, as the debug information
 * says. Returns false if there is none; *counter is unchanged then. */
bool symtab_find_counter(const struct symtab *symtab, const char *name,
                         struct symtab_counter *counter);

/* A variable, or a member of one. */
struct symtab_field {
    enum symtab_field_kind {
        SYMTAB_FIELD_OTHER,
        SYMTAB_FIELD_NUMBER,  /* an integer or an enumeration */
        SYMTAB_FIELD_POINTER, /* size is that of an address */
        SYMTAB_FIELD_TEXT,    /* an array of bytes, of which size is all */
    } kind;
    uint64_t offset; /* bytes from the start of the variable; with "->" of what the last pointer
                      * points to */
    uint64_t size;   /* bytes, not 0 */
    uint64_t count;  /* elements of the array that it is in, or is; 1: there is none */
    uint64_t stride; /* bytes from one of them to the next */
};

/* Finds a variable of the program or a member, by an expression of C: the name of the variable,
 * then ".MEMBER" or "->MEMBER", several times. An array on the way stands for its first element.
 * Members of unnamed structures in a structure are found. Looks at this file, not at those that
 * joined. Returns false if there is none; *field is undefined then. */
bool symtab_find_field(const struct symtab *symtab, const char *path, struct symtab_field *field);

/* Whether there can be instructions at addr: in a section with code, or in a function. */
bool symtab_is_code(const struct symtab *symtab, uint64_t addr);

/* Finds the source line of the instruction at addr; for the first instruction of a function, the
 * line where the function begins. Returns false if it is not known; *line is unchanged then. */
bool symtab_find_line(struct symtab *symtab, uint64_t addr, struct symtab_line *line);

/* Finds the inlined functions whose code the instruction at addr is, and writes at most max of them
 * to frames, the innermost one first. Returns their number. */
size_t symtab_find_inlined(struct symtab *symtab, uint64_t addr, struct symtab_inlined *frames,
                           size_t max);

/* Bytes of a description of parameters, with the NUL; most parameters that it has. */
#define SYMTAB_PARAMETERS     20
#define SYMTAB_PARAMETERS_MAX 8

/* What a parameter is besides its bytes. */
struct symtab_type {
    enum symtab_type_kind {
        SYMTAB_TYPE_PLAIN,  /* nothing else is known */
        SYMTAB_TYPE_BOOL,   /* a truth value */
        SYMTAB_TYPE_CHAR,   /* a character: char, but not signed char or unsigned char */
        SYMTAB_TYPE_STRING, /* a pointer to these */
        SYMTAB_TYPE_ENUM,   /* see symtab_find_enumerator() */
    } kind;
    uint64_t entry; /* of SYMTAB_TYPE_ENUM: says which enumeration of the file it is */
};

/* Bytes of a description with structures, with the NUL; most values in it. */
#define SYMTAB_LAYOUT      400
#define SYMTAB_MEMBERS_MAX 32

/* Offsets of members in a layout are less. */
#define SYMTAB_OFFSET_END 4096

/*
 * How a function gets parameters of which some are structures or point to them: "(", and for each
 * parameter a letter and its size in bytes, or "=", where a structure is that is passed by value,
 * and its members in braces. Where it is: a letter for each word of it, "r" in the next register of
 * integers, "f" in one of floating point values, after an "e" if the first one has an even number;
 * or "m" in memory, without members; or "a": a register has its address. A member is its name, ":",
 * and a letter, a size, "@" and its offset in bytes; of a bit field also ".", the number of its
 * first bit, "." and its bits. In place of that, the members of a structure in braces, or of an
 * array in brackets, which have no names. After a pointer to a structure may be "*" and the members
 * of that. "*" ends the text if more follows that is not described. Like
 * "(i4=rr{x:i4@0pair:{:u1@4.0.3y:u1@4.3.5}}p4*{x:i4@0}". "": there are no structures.
 */
struct symtab_layout {
    char text[SYMTAB_LAYOUT];
    struct symtab_type types[SYMTAB_MEMBERS_MAX]; /* of all values, in their order in text */
    size_t count;
};

/* How a function gets its parameters. */
struct symtab_parameters {
    /* "(", and for each parameter a letter and its size in bytes, a digit. "i" is a signed number,
     * "u" an unsigned one, "p" a pointer, "r" a floating point value in registers of integers; "f"
     * is one in a register of floating point values. "*" ends the text if more follows that is not
     * described. */
    char text[SYMTAB_PARAMETERS];
    struct symtab_type types[SYMTAB_PARAMETERS_MAX]; /* of those in text */
    struct symtab_layout layout;
};

/* What a function returns. */
struct symtab_result {
    /* As of a parameter in struct symtab_parameters, a letter and a size, like "i4"; "v": nothing;
     * "*": a structure, or anything else that is not described. */
    char text[3];
    struct symtab_type type;
};

/* Finds what the function at addr, its first byte, returns. Returns false if it is not known, or
 * the compiler may have changed it; *result is undefined then. */
bool symtab_find_result(struct symtab *symtab, uint64_t addr, struct symtab_result *result);

/* Finds how the function at addr, its first byte, gets its parameters. Returns false if it is not
 * known, or the compiler has given the function other ones; *parameters is undefined then. */
bool symtab_find_parameters(struct symtab *symtab, uint64_t addr,
                            struct symtab_parameters *parameters);

/*
 * Writes what a value of an enumeration is called: its enumerator, "Color::RED" if that has to be
 * qualified; or, if all enumerators are flags, those that are set, like "READ|WRITE", with the bits
 * that have no name after them as a number. type is that of a parameter of the function at addr, of
 * size bytes. Returns false if the value has no name, or text is too small; text is undefined then.
 */
bool symtab_find_enumerator(struct symtab *symtab, uint64_t addr, const struct symtab_type *type,
                            uint64_t value, unsigned size, char *text, size_t capacity);

/*
 * Adds an alias, for memory that is mapped at two addresses: functions below then accept addresses
 * of both ranges, and return those of the file. A range from must not overlap another range from or
 * to. Returns false if memory runs out.
 */
bool symtab_add_alias(struct symtab *symtab, const struct symtab_alias *alias);

/* Returns the aliases and sets *count. */
const struct symtab_alias *symtab_aliases(const struct symtab *symtab, size_t *count);

/* Names size bytes from start on that no ELF file describes, such as a ROM: they become a function
 * "[NAME]" without lines, in place of any function there. name is copied. Returns false if memory
 * runs out. */
bool symtab_add_region(struct symtab *symtab, const char *name, uint64_t start, uint64_t size);

/*
 * Adds another ELF file of the same target, for functions and lines at addresses where this file
 * and those added before have no code. The table, objects, segments and the list of functions
 * remain those of this file. Takes other, which symtab_free() frees. Returns false if memory runs
 * out; other then stays the caller's.
 */
bool symtab_join(struct symtab *symtab, struct symtab *other) __attribute__((warn_unused_result));

/* The files as parts: part 0 is this file, those that joined follow. A part that is not used gives
 * no functions and lines. Part 0 is always used. */
size_t symtab_part_count(const struct symtab *symtab);
const struct symtab *symtab_part(const struct symtab *symtab, size_t index);
bool symtab_part_is_used(const struct symtab *symtab, size_t index);
void symtab_use_part(struct symtab *symtab, size_t index, bool used);

/* Returns the part that has the code at addr, an address in a file; part 0 if none has. */
const struct symtab *symtab_owner(const struct symtab *symtab, uint64_t addr);

/* Returns the address in a file of what the target reports at addr. They differ only by an alias.
 */
uint64_t symtab_place(const struct symtab *symtab, uint64_t addr);

/* Returns the constant bytes to compare with a target's memory, sorted by address; sets *count. */
const struct symtab_segment *symtab_segments(const struct symtab *symtab, size_t *count);

/* The bytes of one section. */
struct symtab_section {
    uint64_t addr;        /* in the target's memory, relocated; 0 if it is not in there */
    const uint8_t *bytes; /* len of them, unpacked if they are compressed; live as long as the file
                           */
    size_t len;           /* not 0 */
};

/* Finds a section of this file, not of those that joined, by its name, like ".debug_frame". Returns
 * false if there is none, it has no bytes in the file, the file is large and has changed, or
 * reading it takes too much memory; *section is unchanged then. */
bool symtab_section(const struct symtab *symtab, const char *name, struct symtab_section *section);

/* Returns the bytes of code that this file has at addr, also if the program may write them there,
 * and sets *len to their number. Returns NULL as symtab_section() returns false. */
const uint8_t *symtab_code(const struct symtab *symtab, uint64_t addr, size_t *len);

/* Whether an address is in a section that is in the target's memory, of this file or one that
 * joined. */
bool symtab_has_section(const struct symtab *symtab, uint64_t addr);

#endif
