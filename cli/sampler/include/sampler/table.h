/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads hits from a target: from a block of s_prof, or from a table without a header; or samples
 * the target itself. */
#ifndef SAMPLER_TABLE_H
#define SAMPLER_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gdbmi/link.h>
#include <profile/control.h>
#include <profile/profile.h>
#include <symbol/symtab.h>

/* Why nothing was read. */
enum sampler_code {
    SAMPLER_OK = 0,
    SAMPLER_WAIT,   /* s_prof is not initialised, or a table has no addresses of this firmware */
    SAMPLER_ETABLE, /* s_prof is of another version, or damaged */
    SAMPLER_EREAD,  /* the server cannot read this memory; it may work later */
    SAMPLER_ELINK,  /* the link has failed: see gdbmi_link_error() */
    SAMPLER_ENOMEM,
};

/* The block of s_prof to read, or how to take samples without it: --sampler. */
enum sampler_kind {
    SAMPLER_AUTO,  /* the stream, if the link reads a running target; else as SAMPLER_TOTAL */
    SAMPLER_TOTAL, /* the first of table, histogram, calls and arcs that counts since the reset; the
                    * stream if there is no other block */
    SAMPLER_TABLE, /* from here on in the order of enum decode_source */
    SAMPLER_CALLS,
    SAMPLER_ARCS,
    SAMPLER_STREAM,
    SAMPLER_HISTOGRAM,
    SAMPLER_TRACE, /* events, see sampler/trace.h; the profile has no rows */
    SAMPLER_PCSR,  /* samples by the core's PC sample register */
    SAMPLER_HALT,  /* samples by short halts */
};

/* Whether mprof takes the samples itself. */
static inline bool sampler_kind_is_taken(enum sampler_kind kind)
{
    return kind == SAMPLER_PCSR || kind == SAMPLER_HALT;
}

/* What the user allows a sampler that takes samples itself. */
struct sampler_taking {
    double duty;     /* largest part of the time that the target may be halted, 0 to 1 */
    double share;    /* largest part of the link's time, 0 to 1 */
    bool burst;      /* the debug server's own, fast way, which keeps its other clients waiting */
    unsigned stacks; /* most functions of a call stack, which is sampled too; 0: none */
    /* The word that says which task runs, like the address of its control block. */
    uint64_t task;
    unsigned task_size; /* bytes, 4 or 8; 0: there is none */
};

/* A sampler. The caller frees it with sampler_table_free(). */
struct sampler_table;

/* Creates a sampler of s_prof at addr. size is its bytes by the ELF file, 0 if not known; addr_size
 * the bytes of an address. link is borrowed. Returns NULL if memory runs out. */
struct sampler_table *sampler_table_new(struct gdbmi_link *link, uint64_t addr, uint64_t size,
                                        unsigned addr_size, enum sampler_kind kind);

/*
 * Creates a sampler of a table without a header, which symtab_find_table() has found in symtab.
 * link and symtab are borrowed. block_size is the bytes of code that a row stands for; 0: find out
 * from the addresses, at most 16. Most addresses of the table must be code, or polls return
 * SAMPLER_WAIT. Returns NULL if memory runs out or the table is larger than DECODE_MAX_SIZE.
 */
struct sampler_table *sampler_table_new_headerless(struct gdbmi_link *link,
                                                   const struct symtab *symtab,
                                                   const struct symtab_table *table,
                                                   enum decode_unit unit, unsigned block_size);

/* Creates a sampler of SAMPLER_TRACE of a ring of calls that symtab_find_table() has found in
 * symtab, and of its counter. still: nothing changes while it is read, as in a dump. All else is as
 * sampler_table_new_headerless(). */
struct sampler_table *sampler_table_new_ring(struct gdbmi_link *link, const struct symtab *symtab,
                                             const struct symtab_table *table,
                                             const struct symtab_counter *counter, bool still,
                                             enum sampler_kind kind);

/* Makes a new sampler of SAMPLER_TRACE take what the target sends by itself, over a link of
 * gdbmi_options.records. symtab is borrowed, and compared with what comes: polls of another build
 * return SAMPLER_ETABLE; NULL: nothing is compared. Returns false if memory runs out. */
bool sampler_table_receive(struct sampler_table *sampler, const struct symtab *symtab)
    __attribute__((warn_unused_result));

/* Returns whether the last poll of such a sampler ended with more to be taken at once. */
bool sampler_table_has_more(const struct sampler_table *sampler);

