/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A function on the screen at any size, and a zoom into a program of which gdb is asked, or hangs.
 */
#include <locale.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <annotate/calls.h>
#include <annotate/zoom_frame.h>
#include <base/text.h>
#include <load/annotate_code.h>

#include "zoom.h"

/* Behind base/say.h, which has a function of the name of one of its macros. */
#include <cmocka.h>

static uint64_t random_number(uint64_t *state)
{
    *state = *state * 6364136223846793005U + 1442695040888963407U;
    return *state >> 33;
}

/* --- Frames. --- */

static struct symtab_function alpha = {.addr = 0x100, .size = 0x20, .name = "alpha"};

static const struct symtab_function *find(void *context, uint64_t addr)
{
    (void)context;
    return addr - alpha.addr < alpha.size ? &alpha : NULL;
}

static bool find_line(void *context, uint64_t addr, struct symtab_line *line)
{
    (void)context;
    *line =
        (struct symtab_line){.file = "/nowhere/one.c", .line = (unsigned)(addr - 0x100) / 8 + 1};
    return find(NULL, addr) != NULL;
}

static bool find_start(void *context, const struct symtab_function *function,
                       struct symtab_line *line)
{
    return find_line(context, function->addr, line);
}

static size_t find_inlined(void *context, uint64_t addr, struct symtab_inlined *frames, size_t max)
{
    (void)context, (void)max;
    frames[0] = (struct symtab_inlined){
        .name = "inner", .file = "/nowhere/one.c", .line = 5, .call_line = 9};
    return addr >= 0x110 && addr < 0x118;
}

static const struct symbol_naming naming = {
    .find = find, .find_line = find_line, .find_start = find_start, .find_inlined = find_inlined};

struct made {
    struct profile_hit hits[2];
    struct profile profile;
    struct annotation annotation;
    struct annotate_frame panel, notes;
};

static void build(struct made *m, unsigned width)
{
    const struct annotate_input input = {
        .profile = &m->profile, .names = &naming, .addr_size = 4, .unit = "samples"};
    const struct annotate_layout layout = {.width = width, .program = ""};

    assert_true(annotate_build(&m->annotation, &input));
    assert_true(annotate_frame_body(&m->annotation, &layout, &m->panel));
    assert_true(annotate_frame_notes(&m->annotation, &layout, &m->notes));
}

/* Eight instructions, of which the last jumps back. */
static void make(struct made *m, unsigned width)
{
    static char nop[] = "nop", jump[] = "b 0x108 <alpha+8>";

    *m = (struct made){.hits = {{.addr = 0x108, .hits = 75}, {.addr = 0x200, .hits = 25}}};
    m->profile = (struct profile){.rows = m->hits,
                                  .row_count = 2,
                                  .attributed = 100,
                                  .grain = 8,
                                  .unit = DECODE_UNIT_SAMPLES};
    m->annotation.parts[0].function = &alpha;
    m->annotation.part_count = 1;
    for (uint64_t at = 0x100; at < 0x120; at += 4) {
        struct listing_item item = {.addr = at, .size = 4, .text = nop};
        if (at == 0x11c)
            item.text = jump, item.jumps = true, item.target = 0x108;
        assert_true(listing_add(&m->annotation.parts[0].listing, &item));
    }
    build(m, width);
}

static void unmake(struct made *m)
{
    annotate_frame_free(&m->panel);
    annotate_frame_free(&m->notes);
    annotate_free(&m->annotation);
}

static void show(const struct made *m, const struct view_layout *layout, struct view_frame *frame)
{
    const struct view_zoom zoom = {
        .name = "alpha", .about = &m->annotation, .notes = &m->notes, .panel = &m->panel};

    assert_true(view_zoom_frame(&zoom, layout, frame));
    assert_int_equal(frame->count, layout->height);
    for (size_t i = 0; i < frame->count; i++) {
        if ((unsigned)text_cells(frame->lines[i].text) > layout->width)
            fail_msg("wider than %u: %s", layout->width, frame->lines[i].text);
    }
}

