// What was decided of a pointer holds for all its copies.
//@ verdict: safe(bounded)
//@ flags: --check assert --unwind 6
//@ assumes: outside.chains outside.overlap outside.sizes
#include <string.h>
#include <selvedge.h>

struct node { int value; struct node *next; };

int main(void)
{
    struct node *list;
    selvedge_outside(&list, sizeof list, "list");
    if (!list)
        return 0;
    struct node copy = *list;
    struct node again;
    memcpy(&again, &copy, sizeof copy);
    selvedge_assert(copy.value == list->value);
    selvedge_assert((again.next == NULL) == (list->next == NULL));
    selvedge_assert(again.next == list->next);
    if (copy.next) {
        list->next->value = 5;
        selvedge_assert(again.next->value == 5);
    }
    int length = 0;
    for (struct node *n = list; n; n = n->next)
        length++;
    selvedge_assert(length <= 3 || again.next);
    return 0;
}
