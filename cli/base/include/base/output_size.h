/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The size of a terminal that is written to. */
#ifndef BASE_OUTPUT_SIZE_H
#define BASE_OUTPUT_SIZE_H

/* Returns the cells of a line of the terminal at fd; 0 if it is not a terminal, or its size is not
 * known. */
unsigned output_width(int fd);

/* The same of its lines. */
unsigned output_height(int fd);

#endif
