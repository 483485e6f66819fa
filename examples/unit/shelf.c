/* One module of a larger program: it has no main and no harness.
 *
 *     selvedge unit examples/unit/shelf.c --function take
 */
#include <stdlib.h>

struct box {
    int weight;
    struct box *next;
};

struct shelf {
    struct box *first;
    int n_boxes, load;
};

/* Takes the first box off a shelf that is not empty; gives its weight. */
int take(struct shelf *shelf)
{
    struct box *box = shelf->first;
    int weight = box->weight;
    shelf->first = box->next;
    shelf->n_boxes--;
    shelf->load -= weight;
    free(box);
    return weight;
}

/* The average weight, or -1 if there is no box. */
int average(const struct shelf *shelf)
{
    if (shelf == NULL || shelf->first == NULL)
        return -1;
    return shelf->load / shelf->n_boxes;
}

/* Puts what is on one shelf in front of what is on the other. */
void move_all(struct shelf *from, struct shelf *to)
{
    if (!from || !to || !from->first)
        return;
    struct box *last = from->first;
    while (last->next)
        last = last->next;
    last->next = to->first;
    to->first = from->first;
    from->first = NULL;
    to->n_boxes += from->n_boxes;
    from->n_boxes = 0;
}
