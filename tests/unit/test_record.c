/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of records: their lines, servers made of them, and what is left out of them. */
#include <sys/stat.h>
#include <unistd.h>

#include "unit.h"

#include <gdbmi/record.h>

#include "clock.h"
#include "fake_memory.h"
#include "link_checks.h"
#include "player.h"
#include "port_server.h"
#include "record_line.h"
#include "record_mask.h"
#include "scratch_file.h"

#define HEAD    "mprof-link-record 1\nprogram test\nlink gdb localhost:3333\n"
#define TARGETS "a.cpu cortex_m little 3333\n"

/* The caller frees it. */
static char *read_file(size_t *len)
{
    struct stat info;
    FILE *file = fopen(scratch_path, "r");

    assert_non_null(file);
    assert_int_equal(fstat(fileno(file), &info), 0);
    *len = (size_t)info.st_size;
    char *bytes = malloc(*len + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *len, file), *len);
    bytes[*len] = '\0';
    fclose(file);
    return bytes;
}

static void test_escape(void **state)
{
    struct buffer text = {.data = NULL};
    char bytes[256];
    size_t len;

    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = (char)i;
    record_escape(&text, bytes, sizeof(bytes));
    for (size_t i = 0; i < text.len; i++)
        assert_in_range(text.data[i], ' ', '~');
    len = text.len;
    assert_true(record_unescape(text.data, &len));
    assert_int_equal(len, sizeof(bytes));
    assert_memory_equal(text.data, bytes, len);
    text.len = 0;
    record_escape(&text, "a  ", 3);
    assert_string_equal(text.data, "a \\x20");
    buffer_free(&text);
    const char *const damaged[] = {"\\", "\\x", "\\x1", "\\xg0", "\\x0g", "\\n00", "a\\y41"};
    for (size_t i = 0; i < COUNT(damaged); i++) {
        char copy[8];
        snprintf(copy, sizeof(copy), "%s", damaged[i]);
        len = strlen(copy);
        assert_false(record_unescape(copy, &len));
    }
}

static enum gdbmi_code parse(struct record_script *script, const char *text,
                             struct gdbmi_error *error)
{
    char *copy = strdup(text);

    assert_non_null(copy);
    *error = (struct gdbmi_error){.code = GDBMI_OK};
    return record_parse(script, copy, strlen(copy), "file", error);
}

static void test_damaged_lines(void **state)
{
    static const struct {
        const char *text, *said;
    } wrong[] = {
        {"", "not a record"},
        {"mprof-link-record 1", "not a record"},
        {"mprof-link-record x\n", "not a record"},
        {"mprof-link-record 2\n", "version 2"},
        {HEAD, "cut short"},
        {HEAD "0.000001 1 op", "cut short"},
        {HEAD "what\n", "line 4 is damaged"},
        {HEAD "link gdb \n", "line 4 is damaged"},
        {HEAD "link timeout 1x\n", "line 4 is damaged"},
        {HEAD "link serve :1\n", "line 4 is damaged"},
        {HEAD "0.00001 1 open gdb\n", "line 4 is damaged"},
        {HEAD "0.000001 1 opens gdb\n", "line 4 is damaged"},
        {HEAD "0.000001 2 open gdb\n", "line 4 is damaged"},
        {HEAD "0.000001 0 open gdb\n", "line 4 is damaged"},
        {HEAD "0.000001 1 > a\n", "line 4 is damaged"},
        {HEAD "0.000001 1 open gdb\n0.000002 1 >\n", "line 5 is damaged"},
        {HEAD "0.000001 1 open gdb\n0.000002 1 > \\q\n", "line 5 is damaged"},
        {HEAD "0.000001 1 failed gdb refused x\n0.000002 1 > a\n", "line 5 is damaged"},
        {HEAD "0.000001 1 open gdb\n0.000002 1 closed\n0.000002 1 < a\n", "line 6 is damaged"},
        {HEAD "0.000001 0 clock 1 a\n", "line 4 is damaged"},
    };
    struct record_script script;
    struct gdbmi_error error;

    for (size_t i = 0; i < COUNT(wrong); i++) {
        assert_int_equal(parse(&script, wrong[i].text, &error), GDBMI_EPLAY);
        check_text(error.text, wrong[i].said);
    }
    assert_int_equal(parse(&script, HEAD "0.000001 1 open gdb\n0.0000", &error), GDBMI_OK);
    assert_string_equal(script.options.gdb, "localhost:3333");
    record_free(&script);
}

