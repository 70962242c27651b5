/* SPDX-License-Identifier: 0BSD */
/* Non-stop servers (gdbserver, pyOCD): the program runs while it is asked about. */
#include "rsp_nonstop.h"

#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "rsp_exchange.h"

/* Stops and pieces of the list of threads that are taken before a server counts as mad. */
#define ANSWERS_MAX 4096

/* How often late reports of our own halt are answered by another resume. */
#define RESUMES_MAX 8

/* Where no thread has stopped for so long, those that have not are looked at again. */
#define QUIET_MS 20

/* gdb's numbers of signals. Those that stop a job stay with the server: it would let a job run that
 * a user has stopped. */
#define SIGNALS     0x97
#define SIGNAL_STOP 0x11
#define SIGNAL_TSTP 0x12
#define SIGNAL_TTIN 0x15
#define SIGNAL_TTOU 0x16

static bool form_stop(const struct gdbmi_rsp_message *message)
{
    return rsp_form_ok(message) || strchr("TSWXNw", message->data[0]) != NULL;
}

static bool form_threads(const struct gdbmi_rsp_message *message)
{
    return message->len == 0 || rsp_is_error(message) || strchr("ml", message->data[0]) != NULL;
}

static enum gdbmi_code mad(struct rsp_link *link, const char *what)
{
    return gdbmi_error_set(&link->base.error, GDBMI_EPROTOCOL, "%s: the server's %s does not end",
                           link->base.address, what);
}

/* Signals at which gdb does not stop unless it is told to (gdb's "info signals"): SIGALRM, SIGURG,
 * SIGCHLD, SIGIO, SIGVTALRM, SIGPROF, SIGWINCH, SIGPOLL. */
static bool is_passed(int signal)
{
    return signal > 0 && memchr("\x0e\x10\x14\x17\x1a\x1b\x1c\x21", signal, 8) != NULL;
}

/* Appends an action of vCont that gives the thread its signal. False: the stop names no thread, or
 * there is no room. */
static bool keep_signal(struct rsp_link *link, const char *stop, int signal)
{
    size_t used = strlen(link->signals);
    size_t left = sizeof(link->signals) - used;
    const char *thread = strstr(stop, "thread:");

    if (thread == NULL)
        return false;
    thread += strlen("thread:");
    int len = snprintf(link->signals + used, left, ";C%02x:%.*s", (unsigned)signal,
                       (int)strcspn(thread, ";"), thread);
    if (len >= 0 && (size_t)len < left)
        return true;
    link->signals[used] = '\0';
    return false;
}

/* While gdbserver attaches, it stops a thread by whatever comes first, be it the signal of the
 * program's timer. That is a stop that nobody asked for; the thread gets its signal as it goes on.
 */
static void take_stop(struct rsp_link *link, const struct gdbmi_rsp_message *stop)
{
    int signal = rsp_stop_signal(stop->data, stop->len);

    if (is_passed(signal) && stop->data[0] == 'T' && keep_signal(link, stop->data, signal))
        rsp_take_stop(link, "T00", 3);
    else
        rsp_take_stop(link, stop->data, stop->len);
}

static enum gdbmi_code take_stops(struct rsp_link *link, const char *request)
{
    struct gdbmi_rsp_message answer;

    for (int i = 0; i < ANSWERS_MAX; i++) {
        enum gdbmi_code code = rsp_exchange(link, request, form_stop, &answer);
        if (code != GDBMI_OK)
            return code;
        if (rsp_form_ok(&answer))
            return GDBMI_OK;
        take_stop(link, &answer);
        request = "vStopped";
    }
    return mad(link, "list of stops");
}

static unsigned count_threads(const char *list)
{
    unsigned count = 1;

    for (const char *comma = strchr(list, ','); comma != NULL; comma = strchr(comma + 1, ','))
        count++;
    return count;
}

/* pyOCD knows no such list: its one core is "0", any thread. */
static enum gdbmi_code list_threads(struct rsp_link *link, char *first, size_t capacity)
{
    const char *request = "qfThreadInfo";
    struct gdbmi_rsp_message answer;

    link->threads = 0;
    for (int i = 0; i < ANSWERS_MAX; i++) {
        enum gdbmi_code code = rsp_exchange(link, request, form_threads, &answer);
        if (code != GDBMI_OK)
            return code;
        if (i == 0 && answer.len == 0) {
            link->threads = 1;
            snprintf(first, capacity, "0");
        }
        if (answer.data[0] != 'm')
            return GDBMI_OK;
        if (i == 0)
            snprintf(first, capacity, "%.*s", (int)strcspn(answer.data + 1, ","), answer.data + 1);
        link->threads += count_threads(answer.data + 1);
        request = "qsThreadInfo";
    }
    return mad(link, "list of threads");
}

