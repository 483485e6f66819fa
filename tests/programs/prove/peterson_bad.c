// Peterson's algorithm for two threads that never stop, with the two stores in the wrong order.
//@ command: prove
//@ verdict: unsafe(assert)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag[2];
static atomic_int turn;
static int inside;

static void *worker(void *argument) {
  int me = (int)(long)argument;
  while (1) {
    atomic_store(&turn, 1 - me);
    atomic_store(&flag[me], 1);
    while (atomic_load(&flag[1 - me]) && atomic_load(&turn) == 1 - me) {
    }
    inside++;
    assert(inside == 1); //~ BUG!
    inside--;
    atomic_store(&flag[me], 0);
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
