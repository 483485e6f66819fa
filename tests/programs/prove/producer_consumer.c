// A bounded buffer with a mutex and two conditions: what was put in comes out, in order, without end.
//@ command: prove
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

#define SIZE 2

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER, not_empty = PTHREAD_COND_INITIALIZER;
static unsigned buffer[SIZE];
static unsigned count, in, out;

static void *producer(void *argument) {
  (void)argument;
  unsigned item = 0;
  while (1) {
    pthread_mutex_lock(&mutex);
    while (count == SIZE)
      pthread_cond_wait(&not_full, &mutex);
    buffer[in] = item++;
    in = (in + 1) % SIZE;
    count++;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&mutex);
  }
  return 0;
}

static void *consumer(void *argument) {
  (void)argument;
  unsigned expected = 0;
  while (1) {
    pthread_mutex_lock(&mutex);
    while (count == 0)
      pthread_cond_wait(&not_empty, &mutex);
    unsigned item = buffer[out];
    out = (out + 1) % SIZE;
    count--;
    assert(item == expected);
    expected++;
    pthread_cond_signal(&not_full);
    pthread_mutex_unlock(&mutex);
  }
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, producer, 0);
  pthread_create(&b, 0, consumer, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
