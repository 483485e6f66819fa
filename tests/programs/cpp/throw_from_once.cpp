// An exception that would leave a function which a library called is not followed: the verdict is unknown.
//@ verdict: unknown
//@ reason: an exception leaves `
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void initialise() { throw 1; }

int main()
{
    try {
        pthread_once(&once, initialise);
    } catch (int) {
    }
    return 0;
}
