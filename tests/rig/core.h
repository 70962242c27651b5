/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Halt, run, step and reset of the core, with a count of what it saw. */
#ifndef RIG_CORE_H
#define RIG_CORE_H

#include <stdbool.h>
#include <stdint.h>

#include "breakpoints.h"
#include "fault.h"
#include "gdbstub.h"
#include "memory.h"
#include "monitor.h"

enum core_cause {
    CORE_HALT,       /* the debugger asked: C_HALT, or the vector catch at reset */
    CORE_BREAKPOINT, /* the core ran into a breakpoint */
};

/* What the core saw. Times are from its stop until it runs again, past ones only. */
struct core_stats {
    uint64_t halts;
    uint64_t breakpoint_stops;
    uint64_t steps;         /* single steps while it was halted */
    uint64_t pauses;        /* QEMU was stopped to change a breakpoint, unseen by the core */
    uint64_t resets;        /* asked for by either side */
    uint64_t halted_ns;     /* after CORE_HALT */
    uint64_t breakpoint_ns; /* after CORE_BREAKPOINT */
};

/* What differs from one kind of core to the other. */
struct core_kind {
    /* The core has run: what was read of its registers is old. */
    void (*forget)(void *context);
    int (*read_pc)(void *context, uint32_t *pc);
    /* Before a step. *done: it needs none any more, pc is behind the instruction. 0 or -1. */
    int (*prepare_step)(void *context, bool *done);
    /* Whether this write makes a breakpoint instruction, and where. */
    bool (*makes_breakpoint)(void *context, uint32_t addr, unsigned size, uint32_t value,
                             struct breakpoint_code *code);
};

struct core {
    const struct core_kind *kind;
    void *context; /* for kind */
    struct gdbstub *stub;
    struct memory *memory;
    struct monitor *monitor;
    struct fault *fault;
    struct breakpoints breakpoints;
    struct core_stats stats;
    uint64_t stopped_at_ns;
    uint64_t resets_known;
    enum core_cause cause;
    bool halted;
    bool paused;       /* by core_pause() */
    bool has_run;      /* since has_run was cleared by a reader */
    bool was_reset;    /* the same, for resets */
    bool just_stopped; /* the same, for stops */
};

/* The machine stands, as QEMU starts it; core_resume() starts it. kind and context are to be set
 * before anything else is called. */
void core_init(struct core *core, struct gdbstub *stub, struct memory *memory,
               struct monitor *monitor, struct fault *fault);

/* Notices what happened by itself: a breakpoint, a reset by the firmware. 0, or -1: QEMU is gone.
 * All functions below that return int do so for the same reason. */
int core_poll(struct core *core);

/* Nothing when the core is halted already. */
int core_halt(struct core *core);

/* Lets a halted core run, with the breakpoints as they are now. */
int core_resume(struct core *core);

/* One instruction of a halted core; masked: no interrupt is taken. *hit: it was a breakpoint
 * instruction, at which the core still stands. */
int core_step(struct core *core, bool masked, bool *hit);

/* Resets chip and core, which runs afterwards unless it is caught before its first instruction. It
 * ends a pause. */
int core_reset(struct core *core, bool catch_it);

/* Stops QEMU without the core seeing it, until the next reset. */
int core_pause(struct core *core);

/* Hands breakpoints that have changed to QEMU while the core runs; a halted one gets them later. */
int core_breakpoints_changed(struct core *core);

/* A debugger's write to memory, which may set or clear breakpoints. 0, or -1 for a bus fault too.
 */
int core_write(struct core *core, uint32_t addr, unsigned size, uint32_t value);

/* The counts, with a stop that lasts still. */
struct core_stats core_stats_now(const struct core *core);

#endif
