/* SPDX-License-Identifier: 0BSD */
/* A low pass for what the converter measures. */
#include "motor.h"
#include "work.h"

static int16_t weights[FILTER_TAPS];

void fir_init(void)
{
    for (size_t i = 0; i < FILTER_TAPS / 2; i++)
        weights[i] = weights[FILTER_TAPS - 1 - i] = (int16_t)(i + 1);
}

static inline int32_t multiply(int16_t value, int16_t weight)
{
    return (int32_t)value * weight;
}

KEEP_APART int32_t fir_filter(const int16_t values[FILTER_TAPS])
{
    int32_t sum = 0;

    for (size_t i = 0; i < FILTER_TAPS; i++)
        sum += multiply(values[i], weights[i]) / 32;
    return sum / 130;
}
