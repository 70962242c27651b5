/* SPDX-License-Identifier: GPL-3.0-or-later */
/* QEMU as a child, with the sockets that the rig reaches it by. */
#include "qemu.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

/* A core that never sleeps takes all of a processor. What talks to it goes first: a halt that is
 * long for want of a processor is followed by a pause that is many times as long. */
#define NICENESS 5

enum channel { CHANNEL_MONITOR, CHANNEL_GDB, CHANNEL_QTEST, CHANNEL_COUNT };

static const char *const channel_names[CHANNEL_COUNT] = {
    [CHANNEL_MONITOR] = "rig-monitor",
    [CHANNEL_GDB] = "rig-gdb",
    [CHANNEL_QTEST] = "rig-qtest",
};

/* Pairs of connected sockets, ours first. */
static int open_channels(int ours[CHANNEL_COUNT], int theirs[CHANNEL_COUNT], struct fault *fault)
{
    for (int i = 0; i < CHANNEL_COUNT; i++)
        ours[i] = theirs[i] = -1;
    for (int i = 0; i < CHANNEL_COUNT; i++) {
        int pair[2];
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
            return fault_set(fault, "cannot make a socket: %s", strerror(errno));
        ours[i] = pair[0];
        theirs[i] = pair[1];
    }
    return 0;
}

static void close_channels(const int list[CHANNEL_COUNT])
{
    for (int i = 0; i < CHANNEL_COUNT; i++)
        if (list[i] >= 0)
            close(list[i]);
}

static int open_shared(struct qemu *qemu, const struct board *board, struct fault *fault)
{
    qemu->shared = memfd_create("mprof-rig-ram", MFD_CLOEXEC);
    if (qemu->shared < 0 || ftruncate(qemu->shared, board->shared.size) != 0)
        return fault_set(fault, "cannot make the shared RAM: %s", strerror(errno));
    return 0;
}

static void add_words(struct child_args *args, const char *const *words)
{
    for (; *words; words++)
        child_args_add(args, "%s", *words);
}

static void add_channel(struct child_args *args, enum channel channel, int fd)
{
    child_args_add(args, "-chardev");
    child_args_add(args, "socket,id=%s,fd=%d", channel_names[channel], fd);
}

/* What the rig adds to a board that otherwise is as anybody would start it. */
static void add_rig(struct child_args *args, const struct qemu *qemu, const struct board *board,
                    const int *theirs)
{
    add_channel(args, CHANNEL_GDB, theirs[CHANNEL_GDB]);
    add_channel(args, CHANNEL_QTEST, theirs[CHANNEL_QTEST]);
    child_args_add(args, "-object");
    child_args_add(args,
                   "memory-backend-file,id=rig-ram,share=on,size=%u,mem-path=/proc/self/fd/%d",
                   board->shared.size, qemu->shared);
    add_words(args, (const char *const[]){"-machine", "memory-backend=rig-ram", "-object",
                                          "qtest,id=rig-test,chardev=rig-qtest,log=/dev/null",
                                          "-gdb", "chardev:rig-gdb", "-S", NULL});
}

static void build_args(struct child_args *args, const struct qemu *qemu, const struct board *board,
                       const struct options *options, const int *theirs)
{
    child_args_add(args, "%s", board->qemu);
    add_words(args, board->qemu_args);
    add_words(args, (const char *const[]){"-accel", "tcg", "-display", "none", "-monitor", "none",
                                          "-serial", "null", NULL});
    add_channel(args, CHANNEL_MONITOR, theirs[CHANNEL_MONITOR]);
    add_words(args, (const char *const[]){"-qmp", "chardev:rig-monitor", NULL});
    if (options->icount >= 0) {
        child_args_add(args, "-icount");
        child_args_add(args, "shift=%d", options->icount);
    }
    if (options->pcsr)
        add_words(args, (const char *const[]){"-d", "nochain", NULL});
    if (options->qemu_gdb) {
        add_words(args, (const char *const[]){"-kernel", options->elf[0], "-gdb", NULL});
        child_args_add(args, "tcp:127.0.0.1:%u", qemu->held.number);
    } else {
        add_rig(args, qemu, board, theirs);
    }
    for (int i = 0; i < options->qemu.count; i++)
        child_args_add(args, "%s", options->qemu.list[i]);
}

/* From here on qemu owns the sockets. A program that ends early is told with its own words. */
static int connect_all(struct qemu *qemu, const struct board *board, const struct options *options,
                       const int ours[CHANNEL_COUNT], struct fault *fault)
{
    struct monitor *monitor = &qemu->monitor;

    if (monitor_open(monitor, ours[CHANNEL_MONITOR], fault) != 0)
        return -1;
    if (options->qemu_gdb)
        return monitor_gdb_port(monitor, &qemu->gdb_port, fault);
    if (gdbstub_open(&qemu->gdbstub, ours[CHANNEL_GDB], fault) != 0)
        return -1;
    return memory_open(&qemu->memory, board, qemu->child.pid, ours[CHANNEL_QTEST], qemu->shared,
                       monitor, fault);
}

void qemu_init(struct qemu *qemu)
{
    *qemu = (struct qemu){.shared = -1};
    port_init(&qemu->held);
    qemu->monitor.line.fd = qemu->gdbstub.fd = qemu->memory.qtest.fd = -1;
}

int qemu_start(struct qemu *qemu, const struct board *board, const char *name,
               const struct options *options, const char *folder, struct fault *fault)
{
    struct child_args args = {0};
    int ours[CHANNEL_COUNT];
    int theirs[CHANNEL_COUNT];

    int result = open_channels(ours, theirs, fault);
    qemu->monitor.line.fd = ours[CHANNEL_MONITOR];
    qemu->gdbstub.fd = ours[CHANNEL_GDB];
    qemu->memory.qtest.fd = ours[CHANNEL_QTEST];
    if (result != 0 || (result = open_shared(qemu, board, fault)) != 0)
        goto out;
    if (options->qemu_gdb)
        port_reserve(&qemu->held, options->gdb_port);
    build_args(&args, qemu, board, options, theirs);
    const int keep[] = {theirs[0], theirs[1], theirs[2], qemu->shared};
    args.niceness = NICENESS;
    result = child_start(&qemu->child, &args, name, folder, keep, 4, fault);
out:
    close_channels(theirs);
    child_args_free(&args);
    return result == 0 ? connect_all(qemu, board, options, ours, fault) : -1;
}

void qemu_end(struct qemu *qemu)
{
    child_end(&qemu->child);
    gdbstub_close(&qemu->gdbstub);
    memory_close(&qemu->memory);
    close_channels((const int[]){qemu->monitor.line.fd, qemu->gdbstub.fd, qemu->memory.qtest.fd});
    port_release(&qemu->held);
    if (qemu->shared >= 0)
        close(qemu->shared);
}
