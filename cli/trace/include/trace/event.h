/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The events of a trace with the names of their functions, of a target or of a file. */
#ifndef TRACE_EVENT_H
#define TRACE_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Largest number of cores; the limit of the numbers of exceptions; most arguments of an event. */
#define TRACE_CORES      16
#define TRACE_EXCEPTIONS 512
#define TRACE_ARGUMENTS  4

/* Parameters of a function that have a type; values of all, with those in structures; names of
 * values that are kept. */
#define TRACE_PARAMETERS 8
#define TRACE_MEMBERS    32
#define TRACE_NAMES_MAX  16384

/* Offsets of members in a layout are less. */
#define TRACE_OFFSET_END 4096

/* Bytes of a string that are shown, and those that are enough to show them: a character that is not
 * shown as a whole is not shown. */
#define TRACE_STRING_SHOWN 32
#define TRACE_STRING_KEPT  (TRACE_STRING_SHOWN + 4)

/* What an event is. The first five have the order of enum sampler_event_kind; a file has them by
 * these numbers. */
enum trace_kind {
    TRACE_CALL,        /* a function was entered, or returns; or a mark of the firmware */
    TRACE_OVERWRITTEN, /* events were overwritten before they were read */
    TRACE_UNFINISHED,  /* events whose records were not complete in two readings */
    TRACE_FULL,        /* events were not recorded, because the trace was full */
    TRACE_RESTART,     /* the target has restarted: the core's time begins at 0 again */
    TRACE_CLOCK,       /* what the core's time means, for the events after this one */
    TRACE_RUN,         /* a recording begins; its points are new. Only from a file */
    TRACE_DAMAGED,     /* bytes of the file are left out. Only from a file */
    TRACE_END,         /* a recording ends; its points stay until TRACE_RUN. Only from a file */
};

struct trace_chain;

/* What the hooks of one call cost, in ticks; 0: not known. */
struct trace_cost {
    double inside;      /* between its entry and its exit */
    double call;        /* of the time of its caller */
    double instruction; /* what an instruction takes */
    double jump_from;   /* inside, of a call that ends by a jump to another function */
    double jump_to;     /* inside, of the call that such a jump begins */
    double jump; /* of the time of the caller of both, by the jump; 0: the three are not known */
};

/* Costs are multiples of one tick divided by this, and less than 2^32 of them. */
#define TRACE_COST_UNIT 256

/* One event. */
struct trace_event {
    enum trace_kind kind;
    unsigned core;  /* below TRACE_CORES */
    uint32_t point; /* of TRACE_CALL: index of a struct trace_point */
    uint32_t hz;    /* of TRACE_CLOCK: ticks a second, 0: not known */
    bool timed;     /* of TRACE_CLOCK: the events of this core have times */
    bool one_clock; /* of TRACE_CLOCK: it is that of all cores, between which tasks may move */
    struct trace_cost cost; /* of TRACE_CLOCK: of the hooks of this core */
    int64_t ticks; /* of TRACE_CALL: since the core's first event, below 2^60 either way; 0 if it is
                      not timed */
    uint64_t count; /* lost events; of TRACE_DAMAGED: bytes */

    /* Of TRACE_CALL. */
    unsigned argument_count;             /* 0: not known */
    uint64_t arguments[TRACE_ARGUMENTS]; /* of the function, at its entry; at its exit the words of
                                            its result; of a mark its value */
    bool has_task;
    uint64_t task; /* that ran */
    bool jump;     /* of an exit: by a jump to the function that is entered next; of that entry */

    /* Of an entry that a call_filter has let through; NULL: not wanted. Valid until the function
     * that takes the event returns. */
    const struct trace_chain *chain;
};

/* The calls that an entry was made in, the outermost one first and the entry last. */
struct trace_chain {
    size_t count; /* at least 1 */
    struct trace_link {
        struct trace_event entry;
        bool caller; /* its caller is not the link before: it is the one that the point has */
        bool gap;    /* and what has called that is not known, or what is between is not */
    } links[];
};

/* What a parameter is besides its bytes, and what the values are that have a name. */
enum trace_type {
    TRACE_PLAIN,   /* a number or a pointer */
    TRACE_BOOL,    /* a truth value */
    TRACE_CHAR,    /* a character */
    TRACE_STRING,  /* a pointer to characters; its names are what is there and never changes */
    TRACE_ADDRESS, /* of a name: a range of addresses, that of an object or a function */
    TRACE_THUMB,   /* the same, of pointers to Thumb code, which are 1 more than the address */
    TRACE_NOW,     /* of a name: what is at an address now */
    TRACE_GONE,    /* of a name: nothing is there now */
    TRACE_ENUM,    /* from here on, each number is another enumeration */
};

/* Of a name: the bytes of a structure at an address, in hexadecimal digits: constant ones, or as
 * they are now. */
#define TRACE_CONTENT     UINT32_MAX
#define TRACE_CONTENT_NOW (UINT32_MAX - 1)
/* Of a name: a task; "": nothing is known of it. */
#define TRACE_TASK (UINT32_MAX - 2)

/* What a value of a type is called, or each of size values from first on. */
struct trace_name {
    uint32_t type; /* enum trace_type */
    uint64_t first, size;
    const char *text; /* never NULL; "": it has no name */
};

/* A function. Strings are never NULL; "" is not known. */
struct trace_function {
    uint64_t addr; /* its first byte, in the ELF file; of one without a name any address in it */
    const char *name;
    const char *file;       /* where it begins */
    unsigned line;          /* 0: not known */
    const char *parameters; /* as symtab_find_parameters() describes them (docs/tracefile.md) */
    uint32_t types[TRACE_PARAMETERS]; /* of the first parameters: enum trace_type */

    /* If some parameters are structures: all of them, as struct symtab_layout describes them, and
     * the types of their values. NULL or "": there are none. */
    const char *layout;
    uint32_t member_types[TRACE_MEMBERS];

    char result[3];       /* as symtab_find_result() describes it; "": not known */
    uint32_t result_type; /* enum trace_type */

    /* Instructions that a call executes before the hook of its entry and after that of its exit,
     * more than one of an empty function does. */
    int outside;
};

/* Instructions outside of the hooks are less, and more than minus that. */
#define TRACE_OUTSIDE_END 4096

/* The index of no function. */
#define TRACE_NO_FUNCTION UINT32_MAX

/* What a point is; a file has them by these numbers. */
enum trace_point_kind {
    TRACE_ENTRY,
    TRACE_EXIT,
    TRACE_MARK, /* an event of the firmware's own */
};

/* What a mark says of the core, if it is not the firmware's own; a file has them by these numbers.
 */
enum trace_sleep {
    TRACE_NO_SLEEP, /* it is the firmware's own mark */
    TRACE_ASLEEP,   /* the core is about to sleep */
    TRACE_AWAKE,    /* it has woken up */
};

/* All of an entry, exit or mark but its time and its words. */
struct trace_point {
    enum trace_point_kind kind;
    enum trace_sleep sleep; /* of a mark: then callee is the rate of a clock that goes on while the
                             * core sleeps, and the event's argument its time; 0: there is none */
    uint64_t callee;        /* an address in the function, near its entry; of a mark its id */
    uint64_t caller;        /* the address that it returns to, 0: not known */
    uint32_t function;      /* index of a struct trace_function; of a mark no meaning */
    uint32_t caller_function; /* the same of the caller, or TRACE_NO_FUNCTION */
    unsigned exception;       /* below TRACE_EXCEPTIONS, 0: none or not known */
    unsigned core;            /* below TRACE_CORES */
};

#endif
