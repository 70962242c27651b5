/* SPDX-License-Identifier: 0BSD */
/* How long a halt may last while nobody can end it. */
#include "proxy_watch.h"

#include "clock.h"
#include "guardian.h"
#include "process.h"

#define NS_PER_MS 1000000U
/* Between two looks at the owner. */
#define LOOK_MS 100

void proxy_watch_note(struct proxy_watch *watch, bool held, int halt_ms)
{
    if (!held)
        watch->since_ns = 0;
    else if (watch->since_ns == 0)
        watch->since_ns = clock_now_ns();
    watch->halt_ms = halt_ms;
    watch->stopped = false;
    watch->look_ns = 0;
}

uint64_t proxy_watch_deadline(const struct proxy_watch *watch)
{
    if (watch->owner == 0 || watch->since_ns == 0 || watch->halt_ms == GUARDIAN_NO_LIMIT)
        return UINT64_MAX;
    uint64_t limit_ms = 2 * (uint64_t)watch->halt_ms;
    if (limit_ms < GUARDIAN_HALT_MIN_MS)
        limit_ms = GUARDIAN_HALT_MIN_MS;
    uint64_t over_ns = watch->since_ns + limit_ms * NS_PER_MS;
    return over_ns > watch->look_ns ? over_ns : watch->look_ns;
}

bool proxy_watch_is_due(struct proxy_watch *watch)
{
    uint64_t now_ns = clock_now_ns();

    if (now_ns < proxy_watch_deadline(watch))
        return false;
    bool stopped = process_is_stopped(watch->owner);
    bool still = stopped && watch->stopped;
    watch->stopped = stopped;
    watch->look_ns = now_ns + LOOK_MS * NS_PER_MS;
    return still;
}

void proxy_watch_end(struct proxy_watch *watch)
{
    watch->ended_ms = (unsigned)((clock_now_ns() - watch->since_ns) / NS_PER_MS);
    watch->since_ns = 0;
}
