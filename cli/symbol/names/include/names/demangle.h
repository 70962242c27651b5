/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names as compilers of C++ and Rust write them into symbol tables, to those in the source. */
#ifndef SYMBOL_DEMANGLE_H
#define SYMBOL_DEMANGLE_H

#include <stdbool.h>
#include <stddef.h>

/* A longer name is cut, and ends with three points. */
#define DEMANGLE_MAX 4096

/*
 * Writes what the name of a symbol means, at most DEMANGLE_MAX bytes with the NUL, into text; what
 * compilers append follows as " [clone .cold]", hashes of Rust are left out. parameters: with those
 * of C++ functions. false: the name stands for itself, text is undefined. Bounded in time.
 */
bool demangle(const char *symbol, bool parameters, char text[DEMANGLE_MAX]);

#endif
