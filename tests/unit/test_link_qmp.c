/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the link through QEMU's QMP, against a fake of that port. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "fake_qmp.h"
#include "qmp_dump.h"
#include "qmp_link.h"

#define RAM 0x20000000U
#define BAD FAKE_QMP_BAD

static enum gdbmi_code try_open(struct fake_qmp *qmp, const char *target, struct gdbmi_link **link,
                                struct gdbmi_error *error)
{
    struct gdbmi_options options = {.timeout_ms = 2000, .target = target};

    *link = NULL;
    *error = (struct gdbmi_error){.code = GDBMI_OK};
    fake_stream_put(&qmp->stream, qmp->greeting, strlen(qmp->greeting));
    return qmp_link_attach(&qmp->stream.base, "fake:4444", &options, link, error);
}

static struct gdbmi_link *must_open(struct fake_qmp *qmp)
{
    struct gdbmi_link *link;
    struct gdbmi_error error;

    if (try_open(qmp, NULL, &link, &error) != GDBMI_OK)
        fail_msg("%s", error.text);
    return link;
}

static void must_close(struct fake_qmp *qmp, struct gdbmi_link *link)
{
    assert_int_equal(gdbmi_link_close(link, NULL), GDBMI_OK);
    assert_true(qmp->stream.closed_by_client);
    fake_qmp_free(qmp);
}

static void check_read(struct gdbmi_link *link, uint64_t addr, size_t len)
{
    unsigned char *bytes = malloc(len);

    if (gdbmi_link_read(link, addr, bytes, len) != GDBMI_OK)
        fail_msg("%s", gdbmi_link_error(link)->text);
    for (size_t i = 0; i < len; i++)
        assert_int_equal(bytes[i], fake_qmp_byte(addr + i));
    free(bytes);
}

static void check_text(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("\"%s\" is not in \"%s\"", part, text);
    assert_null(strchr(text, '\n'));
}

static void check_state(struct gdbmi_link *link, enum gdbmi_state expected)
{
    enum gdbmi_state state = GDBMI_STATE_UNKNOWN;

    assert_int_equal(gdbmi_link_state(link, &state), GDBMI_OK);
    assert_int_equal(state, expected);
}

static void test_what_it_is(void **state)
{
    (void)state;
    struct fake_qmp qmp;

    fake_qmp_init(&qmp);
    struct gdbmi_link *link = must_open(&qmp);
    const struct gdbmi_info *info = gdbmi_link_info(link);
    assert_string_equal(info->kind, "qmp");
    assert_string_equal(info->server, "QEMU 7.2.22");
    assert_string_equal(info->target, "cortex-m3");
    assert_string_equal(info->arch, "arm");
    assert_string_equal(info->address, "fake:4444");
    assert_true(info->live && info->simulator);
    check_state(link, GDBMI_STATE_RUNNING);
    must_close(&qmp, link);
    assert_true(qmp.running);
    assert_int_equal(qmp.conts + qmp.stops, 0);
}

static void test_reads_of_all_shapes(void **state)
{
    (void)state;
    struct fake_qmp qmp;

    fake_qmp_init(&qmp);
    struct gdbmi_link *link = must_open(&qmp);
    for (uint64_t addr = RAM; addr < RAM + 5; addr++) {
        for (size_t len = 1; len < 40; len++)
            check_read(link, addr, len);
    }
    qmp.commands = 0;
    check_read(link, RAM + 3, 100001);
    assert_int_equal(qmp.commands, 4);
    must_close(&qmp, link);
}

