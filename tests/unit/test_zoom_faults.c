/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a zoom says when gdb hangs or fails, the file is another one, or there is no function. */
#include <locale.h>
#include <poll.h>
#include <unistd.h>

#include "zoom_checks.h"

/* After base/say.h, which has a function of the name of one of its macros. */
#include "unit.h"

static void expect_refusal(struct fixture *f, const struct view_row *row, const char *why)
{
    char text[600] = "";

    assert_null(zoom_open(&f->watch, row, text, sizeof(text)));
    if (!strstr(text, why))
        fail_msg("no '%s' in: %s", why, text);
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
    for (int i = 0; i < 30000 && access(path, R_OK) != 0; i++)
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
    for (int i = 0; i < 30000 && lives(pid); i++)
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
         "no valid instruction"},
        {"#!/bin/sh\necho '(gdb)'\nn=0\nwhile read line; do n=$((n+1))\n"
         "printf '%s^error,msg=\"no way\"\\n' $n; done\n",
         "no way"},
    };
    struct fixture *f = *state;

    for (size_t i = 0; i < COUNT(programs); i++) {
        write_gdb(f, programs[i][0]);
        struct zoom *zoom = open_name(f, "inlines_first");
        finish_zoom(zoom, f);
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
    expect_screen(zoom, "has changed since it was loaded", true);
    zoom_close(zoom);
    copy_file(ZOOM_ELF, f->elf);
    load_zoom(f);
    zoom = open_name(f, "inlines_first");
    copy_file(ZOOM_OTHER, f->elf);
    finish_zoom(zoom, f);
    expect_screen(zoom, "has changed since it was loaded", true);
    zoom_close(zoom);
}

static void test_loaded_again(void **state)
{
    struct fixture *f = *state;
    struct zoom *zoom = open_name(f, "_start");

    finish_zoom(zoom, f);
    copy_file(ZOOM_OTHER, f->elf);
    load_zoom(f);
    assert_true(zoom_update(zoom, &f->watch, &f->watch.profile));
    finish_zoom(zoom, f);
    expect_screen(zoom, "cold_user", true); /* its only instruction jumps there */
    zoom_close(zoom);
    zoom = open_name(f, "cold_user");
    finish_zoom(zoom, f);
#ifndef __clang__ /* which does not split functions so */
    expect_screen(zoom, "cold_user.cold at 0x", true);
#endif
    copy_file(ZOOM_ELF, f->elf);
    load_zoom(f);
    assert_true(zoom_update(zoom, &f->watch, &f->watch.profile));
    expect_screen(zoom, "cold_user is not a function of", true);
    zoom_next_panel(zoom);
    assert_true(zoom_update(zoom, &f->watch, &f->watch.profile));
    expect_screen(zoom, "cold_user is not a function of", true);
    zoom_close(zoom);
}

static void test_what_is_no_function(void **state)
{
    struct fixture *f = *state;

    expect_refusal(f, &(struct view_row){.addr = 0x10}, "0x10 is not in a function of");
    expect_refusal(f, &(struct view_row){.function = "[sleeping]"}, "[sleeping] is not a function");
    const struct view_row inlined = {.function = "innermost", .addr = 0x401084};
    char text[600];
    struct zoom *zoom = zoom_open(&f->watch, &inlined, text, sizeof(text));
    assert_non_null(zoom);
    expect_screen(zoom, "inlines_plain", true);
    zoom_close(zoom);
    f->options.by = VIEW_BY_FILE;
    expect_refusal(f, &(struct view_row){.addr = 0x401080, .file = "a.c"},
                   "a file cannot be annotated");
    f->options.by = VIEW_BY_ADDRESS;
    const struct view_row row = {.addr = 0x401084};
    zoom = zoom_open(&f->watch, &row, text, sizeof(text));
    assert_non_null(zoom);
    expect_screen(zoom, "inlines_plain", true);
    /* Names that were believed are not any more. */
    f->watch.session.match = IDENTITY_DIFFERS;
    strcpy(f->watch.session.difference, "flash has others");
    expect_refusal(f, &row, "no names");
    assert_true(zoom_update(zoom, &f->watch, &f->watch.profile));
    expect_screen(zoom, "no names", true);
    assert_int_equal(zoom_fd(zoom), -1);
    f->watch.session.match = IDENTITY_SAME;
    assert_true(zoom_update(zoom, &f->watch, &f->watch.profile));
    expect_screen(zoom, "10 of 40 samples", true);
    zoom_close(zoom);
    expect_nobody();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ZOOM_TEST(test_gdb_hangs),           ZOOM_TEST(test_gdb_fails),
        ZOOM_TEST(test_file_was_replaced),   ZOOM_TEST(test_loaded_again),
        ZOOM_TEST(test_what_is_no_function),
    };

    setlocale(LC_ALL, "C.UTF-8");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
