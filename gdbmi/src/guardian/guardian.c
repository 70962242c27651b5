/* SPDX-License-Identifier: 0BSD */
/* A small process that releases the target if this one dies: both sides of it. */
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

_Static_assert(ATOMIC_INT_LOCK_FREE == 2, "the page is shared by two processes");

/* What goes over the socket, one byte each. */
#define MESSAGE_READY 'r'
#define MESSAGE_FDS   'f' /* with descriptors, or none */
#define MESSAGE_LEAVE 'l'
#define MESSAGE_ALONE 'a' /* undo it, we don't wait for that */

#define READY_MS 20000
#define LEAVE_MS 1000

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
};

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

/* Returns when there is something to do; ends here when our process sends the guardian away. */
static void watch(struct life *life)
{
    union fds_room room;
    char byte = 0;

    for (;;) {
        struct iovec vector = {.iov_base = &byte, .iov_len = 1};
        struct msghdr message = {
            .msg_iov = &vector,
            .msg_iovlen = 1,
            .msg_control = &room,
            .msg_controllen = sizeof(room),
        };
        ssize_t len = recvmsg(life->control, &message, 0);
        if (len < 0 && errno == EINTR)
            continue;
        if (len <= 0)
            return;
        if (byte == MESSAGE_LEAVE)
            _exit(0);
        if (byte == MESSAGE_ALONE) {
            go_on_alone(life);
            return;
        }
        take_fds(life, &message);
    }
}

/* Whatever the server does, it ends. */
static void limit_life(void)
{
    struct sigaction action = {.sa_handler = SIG_DFL};

    sigaction(SIGALRM, &action, NULL);
    alarm(GUARDIAN_LIFE_S);
}

static _Noreturn void live(struct life *life)
{
    (void)clock_limit_lift();
    if (!settle_in(life))
        _exit(1);
    watch(life);
    bool to_undo =
        atomic_load(&life->page->state) != GUARDIAN_FREE || atomic_load(&life->page->always) != 0;
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
    struct life life = {.page = guardian->page, .undo = undo, .context = context};
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
    if (guardian == NULL)
        return;
    memset(guardian->page->heard, 0, guardian->heard_len);
    guardian->heard_len = 0;
    atomic_store(&guardian->page->state, state);
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

char *guardian_heard(struct guardian *guardian, size_t *room)
{
    if (guardian == NULL || guardian->heard_len == GUARDIAN_HEARD_MAX || !is_listening(guardian))
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
    return guardian != NULL && atomic_load(&guardian->page->state) == GUARDIAN_OPENING;
}

/* One that does not leave was stopped by somebody, or kept from running. */
static void end_process(struct guardian *guardian)
{
    uint64_t before = clock_limit_lift();
    uint64_t deadline = clock_deadline(LEAVE_MS);

    tell(guardian, guardian_goes_on(guardian) ? MESSAGE_ALONE : MESSAGE_LEAVE, NULL, 0);
    int ready = fd_wait(guardian->control, POLLIN, deadline);
    clock_limit_end(before);
    if (ready <= 0)
        kill(guardian->pid, SIGKILL);
    close(guardian->control);
    reap(guardian->pid);
}

void guardian_dismiss(struct guardian *guardian)
{
    if (guardian == NULL)
        return;
    if (guardian->pid > 0)
        end_process(guardian);
    munmap(guardian->page, sizeof(*guardian->page));
    free(guardian);
}
