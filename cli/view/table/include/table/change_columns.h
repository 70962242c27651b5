/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The columns of a diff; a row is a struct view_change. */
#ifndef TABLE_CHANGE_COLUMNS_H
#define TABLE_CHANGE_COLUMNS_H

#include <ranking/change.h>
#include <table/column.h>

extern const struct view_columns view_change_columns;

/* What is shown when --fields is not given: to people, on lines of so many cells, and to programs.
 */
const char *view_change_fields_default(enum view_by by, unsigned width);
#define VIEW_CHANGE_FIELDS_ALL                                                                 \
    "function,file,line,state,old_name,old_file,base_share,new_share,share_change,change,low," \
    "high,ratio,"                                                                              \
    "ratio_low,ratio_high,p,adjusted,significant,base_hits,new_hits,base_time,new_time,"       \
    "address"
#define VIEW_CHANGE_FIELDS_ALL_ARCS "caller," VIEW_CHANGE_FIELDS_ALL

/* Orders rows by a column; rows that it does not tell apart by what matters, then by name. NULL: by
 * what matters, which is significant rows by the size of their change, then the others. */
void view_changes_sort(struct view_changes *changes, const struct view_column *column);

#endif
