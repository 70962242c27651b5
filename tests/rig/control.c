/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rig's control socket: one command a line, one line of JSON back. */
#include "control.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const char quitting[] = "{\"quit\": true}\n";
static const char unknown[] = "{\"error\": \"the commands are stat and quit\"}\n";

void control_fds(const struct control *control, struct pollfd *fds)
{
    for (int i = 0; i < CONTROL_CLIENTS; i++) {
        const struct line *client = control->clients[i];
        fds[i] = (struct pollfd){.fd = client ? client->fd : -1, .events = POLLIN};
    }
    fds[CONTROL_CLIENTS] = (struct pollfd){.fd = control->listener, .events = POLLIN};
}

static void drop(struct control *control, int i)
{
    close(control->clients[i]->fd);
    free(control->clients[i]);
    control->clients[i] = NULL;
}

static void take_client(struct control *control)
{
    int fd = accept4(control->listener, NULL, NULL, SOCK_CLOEXEC);

    for (int i = 0; fd >= 0 && i < CONTROL_CLIENTS; i++) {
        struct line *line = control->clients[i] ? NULL : malloc(sizeof *line);
        if (!line)
            continue;
        line_init(line, fd);
        control->clients[i] = line;
        return;
    }
    if (fd >= 0)
        close(fd);
}

/* False: quit. */
static bool obey(struct control *control, struct line *client, const char *command)
{
    char text[1024];

    if (strcmp(command, "stat") == 0) {
        size_t len = control->stat(control->context, text, sizeof text);
        line_send(client, text, len);
    } else if (strcmp(command, "quit") == 0) {
        line_send(client, quitting, sizeof quitting - 1);
        return false;
    } else {
        line_send(client, unknown, sizeof unknown - 1);
    }
    return true;
}

bool control_serve(struct control *control, const struct pollfd *fds)
{
    bool stay = true;

    for (int i = 0; i < CONTROL_CLIENTS; i++) {
        struct line *client = control->clients[i];
        char *command;
        int got = 0;
        if (!client || !fds[i].revents)
            continue;
        while (stay && (got = line_take(client, &command, 0)) == 1)
            stay = obey(control, client, command);
        if (got < 0)
            drop(control, i);
    }
    if (fds[CONTROL_CLIENTS].revents & POLLIN)
        take_client(control);
    return stay;
}

void control_close(struct control *control)
{
    for (int i = 0; i < CONTROL_CLIENTS; i++)
        if (control->clients[i])
            drop(control, i);
    if (control->listener >= 0)
        close(control->listener);
    control->listener = -1;
}
