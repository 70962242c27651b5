/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A fake of OpenOCD's Tcl port with two targets, and with faults to be switched on. */
#include <inttypes.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "unit.h"

#include "fake_tcl.h"

#define END '\x1a'

/* A request that passed its check, and what is to be answered. */
struct call {
    unsigned sequence;
    char sum[64];
    char script[4096];
    char query[128];
};

static void put_channel(struct fake_tcl *tcl, const char *bytes, size_t len)
{
    if (!tcl->stream.mute)
        (void)!send(tcl->channel, bytes, len, MSG_NOSIGNAL);
}

/* Puts a message where it belongs, with the damage that is due. A channel gets no notifications,
 * and the port an empty result instead. */
static void put_message(struct fake_tcl *tcl, bool channel, const char *text)
{
    size_t len = strlen(text);
    char message[20000];
    size_t out = 0;

    for (size_t i = 0; i <= len; i++) {
        char byte = i < len ? text[i] : END;
        bool here = tcl->answer != FAKE_WHOLE && tcl->at-- == 0;
        tcl->was_damaged = tcl->was_damaged || here;
        if (!here || tcl->answer != FAKE_DROP)
            message[out++] = (char)(byte ^ (here && tcl->answer == FAKE_FLIP ? tcl->bits : 0));
        if (here && tcl->answer == FAKE_DOUBLE)
            message[out++] = byte;
        if (here)
            tcl->answer = FAKE_WHOLE;
    }
    if (channel)
        put_channel(tcl, message, out);
    else
        fake_stream_put(&tcl->stream, message, out);
}

/* The result of a command: what a gdb that is attached would see. */
static void put_result(struct fake_tcl *tcl, const char *text)
{
    if (tcl->notification != NULL && tcl->notifying)
        fake_stream_put(&tcl->stream, tcl->notification, strlen(tcl->notification));
    tcl->results_len += strlen(text);
    put_message(tcl, false, text);
}

static void add_to_sum(uint64_t sum[2], uint64_t value)
{
    sum[0] += value;
    sum[1] += sum[0];
}

/* Bytes, or code points of two or three of them. */
static void add_text(const struct fake_tcl *tcl, uint64_t sum[2], const char *text)
{
    for (; *text != '\0'; text++) {
        unsigned value = (unsigned char)*text;
        if (tcl->utf8 && value >= 0xc0) {
            unsigned more = value >= 0xe0 ? 2 : 1;
            value &= 0x3fU >> more;
            for (; more > 0; more--)
                value = value << 6 | (*++text & 0x3f);
        }
        add_to_sum(sum, value);
    }
}

static void answer(struct fake_tcl *tcl, const struct call *call, const char *status,
                   const char *text)
{
    uint64_t sum[2] = {1, 0};
    char head[256];
    char message[18000];

    snprintf(head, sizeof(head), "%u %s %s %s", call->sequence + tcl->wrong_sequence, call->sum,
             status,
             call->query[0] == '\0' ? ""
             : tcl->running         ? "running"
                                    : "halted");
    add_text(tcl, sum, head);
    if (call->query[0] == '\0' || strcmp(status, "0") != 0) {
        add_text(tcl, sum, text);
    } else {
        char *end;
        for (const char *at = text; *at != '\0'; at = *end == ' ' ? end + 1 : end) {
            add_to_sum(sum, strtoull(at, &end, 16));
            if (end == at)
                break;
        }
    }
    snprintf(message, sizeof(message), "mp%" PRId64 ".%" PRId64 " %s\n%s", (int64_t)sum[0],
             (int64_t)sum[1], head, text);
    if (tcl->channel >= 0)
        put_message(tcl, true, message);
    put_result(tcl, tcl->channel >= 0 ? "" : message);
}

