/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where names of addresses come from: an ELF file, or a snapshot that was made with one. */
#ifndef SYMBOL_NAMING_H
#define SYMBOL_NAMING_H

#include <symbol/symtab.h>

/* What it gives lives as long as what it is made from. Zeroed, it knows no name. */
struct symbol_naming {
    void *context;
    /* The function whose bytes hold addr, NULL: not known. Its size may be 0: not known. */
    const struct symtab_function *(*find)(void *context, uint64_t addr);
    /* The function that a call in it returns to. */
    const struct symtab_function *(*find_caller)(void *context, uint64_t caller);
    /* The source line of the instruction at addr. false: not known, *line is untouched. */
    bool (*find_line)(void *context, uint64_t addr, struct symtab_line *line);
    /* Where a function that find() gave begins in the source; its line is 0 if that is not known.
     */
    bool (*find_start)(void *context, const struct symtab_function *function,
                       struct symtab_line *line);
    /* As symtab_find_inlined(); NULL: nothing is known of that. */
    size_t (*find_inlined)(void *context, uint64_t addr, struct symtab_inlined *frames, size_t max);
    /* For how many bytes from addr on, at least 1, find() and find_line() answer as they do at
     * addr. NULL: that is not known. */
    uint64_t (*same)(void *context, uint64_t addr);
    /* Where functions and lines have what is reported at addr: elsewhere by an alias. NULL: all is
     * where it is reported. */
    uint64_t (*place)(void *context, uint64_t addr);
    bool unplaced; /* addresses are no more than numbers of places: not to be shown */
};

/* Where the call ends that returns to caller, which may carry a Thumb bit: in its function, also
 * where that does not return. */
static inline uint64_t naming_call(uint64_t caller)
{
    return (caller & ~(uint64_t)1) - 1;
}

static inline uint64_t naming_place(const struct symbol_naming *names, uint64_t addr)
{
    return names->place ? names->place(names->context, addr) : addr;
}

/* The names of an ELF file; NULL: none. */
struct symbol_naming symtab_naming(struct symtab *symtab);

#endif
