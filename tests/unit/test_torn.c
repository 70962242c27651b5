/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stub writes its table while a slow reader copies it: what the decoder accepts must be true.
 */
#define _POSIX_C_SOURCE 200809L

#include <pthread.h>
#include <sched.h>

#include "unit.h"

#include <mprof/mprof.h>
#include <profile/decode.h>

#include "counted.h"

/* 1 kHz of samples and a link that takes 20 us a word: an event between two words in 2 % of cases.
 */
#define WORDS_PER_EVENT 50
/* Many times that, to have many torn rows. */
#define WORDS_PER_EVENT_HARD 2
#define FUNCTIONS            4000
#define WORDS                (sizeof(s_prof) / sizeof(uint32_t))

/* Of each function, and of all: what the writer did. */
static volatile uint32_t presented[FUNCTIONS];

/* Whose the hits of each row were when they were read. */
static uint64_t owners[MPROF_CNT];

static uint32_t draw(uint32_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return *seed;
}

/* Skewed: the product of three uniform numbers, so that some rows are hit often and most give way.
 */
static uintptr_t draw_address(uint32_t *seed)
{
    uint64_t a = draw(seed) % FUNCTIONS, b = draw(seed) % FUNCTIONS, c = draw(seed) % FUNCTIONS;

    return (uintptr_t)(a * b / FUNCTIONS * c / FUNCTIONS) * MPROF_ERR + 0x1000;
}

static void write_event(uint32_t *seed)
{
    uintptr_t addr = draw_address(seed);

    presented[(addr - 0x1000) / MPROF_ERR]++;
    mprof_sample(addr);
}

static uint32_t lost(void)
{
    uint32_t sum = 0;

    for (size_t i = 0; i < MPROF_CNT / 2; i++)
        sum += s_prof.items_rest[i];
    return sum;
}

static void set_up(uint32_t *seed)
{
    memset((void *)(uintptr_t)presented, 0, sizeof(presented));
    mprof_init();
    for (int i = 0; i < 20000; i++)
        write_event(seed);
    assert_true(lost() > 0);
}

struct tally {
    unsigned fresh, held_back, naive_lies;
};

/* last is the generation when all was read. */
static struct decode_header header_of(const uint8_t *copy, uint32_t last)
{
    struct decode_header header;
    size_t need;
    char text[100];

    assert_int_equal(decode_header(copy, sizeof(s_prof), &header, &need, text, sizeof(text)),
                     DECODE_OK);
    header.generation_after = last;
    return header;
}

static void judge(const uint8_t *copy, uint32_t last, struct tally *tally)
{
    const struct decode_header header = header_of(copy, last);

    for (size_t i = 0; i < header.items_in_use; i++) {
        struct decode_item item;
        enum decode_row row = decode_item(copy, &header, i, &item);
        bool right = item.addr == owners[i];

        if (row == DECODE_ROW_FRESH) {
            assert_true(right);
            tally->fresh++;
        } else {
            tally->held_back++;
            tally->naive_lies += row == DECODE_ROW_TORN && !right;
        }
    }
}

/* The row whose hits this word is, MPROF_CNT: none. */
static size_t row_of_word(size_t word)
{
    size_t at = word * sizeof(uint32_t) - offsetof(struct mprof_prof, items);
    size_t size = sizeof(s_prof.items[0]);

    return at % size == offsetof(mprof_row_t, hits) && at / size < MPROF_CNT ? at / size
                                                                             : MPROF_CNT;
}

static size_t all_reads; /* of all tests */

static unsigned rounds(unsigned quick, unsigned full)
{
    all_reads += getenv("MPROF_SOAK") ? full : quick;
    return getenv("MPROF_SOAK") ? full : quick;
}

/* Copies the table word by word, with events in between, and judges each copy. */
static struct tally read_slowly(unsigned reads, unsigned words_per_event)
{
    static uint32_t copy[WORDS];
    const volatile uint32_t *from = (const volatile uint32_t *)(const void *)&s_prof;
    struct tally tally = {.fresh = 0};
    uint32_t seed = 2463534242u;

    set_up(&seed);
    for (; reads > 0; reads--) {
        for (size_t word = 0; word < WORDS; word++) {
            if (draw(&seed) % words_per_event == 0)
                write_event(&seed);
            copy[word] = from[word];
            if (row_of_word(word) < MPROF_CNT)
                owners[row_of_word(word)] = s_prof.items[row_of_word(word)].addr;
        }
        judge((const uint8_t *)copy, s_prof.header.generation, &tally);
    }
    print_message("%u rows fresh, %u held back, %u of these would have been lies\n", tally.fresh,
                  tally.held_back, tally.naive_lies);
    return tally;
}

