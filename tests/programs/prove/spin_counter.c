// A spin lock around a counter that two threads increment for ever; the counter wraps around.
//@ command: prove
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag lock = ATOMIC_FLAG_INIT;
static unsigned counter, copy;

static void *worker(void *argument) {
  (void)argument;
  for (;;) {
    while (atomic_flag_test_and_set(&lock)) {
    }
    assert(counter == copy);
    counter++;
    copy++;
    atomic_flag_clear(&lock);
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
