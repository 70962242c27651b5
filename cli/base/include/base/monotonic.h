/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BASE_MONOTONIC_H
#define BASE_MONOTONIC_H

/* Seconds from a fixed moment; never goes back. */
double monotonic_s(void);

#endif
