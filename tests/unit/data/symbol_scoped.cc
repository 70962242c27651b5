/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A function with a parameter of an enumeration whose enumerators are in its scope. */
enum class Color : unsigned char { RED, BLUE = 4 };

volatile int result;

extern "C" __attribute__((noinline, used)) void paint(Color color)
{
    result = static_cast<int>(color);
}

extern "C" void _start()
{
    paint(Color::BLUE);
}
