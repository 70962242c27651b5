/* SPDX-License-Identifier: 0BSD */
/* A link through OpenOCD's Tcl port: one target of it, whatever else is attached to it. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "link_ops.h"
#include "tcl_link.h"
#include "tcl_memory.h"
#include "tcl_port.h"
#include "tcl_repeat.h"
#include "tcl_sample.h"
#include "tcl_target.h"

#define POLL_MS 2

struct tcl_link {
    struct gdbmi_link base;
    struct tcl_port port;
    struct tcl_memory memory;
    struct tcl_sampling sampling;
};

static enum gdbmi_code run(struct tcl_link *link, char **result, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static enum gdbmi_code run(struct tcl_link *link, char **result, const char *format, ...)
{
    char script[512];
    va_list args;

    va_start(args, format);
    vsnprintf(script, sizeof(script), format, args);
    va_end(args);
    return tcl_port_run(&link->port, script, result, &link->base.error);
}

static struct tcl_link *tcl_of(struct gdbmi_link *base)
{
    return (struct tcl_link *)base;
}

static enum gdbmi_code tcl_read(struct gdbmi_link *base, uint64_t addr, void *bytes, size_t len)
{
    return tcl_memory_read(&tcl_of(base)->memory, addr, bytes, len, NULL, &base->error);
}

static enum gdbmi_code tcl_poll(struct gdbmi_link *base, uint64_t addr, void *bytes, size_t len,
                                enum gdbmi_state *state)
{
    return tcl_memory_read(&tcl_of(base)->memory, addr, bytes, len, state, &base->error);
}

static enum gdbmi_code tcl_repeated(struct gdbmi_link *base, const struct gdbmi_repeat *repeat,
                                    uint32_t *values, size_t *count, enum gdbmi_state *state)
{
    return tcl_repeat(&tcl_of(base)->memory, repeat, values, count, state, &base->error);
}

static enum gdbmi_code tcl_write(struct gdbmi_link *base, uint64_t addr, const void *bytes,
                                 size_t len)
{
    return tcl_memory_write(&tcl_of(base)->memory, addr, bytes, len, &base->error);
}

static enum gdbmi_code tcl_state(struct gdbmi_link *base, enum gdbmi_state *state)
{
    char *result = NULL;

    enum gdbmi_code code = run(tcl_of(base), &result, "%s curstate", base->target);
    if (code == GDBMI_OK)
        *state = tcl_memory_state(result);
    free(result);
    return code;
}

/* Looks at the core and asks for a halt in one script, so that nobody comes between. A breakpoint
 * within the microseconds after the look can't be told from our halt: once one is asked for,
 * OpenOCD gives that as the reason of the stop, whatever it was. */
static enum gdbmi_code ask_for_halt(struct tcl_link *link, bool *ours)
{
    char *result = NULL;

    enum gdbmi_code code = run(link, &result,
                               "apply {t {catch {$t arp_poll}; set s [$t curstate]; "
                               "if {$s ne {halted}} {$t arp_halt}; set s}} %s",
                               link->base.target);
    *ours = code == GDBMI_OK && strcmp(result, "halted") != 0;
    free(result);
    return code;
}

/* Connecting halts nothing, and most targets never are: so the guardian comes with the first halt,
 * or with a write that is to be undone. What it sends waits for a halt that was asked for just
 * before. */
static void guard(struct tcl_link *link, enum guardian_state state)
{
    int fd = gdbmi_stream_descriptor(link->port.tcl.stream);
    const char *target = link->base.target;
    char script[3 * sizeof(link->base.target) + 128];

    if (fd < 0 || link->base.guardian != NULL)
        return;
    int len = snprintf(script, sizeof(script),
                       "catch {%s arp_waitstate halted 100}; "
                       "if {[%s curstate] eq {halted}} {targets %s; resume}\x1a",
                       target, target, target);
    link->base.guardian = guardian_start(state, NULL, NULL);
    link->port.tcl.stream->guardian = link->base.guardian;
    guardian_resume_by(link->base.guardian, script, (size_t)len);
    guardian_lend(link->base.guardian, &fd, 1);
}

static enum gdbmi_code tcl_halt(struct gdbmi_link *base, bool *ours)
{
    struct tcl_link *link = tcl_of(base);
    uint64_t deadline = clock_deadline(link->port.timeout_ms);
    enum gdbmi_state state = GDBMI_STATE_UNKNOWN;