static void expect_lines(const struct view_frame *frame, const char *const *lines, size_t count)
{
    for (size_t i = 0; i < count; i++)
        assert_string_equal(frame->lines[i].text, lines[i]);
}

static void test_golden_small(void **state)
{
    static const char *const lines[] = {
#include "data/zoom_40x10.inc"
    };
    struct made m;
    struct view_frame frame;

    (void)state;
    make(&m, 40);
    show(&m, &(struct view_layout){.width = 40, .height = 10, .selected = VIEW_NO_ROW}, &frame);
    expect_lines(&frame, lines, 10);
    view_frame_free(&frame);
    unmake(&m);
}

static void test_golden(void **state)
{
    static const char *const lines[] = {
#include "data/zoom_80x24.inc"
    };
    struct made m;
    struct view_frame frame;

    (void)state;
    make(&m, 80);
    show(&m, &(struct view_layout){.width = 80, .height = 24, .selected = 7}, &frame);
    expect_lines(&frame, lines, 24);
    assert_int_equal(frame.heading, 3);
    assert_int_equal(frame.total, 14);
    assert_int_equal(frame.shown, 14);
    for (size_t i = 0; i < frame.count; i++)
        assert_int_equal(frame.lines[i].selected, i == 4 + 7);
    /* The numbers of a hot one are red, and nothing else. */
    const struct view_line *hot = &frame.lines[4 + 3];
    assert_int_equal(hot->span_count, 1);
    assert_int_equal(hot->spans[0].style, VIEW_STYLE_HOT);
    assert_int_equal(hot->spans[0].cells, 14);
    assert_int_equal(hot->style, VIEW_STYLE_SOURCE);
    assert_int_equal(frame.lines[23].style, VIEW_STYLE_FOOTER);
    assert_int_equal(frame.lines[23].spans[1].style, VIEW_STYLE_KEY);
    view_frame_free(&frame);
    unmake(&m);
}

static void test_golden_large(void **state)
{
    struct made m;
    struct view_frame frame;

    (void)state;
    make(&m, 200);
    show(&m, &(struct view_layout){.width = 200, .height = 50, .selected = VIEW_NO_ROW}, &frame);
    assert_string_equal(frame.lines[0].text, "alpha  75.0% (65.7 to 82.5)  75 of 100 samples  "
                                             "one.c:1  resolution 8 bytes");
    assert_string_equal(frame.lines[1].text, "no source: /nowhere/one.c is not there, or cannot be "
                                             "read (--source DIR looks there)");
    assert_string_equal(frame.lines[7].text, "  50.7    ~38 ┌>      108  nop");
    assert_string_equal(frame.lines[17].text, "");
    assert_string_equal(frame.lines[49].text, "Esc back  n next hot  Tab calls/code  Enter go "
                                              "there  e edit");
    view_frame_free(&frame);
    unmake(&m);
}

static void check_frame(const struct view_frame *f, const struct view_layout *l)
{
    size_t rows = 0, selected = 0;

    for (size_t i = 0; i < f->count; i++) {
        const struct view_line *line = &f->lines[i];
        selected += line->selected;
        for (size_t s = 0; s < line->span_count; s++)
            assert_true(line->spans[s].column + line->spans[s].cells <= l->width);
        if (line->row == VIEW_NO_ROW)
            continue;
        assert_int_equal(line->row, f->first + rows);
        assert_int_equal(line->selected, line->row == l->selected);
        rows++;
    }
    assert_int_equal(rows, f->shown);
    assert_true(f->first + f->shown <= f->total);
    /* Nothing is scrolled away for nothing. */
    assert_true(f->first == 0 || f->shown > 0 || l->height < 2);
    if (f->shown > 0)
        assert_int_equal(selected, l->selected < f->total);
}

