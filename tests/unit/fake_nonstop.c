/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a fake gdb server answers in non-stop mode, in the manner of gdbserver or pyOCD. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake_gdb.h"

static void notify(struct fake_gdb *gdb, char letter, unsigned signal)
{
    char text[64];
    unsigned char sum = 0;

    int len = snprintf(text, sizeof(text), "%%Stop:%c%02xthread:1;", letter, signal);
    for (int i = 1; i < len; i++)
        sum = (unsigned char)(sum + text[i]);
    len += snprintf(text + len, sizeof(text) - (size_t)len, "#%02x", sum);
    fake_stream_put(&gdb->stream, text, (size_t)len);
}

/* The first stop is notified, the others wait for vStopped. */
static void queue_stop(struct fake_nonstop *non_stop, unsigned signal)
{
    if (non_stop->due == FAKE_THREADS_MAX)
        abort();
    non_stop->stops[non_stop->due++] = 1 + signal;
}

void fake_nonstop_stop(struct fake_gdb *gdb, char letter, unsigned signal)
{
    struct fake_nonstop *non_stop = &gdb->non_stop;

    bool idle = non_stop->told == non_stop->due;
    queue_stop(non_stop, signal);
    if (idle)
        notify(gdb, letter, signal);
    if (non_stop->due >= non_stop->threads || letter == 'W')
        gdb->running = false;
}

/* index: of the stop, of the first thread 0. */
static void answer_stop(struct fake_gdb *gdb, unsigned index)
{
    char text[32];

    snprintf(text, sizeof(text), "T%02xthread:%x;", gdb->non_stop.stops[index] - 1, index + 1);
    fake_gdb_answer(gdb, text);
}

/* What is stopped is told anew, from the beginning. */
static void serve_reason(struct fake_gdb *gdb)
{
    struct fake_nonstop *non_stop = &gdb->non_stop;

    non_stop->told = 0;
    if (gdb->running)
        fake_gdb_answer(gdb, "OK");
    else
        answer_stop(gdb, 0);
}

static void serve_stopped(struct fake_gdb *gdb)
{
    struct fake_nonstop *non_stop = &gdb->non_stop;

    non_stop->told = non_stop->pyocd ? non_stop->due : non_stop->told + 1;
    if (non_stop->told < non_stop->due && !non_stop->told_late) {
        answer_stop(gdb, non_stop->told);
        return;
    }
    fake_gdb_answer(gdb, "OK");
    if (non_stop->told < non_stop->due)
        notify(gdb, 'T', non_stop->stops[non_stop->told] - 1);
}

static void serve_resume(struct fake_gdb *gdb)
{
    struct fake_nonstop *non_stop = &gdb->non_stop;

    fake_gdb_answer(gdb, "OK");
    if (non_stop->told < non_stop->due) {
        non_stop->stays = true;
        return;
    }
    gdb->running = true;
    gdb->halted_by_client = false;
    non_stop->due = non_stop->told = 0;
}

static void serve_halt(struct fake_gdb *gdb)
{
    struct fake_nonstop *non_stop = &gdb->non_stop;

    fake_gdb_answer(gdb, "OK");
    unsigned others = non_stop->leaving + non_stop->coming + non_stop->stubborn;
    while (non_stop->due + others < non_stop->threads)
        fake_nonstop_stop(gdb, 'T', 0);
    non_stop->coming = 0;
    gdb->halted_by_client = true;
}

/* Those that leave are in the first list after a halt. */
static void serve_threads(struct fake_gdb *gdb)
{
    char text[64] = "m";

    for (unsigned i = 1; i <= gdb->non_stop.threads; i++) {
        size_t len = strlen(text);
        if (i != gdb->non_stop.dead)
            snprintf(text + len, sizeof(text) - len, "%s%x", len > 1 ? "," : "", i);
    }
    fake_gdb_answer(gdb, gdb->non_stop.pyocd ? "" : gdb->non_stop.threads == 0 ? "E01" : text);
    if (gdb->halted_by_client) {
        gdb->non_stop.threads -= gdb->non_stop.leaving;
        gdb->non_stop.leaving = 0;
        gdb->running = gdb->non_stop.due < gdb->non_stop.threads;
    }
}

static void serve_begin(struct fake_gdb *gdb)
{
    gdb->non_stop.on = true;
    fake_gdb_answer(gdb, "OK");
    if (gdb->running)
        return;
    for (unsigned i = 0; i < gdb->non_stop.threads; i++) {
        bool own = i == 0 && gdb->non_stop.first_signal != 0;
        queue_stop(&gdb->non_stop,
                   (unsigned)(own ? gdb->non_stop.first_signal : gdb->connect_signal));
    }
    if (gdb->non_stop.pyocd)
        notify(gdb, 'T', (unsigned)gdb->connect_signal);
}

static bool is_readable(const struct fake_nonstop *non_stop)
{
    return non_stop->pyocd || (non_stop->chosen != 0 && non_stop->chosen != non_stop->dead);
}

static bool serve_word(struct fake_gdb *gdb, const char *request)
{
    static const struct {
        const char *request;
        void (*serve)(struct fake_gdb *gdb);
    } words[] = {
        {"?", serve_reason},     {"vStopped", serve_stopped},     {"vCont;c", serve_resume},
        {"vCont;t", serve_halt}, {"qfThreadInfo", serve_threads},
    };

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (strcmp(words[i].request, request) == 0) {
            words[i].serve(gdb);
            return true;
        }
    }
    return false;
}

bool fake_nonstop_serve(struct fake_gdb *gdb, const char *request)
{
    struct fake_nonstop *non_stop = &gdb->non_stop;
    unsigned thread = 0;

    if (non_stop->works && strcmp(request, "QNonStop:1") == 0) {
        serve_begin(gdb);
        return true;
    }
    if (!non_stop->on)
        return false;
    if (serve_word(gdb, request))
        return true;
    if (strncmp(request, "vCont;C", 7) == 0) {
        serve_resume(gdb);
    } else if (strcmp(request, "qsThreadInfo") == 0) {
        fake_gdb_answer(gdb, "l");
    } else if (strncmp(request, "QPassSignals:", 13) == 0) {
        non_stop->passes = true;
        fake_gdb_answer(gdb, "OK");
    } else if (sscanf(request, "Hg%x", &thread) == 1) {
        non_stop->chosen = thread;
        fake_gdb_answer(gdb, "OK");
    } else if (sscanf(request, "T%x", &thread) == 1) {
        fake_gdb_answer(gdb, thread == non_stop->dead ? "E01" : "OK");
    } else if (strncmp(request, "qAttached:", 10) == 0) {
        fake_gdb_answer(gdb, non_stop->created ? "0" : "1");
    } else if (strcmp(request, "D") == 0) {
        non_stop->detached = true;
        fake_gdb_answer(gdb, "OK");
    } else if (request[0] == 'm' && !is_readable(non_stop)) {
        fake_gdb_answer(gdb, "E01");
    } else {
        return false;
    }
    return true;
}
