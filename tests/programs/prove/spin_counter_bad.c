// A spin lock that is tested and set in two steps, around a counter that two threads increment for ever.
//@ command: prove
//@ verdict: unsafe(assert)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock;
static unsigned counter, copy;

static void *worker(void *argument) {
  (void)argument;
  for (;;) {
    while (atomic_load(&lock)) {
    }
    atomic_store(&lock, 1);
    assert(counter == copy); //~ BUG!
    counter++;
    copy++;
    atomic_store(&lock, 0);
  }
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
