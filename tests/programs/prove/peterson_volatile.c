// Peterson's algorithm as it was written before C11, with volatile integers, for two threads that never stop.
//@ command: prove
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

static volatile int flag[2];
static volatile int turn;
static int inside;

static void *worker(void *argument) {
  int me = (int)(long)argument;
  while (1) {
    flag[me] = 1;
    turn = 1 - me;
    while (flag[1 - me] && turn == 1 - me) {
    }
    inside++;
    assert(inside == 1);
    inside--;
    flag[me] = 0;
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
