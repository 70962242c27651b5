/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A session with a live target: its ELF file, link and sampler, for all verbs that read one. */
#ifndef TARGET_SESSION_H
#define TARGET_SESSION_H

#include <gdbmi/link.h>
#include <kernel/stack.h>
#include <load/elf_file.h>
#include <options/options.h>
#include <ranking/context.h>
#include <sampler/identity.h>
#include <sampler/table.h>
#include <symbol/symtab.h>
#include <target/link_words.h>

/* A copy of struct gdbmi_info, which stays valid when the link is closed; the members have the same
 * meaning. Strings that are too long are cut. */
struct session_server {
    char kind[24];
    char name[96];
    char address[300];
    char target[64];
    char arch[24];
    char why[LINK_WORDS];
    bool live, simulator, openocd_tcl;
    uint64_t entry;
};

/* The stacks of the target's tasks, as far as they were read. */
struct session_stacks {
    struct kernel_stack *list; /* owned */
    size_t count, capacity;
    size_t next; /* the task whose stack is read next */
    bool filled; /* some stack had its kernel's pattern: the kernel fills them */
};

/* The session. session_open() initialises it, and session_close() frees all that it owns. */
struct session {
    const struct options *options; /* borrowed */
    struct elf_file elf;
    struct view_contexts *contexts; /* owned; contexts by the functions of the ELF file */
    struct view_contexts *unnamed;  /* owned; the same without names, if they must not be shown */
    struct view_ignore ignore;      /* hits that the options leave out */
    struct kernel kernel;           /* the RTOS of the ELF file, if there is one */
    struct session_stacks stacks;
    bool context_is_task;          /* --context names no exception */
    bool context_missing;          /* and no task has run that is called so */
    struct gdbmi_link *link;       /* owned; NULL: the connection is lost, or there is none yet */
    struct sampler_table *sampler; /* owned; keeps the samples of a stream if the link is lost */
    char sampler_why[160];         /* why this sampler: one line */
    struct session_server server;
    struct gdbmi_stats past; /* sum over lost links; held: the last one left the target halted */
    char lost[LINK_WORDS];   /* why the connection was lost, or not made */
    unsigned asked;          /* number of messages when the user was told what to type; 0: never */
    bool awaited;            /* there was no server yet since the session was opened */
    enum identity match;     /* whether the target runs the ELF file */
    char difference[200];    /* what differs, one line; "" if nothing does */
    unsigned turn;           /* private to session_glance(): the part to compare next */
    bool forced;             /* the warning that names are shown by --force was printed */
    bool watchdog_said;      /* the warning that halts may make a watchdog reset the target, too */

    struct gdbmi_link *program; /* owned; reads the memory of the program that mprof has started,
                                 * NULL: none, or it has ended */

    /* See session_settle(). */
    bool shared;                          /* another thread shows names meanwhile */
    struct elf_file old_elf;              /* owned, if it has a symtab; the one that is shown */
    struct view_contexts *old_contexts;   /* owned; those of old_elf */
    bool part_uses[ELF_MAP_MORE_MAX + 1]; /* whether to use each part of elf */
    bool part_uses_changed;

    bool said; /* the failure of the link was printed */

    /* For session_keep(). */
    struct session *keeper; /* the kept session that lends its link or gets this one; or NULL */
    char *link_key;         /* the options that the link was opened with, as text */
    char *elf_path;         /* a copy of elf.path in a kept session */
    char *elf_key;          /* the options that the ELF file was loaded with, as text */
    bool found_held;        /* the link held the target halted when it was lent: leave it so */
    bool idle;              /* a kept session that nothing uses: a command may replace its link */
    bool borrows_elf;       /* elf belongs to the keeper */
};

/* Loads the ELF file, connects, and compares the two. Returns STATUS_DONE. On failure, or if the
 * target does not run the ELF file and --force is not given, prints a message, closes everything,
 * and returns another status. options must live as long as the session. */
int session_open(struct session *session, const struct options *options);

/* The same, but succeeds also if the target runs other firmware: check session->match; or if there
 * is no server yet: then session->link is NULL, and session_reconnect() looks for it. An ELF file
 * for another processor is a failure. */
int session_open_any(struct session *session, const struct options *options);

/* Closes a session, and leaves the target as it was found. Returns STATUS_FAILED and prints a
 * message if that is not possible. */
int session_close(struct session *session);

