/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The shell's prompt at a terminal. */
#define _GNU_SOURCE /* ppoll */

#include <poll.h>
#include <readline/readline.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <base/output.h>
#include <base/say.h>
#include <base/signals.h>
#include <options/command.h>
#include <shell/shell.h>

#include "shell_inner.h"

#define PROMPT "mprof> "

/* Readline's functions have no context. */
static int wake;     /* readable once a signal is recorded */
static bool stopped; /* the line was ended by a signal or the end of input */

/*
 * Takes the signals that end something back from readline, which catches them at each line and
 * after each Ctrl-Z: version 8.2 frees its list of undos twice when it handles Ctrl-C. Ctrl-Z stays
 * readline's, since it must give the terminal back.
 */
static void take_signals(void)
{
    (void)signals_open();
}

/* Waits for a byte of input; returns false if a signal came first. Readline records signals, too,
 * so none may come between the check and the wait. */
static bool wait_for_input(void)
{
    struct pollfd fds[] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = wake, .events = POLLIN}};
    sigset_t all, before;
    int ready = 0;

    while (!signals_pending() && ready <= 0) {
        take_signals();
        sigfillset(&all);
        sigprocmask(SIG_BLOCK, &all, &before);
        if (!rl_pending_signal() && !signals_pending())
            ready = ppoll(fds, 2, NULL, &before);
        sigprocmask(SIG_SETMASK, &before, NULL);
        int caught = rl_pending_signal();
        rl_check_signals();
        if (caught != 0 && caught != SIGWINCH) /* it gave the terminal back, and took it again */
            rl_forced_update_display();
    }
    return !signals_pending();
}

/*
 * Ends what is being typed: what readline gets for a byte. An end of input makes it leave a search,
 * a question or a sequence of keys, and ask for the next byte. The line itself is then ended as by
 * Enter, because that frees and restores all that readline has of it; its text stays on the screen.
 */
static int stop(void)
{
    stopped = true;
    if (!RL_ISSTATE(RL_STATE_READCMD))
        return EOF;
    if (!signals_interrupted())
        return READERR;
    rl_point = rl_end;
    rl_insert_text("^C");
    rl_redisplay();
    rl_done = 1;
    return '\n';
}

static int next_byte(FILE *stream)
{
    unsigned char byte;

    (void)stream;
    if (!wait_for_input() || read(STDIN_FILENO, &byte, 1) != 1)
        return stop();
    return byte;
}

/* The line, to be freed; NULL: the end of input, or a signal that ends us. */
static char *read_line(void)
{
    for (;;) {
        stopped = false;
        rl_getc_function = next_byte;
        char *line = readline(PROMPT);
        rl_getc_function = rl_getc;
        take_signals();
        if (!stopped)
            return line;
        free(line);
        if (!signals_interrupted())
            return NULL;
        signals_clear();
    }
}

int console_run(int wake_fd)
{
    int status = STATUS_DONE;
    char *line = NULL;

    shell_use_readline();
    (void)rl_variable_bind("echo-control-characters", "off"); /* stop() does */
    wake = wake_fd;
    if (!shell_history_use("commands"))
        return fail("out of memory");
    puts("mprof " MPROF_VERSION "; 'help' lists the commands, Ctrl-D leaves");
    fflush(stdout);
    signals_outlive(true);
    while (status != SHELL_QUIT && !(signals_pending() && !signals_interrupted())) {
        signals_clear();
        line = read_line();
        if (!line)
            break;
        signals_clear(); /* a Ctrl-C that came after Enter */
        shell_history_add(line);
        status = shell_run(line, NULL, NULL);
        free(line);
        if (output_is_left())
            break;
        shell_use_readline(); /* a command may have had prompts of its own */
        (void)shell_history_use("commands");
    }
    signals_outlive(false);
    if (signals_pending())
        return SHELL_SIGNAL + signals_pending();
    if (!line)
        putchar('\n');
    return STATUS_DONE;
}
