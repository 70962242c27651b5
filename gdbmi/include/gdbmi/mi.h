/* SPDX-License-Identifier: 0BSD */
/* A parser for the records of gdb's machine interface (GDB/MI) that does no I/O. */
#ifndef GDBMI_MI_H
#define GDBMI_MI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Limits of one line: bytes without the line's end, depth of nested values, number of values. */
#define GDBMI_MI_LINE_MAX   (1U << 20)
#define GDBMI_MI_DEPTH_MAX  64
#define GDBMI_MI_VALUES_MAX 65536
/* Bytes of the text that a message has of a line that is not a record. */
#define GDBMI_MI_OTHER_MAX 255

/* The type of a line (gdb manual, "GDB/MI Output Syntax"). */
enum gdbmi_mi_kind {
    GDBMI_MI_RESULT,  /* ^class,results: the answer to a command */
    GDBMI_MI_EXEC,    /* *class,results: the target runs or stopped */
    GDBMI_MI_STATUS,  /* +class,results: progress of a slow operation */
    GDBMI_MI_NOTIFY,  /* =class,results: breakpoints, threads, libraries, parameters */
    GDBMI_MI_CONSOLE, /* ~"text" for the user */
    GDBMI_MI_TARGET,  /* @"text" from the target or its server */
    GDBMI_MI_LOG,     /* &"text": gdb's errors and debugging output */
    GDBMI_MI_PROMPT,  /* (gdb) */
    GDBMI_MI_OTHER,   /* any other line: a program's output, or a damaged record */
};

/* The type of a value. */
enum gdbmi_mi_type {
    GDBMI_MI_CONST, /* "text" */
    GDBMI_MI_TUPLE, /* {name=value,...} */
    GDBMI_MI_LIST,  /* [value,...] or [name=value,...] */
};

/* A value in the tree of a record. Members of lists and tuples are in the order of the line. A name
 * may occur twice, and gdb omits some names that its manual has. */
struct gdbmi_mi_value {
    enum gdbmi_mi_type type;
    const char *name; /* "" if it has none */
    const char *text; /* of a constant, unescaped; "" of a list or tuple */
    size_t len;       /* bytes of text without the final NUL; the text may contain NULs */
    size_t count;     /* members of a list or tuple */
    const struct gdbmi_mi_value *first; /* the first member, or NULL */
    const struct gdbmi_mi_value *next;  /* the next member of the same parent, or NULL */
};

/* One line. It belongs to the reader, and is valid until the next call with that reader. */
struct gdbmi_mi_message {
    enum gdbmi_mi_kind kind;
    bool has_token; /* a number stands before the record: that of the command it belongs to */
    uint64_t token;
    const char *name; /* class of a RESULT, EXEC, STATUS or NOTIFY ("done", "stopped"); else "" */
    const struct gdbmi_mi_value *results; /* a tuple, never NULL; empty in other kinds of lines */
    const char
        *text;  /* of CONSOLE, TARGET and LOG, unescaped; of OTHER the line's start; else "" */
    size_t len; /* bytes of text without the final NUL */
};

/* The parser's state: bytes of a line that is not complete, and the last message. */
struct gdbmi_mi_reader;

/* Creates a reader, which the caller frees. Returns NULL if memory runs out. */
struct gdbmi_mi_reader *gdbmi_mi_reader_new(void);
/* NULL is allowed and does nothing. */
void gdbmi_mi_reader_free(struct gdbmi_mi_reader *reader);

/*
 * Reads bytes until a message is complete. They may be split anywhere. *used is the number of bytes
 * consumed, at most len. Lines end with LF or CR LF; empty lines are skipped. A line that breaks
 * the grammar is a message of kind OTHER.
 *
 * Returns 1 if *message holds a message: call again with the remaining bytes. Returns 0 if all
 * bytes are consumed and the line is not complete. Returns -1 if a line exceeds a limit above or
 * memory runs out; every later call returns -1 as well.
 */
int gdbmi_mi_feed(struct gdbmi_mi_reader *reader, const void *bytes, size_t len, size_t *used,
                  struct gdbmi_mi_message *message) __attribute__((warn_unused_result));

/*
 * Finds a value by a path from value: names of members of a tuple, and names or indexes (from 0 on)
 * of members of a list, separated by dots: "frame.addr", "memory.0.contents". The first of several
 * members with the same name is taken. "" is value itself. value may be NULL. Returns a part of the
 * same tree, or NULL if there is no such member.
 */
const struct gdbmi_mi_value *gdbmi_mi_get(const struct gdbmi_mi_value *value, const char *path);

/* Returns the text of the constant at a path, or NULL if there is no constant. */
const char *gdbmi_mi_text(const struct gdbmi_mi_value *value, const char *path);

#endif
