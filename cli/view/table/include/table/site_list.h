/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the list of functions that can call the hook: mprof instrument --list. */
#ifndef TABLE_SITE_LIST_H
#define TABLE_SITE_LIST_H

#include <table/table.h>

/* A function; members as in struct instrument_site. Strings are borrowed. */
struct view_site {
    const char *function; /* its name */
    const char *file;     /* where it begins; NULL: not known */
    unsigned line;        /* 0: not known */
    uint64_t addr;        /* of the site, or of the function if it has none */
    const char *site;     /* "nops", "call", with "endbr64 + " or the like before; NULL: none */
    uint64_t nops, calls; /* instructions if it is not chosen, and if it is; without a site 0 */
    bool chosen;          /* it calls the hook in the file */
    const char *why;      /* why it cannot be chosen; NULL: it can */
};

/* The list. All is borrowed. */
struct view_site_list {
    const char *elf;  /* path */
    const char *hook; /* name */
    const struct view_site *sites;
    size_t count;
    size_t bare;        /* functions without nops that are not in the list */
    const char *option; /* what makes nops */
    unsigned addr_size; /* bytes */
};

/* Returns the list as text, which the caller frees with free(). A table fits into page, which may
 * be NULL for CSV and JSON. Returns NULL if memory runs out. */
char *view_site_list(const struct view_site_list *list, enum view_format format,
                     const struct view_page *page);

#endif
