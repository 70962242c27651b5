/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Monotonic time. */
#ifndef BASE_MONOTONIC_H
#define BASE_MONOTONIC_H

/* Returns the monotonic time in seconds. Its zero has no meaning. */
double monotonic_s(void);

#endif
