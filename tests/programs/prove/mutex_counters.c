// Two counters under one mutex, changed by threads that never stop, with inputs that decide by how much.
//@ command: prove
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int balance[2] = {100, -100};

static void *worker(void *argument) {
  (void)argument;
  while (1) {
    int amount = __VERIFIER_nondet_int();
    pthread_mutex_lock(&mutex);
    balance[0] += amount;
    balance[1] -= amount;
    pthread_mutex_unlock(&mutex);
  }
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  while (1) {
    pthread_mutex_lock(&mutex);
    assert(balance[0] + balance[1] == 0);
    pthread_mutex_unlock(&mutex);
  }
  return 0;
}
