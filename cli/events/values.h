/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What values of arguments are called, by an ELF file. */
#ifndef EVENTS_VALUES_H
#define EVENTS_VALUES_H

#include <symbol/symtab.h>
#include <target/watch_trace.h>
#include <trace/writer.h>

/* An enumeration that parameters have. */
struct enumeration {
    const struct symtab *part; /* the file that it is of */
    struct symtab_type type;
    uint64_t addr; /* a function with such a parameter */
};

/* What is known of the types. The caller sets points and symtab, which are borrowed; all else is 0
 * at first. */
struct values {
    struct trace_points *points; /* get the names */
    struct symtab *symtab;       /* NULL: there are no names */
    struct enumeration *list;    /* owned; their index in a type is the number minus TRACE_ENUM */
    size_t count, capacity;
    const struct watch *watch; /* strings are read there; NULL: only constant ones are shown */
    unsigned left;             /* strings that may still be read, at most STRINGS_MAX */
};

void values_free(struct values *values);

/* Sets the types of the parameters of the function at addr, as the points have them, and those of
 * its layout. Returns false if memory runs out. */
bool values_types(struct values *values, uint64_t addr, const struct symtab_parameters *parameters,
                  struct trace_function *function);

/* The same of its result. */
bool values_result(struct values *values, uint64_t addr, const struct symtab_result *result,
                   struct trace_function *function);

/* Gives the points names for the arguments of an entry, or the result of an exit. Returns false if
 * memory runs out. */
bool values_name(struct values *values, const struct trace_about *about,
                 const struct trace_event *event);

#endif
