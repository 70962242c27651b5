/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A thread for each use of the link: starting it hands the watch over, joining it takes it back. */
#define _POSIX_C_SOURCE 200809L

#include <target/poller.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <base/say.h>
#include <base/signals.h>

bool poller_open(struct poller *poller)
{
    *poller = (struct poller){.fds = {-1, -1}};
    if (pipe(poller->fds) != 0) {
        complain("cannot create a pipe: %s", strerror(errno));
        return false;
    }
    for (int i = 0; i < 2; i++)
        (void)fcntl(poller->fds[i], F_SETFD, FD_CLOEXEC);
    return true;
}

/* Without memory the line is lost. */
static void keep_line(void *context, const char *line)
{
    struct poller *p = context;
    size_t len = strlen(line) + 1;
    char *said = realloc(p->said, p->said_len + len);

    if (!said)
        return;
    memcpy(said + p->said_len, line, len);
    p->said = said;
    p->said_len += len;
}

static void *run(void *context)
{
    struct poller *p = context;

    complain_to(keep_line, p);
    p->work(p->context);
    complain_to(NULL, NULL);
    while (write(p->fds[1], "", 1) < 0 && errno == EINTR) {
    }
    return NULL;
}

/* A crash of the thread restores the terminal, too. */
static bool start_thread(struct poller *p)
{
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    sigset_t blocked, before;

    sigfillset(&blocked);
    for (size_t i = 0; i < sizeof(crashes) / sizeof(crashes[0]); i++)
        sigdelset(&blocked, crashes[i]);
    pthread_sigmask(SIG_SETMASK, &blocked, &before);
    bool started = pthread_create(&p->thread, NULL, run, p) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

void poller_start(struct poller *poller, void (*work)(void *context), void *context)
{
    poller->work = work;
    poller->context = context;
    poller->busy = true;
    signals_lend(true);
    poller->threaded = start_thread(poller);
    if (!poller->threaded)
        (void)run(poller);
}

bool poller_is_busy(const struct poller *poller)
{
    return poller->busy;
}

int poller_fd(const struct poller *poller)
{
    return poller->fds[0];
}

bool poller_is_done(const struct poller *poller)
{
    struct pollfd fd = {.fd = poller->fds[0], .events = POLLIN};

    return poller->busy && poll(&fd, 1, 0) > 0;
}

static void say_kept(struct poller *p)
{
    for (size_t at = 0; at < p->said_len; at += strlen(p->said + at) + 1)
        complain("%s", p->said + at);
    free(p->said);
    p->said = NULL;
    p->said_len = 0;
}

void poller_finish(struct poller *poller)
{
    char byte;

    if (!poller->busy)
        return;
    if (poller->threaded)
        (void)pthread_join(poller->thread, NULL);
    while (read(poller->fds[0], &byte, 1) < 0 && errno == EINTR) {
    }
    poller->busy = false;
    signals_lend(false);
    say_kept(poller);
}

void poller_close(struct poller *poller)
{
    poller_finish(poller);
    for (int i = 0; i < 2; i++)
        if (poller->fds[i] >= 0)
            close(poller->fds[i]);
    poller->fds[0] = poller->fds[1] = -1;
}
