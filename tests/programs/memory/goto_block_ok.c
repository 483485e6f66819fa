// Jumps into and within blocks: a variable lives, and keeps its value, until its block is left.
//@ verdict: safe
#include <assert.h>

int main(void)
{
    int i = 0, *p = 0;
    {
    retry:;
        int y = 3;
        p = &y;
        if (i++ < 2) {
            *p = 4;
            goto retry;
        }
        assert(*p == 3);
        y = 5;
        goto later;
    later:
        assert(*p == 5);
    }
    goto into;
    {
        int z;
    into:
        z = 7;
        for (int k = 0; k < 2; k++) {
            if (k)
                goto out;
        }
    out:
        assert(z == 7);
    }
    switch (i) {
        int t;
    case 3:
        t = 9;
        assert(t == 9);
    }
    return 0;
}
