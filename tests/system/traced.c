/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Programs whose calls are traced, one for each argument. Every function counts its calls, and at
 * the end "NAME COUNT" is written for each to the file of the second argument. */
#define _GNU_SOURCE

#include "apart.h"

#include <mprof/mprof.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#define FUNCTIONS(X) \
    X(main)          \
    X(deep)          \
    X(even)          \
    X(odd)           \
    X(first)         \
    X(second)        \
    X(third)         \
    X(thrower)       \
    X(catcher)       \
    X(compare)       \
    X(on_signal)     \
    X(inside)        \
    X(worker) X(token) X(parent_only) X(child_only) X(hidden_from_trace) X(tail) X(on_stack)

#define NUMBER(name) N_##name,
#define NAME(name)   #name,
enum { FUNCTIONS(NUMBER) COUNT };
static const char *const names[] = {FUNCTIONS(NAME)};
static unsigned long counts[COUNT];

#define CALLED(name) __atomic_add_fetch(&counts[N_##name], 1, __ATOMIC_RELAXED)

#define THREADS 8
#define TURNS   25

static volatile int sink;
static int *volatile nowhere;
static int calls_each = 100;

HIDDEN static void write_counts(const char *path)
{
    FILE *file = fopen(path, "w");

    for (int i = 0; file && i < COUNT; i++)
        fprintf(file, "%s %lu\n", names[i], counts[i]);
    if (!file || fclose(file) != 0)
        abort();
}

APART static int third(int a)
{
    CALLED(third);
    return sink = a;
}

APART static int second(int a)
{
    CALLED(second);
    return third(a) + 1;
}

APART static int first(int a)
{
    CALLED(first);
    return second(a) + third(a);
}

APART static int deep(int levels)
{
    CALLED(deep);
    int below = levels == 0 ? 0 : deep(levels - 1);
    sink = below;
    return below + 1;
}

static int odd(int n);

APART static int even(int n)
{
    CALLED(even);
    return n == 0 ? 1 : odd(n - 1) + sink * 0;
}

APART static int odd(int n)
{
    CALLED(odd);
    return n == 0 ? 0 : even(n - 1) + sink * 0;
}

APART static int tail(int n)
{
    CALLED(tail);
    return third(n);
}

static jmp_buf caught;

APART static void thrower(int levels)
{
    CALLED(thrower);
    if (levels == 0)
        longjmp(caught, 1);
    if (levels > 0)
        thrower(levels - 1);
    sink = levels;
}

APART static void catcher(int levels)
{
    CALLED(catcher);
    if (setjmp(caught) == 0)
        thrower(levels);
}

APART static int compare(const void *a, const void *b)
{
    CALLED(compare);
    return *(const int *)a - *(const int *)b;
}

APART static void inside(void)
{
    CALLED(inside);
    sink = 1;
}

APART static void on_signal(int number)
{
    CALLED(on_signal);
    (void)number;
    inside();
}

APART static void on_stack(int number)
{
    CALLED(on_stack);
    (void)number;
    deep(20);
}

HIDDEN static void run_recursion(void)
{
    deep(100);
    even(33);
    first(1);
    for (int i = 0; i < 10; i++)
        tail(i);
}

HIDDEN static void run_pointers(void)
{
    static int (*const all[])(int) = {first, second, third, deep, even, tail};
    int numbers[64];

    for (int i = 0; i < 60; i++)
        all[i % 6](i % 3);
    for (int i = 0; i < 64; i++)
        numbers[i] = i * 37 % 64;
    qsort(numbers, 64, sizeof(numbers[0]), compare);
}

HIDDEN static void run_longjmp(void)
{
    for (int i = 0; i < 10; i++) {
        catcher(i);
        first(i);
    }
}

/* The trap flag sends SIGTRAP after each instruction: of the hooks, too. */
HIDDEN static void step(int on)
{
    if (on)
        __asm__ volatile(
            "sub $128, %%rsp\n\tpushf\n\torq $0x100, (%%rsp)\n\tpopf\n\tadd $128, %%rsp"
            :
            :
            : "memory", "cc");
    else
        __asm__ volatile(
            "sub $128, %%rsp\n\tpushf\n\tandq $~0x100, (%%rsp)\n\tpopf\n\tadd $128, %%rsp"
            :
            :
            : "memory", "cc");
}

HIDDEN static void run_signals(void)
{
    static char stack[65536];
    struct sigaction action = {.sa_handler = on_signal};
    stack_t other = {.ss_sp = stack, .ss_size = sizeof(stack)};

    sigaction(SIGTRAP, &action, NULL);
    step(1);
    second(1);
    step(0);
    action.sa_handler = on_stack;
    action.sa_flags = SA_ONSTACK;
    sigaltstack(&other, NULL);
    sigaction(SIGUSR1, &action, NULL);
    raise(SIGUSR1);
}

