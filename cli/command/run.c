/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mprof run: starts a program that has the stub, and shows what is in the file that it keeps. */
#define _GNU_SOURCE /* pipe2() */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <base/atomic_write.h>
#include <base/child.h>
#include <base/monotonic.h>
#include <base/output.h>
#include <base/say.h>
#include <base/signals.h>
#include <options/help.h>
#include <target/save.h>

#include "refresh.h"
#include "trace.h"
#include "verbs.h"

/* The variable by which the stub learns the name of its file. */
#define FILE_VARIABLE "MPROF_FILE"
/* And that of the pipe by which it is kept from main(): a descriptor. */
#define HOLD_VARIABLE "MPROF_HOLD"
#define PID_TEXT      24
#define LOOK_MS       1 /* from one look for the file to the next */

struct run {
    const struct command *self;
    struct options options;
    double start_s;
    char program[PATH_MAX];
    char folder[PATH_MAX - 16]; /* of the file, unless the user names it, and of the output */
    char file[PATH_MAX];
    int output;  /* -1: the program has its own */
    int hold[2]; /* of the pipe, its ends for reading and writing; -1: there is none, or it is
                    closed */
    struct child child;
};

static bool ended(void *run)
{
    return child_ended(&((struct run *)run)->child);
}

static void close_hold(struct run *r, int end)
{
    if (r->hold[end] >= 0)
        close(r->hold[end]);
    r->hold[end] = -1;
}

/* Its main() begins. */
static void let_go(void *run)
{
    close_hold(run, 1);
}

/* The stub records nothing but what is wanted, from the first call on. */
static bool make_hold(struct run *r)
{
    const struct options *o = &r->options;
    char number[PID_TEXT];

    if (!o->trace || (o->traced.count == 0 && o->not_traced.count == 0))
        return true;
    if (pipe2(r->hold, O_CLOEXEC) != 0) {
        complain("pipe: %s", strerror(errno));
        return false;
    }
    snprintf(number, sizeof(number), "%d", r->hold[0]);
    return setenv(HOLD_VARIABLE, number, 1) == 0;
}

/* In memory, if there is a folder for that. */
static bool make_folder(struct run *r)
{
    const char *given = getenv("TMPDIR");
    const char *parent = given && given[0]               ? given
                         : access("/dev/shm", W_OK) == 0 ? "/dev/shm"
                                                         : "/tmp";

    int len = snprintf(r->folder, sizeof(r->folder), "%s/mprof-run-XXXXXX", parent);
    if (len < (int)sizeof(r->folder) && mkdtemp(r->folder))
        return true;
    complain("%s: %s", parent, strerror(errno));
    r->folder[0] = '\0';
    return false;
}

static bool name_file(struct run *r)
{
    const char *given = getenv(FILE_VARIABLE);

    if (!make_folder(r))
        return false;
    if (!given || !given[0]) {
        snprintf(r->file, sizeof(r->file), "%s/s_prof", r->folder);
        return setenv(FILE_VARIABLE, r->file, 1) == 0;
    }
    snprintf(r->file, sizeof(r->file), "%s", given);
    return true;
}

/* As the stub does. */
static void put_pid(struct run *r, long pid)
{
    size_t len = strlen(r->file);

    if (len > 2 && strcmp(r->file + len - 2, "%p") == 0)
        snprintf(r->file + len - 2, sizeof(r->file) - (len - 2), "%ld", pid);
}

/* Not what an earlier program has left, which may have had the same PID. */
static void remove_former(void *run)
{
    struct run *r = run;

    put_pid(r, (long)getpid());
    unlink(r->file);
    if (r->hold[0] >= 0)
        fcntl(r->hold[0], F_SETFD, 0);
}

static bool open_output(struct run *r)
{
    char path[PATH_MAX];

    if (!r->options.live)
        return true;
    snprintf(path, sizeof(path), "%s/output", r->folder);
    r->output = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_APPEND, 0600);
    if (r->output < 0)
        complain("%s: %s", path, strerror(errno));
    return r->output >= 0;
}

