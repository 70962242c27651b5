/* SPDX-License-Identifier: 0BSD */
/* QEMU's machine protocol (QMP): JSON commands and their answers, with events in between. */
#include "qmp_port.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "record.h"
#include "stream.h"

#define MESSAGE_MAX (1U << 20)
#define FILL_MIN    4095
/* The parts of an id. */
#define SESSIONS      (1U << 30)
#define SESSION_SHIFT 32

/* QEMU may give the answer to a client's last command to the client that comes next. */
static json_int_t new_session(void)
{
    uint64_t mixed = clock_now_ns() / 1000 * 31 + (uint64_t)getpid();

    record_choice(&mixed, sizeof(mixed));
    return (json_int_t)(mixed % (SESSIONS - 1) + 1) << SESSION_SHIFT;
}

void qmp_port_open(struct qmp_port *port, struct gdbmi_stream *stream, const char *address,
                   int timeout_ms)
{
    *port = (struct qmp_port){
        .stream = stream, .address = address, .timeout_ms = timeout_ms, .id = new_session()};
}

void qmp_port_close(struct qmp_port *port)
{
    gdbmi_stream_close(port->stream);
    buffer_free(&port->in);
}

static enum gdbmi_code out_of_memory(const struct qmp_port *port, struct gdbmi_error *error)
{
    return gdbmi_error_set(error, GDBMI_ENOMEM, "%s: out of memory", port->address);
}

static enum gdbmi_code not_qmp(struct qmp_port *port, const char *text, size_t len,
                               struct gdbmi_error *error)
{
    size_t shown = 0;

    port->useless = true;
    while (shown < len && shown < 40 && isprint((unsigned char)text[shown]))
        shown++;
    return gdbmi_error_set(error, GDBMI_EPROTOCOL,
                           "%s: not a QMP port (start QEMU with -qmp): %.*s", port->address,
                           (int)shown, text);
}

static enum gdbmi_code silence(const struct qmp_port *port, struct gdbmi_error *error)
{
    double seconds = port->timeout_ms / 1000.0;

    if (port->greeted)
        return gdbmi_error_set(error, GDBMI_ETIMEOUT, "%s: QEMU did not answer within %g s",
                               port->address, seconds);
    return gdbmi_error_set(
        error, GDBMI_ETIMEOUT,
        "%s: no greeting within %g s: start QEMU with -qmp, and disconnect other "
        "clients (QMP serves one)",
        port->address, seconds);
}

static enum gdbmi_code fill(struct qmp_port *port, uint64_t deadline, struct gdbmi_error *error)
{
    struct gdbmi_error why = {.code = GDBMI_OK};

    if (port->in.len > MESSAGE_MAX)
        return gdbmi_error_set(error, GDBMI_EPROTOCOL, "%s: the answer is too long", port->address);
    if (!buffer_reserve(&port->in, FILL_MIN))
        return out_of_memory(port, error);
    int len = stream_read_more(port->stream, &port->in, deadline, &why);
    if (len == 0)
        return silence(port, error);
    if (len > 0)
        return GDBMI_OK;
    port->lost = true;
    if (port->ended[0] != '\0')
        return gdbmi_error_set(error, GDBMI_ECLOSED, "%s: QEMU has ended (%s)", port->address,
                               port->ended);
    return gdbmi_error_take(error, &why);
}

/* Looks at the next byte inside an object; true: the object ends with it. */
static bool scan_byte(struct qmp_scan *scan, char byte)
{
    if (scan->escaped) {
        scan->escaped = false;
    } else if (scan->in_string) {
        scan->escaped = byte == '\\';
        scan->in_string = byte != '"';
    } else if (byte == '"') {
        scan->in_string = true;
    } else if (byte == '{' || byte == '[') {
        scan->depth++;
    } else if (byte == '}' || byte == ']') {
        scan->depth--;
        return scan->depth == 0;
    }
    return false;
}

/* The length of the object that the buffer begins with, 0: it is not complete, or there is none. */
static size_t scan_object(struct qmp_port *port)
{
    struct qmp_scan *scan = &port->scan;

    if (port->in.len == 0 || port->in.data[0] != '{')
        return 0;
    while (scan->at < port->in.len) {
        if (scan_byte(scan, port->in.data[scan->at++]))
            return scan->at;
    }
    return 0;
}

static void drop(struct qmp_port *port, size_t len)
{
    buffer_drop(&port->in, len);
    port->scan = (struct qmp_scan){.at = 0};
}

static void skip_space(struct qmp_port *port)
{
    size_t len = 0;

    while (len < port->in.len && isspace((unsigned char)port->in.data[len]))
        len++;
    if (len > 0)
        drop(port, len);
}

