/* qsort, bsearch, integer division, and what runs at exit. */
#include "check.h"

RT(qsort); RT(qsort_r); RT(bsearch); RT(abs); RT(labs); RT(llabs); RT(div); RT(ldiv); RT(lldiv); RT(getenv);
RT(atexit); RT(on_exit); RT(exit);
int rt___cxa_atexit(void (*)(void *), void *, void *);

/* The order of equal keys must come out as on the host, so elements carry their first position. */
struct element {
    int key;
    int origin;
};

static int n_compared;

static int by_key(const void *a, const void *b)
{
    n_compared++;
    const struct element *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

static int by_key_and_direction(const void *a, const void *b, void *direction) { return by_key(a, b) * *(int *)direction; }

void check_sorts(void)
{
    for (int i = 0; i < 3000; i++) {
        struct element ours[40], theirs[40];
        unsigned n = below(40), keys = 1 + below(50);
        for (unsigned k = 0; k < n; k++)
            ours[k] = theirs[k] = (struct element){(int)below(keys), (int)k};
        n_compared = 0;
        rt_qsort(ours, n, sizeof ours[0], by_key);
        int count = n_compared;
        qsort(theirs, n, sizeof theirs[0], by_key);
        CHECK(memcmp(ours, theirs, n * sizeof ours[0]) == 0, "qsort of %u", n);
        CHECK(count <= (int)n * 6, "qsort of %u makes %d comparisons", n, count);

        struct element key = {(int)below(keys), 0};
        CHECK((char *)rt_bsearch(&key, ours, n, sizeof ours[0], by_key) - (char *)ours ==
                      (char *)bsearch(&key, theirs, n, sizeof theirs[0], by_key) - (char *)theirs ||
                  !bsearch(&key, theirs, n, sizeof theirs[0], by_key),
              "bsearch of %d in %u", key.key, n);

        int direction = below(2) ? 1 : -1;
        rt_qsort_r(ours, n, sizeof ours[0], by_key_and_direction, &direction);
        qsort_r(theirs, n, sizeof theirs[0], by_key_and_direction, &direction);
        CHECK(memcmp(ours, theirs, n * sizeof ours[0]) == 0, "qsort_r of %u", n);

        int a = (int)random_number() / 2, b = (int)random_number();
        if (b != 0) {
            div_t x = rt_div(a, b), y = div(a, b);
            CHECK(x.quot == y.quot && x.rem == y.rem, "div %d %d", a, b);
            ldiv_t p = rt_ldiv(a, b), q = ldiv(a, b);
            CHECK(p.quot == q.quot && p.rem == q.rem, "ldiv %d %d", a, b);
            lldiv_t v = rt_lldiv(a, b), w = lldiv(a, b);
            CHECK(v.quot == w.quot && v.rem == w.rem, "lldiv %d %d", a, b);
        }
        CHECK(rt_abs(a) == abs(a) && rt_labs(a) == labs(a) && rt_llabs(a) == llabs(a), "abs %d", a);
    }
    CHECK(rt_getenv("PATH") == NULL, "getenv");
}

/* Handlers write their letter; the last of all to be called is the engine's exit, which jumps back here. */
#include <setjmp.h>
static char order[16];
static jmp_buf back;

static void note(char c) { order[strlen(order)] = c; }
static void first(void) { note('1'); }
static void nested(void) { note('n'); }
static void second(void)
{
    note('2');
    rt_atexit(nested);
}
static void with_argument(void *c) { note(*(char *)c); }
static void with_code(int code, void *c)
{
    note((char)('0' + code));
    note(*(char *)c);
}

void rt___selvedge_exit(int code) { longjmp(back, code + 1); }

void check_exit(void)
{
    rt_atexit(first);
    rt___cxa_atexit(with_argument, "a", NULL);
    rt_atexit(second);
    rt_on_exit(with_code, "c");
    int code = setjmp(back);
    if (code == 0)
        rt_exit(5);
    CHECK(code == 6 && strcmp(order, "5c2na1") == 0, "exit %d %s", code, order);
}
