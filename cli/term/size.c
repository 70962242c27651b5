/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The size of the terminal, and of the screen in it. */
#include "term_private.h"

#include <curses.h>
#include <sys/ioctl.h>
#include <unistd.h>

bool ask_size(int *rows, int *columns)
{
    struct winsize size;

    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0 || size.ws_col == 0)
        return false;
    *rows = size.ws_row;
    *columns = size.ws_col;
    return true;
}

bool adapt_size(void)
{
    int rows;
    int columns;

    if (!ask_size(&rows, &columns) || (rows == LINES && columns == COLS))
        return false;
    return resize_term(rows, columns) == OK;
}
