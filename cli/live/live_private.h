/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the live screen share: its state, and functions that change or show it. */
#ifndef LIVE_LIVE_PRIVATE_H
#define LIVE_LIVE_PRIVATE_H

#include <regex.h>
#include <stddef.h>

#include <live/live.h>
#include <options/option_table.h>
#include <ranking/annotate.h>
#include <ranking/sparklines.h>
#include <ranking/usage.h>
#include <screen/frame.h>
#include <shell/prompt.h>
#include <target/poller.h>
#include <control/stub_control.h>
#include <target/time_range.h>
#include <target/watch_copy.h>
#include <target/watch_text.h>
#include <term/term.h>

#include "baseline.h"
#include "zoom.h"

/* What fills the screen. A key may work in several modes, so these are bits. */
enum live_mode {
    LIVE_RANKING = 1 << 0,
    LIVE_CHANGES = 1 << 1, /* since a baseline */
    LIVE_ZOOM = 1 << 2,    /* an annotated function */
    LIVE_HELP = 1 << 3,
};
#define LIVE_LISTS (LIVE_RANKING | LIVE_CHANGES)
#define LIVE_ALL   (LIVE_LISTS | LIVE_ZOOM | LIVE_HELP)

/* Bytes of a message and of a pattern, with the NUL. */
#define LIVE_TEXT    480
#define LIVE_PATTERN 256

/* The cursor of a list. Places are indices in the whole list. */
struct live_cursor {
    size_t first;    /* the row at the top of the screen */
    size_t selected; /* the row under the cursor, or VIEW_NO_ROW; of help, the top row */
    size_t shown;    /* number of rows on the screen */
    size_t total;    /* number of all rows */
};

/* Identifies the row under the cursor when ranks or the ELF file change; see row_key_hash(). */
struct live_row {
    bool known;                 /* false: the cursor stays on the first row */
    const struct symtab *names; /* of the build in which it was selected; NULL: none */
    struct file_stamp elf;
    uint64_t key, across; /* its hash within that build, and across builds */
};

/* A menu over the last lines. */
struct live_menu {
    const char *title;
    char items[48][120];
    size_t count, selected;
    void (*chosen)(struct live *live,
                   size_t item); /* called with an index in items; NULL: no menu is open */
};

/* Copies that are shown while the screen is paused. */
struct live_frozen {
    bool on;
    struct profile profile; /* the one that was shown */
    struct watch watch;     /* a copy of the one that was shown */
    char time_range[40];
};

/* Which rows are shown. */
struct live_filter {
    char pattern[LIVE_PATTERN]; /* text in the name, or /REGEX/; "": all rows */
    regex_t regex;              /* valid if is_regex */
    bool is_regex;
    bool show_all; /* show all rows, and only mark those that match */
};

/* The part of the target's profile that is shown, in any mode. */
struct live_model {
    struct time_range *range;      /* borrowed */
    const struct profile *profile; /* borrowed: the watch's, or that of the range or the pause */
    bool lines;                 /* rows have source lines; not on the first screen, to be quick */
    const struct symtab *known; /* gave the rows their names; NULL: they have none */
    struct sparklines *sparklines;
    struct view_usage usage;
    struct view_rows all;  /* all rows of profile, sorted */
    struct view_rows rows; /* copies of those that pass the filter; only the array is owned */
    bool reversed;
    struct live_row row; /* the row under the cursor */
    struct live_filter filter;
    struct live_frozen frozen;
};

/* What covers the last lines of the screen: a prompt, a menu, a question, or a message. */
struct live_overlay {
    struct prompt *prompt; /* NULL: none is open */
    enum { LIVE_PROMPT_COMMAND, LIVE_PROMPT_PATTERN } prompt_kind;
    char pattern_before[LIVE_PATTERN]; /* to restore if typing a pattern is cancelled */
    struct live_menu menu;
    char question[LIVE_TEXT];         /* the user answers by y or n */
    void (*yes)(struct live *live);   /* called after y; NULL: no question is open */
    void (*shown)(struct live *live); /* that of the question on the screen */

    char notice[LIVE_TEXT]; /* a message; "": none */
    double notice_end_s;    /* when it goes away, by monotonic_s() */
    bool notice_bad;        /* it says that something failed */
};

/* Bytes of the name of what counts. */
#define LIVE_SOURCE 40

/* Something that a key asks of the target. */
struct live_request {
    /* Uses the link, in the poller's thread. Returns a status, with a message if that is not
     * STATUS_DONE. */
    int (*run)(struct live_request *request, struct watch *target);
    /* Shows the result on the screen if status is STATUS_DONE; NULL: there is nothing to show. */
    void (*done)(struct live *live, struct live_request *request);
    bool silent; /* nobody is told that it waits; run() is also called without a link */
    bool polls;  /* a poll is due after it */
    int status;  /* that of run() */

