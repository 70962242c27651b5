/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --depth, --below, --min and --stack on made events: what is let through, in which order, with
 * which callers, and what is not known. */
#include "trace_checks.h"

#include <trace/call_filter.h>

static struct trace_points *points;
static struct trace_about about;
static struct trace_limits limits;
static struct call_filter *filter;
static char shown[4000];
static int64_t now;

/* a is below, x is not chosen. */
static unsigned choose(void *context, const struct trace_function *f)
{
    return (f->name[0] != 'x' ? TRACE_CHOSEN : 0u) | (f->name[0] == 'a' ? TRACE_TOP : 0u) |
           (f->name[0] >= 'p' ? TRACE_STACK : 0u);
}

static void add_text(const char *text)
{
    size_t len = strlen(shown);

    snprintf(shown + len, sizeof(shown) - len, "%s", text);
}

static void add_name(uint32_t function)
{
    const char *name =
        function == TRACE_NO_FUNCTION ? "?" : trace_function_at(points, function)->name;

    add_text((const char[]){name[0], '\0'});
}

/* "m>p.q": m has called p, and that q, but others may be between; the argument of each, if any. */
static void add_chain(const struct trace_chain *chain)
{
    for (size_t i = 0; i < chain->count; i++) {
        const struct trace_link *link = &chain->links[i];
        const struct trace_point *p = trace_point_at(points, link->entry.point);
        char argument[24] = "";
        add_text(link->gap ? "." : i != 0 ? ">" : "");
        if (link->caller)
            add_name(p->caller_function);
        add_text(link->caller ? ">" : "");
        add_name(p->function);
        if (link->entry.argument_count != 0)
            snprintf(argument, sizeof(argument), "%d", (int)link->entry.arguments[0]);
        add_text(argument);
    }
}

static int put(void *context, const struct trace_event *e)
{
    const struct trace_point *p = e->kind == TRACE_CALL ? trace_point_at(points, e->point) : NULL;
    size_t len = strlen(shown);
    char text[3] = "!";

    if (p && p->kind == TRACE_MARK)
        text[0] = 'm';
    else if (p)
        snprintf(text, sizeof(text), "%c%s", p->kind == TRACE_EXIT ? '-' : '+',
                 trace_function_at(points, p->function)->name);
    else if (e->kind == TRACE_CLOCK || e->kind == TRACE_RUN)
        return 0;
    else if (e->kind == TRACE_END)
        text[0] = 'E';
    else if (e->kind == TRACE_RESTART)
        text[0] = 'R';
    snprintf(shown + len, sizeof(shown) - len, "%s%s", len ? " " : "", e->chain ? "" : text);
    if (e->chain)
        add_chain(e->chain);
    return 0;
}

static int give(struct trace_event e)
{
    return call_filter_put(filter, &e);
}

static int make(void **state)
{
    points = trace_points_new();
    about = (struct trace_about){.cores = 2};
    limits = (struct trace_limits){.choose = choose, .put = put};
    shown[0] = '\0';
    now = 0;
    return points ? 0 : -1;
}

static int remove_all(void **state)
{
    call_filter_free(filter);
    filter = NULL;
    trace_points_free(points);
    return 0;
}

static int give_token(const char *token)
{
    return give(trace_token(points, token, &now));
}

static int give_all(const char *tokens)
{
    char text[2000];
    int status = 0;

    snprintf(text, sizeof(text), "%s", tokens);
    if (!filter)
        filter = call_filter_new(&limits, points, &about);
    assert_non_null(filter);
    for (char *at = strtok(text, " "); at && status == 0; at = strtok(NULL, " "))
        status = give_token(at);
    return status;
}

static void check(const char *tokens, const char *wanted, uint64_t unplaced)
{
    assert_int_equal(give_all(tokens), 0);
    assert_string_equal(shown, wanted);
    assert_int_equal(call_filter_state(filter).unplaced, unplaced);
    shown[0] = '\0';
}

static void check_end(const char *wanted, uint64_t unplaced)
{
    assert_int_equal(call_filter_end(filter), 0);
    check("", wanted, unplaced);
}

static void test_depth(void **state)
{
    limits.depth = 2;
    check("+m. +bm +cb -cb +xb -xb -bm +dm -dm -m.", "+m +b -b +d -d -m", 0);
}

static void test_below(void **state)
{
    limits.below = true;
    check("+m. +bm -bm +am m +ba +cb -cb -ba -am +cm -cm", "+a m +b +c -c -b -a", 0);
}