/* A player of these lines, and its first connection. */
static struct gdbmi_stream *play(struct player *player, const char *text)
{
    struct record_script script;
    struct gdbmi_stream *stream = NULL;
    struct gdbmi_error error;

    assert_int_equal(parse(&script, text, &error), GDBMI_OK);
    player_begin(player, "file", &script);
    assert_int_equal(player_connect(player, "gdb", "server", &stream, &error), GDBMI_OK);
    return stream;
}

static void done(struct player *player, struct gdbmi_stream *stream)
{
    gdbmi_stream_close(stream);
    player_free(player);
}

static void check_sent(struct gdbmi_stream *stream, const char *text)
{
    struct gdbmi_error error = {.code = GDBMI_OK};

    assert_int_equal(stream->ops->write(stream, text, strlen(text), 1000, &error), 0);
}

static void check_misfit(struct gdbmi_stream *stream, const char *text, const char *said)
{
    struct gdbmi_error error = {.code = GDBMI_OK};

    assert_int_equal(stream->ops->write(stream, text, strlen(text), 1000, &error), -1);
    assert_int_equal(error.code, GDBMI_EPLAY);
    check_text(error.text, said);
}

/* What one read gives: a text, or "" for silence. */
static void check_heard(struct gdbmi_stream *stream, const char *text)
{
    struct gdbmi_error error = {.code = GDBMI_OK};
    char bytes[64] = "";

    int len = stream->ops->read(stream, bytes, sizeof(bytes) - 1, 1000, &error);
    assert_int_equal(error.code, GDBMI_OK);
    assert_int_equal(len, strlen(text));
    assert_string_equal(bytes, text);
}

static void check_lost(struct gdbmi_stream *stream, enum gdbmi_code code, const char *said)
{
    struct gdbmi_error error = {.code = GDBMI_OK};
    char byte;

    assert_int_equal(stream->ops->read(stream, &byte, 1, 1000, &error), -1);
    assert_int_equal(error.code, code);
    check_text(error.text, said);
}

#define TALK                        \
    HEAD "0.000010 1 open gdb\n"    \
         "0.000020 1 > +$m0#1\n"    \
         "0.000030 1 < +\n"         \
         "0.000040 1 < $00#2\n"     \
         "0.000050 1 > +$m4#3\n"    \
         "0.600000 1 silent\n"      \
         "0.700000 1 < $44#4\n"     \
         "0.800000 1 > $late#5\n"   \
         "0.900000 1 < $x\\x00y#\n" \
         "1.000000 1 lost closed the server closed the connection\n"

/* Answers come when all was sent that was sent before, in whatever pieces. */
static void test_order(void **state)
{
    struct player player;
    struct gdbmi_error error = {.code = GDBMI_OK};
    char bytes[8];

    struct gdbmi_stream *stream = play(&player, TALK);
    check_heard(stream, "");
    check_sent(stream, "+$m");
    check_heard(stream, "");
    check_sent(stream, "0#1+$");
    check_heard(stream, "+");
    check_heard(stream, "$00#2");
    check_heard(stream, "");
    check_sent(stream, "m4#3");
    check_heard(stream, ""); /* the silence that was recorded */
    check_heard(stream, "$44#4");
    check_sent(stream, "$late#5");
    assert_int_equal(stream->ops->read(stream, bytes, 3, 1000, &error), 3);
    assert_memory_equal(bytes, "$x\0", 3);
    assert_int_equal(stream->ops->read(stream, bytes, sizeof(bytes), 1000, &error), 2);
    assert_memory_equal(bytes, "y#", 2);
    check_lost(stream, GDBMI_ECLOSED, "server: the server closed the connection");
    check_lost(stream, GDBMI_ECLOSED, "server: the server closed the connection");
    done(&player, stream);
}