/*
 * Keeps a session open for other sessions: session_open() then uses its link and its ELF file if
 * the options name the same ones, and session_close() gives them back. A lost link is opened again,
 * once. If the kept session is idle, a link or an ELF file that a command has opened replaces its
 * own. If it is in use, commands open and close other links next to it. A dump is not kept.
 *
 * The session is borrowed until the next call, and must not be used while another session uses its
 * link. NULL: no session is kept. Returns the session that was kept before.
 */
struct session *session_keep(struct session *session);

/* Returns the session that is kept, or NULL. */
struct session *session_keeper(void);

/* Prints why the link failed, only once in a session. Returns STATUS_FAILED. */
int session_link_failed(struct session *session);

/* Whether the options name bytes of a target (--raw, --records): it is not reached, and no other
 * memory can be read. */
bool target_is_dump(const struct options *options);

/* Whether a lost connection may come back: a server may, a process that has ended does not.
 * stopped: the error was GDBMI_ESTOPPED; then a gdb of ours can be started again. */
bool session_may_return(const struct session *session, bool stopped);

/* Closes a link that has failed, and keeps its numbers in past and lost. */
void session_lose(struct session *session);

/* Tries once to connect again, and resumes the target if the lost link left it halted. Does not
 * compare it with the ELF file. Returns false and sets *error on failure. */
bool session_reconnect(struct session *session, struct gdbmi_error *error);

/* What session_compare() has changed. */
enum session_news {
    SESSION_AS_BEFORE,
    SESSION_NEW_NAMES, /* another ELF file of the same firmware was loaded */
    SESSION_NEW_TABLE, /* the ELF file of other firmware was loaded, and session->sampler is new;
                        * NULL if memory ran out */
    SESSION_LINK,      /* the link failed: see gdbmi_link_error(). What was loaded before that is
                        * returned instead. In both cases match is that of before */
};

/* Compares the ELF file with the target, and sets match and difference. If the file on disk has
 * changed, or the target differs and the file on disk is another one, loads and compares that as
 * well, and keeps the one that the target runs. now_s is the time of monotonic_s(). */
enum session_news session_compare(struct session *session, double now_s);

/* Compares a small part of the ELF file with the target, another one at each call. Sets *suspicious
 * if session_compare() may have another result than last time. Returns false if the link failed. */
bool session_glance(struct session *session, bool *suspicious);

/*
 * Ends what was put off. While session->shared is set, session_compare() and session_reconnect() do
 * not change or free an ELF file that another thread reads names from: they keep the old one, and
 * which further ELF files are used, until this is called. Call it when no other thread uses the
 * session, and what was made of the old names is not used any more.
 */
void session_settle(struct session *session);

/* Makes the target start again, as its reset pin would. Works with OpenOCD and QEMU. Returns a
 * status, and prints a message if it is not STATUS_DONE. */
int session_reset_target(struct session *session);

/* Whether names may be shown: not if the target is known to run something else, unless --force is
 * given. */
bool session_has_names(const struct session *session);

/* Whether the comparison found that the target runs something else, with --force or without. */
bool session_differs(const struct session *session);

/* Returns the result of the comparison for a header: "= flash", "= program" (of a process),
 * "differs", "differs, forced" or "not compared"; a constant. */
const char *session_identity(const struct session *session);

/* Returns the architecture by gdb's name, from the server or the ELF file; "": not known. */
const char *session_arch(const struct session *session);

/* Calls view_contexts_mark() for rows, with names if they may be shown. */
void session_mark(const struct session *session, struct view_rows *rows);

/* Returns what options->stack_bytes must be for one reading whose rows are shown with stacks: all
 * bytes; or 0 if stacks are not shown. */
size_t session_stack_bytes(const struct options *options);

/* Reads the name of the task whose control block is at word, without a halt, to name: at most
 * capacity bytes with the NUL. Returns false, with "", if it is not known. Uses the link, and no
 * debug information. */
bool session_read_task(const struct session *session, uint64_t word, char *name, size_t capacity);

/* Reads the names of tasks that are new in a profile from their control blocks, each once and
 * without a halt, if named, and chooses those that --context names. Returns false, with one line in
 * text, if
 * --context can name nothing in this firmware. Uses the link, and no debug information. */
bool session_take_tasks(struct session *session, bool named, struct profile *profile, char *text,
                        size_t capacity);

/* Returns halts and times of all links of the session together. */
struct gdbmi_stats session_stats(const struct session *session);

#endif
