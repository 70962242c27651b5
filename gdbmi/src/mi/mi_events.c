/* SPDX-License-Identifier: 0BSD */
/* What gdb tells unasked: runs and stops, breakpoints, its log. */
#include <stdio.h>
#include <string.h>

#include "clock.h"
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

/* Lines of gdb's "set debug remote 1", whose words have been these for many versions. */
static void note_packet(struct mi_greeting *g)
{
    static const char received[] = "Packet received: ";
    unsigned signal;

    const char *packet = strstr(g->line, received);
    if (g->since_ns == 0)
        g->since_ns = clock_now_ns();
    if (strstr(g->line, "instead of Ack") != NULL && !g->asked)
        g->pushed = true;
    if (strstr(g->line, "$?#3f") != NULL)
        g->asked = true;
    else if (packet != NULL && g->asked && g->signal < 0 &&
             sscanf(packet + sizeof(received) - 1, "%*[TS]%2x", &signal) == 1)
        g->signal = (int)signal;
}

static bool is_about_packets(const char *line)
{
    return strstr(line, "[remote]") != NULL || strstr(line, "acket") != NULL ||
           strstr(line, "Ack") != NULL;
}

static void end_log_line(struct mi_greeting *g)
{
    g->line[g->line_len] = '\0';
    if (is_about_packets(g->line))
        note_packet(g);
    else if (g->line_len > 0 && strncmp(g->line, "warning:", 8) != 0)
        memcpy(g->complaint, g->line, g->line_len + 1);
    g->line_len = 0;
}

void mi_note_log(struct mi_greeting *g, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (text[i] == '\n')
            end_log_line(g);
        else if (g->line_len < sizeof(g->line) - 1)
            g->line[g->line_len++] = text[i];
    }
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
