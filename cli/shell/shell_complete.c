/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What may stand where the cursor is, by the same tables that commands are parsed by. */
#define _POSIX_C_SOURCE 200809L

#include <readline/readline.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/vec.h>
#include <options/option_defaults.h>
#include <profile/control.h>
#include <shell/shell.h>
#include <shell/tokenizer.h>

#include "shell_builtin.h"
#include "shell_inner.h"

#define SPECIALS " \t\r\n;#'\"\\"

/* More are no help. */
#define SNAPSHOTS_MAX 100

/* The words before the one that is completed, and what it may be. */
struct place {
    struct tokens words;
    char **argv; /* without a first "mprof" */
    int argc;
    const char *text; /* what is typed of the word, without quoting */
    size_t stem;      /* bytes of it that stay as they are: "--by=", "share," */
    char **found;
    size_t count, capacity;
    bool files;
    unsigned formats; /* command.formats of the verb; 0: no verb, or all */
};

static void add_match(struct place *p, const char *name)
{
    const char *typed = p->text + p->stem;
    size_t len = strlen(typed);

    if (strncmp(name, typed, len) != 0)
        return;
    char *whole =
        VEC_ROOM(p->found, p->capacity, p->count, 1) ? malloc(p->stem + strlen(name) + 1) : NULL;
    if (!whole)
        return;
    memcpy(whole, p->text, p->stem);
    memcpy(whole + p->stem, name, strlen(name) + 1);
    p->found[p->count++] = whole;
}

static void put_all(struct place *p, const char *const *names)
{
    for (; *names; names++)
        add_match(p, *names);
}

static void put_commands(struct place *p)
{
    for (const struct shell_name *also = shell_names(); also->name; also++)
        add_match(p, also->name);
    for (const struct command *c = commands; c->name; c++) {
        if (c->options & OPTION_SHELL)
            continue;
        add_match(p, c->name);
        if (c->alias)
            add_match(p, c->alias);
    }
    for (const struct shell_builtin *b = shell_builtins; b->name; b++)
        add_match(p, b->name);
}

static bool takes(const struct command *c, const struct option_spec *spec)
{
    return !spec->set || (c->options & spec->group) != 0;
}

static void put_options(struct place *p, const struct command *c)
{
    char name[64];

    for (const struct option_spec *s = option_specs; s->name; s++) {
        snprintf(name, sizeof(name), "--%s", s->name);
        if (takes(c, s))
            add_match(p, name);
    }
}

static void put_default_names(struct place *p)
{
    for (const struct option_spec *s = option_specs; s->name; s++) {
        if (option_has_default(s))
            add_match(p, s->name);
    }
}

/* The value of an option that stands before the cursor, or NULL. */
static const char *value_before(const struct place *p, const char *name, char letter)
{
    size_t len = strlen(name);

    for (int i = 1; i < p->argc; i++) {
        const char *word = p->argv[i];
        const char *next = i + 1 < p->argc ? p->argv[i + 1] : NULL;
        if (letter && word[0] == '-' && word[1] == letter && !word[2])
            return next;
        if (strncmp(word, "--", 2) != 0 || strncmp(word + 2, name, len) != 0)
            continue;
        if (word[2 + len] == '=')
            return word + 3 + len;
        if (!word[2 + len])
            return next;
    }
    return NULL;
}

static void put_functions(struct place *p)
{
    const struct symtab *symtab = shell_symtab(value_before(p, "elf", 'e'));
    size_t count = 0;
    const struct symtab_function *f = symtab ? symtab_functions(symtab, &count) : NULL;

    for (size_t i = 0; i < count; i++)
        add_match(p, f[i].name);
}

static void put_snapshots(struct place *p)
{
    size_t count = shell_snapshots(value_before(p, "store", 0));
    char word[24];

    for (size_t i = 0; i < count && i < SNAPSHOTS_MAX; i++) {
        snprintf(word, sizeof(word), "@%zu", i);
        add_match(p, word);
    }
}

static void put_files(struct place *p)
{
    if (p->text[p->stem] == '@')
        put_snapshots(p);
    else
        p->files = true;
}

/* Those of a list are behind the last comma. */
static void put_columns(struct place *p, const struct view_columns *of)
{
    const char *comma = strrchr(p->text + p->stem, ',');

    if (comma)
        p->stem = (size_t)(comma + 1 - p->text);
    for (size_t i = 0; i < of->count; i++)
        add_match(p, of->column[i].name);
}

/* Words that the verb does not take are not offered. spec may be NULL. */
static void put_words(struct place *p, enum option_value type, const struct option_spec *spec)
{
    struct options scratch;
    char text[OPTION_TEXT];
    const char *word;

    for (size_t i = 0; (word = option_word(type, i)) != NULL; i++) {
        option_defaults(&scratch);
        scratch.formats = p->formats;
        if (!spec || word[strlen(word) - 1] == ':' || spec->set(&scratch, word, text))
            add_match(p, word);
    }
}

