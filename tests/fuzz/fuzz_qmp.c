/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A link through QMP, and a QEMU at the other end that does what the input says. */
#include <inttypes.h>

#include <jansson.h>

#include "fuzz_link.h"
#include "qmp_link.h"

struct server {
    struct fake_stream stream;
    struct script *script;
    const char *arch;
    const char *type;
    bool running;
};

static void put(struct server *s, const char *text)
{
    fake_stream_put(&s->stream, text, strlen(text));
}

static void answer(struct server *s, const char *kind, const char *value, const char *id)
{
    put(s, "{\"");
    put(s, kind);
    put(s, "\": ");
    put(s, value);
    put(s, ", \"id\": ");
    put(s, id);
    put(s, "}\r\n");
}

static void put_event(struct server *s)
{
    static const char *const names[] = {"STOP", "RESUME", "SHUTDOWN", "RTC_CHANGE"};
    const char *name = names[take(s->script) % 4];

    put(s, "{\"event\": \"");
    put(s, name);
    put(s, take(s->script) & 1 ? "\", \"data\": {\"reason\": \"guest-shutdown\"}}\r\n" : "\"}\n");
    if (name[0] == 'S' || name[0] == 'R')
        s->running = name[0] == 'R';
}

/* What nobody asked for. */
static void put_odd(struct server *s)
{
    static const char *const odd[] = {
        "{\"return\": {}, \"id\": 5}\r\n",
        "{\"error\": {\"desc\": \"late\"}, \"id\": 6}",
        "{\"return\": {}}",
        "{\"QMP\": {\"version\": {\"qemu\": {\"micro\": 1, \"minor\": 2, \"major\": 7}}}}",
        "{\"return\": [",
        "$T02thread:01;#04",
        "]}",
        "{}",
    };

    put(s, odd[take(s->script) % 8]);
}

static void dump(struct server *s, const char *line, const char *id)
{
    static char text[64 * READ_MAX];
    uint64_t addr = 0;
    unsigned count = 0;
    size_t len = 1;

    const char *at = strchr(line, '/');
    if (at == NULL || sscanf(at, "/%uxw 0x%" SCNx64, &count, &addr) != 2 || count > READ_MAX) {
        answer(s, "return", "\"R15=080002a0 pc 00000001 PC=12\"", id);
        return;
    }
    text[0] = '"';
    for (unsigned i = 0; i < count; i++, addr += 4) {
        if (i % 4 == 0)
            len += (size_t)sprintf(text + len, "%s%016" PRIx64 ":", i > 0 ? "\\r\\n" : "", addr);
        len += (size_t)sprintf(text + len, " 0x%08" PRIx32, (uint32_t)addr * 7);
    }
    sprintf(text + len, "\\r\\n\"");
    answer(s, "return", text, id);
}

static void set_running(struct server *s, bool running, const char *id)
{
    if (s->running != running)
        put(s, running ? "{\"event\": \"RESUME\"}\r\n" : "{\"event\": \"STOP\"}\r\n");
    s->running = running;
    answer(s, "return", "{}", id);
}

static void answer_well(struct server *s, const char *line, const char *id)
{
    char text[128];

    if (strstr(line, "query-target") != NULL) {
        snprintf(text, sizeof(text), "{\"arch\": \"%s\"}", s->arch);
        answer(s, "return", text, id);
    } else if (strstr(line, "query-cpus-fast") != NULL) {
        answer(s, "return", "[{\"cpu-index\": 0, \"qom-path\": \"/machine/cpu0\"}]", id);
    } else if (strstr(line, "qom-get") != NULL) {
        snprintf(text, sizeof(text), "\"%s\"", s->type);
        answer(s, "return", text, id);
    } else if (strstr(line, "query-status") != NULL) {
        answer(s, "return", s->running ? "{\"running\": true}" : "{\"running\": false}", id);
    } else if (strstr(line, "human-monitor-command") != NULL) {
        dump(s, line, id);
    } else if (strstr(line, "\"stop\"") != NULL || strstr(line, "\"cont\"") != NULL) {
        set_running(s, strstr(line, "\"cont\"") != NULL, id);
    } else {
        answer(s, "return", "{}", id);
    }
}

static void answer_oddly(struct server *s, const char *id)
{
    static const char *const values[] = {"null",
                                         "5",
                                         "\"\"",
                                         "[]",
                                         "[{}]",
                                         "true",
                                         "{\"running\": 1}",
                                         "\"0000000020000000:\"",
                                         "{\"desc\": \"Bad \\u001b luck\"}"};
    uint8_t kind = take(s->script);

    answer(s, kind & 1 ? "error" : "return", values[(kind >> 1) % 9], id);
}

