/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of keys. */
#include <stdio.h>

#include "live_private.h"

#define CTRL(letter) ((letter)&0x1f)

#define KEYS(...) .keys = {__VA_ARGS__}

const struct live_key live_keys[] = {
    {.help = "Moving"},
    {KEYS(TERM_KEY_UP, 'k'), "Up k", "up", NULL, NULL, LIVE_ALL, "go to the row above", live_up},
    {KEYS(TERM_KEY_DOWN, 'j'), "Down j", "down", NULL, NULL, LIVE_ALL, "go to the row below",
     live_down},
    {KEYS(TERM_KEY_PAGE_UP), "PgUp", "page-up", NULL, NULL, LIVE_ALL, "scroll up a page",
     live_page_up},
    {KEYS(TERM_KEY_PAGE_DOWN), "PgDn", "page-down", NULL, NULL, LIVE_ALL, "scroll down a page",
     live_page_down},
    {KEYS(TERM_KEY_HOME, 'g'), "Home g", "home", NULL, NULL, LIVE_ALL,
     "go to the first row and stay there", live_home},
    {KEYS(TERM_KEY_END, 'G'), "End G", "end", NULL, NULL, LIVE_ALL, "go to the last row", live_end},
    {KEYS('\n', TERM_KEY_RIGHT), "Enter", "zoom", "[FUNCTION]", "annotate", LIVE_LISTS | LIVE_ZOOM,
     "annotate the function, caller, callee or call", live_zoom_in, VALUE_FUNCTIONS},
    {KEYS('\t'), "Tab", "panel", NULL, "callers", LIVE_ZOOM,
     "switch between code and callers/callees", live_panel},
    {KEYS(27, TERM_KEY_LEFT), "Esc", "back", NULL, "back", LIVE_CHANGES | LIVE_ZOOM | LIVE_HELP,
     "go back to the ranking", live_back},

    {.help = "Which rows"},
    {KEYS('/'), "/", "filter", "[PATTERN]", "filter", LIVE_ALL,
     "show only rows with this text, or matching /REGEX/", live_filter, VALUE_FUNCTIONS},
    {KEYS('n'), "n", "next", NULL, NULL, LIVE_ALL, "go to the next match, or the next hot line",
     live_next},
    {KEYS('N'), "N", "previous", NULL, NULL, LIVE_ALL, "go to the previous match or hot line",
     live_previous},
    {KEYS(27), "Esc", "all", NULL, NULL, LIVE_RANKING, "clear the filter", live_all},
    {KEYS('\\'), "\\", "others", NULL, NULL, LIVE_RANKING,
     "show other rows too and mark the matches", live_others},
    {KEYS('s'), "s", "sort", "[COLUMN]", "sort", LIVE_LISTS, "choose the column to sort by",
     live_sort, VALUE_COLUMNS},
    {KEYS('<', ','), "< ,", "sort-left", NULL, NULL, LIVE_RANKING, "sort by the column to the left",
     live_sort_left},
    {KEYS('>', '.'), "> .", "sort-right", NULL, NULL, LIVE_RANKING,
     "sort by the column to the right", live_sort_right},
    {KEYS('I'), "I", "reverse", NULL, NULL, LIVE_RANKING, "reverse the sort order", live_reverse},
    {KEYS('1'), "1", "by-function", NULL, NULL, LIVE_LISTS, "one row per function",
     live_by_function},
    {KEYS('2'), "2", "by-line", NULL, NULL, LIVE_LISTS, "one row per source line", live_by_line},
    {KEYS('3'), "3", "by-file", NULL, NULL, LIVE_LISTS, "one row per source file", live_by_file},
    {KEYS('4'), "4", "by-address", NULL, NULL, LIVE_LISTS, "one row per block of addresses",
     live_by_address},
    {KEYS('5'), "5", "by-context", NULL, NULL, LIVE_RANKING,
     "one row per interrupt, including what it calls", live_by_context},
    {KEYS('6'), "6", "by-inline", NULL, NULL, LIVE_RANKING,
     "one row per function, inlined ones separately", live_by_inline},
    {{0},
     "",
     "by",
     "WHAT",
     NULL,
     LIVE_LISTS,
     "choose rows by name, like :by line",
     live_by,
     VALUE_BY},
    {{0},
     "",
     "per",
     "[WHAT]",
     NULL,
     LIVE_LISTS,
     "choose the reference, like :per second",
     live_per,
     VALUE_PER},
    {{0},
     "",
     "fields",
     "[LIST]",
     NULL,
     LIVE_RANKING,
     "choose columns; without LIST, the default",
     live_fields,
     VALUE_COLUMNS},

    {.help = "Which time"},
    {KEYS('t'), "t", "recent", NULL, "since/10s", LIVE_LISTS | LIVE_ZOOM,
     "switch between the last 10 s and all", live_recent},
    {KEYS('m'), "m", "mark", NULL, NULL, LIVE_LISTS | LIVE_ZOOM, "set a mark: count from now on",
     live_mark},
    {KEYS('M'), "M", "unmark", NULL, NULL, LIVE_LISTS | LIVE_ZOOM,
     "count since the target's last reset", live_unmark},
    {KEYS('r'), "r", "restart-on-resume", NULL, NULL, LIVE_LISTS | LIVE_ZOOM,
     "count since each resume (between breakpoints)", live_restart},
    {KEYS('b'), "b", "baseline", "[FILE]", "base", LIVE_LISTS,
     "compare with this profile or FILE; b goes back", live_compare, VALUE_PATH},
    {KEYS('B'), "B", "rebase", NULL, NULL, LIVE_LISTS, "take the current profile as the base",
     live_rebase},
    {KEYS('p', ' '), "p Space", "pause", NULL, "pause", LIVE_ALL,
     "pause the screen; the target keeps running", live_pause},
    {KEYS('+', '='), "+", "faster", NULL, NULL, LIVE_ALL, "refresh more often", live_faster},
    {KEYS('-'), "-", "slower", NULL, NULL, LIVE_ALL, "refresh less often", live_slower},

    {.help = "Files"},
    {KEYS('w'), "w", "write", "[FILE]", "save", LIVE_ALL, "save what is shown as a snapshot",
     live_write, VALUE_PATH},
    {KEYS('e'), "e", "edit", NULL, NULL, LIVE_LISTS | LIVE_ZOOM,
     "open the source line in $VISUAL, $EDITOR or vi", live_edit},

    {.help = "The target"},
    {KEYS('Z'), "Z", "reset", NULL, NULL, LIVE_ALL, "clear all counters (asks first)", live_reset},
    {KEYS('x'), "x", "ignore", NULL, NULL, LIVE_RANKING, "ignore the row's function on the target",
     live_ignore},
    {KEYS('X'), "X", "unignore", NULL, NULL, LIVE_RANKING, "remove all ignores on the target",
     live_unignore},
    {KEYS('T'), "T", "trace-row", NULL, NULL, LIVE_RANKING,
     "print the calls of the row's function until Ctrl-C", live_trace},
    {KEYS('f'), "f", "sources", NULL, NULL, LIVE_ALL, "switch sources on or off (asks first)",
     live_sources},
    {KEYS('S'), "S", "halt", NULL, NULL, LIVE_ALL, "halt or resume it (asks first)", live_halt},

    {.help = "mprof"},
    {KEYS(':'), ":", "prompt", NULL, NULL, LIVE_ALL,
     "type one of these commands, or one of mprof's", live_prompt},
    {KEYS(CTRL('L')), "Ctrl-L", "redraw", NULL, NULL, LIVE_ALL, "redraw the screen", live_redraw},
    {KEYS('?', 'h', TERM_KEY_F1), "? h F1", "help", NULL, "help", LIVE_ALL, "show this list",
     live_help},
    {KEYS('q', 'Q', TERM_KEY_F10), "q", "quit", NULL, "quit", LIVE_ALL,
     "quit; in a function, go back", live_quit},
    {.help = NULL},
};

static void print_row(const char *keys, const char *command, const char *help)
{
    printf("  %-8s %-17s %s\n", keys, command, help);
}

/* tools/manual makes the manual's section of it. */
void live_print_keys(void)
{
    puts("\nKeys of the live screen, and commands to type after ':':");
    for (const struct live_key *k = live_keys; k->help; k++) {
        char command[40];
        if (!k->name) {
            printf("%s:\n", k->help);
            continue;
        }
        snprintf(command, sizeof(command), "%s%s%s", k->name, k->takes ? " " : "",
                 k->takes ? k->takes : "");
        print_row(k->shown, command, k->help);
    }
    puts("Mouse:");
    print_row("click", "", "select a row; double: annotate; title: sort");
    print_row("wheel", "", "scroll");
}
