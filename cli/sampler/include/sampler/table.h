/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hits from the stub's item table. */
#ifndef SAMPLER_TABLE_H
#define SAMPLER_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gdbmi/link.h>
#include <profile/profile.h>
#include <symbol/symtab.h>

enum sampler_code {
    SAMPLER_OK = 0,
    SAMPLER_WAIT,   /* the table is not initialised (yet), or has no rows of this firmware */
    SAMPLER_ETABLE, /* s_prof is of another version, or damaged */
    SAMPLER_EREAD,  /* the target refused the read: it may work later */
    SAMPLER_ELINK,  /* the link failed for good: gdbmi_link_error() says how */
    SAMPLER_ENOMEM,
};

struct sampler_table;

/* A sampler of the table at addr, of size bytes as the ELF says (0: not known). It borrows the
 * link. NULL: no memory. */
struct sampler_table *sampler_table_new(struct gdbmi_link *link, uint64_t addr, uint64_t size,
                                        unsigned addr_size);

/*
 * A sampler of a table that says nothing of itself. symtab and link are borrowed; table is what
 * symtab_find_table() found in it. grain: bytes of addresses of a block, 0: as the addresses are
 * aligned, at most 16. Most of its addresses must be code of the symtab's. NULL: no memory, or the
 * table is larger than any that is believed.
 */
struct sampler_table *sampler_table_new_plain(struct gdbmi_link *link, const struct symtab *symtab,
                                              const struct symtab_table *table,
                                              enum decode_unit unit, unsigned grain);
void sampler_table_free(struct sampler_table *sampler);

/*
 * Reads header and rows in one request and updates the profile as of now_s. *state is what the
 * target did just before, untouched where the link did not say; where it stood still, the profile
 * measures no interval from or to now_s. Unless SAMPLER_OK, the profile is
 * as before and sampler_table_text() says in one line why.
 */
enum sampler_code sampler_table_poll(struct sampler_table *sampler, struct profile *profile,
                                     double now_s, enum gdbmi_state *state)
    __attribute__((warn_unused_result));
const char *sampler_table_text(const struct sampler_table *sampler);

/* Whether the last poll read nothing but zeros: memory that was cleared, or a server that answers a
 * read that failed with zeros. */
bool sampler_table_is_zero(const struct sampler_table *sampler);

#endif