static void test_any_size(void **state)
{
    uint64_t seed = 7;

    (void)state;
    for (int round = 0; round < 3000; round++) {
        struct view_layout layout = {
            .width = 1 + (unsigned)random_number(&seed) % 120,
            .height = 1 + (unsigned)random_number(&seed) % 40,
            .first = random_number(&seed) % 30,
            .selected = random_number(&seed) % 5 ? random_number(&seed) % 20 : VIEW_NO_ROW,
        };
        struct made m;
        struct view_frame frame;
        make(&m, layout.width);
        if (random_number(&seed) % 4 == 0)
            annotate_frame_free(&m.notes);
        show(&m, &layout, &frame);
        check_frame(&frame, &layout);
        view_frame_free(&frame);
        unmake(&m);
    }
}

/* --- Callers and callees. --- */

static void test_calls(void **state)
{
    static struct view_row arcs[] = {
        {.function = "alpha", .addr = 0x100, .caller = "small", .caller_addr = 0x40, .hits = 25},
        {.function = "alpha", .addr = 0x100, .caller = "big", .caller_addr = 0x50, .hits = 70},
        {.function = "alpha", .addr = 0x100, .caller_addr = 0x999, .hits = 5},
        {.function = "leaf", .addr = 0x200, .caller = "alpha", .caller_addr = 0x100, .hits = 9},
        {.function = "alpha", .addr = 0x300, .caller = "big", .caller_addr = 0x50, .hits = 9},
        {.addr = 0x100, .caller = "big", .caller_addr = 0x50, .hits = 9}, /* padding's block */
    };
    static const char *const lines[] = {"SHARE%      CALLS  CALLERS AND CALLEES",
                                        "                   called by",
                                        "  70.0         70    big",
                                        "  25.0         25    small",
                                        "   5.0          5    0x999",
                                        " 100.0        100  alpha   one.c:1",
                                        "                   calls",
                                        " 100.0          9    leaf"};
    const struct view_rows rows = {.rows = arcs, .count = 6, .arcs = true};
    const struct annotate_layout layout = {.width = 80, .program = ""};
    struct view_calls calls;
    struct annotate_frame frame;

    (void)state;
    assert_true(view_calls_build(&rows, &alpha, &calls));
    assert_int_equal(calls.caller_count, 3);
    assert_int_equal(calls.callee_count, 1);
    assert_int_equal(calls.in, 100);
    assert_true(view_calls_frame(&calls, &naming, NULL, &layout, &frame));
    assert_int_equal(frame.count, 8);
    for (size_t i = 0; i < 8; i++)
        assert_string_equal(frame.lines[i].text, lines[i]);
    assert_false(frame.lines[4].has_addr); /* of no function */
    assert_int_equal(frame.lines[3].addr, 0x40);
    annotate_frame_free(&frame);
    view_calls_free(&calls);
}

/* --- A zoom. --- */

struct fixture {
    char folder[64], elf[100], gdb[100];
    struct options options;
    struct watch watch;
    struct profile_hit hits[4];
};

static void copy_file(const char *from, const char *to)
{
    char command[400];

    snprintf(command, sizeof(command), "cp '%s' '%s.new' && mv '%s.new' '%s'", from, to, to, to);
    assert_int_equal(system(command), 0);
}

/* As elf_file.c does it, of a program without a table. */
static void load(struct fixture *f)
{
    struct elf_file *elf = &f->watch.session.elf;
    char text[200];
    struct stat about;

    symtab_free(elf->symtab);
    assert_int_equal(stat(f->elf, &about), 0);
    *elf = (struct elf_file){.path = f->elf, .kind = SYMTAB_TABLE_STUB};
    elf->loaded = (struct elf_stamp){.device = about.st_dev,
                                     .inode = about.st_ino,
                                     .size = about.st_size,
                                     .changed = about.st_mtim};
    assert_int_equal(symtab_load(f->elf, &elf->symtab, text, sizeof(text)), SYMTAB_OK);
}

