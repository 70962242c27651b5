/* SPDX-License-Identifier: 0BSD */
/* The guardian: a process that resumes the target if this process dies, or is stopped, while it
 * holds it, and undoes a write. */
#ifndef GDBMI_SRC_GUARDIAN_H
#define GDBMI_SRC_GUARDIAN_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <gdbmi/error.h>
#include <gdbmi/stream.h>

/*
 * How a kind of link uses it. "This process" is the one that opens the link.
 *
 * 1. guardian_start(), before connecting, forks a process with a session of its own, which ignores
 *    signals. It waits for the end of a socket whose other end only this process has: that comes
 *    when this process dies, in any way.
 * 2. guardian_lend() gives it the descriptors of the connection (a socket, a serial line, the pipes
 *    of a gdb), before connect() or the first byte can halt the target.
 * 3. guardian_say() writes the state of the target to memory that both processes share, always
 *    before the bytes are sent that change this state. link_hold(), link_let_go() and
 *    gdbmi_link_halt() do that with link->guardian. A kind of link says only what these do not
 *    know, for example that the target was halted when the link was opened.
 * 4. If this process dies and the state is not GUARDIAN_FREE, or guardian_always() was called, or
 *    there is a write to undo, the undo function runs in the guardian.
 * 5. The same happens if this process is stopped (by SIGSTOP, or by a debugger) and the target has
 *    not been GUARDIAN_FREE for more than twice the time that guardian_announce() gave, and for at
 *    least GUARDIAN_HALT_MIN_MS. Then the guardian shuts sockets down, so that nothing that this
 *    process was about to send reaches the server. When this process continues, it must not believe
 *    anything that it reads from the connection; guardian_has_acted() tells. Only on Linux, which
 *    says in /proc that a process is stopped; one that merely gets no processor is not.
 * 6. gdbmi_stream_close() dismisses stream->guardian after it has closed the connection. Without a
 *    stream, call guardian_dismiss().
 *
 * The guardian may be NULL in each function, except for guardian_keep(): the function then does
 * nothing. A child process of this process that does not call exec() keeps a copy of the socket,
 * so the guardian waits until that has ended too.
 */
struct guardian;

/* The state of the target, as the guardian must know it. */
enum guardian_state {
    GUARDIAN_FREE,     /* nothing to undo: it runs, or something else halted it */
    GUARDIAN_OPENING,  /* connecting may have halted it; the undo function asks whether it ran */
    GUARDIAN_ASKING,   /* it was halted; a request is sent, which halts it if it runs after all */
    GUARDIAN_HALTING,  /* a halt is being sent, or was sent */
    GUARDIAN_HELD,     /* this process has halted it */
    GUARDIAN_RESUMING, /* a resume is being sent, or was sent */
};

/* What the guardian has done about a process that is stopped. */
enum guardian_action {
    GUARDIAN_WATCHES,
    GUARDIAN_ACTS, /* the undo function runs */
    GUARDIAN_DONE, /* it has returned */
};

/* Shortest halt that is ended because this process is stopped, ms. */
#define GUARDIAN_HALT_MIN_MS 500

/* For guardian_announce(): the halt is not ended while this process lives. */
#define GUARDIAN_NO_LIMIT (-1)

/* Largest number of descriptors that can be lent; sizes in bytes of resumes and of heard. */
#define GUARDIAN_FDS        4
#define GUARDIAN_RESUME_MAX 480
#define GUARDIAN_HEARD_MAX  32768

/* The memory that both processes share. This process writes it, except for the guardian's
 * action. */
struct guardian_page {
    atomic_int state;      /* enum guardian_state */
    atomic_int always;     /* not 0: the undo function runs in every state */
    atomic_int variant;    /* a number that the kind of link defines: how to speak to this server */
    atomic_int resume;     /* index of the valid entry of resumes; the other one is being written */
    atomic_uint since_ms;  /* when state ceased to be GUARDIAN_FREE; wraps */
    atomic_int halt_ms;    /* expected length of this halt, or GUARDIAN_NO_LIMIT */
    atomic_uint steps;     /* changes when this process makes progress */
    atomic_int action;     /* enum guardian_action; the guardian writes it, and: */
    atomic_uint halted_ms; /* from since_ms to GUARDIAN_DONE */
    atomic_int write_len;  /* bytes of write; 0: there is no write to undo */
    struct guardian_text {
        size_t len;
        char bytes[GUARDIAN_RESUME_MAX];
    } resumes[2];                    /* the bytes that resume the target */
    char write[GUARDIAN_RESUME_MAX]; /* the bytes that undo a write, then a zero */
    char heard[GUARDIAN_HEARD_MAX];  /* bytes received since the state was written, then zeros */
};

/* This process's side of a guardian. */
struct guardian {
    struct guardian_page *page;
    pid_t pid;        /* 0: shared memory without a process, for tests */
    int control;      /* this process's end of the socket */
    size_t heard_len; /* bytes of page->heard */
};

