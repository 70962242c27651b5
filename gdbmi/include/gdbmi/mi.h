/* SPDX-License-Identifier: 0BSD */
/* GDB's machine interface as bytes: a reader of its records and their values that does no I/O. */
#ifndef GDBMI_MI_H
#define GDBMI_MI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One line may be this long, may nest values this deep, and hold so many of them. */
#define GDBMI_MI_LINE_MAX   (1U << 20)
#define GDBMI_MI_DEPTH_MAX  64
#define GDBMI_MI_VALUES_MAX 65536
/* Of a line that is no record, so much is shown. */
#define GDBMI_MI_OTHER_MAX 255

/* The manual's section "GDB/MI Output Syntax" has their grammar. */
enum gdbmi_mi_kind {
    GDBMI_MI_RESULT,  /* ^class,results: the answer to a command */
    GDBMI_MI_EXEC,    /* *class,results: the target runs or stopped */
    GDBMI_MI_STATUS,  /* +class,results: how far a slow operation is */
    GDBMI_MI_NOTIFY,  /* =class,results: breakpoints, threads, libraries, parameters */
    GDBMI_MI_CONSOLE, /* ~"text" for the user */
    GDBMI_MI_TARGET,  /* @"text" from the target or its server */
    GDBMI_MI_LOG,     /* &"text": gdb's errors and debugging output */
    GDBMI_MI_PROMPT,  /* (gdb) */
    GDBMI_MI_OTHER,   /* a line that is none of these: a program's output, or damaged */
};

enum gdbmi_mi_type {
    GDBMI_MI_CONST, /* "text" */
    GDBMI_MI_TUPLE, /* {name=value,...} */
    GDBMI_MI_LIST,  /* [value,...] or [name=value,...] */
};

/* A value in the tree of a record. Lists and tuples keep the order in which their members came;
 * names may occur twice, and gdb leaves them out in places where its manual has them. */
struct gdbmi_mi_value {
    enum gdbmi_mi_type type;
    const char *name; /* "" where there is none */
    const char *text; /* of a constant, escapes undone, NUL-terminated behind len; else "" */
    size_t len;
    size_t count;                       /* members of a list or tuple */
    const struct gdbmi_mi_value *first; /* of them, or NULL */
    const struct gdbmi_mi_value *next;  /* beside this one, or NULL */
};

/* One line that was read. All of it is valid until the next call with the same reader. */
struct gdbmi_mi_message {
    enum gdbmi_mi_kind kind;
    bool has_token;
    uint64_t token;   /* number before a RESULT, EXEC, STATUS or NOTIFY: that of the command */
    const char *name; /* class of these ("done", "stopped"), "" of the others */
    const struct gdbmi_mi_value *results; /* of these: a tuple, without members of the others */
    const char
        *text; /* of CONSOLE, TARGET, LOG, escapes undone; of OTHER the line's beginning; "" else */
    size_t len; /* of text, which is NUL-terminated behind it */
};

struct gdbmi_mi_reader;

/* NULL when there is no memory. */
struct gdbmi_mi_reader *gdbmi_mi_reader_new(void);
void gdbmi_mi_reader_free(struct gdbmi_mi_reader *reader);

/*
 * Feeds bytes as they came and takes messages: *used of the len bytes were consumed when it
 * returns. 1: *message holds one, call again with what is left; 0: all bytes are used, more are
 * needed; -1: a line is longer or deeper or holds more values than the limits above, or there is no
 * memory, and every later call says so too. Lines end with LF or CR LF; empty ones are passed over.
 * A record that breaks the grammar in any place is an OTHER as a whole.
 */
int gdbmi_mi_feed(struct gdbmi_mi_reader *reader, const void *bytes, size_t len, size_t *used,
                  struct gdbmi_mi_message *message) __attribute__((warn_unused_result));

/*
 * The value at a path of names and indexes, counted from 0, that are separated by dots:
 * "frame.addr", "memory.0.contents", "threads.1.state". Of members with the same name the first
 * one. NULL when there is none, or value is NULL; "" is value itself.
 */
const struct gdbmi_mi_value *gdbmi_mi_get(const struct gdbmi_mi_value *value, const char *path);

/* The text of the constant at a path; NULL when there is none. */
const char *gdbmi_mi_text(const struct gdbmi_mi_value *value, const char *path);

#endif