/* Other cores see their memory through an MMU, and some have the other byte order. */
static void test_other_machines(void **state)
{
    (void)state;
    static const struct {
        const char *arch, *type, *dump, *target, *gdb_arch;
        bool big_endian;
    } machines[] = {
        {"arm", "cortex-a9-arm-cpu", "x", "cortex-a9", "arm", false},
        {"aarch64", "cortex-m4-arm-cpu", "xp", "cortex-m4", "arm", false},
        {"aarch64", "cortex-a53-arm-cpu", "x", "cortex-a53", "", false},
        {"riscv32", "rv32-riscv-cpu", "x", "rv32", "riscv", false},
        {"xtensaeb", "fsf-xtensa-cpu", "x", "fsf", "xtensa", true},
    };

    for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
        struct fake_qmp qmp;
        fake_qmp_init(&qmp);
        qmp.arch = machines[i].arch;
        qmp.type = machines[i].type;
        qmp.dump = machines[i].dump;
        qmp.big_endian = machines[i].big_endian;
        struct gdbmi_link *link = must_open(&qmp);
        assert_string_equal(gdbmi_link_info(link)->target, machines[i].target);
        assert_string_equal(gdbmi_link_info(link)->arch, machines[i].gdb_arch);
        check_read(link, RAM + 1, 50);
        must_close(&qmp, link);
    }
}

static void test_one_command_a_poll(void **state)
{
    (void)state;
    struct fake_qmp qmp;
    unsigned char bytes[4212];
    enum gdbmi_state seen = GDBMI_STATE_UNKNOWN;

    fake_qmp_init(&qmp);
    struct gdbmi_link *link = must_open(&qmp);
    qmp.commands = 0;
    assert_int_equal(gdbmi_link_poll(link, RAM, bytes, sizeof(bytes), &seen), GDBMI_OK);
    assert_int_equal(seen, GDBMI_STATE_RUNNING);
    fake_qmp_event(&qmp, "STOP");
    assert_int_equal(gdbmi_link_poll(link, RAM, bytes, sizeof(bytes), &seen), GDBMI_OK);
    assert_int_equal(seen, GDBMI_STATE_HALTED);
    fake_qmp_event(&qmp, "RESUME");
    assert_int_equal(gdbmi_link_poll(link, RAM, bytes, sizeof(bytes), &seen), GDBMI_OK);
    assert_int_equal(seen, GDBMI_STATE_RUNNING);
    assert_int_equal(qmp.commands, 3);
    assert_int_equal(gdbmi_link_stats(link).halts, 0);
    must_close(&qmp, link);
}

/* As QEMU prints it, and as its pretty form does: objects have no separator but their end. */
static void test_every_split_with_events(void **state)
{
    (void)state;
    for (size_t split = 1; split < 80; split++) {
        struct fake_qmp qmp;
        fake_qmp_init(&qmp);
        qmp.stream.split = split;
        qmp.before =
            "\r\n{\n    \"event\": \"RTC_\\\\\\\"}{CHANGE\",\n    \"data\": {\"a\": []}\n}";
        struct gdbmi_link *link = must_open(&qmp);
        check_read(link, RAM + 2, 21);
        check_read(link, RAM + 40, 80);
        must_close(&qmp, link);
    }
}

/* QEMU gives us what it owed to a client that was killed, before and behind its greeting. */
static void test_answers_to_another_client(void **state)
{
    (void)state;
    static const char leftover[] = "{\"return\": \"0000000020000000: 0x00000000\", \"id\": 5}\r\n"
                                   "{\"error\": {\"desc\": \"late\"}, \"id\": 6}\r\n";
    struct fake_qmp qmp;

    fake_qmp_init(&qmp);
    fake_stream_put(&qmp.stream, leftover, strlen(leftover));
    qmp.before = leftover;
    struct gdbmi_link *link = must_open(&qmp);
    check_read(link, RAM, 40);
    must_close(&qmp, link);

    fake_qmp_init(&qmp);
    link = must_open(&qmp);
    qmp.odd_reply = leftover;
    unsigned char byte;
    assert_int_equal(gdbmi_link_read(link, RAM, &byte, 1), GDBMI_ETIMEOUT);
    must_close(&qmp, link);
}

