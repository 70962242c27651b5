/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two builds of a program that is never run: with NEWER, functions are elsewhere and larger. */
volatile int sink;

#ifdef NEWER
#define MORE   \
    sink *= 7; \
    sink ^= 12345;
#else
#define MORE
#endif

#define FUNCTION(name)  \
    void name(int x);   \
    void name(int x)    \
    {                   \
        sink += x;      \
        MORE sink -= 3; \
    }

#ifdef NEWER
FUNCTION(early)
#endif
FUNCTION(alpha)
FUNCTION(beta)
FUNCTION(gamma)
FUNCTION(delta)
#include COMMAND_FUNCTIONS

void _start(void);
void _start(void)
{
    sink = 0;
}
