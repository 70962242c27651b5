/* SPDX-License-Identifier: 0BSD */
/* What a GDB remote link asks of a target: memory, the program counter, commands of the server. */
#include "rsp_nonstop.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "rsp_exchange.h"

/* Bytes of a request, at least. */
#define PIECE_MIN 128U
/* OpenOCD (0.12, and sources of after it) leaves the last digit of the checksum out of a packet of
 * 1,020 characters: gdb_put_packet_inner() has no room for it. Only answers to reads of memory are
 * of a length that is up to us. */
#define CUT_SHORT 510U
/* Characters of a request to write. */
#define WRITE_MAX 2048U

static bool form_command(const struct gdbmi_rsp_message *message)
{
    return rsp_form_ok(message) || rsp_form_hex(message);
}

static enum gdbmi_code refused(struct rsp_link *link, const struct gdbmi_rsp_message *answer,
                               const char *what, uint64_t addr, size_t len)
{
    if (answer->len == 0)
        return gdbmi_error_set(&link->base.error, GDBMI_EUNSUPPORTED,
                               "%s: this server cannot %s memory", link->base.address, what);
    return gdbmi_error_set(&link->base.error, GDBMI_ETARGET,
                           "%s: cannot %s %zu bytes at 0x%" PRIx64 " (the server says %.40s)",
                           link->base.address, what, len, addr, answer->data);
}

static enum gdbmi_code take_bytes(struct rsp_link *link, const struct gdbmi_rsp_message *answer,
                                  uint64_t addr, unsigned char *bytes, size_t len, size_t *got)
{
    if (answer->len == 0 || rsp_is_error(answer))
        return refused(link, answer, "read", addr, len);
    long count = gdbmi_rsp_unhex(answer->data, answer->len, bytes, len);
    if (count <= 0)
        return gdbmi_error_set(&link->base.error, GDBMI_EPROTOCOL,
                               "%s: malformed answer to \"m%" PRIx64 ",%zx\": %zu bytes",
                               link->base.address, addr, len, answer->len / 2);
    *got = (size_t)count;
    return GDBMI_OK;
}

static void say_read(char *request, uint64_t addr, size_t len)
{
    snprintf(request, RSP_PORT_SHORT, "m%" PRIx64 ",%zx", addr, len);
}

