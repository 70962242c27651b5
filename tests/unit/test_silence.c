/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why nothing is counted, by switches and counters that the test makes up. */
#include "unit.h"
#include <profile/control.h>
#include <target/silence.h>

#define ALL_ON 0xffffffabU

static struct profile of(enum decode_source source, uint32_t enable)
{
    struct profile p;
    bool calls = source == DECODE_CALLS || source == DECODE_ARCS;

    profile_init(&p);
    p.source = source;
    p.unit = calls ? DECODE_UNIT_CALLS : DECODE_UNIT_SAMPLES;
    p.enable = enable;
    return p;
}

static void says(const struct profile *p, uint32_t heartbeat, const char *text)
{
    char reason[SILENCE_TEXT] = "";

    silence_reason(p, false, heartbeat, reason);
    if (!strstr(reason, text))
        fail_msg("'%s' is not in '%s'", text, reason);
}

/* No timer of the firmware takes these. */
static void test_taken(void **state)
{
    struct profile p = of(DECODE_HALT, 0);

    (void)state;
    says(&p, 0, "none was taken in this time; take longer");
}

/* Each block counts by its own switch and by that of its source. */
static void test_switches(void **state)
{
    static const struct {
        enum decode_source source;
        const char *own, *other;
    } blocks[] = {
        {DECODE_TABLE, "timer", "hooks"},     {DECODE_CALLS, "hooks", "timer"},
        {DECODE_ARCS, "hooks", "timer"},      {DECODE_STREAM, "timer", "hooks"},
        {DECODE_HISTOGRAM, "timer", "hooks"},
    };
    char text[SILENCE_TEXT] = "as before", wanted[80];

    for (size_t i = 0; i < COUNT(blocks); i++) {
        const char *words[] = {blocks[i].own, decode_source_name(blocks[i].source)};
        for (size_t w = 0; w < 2; w++) {
            struct profile p = of(blocks[i].source, ALL_ON & ~control_switch(words[w]));
            snprintf(wanted, sizeof(wanted), "%s=off; 'mprof control on %s'", words[w], words[w]);
            says(&p, 5, wanted);
        }
        struct profile on = of(blocks[i].source, ALL_ON & ~control_switch(blocks[i].other));
        assert_false(silence_switch(&on, false, text));
        on.enable = 0; /* an older stub's */
        assert_false(silence_switch(&on, false, text));
        assert_false(silence_firmware(&on, false, text));
        assert_string_equal(text, "as before");
    }
}

static void test_firmware(void **state)
{
    struct profile p = of(DECODE_TABLE, 0xfeffffab);

    says(&p, 5, "mprof_stop()");
    p.enable = 0xfdffffab;
    says(&p, 5, "asleep");
    p.enable = 0xfbffffab;
    says(&p, 5, "'mprof control phase all'");
}

static void test_counters(void **state)
{
    struct profile p = of(DECODE_TABLE, ALL_ON), calls = of(DECODE_CALLS, ALL_ON);

    says(&p, 0, "does the firmware start the timer");
    says(&p, 5, "is the timer running");
    says(&calls, 5, "no function with a call hook was called");
    calls.sleeping = 3; /* the header's, where the calls have counters of their own */
    says(&calls, 5, "all 3 events came while the firmware slept");
    p.heartbeat = p.sleeping = 7;
    says(&p, 9, "all 7 events came while the firmware slept");
    p.sleeping = 2;
    p.ignored = 5;
    says(&p, 9, "'mprof control ignore none'");
    p.ignored = 0;
    p.dropped = 5;
    says(&p, 9, "5 of 7 events were lost");
    p.dropped = 0;
    says(&p, 9, "7 events came, but none was counted");
    p.headerless = true;
    p.heartbeat = p.sleeping = 0;
    says(&p, 0, "is the target running?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_taken),
        cmocka_unit_test(test_switches),
        cmocka_unit_test(test_firmware),
        cmocka_unit_test(test_counters),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
