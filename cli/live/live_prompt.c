/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is typed in the last line: commands and patterns. */
#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>
#include <string.h>

#include <shell/shell.h>

#include "live_private.h"

static void open_prompt(struct live *l, const char *label, const char *initial, bool command)
{
    l->over.prompt = prompt_open(label, initial, command ? shell_complete : NULL,
                                 command ? "commands" : "patterns");
    l->over.prompt_kind = command ? LIVE_PROMPT_COMMAND : LIVE_PROMPT_PATTERN;
    if (!l->over.prompt)
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
    memcpy(live->over.pattern_before, live->model.filter.pattern,
           sizeof(live->model.filter.pattern));
    open_prompt(live, "filter: ", live->model.filter.pattern, false);
}

void live_all(struct live *live, const char *argument)
{
    (void)argument;
    if (!live->options->context)
        live->shown.session.ignore.some_contexts = false;
    if (live_filter_set(live, ""))
        live_retake(live);
}

static void close_prompt(struct live *l, bool done)
{
    char *text = strdup(prompt_text(l->over.prompt));
    bool command = l->over.prompt_kind == LIVE_PROMPT_COMMAND;

    prompt_close(l->over.prompt);
    l->over.prompt = NULL;
    if (!text)
        live_say(l, true, "out of memory");
    else if (command && done)
        live_run_line(l, text);
    else if (!command && live_filter_set(l, done ? text : l->over.pattern_before))
        live_retake(l);
    free(text);
}

/* Rows follow what is typed as soon as it means something. */
static void preview(struct live *l)
{
    char notice[LIVE_TEXT];

    memcpy(notice, l->over.notice, sizeof(notice));
    if (live_filter_set(l, prompt_text(l->over.prompt)))
        live_retake(l);
    else
        memcpy(l->over.notice, notice, sizeof(notice));
}

void live_prompt_key(struct live *live, int key)
{
    switch (prompt_key(live->over.prompt, key)) {
    case PROMPT_DONE:
        close_prompt(live, true);
        break;
    case PROMPT_CANCELLED:
        close_prompt(live, false);
        break;
    case PROMPT_OPEN:
        if (live->over.prompt_kind == LIVE_PROMPT_PATTERN)
            preview(live);
        break;
    }
}
