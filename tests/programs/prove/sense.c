// A sense-reversing barrier of two threads, used without end: no thread is a round ahead of the other inside it.
//@ command: prove
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int waiting, sense;
static atomic_int round_of[2];

static void *worker(void *argument) {
  int me = (int)(long)argument;
  int mine = 0;
  while (1) {
    atomic_store(&round_of[me], !atomic_load(&round_of[me]));
    mine = !mine;
    if (atomic_fetch_add(&waiting, 1) == 1) {
      assert(atomic_load(&round_of[0]) == atomic_load(&round_of[1]));
      atomic_store(&waiting, 0);
      atomic_store(&sense, mine);
    } else {
      while (atomic_load(&sense) != mine) {
      }
    }
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
