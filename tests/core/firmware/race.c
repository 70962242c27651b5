/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An event that comes at every instruction of another one, and what the table looks like then. */
#include <stdbool.h>

#include <mprof/mprof.h>

#include "alarm.h"
#include "race_kind.h"
#include "race_table.h"
#include "semihost.h"
#include "work.h"

/* Of one class: those that fill a chain, and two more. Then those that fill the table. */
#define MEMBERS      (CHAIN + 2)
#define EVENTS_COUNT (MEMBERS + ROWS_CNT)

/* Longer than the longest path, with the call and the inner event's entry; and how many ticks in a
 * row that come when the outer event is over are enough. */
#define DELAY_MAX (ALARM_STEP * 500U)
#define OVER_MAX  4U

/* What the interrupted call does when nothing comes between: hits a row of a chain; takes a row, as
 * the chain's first, third or sixth, or the table's last one; gives a row of its chain another
 * address, or one that is not in its chain, which is empty or short; or is dropped. */
enum outer {
    HIT_FIRST,
    HIT_SECOND,
    HIT_THIRD,
    HIT_LAST,
    INSERT_FIRST,
    INSERT_LATER,
    INSERT_SIXTH,
    INSERT_FINAL,
    REPLACE,
    BORROW_FIRST,
    BORROW_LATER,
    DROP,
    OUTER_COUNT
};

static const struct {
    const char *name;
    uint32_t members; /* of the class that have a row before */
    uint32_t event;   /* what comes */
    bool admitted;
    uint32_t free; /* at most this many rows are left to take */
} outers[OUTER_COUNT] = {
    [HIT_FIRST] = {"hit-first", CHAIN, 0, false, ROWS_CNT},
    [HIT_SECOND] = {"hit-second", CHAIN, 1, false, ROWS_CNT},
    [HIT_THIRD] = {"hit-third", CHAIN, 2, false, ROWS_CNT},
    [HIT_LAST] = {"hit-last", CHAIN, CHAIN - 1, false, ROWS_CNT},
    [INSERT_FIRST] = {"insert-first", 0, 0, false, 4},
    [INSERT_LATER] = {"insert-later", 2, 2, false, ROWS_CNT},
    [INSERT_SIXTH] = {"insert-sixth", CHAIN - 1, CHAIN - 1, false, ROWS_CNT},
    [INSERT_FINAL] = {"insert-final", 2, 2, false, 1},
    [REPLACE] = {"replace", CHAIN, CHAIN, true, ROWS_CNT},
    [BORROW_FIRST] = {"borrow-first", 0, 0, true, 0},
    [BORROW_LATER] = {"borrow-later", 1, 1, true, 0},
    [DROP] = {"drop", CHAIN, CHAIN, false, ROWS_CNT},
};

/* What comes between: the same address, another one that has a row, one that gets a row if it can,
 * one that does not; the row to be replaced and then the same address; what takes all free rows,
 * and the same address, after it or before; the host's request to clear all, and the same
 * address. */
enum inner { SAME, PRESENT, NEW, REFUSED, TWO, FILL, BEFORE_FILL, RESET, INNER_COUNT };

static const char *const inner_names[INNER_COUNT] = {"same", "present", "new",         "refused",
                                                     "two",  "fill",    "before-fill", "reset"};

struct result {
    uint32_t trials;
    uint32_t lost;     /* trials after which hits and rest are not the events */
    uint32_t invalid;  /* trials that left a row nobody wrote, or a chain that leads nowhere */
    uint32_t unbound;  /* see struct judgement */
    uint32_t promised; /* the same */
    uint32_t twice;    /* the same */
    uint32_t dropped;  /* events in the rest, right after the trial */
    uint32_t unused;   /* rows that could not be joined */
    uint32_t waited;   /* resets that were left to the next event */
};

