/* SPDX-License-Identifier: 0BSD */
/* A link through QEMU's machine protocol: reads while the machine runs. */
#include "qmp_link.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "qmp_dump.h"

/* Words of one dump: 115 KB of text, 5 ms for QEMU. */
#define READ_MAX 8192U
#define WORD     4U

static struct qmp_link *qmp_of(struct gdbmi_link *base)
{
    return (struct qmp_link *)base;
}

enum gdbmi_code qmp_link_run(struct qmp_link *link, struct qmp_call *calls, size_t count)
{
    return qmp_port_run(&link->port, calls, count, &link->base.error);
}

static enum gdbmi_code run_one(struct qmp_link *link, const char *execute)
{
    struct qmp_call call = {.execute = execute};

    enum gdbmi_code code = qmp_link_run(link, &call, 1);
    json_decref(call.result);
    return code;
}

enum gdbmi_code qmp_link_odd(struct qmp_link *link, const char *what, const char *text)
{
    if (text == NULL)
        text = "";
    return gdbmi_error_set(&link->base.error, GDBMI_EPROTOCOL, "%s: unexpected answer for %s: %.*s",
                           link->base.address, what, (int)strcspn(text, "\r\n"), text);
}

static struct qmp_call monitor_call(const struct qmp_link *link, const char *command)
{
    return (struct qmp_call){
        .execute = "human-monitor-command",
        .arguments = json_pack("{s:s, s:I}", "command-line", command, "cpu-index", link->cpu),
    };
}

static struct qmp_call dump_call(const struct qmp_link *link, uint64_t addr, size_t count)
{
    char command[64];

    snprintf(command, sizeof(command), "%s /%zuxw 0x%" PRIx64, link->physical ? "xp" : "x", count,
             addr);
    return monitor_call(link, command);
}

static enum gdbmi_code take_dump(struct qmp_link *link, const json_t *answer, uint64_t addr,
                                 size_t count, unsigned char *bytes)
{
    const char *text = json_string_value(answer);
    enum qmp_dump dump = QMP_DUMP_DAMAGED;

    if (text != NULL)
        dump = qmp_dump_take(text, addr, count, link->machine->big_endian, bytes);
    switch (dump) {
    case QMP_DUMP_OK:
        return GDBMI_OK;
    case QMP_DUMP_REFUSED:
        return gdbmi_error_set(&link->base.error, GDBMI_ETARGET,
                               "%s: QEMU cannot read %zu bytes at 0x%" PRIx64, link->base.address,
                               count * WORD, addr);
    case QMP_DUMP_DAMAGED:
        break;
    }
    return qmp_link_odd(link, "memory", text);
}

static enum gdbmi_code read_words(struct qmp_link *link, uint64_t addr, size_t count,
                                  unsigned char *bytes)
{
    struct qmp_call call = dump_call(link, addr, count);

    enum gdbmi_code code = qmp_link_run(link, &call, 1);
    if (code == GDBMI_OK)
        code = take_dump(link, call.result, addr, count, bytes);
    json_decref(call.result);
    return code;
}

/* Whole words are read, at their own addresses: QEMU copies these in one piece. */
static enum gdbmi_code qmp_read(struct gdbmi_link *base, uint64_t addr, void *bytes, size_t len)
{
    size_t skip = (size_t)(addr % WORD);
    size_t count = (skip + len + WORD - 1) / WORD;
    enum gdbmi_code code = GDBMI_OK;

    unsigned char *words = malloc(count * WORD);
    if (words == NULL)
        return gdbmi_error_set(&base->error, GDBMI_ENOMEM, "%s: out of memory", base->address);
    for (size_t at = 0; at < count && code == GDBMI_OK; at += READ_MAX) {
        size_t some = count - at < READ_MAX ? count - at : READ_MAX;
        code = read_words(qmp_of(base), addr - skip + at * WORD, some, words + at * WORD);
    }
    if (code == GDBMI_OK)
        memcpy(bytes, words + skip, len);
    free(words);
    return code;
}

/* Events keep the state: QEMU sends two answers in two segments, and TCP may hold the second one
 * back for 40 ms. */
static enum gdbmi_code qmp_poll(struct gdbmi_link *base, uint64_t addr, void *bytes, size_t len,
                                enum gdbmi_state *state)
{
    enum gdbmi_code code = qmp_read(base, addr, bytes, len);

    if (code == GDBMI_OK)
        *state = qmp_of(base)->state;
    return code;
}

