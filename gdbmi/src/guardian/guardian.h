/* SPDX-License-Identifier: 0BSD */
/* A small process beside ours that lets the target go when we die in the middle of something. */
#ifndef GDBMI_SRC_GUARDIAN_H
#define GDBMI_SRC_GUARDIAN_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <gdbmi/error.h>
#include <gdbmi/stream.h>

/*
 * How a kind of link uses it:
 *
 * 1. guardian_start() before connecting: a process is forked that waits, in a session of its own
 * and with signals ignored, until the other end of a socket closes, which only our process holds.
 *    That is when we die, however we die; being stopped (SIGSTOP) is no death.
 * 2. guardian_lend() gives it the descriptors of the connection before the first byte, or the
 *    connect() itself, can halt the target: a socket, a serial line, the pipes of a gdb child.
 * 3. guardian_say() writes into a page that both see what is about to happen to the target, before
 *    the bytes are sent that make it happen. link_hold() and link_let_go() say it for a link whose
 *    guardian stands in link->guardian, and so does halting by gdbmi_link_halt(); a kind of link
 *    says only what they can't know: that opening found the target halted, for example.
 * 4. When we die and the page does not say GUARDIAN_FREE, or after guardian_always(), the undo
 *    function runs in the guardian.
 * 5. gdbmi_stream_close() dismisses the guardian that stands in stream->guardian, after the
 *    connection was closed; guardian_dismiss() does it where there is no stream.
 *
 * Every function may be given NULL for the guardian, and then does nothing. A child process that
 * lives on without exec() keeps our end of the socket, and so the guardian asleep.
 */
struct guardian;

enum guardian_state {
    GUARDIAN_FREE,     /* nothing is to be undone: it runs, or was halted by somebody else */
    GUARDIAN_OPENING,  /* connecting may have halted it; whether it ran is to be found out */
    GUARDIAN_ASKING,   /* it was halted; did it run after all, our question halts it */
    GUARDIAN_HALTING,  /* told to halt, or about to be told */
    GUARDIAN_HELD,     /* halted by us */
    GUARDIAN_RESUMING, /* told to run, or about to be told */
};

#define GUARDIAN_FDS        4
#define GUARDIAN_RESUME_MAX 480
#define GUARDIAN_HEARD_MAX  32768

/* What both processes see. */
struct guardian_page {
    atomic_int state;
    atomic_int always;  /* not 0: there is something to undo in every state */
    atomic_int variant; /* for the kind of link: how the server is to be spoken to */
    atomic_int resume;  /* which of the two texts holds: the other one may be half written */
    struct guardian_text {
        size_t len;
        char bytes[GUARDIAN_RESUME_MAX];
    } resumes[2];
    char heard[GUARDIAN_HEARD_MAX]; /* what came since the state was said, then zeros */
};

struct guardian {
    struct guardian_page *page;
    pid_t pid;        /* 0: there is a page and no process, for tests */
    int control;      /* our end of the socket */
    size_t heard_len; /* of page->heard */
};

/*
 * Lets the target go. Runs in the guardian after our death, for at most GUARDIAN_LIFE_S seconds;
 * what our process had read is gone (but for page->heard), what had come since is still to be read.
 * fds are the descriptors that were lent last. context is what guardian_start() got, as it was at
 * that moment. It must not allocate memory nor wait for a lock: another thread may have held it
 * when we forked. Standard input and output are /dev/null.
 */
typedef void guardian_undo(const struct guardian_page *page, const int *fds, size_t count,
                           void *context);

#define GUARDIAN_LIFE_S 120

/*
 * Starts a guardian; state is what the page says first. context need not outlive the call. undo
 * NULL: guardian_send_resume(). NULL when that was not possible: the link goes on without. The
 * process sends no SIGCHLD and wait() does not see it (Linux), so that a program with children of
 * its own is not disturbed.
 */
struct guardian *guardian_start(enum guardian_state state, guardian_undo *undo, void *context);

/* Replaces the descriptors that the guardian holds by copies of these; count 0: it holds none. */
void guardian_lend(struct guardian *guardian, const int *fds, size_t count);

void guardian_say(struct guardian *guardian, enum guardian_state state);
/* From now on the undo function runs in GUARDIAN_FREE too. */
void guardian_always(struct guardian *guardian);

void guardian_say_variant(struct guardian *guardian, int variant);

/* What the undo function sends; at most GUARDIAN_RESUME_MAX bytes, which are copied. */
void guardian_resume_by(struct guardian *guardian, const void *bytes, size_t len);

/*
 * Where what comes tells what the target did, it is read into this place first: then the guardian
 * knows it even if we die before we have looked at it. Returns where up to *room bytes may be read
 * to, and reduces *room; NULL: anywhere else (GUARDIAN_FREE and _HELD, or the room is used up).
 * guardian_keep() says how many came. For protocols without zero bytes.
 */
char *guardian_heard(struct guardian *guardian, size_t *room);
void guardian_keep(struct guardian *guardian, size_t len);

/*
 * Sends the guardian away and frees it, whatever the page says. Returns within a second or so. But
 * where it says GUARDIAN_OPENING, opening was given up and nobody knows what it did to the target:
 * a server that is busy takes a connection late, and halts the target only then. There the guardian
 * goes on by itself for a while (GUARDIAN_LIFE_S), and the connection must not be shut down.
 */
void guardian_dismiss(struct guardian *guardian);
bool guardian_goes_on(const struct guardian *guardian);

/* For undo functions: a stream over lent descriptors; its close() waits a moment for the server to
 * take what was sent. Two descriptors: the first is read, the second written. */
struct guardian_stream {
    struct gdbmi_stream base;
    int in;
    int out;
};

void guardian_stream_init(struct guardian_stream *stream, const int *fds, size_t count);

/* An undo function for servers that do the thinking: sends page's resume as it is. */
void guardian_send_resume(const struct guardian_page *page, const int *fds, size_t count,
                          void *context);

#endif