/* A request that comes only later in the record lets all before it be passed over. */
static void test_later_request(void **state)
{
    struct gdbmi_error error = {.code = GDBMI_OK};
    struct player player;
    char bytes[8];

    struct gdbmi_stream *stream = play(&player, TALK);
    check_sent(stream, "$late#5");
    assert_int_equal(stream->ops->read(stream, bytes, sizeof(bytes), 1000, &error), 5);
    assert_memory_equal(bytes, "$x\0y#", 5);
    done(&player, stream);
}

static void test_misfit(void **state)
{
    struct player player;

    struct gdbmi_stream *stream = play(&player, TALK);
    check_sent(stream, "+$m0#1");
    check_misfit(stream, "+$m8#7", "line 8 (0.000 s) has the request '+$m4#3', but '+$m8#7' was");
    check_sent(stream, "$c#63"); /* whatever a client says then */
    check_lost(stream, GDBMI_EPLAY, "does not fit");
    done(&player, stream);
    /* What is too short to be a request is not looked for. */
    stream = play(&player, HEAD "0.000001 1 open gdb\n0.000002 1 > abcd\n0.000003 1 > +\n");
    check_misfit(stream, "+", "has the request 'abcd', but '+' was sent");
    done(&player, stream);
}

static void test_end(void **state)
{
    struct player player;
    struct gdbmi_stream *more = NULL;
    struct gdbmi_error error = {.code = GDBMI_OK};

    struct gdbmi_stream *stream = play(&player, HEAD "0.000001 1 open gdb\n1.234567 1 < a\n");
    check_heard(stream, "a");
    check_lost(stream, GDBMI_EPLAY, "file: the record is cut short at 1.234 s, and an answer");
    done(&player, stream);
    stream = play(&player, HEAD "0.000001 1 open gdb\n1.234567 0 end\n");
    check_misfit(stream, "abc", "file: the record ends at 1.234 s, and more was sent");
    done(&player, stream);
    stream = play(&player, HEAD "0.000001 1 open gdb\n1.234567 0 end\n");
    assert_int_equal(player_connect(&player, "gdb", "server", &more, &error), GDBMI_EPLAY);
    check_text(error.text, "one more connection");
    assert_null(more);
    done(&player, stream);
}

/* Each connection has its own order, and failures are played. */
static void test_connections(void **state)
{
    struct player player;
    struct gdbmi_stream *back = NULL;
    struct gdbmi_stream *none = NULL;
    struct gdbmi_error error = {.code = GDBMI_OK};

    struct gdbmi_stream *stream =
        play(&player, HEAD "0.000001 1 open gdb\n0.000001 2 open back\n0.000002 2 < b\n"
                           "0.000003 1 < a\n0.000004 3 failed localhost:1 refused connection "
                           "ref\\x0aused\n0.000005 1 > a\n0.000006 1 unsent timeout no more\n");
    assert_int_equal(player_connect(&player, "back", "server", &back, &error), GDBMI_OK);
    check_heard(stream, "a");
    check_heard(back, "b");
    assert_int_equal(player_connect(&player, "localhost:1", "host:1", &none, &error),
                     GDBMI_ECONNECT);
    assert_int_equal(error.hint, GDBMI_HINT_REFUSED);
    assert_string_equal(error.text, "host:1: connection ref?used");
    assert_null(none);
    error = (struct gdbmi_error){.code = GDBMI_OK};
    assert_int_equal(stream->ops->write(stream, "a", 1, 1000, &error), -1);
    assert_int_equal(error.code, GDBMI_ETIMEOUT);
    assert_string_equal(error.text, "server: no more");
    gdbmi_stream_close(back);
    done(&player, stream);
}

static void check_time(struct player *player, uint64_t us)
{
    assert_int_equal((player_now_ns(player) - player->since_ns) / 1000, us);
}

