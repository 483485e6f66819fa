/* A bit of everything that clang emits for C: the front end must lower all of it, for 32 and 64 bits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int v4 __attribute__((vector_size(16)));
typedef float f4 __attribute__((vector_size(16)));

struct big {
    int a[10];
    double d;
};

struct bits {
    unsigned a : 3;
    int b : 7;
    unsigned long long c : 40;
} bits = {5, -3, 123456};

union mixed {
    int i;
    float f;
    char c[8];
} mixed = {.f = 1.5f};

_Bool flag = 1;
long double extended = 1.25L;
#ifdef __LP64__
__int128 wide = ((__int128)1 << 100) + 7;
#else
long long wide = 7;
#endif
_BitInt(37) odd = 5;
unsigned _BitInt(200) huge = 3;
int *pointers[3] = {0, (int *)&mixed, (int *)0x1234};
char zeros[1 << 20] = {0};
char tail[100000] = {[99999] = 3};
long address = (long)&mixed + 4;
jmp_buf jump;
_Atomic long atomic;
atomic_flag spin;

int old_style();
extern void external(struct big);

static int sum(int n, ...)
{
    va_list ap, aq;
    va_start(ap, n);
    va_copy(aq, ap);
    int s = 0;
    for (int i = 0; i < n; i++)
        s += va_arg(ap, int);
    s += va_arg(aq, int);
    va_end(ap);
    va_end(aq);
    return s;
}

static double sum_of_doubles(int n, ...)
{
    va_list ap;
    va_start(ap, n);
    double s = 0;
    while (n--)
        s += va_arg(ap, double);
    struct big b = va_arg(ap, struct big);
    long double l = va_arg(ap, long double);
    va_end(ap);
    return s + b.d + l;
}

struct big by_value(struct big b)
{
    b.a[3] = 7;
    return b;
}

v4 add_vectors(v4 a, v4 b)
{
    v4 c = a + b;
    c[1] = 9;
    v4 mask = c < b;
    return (c & mask) | a;
}

f4 double_vector(f4 a) { return a * 2.0f; }
int lane(v4 a, int i) { return a[i]; }

int computed(int x)
{
    static void *table[] = {&&zero, &&one, &&two};
    goto *table[x];
zero:
    return 10;
one:
    return 20;
two:
    return 30;
}

int variable_length(int n)
{
    int a[n];
    a[0] = 1;
    a[n - 1] = 2;
    return a[0] + a[n - 1];
}

int on_the_stack(int n)
{
    char *p = __builtin_alloca(n);
    p[0] = 1;
    return p[0];
}

static void atomics(void)
{
    long expected = 5;
    atomic_compare_exchange_strong(&atomic, &expected, 7);
    atomic_compare_exchange_weak_explicit(&atomic, &expected, 7, memory_order_acquire, memory_order_relaxed);
    atomic_fetch_add(&atomic, 3);
    atomic_exchange(&atomic, 9);
    atomic_fetch_or_explicit(&atomic, 1, memory_order_release);
    while (atomic_flag_test_and_set(&spin))
        continue;
    atomic_flag_clear(&spin);
    atomic_thread_fence(memory_order_seq_cst);
    atomic_signal_fence(memory_order_acquire);
    __sync_synchronize();
    __sync_fetch_and_add(&mixed.i, 2);
    __sync_bool_compare_and_swap(&mixed.i, 1, 2);
}

static int builtins(int x, double *out)
{
    int sum;
    if (__builtin_add_overflow(x, 5, &sum))
        return 1;
    *out = __builtin_fabs(*out) + __builtin_floor(1.5 * x);
    *out = __builtin_fma(*out, *out, *out);
    if (__builtin_isnan(*out) || *out != *out || *out < 2.0)
        return 3;
    if (__builtin_expect(x > 3, 0))
        __builtin_trap();
    return sum + __builtin_popcount(x) + __builtin_clz(x) + __builtin_ctz(x) + __builtin_bswap32(x) +
           __builtin_parity(x) + __builtin_ffs(x) + (int)__builtin_object_size(zeros, 0) +
           __builtin_constant_p(x);
}

static int barriers(int x)
{
    __asm__ volatile("" ::: "memory");
    __asm__ volatile("mfence");
    __asm__("" : "+r"(x));
    __asm__ volatile("pause");
    return x;
}

int main(int argc, char **argv)
{
    struct big b = {{0}};
    b = by_value(b);
    external(b);
    v4 v = {1, 2, 3, 4};
    v = add_vectors(v, v);
    f4 f = {1, 2, 3, 4};
    f = double_vector(f);
    bits.b = argc;
    bits.a++;
    wide += argc;
    wide /= 3;
    odd *= 3;
    huge <<= argc;
    extended *= argc;
    atomics();
    double d = sum_of_doubles(2, 1.0, 2.0, b, extended);
    int built_in = builtins(argc, &d) + barriers(argc);
    volatile int seen = 3;
    seen++;
    if (setjmp(jump))
        return 4;
    old_style(1, 2.0);
    memcpy(&b, &b, sizeof b);
    memset(zeros, 0, argc);
    memmove(zeros, zeros + 1, 5);
    printf("%d %d %f\n", sum(3, 1, 2, 3), computed(argc), d);
    int (*chosen)(int) = argc ? variable_length : on_the_stack;
    chosen(3);
    return lane(v, argc) + mixed.c[2] + flag + pointers[1][0] + (int)address + tail[argc] + built_in + seen +
           (int)f[0] + (argc ? (int)(float)argc : (int)(unsigned char)argc) + (int)(unsigned long)d +
           (int)(long)extended;
}