/* A port that breaks its contract may spoil free, and then write anywhere. */
#ifdef RACE_BROKEN_PORT
#define RACE_OUTERS INSERT_FIRST
#else
#define RACE_OUTERS OUTER_COUNT
#endif

#define LANDED_MAX 512U

static uint32_t events[EVENTS_COUNT][2];
static struct {
    uint32_t event;
    enum outer outer;
    enum inner inner;
    volatile bool done;
    volatile bool over; /* the outer event */
    bool came_late;
} tick;
static uint32_t presented[EVENTS_COUNT];
static uint32_t landed[LANDED_MAX];
static uint32_t landed_count;

KEEP_APART void mark_begin(void)
{
    __asm__ volatile("");
}

KEEP_APART void mark_end(void)
{
    __asm__ volatile("");
}

static void note_landing(uintptr_t pc)
{
    uint32_t i = 0;

    while (i < landed_count && landed[i] != pc)
        i++;
    if (i == landed_count && landed_count < LANDED_MAX)
        landed[landed_count++] = (uint32_t)pc;
}

/* An event goes through here, so that it is known how many there were. */
static void sample(uint32_t event)
{
    presented[event]++;
    present(events[event]);
}

/* Takes rows for events of other classes until this many are left. */
static void fill(uint32_t left)
{
    for (uint32_t i = MEMBERS; i < EVENTS_COUNT && LEAD.free > left; i++)
        sample(i);
}

static void forget_presented(void)
{
    for (uint32_t i = 0; i < EVENTS_COUNT; i++)
        presented[i] = 0;
}

/* What the host does, and what it takes back when it sees the answer. After it, what was presented
 * before is cleared, but for an outer event that was not counted yet: heartbeat will tell. */
static void reset_and_sample(uint32_t event)
{
    s_prof.header.reset_request++;
    s_prof.header.enable &= ~MPROF_ENABLE_CALM;
    sample(event);
    if (s_prof.header.reset_done != s_prof.header.reset_request)
        return;
    s_prof.header.enable |= MPROF_ENABLE_CALM;
    forget_presented();
}

static void inner_event(void)
{
    race_admit(tick.inner == NEW);
    switch (tick.inner) {
    case RESET:
        reset_and_sample(tick.event);
        break;
    case SAME:
        sample(tick.event);
        break;
    case PRESENT:
        sample(0);
        break;
    case TWO:
        sample(0);
        race_admit(1);
        sample(tick.event);
        break;
    case FILL:
        fill(0);
        sample(tick.event);
        break;
    case BEFORE_FILL:
        sample(tick.event);
        fill(0);
        break;
    default:
        sample(MEMBERS - 1);
        break;
    }
    race_admit(outers[tick.outer].admitted);
}

void on_alarm(uintptr_t pc)
{
    note_landing(pc);
    tick.came_late = tick.over;
    inner_event();
    tick.done = true;
}

/* Rows for the outer event: two hits for each of its class, one for the others. */
static void prepare(enum outer outer)
{
    mprof_init();
    forget_presented();
    for (uint32_t hits = 0; hits < 2; hits++) {
        for (uint32_t i = 0; i < outers[outer].members; i++)
            sample(i);
    }
    fill(outers[outer].free);
    race_admit(outers[outer].admitted);
}

/* An event that has a row in use, or a row with no hits that nobody could join. */
static bool valid(const row_t *row)
{
    for (uint32_t i = 0; i < EVENTS_COUNT; i++) {
        if (IS_OF(row, events[i]))
            return row->hits == 0 || presented[i] != 0;
    }
    return false;
}

static void check(struct result *result)
{
    struct judgement judgement = {.unbound = 0};
    bool invalid = !chains_are_sound();

    for (const row_t *row = ROWS; row < ROWS + rows_in_use(); row++)
        invalid |= !valid(row);
    for (uint32_t i = 0; i < EVENTS_COUNT; i++) {
        if (presented[i] != 0)
            judge_event(&judgement, events[i], presented[i]);
    }
    result->invalid += invalid;
    result->unbound += judgement.unbound;
    result->promised += judgement.promised;
    result->twice += judgement.twice;
    result->lost += sum_of_rows() + sum_of_rest() != s_prof.header.heartbeat;
}

