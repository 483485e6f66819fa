// An argument and a variable of the environment end where their text does, not where the longest one would.
//@ verdict: unsafe(memory)
//@ rev argument: --check default
//@ rev given: --sym-args 3
//@ rev write: --check default
//@ clang[write]: -DWRITE
//@ rev copy: --check default
//@ clang[copy]: -DCOPY
//@ rev index: --check default
//@ clang[index]: -DINDEX
//@ rev variable: --check default
//@ clang[variable]: -DVARIABLE
//@ rev beyond: --sym-env 3
//@ clang[beyond]: -DBEYOND
//@ rev threads: --check default
//@ clang[threads]: -DTHREADS
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "../inputs.h"

static char *text;
static int found;

static void *looks(void *arg)
{
    if (text[1] == 'b')
        found = 1;
    return arg;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 0;
    text = argv[1];
#if defined WRITE
    text[2] = 'x';
#elif defined COPY
    char copy[4];
    memcpy(copy, text, 3);
    return copy[0];
#elif defined INDEX
    int i = __VERIFIER_nondet_int();
    return i >= 0 && i < 5 ? text[i] : 0;
#elif defined VARIABLE
    char *home = getenv("HOME");
    return home && !home[0] ? home[1] : 0;
#elif defined BEYOND
    char *home = getenv("HOME");
    return home ? home[4] : 0;
#elif defined THREADS
    pthread_t first, second;
    pthread_create(&first, NULL, looks, NULL);
    pthread_create(&second, NULL, looks, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return found;
#else
    return text[0] == '-' || text[1] == 'x';
#endif
    return 0;
}
