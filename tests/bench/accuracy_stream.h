/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Streams of simulated events, whose counts by function are known. */
#ifndef ACCURACY_STREAM_H
#define ACCURACY_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FUNCTIONS 500

enum order { SHUFFLED, BURSTY, ROUND_ROBIN };

struct stream {
    const char *name;
    enum order order;
    double zipf;
    bool promised; /* else it is shown to know where the tables end */
};

struct function {
    uint32_t addr;
    uint32_t size;
    uint32_t hot; /* first byte of the loop in which most of its time goes */
    double weight;
    double due; /* round robin: when it is called next */
    uint32_t truth;
};

struct simulation {
    uint64_t random;
    struct function functions[FUNCTIONS];
    double sums[FUNCTIONS];          /* of the weights up to here */
    struct function *due[FUNCTIONS]; /* a heap: none is due before the first */
};

/* Functions of 32 bytes to 1 KB, half of them under 180, with weights by Zipf's law. */
void start_simulation(struct simulation *s, const struct stream *stream, uint64_t seed);

/* The function of the next event, after one of the current function, or NULL at first. */
struct function *next_function(struct simulation *s, enum order order, struct function *current);

/* The address of a sample. Four samples of five lie in a loop of an eighth of the function. */
uint32_t place_in(struct simulation *s, const struct function *f);

/* The number of the function that has this address. */
size_t function_at(const struct simulation *s, uint64_t addr);

#endif
