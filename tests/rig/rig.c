/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All parts together: children, core, debug port and control, served by one loop. */
#include "rig.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clock.h"
#include "commands.h"

#define START_MS    300000 /* for what hangs; a host may be busy */
#define TICK_MS     10
#define REAP_MS     300000
#define JTAG_BUFFER 65536

/* Of each chip two: QEMU's monitor and its gdb stub. */
enum {
    FD_SIGNALS,
    FD_STDIN,
    FD_LISTENER,
    FD_JTAG,
    FD_CONTROL,
    FD_CHIPS = FD_CONTROL + CONTROL_FDS
};
#define FD_COUNT (FD_CHIPS + 2 * TARGETS_MAX)

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

/* Answers only when the probe is through. Nothing else happens meanwhile: nobody waits for the rig
 * as long as for a probe. */
static void wait_for_probe(struct rig *rig, uint64_t bits, uint64_t queues, size_t answers)
{
    uint64_t now_ns = clock_now_ns(), before = rig->probe.packets;
    uint64_t until_ns = probe_take(&rig->probe, bits, queues, answers, now_ns);
    struct timespec until = {.tv_sec = (time_t)(until_ns / 1000000000U),
                             .tv_nsec = (long)(until_ns % 1000000000U)};

    if (rig->chips[0].core.halted)
        rig->probe.halted += rig->probe.packets - before;
    if (answers != 0 && until_ns > now_ns)
        while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
            ;
}

static void serve_jtag(struct rig *rig)
{
    char bytes[JTAG_BUFFER];
    char answers[JTAG_BUFFER];
    uint64_t bits = rig->jtag.bits;
    uint64_t queues = rig->jtag.queues;

    ssize_t len = recv(rig->jtag_client, bytes, sizeof bytes, 0);
    long count = len <= 0 ? -1 : jtag_obey(&rig->jtag, bytes, (size_t)len, answers);
    if (count >= 0)
        wait_for_probe(rig, rig->jtag.bits - bits, rig->jtag.queues - queues, (size_t)count);
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
    bool live = rig->openocd.state == OPENOCD_NONE || child_alive(&rig->openocd.child);

    for (int i = 0; i < rig->chip_count; i++)
        live &= !rig->chips[i].qemu.child.name[0] || child_alive(&rig->chips[i].qemu.child);
    return live;
}

static bool has_children(const struct rig *rig)
{
    bool any = rig->openocd.child.pid != 0;

    for (int i = 0; i < rig->chip_count; i++)
        any |= rig->chips[i].qemu.child.pid != 0;
    return any;
}

static bool ended(const struct child *child)
{
    return child->name[0] && child->pid == 0;
}

/* What a lost connection only shows the effect of: the words of the child that has ended. */
static int explain(struct rig *rig)
{
    struct fault why = {.text = ""};

    for (int ms = 0; ms < REAP_MS && has_children(rig) && children_live(rig); ms += TICK_MS)
        poll(NULL, 0, TICK_MS);
    for (int i = 0; i < rig->chip_count; i++)
        if (ended(&rig->chips[i].qemu.child))
            child_fault(&rig->chips[i].qemu.child, &why);
    if (ended(&rig->openocd.child))
        child_fault(&rig->openocd.child, &why);
    if (why.text[0])
        rig->fault = why;
    return -1;
}

static void collect_fds(const struct rig *rig, struct pollfd *fds)
{
    const int list[] = {
        [FD_SIGNALS] = rig->signals,
        [FD_STDIN] = rig->options->until_eof ? STDIN_FILENO : -1,
        [FD_LISTENER] = rig->jtag_listener,
        [FD_JTAG] = rig->jtag_client,
    };

    for (int i = 0; i < FD_CONTROL; i++)
        fds[i] = (struct pollfd){.fd = list[i], .events = POLLIN};
    control_fds(&rig->control, fds + FD_CONTROL);
    for (int i = 0; i < TARGETS_MAX; i++) {
        const struct chip *chip = &rig->chips[i];
        bool open = i < rig->chip_count;
        struct pollfd *pair = fds + FD_CHIPS + 2 * i;
        pair[0] = (struct pollfd){.fd = open ? chip->qemu.monitor.line.fd : -1, .events = POLLIN};
        pair[1] = (struct pollfd){.fd = open ? chip->qemu.gdbstub.fd : -1, .events = POLLIN};
        if (open && chip->plain)
            pair[1].fd = -1;
    }
}