static int begin(void **state)
{
    struct fixture *f = calloc(1, sizeof(*f));

    assert_non_null(f);
    strcpy(f->folder, "/tmp/mprof-zoom-XXXXXX");
    assert_non_null(mkdtemp(f->folder));
    snprintf(f->elf, sizeof(f->elf), "%s/a.elf", f->folder);
    snprintf(f->gdb, sizeof(f->gdb), "%s/gdb", f->folder);
    copy_file(ZOOM_ELF, f->elf);
    load(f);
    f->options = (struct options){.disassembler = NULL};
    f->watch.options = &f->options;
    f->watch.session.options = &f->options;
    f->watch.session.match = IDENTITY_SAME;
    f->hits[0] = (struct profile_hit){.addr = 0x401010, .hits = 30};
    f->hits[1] = (struct profile_hit){.addr = 0x401080, .hits = 10};
    f->watch.profile = (struct profile){.rows = f->hits,
                                        .row_count = 2,
                                        .attributed = 40,
                                        .grain = 16,
                                        .updated_s = 1,
                                        .unit = DECODE_UNIT_SAMPLES};
    *state = f;
    return 0;
}

static int end(void **state)
{
    struct fixture *f = *state;
    char command[200];

    symtab_free(f->watch.session.elf.symtab);
    annotate_code_forget();
    snprintf(command, sizeof(command), "rm -rf '%s'", f->folder);
    assert_int_equal(system(command), 0);
    free(f);
    return 0;
}

/* Every process that was started has ended and was waited for. */
static void expect_nobody(void)
{
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

static struct zoom *open_name(struct fixture *f, const char *name)
{
    const struct view_row row = {.function = name};
    char text[600] = "";

    struct zoom *zoom = zoom_open(&f->watch, &row, text, sizeof(text));
    if (!zoom)
        fail_msg("%s", text);
    return zoom;
}

static void expect_refusal(struct fixture *f, const struct view_row *row, const char *why)
{
    char text[600] = "";

    assert_null(zoom_open(&f->watch, row, text, sizeof(text)));
    if (!strstr(text, why))
        fail_msg("no '%s' in: %s", why, text);
}

static char *screen(struct zoom *zoom, size_t selected)
{
    const struct view_layout layout = {.width = 120, .height = 150, .selected = selected};
    struct view_frame frame;
    struct text text = {.bytes = NULL};

    assert_true(zoom_frame(zoom, &layout, &frame));
    for (size_t i = 0; i < frame.count; i++)
        text_printf(&text, "%s%s\n", frame.lines[i].selected ? "@" : "", frame.lines[i].text);
    view_frame_free(&frame);
    return text.bytes;
}

static void expect_screen(struct zoom *zoom, const char *wanted, bool there)
{
    char *text = screen(zoom, VIEW_NO_ROW);

    if (!!strstr(text, wanted) != there)
        fail_msg("'%s' is%s in:\n%s", wanted, there ? " not" : "", text);
    free(text);
}

/* Until nothing goes on any more. */
static void finish(struct zoom *zoom, struct fixture *f)
{
    for (int i = 0; i < 3000 && zoom_fd(zoom) >= 0; i++) {
        struct pollfd fd = {.fd = zoom_fd(zoom), .events = POLLIN};
        (void)poll(&fd, 1, 100);
        assert_true(zoom_update(zoom, &f->watch, &f->watch.profile));
    }
    assert_int_equal(zoom_fd(zoom), -1);
}

static void write_gdb(struct fixture *f, const char *text)
{
    FILE *file = fopen(f->gdb, "w");

    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(f->gdb, 0700), 0);
    f->options.disassembler = f->gdb;
}

