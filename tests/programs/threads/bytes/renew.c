// A lock that is written over as a whole is what its initialiser makes of it: free, of that type, and without the thread
// that held it.
//@ verdict: safe
//@ rev assign:
//@ clang[assign]: -DRENEW=lock=(pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER
//@ rev zero:
//@ clang[zero]: -DRENEW=memset(&lock,0,sizeof_lock)
//@ rev copy:
//@ clang[copy]: -DRENEW=memcpy(&lock,&fresh,sizeof_lock)
//@ rev never:
//@ clang[never]: -DRENEW=(void)0
//@ verdict[never]: unsafe(deadlock)
//@ rev unlock:
//@ clang[unlock]: -DRENEW=lock=fresh;pthread_mutex_unlock(&lock)
//@ verdict[unlock]: unsafe(deadlock)
//@ rev type:
//@ clang[type]: -DRENEW=lock=recursive;pthread_mutex_lock(&lock)
#define _GNU_SOURCE
#include <pthread.h>
#include <string.h>

enum { sizeof_lock = sizeof(pthread_mutex_t) };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, fresh = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

int main(void)
{
    pthread_mutex_lock(&lock);
    RENEW;                     //~ BUG!
    pthread_mutex_lock(&lock); //~ BUG!
    return 0;
}
