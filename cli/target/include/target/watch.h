/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Polls a target, and continues whatever happens to it, its server and its ELF file. */
#ifndef TARGET_WATCH_H
#define TARGET_WATCH_H

#include <gdbmi/link.h>
#include <profile/lockstep.h>
#include <profile/profile.h>
#include <target/focus.h>
#include <target/session.h>

/* Size of a text, bytes with the NUL. */
#define WATCH_TEXT 480

/* How long samples are taken for one table of them, seconds. */
#define WATCH_COLLECT_S 2.0

/* Why the last poll could not read the table. */
enum watch_trouble {
    WATCH_NONE,
    WATCH_LOST,    /* the connection is lost */
    WATCH_BLANK,   /* s_prof has no magic: mprof_init() has not run */
    WATCH_ZERO,    /* only zeros, also in flash: some servers answer a failed read so */
    WATCH_REFUSED, /* the server cannot read this memory */
    WATCH_UNUSABLE /* s_prof is of another version, or damaged */
};

/* The watch. watch_run() initialises and frees it. Times ending in _s are of monotonic_s(), or
 * seconds. */
struct watch {
    const struct options *options; /* borrowed */
    struct session session;
    struct profile profile; /* the last reading */
    struct focus focus;     /* on a function, if one is asked for; off when the target is closed */
    enum gdbmi_state state; /* of the target before the last reading */
    bool live;              /* a screen shows the message; else messages go to stderr */
    bool fresh;             /* the last poll has read the table */
    bool warning, alarm;    /* how to show the message */
    char message[WATCH_TEXT]; /* one line about the last poll, never "" after it */
    char
        failure[WATCH_TEXT]; /* why watch_poll() failed, to be printed after the screen is closed */
    double poll_s;           /* duration of the last reading */
    double busy_s, ended_s;  /* duration of the last poll, and when it ended */
    double busy_before_s;    /* duration of the poll before it */
    double drain_s;          /* duration of the last drain */
    double drains_s;         /* duration of all drains since the last poll */
    double drains_before_s;  /* duration of those between the two polls before */
    double jitter;           /* of the pause before the next batch of samples, 0 to 1 */
    double halted_s;         /* how long the last poll halted the target */
    bool stood;              /* see time_range_look() */
    enum lockstep lockstep;  /* of a fixed timer; set by who has the last minute's hits */
    uint64_t asked_ns;       /* how long the user has halted the target through mprof */
    uint64_t asked_halts;    /* how often */
    bool has_header;         /* of a watch_copy(): the target's header was read, */
    struct decode_header header; /* and is this one; the watch itself has a sampler */

    /* Private to watch.c and watch_text.c. */
    enum watch_trouble trouble, said; /* that of the last poll; the one printed last */
    double trouble_s;                 /* when it began, or the time of the last good poll */
    unsigned refused;                 /* failed readings in a row */
    bool away;                        /* the connection was lost, and no poll was answered since */
    unsigned long reads;              /* readings of the table since the first poll */
    double try_s;                     /* when to connect again */
    double compare_s;                 /* when to compare the ELF file again, if it may differ */
    double glance_s;                  /* when to compare a part of it, if it seems the same */
    unsigned restarts;                /* restarts of the target that were reported */
    bool context_said;                /* that no task is called as --context says */
    bool short_said;                  /* that a short halt failed */
    bool clears;                      /* set by the caller: restarts are its own, and no news */
    unsigned compared;                /* profile.restarts when the ELF file last was the target's */
    char tried[WATCH_TEXT];           /* why the last attempt to connect failed */
    uint64_t counts[4];               /* of the profile at the last time_range_look() */
    char notice[WATCH_TEXT];          /* see watch_notice() */
    double notice_s;                  /* when it was set */
};

/*
 * Reads the table once and updates profile, state and message. If it cannot be read, because the
 * connection is lost, or the target is blank or runs other firmware, the profile keeps the last
 * numbers, and the next poll tries again. Returns STATUS_DONE in all these cases. Returns
 * STATUS_FAILED, with the reason in failure, if waiting is useless or has taken too long.
 */
int watch_poll(struct watch *watch);

/* The two halves of watch_poll(). Only watch_read() uses the link; another thread may show names of
 * the session's ELF files meanwhile (session_settle()). watch_comment() sets the message, and
 * returns STATUS_FAILED if the watch has waited too long. */
int watch_read(struct watch *watch);
int watch_comment(struct watch *watch);

/* Reads the records of a stream between two polls, so that none are lost. Errors are found again by
 * the next poll. */
void watch_drain(struct watch *watch);

/* Notes how long a poll took, seconds. It drains, too: if it was faster than the last
 * watch_drain(), that was slow by chance, and does not put off the next one. watch_poll() does it.
 */
void watch_take_poll_s(struct watch *watch, double poll_s);

/* Returns the seconds from one watch_drain() to the next, so that drains take at most half of
 * the part of the time that --link-share sets, or all of it if they are batches of samples, which
 * come at random; 0: it is not needed. */
double watch_drain_s(const struct watch *watch);

/* Takes samples for some seconds and polls once more, if mprof takes the samples itself: else the
 * first poll has all that there is. Ends early at a signal. Returns a status as watch_poll(). */
int watch_collect(struct watch *watch, double seconds);

/* Returns the seconds until the next poll may halt hardware, so that halts by polls take at most
 * the share of time that --allow-halt sets, since connecting. <= 0: now. */
double watch_halt_pause_s(const struct watch *watch);

/* Returns the seconds until the next poll may begin: watch_halt_pause_s(), or longer, so that polls
 * and drains take at most the part of the time that --link-share sets. <= 0: now. */
double watch_pause_s(const struct watch *watch);

/* Returns the time from one poll to the next, if polls and drains are so slow that --link-share
 * makes it longer than --delay; else 0. */
double watch_period_s(const struct watch *watch);

/* Returns the seconds until the next poll, at most delay_s: less if the target cannot be read. */
double watch_delay_s(const struct watch *watch, double delay_s);

/*
 * Opens a target, calls run(context), and closes the target. It is opened by session_open_any()
 * with live, else by session_open(). Signals are held during open and close, so that no target is
 * left halted; run() must hold them while it polls. Prints messages. Returns the status of the
 * first of the three steps that failed.
 */
int watch_run(struct watch *watch, const struct options *options, bool live,
              int (*run)(void *context), void *context);

/* Opens a target, polls it once without waiting, calls show() if that succeeded, and closes the
 * target. Signals are not held in show(), whose output may block. Prints messages, and returns a
 * status like watch_run(). Changes options: batch, wait_s, sampler and
 * stack_bytes. */
int watch_once(struct options *options, int (*show)(void *context, struct watch *watch),
               void *context);

#endif
