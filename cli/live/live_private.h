/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the live screen share. */
#ifndef LIVE_LIVE_PRIVATE_H
#define LIVE_LIVE_PRIVATE_H

#include <regex.h>
#include <stddef.h>

#include <live/live.h>
#include <options/options.h>
#include <ranking/sparklines.h>
#include <ranking/usage.h>
#include <screen/frame.h>
#include <shell/prompt.h>
#include <target/time_range.h>
#include <term/term.h>

#include "baseline.h"
#include "zoom.h"

/* What fills the screen; a key may have a meaning in several of them. */
enum live_mode {
    LIVE_RANKING = 1 << 0,
    LIVE_CHANGES = 1 << 1, /* against a baseline */
    LIVE_ZOOM = 1 << 2,
    LIVE_HELP = 1 << 3,
};
#define LIVE_LISTS (LIVE_RANKING | LIVE_CHANGES)
#define LIVE_ALL   (LIVE_LISTS | LIVE_ZOOM | LIVE_HELP)

/* Bytes of a line of messages, and of a pattern. */
#define LIVE_TEXT    480
#define LIVE_PATTERN 256

/* Where a person is in a list of any kind; places are from the top of the whole list. */
struct live_cursor {
    size_t first;    /* the first one on the screen */
    size_t selected; /* VIEW_NO_ROW: none */
    size_t shown;    /* on the screen */
    size_t total;
};

/* Which row the cursor is on, whatever becomes of its rank, and of the ELF: as row_key_hash() has
 * it. */
struct live_row {
    bool known;                 /* false: the first one, whichever it is */
    const struct symtab *names; /* the build's that it was seen in; NULL: it had none */
    struct file_stamp elf;
    uint64_t key, across; /* in that build, in other ones */
};

struct live_menu {
    const char *title;
    char items[48][120];
    size_t count, selected;
    void (*chosen)(struct live *live, size_t item); /* NULL: no menu is open */
};

/* What holds still, while the screen does. */
struct live_frozen {
    bool on;
    struct profile profile; /* what was shown */
    struct watch watch;     /* as it was, with a profile of its own */
    char time_range[40];
};

struct live_filter {
    char pattern[LIVE_PATTERN]; /* "": all rows */
    regex_t regex;
    bool is_regex;
    bool show_all; /* rows that do not fit, too */
};

/* What is shown of the target's profile, whatever the screen looks like. */
struct live_model {
    struct time_range *range;
    const struct profile *profile;
    bool lines;                 /* those of rows are shown; not on the first screen */
    const struct symtab *known; /* whose names the rows have; NULL: they have none */
    struct sparklines *sparklines;
    struct view_usage usage;
    struct view_rows all;  /* of profile, sorted */
    struct view_rows rows; /* those of them that are shown; the array is its own */
    bool reversed;
    struct live_row row; /* the cursor's */
    struct live_filter filter;
    struct live_frozen frozen;
};

/* What lies over the last lines of the screen: a prompt, a menu, a question, or what was said. */
struct live_overlay {
    struct prompt *prompt; /* NULL: none is open */
    enum { LIVE_PROMPT_COMMAND, LIVE_PROMPT_PATTERN } prompt_kind;
    char pattern_before[LIVE_PATTERN]; /* while a pattern is typed */
    struct live_menu menu;
    char question[LIVE_TEXT]; /* to be answered by y or n */
    void (*yes)(struct live *live);

    char notice[LIVE_TEXT];
    double notice_s;
    bool notice_bad;
};

struct live {
    struct options *options;
    struct watch *watch;
    struct term *term;
    int wake_fd;
    double start_s;
    const struct live_key *keys; /* the table */

    struct live_model model;
    enum live_mode mode, before_help, before_zoom;
    struct {
        struct live_cursor ranking, changes, zoom, help;
    } cursors;
    struct baseline *baseline;
    struct zoom *zoom;
    struct live_overlay over;
    struct view_frame frame; /* as it was drawn last */

    unsigned complaints;       /* that were seen */
    struct gdbmi_stats halted; /* before the person's halt; age 0: there was none */
    bool leave, poll;
    bool aside; /* the terminal is somebody else's */
};