static uint32_t all_presented(void)
{
    uint32_t sum = 0;

    for (uint32_t i = 0; i < EVENTS_COUNT; i++)
        sum += presented[i];
    return sum;
}

/* A reset that had to wait is carried out by the next event, and then only that is counted. */
static void check_reset(struct result *result)
{
    if (s_prof.header.reset_done == s_prof.header.reset_request)
        return;
    result->waited++;
    sample(0);
    result->lost +=
        s_prof.header.reset_done != s_prof.header.reset_request || s_prof.header.heartbeat != 1;
    s_prof.header.enable |= MPROF_ENABLE_CALM;
    forget_presented();
    presented[0] = 1;
    check(result);
}

/* Events of all rows, some of which give way: a row that the trial left with what it should
 * not have loses it to the rest now. */
static void go_on(void)
{
    race_admit(1);
    fill(0);
    for (uint32_t turn = 0; turn < 2; turn++) {
        for (uint32_t i = 0; i < MEMBERS; i++)
            sample(MEMBERS - 1 - i);
    }
}

static void count_unused(struct result *result)
{
    for (const row_t *row = ROWS; row < ROWS + rows_in_use(); row++)
        result->unused += row->hits == 0;
}

static void trial(uint32_t delay, struct result *result)
{
    prepare(tick.outer);
    tick.event = outers[tick.outer].event;
    tick.done = false;
    tick.over = false;
    presented[tick.event]++;
    alarm_set(delay);
    present(events[tick.event]);
    tick.over = true;
    while (!tick.done)
        ;
    result->trials++;
    if (tick.inner == RESET && s_prof.header.reset_done == s_prof.header.reset_request)
        presented[tick.event] = s_prof.header.heartbeat;
    result->lost += s_prof.header.heartbeat != all_presented();
    result->dropped += sum_of_rest();
    count_unused(result);
    check(result);
    if (tick.inner == RESET)
        check_reset(result);
    go_on();
    check(result);
}

static void report(const struct result *result)
{
    print("race ");
    print(outers[tick.outer].name);
    print(" ");
    print(inner_names[tick.inner]);
    print(" ");
    print_number(result->trials, " ");
    print_number(result->lost, " ");
    print_number(result->invalid, " ");
    print_number(result->unbound, " ");
    print_number(result->promised, " ");
    print_number(result->twice, " ");
    print_number(result->dropped, " ");
    print_number(result->unused, " ");
    print_number(result->waited, "\n");
}

/* The path of the outer event as it is without an interrupt, for the plugin; then all trials. */
static void race(enum outer outer)
{
    prepare(outer);
    mark_begin();
    present(events[outers[outer].event]);
    mark_end();
    tick.outer = outer;
    landed_count = 0;
    for (uint32_t inner = 0; inner < INNER_COUNT; inner++) {
        struct result result = {.trials = 0};
        uint32_t over = 0;

        tick.inner = (enum inner)inner;
        for (uint32_t delay = ALARM_STEP; delay < DELAY_MAX && over < OVER_MAX;
             delay += ALARM_STEP) {
            trial(delay, &result);
            over = tick.came_late ? over + 1 : 0;
        }
        report(&result);
    }
    print("landed ");
    print(outers[outer].name);
    for (uint32_t i = 0; i < landed_count; i++) {
        print(" ");
        print_number(landed[i], "");
    }
    print("\n");
}

int main(void)
{
    choose_events(events, MEMBERS, ROWS_CNT);
    for (uint32_t outer = 0; outer < RACE_OUTERS; outer++)
        race((enum outer)outer);
    quit();
}
