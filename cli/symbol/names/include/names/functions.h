/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions of an ELF file, one for each address, and the bytes that belong to each. */
#ifndef SYMBOL_FUNCTIONS_H
#define SYMBOL_FUNCTIONS_H

#include <base/string_arena.h>
#include <elf/image.h>

/* Bytes that belong to one function: start <= address < end. */
struct span {
    uint64_t start, end;
    size_t function; /* index in functions */
};

/* The functions; addresses are not relocated. Arrays are owned. */
struct functions {
    struct symtab_function *functions; /* sorted by address */
    size_t count;
    struct string_arena made; /* names that were made; all others are in the image */
    struct span *spans;       /* sorted by address, without overlaps */
    size_t span_count;
};

/* Access to names in the debug information, used only if the symbol table has several names for a
 * function and cannot tell which one the source has. */
struct debug_names {
    void *source;          /* first argument of each() */
    struct budget *budget; /* for the work on the names */
    /* Calls take() with address and name of each function, in no order. A function may have two
     * names. */
    void (*each)(void *source, void *context,
                 void (*take)(void *context, uint64_t addr, const char *name));
};

/* Reads the functions of an image, which must live as long. A file without symbols has none. The
 * caller calls functions_free() in any case. Returns false if memory runs out or the budget for
 * symbols is over; after the latter the functions may be there, with mangled names. */
bool functions_read(struct functions *functions, const struct image *image,
                    const struct debug_names *debug);
void functions_free(struct functions *functions);

/* Finds a data symbol by its name; of several a GLOBAL one. Returns false if there is none; *addr
 * and *size are unchanged then. */
bool object_find(const struct image *image, const char *name, uint64_t *addr, uint64_t *size);

/* Finds a data symbol at an address. Returns false if there is none; *size is unchanged then. */
bool object_at(const struct image *image, uint64_t addr, uint64_t *size);

/* Computes spans from functions. If functions overlap, the one that starts last has the bytes.
 * Returns false if memory runs out. */
bool spans_build(struct functions *functions);

/* Returns the function whose spans contain addr, or NULL. */
const struct symtab_function *spans_find(const struct functions *functions, uint64_t addr);

/* Bytes that may come before what gcc describes of a function: an instruction like endbr64, and the
 * nops of -fpatchable-function-entry. */
#define FUNCTIONS_NOPS_MAX 10

/* Returns the address after the last one at which debug information may say that f begins. */
static inline uint64_t functions_described_by(const struct symtab_function *f)
{
    return f->addr + (f->size <= FUNCTIONS_NOPS_MAX ? f->size : FUNCTIONS_NOPS_MAX + 1);
}

#endif
