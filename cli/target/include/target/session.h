/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What every verb on a live target needs: the ELF, the link, the sampler. */
#ifndef TARGET_SESSION_H
#define TARGET_SESSION_H

#include <gdbmi/link.h>
#include <load/elf_file.h>
#include <options/options.h>
#include <ranking/context.h>
#include <sampler/identity.h>
#include <sampler/table.h>
#include <symbol/symtab.h>
#include <target/link_words.h>

/* What a link says of itself, kept when it is lost. */
struct session_server {
    char kind[24];
    char name[96];
    char address[300];
    char target[64];
    char arch[24];
    char why[LINK_WORDS];
    bool live, simulator, openocd_tcl;
    uint64_t entry; /* of a process */
};

struct session {
    const struct options *options;
    struct elf_file elf;
    struct view_contexts *contexts; /* of the ELF's functions */
    struct view_contexts *unnamed;  /* where no name may be shown */
    struct view_ignore ignore;      /* what is left out, by options */
    struct gdbmi_link *link;        /* NULL: the server is lost */
    struct sampler_table *sampler;  /* outlives a link that is lost, with what it has drained */
    struct session_server server;
    struct gdbmi_stats past; /* of the links that were lost; held: the last one held the core */
    char lost[LINK_WORDS];   /* why the link was lost */
    enum identity match;     /* of the ELF and the target */
    char difference[200];    /* what was seen where they are not the same */
    unsigned turn;           /* of session_glance() */
    bool forced;             /* it was said whose names are shown only by --force */
    bool said;               /* the link's failure was complained about already */

    /* Of session_keep.c: what outlives a command. */
    struct session *keeper; /* whose the link is, or is to be; NULL: our own */
    char *link_key;         /* what the link was opened by */
    char *elf_path;         /* elf.path, where it is kept */
    char *elf_key;          /* what was looked for in it, and put upon it */
    bool found_held;        /* we held the core when the link was taken over: that is to stay */
    bool idle;              /* nobody looks at what is in it: a command may replace that */
    bool borrows_elf;       /* it is the keeper's, who looks at it */
};

/* Loads, connects and compares. STATUS_DONE, or a status with everything said and nothing left open
 * or halted. An ELF that is not what the target holds is a failure, except with --force. */
int session_open(struct session *session, const struct options *options);

/* As session_open(), for a verb that waits until they are the same: see session->match. */
int session_open_any(struct session *session, const struct options *options);

/* Leaves the target as it was found. Says so and returns STATUS_FAILED if that was not possible. */
int session_close(struct session *session);

/*
 * From now on session_open() and session_open_any() take over the link and the ELF file of this
 * session, where they are what the options name, and session_close() gives them back; a link that
 * the server has lost meanwhile is opened again, once. Into an idle one they also put what they had
 * to open themselves, in place of what it held; beside one that is in use, other links are opened
 * and closed as ever. A dump is never kept. NULL: nothing is kept. Returns what was set before. The
 * session is borrowed, and is not to be used while one that was opened from it is open.
 */
struct session *session_keep(struct session *session);
struct session *session_keeper(void);

/* Says why the link failed; once. */
int session_link_failed(struct session *session);

/* Whether the options name a dump: nothing runs in it, and it holds nothing but the table. */
bool target_is_dump(const struct options *options);

/* Whether what was lost may come back: a server may, a process that has ended does not. */
bool session_may_return(const struct session *session);

/* Closes a link that failed. */
void session_lose(struct session *session);

/* Tries once to connect again, and lets the core run if the lost link held it. Nothing is compared
 * yet. false: *error says why not. */
bool session_reconnect(struct session *session, struct gdbmi_error *error);

/* What a comparison has changed. */
enum session_news {
    SESSION_AS_BEFORE,
    SESSION_NEW_NAMES, /* another ELF of the same firmware was loaded */
    SESSION_NEW_TABLE, /* the ELF of other firmware was loaded; session->sampler is NULL if there
                        * was no memory for its table */
    SESSION_LINK,      /* the link failed, nothing was changed: gdbmi_link_error() */
};

/* Compares the ELF with the target, and so the one on the disk if that is another one (and
 * elf_file_changed() or the target differs): the one that fits is kept. See session->match then. */
enum session_news session_compare(struct session *session, double now_s);

/* Looks at another small part of the target at each call. false: the link failed. *suspicious tells
 * whether a whole comparison would come to something else than the last one. */
bool session_glance(struct session *session, bool *suspicious);

/* Whether names may be shown, and how the ELF and the target stand: "= flash", "differs", "differs,
 * forced", "not compared". */
bool session_has_names(const struct session *session);
const char *session_identity(const struct session *session);

/* What kind of machine it is, in gdb's words, by the server and the ELF file; "": not known. */
const char *session_arch(const struct session *session);

/* Sets the contexts of rows that were built with the names that may be shown, or with none. */
void session_mark(const struct session *session, struct view_rows *rows);

/* Of all links together. */
struct gdbmi_stats session_stats(const struct session *session);

#endif
