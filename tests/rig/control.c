/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rig's control socket: one command a line, one line of JSON back. */
#include "control.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define ANSWER_MAX 4096

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

static void serve_client(struct control *control, int i)
{
    struct line *client = control->clients[i];
    char text[ANSWER_MAX];
    char *line;
    int got;

    while ((got = line_take(client, &line, 0)) == 1)
        line_send(client, text, control->obey(control->context, line, text, sizeof text));
    if (got < 0)
        drop(control, i);
}

void control_serve(struct control *control, const struct pollfd *fds)
{
    for (int i = 0; i < CONTROL_CLIENTS; i++)
        if (control->clients[i] && fds[i].revents)
            serve_client(control, i);
    if (fds[CONTROL_CLIENTS].revents & POLLIN)
        take_client(control);
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
