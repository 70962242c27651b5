/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The command line of a verb, parsed.
 *
 * The table of options (option_table.h) says which options there are; each belongs to one or more
 * groups, and a verb (command.h) has the options of its groups. A verb calls options_parse() first
 * and then only reads struct options.
 */
#ifndef OPTIONS_OPTIONS_H
#define OPTIONS_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include <export/export.h>
#include <gdbmi/link.h>
#include <options/command.h>
#include <options/elf_map.h>
#include <profile/gate.h>
#include <ranking/ignore.h>
#include <sampler/table.h>
#include <table/call_diff.h>
#include <table/change_columns.h>
#include <table/ranking_columns.h>
#include <table/table.h>

/* Groups of options that a verb can have. All verbs have --help and --version. */
enum option_group {
    OPTION_ELF = 1 << 0,     /* the ELF file */
    OPTION_TARGET = 1 << 1,  /* the target: --gdb and others */
    OPTION_SAMPLER = 1 << 2, /* the block to read */
    OPTION_ROWS = 1 << 3,    /* grouping, filters and columns of a ranking */
    OPTION_FORMAT = 1 << 4,
    OPTION_OUTPUT = 1 << 5,
    OPTION_REFRESH = 1 << 6,   /* repeated readings */
    OPTION_RECORD = 1 << 7,    /* how long to count */
    OPTION_TYPE = 1 << 8,      /* type of a snapshot's values */
    OPTION_SIDES = 1 << 9,     /* --base and --new, which files follow */
    OPTION_STORE = 1 << 10,    /* folder of snapshots */
    OPTION_LIMIT = 1 << 11,    /* number of rows */
    OPTION_CHANGES = 1 << 12,  /* rows, method and columns of a diff */
    OPTION_GATE = 1 << 13,     /* thresholds and budgets of a diff */
    OPTION_EXPORT = 1 << 14,   /* format of another tool */
    OPTION_ANNOTATE = 1 << 15, /* source and instructions of a function */
    OPTION_CONTEXT = 1 << 16,  /* functions that are idle */
    OPTION_SCREEN = 1 << 17,   /* the live screen */
    OPTION_SAVE = 1 << 18,     /* a file to save to, never stdout */
    OPTION_FOCUS = 1 << 19,    /* exact lines, by the stub's focus */
    OPTION_TRACE = 1 << 20,    /* how many events, and how long */
    OPTION_CALLS = 1 << 21,    /* which calls of a trace are shown */
    OPTION_PICK = 1 << 22,     /* which functions of a trace file are */
    OPTION_RUN = 1 << 23,      /* what is shown of a program that mprof starts */
    OPTION_SHELL = 1 << 24,    /* a shell, whose other options are defaults of its commands */
    OPTION_COVERAGE = 1 << 26, /* what of a coverage is shown, and how much there must be */
    OPTION_EVENTS = 1 << 25,   /* a trace of a target */
    OPTION_SITES = 1 << 27,    /* which functions of an ELF file call the hook */
    OPTION_DOCTOR = 1 << 28,   /* what is checked, and what is hidden */
    OPTION_CONTENT = 1 << 29,  /* what arguments and results of a program point to */
};

/* At which event of a function a trace starts or stops. */
struct option_moment {
    enum { OPTION_ENTRY, OPTION_EXIT, OPTION_LONGER, OPTION_MARK } at;
    double longer_s; /* of OPTION_LONGER: at the exit of a call that took longer */
    uint64_t mark;   /* of OPTION_MARK: its number; the function has no meaning */
};

/* Functions, and such an event of each. */
struct option_trigger {
    struct view_ignore functions;
    struct option_moment moments[VIEW_IGNORE_MAX]; /* of each rule */
};

/* A limit of --fail-above for the calls of a trace. */
struct call_limit {
    const char *text; /* as it was typed, and glob the start of it: a pattern of fnmatch() */
    const char *glob;
    size_t glob_len;
    enum view_call_value value;
    double limit;  /* seconds, or ticks, or calls; a part of 1 */
    bool relative; /* it is a change from base */
};

