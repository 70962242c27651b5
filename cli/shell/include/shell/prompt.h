/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Line editing by readline without its output: keys in, text out. */
#ifndef SHELL_PROMPT_H
#define SHELL_PROMPT_H

#include <stddef.h>

/* One at a time: readline has one line. */
struct prompt;

enum prompt_state {
    PROMPT_OPEN,
    PROMPT_DONE,
    PROMPT_CANCELLED,
};

/* What may stand where the cursor is, as readline's rl_attempted_completion_function. */
typedef char **prompt_complete(const char *text, int start, int end);

/*
 * Begins a line. label: ":" or "/", which is only kept; initial: text that stands there already,
 * NULL: none; complete: NULL: Tab does nothing; history: the name of the list of lines that were
 * typed before, a constant. Nothing is read and nothing is written, and no signal is handled.
 * NULL: no memory, or another one is open. To be closed by prompt_close().
 */
struct prompt *prompt_open(const char *label, const char *initial, prompt_complete *complete,
                           const char *history);

/* Takes a key as term_key() returns it; those that no line knows are passed over. Escape, Ctrl-G,
 * Ctrl-C, and Ctrl-D on an empty line cancel; Tab completes; Enter ends, and keeps the line in the
 * history. Of control characters those that move, delete and put back are known, not those that
 * begin a sequence or a search. Once it is not PROMPT_OPEN it stays as it is. */
enum prompt_state prompt_key(struct prompt *prompt, int key);

/* UTF-8, after PROMPT_DONE the whole line; good until the next key. */
const char *prompt_text(const struct prompt *prompt);

/* Cells of the text before the cursor, the label not counted. */
size_t prompt_cursor(const struct prompt *prompt);
const char *prompt_label(const struct prompt *prompt);

/* What the last key, a Tab, found to be possible where it is more than one thing; *count 0 after
 * any other key. Good until the next key. */
const char *const *prompt_matches(const struct prompt *prompt, size_t *count);

/* In the middle of a line, too. NULL does nothing. */
void prompt_close(struct prompt *prompt);

#endif
