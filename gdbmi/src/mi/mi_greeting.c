/* SPDX-License-Identifier: 0BSD */
/* What the log of a gdb of ours tells of its connecting. */
#include "mi_greeting.h"

#include <stdio.h>
#include <string.h>

#include "clock.h"

#define SIGNAL_TRAP 5

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

bool mi_was_running(const struct mi_greeting *g)
{
    return g->pushed || (g->signal >= 0 && g->signal != SIGNAL_TRAP);
}