/* Reads up to len bytes, in one packet; *got is how many came. */
static enum gdbmi_code read_one(struct rsp_link *link, uint64_t addr, unsigned char *bytes,
                                size_t len, size_t *got)
{
    struct gdbmi_rsp_message answer;
    char request[RSP_PORT_SHORT];

    say_read(request, addr, len);
    uint64_t since_ns = clock_now_ns();
    enum gdbmi_code code = rsp_exchange(link, request, rsp_form_hex, &answer);
    if (code == GDBMI_OK)
        code = take_bytes(link, &answer, addr, bytes, len, got);
    if (code == GDBMI_OK)
        link_cost_add(&link->base.cost, 1, *got, clock_now_ns() - since_ns);
    return code;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static enum gdbmi_code send_reads(struct rsp_link *link, uint64_t addr, size_t len, size_t chunk)
{
    char requests[RSP_PORT_TOGETHER_MAX][RSP_PORT_SHORT];
    size_t count = 0;

    for (size_t at = 0; at < len; at += chunk)
        say_read(requests[count++], addr + at, least(len - at, chunk));
    return rsp_port_send_together(&link->port, requests, count, &link->base.error);
}

/* As read_one(), with several requests on their way at once. Every answer is taken, also behind one
 * that is short or an error, so that none is left for the next request. */
static enum gdbmi_code read_many(struct rsp_link *link, uint64_t addr, unsigned char *bytes,
                                 size_t len, size_t chunk, size_t *got)
{
    struct gdbmi_rsp_message answer;
    enum gdbmi_code result = GDBMI_OK;

    enum gdbmi_code code = send_reads(link, addr, len, chunk);
    for (size_t at = 0; code == GDBMI_OK && at < len; at += chunk) {
        size_t count = 0;
        code = rsp_await_answer(link, rsp_form_hex, &answer);
        if (code == GDBMI_OK && result == GDBMI_OK && *got == at) {
            result =
                take_bytes(link, &answer, addr + at, bytes + at, least(len - at, chunk), &count);
            *got += count;
        }
    }
    return code != GDBMI_OK ? code : result;
}

/* Bytes that one packet can carry: a multiple of 4, so that words are not cut in two. */
static size_t read_max(const struct rsp_link *link)
{
    return (link->packet_size - 4) / 2 & ~(size_t)3;
}

/* Bytes of one request. While the core runs others should not wait long for the server; while it is
 * halted for us it should not wait for more requests than are needed. */
static size_t read_chunk(const struct rsp_link *link)
{
    size_t most = read_max(link);

    if (!link->base.info.live || most <= PIECE_MIN)
        return most;
    return link_cost_piece(&link->base.cost, PIECE_MIN, most) & ~(size_t)3;
}

static enum gdbmi_code read_some(struct rsp_link *link, uint64_t addr, unsigned char *bytes,
                                 size_t len, size_t *got)
{
    /* OpenOCD would serve nobody else before it has answered all of them. */
    bool many = link->port.no_ack && link->non_stop;
    size_t chunk = many ? read_max(link) : read_chunk(link);

    if (!many && least(len, chunk) == CUT_SHORT)
        chunk = CUT_SHORT - 2;
    if (!many || len <= chunk)
        return read_one(link, addr, bytes, least(len, chunk), got);
    return read_many(link, addr, bytes, least(len, chunk * RSP_PORT_TOGETHER_MAX), chunk, got);
}

/* The thread that memory was read through may have ended; true: another one was chosen. */
static bool read_is_worth_another(struct rsp_link *link, enum gdbmi_code *code)
{
    struct gdbmi_error first = link->base.error;
    bool again = false;

    if (!link->non_stop || *code != GDBMI_ETARGET)
        return false;
    link->base.error = (struct gdbmi_error){.code = GDBMI_OK};
    *code = rsp_nonstop_choose_again(link, &again);
    if (*code != GDBMI_OK || again)
        return again;
    link->base.error = first;
    *code = first.code;
    return false;
}

enum gdbmi_code rsp_read(struct gdbmi_link *base, uint64_t addr, void *bytes, size_t len)
{
    struct rsp_link *link = (struct rsp_link *)base;
    enum gdbmi_code code = GDBMI_OK;
    unsigned char *to = bytes;
    bool again = false;
    size_t at = 0;

    while (code == GDBMI_OK && at < len) {
        size_t got = 0;
        code = read_some(link, addr + at, to + at, len - at, &got);
        at += got;
        if (code != GDBMI_OK && !again)
            again = read_is_worth_another(link, &code);
        if (code == GDBMI_OK && at < len)
            code = link_go_on(base, &base->error);
    }
    return code;
}

enum gdbmi_code rsp_halt_and_read(struct gdbmi_link *base, uint64_t addr, void *bytes, size_t len,
                                  bool *ours)
{
    struct rsp_link *link = (struct rsp_link *)base;
    struct gdbmi_rsp_message answer;
    char request[RSP_PORT_SHORT];
    size_t got = 0;

    if (!rsp_may_ask_at_once(link) || len > read_max(link))
        return GDBMI_EUNSUPPORTED;
    say_read(request, addr, len);
    enum gdbmi_code code = rsp_interrupt_and_ask(link, request, rsp_form_hex, &answer, ours);
    if (code != GDBMI_OK)
        return code;
    code = take_bytes(link, &answer, addr, bytes, len, &got);
    if (code == GDBMI_OK && got < len)
        code = gdbmi_error_set(&base->error, GDBMI_ETARGET,
                               "%s: can read only %zu of %zu bytes at 0x%" PRIx64, base->address,
                               got, len, addr);
    return code;
}

static enum gdbmi_code write_some(struct rsp_link *link, uint64_t addr, const void *bytes,
                                  size_t len)
{
    struct gdbmi_rsp_message answer;
    char request[WRITE_MAX];

    int head = snprintf(request, sizeof(request), "M%" PRIx64 ",%zx:", addr, len);
    gdbmi_rsp_hex(bytes, len, request + head);
    enum gdbmi_code code = rsp_exchange(link, request, rsp_form_ok, &answer);
    if (code == GDBMI_OK && strcmp(answer.data, "OK") != 0)
        code = refused(link, &answer, "write", addr, len);
    return code;
}

enum gdbmi_code rsp_write(struct gdbmi_link *base, uint64_t addr, const void *bytes, size_t len)
{
    struct rsp_link *link = (struct rsp_link *)base;
    size_t chunk = (least(link->packet_size, WRITE_MAX) - 48) / 2 & ~(size_t)3;
    const unsigned char *from = bytes;
    enum gdbmi_code code = GDBMI_OK;

    for (size_t at = 0; code == GDBMI_OK && at < len; at += chunk)
        code = write_some(link, addr + at, from + at, len - at < chunk ? len - at : chunk);
    return code;
}

/* gdbserver gives all registers or none; *answer holds what is the program counter of them. */
static enum gdbmi_code ask_all_registers(struct rsp_link *link, struct gdbmi_rsp_message *answer)
{
    size_t at = 2 * (size_t)link->pc_number * link->pc_size;

    enum gdbmi_code code = rsp_exchange(link, "g", rsp_form_value, answer);
    if (code == GDBMI_OK && answer->len >= at + 2 * link->pc_size) {
        answer->data += at;
        answer->len = 2 * link->pc_size;
    }
    return code;
}

enum gdbmi_code rsp_pc(struct gdbmi_link *base, uint64_t *pc)
{
    struct gdbmi_rsp_message answer;
    unsigned char bytes[8];
    char request[16];
    uint64_t value = 0;

    struct rsp_link *link = (struct rsp_link *)base;
    if (link->pc_number < 0)
        return gdbmi_error_set(&base->error, GDBMI_EUNSUPPORTED,
                               "%s: the program counter of this architecture (%s) is not supported",
                               base->address, base->arch);
    snprintf(request, sizeof(request), "p%x", (unsigned)link->pc_number);
    enum gdbmi_code code = rsp_exchange(link, request, rsp_form_value, &answer);
    if (code == GDBMI_OK && answer.len == 0 && link->pc_size != 0)
        code = ask_all_registers(link, &answer);
    if (code != GDBMI_OK)
        return code;
    long len = gdbmi_rsp_unhex(answer.data, answer.len, bytes, sizeof(bytes));
    if (len != 4 && len != 8)
        return gdbmi_error_set(&base->error, GDBMI_ETARGET,
                               "%s: cannot read the program counter (the server says \"%.40s\")",
                               base->address, answer.data);
    while (len > 0)
        value = value << 8 | bytes[--len];
    *pc = value;
    return GDBMI_OK;
}

static enum gdbmi_code check_command(struct rsp_link *link, const struct gdbmi_rsp_message *answer,
                                     const char *text)
{
    struct gdbmi_error *error = &link->base.error;

    if (text == NULL)
        return gdbmi_error_set(error, GDBMI_ENOMEM, "%s: out of memory", link->base.address);
    if (answer->len == 0)
        return gdbmi_error_set(error, GDBMI_EUNSUPPORTED, "%s: this server accepts no commands",
                               link->base.address);
    if (rsp_is_error(answer))
        return gdbmi_error_set(error, GDBMI_ETARGET, "%s: the command failed (%.40s): %.*s",
                               link->base.address, answer->data, (int)strcspn(text, "\n"), text);
    return GDBMI_OK;
}

enum gdbmi_code rsp_run_command(struct rsp_link *link, const char *command, const char **answer)
{
    struct gdbmi_rsp_message message;
    char request[RSP_PORT_OUT_MAX / 2 - 8] = "qRcmd,";

    if (strlen(command) > (sizeof(request) - 8) / 2)
        return gdbmi_error_set(&link->base.error, GDBMI_EARG, "%s: the command is too long",
                               link->base.address);
    gdbmi_rsp_hex(command, strlen(command), request + strlen(request));
    rsp_port_collect(&link->port);
    enum gdbmi_code code = rsp_exchange(link, request, form_command, &message);
    if (code == GDBMI_OK && !rsp_form_ok(&message))
        rsp_port_append_hex(&link->port, message.data, message.len);
    const char *text = rsp_port_collected(&link->port);
    if (code == GDBMI_OK)
        code = check_command(link, &message, text);
    if (code == GDBMI_OK)
        *answer = text;
    return code;
}

enum gdbmi_code rsp_command(struct gdbmi_link *base, const char *command, char **answer)
{
    const char *text = NULL;

    enum gdbmi_code code = rsp_run_command((struct rsp_link *)base, command, &text);
    if (code != GDBMI_OK)
        return code;
    *answer = strdup(text);
    if (*answer == NULL)
        code = gdbmi_error_set(&base->error, GDBMI_ENOMEM, "%s: out of memory", base->address);
    return code;
}
