/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stub's table, natively. What interrupts do to it is tested on the core. */
#include <pthread.h>

#include "unit.h"

#include <mprof/mprof.h>

#define TEXT  0x8000000U
#define CHAIN 6 /* rows of a class */

static uint32_t sum_of_hits(void)
{
    uint32_t sum = 0;

    for (size_t i = 0; i < MPROF_CNT - s_prof.items_lead.free; i++)
        sum += s_prof.items[i].hits;
    return sum;
}

static uint32_t sum_of_rest(void)
{
    uint32_t sum = 0;

    for (size_t i = 0; i < MPROF_CNT / 2; i++)
        sum += s_prof.items_rest[i];
    return sum;
}

static uint32_t rest_of(uintptr_t addr)
{
    return s_prof.items_rest[(addr >> MPROF_REST_SHIFT) % (MPROF_CNT / 2)];
}

static size_t rows_used(void)
{
    return MPROF_CNT - s_prof.items_lead.free;
}

/* Also: rows in use have an address, the others have none, and spilled tells of the rest. */
static void assert_conserved(void)
{
    assert_int_equal(sum_of_hits() + sum_of_rest() + s_prof.header.ignored,
                     s_prof.header.heartbeat);
    for (size_t i = 0; i < MPROF_CNT; i++)
        assert_int_equal(s_prof.items[i].addr & 1, i >= rows_used());
    assert_int_equal(s_prof.items_lead.spilled != 0, sum_of_rest() != 0);
    assert_int_equal(s_prof.header.generation & 1, 1);
}

static const mprof_row_t *row_of(uintptr_t addr)
{
    for (size_t i = 0; i < rows_used(); i++) {
        if (s_prof.items[i].addr == addr)
            return &s_prof.items[i];
    }
    return NULL;
}

/* RAM that says nothing of an earlier run. */
static void power_up(void)
{
    s_prof.header.magic = 0;
    mprof_init();
}

/* The head that the first event of an empty table has changed. */
static size_t class_of(uintptr_t addr)
{
    size_t class = 0;

    power_up();
    uint16_t nil = s_prof.items_heads[0];

    mprof_sample(addr);
    while (s_prof.items_heads[class] == nil)
        class ++;
    return class;
}

static void find_colliding(uintptr_t *addrs, size_t count)
{
    size_t found = 0;

    for (uintptr_t addr = TEXT; found < count; addr += MPROF_ERR) {
        addrs[found] = addr;
        found += class_of(addr) == class_of(TEXT);
    }
    power_up();
}

static uint32_t next_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

static void test_nothing_before_init(void **state)
{
    static const struct mprof_prof blank;

    mprof_sample(TEXT);
    assert_memory_equal(&s_prof, &blank, sizeof(blank));
    memset(&s_prof, 0xa5, sizeof(s_prof));
    struct mprof_prof before = s_prof;
    mprof_sample(TEXT);
    assert_memory_equal(&s_prof, &before, sizeof(before));
}

static void test_directory(void **state)
{
    memset(&s_prof, 0xa5, sizeof(s_prof));
    power_up();
    assert_int_equal(s_prof.header.magic, MPROF_MAGIC);
    assert_int_equal(s_prof.header.abi_major, 1);
    assert_int_equal(s_prof.header.addr_size, sizeof(void *));
    assert_int_equal(s_prof.header.header_size, 112);
    assert_int_equal(s_prof.header.total_size, sizeof(s_prof));
    assert_int_equal(s_prof.header.block_count, 1);
    assert_int_equal(s_prof.header.heartbeat, 0);
    assert_int_equal(s_prof.header.enable, MPROF_ENABLE_ALL);
    assert_int_equal(s_prof.blocks[0].kind, MPROF_KIND_ROWS);
    assert_int_equal(s_prof.blocks[0].unit, MPROF_UNIT_SAMPLES);
    assert_int_equal(1 << s_prof.blocks[0].grain_shift, MPROF_ERR);
    assert_int_equal(s_prof.blocks[0].entry_size, sizeof(s_prof.items[0]));
    assert_int_equal(s_prof.blocks[0].count, MPROF_CNT);
    assert_int_equal(s_prof.blocks[0].offset, offsetof(struct mprof_prof, items));
    assert_int_equal(rows_used(), 0);
    assert_int_equal(sum_of_hits(), 0);
}

