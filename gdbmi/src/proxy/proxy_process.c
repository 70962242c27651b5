/* SPDX-License-Identifier: 0BSD */
/* Starts the proxy process, apart from the one that asks for it. */
#include "proxy_process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "descriptor.h"
#include "proxy_serve.h"

#ifdef __linux__
#include <sys/prctl.h>
#endif

#define DESCRIPTORS_MAX 1024

static bool is_kept(int fd, const struct proxy_listeners *listeners, int own)
{
    for (size_t i = 0; i < listeners->count; i++) {
        if (listeners->fds[i] == fd)
            return true;
    }
    return fd <= 2 || fd == own;
}

/* Whoever waits for the end of a pipe of our parent must not wait for us. */
static void drop_descriptors(const struct proxy_listeners *listeners, int own)
{
    int null = open("/dev/null", O_RDWR);

    for (int fd = 0; fd <= 2 && null >= 0; fd++)
        dup2(null, fd);
    for (int fd = 3; fd < DESCRIPTORS_MAX; fd++) {
        if (!is_kept(fd, listeners, own))
            close(fd);
    }
}

/* What the terminal, a shell or a service manager sends to our parent's group is not for us, and
 * its handlers are not ours. */
static void drop_signals(void)
{
    static const int ignored[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGTERM, SIGPIPE, SIGTSTP,
                                  SIGTTIN, SIGTTOU, SIGUSR1, SIGUSR2, SIGALRM};
    static const int normal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGCHLD};
    struct sigaction action = {.sa_handler = SIG_IGN};
    sigset_t none;

    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++)
        sigaction(ignored[i], &action, NULL);
    action.sa_handler = SIG_DFL;
    for (size_t i = 0; i < sizeof(normal) / sizeof(normal[0]); i++)
        sigaction(normal[i], &action, NULL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

static void run(const struct gdbmi_options *options, struct proxy_listeners *listeners, int own)
{
    (void)clock_limit_lift();
    setsid();
    drop_signals();
    drop_descriptors(listeners, own);
#ifdef __linux__
    prctl(PR_SET_NAME, "mprof-proxy", 0, 0, 0);
#endif
    proxy_serve(options, listeners, own);
}

/* Forks twice, so that the process is not the caller's child, whatever he does about children. */
static bool start(const struct gdbmi_options *options, struct proxy_listeners *listeners, int own)
{
    sigset_t all;
    sigset_t before;

    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before); /* the caller's handlers never run in the child */
    pid_t child = fork();
    if (child == 0) {
        pid_t grandchild = fork();
        if (grandchild == 0)
            run(options, listeners, own);
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
    return gdbmi_error_set(error, GDBMI_ENOMEM, "%s: no process for the gdb to be served: %s",
                           options->serve, strerror(failed));
}
