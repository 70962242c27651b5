/* SPDX-License-Identifier: GPL-3.0-or-later */
/* help, set, connect and their like. */
#include "shell_builtin.h"

#include <stdlib.h>
#include <string.h>

#include <base/nearest.h>
#include <base/say.h>
#include <base/signals.h>
#include <options/option_defaults.h>
#include <shell/shell.h>
#include <shell/tokenizer.h>

static const struct shell_name none[] = {{.name = NULL}};
static const struct shell_name *names = none;

void shell_names_set(const struct shell_name *more)
{
    names = more ? more : none;
}

const struct shell_name *shell_names(void)
{
    return names;
}

void shell_unknown(const char *name, const char *list, char *text, size_t capacity)
{
    struct nearest near;

    nearest_begin(&near, name, strlen(name));
    for (const struct shell_name *n = names; n->name; n++)
        nearest_offer(&near, n->name);
    for (const struct shell_builtin *b = shell_builtins; b->name; b++)
        nearest_offer(&near, b->name);
    command_unknown(&near, list, text, capacity);
}

int shell_refuse(const char *name)
{
    char text[COMMAND_UNKNOWN];

    shell_unknown(name, "'help' lists them", text, sizeof(text));
    complain("%s", text);
    return STATUS_USAGE;
}

static int misused(const struct shell_builtin *b)
{
    complain("usage: %s%s%s", b->name, b->operands ? " " : "", b->operands ? b->operands : "");
    return STATUS_USAGE;
}

static int list_all(void)
{
    for (const struct command *c = commands; c->name; c++) {
        if (!(c->options & OPTION_SHELL))
            printf("  %-10s %s\n", c->name, c->summary);
    }
    for (const struct shell_builtin *b = shell_builtins; b->name; b++)
        printf("  %-10s %s\n", b->name, b->help);
    puts("\n'help COMMAND' shows its options; ';' separates commands, '#' begins a comment");
    return STATUS_DONE;
}

static int run_help(const struct shell_builtin *self, int argc, char **argv)
{
    static char option[] = "--help";
    char *words[] = {argv[1], option, NULL};

    if (argc == 1)
        return list_all();
    if (argc > 2)
        return misused(self);
    const struct shell_builtin *b = shell_builtin_find(argv[1]);
    const struct command *c = command_find(argv[1]);
    if (strcmp(argv[1], shell_connect.name) == 0)
        c = &shell_connect;
    if (c)
        return c->run(c, 2, words);
    if (!b)
        return shell_refuse(argv[1]);
    printf("usage: %s%s%s\n\n%s\n", b->name, b->operands ? " " : "", b->operands ? b->operands : "",
           b->help);
    return STATUS_DONE;
}

static int run_quit(const struct shell_builtin *self, int argc, char **argv)
{
    (void)argv;
    return argc > 1 ? misused(self) : SHELL_QUIT;
}

static int show_defaults(const char *name)
{
    size_t count;
    const struct option_default *all = option_defaults_all(&count);
    const struct option_default *before = NULL;

    for (size_t i = 0; i < count; i++) {
        const struct option_default *d = &all[i];
        /* Verbs that mean different things by one name have it both. */
        bool again =
            before && before->spec != d->spec && strcmp(before->spec->name, d->spec->name) == 0;
        if (again || (name && strcmp(name, d->spec->name) != 0))
            continue;
        before = d;
        char *value = d->value ? tokenizer_quote(d->value) : NULL;
        printf("set %s%s%s\n", d->spec->name, value ? " " : "", value ? value : "");
        free(value);
    }
    return STATUS_DONE;
}

/* With or without the dashes of the option. */
static const char *name_of(const char *word)
{
    return strncmp(word, "--", 2) == 0 ? word + 2 : word;
}

/* A live view keeps what it was given for as long as it is open. */
static bool is_viewed(void)
{
    return session_keeper() && !session_keeper()->idle;
}

