// Lamport's bakery for two threads, with machine integers: a thread that would draw a number too large waits until
// nobody holds one. Without that wait the numbers wrap around after four thousand million draws, and both get in.
//@ command: prove
//@ verdict: safe
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int choosing[2];
static atomic_uint number[2];
static int inside;

static void *worker(void *argument) {
  int me = (int)(long)argument, other = 1 - me;
  while (1) {
    atomic_store(&choosing[me], 1);
    unsigned highest = atomic_load(&number[other]);
    while (highest == UINT_MAX) {
      highest = atomic_load(&number[other]);
    }
    unsigned mine = highest + 1;
    atomic_store(&number[me], mine);
    atomic_store(&choosing[me], 0);
    while (atomic_load(&choosing[other])) {
    }
    while (1) {
      unsigned theirs = atomic_load(&number[other]);
      if (theirs == 0 || mine < theirs || (mine == theirs && me < other))
        break;
    }
    assert(inside == 0);
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
