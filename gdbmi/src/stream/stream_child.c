/* SPDX-License-Identifier: 0BSD */
/* Starts a process, reads and writes its standard streams, and leaves nothing of it behind. */
#include "stream_child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"
#include "descriptor.h"
#include "guardian.h"

/* How long it may take to end of its own accord, then after a SIGTERM. */
#define LEAVE_MS 1200
#define TERM_MS  500
#define REAP_MS  5
/* The shell's status for a program that it does not find. */
#define NOT_FOUND 127
/* And for one that a signal has ended: with the signal's number. */
#define BY_SIGNAL 128
/* A process that has closed its output ends soon after, on a busy machine in seconds, and its
 * status says why. */
#define END_MS    5000
#define DRAIN_MAX 128

void child_program_name(const char *command, char *name, size_t capacity)
{
    command += strspn(command, " ");
    size_t len = strcspn(command, " ");
    const char *begin = command + len;

    while (begin > command && begin[-1] != '/')
        begin--;
    snprintf(name, capacity, "%.*s", (int)(command + len - begin), begin);
}

/* Keeps the last line that is not empty. */
static void keep_said(struct child_stream *s, const char *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (bytes[i] == '\n' || bytes[i] == '\r') {
            s->said_all = true;
            continue;
        }
        if (s->said_all)
            s->said_len = 0;
        s->said_all = false;
        if (s->said_len < sizeof(s->said) - 1)
            s->said[s->said_len++] = bytes[i];
        s->said[s->said_len] = '\0';
    }
}

/* Takes what there is, so that the process is not held up by a full pipe; but not for ever, where
 * it prints faster. */
static void drain(struct child_stream *s, int *fd)
{
    char bytes[1024];
    ssize_t len;

    for (int i = 0; i < DRAIN_MAX && *fd >= 0; i++) {
        len = read(*fd, bytes, sizeof(bytes));
        if (len < 0)
            return;
        if (len > 0 && fd == &s->err)
            keep_said(s, bytes, (size_t)len);
        if (len > 0)
            continue;
        close(*fd);
        *fd = -1;
    }
}

/* true: it has ended. */
static bool reap(struct child_stream *s, int timeout_ms)
{
    uint64_t deadline = clock_deadline(timeout_ms);
    siginfo_t info;

    while (!s->reaped) {
        /* Until it is reaped, its number is that of its group and of no other. */
        info.si_pid = 0;
        if (waitid(P_PID, (id_t)s->pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
            info.si_pid != 0) {
            kill(-s->pid, SIGKILL);
            s->reaped = waitpid(s->pid, &s->status, 0) == s->pid || errno != EINTR;
        } else if (clock_left_ms(deadline) == 0) {
            return false;
        } else {
            drain(s, &s->err);
            drain(s, &s->out);
            clock_sleep_ms(REAP_MS);
        }
    }
    return true;
}

static void say_end(struct child_stream *s, struct gdbmi_error *error)
{
    const char *said;

    bool ended = reap(s, END_MS);
    drain(s, &s->err);
    said = s->said[0] != '\0' ? s->said : "no error message";
    if (!ended)
        gdbmi_error_set(error, GDBMI_ECLOSED, "%s closed its output: %s", s->name, said);
    else if (WIFSIGNALED(s->status))
        gdbmi_error_set(error, GDBMI_ECLOSED, "%s was ended by signal %d: %s", s->name,
                        WTERMSIG(s->status), said);
    else
        gdbmi_error_set(
            error, GDBMI_ECLOSED, "%s ended (status %d): %s%s", s->name, WEXITSTATUS(s->status),
            said, WEXITSTATUS(s->status) == NOT_FOUND ? "; install it or correct its name" : "");
}

/* 1: bytes or an end are there, 0: the time is over. */
static int wait_for_output(struct child_stream *s, uint64_t deadline)
{
    int left_ms;

    do {
        struct pollfd fds[] = {{.fd = s->out, .events = POLLIN}, {.fd = s->err, .events = POLLIN}};
        left_ms = clock_left_ms(deadline);
        if (poll(fds, 2, left_ms) > 0) {
            if (fds[1].revents != 0)
                drain(s, &s->err);
            if (fds[0].revents != 0)
                return 1;
        }
    } while (left_ms > 0);
    return 0;
}

/* When the guardian has acted, what comes is an answer to it: this process may have been stopped
 * while it waited. */
static int child_read(struct gdbmi_stream *base, void *bytes, size_t capacity, int timeout_ms,
                      struct gdbmi_error *error)
{
    struct child_stream *s = (struct child_stream *)base;
    uint64_t deadline = clock_deadline(timeout_ms);

    while (s->out >= 0) {
        if (guardian_has_acted(base->guardian))
            return 0;
        ssize_t len = read(s->out, bytes, capacity);
        if (len > 0)
            return (int)len;
        if (len == 0 || (errno != EINTR && errno != EAGAIN)) {
            close(s->out);
            s->out = -1;
        } else if (errno == EAGAIN && wait_for_output(s, deadline) == 0) {
            return 0;
        }
    }
    say_end(s, error);
    return -1;
}

static int child_write(struct gdbmi_stream *base, const void *bytes, size_t len, int timeout_ms,
                       struct gdbmi_error *error)
{
    struct child_stream *s = (struct child_stream *)base;
    ssize_t sent = fd_write(s->in, bytes, len, clock_deadline(timeout_ms));

    if (sent < 0)
        say_end(s, error);
    else if ((size_t)sent < len)
        gdbmi_error_set(error, GDBMI_ETIMEOUT, "%s accepts no more commands", s->name);
    return sent >= 0 && (size_t)sent == len ? 0 : -1;
}

void child_stream_kill(struct child_stream *stream)
{
    if (stream->reaped)
        return;
    kill(-stream->pid, SIGKILL);
    kill(stream->pid, SIGKILL); /* it may not lead its group yet */
}

static void close_fd(int fd)
{
    if (fd >= 0)
        close(fd);
}

static void child_close(struct gdbmi_stream *base)
{
    struct child_stream *s = (struct child_stream *)base;

    close_fd(s->in);
    if (!reap(s, LEAVE_MS)) {
        kill(-s->pid, SIGTERM);
        if (!reap(s, TERM_MS)) {
            kill(-s->pid, SIGKILL);
            (void)waitpid(s->pid, &s->status, 0);
        }
    }
    close_fd(s->out);
    close_fd(s->err);
    free(s);
}

static const struct gdbmi_stream_ops child_ops = {
    .read = child_read,
    .write = child_write,
    .close = child_close,
};

/* The signals that we ignore or block are not to be ignored by a debugger and its programs. */
static void reset_signals(void)
{
    struct sigaction action = {.sa_handler = SIG_DFL};

    sigemptyset(&action.sa_mask);
    sigaction(SIGPIPE, &action, NULL);
    sigprocmask(SIG_SETMASK, &action.sa_mask, NULL);
}

/* Where the process is allowed less already, it stays so. */
static void limit(int resource, uint64_t soft, uint64_t hard)
{
    struct rlimit now;

    if (getrlimit(resource, &now) != 0)
        return;
    if (hard < now.rlim_max)
        now.rlim_max = hard;
    if (soft < now.rlim_cur)
        now.rlim_cur = soft;
    setrlimit(resource, &now);
}

static void apply_bounds(const struct child_bounds *bounds, pid_t parent)
{
    if (bounds == NULL)
        return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) /* it has ended before that */
        _exit(0);
    limit(RLIMIT_DATA, bounds->memory, bounds->memory);
    limit(RLIMIT_CPU, bounds->cpu_s, bounds->cpu_s + 1);
    limit(RLIMIT_CORE, 0, 0);
}