static void test_memory_that_is_not_there(void **state)
{
    (void)state;
    struct fake_qmp qmp;
    unsigned char bytes[64];

    fake_qmp_init(&qmp);
    struct gdbmi_link *link = must_open(&qmp);
    memset(bytes, 0xee, sizeof(bytes));
    assert_int_equal(gdbmi_link_read(link, BAD, bytes, 4), GDBMI_ETARGET);
    check_text(gdbmi_link_error(link)->text, "cannot read 4 bytes at 0xf0000000");
    assert_int_equal(gdbmi_link_read(link, BAD - 32, bytes, 64), GDBMI_ETARGET);
    for (size_t i = 0; i < sizeof(bytes); i++)
        assert_int_equal(bytes[i], 0xee);
    assert_int_equal(gdbmi_link_write(link, RAM, bytes, 4), GDBMI_EUNSUPPORTED);
    check_text(gdbmi_link_error(link)->text, "gdb port");
    check_read(link, RAM, 8);
    must_close(&qmp, link);
}

/* One character of a dump is another one: that is seen, unless it is a digit of a value. */
static void test_damaged_dumps(void **state)
{
    (void)state;
    static const char whole[] = "21000000: 0x6672706d 0x01040001 0x00000060 0x00001070\r\n"
                                "21000010: 0x000002fb 0x00000000\r\n";
    static const char others[] = "0123456789abcdefABx: \r\nCz";
    unsigned char bytes[24];
    char text[sizeof(whole) + 8];

    assert_int_equal(qmp_dump_take(whole, 0x21000000, 6, false, bytes), QMP_DUMP_OK);
    assert_memory_equal(bytes, "mprf\x01\0\x04\x01", 8);
    for (size_t i = 0; i < sizeof(whole) - 1; i++) {
        for (const char *other = others; *other != '\0'; other++) {
            size_t column = i % 55;
            bool value = column >= 12 && (column - 10) % 11 >= 2 && (column - 10) % 11 < 10;
            bool digit = strchr("0123456789abcdef", *other) != NULL;
            memcpy(text, whole, sizeof(whole));
            text[i] = *other;
            bool same = *other == whole[i];
            enum qmp_dump expected = same || (value && digit) ? QMP_DUMP_OK : QMP_DUMP_DAMAGED;
            if (qmp_dump_take(text, 0x21000000, 6, false, bytes) != expected)
                fail_msg("'%c' at %zu", *other, i);
        }
    }
    for (size_t len = 0; len < sizeof(whole) - 1; len++) {
        memcpy(text, whole, sizeof(whole));
        text[len] = '\0'; /* cut */
        assert_int_equal(qmp_dump_take(text, 0x21000000, 6, false, bytes), QMP_DUMP_DAMAGED);
        memcpy(text, whole, sizeof(whole)); /* without one character */
        memmove(text + len, text + len + 1, sizeof(whole) - len - 1);
        assert_int_equal(qmp_dump_take(text, 0x21000000, 6, false, bytes), QMP_DUMP_DAMAGED);
    }
    assert_int_equal(qmp_dump_take(whole, 0x21000000, 4, false, bytes), QMP_DUMP_DAMAGED);
    assert_int_equal(qmp_dump_take(whole, 0x21000000, 5, false, bytes), QMP_DUMP_DAMAGED);
    assert_int_equal(qmp_dump_take(whole, 0x21000000, 7, false, bytes), QMP_DUMP_DAMAGED);
    assert_int_equal(qmp_dump_take(whole, 0x21000004, 6, false, bytes), QMP_DUMP_DAMAGED);
}

static void check_odd_reply(const char *reply, const char *dump, enum gdbmi_code code,
                            const char *text)
{
    struct fake_qmp qmp;
    unsigned char byte = 0xee;

    fake_qmp_init(&qmp);
    struct gdbmi_link *link = must_open(&qmp);
    qmp.odd_reply = reply;
    qmp.odd_dump = dump;
    assert_int_equal(gdbmi_link_read(link, RAM, &byte, 1), code);
    check_text(gdbmi_link_error(link)->text, text);
    assert_int_equal(byte, 0xee);
    qmp.odd_reply = qmp.odd_dump = NULL;
    if (code == GDBMI_ETARGET)
        check_read(link, RAM, 8);
    else /* it sticks */
        assert_int_equal(gdbmi_link_read(link, RAM, &byte, 1), code);
    assert_int_equal(gdbmi_link_close(link, NULL), GDBMI_OK);
    fake_qmp_free(&qmp);
}

