/* SPDX-License-Identifier: 0BSD */
/* The state of a GDB remote link, and its operations (gdb manual, "Remote Protocol"). */
#ifndef GDBMI_SRC_RSP_LINK_H
#define GDBMI_SRC_RSP_LINK_H

#include "link_ops.h"
#include "rsp_port.h"
#include "short_halt.h"

/* gdb's numbers of signals (gdb manual, "Stop Reply Packets"; include/gdb/signals.def in gdb). */
#define RSP_SIGNAL_INT  2
#define RSP_SIGNAL_TRAP 5

/* Servers whose behaviour is known; all others are UNKNOWN. */
enum rsp_server {
    RSP_SERVER_UNKNOWN,
    RSP_SERVER_OPENOCD,
    RSP_SERVER_QEMU,
};

/* The link. rsp_link_open() allocates it, and rsp_link_ops.close() frees it. */
struct rsp_link {
    struct gdbmi_link base;
    struct rsp_port port;
    enum rsp_server server;
    size_t packet_size;   /* largest packet that the server accepts, bytes */
    const char *resume;   /* request that resumes: "c" or "vCont;c" */
    int pc_number;        /* number of the program counter in gdb's registers; -1: not known */
    size_t pc_size;       /* bytes of the program counter; 0: not known */
    bool running;         /* state of the target, as far as the server reported it */
    bool interrupted;     /* a halt was sent, and its stop is not reported yet */
    bool stop_seen;       /* a stop was reported */
    int stop_signal;      /* signal of the last stop; -1: none */
    bool ended;           /* the last stop said that the program has ended */
    bool spare_interrupt; /* a Ctrl-C came after another stop, and may stop the next run */
    bool late_reply;      /* a probe was not answered, and its answer may still come */
    bool m_profile;       /* the core is a Cortex-M */
    int dcsr_number;      /* of a RISC-V hart's DCSR in gdb's registers; -1: the server has none */
    bool specials_known;  /* rsp_find_specials() was called */
    int specials[LINK_SPECIALS];  /* numbers of link_special_names; -1: the server has none */
    struct short_halt short_halt; /* of OpenOCD, also with its target's byte order */
    bool order_known;             /* OpenOCD was asked for that */
    bool opening;                 /* it is being asked who halted the target */
    bool detaches; /* the server is to be left by D while the target runs: it may end else */

    /* Non-stop mode (gdb manual, "Remote Non-Stop"): threads stop one by one. The server notifies
     * the first stop and is asked for the remaining ones. */
    bool non_stop;
    bool stop_due;     /* a stop was notified, and the remaining ones are not asked for yet */
    bool created;      /* the server started the program, and it was stopped when the link opened */
    unsigned stops;    /* threads that are stopped */
    unsigned threads;  /* all threads */
    char thread[40];   /* name of the thread through which memory is read */
    char signals[160]; /* what the next vCont gives back to threads: ";C0e:p1.1" each */
};

/*
 * The next three functions ask the server about the target. A server that cannot answer is not an
 * error: the value stays not known, or false. They return an error only if the connection fails.
 */

/* Sets the architecture, pc_number, pc_size, m_profile and dcsr_number from the target description.
 */
enum gdbmi_code rsp_describe(struct rsp_link *link);
/* Sets specials from the whole target description, which can be long. */
enum gdbmi_code rsp_find_specials(struct rsp_link *link);
/* Sets info.entry, the entry point of a process, from its auxiliary vector. */
enum gdbmi_code rsp_ask_entry(struct rsp_link *link);

/* The operations, as link_ops.h describes them. */
extern const struct gdbmi_link_ops rsp_link_ops;

/* Those of them that are defined in rsp_access.c. base is the member of a struct rsp_link. Lengths
 * are bytes, at least 1; *answer is from malloc(), and the caller frees it. */
enum gdbmi_code rsp_read(struct gdbmi_link *base, uint64_t addr, void *bytes, size_t len);
enum gdbmi_code rsp_halt_and_read(struct gdbmi_link *base, uint64_t addr, void *bytes, size_t len,
                                  bool *ours);
enum gdbmi_code rsp_write(struct gdbmi_link *base, uint64_t addr, const void *bytes, size_t len);
enum gdbmi_code rsp_pc(struct gdbmi_link *base, uint64_t *pc);
enum gdbmi_code rsp_command(struct gdbmi_link *base, const char *command, char **answer);
/* As rsp_command(); *answer belongs to the port, and is valid until the next command. */
enum gdbmi_code rsp_run_command(struct rsp_link *link, const char *command, const char **answer);

/* Those that are defined in rsp_sample.c. */
enum gdbmi_code rsp_registers(struct gdbmi_link *base, const struct link_registers *map, bool all,
                              struct gdbmi_sample *sample);
enum gdbmi_code rsp_sample(struct gdbmi_link *base, const struct link_registers *map,
                           const struct gdbmi_sample_request *request, struct gdbmi_sample *sample,
                           bool *ours, bool *runs);

/* Resumes the target, and waits until the server acknowledges it (if it uses acks). */
enum gdbmi_code rsp_resume(struct rsp_link *link);

#endif
