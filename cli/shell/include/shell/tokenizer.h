/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Splits a line of the shell into commands and words. */
#ifndef SHELL_TOKENIZER_H
#define SHELL_TOKENIZER_H

#include <stdbool.h>
#include <stddef.h>

/* The words of one command; tokens_free() frees them. */
struct tokens {
    char **argv; /* argc words, and NULL; may be reordered */
    int argc;    /* at least 1 */
    char *bytes; /* private: the bytes of the words */
};

/* Result of tokenizer_next(). */
enum tokenizer_code {
    TOKENIZER_OK = 0,
    TOKENIZER_END, /* there is no further command */
    TOKENIZER_BAD, /* a quote is not closed; see *why */
    TOKENIZER_ENOMEM,
};

/*
 * Splits the next command off *line, and moves *line past it. Blanks separate words, ';' and
 * newlines separate commands, '#' at the start of a word begins a comment. Quotes are those of sh:
 * 'literally', "with \" and \\", and \ before any character. Nothing is expanded.
 *
 * After TOKENIZER_OK the caller calls tokens_free(); otherwise *tokens is unchanged. After
 * TOKENIZER_BAD *why is a constant that says what is wrong.
 */
enum tokenizer_code tokenizer_next(const char **line, struct tokens *tokens, const char **why)
    __attribute__((warn_unused_result));
/* Frees the words. */
void tokens_free(struct tokens *tokens);

/* Returns a text as one word, with quotes if needed. The caller frees it with free(). Returns NULL
 * if memory runs out. */
char *tokenizer_quote(const char *text);

/* Returns the part of a line from start to end as one word without quotes. The caller frees it with
 * free(). Returns NULL if memory runs out. */
char *tokenizer_unquote(const char *start, const char *end);

#endif