static int run_set(const struct shell_builtin *self, int argc, char **argv)
{
    char text[OPTION_TEXT] = "";

    (void)self;
    if (argc == 1)
        return show_defaults(NULL);
    if (is_viewed())
        return fail("set: " SHELL_NOT_IN_VIEW);
    if (option_default_set(name_of(argv[1]), argv + 2, (size_t)argc - 2, text))
        return STATUS_DONE;
    complain("set: %s", text);
    return STATUS_USAGE;
}

static int run_unset(const struct shell_builtin *self, int argc, char **argv)
{
    if (argc != 2)
        return misused(self);
    if (is_viewed())
        return fail("unset: " SHELL_NOT_IN_VIEW);
    if (option_default_unset(name_of(argv[1])))
        return STATUS_DONE;
    complain("unset: '%s' is not set; 'set' lists what is", argv[1]);
    return STATUS_USAGE;
}

static int open_and_say(const struct options *options)
{
    struct session session;

    signals_hold(true);
    int status = session_open(&session, options);
    if (status == STATUS_DONE)
        printf("%s\n", session.server.why);
    int closed = session_close(&session);
    signals_hold(false);
    return status == STATUS_DONE ? closed : status;
}

/* What connects is what commands take as given from now on. */
static int connect_and_keep(const struct command *self, int argc, char **argv, char **again)
{
    struct command keeping = *self;
    struct options options;
    int status;

    if (!options_parse(self, argc, argv, &options, &status))
        return status;
    if (signals_begin() < 0)
        return STATUS_FAILED;
    keeping.options |= OPTION_SHELL;
    status = open_and_say(&options);
    if (status == STATUS_DONE && options_parse(&keeping, argc, again, &options, &status))
        status = STATUS_DONE;
    return status;
}

static int connect_target(const struct command *self, int argc, char **argv)
{
    /* The parser puts operands in place of options. */
    char **again = calloc((size_t)argc + 1, sizeof(*again));

    if (!again)
        return fail("out of memory");
    memcpy(again, argv, (size_t)argc * sizeof(*again));
    int status = connect_and_keep(self, argc, argv, again);
    free(again);
    return status;
}

const struct command shell_connect = {
    .name = "connect",
    .summary = "connect; later commands use these options too",
    .options = OPTION_ELF | OPTION_TARGET | OPTION_SAMPLER,
    .run = connect_target,
};

static int run_connect(const struct shell_builtin *self, int argc, char **argv)
{
    (void)self;
    if (!session_keeper() || is_viewed())
        return fail("connect: " SHELL_NOT_IN_VIEW);
    return shell_connect.run(&shell_connect, argc, argv);
}

static int run_disconnect(const struct shell_builtin *self, int argc, char **argv)
{
    struct session *kept = session_keeper();

    (void)argv;
    if (argc > 1)
        return misused(self);
    if (!kept || !kept->idle)
        return fail("disconnect: " SHELL_NOT_IN_VIEW);
    if (!kept->link)
        return fail("disconnect: not connected");
    signals_hold(true);
    int status = session_close(kept);
    signals_hold(false);
    kept->idle = true;
    return status;
}

const struct shell_builtin shell_builtins[] = {
    {"help", "[COMMAND]", "list the commands, or the options of one", run_help},
    {"set", "[OPTION [VALUE]...]", "set an option for the commands that follow, or show all",
     run_set},
    {"unset", "OPTION", "remove an option that was set", run_unset},
    {"connect", "[OPTION]...", "connect, and keep these options for later commands", run_connect},
    {"disconnect", NULL, "disconnect until the next command needs the target", run_disconnect},
    {"quit", NULL, "leave the shell (Ctrl-D)", run_quit},
    {"exit", NULL, "leave the shell, like quit", run_quit},
    {.name = NULL},
};

const struct shell_builtin *shell_builtin_find(const char *name)
{
    for (const struct shell_builtin *b = shell_builtins; b->name; b++) {
        if (strcmp(b->name, name) == 0)
            return b;
    }
    return NULL;
}
