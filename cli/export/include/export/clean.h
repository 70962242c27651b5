/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names from anywhere as text that a format, and a terminal, can bear. */
#ifndef EXPORT_CLEAN_H
#define EXPORT_CLEAN_H

#include <stdio.h>

/* Hidden characters become "<U+200B>" in all of these (utf8_shown()). */

/* On one line: control characters, bytes that are no UTF-8, and those in forbidden become '?'. */
void clean_line(FILE *out, const char *text, const char *forbidden);

/* A JSON string with its quotes; "": null. It also stands safely inside HTML. Bytes that are no
 * UTF-8 become U+FFFD. */
void clean_json(FILE *out, const char *text);

/* Text or the value of an attribute in HTML. */
void clean_html(FILE *out, const char *text);

/* A cell of CSV (csv_cell()). */
void clean_csv(FILE *out, const char *text);

#endif
