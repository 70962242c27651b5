/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines that are made of parts, of which the less important ones make room. */
#ifndef SCREEN_PARTS_H
#define SCREEN_PARTS_H

#include <screen/frame.h>

#define PARTS_MAX 20

struct parts {
    struct part {
        char text[240];
        unsigned rank; /* the higher, the sooner it is left out */
        enum view_style style;
    } part[PARTS_MAX];
    size_t count;
};

/* Adds a part, if its text is not empty. style: VIEW_STYLE_NORMAL as the line. */
void parts_add(struct parts *parts, unsigned rank, enum view_style style, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Cells of a line with all of them. */
size_t parts_cells(const struct parts *parts);

/* Adds the line of those parts that fit into width cells. false: no memory. */
bool parts_line(struct parts *parts, enum view_style style, unsigned width,
                struct view_frame *frame) __attribute__((warn_unused_result));

#endif
