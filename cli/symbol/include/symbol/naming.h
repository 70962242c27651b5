/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A source of names for addresses: an ELF file, or a snapshot that was made with one. */
#ifndef SYMBOL_NAMING_H
#define SYMBOL_NAMING_H

#include <symbol/symtab.h>

/* The source, by functions. Each function may be NULL: nothing is known of what it would return.
 * Zeroed memory knows no names. Results and their strings belong to the ELF file or the snapshot,
 * and live as long as that. */
struct symbol_naming {
    void *context; /* first argument of each function */
    /* Returns the function that contains addr, or NULL. Its size may be 0: not known. */
    const struct symtab_function *(*find)(void *context, uint64_t addr);
    /* Returns the function that contains the call that returns to caller, or NULL. */
    const struct symtab_function *(*find_caller)(void *context, uint64_t caller);
    /* Finds the source line of the instruction at addr. Returns false if it is not known; *line is
     * unchanged then. */
    bool (*find_line)(void *context, uint64_t addr, struct symtab_line *line);
    /* Finds the source line where a function that find() returned begins; its line is 0 if only the
     * file is known. Returns as find_line() does. */
    bool (*find_start)(void *context, const struct symtab_function *function,
                       struct symtab_line *line);
    /* As symtab_find_inlined(). */
    size_t (*find_inlined)(void *context, uint64_t addr, struct symtab_inlined *frames, size_t max);
    /* Returns the number of bytes from addr on, at least 1, for which find() and find_line() have
     * the same result. */
    uint64_t (*same)(void *context, uint64_t addr);
    /* Returns the address at which functions and lines have what the target reports at addr: it
     * differs if there is an alias. NULL: all addresses are equal. */
    uint64_t (*place)(void *context, uint64_t addr);
    /* Returns all functions, ordered by address. NULL: only those at the addresses of a profile are
     * known. */
    const struct symtab_function *(*functions)(void *context, size_t *count);
    /* Returns true if some place has two addresses. NULL: no place has. */
    bool (*aliased)(void *context);
    bool unplaced; /* addresses are only numbers of places: do not show them */
};

/* Returns an address in the call that returns to caller, which may have the Thumb bit. The return
 * address itself may be in the next function, if the called function does not return. */
static inline uint64_t naming_call(uint64_t caller)
{
    return (caller & ~(uint64_t)1) - 1;
}

/* Returns names->place(addr), or addr if there is no such function. */
static inline uint64_t naming_place(const struct symbol_naming *names, uint64_t addr)
{
    return names->place ? names->place(names->context, addr) : addr;
}

/* Returns the names of an ELF file, which must live as long as they are used. NULL: no names. */
struct symbol_naming symtab_naming(struct symtab *symtab);

#endif
