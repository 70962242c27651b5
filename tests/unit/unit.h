/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmocka, and what it must be included after. */
#ifndef UNIT_H
#define UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static inline void assert_near(double value, double wanted, double error)
{
    if (!(value - wanted <= error && wanted - value <= error))
        fail_msg("%.9g is not %.9g", value, wanted);
}

#endif
