/* SPDX-License-Identifier: 0BSD */
/* Sends commands to a gdb, finds their answers among what it says, and hands out the rest. */
#include "mi_port.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "clock.h"

#define COMMAND_MAX 4096
#define TEXT_MAX    (1U << 20)

enum gdbmi_code mi_port_open(struct mi_port *port, struct gdbmi_stream *stream, const char *address,
                             int timeout_ms, const struct mi_handler *handlers, void *context,
                             struct gdbmi_error *error)
{
    *port = (struct mi_port){
        .io = {.stream = stream, .address = address, .timeout_ms = timeout_ms},
        .handlers = handlers,
        .context = context,
        .reader = gdbmi_mi_reader_new(),
    };
    if (port->reader != NULL)
        return GDBMI_OK;
    mi_port_close(port);
    return gdbmi_error_set(error, GDBMI_ENOMEM, "%s: out of memory", address);
}

void mi_port_close(struct mi_port *port)
{
    gdbmi_stream_close(port->io.stream);
    gdbmi_mi_reader_free(port->reader);
    buffer_free(&port->text);
    port->io.stream = NULL;
    port->reader = NULL;
}

/* gdb's texts have several lines; ours have one. */
static void copy_line(char *out, size_t capacity, const char *text)
{
    size_t len = 0;

    for (; *text != '\0' && len < capacity - 1; text++) {
        bool is_control = (unsigned char)*text < ' ' || *text == '\x7f';
        if (is_control && (len == 0 || out[len - 1] == ' '))
            continue;
        out[len++] = is_control ? ' ' : *text;
    }
    while (len > 0 && (out[len - 1] == ' ' || out[len - 1] == '.'))
        len--;
    out[len] = '\0';
}

/* What is too much is left out: it is for people, or for a word in its beginning. */
static void collect(struct mi_port *port, const struct gdbmi_mi_message *message)
{
    if (port->collecting && message->len <= TEXT_MAX - port->text.len)
        buffer_add(&port->text, message->text, message->len);
}

static void dispatch(struct mi_port *port, const struct gdbmi_mi_message *message)
{
    if (message->kind == GDBMI_MI_CONSOLE || message->kind == GDBMI_MI_TARGET)
        collect(port, message);
    if (message->kind == GDBMI_MI_OTHER)
        copy_line(port->other, sizeof(port->other), message->text);
    for (const struct mi_handler *at = port->handlers; at->handle != NULL; at++) {
        if (at->kind != message->kind || (at->name != NULL && strcmp(at->name, message->name) != 0))
            continue;
        at->handle(port->context, message);
        return;
    }
}

enum gdbmi_code mi_port_receive(struct mi_port *port, uint64_t deadline,
                                struct gdbmi_mi_message *message, struct gdbmi_error *error)
{
    enum gdbmi_code code = GDBMI_OK;
    int result = 0;
    size_t used;

    while (code == GDBMI_OK && result == 0) {
        result = gdbmi_mi_feed(port->reader, port->io.in + port->io.in_at,
                               port->io.in_len - port->io.in_at, &used, message);
        port->io.in_at += used;
        if (result == 0)
            code = port_fill(&port->io, deadline, error);
    }
    if (result == 1) {
        dispatch(port, message);
        return GDBMI_OK;
    }
    if (result == 0)
        return code;
    port->io.useless = true;
    return gdbmi_error_set(error, GDBMI_EPROTOCOL,
                           "%s: a line from gdb is too long or nested too deeply",
                           port->io.address);
}

enum gdbmi_code mi_port_silence(struct mi_port *port, struct gdbmi_error *error)
{
    port->io.useless = true;
    return gdbmi_error_set(error, GDBMI_ETIMEOUT, "%s: gdb did not answer within %g s",
                           port->io.address, port->io.timeout_ms / 1000.0);
}

enum gdbmi_code mi_port_send(struct mi_port *port, const char *command, struct gdbmi_error *error)
{
    char line[COMMAND_MAX + 32];

    if (port->io.lost)
        return gdbmi_error_set(error, GDBMI_ECLOSED, "%s: the connection to gdb was lost",
                               port->io.address);
    if (strlen(command) >= COMMAND_MAX || strpbrk(command, "\r\n") != NULL)
        return gdbmi_error_set(error, GDBMI_EARG,
                               "%s: a command must be one line of at most %d characters",
                               port->io.address, COMMAND_MAX);
    int len = snprintf(line, sizeof(line), "%" PRIu64 "%s\n", ++port->token, command);
    return port_put(&port->io, line, (size_t)len, error);
}

