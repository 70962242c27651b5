/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Restores the terminal from a signal handler. */
#include "term_private.h"

#include "terminfo.h"

#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

/* For so long a terminal may have no room for the next bytes. */
#define ROOM_MS 200

/* Delays, "$<5>" in a text of terminfo, are for terminals of the seventies. */
static void append(struct term *term, const char *text)
{
    while (*text != '\0' && term->restore_len < sizeof(term->restore)) {
        const char *end = text[0] == '$' && text[1] == '<' ? strchr(text, '>') : NULL;
        if (end)
            text = end + 1;
        else
            term->restore[term->restore_len++] = *text++;
    }
}

static bool append_capability(struct term *term, const char *name)
{
    const char *text = terminfo_text(name);

    if (text)
        append(term, text);
    return text != NULL;
}

void emergency_prepare(struct term *term)
{
    term->restore_len = 0;
    append(term, terminfo_mouse_off());
    append_capability(term, "sgr0");
    append_capability(term, "op");
    append_capability(term, "rmkx");
    append_capability(term, "cnorm");
    if (!append_capability(term, "rmcup"))
        append(term, "\r\n");
}

/* Of a terminal that takes nothing, as after Ctrl-S, nobody can wait here. */
static void write_soon(const char *text, size_t len)
{
    struct pollfd room = {.fd = STDOUT_FILENO, .events = POLLOUT};

    while (len > 0 && poll(&room, 1, ROOM_MS) > 0) {
        ssize_t wrote = write(STDOUT_FILENO, text, len);
        if (wrote <= 0)
            break;
        text += wrote;
        len -= (size_t)wrote;
    }
}

void term_restore_emergency(const struct term *term)
{
    if (!term || term->away)
        return;
    /* Stopped once more and started: that ends what Ctrl-S has begun. */
    tcflow(STDIN_FILENO, TCOOFF);
    tcflow(STDIN_FILENO, TCOON);
    int flags = fcntl(STDOUT_FILENO, F_GETFL);
    fcntl(STDOUT_FILENO, F_SETFL, flags | O_NONBLOCK);
    write_soon(term->restore, term->restore_len);
    fcntl(STDOUT_FILENO, F_SETFL, flags);
    tcsetattr(STDIN_FILENO, TCSANOW, &term->settings);
}
