// A ticket lock that three threads take without end.
//@ command: prove
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint next_ticket, now_serving;
static int inside;

static void *worker(void *argument) {
  (void)argument;
  while (1) {
    unsigned mine = atomic_fetch_add(&next_ticket, 1);
    while (atomic_load(&now_serving) != mine) {
    }
    inside++;
    assert(inside == 1);
    inside--;
    atomic_fetch_add(&now_serving, 1);
  }
  return 0;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_create(&c, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
