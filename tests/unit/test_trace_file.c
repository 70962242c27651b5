/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trace files: what is written is read, also if the file is cut or damaged. */
#include "scratch_file.h"
#include "trace_checks.h"

#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <trace/reader.h>

#include "records.h"

#define EVENTS_MAX 400

static const struct trace_about about = {.build = "0123abcd",
                                         .elf = "fw.elf",
                                         .time_ns = 1700000000123456789,
                                         .addr_size = 4,
                                         .cores = 2};

static char text[TRACE_TEXT];

/* Events with what their points say. */
struct seen {
    struct trace_event events[EVENTS_MAX];
    struct trace_point points[EVENTS_MAX];
    size_t count;
    struct trace_state state;
};

static struct seen written, seen;
static char bytes[1 << 16];
static size_t byte_count;

static void load(void)
{
    FILE *f = fopen(scratch_path, "rb");

    assert_non_null(f);
    byte_count = fread(bytes, 1, sizeof(bytes), f);
    assert_true(byte_count < sizeof(bytes));
    fclose(f);
}

/* A new file: cutting one that is there may wait for the disk. */
static void replace(const void *contents, size_t len)
{
    unlink(scratch_path);
    scratch_write(contents, len);
}

static struct trace_writer *open_writer(const struct trace_about *of)
{
    struct trace_writer *w = trace_writer_open(scratch_path, of, text);

    if (!w)
        fail_msg("%s", text);
    return w;
}

static void keep(struct seen *to, const struct trace_points *points, const struct trace_event *e)
{
    assert_true(to->count < EVENTS_MAX);
    to->events[to->count] = *e;
    if (e->kind == TRACE_CALL)
        to->points[to->count] = *trace_point_at(points, e->point);
    to->count++;
}

static void put(struct trace_writer *w, struct trace_points *points, struct trace_event e)
{
    assert_true(trace_writer_put(w, points, &e));
    keep(&written, points, &e);
}

static struct trace_event mark(struct trace_points *points, uint32_t id, uint64_t value)
{
    const struct trace_point p = {.kind = TRACE_MARK, .callee = id, .exception = 15};
    struct trace_event e = {.kind = TRACE_CALL, .argument_count = 1, .arguments = {value}};
    bool added;

    assert_true(trace_add_point(points, &p, &e.point, &added));
    return e;
}

/* rate: of the clock that goes on. */
static struct trace_event sleep_of(struct trace_points *points, enum trace_sleep what,
                                   uint32_t rate)
{
    const struct trace_point p = {.kind = TRACE_MARK, .callee = rate, .sleep = what};
    struct trace_event e = {.kind = TRACE_CALL, .argument_count = 1, .arguments = {5}};
    bool added;

    assert_true(trace_add_point(points, &p, &e.point, &added));
    return e;
}

