/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waits for keys, changes of size, and a file descriptor. */
#define _GNU_SOURCE /* ppoll */
#include "term_private.h"

#include <curses.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int translate(wint_t key)
{
    static const struct {
        wint_t from;
        int to;
    } names[] = {
        {KEY_RESIZE, TERM_KEY_RESIZE},   {KEY_UP, TERM_KEY_UP},
        {KEY_DOWN, TERM_KEY_DOWN},       {KEY_LEFT, TERM_KEY_LEFT},
        {KEY_RIGHT, TERM_KEY_RIGHT},     {KEY_HOME, TERM_KEY_HOME},
        {KEY_END, TERM_KEY_END},         {KEY_PPAGE, TERM_KEY_PAGE_UP},
        {KEY_NPAGE, TERM_KEY_PAGE_DOWN}, {KEY_BACKSPACE, TERM_KEY_BACKSPACE},
        {KEY_DC, TERM_KEY_DELETE},       {KEY_IC, TERM_KEY_INSERT},
        {KEY_BTAB, TERM_KEY_BACKTAB},    {KEY_ENTER, '\n'},
    };

    if (key >= KEY_F(1) && key <= KEY_F(12))
        return TERM_KEY_F1 + (int)(key - KEY_F(1));
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (names[i].from == key)
            return names[i].to;
    return TERM_KEY_OTHER;
}

/* A key that is there already, or TERM_KEY_NONE. */
static int take_key(struct term *term)
{
    wint_t key;
    int kind;

    do {
        if (mouse_take(term))
            return TERM_KEY_MOUSE;
        kind = wget_wch(term->keys, &key);
        if (kind == KEY_CODE_YES && key == KEY_MOUSE)
            mouse_collect(term);
    } while (kind == KEY_CODE_YES && key == KEY_MOUSE);
    if (kind == KEY_CODE_YES)
        return translate(key);
    if (kind == ERR || key == 0)
        return TERM_KEY_NONE;
    if (key == 127 || key == 8)
        return TERM_KEY_BACKSPACE;
    return key == '\r' ? '\n' : (int)key;
}

/* Readable, with nothing to read: the other end of a pseudo terminal was closed. */
static bool is_gone(const struct pollfd *keyboard)
{
    int waiting = 0;

    if (keyboard->revents & (POLLHUP | POLLERR | POLLNVAL))
        return true;
    return (keyboard->revents & POLLIN) && ioctl(keyboard->fd, FIONREAD, &waiting) == 0 &&
           waiting == 0;
}

/* A key that is there already, a new size, or a stop that is due if the caller lets SIGTSTP in. */
static int take_any(struct term *term, const sigset_t *mask)
{
    /* ncurses reads ahead: a key may be with it already. */
    int key = take_key(term);

    if (key == TERM_KEY_NONE && !sigismember(mask, SIGTSTP) && stop_take() && !stop_now(term))
        key = TERM_KEY_GONE;
    if (key == TERM_KEY_NONE && (adapt_size() || term->resized))
        key = TERM_KEY_RESIZE;
    return key;
}

/* Up to a key, or a signal. */
static int wait_any(struct term *term, struct pollfd fds[3], int timeout_ms, const sigset_t *mask)
{
    struct timespec timeout = {.tv_sec = timeout_ms / 1000,
                               .tv_nsec = timeout_ms % 1000 * 1000000L};
    int ready = ppoll(fds, 3, timeout_ms < 0 ? NULL : &timeout, mask);

    if (ready <= 0)
        return take_any(term, mask);
    if (adapt_size())
        return TERM_KEY_RESIZE;
    if (fds[1].revents)
        return TERM_KEY_WAKE;
    if (fds[0].revents == 0)
        return TERM_KEY_DONE;
    return is_gone(&fds[0]) ? TERM_KEY_GONE : take_key(term);
}

static int wait_key(struct term *term, int timeout_ms, int wake_fd, int done_fd)
{
    struct pollfd fds[] = {
        {.fd = STDIN_FILENO, .events = POLLIN},
        {.fd = wake_fd, .events = POLLIN},
        {.fd = done_fd, .events = POLLIN},
    };
    sigset_t mask;

    stop_block(&mask);
    int key = take_any(term, &mask);
    if (key == TERM_KEY_NONE)
        key = wait_any(term, fds, timeout_ms, &mask);
    sigprocmask(SIG_SETMASK, &mask, NULL);
    return key;
}

int term_key(struct term *term, int timeout_ms, int wake_fd, int done_fd)
{
    int key = wait_key(term, timeout_ms, wake_fd, done_fd);

    /* What a terminal keeps of its cells when its size changes is its own affair. */
    if (key == TERM_KEY_RESIZE) {
        term->resized = false;
        term_redraw(term);
    }
    return key;
}
