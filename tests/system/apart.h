/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that stay apart from their callers, and those without call hooks. */
#ifndef APART_H
#define APART_H

#ifdef __clang__
#define APART __attribute__((noinline))
#else
#define APART __attribute__((noinline, noclone))
#endif
#define HIDDEN __attribute__((no_instrument_function, noinline))

#endif
