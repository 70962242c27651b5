/* SPDX-License-Identifier: 0BSD */
/* A connection to a debug server, the same for all protocols: reads memory, halts, resumes. */
#ifndef GDBMI_LINK_H
#define GDBMI_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gdbmi/error.h>

/*
 * One connection. It is used by one thread. Functions below return GDBMI_OK or what failed; then
 * gdbmi_link_error() has the text, and results must not be used.
 *
 * An error of the connection is permanent: later calls return it too, and only gdbmi_link_close()
 * is of use. If it comes while the link holds the target halted, the link sends a resume, and the
 * text says in capitals whether the target may be left halted. GDBMI_EARG, GDBMI_ETARGET,
 * GDBMI_EUNSUPPORTED and GDBMI_EHALT concern one request: the next call starts without error.
 *
 * Each call is bounded, also if the server sends slowly or without end: 4 times timeout_ms, and 3
 * ms for each byte of memory. Opening takes at most 10 times timeout_ms, plus the time until a
 * gdb's first prompt. A resume that is needed when this time is over has time of its own.
 */
struct gdbmi_link;

enum gdbmi_state {
    GDBMI_STATE_UNKNOWN = 0, /* the server does not say */
    GDBMI_STATE_RUNNING,
    GDBMI_STATE_HALTED,
};

/* Describes a link. Strings live as long as the link, are never NULL, and are "" if not known. */
struct gdbmi_info {
    const char *kind;    /* "openocd-tcl", "gdb-remote" */
    const char *server;  /* "Open On-Chip Debugger 0.12.0", "QEMU" */
    const char *address; /* "localhost:6666" */
    const char *target;  /* the server's name for the target, "mps2.cpu" */
    const char *arch;    /* the architecture by gdb's name: "arm", "riscv", "i386" */
    const char *others;  /* the server's other targets, as many as fit: "b.cpu, c.cpu" */
    const char *why;     /* why this protocol was chosen, one line */
    bool live;           /* memory can be read while the target runs */
    bool simulator;      /* halting the target disturbs no hardware */
    bool openocd_tcl;    /* the link uses OpenOCD's Tcl port, at address */
    uint64_t entry;      /* entry point of a process, after relocation; 0: not a process */
};

/* What happened to the target since the link was opened. */
struct gdbmi_stats {
    uint64_t halts;      /* how often the link halted it */
    uint64_t halted_ns;  /* sum of these halts, including one that is not over */
    uint64_t longest_ns; /* the longest of them that is over, and that the user did not ask for */
    uint64_t age_ns;     /* time since the link was opened */
    bool held;           /* the link halted it, and the server has not confirmed that it runs */
    unsigned resets; /* resets of any target that the server reported; some servers report none */
    unsigned short_failures; /* samples that failed in halts by a script of mprof's in OpenOCD: for
                              * some samples after each, OpenOCD's own, longer halts are used */
};

/* Value of gdbmi_options.tcl: do not use OpenOCD's Tcl port. */
#define GDBMI_TCL_NONE "none"

/*
 * What to connect to, and how. Zeroed memory is the default. Name exactly one way: gdb, tcl or
 * both; qmp; mi; mi_attach; pid; raw; records; or play. Addresses are as those of
 * gdbmi_stream_connect(). The strings must live until gdbmi_link_open() returns.
 */
struct gdbmi_options {
    const char *gdb; /* address of a gdb port, or NULL */
    const char *tcl; /* address of OpenOCD's Tcl port; NULL: try port 6666 on the host of gdb, and
                      * use it if it serves gdb's target; GDBMI_TCL_NONE: use only gdb */
    const char *target;  /* the server's name of a target; NULL: that of gdb, or the first one */
    const char *serve;   /* with gdb: address on which the user's gdb can connect, or NULL */
    const char *qmp;     /* address of QEMU's QMP, or NULL */
    const char *mi;      /* shell command that starts a gdb, or NULL */
    bool mi_attach;      /* the user's gdb connects to this program with new-ui */
    const char *mi_link; /* with mi_attach: path at which to create a link to the pty, or NULL */
    long pid;            /* a Linux process, or 0 */
    const char *raw;     /* path of a file with the bytes of memory from raw_addr on, or NULL */
    uint64_t raw_addr;
    uint64_t raw_entry;  /* if not 0, it is of a process, which may still write to it: where that
                          * process began, as gdbmi_info.entry */
    const char *records; /* path of a file, or of a serial line as in gdbmi_stream_connect(), with
                          * what the target sends by itself: gdbmi_link_receive(); or NULL */
    const char *play;    /* path of a record, which is the server: gdbmi/record.h; or NULL */
    const char *record;  /* path of a new record of what goes over the link, or NULL */

