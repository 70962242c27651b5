/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A fake of QEMU's QMP port, with faults to be switched on. */
#include "fake_qmp.h"

#include <inttypes.h>

#include "unit.h"
#include <jansson.h>

#define GREETING                                                                       \
    "{\"QMP\": {\"version\": {\"qemu\": {\"micro\": 22, \"minor\": 2, \"major\": 7}, " \
    "\"package\": \"Debian \\\"{1:7.2\"}, \"capabilities\": [\"oob\"]}}\r\n"

static void put_text(struct fake_qmp *qmp, const char *text)
{
    fake_stream_put(&qmp->stream, text, strlen(text));
}

void fake_qmp_event(struct fake_qmp *qmp, const char *name)
{
    char text[256];

    snprintf(text, sizeof(text),
             "{\"timestamp\": {\"seconds\": 1, \"microseconds\": 2}, \"event\": \"%s\", "
             "\"data\": {\"guest\": true, \"reason\": \"guest-shutdown\"}}\r\n",
             name);
    put_text(qmp, text);
}

static void answer(struct fake_qmp *qmp, json_t *id, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void answer(struct fake_qmp *qmp, json_t *id, const char *format, ...)
{
    char tail[64];
    char *text = malloc(1 << 20);
    va_list args;

    va_start(args, format);
    vsnprintf(text, 1 << 20, format, args);
    va_end(args);
    put_text(qmp, text);
    snprintf(tail, sizeof(tail), ", \"id\": %" JSON_INTEGER_FORMAT "}\r\n", json_integer_value(id));
    put_text(qmp, tail);
    free(text);
}

static void answer_text(struct fake_qmp *qmp, json_t *id, const char *text)
{
    json_t *string = json_string(text);
    char *quoted = json_dumps(string, JSON_ENCODE_ANY);

    answer(qmp, id, "{\"return\": %s", quoted);
    free(quoted);
    json_decref(string);
}

static void dump(struct fake_qmp *qmp, json_t *id, uint64_t addr, unsigned count)
{
    bool physical = strcmp(qmp->dump, "xp") == 0;
    char *text = calloc(1, 64 * (count + 1));
    size_t len = 0;

    for (unsigned i = 0; i < count && len < 64 * count; i++, addr += 4) {
        if (i % 4 == 0)
            len += (size_t)sprintf(text + len, "%s%0*" PRIx64 ":", i ? "\r\n" : "",
                                   physical ? 16 : 8, addr);
        if (i % 4 == 0 && addr >= BAD) {
            len += (size_t)sprintf(text + len, " Cannot access memory");
            break;
        }
        uint32_t value = 0;
        for (unsigned at = 0; at < 4; at++)
            value |= (uint32_t)fake_byte(addr + at) << 8 * (qmp->big_endian ? 3 - at : at);
        len += (size_t)sprintf(text + len, " 0x%08" PRIx32, value);
    }
    sprintf(text + len, "\r\n");
    answer_text(qmp, id, qmp->odd_dump != NULL ? qmp->odd_dump : text);
    free(text);
}

static void serve_monitor(struct fake_qmp *qmp, json_t *id, const json_t *arguments)
{
    const char *line = json_string_value(json_object_get(arguments, "command-line"));
    char name[8];
    unsigned count;
    uint64_t addr;

    assert_int_equal(json_integer_value(json_object_get(arguments, "cpu-index")), qmp->cpu);
    if (sscanf(line, "%7s /%uxw 0x%" SCNx64, name, &count, &addr) == 3) {
        assert_string_equal(name, qmp->dump);
        assert_int_equal(addr % 4, 0);
        dump(qmp, id, addr, count);
    } else if (strcmp(line, "info registers") == 0) {
        answer_text(qmp, id, qmp->registers);
    } else {
        answer_text(qmp, id, "unknown command\r\n");
    }
}

static void serve_cpus(struct fake_qmp *qmp, json_t *id)
{
    char list[512] = "";

    for (unsigned i = 0; i < qmp->cpus; i++)
        snprintf(list + strlen(list), sizeof(list) - strlen(list),
                 "%s{\"cpu-index\": %u, \"qom-path\": \"/machine/cpu%u\"}", i ? ", " : "", i, i);
    answer(qmp, id, "{\"return\": [%s]", list);
}

static void set_running(struct fake_qmp *qmp, json_t *id, bool running)
{
    if (qmp->running != running)
        fake_qmp_event(qmp, running ? "RESUME" : "STOP");
    qmp->running = running;
    answer(qmp, id, "{\"return\": {}");
}

static void serve_status(struct fake_qmp *qmp, json_t *id)
{
    answer(qmp, id, "{\"return\": {\"status\": \"x\", \"running\": %s}",
           qmp->running ? "true" : "false");
    if (qmp->breaks_after > 0 && --qmp->breaks_after == 0) {
        fake_qmp_event(qmp, "STOP");
        qmp->running = false;
    }
}

static void serve_command(struct fake_qmp *qmp, const char *name, json_t *id,
                          const json_t *arguments)
{
    if (strcmp(name, "qmp_capabilities") == 0) {
        answer(qmp, id, "{\"return\": {}");
    } else if (strcmp(name, "query-target") == 0) {
        answer(qmp, id, "{\"return\": {\"arch\": \"%s\"}", qmp->arch);
    } else if (strcmp(name, "query-cpus-fast") == 0) {
        serve_cpus(qmp, id);
    } else if (strcmp(name, "qom-get") == 0) {
        assert_string_equal(json_string_value(json_object_get(arguments, "property")), "type");
        answer_text(qmp, id, qmp->type);
    } else if (strcmp(name, "query-status") == 0) {
        serve_status(qmp, id);
    } else if (strcmp(name, "stop") == 0) {
        qmp->stops++;
        set_running(qmp, id, false);
    } else if (strcmp(name, "cont") == 0) {
        qmp->conts++;
        set_running(qmp, id, true);
    } else {
        assert_string_equal(name, "human-monitor-command");
        serve_monitor(qmp, id, arguments);
    }
}

static void serve_message(struct fake_qmp *qmp, const json_t *message)
{
    const char *name = json_string_value(json_object_get(message, "execute"));
    json_t *id = json_object_get(message, "id");
    char text[512];

    qmp->commands++;
    if (qmp->close_at != NULL && strcmp(name, qmp->close_at) == 0)
        qmp->stream.closed = true;
    if (qmp->stream.closed || (qmp->silent_at != NULL && strcmp(name, qmp->silent_at) == 0))
        return;
    if (qmp->before != NULL)
        put_text(qmp, qmp->before);
    if (qmp->odd_reply != NULL) {
        size_t len = strcspn(qmp->odd_reply, "#@");
        const char *mark = qmp->odd_reply + len;
        snprintf(text, sizeof(text), "%.*s", (int)len, qmp->odd_reply);
        if (*mark != '\0')
            snprintf(text + len, sizeof(text) - len, "%" JSON_INTEGER_FORMAT "%s",
                     json_integer_value(id) + (*mark == '@'), mark + 1);
        put_text(qmp, text);
    } else if (qmp->refuse != NULL && strcmp(name, qmp->refuse) == 0) {
        answer(qmp, id, "{\"error\": {\"class\": \"GenericError\", \"desc\": \"No \\\"luck\\\"\"}");
    } else {
        serve_command(qmp, name, id, json_object_get(message, "arguments"));
    }
}

static void serve(void *server, const char *bytes, size_t len)
{
    struct fake_qmp *qmp = server;
    size_t used = 0;

    qmp->heard = realloc(qmp->heard, qmp->heard_len + len + 1);
    memcpy(qmp->heard + qmp->heard_len, bytes, len);
    qmp->heard_len += len;
    qmp->heard[qmp->heard_len] = '\0';
    if (qmp->greeting[0] != '{')
        return;
    while (used < len) {
        json_error_t error;
        json_t *message = json_loadb(bytes + used, len - used, JSON_DISABLE_EOF_CHECK, &error);
        assert_non_null(message);
        used += (size_t)error.position;
        serve_message(qmp, message);
        json_decref(message);
        while (used < len && bytes[used] == '\n')
            used++;
    }
}

void fake_qmp_init(struct fake_qmp *qmp)
{
    *qmp = (struct fake_qmp){
        .greeting = GREETING,
        .arch = "arm",
        .type = "cortex-m3-arm-cpu",
        .cpus = 1,
        .dump = "xp",
        .running = true,
        .registers = "R00=00000007 R01=0053ed50\r\nR12=000030d4 R15=080002a0\r\nXPSR=21000000\r\n",
    };
    fake_stream_init(&qmp->stream, serve, qmp);
}

void fake_qmp_free(struct fake_qmp *qmp)
{
    fake_stream_free(&qmp->stream);
    free(qmp->heard);
}
