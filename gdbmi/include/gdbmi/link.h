/* SPDX-License-Identifier: 0BSD */
/* One connection to a debug server, whatever its protocol. */
#ifndef GDBMI_LINK_H
#define GDBMI_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gdbmi/error.h>

struct gdbmi_link;

enum gdbmi_state {
    GDBMI_STATE_UNKNOWN = 0,
    GDBMI_STATE_RUNNING,
    GDBMI_STATE_HALTED,
};

/*
 * No call waits for ever, however a server drips or floods: each operation has one deadline for all
 * of it, four times timeout_ms and 3 ms for each byte that is read or written; opening has ten
 * times timeout_ms, beside the wait for a gdb's first prompt. If a target must be let go when the
 * time is over, that has time of its own.
 */

/* What a link is. Strings live as long as the link, are never NULL, and are "" where not known. */
struct gdbmi_info {
    const char *kind;    /* "openocd-tcl", "gdb-remote" */
    const char *server;  /* "Open On-Chip Debugger 0.12.0", "QEMU" */
    const char *address; /* "localhost:6666" */
    const char *target;  /* the server's name of the target, "mps2.cpu" */
    const char *arch;    /* "arm", "riscv", "i386", in gdb's words */
    const char *others;  /* the server's other targets, as many as fit: "b.cpu, c.cpu" */
    const char *why;     /* which step of the ladder was taken and why, one line */
    bool live;           /* memory can be read while the target runs */
    bool simulator;      /* halting it disturbs no hardware */
    bool openocd_tcl;    /* by OpenOCD's Tcl port, which address names */
    uint64_t entry;      /* where a process began (its load address shows), 0: not a process */
};

/* What we did to the target so far, and what was done to it before our eyes. */
struct gdbmi_stats {
    uint64_t halts;     /* times that we halted it */
    uint64_t halted_ns; /* for how long, an unfinished halt included */
    uint64_t age_ns;    /* since the link was opened */
    bool held;          /* we halted it, and have not heard that it runs again */
    unsigned resets; /* that the server told us of so far, of any of its targets; some tell none */
};

/* What is to be connected to: one of gdb or tcl (or both), qmp, mi, mi_attach, pid, raw. The
 * strings are borrowed until the link is open. */
struct gdbmi_options {
    const char *gdb; /* address of a gdb port, or NULL */
    const char *tcl; /* address of OpenOCD's Tcl port; NULL: 6666 on the host of gdb, if it serves
                      * gdb's target; "none": only gdb is used */
    const char *target; /* the server's name of the target; NULL: gdb's, or the first */
    const char *serve;  /* with gdb: address to listen on for the user's gdb (the proxy), or NULL */
    const char *qmp;    /* address of QEMU's QMP, or NULL */
    const char *mi;     /* shell command that starts a gdb, or NULL */
    bool mi_attach;     /* a gdb that is already debugging joins by new-ui */
    const char *mi_link; /* with mi_attach: path of a symbolic link to our pty, or NULL */
    long pid;            /* of a Linux process, or 0 */
    const char *raw;     /* path of a file that holds the bytes at raw_addr, or NULL */
    uint64_t raw_addr;

    bool allow_halt; /* hardware may be halted again and again */
    bool held;       /* an earlier link lost its server and left the target halted: it is to run */
    int timeout_ms;  /* for one answer of the server; 0: 2000, of a gdb by mi or mi_attach 10000 */

    /* What opening says to a person while it waits for him, one line, and closing to one whose gdb
     * goes on without us (then the context must live as long as the link); and whether he wants to
     * wait no longer. NULL: nobody is there. */
    void (*tell)(void *context, enum gdbmi_hint hint, const char *line);
    bool (*cancelled)(void *context);
    void *context;
};

/*
 * The ways to a target, in a table of the library that ends with a name NULL; each name is that of
 * the member of the options ("mi-attach": mi_attach).
 */
#define GDBMI_WAY_TEXT 24
struct gdbmi_way {
    const char *name;
    /* What the options say of it, with text as a place for it; NULL: they do not name it. With gdb,
     * tcl is not a way of its own. */
    const char *(*named)(const struct gdbmi_options *options, char text[GDBMI_WAY_TEXT]);
    /* As gdbmi_link_open(), which is the one to call. */
    enum gdbmi_code (*open)(const struct gdbmi_options *options, struct gdbmi_link **link,
                            struct gdbmi_error *error);
    bool has_targets; /* options->target chooses one, if options->serve is NULL */
    bool is_server;   /* by an address: it may be lost, and come back there */
    bool is_dump; /* bytes that were read before: no target runs, and no other memory is there */
};
extern const struct gdbmi_way gdbmi_ways[];

