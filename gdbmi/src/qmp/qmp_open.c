/* SPDX-License-Identifier: 0BSD */
/* Opening a link through QMP: which machine it is, and which core of it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "address.h"
#include "clock.h"
#include "qmp_link.h"
#include "qmp_open.h"

static const struct qmp_machine machines[] = {
    {"aarch64", "", false, " PC="},
    {"arm", "arm", false, "R15="},
    {"avr", "avr", false, NULL},
    {"i386", "i386", false, "EIP="},
    {"loongarch64", "Loongarch", false, NULL},
    {"m68k", "m68k", true, NULL},
    {"mips", "mips", true, NULL},
    {"mips64", "mips", true, NULL},
    {"mips64el", "mips", false, NULL},
    {"mipsel", "mips", false, NULL},
    {"ppc", "powerpc", true, NULL},
    {"ppc64", "powerpc", true, NULL},
    {"riscv32", "riscv", false, " pc "},
    {"riscv64", "riscv", false, " pc "},
    {"rx", "rx", false, NULL},
    {"s390x", "s390", true, NULL},
    {"sh4", "sh", false, NULL},
    {"sh4eb", "sh", true, NULL},
    {"sparc", "sparc", true, NULL},
    {"x86_64", "i386", false, "RIP="},
    {"xtensa", "xtensa", false, "PC="},
    {"xtensaeb", "xtensa", true, "PC="},
};

/* When somebody else lets the machine run that we halted, its next halt is not ours to undo. */
static void take_event(void *context, const char *name)
{
    struct qmp_link *link = context;

    if (strcmp(name, "STOP") == 0) {
        link->state = GDBMI_STATE_HALTED;
    } else if (strcmp(name, "RESUME") == 0) {
        link->state = GDBMI_STATE_RUNNING;
        link_let_go(&link->base);
    }
}

static enum gdbmi_code find_machine(struct qmp_link *link)
{
    struct qmp_call call = {.execute = "query-target"};

    enum gdbmi_code code = qmp_link_run(link, &call, 1);
    if (code != GDBMI_OK)
        return code;
    const char *name = json_string_value(json_object_get(call.result, "arch"));
    for (size_t i = 0; name != NULL && i < sizeof(machines) / sizeof(machines[0]); i++) {
        if (strcmp(machines[i].name, name) == 0)
            link->machine = &machines[i];
    }
    if (link->machine == NULL)
        code = gdbmi_error_set(&link->base.error, GDBMI_EUNSUPPORTED,
                               "%s: this QEMU emulates '%.40s', which mprof does not support",
                               link->base.address, name != NULL ? name : "");
    json_decref(call.result);
    return code;
}

/* The number of a CPU; the first one where none is named. */
static enum gdbmi_code choose_cpu(struct qmp_link *link, const char *target, const json_t *cpus,
                                  const char **path)
{
    size_t index;
    const json_t *cpu;
    char *end = NULL;

    if (target != NULL)
        link->cpu = (json_int_t)strtoul(target, &end, 10);
    if (target != NULL && (end == target || *end != '\0'))
        return gdbmi_error_set(&link->base.error, GDBMI_EARG,
                               "%s: '%s' is not a CPU number, such as 0", link->base.address,
                               target);
    json_array_foreach(cpus, index, cpu)
    {
        const json_t *number = json_object_get(cpu, "cpu-index");
        if (json_is_integer(number) && json_integer_value(number) == link->cpu)
            *path = json_string_value(json_object_get(cpu, "qom-path"));
    }
    if (*path == NULL)
        return gdbmi_error_set(&link->base.error, GDBMI_ECONNECT,
                               "%s: this machine has no CPU %d: it has %zu, numbered from 0",
                               link->base.address, (int)link->cpu, json_array_size(cpus));
    return GDBMI_OK;
}

/* "cortex-m3-arm-cpu" is a cortex-m3, "nios2-cpu" a nios2. */
static void take_type(struct qmp_link *link, const char *type)
{
    struct gdbmi_link *base = &link->base;

    snprintf(base->target, sizeof(base->target), "%s", type);
    for (int words = 0; words < 2 && strchr(base->target, '-') != NULL; words++)
        *strrchr(base->target, '-') = '\0';
    link->physical = strncmp(type, "cortex-m", strlen("cortex-m")) == 0;
    snprintf(base->arch, sizeof(base->arch), "%s", link->physical ? "arm" : link->machine->arch);
}

static enum gdbmi_code find_cpu(struct qmp_link *link, const char *target)
{
    struct qmp_call cpus = {.execute = "query-cpus-fast"};
    struct qmp_call type = {.execute = "qom-get"};
    const char *path = NULL;

    enum gdbmi_code code = qmp_link_run(link, &cpus, 1);
    if (code == GDBMI_OK)
        code = choose_cpu(link, target, cpus.result, &path);
    if (code == GDBMI_OK) {
        type.arguments = json_pack("{s:s, s:s}", "path", path, "property", "type");
        code = qmp_link_run(link, &type, 1);
    }
    if (code == GDBMI_OK && json_string_value(type.result) == NULL)
        code = qmp_link_odd(link, "the type of a CPU", NULL);
    if (code == GDBMI_OK)
        take_type(link, json_string_value(type.result));
    json_decref(cpus.result);
    json_decref(type.result);
    return code;
}

enum gdbmi_code qmp_link_attach(struct gdbmi_stream *stream, const char *address,
                                const struct gdbmi_options *options, struct gdbmi_link **link,
                                struct gdbmi_error *error)
{
    struct qmp_link *made = calloc(1, sizeof(*made));
    if (made == NULL) {
        gdbmi_stream_close(stream);
        return gdbmi_error_set(error, GDBMI_ENOMEM, "%s: out of memory", address);
    }
    struct gdbmi_link *base = &made->base;
    link_init(base, &qmp_link_ops, "qmp", address, options->timeout_ms);
    base->info.live = base->info.simulator = true;
    qmp_port_open(&made->port, stream, base->address, base->timeout_ms);
    made->port.on_event = take_event;
    made->port.context = made;
    uint64_t before = link_limit_opening(base->timeout_ms);
    enum gdbmi_code code =
        qmp_port_greet(&made->port, base->server, sizeof(base->server), &base->error);
    if (code == GDBMI_OK)
        code = find_machine(made);
    if (code == GDBMI_OK)
        code = find_cpu(made, options->target);
    if (code == GDBMI_OK)
        code = qmp_link_ask_state(made);
    clock_limit_end(before);
    if (code != GDBMI_OK) {
        gdbmi_error_take(error, &base->error);
        qmp_port_close(&made->port);
        free(made);
        return code;
    }
    snprintf(base->why, sizeof(base->why),
             "QMP at %s: memory is read by '%s' while the machine runs", address,
             made->physical ? "xp" : "x");
    *link = base;
    return GDBMI_OK;
}

enum gdbmi_code qmp_link_open(const struct gdbmi_options *options, struct gdbmi_link **link,
                              struct gdbmi_error *error)
{
    int timeout_ms = options->timeout_ms > 0 ? options->timeout_ms : GDBMI_TIMEOUT_MS;
    struct gdbmi_stream *stream = NULL;
    struct address address;

    enum gdbmi_code code = address_parse(options->qmp, &address, error);
    if (code == GDBMI_OK)
        code = gdbmi_stream_connect(options->qmp, timeout_ms, &stream, error);
    if (code != GDBMI_OK)
        return code;
    return qmp_link_attach(stream, address.text, options, link, error);
}
