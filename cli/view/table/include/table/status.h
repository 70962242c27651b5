/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a header shows about one refresh: where the numbers come from, how old they are, and what
 * reading them cost. The numbers themselves are in struct profile and struct view_rows.
 */
#ifndef TABLE_STATUS_H
#define TABLE_STATUS_H

#include <stdbool.h>
#include <stdint.h>

#include <profile/lockstep.h>
#include <profile/profile.h>
#include <ranking/remedy.h>
#include <ranking/rows.h>

/* Size of a text, bytes with the NUL. */
#define VIEW_WITHOUT_TEXT 80

/* What the target does. */
enum view_state {
    VIEW_STATE_UNKNOWN,
    VIEW_STATE_RUNNING,
    VIEW_STATE_HALTED,
    VIEW_STATE_LOST, /* it cannot be read */
};

/*
 * The contents of a header. Strings are borrowed for one frame, and never NULL unless a comment
 * says so; "" is not known. Times are seconds or milliseconds, as the name says.
 *
 * watch_status() (target/watch_status.h) makes one of a live target. For files, origin is set, and
 * the members about a link are those of the snapshot or "".
 */
struct view_status {
    const char *command;  /* the verb, "top" */
    const char *elf;      /* name of the ELF file without folders */
    const char *build_id; /* as symtab_build() returns it */
    const char *identity; /* whether the target runs the ELF file: "= flash", "differs" */
    const char *kind;     /* this and the next four are those of struct gdbmi_info */
    const char *server;
    const char *address;
    const char *target;
    const char *arch;
    enum view_state state;
    const char *sampler;     /* name of the block, "table" */
    const char *sampler_why; /* why that was chosen; NULL: not known */
    bool sampler_chosen;     /* by mprof, among ways to take samples: the reason is worth a line */
    const char *origin;      /* the files that are shown; NULL: a live target */
    const char *unit;        /* what is counted; NULL: as the profile says */
    const char *message;     /* one line: how mprof is connected, or what is wrong */
    bool warning;            /* the message is a warning */
    bool answer;             /* the message answers a key: show it on the smallest screen too */
    bool chosen;             /* the message says what the user chose: no advice in its place */
    bool alarm;              /* the message says that the numbers mislead: show it in red */
    enum lockstep lockstep;
    bool live;           /* memory is read while the target runs */
    uint64_t halts;      /* how often mprof has halted the target */
    double halted_ms;    /* for how long in all */
    double halted_share; /* share of the time since connecting, 0 to 1 */
    double longest_ms;   /* the longest of them; 0: not known */
    bool once;           /* read once so far: the halts took nearly all of that time */
    double poll_ms;      /* duration of the last poll; < 0: not known */
    double period_s;     /* time between polls, if they are too slow for --delay; else 0 */
    double age_s;        /* age of the data; < 0: its time is in the future; NAN: not known */
    double time_s;       /* since mprof started; of files, how long they counted; < 0: not known */
    unsigned addr_size;  /* bytes of an address */
    struct view_remedy remedy; /* for what was lost */
    double event_cycles;       /* of the core for a sample, about; 0: not known */
};

/* Returns "RUNNING", "HALTED", "LOST" or, if it is not known, ""; a constant. */
const char *view_state_word(enum view_state state);

/* Writes "12 functions without a row: up to 1.2% each": the table may have lost all of their hits.
 * "" if it lost none of theirs, or if shares have no intervals. */
void view_without_text(const struct view_rows *rows, char text[VIEW_WITHOUT_TEXT]);

/* Returns the part of the core's time that the stub's timer samples take, about, 0 to 1; < 0: it is
 * not known, or the profile has no samples. */
double view_stub_share(const struct view_status *status, const struct profile *profile);

/* Returns the noun for what is counted: status->unit, or else "samples" or "calls" as the profile
 * says. Lives as long as status. */
const char *view_unit(const struct view_status *status, const struct profile *profile);

#endif