/* Whose the operands are: of --base, of --new, or of neither. */
enum option_side { OPTION_SIDE_NONE, OPTION_SIDE_BASE, OPTION_SIDE_NEW };

/* Largest number of --fail-above. A budgets file has no limit. */
#define OPTION_THRESHOLDS 64

/* Largest number of --runs. */
#define OPTION_RUNS_MAX 50

/* Largest number of --source. */
#define OPTION_SOURCES_MAX 16

/* More than there are rows in the table of options. */
#define OPTION_SPECS_MAX 128

/*
 * The values of all options; a verb uses those of its groups, and the remaining ones have their
 * defaults. Strings are borrowed from argv, the environment and the shell's defaults; nothing is
 * freed. Times are seconds, and shares are from 0 to 1, whatever unit was typed.
 */
struct options {
    /* The target and its names. */
    const char *elf; /* --elf or MPROF_ELF; NULL: neither */
    bool elf_given;  /* it is from --elf */
    struct elf_map map;
    struct gdbmi_options link;
    const char *symbol; /* name of the table's variable, "s_prof" by default */
    enum sampler_kind sampler;
    bool can_sample;     /* the verb shows hits, which mprof can sample where there is no stub */
    unsigned stacks;     /* most functions of a sampled call stack; 0: not given */
    bool burst;          /* sample by OpenOCD's own command */
    unsigned block_size; /* bytes, for a table without a header; 0: not given */
    bool force;          /* show names although the target does not run this ELF file */
    double link_share;   /* largest part of the time that polls may take, 0 to 1; 0: not given */
    double duty;         /* largest share of time that polls may halt hardware, 0 to 1 */
    size_t stack_bytes;  /* bytes of tasks' stacks that each poll may read; 0: none. Set by verbs */

    /* Rows and columns. */
    enum view_by by;
    struct view_ignore ignore; /* hits to leave out */
    struct view_ignore idle;   /* further functions that are idle */
    const char *context;       /* exception whose samples are shown; NULL: all */
    struct view_fields fields;
    bool fields_given; /* fields are from --fields */
    const struct view_column *sort;
    const char *fields_typed, *sort_typed; /* as they were typed; NULL: not given */
    bool unknown_columns;                  /* some column of theirs, or of a diff, is in no table */

    /* Readings and output. */
    unsigned long iterations; /* 0: not given */
    double delay_s;           /* from one refresh to the next */
    double wait_s;            /* how long to wait for a lost target; < 0: not given */
    size_t limit;             /* rows, 0: all */
    enum view_format format;
    unsigned formats;                /* command.formats of the verb */
    const struct exporter *exporter; /* NULL: not given */
    const char *output;              /* path of a file; NULL: stdout */

    /* Snapshots. */
    const char *store;  /* folder: --store or MPROF_STORE; NULL: neither */
    bool store_given;   /* it is from --store */
    const char *type;   /* name of a type of values; NULL: not given */
    double duration_s;  /* how long to count, 0: not given */
    double focus_s;     /* how long the focus counts each part of a function, 0: not given */
    unsigned long hits; /* count up to this number of hits, 0: not given */
    double precision;   /* count until all intervals are this narrow, 0: not given */
    unsigned long runs; /* runs of a snapshot, 0: not given */
    double settle_s;    /* what the firmware runs before the first one */
    bool reset_target;  /* before each run */
    bool record;        /* write a trace file */
    bool graph;         /* show calls nested, with durations */
    bool arguments;     /* read strings that arguments of a trace point to */
    bool results;       /* a trace must have results; read strings that they point to */
    bool reset;         /* reset the stub's counts first */
    char **operands;    /* operand_count of them, and NULL */
    size_t operand_count;
    enum option_side side;        /* the last one that was given */
    size_t base_count, new_count; /* operands of --base, which are first, and of --new, last */