static enum gdbmi_code qmp_write(struct gdbmi_link *base, uint64_t addr, const void *bytes,
                                 size_t len)
{
    (void)bytes;
    return gdbmi_error_set(&base->error, GDBMI_EUNSUPPORTED,
                           "%s: QMP cannot write memory (%zu bytes at 0x%" PRIx64
                           "): use QEMU's gdb port",
                           base->address, len, addr);
}

static enum gdbmi_code take_state(struct qmp_link *link, const json_t *status)
{
    const json_t *running = json_object_get(status, "running");

    if (!json_is_boolean(running))
        return qmp_link_odd(link, "the machine's state", NULL);
    link->state = json_is_true(running) ? GDBMI_STATE_RUNNING : GDBMI_STATE_HALTED;
    return GDBMI_OK;
}

enum gdbmi_code qmp_link_ask_state(struct qmp_link *link)
{
    struct qmp_call call = {.execute = "query-status"};

    enum gdbmi_code code = qmp_link_run(link, &call, 1);
    if (code == GDBMI_OK)
        code = take_state(link, call.result);
    json_decref(call.result);
    return code;
}

static enum gdbmi_code qmp_state(struct gdbmi_link *base, enum gdbmi_state *state)
{
    enum gdbmi_code code = qmp_link_ask_state(qmp_of(base));

    if (code == GDBMI_OK)
        *state = qmp_of(base)->state;
    return code;
}

/* Both commands are there before QEMU looks at the first: who halts the machine in between must be
 * quick. */
static enum gdbmi_code qmp_halt(struct gdbmi_link *base, bool *ours)
{
    struct qmp_link *link = qmp_of(base);
    struct qmp_call calls[] = {{.execute = "query-status"}, {.execute = "stop"}};

    enum gdbmi_code code = qmp_link_run(link, calls, 2);
    if (code == GDBMI_OK)
        code = take_state(link, calls[0].result);
    *ours = code == GDBMI_OK && link->state == GDBMI_STATE_RUNNING;
    if (code == GDBMI_OK)
        link->state = GDBMI_STATE_HALTED;
    json_decref(calls[0].result);
    json_decref(calls[1].result);
    return code;
}

static enum gdbmi_code qmp_resume(struct gdbmi_link *base)
{
    return run_one(qmp_of(base), "cont");
}

static enum gdbmi_code qmp_send_resume(struct gdbmi_link *base)
{
    return qmp_port_send(&qmp_of(base)->port, "cont", &base->error);
}

/* Runs a command of the human monitor. It has no flag of failure. */
enum gdbmi_code qmp_command(struct gdbmi_link *base, const char *command, char **answer)
{
    struct qmp_link *link = qmp_of(base);
    struct qmp_call call = monitor_call(link, command);

    enum gdbmi_code code = qmp_link_run(link, &call, 1);
    if (code != GDBMI_OK)
        return code;
    const char *text = json_string_value(call.result);
    if (text == NULL)
        code = qmp_link_odd(link, "a monitor command", NULL);
    else if ((*answer = strdup(text)) == NULL)
        code = gdbmi_error_set(&base->error, GDBMI_ENOMEM, "%s: out of memory", base->address);
    json_decref(call.result);
    return code;
}

static enum gdbmi_code qmp_pc(struct gdbmi_link *base, uint64_t *pc)
{
    const char *before = qmp_of(base)->machine->pc;
    char *registers = NULL;

    if (before == NULL)
        return gdbmi_error_set(
            &base->error, GDBMI_EUNSUPPORTED,
            "%s: mprof does not know where QEMU prints the program counter of %s", base->address,
            qmp_of(base)->machine->name);
    enum gdbmi_code code = qmp_command(base, "info registers", &registers);
    if (code != GDBMI_OK)
        return code;
    const char *digits = strstr(registers, before);
    char *end = NULL;
    uint64_t value = 0;
    if (digits != NULL)
        value = strtoull(digits + strlen(before), &end, 16);
    if (end == NULL || end == digits + strlen(before))
        code = qmp_link_odd(qmp_of(base), "the registers", registers);
    else
        *pc = value;
    free(registers);
    return code;
}

static enum gdbmi_code qmp_close(struct gdbmi_link *base, bool resume, struct gdbmi_error *error)
{
    enum gdbmi_code code = link_leave(base, resume, error);

    qmp_port_close(&qmp_of(base)->port);
    free(qmp_of(base));
    return code;
}

const struct gdbmi_link_ops qmp_link_ops = {
    .read = qmp_read,
    .write = qmp_write,
    .state = qmp_state,
    .poll = qmp_poll,
    .halt = qmp_halt,
    .resume = qmp_resume,
    .send_resume = qmp_send_resume,
    .pc = qmp_pc,
    .registers = qmp_registers,
    .command = qmp_command,
    .close = qmp_close,
};
