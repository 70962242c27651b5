/* SPDX-License-Identifier: 0BSD */
/* A process of ours that goes on when we end. */
#define _DEFAULT_SOURCE /* syscall() */

#include "detach.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

static void close_from(int first)
{
    struct rlimit limit;

#ifdef SYS_close_range
    if (syscall(SYS_close_range, (unsigned)first, ~0U, 0U) == 0)
        return;
#endif
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur > 65536)
        limit.rlim_cur = 65536;
    for (int fd = first; fd < (int)limit.rlim_cur; fd++)
        close(fd);
}

/* Above all places that are to be taken first. */
static bool keep_only(int *fds, size_t count)
{
    const int end = 3 + (int)count;
    int null = open("/dev/null", O_RDWR);

    for (size_t i = 0; i < count; i++)
        fds[i] = fcntl(fds[i], F_DUPFD, end);
    for (int fd = 0; fd < 3; fd++) {
        if (dup2(null, fd) < 0)
            return false;
    }
    for (size_t i = 0; i < count; i++) {
        fds[i] = dup2(fds[i], 3 + (int)i);
        if (fds[i] < 0)
            return false;
    }
    close_from(end);
    return true;
}

/* A handler of ours must not run twice, here and there. What is both blocked and ignored would be
 * kept, and come later. */
static void ignore_signals(void)
{
    static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    struct sigaction action = {.sa_handler = SIG_IGN};
    sigset_t none;

    for (int number = 1; number < NSIG; number++)
        sigaction(number, &action, NULL);
    action.sa_handler = SIG_DFL;
    for (size_t i = 0; i < sizeof(fatal) / sizeof(fatal[0]); i++)
        sigaction(fatal[i], &action, NULL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

bool detach(const char *name, int *fds, size_t count)
{
    ignore_signals();
    setsid();
#ifdef __linux__
    prctl(PR_SET_NAME, name, 0, 0, 0);
#else
    (void)name;
#endif
    return keep_only(fds, count);
}
