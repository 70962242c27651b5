/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cells that several tables have. */
#include "getters.h"

#include <stdio.h>

#include <base/path.h>

void get_place(const char *file, unsigned line, struct view_value *value)
{
    if (!file)
        return;
    if (line)
        snprintf(value->room, sizeof(value->room), "%s:%u", path_base_name(file), line);
    else
        snprintf(value->room, sizeof(value->room), "%s", path_base_name(file));
    value->kind = VIEW_VALUE_TEXT;
    value->text = value->room;
}

void get_name_or_address(const char *name, uint64_t addr, struct view_value *value)
{
    value->kind = name ? VIEW_VALUE_TEXT : addr ? VIEW_VALUE_ADDRESS : VIEW_VALUE_NONE;
    if (name)
        value->text = name;
    else
        value->address = addr;
}
