// Two functions that call each other: a parser for nested brackets and a check that the depths agree.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>
#include <stdbool.h>

static bool is_odd(unsigned n);
static bool is_even(unsigned n) { return n == 0 ? true : is_odd(n - 1); }
static bool is_odd(unsigned n) { return n == 0 ? false : is_even(n - 1); }

static const char *list(const char *p);

/* A letter, or a list in brackets; null if there is neither. */
static const char *item(const char *p)
{
    if (*p == 'x')
        return p + 1;
    if (*p != '(')
        return 0;
    p = list(p + 1);
    return p && *p == ')' ? p + 1 : 0;
}

static const char *list(const char *p)
{
    for (const char *next; (next = item(p)); p = next)
        ;
    return p;
}

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    klee_assume(n < 12);
    assert(is_even(n) == (n % 2 == 0));
    char text[5];
    SYMBOLIC(text);
    text[4] = 0;
    const char *end = list(text);
    assert(end >= text && end <= text + 4);
    // Whatever was accepted has as many opening as closing brackets.
    int depth = 0;
    for (const char *p = text; p < end; p++)
        depth += (*p == '(') - (*p == ')');
    assert(depth == 0);
    return 0;
}