static void test_lines_then_instructions(void **state)
{
    struct fixture *f = *state;
    struct zoom *zoom = open_name(f, "inlines_first");
    const char *file;
    unsigned number, again;

    expect_screen(zoom, "disassembling", true);
    expect_screen(zoom, "symbol_inlines.c:", true);
    expect_screen(zoom, "  ret\n", false);
    expect_screen(zoom, "30 of 40 samples", true);
    expect_screen(zoom, "while (sum < inlines_object[4])", true); /* without hits */
    size_t line = zoom_hottest(zoom, VIEW_NO_ROW);
    assert_true(line != VIEW_NO_ROW);
    assert_true(zoom_place(zoom, line, &file, &number));
    assert_non_null(strstr(file, "data/symbol_inlines.c"));
    finish(zoom, f);
    expect_nobody();
    expect_screen(zoom, "disassembling", false);
    expect_screen(zoom, "  ret\n", true);
    expect_screen(zoom, "inlined innermost", true);
    line = zoom_follow(zoom, line);
    assert_true(zoom_place(zoom, line, &file, &again));
    assert_int_equal(again, number);
    zoom_close(zoom);
}

/* New numbers, the cursor stays. */
static void test_numbers_follow(void **state)
{
    struct fixture *f = *state;
    struct zoom *zoom = open_name(f, "inlines_first");

    finish(zoom, f);
    size_t line = zoom_follow(zoom, 0) + 5;
    f->hits[0].hits = 190;
    f->watch.profile.attributed = 200;
    f->watch.profile.updated_s = 2;
    char *before = screen(zoom, line);
    assert_true(zoom_update(zoom, &f->watch, &f->watch.profile));
    assert_int_equal(zoom_follow(zoom, line), line);
    char *after = screen(zoom, line);
    assert_non_null(strstr(after, "190 of 200 samples"));
    const char *x = strchr(before, '@'), *y = strchr(after, '@');
    assert_non_null(x);
    assert_memory_equal(x + 15, y + 15, strcspn(x + 15, "\n"));
    free(before);
    free(after);
    zoom_close(zoom);
}

static void test_hottest_first(void **state)
{
    struct fixture *f = *state;
    struct zoom *zoom = open_name(f, "inlines_first");
    size_t seen[64], count = 0;

    finish(zoom, f);
    size_t first = zoom_hottest(zoom, VIEW_NO_ROW);
    for (size_t at = first; count < 64 && (count == 0 || at != first); at = zoom_hottest(zoom, at))
        seen[count++] = at;
    assert_true(count > 1 && count < 10); /* the instructions of one block */
    for (size_t i = 1; i < count; i++)
        assert_int_not_equal(seen[i], seen[i - 1]);
    zoom_close(zoom);
}

static void test_kept(void **state)
{
    struct fixture *f = *state;
    struct zoom *zoom = open_name(f, "inlines_first");

    finish(zoom, f);
    zoom_close(zoom);
    f->options.disassembler = "/nowhere/gdb";
    zoom = open_name(f, "inlines_first");
    expect_screen(zoom, "  ret\n", true);
    assert_int_equal(zoom_fd(zoom), -1);
    zoom_close(zoom);
    /* Of another function, or of another file of that name, it was not. */
    zoom = open_name(f, "_start");
    finish(zoom, f);
    expect_screen(zoom, "no instructions", true);
    zoom_close(zoom);
    copy_file(ZOOM_ELF, f->elf);
    load(f);
    zoom = open_name(f, "inlines_first");
    finish(zoom, f);
    expect_screen(zoom, "no instructions", true);
    zoom_close(zoom);
    expect_nobody();
}

/* A process that has ended may not have been waited for yet. */
static bool lives(int pid)
{
    char path[40], state = 'Z';

    snprintf(path, sizeof(path), "/proc/%d/stat", pid);
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    bool known = fscanf(file, "%*d %*s %c", &state) == 1;
    fclose(file);
    return known && state != 'Z';
}

