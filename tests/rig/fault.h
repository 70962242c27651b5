/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the rig's parts say what went wrong. */
#ifndef RIG_FAULT_H
#define RIG_FAULT_H

/* One line without a final newline. The first text stays: what comes after it is a consequence. */
struct fault {
    char text[400];
};

/* Keeps the text unless there is one already. Always returns -1, so that it ends a function. */
int fault_set(struct fault *fault, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