/* One command has come: how the server takes it is said by one byte; most values are a sound one.
 */
static void take_command(struct server *s, const char *line)
{
    const char *at = strstr(line, "\"id\":");
    size_t since = s->stream.queue_len;
    char id[32] = "0";

    if (at != NULL)
        snprintf(id, sizeof(id), "%.*s", (int)strspn(at + 5, "0123456789"), at + 5);
    switch (take(s->script) % 24) {
    case 10:
        break; /* it says nothing */
    case 11:
        answer_oddly(s, id);
        break;
    case 12:
        put_raw(&s->stream, s->script);
        break;
    case 13:
        answer_well(s, line, id);
        damage(&s->stream, s->script, since);
        break;
    case 14:
        answer_well(s, line, id);
        s->stream.queue_len -= (s->stream.queue_len - since) * take(s->script) / 255;
        break;
    case 15:
        s->stream.closed = true;
        break;
    case 16:
        s->stream.flood = "\r\n \t";
        break;
    case 17:
        s->stream.flood = "{\"event\": \"VNC\"}\r\n";
        break;
    case 18:
        s->stream.flood = "{\"a\": [\"";
        break;
    case 19:
        answer_well(s, line, "7");
        break;
    case 20:
        put_event(s);
        answer_well(s, line, id);
        break;
    case 21:
        put_odd(s);
        answer_well(s, line, id);
        break;
    case 22:
        answer_well(s, line, id);
        answer_well(s, line, id);
        break;
    default:
        answer_well(s, line, id);
        break;
    }
}

static void serve(void *server, const char *bytes, size_t len)
{
    static char line[4096];
    size_t at = 0;

    for (size_t i = 0; i < len; i++) {
        if (at < sizeof(line) - 1)
            line[at++] = bytes[i];
        if (bytes[i] != '\n')
            continue;
        line[at] = '\0';
        at = 0;
        take_command(server, line);
    }
}

static void between(void *server)
{
    struct server *s = server;

    switch (take(s->script) % 8) {
    case 1:
        put_event(s);
        break;
    case 2:
        put_odd(s);
        break;
    case 3:
        put_raw(&s->stream, s->script);
        break;
    case 4:
        s->stream.flood = NULL;
        break;
    default:
        break;
    }
}

static void greet(struct server *s)
{
    for (int i = take(s->script) % 4; i > 0; i--)
        between(s);
    if (take(s->script) % 8 != 7)
        put(s, "{\"QMP\": {\"version\": {\"qemu\": {\"micro\": 22, \"minor\": 2, \"major\": 7}},"
               " \"capabilities\": [\"oob\"]}}\r\n");
    s->stream.closed = take(s->script) % 16 == 15;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
    static const char *const machines[][2] = {{"arm", "cortex-m3-arm-cpu"},
                                              {"aarch64", "cortex-a53-arm-cpu"},
                                              {"riscv32", "rv32-riscv-cpu"},
                                              {"xtensaeb", "fsf-xtensa-cpu"}};
    const struct gdbmi_options options = {.timeout_ms = TIMEOUT_MS};
    struct script script = {.bytes = bytes, .left = len};
    struct server s = {.script = &script, .running = true};
    struct gdbmi_error error = {.code = GDBMI_OK};
    struct gdbmi_link *link = NULL;

    json_object_seed(1);
    fake_stream_init(&s.stream, serve, &s);
    start_stream(&s.stream, &script);
    uint8_t machine = take(&script) % 4;
    s.arch = machines[machine][0];
    s.type = machines[machine][1];
    greet(&s);
    uint64_t since_ms = fake_clock_passed_ms();
    enum gdbmi_code code = qmp_link_attach(&s.stream.base, "fuzz:4444", &options, &link, &error);
    must_be_in_time(since_ms, (uint64_t)LINK_OPENING_ANSWERS * TIMEOUT_MS);
    must((code == GDBMI_OK) == (link != NULL), "a link is there if opening says so");
    must(code == GDBMI_OK || error.text[0] != '\0', "an error has a text");
    if (link != NULL)
        use_link(link, &script, between, &s);
    must(s.stream.closed_by_client, "the stream is closed");
    fake_stream_free(&s.stream);
    return 0;
}