static void serve_read(struct fake_tcl *tcl, const struct call *call, uint64_t addr, unsigned bits,
                       unsigned count)
{
    char result[16384] = "";
    size_t len = 0;

    tcl->reads++;
    tcl->words = count;
    if (tcl->before_read)
        tcl->before_read();
    if (bits == 32 && count > tcl->words_max)
        tcl->words_max = count;
    if (addr >= BAD || addr % (bits / 8) != 0) {
        answer(tcl, call, "1", "read_memory: failed to read memory");
        return;
    }
    for (unsigned i = 0; i < count; i++) {
        uint32_t value = 0;
        for (unsigned at = 0; at < bits / 8; at++, addr++)
            value |= (uint32_t)fake_byte(addr) << 8 * (tcl->big_endian ? bits / 8 - 1 - at : at);
        len +=
            (size_t)snprintf(result + len, sizeof(result) - len, "%s%" PRIx32, i ? " " : "", value);
    }
    answer(tcl, call, "0", tcl->odd_result != NULL ? tcl->odd_result : result);
}

static void serve_halt(struct fake_tcl *tcl, const struct call *call)
{
    assert_non_null(strstr(call->script, "catch {$t arp_poll}; set s [$t curstate]; "
                                         "if {$s ne {halted}} {$t arp_halt}; set s}} "));
    answer(tcl, call, "0", tcl->running && !tcl->break_at_halt ? "running" : "halted");
    tcl->running = false;
}

/* As many words of the stack as there are, of which the number is halved until all can be read. */
static size_t put_stack(const struct fake_tcl *tcl, unsigned words, char *result, size_t room)
{
    size_t len = 0;

    while (words > 7 && tcl->sp + 4U * words > BAD)
        words /= 2;
    for (uint64_t at = tcl->sp; at < tcl->sp + 4U * (words > 7 ? words : 0); at += 4)
        len += (size_t)snprintf(result + len, room - len, " 0x%x%02x%02x%02x", fake_byte(at + 3),
                                fake_byte(at + 2), fake_byte(at + 1), fake_byte(at));
    return len;
}

/* "poll" looks at the core: one that it finds at a breakpoint must not pass for running. */
static void check_order(const char *script)
{
    const char *poll = strstr(script, "[poll]");
    const char *state = strstr(script, "[$t curstate]");

    assert_non_null(poll);
    assert_non_null(state);
    assert_true(poll < state);
}

/* "...}} TARGET CORTEX_M {WHY} {NAMES} WORDS END GOOD BAD WORD WORDS PROCESS_STACK" */
static void serve_sample(struct fake_tcl *tcl, const struct call *call)
{
    char names[400];
    char result[8192] = "sampled";
    unsigned words = 0;
    uint64_t end = 0, good = 0, bad = 0, word = 0;
    unsigned word_count = 0, process = 0;
    size_t len = strlen(result);

    check_order(call->script);
    tcl->samples++;
    assert_int_equal(sscanf(strrchr(call->script, '{'),
                            "{%399[^}]} %u 0x%" SCNx64 " 0x%" SCNx64 " 0x%" SCNx64 " 0x%" SCNx64
                            " %u %u",
                            names, &words, &end, &good, &bad, &word, &word_count, &process),
                     8);
    if (!tcl->running || tcl->break_at_halt) {
        answer(tcl, call, "0", tcl->running ? "breakpoint" : "halted");
        tcl->running = false;
        return;
    }
    for (char *name = strtok(names, " "); name != NULL; name = strtok(NULL, " "))
        len += (size_t)snprintf(result + len, sizeof(result) - len, " 0x%" PRIx64,
                                strcmp(name, "sp") == 0     ? tcl->sp
                                : strcmp(name, "pc") == 0   ? 0x080002a0
                                : strcmp(name, "xPSR") == 0 ? 0x2100000fU
                                                            : 0x1000U + (unsigned char)name[1]);
    if (word_count != 0 && word >= BAD)
        len += (size_t)snprintf(result + len, sizeof(result) - len, " none");
    for (unsigned i = 0; word < BAD && i < word_count; i++)
        len += (size_t)snprintf(result + len, sizeof(result) - len, " 0x%" PRIx64,
                                word + 0x01000000U * i);
    if (tcl->sp < bad && tcl->sp + 4U * words > good)
        words = (unsigned)((good - tcl->sp) / 4);
    if (tcl->sp < end && tcl->sp + 4U * words > end)
        words = (unsigned)((end - tcl->sp) / 4);
    tcl->words = words;
    if (words != 0)
        len += (size_t)snprintf(result + len, sizeof(result) - len, " stack");
    len += put_stack(tcl, words, result + len, sizeof(result) - len);
    if (process) /* that has one word */
        snprintf(result + len, sizeof(result) - len, " stack 0x12345678");
    tcl->running = !tcl->sample_halts;
    answer(tcl, call, tcl->sample_fails ? "1" : "0", tcl->sample_fails ? "timed out" : result);
}

