/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of keys. */
#include <stdio.h>

#include "live_private.h"

#define CTRL(letter) ((letter)&0x1f)

#define KEYS(...) .keys = {__VA_ARGS__}

const struct live_key live_keys[] = {
    {.help = "Moving"},
    {KEYS(TERM_KEY_UP, 'k'), "Up k", "up", NULL, NULL, LIVE_ALL, "the row above", live_up},
    {KEYS(TERM_KEY_DOWN, 'j'), "Down j", "down", NULL, NULL, LIVE_ALL, "the row below", live_down},
    {KEYS(TERM_KEY_PAGE_UP), "PgUp", "page-up", NULL, NULL, LIVE_ALL, "a page up", live_page_up},
    {KEYS(TERM_KEY_PAGE_DOWN), "PgDn", "page-down", NULL, NULL, LIVE_ALL, "a page down",
     live_page_down},
    {KEYS(TERM_KEY_HOME, 'g'), "Home g", "home", NULL, NULL, LIVE_ALL,
     "the first row, whichever it is from now on", live_home},
    {KEYS(TERM_KEY_END, 'G'), "End G", "end", NULL, NULL, LIVE_ALL, "the last row", live_end},
    {KEYS('\n', TERM_KEY_RIGHT), "Enter", "zoom", "[FUNCTION]", "zoom", LIVE_LISTS | LIVE_ZOOM,
     "from inside; on a caller, callee or call: that one", live_zoom_in},
    {KEYS('\t'), "Tab", "panel", NULL, "callers", LIVE_ZOOM,
     "callers and callees, or source and instructions", live_panel},
    {KEYS(27, TERM_KEY_LEFT), "Esc", "back", NULL, "back", LIVE_CHANGES | LIVE_ZOOM | LIVE_HELP,
     "back to the ranking", live_back},

    {.help = "Which rows"},
    {KEYS('/'), "/", "filter", "[PATTERN]", "filter", LIVE_ALL,
     "rows with this text, or that match /REGEX/", live_filter},
    {KEYS('n'), "n", "next", NULL, NULL, LIVE_ALL, "the next that fits; inside: the next hot line",
     live_next},
    {KEYS('N'), "N", "previous", NULL, NULL, LIVE_ALL, "the one before", live_previous},
    {KEYS(27), "Esc", "all", NULL, NULL, LIVE_RANKING, "all rows again", live_all},
    {KEYS('\\'), "\\", "others", NULL, NULL, LIVE_RANKING,
     "also rows that do not fit; those that do are marked", live_others},
    {KEYS('s'), "s", "sort", "[COLUMN]", "sort", LIVE_LISTS, "by which column to sort", live_sort},
    {KEYS('<', ','), "< ,", "sort-left", NULL, NULL, LIVE_RANKING, "by the column to the left",
     live_sort_left},
    {KEYS('>', '.'), "> .", "sort-right", NULL, NULL, LIVE_RANKING, "by the column to the right",
     live_sort_right},
    {KEYS('I'), "I", "reverse", NULL, NULL, LIVE_RANKING, "from the other end", live_reverse},
    {KEYS('1'), "1", "by-function", NULL, NULL, LIVE_LISTS, "a row for each function",
     live_by_function},
    {KEYS('2'), "2", "by-line", NULL, NULL, LIVE_LISTS, "for each line", live_by_line},
    {KEYS('3'), "3", "by-file", NULL, NULL, LIVE_LISTS, "for each file", live_by_file},
    {KEYS('4'), "4", "by-address", NULL, NULL, LIVE_LISTS, "for each block of addresses",
     live_by_address},
    {KEYS('5'), "5", "by-context", NULL, NULL, LIVE_RANKING,
     "for each interrupt handler, with all it calls", live_by_context},
    {KEYS('6'), "6", "by-inline", NULL, NULL, LIVE_RANKING,
     "for each function, those that were inlined apart", live_by_inline},
    {{0}, "", "by", "WHAT", NULL, LIVE_LISTS, "the same by its name", live_by},
    {{0},
     "",
     "fields",
     "[LIST]",
     NULL,
     LIVE_RANKING,
     "which columns; nothing: as fits the screen",
     live_fields},

    {.help = "Which time"},
    {KEYS('t'), "t", "recent", NULL, "since/10s", LIVE_LISTS | LIVE_ZOOM,
     "the last ten seconds, or all since the start", live_recent},
    {KEYS('m'), "m", "mark", NULL, NULL, LIVE_LISTS | LIVE_ZOOM, "count from now on", live_mark},
    {KEYS('M'), "M", "unmark", NULL, NULL, LIVE_LISTS | LIVE_ZOOM,
     "count from the target's last reset on", live_unmark},
    {KEYS('r'), "r", "restart-on-resume", NULL, NULL, LIVE_LISTS | LIVE_ZOOM,
     "count from each resume on: between breakpoints", live_restart},
    {KEYS('b'), "b", "baseline", "[FILE]", "base", LIVE_LISTS,
     "compare with this profile or a file's; again: back", live_compare},
    {KEYS('B'), "B", "rebase", NULL, NULL, LIVE_LISTS, "compare with what is counted now",
     live_rebase},
    {KEYS('p', ' '), "p Space", "freeze", NULL, "pause", LIVE_ALL,
     "hold the screen still; the target runs on", live_freeze},
    {KEYS('+', '='), "+", "faster", NULL, NULL, LIVE_ALL, "look more often", live_faster},
    {KEYS('-'), "-", "slower", NULL, NULL, LIVE_ALL, "look less often", live_slower},

    {.help = "Files"},
    {KEYS('w'), "w", "write", "[FILE]", "save", LIVE_ALL, "a snapshot of what is shown into a file",
     live_write},
    {KEYS('e'), "e", "edit", NULL, NULL, LIVE_LISTS | LIVE_ZOOM,
     "the source line in $VISUAL, $EDITOR or vi", live_edit},

    {.help = "The target"},
    {KEYS('Z'), "Z", "reset", NULL, NULL, LIVE_ALL, "its counts begin anew (asks first)",
     live_reset},
    {KEYS('x'), "x", "ignore", NULL, NULL, LIVE_RANKING,
     "its stub counts the row's function no longer", live_ignore},
    {KEYS('X'), "X", "unignore", NULL, NULL, LIVE_RANKING, "it counts all functions again",
     live_unignore},
    {KEYS('f'), "f", "feeders", NULL, NULL, LIVE_ALL, "start and stop what counts (asks first)",
     live_feeders},
    {KEYS('S'), "S", "halt", NULL, NULL, LIVE_ALL, "halt it, or let it run (asks first)",
     live_halt},

    {.help = "mprof"},
    {KEYS(':'), ":", "prompt", NULL, NULL, LIVE_ALL,
     "a command by its name: of these, or mprof's own", live_prompt},
    {KEYS(CTRL('L')), "Ctrl-L", "redraw", NULL, NULL, LIVE_ALL, "draw all of the screen again",
     live_redraw},
    {KEYS('?', 'h', TERM_KEY_F1), "? h F1", "help", NULL, "help", LIVE_ALL, "this list", live_help},
    {KEYS('q', 'Q', TERM_KEY_F10), "q", "quit", NULL, "quit", LIVE_ALL,
     "leave; from inside a function: back", live_quit},
    {.help = NULL},
};

static void print_row(const char *keys, const char *command, const char *help)
{
    printf("  %-8s %-17s %s\n", keys, command, help);
}

/* tools/manual-keys makes the manual's section of it. */
void live_print_keys(void)
{
    puts("\nkeys of the live screen, and commands behind ':':");
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
    print_row("click", "",
              "on a row: selects it; twice: from inside; on a column's title: sorts by it");
    print_row("wheel", "", "scrolls");
}