/* A recording of all kinds of events, in several chunks. */
static void record(unsigned seed)
{
    struct trace_points *points = trace_points_new();
    struct trace_writer *w = open_writer(&about);
    int64_t now = 0;

    assert_true(trace_name_exception(points, 15, "SysTick_Handler (SysTick)"));
    assert_true(trace_add_name(points, &(struct trace_name){TRACE_ENUM, 5, 2, "five"}));
    assert_true(trace_add_name(points, &(struct trace_name){TRACE_TASK, 0x20000002, 1, "blink"}));
    keep(&written, points, &(struct trace_event){.kind = TRACE_RUN});
    put(w, points,
        (struct trace_event){
            .kind = TRACE_CLOCK, .timed = true, .hz = 48000000, .cost = {2, 3, 1.5, 4, 5, 6.5}});
    for (unsigned i = 0; i < 40; i++) {
        char name[] = {(char)('a' + (i * seed) % 7), '\0'};
        int64_t ticks = (int64_t)i * 1000 * seed - (i % 3) * 1500;
        struct trace_event e =
            trace_call(points, name, i % 2, i % 5 == 0 ? 15 : 0, i % 3 == 0, ticks);
        e.argument_count = i % 4 == 1 ? i % (TRACE_ARGUMENTS + 1) : 0;
        for (unsigned word = 0; word < e.argument_count; word++)
            e.arguments[word] = UINT64_MAX / (word + 1) * (i + 1);
        e.has_task = i % 7 == 2;
        e.task = e.has_task ? 0x20000000 + i : 0;
        put(w, points, e);
        if (i % 10 == 9)
            assert_true(trace_writer_flush(w));
    }
    put(w, points, (struct trace_event){.kind = TRACE_OVERWRITTEN, .count = 12345678901});
    put(w, points, (struct trace_event){.kind = TRACE_UNFINISHED, .core = 1, .count = 1});
    put(w, points, (struct trace_event){.kind = TRACE_RESTART});
    put(w, points, trace_call(points, "z", 0, 0, false, -5));
    put(w, points, trace_call(points, "s", 0, 0, false, -4));
    put(w, points, trace_token(points, "-sm", &now));
    put(w, points, trace_token(points, ">sm", &now)); /* of the same point */
    put(w, points, trace_token(points, "*gm", &now));
    put(w, points, mark(points, 77, 0x1234));
    put(w, points, sleep_of(points, TRACE_ASLEEP, 77));
    put(w, points, sleep_of(points, TRACE_AWAKE, 77));
    put(w, points, mark(points, 78, 1));
    put(w, points, (struct trace_event){.kind = TRACE_FULL, .count = 2});
    put(w, points, (struct trace_event){.kind = TRACE_CLOCK, .cost = {0, 0, 0, 4, 5, 6.5}});
    assert_true(trace_writer_close(w, text));
    trace_points_free(points);
}

/* Returns false if the file is refused. Each recording but the last ends before the next one. */
static bool read_all(void)
{
    struct trace_reader *r = trace_reader_open(scratch_path, text);
    struct trace_event e = {.kind = TRACE_CALL};

    seen.count = 0;
    if (!r)
        return false;
    for (enum trace_kind last = TRACE_END; trace_reader_next(r, &e); last = e.kind) {
        bool after_end = last == TRACE_END || last == TRACE_DAMAGED;
        assert_true(e.kind == TRACE_DAMAGED || after_end == (e.kind == TRACE_RUN));
        if (e.kind != TRACE_END)
            keep(&seen, trace_reader_points(r), &e);
    }
    seen.state = trace_reader_state(r);
    assert_null(seen.state.failure);
    trace_reader_close(r);
    return true;
}

static bool is_same(size_t a, size_t b)
{
    const struct trace_event *x = &written.events[a], *y = &seen.events[b];
    const struct trace_point *p = &written.points[a], *q = &seen.points[b];

    if (x->kind != y->kind)
        return false;
    switch (x->kind) {
    case TRACE_CALL:
        return x->ticks == y->ticks && x->core == y->core && p->callee == q->callee &&
               x->has_task == y->has_task && x->task == y->task &&
               x->argument_count == y->argument_count &&
               memcmp(x->arguments, y->arguments, x->argument_count * sizeof(uint64_t)) == 0 &&
               p->caller == q->caller && p->kind == q->kind && p->exception == q->exception &&
               p->sleep == q->sleep && x->jump == y->jump;
    case TRACE_CLOCK:
        return x->core == y->core && x->timed == y->timed && x->hz == y->hz &&
               memcmp(&x->cost, &y->cost, sizeof(x->cost)) == 0;
    case TRACE_RUN:
        return true;
    default:
        return x->core == y->core && x->count == y->count;
    }
}

static int make(void **state)
{
    written.count = 0;
    unlink(scratch_path);
    return 0;
}

