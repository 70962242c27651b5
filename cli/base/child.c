/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A child process: started, waited for, and given the signals that were meant for it. */
#define _GNU_SOURCE
#include <base/child.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <base/signals.h>

static volatile sig_atomic_t passed_to; /* PID */
static const int signals[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
#define SIGNALS (sizeof(signals) / sizeof(signals[0]))
static struct sigaction before[SIGNALS];

static bool is_program(const char *path, int *status)
{
    struct stat about;

    if (stat(path, &about) != 0)
        return false;
    *status = CHILD_NOT_EXECUTABLE;
    return S_ISREG(about.st_mode) && access(path, X_OK) == 0;
}

bool child_find(const char *name, char path[PATH_MAX], int *status)
{
    const char *folders = getenv("PATH");

    *status = CHILD_NOT_FOUND;
    if (strchr(name, '/') || !folders)
        return snprintf(path, PATH_MAX, "%s", name) < PATH_MAX && is_program(path, status);
    while (true) {
        size_t len = strcspn(folders, ":");
        if (snprintf(path, PATH_MAX, "%.*s%s%s", (int)len, folders, len ? "/" : "./", name) <
                PATH_MAX &&
            is_program(path, status))
            return true;
        if (folders[len] == '\0')
            return false;
        folders += len + 1;
    }
}

static void pass_on(int number)
{
    if (passed_to != 0)
        kill(passed_to, number);
}

void child_signals(const struct child *child)
{
    passed_to = child->ended ? 0 : child->pid;
    for (size_t i = 0; i < SIGNALS; i++) {
        struct sigaction action = {.sa_flags = SA_RESTART};
        bool is_both = signals[i] == SIGINT || signals[i] == SIGQUIT;
        action.sa_handler = is_both || signals_ignored(signals[i]) ? SIG_IGN : pass_on;
        sigaction(signals[i], &action, &before[i]);
    }
}

void child_default(void)
{
    passed_to = 0;
    for (size_t i = 0; i < SIGNALS; i++)
        sigaction(signals[i], &before[i], NULL);
}

/* Its terminal is ours. */
static void leave_terminal(int output)
{
    for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++) {
        if (isatty(fd))
            dup2(output, fd);
    }
    int none = isatty(STDIN_FILENO) ? open("/dev/null", O_RDONLY) : -1;
    if (none >= 0)
        dup2(none, STDIN_FILENO);
}

bool child_start(struct child *child, const char *path, char **arguments, int output,
                 void (*prepare)(void *context), void *context)
{
    int report[2], why = 0;
    sigset_t ours, mask;

    *child = (struct child){.pid = 0};
    if (pipe2(report, O_CLOEXEC) != 0)
        return false;
    /* Blocked until pass_on() knows the child: somebody may send a signal as soon as the program has
     * printed something. */
    sigemptyset(&ours);
    for (size_t i = 0; i < SIGNALS; i++)
        sigaddset(&ours, signals[i]);
    sigprocmask(SIG_BLOCK, &ours, &mask);
    child->pid = fork();
    if (child->pid == 0) {
        if (output >= 0)
            leave_terminal(output);
        prepare(context);
        signals_default();
        execv(path, arguments);
        why = errno;
        _exit(write(report[1], &why, sizeof(why)) == sizeof(why) ? CHILD_NOT_EXECUTABLE
                                                                 : CHILD_NOT_FOUND);
    }
    why = errno;
    close(report[1]);
    if (child->pid > 0)
        child_signals(child);
    sigprocmask(SIG_SETMASK, &mask, NULL);
    if (child->pid > 0) {
        if (read(report[0], &why, sizeof(why)) != sizeof(why))
            why = 0;
    }
    close(report[0]);
    if (why == 0)
        return true;
    if (child->pid > 0) {
        (void)child_wait(child, -1);
        child_default();
    }
    errno = why;
    return false;
}

static bool reap(struct child *child, int options)
{
    int status;
    pid_t got;

    if (child->ended)
        return true;
    do
        got = waitpid(child->pid, &status, options);
    while (got < 0 && errno == EINTR);
    if (got == 0)
        return false;
    child->ended = true;
    child->status = got < 0               ? 1
                    : WIFSIGNALED(status) ? CHILD_SIGNAL + WTERMSIG(status)
                                          : WEXITSTATUS(status);
    passed_to = 0; /* its number may become another process's */
    return true;
}

bool child_ended(struct child *child)
{
    return reap(child, WNOHANG);
}

bool child_wait(struct child *child, int timeout_ms)
{
    struct pollfd end = {.fd = -1, .events = POLLIN};

    if (timeout_ms < 0)
        return reap(child, 0);
    if (child->ended)
        return true;
    end.fd = (int)syscall(SYS_pidfd_open, child->pid, 0);
    poll(&end, 1, timeout_ms); /* without a descriptor, it waits for all of the time */
    if (end.fd >= 0)
        close(end.fd);
    return child_ended(child);
}
