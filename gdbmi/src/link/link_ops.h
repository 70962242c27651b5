/* SPDX-License-Identifier: 0BSD */
/* The base of all links: the functions that a kind of link defines, and the state that all share.
 */
#ifndef GDBMI_SRC_LINK_OPS_H
#define GDBMI_SRC_LINK_OPS_H

#include <gdbmi/link.h>
#include <gdbmi/stream.h>

#include "cost.h"
#include "guardian.h"
#include "registers.h"

/* Time for one answer of a server, unless the options say another. */
#define GDBMI_TIMEOUT_MS 2000

/* The time limit of an operation: 4 answers, and for each byte of memory the time that two
 * hexadecimal digits take at 9600 bits a second. Opening has the time of 10 answers. */
#define LINK_OPERATION_ANSWERS 4U
#define LINK_OPENING_ANSWERS   10U
#define LINK_BYTE_MS           3U

/*
 * The functions of a kind of link; arguments are those of the public functions. Each returns a code
 * and, if that is an error, sets link->error. None checks link->error first, so that a target can
 * be resumed after an error. Lengths are at least 1. Memory is accessed only if info.live is set or
 * the target is halted. A read that fails may have stored anything in bytes.
 */
struct gdbmi_link_ops {
    enum gdbmi_code (*read)(struct gdbmi_link *link, uint64_t addr, void *bytes, size_t len);
    enum gdbmi_code (*write)(struct gdbmi_link *link, uint64_t addr, const void *bytes, size_t len);
    enum gdbmi_code (*state)(struct gdbmi_link *link, enum gdbmi_state *state);
    /* Asks for the state and reads, in one round trip. Called only if info.live is set. May be
     * NULL: state() and read() are called. */
    enum gdbmi_code (*poll)(struct gdbmi_link *link, uint64_t addr, void *bytes, size_t len,
                            enum gdbmi_state *state);
    /* Reads a word several times and asks for the state, in one request: gdbmi_link_repeat().
     * Called only if info.live is set. May be NULL: state() and read() are called. */
    enum gdbmi_code (*repeat)(struct gdbmi_link *link, const struct gdbmi_repeat *repeat,
                              uint32_t *values, size_t *count, enum gdbmi_state *state);
    /* Halts a running target and reads, in one round trip. Sets *ours as halt() does, on failure
     * too. Returns GDBMI_EUNSUPPORTED, and sets no error, if it did nothing. May be NULL. */
    enum gdbmi_code (*halt_and_read)(struct gdbmi_link *link, uint64_t addr, void *bytes,
                                     size_t len, bool *ours);
    /* Halts a running target. Sets *ours to false if something else halted it first. */
    enum gdbmi_code (*halt)(struct gdbmi_link *link, bool *ours);
    enum gdbmi_code (*resume)(struct gdbmi_link *link);
    /* Sends a resume without waiting for an answer, if the server no longer answers. Fails if
     * nothing can be sent. */
    enum gdbmi_code (*send_resume)(struct gdbmi_link *link);
    /* Called only while the target is halted. */
    enum gdbmi_code (*pc)(struct gdbmi_link *link, uint64_t *pc);
    /* Reads registers of a halted target to sample->registers and known: at least the program
     * counter and, if it has one, the return address; all of map if all is set. May be NULL: this
     * kind of link has no registers. */
    enum gdbmi_code (*registers)(struct gdbmi_link *link, const struct link_registers *map,
                                 bool all, struct gdbmi_sample *sample);
    /* Halts a running target and reads like registers(), in as few round trips as possible. Sets
     * *ours as halt() does, on failure too. If the server can do that in the same request, it also
     * reads the stack and resumes the target, and sets *runs, and sample->halted_ns if it measures
     * the halt. Returns GDBMI_EUNSUPPORTED, and sets
     * no error, if it did nothing. May be NULL. */
    enum gdbmi_code (*sample)(struct gdbmi_link *link, const struct link_registers *map,
                              const struct gdbmi_sample_request *request,
                              struct gdbmi_sample *sample, bool *ours, bool *runs);
    enum gdbmi_code (*command)(struct gdbmi_link *link, const char *command, char **answer);
    /* As gdbmi_link_undo_write(). May be NULL: this kind of link cannot do that. */
    enum gdbmi_code (*undo_write)(struct gdbmi_link *link, uint64_t addr, const void *bytes,
                                  size_t len);
    /* Waits for bytes that the target sends by itself, as gdbmi_link_receive(). May be NULL. */
    enum gdbmi_code (*receive)(struct gdbmi_link *link, void *bytes, size_t capacity,
                               int timeout_ms, size_t *len, bool *ended);
    /* Called at the end of a public call: sends what must not wait for the next one. May be NULL.
     */
    void (*settle)(struct gdbmi_link *link);
    /* Resumes the target if resume is set, ends the connection, and frees the link, also on
     * failure; *error then says what failed. */
    enum gdbmi_code (*close)(struct gdbmi_link *link, bool resume, struct gdbmi_error *error);
};