/* "...}} TARGET DPC WORD WORDS" */
static void serve_short(struct fake_tcl *tcl, const struct call *call)
{
    char result[400];
    unsigned dpc = 0, word_count = 0;
    uint64_t word = 0;

    check_order(call->script);
    tcl->shorts++;
    assert_int_equal(
        sscanf(strrchr(call->script, '}'), "} %*s 0x%x 0x%" SCNx64 " %u", &dpc, &word, &word_count),
        3);
    size_t len = (size_t)snprintf(result, sizeof(result), "sampled 0x64 %s 0x080002a0 0x0441000f",
                                  dpc >> 20 == 3 ? "0x12" : "0");
    if (word_count != 0 && word >= BAD)
        snprintf(result + len, sizeof(result) - len, " none");
    for (unsigned i = 0; word < BAD && i < word_count; i++)
        len += (size_t)snprintf(result + len, sizeof(result) - len, " 0x%" PRIx64,
                                word + 0x01000000U * i);
    if (tcl->break_at_halt)
        tcl->running = false;
    answer(tcl, call, "0",
           tcl->not_short       ? tcl->not_short
           : tcl->break_at_halt ? "breakpoint"
           : tcl->running       ? result
                                : "halted");
}

static void serve_show(struct fake_tcl *tcl, const struct call *call)
{
    char text[sizeof(tcl->body) + 32];

    snprintf(text, sizeof(text), "%u n k s q %s", tcl->utf8 ? 1 : 2, tcl->body);
    answer(tcl, call, "0", text);
}

static void run_script(struct fake_tcl *tcl, const struct call *call)
{
    const char *script = call->script;
    char target[32] = "";
    char rest[200] = "";
    uint64_t addr;
    unsigned bits;
    unsigned count;

    if (strcmp(script, "version") == 0) {
        answer(tcl, call, "0", tcl->version);
    } else if (strstr(script, "[info body ") != NULL) {
        serve_show(tcl, call);
    } else if (strstr(script, "tcl_notifications on") != NULL) {
        tcl->notifying = true;
        answer(tcl, call, "0", "");
    } else if (strstr(script, "[target names]") != NULL) {
        answer(tcl, call, "0", tcl->targets);
    } else if (sscanf(script, "%31s riscv %199s", target, rest) == 2) {
        answer(tcl, call, "0", tcl->sbcs);
    } else if (sscanf(script, "%31s read_memory 0x%" SCNx64 " %u %u", target, &addr, &bits,
                      &count) == 4) {
        serve_read(tcl, call, addr, bits, count);
    } else if (strstr(script, "sampled") != NULL && strstr(script, "clock") != NULL) {
        sscanf(strrchr(script, '}'), "} %31s", target);
        serve_short(tcl, call);
    } else if (strstr(script, "sampled") != NULL) {
        sscanf(strstr(script, "set r}} "), "set r}} %31s", target);
        serve_sample(tcl, call);
    } else if (strstr(script, "arp_halt") != NULL) {
        snprintf(target, sizeof(target), "%s", strrchr(script, ' ') + 1);
        serve_halt(tcl, call);
    } else if (sscanf(script, "%31s write_memory %199[^\n]", target, rest) == 2) {
        strncat(tcl->written, rest, sizeof(tcl->written) - strlen(tcl->written) - 1);
        answer(tcl, call, "0", "");
    } else if (sscanf(script, "targets %31[^;]; %199[^\n]", target, rest) == 2) {
        bool resume = strcmp(rest, "resume") == 0;
        tcl->running = tcl->running || resume;
        tcl->resumes += resume;
        answer(tcl, call, resume ? "0" : "1", resume ? "" : rest);
    } else if (sscanf(script, "lindex [%31s get_reg -force %199s", target, rest) == 2) {
        answer(tcl, call, "0", "0x080002a0");
    } else if (sscanf(script, "%31s %199s", target, rest) == 2) {
        answer(tcl, call, "0", tcl->running ? "running" : "halted");
    }
    if (target[0] != '\0')
        assert_string_equal(target, tcl->chosen);
}

