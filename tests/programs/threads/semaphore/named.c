// A named semaphore is the same object for all who open it by its name.
//@ verdict: safe
#include "../team.h"
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

static char name[64];
static int value;

static void *worker(void *unused)
{
    sem_t *mine = sem_open(name, O_CREAT, 0600, 1);
    assert(mine != SEM_FAILED);
    sem_wait(mine);
    value++;
    sem_post(mine);
    sem_close(mine);
    return unused;
}

int main(void)
{
    /* The address makes the name unlike that of another process. */
    snprintf(name, sizeof name, "/selvedge-named-%p", (void *)&value);
    assert(sem_open(name, 0) == SEM_FAILED && errno == ENOENT);
    run_pair(worker, worker);
    assert(value == 2);
    assert(sem_open(name, O_CREAT | O_EXCL, 0600, 1) == SEM_FAILED && errno == EEXIST);
    assert(sem_unlink(name) == 0);
    assert(sem_unlink(name) == -1 && errno == ENOENT);
    return 0;
}
