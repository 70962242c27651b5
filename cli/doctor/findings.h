/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page of findings: what was looked at, what was found, and what to do. */
#ifndef DOCTOR_FINDINGS_H
#define DOCTOR_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>

#include <options/options.h>

/* Sizes of texts, bytes with the NUL. Longer ones are cut. */
#define FINDING_TEXT   480
#define FINDING_ADVICE 320

/* Largest numbers of findings and of names to hide; more are dropped. */
#define FINDINGS_MAX 32
#define HIDDEN_MAX   32

/* How bad a finding is. */
enum finding_mark {
    FINDING_OK,
    FINDING_WARN, /* 'mprof top' works, but numbers or names are worse than they could be */
    FINDING_FAIL, /* 'mprof top' does not work */
};

/* One finding. */
struct finding {
    enum finding_mark mark;
    const char *about;           /* what was looked at: "server", "stub"; a constant */
    char text[FINDING_TEXT];     /* what was found, one line without a full stop */
    char advice[FINDING_ADVICE]; /* what to do, an imperative; "": nothing */
};

/* A name that must not be printed, and what is printed in its place. */
struct hidden {
    char name[256];
    const char *instead; /* a constant */
};

/* The page. Zeroed memory is an empty one. */
struct findings {
    struct finding list[FINDINGS_MAX];
    size_t count;
    struct hidden hidden[HIDDEN_MAX];
    size_t hidden_count;
};

/* Adds a finding. advice is copied; NULL: there is nothing to do. */
void finding_add(struct findings *findings, enum finding_mark mark, const char *about,
                 const char *advice, const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Cuts a text of another room at its last "; ", and returns what follows: what to do. NULL: it has
 * none. */
char *finding_split(char *text);

/* Returns the first finding with this mark, or NULL. */
const struct finding *finding_first(const struct findings *findings, enum finding_mark mark);

/* Returns FINDING_FAIL, or FINDING_WARN if there is a failure already, which may be the reason. */
enum finding_mark finding_next_failure(const struct findings *findings);

/* Makes print say instead, a constant, wherever name stands as a word. name is copied; NULL and ""
 * are not hidden. */
void findings_hide(struct findings *findings, const char *name, const char *instead);

/* Prints the page in options->format to options->output. summary is the finding that the first line
 * says if nothing is wrong. Returns a status of output_write(). */
int findings_print(const struct findings *findings, const struct options *options,
                   const struct finding *summary);

#endif
