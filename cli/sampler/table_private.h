/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The two kinds of table that a sampler reads: the stub's, and those that say nothing of
 * themselves. */
#ifndef SAMPLER_TABLE_PRIVATE_H
#define SAMPLER_TABLE_PRIVATE_H

#include <profile/plain.h>
#include <sampler/table.h>

/* What must be known of a table that says nothing of itself. */
struct plain {
    const struct symtab *symtab;
    struct plain_shape shape;
    struct plain_rows rows;
    bool indirect;   /* the table's addr is that of a pointer */
    uint64_t offset; /* of the rows, from addr or from where it points */
};

struct sampler_table {
    struct gdbmi_link *link;
    uint64_t addr;
    unsigned addr_size;
    uint8_t *bytes;
    size_t size;         /* of bytes: what is asked for in one request */
    bool size_known;     /* the ELF says how large the object is */
    struct plain *plain; /* NULL: the table describes itself */
    char text[sizeof(((struct gdbmi_error *)0)->text)];
};

/* Reads all bytes from addr on. */
enum sampler_code sampler_read(struct sampler_table *sampler, uint64_t addr,
                               enum gdbmi_state *state);

enum sampler_code plain_poll(struct sampler_table *sampler, struct profile *profile, double now_s,
                             enum gdbmi_state *state);
void plain_free(struct plain *plain);

#endif
