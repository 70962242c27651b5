/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program for test_zoom.py: one zoom on a terminal, its keys, and nothing else of mprof top.
 *
 * usage: zoom-demo ELF FUNCTION|0xADDRESS DISASSEMBLER (pid N | gdb ADDRESS TCL_ADDRESS) [SAMPLER]
 */
#define _POSIX_C_SOURCE 200809L

#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <term/term.h>

#include "draw.h"
#include "signals.h"
#include "zoom.h"

#define POLL_MS 200

struct demo {
    struct options options;
    struct watch watch;
    struct zoom *zoom;
    struct term *term;
    size_t line, first, total, page;
    char place[400];
};

void complain(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
}

static bool parse(struct demo *d, int argc, char **argv)
{
    struct options *o = &d->options;

    *o = (struct options){.elf = argv[1], .symbol = "s_prof", .sampler = SAMPLER_KEPT};
    o->disassembler = argv[3][0] ? argv[3] : NULL;
    if (strcmp(argv[4], "pid") == 0)
        o->link.pid = strtol(argv[5], NULL, 10);
    else
        o->link.gdb = argv[5], o->link.tcl = argv[6];
    if (strcmp(argv[argc - 1], "arcs") == 0)
        o->sampler = SAMPLER_ARCS;
    return true;
}

static bool open_zoom(struct demo *d, const struct view_row *row)
{
    char text[600];

    struct zoom *zoom = zoom_open(&d->watch, row, text, sizeof(text));
    if (!zoom) {
        snprintf(d->place, sizeof(d->place), "%.399s", text);
        return false;
    }
    zoom_close(d->zoom);
    d->zoom = zoom;
    size_t hot = zoom_hottest(zoom, VIEW_NO_ROW);
    d->line = hot == VIEW_NO_ROW ? 0 : hot;
    return true;
}

static bool show(struct demo *d)
{
    const struct view_key_hint hint = {"place", d->place};
    struct view_layout layout = {.first = d->first, .selected = d->line};
    struct view_frame frame;
    int rows, columns;

    term_size(d->term, &rows, &columns);
    layout.width = (unsigned)columns;
    layout.height = (unsigned)rows;
    if (d->place[0])
        layout.hints = &hint, layout.hint_count = 1;
    if (!zoom_frame(d->zoom, &layout, &frame))
        return false;
    draw_frame(d->term, 0, &frame);
    d->first = frame.first;
    d->total = frame.total;
    d->page = frame.shown;
    view_frame_free(&frame);
    return true;
}

static void go(struct demo *d)
{
    const char *target = zoom_target(d->zoom, d->line);
    struct view_row row;

    if (!target || !zoom_target_row(d->zoom, d->line, &row))
        snprintf(d->place, sizeof(d->place), "no target");
    else if (strcmp(row.function, target) == 0)
        (void)open_zoom(d, &row);
}

static void say_place(struct demo *d)
{
    const char *file;
    unsigned number;

    if (zoom_place(d->zoom, d->line, &file, &number))
        snprintf(d->place, sizeof(d->place), "%.300s:%u", file, number);
    else
        snprintf(d->place, sizeof(d->place), "nowhere");
}

static void turn(struct demo *d)
{
    zoom_next_panel(d->zoom);
    if (zoom_update(d->zoom, &d->watch, &d->watch.profile))
        d->line = zoom_follow(d->zoom, d->line);
}

static void next_hot(struct demo *d)
{
    size_t hot = zoom_hottest(d->zoom, d->line);

    d->line = hot == VIEW_NO_ROW ? d->line : hot;
}

/* false: leave. */
static bool act(struct demo *d, int key)
{
    if (key != TERM_KEY_NONE && key != TERM_KEY_WAKE)
        d->place[0] = '\0';
    if (key == TERM_KEY_DOWN && d->line + 1 < d->total)
        d->line++;
    else if (key == TERM_KEY_UP && d->line > 0)
        d->line--;
    else if (key == TERM_KEY_HOME)
        d->line = 0;
    else if (key == TERM_KEY_END)
        d->line = d->total ? d->total - 1 : 0;
    else if (key == TERM_KEY_PAGE_DOWN)
        d->line = d->line + d->page < d->total ? d->line + d->page : d->total - 1;
    else if (key == 'n')
        next_hot(d);
    else if (key == '\t')
        turn(d);
    else if (key == '\n')
        go(d);
    else if (key == 'e')
        say_place(d);
    return key != 'q' && key != TERM_KEY_GONE;
}

static bool run(struct demo *d)
{
    double due_s = 0;
    int key = TERM_KEY_NONE;

    do {
        bool due = watch_now_s() >= due_s;
        if (due && watch_poll(&d->watch) != STATUS_DONE)
            return false;
        if ((due || key == TERM_KEY_WAKE) && !zoom_update(d->zoom, &d->watch, &d->watch.profile))
            return false;
        if (due || key == TERM_KEY_WAKE)
            d->line = zoom_follow(d->zoom, d->line);
        if (due)
            due_s = watch_now_s() + POLL_MS / 1000.0;
        if (!show(d))
            return false;
        int left_ms = (int)(1000 * (due_s - watch_now_s()));
        key = term_key(d->term, left_ms > 0 ? left_ms : 0, zoom_fd(d->zoom));
    } while (act(d, key));
    return true;
}

static struct view_row row_of(const char *name)
{
    if (strncmp(name, "0x", 2) == 0)
        return (struct view_row){.addr = strtoull(name, NULL, 16)};
    return (struct view_row){.function = name};
}

static int run_on_terminal(struct demo *d)
{
    char text[200];

    if (term_open(&d->term, 0, 0, text, sizeof(text)) != TERM_OK) {
        complain("%s", text);
        return 1;
    }
    bool done = run(d);
    term_close(d->term);
    return done ? 0 : 1;
}

int main(int argc, char **argv)
{
    struct demo d = {.line = 0};
    int status = 1;

    setlocale(LC_ALL, "");
    if (argc < 6 || !parse(&d, argc, argv) || signals_open() < 0)
        return 2;
    if (watch_open(&d.watch, &d.options, true) != STATUS_DONE)
        return 1;
    const struct view_row row = row_of(argv[2]);
    if (watch_poll(&d.watch) == STATUS_DONE && open_zoom(&d, &row))
        status = run_on_terminal(&d);
    else
        complain("%s", d.place[0] ? d.place : d.watch.failure);
    zoom_close(d.zoom);
    (void)watch_close(&d.watch);
    return status;
}
