/* SPDX-License-Identifier: 0BSD */
/* What a GDB remote link asks of a target: memory, the program counter, commands of the server. */
#include "rsp_link.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool form_command(const struct gdbmi_rsp_message *message)
{
    return rsp_form_ok(message) || rsp_form_hex(message);
}

static bool form_register(const struct gdbmi_rsp_message *message)
{
    return rsp_form_hex(message) || message->data[0] == 'x';
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

/* Reads up to len bytes, in one packet; *got is how many came. */
static enum gdbmi_code read_some(struct rsp_link *link, uint64_t addr, unsigned char *bytes,
                                 size_t len, size_t *got)
{
    struct gdbmi_rsp_message answer;
    char request[48];

    snprintf(request, sizeof(request), "m%" PRIx64 ",%zx", addr, len);
    enum gdbmi_code code = rsp_exchange(link, request, rsp_form_hex, &answer);
    if (code != GDBMI_OK)
        return code;
    if (answer.len == 0 || rsp_is_error(&answer))
        return refused(link, &answer, "read", addr, len);
    long count = gdbmi_rsp_unhex(answer.data, answer.len, bytes, len);
    if (count <= 0)
        return gdbmi_error_set(&link->base.error, GDBMI_EPROTOCOL,
                               "%s: the answer to \"%s\" holds %zu bytes", link->base.address,
                               request, answer.len / 2);
    *got = (size_t)count;
    return GDBMI_OK;
}

enum gdbmi_code rsp_read(struct gdbmi_link *base, uint64_t addr, void *bytes, size_t len)
{
    struct rsp_link *link = (struct rsp_link *)base;
    /* A multiple of 4, so that words are not cut in two. */
    size_t chunk = (link->packet_size - 4) / 2 & ~(size_t)3;
    enum gdbmi_code code = GDBMI_OK;
    size_t at = 0;

    unsigned char *copy = malloc(len);
    if (copy == NULL)
        return gdbmi_error_set(&base->error, GDBMI_ENOMEM, "%s: out of memory", base->address);
    while (code == GDBMI_OK && at < len) {
        size_t got = 0;
        code = read_some(link, addr + at, copy + at, len - at < chunk ? len - at : chunk, &got);
        at += got;
    }
    if (code == GDBMI_OK)
        memcpy(bytes, copy, len);
    free(copy);
    return code;
}

static enum gdbmi_code write_some(struct rsp_link *link, uint64_t addr, const void *bytes,
                                  size_t len)
{
    struct gdbmi_rsp_message answer;
    char request[RSP_PORT_OUT_MAX / 2];

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
    size_t room =
        link->packet_size < RSP_PORT_OUT_MAX / 2 ? link->packet_size : RSP_PORT_OUT_MAX / 2;
    size_t chunk = (room - 48) / 2 & ~(size_t)3;
    const unsigned char *from = bytes;
    enum gdbmi_code code = GDBMI_OK;

    for (size_t at = 0; code == GDBMI_OK && at < len; at += chunk)
        code = write_some(link, addr + at, from + at, len - at < chunk ? len - at : chunk);
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
                               "%s: no program counter is known of this architecture (%s)",
                               base->address, base->arch);
    snprintf(request, sizeof(request), "p%x", (unsigned)link->pc_number);
    enum gdbmi_code code = rsp_exchange(link, request, form_register, &answer);
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

static enum gdbmi_code finish_command(struct rsp_link *link, const struct gdbmi_rsp_message *answer,
                                      const char *text)
{
    struct gdbmi_error *error = &link->base.error;

    if (text == NULL)
        return gdbmi_error_set(error, GDBMI_ENOMEM, "%s: out of memory", link->base.address);
    if (answer->len == 0)
        return gdbmi_error_set(error, GDBMI_EUNSUPPORTED, "%s: this server takes no commands",
                               link->base.address);
    if (rsp_is_error(answer))
        return gdbmi_error_set(error, GDBMI_ETARGET, "%s: the command failed (%.40s): %.*s",
                               link->base.address, answer->data, (int)strcspn(text, "\n"), text);
    return GDBMI_OK;
}

enum gdbmi_code rsp_command(struct gdbmi_link *base, const char *command, char **answer)
{
    struct rsp_link *link = (struct rsp_link *)base;
    struct gdbmi_rsp_message message;
    char request[RSP_PORT_OUT_MAX / 2 - 8] = "qRcmd,";

    if (strlen(command) > (sizeof(request) - 8) / 2)
        return gdbmi_error_set(&base->error, GDBMI_EARG, "%s: too long a command", base->address);
    gdbmi_rsp_hex(command, strlen(command), request + strlen(request));
    rsp_port_collect(&link->port);
    enum gdbmi_code code = rsp_exchange(link, request, form_command, &message);
    if (code == GDBMI_OK && !rsp_form_ok(&message))
        rsp_port_append_hex(&link->port, message.data, message.len);
    char *text = rsp_port_take(&link->port);
    if (code == GDBMI_OK)
        code = finish_command(link, &message, text);
    if (code == GDBMI_OK)
        *answer = text;
    else
        free(text);
    return code;
}
