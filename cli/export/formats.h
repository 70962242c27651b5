/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The formats, each in a file of its own. */
#ifndef EXPORT_FORMATS_H
#define EXPORT_FORMATS_H

#include "walk.h"

extern const struct exporter_ops callgrind_ops, csv_ops, folded_ops, gmon_ops, html_ops, json_ops,
    speedscope_ops;

#endif
