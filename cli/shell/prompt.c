/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Readline's callback interface, fed with keys, its output thrown away. */
#define _XOPEN_SOURCE 700 /* wcwidth */

#include <shell/prompt.h>

#include <readline/readline.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <term/term.h>

#include "shell_inner.h"

#define CONTROL(c) ((c)&0x1f)
#define ESCAPE     0x1b
#define DELETE     0x7f

/* A character and what a key may stand for. */
#define QUEUE_MAX 16

struct prompt {
    char *label;
    char *text; /* what readline had when it was done */
    enum prompt_state state;
    char **matches;
    size_t match_count;
    unsigned char queue[QUEUE_MAX];
    size_t queue_at, queue_len;
    FILE *nowhere;

    /* What readline was set to. */
    FILE *out, *in;
    bool installed;
    rl_completion_func_t *complete;
    char *bell, *show_all;
    int catch_signals, catch_winch, persistent;
};

/* Readline's callbacks have no context. */
static struct prompt *open_one;

static int next_byte(FILE *stream)
{
    struct prompt *p = open_one;

    (void)stream;
    return p->queue_at < p->queue_len ? p->queue[p->queue_at++] : EOF;
}

/* Else readline would look at the terminal whether more was typed. */
static int has_byte(void)
{
    return open_one->queue_at < open_one->queue_len;
}

static void show_nothing(void)
{
}

static void prepare_nothing(int meta)
{
    (void)meta;
}

static void forget_matches(struct prompt *p)
{
    for (size_t i = 0; i < p->match_count; i++)
        free(p->matches[i]);
    free(p->matches);
    p->matches = NULL;
    p->match_count = 0;
}

/* The first of readline's is what they have in common. */
static void keep_matches(char **matches, int count, int longest)
{
    struct prompt *p = open_one;

    (void)longest;
    forget_matches(p);
    p->matches = calloc((size_t)count, sizeof(*p->matches));
    for (int i = 1; p->matches && i <= count; i++) {
        char *copy = strdup(matches[i]);
        if (copy)
            p->matches[p->match_count++] = copy;
    }
}

static void end_line(char *line)
{
    struct prompt *p = open_one;

    p->installed = false;
    p->text = line;
    p->state = line ? PROMPT_DONE : PROMPT_CANCELLED;
    rl_callback_handler_remove();
    if (line)
        shell_history_add(line);
}

static char **complete_nothing(const char *text, int start, int end)
{
    (void)text, (void)start, (void)end;
    rl_attempted_completion_over = 1;
    return NULL;
}

static char *variable(const char *name)
{
    const char *value = rl_variable_value(name);

    return value ? strdup(value) : NULL;
}

static void put_back(const char *name, char *value)
{
    if (value)
        rl_variable_bind(name, value);
    free(value);
}

static void take_readline(struct prompt *p, prompt_complete *complete)
{
    p->out = rl_outstream;
    p->in = rl_instream;
    p->catch_signals = rl_catch_signals;
    p->catch_winch = rl_catch_sigwinch;
    shell_use_readline();
    rl_outstream = p->nowhere;
    rl_getc_function = next_byte;
    rl_input_available_hook = has_byte;
    rl_redisplay_function = show_nothing;
    rl_prep_term_function = prepare_nothing;
    rl_deprep_term_function = show_nothing;
    rl_completion_display_matches_hook = keep_matches;
    rl_attempted_completion_function = complete ? complete : complete_nothing;
    rl_catch_signals = rl_catch_sigwinch = 0;
    p->persistent = rl_persistent_signal_handlers;
    rl_persistent_signal_handlers = 0;
    rl_initialize();
    p->bell = variable("bell-style");
    p->show_all = variable("show-all-if-ambiguous");
    /* Keys are characters here in every locale. */
    rl_variable_bind("convert-meta", "off");
    rl_variable_bind("input-meta", "on");
    rl_variable_bind("bell-style", "none");
    rl_variable_bind("show-all-if-ambiguous", "on");
}

static void give_readline_back(struct prompt *p)
{
    put_back("bell-style", p->bell);
    put_back("show-all-if-ambiguous", p->show_all);
    rl_outstream = p->out;
    rl_instream = p->in;
    rl_getc_function = rl_getc;
    rl_input_available_hook = NULL;
    rl_redisplay_function = rl_redisplay;
    rl_prep_term_function = rl_prep_terminal;
    rl_deprep_term_function = rl_deprep_terminal;
    rl_completion_display_matches_hook = NULL;
    rl_catch_signals = p->catch_signals;
    rl_catch_sigwinch = p->catch_winch;
    rl_persistent_signal_handlers = p->persistent;
}

