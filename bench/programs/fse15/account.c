// A deposit, a withdrawal and an audit of one account, each in a critical section; all amounts are inputs.
// Verdict: unsafe (the audit subtracts the deposit); safe with -DSAFE.
// Algorithm: account_bad, which goes round the literature on testing threads (SCTBench has it). Row accountbad.
// Exercises: orders of critical sections with an assertion over inputs.
#include "threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int at_first, deposit, withdrawal, balance;
static int is_deposited, is_withdrawn;

static void *put(void *unused)
{
    pthread_mutex_lock(&lock);
    balance += deposit;
    is_deposited = 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *take(void *unused)
{
    pthread_mutex_lock(&lock);
    balance -= withdrawal;
    is_withdrawn = 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *audit(void *unused)
{
    pthread_mutex_lock(&lock);
    if (is_deposited && is_withdrawn) {
#ifdef SAFE
        assert((unsigned)balance == (unsigned)at_first + deposit - withdrawal);
#else
        assert((unsigned)balance == (unsigned)at_first - deposit - withdrawal);
#endif
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t team[3];
    at_first = __VERIFIER_nondet_int();
    deposit = __VERIFIER_nondet_int();
    withdrawal = __VERIFIER_nondet_int();
    balance = at_first;
    start(&team[0], 1, 0, put);
    start(&team[1], 1, 0, take);
    start(&team[2], 1, 0, audit);
    join(team, 3);
    return 0;
}
