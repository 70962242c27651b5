/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A fake gdb server with a core behind it, in the manner of OpenOCD, QEMU or gdbserver, and with
 * faults to be switched on. */
#ifndef FAKE_GDB_H
#define FAKE_GDB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gdbmi/rsp.h>

#include "fake_nonstop.h"
#include "fake_stream.h"

enum fake_kind {
    FAKE_OPENOCD, /* hears everything while the core runs */
    FAKE_QEMU,    /* any byte halts the machine and is lost */
    FAKE_DEAF,    /* keeps what it hears while the core runs until it is halted */
    FAKE_LIVE,    /* hears everything too, and does not say who it is: J-Link */
};

struct fake_gdb {
    struct fake_stream stream;
    struct gdbmi_rsp_reader *reader;
    enum fake_kind kind;
    bool running;
    bool halted_by_client; /* by connecting or by Ctrl-C, and not resumed since */
    int connect_signal;    /* of the stop reply to '?' */
    bool offers_no_ack;
    bool offers_non_stop;
    bool no_ack;
    bool ended;        /* there is no core */
    bool multiprocess; /* an earlier client asked for it: only "D;PID" is a detach */
    bool hides;        /* QEMU does not say that it is QEMU */
    bool m_profile;    /* the description says so */
    size_t padding;    /* before the architecture in the description, which comes in pieces then */
    unsigned dfsr;     /* what a Cortex-M says of its halt */
    bool riscv;        /* the description says so */
    uint32_t dcsr;     /* what a RISC-V hart says of its halt; 0: it has no such register */
    uint32_t halts_at; /* the instruction at which the core stands; 0: one that halts nothing */
    bool process;      /* it is no core but a program */
    bool probe_rs;     /* commands are answered as probe-rs does */
    bool knows_p;      /* else registers are read all at once */
    bool knows_g;      /* all core registers: n is 0x1000 + n, but for the two below */
    uint32_t sp;       /* the stack pointer */
    bool big_endian;   /* OpenOCD says so, and gives registers in that order */
    bool has_specials; /* msp is register 92, and psp, of a file that is included, 26 */
    struct fake_nonstop non_stop;
    unsigned packet_size;

    /* Faults. */
    bool noise;              /* console output and notifications before every answer */
    bool run_lengths;        /* answers are compressed */
    unsigned nak_count;      /* so many packets are refused */
    unsigned whole_count;    /* the next answers, this number, have a right checksum */
    unsigned damage_count;   /* the number of answers after them that have a wrong one */
    size_t short_reads;      /* bytes of an answer to 'm' at most */
    uint64_t bad_addr;       /* reads that begin there fail */
    uint64_t bad_end;        /* ... and those that reach over this address; 0: none */
    bool refuses_g;          /* all core registers cannot be read */
    size_t extra_bytes;      /* bytes too many in an answer to 'm' */
    bool break_at_interrupt; /* a breakpoint is hit just before a Ctrl-C arrives */
    const char *break_at;    /* ... or before a request that begins so is heard */
    const char *close_at;    /* the connection is lost there */
    const char *silent_at;   /* no answer there */
    const char *damage_at;   /* the answer there has a wrong checksum each time */
    const char *mute_at;     /* from there on not a byte comes, while all is heard */

    /* What the client did. */
    char log[8192]; /* its requests, each followed by a space; Ctrl-C is ^C */
    bool remembered_interrupt;
    bool damaging;   /* the last request was that of damage_at */
    bool unacked;    /* the last answer was not acked yet */
    char last[8192]; /* the last answer's packet, for sending it again */
    size_t last_len;
    char kept[256]; /* a request heard while deaf */
};

/* A core that runs (or does not) until the client connects, which is here. */
void fake_gdb_init(struct fake_gdb *gdb, enum fake_kind kind, bool running);
void fake_gdb_free(struct fake_gdb *gdb);

/* Answers a request. */
void fake_gdb_answer(struct fake_gdb *gdb, const char *payload);

/* The core comes to a breakpoint, or is stopped by another client. */
void fake_gdb_stop(struct fake_gdb *gdb, int signal);

/* How often a request that begins so was made. */
unsigned fake_gdb_count(const struct fake_gdb *gdb, const char *request);

#endif
