/* SPDX-License-Identifier: 0BSD */
/* A small process that releases the target if this one dies or is stopped: both sides of it. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, syscall() */

#include "guardian.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif

#include "clock.h"
#include "descriptor.h"
#include "detach.h"
#include "process.h"

_Static_assert(ATOMIC_INT_LOCK_FREE == 2, "the page is shared by two processes");

/* What goes over the socket, one byte each. */
#define MESSAGE_READY 'r'
#define MESSAGE_FDS   'f' /* with descriptors, or none */
#define MESSAGE_LEAVE 'l'
#define MESSAGE_ALONE 'a' /* undo it, we don't wait for that */

#define READY_MS 20000
#define LEAVE_MS 1000
#define DONE_MS  5000
/* How often a process that is late is looked at. It is stopped if it was so at two looks, and did
 * nothing in between. */
#define LOOK_MS 100

/* What a recvmsg() or sendmsg() of descriptors takes. */
union fds_room {
    struct cmsghdr align;
    char bytes[CMSG_SPACE(GUARDIAN_FDS * sizeof(int))];
};

/* What the guardian knows. */
struct life {
    struct guardian_page *page;
    guardian_undo *undo;
    void *context;
    int control;
    int fds[GUARDIAN_FDS];
    size_t count;
    pid_t watched;  /* our process */
    bool stopped;   /* it was, at the last look */
    unsigned steps; /* those of the page at the last look */
};

/* The system's in any case: both processes compare it, and the clock of a record is only this
 * one's. */
static unsigned now_ms(void)
{
    return (unsigned)(clock_system_ns() / 1000000U);
}

static bool settle_in(struct life *life)
{
    return detach("mprof-guardian", &life->control, 1) && chdir("/") == 0 &&
           send(life->control, (char[]){MESSAGE_READY}, 1, MSG_NOSIGNAL) == 1;
}