/* Processes that the program has started may have files there, too. The environment is that of a
 * shell's next command. */
static void remove_folder(const struct run *r)
{
    char path[PATH_MAX + NAME_MAX];
    DIR *folder = r->folder[0] ? opendir(r->folder) : NULL;
    struct dirent *entry;

    if (r->folder[0] && strncmp(r->file, r->folder, strlen(r->folder)) == 0)
        unsetenv(FILE_VARIABLE);
    if (!folder)
        return;
    while ((entry = readdir(folder)) != NULL) {
        snprintf(path, sizeof(path), "%s/%s", r->folder, entry->d_name);
        if (entry->d_name[0] != '.')
            unlink(path);
    }
    closedir(folder);
    rmdir(r->folder);
}

/* The stub makes its file before main(). */
static bool await_file(struct run *r)
{
    while (access(r->file, R_OK) != 0) {
        if (child_wait(&r->child, LOOK_MS))
            return access(r->file, R_OK) == 0;
    }
    return true;
}

static int fail_without_file(const struct run *r)
{
    complain("%s recorded nothing: build it with the stub and MPROF_THREADS", r->program);
    return STATUS_FAILED;
}

static int show_trace(struct run *r)
{
    const struct trace_program program = {.ended = ended, .let_go = let_go, .context = r};

    return await_file(r) ? trace_program(&r->options, &program) : fail_without_file(r);
}

/* The screen has options of its own. */
static int show_screen(struct run *r)
{
    char pid[PID_TEXT];
    char name[] = "top", elf[] = "--elf", by_pid[] = "--pid";
    char *arguments[] = {name, elf, strdup(r->options.elf), by_pid, pid, NULL};
    int status = STATUS_FAILED;

    snprintf(pid, sizeof(pid), "%ld", (long)r->child.pid);
    if (!arguments[2])
        return fail("out of memory");
    if (await_file(r) && !child_ended(&r->child))
        status = command_top(command_find(name), 5, arguments);
    free(arguments[2]);
    signals_clear();
    child_signals(&r->child);
    return status;
}

/* What the program has written to the terminal meanwhile. */
static void print_output(const struct run *r)
{
    char bytes[4096];
    ssize_t len;

    if (r->output < 0)
        return;
    lseek(r->output, 0, SEEK_SET);
    while ((len = read(r->output, bytes, sizeof(bytes))) > 0)
        fwrite(bytes, 1, (size_t)len, stdout);
    fflush(stdout);
}

static int print_ranking(void *run, struct watch *watch)
{
    const struct run *r = run;
    const struct refresh refresh = {.command = "run", .watch = watch, .start_s = r->start_s};

    return refresh_once(&refresh);
}

static int save(void *run, struct watch *watch)
{
    const struct run *r = run;
    char saved[PATH_MAX + WATCH_TEXT];

    int status = save_snapshot(watch, &watch->profile, r->options.output, saved, sizeof(saved));
    complain("%s%s", status == STATUS_DONE ? "saved " : "", saved);
    return status;
}