    /* What it is about, as far as needed. */
    char name[LIVE_TEXT];
    bool on;
    uint64_t start, end;
    enum gdbmi_state state;
    struct gdbmi_stats *halted; /* that of struct live */
    struct control_state states[CONTROL_STATES_MAX];
    size_t state_count;
    struct symtab_function parts[ANNOTATE_PARTS_MAX]; /* only addr and size */
    size_t part_count;
    struct zoom_arcs *arcs;
};

/* The most that wait for their turn. */
#define LIVE_REQUESTS 16

/* What the poller does. */
enum live_work { LIVE_NO_WORK, LIVE_POLL, LIVE_DRAIN, LIVE_REQUEST };

/*
 * The uses of the link, one after another, each in a thread. While the poller is busy, target,
 * arcs, halted, status and the first request belong to that thread. All else shows what it left
 * behind last: struct live's shown.
 */
struct live_link {
    struct poller poller;
    struct watch *target; /* borrowed */
    enum live_work work;
    int status;                /* of the last work, and of all that went with it */
    struct zoom_arcs *arcs;    /* owned */
    bool reads_arcs;           /* a poll also reads arcs */
    struct gdbmi_stats halted; /* numbers from before the user's halt; age 0: none */
    struct live_request requests[LIVE_REQUESTS];
    size_t request_count;
    char *line;     /* commands to be run when it is free, owned; NULL: none */
    bool poll;      /* poll at once */
    double begun_s; /* when the last poll began */
    double due_s;   /* when the next poll may begin, */
    double drain_s; /* and when the stream must be drained; INFINITY: not */
};

/* The live screen. */
struct live {
    struct options *options; /* borrowed */
    struct watch shown;      /* a copy of the target's */
    struct live_link link;
    struct term *term;           /* owned */
    int wake_fd;                 /* readable when a signal came */
    double start_s;              /* when top started, by monotonic_s() */
    const struct live_key *keys; /* live_keys */

    struct live_model model;
    enum live_mode mode, before_help, before_zoom;
    struct {
        struct live_cursor ranking, changes, zoom, help;
    } cursors;
    struct baseline *baseline; /* owned; NULL: none was taken */
    char *per;                 /* owned: what :per was given, which options may refer to */
    struct zoom *zoom;         /* owned; NULL: no function is annotated */
    struct live_overlay over;
    struct view_frame frame; /* the one that was drawn last */

    unsigned complaints; /* number of complaints that were shown */
    bool leave;          /* end the screen */
    int status;          /* of what was taken over while a program used the terminal */
    bool aside;          /* a command or an editor uses the terminal */
};

/* One key, or several with the same meaning. Help, footer, manual and the commands after ':' are
 * made from these. */
struct live_key {
    int keys[4];       /* characters or TERM_KEY_*; 0: unused */
    const char *shown; /* names of the keys; "": it has none */
    const char *name;  /* of the command after ':' */
    const char *takes; /* the command's argument; NULL: none */
    const char *hint;  /* label in the footer; NULL: it is not in the footer */
    unsigned modes;    /* enum live_mode, or-ed: where it works */
    const char *help;  /* one phrase */
    /* argument is NULL if a key was typed or no argument was given. */
    void (*act)(struct live *live, const char *argument);
    enum option_value type; /* of the argument */
};

/* All keys in groups, each of which begins with an entry that has only help, its title. The last
 * entry has help NULL. */
extern const struct live_key live_keys[];

/* live_state.c */

/* Returns the cursor of the current mode. */
struct live_cursor *live_cursor(struct live *live);

