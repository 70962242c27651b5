/* SPDX-License-Identifier: 0BSD */
/* Monotonic time, deadlines, and the one limit of all that an operation waits for. */
#include "clock.h"

#include <limits.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>

#define NS_PER_MS 1000000U
#define NO_LIMIT  UINT64_MAX

static _Thread_local uint64_t limit_ns = NO_LIMIT;
static const struct clock_source *_Atomic used;

void clock_use(const struct clock_source *source)
{
    atomic_store(&used, source);
}

uint64_t clock_now_ns(void)
{
    const struct clock_source *source = atomic_load(&used);

    return source != NULL ? source->now_ns() : clock_system_ns();
}

uint64_t clock_system_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

uint64_t clock_deadline(int timeout_ms)
{
    uint64_t deadline = clock_now_ns() + (uint64_t)(timeout_ms > 0 ? timeout_ms : 0) * NS_PER_MS;

    return deadline < limit_ns ? deadline : limit_ns;
}

static uint64_t replace_limit(uint64_t limit)
{
    uint64_t before = limit_ns;

    limit_ns = limit;
    return before;
}

static uint64_t limit_in(uint64_t ms)
{
    uint64_t now = clock_now_ns();

    return ms < (NO_LIMIT - now) / NS_PER_MS ? now + ms * NS_PER_MS : NO_LIMIT;
}

uint64_t clock_limit_begin(uint64_t ms)
{
    uint64_t limit = limit_in(ms);

    return replace_limit(limit < limit_ns ? limit : limit_ns);
}

uint64_t clock_limit_apart(uint64_t ms)
{
    return replace_limit(limit_in(ms));
}

uint64_t clock_limit_lift(void)
{
    return replace_limit(NO_LIMIT);
}

void clock_limit_grow(uint64_t ms)
{
    if (limit_ns != NO_LIMIT)
        limit_ns = ms < (NO_LIMIT - limit_ns) / NS_PER_MS ? limit_ns + ms * NS_PER_MS : NO_LIMIT;
}

void clock_limit_end(uint64_t before)
{
    limit_ns = before;
}

int clock_left_ms(uint64_t deadline)
{
    uint64_t now = clock_now_ns();

    if (now >= deadline)
        return 0;
    uint64_t left = (deadline - now + NS_PER_MS - 1) / NS_PER_MS;
    return left > INT_MAX ? INT_MAX : (int)left;
}

void clock_sleep_ms(int ms)
{
    struct timespec time = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L};
    const struct clock_source *source = atomic_load(&used);

    if (source != NULL && source->skip(ms))
        return;
    nanosleep(&time, NULL);
}