/* A thread makes as many calls as its number says. */
APART static void *worker(void *number)
{
    CALLED(worker);
    for (intptr_t i = 0; i < calls_each * (intptr_t)number; i++)
        second((int)i);
    return NULL;
}

HIDDEN static void run_workers(int threads)
{
    pthread_t all[32];

    for (intptr_t i = 0; i < threads; i++)
        pthread_create(&all[i], NULL, worker, (void *)(i + 1));
    for (int i = 0; i < threads; i++)
        pthread_join(all[i], NULL);
}

/* More threads than objects. */
HIDDEN static void run_many(void)
{
    calls_each = 5;
    run_workers(20);
}

static sem_t turns[THREADS];

APART static void token(void)
{
    CALLED(token);
    sink = 1;
}

/* One thread after the other has its turn. */
HIDDEN static void *take_turns(void *number)
{
    intptr_t own = (intptr_t)number;

    for (int i = 0; i < TURNS; i++) {
        sem_wait(&turns[own]);
        token();
        sem_post(&turns[(own + 1) % THREADS]);
    }
    return NULL;
}

HIDDEN static void run_turns(void)
{
    pthread_t all[THREADS];

    for (int i = 0; i < THREADS; i++)
        sem_init(&turns[i], 0, i == 0);
    for (intptr_t i = 0; i < THREADS; i++)
        pthread_create(&all[i], NULL, take_turns, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(all[i], NULL);
}

APART static void parent_only(void)
{
    CALLED(parent_only);
    sink = 1;
}

APART static void child_only(void)
{
    CALLED(child_only);
    sink = 1;
}

/* The PID of the child is the answer. */
HIDDEN static void run_fork(void)
{
    int status;

    for (int i = 0; i < 5; i++)
        parent_only();
    pid_t child = fork();
    if (child == 0) {
        for (int i = 0; i < 7; i++)
            child_only();
        _exit(0);
    }
    parent_only();
    waitpid(child, &status, 0);
    printf("%ld\n", (long)child);
}

/* The child tells its PID, and stays. */
HIDDEN static void run_child(void)
{
    for (int i = 0; i < 5; i++)
        parent_only();
    run_workers(2);
    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (int i = 0; i < 7; i++)
            child_only();
        printf("%ld\n", (long)getpid());
        fflush(stdout);
    }
    for (;;)
        pause();
}

APART static void hidden_from_trace(void)
{
    CALLED(hidden_from_trace);
    sink = 1;
}

HIDDEN static void run_switch(void)
{
    first(1);
    mprof_trace_disable();
    hidden_from_trace();
    mprof_trace_enable();
    parent_only();
    mprof_trace_dump(3);
}

enum color { RED, GREEN = 5 };
enum access { READ = 1, WRITE = 2 };
static char changing[32] = "before";
static char fixed[] = "fixed";

APART static int paint(enum color color, enum access access, _Bool wet, char letter)
{
    return sink = (int)color + (int)access + wet + letter;
}

APART static int point(const void *object, int (*function)(int))
{
    return sink = (object != NULL) + (function != NULL);
}

APART static int say(const char *constant, char *other)
{
    return sink = constant[0] + (other != NULL);
}

struct place {
    int x, y;
};
struct area {
    struct place corner;
    unsigned char rgb[3];
    _Bool filled;
    enum color color : 8;
    signed level : 4;
    unsigned rest : 4;
};
struct message {
    const char *text;
    union {
        unsigned short code;
        char letter;
    };
};
struct sample {
    double value;
    long count;
};
struct large {
    long first, second, third;
};

static const struct area constant = {{1, 2}, {3, 4, 5}, 1, GREEN, -1, 2};
static struct place moving = {1, 2};

APART static int use(const struct area *area, char letter, const struct place *place, int number)
{
    return sink = area->corner.x + letter + number + (place != NULL);
}

static struct route {
    struct place from;
    int length;
} route = {{5, 6}, 7};

/* Both have the same address. */
APART static int follow(const struct place *from, const struct route *whole)
{
    return sink = from->x + whole->length;
}

/* The strings and a structure have other contents afterwards. The strings get those of each line
 * that comes. */
HIDDEN static void run_words(void)
{
    paint(GREEN, READ | WRITE, 1, 'x');
    paint(3, 9, 0, '\n');
    point(&fixed[2], first);
    say("a \"constant\" string of 37 characters", changing);
    say("", fixed);
    say("?", (char *)16);
    use(&constant, 'a', &moving, 1);
    use(&constant, 'b', (const struct place *)16, 2);
    follow(&route.from, &route);
    strcpy(changing, "after");
    moving.y = 3;
    puts("ready");
    fflush(stdout);
    while (fgets(changing, sizeof(changing), stdin)) {
        changing[strcspn(changing, "\n")] = '\0';
        say("", changing);
    }
}