/* Takes a word between double quotes and undoes the quoting as Tcl does. NULL: it is none, or
 * something in it would be substituted. */
static const char *unquote(const char *quoted, char *word, size_t capacity)
{
    size_t len = 0;

    if (*quoted++ != '"')
        return NULL;
    for (; *quoted != '"'; quoted++) {
        if (*quoted == '\0' || strchr("$[]", *quoted) != NULL || len + 1 == capacity)
            return NULL;
        if (*quoted == '\\' && *++quoted == '\0')
            return NULL;
        word[len++] = *quoted;
    }
    word[len] = '\0';
    return quoted + 1;
}

/* Whether the command is a call of the client's procedure with all its words. */
static bool take_call(const struct fake_tcl *tcl, const char *command, struct call *call)
{
    char name[32];
    int head = 0;

    if (sscanf(command, "%31[^ ] %u %63[^ ] %n", name, &call->sequence, call->sum, &head) != 3 ||
        head == 0 || strcmp(name, tcl->name) != 0)
        return false;
    command = unquote(command + head, call->script, sizeof(call->script));
    if (command == NULL || *command != ' ')
        return false;
    command = unquote(command + 1, call->query, sizeof(call->query));
    return command != NULL && command[strspn(command, " ")] == '\0';
}

/* What the procedure does: nothing, where the sum is not that of what came. */
static void serve_call(struct fake_tcl *tcl, const struct call *call)
{
    uint64_t sum[2] = {1, 0};
    char number[16];
    char expected[64];

    snprintf(number, sizeof(number), "%u ", call->sequence);
    add_text(tcl, sum, number);
    add_text(tcl, sum, call->script);
    add_to_sum(sum, ' ');
    add_text(tcl, sum, call->query);
    snprintf(expected, sizeof(expected), "%" PRId64 ".%" PRId64, (int64_t)sum[0], (int64_t)sum[1]);
    if (strcmp(call->sum, expected) != 0)
        answer(tcl, call, "x", "");
    else
        run_script(tcl, call);
}

static void connect_back(struct fake_tcl *tcl, unsigned port, const char *nonce)
{
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)port),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};

    tcl->channel = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(tcl->channel >= 0);
    assert_int_equal(connect(tcl->channel, (struct sockaddr *)&to, sizeof(to)), 0);
    assert_int_equal(strlen(nonce), 32);
    put_channel(tcl, tcl->wrong_nonce ? "12345678123456781234567812345678" : nonce, 32);
}

static void close_channel(struct fake_tcl *tcl)
{
    if (tcl->channel >= 0)
        close(tcl->channel);
    tcl->channel = -1;
}