static void test_round_trip(void **state)
{
    record(3);
    assert_true(trace_file_is(scratch_path));
    struct trace_reader *r = trace_reader_open(scratch_path, text);
    struct trace_event e;
    assert_non_null(r);
    assert_true(trace_reader_next(r, &e));
    assert_string_equal(trace_reader_about(r)->build, about.build);
    assert_string_equal(trace_reader_about(r)->elf, about.elf);
    assert_true(trace_reader_about(r)->time_ns == about.time_ns);
    assert_int_equal(trace_reader_about(r)->cores, 2);
    assert_int_equal(trace_reader_about(r)->addr_size, 4);
    while (trace_reader_next(r, &e))
        ;
    const struct trace_points *p = trace_reader_points(r);
    assert_string_equal(trace_exception_name(p, 15), "SysTick_Handler (SysTick)");
    assert_null(trace_exception_name(p, 0));
    const struct trace_function *f = trace_function_at(p, trace_point_at(p, 0)->function);
    assert_string_equal(f->file, "src/a.c");
    assert_int_equal(f->line, 7);
    assert_string_equal(f->parameters, "(i4p8*");
    assert_int_equal(f->types[0], TRACE_PLAIN);
    assert_int_equal(f->types[1], TRACE_STRING);
    assert_string_equal(trace_find_name(p, TRACE_ENUM, 6)->text, "five");
    assert_null(trace_find_name(p, TRACE_ENUM, 7));
    assert_null(trace_find_name(p, TRACE_ENUM + 1, 6));
    assert_string_equal(trace_find_name(p, TRACE_TASK, 0x20000002)->text, "blink");
    assert_int_equal(strlen(f->name), 1);
    assert_string_equal(f->layout, "");
    assert_string_equal(f->result, "u1");
    assert_int_equal(f->result_type, TRACE_BOOL);
    assert_int_equal(f->outside, -3);
    for (uint32_t i = 1; f->name[0] != 's'; i++)
        f = trace_function_at(p, i);
    assert_string_equal(f->layout, "(i4=er{a:i4@0}p8*");
    assert_int_equal(f->member_types[0], TRACE_PLAIN);
    assert_int_equal(f->member_types[1], TRACE_ENUM);
    assert_int_equal(f->member_types[2], TRACE_STRING);
    assert_int_equal(f->types[1], TRACE_STRING);
    trace_reader_close(r);
    assert_true(read_all());
    assert_int_equal(seen.count, written.count);
    for (size_t i = 0; i < seen.count; i++)
        assert_true(is_same(i, i));
    assert_int_equal(seen.state.runs, 1);
    assert_int_equal(seen.state.unended + seen.state.cut + seen.state.damaged, 0);
}

static void test_appended(void **state)
{
    record(3);
    record(5);
    record(4);
    assert_true(read_all());
    assert_int_equal(seen.count, written.count);
    for (size_t i = 0; i < seen.count; i++)
        assert_true(is_same(i, i));
    assert_int_equal(seen.state.runs, 3);
    assert_int_equal(seen.state.unended, 0);
}

/* All events before the cut are there, and no other; then another recording fits on. */
static void test_every_cut(void **state)
{
    record(3);
    load();
    size_t all = byte_count, one = written.count, most = 0;
    for (size_t len = 1; len < all; len++) {
        replace(bytes, len);
        if (len < RECORDS_HEADER) {
            assert_false(read_all());
            continue;
        }
        assert_true(read_all());
        assert_true(seen.count >= most && seen.count <= one);
        most = seen.count;
        for (size_t i = 0; i < seen.count; i++)
            assert_true(is_same(i, i));
        assert_int_equal(seen.state.damaged, 0);
        assert_true(seen.state.cut != 0 || seen.state.unended == 1 || len == RECORDS_HEADER);
        assert_int_equal(seen.state.whole + seen.state.cut, len);
        written.count = one;
        record(5);
        assert_true(read_all());
        assert_int_equal(seen.count, most + written.count - one);
        for (size_t i = 0; i < seen.count; i++)
            assert_true(is_same(i < most ? i : i - most + one, i));
        assert_int_equal(seen.state.cut + seen.state.damaged, 0);
    }
    assert_int_equal(most, one);
}

