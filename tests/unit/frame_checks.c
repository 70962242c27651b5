/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The status that a header shows, and the words of a frame. */
#include "frame_checks.h"

#include "unit.h"

struct view_status make_status(void)
{
    return (struct view_status){
        .command = "top",
        .elf = "fw.elf",
        .build_id = "3f9a21c0ff",
        .identity = "= flash",
        .kind = "openocd-tcl",
        .server = "Open On-Chip Debugger 0.12.0",
        .address = ":6666",
        .target = "STM32F407",
        .arch = "Cortex-M4F",
        .state = VIEW_STATE_RUNNING,
        .sampler = "stream+table",
        .message = "",
        .live = true,
        .poll_ms = 4,
        .age_s = 0.1,
        .time_s = 12.5,
        .addr_size = 4,
    };
}

bool contains(const struct view_frame *frame, const char *word)
{
    for (size_t i = 0; i < frame->count; i++) {
        if (strstr(frame->lines[i].text, word))
            return true;
    }
    return false;
}