/* "proc NAME {n k s q} {BODY};..." A damaged one is not followed: its port may be anybody's. */
static void serve_hello(struct fake_tcl *tcl, const char *hello)
{
    const char *opening = strstr(hello, "[socket stream 127.0.0.1:");
    const char *begin = strstr(hello, "} {");
    const char *end = strstr(hello, "{set m}};");
    unsigned port = 0;
    char nonce[40] = "";

    close_channel(tcl);
    if (begin == NULL || end == NULL || sscanf(hello, "proc %31[^ ]", tcl->name) != 1) {
        put_result(tcl, "missing close-brace");
        return;
    }
    snprintf(tcl->body, sizeof(tcl->body), "%.*s", (int)(end + 7 - (begin + 3)), begin + 3);
    if (opening != NULL && tcl->has_socket && !tcl->was_damaged) {
        const char *said = strstr(opening, " puts -nonewline ");
        assert_non_null(said);
        assert_int_equal(sscanf(opening, "[socket stream 127.0.0.1:%u]", &port), 1);
        assert_int_equal(sscanf(said, " puts -nonewline %39[^;]", nonce), 1);
        connect_back(tcl, port, nonce);
    }
    if (opening != NULL && tcl->channel < 0)
        tcl->name[0] = '\0';
    put_result(tcl, tcl->channel >= 0 ? "" : "mp");
}

static void serve_command(struct fake_tcl *tcl, const char *command)
{
    const char *hello = strstr(command, "proc mprof_");
    struct call call;

    if (tcl->close_at != NULL && strstr(command, tcl->close_at) != NULL)
        tcl->stream.closed = true;
    tcl->stream.mute = tcl->silent_at != NULL && strstr(command, tcl->silent_at) != NULL;
    if (tcl->raw != NULL) {
        fake_stream_put(&tcl->stream, tcl->raw, strlen(tcl->raw));
    } else if (hello != NULL) {
        serve_hello(tcl, hello);
    } else if (strncmp(command, "catch {catch {$::mprof_", 23) == 0) {
        tcl->said_goodbye = strstr(command, tcl->name) != NULL;
        put_result(tcl, "");
    } else if (strncmp(command, "catch {targets ", 15) == 0) {
        assert_non_null(strstr(command, "; resume};list"));
        tcl->running = true;
        tcl->resumes++;
        put_result(tcl, "");
    } else if (take_call(tcl, command, &call)) {
        serve_call(tcl, &call);
    } else {
        put_result(tcl, "wrong # args");
    }
}

static void take_byte(struct fake_tcl *tcl, char byte)
{
    assert_true(tcl->in_len < sizeof(tcl->in));
    tcl->in[tcl->in_len++] = byte;
    if (byte != END)
        return;
    tcl->in[tcl->in_len - 1] = '\0';
    tcl->in_len = 0;
    serve_command(tcl, tcl->in);
}

static void serve(void *server, const char *bytes, size_t len)
{
    struct fake_tcl *tcl = server;

    tcl->writes++;
    for (size_t i = 0; i < len; i++) {
        enum fake_damage damage = FAKE_WHOLE;
        if (tcl->request != FAKE_WHOLE && tcl->at-- == 0) {
            damage = tcl->request;
            tcl->request = FAKE_WHOLE;
            tcl->was_damaged = true;
        }
        if (damage != FAKE_DROP)
            take_byte(tcl, (char)(bytes[i] ^ (damage == FAKE_FLIP ? tcl->bits : 0)));
        if (damage == FAKE_DOUBLE)
            take_byte(tcl, bytes[i]);
    }
}

void fake_tcl_init(struct fake_tcl *tcl)
{
    *tcl = (struct fake_tcl){
        .version = "Open On-Chip Debugger 0.12.0",
        .sbcs = "0x20050407\n",
        .targets = "a.cpu cortex_m little 3333\nb.cpu cortex_m big 3334\n",
        .chosen = "a.cpu",
        .running = true,
        .has_socket = true,
        .channel = -1,
    };
    fake_stream_init(&tcl->stream, serve, tcl);
}

void fake_tcl_free(struct fake_tcl *tcl)
{
    close_channel(tcl);
    fake_stream_free(&tcl->stream);
}
