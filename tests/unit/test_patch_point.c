/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The stub writes calls into code at a point, and takes them back, whatever the host does. */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <sys/mman.h>

#include "unit.h"

#include <mprof/patch.h>

#define PAGE 4096

/* Compiled with MPROF_PATCH_CNT 4. */
static struct mprof_patch *const patch = &s_mprof_patch;
static uint8_t *code; /* two pages */

static const uint8_t old_bytes[5] = {0x90, 0x90, 0x90, 0x90, 0x90};
static const uint8_t new_bytes[5] = {0xe8, 1, 2, 3, 4};

void mprof_patched_entry(void);
void mprof_patched_entry(void)
{
}

static void point(void)
{
    mprof_patch_point(NULL, NULL);
}

/* Sites at these offsets of the code. */
static void list_sites(const unsigned *offsets, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        patch->sites[i].addr = (uintptr_t)(code + offsets[i]);
        memcpy(patch->sites[i].old_bytes, old_bytes, sizeof(old_bytes));
        memcpy(patch->sites[i].new_bytes, new_bytes, sizeof(new_bytes));
    }
    patch->wanted = count;
}

static void request(unsigned lease)
{
    patch->lease = lease;
    patch->request++;
}

static bool are_all(uint8_t byte)
{
    for (size_t i = 0; i < 2 * PAGE; i++) {
        if (code[i] != byte)
            return false;
    }
    return true;
}

/* Whether the page of the code can be written. */
static bool is_writable(const void *at)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[400], rights[5] = "";
    unsigned long start, end;
    bool found = false;

    assert_non_null(maps);
    while (!found && fgets(line, sizeof(line), maps))
        found = sscanf(line, "%lx-%lx %4s", &start, &end, rights) == 3 && (uintptr_t)at >= start &&
                (uintptr_t)at < end;
    fclose(maps);
    assert_true(found);
    return rights[1] == 'w';
}

static int begin(void **state)
{
    code = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(code != MAP_FAILED);
    memset(code, 0x90, 2 * PAGE);
    assert_int_equal(mprotect(code, 2 * PAGE, PROT_READ | PROT_EXEC), 0);
    patch->wanted = patch->patched = patch->lease = 0;
    patch->done = patch->request;
    return 0;
}

static int end(void **state)
{
    return munmap(code, 2 * PAGE);
}

static const unsigned sites[] = {0, 64 - 5, 128 + 4, PAGE + 64 + 3};

static void assert_patched(void)
{
    for (size_t i = 0; i < COUNT(sites); i++)
        assert_memory_equal(code + sites[i], new_bytes, sizeof(new_bytes));
    size_t others = 0;
    for (size_t i = 0; i < 2 * PAGE; i++)
        others += code[i] == 0x90;
    assert_int_equal(others, 2 * PAGE - sizeof(new_bytes) * COUNT(sites));
}

static void test_asked(void **state)
{
    uint32_t points = patch->points;

    assert_int_equal(patch->magic, MPROF_PATCH_MAGIC);
    assert_int_equal(patch->capacity, 4);
    assert_int_equal(patch->size, 5);
    list_sites(sites, 4);
    point();
    assert_true(are_all(0x90)); /* nobody has asked */
    request(10);
    point();
    assert_int_equal(patch->points, points + 2);
    assert_int_equal(patch->status, MPROF_PATCH_DONE);
    assert_int_equal(patch->done, patch->request);
    assert_int_equal(patch->patched, 4);
    assert_patched();
    patch->wanted = 0;
    point();
    assert_patched(); /* nobody has asked */
    patch->request++;
    point();
    assert_int_equal(patch->patched, 0);
    assert_int_equal(patch->done, patch->request);
    assert_true(are_all(0x90));
    assert_false(is_writable(code) || is_writable(code + PAGE));
}

/* The host is gone; or it says in time that it is not. */
static void test_lease(void **state)
{
    list_sites(sites, 4);
    request(3);
    point();
    for (unsigned i = 0; i < 3; i++) {
        assert_patched();
        point();
    }
    assert_patched();
    patch->lease = 2;
    point();
    point();
    assert_patched();
    point();
    assert_true(are_all(0x90));
    assert_int_equal(patch->patched, 0);
    point();
    assert_true(are_all(0x90)); /* what was asked for once is not done again */
}

