/* SPDX-License-Identifier: 0BSD */
/* A GDB remote link: what its opening and its operations share. */
#ifndef GDBMI_SRC_RSP_LINK_H
#define GDBMI_SRC_RSP_LINK_H

#include "link_ops.h"
#include "rsp_port.h"

#define RSP_SIGNAL_INT  2
#define RSP_SIGNAL_TRAP 5

enum rsp_server {
    RSP_SERVER_UNKNOWN,
    RSP_SERVER_OPENOCD,
    RSP_SERVER_QEMU,
};

struct rsp_link {
    struct gdbmi_link base;
    struct rsp_port port;
    enum rsp_server server;
    size_t packet_size;   /* bytes of a packet that the server takes and sends */
    const char *resume;   /* "c" or "vCont;c" */
    int pc_number;        /* of the program counter among the registers; -1: not known */
    size_t pc_size;       /* its bytes among them; 0: not known */
    bool running;         /* as far as the server told us */
    bool interrupted;     /* by a halt of ours, whose stop was not reported yet */
    bool stop_seen;       /* a stop was reported */
    int stop_signal;      /* of the last one */
    bool ended;           /* the last one said that there is no program (any more) */
    bool spare_interrupt; /* a Ctrl-C of ours came too late and may stop the next run */
    bool late_reply;      /* a probe was not answered: that may still come */
    bool m_profile;       /* a Cortex-M */

    /* Non-stop: threads stop one by one, and stops are notified and then asked for. */
    bool non_stop;
    bool stop_due;    /* a notified stop was not answered yet */
    bool created;     /* by the server, and stopped when we came */
    unsigned stops;   /* threads that are stopped */
    unsigned threads; /* all of them */
    char thread[40];  /* through which memory is read */
};

/* What the server says of the target: its architecture; where the process began; whether a Cortex-M
 * was halted by a debugger's request and not by a breakpoint. What it does not say stays unknown
 * (false). */
enum gdbmi_code rsp_describe(struct rsp_link *link);
enum gdbmi_code rsp_ask_entry(struct rsp_link *link);
enum gdbmi_code rsp_ask_why_halted(struct rsp_link *link, bool *by_request);

/* The operations, those of rsp_access.c among them; rsp_link_open() is in rsp_open.c. */
extern const struct gdbmi_link_ops rsp_link_ops;

enum gdbmi_code rsp_read(struct gdbmi_link *base, uint64_t addr, void *bytes, size_t len);
enum gdbmi_code rsp_halt_and_read(struct gdbmi_link *base, uint64_t addr, void *bytes, size_t len,
                                  bool *ours);
enum gdbmi_code rsp_write(struct gdbmi_link *base, uint64_t addr, const void *bytes, size_t len);
enum gdbmi_code rsp_pc(struct gdbmi_link *base, uint64_t *pc);
enum gdbmi_code rsp_command(struct gdbmi_link *base, const char *command, char **answer);

/* Lets the target run and waits until the server took that. */
enum gdbmi_code rsp_resume(struct rsp_link *link);

#endif
