/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the frame of an exception. */
#include "exception.h"

#include "thumb.h"

/* Bits of EXC_RETURN. */
#define SECURE_STACK   0x40U
#define NO_FP          0x10U
#define THREAD_MODE    0x08U
#define PROCESS_STACK  0x04U
#define ALWAYS_0       0x02U
#define SECURE_HANDLER 0x01U
#define HIGH           0xffffff80U

/* Bytes of the frame without and with the registers of the floating point unit. */
#define FRAME    32
#define FRAME_FP 104

/* Of the stacked xPSR: a word was left out to align the frame. */
#define ALIGNED ((uint64_t)1 << 9)

bool exception_is_return(uint64_t ra)
{
    return (ra & HIGH) == HIGH && !(ra & ALWAYS_0);
}

static bool find_frame(struct walk *walk, uint64_t exc_return, uint64_t *frame)
{
    bool process = (exc_return & THREAD_MODE) && (exc_return & PROCESS_STACK);

    return walk_register(walk, process ? UNWIND_PSP : THUMB_SP, frame);
}

enum step exception_step(struct walk *walk, uint64_t exc_return)
{
    /* In the order of the frame. */
    static const unsigned char numbers[] = {0, 1, 2, 3, 12, THUMB_LR, UNWIND_PC};
    struct unwind_registers *r = &walk->registers;
    uint64_t frame, value, xpsr;

    if (!(exc_return & SECURE_STACK) != !(exc_return & SECURE_HANDLER))
        return walk_fail(walk, STEP_NO_MEMORY,
                         "it has interrupted code of the other security state");
    if (!find_frame(walk, exc_return, &frame))
        return STEP_NO_MEMORY;
    if (frame % 8 != 0)
        return walk_fail(walk, STEP_IMPLAUSIBLE, "its exception's frame is not aligned");
    for (unsigned i = 0; i < sizeof(numbers); i++) {
        if (!walk_word(walk, frame + 4 * i, 4, &value))
            return STEP_NO_MEMORY;
        unwind_set(r, numbers[i], value);
    }
    if (!walk_word(walk, frame + 28, 4, &xpsr))
        return STEP_NO_MEMORY;
    frame += exc_return & NO_FP ? FRAME : FRAME_FP;
    unwind_set(r, THUMB_SP, frame + (xpsr & ALIGNED ? 4 : 0));
    if (exc_return & PROCESS_STACK)
        r->known &= ~((uint64_t)1 << UNWIND_PSP);
    walk->from_trap = true;
    return STEP_DONE;
}
