/* SPDX-License-Identifier: 0BSD */
/* A link to a process on this machine: no server at all. */
#define _GNU_SOURCE /* process_vm_readv() */

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "link_ops.h"
#include "pid_link.h"

struct pid_link {
    struct gdbmi_link base;
    pid_t pid;
    uint64_t started; /* in the kernel's clock ticks: tells this process from one with its number */
    bool wide;        /* its words have 8 bytes */
};

/* What /proc/PID/stat says. */
struct life {
    char name[64];
    char state;
    uint64_t started;
};

static struct pid_link *pid_of(struct gdbmi_link *base)
{
    return (struct pid_link *)base;
}

/* Reads the beginning of /proc/PID/name. Returns its length, -1 with errno. */
static ssize_t read_proc(pid_t pid, const char *name, void *bytes, size_t capacity)
{
    char path[64];

    snprintf(path, sizeof(path), "/proc/%ld/%s", (long)pid, name);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    ssize_t len = read(fd, bytes, capacity);
    int why = errno;
    close(fd);
    errno = why;
    return len;
}

/* proc(5): "PID (name) state ppid ..."; the name may hold anything, brackets among it. Field 22 is
 * when it started. false: there is no such process. */
static bool read_life(pid_t pid, struct life *life)
{
    char text[1024];
    unsigned long long started = 0;

    ssize_t len = read_proc(pid, "stat", text, sizeof(text) - 1);
    if (len <= 0)
        return false;
    text[len] = '\0';
    const char *name = strchr(text, '(');
    const char *end = strrchr(text, ')');
    if (name == NULL || end == NULL || end < name ||
        sscanf(end + 1,
               " %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu",
               &life->state, &started) != 2)
        return false;
    snprintf(life->name, sizeof(life->name), "%.*s", (int)(end - name - 1), name + 1);
    life->started = started;
    return true;
}

static enum gdbmi_code ended(struct gdbmi_link *base)
{
    return gdbmi_error_set(&base->error, GDBMI_ECLOSED, "%s: the process has ended", base->address);
}

static enum gdbmi_code take_state(struct gdbmi_link *base, enum gdbmi_state *state)
{
    struct life life;

    if (!read_life(pid_of(base)->pid, &life) || life.started != pid_of(base)->started ||
        strchr("ZXx", life.state) != NULL)
        return ended(base);
    *state = life.state == 'T' || life.state == 't' ? GDBMI_STATE_HALTED : GDBMI_STATE_RUNNING;
    return GDBMI_OK;
}

/* Who may read a process is who may trace it: ptrace(2), "ptrace access mode checking". */
static enum gdbmi_code not_permitted(struct gdbmi_link *base)
{
    char scope = '0';
    int fd = open("/proc/sys/kernel/yama/ptrace_scope", O_RDONLY | O_CLOEXEC);

    if (fd >= 0) {
        if (read(fd, &scope, 1) != 1)
            scope = '0';
        close(fd);
    }
    if (scope == '0')
        return gdbmi_error_set(&base->error, GDBMI_ECONNECT,
                               "%s: no permission to read it: run mprof as its user, or with sudo",
                               base->address);
    return gdbmi_error_set(&base->error, GDBMI_ECONNECT,
                           "%s: no permission to read it (kernel.yama.ptrace_scope is %c): run "
                           "mprof with sudo, or first 'sudo sysctl kernel.yama.ptrace_scope=0'",
                           base->address, scope);
}

static enum gdbmi_code explain(struct gdbmi_link *base, const char *what, uint64_t addr, size_t len)
{
    if (errno == ESRCH)
        return ended(base);
    if (errno == EPERM || errno == EACCES)
        return not_permitted(base);
    return gdbmi_error_set(&base->error, GDBMI_ETARGET,
                           "%s: %zu bytes at 0x%" PRIx64 " cannot be %s", base->address, len, addr,
                           what);
}

