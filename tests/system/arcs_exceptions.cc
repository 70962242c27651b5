// SPDX-License-Identifier: GPL-3.0-or-later
// A program whose functions are left by exceptions.
#include "arcs.h"

#include <cstdlib>

// What is thrown. The C++ library destroys it.
struct Problem {
    APART ~Problem();
    int number;
};

Problem::~Problem()
{
    COUNT("-", "Problem::~Problem");
    KEPT;
}

extern "C" {

APART static void destroyed(int number)
{
    (void)number;
    KEPT;
}

APART static void rethrows(int levels);
APART static void throws(int levels);
}

// Is destroyed while an exception passes, and without one.
struct Guard {
    APART explicit Guard(int n);
    APART ~Guard();
    int number;
};

Guard::Guard(int n) : number(n)
{
    KEPT;
}

Guard::~Guard()
{
    CALL(Guard::~Guard, destroyed)(number);
}

struct Shape {
    virtual int sides() = 0;
};

struct Triangle : Shape {
    APART int sides() override
    {
        return 3;
    }
};

struct Square : Shape {
    APART int sides() override
    {
        return 4;
    }
};

extern "C" {

APART static void throws(int levels)
{
    COUNT("throws", "Guard::Guard");
    Guard guard(levels);
    COUNT("throws", "Guard::~Guard");
    if (levels == 0)
        throw Problem{7};
    if (levels % 3 == 0)
        CALL(throws, rethrows)(levels - 1);
    else
        CALL(throws, throws)(levels - 1);
}

APART static void rethrows(int levels)
{
    try {
        CALL(rethrows, throws)(levels);
    } catch (const Problem &problem) {
        CALL(rethrows, destroyed)(problem.number);
        throw;
    }
}

APART static int sides_of(Shape *shape, bool square)
{
    if (square)
        COUNT("sides_of", "Square::sides");
    else
        COUNT("sides_of", "Triangle::sides");
    return shape->sides();
}

APART void exceptions(void)
{
    static Triangle triangle;
    static Square square;
    int caught = 0;

    for (int i = 0; i < 10; i++) {
        try {
            CALL(exceptions, throws)(i);
        } catch (const Problem &problem) {
            caught += problem.number;
        }
        Shape *shape = i % 3 ? static_cast<Shape *>(&triangle) : &square;
        if (CALL(exceptions, sides_of)(shape, i % 3 == 0) != (i % 3 ? 3 : 4))
            std::abort();
    }
    if (caught != 70)
        std::abort();
}
}