static void test_events_between_words(void **state)
{
    struct tally tally = read_slowly(rounds(2000, 20000), WORDS_PER_EVENT);
    assert_true(tally.fresh >= 0.95 * (tally.fresh + tally.held_back));
    assert_true(tally.naive_lies > 0);
    tally = read_slowly(rounds(200, 2000), WORDS_PER_EVENT_HARD);
    assert_true(tally.naive_lies > 0);
}

static volatile int writer_ends;

static void *write_on(void *argument)
{
    uint32_t seed = 88172645;

    while (!writer_ends)
        write_event(&seed);
    return NULL;
}

struct shot {
    uint32_t words[WORDS];
    uint32_t last;
};

/* Rows whose address is one of those that came, with no more hits than came for it. */
static unsigned judge_shot(const struct shot *shot)
{
    const uint8_t *copy = (const uint8_t *)shot->words;
    const struct decode_header header = header_of(copy, shot->last);
    unsigned fresh = 0;

    for (size_t i = 0; i < header.items_in_use; i++) {
        struct decode_item item;

        if (decode_item(copy, &header, i, &item) != DECODE_ROW_FRESH)
            continue;
        assert_int_equal(item.addr % MPROF_ERR, 0);
        assert_true(item.addr >= 0x1000 && item.addr < 0x1000 + FUNCTIONS * MPROF_ERR);
        assert_true(item.hits <= presented[(item.addr - 0x1000) / MPROF_ERR]);
        fresh++;
    }
    return fresh;
}

/* Two real threads, as fast as they can: the writer may be anywhere inside an event. */
static void test_two_threads(void **state)
{
    unsigned count = rounds(2000, 20000), fresh = 0;
    struct shot *shots = calloc(count, sizeof(*shots));
    const volatile uint32_t *from = (const volatile uint32_t *)(const void *)&s_prof;
    uint32_t seed = 5;
    pthread_t writer;

    assert_non_null(shots);
    set_up(&seed);
    writer_ends = 0;
    assert_int_equal(pthread_create(&writer, NULL, write_on, NULL), 0);
    for (unsigned i = 0; i < count; i++) {
        for (size_t word = 0; word < WORDS; word++)
            shots[i].words[word] = from[word];
        shots[i].last = from[offsetof(struct mprof_header, generation) / sizeof(uint32_t)];
        if (i % 64 == 0)
            sched_yield();
    }
    writer_ends = 1;
    pthread_join(writer, NULL);
    for (unsigned i = 0; i < count; i++)
        fresh += judge_shot(&shots[i]);
    print_message("%u rows fresh\n", fresh);
    assert_true(fresh > 0);
    free(shots);
}

static void *begin_anew(void *argument)
{
    uint32_t seed = 77;

    while (!writer_ends) {
        mprof_init();
        for (int i = 0; i < 300; i++)
            mprof_sample(draw_address(&seed));
    }
    return NULL;
}

/* A target that starts anew again and again under our eyes: no row is half cleared. */
static void test_init_while_reading(void **state)
{
    static uint32_t copy[WORDS];
    const volatile uint32_t *from = (const volatile uint32_t *)(const void *)&s_prof;
    unsigned fresh = 0, reads = rounds(20000, 200000);
    pthread_t writer;

    mprof_init(); /* no rows of another test are left */
    writer_ends = 0;
    assert_int_equal(pthread_create(&writer, NULL, begin_anew, NULL), 0);
    /* The writer may not have begun. */
    for (unsigned read = 0; read < reads || fresh == 0; read++) {
        struct decode_header header;
        size_t need;
        char text[100];
        for (size_t word = 0; word < WORDS; word++)
            copy[word] = from[word];
        if (decode_header((const uint8_t *)copy, sizeof(s_prof), &header, &need, text,
                          sizeof(text)) != DECODE_OK)
            continue;
        header.generation_after =
            from[offsetof(struct mprof_header, generation) / sizeof(uint32_t)];
        for (size_t i = 0; i < header.items_in_use; i++) {
            struct decode_item item;
            if (decode_item((const uint8_t *)copy, &header, i, &item) != DECODE_ROW_FRESH)
                continue;
            assert_true(item.addr % MPROF_ERR == 0 && item.hits <= 300);
            fresh++;
        }
    }
    writer_ends = 1;
    pthread_join(writer, NULL);
    assert_true(fresh > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_events_between_words),
        cmocka_unit_test(test_two_threads),
        cmocka_unit_test(test_init_while_reading),
    };

    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    return counted(failed, all_reads, "reads");
}
