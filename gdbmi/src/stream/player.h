/* SPDX-License-Identifier: 0BSD */
/* A server made of a record: its streams answer what was recorded, and it has a clock. */
#ifndef GDBMI_SRC_PLAYER_H
#define GDBMI_SRC_PLAYER_H

#include <stdatomic.h>

#include <gdbmi/stream.h>

#include "record_read.h"

/* A record that is played. */
struct player {
    struct record_script script;
    char name[200];                  /* of the file */
    size_t current;                  /* the event that happened last */
    size_t times;                    /* times that were read since, of those that the event has */
    size_t opened;                   /* event after that of the last connection */
    size_t chosen;                   /* event after the bytes that were chosen last */
    uint64_t since_ns;               /* when playing began, by the system's clock */
    _Atomic uint64_t passed_ns;      /* the last time that was read, since then */
    _Atomic uint64_t read_system_ns; /* when it was, by the system's clock */
    struct gdbmi_error failed;       /* why playing has ended, or no error */
};

/* Begins to play a script, which the player then owns. */
void player_begin(struct player *player, const char *name, struct record_script *script);

void player_free(struct player *player);

/* Returns the time in nanoseconds: what the record says, as long as it does; then time passes as
 * the system's does. */
uint64_t player_now_ns(struct player *player);

/* The same for a thread that has no part in the link: as much time as passed since the last one
 * above. */
uint64_t player_guess_ns(const struct player *player);

/* Lets time pass, if the record does not say how much. */
void player_skip(struct player *player, uint64_t ns);

/* Replaces bytes that were chosen by chance by those of the record, if it has as many there. */
void player_choose(struct player *player, void *bytes, size_t len);

/* Makes the next connection with this label. address is the server, for error texts. Returns
 * GDBMI_OK and *stream, which must be closed before the player is freed, or the error that was
 * recorded, or GDBMI_EPLAY: there is none. */
enum gdbmi_code player_connect(struct player *player, const char *label, const char *address,
                               struct gdbmi_stream **stream, struct gdbmi_error *error);

#endif
