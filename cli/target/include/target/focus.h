/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Points the stub's focus at a function, and adds up what it counts there. */
#ifndef TARGET_FOCUS_H
#define TARGET_FOCUS_H

#include <profile/profile.h>
#include <ranking/annotate.h>
#include <target/session.h>

/* Bytes of focus_text(), with the NUL. */
#define FOCUS_TEXT 160

/* A part of the function that fits into the focus. */
struct focus_window {
    uint64_t base, end; /* addresses */
    uint64_t events;    /* of the whole target while it was counted */
    uint64_t *hits;     /* by entry; owned */
    /* Since it was pointed there last; not yet in the members above. */
    uint64_t new_events;
    uint32_t *new_hits; /* by entry; owned */
};

/* The focus on a function. Zeroed memory is none; focus_end() frees it. */
struct focus {
    bool on;       /* the stub's focus may count: focus_end() switches it off */
    uint64_t addr; /* of the function; valid if there are windows */
    struct focus_window *windows;
    size_t count;   /* of windows; larger functions are counted in turns */
    size_t current; /* the window that is counted */
    size_t entries; /* of the stub's focus */
    unsigned unit;  /* bytes of code of an entry */
    unsigned restarts;
    struct profile profile; /* see focus_profile() */
};

/* Whether the target's stub has a focus, by what was read of it last. */
bool focus_is_there(const struct session *session);

/*
 * Points the focus at the parts of an annotation, instead of where it was. Does nothing if the stub
 * has no focus; focus->on is false then. Returns STATUS_DONE; on failure, prints a message and
 * returns another status, and the focus is off. Signals must be held.
 */
int focus_begin(struct focus *focus, struct session *session, const struct annotation *annotation);

/* Reads what was counted, and goes on to the next part of a larger function. Call it after each
 * successful poll, which brought profile; signals must be held. Ends the focus if that fails. */
void focus_update(struct focus *focus, struct session *session, const struct profile *profile);

/*
 * Returns the hits by instruction, which live until the next call, or NULL if some part of the
 * function was not counted yet. If parts took turns, hits are scaled down to the part with the
 * fewest events, so that intervals are not too narrow.
 */
const struct profile *focus_profile(struct focus *focus, const struct profile *profile);

/* Returns what the last focus_profile() returned. */
const struct profile *focus_counted(const struct focus *focus);

/* Copies a focus with what it has counted, also as focus_profile() makes it for profile, and frees
 * nothing of *copy. The caller frees the copy with focus_free(). Returns false if memory runs out;
 * *copy is unchanged then. */
bool focus_copy(const struct focus *focus, const struct profile *profile, struct focus *copy)
    __attribute__((warn_unused_result));

/* Frees a focus, and leaves the stub's as it is; focus->on is unchanged. */
void focus_free(struct focus *focus);

/* Writes one line about the focus on the function at addr; "" if it has none. */
void focus_text(const struct focus *focus, uint64_t addr, char text[FOCUS_TEXT]);

/* Switches the stub's focus off, if it is on and the link works, and frees all. One that 'mprof
 * control focus' has set stays on, as long as it was not pointed elsewhere. */
void focus_end(struct focus *focus, struct session *session);

#endif
