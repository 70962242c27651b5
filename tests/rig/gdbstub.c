/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A client of QEMU's gdb stub that never sends it a byte while the machine runs, but to stop it. */
#include "gdbstub.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#define TIMEOUT_MS 300000 /* for what hangs; a host may be busy */
#define INTERRUPT  "\003"
/* What is asked for at once of a description, and the longest that there is. */
#define PART_BYTES      0xff0
#define DESCRIPTION_MAX 65536
/* Bits of QEMU's own packet "sstep". */
#define STEP_PLAIN  1
#define STEP_MASKED 7

static int send_bytes(struct gdbstub *stub, const char *bytes, size_t len)
{
    if (send(stub->fd, bytes, len, MSG_NOSIGNAL) != (ssize_t)len)
        return fault_set(stub->fault, "QEMU's gdb stub has closed its connection");
    return 0;
}

/* 1: bytes are there; 0: none in time; -1: closed. */
static int receive(struct gdbstub *stub, int timeout_ms)
{
    struct pollfd wait = {.fd = stub->fd, .events = POLLIN};

    if (stub->used < stub->len)
        return 1;
    int ready = poll(&wait, 1, timeout_ms);
    if (ready == 0 || (ready < 0 && errno == EINTR))
        return 0;
    ssize_t len = ready < 0 ? -1 : recv(stub->fd, stub->bytes, sizeof stub->bytes, 0);
    if (len <= 0)
        return fault_set(stub->fault, "QEMU's gdb stub has closed its connection");
    stub->len = (size_t)len;
    stub->used = 0;
    return 1;
}

/* The next packet, acknowledged. The text is valid until the next call. Result as receive(). */
static int take_packet(struct gdbstub *stub, const char **text, int timeout_ms)
{
    for (;;) {
        struct gdbmi_rsp_message message;
        size_t used;
        int got = receive(stub, timeout_ms);
        if (got <= 0)
            return got;
        got = gdbmi_rsp_feed(stub->reader, stub->bytes + stub->used, stub->len - stub->used, &used,
                             &message);
        stub->used += used;
        if (got < 0)
            return fault_set(stub->fault, "QEMU's gdb stub sent what is no packet");
        if (got == 1 && message.kind == GDBMI_RSP_PACKET) {
            *text = message.data;
            return send_bytes(stub, "+", 1) == 0 ? 1 : -1;
        }
    }
}

static int send_packet(struct gdbstub *stub, const char *payload)
{
    char packet[256];
    size_t len = gdbmi_rsp_build(payload, strlen(payload), packet, sizeof packet);
    return send_bytes(stub, packet, len);
}

static bool is_stop(const char *text)
{
    return text[0] == 'T' || text[0] == 'S';
}

/* Asks for something and waits for the answer; a stop that was reported late is passed over. */
static int ask(struct gdbstub *stub, const char *payload, const char **answer)
{
    if (send_packet(stub, payload) != 0)
        return -1;
    do {
        int got = take_packet(stub, answer, TIMEOUT_MS);
        if (got <= 0)
            return fault_set(stub->fault, "QEMU's gdb stub does not answer to %s", payload);
    } while (is_stop(*answer));
    return 0;
}

static int ask_ok(struct gdbstub *stub, const char *payload)
{
    const char *answer;

    if (ask(stub, payload, &answer) != 0)
        return -1;
    if (strcmp(answer, "OK") != 0)
        return fault_set(stub->fault, "QEMU's gdb stub answers '%s' to %s", answer, payload);
    return 0;
}

int gdbstub_open(struct gdbstub *stub, int fd, struct fault *fault)
{
    const char *answer;

    stub->fd = fd;
    stub->fault = fault;
    stub->reader = gdbmi_rsp_reader_new();
    if (!stub->reader)
        return fault_set(fault, "no memory");
    /* Single registers can be written only after the description was read. */
    if (ask(stub, "qSupported", &answer) != 0 ||
        ask(stub, "qXfer:features:read:target.xml:0,ffb", &answer) != 0)
        return -1;
    return 0;
}

void gdbstub_close(struct gdbstub *stub)
{
    gdbmi_rsp_reader_free(stub->reader);
    stub->reader = NULL;
}

int gdbstub_continue(struct gdbstub *stub)
{
    stub->running = true;
    return send_packet(stub, "c");
}

