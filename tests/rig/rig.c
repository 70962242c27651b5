/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All parts together: children, core, debug port and control, served by one loop. */
#include "rig.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clock.h"

#define START_MS    30000
#define TICK_MS     10
#define REAP_MS     500
#define JTAG_BUFFER 65536

enum { FD_SIGNALS, FD_STDIN, FD_MONITOR, FD_GDB, FD_LISTENER, FD_JTAG, FD_CONTROL };
#define FD_COUNT (FD_CONTROL + CONTROL_FDS)

/* Plain QEMU is watched through its events; its clock is the real-time one. */
static struct core_stats plain_stats(const struct monitor *monitor)
{
    struct timespec now;
    struct core_stats stats = {.halts = monitor->stops, .resets = monitor->resets};
    uint64_t stopped_us = monitor->stopped_us;

    clock_gettime(CLOCK_REALTIME, &now);
    if (!monitor->running)
        stopped_us +=
            (uint64_t)now.tv_sec * 1000000U + (uint64_t)now.tv_nsec / 1000U - monitor->stop_us;
    stats.halted_ns = stopped_us * 1000U;
    return stats;
}

static int update(struct rig *rig)
{
    if (rig->options->qemu_gdb)
        return monitor_poll(&rig->qemu.monitor) == 0
                   ? 0
                   : fault_set(&rig->fault, "QEMU's monitor has closed its connection");
    return core_poll(&rig->core) != 0 ? -1 : cortexm_update(&rig->cortexm);
}

static size_t write_stat(void *context, char *text, size_t capacity)
{
    struct rig *rig = context;
    bool plain = rig->options->qemu_gdb;
    const struct monitor *monitor = &rig->qemu.monitor;
    const struct dap_stats *dap = &rig->dap.stats;

    rig->done |= update(rig) != 0;
    struct core_stats core = plain ? plain_stats(monitor) : core_stats_now(&rig->core);
    int len = snprintf(
        text, capacity,
        "{\"halts\": %" PRIu64 ", \"halted_ms\": %.3f, \"breakpoint_stops\": %" PRIu64
        ", \"breakpoint_ms\": %.3f, \"steps\": %" PRIu64 ", \"pauses\": %" PRIu64
        ", \"resets\": %" PRIu64 ", \"running\": %s, \"reads\": %" PRIu64 ", \"writes\": %" PRIu64
        ", \"faults\": %" PRIu64 ", \"machine_stops\": %" PRIu64 ", \"uptime_ms\": %.3f}\n",
        core.halts, (double)core.halted_ns / 1e6, core.breakpoint_stops,
        (double)core.breakpoint_ns / 1e6, core.steps, core.pauses, core.resets,
        (plain ? monitor->running : !rig->core.halted) ? "true" : "false", dap->reads, dap->writes,
        dap->faults, monitor->stops, (double)(clock_now_ns() - rig->started_at_ns) / 1e6);
    return (size_t)len;
}

static void hang_up(struct rig *rig)
{
    if (rig->jtag_client >= 0)
        close(rig->jtag_client);
    rig->jtag_client = -1;
}

static int send_all(int fd, const char *bytes, size_t len)
{
    while (len > 0) {
        ssize_t sent = send(fd, bytes, len, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return -1;
        bytes += sent;
        len -= (size_t)sent;
    }
    return 0;
}

static void serve_jtag(struct rig *rig)
{
    char bytes[JTAG_BUFFER];
    char answers[JTAG_BUFFER];

    ssize_t len = recv(rig->jtag_client, bytes, sizeof bytes, 0);
    long count = len <= 0 ? -1 : jtag_obey(&rig->jtag, bytes, (size_t)len, answers);
    if (count < 0 || send_all(rig->jtag_client, answers, (size_t)count) != 0)
        hang_up(rig);
}

static void accept_jtag(struct rig *rig)
{
    int client = accept4(rig->jtag_listener, NULL, NULL, SOCK_CLOEXEC);

    if (client < 0)
        return;
    hang_up(rig);
    rig->jtag_client = client;
    jtag_init(&rig->jtag, &rig->device);
}

/* False: told to end. */
static bool heed_signal(struct rig *rig)
{
    struct signalfd_siginfo info;

    if (read(rig->signals, &info, sizeof info) != (ssize_t)sizeof info)
        return true;
    return info.ssi_signo == SIGCHLD;
}

static bool stdin_ended(void)
{
    char ignored[256];
    return read(STDIN_FILENO, ignored, sizeof ignored) <= 0;
}

static bool children_live(struct rig *rig)
{
    bool qemu = child_alive(&rig->qemu.child);
    bool openocd = !rig->openocd.child.name[0] || child_alive(&rig->openocd.child);
    return qemu && openocd;
}

/* What a lost connection only shows the effect of: the words of the child that has ended. */
static int explain(struct rig *rig)
{
    struct fault why = {.text = ""};

    for (int ms = 0; ms < REAP_MS && rig->qemu.child.name[0] && children_live(rig); ms += TICK_MS)
        poll(NULL, 0, TICK_MS);
    if (rig->qemu.child.name[0] && rig->qemu.child.pid == 0)
        child_fault(&rig->qemu.child, &why);
    else if (rig->openocd.child.name[0] && rig->openocd.child.pid == 0)
        child_fault(&rig->openocd.child, &why);
    if (why.text[0])
        rig->fault = why;
    return -1;
}

static void collect_fds(const struct rig *rig, struct pollfd *fds)
{
    bool plain = rig->options->qemu_gdb;
    const int list[] = {
        [FD_SIGNALS] = rig->signals,
        [FD_STDIN] = rig->options->until_eof ? STDIN_FILENO : -1,
        [FD_MONITOR] = rig->qemu.monitor.line.fd,
        [FD_GDB] = plain ? -1 : rig->qemu.gdbstub.fd,
        [FD_LISTENER] = rig->jtag_listener,
        [FD_JTAG] = rig->jtag_client,
    };

    for (int i = 0; i < FD_CONTROL; i++)
        fds[i] = (struct pollfd){.fd = list[i], .events = POLLIN};
    control_fds(&rig->control, fds + FD_CONTROL);
}

/* One round of the loop. 0, or -1 with a fault; sets rig->done. */
static int round_trip(struct rig *rig, int timeout_ms)
{
    struct pollfd fds[FD_COUNT];

    collect_fds(rig, fds);
    if (poll(fds, FD_COUNT, timeout_ms) < 0 && errno != EINTR)
        return fault_set(&rig->fault, "poll: %s", strerror(errno));
    if (fds[FD_JTAG].revents)
        serve_jtag(rig);
    if (fds[FD_LISTENER].revents)
        accept_jtag(rig);
    if (fds[FD_SIGNALS].revents)
        rig->done |= !heed_signal(rig);
    if (fds[FD_STDIN].revents)
        rig->done |= stdin_ended();
    if ((fds[FD_MONITOR].revents || fds[FD_GDB].revents) && update(rig) != 0)
        return -1;
    rig->done |= !control_serve(&rig->control, fds + FD_CONTROL);
    if (rig->fault.text[0] || (!rig->done && !children_live(rig)))
        return -1;
    return 0;
}

static int open_signals(struct rig *rig)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGHUP);
    sigaddset(&set, SIGCHLD);
    sigprocmask(SIG_BLOCK, &set, NULL);
    rig->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    return rig->signals < 0 ? fault_set(&rig->fault, "signalfd: %s", strerror(errno)) : 0;
}

