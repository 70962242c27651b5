/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is known of one ELF file, for the files that answer the questions of symbol/symtab.h. */
#ifndef SYMBOL_SYMTAB_PRIVATE_H
#define SYMBOL_SYMTAB_PRIVATE_H

#include <dwarf/debug.h>
#include <dwarf/inlines.h>
#include <dwarf/lines.h>
#include <elf/build.h>
#include <elf/segments.h>
#include <names/functions.h>
#include <names/objects.h>

#include "map.h"

/* What the budget did not allow while loading. */
enum trouble {
    TROUBLE_NONE,
    TROUBLE_SEGMENTS,
    TROUBLE_TITLES, /* names as people know them */
    TROUBLE_NAMES,  /* any */
};

struct symtab {
    struct symtab_elf elf;
    struct image image;
    struct functions functions; /* at the file's own addresses, as all that is inside */
    struct symtab_function
        *moved;               /* the same at the loaded program's; NULL: there is no difference */
    struct objects objects;   /* the same, read at the first query */
    struct segments segments; /* at the loaded program's */
    uint64_t bias;            /* from the file's addresses to those of the loaded program */
    struct map map;           /* of addresses of the loaded program */
    struct debug *debug;
    bool debug_tried; /* what follows was made, as far as it could be */
    struct units *units;
    struct sources *sources;
    struct lines *lines;
    struct inlines *inlines;
    char *path;
    enum trouble trouble;
    char build_id[BUILD_ID_MAX];
    bool hash_tried;
    char hash[BUILD_HASH_MAX]; /* of the segments, "": not known */
};

/* The functions at the addresses of the loaded program, in the same order. */
static inline const struct symtab_function *symtab_public_functions(const struct symtab *symtab)
{
    return symtab->moved ? symtab->moved : symtab->functions.functions;
}

#endif
