/* SPDX-License-Identifier: 0BSD */
/* What keeps compilers from instrumenting the stub's own code. */
#ifndef MPROF_UNHOOKED_H
#define MPROF_UNHOOKED_H

#if defined(__has_attribute)
#if __has_attribute(no_sanitize_coverage) /* gcc */
#define MPROF_NO_COVERAGE , no_sanitize_coverage
#elif defined(__clang__) && __clang_major__ >= 13
#define MPROF_NO_COVERAGE , no_sanitize("coverage")
#endif
#endif
#ifndef MPROF_NO_COVERAGE
#define MPROF_NO_COVERAGE
#endif

/* The stub's code may have to stand in RAM, and must not be instrumented by what it serves. */
#define MPROF_UNHOOKED __attribute__((no_instrument_function MPROF_NO_COVERAGE))
#ifdef MPROF_TEXT
#define MPROF_CODE MPROF_UNHOOKED __attribute__((section(MPROF_TEXT)))
#else
#define MPROF_CODE MPROF_UNHOOKED
#endif

#endif
