// What CBMC and ESBMC call by names of their own, without declarations.
//@ verdict: safe
#include <assert.h>
#include <stdlib.h>

static int shared;

int main(void)
{
    __CPROVER_size_t n = nondet_size_t();
    __CPROVER_assume(n > 2 && n < 6);
    char *p = malloc(n), local[4];
    const char text[] = "abc";
    int *number = &shared;
    __CPROVER_assert(__CPROVER_r_ok(p, n) && !__CPROVER_r_ok(p, n + 1) && __CPROVER_r_ok(p + 1, n - 1), "room");
    assert(!__CPROVER_r_ok(p + 1, n) && __CPROVER_w_ok(local, 4) && !__CPROVER_rw_ok((char *)0, 1));
    assert(__CPROVER_r_ok(number) && !__CPROVER_r_ok(number, 5) && __ESBMC_r_ok(local, 4));
    assert(__CPROVER_OBJECT_SIZE(local + 1) == 4 && __ESBMC_get_object_size(p) == n);
    assert(__CPROVER_POINTER_OFFSET(p + 2) == 2 && __ESBMC_POINTER_OFFSET(local + 3) == 3);
    assert(__CPROVER_same_object(p, p + 1) && !__ESBMC_same_object(p, local));
    assert(__CPROVER_POINTER_OBJECT(p) == __CPROVER_POINTER_OBJECT(p + 1));
    assert(__CPROVER_POINTER_OBJECT(p) != __CPROVER_POINTER_OBJECT(local));
    assert(__CPROVER_DYNAMIC_OBJECT(p) && !__CPROVER_DYNAMIC_OBJECT(local));
    free(p);
    assert(!__CPROVER_r_ok(p, 1));
    __CPROVER_atomic_begin();
    shared++;
    __CPROVER_atomic_end();
    __ESBMC_atomic_begin();
    __ESBMC_atomic_end();
    __CPROVER_input("n", n);
    __CPROVER_output("n", n);
    __CPROVER_cover(n == 3);
    __ESBMC_assume(text[0] == 'a');
    __ESBMC_assert(shared == 1, "one");
    __CPROVER_precondition(shared == 1, "one");
    return 0;
}