    guard(link, GUARDIAN_HALTING);
    enum gdbmi_code code = ask_for_halt(link, ours);
    while (code == GDBMI_OK) {
        code = tcl_state(base, &state);
        if (code != GDBMI_OK || state == GDBMI_STATE_HALTED)
            break;
        if (clock_left_ms(deadline) == 0)
            return gdbmi_error_set(&base->error, GDBMI_ETIMEOUT, "%s: %s did not halt",
                                   base->address, base->target);
        clock_sleep_ms(POLL_MS);
    }
    return code;
}

/* The current target is this connection's own, so nobody else sees it changed. */
static enum gdbmi_code tcl_resume(struct gdbmi_link *base)
{
    char *result = NULL;

    enum gdbmi_code code = run(tcl_of(base), &result, "targets %s; resume", base->target);
    free(result);
    return code;
}

static enum gdbmi_code tcl_send_resume(struct gdbmi_link *base)
{
    char script[sizeof(base->target) + 40];

    snprintf(script, sizeof(script), "catch {targets %s; resume};list", base->target);
    return tcl_port_tell(&tcl_of(base)->port, script, &base->error);
}

static enum gdbmi_code tcl_pc(struct gdbmi_link *base, uint64_t *pc)
{
    char *result = NULL;

    enum gdbmi_code code =
        run(tcl_of(base), &result, "lindex [%s get_reg -force pc] 1", base->target);
    if (code != GDBMI_OK)
        return code;
    char *end;
    *pc = strtoull(result, &end, 16);
    if (end == result || *end != '\0')
        code = gdbmi_error_set(&base->error, GDBMI_EPROTOCOL,
                               "%s: the program counter is not a number: %.40s", base->address,
                               result);
    free(result);
    return code;
}

static enum gdbmi_code tcl_registers(struct gdbmi_link *base, const struct link_registers *map,
                                     bool all, struct gdbmi_sample *sample)
{
    (void)map, (void)all, (void)sample;
    return gdbmi_error_set(&base->error, GDBMI_EUNSUPPORTED, "%s: registers are read with a halt",
                           base->address);
}

/* A script that failed may have left the core halted. */
static enum gdbmi_code tcl_sample(struct gdbmi_link *base, const struct link_registers *map,
                                  const struct gdbmi_sample_request *request,
                                  struct gdbmi_sample *sample, bool *ours, bool *runs)
{
    struct tcl_link *link = tcl_of(base);
    enum gdbmi_state state = GDBMI_STATE_UNKNOWN;

    guard(link, GUARDIAN_HALTING);
    *ours = *runs = false;
    enum gdbmi_code code = tcl_sample_run(&link->sampling, base, &link->port, map, request, sample);
    *ours = *runs = code == GDBMI_OK && sample->known != 0;
    if (code != GDBMI_ETARGET)
        return code;
    struct gdbmi_error first = base->error;
    code = tcl_state(base, &state);
    if (code != GDBMI_OK)
        return code;
    *ours = true;
    *runs = state != GDBMI_STATE_HALTED;
    base->error = first;
    return first.code;
}

static enum gdbmi_code tcl_undo_write(struct gdbmi_link *base, uint64_t addr, const void *bytes,
                                      size_t len)
{
    struct tcl_link *link = tcl_of(base);
    char script[sizeof(base->target) + 96] = "";

    guard(link, GUARDIAN_FREE);
    if (base->guardian == NULL)
        return GDBMI_EUNSUPPORTED;
    if (len != 0)
        snprintf(script, sizeof(script),
                 "catch {%s write_memory 0x%" PRIx64 " 32 {0x%" PRIx32 "}}\x1a", base->target, addr,
                 tcl_memory_word(&link->memory, bytes));
    guardian_write_by(base->guardian, script, strlen(script));
    return GDBMI_OK;
}

static enum gdbmi_code tcl_command(struct gdbmi_link *base, const char *command, char **answer)
{
    struct tcl_link *link = tcl_of(base);
    size_t room = strlen(command) + sizeof(base->target) + 32;

    char *script = malloc(room);
    if (script == NULL)
        return gdbmi_error_set(&base->error, GDBMI_ENOMEM, "%s: out of memory", base->address);
    snprintf(script, room, "targets %s; %s", base->target, command);
    enum gdbmi_code code = tcl_port_run(&link->port, script, answer, &base->error);
    free(script);
    return code;
}

/* Takes over the resets that OpenOCD reported between its answers. */
static void tcl_settle(struct gdbmi_link *base)
{
    base->resets = tcl_of(base)->port.resets;
}

static enum gdbmi_code tcl_close(struct gdbmi_link *base, bool resume, struct gdbmi_error *error)
{
    enum gdbmi_code code = link_leave(base, resume, error);

