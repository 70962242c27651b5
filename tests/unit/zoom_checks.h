/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A zoom into a program on disk, and what holds for its frames. */
#ifndef ZOOM_CHECKS_H
#define ZOOM_CHECKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <screen/frame.h>

#include "zoom.h"

/* A number that only depends on *state, which goes on. */
uint64_t random_number(uint64_t *state);

/* Checks what holds for a frame of any size: its rows, its cursor, its styles. */
void check_frame(const struct view_frame *f, const struct view_layout *l);

/* A program in a folder of its own, and what a live view knows of it. */
struct fixture {
    char folder[64], elf[100], gdb[100];
    struct options options;
    struct watch watch;
    struct profile_hit hits[4];
};

/* Replaces the file at to by a copy. */
void copy_file(const char *from, const char *to);

/* Loads the fixture's program as elf_file.c does, but without a table. */
void load_zoom(struct fixture *f);

/* Disassembles by this script from now on. */
void write_gdb(struct fixture *f, const char *text);

/* Setup and teardown of a test with a fixture, see ZOOM_TEST(). */
int begin_zoom(void **state);
int end_zoom(void **state);

/* Checks that every process that was started has ended and was waited for. */
void expect_nobody(void);

/* A zoom into the function of that name. The caller frees it with zoom_close(). */
struct zoom *open_name(struct fixture *f, const char *name);

/* Its lines as one text, "@" before the selected one. The caller frees it. */
char *zoom_screen(struct zoom *zoom, size_t selected);

/* Checks that the screen has the words in it, or has not. */
void expect_screen(struct zoom *zoom, const char *wanted, bool there);

/* Updates the zoom until nothing goes on any more. */
void finish_zoom(struct zoom *zoom, struct fixture *f);

#define ZOOM_TEST(test) cmocka_unit_test_setup_teardown(test, begin_zoom, end_zoom)

#endif