/* Where the program began, from the words that the kernel gave it: getauxval(3). 0: not known. */
static uint64_t find_entry(const struct pid_link *link)
{
    union {
        uint32_t narrow[256];
        uint64_t wide[128];
    } words;
    ssize_t len = read_proc(link->pid, "auxv", &words, sizeof(words));
    size_t count = len > 0 ? (size_t)len / (link->wide ? 8 : 4) : 0;

    for (size_t i = 0; i + 1 < count; i += 2) {
        uint64_t key = link->wide ? words.wide[i] : words.narrow[i];
        if (key == AT_NULL)
            break;
        if (key == AT_ENTRY)
            return link->wide ? words.wide[i + 1] : words.narrow[i + 1];
    }
    return 0;
}

/* A process that calls execve() keeps its number and its start, but not its memory. */
static enum gdbmi_code read_failed(struct gdbmi_link *base, uint64_t addr, size_t len)
{
    enum gdbmi_state state;

    enum gdbmi_code code = explain(base, "read", addr, len);
    if (code != GDBMI_ETARGET)
        return code;
    struct gdbmi_error of_read = base->error;
    base->error = (struct gdbmi_error){.code = GDBMI_OK};
    code = take_state(base, &state);
    if (code == GDBMI_OK && find_entry(pid_of(base)) != base->info.entry)
        code = gdbmi_error_set(&base->error, GDBMI_ECLOSED,
                               "%s: the process runs another program now", base->address);
    if (code == GDBMI_OK) {
        base->error = of_read;
        code = of_read.code;
    }
    return code;
}

/* That it is still the same process is looked at behind the read: then it was during it. */
static enum gdbmi_code pid_read(struct gdbmi_link *base, uint64_t addr, void *bytes, size_t len)
{
    enum gdbmi_state state;

    struct iovec to = {.iov_base = bytes, .iov_len = len};
    struct iovec from = {.iov_base = (void *)(uintptr_t)addr, .iov_len = len};
    ssize_t got = process_vm_readv(pid_of(base)->pid, &to, 1, &from, 1, 0);
    if (got >= 0 && (size_t)got < len)
        errno = EFAULT;
    return got >= 0 && (size_t)got == len ? take_state(base, &state) : read_failed(base, addr, len);
}

static enum gdbmi_code pid_write(struct gdbmi_link *base, uint64_t addr, const void *bytes,
                                 size_t len)
{
    enum gdbmi_state state;
    union {
        const void *constant;
        void *plain; /* struct iovec is for both directions */
    } source = {.constant = bytes};
    struct iovec from = {.iov_base = source.plain, .iov_len = len};
    struct iovec to = {.iov_base = (void *)(uintptr_t)addr, .iov_len = len};

    enum gdbmi_code code = take_state(base, &state);
    if (code != GDBMI_OK)
        return code;
    ssize_t got = process_vm_writev(pid_of(base)->pid, &from, 1, &to, 1, 0);
    if (got >= 0 && (size_t)got < len)
        errno = EFAULT;
    return got >= 0 && (size_t)got == len ? GDBMI_OK : explain(base, "written", addr, len);
}

static enum gdbmi_code pid_state(struct gdbmi_link *base, enum gdbmi_state *state)
{
    return take_state(base, state);
}

static enum gdbmi_code pid_poll(struct gdbmi_link *base, uint64_t addr, void *bytes, size_t len,
                                enum gdbmi_state *state)
{
    enum gdbmi_state before, after;

    enum gdbmi_code code = take_state(base, &before);
    if (code == GDBMI_OK)
        code = pid_read(base, addr, bytes, len);
    if (code == GDBMI_OK)
        code = take_state(base, &after);
    /* Stopped or continued meanwhile: then the memory may be of when it ran. */
    if (code == GDBMI_OK)
        *state = before == after ? before : GDBMI_STATE_RUNNING;
    return code;
}

/* A stop is seen by the process' parent, and could not be undone if we were killed. Nothing here
 * needs one. */
static enum gdbmi_code pid_halt(struct gdbmi_link *base, bool *ours)
{
    *ours = false;
    return gdbmi_error_set(&base->error, GDBMI_EUNSUPPORTED,
                           "%s: mprof never halts a process: it reads it while it runs",
                           base->address);
}

static enum gdbmi_code pid_resume(struct gdbmi_link *base)
{
    return gdbmi_error_set(
        &base->error, GDBMI_EUNSUPPORTED,
        "%s: the process was stopped by another program: 'kill -CONT %ld' continues it",
        base->address, (long)pid_of(base)->pid);
}