/* What was cut off is gone also if the next recording is shorter than that. */
static void test_long_cut(void **state)
{
    struct trace_points *points = trace_points_new();
    struct trace_writer *w = open_writer(&about);

    for (int i = 0; i < 300; i++)
        put(w, points, trace_call(points, "f", 0, 0, i % 2 != 0, i * 1000));
    assert_true(trace_writer_close(w, text));
    load();
    replace(bytes, byte_count - 30);
    w = open_writer(&about);
    put(w, points, trace_call(points, "f", 0, 0, false, 0));
    assert_true(trace_writer_close(w, text));
    trace_points_free(points);
    assert_true(read_all());
    assert_int_equal(seen.state.cut + seen.state.damaged, 0);
    assert_int_equal(seen.state.runs, 2);
    assert_int_equal(seen.count, 2 + 1);
}

/* Returns whether what was read has all of written from a place on, at its end. */
static bool ends_with(size_t from)
{
    size_t count = written.count - from;

    for (size_t i = 0; i < count; i++)
        if (seen.count < count || !is_same(from + i, seen.count - count + i))
            return false;
    return true;
}

/* Events up to the damage are there, and the next recording. */
static void test_every_byte(void **state)
{
    record(3);
    load();
    size_t first = byte_count, one = written.count;
    record(5);
    load();
    for (size_t at = 0; at < byte_count; at++) {
        bytes[at] ^= (char)(1 << at % 8);
        replace(bytes, byte_count);
        bytes[at] ^= (char)(1 << at % 8);
        if (at < RECORDS_HEADER) {
            assert_false(read_all());
            continue;
        }
        assert_true(read_all());
        assert_true(seen.state.damaged + seen.state.cut != 0);
        size_t whole = 0;
        while (whole < seen.count && whole < written.count && is_same(whole, whole))
            whole++;
        if (at < first) {
            assert_int_equal(seen.events[whole].kind, TRACE_DAMAGED);
            assert_int_equal(seen.count, whole + 1 + written.count - one);
            assert_true(ends_with(one));
            assert_true(seen.state.damaged_at <= at);
            assert_true(at < seen.state.damaged_at + seen.state.damaged);
        } else
            assert_true(whole == seen.count || whole + 1 == seen.count);
    }
}

static void refuse(const struct trace_about *of, const char *why)
{
    struct stat before, after;

    assert_int_equal(stat(scratch_path, &before), 0);
    assert_null(trace_writer_open(scratch_path, of, text));
    if (!strstr(text, why))
        fail_msg("%s", text);
    assert_int_equal(stat(scratch_path, &after), 0);
    assert_true(before.st_size == after.st_size);
}

static void test_refused(void **state)
{
    struct trace_about other = about;

    other.build = "ffff";
    record(3);
    refuse(&other, "another build of fw.elf");
    struct trace_writer *w = open_writer(&about);
    refuse(&about, "another mprof");
    assert_true(trace_writer_close(w, text));
    load();
    bytes[RECORDS_HEADER + 20] ^= 1;
    replace(bytes, byte_count);
    refuse(&about, "damaged");
    replace("some text of somebody", 21);
    refuse(&about, "not a trace");
    uint8_t header[RECORDS_HEADER];
    record_header(header);
    header[8] = 2;
    record_put32(header + 12, (uint32_t)crc32(0, header, 12));
    replace(header, sizeof(header));
    assert_false(read_all());
    assert_non_null(strstr(text, "version 2"));
}

/* A recording without events leaves the file as it was. */
static void test_nothing(void **state)
{
    struct trace_writer *w = open_writer(&about);

    assert_true(trace_writer_close(w, text));
    assert_int_equal(access(scratch_path, F_OK), -1);
    scratch_write("", 0);
    w = open_writer(&about);
    assert_true(trace_writer_close(w, text));
    assert_int_equal(access(scratch_path, F_OK), 0);
    record(3);
    load();
    size_t before = byte_count;
    w = open_writer(&about);
    assert_true(trace_writer_close(w, text));
    load();
    assert_int_equal(byte_count, before);
}

