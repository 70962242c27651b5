/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is typed in the last line: commands, patterns, and choices from a menu. */
#define _POSIX_C_SOURCE 200809L

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "live_private.h"
#include "shell.h"
#include "signals.h"

static void open_prompt(struct live *l, const char *label, const char *initial, bool command)
{
    l->prompt = prompt_open(label, initial, command ? shell_complete : NULL,
                            command ? "commands" : "patterns");
    l->prompt_kind = command ? LIVE_PROMPT_COMMAND : LIVE_PROMPT_PATTERN;
    if (!l->prompt)
        live_say(l, true, "out of memory");
}

void live_prompt(struct live *live, const char *argument)
{
    (void)argument;
    open_prompt(live, ":", NULL, true);
}

void live_filter(struct live *live, const char *argument)
{
    if (argument) {
        if (live_filter_set(live, argument))
            live_retake(live);
        return;
    }
    memcpy(live->pattern_before, live->pattern, sizeof(live->pattern));
    open_prompt(live, "/", live->pattern, false);
}

void live_all(struct live *live, const char *argument)
{
    (void)argument;
    if (live_filter_set(live, ""))
        live_retake(live);
}

/* Our own commands first: those of the keys. */
static bool act_by_name(void *context, int argc, char **argv, int *status)
{
    struct live *l = context;
    char argument[LIVE_TEXT] = "";
    size_t len = 0;

    for (int i = 1; i < argc && len < sizeof(argument); i++)
        len += (size_t)snprintf(argument + len, sizeof(argument) - len, "%s%s", i > 1 ? " " : "",
                                argv[i]);
    l->notice_bad = false;
    if (!live_act(l, argv[0], argument[0] ? argument : NULL))
        return false;
    *status = l->notice_bad ? STATUS_FAILED : STATUS_DONE;
    return true;
}

static bool is_ours(const char *line)
{
    size_t len = strcspn(line, " ;");

    for (const struct live_key *k = live_keys; k->help; k++)
        if (k->name && strlen(k->name) == len && memcmp(k->name, line, len) == 0)
            return line[len] != ';';
    return false;
}

static void wait_for_enter(const struct live *l)
{
    struct pollfd fds[] = {{.fd = STDIN_FILENO, .events = POLLIN},
                           {.fd = l->wake_fd, .events = POLLIN}};
    char byte;

    printf("\n-- Enter: back to the live view --");
    fflush(stdout);
    while (poll(fds, 2, -1) > 0 && !fds[1].revents)
        if (read(STDIN_FILENO, &byte, 1) != 1 || byte == '\n')
            return;
}

/* What a verb prints is read on the screen where the program was started. */
static void run_aside(struct live *l, const char *line)
{
    if (!term_suspend(l->term)) {
        live_say(l, true, "the terminal could not be given to the command");
        return;
    }
    signals_guard(NULL);
    complain_hold(false);
    printf("mprof> %s\n", line);
    fflush(stdout);
    shell_run(line, act_by_name, l);
    wait_for_enter(l);
    complain_hold(true);
    if (!term_resume(l->term))
        l->leave = true;
    signals_guard(l->term);
    l->poll = true;
}

static void run_command(struct live *l, const char *text)
{
    while (*text == ' ')
        text++;
    if (!*text)
        return;
    if (is_ours(text))
        shell_run(text, act_by_name, l);
    else
        run_aside(l, text);
}

static void close_prompt(struct live *l, bool done)
{
    char *text = strdup(prompt_text(l->prompt));
    bool command = l->prompt_kind == LIVE_PROMPT_COMMAND;

    prompt_close(l->prompt);
    l->prompt = NULL;
    if (!text)
        live_say(l, true, "out of memory");
    else if (command && done)
        run_command(l, text);
    else if (!command && live_filter_set(l, done ? text : l->pattern_before))
        live_retake(l);
    free(text);
}

/* Rows follow what is typed as soon as it means something. */
static void preview(struct live *l)
{
    char notice[LIVE_TEXT];

    memcpy(notice, l->notice, sizeof(notice));
    if (live_filter_set(l, prompt_text(l->prompt)))
        live_retake(l);
    else
        memcpy(l->notice, notice, sizeof(notice));
}

void live_prompt_key(struct live *live, int key)
{
    switch (prompt_key(live->prompt, key)) {
    case PROMPT_DONE:
        close_prompt(live, true);
        break;
    case PROMPT_CANCELLED:
        close_prompt(live, false);
        break;
    case PROMPT_OPEN:
        if (live->prompt_kind == LIVE_PROMPT_PATTERN)
            preview(live);
        break;
    }
}

static void choose(struct live *l)
{
    void (*chosen)(struct live *, size_t) = l->menu.chosen;

    l->menu.chosen = NULL;
    chosen(l, l->menu.selected);
}

static void press_menu(struct live *l)
{
    struct term_mouse m = term_mouse(l->term);

    if (m.what == TERM_MOUSE_WHEEL_UP)
        live_menu_key(l, TERM_KEY_UP);
    else if (m.what == TERM_MOUSE_WHEEL_DOWN)
        live_menu_key(l, TERM_KEY_DOWN);
}

void live_menu_key(struct live *live, int key)
{
    struct live_menu *m = &live->menu;

    switch (key) {
    case TERM_KEY_MOUSE:
        press_menu(live);
        break;
    case TERM_KEY_UP:
    case 'k':
        m->selected = m->selected ? m->selected - 1 : m->count - 1;
        break;
    case TERM_KEY_DOWN:
    case 'j':
        m->selected = m->selected + 1 < m->count ? m->selected + 1 : 0;
        break;
    case TERM_KEY_HOME:
    case TERM_KEY_PAGE_UP:
        m->selected = 0;
        break;
    case TERM_KEY_END:
    case TERM_KEY_PAGE_DOWN:
        m->selected = m->count - 1;
        break;
    case '\n':
        choose(live);
        break;
    case 27:
    case 'q':
        m->chosen = NULL;
        break;
    default:
        break;
    }
}
