/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What every verb on a live target needs: the ELF, the link, the sampler. */
#ifndef COMMAND_SESSION_H
#define COMMAND_SESSION_H

#include <gdbmi/link.h>
#include <sampler/table.h>
#include <symbol/symtab.h>

#include "options.h"

struct session {
    struct symtab *symtab;
    struct gdbmi_link *link;
    struct sampler_table *sampler;
    uint64_t table_addr;
    const char *symbol;
    const char *identity; /* "= flash", "not compared" */
    char doubt[120];      /* what stood in the way of comparing, "" if nothing did */
    bool said;            /* the link's failure was complained about already */
};

/* Loads, connects and compares. STATUS_DONE, or a status with everything said and nothing left open
 * or halted. */
int session_open(struct session *session, const struct options *options);

/* Says why the link failed; once. */
int session_link_failed(struct session *session);

/* Leaves the target as it was found. Says so and returns STATUS_FAILED if that was not possible. */
int session_close(struct session *session);

#endif
