/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A self-pipe for the signals that end us; the state is the process', as signals are. */
#define _POSIX_C_SOURCE 200809L

#include <base/signals.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

#include <base/say.h>

/* How long a write may block after a signal, so that a slow reader still gets the last output. */
#define AGAIN_S 1

static int wake_fds[2] = {-1, -1};
static atomic_int pending; /* read by all threads */
static volatile sig_atomic_t held;
static volatile sig_atomic_t outlived;
static atomic_bool finishing, given_up;
static atomic_bool hurried; /* a signal has come after the one that signals_finish() is for */
static int refused;         /* what signals_die() was to die of */
static void (*volatile restore_terminal)(const void *terminal);
static const void *volatile guarded;

/* Those that we catch or ignore; and what whoever has started us wants of them. */
static const int ours[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGALRM, SIGPIPE, SIGXFSZ};
#define OURS (sizeof(ours) / sizeof(ours[0]))
static bool ignored[OURS];
static sigset_t inherited; /* mask */

static void die(int signal);

static void crash(int signal)
{
    if (restore_terminal)
        restore_terminal(guarded);
    die(signal);
}

static bool is_interrupt(int signal)
{
    return signal == SIGINT || signal == SIGQUIT;
}

static void note(int signal)
{
    int saved = errno;

    /* A person who types Ctrl-C again wants the command to end, but not a shell around it, and does
     * not want to lose what is being written. */
    bool again = outlived && is_interrupt(signal);
    if (pending && finishing && !hurried)
        hurried = again = true;
    if (pending && !held && !again && !(outlived && is_interrupt(pending)))
        crash(signal);
    if (!pending || (outlived && is_interrupt(pending)))
        pending = signal;
    (void)!write(wake_fds[1], "", 1);
    alarm(AGAIN_S);
    errno = saved;
}

/* A write that begins to block after the signal is not interrupted by it, but by this one. */
static void interrupt_again(int signal)
{
    (void)signal;
    if (pending)
        alarm(AGAIN_S);
}

static void catch_signal(int signal, void (*handler)(int), int flags)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = flags};

    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, NULL);
}

static bool open_pipe(void)
{
    if (pipe(wake_fds) != 0)
        return false;
    for (int i = 0; i < 2; i++) {
        fcntl(wake_fds[i], F_SETFL, O_NONBLOCK);
        fcntl(wake_fds[i], F_SETFD, FD_CLOEXEC);
    }
    return true;
}

int signals_open(void)
{
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

    if (wake_fds[0] < 0 && !open_pipe())
        return -1;
    catch_signal(SIGINT, note, 0);
    catch_signal(SIGQUIT, note, 0);
    catch_signal(SIGTERM, note, 0);
    catch_signal(SIGHUP, note, 0);
    catch_signal(SIGALRM, interrupt_again, 0);
    catch_signal(SIGPIPE, SIG_IGN, 0);
    for (size_t i = 0; i < sizeof(crashes) / sizeof(crashes[0]); i++)
        catch_signal(crashes[i], crash, (int)SA_RESETHAND);
    return wake_fds[0];
}

void signals_yield(bool yield)
{
    catch_signal(SIGINT, yield ? SIG_IGN : note, 0);
    catch_signal(SIGQUIT, yield ? SIG_IGN : note, 0);
}

void signals_inherit(void)
{
    struct sigaction action;

    for (size_t i = 0; i < OURS; i++) {
        if (sigaction(ours[i], NULL, &action) == 0)
            ignored[i] = action.sa_handler == SIG_IGN;
    }
    sigprocmask(SIG_BLOCK, NULL, &inherited);
}

bool signals_ignored(int signal)
{
    size_t i = 0;

    while (i < OURS && ours[i] != signal)
        i++;
    return i < OURS && ignored[i];
}

void signals_default(void)
{
    for (size_t i = 0; i < OURS; i++)
        catch_signal(ours[i], ignored[i] ? SIG_IGN : SIG_DFL, 0);
    sigprocmask(SIG_SETMASK, &inherited, NULL);
}

void signals_guard(void (*restore)(const void *terminal), const void *terminal)
{
    restore_terminal = NULL;
    guarded = terminal;
    restore_terminal = restore;
}

int signals_pending(void)
{
    return pending;
}

bool signals_stop(void)
{
    return given_up || (pending && (!finishing || hurried));
}

void signals_give_up(bool give_up)
{
    given_up = give_up;
}

bool signals_given_up(void)
{
    return given_up;
}

static void block(int signal, bool on)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, signal);
    sigprocmask(on ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
}

void signals_finish(bool finish)
{
    finishing = finish;
    block(SIGALRM, finishing || held);
}

static void forget(void)
{
    char bytes[64];

    pending = 0;
    hurried = false;
    alarm(0);
    while (wake_fds[0] >= 0 && read(wake_fds[0], bytes, sizeof(bytes)) > 0) {
    }
}

void signals_clear(void)
{
    sigset_t all, before;

    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    if (!pending || is_interrupt(pending))
        forget();
    sigprocmask(SIG_SETMASK, &before, NULL);
}

bool signals_outlive(bool outlive)
{
    bool before = outlived;

    outlived = outlive;
    refused = 0;
    return before;
}

bool signals_interrupted(void)
{
    return is_interrupt(pending);
}

void signals_hold(bool hold)
{
    held = hold;
    block(SIGTSTP, hold);
    block(SIGALRM, finishing || held);
}

void signals_lend(bool lend)
{
    held = lend;
    block(SIGTSTP, lend);
}

void signals_die(int signal)
{
    if (outlived)
        refused = signal;
    else
        die(signal);
}

int signals_begin(void)
{
    int fd = signals_open();

    if (fd < 0)
        complain("cannot create a pipe for signals");
    return fd;
}

int signals_end(int status, bool enough)
{
    int signal = signals_pending();

    if (signal && status == STATUS_DONE && !(enough && signal == SIGINT))
        signals_die(signal);
    return status;
}

bool signals_refused(void)
{
    return refused != 0;
}

static void die(int signal)
{
    catch_signal(signal, SIG_DFL, 0);
    block(signal, false);
    raise(signal);
}
