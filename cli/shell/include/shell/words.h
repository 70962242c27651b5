/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of a shell become commands of words. */
#ifndef SHELL_WORDS_H
#define SHELL_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* The words of one command; argv ends with NULL and may be reordered, not freed. */
struct words {
    char **argv;
    int argc;
    char *bytes;
};

enum words_code {
    WORDS_OK = 0,
    WORDS_END, /* there is no further command */
    WORDS_BAD, /* *why says what is wrong, a constant */
    WORDS_ENOMEM,
};

/*
 * Takes the next command that has words from *line, which moves behind it: words stand between
 * blanks, commands between ; or newlines, # begins a comment where a word would. 'as it is', "with
 * \" and \\", and \ before any other character quote as in sh; nothing is expanded. *words is to be
 * given to words_free() after WORDS_OK, else untouched.
 */
enum words_code words_next(const char **line, struct words *words, const char **why)
    __attribute__((warn_unused_result));
void words_free(struct words *words);

/* The text as one word, quoted where it has to be; to be freed, NULL: no memory. */
char *words_quote(const char *text);

/* What stands in the part of a line from start to end as one word; to be freed, NULL: no memory. */
char *words_unquote(const char *start, const char *end);

#endif
