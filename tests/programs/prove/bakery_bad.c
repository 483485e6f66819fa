// Lamport's bakery without the flag that a thread sets while it chooses its number.
//@ command: prove
//@ verdict: unsafe(assert)
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint number[2];
static int inside;

static void *worker(void *argument) {
  int me = (int)(long)argument, other = 1 - me;
  while (1) {
    unsigned highest = atomic_load(&number[other]);
    while (highest == UINT_MAX) {
      highest = atomic_load(&number[other]);
    }
    unsigned mine = highest + 1;
    atomic_store(&number[me], mine);
    while (1) {
      unsigned theirs = atomic_load(&number[other]);
      if (theirs == 0 || mine < theirs || (mine == theirs && me < other))
        break;
    }
    assert(inside == 0); //~ BUG!
    inside = 1;
    inside = 0;
    atomic_store(&number[me], 0);
  }
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, (void *)0L);
  pthread_create(&b, 0, worker, (void *)1L);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
