/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The signals that ncurses takes for itself, as they were and back. */
#include "term_private.h"

static const int our_signals[OUR_SIGNALS] = {SIGINT, SIGTERM, SIGTSTP, SIGWINCH};

void signals_note(struct sigaction *actions)
{
    for (int i = 0; i < OUR_SIGNALS; i++)
        sigaction(our_signals[i], NULL, &actions[i]);
}

void signals_put(const struct sigaction *actions, int count)
{
    for (int i = 0; i < count; i++)
        sigaction(our_signals[i], &actions[i], NULL);
}
