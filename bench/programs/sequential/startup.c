// A small everyday program: what a user waits for when there is next to nothing to explore.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void klee_make_symbolic(void *address, unsigned long size, const char *name);

struct item {
    char name[16];
    int price;
    struct item *next;
};

static struct item *add(struct item *list, const char *name, int price) {
    struct item *item = malloc(sizeof *item);
    if (!item)
        abort();
    strncpy(item->name, name, sizeof item->name - 1);
    item->name[sizeof item->name - 1] = '\0';
    item->price = price;
    item->next = list;
    return item;
}

static int total(const struct item *list) {
    int sum = 0;
    for (; list; list = list->next)
        sum += list->price;
    return sum;
}

static void release(struct item *list) {
    while (list) {
        struct item *next = list->next;
        free(list);
        list = next;
    }
}

int main(void) {
    int price;
    klee_make_symbolic(&price, sizeof price, "price");
    if (price < 0 || price > 100)
        return 1;
    struct item *list = add(add(NULL, "apple", 3), "pear", price);
    assert(total(list) == price + 3);
    printf("%s: %d\n", list->name, total(list));
    release(list);
    return 0;
}
