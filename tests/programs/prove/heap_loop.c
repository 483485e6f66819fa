// A list that grows without end: ever new objects, so that there is no finite set of control states.
//@ command: prove
//@ verdict: unknown
//@ reason: heap_loop.c:18:25: more than 100 objects are allocated
#include <assert.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct node {
  struct node *next;
  int value;
};

int main(void) {
  struct node *head = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *node = malloc(sizeof *node);
    node->next = head;
    node->value = 1;
    head = node;
  }
  for (; head; head = head->next)
    assert(head->value == 1);
  return 0;
}