/* QEMU pauses its machine for whoever connects to its gdb port, and says so only if it ran. Nobody
 * but us can let it go on. */
static enum gdbmi_code leave_gdb_port(struct qmp_port *port, struct gdbmi_error *error)
{
    struct gdbmi_error ignored = {.code = GDBMI_OK};

    port->useless = true;
    /* Not D, which QEMU refuses once a gdb has been there that spoke of several processes. */
    (void)port->stream->ops->write(port->stream, "+$c#63", 6, port->timeout_ms, &ignored);
    return gdbmi_error_set_hint(error, GDBMI_EPROTOCOL, GDBMI_HINT_GDB,
                                "%s: this is a gdb port, not QMP", port->address);
}

/* Takes the next whole message, which is the caller's then; *message is untouched on failure. */
static enum gdbmi_code receive(struct qmp_port *port, uint64_t deadline, json_t **message,
                               struct gdbmi_error *error)
{
    size_t len;

    for (;;) {
        if (port->scan.at == 0)
            skip_space(port);
        len = scan_object(port);
        if (len > 0)
            break;
        if (port->in.len > 0 && port->in.data[0] == '$' && !port->greeted)
            return leave_gdb_port(port, error);
        if (port->in.len > 0 && port->in.data[0] != '{')
            return not_qmp(port, port->in.data, port->in.len, error);
        enum gdbmi_code code = fill(port, deadline, error);
        if (code != GDBMI_OK) {
            port->useless = true;
            return code;
        }
    }
    json_t *loaded = json_loadb(port->in.data, len, 0, NULL);
    if (loaded == NULL)
        return not_qmp(port, port->in.data, len, error);
    drop(port, len);
    *message = loaded;
    return GDBMI_OK;
}

/* Whether it is an event, which is taken then. */
static bool take_event(struct qmp_port *port, const json_t *message)
{
    const char *name = json_string_value(json_object_get(message, "event"));

    if (name == NULL)
        return false;
    if (strcmp(name, "SHUTDOWN") == 0) {
        const json_t *data = json_object_get(message, "data");
        const char *reason = json_string_value(json_object_get(data, "reason"));
        snprintf(port->ended, sizeof(port->ended), "%s", reason != NULL ? reason : "shutdown");
    }
    if (port->on_event != NULL)
        port->on_event(port->context, name);
    return true;
}

/* An answer to a client that was here before. */
static bool is_leftover(const struct qmp_port *port, const json_t *message)
{
    const json_t *id = json_object_get(message, "id");

    return json_is_integer(id) &&
           json_integer_value(id) >> SESSION_SHIFT != port->id >> SESSION_SHIFT;
}

/* Takes the next message that is no event and no leftover, as receive() does. */
static enum gdbmi_code receive_answer(struct qmp_port *port, uint64_t deadline, json_t **message,
                                      struct gdbmi_error *error)
{
    for (;;) {
        json_t *received = NULL;
        enum gdbmi_code code = receive(port, deadline, &received, error);
        if (code != GDBMI_OK)
            return code;
        if (!take_event(port, received) && !is_leftover(port, received)) {
            *message = received;
            return GDBMI_OK;
        }
        json_decref(received);
    }
}

/* Takes what is answered to the command with that id. */
static enum gdbmi_code take_answer(struct qmp_port *port, json_int_t id, uint64_t deadline,
                                   json_t **result, struct gdbmi_error *error)
{
    json_t *message = NULL;

    enum gdbmi_code code = receive_answer(port, deadline, &message, error);
    if (code != GDBMI_OK)
        return code;
    json_t *returned = json_object_get(message, "return");
    const json_t *failed = json_object_get(message, "error");
    const json_t *of = json_object_get(message, "id");
    if (!json_is_integer(of) || json_integer_value(of) != id ||
        (returned != NULL) == (failed != NULL)) {
        port->useless = true;
        code = gdbmi_error_set(error, GDBMI_EPROTOCOL, "%s: the answer does not match the command",
                               port->address);
    } else if (failed != NULL) {
        const char *words = json_string_value(json_object_get(failed, "desc"));
        code = gdbmi_error_set(error, GDBMI_ETARGET, "%s: QEMU says: %.200s", port->address,
                               words != NULL ? words : "no reason given");
    } else {
        *result = json_incref(returned);
    }
    json_decref(message);
    return code;
}

/* The call as QEMU reads it, to be freed; NULL: no memory. Releases the arguments. */
static char *compose(struct qmp_call *call, json_int_t id)
{
    json_t *message = call->arguments != NULL
                          ? json_pack("{s:s, s:I, s:o}", "execute", call->execute, "id", id,
                                      "arguments", call->arguments)
                          : json_pack("{s:s, s:I}", "execute", call->execute, "id", id);
    char *text = message != NULL ? json_dumps(message, JSON_COMPACT) : NULL;

    call->arguments = NULL;
    json_decref(message);
    return text;
}