/* It takes no command, and ignores what it can. */
static void test_gdb_hangs(void **state)
{
    struct fixture *f = *state;
    char path[200];

    snprintf(path, sizeof(path), "%s/pid", f->folder);
    write_gdb(f, "#!/bin/sh\ntrap '> \"${0%/*}/asked\"' TERM HUP INT PIPE\n"
                 "echo $$ > \"${0%/*}/pid.new\"\nmv \"${0%/*}/pid.new\" \"${0%/*}/pid\"\n"
                 "while :; do sleep 0.05; done\n");
    struct zoom *zoom = open_name(f, "inlines_first");
    for (int i = 0; i < 1000 && access(path, R_OK) != 0; i++)
        (void)poll(NULL, 0, 10);
    assert_true(zoom_update(zoom, &f->watch, &f->watch.profile));
    expect_screen(zoom, "disassembling", true);
    FILE *file = fopen(path, "r");
    int pid = 0;
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%d", &pid), 1);
    fclose(file);
    assert_true(lives(pid));
    zoom_close(zoom);
    expect_nobody();
    for (int i = 0; i < 1000 && lives(pid); i++)
        (void)poll(NULL, 0, 10);
    assert_false(lives(pid));
    /* It was not asked to end, which would take time. */
    snprintf(path, sizeof(path), "%s/asked", f->folder);
    assert_int_not_equal(access(path, F_OK), 0);
}

static void test_gdb_fails(void **state)
{
    static const char *const programs[][2] = {
        {"#!/bin/sh\necho cannot start >&2\nexit 3\n", "cannot start"},
        {"#!/bin/sh\necho '(gdb)'\nn=0\nwhile read line; do n=$((n+1))\n"
         "echo \"$n^done,asm_insns=[{address=\\\"0x1\\\"}]\"; done\n",
         "no instruction that makes sense"},
        {"#!/bin/sh\necho '(gdb)'\nn=0\nwhile read line; do n=$((n+1))\n"
         "printf '%s^error,msg=\"no way\"\\n' $n; done\n",
         "no way"},
    };
    struct fixture *f = *state;

    for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
        write_gdb(f, programs[i][0]);
        struct zoom *zoom = open_name(f, "inlines_first");
        finish(zoom, f);
        expect_screen(zoom, programs[i][1], true);
        expect_screen(zoom, "no instructions: ", true);
        expect_screen(zoom, "symbol_inlines.c:", true);
        zoom_close(zoom);
        expect_nobody();
    }
}

/* gdb would read what was not loaded. */
static void test_file_was_replaced(void **state)
{
    struct fixture *f = *state;

    copy_file(ZOOM_OTHER, f->elf);
    struct zoom *zoom = open_name(f, "inlines_first");
    assert_int_equal(zoom_fd(zoom), -1);
    expect_screen(zoom, "is not the file any more that was loaded", true);
    zoom_close(zoom);
    copy_file(ZOOM_ELF, f->elf);
    load(f);
    zoom = open_name(f, "inlines_first");
    copy_file(ZOOM_OTHER, f->elf);
    finish(zoom, f);
    expect_screen(zoom, "is not the file any more that was loaded", true);
    zoom_close(zoom);
}

static void test_loaded_again(void **state)
{
    struct fixture *f = *state;
    struct zoom *zoom = open_name(f, "_start");

    finish(zoom, f);
    copy_file(ZOOM_OTHER, f->elf);
    load(f);
    assert_true(zoom_update(zoom, &f->watch, &f->watch.profile));
    finish(zoom, f);
    expect_screen(zoom, "cold_user", true); /* its only instruction jumps there */
    zoom_close(zoom);
    zoom = open_name(f, "cold_user");
    finish(zoom, f);
#ifndef __clang__ /* which does not split functions so */
    expect_screen(zoom, "cold_user.cold at 0x", true);
#endif
    copy_file(ZOOM_ELF, f->elf);
    load(f);
    assert_true(zoom_update(zoom, &f->watch, &f->watch.profile));
    expect_screen(zoom, "cold_user is no function of", true);
    zoom_next_panel(zoom);
    assert_true(zoom_update(zoom, &f->watch, &f->watch.profile));
    expect_screen(zoom, "cold_user is no function of", true);
    zoom_close(zoom);
}