static enum gdbmi_code pid_pc(struct gdbmi_link *base, uint64_t *pc)
{
    (void)pc;
    return gdbmi_error_set(&base->error, GDBMI_EUNSUPPORTED,
                           "%s: the program counter of a process cannot be read", base->address);
}

static enum gdbmi_code pid_command(struct gdbmi_link *base, const char *command, char **answer)
{
    (void)answer;
    return gdbmi_error_set(&base->error, GDBMI_EUNSUPPORTED,
                           "%s: a process has no server to run '%.40s'", base->address, command);
}

static enum gdbmi_code pid_close(struct gdbmi_link *base, bool resume, struct gdbmi_error *error)
{
    (void)resume, (void)error; /* nothing was held */
    free(pid_of(base));
    return GDBMI_OK;
}

static const struct gdbmi_link_ops pid_link_ops = {
    .read = pid_read,
    .write = pid_write,
    .state = pid_state,
    .poll = pid_poll,
    .halt = pid_halt,
    .resume = pid_resume,
    .send_resume = pid_resume,
    .pc = pid_pc,
    .command = pid_command,
    .close = pid_close,
};

/* The program's own header says how wide its words are, and the kernel's files say it nowhere. */
static bool take_program(struct pid_link *link)
{
    Elf32_Ehdr header; /* both kinds begin alike */
    static const struct {
        unsigned machine;
        const char *arch;
    } known[] = {{EM_X86_64, "i386"},
                 {EM_386, "i386"},
                 {EM_ARM, "arm"},
                 {EM_AARCH64, "aarch64"},
                 {EM_RISCV, "riscv"}};

    if (read_proc(link->pid, "exe", &header, sizeof(header)) != (ssize_t)sizeof(header))
        return false;
    link->wide = header.e_ident[EI_CLASS] == ELFCLASS64;
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (known[i].machine == header.e_machine)
            snprintf(link->base.arch, sizeof(link->base.arch), "%s", known[i].arch);
    }
    return true;
}

static enum gdbmi_code open_process(struct pid_link *link)
{
    struct gdbmi_link *base = &link->base;
    struct life life;
    unsigned char byte;

    if (!read_life(link->pid, &life))
        return gdbmi_error_set(&base->error, GDBMI_ECONNECT,
                               "%s: no such process; 'pgrep NAME' finds the PID", base->address);
    link->started = life.started;
    snprintf(base->target, sizeof(base->target), "%s", life.name);
    enum gdbmi_state state;
    enum gdbmi_code code = take_state(base, &state);
    if (code != GDBMI_OK)
        return code;
    if (!take_program(link))
        return errno == EACCES || errno == EPERM
                   ? not_permitted(base)
                   : gdbmi_error_set(&base->error, GDBMI_ECONNECT,
                                     "%s (%s): a kernel process, which has no program to read",
                                     base->address, life.name);
    base->info.entry = find_entry(link);
    if (base->info.entry == 0)
        return gdbmi_error_set(&base->error, GDBMI_ECONNECT,
                               "%s (%s): cannot find where its program is loaded", base->address,
                               life.name);
    return pid_read(base, base->info.entry, &byte, 1);
}

enum gdbmi_code pid_link_open(const struct gdbmi_options *options, struct gdbmi_link **link,
                              struct gdbmi_error *error)
{
    char address[40];

    snprintf(address, sizeof(address), "PID %ld", options->pid);
    struct pid_link *made = calloc(1, sizeof(*made));
    if (made == NULL)
        return gdbmi_error_set(error, GDBMI_ENOMEM, "%s: out of memory", address);
    link_init(&made->base, &pid_link_ops, "process", address, 0);
    made->base.info.live = made->base.info.simulator = true;
    made->pid = (pid_t)options->pid;
    enum gdbmi_code code = open_process(made);
    if (code != GDBMI_OK) {
        gdbmi_error_take(error, &made->base.error);
        free(made);
        return code;
    }
    snprintf(made->base.why, sizeof(made->base.why),
             "%s: the kernel reads its memory while it runs", address);
    *link = &made->base;
    return GDBMI_OK;
}
