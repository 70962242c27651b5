/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Screens of any size: what they look like, and what holds for all of them. */
#include <math.h>
#include <regex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include <view/frame.h>
#include <view/text.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define ROWS_MAX 400

/* A screen and all that it is made from. */
struct scene {
    struct view_layout layout;
    struct view_status status;
    struct profile profile;
    struct view_row row[ROWS_MAX];
    char names[ROWS_MAX][24];
    struct view_rows rows;
    struct view_usage usage;
    struct view_past *past;
};

static const struct view_key_hint hints[] = {
    {"Enter", "zoom"}, {"/", "filter"}, {"s", "sort"},  {"t", "since/10s"}, {"b", "base"},
    {"w", "save"},     {"p", "pause"},  {"?", "help"}, {"q", "quit"},
};

static struct view_row make_row(const char *function, const char *file, unsigned line,
                                uint64_t hits, uint64_t all)
{
    return (struct view_row){.function = function,
                             .file = file,
                             .line = line,
                             .addr = 0x8000000 + 16 * hits,
                             .hits = hits,
                             .recent = hits / 100,
                             .share = stats_row_share(hits, 0, all, 0),
                             .recent_share = (double)hits / (double)all,
                             .rate = (double)hits / 100,
                             .mean = (double)hits / 250,
                             .cpu = (double)hits / (double)all};
}

/* The scene of the design: four tasks, a handler, idle. */
static void make_scene(struct scene *s, unsigned width, unsigned height)
{
    enum { ALL = 251904 };

    *s = (struct scene){
        .status = {.command = "top",
                   .elf = "fw.elf",
                   .build_id = "3f9a21c0ff",
                   .identity = "= flash",
                   .kind = "openocd-tcl",
                   .server = "Open On-Chip Debugger 0.12.0",
                   .address = ":6666",
                   .target = "STM32F407",
                   .arch = "Cortex-M4F",
                   .state = "RUNNING",
                   .sampler = "stream+table",
                   .message = "",
                   .live = true,
                   .poll_ms = 4,
                   .age_s = 0.1,
                   .addr_size = 4},
        .profile = {.unit = DECODE_UNIT_SAMPLES,
                    .source = DECODE_STREAM,
                    .grain = 1,
                    .sample_hz = 997,
                    .jittered = true,
                    .attributed = ALL,
                    .heartbeat = ALL,
                    .late = 1008,
                    .events = 996,
                    .recent_s = 1},
        .usage = {.tasks = 0.492,
                  .interrupts = 0.121,
                  .idle = 0.386,
                  .unknown = 0.001,
                  .total_tasks = 0.501,
                  .total_interrupts = 0.12,
                  .total_idle = 0.378,
                  .total_unknown = 0.001,
                  .wall = true},
    };
    s->row[0] = make_row("vApplicationIdleHook", "/src/main.c", 203, 97234, ALL);
    s->row[0].context = VIEW_CONTEXT_IDLE;
    s->row[1] = make_row("fir_filter", "/src/dsp.c", 41, 60709, ALL);
    s->row[2] = make_row("crc32_update", "/src/crc.c", 17, 24687, ALL);
    s->row[3] = make_row("ADC_IRQHandler", "/src/adc.c", 88, 17381, ALL);
    s->row[3].context = VIEW_CONTEXT_INTERRUPT;
    s->row[4] = make_row("__aeabi_ddiv", NULL, 0, 9320, ALL);
    s->row[5] = make_row("vPortExitCritical", "/src/port.c", 412, 1200, ALL);
    s->row[5].stale = true;
    s->rows = (struct view_rows){.rows = s->row, .count = 6, .attributed = ALL};
    s->layout = (struct view_layout){.width = width,
                                     .height = height,
                                     .screen = true,
                                     .ascii = true,
                                     .selected = VIEW_NO_ROW,
                                     .sort = view_column_find("share", 5),
                                     .usage = &s->usage,
                                     .span = "since reset",
                                     .hints = hints,
                                     .hint_count = COUNT(hints)};
}

/* count rows by hits, so many of which are handlers and idle, at the end. */
static void make_many(struct scene *s, size_t count, size_t interrupts, size_t idle)
{
    for (size_t i = 0; i < count; i++) {
        snprintf(s->names[i], sizeof(s->names[i]), "function_%zu", i);
        s->row[i] = make_row(s->names[i], "/src/many.c", (unsigned)i + 1, 10 * (count - i), 500000);
        s->row[i].context = i + idle >= count                ? VIEW_CONTEXT_IDLE
                            : i + idle + interrupts >= count ? VIEW_CONTEXT_INTERRUPT
                                                             : VIEW_CONTEXT_TASK;
    }
    s->rows.count = count;
}

static struct view_frame frame_of(struct scene *s)
{
    struct view_frame frame;

    assert_true(view_frame_build(&s->layout, &s->status, &s->profile, &s->rows, &frame));
    return frame;
}

static void print_frame(const struct view_frame *frame)
{
    for (size_t i = 0; i < frame->count; i++)
        fprintf(stderr, "        \"%s\\n\"\n", frame->lines[i].text);
}
int main(void){(void)print_frame;(void)make_many;(void)frame_of;(void)make_scene;return 0;}