static int open_sockets(struct rig *rig)
{
    const char *control = rig->options->control;

    if (folder_make(rig->folder, &rig->fault) != 0)
        return -1;
    snprintf(rig->jtag_path, sizeof rig->jtag_path, "%s/jtag", rig->folder);
    if (control)
        snprintf(rig->control_path, sizeof rig->control_path, "%s", control);
    else
        snprintf(rig->control_path, sizeof rig->control_path, "%s/control", rig->folder);
    rig->control.listener = folder_listen(rig->control_path, &rig->fault);
    if (!rig->options->qemu_gdb)
        rig->jtag_listener = folder_listen(rig->jtag_path, &rig->fault);
    return rig->fault.text[0] ? -1 : 0;
}

static const char *log_folder(const struct rig *rig)
{
    const char *keep = rig->options->keep_logs;

    if (keep)
        mkdir(keep, 0777);
    return keep ? keep : rig->folder;
}

static void connect_parts(struct rig *rig)
{
    struct qemu *qemu = &rig->qemu;
    struct dap_bus bus;

    core_init(&rig->core, &qemu->gdbstub, &qemu->memory, &qemu->monitor, &rig->fault);
    cortexm_init(&rig->cortexm, &rig->core, &qemu->memory);
    bus = cortexm_bus(&rig->cortexm);
    dap_init(&rig->dap, &bus);
    rig->device = dap_device(&rig->dap);
    jtag_init(&rig->jtag, &rig->device);
}

static int start_openocd(struct rig *rig)
{
    uint64_t deadline_ns = clock_now_ns() + START_MS * 1000000ULL;

    if (openocd_start(&rig->openocd, rig->options, log_folder(rig), rig->jtag_path, &rig->fault))
        return -1;
    while (!rig->done && !openocd_ready(&rig->openocd, rig->options)) {
        if (round_trip(rig, TICK_MS) != 0)
            return explain(rig);
        if (clock_now_ns() > deadline_ns)
            return child_fault(&rig->openocd.child, &rig->fault);
    }
    return 0;
}

int rig_open(struct rig *rig, const struct options *options)
{
    memset(rig, 0, sizeof *rig);
    rig->options = options;
    rig->signals = rig->jtag_listener = rig->jtag_client = -1;
    rig->control = (struct control){.listener = -1, .stat = write_stat, .context = rig};
    qemu_init(&rig->qemu);
    rig->started_at_ns = clock_now_ns();
    if (open_signals(rig) != 0 || open_sockets(rig) != 0)
        return -1;
    if (qemu_start(&rig->qemu, options, log_folder(rig), &rig->fault) != 0)
        return explain(rig);
    if (options->qemu_gdb)
        return 0;
    connect_parts(rig);
    if (core_resume(&rig->core) != 0)
        return explain(rig);
    return options->no_openocd ? 0 : start_openocd(rig);
}

int rig_serve(struct rig *rig)
{
    while (!rig->done)
        if (round_trip(rig, -1) != 0)
            return explain(rig);
    return 0;
}

/* The JTAG port goes first: an OpenOCD that wants to take leave of it must not wait for us. */
void rig_close(struct rig *rig)
{
    hang_up(rig);
    if (rig->jtag_listener >= 0)
        close(rig->jtag_listener);
    openocd_end(&rig->openocd);
    qemu_end(&rig->qemu);
    control_close(&rig->control);
    if (rig->options->control && rig->control_path[0])
        unlink(rig->control_path);
    folder_remove(rig->folder);
    if (rig->signals >= 0)
        close(rig->signals);
}

unsigned rig_gdb_port(const struct rig *rig)
{
    return rig->options->qemu_gdb ? rig->qemu.gdb_port : rig->openocd.gdb_port;
}