static enum gdbmi_code take_answer(struct mi_port *port, const struct gdbmi_mi_message *answer,
                                   struct gdbmi_error *error)
{
    const char *text = gdbmi_mi_text(answer->results, "msg");

    if (strcmp(answer->name, "error") != 0)
        return GDBMI_OK;
    copy_line(port->refusal, sizeof(port->refusal), text != NULL ? text : "no reason given");
    return gdbmi_error_set(error, GDBMI_ETARGET, "%s: gdb says: %s", port->io.address,
                           port->refusal);
}

/* A line that begins as an answer and is none: waiting for a better one would be in vain. */
static bool is_damaged_answer(const struct gdbmi_mi_message *message)
{
    size_t digits = strspn(message->text, "0123456789");

    return message->kind == GDBMI_MI_OTHER && message->text[digits] == '^';
}

enum gdbmi_code mi_port_answer(struct mi_port *port, uint64_t deadline,
                               struct gdbmi_mi_message *answer, struct gdbmi_error *error)
{
    for (;;) {
        enum gdbmi_code code = mi_port_receive(port, deadline, answer, error);
        if (code != GDBMI_OK)
            return code;
        if (answer->kind == GDBMI_MI_RESULT && answer->has_token && answer->token == port->token)
            return take_answer(port, answer, error);
        if (is_damaged_answer(answer)) {
            port->io.useless = true;
            return gdbmi_error_set(error, GDBMI_EPROTOCOL, "%s: an answer is not GDB/MI: %.60s",
                                   port->io.address, answer->text);
        }
    }
}

static enum gdbmi_code await_answer(struct mi_port *port, struct gdbmi_mi_message *answer,
                                    struct gdbmi_error *error)
{
    uint64_t deadline = clock_deadline(port->io.timeout_ms);
    enum gdbmi_code code = mi_port_answer(port, deadline, answer, error);

    return code == GDBMI_ETIMEOUT ? mi_port_silence(port, error) : code;
}

static enum gdbmi_code run(struct mi_port *port, const char *command,
                           struct gdbmi_mi_message *answer, struct gdbmi_error *error)
{
    struct gdbmi_mi_message local;

    if (port->io.useless)
        return gdbmi_error_set(error, GDBMI_ECLOSED, "%s: the connection to gdb was lost",
                               port->io.address);
    port->refusal[0] = '\0';
    enum gdbmi_code code = mi_port_send(port, command, error);
    return code != GDBMI_OK ? code : await_answer(port, answer != NULL ? answer : &local, error);
}

enum gdbmi_code mi_port_run(struct mi_port *port, struct gdbmi_mi_message *answer,
                            struct gdbmi_error *error, const char *format, ...)
{
    char command[COMMAND_MAX + 1];
    va_list args;

    va_start(args, format);
    vsnprintf(command, sizeof(command), format, args);
    va_end(args);
    return run(port, command, answer, error);
}

enum gdbmi_code mi_port_console(struct mi_port *port, const char *command,
                                struct gdbmi_mi_message *answer, struct gdbmi_error *error)
{
    char line[COMMAND_MAX + 1] = "-interpreter-exec console \"";
    size_t len = strlen(line);

    for (; *command != '\0' && len < sizeof(line) - 4; command++) {
        if (*command == '"' || *command == '\\')
            line[len++] = '\\';
        line[len++] = *command;
    }
    if (*command != '\0')
        return gdbmi_error_set(error, GDBMI_EARG, "%s: the command is too long", port->io.address);
    memcpy(line + len, "\"", 2);
    return run(port, line, answer, error);
}

enum gdbmi_code mi_port_ask(struct mi_port *port, const char *command, char **text,
                            struct gdbmi_error *error)
{
    buffer_free(&port->text);
    port->collecting = true;
    enum gdbmi_code code = mi_port_console(port, command, NULL, error);
    port->collecting = false;
    if (code == GDBMI_OK && (!buffer_add(&port->text, "", 0) || port->text.failed))
        code = gdbmi_error_set(error, GDBMI_ENOMEM, "%s: out of memory", port->io.address);
    if (code != GDBMI_OK)
        return code;
    *text = port->text.data;
    port->text = (struct buffer){.data = NULL};
    return GDBMI_OK;
}
