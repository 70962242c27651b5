/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of a shell become commands of words. */
#ifndef SHELL_TOKENIZER_H
#define SHELL_TOKENIZER_H

#include <stdbool.h>
#include <stddef.h>

/* The words of one command; argv ends with NULL and may be reordered, not freed. */
struct tokens {
    char **argv;
    int argc;
    char *bytes;
};

enum tokenizer_code {
    TOKENIZER_OK = 0,
    TOKENIZER_END, /* there is no further command */
    TOKENIZER_BAD, /* *why says what is wrong, a constant */
    TOKENIZER_ENOMEM,
};

/*
 * Takes the next command that has words from *line, which moves behind it: words stand between
 * blanks, commands between ; or newlines, # begins a comment where a word would. 'as it is', "with
 * \" and \\", and \ before any other character quote as in sh; nothing is expanded. *tokens is to
 * be given to tokens_free() after TOKENIZER_OK, else untouched.
 */
enum tokenizer_code tokenizer_next(const char **line, struct tokens *tokens, const char **why)
    __attribute__((warn_unused_result));
void tokens_free(struct tokens *tokens);

/* The text as one word, quoted where it has to be; to be freed, NULL: no memory. */
char *tokenizer_quote(const char *text);

/* What stands in the part of a line from start to end as one word; to be freed, NULL: no memory. */
char *tokenizer_unquote(const char *start, const char *end);

#endif
