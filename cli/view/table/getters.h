/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the functions of columns are declared, and cells that several tables have. */
#ifndef TABLE_GETTERS_H
#define TABLE_GETTERS_H

#include <table/column.h>

/* A column's get and show: of is the row. */
#define GET(name) \
    static void name(const void *of, const struct view_scale *scale, struct view_value *value)
#define SHOW(name)                                                                               \
    static void name(const void *of, const struct view_scale *scale, unsigned width, char *text, \
                     size_t capacity)
#define UNUSED(what) ((void)(what))

/* "main.c:12", without the folder; not known if file is NULL. */
void get_place(const char *file, unsigned line, struct view_value *value);

/* The caller's name, or its address if it has none; not known if that is 0. */
void get_name_or_address(const char *name, uint64_t addr, struct view_value *value);

#endif