static int update_chips(struct rig *rig, const struct pollfd *fds)
{
    for (int i = 0; i < rig->chip_count; i++, fds += 2)
        if ((fds[0].revents || fds[1].revents) && chip_update(&rig->chips[i]) != 0)
            return -1;
    return 0;
}

static int watch_openocd(struct rig *rig)
{
    openocd_look(&rig->openocd, rig->options);
    if (rig->openocd.state == OPENOCD_STARTING && clock_now_ns() > rig->openocd_deadline_ns)
        return child_fault(&rig->openocd.child, &rig->fault);
    return 0;
}

/* One round of the loop. 0, or -1 with a fault; sets rig->done. */
static int round_trip(struct rig *rig)
{
    struct pollfd fds[FD_COUNT];
    bool starting = rig->openocd.state == OPENOCD_STARTING;

    collect_fds(rig, fds);
    if (poll(fds, FD_COUNT, starting ? TICK_MS : -1) < 0 && errno != EINTR)
        return fault_set(&rig->fault, "poll: %s", strerror(errno));
    if (fds[FD_JTAG].revents)
        serve_jtag(rig);
    if (fds[FD_LISTENER].revents)
        accept_jtag(rig);
    if (fds[FD_SIGNALS].revents)
        rig->done |= !heed_signal(rig);
    if (fds[FD_STDIN].revents)
        rig->done |= stdin_ended();
    if (update_chips(rig, fds + FD_CHIPS) != 0)
        return -1;
    control_serve(&rig->control, fds + FD_CONTROL);
    if (rig->fault.text[0] || (!rig->done && !children_live(rig)))
        return -1;
    return starting ? watch_openocd(rig) : 0;
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

int rig_start_openocd(struct rig *rig)
{
    struct openocd_target targets[TARGETS_MAX];

    for (int i = 0; i < rig->chip_count; i++)
        targets[i] =
            (struct openocd_target){.board = rig->chips[i].board, .name = rig->chips[i].name};
    rig->openocd_deadline_ns = clock_now_ns() + START_MS * 1000000ULL;
    return openocd_start(&rig->openocd, rig->options, targets, log_folder(rig), rig->jtag_path,
                         &rig->fault);
}

void rig_stop_openocd(struct rig *rig)
{
    openocd_kill(&rig->openocd);
    hang_up(rig);
}

static int open_openocd(struct rig *rig)
{
    if (rig_start_openocd(rig) != 0)
        return -1;
    while (!rig->done && rig->openocd.state == OPENOCD_STARTING)
        if (round_trip(rig) != 0)
            return explain(rig);
    return 0;
}

static int open_chips(struct rig *rig)
{
    for (unsigned i = 0; i < rig->options->targets; i++) {
        struct chip *chip = &rig->chips[i];
        rig->chip_count++;
        if (chip_open(chip, i, rig->options, log_folder(rig)) != 0)
            return explain(rig);
        struct jtag_device device = chip_device(chip);
        jtag_add(&rig->jtag, &device);
    }
    return 0;
}

int rig_open(struct rig *rig, const struct options *options)
{
    memset(rig, 0, sizeof *rig);
    rig->options = options;
    rig->signals = rig->jtag_listener = rig->jtag_client = -1;
    rig->control = (struct control){.listener = -1, .obey = commands_obey, .context = rig};
    jtag_init(&rig->jtag);
    openocd_init(&rig->openocd);
    for (int i = 0; i < TARGETS_MAX; i++)
        chip_init(&rig->chips[i], &rig->fault);
    rig->started_at_ns = clock_now_ns();
    if (open_signals(rig) != 0 || open_sockets(rig) != 0 || open_chips(rig) != 0)
        return -1;
    if (!options->qemu_gdb && !options->no_openocd && open_openocd(rig) != 0)
        return -1;
    rig->probe = options->probe;
    prctl(PR_SET_TIMERSLACK, 1UL); /* else each packet takes 50 us more */
    return 0;
}

int rig_serve(struct rig *rig)
{
    while (!rig->done)
        if (round_trip(rig) != 0)
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
    for (int i = 0; i < TARGETS_MAX; i++)
        chip_close(&rig->chips[i]);
    control_close(&rig->control);
    if (rig->options->control && rig->control_path[0])
        unlink(rig->control_path);
    folder_remove(rig->folder);
    if (rig->signals >= 0)
        close(rig->signals);
}

unsigned rig_gdb_port(const struct rig *rig)
{
    return rig->options->qemu_gdb ? rig->chips[0].qemu.gdb_port : rig->openocd.gdb_ports[0].number;
}