int gdbstub_poll(struct gdbstub *stub)
{
    const char *text;

    if (!stub->running)
        return 0;
    int got = take_packet(stub, &text, 0);
    if (got == 1)
        stub->running = false;
    return got;
}

static int wait_stop(struct gdbstub *stub)
{
    const char *text;

    if (take_packet(stub, &text, TIMEOUT_MS) != 1)
        return fault_set(stub->fault, "QEMU does not stop");
    stub->running = false;
    return 0;
}

int gdbstub_interrupt(struct gdbstub *stub, bool *by_itself)
{
    int stopped = gdbstub_poll(stub);

    *by_itself = stopped == 1;
    if (stopped != 0)
        return stopped < 0 ? -1 : 0;
    if (send_bytes(stub, INTERRUPT, 1) != 0)
        return -1;
    return wait_stop(stub);
}

int gdbstub_step(struct gdbstub *stub, bool masked)
{
    char payload[32];

    snprintf(payload, sizeof payload, "Qqemu.sstep=%x", masked ? STEP_MASKED : STEP_PLAIN);
    if (ask_ok(stub, payload) != 0 || send_packet(stub, "s") != 0)
        return -1;
    return wait_stop(stub);
}

/* The protocol writes a register's bytes as they lie in the target's memory: low byte first. */
static uint32_t swap(uint32_t value)
{
    return __builtin_bswap32(value);
}

int gdbstub_read_registers(struct gdbstub *stub, uint32_t *values, unsigned count)
{
    const char *answer;

    if (ask(stub, "g", &answer) != 0)
        return -1;
    for (unsigned i = 0; i < count; i++, answer += 8) {
        uint32_t value;
        if (sscanf(answer, "%8" SCNx32, &value) != 1)
            return fault_set(stub->fault, "QEMU's gdb stub sends too few registers");
        values[i] = swap(value);
    }
    return 0;
}

int gdbstub_read_register(struct gdbstub *stub, unsigned number, uint32_t *value)
{
    char payload[32];
    const char *answer;

    snprintf(payload, sizeof payload, "p%x", number);
    if (ask(stub, payload, &answer) != 0)
        return -1;
    if (answer[0] == 'E' || sscanf(answer, "%8" SCNx32, value) != 1)
        return 1;
    *value = swap(*value);
    return 0;
}

/* The part of a document from offset on. 1: there is more behind it; 0: that was all; -1. */
static int read_part(struct gdbstub *stub, const char *name, size_t offset, char *text,
                     size_t capacity)
{
    char payload[100];
    const char *answer;

    snprintf(payload, sizeof payload, "qXfer:features:read:%s:%zx,%x", name, offset, PART_BYTES);
    if (ask(stub, payload, &answer) != 0)
        return -1;
    if ((answer[0] != 'm' && answer[0] != 'l') || strlen(answer) >= capacity)
        return fault_set(stub->fault, "QEMU's gdb stub does not describe its registers");
    strcpy(text, answer + 1);
    return answer[0] == 'm';
}

int gdbstub_number(struct gdbstub *stub, const char *part, const char *name, unsigned *number)
{
    char text[DESCRIPTION_MAX];
    char key[64];
    size_t len = 0;
    int more;

    while ((more = read_part(stub, part, len, text + len, sizeof text - len)) == 1)
        len += strlen(text + len);
    if (more < 0)
        return -1;
    snprintf(key, sizeof key, "name=\"%s\"", name);
    const char *at = strstr(text, key);
    at = at ? strstr(at, "regnum=\"") : NULL;
    if (!at || sscanf(at, "regnum=\"%u", number) != 1)
        return fault_set(stub->fault, "QEMU's gdb stub has no register %s", name);
    return 0;
}

int gdbstub_write_register(struct gdbstub *stub, unsigned number, uint32_t value)
{
    char payload[32];

    snprintf(payload, sizeof payload, "P%x=%08" PRIx32, number, swap(value));
    return ask_ok(stub, payload);
}

int gdbstub_breakpoint(struct gdbstub *stub, uint32_t addr, bool insert)
{
    char payload[32];

    snprintf(payload, sizeof payload, "%c1,%" PRIx32 ",2", insert ? 'Z' : 'z', addr);
    return ask_ok(stub, payload);
}