/* generation goes on, and further than the reader takes for renamed rows. */
static void test_boot_counter(void **state)
{
    s_prof.header.magic = 0x12345678;
    s_prof.header.boot = 77;
    mprof_init();
    assert_int_equal(s_prof.header.boot, 1);
    mprof_sample(TEXT);
    uint32_t generation = s_prof.header.generation;

    mprof_init();
    assert_int_equal(s_prof.header.boot, 2);
    assert_int_equal(s_prof.header.heartbeat, 0);
    assert_int_equal(s_prof.header.generation - generation, 0x10000);
    assert_int_equal(rows_used(), 0);
    assert_conserved();
}

static void test_hits_of_a_block(void **state)
{
    power_up();
    for (uintptr_t pc = TEXT; pc < TEXT + 2 * MPROF_ERR; pc++)
        mprof_sample(pc);
    mprof_sample(0);
    assert_int_equal(row_of(TEXT)->hits, MPROF_ERR);
    assert_int_equal(row_of(TEXT + MPROF_ERR)->hits, MPROF_ERR);
    assert_int_equal(row_of(TEXT)->stamp, 0);
    assert_int_equal(row_of(0)->hits, 1);
    assert_int_equal(rows_used(), 3);
    assert_int_equal(sum_of_rest(), 0);
    assert_conserved();
}

static void test_chain(void **state)
{
    uintptr_t addrs[CHAIN];

    find_colliding(addrs, CHAIN);
    for (size_t hits = 0; hits < 10; hits++) {
        for (size_t i = 0; i < CHAIN; i++)
            mprof_sample(addrs[i]);
    }
    for (size_t i = 0; i < CHAIN; i++) {
        assert_int_equal(row_of(addrs[i])->hits, 10);
        assert_int_equal(row_of(addrs[i])->stamp, 0);
    }
    assert_int_equal(sum_of_rest(), 0);
    assert_conserved();
}

/* A seventh address of a class: the row with the fewest hits gives way, and its hits go to the rest
 * of its region. */
static void test_replacement(void **state)
{
    uintptr_t addrs[CHAIN + 1];

    find_colliding(addrs, CHAIN + 1);
    for (size_t i = 0; i < CHAIN; i++) {
        for (size_t hits = 0; hits < (i == 2 ? 3 : 8); hits++)
            mprof_sample(addrs[i]);
    }
    uint32_t generation = s_prof.header.generation;
    uint32_t tries = 0;

    for (; row_of(addrs[CHAIN]) == NULL; tries++)
        mprof_sample(addrs[CHAIN]);
    assert_null(row_of(addrs[2]));
    assert_int_equal(row_of(addrs[CHAIN])->hits, 1);
    assert_int_equal(s_prof.header.generation, generation + 2);
    assert_int_equal(row_of(addrs[CHAIN])->stamp, (uint16_t)(generation + 2));
    assert_int_equal(rest_of(addrs[2]), 3);
    assert_int_equal(rest_of(addrs[CHAIN]), tries - 1);
    assert_conserved();
}

/* A class without rows in a full table gets one of another class. */
static void test_borrowing(void **state)
{
    power_up();
    for (uintptr_t i = 0; i < MPROF_CNT; i++)
        mprof_sample(TEXT + i % (MPROF_CNT / 4) * MPROF_ERR + i / (MPROF_CNT / 4) * 0x10000);
    assert_int_equal(rows_used(), MPROF_CNT);
    assert_int_equal(sum_of_rest(), 0);
    uintptr_t addr = TEXT + MPROF_CNT / 2 * MPROF_ERR;

    while (row_of(addr) == NULL)
        mprof_sample(addr);
    uint32_t rest = sum_of_rest();

    for (int i = 0; i < 9; i++)
        mprof_sample(addr);
    assert_int_equal(row_of(addr)->hits, 10);
    assert_int_equal(sum_of_rest(), rest);
    assert_conserved();
}