APART static int move(struct place by, char letter)
{
    return sink = by.x + by.y + letter;
}

APART static int fill(int count, struct area area)
{
    return sink = count + area.corner.x + area.rgb[1] + area.filled + (int)area.color + area.level;
}

APART static int send(struct message message, struct place to)
{
    return sink = message.code + to.x + (message.text != NULL);
}

APART static int add(struct sample sample, int weight)
{
    return sink = (int)sample.value + (int)sample.count + weight;
}

/* A structure in memory takes no register. */
APART static int print(struct place from, struct large large, struct place to, int copies)
{
    return sink = from.x + (int)large.third + to.y + copies;
}

HIDDEN static void run_structures(void)
{
    move((struct place){1, -2}, 'x');
    fill(3, (struct area){{-1, 100000}, {255, 0, 7}, 1, GREEN, -3, 9});
    send((struct message){"hello", {.code = 'A' + 256}}, (struct place){5, 6});
    add((struct sample){0.5, -7}, 2);
    print((struct place){1, 2}, (struct large){3, 4, 5}, (struct place){6, 7}, 8);
}

/* It waits for its end, with calls behind it. */
HIDDEN static void run_wait(void)
{
    run_recursion();
    puts("ready");
    fflush(stdout);
    for (;;)
        pause();
}

/* Calls that fail change nothing: neither at the beginning nor at the end. */
HIDDEN static void fail_file(const char *path)
{
    static struct mprof_prof before;
    char folder[4096];

    snprintf(folder, sizeof(folder), "%.*s", (int)(strrchr(path, '/') - path), path);
    memcpy(&before, MPROF_PROF, sizeof(before));
    if (mprof_file("/nowhere/at/all") != -1 || errno != ENOENT)
        abort();
    if (mprof_file(folder) != -1 || errno != EISDIR)
        abort();
    if (memcmp(&before, MPROF_PROF, sizeof(before)) != 0)
        abort();
}

/* Keeps what comes after the call that does not fail. */
HIDDEN static void run_file(const char *path)
{
    first(1);
    fail_file(path);
    if (mprof_file(path) != 0)
        abort();
    parent_only();
    fail_file(path);
    second(1);
    if (fork() == 0) {
        child_only();
        _exit(0);
    }
    wait(NULL);
}

/* Calls go on, for the host's requests, but not in the threads that have ended. */
HIDDEN static void run_off(int threads)
{
    run_workers(threads);
    mprof_trace_disable();
    puts("ready");
    fflush(stdout);
    for (;;) {
        first(1);
        usleep(1000);
    }
}

HIDDEN static void run_named(char **argv)
{
    const char *name = argv[1];

    if (strcmp(name, "recursion") == 0)
        run_recursion();
    else if (strcmp(name, "pointers") == 0)
        run_pointers();
    else if (strcmp(name, "longjmp") == 0)
        run_longjmp();
    else if (strcmp(name, "signals") == 0)
        run_signals();
    else if (strcmp(name, "threads") == 0)
        run_workers(THREADS);
    else if (strcmp(name, "many") == 0)
        run_many();
    else if (strcmp(name, "turns") == 0)
        run_turns();
    else if (strcmp(name, "fork") == 0)
        run_fork();
    else if (strcmp(name, "child") == 0)
        run_child();
    else if (strcmp(name, "switch") == 0)
        run_switch();
    else if (strcmp(name, "off") == 0)
        run_off(2);
    else if (strcmp(name, "quiet") == 0)
        run_off(0);
    else if (strcmp(name, "file") == 0)
        run_file(argv[3]);
    else if (strcmp(name, "words") == 0)
        run_words();
    else if (strcmp(name, "structures") == 0)
        run_structures();
    else if (strcmp(name, "wait") == 0)
        run_wait();
    else
        abort();
}

int main(int argc, char **argv)
{
    CALLED(main);
    if (argc > 3 && strcmp(argv[1], "exec") == 0) {
        parent_only();
        execl(argv[0], argv[0], argv[3], argv[2], (char *)NULL);
    }
    run_named(argv);
    write_counts(argv[2]);
    if (argc > 3 && strcmp(argv[3], "kill") == 0)
        raise(SIGKILL);
    if (argc > 3 && strcmp(argv[3], "crash") == 0)
        *nowhere = 1;
    return argc > 3 ? atoi(argv[3]) : 0;
}