/* One key, or several that mean the same. The table makes help, footer and manual. */
struct live_key {
    int keys[4];
    const char *shown; /* how the keys are written */
    const char *name;  /* of the command behind ':' */
    const char *takes; /* what the command takes; NULL: nothing */
    const char *hint;  /* in the footer; NULL: not there */
    unsigned modes;    /* enum live_mode, or-ed */
    const char *help;
    /* argument: NULL where the key was typed, or nothing was given. */
    void (*act)(struct live *live, const char *argument);
};

/* In groups, each begins with a row that has only help, its title. Ends with help NULL. */
extern const struct live_key live_keys[];

/* live_state.c: the cursor of the mode. */
struct live_cursor *live_cursor(struct live *live);

/* Says something for a few seconds; bad: it failed. */
void live_say(struct live *live, bool bad, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Says that a key or command, what, works only in other modes. */
void live_say_elsewhere(struct live *live, const char *what, unsigned modes);
/* What was complained about last. */
void live_say_complaint(struct live *live);

/* A crash gives the terminal back. */
void live_guard(const struct live *live);

/* live_rows.c: makes the rows again, of other numbers or another choice. false: no memory. */
bool live_take(struct live *live);
/* The same; that there is no memory is said. */
void live_retake(struct live *live);
void live_forget_rows(struct live *live);
/* Puts the cursor where its row is now; notes which row it is on. */
void live_follow(struct live *live);
void live_remember(struct live *live, size_t place);
/* The function from inside follows the numbers, the cursor its instruction. false: no memory. */
bool live_update_zoom(struct live *live);
/* What was held still is forgotten. */
void live_thaw(struct live *live);

/* The row under the cursor; NULL: none. Of the ranking alone. */
const struct view_row *live_selected(const struct live *live);

/* Asks before it does something that is not undone by asking again. */
void live_ask(struct live *live, void (*yes)(struct live *), const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Runs a command by its name. false: there is none of that name for this screen. */
bool live_act(struct live *live, const char *name, const char *argument);

/* live_filter.c: which rows are shown. Takes the pattern; false: live_say() said what is wrong. */
bool live_filter_set(struct live *live, const char *pattern);
bool live_filter_fits(const struct live *live, const struct view_row *row);
bool live_filter_rows(struct live *live);

/* live_move.c */
void live_move_to(struct live *live, size_t place);
void live_move_by(struct live *live, long by);

/* live_mouse.c */
void live_mouse(struct live *live);

/* live_frame.c */
bool live_build(struct live *live, struct view_frame *frame);
bool live_build_overlay(struct live *live, struct view_frame *frame);

/* live_prompt.c, live_menu.c */
void live_prompt_key(struct live *live, int key);
void live_menu_key(struct live *live, int key);

/* The cell of the last line that the prompt's cursor is in. */
size_t live_prompt_column(const struct live *live, size_t width);
/* live_aside.c: the names of the keys' commands are offered where one is typed. */
void live_offer_names(struct live *live);
/* Runs a line of commands, aside where one of them prints. */
void live_run(struct live *live, const char *line);
/* live_wait.c: while somebody else has the terminal: waits until fd is readable (< 0: for a
 * moment), and drains the target meanwhile. false: it is to end. */
bool live_wait_aside(struct live *live, int fd);

/* What the keys do, in the order of the table. */
typedef void live_action(struct live *live, const char *argument);
live_action live_up, live_down, live_page_up, live_page_down, live_home, live_end;
live_action live_sort, live_sort_left, live_sort_right, live_reverse;
live_action live_by_function, live_by_line, live_by_file, live_by_address, live_by_context,
    live_by_inline, live_by;
live_action live_fields, live_filter, live_all, live_others, live_next, live_previous;
live_action live_recent, live_mark, live_unmark, live_restart, live_pause, live_faster,
    live_slower;
live_action live_zoom_in, live_panel, live_back, live_edit, live_write, live_compare, live_rebase;
live_action live_reset, live_sources, live_ignore, live_unignore, live_halt;
live_action live_prompt, live_help, live_redraw, live_quit;

#endif
