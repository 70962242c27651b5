/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands behind ':', and whoever else has the terminal meanwhile. */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <base/say.h>
#include <base/signals.h>
#include <shell/shell.h>
#include <shell/tokenizer.h>

#include "live_private.h"

/* Our own commands first: those of the keys. */
static bool act_by_name(void *context, int argc, char **argv, int *status)
{
    struct live *l = context;
    char argument[LIVE_TEXT] = "";
    size_t len = 0;

    for (int i = 1; i < argc && len < sizeof(argument); i++)
        len += (size_t)snprintf(argument + len, sizeof(argument) - len, "%s%s", i > 1 ? " " : "",
                                argv[i]);
    l->over.notice_bad = false;
    if (!live_act(l, argv[0], argument[0] ? argument : NULL))
        return false;
    *status = l->over.notice_bad ? STATUS_FAILED : STATUS_DONE;
    return true;
}

static bool is_ours(const struct live *l, const char *name)
{
    for (const struct live_key *k = l->keys; k->help; k++)
        if (k->name && strcmp(k->name, name) == 0)
            return true;
    return false;
}

/* As many as there are names in the table. */
#define NAMES_MAX 64

void live_offer_names(struct live *live)
{
    static struct shell_name names[NAMES_MAX];
    size_t count = 0;

    for (const struct live_key *k = live->keys; k->help && count + 1 < NAMES_MAX; k++)
        if (k->name)
            names[count++] = (struct shell_name){.name = k->name, .takes = k->type};
    names[count].name = NULL;
    shell_names_set(names);
}

/* Where a line is to be run. */
enum place {
    PLACE_HERE,   /* all of its commands are ours */
    PLACE_ASIDE,  /* some print */
    PLACE_NOWHERE /* one does not exist */
};

static enum place place_of_line(struct live *l, const char *line)
{
    enum place place = PLACE_HERE;
    char text[COMMAND_UNKNOWN];
    struct tokens words;
    const char *why;

    while (tokenizer_next(&line, &words, &why) == TOKENIZER_OK) {
        if (place != PLACE_NOWHERE && !is_ours(l, words.argv[0])) {
            place = shell_knows(words.argv[0]) ? PLACE_ASIDE : PLACE_NOWHERE;
            if (place == PLACE_NOWHERE) {
                shell_unknown(words.argv[0], "? lists the keys, :help the commands", text,
                              sizeof(text));
                live_say(l, true, "%s", text);
            }
        }
        tokens_free(&words);
    }
    return place;
}

static void wait_for_enter(struct live *l)
{
    char byte;

    printf("\n-- Enter: return to the live screen --");
    fflush(stdout);
    while (live_wait_aside(l, STDIN_FILENO))
        if (read(STDIN_FILENO, &byte, 1) != 1 || byte == '\n')
            break;
    signals_clear(); /* Ctrl-C here says no more than Enter does */
}

/* Ctrl-C ends the line, and not the live view. */
static int run_line(struct live *l, const char *line)
{
    int status = shell_run(line, act_by_name, l);

    signals_clear();
    return status;
}

/* What a verb prints is read on the screen where the program was started. */
static void run_aside(struct live *l, const char *line)
{
    if (!term_suspend(l->term)) {
        live_say(l, true, "cannot give the terminal to the command");
        return;
    }
    signals_guard(NULL, NULL);
    complain_hold(false);
    l->aside = true;
    shell_keep(&l->link.target->session);
    printf("mprof> %s\n", line);
    fflush(stdout);
    if (run_line(l, line) == SHELL_QUIT)
        l->leave = true;
    else
        wait_for_enter(l);
    l->aside = false;
    shell_keep(&l->shown.session);
    complain_hold(true);
    if (!live_publish(l) || !term_resume(l->term))
        l->leave = true;
    live_guard(l);
    live_say_news(l);
    l->link.poll = true;
}

/* Its commands may use the link. */
static void run_when_free(struct live *l, const char *line)
{
    if (!live_is_link_taken(l)) {
        run_aside(l, line);
    } else if (l->link.line) {
        live_say(l, true, "another command still waits for the debug server: try again later");
    } else {
        l->link.line = strdup(line);
        live_say(l, !l->link.line, "%s",
                 l->link.line ? "waiting for the debug server to answer ..." : "out of memory");
    }
}

void live_run_waiting(struct live *live)
{
    char *line = live->link.line;

    if (!line || live_is_link_taken(live))
        return;
    live->link.line = NULL;
    live->over.notice[0] = '\0';
    run_aside(live, line);
    free(line);
}

void live_run_line(struct live *live, const char *line)
{
    enum place place = place_of_line(live, line);

    if (place == PLACE_ASIDE) {
        run_when_free(live, line);
    } else if (place == PLACE_HERE) {
        live->over.notice_bad = false;
        if (run_line(live, line) != STATUS_DONE && !live->over.notice_bad)
            live_say_complaint(live);
    }
}