static void test_what_is_no_function(void **state)
{
    struct fixture *f = *state;

    expect_refusal(f, &(struct view_row){.addr = 0x10}, "0x10 is in no function of");
    expect_refusal(f, &(struct view_row){.function = "[sleeping]"}, "[sleeping] is no function");
    const struct view_row inlined = {.function = "innermost", .addr = 0x401084};
    char text[600];
    struct zoom *zoom = zoom_open(&f->watch, &inlined, text, sizeof(text));
    assert_non_null(zoom);
    expect_screen(zoom, "inlines_plain", true);
    zoom_close(zoom);
    f->options.by = VIEW_BY_FILE;
    expect_refusal(f, &(struct view_row){.addr = 0x401080, .file = "a.c"}, "a file has no inside");
    f->options.by = VIEW_BY_ADDRESS;
    const struct view_row row = {.addr = 0x401084};
    zoom = zoom_open(&f->watch, &row, text, sizeof(text));
    assert_non_null(zoom);
    expect_screen(zoom, "inlines_plain", true);
    /* Names that were believed are not any more. */
    f->watch.session.match = IDENTITY_DIFFERS;
    strcpy(f->watch.session.difference, "flash has others");
    expect_refusal(f, &row, "names are not believed");
    assert_true(zoom_update(zoom, &f->watch, &f->watch.profile));
    expect_screen(zoom, "names are not believed", true);
    assert_int_equal(zoom_fd(zoom), -1);
    f->watch.session.match = IDENTITY_SAME;
    assert_true(zoom_update(zoom, &f->watch, &f->watch.profile));
    expect_screen(zoom, "10 of 40 samples", true);
    zoom_close(zoom);
    expect_nobody();
}

static size_t line_with(struct zoom *zoom, const char *wanted)
{
    const struct view_layout layout = {.width = 120, .height = 150, .selected = VIEW_NO_ROW};
    struct view_frame frame;
    size_t row = VIEW_NO_ROW;

    assert_true(zoom_frame(zoom, &layout, &frame));
    for (size_t i = 0; i < frame.count && row == VIEW_NO_ROW; i++) {
        if (frame.lines[i].row != VIEW_NO_ROW && strstr(frame.lines[i].text, wanted))
            row = frame.lines[i].row;
    }
    view_frame_free(&frame);
    assert_true(row != VIEW_NO_ROW);
    return row;
}

static void test_targets(void **state)
{
    struct fixture *f = *state;
    struct zoom *zoom = open_name(f, "_start");
    struct view_row row;
    char text[600];

    finish(zoom, f);
    size_t call = line_with(zoom, "call");
    assert_string_equal(zoom_target(zoom, call), "inlines_first");
    assert_null(zoom_target(zoom, line_with(zoom, "  ret")));
    assert_null(zoom_target(zoom, 1000));
    assert_true(zoom_target_row(zoom, call, &row));
    struct zoom *next = zoom_open(&f->watch, &row, text, sizeof(text));
    assert_non_null(next);
    zoom_close(zoom);
    finish(next, f);
    expect_screen(next, "inlines_first  75.0%", true);
    zoom_close(next);
}

/* An arcs profile is the one that is shown. */
static void test_callers_of_arcs(void **state)
{
    struct fixture *f = *state;

    f->hits[0] = (struct profile_hit){.addr = 0x401000, .caller = 0x4010a0, .hits = 6};
    f->hits[1] = (struct profile_hit){.addr = 0x401080, .caller = 0x4010a8, .hits = 4};
    f->watch.profile.source = DECODE_ARCS;
    f->watch.profile.unit = DECODE_UNIT_CALLS;
    f->watch.profile.attributed = 10;
    f->watch.profile.grain = 2;
    struct zoom *zoom = open_name(f, "_start");
    finish(zoom, f);
    zoom_next_panel(zoom);
    assert_true(zoom_update(zoom, &f->watch, &f->watch.profile));
    expect_screen(zoom, " 60.0          6    inlines_first   symbol_inlines.c:", true);
    expect_screen(zoom, " 40.0          4    inlines_plain", true);
    expect_screen(zoom, "(nobody, as far as it was counted)", true);
    size_t self = zoom_follow(zoom, 1000);
    assert_null(zoom_target(zoom, self));
    assert_int_equal(self, line_with(zoom, "_start"));
    assert_string_equal(zoom_target(zoom, line_with(zoom, "inlines_plain")), "inlines_plain");
    zoom_next_panel(zoom);
    expect_screen(zoom, "call", true);
    zoom_close(zoom);
}