/* The share of first misses that are let in, where each row has that many hits. */
static double admitted(const uintptr_t *addrs, size_t hits)
{
    const unsigned tries = 20000;
    unsigned in = 0;

    for (unsigned i = 0; i < tries; i++) {
        power_up();
        for (size_t n = 0; n < CHAIN * hits; n++)
            mprof_sample(addrs[n % CHAIN]);
        s_prof.header.heartbeat = i * 977; /* chance goes by the number of the event */
        mprof_sample(addrs[CHAIN]);
        in += row_of(addrs[CHAIN]) != NULL;
        assert_int_equal(sum_of_rest(), row_of(addrs[CHAIN]) ? hits : 1);
    }
    return in / (double)tries;
}

static void test_admission_is_fair(void **state)
{
    static const size_t hits[] = {1, 2, 3, 7};
    uintptr_t addrs[CHAIN + 1];

    find_colliding(addrs, CHAIN + 1);
    for (size_t i = 0; i < COUNT(hits); i++) {
        double expected = 1.0 / (double)(hits[i] + 1);
        double seen = admitted(addrs, hits[i]);

        print_message("admitted over %zu hits: %.4f, expected %.4f\n", hits[i], seen, expected);
        assert_true(seen > expected - 0.015 && seen < expected + 0.015);
    }
}

#define BLOCKS 2000

