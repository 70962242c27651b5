/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The terminal for another program or the shell that started us, and back. */
#include "term_private.h"

#include <curses.h>
#include <errno.h>
#include <signal.h>
#include <unistd.h>

bool term_suspend(struct term *term)
{
    if (term->away)
        return true;
    endwin();
    signals_note(term->ours);
    signals_put(term->found, OUR_SIGNALS);
    term->away = 1;
    /* It waits until all is written, and a signal may end that. */
    int set;
    do
        set = tcsetattr(STDIN_FILENO, TCSADRAIN, &term->settings);
    while (set != 0 && errno == EINTR);
    if (set == 0)
        return true;
    (void)term_resume(term);
    return false;
}

bool term_resume(struct term *term)
{
    if (!term->away)
        return true;
    if (reset_prog_mode() != OK)
        return false;
    signals_put(term->ours, OUR_SIGNALS);
    term->away = 0;
    term->resized = adapt_size();
    mouse_apply(term);
    term_redraw(term);
    term_flush(term);
    return true;
}

bool stop_now(struct term *term)
{
    sigset_t mask;

    if (!term_suspend(term))
        return false;
    /* It has its default action now, and holds here until the process goes on. */
    raise(SIGTSTP);
    stop_unblock(&mask);
    sigprocmask(SIG_SETMASK, &mask, NULL);
    return term_resume(term);
}
