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

/* Readline's callback has no context. */
static char *typed;
static bool done;

static void take_line(char *line)
{
    typed = line;
    done = true;
    rl_callback_handler_remove(); /* the terminal is the command's */
}

/* Readline notes signals for later, too: none may come between the look and the wait. */
static void wait_for_input(int wake_fd)
{
    struct pollfd fds[] = {{.fd = STDIN_FILENO, .events = POLLIN},
                           {.fd = wake_fd, .events = POLLIN}};
    sigset_t all, before;
    int ready = 0;

    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    if (!rl_pending_signal() && !signals_pending())
        ready = ppoll(fds, 2, NULL, &before);
    sigprocmask(SIG_SETMASK, &before, NULL);
    int caught = rl_pending_signal();
    rl_check_signals();
    if (caught != 0 && caught != SIGWINCH) { /* it gave the terminal back, and took it again */
        rl_point = rl_end;
        rl_forced_update_display();
    }
    if (ready > 0 && fds[0].revents && !signals_pending())
        rl_callback_read_char();
}

/* Ctrl-C: what was typed is left where it stands. */
static void give_up_line(void)
{
    rl_callback_sigcleanup();
    fputs("^C", rl_outstream);
    rl_crlf();
    rl_callback_handler_remove();
    signals_clear();
}

/* The line, to be freed; NULL: the end of input, or a signal that ends us. */
static char *read_line(int wake_fd)
{
    for (;;) {
        done = false;
        typed = NULL;
        rl_callback_handler_install(PROMPT, take_line);
        while (!done && !signals_pending())
            wait_for_input(wake_fd);
        if (done)
            return typed;
        if (!signals_interrupted()) {
            rl_callback_handler_remove();
            return NULL;
        }
        give_up_line();
    }
}

int console_run(int wake_fd)
{
    int status = STATUS_DONE;
    char *line = NULL;

    shell_use_readline();
    (void)rl_variable_bind("echo-control-characters", "off"); /* give_up_line() does */
    rl_persistent_signal_handlers = 1; /* while we wait, too: Ctrl-Z gives the terminal back */
    if (!shell_history_use("commands"))
        return fail("out of memory");
    puts("mprof " MPROF_VERSION "; 'help' lists the commands, Ctrl-D leaves");
    fflush(stdout);
    signals_outlive(true);
    while (status != SHELL_QUIT && !(signals_pending() && !signals_interrupted())) {
        signals_clear();
        line = read_line(wake_fd);
        if (!line)
            break;
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
