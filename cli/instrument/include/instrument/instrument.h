/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes calls of the hook into a copy of an ELF file. */
#ifndef INSTRUMENT_INSTRUMENT_H
#define INSTRUMENT_INSTRUMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <symbol/symtab.h>

/* An ELF file and its sites (site.h). */
struct instrument;

/* What can be done with a function. */
enum instrument_state {
    INSTRUMENT_FREE,    /* has nops, and can call the hook */
    INSTRUMENT_CALLS,   /* calls the hook */
    INSTRUMENT_REFUSED, /* has nops (or a call of the hook), but must be left alone */
    INSTRUMENT_BARE,    /* has no nops */
};

/* A function of the file. */
struct instrument_site {
    const struct symtab_function *function; /* belongs to the symtab */
    enum instrument_state state;            /* in the file */
    const char *why;                        /* why it cannot be chosen; NULL: it can */
    uint64_t addr;  /* of the site's first byte; of the function, if it is bare */
    size_t offset;  /* of that byte in the file */
    unsigned nops;  /* instructions that a call of the function costs if it is not chosen */
    unsigned calls; /* the same if it is chosen, without the hook */
    bool landing;   /* an instruction like endbr64 is before the site */
    bool chosen;    /* to call the hook in the copy; may be set unless why is set */
};

/*
 * Reads the ELF file at path, whose symbols are symtab, and finds the sites of its functions.
 * symtab must live as long as the result, which the caller frees with instrument_free().
 * Returns NULL, and writes one line with the path to text, if the file cannot be read, is for
 * another machine, or has no hook.
 */
struct instrument *instrument_open(const char *path, const struct symtab *symtab, char *text,
                                   size_t capacity) __attribute__((warn_unused_result));

/* Frees it. NULL is allowed. */
void instrument_free(struct instrument *instrument);

/* Returns the functions by address, one for each address, and sets *count. No function is chosen at
 * first. */
struct instrument_site *instrument_sites(struct instrument *instrument, size_t *count);

/* Returns the option of the compiler that makes sites on this machine. */
const char *instrument_option(const struct instrument *instrument);

/* Room for the bytes of a site. */
#define INSTRUMENT_SITE_MAX 8

/* Returns the number of bytes of a site. */
unsigned instrument_site_size(const struct instrument *instrument);

/* Whether the stub can change a site in a running target, at once for all threads: on x86-64, if it
 * is within a line of the cache. */
bool instrument_site_is_whole(const struct instrument *instrument, size_t index);

/* Copies the bytes of a site that can be chosen, by its index: as they are without a call of the
 * hook, and with it. */
void instrument_site_bytes(const struct instrument *instrument, size_t index,
                           uint8_t without[INSTRUMENT_SITE_MAX], uint8_t with[INSTRUMENT_SITE_MAX]);

/*
 * Writes a copy to path in which the chosen functions call the hook, and no other function does.
 * All other bytes, the length and the permissions are those of the file. A file at path is replaced
 * as a whole. Returns false, and writes one line to text, on failure.
 */
bool instrument_write(const struct instrument *instrument, const char *path, char *text,
                      size_t capacity) __attribute__((warn_unused_result));

/*
 * Compares the file at path with this one. Returns true if they differ in nothing but sites of
 * functions that can be chosen, and each of these sites is nops or a call of the hook in the file
 * at path; sets *calls to the number of calls. Otherwise returns false, and writes one line to text
 * that says where they differ first.
 */
bool instrument_check(const struct instrument *instrument, const char *path, size_t *calls,
                      char *text, size_t capacity) __attribute__((warn_unused_result));

#endif