/* A file with one recording and a chunk of these contents. */
static void write_chunk(uint32_t kind, const struct record_bytes *contents)
{
    static const char run[] = {0, 4, 1, 0, 0, 0};
    struct record_bytes file = {.bytes = NULL};
    uint8_t header[RECORDS_HEADER], chunk[RECORDS_CHUNK];
    const struct {
        uint32_t kind;
        const void *bytes;
        size_t len;
    } chunks[] = {{RECORDS_RUN, run, sizeof(run)}, {kind, contents->bytes, contents->len}};

    record_header(header);
    record_add(&file, header, sizeof(header));
    for (size_t i = 0; i < COUNT(chunks); i++) {
        record_put32(chunk, chunks[i].kind);
        record_put32(chunk + 4, (uint32_t)chunks[i].len);
        record_put32(chunk + 8, record_sum(chunks[i].kind, chunks[i].bytes, chunks[i].len));
        record_add(&file, chunk, sizeof(chunk));
        record_add(&file, chunks[i].bytes, chunks[i].len);
    }
    replace(file.bytes, file.len);
    free(file.bytes);
}

static void numbers(struct record_bytes *to, const uint64_t *of, size_t count)
{
    for (size_t i = 0; i < count; i++)
        record_number(to, of[i]);
}
#define NUMBERS(to, ...) \
    numbers(to, (const uint64_t[]){__VA_ARGS__}, COUNT(((const uint64_t[]){__VA_ARGS__})))

/* A function, and a point of it. */
#define FUNCTION RECORD_FUNCTION, 5, 0x10, 1, 0, 0, 0
#define POINT    RECORD_POINT, 7, 0, 0, 0, 0x10, 0x20, 0, 0

/* What a later mprof may write is passed over. */
static void test_unknown(void **state)
{
    struct record_bytes b = {.bytes = NULL};

    NUMBERS(&b, FUNCTION, RECORD_MORE, 2, 99, 1);
    NUMBERS(&b, RECORD_POINT, 9, 0, 0, 0, 0x10, 0x20, 0, 0, 5, 5);
    NUMBERS(&b, RECORD_CALL, 8);
    write_chunk(RECORDS_EVENTS, &b);
    assert_true(read_all());
    assert_int_equal(seen.count, 2);
    assert_int_equal(seen.events[1].ticks, 4);
    assert_int_equal(seen.state.damaged, 0);
    write_chunk(RECORDS_LETTERS('N', 'E', 'W', ' '), &b);
    assert_true(read_all());
    assert_int_equal(seen.count, 1);
    assert_int_equal(seen.state.damaged, 0);
    free(b.bytes);
}