/* Levels are counted from the last of the functions that are asked for, as uftrace -F does. */
static void test_below_and_depth(void **state)
{
    limits.below = true;
    limits.depth = 2;
    check("+m. +bm -bm +am +ba +cb -cb +ab +ca -ca -ab -ba -am", "+a +b +a +c -c -a -b -a", 0);
}

/* Each task, exception and core has a stack of its own. */
static void test_contexts(void **state)
{
    limits.depth = 1;
    check("+m.#1 +bm#1 +m.#2 +n.^5#2 +bn^5 -bn^5 -n.^5 +bm#2 +p./1 +bp/1 -bm#1 -m.#1 -bp/1 -p./1 "
          "-bm#2 -m.#2",
          "+m +m +n -n +p -m -p -m", 0);
}

/* The trace begins in b, which m has called: depth is counted from what is known. */
static void test_began_in_the_middle(void **state)
{
    limits.depth = 1;
    check("+cb -cb +cb +dc -dc -cb", "+c -c +c -c", 0);
    check("-bm", "-b", 4); /* but for d, which is too deep in any case */
    check("+bm +cb -cb -bm", "+b -b", 4);
}

/* A call within a function whose entry was not seen is known from its caller. */
static void test_below_began_in_the_middle(void **state)
{
    limits.below = true;
    limits.depth = 2;
    check("+db -db -ba +ca +dc -dc -ca +ea -ea -am +cm -cm +am -am", "-b +c -c +e -e -a +a -a", 2);
}

/* After a loss nothing is shown until the stack is found again. */
static void test_loss(void **state)
{
    limits.depth = 3;
    check("+m. +bm +cb -cb !", "+m +b +c -c !", 0);
    check("+de +fd -fd -de", "", 4); /* e is not on the stack */
    check("-eb", "-e", 4);           /* to b, which is */
    check("+cb +dc -dc -cb -bm -m.", "+c -c -b -m", 4);
    check("+m. +bm +cb ! +dc -dc -cb -bm !", "+m +b +c ! -c -b !", 4); /* c is too deep for d */
    check("+bm -bm -m. !", "+b -b -m !", 4);
    check("+m. -m.", "+m -m", 4); /* the stack was empty */
}

/* What calls the first function that is known is known, too. */
static void test_loss_and_outer(void **state)
{
    limits.depth = 1;
    check("+bm +cb -cb ! +dm -dm", "+b ! +d -d", 0);
    check("+bm +cb ! ! +ec -ec -cb -bm", "+b ! ! -b", 0);
}

static void test_below_loss(void **state)
{
    limits.below = true;
    check("+m. +am +ba -ba ! +dc -dc +ca -ca -am", "+a +b -b ! +c -c -a", 2);
    check("+am +ba ! -bc", "+a +b !", 3); /* a recursion that nothing tells */
}

/* An exception has ended when the core runs what it has interrupted. */
static void test_exception_and_loss(void **state)
{
    limits.depth = 1;
    check("+m. +n.^5 +bn^5 -bn^5 ! +bm -bm", "+m +n !", 0);
    check("+n.^5 +bn^5 -bn^5 -n.^5 -m.", "+n -n -m", 0);
}

static void test_restart(void **state)
{
    limits.depth = 1;
    check("+m. +bm -bm R +m. +bm -bm", "+m R +m", 0);
}

/* longjmp() from c to m. */
static void test_jump(void **state)
{
    limits.depth = 2;
    check("+m. +bm -bm +bm +cb -m. +m. +bm +cb -cb -bm", "+m +b -b +b -m +m +b -b", 0);
}

/* Functions that report no exits, as those of another file that was built with -pg. */
static void test_without_exits(void **state)
{
    limits.depth = 2;
    check("+m. +bm -bm +em +em +bm -bm +em +bm -bm", "+m +b -b +e +e +b -b +e +b -b", 0);
}

static void test_deep(void **state)
{
    limits.depth = 1;
    check("+m. +nm -nm", "+m", 0);
    for (int i = 0; i < 70000; i++)
        assert_int_equal(give_token(i == 0 ? "+nm" : "+nn"), 0);
    check("", "+n", 0); /* the stack has begun again */
}

static void test_only_entries(void **state)
{
    limits.depth = 1;
    assert_int_equal(give_all("+m. m +bm +cm"), 0);
    assert_string_equal(shown, "");
    assert_int_equal(call_filter_state(filter).entries, 3);
    assert_int_equal(call_filter_end(filter), 0); /* too few to tell */
    assert_string_equal(shown, "+m m");
    shown[0] = '\0';
    call_filter_free(filter);
    filter = NULL;
    assert_int_equal(give_all("+m."), 0);
    for (int i = 1; i < TRACE_ENTRIES_ENOUGH; i++)
        assert_int_equal(give_token("+bm"), 0);
    assert_int_equal(call_filter_end(filter), TRACE_NO_EXITS);
    call_filter_free(filter);
    filter = NULL;
    int status = give_all("+m.");
    for (int i = 0; i < 100000 && status == 0; i++)
        status = give_token("+bm");
    assert_int_equal(status, TRACE_NO_EXITS);
    call_filter_free(filter);
    filter = NULL;
    check("m E", "m E", 0);
}

