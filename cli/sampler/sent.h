/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes what a target sends of its trace into the bytes of s_prof, as if it had been read there. */
#ifndef SAMPLER_SENT_H
#define SAMPLER_SENT_H

#include "frames.h"
#include "table_private.h"

struct sent {
    const struct symtab *symtab; /* borrowed; NULL: nothing to compare with */
    struct frames frames;
    uint64_t unused;          /* bytes of frames that came before what they need to be understood */
    bool ended;               /* nothing more will come */
    bool ending;              /* nor is anything to be received */
    bool more;                /* the last poll did not take all that was there */
    enum sampler_code failed; /* of the next poll */
    struct sent_core {
        bool known;  /* its header has come */
        uint8_t run; /* low byte of that header's boot */
    } cores[DECODE_MAX_CORES];
};

/* As sampler_table_poll(). Waits a moment for bytes, and takes what a moment brings. */
enum sampler_code sent_poll(struct sampler_table *sampler, struct profile *profile, double now_s,
                            enum gdbmi_state *state);

#endif
