/* SPDX-License-Identifier: 0BSD */
/* What gdb tells unasked: runs and stops, breakpoints, its log. */
#include <stdio.h>
#include <string.h>

#include "mi_greeting.h"
#include "mi_guard.h"

static void on_running(void *context, const struct gdbmi_mi_message *message)
{
    struct mi_link *link = context;

    (void)message;
    /* Whoever resumed it: we hold it no more. */
    link_let_go(&link->base);
    link->running = true;
    link->ended = false;
}

static void on_stopped(void *context, const struct gdbmi_mi_message *message)
{
    struct mi_link *link = context;
    const char *reason = gdbmi_mi_text(message->results, "reason");
    const char *signal = gdbmi_mi_text(message->results, "signal-name");

    link->running = false;
    snprintf(link->reason, sizeof(link->reason), "%s", reason != NULL ? reason : "");
    snprintf(link->signal, sizeof(link->signal), "%s", signal != NULL ? signal : "");
}

static void on_started(void *context, const struct gdbmi_mi_message *message)
{
    (void)message;
    ((struct mi_link *)context)->ended = false;
}

static void on_exited(void *context, const struct gdbmi_mi_message *message)
{
    struct mi_link *link = context;

    (void)message;
    link->running = false;
    link->ended = true;
}

static void on_breakpoint(void *context, const struct gdbmi_mi_message *message)
{
    struct mi_link *link = context;

    if (strcmp(message->name, "breakpoint-created") == 0)
        link->breakpoints++;
    else if (link->breakpoints > 0)
        link->breakpoints--;
    mi_guard_note(link);
}

static void on_parameter(void *context, const struct gdbmi_mi_message *message)
{
    struct mi_link *link = context;
    const char *name = gdbmi_mi_text(message->results, "param");
    const char *value = gdbmi_mi_text(message->results, "value");

    if (name == NULL || value == NULL || strcmp(name, "mi-async") != 0)
        return;
    link->async = strcmp(value, "on") == 0;
    mi_guard_note(link);
}

static void on_log(void *context, const struct gdbmi_mi_message *message)
{
    mi_note_log(&((struct mi_link *)context)->greeting, message->text, message->len);
}

const struct mi_handler mi_link_handlers[] = {
    {GDBMI_MI_EXEC, "running", on_running},
    {GDBMI_MI_EXEC, "stopped", on_stopped},
    {GDBMI_MI_NOTIFY, "thread-group-started", on_started},
    {GDBMI_MI_NOTIFY, "thread-group-exited", on_exited},
    {GDBMI_MI_NOTIFY, "breakpoint-created", on_breakpoint},
    {GDBMI_MI_NOTIFY, "breakpoint-deleted", on_breakpoint},
    {GDBMI_MI_NOTIFY, "cmd-param-changed", on_parameter},
    {GDBMI_MI_LOG, NULL, on_log},
    {.handle = NULL},
};