static void take_fds(struct life *life, struct msghdr *message)
{
    while (life->count > 0)
        close(life->fds[--life->count]);
    for (struct cmsghdr *at = CMSG_FIRSTHDR(message); at != NULL; at = CMSG_NXTHDR(message, at)) {
        if (at->cmsg_level != SOL_SOCKET || at->cmsg_type != SCM_RIGHTS)
            continue;
        life->count = (at->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        memcpy(life->fds, CMSG_DATA(at), life->count * sizeof(int));
    }
}

/* A fork whose end no signal tells of, and that plain wait() does not see. */
static pid_t fork_unseen(void)
{
#ifdef __linux__
    return (pid_t)syscall(SYS_clone, 0UL, 0UL, 0UL, 0UL, 0UL);
#else
    return fork();
#endif
}

/* Goes on as an orphan, so that our process has nobody to wait for. */
static void go_on_alone(const struct life *life)
{
    if (fork_unseen() != 0)
        _exit(0);
    close(life->control);
}

/* False: our process has died, or gives up opening. Ends here when it sends the guardian away. */
static bool take_message(struct life *life)
{
    union fds_room room;
    char byte = 0;
    struct iovec vector = {.iov_base = &byte, .iov_len = 1};
    struct msghdr message = {
        .msg_iov = &vector,
        .msg_iovlen = 1,
        .msg_control = &room,
        .msg_controllen = sizeof(room),
    };

    ssize_t len = recvmsg(life->control, &message, 0);
    if (len < 0 && errno == EINTR)
        return true;
    if (len <= 0)
        return false;
    if (byte == MESSAGE_LEAVE)
        _exit(0);
    if (byte == MESSAGE_ALONE) {
        go_on_alone(life);
        return false;
    }
    take_fds(life, &message);
    return true;
}

/* A socket that is not connected yet halts nothing, and our process may still connect it. */
static bool is_connected(int fd)
{
    struct sockaddr_storage peer;
    socklen_t len = sizeof(peer);

    return getpeername(fd, (struct sockaddr *)&peer, &len) == 0 || errno == ENOTSOCK;
}

/* How long the halt, if there is one, may still last; a halt that begins later may last as long as
 * that at least. */
static int left_ms(const struct life *life)
{
    const struct guardian_page *page = life->page;
    int state = atomic_load(&page->state);
    int halt_ms = atomic_load(&page->halt_ms);

    if (state == GUARDIAN_FREE || halt_ms == GUARDIAN_NO_LIMIT || life->count == 0 ||
        (state == GUARDIAN_OPENING && !is_connected(life->fds[0])))
        return GUARDIAN_HALT_MIN_MS;
    unsigned limit_ms = 2 * (unsigned)halt_ms;
    if (limit_ms < GUARDIAN_HALT_MIN_MS)
        limit_ms = GUARDIAN_HALT_MIN_MS;
    unsigned past_ms = now_ms() - atomic_load(&page->since_ms);
    return past_ms < limit_ms ? (int)(limit_ms - past_ms) : 0;
}

/* A debugger that traces calls stops a process for a moment at each of them. */
static bool look(struct life *life)
{
    unsigned steps = atomic_load(&life->page->steps);
    bool stopped = process_is_stopped(life->watched);
    bool still = stopped && life->stopped && steps == life->steps;

    life->stopped = stopped;
    life->steps = steps;
    return still;
}

/* Returns when there is something to undo: true if our process is stopped, false if it is dead. */
static bool watch(struct life *life)
{
    for (;;) {
        int wait_ms = left_ms(life);
        if (wait_ms == 0 && look(life))
            return true;
        if (wait_ms > 0)
            life->stopped = false;
        int ready = fd_wait(life->control, POLLIN, clock_deadline(wait_ms > 0 ? wait_ms : LOOK_MS));
        if (ready != 0 && !take_message(life))
            return false;
    }
}

/* Whatever the server does, it ends. */
static void limit_life(void)
{
    struct sigaction action = {.sa_handler = SIG_DFL};

    sigaction(SIGALRM, &action, NULL);
    alarm(GUARDIAN_LIFE_S);
}

/* As an orphan, so that our process, if it continues, need not wait for the end to close the
 * connection. What it was about to send goes nowhere then. */
static void act(struct life *life)
{
    atomic_store(&life->page->action, GUARDIAN_ACTS);
    if (fork_unseen() > 0)
        _exit(0);
    limit_life();
    life->undo(life->page, life->fds, life->count, life->context);
    for (size_t i = 0; i < life->count; i++)
        shutdown(life->fds[i], SHUT_RDWR);
    atomic_store(&life->page->halted_ms, now_ms() - atomic_load(&life->page->since_ms));
    atomic_store(&life->page->action, GUARDIAN_DONE);
}

static _Noreturn void live(struct life *life)
{
    (void)clock_limit_lift();
    if (!settle_in(life))
        _exit(1);
    if (watch(life)) {
        act(life);
        _exit(0);
    }
    bool to_undo = atomic_load(&life->page->state) != GUARDIAN_FREE ||
                   atomic_load(&life->page->always) != 0 ||
                   atomic_load(&life->page->write_len) != 0;
    if (to_undo && life->count > 0) {
        limit_life();
        life->undo(life->page, life->fds, life->count, life->context);
    }
    _exit(0);
}

static void reap(pid_t pid)
{
#ifdef __linux__
    const int options = __WCLONE;
#else
    const int options = 0;
#endif

    while (waitpid(pid, NULL, options) < 0 && errno == EINTR)
        continue;
}

/* False: it came to nothing. */
static bool start_process(struct guardian *guardian, guardian_undo *undo, void *context)
{
    struct life life = {
        .page = guardian->page,
        .undo = undo,
        .context = context,
        .watched = getpid(),
    };
    sigset_t all;
    sigset_t before;
    int ends[2];

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    guardian->pid = fork_unseen();
    if (guardian->pid == 0) {
        life.control = ends[1];
        live(&life);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    close(ends[1]);
    guardian->control = ends[0];
    if (guardian->pid < 0)
        close(ends[0]);
    return guardian->pid > 0;
}

/* Waits for a byte or the end of the other side; true: a byte came. */
static bool await(struct guardian *guardian, int timeout_ms)
{
    uint64_t before = clock_limit_lift();
    char byte;

    ssize_t len = fd_read(guardian->control, &byte, 1, clock_deadline(timeout_ms));
    clock_limit_end(before);
    return len == 1;
}

static bool set_up(struct guardian *guardian, enum guardian_state state)
{
    const int protection = PROT_READ | PROT_WRITE;

    guardian->page =
        mmap(NULL, sizeof(*guardian->page), protection, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (guardian->page == MAP_FAILED)
        return false;
    atomic_store(&guardian->page->since_ms, now_ms());
    atomic_store(&guardian->page->state, state);
    return true;
}

struct guardian *guardian_start(enum guardian_state state, guardian_undo *undo, void *context)
{
    struct guardian *guardian = calloc(1, sizeof(*guardian));

    if (guardian == NULL)
        return NULL;
    if (!set_up(guardian, state)) {
        free(guardian);
        return NULL;
    }
    if (!start_process(guardian, undo != NULL ? undo : guardian_send_resume, context)) {
        munmap(guardian->page, sizeof(*guardian->page));
        free(guardian);
        return NULL;
    }
    if (await(guardian, READY_MS))
        return guardian;
    kill(guardian->pid, SIGKILL);
    guardian_dismiss(guardian);
    return NULL;
}

/* A guardian that is no more (somebody killed it) is not an error of the link. */
static void tell(struct guardian *guardian, char byte, const int *fds, size_t count)
{
    struct iovec vector = {.iov_base = &byte, .iov_len = 1};
    struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1};
    union fds_room room = {.bytes = {0}};

    if (count > 0) {
        message.msg_control = &room;
        message.msg_controllen = CMSG_SPACE(count * sizeof(int));
        struct cmsghdr *head = CMSG_FIRSTHDR(&message);
        head->cmsg_level = SOL_SOCKET;
        head->cmsg_type = SCM_RIGHTS;
        head->cmsg_len = CMSG_LEN(count * sizeof(int));
        memcpy(CMSG_DATA(head), fds, count * sizeof(int));
    }
    while (sendmsg(guardian->control, &message, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 && errno == EINTR)
        continue;
}

void guardian_lend(struct guardian *guardian, const int *fds, size_t count)
{
    if (guardian != NULL && count <= GUARDIAN_FDS)
        tell(guardian, MESSAGE_FDS, fds, count);
}

/* Whether what the server says next tells what the target did. */
static bool is_listening(const struct guardian *guardian)
{
    int state = atomic_load(&guardian->page->state);

    return state != GUARDIAN_FREE && state != GUARDIAN_HELD;
}

void guardian_say(struct guardian *guardian, enum guardian_state state)
{
    if (guardian == NULL || guardian_has_acted(guardian))
        return;
    guardian_step(guardian);
    memset(guardian->page->heard, 0, guardian->heard_len);
    guardian->heard_len = 0;
    if (atomic_load(&guardian->page->state) == GUARDIAN_FREE)
        atomic_store(&guardian->page->since_ms, now_ms());
    atomic_store(&guardian->page->state, state);
    if (state == GUARDIAN_FREE)
        atomic_store(&guardian->page->halt_ms, 0);
}

void guardian_announce(struct guardian *guardian, int halt_ms)
{
    if (guardian != NULL)
        atomic_store(&guardian->page->halt_ms, halt_ms);
}

void guardian_step(struct guardian *guardian)
{
    if (guardian != NULL)
        atomic_fetch_add(&guardian->page->steps, 1);
}

bool guardian_has_acted(const struct guardian *guardian)
{
    return guardian != NULL && atomic_load(&guardian->page->action) != GUARDIAN_WATCHES;
}

bool guardian_await_done(struct guardian *guardian, unsigned *halted_ms)
{
    if (!guardian_has_acted(guardian))
        return false;
    uint64_t before = clock_limit_lift();
    if (atomic_load(&guardian->page->action) != GUARDIAN_DONE)
        (void)fd_wait(guardian->control, POLLIN, clock_deadline(DONE_MS));
    clock_limit_end(before);
    *halted_ms = atomic_load(&guardian->page->halted_ms);
    return atomic_load(&guardian->page->action) == GUARDIAN_DONE;
}

enum gdbmi_code guardian_explain(const char *address, struct gdbmi_error *error)
{
    return gdbmi_error_set(error, GDBMI_ESTOPPED,
                           "%s: this process was stopped (by SIGSTOP or a debugger) during a halt, "
                           "so its guardian ended the halt and the connection",
                           address);
}

void guardian_always(struct guardian *guardian)
{
    if (guardian != NULL)
        atomic_store(&guardian->page->always, 1);
}

void guardian_say_variant(struct guardian *guardian, int variant)
{
    if (guardian != NULL)
        atomic_store(&guardian->page->variant, variant);
}

void guardian_resume_by(struct guardian *guardian, const void *bytes, size_t len)
{
    if (guardian == NULL || len > GUARDIAN_RESUME_MAX)
        return;
    int other = !atomic_load(&guardian->page->resume);
    guardian->page->resumes[other].len = len;
    memcpy(guardian->page->resumes[other].bytes, bytes, len);
    atomic_store(&guardian->page->resume, other);
}

void guardian_write_by(struct guardian *guardian, const void *bytes, size_t len)
{
    if (guardian == NULL || len >= GUARDIAN_RESUME_MAX)
        return;
    atomic_store(&guardian->page->write_len, 0);
    if (len == 0)
        return;
    memcpy(guardian->page->write, bytes, len);
    guardian->page->write[len] = '\0';
    atomic_store(&guardian->page->write_len, (int)len);
}

char *guardian_heard(struct guardian *guardian, size_t *room)
{
    if (guardian == NULL || guardian->heard_len == GUARDIAN_HEARD_MAX || !is_listening(guardian) ||
        guardian_has_acted(guardian))
        return NULL;
    if (*room > GUARDIAN_HEARD_MAX - guardian->heard_len)
        *room = GUARDIAN_HEARD_MAX - guardian->heard_len;
    return guardian->page->heard + guardian->heard_len;
}

void guardian_keep(struct guardian *guardian, size_t len)
{
    guardian->heard_len += len;
}

bool guardian_goes_on(const struct guardian *guardian)
{
    return guardian != NULL && (atomic_load(&guardian->page->state) == GUARDIAN_OPENING ||
                                atomic_load(&guardian->page->action) == GUARDIAN_ACTS);
}

/* One that does not answer was stopped by somebody, or gets no processor. If it has a target to let
 * go it is left alone, and does that when it runs: the system reaps it when this process has ended.
 * Else it is killed. */
static void end_process(struct guardian *guardian)
{
    uint64_t before = clock_limit_lift();
    uint64_t deadline = clock_deadline(LEAVE_MS);
    bool alone = guardian_goes_on(guardian);

    tell(guardian, alone ? MESSAGE_ALONE : MESSAGE_LEAVE, NULL, 0);
    int ready = fd_wait(guardian->control, POLLIN, deadline);
    clock_limit_end(before);
    if (ready <= 0 && !alone)
        kill(guardian->pid, SIGKILL);
    close(guardian->control);
    if (ready > 0 || !alone)
        reap(guardian->pid);
}

/* One that acts ends by itself, as an orphan. */
static void leave_process(struct guardian *guardian)
{
    unsigned ignored;

    (void)guardian_await_done(guardian, &ignored);
    close(guardian->control);
    reap(guardian->pid);
}

void guardian_dismiss(struct guardian *guardian)
{
    if (guardian == NULL)
        return;
    if (guardian->pid > 0 && guardian_has_acted(guardian))
        leave_process(guardian);
    else if (guardian->pid > 0)
        end_process(guardian);
    munmap(guardian->page, sizeof(*guardian->page));
    free(guardian);
}
