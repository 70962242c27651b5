/* SPDX-License-Identifier: 0BSD */
/* Starts the proxy process, apart from the one that asks for it. */
#include "proxy_process.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "descriptor.h"
#include "detach.h"
#include "proxy_serve.h"

/* Its own end of the pair and the listeners are what it keeps. */
static void run(const struct gdbmi_options *options, struct proxy_listeners *listeners, int own,
                pid_t owner)
{
    int fds[1 + PROXY_LISTENERS_MAX] = {own};

    (void)clock_limit_lift();
    memcpy(fds + 1, listeners->fds, listeners->count * sizeof(fds[0]));
    if (!detach("mprof-proxy", fds, 1 + listeners->count))
        return;
    memcpy(listeners->fds, fds + 1, listeners->count * sizeof(fds[0]));
    proxy_serve(options, listeners, fds[0], owner);
}

/* Forks twice, so that the process is not the caller's child, whatever he does about children. */
static bool start(const struct gdbmi_options *options, struct proxy_listeners *listeners, int own)
{
    pid_t owner = getpid();
    sigset_t all;
    sigset_t before;

    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before); /* the caller's handlers never run in the child */
    pid_t child = fork();
    if (child == 0) {
        pid_t grandchild = fork();
        if (grandchild == 0)
            run(options, listeners, own, owner);
        _exit(grandchild < 0);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (child < 0)
        return false;
    int status = 0;
    pid_t waited;
    do {
        waited = waitpid(child, &status, 0);
    } while (waited < 0 && errno == EINTR);
    return waited < 0 ||
           status == 0; /* not waited for: the end of the pair says whether it lives */
}

enum gdbmi_code proxy_process_start(const struct gdbmi_options *options,
                                    struct proxy_listeners *listeners, int *fd,
                                    struct gdbmi_error *error)
{
    int pair[2] = {-1, -1};
    bool good = socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0;

    for (int i = 0; good && i < 2; i++)
        good = fd_prepare(pair[i]) == 0;
    good = good && start(options, listeners, pair[1]);
    int failed = errno;
    proxy_listeners_close(listeners);
    if (pair[1] >= 0)
        close(pair[1]);
    if (good) {
        *fd = pair[0];
        return GDBMI_OK;
    }
    if (pair[0] >= 0)
        close(pair[0]);
    return gdbmi_error_set(error, GDBMI_ENOMEM,
                           "%s: cannot start the process that serves your gdb: %s", options->serve,
                           strerror(failed));
}
