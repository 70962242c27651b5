// SPDX-License-Identifier: GPL-3.0-or-later
// Functions whose names compilers of C++ make up: overloads, templates, nested and hidden ones.
#define APART __attribute__((noinline, used))

namespace outer {
namespace {
APART int hidden(int x)
{
    return x * 3;
}
} // namespace

template <class T> struct Box {
    T value;
    APART T get(T more) const;
};

template <class T> T Box<T>::get(T more) const
{
    return value + more;
}

APART int over(int a)
{
    return a + 1;
}

APART int over(unsigned long a)
{
    return (int)a + 2;
}

APART int single(const char *a)
{
    return *a;
}

[[gnu::abi_tag("two")]] APART int tagged(int a)
{
    return a ^ 5;
}

inline __attribute__((always_inline)) int in_line(int a)
{
    return a * 7 + hidden(a);
}
} // namespace outer

extern "C" APART int plain(int a)
{
    auto twice = [](auto x) __attribute__((noinline)) { return x * 2; };
    return outer::in_line(a) + twice(a);
}

extern "C" void _start()
{
    outer::Box<int> box{4};
    volatile int sink = box.get(3) + outer::over(1) + outer::over(2ul) + outer::single("x") +
                        outer::tagged(2) + plain(6);
    (void)sink;
    for (;;)
        ;
}
