/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sites: the nops at the start of a function that a call of the hook may replace. */
#ifndef INSTRUMENT_SITE_H
#define INSTRUMENT_SITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <symbol/symtab.h>

/* The function that sites call, which is in the library of the stub. */
#define SITE_HOOK "mprof_patched_entry"

/* Bytes of the longest site. */
#define SITE_MAX 6

/* The code of a function. */
struct site_code {
    uint64_t addr; /* of its first byte, without the Thumb bit */
    const uint8_t *bytes;
    size_t len;         /* bytes */
    unsigned addr_size; /* bytes of an address: 4 or 8 */
};

/* Takes an address that code refers to. */
struct site_taker {
    void (*take)(void *context, uint64_t addr);
    void *context;
};

/* What is special about a machine. */
struct site_machine {
    unsigned machine;   /* e_machine */
    const char *option; /* what the compiler needs to make sites */
    const char *far;    /* why a call is not possible, if the hook is too far away */
    unsigned size;      /* bytes of a site, at most SITE_MAX */
    unsigned calls;     /* instructions in a site that calls the hook */
    unsigned line;      /* a site is changed in a running target only within a line of this size;
                           0: anywhere */
    /* Sites of nops as compilers make them, in bytes; the first one is the usual one. */
    uint8_t nops[2][SITE_MAX];
    /* Returns the number of bytes of the nop that code starts with; 0: it starts with another
     * instruction, or len is too small. */
    size_t (*nop)(const uint8_t *code, size_t len);
    /* The same for an instruction that marks the target of a jump, like endbr64. */
    size_t (*landing)(const uint8_t *code, size_t len);
    /* Writes a site at from that calls to. Returns false if that is too far away. */
    bool (*encode)(uint64_t from, uint64_t to, uint8_t bytes[SITE_MAX]);
    /* Whether the size bytes of the site at from call the hook; *to is where they call. */
    bool (*decode)(const uint8_t *bytes, uint64_t from, uint64_t *to);
    /* Returns why the function whose site ends after skip bytes must be left alone, or NULL. */
    const char *(*refuse)(const struct site_code *code, size_t skip);
    /* Gives what code may call, jump to or take the address of; other numbers too. */
    void (*references)(const struct site_code *code, const struct site_taker *taker);
    /* Gives the trap handlers that code sets; NULL: handlers need not be left alone. */
    void (*handlers)(const struct site_code *code, const struct site_taker *taker);
};

/* Returns the machine of an ELF file; NULL: there are no sites for it. */
const struct site_machine *site_machine_of(const struct symtab_elf *elf);

/* The site of a function. */
struct site {
    size_t at;      /* offset of its first byte in the function */
    unsigned nops;  /* instructions, with further nops after the site */
    unsigned after; /* of these, instructions after the site */
    bool calls;     /* it calls the hook, and nops is what it would be without that call */
};

/* Finds the site at the start of a function. hook is the address of the hook. Returns false if
 * there is none; *site is undefined then. */
bool site_find(const struct site_machine *machine, const struct site_code *code, uint64_t hook,
               struct site *site);

/* Finds the hook among the functions of an ELF file. Returns false if there is none. */
bool site_find_hook(const struct symtab *symtab, uint64_t *hook);

/*
 * For a comparison of a target with its ELF file: returns the number of bytes from addr on that
 * are the rest of a site, and may therefore differ; 0: there is no site at addr.
 */
size_t site_rest(const struct symtab *symtab, uint64_t addr);

#endif