/* The clock says what was recorded, between two events; then it goes on. */
static void test_clock(void **state)
{
    struct player player;
    uint32_t chosen = 0;

    struct gdbmi_stream *stream =
        play(&player, HEAD "0.000001 0 clock 0\n0.000010 1 open gdb\n0.000012 0 clock 0 5 0 3\n"
                           "5.000000 1 < a\n5.000001 0 clock 1 1\n6.000000 0 chosen abcd\n");
    check_time(&player, 12);
    check_time(&player, 17);
    check_time(&player, 17);
    check_time(&player, 20);
    uint64_t before = player_now_ns(&player);
    player_skip(&player, 2000000000U);
    assert_true(player_now_ns(&player) - before >= 2000000000U);
    check_heard(stream, "a");
    check_time(&player, 5000002);
    player_choose(&player, &chosen, sizeof(chosen));
    assert_memory_equal(&chosen, "abcd", sizeof(chosen));
    assert_true(player_now_ns(&player) - player.since_ns >= 6000000000U);
    done(&player, stream);
}

static void test_mask(void **state)
{
    static const struct {
        const char *said, *shown;
    } lines[] = {
        {"(gdb) \n", "(gdb) \n"},
        {"12^done,value=\"off\"\r\n", "12^done,value=\"off\"\r\n"},
        {"12^done,value=\"/h/a.elf\"\n", "12^done,value=\"xxxxxxxx\"\n"},
        {"*stopped,reason=\"signal-received\",frame={addr=\"0x1\",func=\"f\",file=\"a\\\"b.c\"}\n",
         "*stopped,reason=\"signal-received\",frame={addr=\"0x1\",func=\"x\",file=\"x\\\"xxx\"}\n"},
        {"3^done,memory=[{begin=\"0x0\",contents=\"0a\"}],threads=[{name=\"it\",state=\"running\"}]"
         "\n",
         "3^done,memory=[{begin=\"0x0\",contents=\"0a\"}],threads=[{name=\"xx\",state=\"running\"}]"
         "\n"},
        {"4^error,msg=\"Cannot access memory at address 0x1\"\n",
         "4^error,msg=\"Cannot access memory at address 0x1\"\n"},
        {"4^error,msg=\"No symbol \\\"fox\\\" in it\"\n",
         "4^error,msg=\"xxxxxxxxxx\\\"xxx\\\"xxxxxx\"\n"},
        {"~\"Reading /home/fw.elf\\n\"\n", "~\"xxxxxxxxxxxxxxxxxxxx\\n\"\n"},
        {"&\"[remote] Sending packet: $vFile:open:2f#00\\n\"\n",
         "&\"[remote] Sending packet: $vFilexxxxxxxxxxx\\n\"\n"},
        {"&\"Packet received: T05thread:p1\\n\"\n", "&\"Packet received: T05thxxxxxxx\\n\"\n"},
        {"&\"Packet instead of Ack, ignoring it\\n\"\n",
         "&\"Packet instead of Ack, ignoring it\\n\"\n"},
        {"&\"target remote foo:1\\n\"\n", "&\"xxxxxxxxxxxxxxxxxxx\\n\"\n"},
        {"what the program prints: f\n", "xxxxxxxxxxxxxxxxxxxxxxxxxx\n"},
        {"77 of the program\n", "xxxxxxxxxxxxxxxxx\n"},
    };

    for (size_t i = 0; i < COUNT(lines); i++) {
        struct record_mask mask = {.asked = false};
        struct buffer shown = {.data = NULL};
        for (const char *at = lines[i].said; *at != '\0'; at++)
            record_mask_received(&mask, at, 1, &shown);
        assert_string_equal(shown.data, lines[i].shown);
        buffer_free(&shown);
        record_mask_free(&mask);
    }
    /* What mprof has asked for. */
    struct record_mask mask = {.asked = false};
    struct buffer shown = {.data = NULL};
    static const char question[] = "5-interpreter-exec console \"show version\"\n";
    static const char answer[] = "~\"GNU gdb\"\n5^done\n~\"GNU gdb\"\n";
    record_mask_sent(&mask, question, strlen(question));
    record_mask_received(&mask, answer, strlen(answer), &shown);
    assert_string_equal(shown.data, "~\"GNU gdb\"\n5^done\n~\"xxxxxxx\"\n");
    buffer_free(&shown);
    record_mask_free(&mask);
}