static void test_hostile(void **state)
{
    static const uint64_t big = UINT64_MAX;
    const uint64_t wrong[][20] = {
        {1, RECORD_CALL},                                       /* of no point */
        {2, RECORD_CALL, 0},                                    /* the same */
        {9, POINT},                                             /* of no function */
        {18, FUNCTION, POINT, RECORD_CALL + 1, 0},              /* of another point */
        {18, FUNCTION, POINT, RECORD_CALL, big},                /* too far */
        {16, FUNCTION, RECORD_POINT, 7, 16, 0, 0, 1, 1, 0, 0},  /* too many cores */
        {16, FUNCTION, RECORD_POINT, 8, 0, 512, 0, 1, 1, 0, 0}, /* too many exceptions */
        {16, FUNCTION, RECORD_POINT, 7, 0, 0, 3, 1, 1, 0, 0},   /* neither entry, exit nor mark */
        {7, RECORD_WORDS, 5, 0, 5, 1, 1, 1},                    /* too many arguments */
        {6, RECORD_WORDS, 4, 0, 3, 1, 1},                       /* fewer than it says */
        {16, FUNCTION, RECORD_POINT, 7, 0, 0, 0, 1, 1, 0, 2},   /* caller is no function */
        {16, FUNCTION, RECORD_POINT, 6, 0, 0, 0, 1, 1, 0, 0},   /* shorter than it is */
        {16, FUNCTION, RECORD_POINT, 70, 0, 0, 0, 1, 1, 0, 0},  /* longer than the chunk */
        {14, FUNCTION, FUNCTION},                               /* twice */
        {5, RECORD_FUNCTION, 3, 1, 1, 9},                       /* a long name */
        {9, RECORD_FUNCTION, 7, 1, 1, 0, 0, 2, '(', 'i'},       /* a letter without a size */
        {10, RECORD_FUNCTION, 8, 1, 1, 0, 0, 3, '(', 'i', '3'}, /* a size that is none */
        {8, RECORD_FUNCTION, 6, 1, 1, 0, 0, 1, 'i'},            /* without its beginning */
        {5, RECORD_LOST, 3, 0, 0, 1},                           /* a call is not lost */
        {5, RECORD_LOST, 3, 0, 4, 1},                           /* of a later kind */
        {3, RECORD_RESTART, 1, 16},                             /* of a core that is none */
        {5, RECORD_CLOCK, 3, 0, 2, 1},                          /* a flag that is none */
        {8, RECORD_FUNCTION, 6, 1, 1, 0, 0, 0, 9},              /* too many types */
        {7, RECORD_FUNCTION, 6, 1, 1, 0, 0, 0, 1},              /* fewer than it says */
        {7, RECORD_MORE, 5, 1, TRACE_NOW, 0, 1, 0},             /* no name of a file */
        {7, RECORD_MORE, 5, 1, TRACE_GONE, 0, 1, 0},            /* the same */
        {2, RECORD_MORE, big},                                  /* longer than all */
        {5, RECORD_EXCEPTION, 3, 1, 1, 0},                      /* a name with a NUL */
    };

    for (size_t i = 0; i < COUNT(wrong); i++) {
        struct record_bytes b = {.bytes = NULL};
        numbers(&b, wrong[i] + 1, (size_t)wrong[i][0]);
        write_chunk(RECORDS_EVENTS, &b);
        free(b.bytes);
        assert_true(read_all());
        if (seen.state.damaged == 0 || seen.events[seen.count - 1].kind != TRACE_DAMAGED)
            fail_msg("case %zu is read", i);
    }
}

/* Ten thousand functions, called in no order, 0 to 10 ms of a clock of 100 MHz apart. */
static void test_size(void **state)
{
    enum { FUNCTIONS = 10000, EVENTS = 1000000 };
    struct trace_points *points = trace_points_new();
    struct trace_writer *w = open_writer(&about);
    uint64_t random = 1;
    int64_t ticks = 0;

    for (uint32_t i = 0; i < 2 * FUNCTIONS; i++) {
        char name[40];
        struct trace_point p = {.callee = 0x8000000 + i / 2 * 64,
                                .caller = 0x9000000 + i / 2 * 128};
        struct trace_function f = {
            .addr = p.callee, .name = name, .file = "source/module.c", .parameters = ""};
        uint32_t index;
        bool added;
        snprintf(name, sizeof(name), "driver_function_%u", i / 2);
        p.kind = i & 1 ? TRACE_EXIT : TRACE_ENTRY;
        assert_true(trace_add_function(points, &f, &p.function));
        p.caller_function = p.function;
        assert_true(trace_add_point(points, &p, &index, &added));
    }
    for (int i = 0; i < EVENTS; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        ticks += (int64_t)(random >> 40) % 1000000;
        struct trace_event e = {.kind = TRACE_CALL,
                                .ticks = ticks,
                                .point = (uint32_t)(random >> 33) % (2 * FUNCTIONS)};
        assert_true(trace_writer_put(w, points, &e));
    }
    assert_true(trace_writer_flush(w));
    double each = (double)trace_writer_bytes(w) / EVENTS;
    assert_true(trace_writer_close(w, text));
    trace_points_free(points);
    print_message("counted: %.2f bytes an event, with the names\n", each);
    assert_true(each > 4 && each <= 6);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(test_##name, make)
    const struct CMUnitTest tests[] = {
        TEST(round_trip), TEST(appended), TEST(every_cut), TEST(long_cut), TEST(every_byte),
        TEST(refused),    TEST(nothing),  TEST(unknown),   TEST(hostile),  TEST(size),
    };

    return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
