/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples that mprof takes itself, of a target without a stub, in small batches. */
#ifndef TAKEN_TAKEN_H
#define TAKEN_TAKEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gdbmi/link.h>
#include <profile/profile.h>
#include <sampler/table.h>
#include <symbol/symtab.h>
#include <symbol/vectors.h>

/* Size of a text, bytes with the NUL. */
#define TAKEN_TEXT sizeof(((struct gdbmi_error *)0)->text)

/* What the core did when it was looked at. */
enum taken_kind {
    TAKEN_CODE,    /* it executed the instruction at pc */
    TAKEN_ASLEEP,  /* it slept */
    TAKEN_HALTED,  /* somebody else had halted it: no sample */
    TAKEN_LOCKUP,  /* it was locked up, after a fault in a fault handler */
    TAKEN_UNKNOWN, /* it ran, and did not say where */
};

/* One look at the core. Zeroed members are not known. */
struct taken_sample {
    enum taken_kind kind;
    uint64_t pc;           /* of TAKEN_CODE, without the Thumb bit */
    unsigned exception;    /* its number, of 1 to 511; 0: none, see taken.exceptions */
    bool has_task;         /* task is known */
    uint64_t task;         /* what the firmware calls the current task, see profile/tasks.h */
    const uint64_t *stack; /* addresses that calls return to, innermost first; borrowed; NULL: not
                            * known */
    size_t depth;          /* their number; 0: it has no caller */
    bool cut;              /* there are further callers */
};

struct taken;

/*
 * A way to take samples. Functions return SAMPLER_OK or why not, with a line in taken->text. The
 * link is taken->link, and may be another one at each call.
 */
struct taken_ops {
    enum decode_source source; /* DECODE_PCSR or DECODE_HALT */
    /* Whether samples can be taken this way. SAMPLER_WAIT: not as long as the target is as it is
     * (halted, asleep). SAMPLER_ETABLE: never with this target. */
    enum sampler_code (*probe)(struct taken *taken);
    /* Takes some samples and gives them to taken_add(), as few as are worth the effort; sets *state
     * to what the target did at first. */
    enum sampler_code (*batch)(struct taken *taken, enum gdbmi_state *state);
    /* Returns the seconds from one batch to the next, > 0, apart from --link-share, which the
     * caller observes. May be random. */
    double (*pause_s)(const struct taken *taken);
    /* Puts the target back as it was found, as far as there is a link and it works, and frees
     * taken->own. */
    void (*close)(struct taken *taken);
};

/* The ways; each has an own file. */
extern const struct taken_ops taken_pcsr, taken_halt;

/* What was taken. */
struct taken {
    const struct taken_ops *ops;
    struct gdbmi_link *link;     /* borrowed; NULL: lost */
    const struct symtab *symtab; /* borrowed */
    struct sampler_taking how;   /* what the user allows */
    void *own;                   /* of the way, owned by it */
    struct tally tally;
    struct profile_tasks *tasks;   /* owned; NULL: not known */
    struct profile_stacks *stacks; /* owned; NULL: not known */
    bool exceptions;               /* samples have numbers of exceptions: set by the way */
    uint32_t asleep, halted, lockup, unknown;
    uint32_t batches;
    struct vectors *vectors; /* owned; those of vectors_of, NULL: not known */
    const struct symtab *vectors_of;
    struct taken_spread *spread; /* owned: how much samples of one batch are alike, by function */
    struct taken_spread *task_spread; /* owned: and by task */
    uint32_t seen;        /* all of them but TAKEN_HALTED, when the profile was updated */
    uint32_t slept, lost; /* asleep and unknown, then */
    unsigned resets;      /* of the link, at the last batch */
    bool restarted;       /* the target has restarted since the last update */
    char text[TAKEN_TEXT];
};

/* Makes one without samples; taken_free() frees it. symtab and link are borrowed. Returns NULL if
 * memory runs out. */
struct taken *taken_new(const struct taken_ops *ops, struct gdbmi_link *link,
                        const struct symtab *symtab, const struct sampler_taking *how);

/* Closes and frees it. NULL is allowed. */
void taken_free(struct taken *taken);

/* Returns the word that says which task runs, of its taken->how.task_size bytes as the target has
 * them. */
uint64_t taken_task(const struct taken *taken, const unsigned char *bytes);

/* Counts a look at the core. Returns false if memory runs out. */
bool taken_add(struct taken *taken, const struct taken_sample *sample)
    __attribute__((warn_unused_result));

/* Takes over the text of the link's error; returns whether the target or the link failed. */
enum sampler_code taken_fail(struct taken *taken, enum gdbmi_code code);

/* Another link to the same target from now on. NULL: there is none, and until there is, nothing but
 * taken_free() and taken_update() may be called. */
void taken_relink(struct taken *taken, struct gdbmi_link *link);

/* Forgets all samples: the target has restarted. */
void taken_restart(struct taken *taken);

/* Takes a batch. */
enum sampler_code taken_drain(struct taken *taken, enum gdbmi_state *state)
    __attribute__((warn_unused_result));

/* Takes a batch and updates the profile, as sampler_table_poll(). */
enum sampler_code taken_poll(struct taken *taken, struct profile *profile, double now_s,
                             enum gdbmi_state *state) __attribute__((warn_unused_result));

/* Updates a profile with all that was taken. Returns false if memory runs out. */
bool taken_update(struct taken *taken, struct profile *profile, double now_s)
    __attribute__((warn_unused_result));

#endif