static enum gdbmi_code choose_thread(struct rsp_link *link)
{
    struct gdbmi_rsp_message answer;
    char request[8 + sizeof(link->thread)];

    enum gdbmi_code code = list_threads(link, link->thread, sizeof(link->thread));
    if (code != GDBMI_OK || link->threads == 0)
        return code;
    snprintf(request, sizeof(request), "Hg%s", link->thread);
    return rsp_exchange(link, request, rsp_form_ok, &answer);
}

/* Without it the server stops the program at each of its timer's signals, and nobody resumes it. */
static enum gdbmi_code pass_signals(struct rsp_link *link)
{
    char request[8 + 3 * SIGNALS] = "QPassSignals:";
    struct gdbmi_rsp_message answer;

    for (unsigned i = 1; i < SIGNALS; i++) {
        size_t len = strlen(request);
        if (i != RSP_SIGNAL_TRAP && i != SIGNAL_STOP && i != SIGNAL_TSTP && i != SIGNAL_TTIN &&
            i != SIGNAL_TTOU)
            snprintf(request + len, sizeof(request) - len, i > 1 ? ";%x" : "%x", i);
    }
    return rsp_exchange(link, request, rsp_form_ok, &answer);
}

/* Whether the server started the program, and so ends it with the connection if it is to serve one
 * only (gdbserver --once). */
static enum gdbmi_code ask_created(struct rsp_link *link)
{
    char request[16 + sizeof(link->thread)];
    struct gdbmi_rsp_message answer;

    snprintf(request, sizeof(request), "qAttached:%s", link->thread);
    enum gdbmi_code code = rsp_exchange(link, request, rsp_form_any, &answer);
    link->created = code == GDBMI_OK && strcmp(answer.data, "0") == 0;
    return code;
}

enum gdbmi_code rsp_nonstop_open(struct rsp_link *link, bool passes_signals)
{
    struct gdbmi_rsp_message answer;

    enum gdbmi_code code = rsp_exchange(link, "QNonStop:1", rsp_form_ok, &answer);
    if (code != GDBMI_OK || strcmp(answer.data, "OK") != 0)
        return code;
    link->non_stop = true;
    link->port.notifications = true;
    link->resume = "vCont;c";
    link->stops = 0;
    link->stop_signal = -1;
    if (passes_signals)
        code = pass_signals(link);
    if (code == GDBMI_OK)
        code = take_stops(link, "?");
    link->stop_due = false;
    if (code == GDBMI_OK)
        code = choose_thread(link);
    if (code == GDBMI_OK && link->threads == 0)
        link->ended = true;
    /* gdbserver stops all threads when it attaches, lets some of them run when non-stop begins, and
     * reports the others: all are to run. */
    link->running =
        link->stops == 0 || (!rsp_nonstop_is_stop_blank(link) && link->stops < link->threads);
    if (code == GDBMI_OK && link->stops > 0)
        code = ask_created(link);
    return code;
}

bool rsp_nonstop_is_stop_blank(const struct rsp_link *link)
{
    return link->stop_signal <= 0;
}

static enum gdbmi_code say_ended(struct rsp_link *link)
{
    return gdbmi_error_set(&link->base.error, GDBMI_ECLOSED, "%s: the program has ended",
                           link->base.address);
}

enum gdbmi_code rsp_nonstop_update(struct rsp_link *link)
{
    char first[sizeof(link->thread)];
    enum gdbmi_code code = GDBMI_OK;

    while (code == GDBMI_OK && link->stop_due && !link->ended) {
        link->stop_due = false;
        code = take_stops(link, "vStopped");
        if (code == GDBMI_OK)
            code = list_threads(link, first, sizeof(first));
        link->running = link->stops < link->threads;
    }
    return code == GDBMI_OK && link->ended ? say_ended(link) : code;
}

/* A thread that ended stops no more, and one that began since may not have been told to stop. */
static enum gdbmi_code stop_others(struct rsp_link *link)
{
    char first[sizeof(link->thread)];
    struct gdbmi_rsp_message answer;

    enum gdbmi_code code = list_threads(link, first, sizeof(first));
    link->running = link->stops < link->threads;
    if (code == GDBMI_OK && link->running)
        code = rsp_exchange(link, "vCont;t", rsp_form_ok, &answer);
    return code;
}

