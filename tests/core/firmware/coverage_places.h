/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two places that call the hook of coverage, which one word counts. */
#ifndef COVERAGE_PLACES_H
#define COVERAGE_PLACES_H

#define PLACE_A 4U /* of the two calls below, in units of MPROF_COVERAGE_ERR from their start */
#define PLACE_B 7U

void place_a(void);
void place_b(void);
extern const char places[];

#ifdef __arm__
__asm__(".text\n\t.thumb\n\t.syntax unified\n\t.balign 64\n\t.global places\n"
        "places: nop\n"
        "\t.thumb_func\n\t.global place_a\n\t.type place_a, %function\n"
        "place_a: push {r4, lr}\n\t"
        "bl __sanitizer_cov_trace_pc\n\t"
        "pop {r4, pc}\n"
        "1: bl __sanitizer_cov_trace_pc\n\t"
        "pop {r4, pc}\n"
        "\t.thumb_func\n\t.global place_b\n\t.type place_b, %function\n"
        "place_b: push {r4, lr}\n\t"
        "b 1b\n");
#else
__asm__(".text\n\t.balign 64\n\t.global places\n"
        "places: c.nop\n\tc.nop\n"
        "1: jal ra, __sanitizer_cov_trace_pc\n\t"
        "c.j 3f\n"
        "2: jal ra, __sanitizer_cov_trace_pc\n\t"
        "c.j 3f\n"
        "\t.global place_a\n"
        "place_a: addi sp, sp, -16\n\t"
        "sw ra, 12(sp)\n\t"
        "j 1b\n"
        "\t.global place_b\n"
        "place_b: addi sp, sp, -16\n\t"
        "sw ra, 12(sp)\n\t"
        "j 2b\n"
        "3: lw ra, 12(sp)\n\t"
        "addi sp, sp, 16\n\t"
        "ret\n");
#endif

#endif