    bool allow_halt; /* hardware may be halted for each access */
    bool held;      /* resume the target if it is halted: an earlier link was lost and left it so */
    int timeout_ms; /* time for one answer; 0: 2000, and 10000 for a gdb (mi, mi_attach) */

    /* Tells the user something; line has no newline. gdbmi_link_open() tells what it waits for, and
     * how gdb will read the target. gdbmi_link_close() tells if the user's gdb stays connected to
     * the server: with serve, context must live until then. NULL: there is no user. */
    void (*tell)(void *context, enum gdbmi_hint hint, const char *line);
    bool (*cancelled)(void *context); /* true: stop waiting for the user; NULL: never */
    /* true: nobody waits for an optional read, gdbmi_link_read_optional(). Called until
     * gdbmi_link_close(). NULL: never. */
    bool (*given_up)(void *context);
    void *context; /* argument of these functions */
};

/* Size of the text that gdbmi_way.named() may write, bytes with the NUL. */
#define GDBMI_WAY_TEXT 24

/* A way to reach a target. */
struct gdbmi_way {
    const char *name; /* that of the member of the options: "gdb", "mi-attach" */
    /* Returns what the options give for this way, in their own strings or in text; NULL if they do
     * not name it. With gdb, tcl belongs to the way "gdb". */
    const char *(*named)(const struct gdbmi_options *options, char text[GDBMI_WAY_TEXT]);
    /* Private: call gdbmi_link_open(). */
    enum gdbmi_code (*open)(const struct gdbmi_options *options, struct gdbmi_link **link,
                            struct gdbmi_error *error);
    bool has_targets; /* options->target can choose one of several, if options->serve is NULL */
    bool is_openocd;  /* one of OpenOCD's ports; both can be named together */
    bool is_server;   /* it has an address: after a loss the server may come back there */
    bool is_dump;     /* bytes of a target: it is not reached, and nothing else of it can be read */
};

/* All ways; the last entry has the name NULL. */
extern const struct gdbmi_way gdbmi_ways[];

/* Returns the first way that the options name, an entry of gdbmi_ways; NULL if they name none. */
const struct gdbmi_way *gdbmi_way_of(const struct gdbmi_options *options);

/*
 * Opens a link. With gdb, the first of these that works is used: OpenOCD's Tcl port, if it serves
 * gdb's target, without touching the gdb port; the gdb port, reading while the target runs; the gdb
 * port, by a halt, a read and a resume (of a simulator, or with allow_halt). With tcl, only that
 * port is used. If a Tcl port accepts the connection and does not answer in time, the result is
 * GDBMI_ETIMEOUT and the gdb port is not touched, because that is how a busy OpenOCD behaves. If it
 * fails by GDBMI_ESTOPPED it is tried again, after telling so.
 *
 * *error need not be initialised. On success *link belongs to the caller, who frees it with
 * gdbmi_link_close(). On failure *link is unchanged, *error says why, and error->left says whether
 * the target may be left halted.
 */
enum gdbmi_code gdbmi_link_open(const struct gdbmi_options *options, struct gdbmi_link **link,
                                struct gdbmi_error *error) __attribute__((warn_unused_result));

/* Resumes the target if the link halted it, and frees the link; its other state is left as it is.
 * The link is freed on failure too: then *error, which may be NULL, says what could not be undone.
 * link may be NULL. */
enum gdbmi_code gdbmi_link_close(struct gdbmi_link *link, struct gdbmi_error *error);

/* What the link is, its last error, and what it did so far. The pointers are valid until the link
 * is closed; what they point to may change with each call. */
const struct gdbmi_info *gdbmi_link_info(const struct gdbmi_link *link);
const struct gdbmi_error *gdbmi_link_error(const struct gdbmi_link *link);
struct gdbmi_stats gdbmi_link_stats(const struct gdbmi_link *link);