/* All calls as one text. Returns false when memory runs out. */
static bool compose_all(struct qmp_port *port, struct qmp_call *calls, size_t count,
                        struct buffer *all)
{
    bool good = true;

    for (size_t i = 0; i < count; i++) {
        char *one = compose(&calls[i], port->id + 1 + (json_int_t)i);
        good = good && one != NULL && buffer_add(all, one, strlen(one)) && buffer_add(all, "\n", 1);
        free(one);
    }
    return good;
}

static enum gdbmi_code send_all(struct qmp_port *port, struct qmp_call *calls, size_t count,
                                struct gdbmi_error *error)
{
    struct gdbmi_error why = {.code = GDBMI_OK};
    enum gdbmi_code code = GDBMI_OK;
    struct buffer text = {.data = NULL};

    if (!compose_all(port, calls, count, &text)) {
        code = out_of_memory(port, error);
    } else if (port->lost) {
        code = gdbmi_error_set(error, GDBMI_ECLOSED, "%s: the connection was lost", port->address);
    } else if (port->stream->ops->write(port->stream, text.data, text.len, port->timeout_ms,
                                        &why)) {
        port->lost = true;
        code = gdbmi_error_take(error, &why);
    }
    port->id += (json_int_t)count;
    buffer_free(&text);
    return code;
}

enum gdbmi_code qmp_port_send(struct qmp_port *port, const char *execute, struct gdbmi_error *error)
{
    struct qmp_call call = {.execute = execute};

    return send_all(port, &call, 1, error);
}

static void release(struct qmp_call *calls, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        json_decref(calls[i].result);
        calls[i].result = NULL;
    }
}

enum gdbmi_code qmp_port_run(struct qmp_port *port, struct qmp_call *calls, size_t count,
                             struct gdbmi_error *error)
{
    uint64_t deadline = clock_deadline(port->timeout_ms);
    enum gdbmi_code refused = GDBMI_OK;
    json_int_t id = port->id;
    enum gdbmi_code code = GDBMI_OK;

    for (size_t i = 0; i < count; i++)
        calls[i].result = NULL;
    /* Also where it is of no use: this releases the arguments. */
    code = send_all(port, calls, count, error);
    if (code == GDBMI_OK && port->useless)
        code = gdbmi_error_set(error, GDBMI_ECLOSED, "%s: the connection was lost", port->address);
    for (size_t i = 0; i < count && code == GDBMI_OK; i++) {
        code = take_answer(port, ++id, deadline, &calls[i].result, error);
        /* The answers to the others come all the same. */
        if (code == GDBMI_ETARGET) {
            refused = code;
            code = GDBMI_OK;
        }
    }
    code = code == GDBMI_OK ? refused : error->code;
    if (code != GDBMI_OK)
        release(calls, count);
    return code;
}

/* {"QMP": {"version": {"qemu": {"major": 7, ...}, ...}, ...}} */
static enum gdbmi_code take_greeting(struct qmp_port *port, const json_t *message, char *server,
                                     size_t capacity, struct gdbmi_error *error)
{
    const json_t *version = json_object_get(json_object_get(message, "QMP"), "version");
    const json_t *qemu = json_object_get(version, "qemu");
    const json_t *major = json_object_get(qemu, "major");
    const json_t *minor = json_object_get(qemu, "minor");
    const json_t *micro = json_object_get(qemu, "micro");

    if (!json_is_integer(major) || !json_is_integer(minor) || !json_is_integer(micro))
        return not_qmp(port, "its greeting has no version", 27, error);
    snprintf(server, capacity, "QEMU %d.%d.%d", (int)json_integer_value(major),
             (int)json_integer_value(minor), (int)json_integer_value(micro));
    port->greeted = true;
    return GDBMI_OK;
}

enum gdbmi_code qmp_port_greet(struct qmp_port *port, char *server, size_t capacity,
                               struct gdbmi_error *error)
{
    struct qmp_call negotiate = {.execute = "qmp_capabilities"};
    json_t *message = NULL;

    enum gdbmi_code code = receive_answer(port, clock_deadline(port->timeout_ms), &message, error);
    if (code == GDBMI_OK)
        code = take_greeting(port, message, server, capacity, error);
    json_decref(message);
    if (code == GDBMI_OK)
        code = qmp_port_run(port, &negotiate, 1, error);
    json_decref(negotiate.result);
    return code;
}
