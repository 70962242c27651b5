/* SPDX-License-Identifier: 0BSD */
/* What every kind of link brings, and what the generic part keeps for it. */
#ifndef GDBMI_SRC_LINK_OPS_H
#define GDBMI_SRC_LINK_OPS_H

#include <gdbmi/link.h>
#include <gdbmi/stream.h>

#include "guardian.h"

#define GDBMI_TIMEOUT_MS 2000

/* What an operation may take for all of it: 4 answers, each within its time limit, and for memory
 * what its bytes take as hexadecimal digits on a line of 9600 bits a second. Opening asks
 * more. */
#define LINK_OPERATION_ANSWERS 4U
#define LINK_OPENING_ANSWERS   10U
#define LINK_BYTE_MS           3U

/*
 * How a kind of link does it. Each returns a code and sets link->error; none looks at the errors of
 * earlier calls, so that a target can be let go after one. Lengths are at least 1, and the memory
 * calls are made only where info.live is set or the target is halted. A read that fails may have
 * stored any bytes: the caller of the link does not see them.
 */
struct gdbmi_link_ops {
    enum gdbmi_code (*read)(struct gdbmi_link *link, uint64_t addr, void *bytes, size_t len);
    enum gdbmi_code (*write)(struct gdbmi_link *link, uint64_t addr, const void *bytes, size_t len);
    enum gdbmi_code (*state)(struct gdbmi_link *link, enum gdbmi_state *state);
    /* May be NULL: state and read, one after the other. Only where info.live is set. */
    enum gdbmi_code (*poll)(struct gdbmi_link *link, uint64_t addr, void *bytes, size_t len,
                            enum gdbmi_state *state);
    /* May be NULL, and GDBMI_EUNSUPPORTED without a text where nothing was done: halts a running
     * target and reads, in one round trip. *ours as in halt, on failure too. */
    enum gdbmi_code (*halt_and_read)(struct gdbmi_link *link, uint64_t addr, void *bytes,
                                     size_t len, bool *ours);
    /* Halts a running target. *ours is false if it came to a halt without us meanwhile. */
    enum gdbmi_code (*halt)(struct gdbmi_link *link, bool *ours);
    enum gdbmi_code (*resume)(struct gdbmi_link *link);
    /* Sends a resume and waits for no answer: for a server whose answers fail. An error where
     * nothing can be sent. */
    enum gdbmi_code (*send_resume)(struct gdbmi_link *link);
    enum gdbmi_code (*pc)(struct gdbmi_link *link, uint64_t *pc);
    enum gdbmi_code (*command)(struct gdbmi_link *link, const char *command, char **answer);
    /* May be NULL: the end of a public call, for what may wait no longer. */
    void (*settle)(struct gdbmi_link *link);
    /* Ends the connection. resume: we hold the target, it is to run. Frees the link, whatever it
     * returns; *error says what went wrong. */
    enum gdbmi_code (*close)(struct gdbmi_link *link, bool resume, struct gdbmi_error *error);
};

/* The base of every link: embed it as the first member. */
struct gdbmi_link {
    const struct gdbmi_link_ops *ops;
    struct gdbmi_info info; /* its strings point to the arrays below, or are constant */
    struct gdbmi_error error;
    int timeout_ms; /* for one answer */
    bool allow_halt;
    bool deaf;                 /* while the target runs, the server hears only what halts it */
    bool held;                 /* halted by us, and not resumed yet */
    bool abandoned;            /* told to resume when the server's answers had failed */
    struct guardian *guardian; /* borrowed from the stream; NULL: there is none */
    uint64_t opened_ns;
    uint64_t held_since_ns;
    uint64_t halts;
    uint64_t halted_ns;
    unsigned resets; /* that the server told us of */
    char server[96];
    char address[300];
    char target[64];
    char arch[24];
    char others[160];
    char why[320];
};

/* Sets ops, opened_ns, timeout_ms (that of the options, or the default) and empty strings. */
void link_init(struct gdbmi_link *link, const struct gdbmi_link_ops *ops, const char *kind,
               const char *address, int timeout_ms);

/* Limits of clock.h: of an operation on len bytes, of one that asks for so many answers more than
 * others, of opening a link, and of what lets a target go after an operation that had no time left.
 */
uint64_t link_limit_operation(int timeout_ms, size_t len);
uint64_t link_limit_answers(int timeout_ms, size_t more);
uint64_t link_limit_opening(int timeout_ms);
uint64_t link_limit_release(const struct gdbmi_link *link);

/* Books a halt of ours that began at since_ns, and its end. */
void link_hold(struct gdbmi_link *link, uint64_t since_ns);
void link_let_go(struct gdbmi_link *link);

/* Adds to the error that the core stays halted, if we hold it. */
void link_warn_held(struct gdbmi_link *link, struct gdbmi_error *error);

/* What closing begins with: forgets earlier errors, and lets the core run if resume. If it stays
 * halted by us, *error says so, as it says what else went wrong. */
enum gdbmi_code link_leave(struct gdbmi_link *link, bool resume, struct gdbmi_error *error);

/* Adds that connecting may have halted the core, if nobody knows that we hold it. */
void link_warn_unknown(const struct gdbmi_link *link, struct gdbmi_error *error);

/* Where nothing else will let the core go that we hold: tells it to run, unheard, and adds to the
 * error that it may stay halted, or that it does. */
void link_abandon(struct gdbmi_link *link, struct gdbmi_error *error);

/* Whether memory may be reached at the price of a halt; sets the error if not. */
enum gdbmi_code link_may_halt(const struct gdbmi_link *link, struct gdbmi_error *error);

#endif
