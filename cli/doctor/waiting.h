/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Says what takes some seconds, while it does. */
#ifndef DOCTOR_WAITING_H
#define DOCTOR_WAITING_H

/* Shows what is done and for how long, in one line on stderr, if that is a terminal. It replaces
 * the line before. */
void waiting_for(const char *what);

/* Removes the line. */
void waiting_end(void);

#endif
