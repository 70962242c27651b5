/* SPDX-License-Identifier: 0BSD */
/* A link through OpenOCD's Tcl port: one target of it, reached beside whatever else is attached. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "link_ops.h"
#include "tcl_port.h"

/* Elements of one read_memory or write_memory: a command should not keep the server for long. */
#define READ_MAX  1024U
#define WRITE_MAX 256U
#define POLL_MS   2

struct tcl_link {
    struct gdbmi_link base;
    struct tcl_port port;
    bool big_endian;
};

/* What gdb calls the architecture of a type of target, and whether OpenOCD reads its memory while
 * it runs. Types that are not known are tried live: an error there is an honest one. */
static const struct tcl_type {
    const char *type;
    const char *arch;
    bool live;
} types[] = {
    {"cortex_m", "arm", true},  {"hla_target", "arm", true},   {"cortex_r4", "arm", false},
    {"cortex_a", "arm", false}, {"arm7tdmi", "arm", false},    {"arm720t", "arm", false},
    {"arm9tdmi", "arm", false}, {"arm920t", "arm", false},     {"arm926ejs", "arm", false},
    {"arm946e", "arm", false},  {"arm966e", "arm", false},     {"arm11", "arm", false},
    {"feroceon", "arm", false}, {"dragonite", "arm", false},   {"fa526", "arm", false},
    {"xscale", "arm", false},   {"aarch64", "aarch64", false}, {"riscv", "riscv", true},
};

