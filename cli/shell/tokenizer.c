/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quoting as in sh, without what sh expands. */
#define _POSIX_C_SOURCE 200809L

#include <shell/tokenizer.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define BLANKS   " \t\r"
#define SPECIALS BLANKS "\n;#'\"\\"

/* A line on its way; out is NULL where it is only measured. */
struct scan {
    const char *at;
    char *out;
    const char *why;
};

static void put_byte(struct scan *s, char byte)
{
    if (s->out)
        *s->out++ = byte;
}

static bool take_single(struct scan *s)
{
    for (s->at++; *s->at && *s->at != '\''; s->at++)
        put_byte(s, *s->at);
    if (!*s->at)
        s->why = "missing closing '";
    return *s->at != '\0';
}

static bool take_double(struct scan *s)
{
    for (s->at++; *s->at && *s->at != '"'; s->at++) {
        if (*s->at == '\\' && (s->at[1] == '"' || s->at[1] == '\\'))
            s->at++;
        put_byte(s, *s->at);
    }
    if (!*s->at)
        s->why = "missing closing \"";
    return *s->at != '\0';
}

static bool take_escaped(struct scan *s)
{
    if (!s->at[1] || s->at[1] == '\n') {
        s->why = "\\ at the end of the line: a command cannot continue on the next one";
        return false;
    }
    put_byte(s, *++s->at);
    return true;
}

static bool ends_word(char c)
{
    return c == '\0' || strchr(BLANKS "\n;", c) != NULL;
}

static bool take_word(struct scan *s)
{
    bool good = true;

    for (; good && !ends_word(*s->at); s->at += good) {
        if (*s->at == '\'')
            good = take_single(s);
        else if (*s->at == '"')
            good = take_double(s);
        else if (*s->at == '\\')
            good = take_escaped(s);
        else
            put_byte(s, *s->at);
    }
    put_byte(s, '\0');
    return good;
}

/* To the next word, or to what ends the command. */
static void skip_blanks(struct scan *s)
{
    s->at += strspn(s->at, BLANKS);
    if (*s->at == '#')
        s->at += strcspn(s->at, "\n");
}

static bool skip_ends(struct scan *s)
{
    skip_blanks(s);
    while (*s->at == ';' || *s->at == '\n') {
        s->at++;
        skip_blanks(s);
    }
    return *s->at != '\0';
}

/* Of one command; argv: where its words go, or NULL. */
static bool take_command(struct scan *s, char **argv, size_t *count)
{
    *count = 0;
    for (skip_blanks(s); !ends_word(*s->at); skip_blanks(s)) {
        if (argv)
            argv[*count] = s->out;
        ++*count;
        if (!take_word(s))
            return false;
    }
    return true;
}

enum tokenizer_code tokenizer_next(const char **line, struct tokens *tokens, const char **why)
{
    struct scan s = {.at = *line};
    struct tokens w = {.argc = 0};
    size_t count;

    if (!skip_ends(&s)) {
        *line = s.at;
        return TOKENIZER_END;
    }
    struct scan again = s;
    if (!take_command(&s, NULL, &count)) {
        *why = s.why;
        return TOKENIZER_BAD;
    }
    w.bytes = malloc((size_t)(s.at - again.at) + count + 1);
    w.argv = calloc(count + 1, sizeof(*w.argv));
    if (!w.bytes || !w.argv) {
        tokens_free(&w);
        return TOKENIZER_ENOMEM;
    }
    again.out = w.bytes;
    (void)take_command(&again, w.argv, &count);
    w.argc = (int)count;
    *line = s.at;
    *tokens = w;
    return TOKENIZER_OK;
}

void tokens_free(struct tokens *tokens)
{
    free(tokens->argv);
    free(tokens->bytes);
    *tokens = (struct tokens){.argc = 0};
}

char *tokenizer_quote(const char *text)
{
    size_t quotes = 0;

    if (text[0] && !strpbrk(text, SPECIALS))
        return strdup(text);
    for (const char *c = text; *c; c++)
        quotes += *c == '\'';
    char *quoted = malloc(strlen(text) + 3 * quotes + 3);
    char *out = quoted;
    if (!quoted)
        return NULL;
    *out++ = '\'';
    for (const char *c = text; *c; c++) {
        if (*c == '\'') {
            memcpy(out, "'\\'", 3);
            out += 3;
        }
        *out++ = *c;
    }
    memcpy(out, "'", 2);
    return quoted;
}

char *tokenizer_unquote(const char *start, const char *end)
{
    char *copy = strndup(start, (size_t)(end - start));
    char *word = malloc((size_t)(end - start) + 1);
    struct scan s = {.at = copy, .out = word};

    if (copy && word) {
        while (*s.at) { /* blanks in it belong to it */
            if (!take_word(&s))
                break;
            s.out--;
            if (*s.at)
                put_byte(&s, *s.at++);
        }
        *s.out = '\0';
    } else {
        free(word);
        word = NULL;
    }
    free(copy);
    return word;
}
