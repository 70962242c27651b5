/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The signals that ncurses takes for itself, as they were and back; and Ctrl-Z. */
#include "term_private.h"

#include <signal.h>

static const int our_signals[OUR_SIGNALS] = {SIGINT, SIGTERM, SIGTSTP, SIGWINCH};

static volatile sig_atomic_t stop_wanted;

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

static void note_stop(int signal)
{
    (void)signal;
    stop_wanted = 1;
}

void stop_catch(void)
{
    struct sigaction action;

    if (sigaction(SIGTSTP, NULL, &action) != 0 || action.sa_handler != SIG_DFL)
        return;
    stop_wanted = 0;
    action = (struct sigaction){.sa_handler = note_stop, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGTSTP, &action, NULL);
}

bool stop_take(void)
{
    bool wanted = stop_wanted;

    stop_wanted = 0;
    return wanted;
}

static void change_mask(int how, sigset_t *before)
{
    sigset_t stop;

    sigemptyset(&stop);
    sigaddset(&stop, SIGTSTP);
    sigprocmask(how, &stop, before);
}

void stop_block(sigset_t *before)
{
    change_mask(SIG_BLOCK, before);
}

void stop_unblock(sigset_t *before)
{
    change_mask(SIG_UNBLOCK, before);
}
