/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs lines of commands, one after the other, in one process. */
#include <shell/shell.h>

#include <string.h>

#include <base/output.h>
#include <base/say.h>
#include <base/signals.h>
#include <options/option_defaults.h>
#include <shell/tokenizer.h>

#include "shell_builtin.h"

static bool going_on;
static int first_failure; /* of all lines, until somebody asks */

/* Of the live view. */
static struct session *viewed, *before_view;
static const struct options *inherited_before;

bool shell_keep_going(bool keep_going)
{
    bool before = going_on;

    going_on = keep_going;
    return before;
}

void shell_keep(struct session *session)
{
    if (session && !viewed) {
        before_view = session_keep(session);
        inherited_before = option_inherit_from(session->options);
    } else if (session) {
        (void)session_keep(session);
        (void)option_inherit_from(session->options);
    } else if (viewed) {
        (void)session_keep(before_view);
        (void)option_inherit_from(inherited_before);
    }
    viewed = session;
}

/* The name of the program before a verb is a habit of the hand. */
static int run_words(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[0], "mprof") == 0) {
        argc--;
        argv++;
    }
    const struct shell_builtin *builtin = shell_builtin_find(argv[0]);
    const struct command *command = command_find(argv[0]);

    if (builtin)
        return builtin->run(builtin, argc, argv);
    if (!command)
        return shell_refuse(argv[0]);
    bool screen = (command->options & (OPTION_SHELL | OPTION_SCREEN)) != 0;
    if ((viewed && screen) || (command->options & OPTION_SHELL)) {
        complain("%s: %s", command->name, viewed ? SHELL_NOT_IN_VIEW : "already in the shell");
        return STATUS_USAGE;
    }
    return command->run(command, argc, argv);
}

bool shell_knows(const char *name)
{
    return strcmp(name, "mprof") == 0 || shell_builtin_find(name) || command_find(name);
}

/* What one command leaves behind is not the next one's. */
static int run_one(const struct tokens *words, shell_extra *extra, void *context)
{
    int status;

    if (signals_pending())
        return SHELL_SIGNAL + signals_pending();
    if (extra && extra(context, words->argc, words->argv, &status))
        return status;
    clearerr(stdout);
    status = run_words(words->argc, words->argv);
    if (fflush(stdout) != 0 && status == STATUS_DONE)
        status = output_failed(NULL, NULL);
    /* A verb may take Ctrl-C for a way to say that it is enough. */
    bool enough = signals_interrupted() && status == STATUS_DONE && !signals_refused() &&
                  !shell_builtin_find(words->argv[0]);
    if (signals_pending() && !enough)
        return SHELL_SIGNAL + signals_pending();
    if (enough)
        signals_clear();
    return status;
}

/* Nothing of a line is done that has a mistake in it. */
static int check(const char *line)
{
    struct tokens words;
    const char *why = "";
    enum tokenizer_code code;

    while ((code = tokenizer_next(&line, &words, &why)) == TOKENIZER_OK)
        tokens_free(&words);
    if (code == TOKENIZER_END)
        return STATUS_DONE;
    complain("%s", code == TOKENIZER_ENOMEM ? "out of memory" : why);
    return code == TOKENIZER_ENOMEM ? STATUS_FAILED : STATUS_USAGE;
}

int shell_first_failure(void)
{
    int status = first_failure;

    first_failure = STATUS_DONE;
    return status;
}

/* Returns what ends the line; STATUS_DONE: nothing does. */
static int run_next(const struct tokens *words, shell_extra *extra, void *context)
{
    int status = run_one(words, extra, context);

    if (status == STATUS_DONE || status == SHELL_QUIT)
        return status;
    if (first_failure == STATUS_DONE)
        first_failure = status;
    return going_on && status < SHELL_SIGNAL && !output_is_left() ? STATUS_DONE : status;
}

int shell_run(const char *line, shell_extra *extra, void *context)
{
    int status = check(line);
    struct tokens words;
    const char *why;

    if (status != STATUS_DONE) {
        first_failure = first_failure == STATUS_DONE ? status : first_failure;
        return status;
    }
    bool outlived = signals_outlive(true);
    while (status == STATUS_DONE && tokenizer_next(&line, &words, &why) == TOKENIZER_OK) {
        status = run_next(&words, extra, context);
        tokens_free(&words);
    }
    signals_outlive(outlived);
    return status;
}
