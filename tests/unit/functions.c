/* Small functions of many kinds, for `selvedge unit`: crates/cli/tests/cli/unit.rs compiles the test of each of their
 * paths and compares what it does with what was predicted. */
#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct node {
    int value;
    struct node *next;
};

struct tree {
    struct tree *left, *right;
    int key;
};

struct point {
    int x, y;
};

typedef struct {
    unsigned char kind;
    unsigned flags : 3;
    int rest : 5;
    union {
        int number;
        char text[4];
    };
} item;

enum color { RED, GREEN = 5, BLUE };

int absolute(int x)
{
    return x < 0 ? (x == -2147483647 - 1 ? 0 : -x) : x;
}

int clamp(int x, int low, int high)
{
    if (low > high)
        return low;
    if (x < low)
        return low;
    return x > high ? high : x;
}

int list_length(const struct node *list)
{
    int n = 0;
    for (; list && n < 4; list = list->next)
        n++;
    return n;
}

struct node *list_push(struct node *list, int value)
{
    struct node *first = malloc(sizeof *first);
    first->value = value;
    first->next = list;
    return first;
}

struct node *list_reverse(struct node *list)
{
    struct node *done = NULL;
    int n = 0;
    while (list && n++ < 4) {
        struct node *next = list->next;
        list->next = done;
        done = list;
        list = next;
    }
    return done;
}

int list_remove(struct node **list, int value)
{
    if (!list)
        return -1;
    struct node *first = *list;
    if (first && first->value == value) {
        *list = first->next;
        free(first);
        return 1;
    }
    return 0;
}

int tree_contains(const struct tree *t, int key)
{
    if (!t)
        return 0;
    if (t->key == key)
        return 1;
    return tree_contains(key < t->key ? t->left : t->right, key);
}

int sum(const int *numbers, int n)
{
    int total = 0;
    if (!numbers || n < 0 || n > 3)
        return -1;
    for (int i = 0; i < n; i++)
        total = (int)((unsigned)total + (unsigned)numbers[i]);
    return total;
}

size_t count_digits(const char *text)
{
    size_t n = 0;
    if (text)
        for (; *text; text++)
            n += *text >= '0' && *text <= '9';
    return n;
}

bool is_prefix(const char *prefix, const char *text)
{
    if (!prefix || !text)
        return false;
    while (*prefix)
        if (*prefix++ != *text++)
            return false;
    return true;
}

struct point mirrored(struct point p, bool across_x)
{
    if (across_x)
        p.y = ~p.y;
    else
        p.x = ~p.x;
    return p;
}

void swap(int *a, int *b)
{
    if (!a || !b)
        return;
    *a ^= *b;
    *b ^= *a;
    *a ^= *b;
}

void swap_nodes(struct node *a, struct node *b)
{
    if (!a || !b)
        return;
    struct node *next = a->next;
    a->next = b->next;
    b->next = next;
}

unsigned gcd(unsigned a, unsigned b)
{
    a &= 7;
    b &= 7;
    return b ? gcd(b, a % b) : a;
}

const char *name(enum color c)
{
    switch (c) {
    case RED: return "red";
    case GREEN: return "green";
    case BLUE: return "blue";
    }
    return NULL;
}

int weigh(item *i)
{
    if (!i)
        return 0;
    if (i->flags == 3)
        return ++i->rest;
    return i->kind > 200 ? -1 : i->kind;
}

double half(double x)
{
    return x > 10.0 ? 5.0 : x;
}

void *first_of(void **items, int n)
{
    return items && n > 0 ? items[0] : NULL;
}

int twice(int (*f)(int), int x)
{
    if (!f)
        return x;
    int once = f(x);
    return once > 0 ? 1 : 0;
}

static int fits(const struct node *n, const int *limit)
{
    return n && limit && n->value < *limit;
}

char *join(char *to, const char *from)
{
    if (!to || !from || to == from)
        return NULL;
    to[0] = from[0];
    return to;
}

int give_up(int code)
{
    if (code == 7)
        exit(3);
    return fits(NULL, &code);
}

int divide(int a, int b)
{
    return a / b;
}

int always_fails(int x)
{
    int *p = NULL;
    return *p + x;
}

int first_value(struct node *list)
{
    return list->value;
}