/* The base of every link: the first member of its struct. */
struct gdbmi_link {
    const struct gdbmi_link_ops *ops;
    struct gdbmi_info info;          /* its strings are the arrays below, or constant */
    struct gdbmi_error error;        /* the last error; see gdbmi/link.h for how long it stays */
    int timeout_ms;                  /* time for one answer */
    bool allow_halt;                 /* as in the options */
    bool deaf;                       /* while the target runs, the server ignores all but a halt */
    bool held;                       /* this link halted the target, and has not resumed it */
    bool asked;                      /* the user asked for that halt: it may last */
    bool abandoned;                  /* a resume was sent after the server's answers had failed */
    bool (*given_up)(void *context); /* as in the options */
    void *context;
    bool optional;             /* what is read now may be given up */
    struct guardian *guardian; /* borrowed from the stream, or NULL */
    uint64_t opened_ns;        /* times of clock_now_ns() */
    uint64_t held_since_ns;
    uint64_t halts;          /* how often this link halted the target */
    uint64_t halted_ns;      /* sum of the halts that are over */
    uint64_t usual_ns;       /* length of the last one that the user did not ask for */
    uint64_t longest_ns;     /* of the longest one */
    unsigned resets;         /* resets that the server reported */
    unsigned short_failures; /* of short_halt.h */
    const char *no_sample; /* why the target cannot be sampled by halts; NULL: it can, if there are
                            * registers */
    struct link_stack_end stack_end; /* where the memory of stacks ends, as failed reads show */
    struct link_cost
        cost;        /* of reads; a kind of link that does not measure them leaves it zeroed */
    char server[96]; /* the strings of info */
    char address[300];
    char target[64];
    char arch[24];
    char others[160];
    char why[320];
};

/* Initialises a zeroed link. kind must be a constant; address is copied. timeout_ms is that of the
 * options: 0 is the default. */
void link_init(struct gdbmi_link *link, const struct gdbmi_link_ops *ops, const char *kind,
               const char *address, int timeout_ms);

/* Begin a limit of clock.h, and return what clock_limit_end() needs: for an operation on len bytes;
 * for one that needs more answers, in number, than LINK_OPERATION_ANSWERS; for opening a link; and
 * for a resume after an operation that has used its time. */
uint64_t link_limit_operation(int timeout_ms, size_t len);
uint64_t link_limit_answers(int timeout_ms, size_t more);
uint64_t link_limit_opening(int timeout_ms);
uint64_t link_limit_release(const struct gdbmi_link *link);

/* Record that this link halted the target, at since_ns of clock_now_ns(), and that the target runs
 * again. Both tell the guardian. */
void link_hold(struct gdbmi_link *link, uint64_t since_ns);
void link_let_go(struct gdbmi_link *link);

/* As link_let_go(), after a halt of that length that somebody else has ended. */
void link_was_let_go(struct gdbmi_link *link, unsigned halted_ms);

/* Says that the guardian has ended the halt and the connection: sets link->error and returns its
 * code. Answers may be the guardian's, or from before and after the halt: so nothing is believed.
 * If the guardian has not come to an end, the next link must look at the target. */
enum gdbmi_code link_end_by_guardian(struct gdbmi_link *link);

/*
 * The steps of a public call, for those that are defined next to link.c: the first clears an error
 * that concerns only one request, and returns one that is permanent. link_end() ends a call that
 * has that code; link_announce_halt() comes before the first byte of a halt, and link_book_halt()
 * after it, also if it failed. link_halt() does nothing if the target is halted already.
 * link_resume_after() resumes a target that is held after an access that has that code, and returns
 * the code or what failed.
 */
enum gdbmi_code link_clear_error(struct gdbmi_link *link);
enum gdbmi_code link_end(struct gdbmi_link *link, enum gdbmi_code code);
void link_announce_halt(struct gdbmi_link *link);
void link_book_halt(struct gdbmi_link *link, enum gdbmi_code code, bool ours, uint64_t since_ns);
enum gdbmi_code link_halt(struct gdbmi_link *link);
enum gdbmi_code link_resume_after(struct gdbmi_link *link, enum gdbmi_code code);
bool link_is_lasting(enum gdbmi_code code);

/* Returns how long a halt takes that begins or lasts now, ms, or GUARDIAN_NO_LIMIT. */
int link_halt_ms(const struct gdbmi_link *link);

/* Appends to the text of an error that the target is left halted, if this link holds it. Does
 * nothing if *error is no error, or says so already. */
void link_warn_held(struct gdbmi_link *link, struct gdbmi_error *error);

/* Begins to close a link: forgets its error, and resumes the target if resume is set. Copies what
 * failed to *error, with the state in which the target is left. */
enum gdbmi_code link_leave(struct gdbmi_link *link, bool resume, struct gdbmi_error *error);

/* Appends to the text of an error that connecting may have left the target halted, unless this link
 * is known to hold it. */
void link_warn_unknown(const struct gdbmi_link *link, struct gdbmi_error *error);

/* Sends a resume without waiting for an answer, if this link holds the target and the connection
 * has failed. Appends to the text of the error that the target may be, or is, left halted. */
void link_abandon(struct gdbmi_link *link, struct gdbmi_error *error);

/* Returns GDBMI_OK if a read that takes several requests is to go on. If nobody waits for it any
 * more, and the target does not stand still for it, sets *error and returns GDBMI_ETARGET. */
enum gdbmi_code link_go_on(const struct gdbmi_link *link, struct gdbmi_error *error);

/* Returns GDBMI_OK if the target may be halted to access memory: it is a simulator, or allow_halt
 * is set. Otherwise sets *error and returns GDBMI_EHALT. link_may_halt_for() gives another reason
 * why that is needed. */
enum gdbmi_code link_may_halt(const struct gdbmi_link *link, struct gdbmi_error *error);
enum gdbmi_code link_may_halt_for(const struct gdbmi_link *link, const char *why,
                                  struct gdbmi_error *error);

#endif