static enum gdbmi_code run(struct tcl_link *link, char **result, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static enum gdbmi_code run(struct tcl_link *link, char **result, const char *format, ...)
{
    char script[WRITE_MAX * 11 + 256];
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

/* Puts count numbers of the text into bytes, width bytes each, in the target's order. */
static bool take_numbers(const struct tcl_link *link, const char *text, unsigned width,
                         unsigned count, unsigned char *bytes)
{
    for (unsigned i = 0; i < count; i++) {
        char *end;
        unsigned long long value = strtoull(text, &end, 16);
        if (end == text || value >> 8 * width != 0)
            return false;
        for (unsigned at = 0; at < width; at++) {
            unsigned shift = 8 * (link->big_endian ? width - 1 - at : at);
            *bytes++ = (unsigned char)(value >> shift);
        }
        text = end;
    }
    return text[strspn(text, " \n")] == '\0';
}

/* Elements of width bytes. Without "0x" the result is a fifth shorter, and a gdb that is attached
 * gets every result printed on its console. */
static enum gdbmi_code read_elements(struct tcl_link *link, uint64_t addr, unsigned width,
                                     unsigned count, unsigned char *bytes)
{
    char *result = NULL;

    enum gdbmi_code code =
        run(link, &result, "string map {0x {}} [%s read_memory 0x%" PRIx64 " %u %u]",
            link->base.target, addr, width * 8, count);
    if (code == GDBMI_OK && !take_numbers(link, result, width, count, bytes))
        code = gdbmi_error_set(&link->base.error, GDBMI_EPROTOCOL,
                               "%s: what answered a read of %u bytes is not their numbers: %.40s",
                               link->base.address, width * count, result);
    free(result);
    return code;
}

static enum gdbmi_code write_elements(struct tcl_link *link, uint64_t addr, unsigned width,
                                      unsigned count, const unsigned char *bytes)
{
    char numbers[WRITE_MAX * 11 + 1];
    char *result = NULL;
    size_t len = 0;

    for (unsigned i = 0; i < count; i++) {
        uint32_t value = 0;
        for (unsigned at = 0; at < width; at++)
            value |= (uint32_t)*bytes++ << 8 * (link->big_endian ? width - 1 - at : at);
        len += (size_t)snprintf(numbers + len, sizeof(numbers) - len, "0x%" PRIx32 " ", value);
    }
    enum gdbmi_code code = run(link, &result, "%s write_memory 0x%" PRIx64 " %u {%s}",
                               link->base.target, addr, width * 8, numbers);
    free(result);
    return code;
}

/* What to move next: words where they are aligned, bytes at the edges. */
static unsigned next_piece(uint64_t addr, size_t left, unsigned max, unsigned *count)
{
    unsigned to_word = (unsigned)(-addr & 3U);

    if (to_word == 0 && left >= 4) {
        *count = left / 4 < max ? (unsigned)(left / 4) : max;
        return 4;
    }
    *count = to_word != 0 && to_word < left ? to_word : (unsigned)(left < 4 ? left : 4);
    return 1;
}

static enum gdbmi_code tcl_read(struct gdbmi_link *base, uint64_t addr, void *bytes, size_t len)
{
    enum gdbmi_code code = GDBMI_OK;
    unsigned count = 0;
    size_t at = 0;

    unsigned char *copy = malloc(len);
    if (copy == NULL)
        return gdbmi_error_set(&base->error, GDBMI_ENOMEM, "%s: out of memory", base->address);
    while (code == GDBMI_OK && at < len) {
        unsigned width = next_piece(addr + at, len - at, READ_MAX, &count);
        code = read_elements(tcl_of(base), addr + at, width, count, copy + at);
        at += (size_t)width * count;
    }
    if (code == GDBMI_OK)
        memcpy(bytes, copy, len);
    free(copy);
    return code;
}

static enum gdbmi_code tcl_write(struct gdbmi_link *base, uint64_t addr, const void *bytes,
                                 size_t len)
{
    const unsigned char *from = bytes;
    enum gdbmi_code code = GDBMI_OK;
    unsigned count = 0;
    size_t at = 0;

    while (code == GDBMI_OK && at < len) {
        unsigned width = next_piece(addr + at, len - at, WRITE_MAX, &count);
        code = write_elements(tcl_of(base), addr + at, width, count, from + at);
        at += (size_t)width * count;
    }
    return code;
}

static enum gdbmi_code tcl_state(struct gdbmi_link *base, enum gdbmi_state *state)
{
    char *result = NULL;

    enum gdbmi_code code = run(tcl_of(base), &result, "%s curstate", base->target);
    if (code != GDBMI_OK)
        return code;
    if (strcmp(result, "halted") == 0)
        *state = GDBMI_STATE_HALTED;
    else if (strcmp(result, "running") == 0)
        *state = GDBMI_STATE_RUNNING;
    else
        *state = GDBMI_STATE_UNKNOWN;
    free(result);
    return GDBMI_OK;
}

/* Looks at the core and asks for a halt in one script, so that nobody comes between. A breakpoint
 * within the microseconds after the look can't be told from our halt: once one is asked for,
 * OpenOCD gives that as the reason of the stop, whatever it was. */
static enum gdbmi_code ask_for_halt(struct tcl_link *link, bool *ours)
{
    const char *target = link->base.target;
    char *result = NULL;

    enum gdbmi_code code = run(link, &result,
                               "catch {%s arp_poll}; set _mprof_s [%s curstate]; "
                               "if {$_mprof_s ne {halted}} {%s arp_halt}; set _mprof_s",
                               target, target, target);
    *ours = code == GDBMI_OK && strcmp(result, "halted") != 0;
    free(result);
    return code;
}

static enum gdbmi_code tcl_halt(struct gdbmi_link *base, bool *ours)
{
    struct tcl_link *link = tcl_of(base);
    uint64_t deadline = clock_deadline(link->port.timeout_ms);
    enum gdbmi_state state = GDBMI_STATE_UNKNOWN;

    enum gdbmi_code code = ask_for_halt(link, ours);
    while (code == GDBMI_OK) {
        code = tcl_state(base, &state);
        if (code != GDBMI_OK || state == GDBMI_STATE_HALTED)
            break;
        if (clock_left_ms(deadline) == 0)
            return gdbmi_error_set(&base->error, GDBMI_ETIMEOUT, "%s: %s does not halt",
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
    char script[sizeof(base->target) + 32];

    snprintf(script, sizeof(script), "targets %s; resume", base->target);
    return tcl_port_send(&tcl_of(base)->port, script, &base->error);
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
                               "%s: what answered for the program counter is no number: %.40s",
                               base->address, result);
    free(result);
    return code;
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

static enum gdbmi_code tcl_close(struct gdbmi_link *base, bool resume, struct gdbmi_error *error)
{
    struct tcl_link *link = tcl_of(base);
    enum gdbmi_code code = GDBMI_OK;

    base->error = (struct gdbmi_error){.code = GDBMI_OK};
    if (resume)
        code = tcl_resume(base);
    link_warn_held(base, &base->error);
    *error = base->error;
    tcl_port_close(&link->port);
    free(link);
    return code;
}

static const struct gdbmi_link_ops tcl_link_ops = {
    .read = tcl_read,
    .write = tcl_write,
    .state = tcl_state,
    .halt = tcl_halt,
    .resume = tcl_resume,
    .send_resume = tcl_send_resume,
    .pc = tcl_pc,
    .command = tcl_command,
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
        return gdbmi_error_set(&link->base.error, GDBMI_EPROTOCOL,
                               "%s: what answered is not OpenOCD: %.60s", link->base.address,
                               link->base.server);
    if (sscanf(link->base.server + strlen(name), "%u.%u", &major, &minor) == 2 && major == 0 &&
        minor < 12)
        return gdbmi_error_set(&link->base.error, GDBMI_EUNSUPPORTED,
                               "%s: OpenOCD 0.12 or later is needed here, this is %u.%u",
                               link->base.address, major, minor);
    return GDBMI_OK;
}

static void take_type(struct tcl_link *link, const char *type)
{
    link->base.info.live = true;
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
        if (strcmp(types[i].type, type) != 0)
            continue;
        snprintf(link->base.arch, sizeof(link->base.arch), "%s", types[i].arch);
        link->base.info.live = types[i].live;
    }
}

/* One target a line: name, type, byte order, gdb port. false: none is the one that is sought; then
 * *seen lists what there is. */
static bool choose_target(struct tcl_link *link, const char *list, const char *gdb_port, char *seen,
                          size_t seen_capacity)
{
    char name[sizeof(link->base.target)];
    char type[32];
    char endian[16];
    char port[32];
    int len;

    seen[0] = '\0';
    while (sscanf(list, "%63s %31s %15s %31s%n", name, type, endian, port, &len) == 4) {
        list += len;
        if (gdb_port == NULL || strcmp(gdb_port, port) == 0) {
            memcpy(link->base.target, name, sizeof(name));
            link->big_endian = strcmp(endian, "big") == 0;
            take_type(link, type);
            return true;
        }
        size_t at = strlen(seen);
        snprintf(seen + at, seen_capacity - at, "%s%s: %s", at == 0 ? "" : ", ", name, port);
    }
    return false;
}

static enum gdbmi_code find_target(struct tcl_link *link, const char *gdb_port)
{
    char *list = NULL;
    char seen[160];

    enum gdbmi_code code =
        run(link, &list,
            "set _mprof_l {}; foreach _mprof_t [target names] {append _mprof_l $_mprof_t { } "
            "[$_mprof_t cget -type] { } [$_mprof_t cget -endian] { } [$_mprof_t cget -gdb-port] "
            "\\n}; set _mprof_l");
    if (code != GDBMI_OK)
        return code;
    bool found = choose_target(link, list, gdb_port, seen, sizeof(seen));
    free(list);
    if (found)
        return GDBMI_OK;
    if (seen[0] == '\0')
        return gdbmi_error_set(&link->base.error, GDBMI_ECONNECT, "%s: this OpenOCD has no target",
                               link->base.address);
    return gdbmi_error_set(&link->base.error, GDBMI_ECONNECT,
                           "%s: this OpenOCD has no target on gdb port %s (%s)", link->base.address,
                           gdb_port, seen);
}

enum gdbmi_code tcl_link_open(struct gdbmi_stream *stream, const char *address,
                              const char *gdb_port, const struct gdbmi_options *options,
                              struct gdbmi_link **link, struct gdbmi_error *error)
{
    int timeout_ms = options->timeout_ms > 0 ? options->timeout_ms : GDBMI_TIMEOUT_MS;

    struct tcl_link *made = calloc(1, sizeof(*made));
    if (made == NULL) {
        gdbmi_stream_close(stream);
        return gdbmi_error_set(error, GDBMI_ENOMEM, "%s: out of memory", address);
    }
    link_init(&made->base, &tcl_link_ops, "openocd-tcl", address);
    made->base.allow_halt = options->allow_halt;
    tcl_port_open(&made->port, stream, made->base.address, timeout_ms);
    enum gdbmi_code code = check_version(made);
    if (code == GDBMI_OK)
        code = find_target(made, gdb_port);
    if (code != GDBMI_OK) {
        gdbmi_error_set(error, code, "%s", made->base.error.text);
        tcl_port_close(&made->port);
        free(made);
        return code;
    }
    *link = &made->base;
    return GDBMI_OK;
}
