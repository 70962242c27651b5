/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a column has for programs. */
#include "values.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <base/path.h>

/* Negative: not known. */
static void give_number(struct view_value *value, double number)
{
    value->kind = number < 0 ? VIEW_VALUE_NONE : VIEW_VALUE_NUMBER;
    value->number = number;
}

static void give_count(struct view_value *value, uint64_t count)
{
    value->kind = VIEW_VALUE_COUNT;
    value->count = count;
}

static void give_text(struct view_value *value, const char *text)
{
    value->kind = text ? VIEW_VALUE_TEXT : VIEW_VALUE_NONE;
    value->text = text;
}

double error_of(const struct view_row *row)
{
    if (row->share.low < 0)
        return -1;
    return fmax(row->share.value - row->share.low, row->share.high - row->share.value);
}

void value_share(const struct view_row *row, struct view_value *value)
{
    give_number(value, row->share.value);
}

void value_low(const struct view_row *row, struct view_value *value)
{
    give_number(value, row->share.low);
}

void value_high(const struct view_row *row, struct view_value *value)
{
    give_number(value, row->share.high);
}

void value_error(const struct view_row *row, struct view_value *value)
{
    give_number(value, error_of(row));
}

void value_recent(const struct view_row *row, struct view_value *value)
{
    give_number(value, row->recent_share);
}

void value_rate(const struct view_row *row, struct view_value *value)
{
    give_number(value, row->rate);
}

void value_mean(const struct view_row *row, struct view_value *value)
{
    give_number(value, row->mean);
}

void value_cpu(const struct view_row *row, struct view_value *value)
{
    give_number(value, row->cpu);
}

void value_hits(const struct view_row *row, struct view_value *value)
{
    give_count(value, row->hits);
}

void value_line(const struct view_row *row, struct view_value *value)
{
    if (row->line != 0)
        give_count(value, row->line);
}

void value_function(const struct view_row *row, struct view_value *value)
{
    give_text(value, row->function);
}

void value_caller(const struct view_row *row, struct view_value *value)
{
    if (row->caller || row->caller_addr == 0) {
        give_text(value, row->caller);
        return;
    }
    snprintf(value->room, sizeof(value->room), "0x%" PRIx64, row->caller_addr);
    give_text(value, value->room);
}

void value_file(const struct view_row *row, struct view_value *value)
{
    give_text(value, row->file);
}

void value_location(const struct view_row *row, struct view_value *value)
{
    if (!row->file)
        return;
    const char *base = path_base_name(row->file);
    if (row->line == 0)
        snprintf(value->room, sizeof(value->room), "%s", base);
    else
        snprintf(value->room, sizeof(value->room), "%s:%u", base, row->line);
    give_text(value, value->room);
}

void value_flags(const struct view_row *row, struct view_value *value)
{
    snprintf(value->room, sizeof(value->room), "%s%s", row->stale ? "s" : "",
             row->split ? "/" : "");
    give_text(value, value->room);
}

void value_address(const struct view_row *row, struct view_value *value)
{
    if (row->unplaced)
        return;
    snprintf(value->room, sizeof(value->room), "0x%" PRIx64, row->addr + row->shift);
    give_text(value, value->room);
}