/* What takes the events needs exits, and gets none before the first one. */
static void test_exits_needed(void **state)
{
    limits.exits = true;
    check("+m. m +bm", "", 0);
    check("-bm +cm", "+m m +b -b +c", 0);
    check_end("", 0);
    for (int i = 0; i < TRACE_ENTRIES_ENOUGH; i++)
        assert_int_equal(give_token("+bm"), 0);
    assert_int_equal(call_filter_end(filter), TRACE_NO_EXITS);
}

/* Which functions are shown needs no exits. */
static void test_chosen(void **state)
{
    check("+m. +xm m +bm", "+m m +b", 0);
    check_end("", 0);
}

/* What is too short is left out with all within it; the order of time stays. */
static void test_min(void **state)
{
    limits.min_s = 0.010;
    check("C +m.@100 +bm@101 +cb@102 -cb@103 -bm@104 +bm@105 +cb@106", "", 0);
    check("-cb@115", "+m +b", 0);
    check("m +cb@117 -cb@127 -bm@128 -m.@129", "m +c -c -b -m", 0);
    check("+m.@200 -m.@209 +m.@210 -m.@220", "+m -m", 0);
    check("+m.@300 +bm@305 m@309 +bm@310", "+m", 0);
    check_end("m", 0);
}

/* A call may be known to be long enough before it ends. */
/* What hooks cost is no part of a duration: of a call, and of those within it. */
static void test_min_costs(void **state)
{
    limits.min_s = 0.010;
    check("C=2=3 +f.@100 +gf@101 -gf@103 -f.@114 +f.@200 +gf@201 -gf@203 -f.@215", "+f -f", 0);
    check("+f.@300 -f.@311 +f.@400 -f.@412", "+f -f", 0);
    check("+f.@500 +gf@510 +hg@511 -f.@516", "+f -f", 0); /* half of the cost without an exit */
    check("+f.@600 +gf@610 +hg@611 -f.@614", "", 0);
    check("+f.@700 +i.^5@701 -i.^5@702 -f.@714 +f.@800 +i.^5@801 -i.^5@802 -f.@815", "+f -f", 0);
}

/* A jump to another function has a hook for both, which costs other than that of a return. */
static void test_min_jumps(void **state)
{
    limits.min_s = 0.010;
    check("C=2=3=0=6=5=4 +f.@100 >f.@115 *g.@116 -g.@130", "", 0);
    check("+f.@200 >f.@216 *g.@217 -g.@232", "+f -f +g -g", 0);
    check("+f.@300 >f.@316 +g.@317 -g.@329", "+f -f +g -g", 0); /* no jump has begun that one */
    check("+f.@400 >f.@401 *g.@402 >g.@421 *h.@422 -h.@436", "+g -g", 0);
    check("+m.@500 +fm@501 >fm@502 *gm@503 -gm@504 -m.@518", "", 0);
    check("+m.@600 +fm@601 >fm@602 *gm@603 -gm@604 -m.@619", "+m -m", 0);
    check("C=2=3 +f.@700 >f.@712 *g.@713 -g.@725", "+f -f +g -g",
          0); /* measured by an older stub */
}

/* What a function executes outside of its hooks is part of its duration, unless it was inlined:
 * then it has the return address of the function around it. */
static void test_min_outside(void **state)
{
    limits.min_s = 0.010;
    check("C=2=3=1 +o.@100 -o.@108 +o.@200 -o.@207", "+o -o", 0);
    check("+f.@300 +of@301 -of@309 -f.@310", "+o -o", 0);
    check("+f.@400 +o.@401 -o.@409 -f.@410", "", 0);
    check("+o.@500 +o.@501 -o.@509 -o.@510", "+o -o", 0); /* it has called itself */
    check("C=2=3 +o.@600 -o.@611", "", 0);
}

/* A task goes on on another core. */
static void test_moves(void **state)
{
    limits.depth = 1;
    check("S +m.#1 S/1 +bm#1/1 +p.#2 +qp#2/1 -qp#2/1 -bm#1 -m.#1/1 -p.#2/1", "+m +p -m -p", 0);
}

