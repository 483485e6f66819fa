// A mutex inside an object of the heap, guarding that object, is released by whoever leaves last.
//@ verdict: safe
//@ flags: --check default,race
#include "../team.h"
#include <assert.h>
#include <stdlib.h>

struct account {
    pthread_mutex_t mutex;
    int users, balance;
};

static struct account *account;

static void *deposit(void *unused)
{
    pthread_mutex_lock(&account->mutex);
    account->balance += 10;
    int is_last = --account->users == 0;
    pthread_mutex_unlock(&account->mutex);
    if (is_last) {
        assert(account->balance == 20);
        pthread_mutex_destroy(&account->mutex);
        free(account);
    }
    return unused;
}

int main(void)
{
    account = calloc(1, sizeof *account);
    pthread_mutex_init(&account->mutex, NULL);
    account->users = 2;
    run_pair(deposit, deposit);
    return 0;
}