/* A session with OpenOCD's Tcl port, or what is left of one. Returns what came of it. */
static enum gdbmi_code use(const struct gdbmi_options *options, unsigned char bytes[64],
                           struct gdbmi_error *error)
{
    struct gdbmi_link *link = NULL;
    enum gdbmi_state target = GDBMI_STATE_UNKNOWN;

    *error = (struct gdbmi_error){.code = GDBMI_OK};
    enum gdbmi_code code = gdbmi_link_open(options, &link, error);
    for (int i = 0; i < 3 && code == GDBMI_OK; i++) {
        code = gdbmi_link_poll(link, RAM + 64 * (unsigned)i, bytes, 64, &target);
        *error = *gdbmi_link_error(link);
    }
    if (link != NULL) {
        struct gdbmi_error ignored;
        (void)gdbmi_link_close(link, &ignored);
    }
    return code;
}

static void check_record_ended(void)
{
    struct gdbmi_error error = {.code = GDBMI_OK};

    assert_int_equal(gdbmi_record_end(&error), GDBMI_OK);
}

/* A session that is recorded, and played: whole, and cut short anywhere. */
static void test_session(void **state)
{
    struct gdbmi_options options = {.tcl = NULL, .record = scratch_path, .timeout_ms = 20000};
    struct gdbmi_options playing = {.play = scratch_path};
    struct gdbmi_error error;
    struct server server;
    unsigned char recorded[64];
    unsigned char played[64];
    size_t len;

    start_tcp(&server, answer_tcl, TARGETS);
    options.tcl = server.address;
    assert_int_equal(use(&options, recorded, &error), GDBMI_OK);
    check_record_ended();
    stop_server(&server);
    assert_int_equal(use(&playing, played, &error), GDBMI_OK);
    check_record_ended();
    assert_memory_equal(played, recorded, sizeof(played));
    char *bytes = read_file(&len);
    for (size_t cut = 0; cut < len; cut += 3) {
        scratch_write(bytes, cut);
        enum gdbmi_code code = use(&playing, played, &error);
        check_record_ended();
        if (code == GDBMI_OK) /* only the end is missing */
            continue;
        assert_int_equal(code, GDBMI_EPLAY);
        check_text(error.text, scratch_path);
        assert_null(strchr(error.text, '\n'));
    }
    free(bytes);
}

/* One process records or plays one file, and not anything. */
static void test_begin(void **state)
{
    struct gdbmi_error error = {.code = GDBMI_OK};
    struct gdbmi_options options = {.record = scratch_path};
    char other[80];

    snprintf(other, sizeof(other), "%s.other", scratch_path);
    assert_int_equal(gdbmi_record_begin(&(struct gdbmi_options){.gdb = ":1"}, NULL, &error),
                     GDBMI_OK);
    assert_int_equal(gdbmi_record_begin(&options, NULL, &error), GDBMI_OK);
    assert_int_equal(gdbmi_record_begin(&options, NULL, &error), GDBMI_OK);
    options.record = other;
    assert_int_equal(gdbmi_record_begin(&options, NULL, &error), GDBMI_EARG);
    check_text(error.text, "one file");
    check_record_ended();
    assert_int_not_equal(access(other, F_OK), 0);
    options = (struct gdbmi_options){.record = "/dev/full"};
    error = (struct gdbmi_error){.code = GDBMI_OK};
    assert_int_equal(gdbmi_record_begin(&options, NULL, &error), GDBMI_EPLAY);
    check_text(error.text, "No space left");
    check_record_ended();
    scratch_write("\177ELF and much more", 18);
    options = (struct gdbmi_options){.record = scratch_path};
    error = (struct gdbmi_error){.code = GDBMI_OK};
    assert_int_equal(gdbmi_record_begin(&options, NULL, &error), GDBMI_EPLAY);
    check_text(error.text, "File exists");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_escape),      cmocka_unit_test(test_damaged_lines),
        cmocka_unit_test(test_order),       cmocka_unit_test(test_later_request),
        cmocka_unit_test(test_misfit),      cmocka_unit_test(test_end),
        cmocka_unit_test(test_connections), cmocka_unit_test(test_clock),
        cmocka_unit_test(test_mask),        cmocka_unit_test(test_session),
        cmocka_unit_test(test_begin),
    };

    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
