// SPDX-License-Identifier: GPL-3.0-or-later
// Threads that leave hooked functions by exceptions, and end in them. Prints the events of the
// trace, the entries and exits that functions count, exceptions, and how deep a backtrace was. With
// an argument it crashes in look() instead.
#include <atomic>
#include <cstdio>
#include <execinfo.h>
#include <pthread.h>
#include <stdexcept>
#include <string>

extern "C" {
#include <mprof/mprof.h>
}

#define HOOKED   __attribute__((noinline))
#define UNHOOKED __attribute__((no_instrument_function))

static std::atomic<unsigned> entered, left, caught, deepest;
static bool crashes;

HOOKED static void fall(unsigned depth)
{
    entered++;
    std::string name(depth + 20, 'x'); // is destroyed by the exception
    if (depth == 0)
        throw std::runtime_error(name);
    fall(depth - 1);
    left++;
}

HOOKED static void catch_one(unsigned depth)
{
    entered++;
    try {
        fall(depth);
    } catch (const std::exception &) {
        caught++;
    }
    left++;
}

HOOKED static void look(unsigned depth)
{
    void *frames[64];

    entered++;
    if (depth != 0) {
        look(depth - 1);
    } else if (crashes) {
        __builtin_trap();
    } else {
        unsigned count = static_cast<unsigned>(backtrace(frames, 64));
        deepest = count > deepest ? count : deepest.load();
    }
    left++;
}

HOOKED static void end_here()
{
    entered++;
    pthread_exit(nullptr);
}

UNHOOKED static void *work(void *ends)
{
    for (unsigned i = 0; i < 300; i++)
        catch_one(i % 7);
    if (ends != nullptr)
        end_here();
    return nullptr;
}

UNHOOKED int main(int argc, char **)
{
    pthread_t threads[4];
    unsigned events = 0;

    crashes = argc > 1;
    look(4);
    work(nullptr);
    for (pthread_t &thread : threads)
        pthread_create(&thread, nullptr, work, &threads);
    for (pthread_t &thread : threads)
        pthread_join(thread, nullptr);
    mprof_trace_disable();
    for (const mprof_prof &prof : s_prof)
        events += prof.trace_lead.head;
    printf("%u %u %u %u %u\n", events, entered.load(), left.load(), caught.load(), deepest.load());
}
