/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a watched target stands, as headers say it. */
#define _POSIX_C_SOURCE 200809L

#include <target/watch_status.h>

#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include <base/monotonic.h>
#include <base/path.h>

/* A timer interrupt on a Cortex-M, with entering and leaving it: 50 instructions on a Cortex-M3, 69
 * on a Cortex-M0 (docs/costs.md). The clock of other timers than SysTick is not the core's. */
#define ARM_EVENT_CYCLES 100

enum view_state watch_state(const struct watch *w)
{
    if (w->session.awaited)
        return VIEW_STATE_UNKNOWN;
    if (w->trouble == WATCH_LOST)
        return VIEW_STATE_LOST;
    switch (w->state) {
    case GDBMI_STATE_RUNNING:
        return VIEW_STATE_RUNNING;
    case GDBMI_STATE_HALTED:
        return VIEW_STATE_HALTED;
    case GDBMI_STATE_UNKNOWN:
        break;
    }
    return VIEW_STATE_UNKNOWN;
}

/* Seconds: a dump is as old as its file. */
static double age_of(const struct watch *w)
{
    struct timespec now;
    struct stat about;

    if (w->profile.row_count == 0)
        return 0;
    if (!w->options->link.raw || stat(w->options->link.raw, &about) != 0)
        return monotonic_s() - w->profile.updated_s;
    clock_gettime(CLOCK_REALTIME, &now);
    double age = difftime(now.tv_sec, about.st_mtim.tv_sec) +
                 (double)(now.tv_nsec - about.st_mtim.tv_nsec) * 1e-9;
    return age > 0 ? age : 0;
}

struct view_remedy watch_remedy(const struct watch *w)
{
    const struct decode_header *h = w->session.sampler ? sampler_table_header(w->session.sampler)
                                    : w->has_header    ? &w->header
                                                       : NULL;
    struct view_remedy known = {.count = 0};

    if (!h)
        return known;
    known.count = h->item_count;
    known.cores = h->cores;
    known.addr_size = h->addr_size;
    known.moves = symtab_elf(w->session.elf.symtab)->bias != 0;
    known.histogram = h->blocks[DECODE_HISTOGRAM].count != 0;
    if (session_has_names(&w->session))
        known.functions = symtab_functions(w->session.elf.symtab, &known.function_count);
    return known;
}

struct view_status watch_status(const struct watch *w, const char *command, double start_s)
{
    const struct session_server *server = &w->session.server;
    const struct symtab_elf *elf = symtab_elf(w->session.elf.symtab);
    struct gdbmi_stats stats = session_stats(&w->session);

    return (struct view_status){
        .command = command,
        .elf = path_base_name(elf->path),
        .build_id = symtab_build(w->session.elf.symtab),
        .identity = session_identity(&w->session),
        .kind = server->kind,
        .server = server->name,
        .address = server->address,
        .target = server->target,
        .arch = server->arch[0] ? session_arch(&w->session) : "",
        .state = watch_state(w),
        .sampler = decode_source_name(w->profile.source),
        .sampler_why = w->session.sampler_why,
        .sampler_chosen =
            !sampler_kind_is_taken(w->options->sampler) && decode_is_taken(w->profile.source),
        .message = w->message,
        .warning = w->warning,
        .alarm = w->alarm,
        .lockstep = w->profile.fixed ? w->lockstep : LOCKSTEP_NOT_TESTED,
        .live = server->live,
        .halts = stats.halts,
        .halted_ms = (double)stats.halted_ns * 1e-6,
        .halted_share = stats.age_ns ? (double)stats.halted_ns / (double)stats.age_ns : 0,
        .longest_ms = (double)stats.longest_ns * 1e-6,
        .once = w->reads <= 1,
        .poll_ms = w->session.awaited ? -1 : w->poll_s * 1e3,
        .period_s = watch_period_s(w),
        .age_s = w->session.awaited ? NAN : age_of(w),
        .time_s = monotonic_s() - start_s,
        .addr_size = elf->addr_size,
        .remedy = watch_remedy(w),
        .event_cycles = strcmp(elf->arch, "arm") == 0 && !decode_is_taken(w->profile.source)
                            ? ARM_EVENT_CYCLES
                            : 0,
    };
}
