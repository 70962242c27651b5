// SPDX-License-Identifier: GPL-3.0-or-later
// Functions whose return is hooked are left by exceptions, with destructors on the way. Prints the
// events of the trace, the entries and exits that functions count, exceptions, destructors, and how
// deep a backtrace was. There is no library of C++: what it would do for one exception is here.
extern "C" {
#include "calls.h"

#include <mprof/mprof.h>
}

#include <stddef.h>
#include <unwind.h>

#define HOOKED extern "C" KEEP_APART
#define OWN    extern "C" UNHOOKED

// Functions with landing pads. gcc 12 for Arm, with -fpatchable-function-entry, has them 6 bytes
// further on than where unwinding finds them.
#ifdef __arm__
#define WITH_PADS extern "C" KEEP_APART UNHOOKED
enum { WITH_PADS_HOOKED = 0 };
#else
#define WITH_PADS HOOKED
enum { WITH_PADS_HOOKED = 1 };
#endif

enum { TURNS = 40, DEPTH = 7 };

static volatile uint32_t entered, left, destroyed, caught, deepest;
static volatile bool throws = true;
static _Unwind_Exception thrown;

#if MPROF_CORES > 1 // each call of fall() is on another core, as far as the stub knows
volatile uint32_t this_core;
#define CORE(i) s_prof[i]
#else
static uint32_t this_core;
#define CORE(i) s_prof
#endif

struct object {
    UNHOOKED object() {}
    UNHOOKED ~object() { destroyed = destroyed + 1; }
};

OWN KEEP_APART void throw_it()
{
    if (!throws) // as the compiler sees it, it may return
        return;
    _Unwind_RaiseException(&thrown);
    put("not caught\n");
    quit();
}

HOOKED void fall(uint32_t depth);

WITH_PADS void go_on(uint32_t depth)
{
    object one;

    entered = entered + WITH_PADS_HOOKED;
    fall(depth);
    left = left + WITH_PADS_HOOKED;
}

HOOKED void fall(uint32_t depth)
{
    entered = entered + 1;
    this_core = (this_core + 1) % (MPROF_CORES);
    if (depth == 0)
        throw_it();
    else
        go_on(depth - 1);
    left = left + 1;
}

WITH_PADS void catch_it(uint32_t depth)
{
    entered = entered + WITH_PADS_HOOKED;
    try {
        fall(depth);
    } catch (...) {
        caught = caught + 1;
    }
    left = left + WITH_PADS_HOOKED;
}

static UNHOOKED _Unwind_Reason_Code count(_Unwind_Context *, void *frames)
{
    ++*static_cast<uint32_t *>(frames);
    return _URC_NO_REASON;
}

HOOKED void look(uint32_t depth)
{
    uint32_t frames = 0;

    entered = entered + 1;
    if (depth != 0) {
        look(depth - 1);
    } else {
        _Unwind_Backtrace(count, &frames);
        deepest = frames;
    }
    left = left + 1;
}

OWN void *__cxa_begin_catch(void *) noexcept
{
    return nullptr;
}

OWN void __cxa_end_catch()
{
}

// Only catch_it() handles exceptions. Some compilers put nops before what unwinding knows of it.
static UNHOOKED bool is_catcher(_Unwind_Context *frame)
{
    return _Unwind_GetRegionStart(frame) - (reinterpret_cast<uintptr_t>(catch_it) & ~uintptr_t(1)) <= 4;
}

// That of C goes to all landing pads.
#ifdef __arm__
extern "C" _Unwind_Reason_Code __gcc_personality_v0(_Unwind_State state, _Unwind_Control_Block *ucb,
                                                    _Unwind_Context *frame);
OWN _Unwind_Reason_Code __gxx_personality_v0(_Unwind_State state, _Unwind_Control_Block *ucb,
                                             _Unwind_Context *frame)
{
    _Unwind_SetGR(frame, 12, reinterpret_cast<uintptr_t>(ucb));
    if (state != _US_VIRTUAL_UNWIND_FRAME || !is_catcher(frame))
        return __gcc_personality_v0(state, ucb, frame);
    ucb->barrier_cache.sp = _Unwind_GetGR(frame, 13);
    return _URC_HANDLER_FOUND;
}

extern "C" __attribute__((naked)) UNHOOKED void __cxa_end_cleanup()
{
    __asm__("ldr r0, =%0\n\tldr r1, =_Unwind_Resume\n\tbx r1" : : "i"(&thrown));
}

static UNHOOKED void find_tables()
{
}
#else
extern "C" _Unwind_Reason_Code __gcc_personality_v0(int version, _Unwind_Action actions,
                                                    _Unwind_Exception_Class kind,
                                                    _Unwind_Exception *exception,
                                                    _Unwind_Context *frame);
OWN _Unwind_Reason_Code __gxx_personality_v0(int version, _Unwind_Action actions,
                                             _Unwind_Exception_Class kind, _Unwind_Exception *exception,
                                             _Unwind_Context *frame)
{
    if ((actions & _UA_SEARCH_PHASE) && is_catcher(frame))
        return _URC_HANDLER_FOUND;
    return __gcc_personality_v0(version, actions, kind, exception, frame);
}

extern "C" const char eh_frame_start[];
extern "C" void __register_frame_info(const void *start, void *object);

static UNHOOKED void find_tables()
{
    static uintptr_t object[8];

    __register_frame_info(eh_frame_start, object);
    __asm__ volatile("csrsi mstatus, 8"); // else -pg hooks no return; all are masked in mie
}
#endif

// What libgcc needs of a C library.
OWN void abort()
{
    put("abort\n");
    quit();
}

OWN void *malloc(size_t)
{
    return nullptr;
}

OWN void free(void *)
{
}

OWN size_t strlen(const char *text)
{
    size_t len = 0;

    while (text[len])
        len++;
    return len;
}

#ifdef __riscv
OWN void mprof_mtimer_entry()
{
}
#endif

UNHOOKED int main()
{
    uint32_t events = 0;

    for (this_core = 0; this_core < (MPROF_CORES); this_core = this_core + 1)
        mprof_init();
    this_core = 0;
    find_tables();
    look(DEPTH);
    for (uint32_t turn = 0; turn < TURNS; turn++)
        catch_it(turn % DEPTH);
    for (this_core = 0; this_core < (MPROF_CORES); this_core = this_core + 1) {
        mprof_trace_disable();
        events += CORE(this_core).trace_lead.head;
    }
    put_hex(events, " ");
    put_hex(entered, " ");
    put_hex(left, " ");
    put_hex(caught, " ");
    put_hex(destroyed, " ");
    put_hex(deepest, "\n");
    quit();
}
