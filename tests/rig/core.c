/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Halt, run, step and reset of the core, with a count of what it saw. */
#include "core.h"

#include "clock.h"

void core_init(struct core *core, struct gdbstub *stub, struct memory *memory,
               struct monitor *monitor, struct fault *fault)
{
    *core = (struct core){
        .stub = stub,
        .monitor = monitor,
        .fault = fault,
        .registers = {.stub = stub, .memory = memory},
        .resets_known = monitor->resets,
        .stopped_at_ns = clock_now_ns(),
        .halted = true,
    };
}

static void note_stop(struct core *core, enum core_cause cause)
{
    core->stopped_at_ns = clock_now_ns();
    core->cause = cause;
    core->halted = true;
    core->just_stopped = true;
    if (cause == CORE_HALT)
        core->stats.halts++;
    else
        core->stats.breakpoint_stops++;
    registers_forget(&core->registers);
}

static void add_time(struct core_stats *stats, enum core_cause cause, uint64_t since_ns)
{
    uint64_t time_ns = clock_now_ns() - since_ns;
    if (cause == CORE_HALT)
        stats->halted_ns += time_ns;
    else
        stats->breakpoint_ns += time_ns;
}

static void note_resets(struct core *core)
{
    uint64_t resets = core->monitor->resets;

    if (resets == core->resets_known)
        return;
    core->stats.resets += resets - core->resets_known;
    core->resets_known = resets;
    core->was_reset = true;
    registers_forget(&core->registers);
}

int core_poll(struct core *core)
{
    int stopped = gdbstub_poll(core->stub);

    if (stopped < 0)
        return -1;
    if (stopped == 1)
        note_stop(core, CORE_BREAKPOINT);
    if (monitor_poll(core->monitor) != 0)
        return fault_set(core->fault, "QEMU's monitor has closed its connection");
    note_resets(core);
    return 0;
}

int core_halt(struct core *core)
{
    bool by_itself;

    if (core->halted)
        return 0;
    if (gdbstub_interrupt(core->stub, &by_itself) != 0)
        return -1;
    note_stop(core, by_itself ? CORE_BREAKPOINT : CORE_HALT);
    return 0;
}

static int run(struct core *core)
{
    if (breakpoints_install(&core->breakpoints, core->stub) != 0)
        return -1;
    registers_forget(&core->registers);
    core->has_run = true;
    return gdbstub_continue(core->stub);
}

/* The stop that QEMU starts with is not one of the debugger's. */
static void end_stop(struct core *core)
{
    if (core->stats.halts + core->stats.breakpoint_stops > 0)
        add_time(&core->stats, core->cause, core->stopped_at_ns);
    core->halted = false;
}

int core_resume(struct core *core)
{
    if (!core->halted)
        return 0;
    if (run(core) != 0)
        return -1;
    end_stop(core);
    return 0;
}

int core_step(struct core *core, bool masked)
{
    bool done;

    core->stats.steps++;
    if (registers_prepare_step(&core->registers, &done) != 0 ||
        breakpoints_install(&core->breakpoints, core->stub) != 0 ||
        (!done && gdbstub_step(core->stub, masked) != 0))
        return -1;
    core->has_run = true;
    core->just_stopped = true;
    registers_forget(&core->registers);
    return 0;
}

int core_reset(struct core *core, bool catch_it)
{
    if (catch_it && core_halt(core) != 0)
        return -1;
    if (monitor_reset(core->monitor, core->fault) != 0)
        return -1;
    note_resets(core);
    return catch_it ? 0 : core_resume(core);
}

int core_breakpoints_changed(struct core *core)
{
    bool by_itself;

    if (core->halted || !core->breakpoints.changed)
        return 0;
    if (gdbstub_interrupt(core->stub, &by_itself) != 0)
        return -1;
    if (by_itself) {
        note_stop(core, CORE_BREAKPOINT);
        return 0;
    }
    core->stats.pauses++;
    return run(core);
}

struct core_stats core_stats_now(const struct core *core)
{
    struct core_stats stats = core->stats;

    if (core->halted && stats.halts + stats.breakpoint_stops > 0)
        add_time(&stats, core->cause, core->stopped_at_ns);
    return stats;
}