/* ends: the process's input, output and error. */
static void run_child(const char *command, const int ends[3])
{
    setsid();
    reset_signals();
    for (int i = 0; i < 3; i++) {
        if (dup2(ends[i], i) < 0)
            _exit(126);
    }
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
}

/* Above the three standard streams, which they may have to become. */
static int lift(int *fd)
{
    int lifted = *fd > 2 ? *fd : fcntl(*fd, F_DUPFD, 3);

    if (lifted < 0)
        return -1;
    if (lifted != *fd)
        close(*fd);
    *fd = lifted;
    return 0;
}

/* pairs: for each stream our end and the process's. 0, or -1. */
static int open_pairs(int pairs[3][2])
{
    int pipe_fds[2];

    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pairs[0]) != 0)
        return -1;
    for (int i = 1; i < 3; i++) {
        if (pipe(pipe_fds) != 0)
            return -1;
        pairs[i][0] = pipe_fds[0];
        pairs[i][1] = pipe_fds[1];
    }
    for (int i = 0; i < 3; i++) {
        if (lift(&pairs[i][0]) != 0 || lift(&pairs[i][1]) != 0 || fd_prepare(pairs[i][0]) != 0 ||
            fcntl(pairs[i][1], F_SETFD, FD_CLOEXEC) != 0)
            return -1;
    }
    return 0;
}

/* One end of each: side is 0 for ours, 1 for the process's. */
static void close_pairs(int pairs[3][2], int side)
{
    for (int i = 0; i < 3; i++)
        close_fd(pairs[i][side]);
}

bool child_stream_overran(const struct child_stream *stream)
{
    if (!stream->reaped)
        return false;
    return WIFSIGNALED(stream->status) ? WTERMSIG(stream->status) == SIGXCPU
                                       : WEXITSTATUS(stream->status) == BY_SIGNAL + SIGXCPU;
}

enum gdbmi_code child_stream_open(const char *command, const char *name, struct guardian *guardian,
                                  const struct child_bounds *bounds, struct child_stream **stream,
                                  struct gdbmi_error *error)
{
    int pairs[3][2] = {{-1, -1}, {-1, -1}, {-1, -1}};
    pid_t parent = getpid();
    pid_t pid = -1;

    struct child_stream *made = calloc(1, sizeof(*made));
    if (made != NULL && open_pairs(pairs) == 0) {
        guardian_lend(guardian, (int[]){pairs[1][0], pairs[0][0], pairs[2][0]}, 3);
        pid = fork();
    }
    if (pid == 0) {
        apply_bounds(bounds, parent);
        run_child(command, (const int[]){pairs[0][1], pairs[1][1], pairs[2][1]});
    }
    int reason = errno;
    close_pairs(pairs, 1);
    if (pid < 0) {
        close_pairs(pairs, 0);
        free(made);
        return gdbmi_error_set(error, GDBMI_ECONNECT, "%s cannot be started: %s", name,
                               strerror(reason));
    }
    made->base.ops = &child_ops;
    made->base.guardian = guardian;
    made->pid = pid;
    made->in = pairs[0][0];
    made->out = pairs[1][0];
    made->err = pairs[2][0];
    snprintf(made->name, sizeof(made->name), "%s", name);
    *stream = made;
    return GDBMI_OK;
}
