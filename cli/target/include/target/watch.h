/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Polls a target again and again, whatever happens to it, its server and its ELF meanwhile. */
#ifndef TARGET_WATCH_H
#define TARGET_WATCH_H

#include <gdbmi/link.h>
#include <profile/profile.h>
#include <target/session.h>

#define WATCH_TEXT 480

/* Why nothing could be read. */
enum watch_trouble {
    WATCH_NONE,
    WATCH_LOST,    /* the server */
    WATCH_BLANK,   /* mprof_init() has not run */
    WATCH_ZERO,    /* nothing but zeros, in flash too: reads that fail look so on some servers */
    WATCH_REFUSED, /* the target refused to be read */
    WATCH_UNUSABLE /* the table is of another version, or damaged */
};

struct watch {
    const struct options *options;
    struct session session;
    struct profile profile;
    enum gdbmi_state state;
    bool live;           /* a screen shows the message: then nothing is said on stderr */
    bool fresh;          /* the last poll read the table */
    bool warning, alarm; /* what kind of message it is */
    char message[WATCH_TEXT];
    char failure[WATCH_TEXT]; /* why it is over, to be said when the screen is given back */
    double poll_s;            /* what the last read of the table took */
    double halted_s;          /* for how long the last poll held the target */
    uint64_t asked_ns;        /* of all that we held it: because a person asked for it */
    uint64_t asked_halts;

    /* Of watch.c alone. */
    enum watch_trouble trouble, said;
    double trouble_s;       /* since when nothing could be read */
    unsigned refused;       /* reads in a row */
    bool away;              /* the server was lost, and has not answered a poll since */
    unsigned long reads;    /* of the table, since the first poll */
    double try_s;           /* when to connect again */
    double compare_s;       /* when to compare the ELF again, if there is a doubt */
    double glance_s;        /* and if there is none */
    unsigned restarts;      /* that were said */
    unsigned compared;      /* restarts when the ELF was last the target's */
    char tried[WATCH_TEXT]; /* why the last connection failed */
    char notice[WATCH_TEXT];
    double notice_s; /* when it was given */
};

/*
 * Reads the table once, or finds out how things stand where that is not possible: the server is
 * lost, the target blank or another one. STATUS_DONE also then: the next poll may find it well
 * again; the last numbers stay in the profile. STATUS_FAILED when there is nothing to wait for, or
 * the wait has been too long: watch->failure says why.
 */
int watch_poll(struct watch *watch);

/* Between two polls: takes what a stream has, so that it does not run over. What fails here the
 * next poll finds out too. Due every watch_drain_s() seconds, 0: never. */
void watch_drain(struct watch *watch);
double watch_drain_s(const struct watch *watch);

/* For how long hardware that is halted for each poll must run on, so that with the next poll, too,
 * it was halted for no more than the allowed share of the time since we came; <= 0: it need not. */
double watch_pause_s(const struct watch *watch);

/* How long to wait until the next poll, at most delay_s. */
double watch_delay_s(const struct watch *watch, double delay_s);

/*
 * Opens a target as session_open_any() where live, else as session_open(), runs what is to be done
 * with it, and closes it. Signals are held while it is opened and closed, so that no core stays
 * halted; run() holds them while it polls. The status of the first of the three that failed.
 */
int watch_run(struct watch *watch, const struct options *options, bool live,
              int (*run)(void *context), void *context);

/* The same for one poll, after which show() is called, if there is something to show: what it
 * writes may block. What the target had before it is looked at counts, and nothing is waited for.
 */
int watch_once(struct options *options, int (*show)(void *context, struct watch *watch),
               void *context);

#endif