static void test_odd_answers(void **state)
{
    (void)state;
    check_odd_reply("{\"return\": \"\", \"id\": @}", NULL, GDBMI_EPROTOCOL, "not the answer");
    check_odd_reply("{\"return\": \"\"}", NULL, GDBMI_EPROTOCOL, "not the answer");
    check_odd_reply("{\"id\": #}", NULL, GDBMI_EPROTOCOL, "not the answer");
    check_odd_reply("{\"return\": \"\", \"error\": {}, \"id\": #}", NULL, GDBMI_EPROTOCOL,
                    "not the answer");
    check_odd_reply("{\"return\": 5, \"id\": #}", NULL, GDBMI_EPROTOCOL, "is not that");
    check_odd_reply("{\"return\"; \"\", \"id\": #}", NULL, GDBMI_EPROTOCOL, "not QMP");
    check_odd_reply("{\"return\": \"\xff\", \"id\": #}", NULL, GDBMI_EPROTOCOL, "not QMP");
    check_odd_reply("#", NULL, GDBMI_EPROTOCOL, "not QMP");
    check_odd_reply("{\"return\": {\"id\": #}", NULL, GDBMI_ETIMEOUT, "did not answer within 2 s");
    check_odd_reply("{\"error\": {\"desc\": \"Bad \\u001b[31m luck\"}, \"id\": #}", NULL,
                    GDBMI_ETARGET, "QEMU says: Bad");
    check_odd_reply("{\"error\": {}, \"id\": #}", NULL, GDBMI_ETARGET, "no reason");
    check_odd_reply(NULL, "unknown command: 'xp'\r\n", GDBMI_EPROTOCOL, "unknown command: 'xp'");
    check_odd_reply(NULL, "", GDBMI_EPROTOCOL, "is not that");
}

static void check_refused(struct fake_qmp *qmp, const char *target, enum gdbmi_code code,
                          const char *text)
{
    struct gdbmi_link *link;
    struct gdbmi_error error;

    assert_int_equal(try_open(qmp, target, &link, &error), code);
    assert_null(link);
    check_text(error.text, "fake");
    check_text(error.text, text);
    assert_true(qmp->stream.closed_by_client);
    fake_qmp_free(qmp);
}

static void check_greeting(const char *greeting, enum gdbmi_code code, const char *text)
{
    struct fake_qmp qmp;

    fake_qmp_init(&qmp);
    qmp.greeting = greeting;
    check_refused(&qmp, NULL, code, text);
}

static void test_no_qmp_server(void **state)
{
    (void)state;
    struct fake_qmp qmp;

    check_greeting("", GDBMI_ETIMEOUT, "is another client connected");
    check_greeting("{\"QMP\": {\"version\"", GDBMI_ETIMEOUT, "no greeting within 2 s");
    check_greeting("QEMU 7.2.22 monitor - type 'help'\r\n", GDBMI_EPROTOCOL, "QEMU 7.2.22 monitor");
    check_greeting("\x1b[31mHTTP/1.1\r\n", GDBMI_EPROTOCOL, "is not QMP");
    check_greeting("{\"hello\": 1}\r\n", GDBMI_EPROTOCOL, "no greeting with a version");
    check_greeting("{\"QMP\": 1}]", GDBMI_EPROTOCOL, "no greeting with a version");
    fake_qmp_init(&qmp);
    qmp.greeting = "";
    qmp.stream.closed = true;
    check_refused(&qmp, NULL, GDBMI_ECLOSED, "closed the connection");
}

/* An allocator for jansson that sees each value that is released once too often, whatever the
 * build: released blocks stay, with one reference more, so that the next release frees them again.
 */
struct block {
    struct block *next;
    bool freed;
    union {
        json_t json;
        max_align_t align;
    } value;
};

static struct block *blocks;
static unsigned freed_twice;

