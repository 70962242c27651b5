/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions of an ELF file, one per address, and who owns which bytes. */
#ifndef SYMBOL_FUNCTIONS_H
#define SYMBOL_FUNCTIONS_H

#include <base/string_arena.h>
#include <elf/image.h>

/* Bytes that belong to one function: [start, end). */
struct span {
    uint64_t start, end;
    size_t function; /* index into functions */
};

struct functions {
    struct symtab_function *functions; /* ordered by address */
    size_t count;
    struct string_arena made; /* names that are not in the image */
    struct span *spans;       /* ordered by address, without overlaps */
    size_t span_count;
};

/* Where to ask which of several names the source uses: asked only if the symbol table cannot tell.
 */
struct debug_names {
    void *source;
    struct budget *budget; /* for looking at what each() gives */
    /* Gives take() an address and a name of each function, in no order; a function may have two. */
    void (*each)(void *source, void *context,
                 void (*take)(void *context, uint64_t addr, const char *name));
};

/* false: no memory, or the budget is over; in this case the functions are there if they are known
 * without the names that people know. functions is to be freed in every case. A file without
 * symbols has none. */
bool functions_read(struct functions *functions, const struct image *image,
                    const struct debug_names *debug);
void functions_free(struct functions *functions);

/* The data symbol of that name. */
bool object_find(const struct image *image, const char *name, uint64_t *addr, uint64_t *size);

/* Whether there is data with a name at addr, and then its size. */
bool object_at(const struct image *image, uint64_t addr, uint64_t *size);

/* Fills spans from functions: where they overlap, the one that starts last owns the byte. */
bool spans_build(struct functions *functions);
const struct symtab_function *spans_find(const struct functions *functions, uint64_t addr);

#endif
