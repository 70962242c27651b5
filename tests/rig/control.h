/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rig's control socket: one command a line, one line of JSON back. */
#ifndef RIG_CONTROL_H
#define RIG_CONTROL_H

#include <poll.h>
#include <stddef.h>

#include "line.h"

#define CONTROL_CLIENTS 8
#define CONTROL_FDS     (CONTROL_CLIENTS + 1)

struct control {
    int listener; /* owned; -1: none */
    struct line *clients[CONTROL_CLIENTS];
    /* Obeys one line, writes the answer, ended by a newline, and returns its length. */
    size_t (*obey)(void *context, const char *line, char *text, size_t capacity);
    void *context;
};

/* Fills in CONTROL_FDS descriptors to wait for; -1 where there is none. */
void control_fds(const struct control *control, struct pollfd *fds);

/* Answers whoever has asked, by what poll() found. */
void control_serve(struct control *control, const struct pollfd *fds);

void control_close(struct control *control);

#endif