    tcl_port_close(&tcl_of(base)->port);
    free(tcl_of(base));
    return code;
}

static const struct gdbmi_link_ops tcl_link_ops = {
    .read = tcl_read,
    .write = tcl_write,
    .state = tcl_state,
    .poll = tcl_poll,
    .repeat = tcl_repeated,
    .halt = tcl_halt,
    .resume = tcl_resume,
    .send_resume = tcl_send_resume,
    .pc = tcl_pc,
    .registers = tcl_registers,
    .sample = tcl_sample,
    .command = tcl_command,
    .undo_write = tcl_undo_write,
    .settle = tcl_settle,
    .close = tcl_close,
};

static enum gdbmi_code check_version(struct tcl_link *link)
{
    static const char name[] = "Open On-Chip Debugger ";
    unsigned major;
    unsigned minor;
    char *result = NULL;

    enum gdbmi_code code = run(link, &result, "version");
    if (code != GDBMI_OK)
        return code;
    size_t len = strcspn(result, "\r\n");
    snprintf(link->base.server, sizeof(link->base.server), "%.*s", (int)len, result);
    free(result);
    if (strncmp(link->base.server, name, strlen(name)) != 0)
        return gdbmi_error_set(&link->base.error, GDBMI_EPROTOCOL, "%s: not OpenOCD: %.60s",
                               link->base.address, link->base.server);
    if (sscanf(link->base.server + strlen(name), "%u.%u", &major, &minor) == 2 && major == 0 &&
        minor < 12)
        return gdbmi_error_set(&link->base.error, GDBMI_EUNSUPPORTED,
                               "%s: OpenOCD 0.12 or later is needed; this is %u.%u",
                               link->base.address, major, minor);
    return GDBMI_OK;
}

static enum gdbmi_code find_target(struct tcl_link *link, const char *gdb_port, const char *name,
                                   struct tcl_target *target)
{
    char *list = NULL;

    enum gdbmi_code code = tcl_port_run(&link->port, tcl_target_list, &list, &link->base.error);
    if (code == GDBMI_OK)
        code =
            tcl_target_choose(list, gdb_port, name, link->base.address, target, &link->base.error);
    free(list);
    return code;
}

/* What a user should know in addition to the way that was taken, which its caller writes first. */
static void explain(struct tcl_link *link)
{
    if (link->port.quiet.stream == NULL)
        snprintf(link->base.why, sizeof(link->base.why),
                 "; an attached gdb prints each read: this OpenOCD cannot connect back to mprof");
}

static void take_target(struct tcl_link *link, const struct tcl_target *target)
{
    snprintf(link->base.target, sizeof(link->base.target), "%s", target->name);
    snprintf(link->base.arch, sizeof(link->base.arch), "%s", target->arch);
    memcpy(link->base.others, target->others, sizeof(link->base.others));
    link->base.info.live = target->live;
    tcl_memory_init(&link->memory, &link->port, &link->base, target->big_endian);
    link->sampling =
        (struct tcl_sampling){.big_endian = target->big_endian, .m_profile = target->m_profile};
    link->sampling.short_halt.big_endian = target->big_endian;
    if (!target->m_profile && strcmp(target->arch, "riscv") != 0)
        link->base.no_sample = "through OpenOCD only Cortex-M and RISC-V are sampled by halts";
    /* Else OpenOCD asks a running hart for its privilege first, fails, and tells an attached gdb.
     */
    link->memory.physical = strcmp(target->arch, "riscv") == 0;
}

/* A running RISC-V hart is read by way of the debug module's system bus, where it has one: sbcs is
 * its register 0x38 (RISC-V Debug Support 0.13, section 3.12.18), sbversion its bits 31 to 29, and
 * bit 2 says that words can be read. An OpenOCD that can't be asked is tried live. */
static enum gdbmi_code ask_system_bus(struct tcl_link *link, struct tcl_target *target)
{
    char *result = NULL;

    enum gdbmi_code code = run(link, &result, "%s riscv dmi_read 0x38", target->name);
    if (code == GDBMI_OK) {
        unsigned long sbcs = strtoul(result, NULL, 16);
        target->live = sbcs >> 29 != 0 && (sbcs & 4) != 0;
    }
    free(result);
    if (code != GDBMI_ETARGET)
        return code;
    link->base.error = (struct gdbmi_error){.code = GDBMI_OK};
    return GDBMI_OK;
}

static enum gdbmi_code set_up(struct tcl_link *link, const char *gdb_port, const char *name)
{
    struct tcl_target target;