static void test_min_not_ended(void **state)
{
    limits.min_s = 0.010;
    check("C +m.@100 +bm@101 -bm@102 +bm@105 m@109 +cb@116", "+m +b m", 0);
    check_end("", 0);
    check("C +m.@300 +b.#7@304 -b.#7@308 +b.#7@309 -m.@312 -b.#7@319", "+m +b -m -b", 0);
}

static void test_min_unknown(void **state)
{
    limits.min_s = 0.010;
    check("C -m.@100 -m.@109 -m.@110", "-m", 2);
    check("+m.@200 +bm@205 ! -bm@216 -m.@217 -n.@225 -n.@226", "! -n", 5);
}

static void test_min_loss(void **state)
{
    limits.min_s = 0.010;
    check("C +m.@100 +bm@105 -bm@106 +bm@112 +cb@114 ! -cb@130 -bm@131 -m.@132", "+m ! -m", 2);
    check("+m.@200 +bm@201 -m.@203 +m.@220 +bm@221 -m.@230", "+m -m", 2); /* b was left by a jump */
}

/* Threads have one clock, so another one's event tells that a call lasts. */
static void test_min_threads(void **state)
{
    limits.min_s = 0.010;
    about.threads = true;
    check("C C/1 +m.@100 +n./1@101 -n./1@112", "+m +n -n", 0);
    check("-m.@113", "-m", 0);
}

/* Cores may have clocks of their own: what waits for the event of another one is bounded. */
static void test_min_cores(void **state)
{
    limits.min_s = 0.010;
    check("C C/1 +n./1@100 -n./1@101 +m.@5 +n./1@200 -n./1@300", "", 0);
    for (int i = 0; i < 70000 && shown[0] == '\0'; i++)
        assert_int_equal(give_token("m/1"), 0);
    assert_memory_equal(shown, "+m +n -n m", 10);
}

static void test_min_without_a_rate(void **state)
{
    limits.min_s = 0.010;
    assert_int_equal(give_all("+m. -m."), TRACE_NO_RATE);
}

static void test_recordings(void **state)
{
    limits.min_s = 0.010;
    check("C +m.@100 +bm@108 -bm@109 +bm@109 m@110 E", "+m m E", 0);
    trace_points_clear(points);
    assert_int_equal(give((struct trace_event){.kind = TRACE_RUN}), 0);
    check("C +b.@1 -b.@20", "+b -b", 0);
}

/* Where exits are known. */
static void test_stack(void **state)
{
    limits.chains = true;
    check("+M.=7 +bM +pb=1 -pb +qb=2 +rq -rq +rq=3 -rq -qb -bM +pM~4 m",
          "+m +b m7>b>p1 -p m7>b>q2 m7>b>q2>r -r m7>b>q2>r3 -r -q -b m7>p m", 0);
    check("-pM~4 -M. +pp -pp +p. -p.", "-p -m .p>p -p .?>p -p", 0);
}

/* An inlined function has the return address of the one that it is part of. */
static void test_stack_inlined(void **state)
{
    limits.chains = true;
    check("+M. +bM -bM +cM~1 -cM~1", "+m +b -b +c -c", 0);
    check("+bM +pM -pM +qb -qb -bM", "+b m>b>p -p m>b>q -q -b", 0);
    check("+bM +cM +qb -qb +qc~1 -qc~1 -cM -bM", "+b +c m>b>c>q -q m>b>c>q -q -c -b", 0);
}

/* l is not recorded; b has not returned when l calls p, so b is among p's callers. */
static void test_stack_gap(void **state)
{
    limits.chains = true;
    check("+M. +bM -bM +bM +pl +qp -qp -pl +p.~4 -p.~4 -bM +pM -pM",
          "+m +b -b +b m>b.l>p m>b.l>p>q -q -p m>b.?>p -p -b m>p -p", 0);
    check("-M. +bk +ck~4 +pc", "-m +b +c .k>c>p", 0);
}

/* b and c are left by longjmp(). */
static void test_stack_jump(void **state)
{
    limits.chains = true;
    check("+M. +bM -bM +cb -cb +bM +cb +pM~4 -pM~4 -M.", "+m +b -b +c -c +b +c m>p -p -m", 0);
    check("+bM +cb +pM~4 -pM~4 -bM~0 +qM~4", "+b +c m>p -p -b m>q", 0);
}

