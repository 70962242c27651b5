/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which lines and functions were reached: of one target, or of several runs. */
#ifndef MODEL_COVERAGE_H
#define MODEL_COVERAGE_H

#include <base/string_pool.h>
#include <model/sites.h>
#include <symbol/symtab.h>

/* What counts are. Runs of several kinds have the last one of these. */
enum coverage_counts {
    COVERAGE_TIMES,   /* how often, at most */
    COVERAGE_REACHED, /* 1: at least once */
    COVERAGE_SEEN,    /* of functions only; 0: not seen, which a full table may have lost */
};

/* A line of the source. Strings are numbers in coverage.names. */
struct coverage_line {
    string_pool_id file;
    unsigned line;
    uint64_t count;
};

/* A function, or one that was inlined. */
struct coverage_function {
    string_pool_id file, name; /* file 0: not known */
    unsigned line;             /* where it begins, 0: not known */
    uint64_t count;
    size_t blocks, reached; /* calls of the hook in it; 0: not known */
};

/* The coverage. coverage_new() makes one, coverage_free() frees it. */
struct coverage {
    struct string_pool *names; /* owned */
    enum coverage_counts counts;
    struct coverage_line *lines; /* owned; by file and line after coverage_sort() */
    size_t line_count, line_capacity;
    struct coverage_function *functions; /* owned; by file, line and name, too */
    size_t function_count, function_capacity;
};

/* Returns NULL if memory runs out. */
struct coverage *coverage_new(void);
void coverage_free(struct coverage *coverage);

/* Add a line or a function, whatever is there already. file may be NULL in a function. Return false
 * if memory runs out. */
bool coverage_add_line(struct coverage *coverage, const char *file, unsigned line, uint64_t count)
    __attribute__((warn_unused_result));
bool coverage_add_function(struct coverage *coverage, const char *file, unsigned line,
                           const char *name, uint64_t count) __attribute__((warn_unused_result));

/* Sorts lines and functions, and makes one of equal ones: counts are added up to the largest
 * number that there is, but remain 0 or 1 if they do not say how often. */
void coverage_sort(struct coverage *coverage);

/*
 * Adds what the sites of an ELF file say. count_of() returns how often the hook was called of a
 * site. A line has the largest count of the sites whose code has it; if some sites are of the line
 * itself, only of these, since compilers move parts of a line elsewhere. The counts of a function
 * that was inlined into several are added up. Call coverage_sort() then. Returns false if memory
 * runs out.
 */
bool coverage_add_sites(struct coverage *coverage, struct symtab *symtab, const struct sites *sites,
                        uint64_t (*count_of)(void *context, const struct site *site), void *context)
    __attribute__((warn_unused_result));

/* What is in it. */
struct coverage_sums {
    size_t lines, lines_reached;
    size_t functions, functions_reached;
    size_t blocks, blocks_reached;
};

struct coverage_sums coverage_sums(const struct coverage *coverage);

/* Returns, as a text of owned memory, an lcov tracefile (man 1 geninfo). Returns NULL if memory
 * runs out. */
char *coverage_lcov(const struct coverage *coverage);

/* Whether bytes are the start of an lcov tracefile. */
bool coverage_is_lcov(const char *bytes, size_t len);

/* Adds an lcov tracefile, a text that is changed. Sets *bad to the number of the first line that is
 * no such file's, or of the last one if a record has no end; 0: there is none. What is before it
 * was added then. Returns false if memory runs out. */
bool coverage_read_lcov(struct coverage *coverage, char *text, size_t *bad)
    __attribute__((warn_unused_result));

#endif