static void *watched_malloc(size_t size)
{
    struct block *block = calloc(1, sizeof(*block) + size);

    assert_non_null(block);
    block->next = blocks;
    blocks = block;
    return &block->value;
}

static void watched_free(void *value)
{
    struct block *block = NULL;

    if (value != NULL)
        block = (struct block *)((char *)value - offsetof(struct block, value));
    if (block == NULL)
        return;
    freed_twice += block->freed;
    block->freed = true;
    block->value.json = (json_t){.type = JSON_INTEGER, .refcount = 1};
}

static void check_blocks(void)
{
    while (blocks != NULL) {
        struct block *block = blocks;
        assert_true(block->freed);
        blocks = block->next;
        free(block);
    }
    assert_int_equal(freed_twice, 0);
}

static void check_end_before_greeting(const char *before, bool closed)
{
    struct fake_qmp qmp;

    fake_qmp_init(&qmp);
    fake_stream_put(&qmp.stream, before, strlen(before));
    qmp.greeting = "";
    qmp.stream.closed = closed;
    json_set_alloc_funcs(watched_malloc, watched_free);
    check_refused(&qmp, NULL, closed ? GDBMI_ECLOSED : GDBMI_ETIMEOUT, "");
    json_set_alloc_funcs(malloc, free);
    check_blocks();
}

/* What comes before the greeting is released once, if no greeting follows. */
static void test_end_before_greeting(void **state)
{
    (void)state;
    for (int closed = 0; closed < 2; closed++) {
        check_end_before_greeting("{\"event\": \"RESUME\"}\r\n", closed);
        check_end_before_greeting("{\"return\": {}, \"id\": 5}\r\n", closed);
        check_end_before_greeting("{\"event\": \"STOP\"}{\"error\": {}, \"id\": 6}", closed);
    }
}

/* QEMU pauses a machine for a client of its gdb port: it is let go again. */
static void test_gdb_port(void **state)
{
    (void)state;
    struct fake_qmp qmp;
    struct gdbmi_link *link;
    struct gdbmi_error error;

    fake_qmp_init(&qmp);
    qmp.greeting = "$T02thread:01;#04";
    assert_int_equal(try_open(&qmp, NULL, &link, &error), GDBMI_EPROTOCOL);
    check_text(error.text, "gdb port");
    assert_int_equal(error.hint, GDBMI_HINT_GDB);
    assert_string_equal(qmp.heard, "+$c#63");
    fake_qmp_free(&qmp);
}

static void test_unknown_machines(void **state)
{
    (void)state;
    struct fake_qmp qmp;

    fake_qmp_init(&qmp);
    qmp.arch = "vax";
    check_refused(&qmp, NULL, GDBMI_EUNSUPPORTED, "'vax'");
    fake_qmp_init(&qmp);
    check_refused(&qmp, "1", GDBMI_ECONNECT, "has no CPU 1, it has 1");
    fake_qmp_init(&qmp);
    check_refused(&qmp, "a.cpu", GDBMI_EARG, "'a.cpu' is not the number");
    fake_qmp_init(&qmp);
    qmp.refuse = "query-cpus-fast";
    check_refused(&qmp, NULL, GDBMI_ETARGET, "No \"luck\"");
    fake_qmp_init(&qmp);
    qmp.silent_at = "query-status";
    check_refused(&qmp, NULL, GDBMI_ETIMEOUT, "did not answer");
}

static void test_second_cpu(void **state)
{
    (void)state;
    struct fake_qmp qmp;
    struct gdbmi_link *link;
    struct gdbmi_error error;

    fake_qmp_init(&qmp);
    qmp.cpus = 2;
    qmp.cpu = 1;
    assert_int_equal(try_open(&qmp, "1", &link, &error), GDBMI_OK);
    check_read(link, RAM, 8);
    must_close(&qmp, link);
}