/* Where only entries are known, a call goes on from the latest one of its caller. */
static void test_stack_without_exits(void **state)
{
    limits.chains = true;
    check("+M. +pM=1 +qp +pM=2 +bM +qb +qp", "+m m>p1 m>p1>q m>p2 +b m>b>q .p>q", 0);
    check("+pM=3 +qp +pp=4 +qp", "m>p3 m>p3>q m>p3>p4 m>p3>p4>q", 0);
    check("+bM +pl +qp +qb +qM", "+b .l>p .l>p>q m>b>q m>q", 0);
}

/* Calls from functions that are not recorded do not pile up. */
static void test_stack_of_unknown_callers(void **state)
{
    limits.chains = true;
    check("+M. +bM", "+m +b", 0);
    for (int i = 0; i < 70000; i++) {
        assert_int_equal(give_token(i % 2 ? "+pl" : "+ql"), 0);
        shown[0] = '\0';
    }
    check("+pb", "m>b>p", 0); /* the stack has not begun again */
}

static void test_stack_began_in_the_middle(void **state)
{
    limits.chains = true;
    check("+pc +qp +pM +qp", ".c>p .c>p>q m>p m>p>q", 0);
    check("-qp -pM +pd", "-q -p .c>p>q.d>p", 0); /* the first q has not returned */
}

/* A core enters an exception with a return address that is none. */
static void test_stack_contexts(void **state)
{
    limits.chains = true;
    check("+M.#1 +bM#1 +p.#2 +q.^5~4294964345 +rq^5 -rq^5 -q.^5~4294964345 +pb#1 +qp#2 +pb/1",
          "+m +b .?>p q q>r -r -q m>b>p .?>p>q .b>p", 0);
    check("+r.^5", ".?>r", 0);
}

/* What was entered before is not known to be there. */
static void test_stack_loss(void **state)
{
    limits.chains = true;
    check("+M. +bM -bM +bM ! +pb -pb +cb +pc ! +qp", "+m +b -b +b ! .b>p -p +c .b>c>p ! .p>q", 0);
    check("-qp -pc +pc -pc -cb -bM +pM !/1 +qp R +qp", "-q -p .c>p -p -c -b m>p ! m>p>q R .p>q", 0);
}

static void test_stack_loss_without_exits(void **state)
{
    limits.chains = true;
    check("+M. +bM +pb ! +qp +pb +qp +pM +bM +pb", "+m +b m>b>p ! .p>q .b>p .b>p>q m>p +b m>b>p",
          0);
}

/* Callers that are not shown are part of the chain. */
static void test_stack_and_limits(void **state)
{
    limits.chains = limits.below = true;
    limits.depth = 2;
    limits.min_s = 0.010;
    check("C +M.@100 +bM@101 +ab@102=1 +pa@103 -pa@104 +pa@105 +qp@106 -qp@125 -pa@126 -ab@127",
          "+a m>b>a1>p -p -a", 0);
    check("+ab=2@130 +pa@131 m -ab@150 +ab@151 +pa@152", "+a m>b>a2>p m -a", 0);
}

/* More calls than a chain has. */
static void test_stack_deep(void **state)
{
    char wanted[200] = ".p>p";

    limits.chains = true;
    check("+M. +pM", "+m m>p", 0);
    for (int i = 0; i < 100; i++) {
        shown[0] = '\0';
        assert_int_equal(give_token("+pp"), 0);
    }
    for (int i = 1; i < 64; i++)
        memcpy(wanted + 2 + 2 * i, ">p", 3);
    check("", wanted, 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, make, remove_all)
    const struct CMUnitTest tests[] = {
        TEST(depth),
        TEST(min_costs),
        TEST(min_jumps),
        TEST(min_outside),
        TEST(moves),
        TEST(below),
        TEST(below_and_depth),
        TEST(contexts),
        TEST(began_in_the_middle),
        TEST(below_began_in_the_middle),
        TEST(loss),
        TEST(loss_and_outer),
        TEST(below_loss),
        TEST(exception_and_loss),
        TEST(restart),
        TEST(jump),
        TEST(exits_needed),
        TEST(without_exits),
        TEST(deep),
        TEST(only_entries),
        TEST(chosen),
        TEST(min),
        TEST(min_not_ended),
        TEST(min_unknown),
        TEST(min_loss),
        TEST(min_threads),
        TEST(min_cores),
        TEST(min_without_a_rate),
        TEST(recordings),
        TEST(stack),
        TEST(stack_inlined),
        TEST(stack_gap),
        TEST(stack_jump),
        TEST(stack_without_exits),
        TEST(stack_of_unknown_callers),
        TEST(stack_began_in_the_middle),
        TEST(stack_contexts),
        TEST(stack_loss),
        TEST(stack_loss_without_exits),
        TEST(stack_and_limits),
        TEST(stack_deep),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