/* Hardware is not halted for it; a table without a header has none. */
static void test_callers_are_not_read(void **state)
{
    struct fixture *f = *state;
    struct zoom *zoom = open_name(f, "_start");

    finish(zoom, f);
    zoom_next_panel(zoom);
    expect_screen(zoom, "reading callers and callees", true);
    f->watch.session.link = (struct gdbmi_link *)f; /* nothing is asked of it */
    assert_true(zoom_update(zoom, &f->watch, &f->watch.profile));
    expect_screen(zoom, "each time would halt this target", true);
    f->watch.session.elf.kind = SYMTAB_TABLE_HEADERLESS;
    zoom_next_panel(zoom);
    zoom_next_panel(zoom);
    assert_true(zoom_update(zoom, &f->watch, &f->watch.profile));
    expect_screen(zoom, "a table without a header has no arcs", true);
    f->watch.session.link = NULL;
    zoom_close(zoom);
}

static void test_random_keys(void **state)
{
    struct fixture *f = *state;
    static const char *const names[] = {"_start", "inlines_first", "inlines_plain"};
    uint64_t seed = 3;
    struct zoom *zoom = open_name(f, names[0]);

    for (int round = 0; round < 400; round++) {
        struct view_layout layout = {.width = 1 + (unsigned)random_number(&seed) % 200,
                                     .height = 1 + (unsigned)random_number(&seed) % 60,
                                     .first = random_number(&seed) % 100,
                                     .selected = random_number(&seed) % 100};
        size_t line = random_number(&seed) % 100;
        struct view_frame frame;
        const char *file;
        unsigned number;
        switch (random_number(&seed) % 6) {
        case 0:
            zoom_next_panel(zoom);
            break;
        case 1:
            f->hits[0].hits += random_number(&seed) % 9;
            f->watch.profile.updated_s++;
            assert_true(zoom_update(zoom, &f->watch, &f->watch.profile));
            break;
        case 2:
            (void)zoom_place(zoom, line, &file, &number);
            (void)zoom_target(zoom, line);
            break;
        case 3:
            (void)zoom_hottest(zoom, line);
            break;
        case 4:
            (void)zoom_follow(zoom, line);
            break;
        case 5:
            if (random_number(&seed) % 8 == 0) {
                zoom_close(zoom);
                zoom = open_name(f, names[random_number(&seed) % 3]);
            }
            break;
        }
        assert_true(zoom_frame(zoom, &layout, &frame));
        assert_int_equal(frame.count, layout.height);
        check_frame(&frame, &layout);
        view_frame_free(&frame);
    }
    zoom_close(zoom);
    expect_nobody();
}

#define ZOOM_TEST(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden_small),
        cmocka_unit_test(test_golden),
        cmocka_unit_test(test_golden_large),
        cmocka_unit_test(test_any_size),
        cmocka_unit_test(test_calls),
        ZOOM_TEST(test_lines_then_instructions),
        ZOOM_TEST(test_numbers_follow),
        ZOOM_TEST(test_hottest_first),
        ZOOM_TEST(test_kept),
        ZOOM_TEST(test_gdb_hangs),
        ZOOM_TEST(test_gdb_fails),
        ZOOM_TEST(test_file_was_replaced),
        ZOOM_TEST(test_loaded_again),
        ZOOM_TEST(test_what_is_no_function),
        ZOOM_TEST(test_targets),
        ZOOM_TEST(test_callers_of_arcs),
        ZOOM_TEST(test_callers_are_not_read),
        ZOOM_TEST(test_random_keys),
    };

    setlocale(LC_ALL, "C.UTF-8");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