/* Returns whether all was taken that such a sampler will ever get, from a file; sets *left_out to
 * the bytes that were of no use. */
bool sampler_table_has_ended(const struct sampler_table *sampler, uint64_t *left_out);

/*
 * Creates a sampler of SAMPLER_PCSR or SAMPLER_HALT that takes samples itself. link and symtab are
 * borrowed. Sets *code to SAMPLER_OK; to SAMPLER_WAIT if it cannot tell yet whether that works,
 * because the target is halted or asleep; or else returns NULL, with one line in text.
 */
struct sampler_table *sampler_table_new_taken(struct gdbmi_link *link, const struct symtab *symtab,
                                              enum sampler_kind kind,
                                              const struct sampler_taking *how,
                                              enum sampler_code *code, char *text, size_t capacity);

/* Replaces symtab by that of another ELF file of the same firmware. Does nothing for samplers that
 * read s_prof. */
void sampler_table_use_names(struct sampler_table *sampler, const struct symtab *symtab);

/* Whether it is such a sampler: the profile begins with the first poll, and grows by each
 * sampler_table_drain(). */
bool sampler_table_is_taken(const struct sampler_table *sampler);

/* NULL is allowed and does nothing. */
void sampler_table_free(struct sampler_table *sampler);

/* Tells a sampler that samples of this target have numbers of exceptions, so that 0 means none.
 * Without this call it is assumed after a stream had a number other than 0. */
void sampler_table_has_exceptions(struct sampler_table *sampler);

/* Replaces the link, after the first one was lost. Samples of a stream that were read are kept.
 * NULL: there is none until the next call, and the target must not be read. */
void sampler_table_relink(struct sampler_table *sampler, struct gdbmi_link *link);

/*
 * Reads the header and the block, in one request if possible, and updates the profile. now_s is the
 * time, seconds of a monotonic clock. Sets *state to the target's state just before the reading, if
 * the link knows it. If the target was halted, the profile has no rate for the interval before or
 * after. On failure the profile is unchanged, and sampler_table_text() says why.
 */
enum sampler_code sampler_table_poll(struct sampler_table *sampler, struct profile *profile,
                                     double now_s, enum gdbmi_state *state)
    __attribute__((warn_unused_result));

/* Returns why the last call failed, one line. Valid until the next call. */
const char *sampler_table_text(const struct sampler_table *sampler);

/* Reads the new records of a stream or of a trace between two polls, so that none are overwritten
 * before they are read; or takes a batch of samples. Does nothing for other blocks. */
enum sampler_code sampler_table_drain(struct sampler_table *sampler)
    __attribute__((warn_unused_result));

/* Returns the seconds from one drain to the next; 0: it is not needed, or each would halt the
 * target. */
double sampler_table_drain_s(const struct sampler_table *sampler);

/* Reads s_prof of all cores without updating a profile. *objects is an array of *count, which
 * belongs to the sampler and is valid until the next call. Returns SAMPLER_ETABLE for a table
 * without a header. */
enum sampler_code sampler_table_look(struct sampler_table *sampler,
                                     const struct profile_object **objects, size_t *count)
    __attribute__((warn_unused_result));

/* The same, with the coverage of each object that has one; for decode_coverage(). */
enum sampler_code sampler_table_coverage(struct sampler_table *sampler,
                                         const struct profile_object **objects, size_t *count)
    __attribute__((warn_unused_result));

/* Returns the focus that the stub has, by what was read last; NULL: none, or nothing was read. */
const struct decode_block *sampler_table_focus_block(const struct sampler_table *sampler);

/* The same as sampler_table_look(), only the headers and the focus, after another reading of this
 * table; for decode_focus() and decode_focus_hits(). */
enum sampler_code sampler_table_focus(struct sampler_table *sampler,
                                      const struct profile_object **objects, size_t *count)
    __attribute__((warn_unused_result));

/* Makes count writes to s_prof of a core, in their order. On failure some of them may be done. */
enum sampler_code sampler_table_write(struct sampler_table *sampler, unsigned core,
                                      const struct control_write *writes, size_t count)
    __attribute__((warn_unused_result));

/* Returns the header of the first core, as it was read last; NULL: none was, or the table has no
 * header. */
const struct decode_header *sampler_table_header(const struct sampler_table *sampler);

/* Whether the last poll read only zeros: cleared memory, or a server that answers a failed read so.
 */
bool sampler_table_is_zero(const struct sampler_table *sampler);

#endif
