/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A line editor without a terminal of its own: readline, given keys, returns the text. */
#ifndef SHELL_PROMPT_H
#define SHELL_PROMPT_H

#include <stddef.h>

/* One line. There is one at a time, because readline has only one. */
struct prompt;

/* Whether the line is complete. */
enum prompt_state {
    PROMPT_OPEN,
    PROMPT_DONE,      /* Enter */
    PROMPT_CANCELLED, /* Escape */
};

/* Returns completions of text, which is the part of the line from start to end, in the form that
 * readline's rl_attempted_completion_function has. */
typedef char **prompt_complete(const char *text, int start, int end);

/*
 * Starts a line. label (":" or "/") is stored for prompt_label(). initial is text that the line
 * already has; NULL: none. complete may be NULL: Tab does nothing. history is the name of the list
 * of earlier lines, a constant. Does not read, write or handle signals.
 *
 * The caller frees the result with prompt_close(). Returns NULL if memory runs out or another line
 * is open.
 */
struct prompt *prompt_open(const char *label, const char *initial, prompt_complete *complete,
                           const char *history);

/* Executes a key of term_key(). Escape, Ctrl-G, Ctrl-C, and Ctrl-D in an empty line cancel. Tab
 * completes. Enter ends the line and adds it to the history. Other control characters of readline
 * work if they move the cursor or change the text; key sequences and searches do not. Unknown keys,
 * and keys after the line has ended, are ignored. */
enum prompt_state prompt_key(struct prompt *prompt, int key);

/* Returns the text of the line, UTF-8. Valid until the next key. */
const char *prompt_text(const struct prompt *prompt);

/* Returns the cells of the text before the cursor, without the label. */
size_t prompt_cursor(const struct prompt *prompt);

/* Returns the label. Valid as long as the prompt. */
const char *prompt_label(const struct prompt *prompt);

/* Returns the completions if the last key was a Tab with several of them, and sets *count;
 * otherwise *count is 0. Valid until the next key. */
const char *const *prompt_matches(const struct prompt *prompt, size_t *count);

/* Ends the line, complete or not, and frees it. NULL is allowed and does nothing. */
void prompt_close(struct prompt *prompt);

#endif