/* A block by Zipf's law with exponent 1: rank r comes 1 / (r + 1) as often as rank 0. */
static size_t zipf(const double *cumulated, uint32_t random)
{
    double point = random / 4294967296.0 * cumulated[BLOCKS - 1];
    size_t low = 0;
    size_t high = BLOCKS - 1;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (cumulated[middle] > point)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static int by_hits(const void *a, const void *b)
{
    uint32_t first = ((const mprof_row_t *)a)->hits;
    uint32_t second = ((const mprof_row_t *)b)->hits;

    return (first < second) - (first > second);
}

static uintptr_t block_addr(size_t rank)
{
    return TEXT + MPROF_ERR * (rank * 1237 % BLOCKS);
}

/* Of the ten hottest ranks, those among the ten rows with the most hits. */
static unsigned recalled(void)
{
    static mprof_row_t sorted[MPROF_CNT];
    unsigned found = 0;

    memcpy(sorted, s_prof.items, sizeof(sorted));
    qsort(sorted, MPROF_CNT, sizeof(sorted[0]), by_hits);
    for (size_t rank = 0; rank < 10; rank++) {
        for (size_t i = 0; i < 10; i++)
            found += sorted[i].addr == block_addr(rank);
    }
    return found;
}

static double cumulated[BLOCKS];

static int make_zipf(void **state)
{
    double sum = 0;

    for (size_t i = 0; i < BLOCKS; i++)
        cumulated[i] = sum += 1.0 / (double)(i + 1);
    return 0;
}

static void test_top_ten_of_zipf(void **state)
{
    unsigned found = 0;
    uint32_t random = 2463534242U;

    for (unsigned run = 0; run < 10; run++) {
        power_up();
        for (unsigned i = 0; i < 200000; i++)
            mprof_sample(block_addr(zipf(cumulated, next_random(&random))));
        assert_conserved();
        assert_int_equal(rows_used(), MPROF_CNT);
        found += recalled();
    }
    print_message("top 10 of %u blocks in %u rows: %u of 100 found\n", BLOCKS, MPROF_CNT, found);
    assert_true(found >= 95);
}

/* Rows in use when the first event is lost. */
static size_t fill_at_first_loss(uint32_t *random, bool by_zipf)
{
    power_up();
    while (sum_of_rest() == 0) {
        uint32_t number = next_random(random);

        mprof_sample(by_zipf ? block_addr(zipf(cumulated, number)) : TEXT + number % 0x100000);
    }
    return rows_used();
}

static void test_fills_before_it_loses(void **state)
{
    uint32_t random = 2463534242U;

    for (int by_zipf = 0; by_zipf < 2; by_zipf++) {
        size_t least = MPROF_CNT;

        for (int run = 0; run < 100; run++) {
            size_t used = fill_at_first_loss(&random, by_zipf);

            least = used < least ? used : least;
        }
        print_message("%zu of %u rows in use at the first loss, or more\n", least, MPROF_CNT);
        assert_true((double)least >= 0.95 * MPROF_CNT);
    }
}

/* For each address, and when much is lost. */
static void test_bounds(void **state)
{
    static uint32_t presented[BLOCKS];
    uint32_t random = 88172645;
    unsigned whole = 0;

    power_up();
    for (unsigned i = 0; i < 100000; i++) {
        size_t rank = zipf(cumulated, next_random(&random));

        presented[rank]++;
        mprof_sample(block_addr(rank));
    }
    assert_true(sum_of_rest() > 1000);
    for (size_t rank = 0; rank < BLOCKS; rank++) {
        const mprof_row_t *row = row_of(block_addr(rank));
        uint32_t hits = row ? row->hits : 0;

        assert_in_range(presented[rank], hits, hits + rest_of(block_addr(rank)));
        if (row && row->stamp == 0) {
            assert_int_equal(presented[rank], hits);
            whole++;
        }
    }
    print_message("%u rows hold all events of their address\n", whole);
    assert_true(whole > 0);
    assert_conserved();
}

/* A stamp is the lower half, and never 0: generation is odd. */
static void test_generation_wraps(void **state)
{
    uintptr_t addrs[CHAIN + 4];

    find_colliding(addrs, CHAIN + 4);
    s_prof.header.generation = UINT32_MAX - 2;
    for (size_t i = 0; i < CHAIN; i++)
        mprof_sample(addrs[i]);
    for (size_t i = CHAIN; i < CHAIN + 4; i++) {
        while (row_of(addrs[i]) == NULL)
            mprof_sample(addrs[i]);
        assert_int_equal(row_of(addrs[i])->stamp & 1, 1);
        assert_int_equal(row_of(addrs[i])->stamp, (uint16_t)s_prof.header.generation);
    }
    assert_int_equal(s_prof.header.generation, 5);
    assert_conserved();
}

#define THREADS 4
#define EVENTS  200000

static void *sample_a_lot(void *seed)
{
    uint32_t random = *(uint32_t *)seed;

    for (unsigned i = 0; i < EVENTS; i++) {
        uint32_t pick = next_random(&random);

        mprof_sample(TEXT + MPROF_ERR * (pick % (pick & 0x100 ? 16 : 1024)));
    }
    return NULL;
}

static void test_threads_lose_nothing(void **state)
{
    pthread_t threads[THREADS];
    uint32_t seeds[THREADS];

    power_up();
    for (uint32_t i = 0; i < THREADS; i++) {
        seeds[i] = 1000 + i;
        assert_int_equal(pthread_create(&threads[i], NULL, sample_a_lot, &seeds[i]), 0);
    }
    for (size_t i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(s_prof.header.heartbeat, THREADS * EVENTS);
    assert_conserved();
}

static void test_port(void **state)
{
    const char *broken = mprof_port_check();

    assert_string_equal(broken ? broken : "", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_before_init),
        cmocka_unit_test(test_directory),
        cmocka_unit_test(test_boot_counter),
        cmocka_unit_test(test_hits_of_a_block),
        cmocka_unit_test(test_chain),
        cmocka_unit_test(test_replacement),
        cmocka_unit_test(test_borrowing),
        cmocka_unit_test(test_admission_is_fair),
        cmocka_unit_test(test_top_ten_of_zipf),
        cmocka_unit_test(test_fills_before_it_loses),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_generation_wraps),
        cmocka_unit_test(test_threads_lose_nothing),
        cmocka_unit_test(test_port),
    };

    return cmocka_run_group_tests(tests, make_zipf, NULL);
}