static void test_halt_and_release(void **state)
{
    (void)state;
    struct fake_qmp qmp;
    uint64_t pc = 0;
    char *answer = NULL;

    fake_qmp_init(&qmp);
    struct gdbmi_link *link = must_open(&qmp);
    assert_int_equal(gdbmi_link_pc(link, &pc), GDBMI_EUNSUPPORTED);
    assert_int_equal(gdbmi_link_halt(link), GDBMI_OK);
    assert_false(qmp.running);
    check_state(link, GDBMI_STATE_HALTED);
    assert_int_equal(gdbmi_link_stats(link).halts, 1);
    assert_int_equal(gdbmi_link_pc(link, &pc), GDBMI_OK);
    assert_int_equal(pc, 0x080002a0);
    assert_int_equal(gdbmi_link_command(link, "bogus", &answer), GDBMI_OK);
    assert_string_equal(answer, "unknown command\r\n");
    free(answer);
    assert_int_equal(gdbmi_link_release(link), GDBMI_OK);
    assert_true(qmp.running);
    assert_int_equal(gdbmi_link_halt(link), GDBMI_OK);
    must_close(&qmp, link);
    assert_true(qmp.running);
}

static void test_paused_stays_paused(void **state)
{
    (void)state;
    struct fake_qmp qmp;

    fake_qmp_init(&qmp);
    qmp.running = false;
    struct gdbmi_link *link = must_open(&qmp);
    check_state(link, GDBMI_STATE_HALTED);
    check_read(link, RAM, 100);
    assert_int_equal(gdbmi_link_halt(link), GDBMI_OK);
    assert_int_equal(gdbmi_link_stats(link).halts, 0);
    must_close(&qmp, link);
    assert_false(qmp.running);
}

/* Between our question and our stop the machine comes to a breakpoint: that is not ours to undo. */
static void test_breakpoint_before_our_stop(void **state)
{
    (void)state;
    struct fake_qmp qmp;

    fake_qmp_init(&qmp);
    struct gdbmi_link *link = must_open(&qmp);
    qmp.breaks_after = 1;
    assert_int_equal(gdbmi_link_halt(link), GDBMI_OK);
    assert_int_equal(gdbmi_link_stats(link).halts, 0);
    check_state(link, GDBMI_STATE_HALTED);
    must_close(&qmp, link);
    assert_int_equal(qmp.conts, 0);
}

static void test_stop_that_is_refused(void **state)
{
    (void)state;
    struct fake_qmp qmp;

    fake_qmp_init(&qmp);
    struct gdbmi_link *link = must_open(&qmp);
    qmp.refuse = "stop";
    assert_int_equal(gdbmi_link_halt(link), GDBMI_ETARGET);
    assert_int_equal(gdbmi_link_stats(link).halts, 0);
    check_read(link, RAM, 8);
    must_close(&qmp, link);
    assert_int_equal(qmp.conts, 0);
}

/* After our halt somebody lets it run, and halts it again. */
static void test_stopped_by_another(void **state)
{
    (void)state;
    struct fake_qmp qmp;

    fake_qmp_init(&qmp);
    struct gdbmi_link *link = must_open(&qmp);
    assert_int_equal(gdbmi_link_halt(link), GDBMI_OK);
    fake_qmp_event(&qmp, "RESUME");
    fake_qmp_event(&qmp, "STOP");
    check_state(link, GDBMI_STATE_HALTED);
    must_close(&qmp, link);
    assert_int_equal(qmp.conts, 0);
}

static void check_lost(const char *silent_at, const char *close_at, enum gdbmi_code code,
                       const char *text, unsigned conts)
{
    struct fake_qmp qmp;
    struct gdbmi_error error = {.code = GDBMI_OK};
    unsigned char byte;

    fake_qmp_init(&qmp);
    struct gdbmi_link *link = must_open(&qmp);
    assert_int_equal(gdbmi_link_halt(link), GDBMI_OK);
    qmp.silent_at = silent_at;
    qmp.close_at = close_at;
    assert_int_equal(gdbmi_link_read(link, RAM, &byte, 1), code);
    check_text(gdbmi_link_error(link)->text, text);
    (void)gdbmi_link_close(link, &error);
    assert_int_equal(qmp.conts, conts);
    fake_qmp_free(&qmp);
}

