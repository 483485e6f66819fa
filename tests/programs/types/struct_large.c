// Large structures by value: the callee gets a copy of its own, the caller a result through memory.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>

struct matrix {
    int cell[3][3];
    const char *name;
};

static struct matrix transposed(struct matrix m)
{
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < i; k++) {
            int t = m.cell[i][k];
            m.cell[i][k] = m.cell[k][i];
            m.cell[k][i] = t;
        }
    }
    m.name = "transposed";
    return m;
}

int main(void)
{
    struct matrix m;
    klee_make_symbolic(m.cell, sizeof m.cell, "cell");
    m.name = "given";
    struct matrix copy = m, t = transposed(m);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            assert(t.cell[i][k] == m.cell[k][i]);
            // The caller's structure did not change.
            assert(m.cell[i][k] == copy.cell[i][k]);
        }
    }
    assert(m.name[0] == 'g' && t.name[0] == 't');
    m = transposed(t);
    assert(m.cell[0][2] == copy.cell[0][2]);
    return 0;
}
