/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Restores the terminal from a signal handler. */
#include "term_private.h"

#include "terminfo.h"

#include <string.h>
#include <unistd.h>

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

void term_restore_emergency(const struct term *term)
{
    size_t done = 0;

    if (!term || term->away)
        return;
    while (done < term->restore_len) {
        ssize_t wrote = write(STDOUT_FILENO, term->restore + done, term->restore_len - done);
        if (wrote <= 0)
            break;
        done += (size_t)wrote;
    }
    tcsetattr(STDIN_FILENO, TCSANOW, &term->settings);
}
