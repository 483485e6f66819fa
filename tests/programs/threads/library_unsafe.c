// Functions that need not be safe for threads: two calls at the same time are a race.
//@ verdict: unsafe(race)
//@ flags: --check race --no-files
//@ rev users:
//@ clang[users]: -DCALL=getpwuid(3)
//@ rev hosts:
//@ clang[hosts]: '-DCALL=gethostbyname("x")'
//@ rev locale:
//@ clang[locale]: '-DCALL=setlocale(LC_ALL,"C")'
//@ rev bytes:
//@ clang[bytes]: '-DCALL=mblen("a",1)'
//@ rev directory:
//@ clang[directory]: -DCALL=readdir(directory)
//@ rev safe:
//@ clang[safe]: -DCALL=rand()
//@ verdict[safe]: safe
#define _GNU_SOURCE
#include <dirent.h>
#include <locale.h>
#include <netdb.h>
#include <pthread.h>
#include <pwd.h>
#include <stdlib.h>

#ifndef CALL
#define CALL drand48()
#endif

static DIR *directory;

static void *run(void *unused)
{
    (void)unused;
    CALL;
    return NULL;
}

int main(void)
{
    pthread_t other;
    directory = opendir("/tmp");
    pthread_create(&other, NULL, run, NULL);
    run(NULL);
    pthread_join(other, NULL);
    return 0;
}
