/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hits from a table in the target: one of the blocks of s_prof, or one without a header. */
#ifndef SAMPLER_TABLE_H
#define SAMPLER_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gdbmi/link.h>
#include <profile/control.h>
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

/* Which block of s_prof to read. */
enum sampler_kind {
    SAMPLER_AUTO,  /* the stream where reading it halts nobody, else as SAMPLER_TOTAL */
    SAMPLER_TOTAL, /* what the target itself adds up: the first of table, histogram, calls, arcs;
                    * the stream if there is nothing else */
    SAMPLER_TABLE, /* from here on in the order of enum decode_source */
    SAMPLER_CALLS,
    SAMPLER_ARCS,
    SAMPLER_STREAM,
    SAMPLER_HISTOGRAM,
};

struct sampler_table;

/* A sampler of s_prof at addr, of size bytes in all as the ELF says (0: not known). It borrows the
 * link. NULL: no memory. */
struct sampler_table *sampler_table_new(struct gdbmi_link *link, uint64_t addr, uint64_t size,
                                        unsigned addr_size, enum sampler_kind kind);

/*
 * A sampler of a table that says nothing of itself. symtab and link are borrowed; table is what
 * symtab_find_table() found in it. block size: bytes of addresses of a block, 0: as the addresses
 * are aligned, at most 16. Most of its addresses must be code of the symtab's. NULL: no memory, or
 * the table is larger than any that is believed.
 */
struct sampler_table *sampler_table_new_headerless(struct gdbmi_link *link,
                                                   const struct symtab *symtab,
                                                   const struct symtab_table *table,
                                                   enum decode_unit unit, unsigned block_size);
void sampler_table_free(struct sampler_table *sampler);

/* Says that the target's samples carry numbers of exceptions, so that 0 means none of them; a
 * stream that has shown another number is believed anyhow. */
void sampler_table_has_exceptions(struct sampler_table *sampler);

/* The same table over another link, after the first one was lost: what was drained stays. */
void sampler_table_relink(struct sampler_table *sampler, struct gdbmi_link *link);

/*
 * Reads the header and the block, in one request where it stands behind the header, and updates the
 * profile as of now_s. *state is what the
 * target did just before, untouched where the link did not say; where it stood still, the profile
 * measures no interval from or to now_s. Unless SAMPLER_OK, the profile is
 * as before and sampler_table_text() says in one line why.
 */
enum sampler_code sampler_table_poll(struct sampler_table *sampler, struct profile *profile,
                                     double now_s, enum gdbmi_state *state)
    __attribute__((warn_unused_result));
const char *sampler_table_text(const struct sampler_table *sampler);

/* Takes what came into a stream since the last poll or drain, so that its ring does not run over.
 * Anything but a stream needs none. */
enum sampler_code sampler_table_drain(struct sampler_table *sampler)
    __attribute__((warn_unused_result));

/* Seconds after which a drain is due; 0: none is, also where each would halt the target. */
double sampler_table_drain_s(const struct sampler_table *sampler);

/* What the stub says of itself: the headers of all cores' objects, *count of them, and their bytes;
 * they belong to the sampler, and are good until the next call. A table without a header is
 * SAMPLER_ETABLE. */
enum sampler_code sampler_table_look(struct sampler_table *sampler,
                                     const struct profile_object **objects, size_t *count)
    __attribute__((warn_unused_result));

/* Makes writes to a core's object, one after the other. */
enum sampler_code sampler_table_write(struct sampler_table *sampler, unsigned core,
                                      const struct control_write *writes, size_t count)
    __attribute__((warn_unused_result));

/* Whether the last poll read nothing but zeros: memory that was cleared, or a server that answers a
 * read that failed with zeros. */
bool sampler_table_is_zero(const struct sampler_table *sampler);

#endif