/*
 * Resumes the target. Runs in the guardian after the death of this process, or while it is stopped,
 * for at most GUARDIAN_LIFE_S seconds. fds are the count descriptors that were lent last. Bytes
 * that this process had received are gone, except for page->heard; later ones can be read. context
 * is the argument of guardian_start() as it was then. The function must not allocate memory or take
 * a lock, because another thread may have held that lock at the fork. Standard streams are
 * /dev/null.
 */
typedef void guardian_undo(const struct guardian_page *page, const int *fds, size_t count,
                           void *context);

/* Largest time for an undo function, seconds. */
#define GUARDIAN_LIFE_S 120

/*
 * Starts a guardian. state is the first state. undo NULL is guardian_send_resume(). context need
 * not outlive the call, because the guardian has a copy of all memory. The caller owns the result,
 * until a stream takes it. Returns NULL on failure: the link then works without a guardian. On
 * Linux the process sends no SIGCHLD and wait() does not see it, so a program with children of its
 * own is not disturbed.
 */
struct guardian *guardian_start(enum guardian_state state, guardian_undo *undo, void *context);

/* Gives the guardian copies of count descriptors, at most GUARDIAN_FDS, in place of those that it
 * has. With 0 it has none, and undoes nothing. */
void guardian_lend(struct guardian *guardian, const int *fds, size_t count);

/* Writes the state, and clears heard. Call it before the bytes are sent that lead to this state.
 * Does nothing if the guardian has acted. */
void guardian_say(struct guardian *guardian, enum guardian_state state);

/* Says how long a halt will take, ms, as far as one can know, or GUARDIAN_NO_LIMIT if the user has
 * asked for it. Holds until GUARDIAN_FREE is said; then it is 0. */
void guardian_announce(struct guardian *guardian, int halt_ms);

/* Tells the guardian that this process makes progress. Call it before the connection is used. */
void guardian_step(struct guardian *guardian);

/* Whether the guardian has run the undo function, or runs it, because this process was stopped. The
 * connection must not be used any more, and what was read since the last call may be wrong. */
bool guardian_has_acted(const struct guardian *guardian);

/* If the guardian has acted, waits until it has ended, for at most 5 s. Returns whether the undo
 * function has returned by then, and sets *halted_ms to the time from the beginning of the halt to
 * then. */
bool guardian_await_done(struct guardian *guardian, unsigned *halted_ms);

/* Sets an error that says that the guardian has acted. address is that of the server. */
enum gdbmi_code guardian_explain(const char *address, struct gdbmi_error *error);

/* Makes the undo function run in GUARDIAN_FREE as well. */
void guardian_always(struct guardian *guardian);

/* Writes variant, which the undo function reads. */
void guardian_say_variant(struct guardian *guardian, int variant);

/* Sets the bytes that resume the target; they are copied. More than GUARDIAN_RESUME_MAX bytes are
 * ignored, and the earlier ones stay. */
void guardian_resume_by(struct guardian *guardian, const void *bytes, size_t len);

/* Sets the bytes that undo a write, fewer than GUARDIAN_RESUME_MAX; they are copied. With len 0
 * there is none. Call it before the write. */
void guardian_write_by(struct guardian *guardian, const void *bytes, size_t len);

/*
 * Returns a place to receive bytes that tell what the target did, so that the guardian knows them
 * even if this process dies before it has parsed them. *room is the number of bytes wanted; it is
 * reduced to what the place can hold. Returns NULL if the caller should receive to memory of its
 * own: in GUARDIAN_FREE and GUARDIAN_HELD, or if the place is full. After a receive,
 * guardian_keep() says how many bytes came. Only for protocols without zero bytes.
 */
char *guardian_heard(struct guardian *guardian, size_t *room);
void guardian_keep(struct guardian *guardian, size_t len);

/*
 * Ends the guardian and frees it. Takes at most about 1 s; 5 s if it has acted. In the state
 * GUARDIAN_OPENING nobody knows what opening did to the target, because a busy server accepts a
 * connection late and halts the target only then: the process then continues alone, for at most
 * GUARDIAN_LIFE_S.
 */
void guardian_dismiss(struct guardian *guardian);

/* Whether guardian_dismiss() would let the process continue alone, or it acts. The connection must
 * then not be shut down, because the guardian uses it. */
bool guardian_goes_on(const struct guardian *guardian);

/* A stream over lent descriptors, for undo functions; it needs no allocation and no freeing. */
struct guardian_stream {
    struct gdbmi_stream base;
    int in;  /* read */
    int out; /* written */
};

/* Initialises a stream. With two descriptors the first is read and the second is written. close()
 * waits for at most 0.2 s until the server has received what was written. */
void guardian_stream_init(struct guardian_stream *stream, const int *fds, size_t count);

/* An undo function that sends the bytes of page->write and, unless the state is GUARDIAN_FREE, the
 * valid entry of page->resumes, for servers that ignore a resume of a target that runs. context is
 * not used. */
void guardian_send_resume(const struct guardian_page *page, const int *fds, size_t count,
                          void *context);

#endif