/* What a value of the type may be; the option that takes it may be NULL. */
static void put_values(struct place *p, enum option_value type, const struct option_spec *spec)
{
    if (type == VALUE_PATH)
        put_files(p);
    else if (type == VALUE_FUNCTIONS)
        put_functions(p);
    else if (type == VALUE_COLUMNS)
        put_columns(p, &view_ranking_columns);
    else if (type == VALUE_CHANGE_COLUMNS)
        put_columns(p, &view_change_columns);
    else
        put_words(p, type, spec);
}

static void put_control(struct place *p, int operand)
{
    static const char *const actions[] = {"status", "on",     "off",   "reset", "ignore",
                                          "filter", "tracer", "phase", "focus", NULL};
    static const char *const tracers[] = {"none", "calls", "arcs", "trace", "sink", NULL};
    const char *action = p->argc > 1 ? p->argv[1] : "";
    const char *word;

    if (operand == 0)
        put_all(p, actions);
    else if (strcmp(action, "ignore") == 0 || strcmp(action, "filter") == 0 ||
             strcmp(action, "focus") == 0)
        put_functions(p);
    else if (strcmp(action, "tracer") == 0)
        put_all(p, tracers);
    else if (strcmp(action, "phase") == 0)
        add_match(p, "all");
    for (size_t i = 0; strncmp(action, "o", 1) == 0 && (word = control_word(i)) != NULL; i++)
        add_match(p, word);
}

static void put_operands(struct place *p, const struct command *c, int operand)
{
    bool names_files = c->subject && operand > 0;

    if (c->operand == COMMAND_OPERAND_CONTROL)
        put_control(p, operand);
    else if (c->operand == COMMAND_OPERAND_FUNCTION && !names_files)
        put_functions(p);
    else if (c->operands)
        put_files(p);
}

static const struct option_spec *find_option(const struct command *c, const char *word)
{
    for (const struct option_spec *s = option_specs; s->name; s++) {
        bool named = strncmp(word, "--", 2) == 0 && strcmp(word + 2, s->name) == 0;
        bool lettered = word[0] == '-' && word[1] == s->letter && !word[2];
        if (takes(c, s) && (named || (lettered && s->letter < OPTION_ONLY_LONG)))
            return s;
    }
    return NULL;
}

/* An option whose value is the next word; the files of a side are operands. */
static const struct option_spec *awaits_value(const struct command *c, const char *word)
{
    const struct option_spec *s = find_option(c, word);

    return s && s->value && s->value[0] != '[' && s->group != OPTION_SIDES ? s : NULL;
}

/* --NAME=VALUE; false: it is none. */
static bool put_joined_value(struct place *p, const struct command *c)
{
    const char *equals = strchr(p->text, '=');
    char name[64];

    if (strncmp(p->text, "--", 2) != 0 || !equals)
        return false;
    snprintf(name, sizeof(name), "%.*s", (int)(equals - p->text), p->text);
    const struct option_spec *s = find_option(c, name);
    p->stem = (size_t)(equals + 1 - p->text);
    if (s)
        put_values(p, s->type, s);
    return true;
}

static void put_verb_words(struct place *p, const struct command *c)
{
    const struct option_spec *last = p->argc > 1 ? awaits_value(c, p->argv[p->argc - 1]) : NULL;
    int operand = 0;

    p->formats = c->formats;
    if (last) {
        put_values(p, last->type, last);
    } else if (put_joined_value(p, c)) {
        return;
    } else if (p->text[0] == '-') {
        put_options(p, c);
    } else {
        for (int i = 1; i < p->argc; i++) {
            if (p->argv[i][0] != '-')
                operand++;
            else if (awaits_value(c, p->argv[i]))
                i++;
        }
        put_operands(p, c, operand);
    }
}

static void put_default_values(struct place *p)
{
    const char *name = strncmp(p->argv[1], "--", 2) == 0 ? p->argv[1] + 2 : p->argv[1];

    for (const struct option_spec *s = option_specs; s->name; s++) {
        if (option_has_default(s) && strcmp(s->name, name) == 0)
            put_values(p, s->type, s);
    }
}

/* NULL: there is none of that name. */
static const struct shell_name *find_also(const char *name)
{
    const struct shell_name *also = shell_names();

    while (also->name && strcmp(also->name, name) != 0)
        also++;
    return also->name ? also : NULL;
}

static void put_place(struct place *p)
{
    const char *first = p->argc ? p->argv[0] : NULL;
    bool sets = first && (strcmp(first, "set") == 0 || strcmp(first, "unset") == 0);
    const struct command *c = first ? command_find(first) : NULL;
    const struct shell_name *also = first ? find_also(first) : NULL;

    if (first && strcmp(first, shell_connect.name) == 0)
        c = &shell_connect;
    if (!first || (strcmp(first, "help") == 0 && p->argc == 1))
        put_commands(p);
    else if (sets && p->argc == 1)
        put_default_names(p);
    else if (sets && first[0] == 's')
        put_default_values(p);
    else if (also)
        put_values(p, also->takes, NULL);
    else if (c)
        put_verb_words(p, c);
}