    /* Diffs and gates. */
    struct view_change_options change;
    struct view_fields change_fields;      /* none: those that fit into the output's width */
    const struct view_column *change_sort; /* NULL: by importance */
    const char *change_fields_typed, *change_sort_typed; /* as above */
    struct gate_threshold thresholds[OPTION_THRESHOLDS];
    const char *threshold_texts[OPTION_THRESHOLDS]; /* the same as they were typed */
    size_t threshold_count;
    struct call_limit call_limits[OPTION_THRESHOLDS];
    size_t call_limit_count;
    const char *budgets, *junit; /* paths of files; NULL: not given */
    bool strict;                 /* rows that are open fail the gate */

    /* Coverage. */
    bool lcov;         /* write an lcov tracefile */
    bool not_seen;     /* show only rows of which something was not reached */
    double fail_under; /* part that must be reached, 0 to 1; 0: not given */

    /* A trace: functions to record, all if there are no rules, and functions not to record. */
    struct view_ignore traced, not_traced;
    struct option_trigger start_at, stop_at;
    const char *check; /* path of an instrumented copy; NULL: not given */
    bool list;         /* list what can be instrumented */
    bool patch;        /* make functions call the hook while the target is traced */

    /* Times of a trace. */
    struct option_trigger between; /* none, or two: from the first to the second */
    const char *between_typed;     /* as it was typed */
    struct view_ignore worst;      /* the longest call of these functions is shown */
    const char *worst_typed;

    /* Calls of a trace that are shown. */
    unsigned long depth;      /* levels of calls, 0: all */
    struct view_ignore below; /* only calls of these functions, and within them; no rules: all */
    double shortest_s;        /* duration of the shortest call, 0: all */
    struct view_ignore stack; /* entries of these functions are shown with their callers */

    /* The screen, annotate, and the shell. */
    bool batch;             /* print text instead of a live screen */
    long program;           /* PID of the program that mprof has started, whose file link.raw
                             * is; 0: none */
    bool live;              /* show the screen while a program runs */
    bool trace;             /* print a program's calls instead of a ranking */
    bool restart_on_resume; /* each resume of the target sets a mark */
    bool verbose;
    bool cross_check;                      /* compare the stub with other ways of sampling */
    bool anonymous;                        /* hide names of files, hosts, targets and symbols */
    char *sources[OPTION_SOURCES_MAX + 1]; /* folders of source files, the last one NULL */
    double min_share;                      /* leave out rows with a smaller share, 0 to 1 */
    const char *disassembler;              /* command of a gdb; NULL: not given */
    const char *script;                    /* commands of --command; NULL: not given */
    bool keep_going;                       /* continue after a command that fails */

    bool given[OPTION_SPECS_MAX]; /* options of option_specs that the command line has */
};

/*
 * Parses the command line of a verb; argv[0] is its name. Options that it does not set have the
 * values of a shell (option_defaults.h), of the environment (MPROF_ELF, MPROF_GDB, MPROF_STORE,
 * MPROF_TIMEOUT) or their defaults. argv is reordered and must live as long as *options.
 *
 * Returns true if the verb can be executed. Returns false if the program should end with *status:
 * after --help or --version, or after a message about a wrong command line.
 */
bool options_parse(const struct command *command, int argc, char **argv, struct options *options,
                   int *status) __attribute__((warn_unused_result));

/* Returns an option of the command line, without "--", that is none of names; NULL: there is none.
 * The last name is NULL. */
const char *options_other_than(const struct options *options, const char *const *names);

/* Returns an option of the command line, without "--", that is of one of the groups, bits of enum
 * option_group; NULL: there is none. */
const char *options_of_groups(const struct options *options, unsigned groups);

/* Whether --fields and --sort are of a ranking. A report of a file takes those of a trace as well,
 * because the file is not read yet when they are parsed. Prints a message if not. */
bool options_are_of_ranking(const struct command *command, const struct options *options)
    __attribute__((warn_unused_result));

/* The same of a diff of snapshots. */
bool options_are_of_changes(const struct command *command, const struct options *options)
    __attribute__((warn_unused_result));

#endif