/*
 * Reads len bytes at addr, from low to high addresses, in the target's byte order. A target that
 * runs keeps running or is halted once for the read (see info.live, allow_halt); a halted one stays
 * halted. On failure bytes is unchanged. GDBMI_ETARGET: the server cannot read this address.
 * Some servers answer that with zeros, which cannot be distinguished from zeros in memory.
 */
enum gdbmi_code gdbmi_link_read(struct gdbmi_link *link, uint64_t addr, void *bytes, size_t len)
    __attribute__((warn_unused_result));

/* Reads like gdbmi_link_read() and gives the target's state just before the read, in one round trip
 * if the server can do that. len may be 0. On failure bytes and *state are unchanged. */
enum gdbmi_code gdbmi_link_poll(struct gdbmi_link *link, uint64_t addr, void *bytes, size_t len,
                                enum gdbmi_state *state) __attribute__((warn_unused_result));

/* A word of the target to read again and again. */
struct gdbmi_repeat {
    uint64_t addr;       /* of a 32-bit register, little-endian, a multiple of 4 */
    size_t times;        /* how often at most */
    unsigned longest_ms; /* no further read is begun then, and the server waits for others */
};

/* Reads a word several times while the target runs, as fast as the link can, in one request if the
 * server can do that. Stores *count of values, at least one, and the target's state about then.
 * Returns GDBMI_EUNSUPPORTED if memory cannot be read while the target runs. */
enum gdbmi_code gdbmi_link_repeat(struct gdbmi_link *link, const struct gdbmi_repeat *repeat,
                                  uint32_t *values, size_t *count, enum gdbmi_state *state)
    __attribute__((warn_unused_result));

/* Returns the bytes that take as long to read as a request without any, by what reads took so far.
 * Two reads with less than that between them are better made as one. */
size_t gdbmi_link_gap(const struct gdbmi_link *link);

/* Writes len bytes at addr; halts as gdbmi_link_read() does. On failure, some of the bytes may have
 * been written. */
enum gdbmi_code gdbmi_link_write(struct gdbmi_link *link, uint64_t addr, const void *bytes,
                                 size_t len) __attribute__((warn_unused_result));

/*
 * Makes this link's guardian write the word at bytes, in the target's order, to addr if this
 * process dies, also by SIGKILL: to be called before a write that must be undone. One word at a
 * time; len is 4, or 0 for none. Returns GDBMI_EUNSUPPORTED if this link cannot do that: only those
 * can that write while the target runs, and not through a gdb.
 */
enum gdbmi_code gdbmi_link_undo_write(struct gdbmi_link *link, uint64_t addr, const void *bytes,
                                      size_t len) __attribute__((warn_unused_result));

/* Asks the server for the target's state. */
enum gdbmi_code gdbmi_link_state(struct gdbmi_link *link, enum gdbmi_state *state)
    __attribute__((warn_unused_result));

/* Halts the target and waits until it is halted. The link then holds it: gdbmi_link_close() resumes
 * it. Does nothing if it is halted already. Does not need allow_halt. */
enum gdbmi_code gdbmi_link_halt(struct gdbmi_link *link) __attribute__((warn_unused_result));

/* Says whether what is read from now on may be given up: a read of a running target by the gdb port
 * or the Tcl port then ends by GDBMI_ETARGET before its next request, if options.given_up() says
 * so. With options.serve a read is one request. At first nothing may be given up. */
void gdbmi_link_read_optional(struct gdbmi_link *link, bool optional);

/* Says that the user asked for the halt that the link holds, so that it may last. A halt that
 * nobody asked for ends if this process is stopped by a signal or a debugger: after twice the time
 * of the last one, and at least 0.5 s, another process resumes the target and ends the connection.
 * Later calls then return GDBMI_ESTOPPED. (On Linux, through a gdb port, a Tcl port or a gdb.) With
 * options.serve the connection stays, and the next access returns GDBMI_ETARGET. */
void gdbmi_link_keep_halted(struct gdbmi_link *link);

/* Resumes the target, whoever halted it. Does nothing if it runs. */
enum gdbmi_code gdbmi_link_resume(struct gdbmi_link *link) __attribute__((warn_unused_result));

