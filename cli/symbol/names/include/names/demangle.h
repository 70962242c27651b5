/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Demangles names of C++ and Rust. */
#ifndef SYMBOL_DEMANGLE_H
#define SYMBOL_DEMANGLE_H

#include <stdbool.h>
#include <stddef.h>

/* Largest size of a demangled name, bytes with the NUL. A longer name is cut and ends in "...". */
#define DEMANGLE_MAX 4096

/*
 * Writes the demangled name of a symbol to text. Suffixes of compilers follow as " [clone .cold]",
 * and hashes of Rust are removed. With parameters, C++ functions have their parameters. Returns
 * false if the name is not mangled, or has 2048 bytes or more; text is undefined then. The time is
 * bounded.
 */
bool demangle(const char *symbol, bool parameters, char text[DEMANGLE_MAX]);

#endif