/* Which request was the last to have no answer tells nothing. */
static enum gdbmi_code say_unstopped(struct rsp_link *link)
{
    link->base.error.code = GDBMI_OK;
    return gdbmi_error_set(&link->base.error, GDBMI_ETIMEOUT,
                           "%s: %u of %u threads stopped within %g s", link->base.address,
                           link->stops, link->threads, link->port.io.timeout_ms / 1000.0);
}

static enum gdbmi_code await_stops(struct rsp_link *link, uint64_t deadline)
{
    struct gdbmi_rsp_message message;

    enum gdbmi_code code = rsp_nonstop_update(link);
    while (code == GDBMI_OK && link->running) {
        uint64_t quiet = clock_deadline(QUIET_MS);
        code = rsp_port_receive(&link->port, quiet < deadline ? quiet : deadline, &message,
                                &link->base.error);
        if (code == GDBMI_ETIMEOUT)
            code = clock_left_ms(deadline) > 0 ? stop_others(link)
                                               : rsp_port_silence(&link->port, &link->base.error);
        else if (code == GDBMI_OK && rsp_note_stop(link, &message))
            code = rsp_nonstop_update(link);
    }
    return code == GDBMI_ETIMEOUT ? say_unstopped(link) : code;
}

enum gdbmi_code rsp_nonstop_halt(struct rsp_link *link, bool *ours)
{
    uint64_t deadline = clock_deadline(link->port.io.timeout_ms);
    struct gdbmi_rsp_message answer;

    link->stop_signal = -1;
    link->interrupted = true;
    enum gdbmi_code code = rsp_exchange(link, "vCont;t", rsp_form_ok, &answer);
    if (code == GDBMI_OK)
        code = await_stops(link, deadline);
    link->interrupted = code != GDBMI_OK;
    *ours = code == GDBMI_OK && rsp_nonstop_is_stop_blank(link);
    return code;
}

static enum gdbmi_code resume_once(struct rsp_link *link)
{
    char request[sizeof(link->signals) + 8];
    struct gdbmi_rsp_message answer;

    enum gdbmi_code code = rsp_nonstop_update(link);
    if (code != GDBMI_OK)
        return code;
    link->running = true;
    link->stops = 0;
    link->stop_signal = -1;
    snprintf(request, sizeof(request), "vCont%s;c", link->signals);
    link->signals[0] = '\0';
    code = rsp_exchange(link, request, rsp_form_ok, &answer);
    if (code == GDBMI_OK && strcmp(answer.data, "OK") != 0)
        code = gdbmi_error_set(&link->base.error, GDBMI_EPROTOCOL,
                               "%s: the server did not resume the program (it says \"%.40s\")",
                               link->base.address, answer.data);
    return code;
}

/* gdbserver resumes no thread whose stop it has yet to report, or to hear of that we know it. */
enum gdbmi_code rsp_nonstop_resume(struct rsp_link *link)
{
    enum gdbmi_code code = resume_once(link);

    for (int i = 0; i < RESUMES_MAX && code == GDBMI_OK; i++) {
        if (!link->stop_due || !rsp_nonstop_is_stop_blank(link))
            break;
        code = resume_once(link);
    }
    return code;
}

enum gdbmi_code rsp_nonstop_choose_again(struct rsp_link *link, bool *again)
{
    char request[8 + sizeof(link->thread)];
    struct gdbmi_rsp_message answer;

    *again = false;
    snprintf(request, sizeof(request), "T%s", link->thread);
    enum gdbmi_code code = rsp_exchange(link, request, rsp_form_ok, &answer);
    if (code != GDBMI_OK || !rsp_is_error(&answer))
        return code;
    code = choose_thread(link);
    *again = code == GDBMI_OK && link->threads > 0;
    return code;
}

enum gdbmi_code rsp_nonstop_leave(struct rsp_link *link)
{
    struct gdbmi_rsp_message answer;

    if (!link->created || !link->running || link->ended)
        return GDBMI_OK;
    enum gdbmi_code code = rsp_exchange(link, "D", rsp_form_ok, &answer);
    if (code != GDBMI_OK || strcmp(answer.data, "OK") == 0)
        return code;
    return gdbmi_error_set(&link->base.error, GDBMI_ETARGET,
                           "%s: the server did not detach from its program (it says \"%.40s\")",
                           link->base.address, answer.data);
}