/* Shows a message for a few seconds, as a warning if bad is true. */
void live_say(struct live *live, bool bad, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Shows that the key or command in what works only in the given modes. */
void live_say_elsewhere(struct live *live, const char *what, unsigned modes);
/* Shows what complain() printed last. */
void live_say_complaint(struct live *live);
/* Shows for some seconds what was complained about since it was shown last: amid a poll, or by a
 * command. The answer to a key that comes later takes its place. */
void live_say_news(struct live *live);

/* Makes a crash restore the terminal. */
void live_guard(const struct live *live);

/* live_link.c */

/* Gives a copy of a request its turn, if the target is connected. While a command of ':' runs,
 * which has the link, that is at once. */
void live_request(struct live *live, const struct live_request *request);
/* Starts a work in the poller's thread, which must not be busy. */
void live_start(struct live *live, enum live_work work);
/* Takes over what the poller's thread leaves behind, waiting for it if need be, but draws nothing.
 * Returns a status; the reason is in target->failure. */
int live_collect(struct live *live);
/* Copies the target to shown. Returns false if memory runs out. */
bool live_publish(struct live *live);
/* Whether the target is connected; if not, says so. */
bool live_is_connected(struct live *live);
/* Whether the link is in use or promised to a request. */
bool live_is_link_taken(const struct live *live);
/* Whether a question is on the screen. */
bool live_is_asked(const struct live *live);

/* live.c */

/* Shows the last reading. Returns false if memory runs out. */
bool live_show(struct live *live) __attribute__((warn_unused_result));
/* Waits for keys for at most the given seconds, or until the poller is done, executes them, and
 * shows the result. Returns false if the screen should end. */
bool live_wait(struct live *live, double seconds) __attribute__((warn_unused_result));
/* Takes over what the poller's thread leaves behind, and shows it. Returns a status. */
int live_take_over(struct live *live);

/* live_rows.c */

/* Makes the rows of the current profile and options. Returns false if memory runs out. */
bool live_take(struct live *live);
/* The same, but shows a message if memory runs out. */
void live_retake(struct live *live);
/* Frees the rows. */
void live_forget_rows(struct live *live);
/* Moves the cursor to where its row is; remembers the row at a place as the cursor's. */
void live_follow(struct live *live);
void live_remember(struct live *live, size_t place);
/* Updates the annotated function, and moves the cursor with its instruction. Returns false if
 * memory runs out. */
bool live_update_zoom(struct live *live);
/* Ends a pause and frees its copies. */
void live_thaw(struct live *live);

/* Returns the row under the cursor of the ranking, or NULL. */
const struct view_row *live_selected(const struct live *live);

/* Shows a question; y calls yes(), any other key cancels. */
void live_ask(struct live *live, void (*yes)(struct live *), const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Runs the command of a key by its name, or shows in which modes it works. Returns false if no key
 * has this name. */
bool live_act(struct live *live, const char *name, const char *argument);

/* live_filter.c */

/* Sets the pattern. If it is wrong, shows a message and returns false. */
bool live_filter_set(struct live *live, const char *pattern);
/* Whether a row matches the pattern. */
bool live_filter_fits(const struct live *live, const struct view_row *row);
/* Makes model.rows. Returns false if memory runs out. */
bool live_filter_rows(struct live *live);

/* live_move.c: move the cursor, within the list. */
void live_move_to(struct live *live, size_t place);
void live_move_by(struct live *live, long by);

/* live_mouse.c: does what the last mouse event asks for. */
void live_mouse(struct live *live);

/* live_frame.c: build the frame of the mode, and the lines that cover its end. The caller frees
 * *frame. Return false if memory runs out. */
bool live_build(struct live *live, struct view_frame *frame);
bool live_build_overlay(struct live *live, struct view_frame *frame);

/* live_prompt.c, live_menu.c: handle a key while a prompt or a menu is open. */
void live_prompt_key(struct live *live, int key);
void live_menu_key(struct live *live, int key);

/* Returns the column of the prompt's cursor in the last line, from 0 on. */
size_t live_prompt_column(const struct live *live, size_t width);
/* live_aside.c */

/* Lets completion offer the names of the keys' commands. */
void live_offer_names(struct live *live);
/* Runs a line of commands. If one of them prints, the live screen leaves the terminal meanwhile; it
 * waits until the link is free. */
void live_run_line(struct live *live, const char *line);
/* Runs the line that has waited, if there is one and the link is free. */
void live_run_waiting(struct live *live);
/* live_wait.c: waits until fd is readable (for a moment, if it is < 0) while something else uses
 * the terminal, and polls the target meanwhile. Returns false if mprof should end. */
bool live_wait_aside(struct live *live, int fd);

/* What the keys do, in the order of live_keys. */
typedef void live_action(struct live *live, const char *argument);
live_action live_up, live_down, live_page_up, live_page_down, live_home, live_end;
live_action live_per;
live_action live_sort, live_sort_left, live_sort_right, live_reverse;
live_action live_by_function, live_by_line, live_by_file, live_by_address, live_by_context,
    live_by_inline, live_by;
live_action live_fields, live_filter, live_all, live_others, live_next, live_previous;
live_action live_recent, live_mark, live_unmark, live_restart, live_pause, live_faster, live_slower;
live_action live_zoom_in, live_panel, live_back, live_edit, live_write, live_compare, live_rebase;
live_action live_reset, live_sources, live_ignore, live_unignore, live_trace, live_halt;
live_action live_prompt, live_help, live_redraw, live_quit;

#endif
