/* SPDX-License-Identifier: 0BSD */
/* The two ways to a gdb: one that is started by a command, and the user's, which joins us. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mi_guard.h"
#include "mi_start.h"
#include "record.h"
#include "stream_child.h"
#include "stream_pty.h"

/* Behind each command: no question of a user's needs an answer, and a program that gdb runs takes
 * no commands of ours for its input. */
#define START_OPTIONS                                                              \
    " --interpreter=mi3 -iex 'set mi-async on' -iex 'set inferior-tty /dev/null' " \
    "-iex 'set tcp connect-timeout %d' -iex 'set debug remote 1'"

/* Where options for gdb can be added: at the end, but before --args. */
static size_t end_of_options(const char *command)
{
    static const char *const args[] = {"--args", "-args"};
    char quote = '\0';

    for (size_t i = 0; command[i] != '\0'; i++) {
        char c = command[i];
        if (c == '\\' && quote != '\'' && command[i + 1] != '\0') {
            i++;
        } else if (quote != '\0') {
            quote = c == quote ? '\0' : quote;
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == ' ') {
            for (size_t k = 0; k < 2; k++) {
                size_t len = strlen(args[k]);
                if (strncmp(command + i + 1, args[k], len) == 0 &&
                    (command[i + 1 + len] == ' ' || command[i + 1 + len] == '\0'))
                    return i;
            }
        }
    }
    return strlen(command);
}

/* The caller frees it; NULL: no memory. */
static char *complete(const char *command, int timeout_ms)
{
    int seconds = ((timeout_ms > 0 ? timeout_ms : GDBMI_TIMEOUT_MS) + 999) / 1000;
    size_t room = strlen(command) + sizeof(START_OPTIONS) + 16;
    size_t head = end_of_options(command);

    char *line = malloc(room);
    if (line == NULL)
        return NULL;
    memcpy(line, command, head);
    size_t len = head + (size_t)snprintf(line + head, room - head, START_OPTIONS, seconds);
    snprintf(line + len, room - len, "%s", command + head);
    return line;
}

/* A link to a gdb that a record is of. */
static enum gdbmi_code play(const char *name, bool ours, const struct gdbmi_options *options,
                            struct gdbmi_link **link, struct gdbmi_error *error)
{
    struct gdbmi_stream *stream = NULL;

    enum gdbmi_code code = record_connect(RECORD_LABEL_GDB, name, &stream, error);
    if (code != GDBMI_OK)
        return code;
    return mi_link_on_stream(stream, ours, name, options, link, error);
}

static enum gdbmi_code use(struct gdbmi_stream *stream, bool ours, const char *name,
                           const struct gdbmi_options *options, struct gdbmi_link **link,
                           struct gdbmi_error *error)
{
    enum gdbmi_code code = record_connection(RECORD_LABEL_GDB, name, GDBMI_OK, &stream, error);

    if (code != GDBMI_OK)
        return code;
    return mi_link_on_stream(stream, ours, name, options, link, error);
}

static enum gdbmi_code start(const struct gdbmi_options *options, struct gdbmi_link **link,
                             struct gdbmi_error *error)
{
    struct child_stream *child = NULL;
    char name[64];

    child_program_name(options->mi, name, sizeof(name));
    if (name[0] == '\0')
        return gdbmi_error_set_hint(error, GDBMI_EARG, GDBMI_HINT_MI,
                                    "no command to start a gdb was given");
    if (record_plays())
        return play(name, true, options, link, error);
    char *line = complete(options->mi, options->timeout_ms);
    if (line == NULL)
        return gdbmi_error_set(error, GDBMI_ENOMEM, "%s: out of memory", name);
    struct guardian *guardian = mi_guard_start(true, options->held);
    enum gdbmi_code code = child_stream_open(line, name, guardian, NULL, &child, error);
    free(line);
    if (code != GDBMI_OK) {
        guardian_say(guardian, GUARDIAN_FREE);
        guardian_dismiss(guardian);
        return record_connection(RECORD_LABEL_GDB, name, code, NULL, error);
    }
    return use(&child->base, true, name, options, link, error);
}

static enum gdbmi_code attach(const struct gdbmi_options *options, struct gdbmi_link **link,
                              struct gdbmi_error *error)
{
    struct pty_stream *pty = NULL;
    char line[sizeof(pty->link) + 64];

    if (record_plays())
        return play("gdb", false, options, link, error);
    enum gdbmi_code code = pty_stream_open(options->mi_link, &pty, error);
    if (code != GDBMI_OK)
        return code;
    pty->base.guardian = mi_guard_start(false, options->held);
    guardian_lend(pty->base.guardian, &pty->fd, 1);
    const char *name = pty->link[0] != '\0' ? pty->link : pty->path;
    snprintf(line, sizeof(line), "type in your gdb: new-ui mi3 %s", name);
    if (options->tell != NULL)
        options->tell(options->context, GDBMI_HINT_TYPE, line);
    return use(&pty->base, false, name, options, link, error);
}

enum gdbmi_code mi_link_open(const struct gdbmi_options *options, struct gdbmi_link **link,
                             struct gdbmi_error *error)
{
    return options->mi != NULL ? start(options, link, error) : attach(options, link, error);
}
