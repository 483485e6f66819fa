// Compound literals are used in their blocks: in loops, conditions, calls and on the way out.
//@ verdict: safe
#include <assert.h>

struct point {
    int x, y;
};

static int sum(const struct point *p)
{
    return p->x + p->y;
}

static int early(int n)
{
    for (struct point *p = &(struct point){n, 0}; p->x < 4; p->x++) {
        if (p->x == 3)
            return sum(&(struct point){p->x, 1});
        const char *text = (const char[]){'a', 0};
        if (text[p->x & 1] == 'b')
            break;
    }
    return sum((struct point[]){{1, 2}, {3, 4}} + 1);
}

int main(void)
{
    assert(early(0) == 4 && early(5) == 7);
    int total = 0;
    for (int i = 0; i < 3; i++) {
        struct point *p = &(struct point){i, i};
        if (sum(p) == 2 * i)
            total += ({ struct point *q = &(struct point){.x = p->x}; q->x + q->y; });
        switch (i) {
        case 0: {
            p = &(struct point){7, 7};
        }
        // falls through
        default:
            total += i;
        }
    }
    assert(total == 6);
    int *q = 0;
again:
    q = q ? q : (int[]){1};
    if ((*q)++ < 3)
        goto again;
    assert(*q == 4);
    return 0;
}