    enum gdbmi_code code = tcl_port_greet(&link->port, &link->base.error);
    if (code == GDBMI_OK)
        code = check_version(link);
    if (code == GDBMI_OK)
        code = find_target(link, gdb_port, name, &target);
    if (code == GDBMI_OK && strcmp(target.arch, "riscv") == 0)
        code = ask_system_bus(link, &target);
    if (code != GDBMI_OK)
        return code;
    take_target(link, &target);
    explain(link);
    return GDBMI_OK;
}

/* What can't be read while it runs is not opened to be halted without leave. */
static enum gdbmi_code check_leave(struct tcl_link *link)
{
    enum gdbmi_state state = GDBMI_STATE_UNKNOWN;

    if (link->base.info.live)
        return GDBMI_OK;
    enum gdbmi_code code = tcl_state(&link->base, &state);
    if (code == GDBMI_OK && state == GDBMI_STATE_RUNNING)
        code = link_may_halt(&link->base, &link->base.error);
    return code;
}

/* An earlier link could not resume it. So this has time of its own, however long opening took. */
static enum gdbmi_code release_held(struct tcl_link *link)
{
    enum gdbmi_state state = GDBMI_STATE_UNKNOWN;
    uint64_t before = link_limit_release(&link->base);

    enum gdbmi_code code = tcl_state(&link->base, &state);
    if (code == GDBMI_OK && state == GDBMI_STATE_HALTED) {
        link_hold(&link->base, clock_now_ns());
        code = tcl_resume(&link->base);
        if (code == GDBMI_OK)
            link_let_go(&link->base);
    }
    clock_limit_end(before);
    return code;
}

static void say_unclear(struct gdbmi_error *error, const struct gdbmi_error *why)
{
    struct gdbmi_error more = {.code = GDBMI_OK};

    gdbmi_error_set_hint(&more, why->code, GDBMI_HINT_GDB_IF,
                         "%.180s; if this is a gdb port, the TARGET MAY BE LEFT HALTED", why->text);
    more.left = GDBMI_LEFT_MAYBE_HALTED;
    gdbmi_error_take(error, &more);
}

/* A gdb port that was named by mistake has halted its target for us. QEMU says so at once, and only
 * if it ran: then it is told to go on. Others must be asked as a gdb would ask them. */
static void say_failure(struct tcl_link *link, struct gdbmi_error *error)
{
    const struct gdbmi_error *why = &link->base.error;
    bool unclear = why->code == GDBMI_EPROTOCOL || why->code == GDBMI_ETIMEOUT;

    if (link->port.proven || !unclear)
        gdbmi_error_take(error, why);
    else if (tcl_port_leave_gdb_port(&link->port))
        gdbmi_error_set_hint(error, why->code, GDBMI_HINT_GDB,
                             "%s: this is a gdb port, not OpenOCD's Tcl port", link->base.address);
    else
        say_unclear(error, why);
}

/* The time for opening may be over, that of our caller too. */
static void give_up(struct tcl_link *link, struct gdbmi_error *error)
{
    uint64_t before = link_limit_release(&link->base);

    say_failure(link, error);
    link_abandon(&link->base, error);
    tcl_port_close(&link->port);
    free(link);
    clock_limit_end(before);
}

enum gdbmi_code tcl_link_open(struct gdbmi_stream *stream, const char *address,
                              const char *gdb_port, const struct gdbmi_options *options,
                              struct gdbmi_link **link, enum tcl_peer *peer,
                              struct gdbmi_error *error)
{
    struct tcl_link *made = calloc(1, sizeof(*made));
    if (made == NULL) {
        gdbmi_stream_close(stream);
        return gdbmi_error_set(error, GDBMI_ENOMEM, "%s: out of memory", address);
    }
    link_init(&made->base, &tcl_link_ops, "openocd-tcl", address, options->timeout_ms);
    made->base.info.openocd_tcl = true;
    made->base.allow_halt = options->allow_halt;
    tcl_port_open(&made->port, stream, made->base.address, made->base.timeout_ms);
    uint64_t before = link_limit_opening(made->base.timeout_ms);
    enum gdbmi_code code = set_up(made, gdb_port, options->target);
    *peer = made->port.proven     ? TCL_PEER_OPENOCD
            : made->port.gdb_port ? TCL_PEER_GDB
                                  : TCL_PEER_UNKNOWN;
    if (code == GDBMI_OK && options->held)
        code = release_held(made);
    if (code == GDBMI_OK)
        code = check_leave(made);
    clock_limit_end(before);
    if (code != GDBMI_OK) {
        give_up(made, error);
        return code;
    }
    *link = &made->base;
    return GDBMI_OK;
}