static void test_lost_while_held(void **state)
{
    (void)state;
    check_lost("human-monitor-command", NULL, GDBMI_ETIMEOUT, "TARGET MAY BE LEFT HALTED", 1);
    check_lost(NULL, "human-monitor-command", GDBMI_ECLOSED, "TARGET IS LEFT HALTED", 0);
}

static void test_end_of_the_machine(void **state)
{
    (void)state;
    struct fake_qmp qmp;
    unsigned char byte;

    fake_qmp_init(&qmp);
    struct gdbmi_link *link = must_open(&qmp);
    fake_qmp_event(&qmp, "SHUTDOWN");
    qmp.close_at = "human-monitor-command";
    assert_int_equal(gdbmi_link_read(link, RAM, &byte, 1), GDBMI_ECLOSED);
    check_text(gdbmi_link_error(link)->text, "QEMU has ended (guest-shutdown)");
    must_close(&qmp, link);
}

static void test_flood_of_events(void **state)
{
    (void)state;
    struct fake_qmp qmp;
    struct gdbmi_link *link;
    struct gdbmi_error error;
    struct gdbmi_options options = {.timeout_ms = 50};
    unsigned char byte;

    fake_qmp_init(&qmp);
    fake_stream_put(&qmp.stream, qmp.greeting, strlen(qmp.greeting));
    error.code = GDBMI_OK;
    assert_int_equal(qmp_link_attach(&qmp.stream.base, "fake:4444", &options, &link, &error),
                     GDBMI_OK);
    qmp.silent_at = "human-monitor-command";
    qmp.stream.flood = "{\"event\": \"VNC\"}\r\n";
    assert_int_equal(gdbmi_link_read(link, RAM, &byte, 1), GDBMI_ETIMEOUT);
    qmp.stream.flood = "{\"a\": \"";
    assert_int_equal(gdbmi_link_close(link, NULL), GDBMI_OK);
    fake_qmp_free(&qmp);
}

/* An answer without an end is not collected for ever. */
static void test_endless_answer(void **state)
{
    (void)state;
    struct fake_qmp qmp;
    unsigned char byte;

    fake_qmp_init(&qmp);
    struct gdbmi_link *link = must_open(&qmp);
    qmp.odd_reply = "{\"id\": #, \"return\": \"";
    qmp.stream.flood = "000000000000000000000000000000000000";
    assert_int_equal(gdbmi_link_read(link, RAM, &byte, 1), GDBMI_EPROTOCOL);
    check_text(gdbmi_link_error(link)->text, "too long an answer");
    assert_int_equal(gdbmi_link_close(link, NULL), GDBMI_OK);
    fake_qmp_free(&qmp);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_it_is),
        cmocka_unit_test(test_reads_of_all_shapes),
        cmocka_unit_test(test_other_machines),
        cmocka_unit_test(test_one_command_a_poll),
        cmocka_unit_test(test_every_split_with_events),
        cmocka_unit_test(test_answers_to_another_client),
        cmocka_unit_test(test_memory_that_is_not_there),
        cmocka_unit_test(test_damaged_dumps),
        cmocka_unit_test(test_odd_answers),
        cmocka_unit_test(test_no_qmp_server),
        cmocka_unit_test(test_end_before_greeting),
        cmocka_unit_test(test_gdb_port),
        cmocka_unit_test(test_unknown_machines),
        cmocka_unit_test(test_second_cpu),
        cmocka_unit_test(test_halt_and_release),
        cmocka_unit_test(test_paused_stays_paused),
        cmocka_unit_test(test_breakpoint_before_our_stop),
        cmocka_unit_test(test_stop_that_is_refused),
        cmocka_unit_test(test_stopped_by_another),
        cmocka_unit_test(test_lost_while_held),
        cmocka_unit_test(test_end_of_the_machine),
        cmocka_unit_test(test_flood_of_events),
        cmocka_unit_test(test_endless_answer),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