/* Resumes the target if the link halted it. Otherwise does nothing and returns GDBMI_OK: what a
 * breakpoint or another debugger halted stays halted. */
enum gdbmi_code gdbmi_link_release(struct gdbmi_link *link) __attribute__((warn_unused_result));

/*
 * Receives what a target sends by itself, of a link that was opened with options.records. Waits for
 * a byte, at most timeout_ms, and stores 1 to capacity bytes; *len is their number, 0 if none came.
 * Sets *ended if no more will come: the end of a file. Returns GDBMI_EUNSUPPORTED if the link
 * receives nothing.
 */
enum gdbmi_code gdbmi_link_receive(struct gdbmi_link *link, void *bytes, size_t capacity,
                                   int timeout_ms, size_t *len, bool *ended)
    __attribute__((warn_unused_result));

/* Reads the program counter of a halted target. Returns GDBMI_EUNSUPPORTED while the target runs,
 * because servers then answer with an old value. */
enum gdbmi_code gdbmi_link_pc(struct gdbmi_link *link, uint64_t *pc)
    __attribute__((warn_unused_result));

/* Registers of a sample that are no core registers, or not of all architectures: a Cortex-M's stack
 * pointers, and where a RISC-V hart was interrupted. */
enum { GDBMI_MSP = 33, GDBMI_PSP, GDBMI_MEPC, GDBMI_REGISTERS_MAX };

/* What to read of a halted core. Zeroed memory is the program counter, and of a Cortex-M the
 * exception; other registers are read if that takes no longer. */
struct gdbmi_sample_request {
    bool all;            /* all registers that an unwinder needs */
    void *stack;         /* where to store bytes of the stack, from the stack pointer up; or NULL */
    size_t stack_len;    /* how many at most; a multiple of 4. More than 0 implies all */
    uint64_t stack_end;  /* where the stack's memory ends, nothing is read from there on; 0: not
                          * known */
    void *process_stack; /* as stack, stack_len bytes at most: of a Cortex-M that handles an
                          * exception, from PSP up, where the interrupted code may have its stack */
    uint64_t word;       /* address of a word of memory to read in the same halt, aligned to 4 */
    size_t word_len;     /* its bytes, 4 or 8; 0: none */
};

/* What a core was doing at one moment. Registers are numbered as gdb does: on Arm r0 to r15, then
 * xPSR of a Cortex-M; on AArch64 x0 to x30, sp, pc; on RISC-V x0 to x31, pc. GDBMI_MSP and those
 * after it are read if the server gives them. */
struct gdbmi_sample {
    bool taken;         /* false: the target was halted already, or came to a breakpoint: it is left
                         * so, and nothing else is set */
    uint64_t halted_ns; /* how long the core was halted for this, including the requests unless
                         * the server measures it */
    uint64_t pc;
    uint64_t sp;  /* 0: not read */
    uint64_t ra;  /* link register, return address; 0: not read */
    uint64_t psr; /* xPSR of a Cortex-M, of which bits 8 to 0, the exception, and bit 24 may be all
                   * that was read; 0: it has none */
    uint64_t registers[GDBMI_REGISTERS_MAX];
    uint64_t known;     /* bit n is set if registers[n] was read */
    size_t stack_len;   /* bytes of the stack that were read: fewer, or 0, if memory ends before */
    size_t process_len; /* the same of the process stack */
    bool has_word;      /* the word was read: word_len bytes in the target's order */
    unsigned char word[8];
};

/*
 * Halts a running target, reads registers, stack and word, and resumes it, in as few round trips as
 * the server allows; the core of several that the server has selected. Returns GDBMI_EHALT if
 * hardware may not be halted: allow_halt. A halted target gives no sample, and stays halted.
 * Returns GDBMI_EUNSUPPORTED, with the reason, if the link has no registers, or not those of this
 * architecture.
 */
enum gdbmi_code gdbmi_link_sample(struct gdbmi_link *link,
                                  const struct gdbmi_sample_request *request,
                                  struct gdbmi_sample *sample) __attribute__((warn_unused_result));

/* Runs a command of the server, like "monitor" in gdb. *answer is what it printed, "" if nothing;
 * the caller frees it with free(). */
enum gdbmi_code gdbmi_link_command(struct gdbmi_link *link, const char *command, char **answer)
    __attribute__((warn_unused_result));

#endif