/* Its standard output is the program's. */
static int show_profile(struct run *r)
{
    struct options *o = &r->options;
    struct options plain = *o;

    if (access(r->file, R_OK) != 0)
        return fail_without_file(r);
    plain.output = NULL;
    if (o->output)
        return watch_once(&plain, save, r);
    fflush(stdout);
    int kept = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    if (dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        return fail(strerror(errno));
    int status = watch_once(&plain, print_ranking, r);
    fflush(stdout);
    if (kept >= 0) {
        dup2(kept, STDOUT_FILENO);
        close(kept);
    } else {
        close(STDOUT_FILENO);
    }
    return status;
}

static int run_program(struct run *r)
{
    int status = STATUS_DONE;

    bool started =
        child_start(&r->child, r->program, r->options.operands, r->output, remove_former, r);
    int why = errno;
    close_hold(r, 0);
    unsetenv(HOLD_VARIABLE);
    if (!started) {
        complain("%s: %s", r->program, strerror(why));
        return CHILD_NOT_EXECUTABLE;
    }
    put_pid(r, (long)r->child.pid);
    r->options.program = (long)r->child.pid;
    if (r->options.trace)
        status = show_trace(r);
    else if (r->options.live)
        (void)show_screen(r);
    let_go(r);
    (void)child_wait(&r->child, -1);
    child_default();
    print_output(r);
    if (!r->options.trace)
        status = show_profile(r);
    return r->child.status != 0 ? r->child.status : status;
}

/* Whether the calls, the screen or the ranking can take all options. */
static bool can_use(const struct options *o)
{
    static const char *const of_trace[] = {
        "trace",    "elf",      "alias",   "region",    "format",  "output", "filter",
        "not",      "start-at", "stop-at", "depth",     "below",   "min",    "stack",
        "duration", "events",   "record",  "arguments", "results", "graph",  NULL};
    static const char *const of_live[] = {"live", "elf", "format", "output", NULL};

    const char *other = o->trace ? options_other_than(o, of_trace)
                        : o->live
                            ? options_other_than(o, of_live)
                            : options_of_groups(o, OPTION_TRACE | OPTION_CALLS | OPTION_CONTENT);
    if (other && !o->trace && !o->live)
        complain("--%s needs --trace", other);
    else if (other)
        complain("--%s has no use with --%s", other, o->trace ? "trace" : "live");
    else if (o->live && o->map.more_count != 0)
        complain("a second --elf has no use with --live");
    else
        return true;
    return false;
}

static bool check_options(const struct run *r)
{
    const struct options *o = &r->options;
    const char *wrong = NULL;

    if (o->operand_count == 0) {
        (void)help_missing(r->self, "missing argument: PROGRAM");
        return false;
    }
    if (o->trace && o->live)
        wrong = "give --trace or --live, not both";
    else if (o->trace && o->format != FORMAT_TABLE && o->format != FORMAT_JSON)
        wrong = "--format of --trace is table or json";
    else if (!can_use(o) || (o->trace && trace_check_options(r->self, o) != STATUS_DONE))
        return false;
    else if (o->live && !(isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)))
        wrong = "--live needs a terminal";
    if (wrong)
        complain("%s; see 'mprof run --help'", wrong);
    return wrong == NULL;
}

static bool find_program(struct run *r, int *status)
{
    const char *name = r->options.operands[0];

    if (child_find(name, r->program, status))
        return true;
    complain("%s: %s", name,
             *status == CHILD_NOT_FOUND ? "no such program; check the name, or give its path"
                                        : "not a program that may be executed");
    return false;
}

/* What cannot be written is said before the program runs. */
static bool check_output(const struct options *o)
{
    if (!o->output || o->trace || atomic_write_check(o->output))
        return true;
    (void)output_failed(o->output, strerror(errno));
    return false;
}

int command_run(const struct command *self, int argc, char **argv)
{
    struct run r = {.self = self, .start_s = monotonic_s(), .output = -1, .hold = {-1, -1}};
    int status = STATUS_FAILED;

    if (!options_parse(self, argc, argv, &r.options, &status))
        return status;
    if (!check_options(&r))
        return STATUS_USAGE;
    if (!find_program(&r, &status))
        return status;
    status = STATUS_FAILED;
    if (!r.options.elf_given)
        r.options.elf = r.program;
    r.options.wait_s = 0;
    r.options.sampler = SAMPLER_TOTAL;
    if (check_output(&r.options) && name_file(&r) && open_output(&r) && make_hold(&r)) {
        r.options.link.raw = r.file;
        status = run_program(&r);
    }
    if (r.output >= 0)
        close(r.output);
    close_hold(&r, 0);
    close_hold(&r, 1);
    remove_folder(&r);
    return status;
}
