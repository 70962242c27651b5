/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cells' values, one function a column. */
#ifndef TABLE_VALUES_H
#define TABLE_VALUES_H

#include <table/columns.h>

/* The larger side of the interval: what the share may be off by; < 0: not known. */
double error_of(const struct view_row *row);

/* Each sets *value, which comes as VIEW_VALUE_NONE. */
void value_share(const struct view_row *row, struct view_value *value);
void value_low(const struct view_row *row, struct view_value *value);
void value_high(const struct view_row *row, struct view_value *value);
void value_error(const struct view_row *row, struct view_value *value);
void value_recent(const struct view_row *row, struct view_value *value);
void value_rate(const struct view_row *row, struct view_value *value);
void value_mean(const struct view_row *row, struct view_value *value);
void value_cpu(const struct view_row *row, struct view_value *value);
void value_hits(const struct view_row *row, struct view_value *value);
void value_line(const struct view_row *row, struct view_value *value);
void value_function(const struct view_row *row, struct view_value *value);
void value_caller(const struct view_row *row, struct view_value *value);
void value_file(const struct view_row *row, struct view_value *value);
void value_location(const struct view_row *row, struct view_value *value);
void value_flags(const struct view_row *row, struct view_value *value);
void value_address(const struct view_row *row, struct view_value *value);

#endif
