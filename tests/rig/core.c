/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Halt, run, step and reset of the core, with a count of what it saw. */
#include "core.h"

#include "clock.h"

#define STEP_TRIES 4

void core_init(struct core *core, struct gdbstub *stub, struct memory *memory,
               struct monitor *monitor, struct fault *fault)
{
    *core = (struct core){
        .stub = stub,
        .memory = memory,
        .monitor = monitor,
        .fault = fault,
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
    core->kind->forget(core->context);
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
    core->kind->forget(core->context);
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

static int run_on(struct core *core)
{
    if (breakpoints_install(&core->breakpoints, core->stub) != 0)
        return -1;
    core->kind->forget(core->context);
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
    if (run_on(core) != 0)
        return -1;
    end_stop(core);
    return 0;
}

static int step_once(struct core *core, bool masked)
{
    bool done;

    if (core->kind->prepare_step(core->context, &done) != 0 ||
        breakpoints_install(&core->breakpoints, core->stub) != 0)
        return -1;
    return done ? 0 : gdbstub_step(core->stub, masked);
}

/* QEMU 7.2 sometimes comes back from a step and has executed nothing, when its host had something
 * else to do. An instruction that jumps to itself does no more when it is executed again. */
static int step_from(struct core *core, bool masked, uint32_t pc)
{
    uint32_t now = pc;

    for (int i = 0; i < STEP_TRIES && now == pc; i++) {
        if (step_once(core, masked) != 0)
            return -1;
        core->kind->forget(core->context);
        if (core->kind->read_pc(core->context, &now) != 0)
            return -1;
    }
    return 0;
}

/* QEMU's step passes its own breakpoints and would execute what is in memory. */
int core_step(struct core *core, bool masked, bool *hit)
{
    uint32_t pc;

    core->stats.steps++;
    if (core->kind->read_pc(core->context, &pc) != 0)
        return -1;
    *hit = breakpoints_in_code(&core->breakpoints, pc);
    if (!*hit && step_from(core, masked, pc) != 0)
        return -1;
    core->has_run = true;
    core->just_stopped = true;
    core->kind->forget(core->context);
    return 0;
}

/* False in *stands: it had stopped by itself, at a breakpoint. */
static int pause(struct core *core, bool *stands)
{
    bool by_itself;

    if (gdbstub_interrupt(core->stub, &by_itself) != 0)
        return -1;
    if (by_itself)
        note_stop(core, CORE_BREAKPOINT);
    else
        core->stats.pauses++;
    *stands = !by_itself;
    return 0;
}

int core_pause(struct core *core)
{
    return core->halted || core->paused ? 0 : pause(core, &core->paused);
}

static int halt_for_reset(struct core *core)
{
    if (!core->paused)
        return core_halt(core);
    note_stop(core, CORE_HALT);
    return 0;
}

int core_reset(struct core *core, bool catch_it)
{
    bool paused = core->paused;

    if (catch_it && halt_for_reset(core) != 0)
        return -1;
    core->paused = false;
    if (monitor_reset(core->monitor, core->fault) != 0)
        return -1;
    note_resets(core);
    if (catch_it)
        return 0;
    return paused ? run_on(core) : core_resume(core);
}

int core_breakpoints_changed(struct core *core)
{
    bool stands;

    if (core->halted || core->paused || !core->breakpoints.changed)
        return 0;
    if (pause(core, &stands) != 0)
        return -1;
    return stands ? run_on(core) : 0;
}

/* QEMU knows of a breakpoint before the core can come to it, and until it can't any more. */
int core_write(struct core *core, uint32_t addr, unsigned size, uint32_t value)
{
    struct breakpoint_code code;
    bool makes = core->kind->makes_breakpoint(core->context, addr, size, value, &code);

    if (makes)
        breakpoints_add_code(&core->breakpoints, code);
    if ((makes && core_breakpoints_changed(core) != 0) ||
        memory_write(core->memory, addr, size, value) != 0)
        return -1;
    if (!makes)
        breakpoints_forget_code(&core->breakpoints, addr, size);
    return core_breakpoints_changed(core);
}

struct core_stats core_stats_now(const struct core *core)
{
    struct core_stats stats = core->stats;

    if (core->halted && stats.halts + stats.breakpoint_stops > 0)
        add_time(&stats, core->cause, core->stopped_at_ns);
    return stats;
}
