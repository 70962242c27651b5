/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a zoom is made of. */
#ifndef LIVE_ZOOM_PRIVATE_H
#define LIVE_ZOOM_PRIVATE_H

#include <annotate/annotate_frame.h>
#include <annotate/calls.h>
#include <load/annotate_code.h>
#include <sampler/table.h>

#include "zoom.h"

#define ZOOM_TEXT 480

/* What reads arcs. */
struct zoom_arcs {
    struct sampler_table *sampler; /* of arcs, at link; NULL: none yet */
    const struct gdbmi_link *link; /* compared only, as the next two */
    const struct symtab *symtab;
    struct file_stamp stamp;
    struct profile profile;
    char note[ZOOM_TEXT]; /* why there are none; "": the last reading is good */
    bool later;           /* the note is no reason to forget what was read before */
};

/* Callers and callees. Zeroed, nothing was read. */
struct zoom_calls {
    struct profile profile;
    double due_s; /* when they are to be read again */
    bool known;   /* calls are of this function */
    struct view_calls calls;
    char note[ZOOM_TEXT]; /* why there are none; "": there may be some */
};

struct zoom {
    const struct options *options;
    char *name, *file;   /* of the function; file NULL: not known */
    char *symbol;        /* NULL: as the name */
    struct view_row row; /* what was opened: its addr */

    /* Of the ELF that is loaded; function NULL: it is not in there, or names are not trusted, and
     * gone says so. */
    struct symtab *symtab;
    struct file_stamp stamp;
    uint64_t bias;
    struct symbol_naming names;
    const struct symtab_function *function;
    char gone[ZOOM_TEXT];

    struct annotation annotation;
    struct annotate_code code;
    double updated_s; /* of the profile that it was built of */
    uint64_t attributed;
    struct zoom_calls calls;

    bool shows_calls;
    struct annotate_frame panel;
    struct annotate_frame before; /* the panel before it changed its lines */
    bool turned;                  /* before was the other panel */
    bool aimed;                   /* the cursor has been put on a hot line */
    size_t placed;                /* where it was put last */
    unsigned width;
    bool ascii;
};

/* Picks the function's calls. false: no memory. */
bool zoom_calls_update(struct zoom_calls *calls, const struct watch *watch,
                       const struct profile *profile, const struct symtab_function *function)
    __attribute__((warn_unused_result));
/* Nothing of the ELF is used any more. */
void zoom_calls_drop(struct zoom_calls *calls);

#endif
