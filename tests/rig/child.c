/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Programs that the rig starts, and their end. */
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define END_MS  3000
#define STEP_MS 5
/* What a shell answers for a program that is not there. */
#define EXIT_NOT_FOUND 127

void child_args_add(struct child_args *args, const char *format, ...)
{
    va_list list;
    char *text = NULL;

    va_start(list, format);
    if (args->count == CHILD_ARGS || vasprintf(&text, format, list) < 0)
        args->full = true;
    else
        args->list[args->count++] = text;
    va_end(list);
}

void child_args_free(struct child_args *args)
{
    for (int i = 0; i < args->count; i++)
        free(args->list[i]);
    *args = (struct child_args){0};
}

/* A session of its own: a Ctrl-C on the terminal is for the rig, which ends its children itself, and
 * Linux weighs sessions, not processes, where it groups them (sched(7), "The autogroup feature"). In
 * one group, a QEMU that computes has kept everything else from a processor for minutes (Linux 6.18). */
static void stand_apart(int niceness)
{
    setsid();
    (void)!nice(niceness);
    int fd = open("/proc/self/autogroup", O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    dprintf(fd, "%d", niceness);
    close(fd);
}

static void become(const struct child_args *args, int log, const int *keep, int count, pid_t parent)
{
    sigset_t none;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(EXIT_NOT_FOUND);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    stand_apart(args->niceness);
    int input = open("/dev/null", O_RDONLY);
    dup2(input, STDIN_FILENO);
    dup2(log, STDOUT_FILENO);
    dup2(log, STDERR_FILENO);
    for (int i = 0; i < count; i++)
        fcntl(keep[i], F_SETFD, 0);
    execvp(args->list[0], args->list);
    dprintf(STDERR_FILENO, "cannot run %s: %s\n", args->list[0], strerror(errno));
    _exit(EXIT_NOT_FOUND);
}

int child_start(struct child *child, const struct child_args *args, const char *name,
                const char *folder, const int *keep, int count, struct fault *fault)
{
    *child = (struct child){.pid = 0};
    snprintf(child->name, sizeof child->name, "%s", name);
    if (args->full)
        return fault_set(fault, "%s: too many arguments", child->name);
    int len = snprintf(child->log, sizeof child->log, "%s/%s.log", folder, child->name);
    int log = open(child->log, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
    if (len >= (int)sizeof child->log || log < 0)
        return fault_set(fault, "cannot write %s: %s", child->log, strerror(errno));
    pid_t parent = getpid();
    child->pid = fork();
    if (child->pid == 0)
        become(args, log, keep, count, parent);
    close(log);
    if (child->pid < 0) {
        child->pid = 0;
        return fault_set(fault, "cannot start %s: %s", child->name, strerror(errno));
    }
    return 0;
}

bool child_alive(struct child *child)
{
    if (child->pid != 0 && waitpid(child->pid, &child->status, WNOHANG) == child->pid)
        child->pid = 0;
    return child->pid != 0;
}

static void put_down(struct child *child)
{
    kill(child->pid, SIGKILL);
    waitpid(child->pid, &child->status, 0);
    child->pid = 0;
}

void child_end(struct child *child)
{
    if (!child_alive(child))
        return;
    kill(child->pid, SIGTERM);
    for (int ms = 0; ms < END_MS && child_alive(child); ms += STEP_MS)
        nanosleep(&(struct timespec){.tv_nsec = STEP_MS * 1000000L}, NULL);
    if (child_alive(child))
        put_down(child);
}

void child_kill(struct child *child)
{
    if (child_alive(child))
        put_down(child);
    *child = (struct child){.pid = 0};
}

/* Reads the end of the log, and cuts line down to the last line that says something. */
static const char *last_line(const char *path, char *text, size_t capacity)
{
    FILE *file = fopen(path, "r");
    size_t len = 0;

    if (file) {
        if (fseek(file, 1 - (long)capacity, SEEK_END) != 0)
            rewind(file);
        len = fread(text, 1, capacity - 1, file);
        fclose(file);
    }
    while (len > 0 && (text[len - 1] == '\n' || text[len - 1] == '\r' || text[len - 1] == ' '))
        len--;
    text[len] = '\0';
    const char *newline = strrchr(text, '\n');
    return len == 0 ? "it said nothing" : newline ? newline + 1 : text;
}

int child_fault(const struct child *child, struct fault *fault)
{
    char text[300];
    char how[40];

    if (child->pid != 0)
        snprintf(how, sizeof how, "does not answer");
    else if (WIFSIGNALED(child->status))
        snprintf(how, sizeof how, "ended by signal %d", WTERMSIG(child->status));
    else
        snprintf(how, sizeof how, "ended with status %d", WEXITSTATUS(child->status));
    return fault_set(fault, "%s %s: %s", child->name, how,
                     last_line(child->log, text, sizeof text));
}