/* An empty lease still lasts up to the next point. */
static void test_no_lease(void **state)
{
    list_sites(sites, 4);
    request(0);
    point();
    assert_patched();
    point();
    assert_true(are_all(0x90));
}

/* Another choice takes the place of one. */
static void test_again(void **state)
{
    list_sites(sites, 4);
    request(10);
    point();
    patch->wanted = 1;
    request(10);
    point();
    assert_int_equal(patch->patched, 1);
    assert_memory_equal(code + sites[0], new_bytes, 5);
    assert_memory_equal(code + sites[1], old_bytes, 5);
    assert_memory_equal(code + sites[3], old_bytes, 5);
    patch->wanted = 0;
    request(0);
    point();
    assert_true(are_all(0x90));
}

/* A saved program counter in a site keeps all as it is, until it has gone on. */
static void test_busy(void **state)
{
    uintptr_t stack[8] = {1, 2, 3};

    list_sites(sites, 4);
    for (unsigned inside = 0; inside <= 5; inside++) {
        bool busy = inside > 0 && inside < 5; /* before the site and after it there is nothing */
        stack[7] = (uintptr_t)code + sites[2] + inside;
        request(10);
        mprof_patch_point(stack, stack + 8);
        assert_int_equal(patch->status, busy ? MPROF_PATCH_BUSY : MPROF_PATCH_DONE);
        assert_int_equal(patch->done != patch->request, busy);
        assert_int_equal(patch->patched, busy ? 0 : 4);
        mprof_patch_point((char *)stack + 1, stack + 7); /* it is not there */
        assert_patched();
        patch->lease = 0;
        mprof_patch_point(stack, stack + 8); /* nor is a call taken back while one is in it */
        assert_int_equal(patch->patched, busy ? 4 : 0);
        point();
        assert_true(are_all(0x90));
    }
}

static void test_refused(void **state)
{
    list_sites(sites, 4);
    assert_int_equal(mprotect(code, 2 * PAGE, PROT_READ | PROT_WRITE), 0);
    code[sites[3] + 4] = 0xc3; /* other code: nothing is written, not to the first sites either */
    assert_int_equal(mprotect(code, 2 * PAGE, PROT_READ | PROT_EXEC), 0);
    request(10);
    point();
    assert_int_equal(patch->status, MPROF_PATCH_DIFFERS);
    assert_int_equal(patch->done, patch->request);
    assert_int_equal(patch->patched, 0);
    assert_memory_equal(code + sites[0], old_bytes, 5);
    assert_false(is_writable(code) || is_writable(code + PAGE));
    patch->wanted = 5; /* more than there are */
    request(10);
    point();
    assert_int_equal(patch->status, MPROF_PATCH_DIFFERS);
}

/* A site across two lines of the cache cannot be written by one store. */
static void test_lines(void **state)
{
    const unsigned across[] = {0, PAGE + 64 - 4};

    list_sites(across, 2);
    request(10);
    point();
    assert_int_equal(patch->status, MPROF_PATCH_PROTECTED);
    assert_int_equal(patch->patched, 0);
    assert_true(are_all(0x90));
    assert_false(is_writable(code) || is_writable(code + PAGE));
}

static void *wait_for(void *semaphore)
{
    sem_wait(semaphore);
    return NULL;
}

static void test_threads(void **state)
{
    pthread_t thread;
    sem_t semaphore;

    assert_int_equal(sem_init(&semaphore, 0, 0), 0);
    list_sites(sites, 4);
    request(10);
    point();
    assert_patched();
    assert_int_equal(pthread_create(&thread, NULL, wait_for, &semaphore), 0);
    patch->wanted = 0;
    request(0);
    point();
    assert_true(are_all(0x90)); /* calls are taken back in any case */
    patch->wanted = 4;
    request(10);
    point();
    assert_int_equal(patch->status, MPROF_PATCH_THREADS);
    assert_true(are_all(0x90));
    sem_post(&semaphore);
    pthread_join(thread, NULL);
    sem_destroy(&semaphore);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        TEST(test_asked), TEST(test_lease),   TEST(test_no_lease), TEST(test_again),
        TEST(test_busy),  TEST(test_refused), TEST(test_lines),    TEST(test_threads),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