struct prompt *prompt_open(const char *label, const char *initial, prompt_complete *complete,
                           const char *history)
{
    struct prompt *p = open_one ? NULL : calloc(1, sizeof(*p));

    if (!p)
        return NULL;
    p->label = strdup(label);
    p->nowhere = fopen("/dev/null", "we");
    if (!p->label || !p->nowhere || !shell_history_use(history)) {
        if (p->nowhere)
            fclose(p->nowhere);
        free(p->label);
        free(p);
        return NULL;
    }
    open_one = p;
    take_readline(p, complete);
    rl_callback_handler_install("", end_line);
    p->installed = true;
    if (initial)
        rl_insert_text(initial);
    return p;
}

/* Keys that are no characters, by what readline does at them. */
static const struct {
    int key;
    rl_command_func_t *function;
} functions[] = {
    {TERM_KEY_UP, rl_get_previous_history},
    {TERM_KEY_DOWN, rl_get_next_history},
    {TERM_KEY_LEFT, rl_backward_char},
    {TERM_KEY_RIGHT, rl_forward_char},
    {TERM_KEY_HOME, rl_beg_of_line},
    {TERM_KEY_END, rl_end_of_line},
    {TERM_KEY_BACKSPACE, rl_rubout},
    {TERM_KEY_DELETE, rl_delete},
    {TERM_KEY_PAGE_UP, rl_beginning_of_history},
    {TERM_KEY_PAGE_DOWN, rl_end_of_history},
    {DELETE, rl_rubout},
    {CONTROL('H'), rl_rubout},
};

static bool run_function(int key)
{
    for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
        if (functions[i].key != key)
            continue;
        (void)functions[i].function(1, key);
        rl_last_func = functions[i].function;
        return true;
    }
    return false;
}

/* Of control characters those that are done at once: readline asks for more keys behind the others,
 * and does not bear that there are none yet. */
static bool is_for_line(int key)
{
    static const char simple[] = "ABDEFIJKMNPTUWY_";

    if (key < ' ')
        return strchr(simple, key + '@') != NULL;
    return key < TERM_KEY_WAKE && !(key >= 0xd800 && key < 0xe000);
}

static void queue_character(struct prompt *p, unsigned c)
{
    unsigned char *out = p->queue;

    if (c < 0x80) {
        *out++ = (unsigned char)c;
    } else if (c < 0x800) {
        *out++ = (unsigned char)(0xc0 | c >> 6);
        *out++ = (unsigned char)(0x80 | (c & 0x3f));
    } else {
        if (c < 0x10000) {
            *out++ = (unsigned char)(0xe0 | c >> 12);
        } else {
            *out++ = (unsigned char)(0xf0 | c >> 18);
            *out++ = (unsigned char)(0x80 | (c >> 12 & 0x3f));
        }
        *out++ = (unsigned char)(0x80 | (c >> 6 & 0x3f));
        *out++ = (unsigned char)(0x80 | (c & 0x3f));
    }
    p->queue_at = 0;
    p->queue_len = (size_t)(out - p->queue);
}

static void cancel(struct prompt *p)
{
    rl_callback_sigcleanup();
    rl_free_line_state();
    rl_callback_handler_remove();
    p->installed = false;
    p->state = PROMPT_CANCELLED;
}

static bool cancels(int key)
{
    return key == ESCAPE || key == CONTROL('G') || key == CONTROL('C');
}

enum prompt_state prompt_key(struct prompt *prompt, int key)
{
    forget_matches(prompt);
    if (prompt->state != PROMPT_OPEN || key <= 0)
        return prompt->state;
    if (cancels(key)) {
        cancel(prompt);
    } else if (!run_function(key) && is_for_line(key)) {
        queue_character(prompt, (unsigned)key);
        while (has_byte() && prompt->state == PROMPT_OPEN)
            rl_callback_read_char();
    }
    return prompt->state;
}

const char *prompt_text(const struct prompt *prompt)
{
    if (prompt->installed)
        return rl_line_buffer;
    return prompt->text ? prompt->text : "";
}

size_t prompt_cursor(const struct prompt *prompt)
{
    const char *at = prompt_text(prompt);
    const char *end = prompt->installed ? at + rl_point : at + strlen(at);
    mbstate_t state = {0};
    size_t cells = 0;

    while (at < end) {
        wchar_t c;
        size_t len = mbrtowc(&c, at, (size_t)(end - at), &state);
        if (len == 0 || len > (size_t)(end - at)) {
            state = (mbstate_t){0};
            len = 1;
            c = '?';
        }
        int width = wcwidth(c);
        cells += width >= 0 ? (size_t)width : 1;
        at += len;
    }
    return cells;
}

const char *prompt_label(const struct prompt *prompt)
{
    return prompt->label;
}

const char *const *prompt_matches(const struct prompt *prompt, size_t *count)
{
    *count = prompt->match_count;
    return (const char *const *)prompt->matches;
}

void prompt_close(struct prompt *prompt)
{
    if (!prompt)
        return;
    if (prompt->installed)
        cancel(prompt);
    forget_matches(prompt);
    give_readline_back(prompt);
    open_one = NULL;
    fclose(prompt->nowhere);
    free(prompt->text);
    free(prompt->label);
    free(prompt);
}