/* The command that the cursor stands in, from where it begins. */
static char *command_before(const char *line, int start)
{
    const char *begin = line, *end = line + start;
    char quote = 0;

    /* The word that is completed may have its quote open. */
    if (start > 0 && rl_completion_quote_character && end[-1] == rl_completion_quote_character)
        end--;
    for (const char *c = line; c < end; c++) {
        if (*c == '\\' && quote != '\'')
            c++;
        else if (quote)
            quote = *c == quote ? 0 : quote;
        else if (*c == '\'' || *c == '"')
            quote = *c;
        else if (*c == ';' || *c == '\n')
            begin = c + 1;
    }
    return begin < end ? strndup(begin, (size_t)(end - begin)) : strdup("");
}

static void find_place(struct place *p, int start)
{
    char *before = command_before(rl_line_buffer, start);
    const char *at = before, *why;

    if (before && tokenizer_next(&at, &p->words, &why) == TOKENIZER_OK) {
        p->argv = p->words.argv;
        p->argc = p->words.argc;
        if (p->argc > 0 && strcmp(p->argv[0], "mprof") == 0) {
            p->argv++;
            p->argc--;
        }
    }
    free(before);
}

/* The characters that a shell would take for something else, each behind a backslash. */
static char *escape(const char *text)
{
    char *escaped = malloc(2 * strlen(text) + 1), *out = escaped;

    for (; escaped && *text; text++) {
        if (strchr(SPECIALS, *text))
            *out++ = '\\';
        *out++ = *text;
    }
    if (escaped)
        *out = '\0';
    return escaped;
}

/* Readline's generator has no context. */
static const struct place *offered;

static char *next_offered(const char *text, int state)
{
    static size_t at;

    (void)text;
    at = state ? at : 0;
    if (at >= offered->count)
        return NULL;
    const char *found = offered->found[at++];
    return rl_completion_quote_character ? strdup(found) : escape(found);
}

static char *next_joined_file(const char *text, int state)
{
    char *file = rl_filename_completion_function(text + offered->stem, state);
    char *whole = file ? malloc(offered->stem + strlen(file) + 1) : NULL;

    if (whole) {
        memcpy(whole, text, offered->stem);
        memcpy(whole + offered->stem, file, strlen(file) + 1);
    }
    free(file);
    return whole;
}

static char **offer(const struct place *p, const char *text)
{
    offered = p;
    if (!p->files)
        return rl_completion_matches(text, next_offered);
    if (p->stem == 0)
        return rl_completion_matches(text, rl_filename_completion_function);
    char **matches = rl_completion_matches(p->text, next_joined_file);
    rl_filename_completion_desired = 0;
    rl_completion_append_character = '\0'; /* it may be a folder */
    return matches;
}

char **shell_complete(const char *text, int start, int end)
{
    char *plain =
        rl_completion_quote_character ? strdup(text) : tokenizer_unquote(text, text + strlen(text));
    struct place p = {.text = plain};
    char **matches = NULL;

    (void)end;
    rl_attempted_completion_over = 1;
    find_place(&p, start);
    if (plain) {
        put_place(&p);
        matches = offer(&p, text);
    }
    if (p.count == 1 && strchr("=,:", p.found[0][strlen(p.found[0]) - 1]))
        rl_completion_append_character = '\0';
    for (size_t i = 0; i < p.count; i++)
        free(p.found[i]);
    free(p.found);
    free(plain);
    tokens_free(&p.words);
    return matches;
}

static int is_quoted(char *text, int index)
{
    bool quoted = false;

    for (int i = 0; i < index; i++)
        quoted = text[i] == '\\' && !quoted;
    return quoted;
}

static char *quote_file(char *text, int match, char *quote)
{
    (void)match;
    return quote && *quote ? tokenizer_quote(text) : escape(text);
}

static char *dequote_file(char *text, int quote)
{
    return quote ? strdup(text) : tokenizer_unquote(text, text + strlen(text));
}

void shell_use_readline(void)
{
    static char breaks[] = " \t\n;\"'", quotes[] = "'\"";

    rl_readline_name = "mprof";
    rl_change_environment = 0;
    rl_basic_word_break_characters = breaks;
    rl_completer_word_break_characters = breaks;
    rl_completer_quote_characters = quotes;
    rl_filename_quote_characters = SPECIALS;
    rl_filename_quoting_function = quote_file;
    rl_filename_dequoting_function = dequote_file;
    rl_char_is_quoted_p = is_quoted;
    rl_attempted_completion_function = shell_complete;
}
