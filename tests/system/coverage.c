/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A process that reaches what its arguments say: with "thread" in a second thread. */
#include <pthread.h>
#include <string.h>

static volatile int sink;

static inline int inlined(int n)
{
    if (n == 7)
        return 1; /* inlined: never */
    return n + 1;
}

__attribute__((noinline)) static void one(int n)
{
    sink += inlined(n);
}

__attribute__((noinline)) static void two(int n)
{
    sink -= inlined(n);
}

__attribute__((noinline)) static void never(void)
{
    sink = 5;
}

static void *in_thread(void *times)
{
    for (int i = 0; i < *(const int *)times; i++)
        two(100 + i);
    return NULL;
}

int main(int argc, char **argv)
{
    int times = 30;
    pthread_t thread;

    for (int i = 0; i < 10; i++)
        one(100 + i);
    if (argc > 1 && strcmp(argv[1], "thread") == 0) {
        if (pthread_create(&thread, NULL, in_thread, &times) != 0)
            return 1;
        pthread_join(thread, NULL);
    }
    if (sink == 123456789)
        never();
    return 0;
}
