/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What terminfo says of the terminal. */
#include "terminfo.h"

#include <curses.h>
#include <term.h>
#include <unistd.h>

const char *terminfo_text(const char *name)
{
    const char *text = tigetstr(name);

    return text == (char *)-1 ? NULL : text;
}

const char *terminfo_mouse_off(void)
{
    const char *mode = terminfo_text("XM");

    if (!terminfo_text("kmous"))
        return "";
    /* Without XM ncurses takes the oldest mode of xterm, and so does this. */
    return mode ? tiparm(mode, 0) : "\033[?1000l";
}

bool terminfo_can_draw(void)
{
    int status;

    if (setupterm(NULL, STDOUT_FILENO, &status) != OK)
        return false;
    bool can = terminfo_text("cup") && terminfo_text("clear");
    del_curterm(cur_term);
    return can;
}
