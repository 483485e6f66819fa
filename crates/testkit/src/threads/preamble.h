#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <threads.h>
#include <unistd.h>

extern int __VERIFIER_nondet_int(void);
extern void klee_make_symbolic(void *, size_t, const char *);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

#ifdef NATIVE
/* Sequentially consistent, as the model is. */
typedef _Atomic int cell;
typedef _Atomic(cell *) pointer;
void NOISE(void);
#else
typedef int cell;
typedef cell *pointer;
#define NOISE() ((void)0)
#endif

/* Larger than a word. */
struct two { long v[2]; };
struct three { long v[3]; };
struct link { cell *to; long n; };
static int sum(struct three three) { return (int)(three.v[0] + three.v[1] + three.v[2]); }

static long futex(void *word, int operation, int value) { return syscall(SYS_futex, word, operation, value, 0, 0, 0); }

static long futex_soon(void *word, int value)
{
  struct timespec soon = {0, 0};
  return syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, &soon, 0, 0);
}

static void make_robust(pthread_mutex_t *mutex)
{
  pthread_mutexattr_t attr;
  pthread_mutexattr_init(&attr);
  pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(mutex, &attr);
}

#define AT(place) ((_Atomic int *)&(place))
#define SYNC(place) ((int *)&(place))

/* The same number; no bit of it is computed from the bits it is made after. */
static unsigned long rebuilt(unsigned long number)
{
  unsigned long made = 0;
  for (int bit = 0; bit < 64; bit++)
    if (number >> bit & 1)
      made |= 1UL << bit;
  return made;
}

/* An input that stays unknown, and one that is decided at once. */
static int input(void) { return __VERIFIER_nondet_int() & 1; }
static int choice(void) { return (__VERIFIER_nondet_int() & 1) ? 1 : 0; }

/* Decides an unknown value, so that what is printed is known on every path. */
static void show(int value)
{
  value &= 7;
  for (int digit = 0; digit < 7; digit++) {
    if (value == digit) {
      putchar('0' + digit);
      return;
    }
  }
  putchar('7');
}

