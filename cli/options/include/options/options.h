/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The options that the verbs share. */
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
#include <table/change_columns.h>
#include <table/ranking_columns.h>
#include <table/table.h>

/* What a verb may take beside --help and --version. */
enum option_group {
    OPTION_ELF = 1 << 0,
    OPTION_TARGET = 1 << 1, /* a link */
    OPTION_SAMPLER = 1 << 2,
    OPTION_ROWS = 1 << 3, /* which rows there are, and what of them is shown */
    OPTION_FORMAT = 1 << 4,
    OPTION_OUTPUT = 1 << 5,
    OPTION_REFRESH = 1 << 6,   /* it looks again and again */
    OPTION_RECORD = 1 << 7,    /* how much is counted */
    OPTION_TYPE = 1 << 8,      /* what of a file is ranked */
    OPTION_SIDES = 1 << 9,     /* whose the files are that follow */
    OPTION_STORE = 1 << 10,    /* a folder of snapshots */
    OPTION_LIMIT = 1 << 11,    /* how much is shown, of OPTION_ROWS too */
    OPTION_CHANGES = 1 << 12,  /* which rows a diff has, how it is made, what of it is shown */
    OPTION_GATE = 1 << 13,     /* whether a diff may pass */
    OPTION_EXPORT = 1 << 14,   /* a format of other tools */
    OPTION_ANNOTATE = 1 << 15, /* how a function is shown from inside */
    OPTION_CONTEXT = 1 << 16,  /* what is idle */
    OPTION_SCREEN = 1 << 17,   /* it has a live screen */
    OPTION_SAVE = 1 << 18,     /* a file to save into, never stdout */
    OPTION_SHELL = 1 << 24,    /* what a shell does; its other options are its commands' defaults */
};

/* More would be a budgets file. */
#define OPTION_THRESHOLDS 64

/* Folders of --source. */
#define OPTION_SOURCES_MAX 16

/* Strings are borrowed from argv and the environment. */
struct options {
    const char *elf;
    bool elf_given; /* by --elf, not by the environment */
    struct elf_map map;
    struct gdbmi_options link;
    const char *symbol;
    enum sampler_kind sampler;
    unsigned block_size; /* bytes, of a table without a header; 0: not given */
    bool force;          /* names are shown although the target does not hold this ELF */
    double duty;         /* most of the time for which hardware may be halted, 0 to 1 */
    enum view_by by;
    struct view_ignore ignore;
    struct view_ignore idle; /* what else is idle */
    const char *context;     /* rows are of that one alone; NULL: of all */
    struct view_fields fields;
    bool fields_given; /* by --fields */
    const struct view_column *sort;
    unsigned long iterations; /* 0: not given */
    double delay_s;
    double wait_s; /* for what is lost or cannot be read; < 0: not given */
    size_t limit;  /* rows, 0: all */
    enum view_format format;
    const struct exporter *exporter; /* NULL: not given */
    const char *output;              /* file, NULL: stdout */
    const char *store;               /* folder of snapshots, NULL: none */
    bool store_given;                /* by --store, not by the environment */
    const char *type;                /* what of a file is ranked, NULL: not given */
    double duration_s;               /* of a snapshot, 0: not given */
    unsigned long hits;              /* until so many, 0: not given */
    double precision;                /* until no interval is wider, 0: not given */
    unsigned long repeat;            /* snapshots in a row, 0: not given */
    bool reset;                      /* the stub's counts before */
    char **operands;                 /* of the verb, ends with NULL */
    size_t operand_count;
    size_t base_count, new_count; /* of --base and of --new: the first and the last operands */
    struct view_change_options change;
    struct view_fields change_fields;      /* none: as wide as the output is */
    const struct view_column *change_sort; /* NULL: by what matters */
    struct gate_threshold thresholds[OPTION_THRESHOLDS];
    const char *threshold_texts[OPTION_THRESHOLDS]; /* as they were given */
    size_t threshold_count;
    const char *budgets, *junit; /* files, NULL: none */
    bool batch;
    bool restart_on_resume; /* each resume of the target is a new mark */
    bool verbose;
    char *sources[OPTION_SOURCES_MAX + 1]; /* folders of source files, ends with NULL */
    double min_share;                      /* less is left out, 0 to 1 */
    const char *disassembler;              /* a gdb's command, NULL: not given */
    const char *script;                    /* commands of a shell, NULL: not given */
    bool keep_going;                       /* behind one that fails */
};

/*
 * Takes the command line of a verb over the defaults (those of option_defaults.h, too) and the
 * environment (MPROF_ELF, MPROF_GDB, MPROF_STORE, MPROF_TIMEOUT).
 * true: go on. false: leave with *status, everything is said (--help, --version, a wrong option).
 */
bool options_parse(const struct command *command, int argc, char **argv, struct options *options,
                   int *status) __attribute__((warn_unused_result));

#endif