/* The first way that the options name; NULL: they name none. */
const struct gdbmi_way *gdbmi_way_of(const struct gdbmi_options *options);

/*
 * Opens a link to what the options name. Of gdb and tcl by the ladder: OpenOCD's Tcl port if it
 * serves the target behind options->gdb (then the gdb port is not touched), GDB remote with reads
 * while running, GDB remote by halt, read and resume (simulators, or with allow_halt). With tcl
 * alone: that Tcl port. A Tcl port that takes the connection and does not answer in time is
 * GDBMI_ETIMEOUT, and the gdb port is not touched: a busy OpenOCD looks so. On success *link is the
 * caller's; otherwise it is untouched, *error says why in one line, and the target is as it was.
 */
enum gdbmi_code gdbmi_link_open(const struct gdbmi_options *options, struct gdbmi_link **link,
                                struct gdbmi_error *error) __attribute__((warn_unused_result));

/* Leaves the target as it was found (running if we halted it; a resume that was asked for stays)
 * and frees the link. Returns an error if that could not be done; NULL does nothing. *error may be
 * NULL. */
enum gdbmi_code gdbmi_link_close(struct gdbmi_link *link, struct gdbmi_error *error);

const struct gdbmi_info *gdbmi_link_info(const struct gdbmi_link *link);
const struct gdbmi_error *gdbmi_link_error(const struct gdbmi_link *link);
struct gdbmi_stats gdbmi_link_stats(const struct gdbmi_link *link);

/*
 * Reads len bytes at addr, from low to high addresses, without changing whether the target runs: at
 * once where that is possible, else by one halt, the read and a resume. bytes is untouched unless
 * GDBMI_OK. A server that answers a failed read with zeros cannot be told from zeros in memory
 * here. Errors of the request do not stick (GDBMI_ETARGET: an address that cannot be read;
 * GDBMI_EUNSUPPORTED, GDBMI_EHALT, GDBMI_EARG); those of the connection do. Where one of them comes
 * while we hold the core halted, it is told to resume, and the text says in capitals whether that
 * was possible.
 */
enum gdbmi_code gdbmi_link_read(struct gdbmi_link *link, uint64_t addr, void *bytes, size_t len)
    __attribute__((warn_unused_result));

/* Reads as gdbmi_link_read() and says what the target did just before, in one round trip where the
 * server allows that. *state is untouched unless GDBMI_OK. */
enum gdbmi_code gdbmi_link_poll(struct gdbmi_link *link, uint64_t addr, void *bytes, size_t len,
                                enum gdbmi_state *state) __attribute__((warn_unused_result));

/* As gdbmi_link_read(), for writing. */
enum gdbmi_code gdbmi_link_write(struct gdbmi_link *link, uint64_t addr, const void *bytes,
                                 size_t len) __attribute__((warn_unused_result));

/* The target's state as the server sees it now. */
enum gdbmi_code gdbmi_link_state(struct gdbmi_link *link, enum gdbmi_state *state)
    __attribute__((warn_unused_result));

/* Halts a running target and waits until it is halted; a halted one stays so. Counted. */
enum gdbmi_code gdbmi_link_halt(struct gdbmi_link *link) __attribute__((warn_unused_result));

/* Lets a halted target run; GDBMI_OK when it runs already. */
enum gdbmi_code gdbmi_link_resume(struct gdbmi_link *link) __attribute__((warn_unused_result));

/* Undoes a halt of ours: the target runs again. Does nothing where the link does not hold it, so
 * that what somebody else or a breakpoint halted stays halted; that is GDBMI_OK. */
enum gdbmi_code gdbmi_link_release(struct gdbmi_link *link) __attribute__((warn_unused_result));

/* The program counter of a halted target; GDBMI_EUNSUPPORTED while it runs (servers then answer
 * with a stale one). */
enum gdbmi_code gdbmi_link_pc(struct gdbmi_link *link, uint64_t *pc)
    __attribute__((warn_unused_result));

/* Runs the server's own command ("monitor" in gdb). *answer, "" at least, is the caller's to free.
 */
enum gdbmi_code gdbmi_link_command(struct gdbmi_link *link, const char *command, char **answer)
    __attribute__((warn_unused_result));

#endif
