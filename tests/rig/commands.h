/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the rig obeys on its control socket. */
#ifndef RIG_COMMANDS_H
#define RIG_COMMANDS_H

#include <stddef.h>

/* Obeys one line and writes the answer, a line of JSON. context is the struct rig. Returns the
 * answer's length. */
size_t commands_obey(void *context, const char *line, char *text, size_t capacity);

#endif
