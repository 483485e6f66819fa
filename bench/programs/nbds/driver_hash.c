// Threads change and look into one non-blocking hash table; afterwards it must hold what is left.
// Verdict: safe.
// Exercises: claims by compare-and-swap, growth that all threads help with, values that are frozen while they move.
//
// -DTHREADS=n  threads       -DOPS=n  operations of each       -DKEYS=n  keys 1 to n; the odd ones are there at the beginning
// -DINPUTS     operations and keys are inputs; else a fixed mix
// -DUNSETTLED  inputs stay symbolic until something depends on them; else they are settled when an operation begins
// -DKINDS=n    kinds of operations: 3 are insert, remove and find; 6 also put, swap and remove if equal
// -DFIRST_SIZE=n  the first number of slots: 2 lets the table grow while it is used
// -DGONE=n  so many other keys were there and are removed: the table is rebuilt, not larger, when it is full
// -DCOMPACT    each thread lets the table shrink at its end
//
// Every key has the value `base_of(key)`, or one more after a put or a swap. Each thread keeps account of what it added and
// took away. Summed up, every key was added once more than removed or as often: else an element was lost, or is there twice.
#include "hash/hashtable.h"
#include "reclaim.h"
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);

#ifndef THREADS
#define THREADS 2
#endif
#ifndef OPS
#define OPS 1
#endif
#ifndef KEYS
#define KEYS 2
#endif
#ifndef KINDS
#define KINDS 3
#endif
#ifndef GONE
#define GONE 0
#endif

typedef enum { INSERT, REMOVE, FIND, PUT, SWAP, REMOVE_IF } Kind;

typedef struct {
    Kind kind;
    Word key;
} Operation;

static HashTable *hash;
static Operation operations[THREADS][OPS];
static int account[THREADS][KEYS + 1];

static Word base_of(Word key)
{
    return key * 10;
}

static void check_value(Word key, Word value)
{
    assert(value == base_of(key) || (KINDS > 3 && value == base_of(key) + 1));
}

/* Some number below `end`. */
static unsigned any_below(unsigned end)
{
    unsigned choice = __VERIFIER_nondet_uint();
    __VERIFIER_assume(choice < end);
    return choice;
}

/* The same number, counted up to: from here on it is known which one it is, though it was an input. */
static unsigned settled(unsigned choice)
{
#ifdef UNSETTLED
    return choice;
#else
    unsigned i = 0;
    while (i < choice)
        i++;
    return i;
#endif
}

static void choose_operations(void)
{
    for (int thread = 0; thread < THREADS; thread++)
        for (int i = 0; i < OPS; i++) {
#ifdef INPUTS
            Kind kind = (Kind)any_below(KINDS);
            Word key = any_below(KEYS) + 1;
#else
            /* Neighbours meet: everybody removes what is there and adds what is not. */
            (void)any_below;
            Kind kind = thread % 3 == 2 ? FIND : (thread + i) % 2 == 0 ? REMOVE : INSERT;
            Word key = (Word)((thread / 2 + i) % KEYS + 1);
#endif
            operations[thread][i] = (Operation){kind, key};
        }
}

/* An input is settled when the operation begins, not before: until then, all operations that may come are one. */
static Operation next_operation(int me, int i)
{
    Operation op = operations[me][i];
    return (Operation){(Kind)settled(op.kind), settled((unsigned)op.key)};
}

/* How many keys this operation has added, less those it has removed. */
static int perform(int me, Kind kind, Word key)
{
    Word value = base_of(key);
    switch (kind) {
    case INSERT:
        return hash_insert(hash, me, key, base_of(key));
    case REMOVE:
        if (!hash_remove(hash, me, key, &value))
            return 0;
        check_value(key, value);
        return -1;
    case FIND:
        if (hash_find(hash, me, key, &value))
            check_value(key, value);
        return 0;
    case PUT:
        if (!hash_put(hash, me, key, base_of(key) + 1, &value))
            return 1;
        check_value(key, value);
        return 0;
    case SWAP:
        hash_compare_and_swap(hash, me, key, base_of(key), base_of(key) + 1);
        return 0;
    default:
        return -hash_remove_if(hash, me, key, base_of(key) + 1);
    }
}

static void *work(void *argument)
{
    int me = (int)(intptr_t)argument;
    for (int i = 0; i < OPS; i++) {
        Operation op = next_operation(me, i);
        account[me][op.key] += perform(me, op.kind, op.key);
    }
#ifdef COMPACT
    hash_compact(hash, me);
#endif
    return 0;
}

static int balance(Word key)
{
    int n = 0;
    for (int thread = 0; thread < THREADS; thread++)
        n += account[thread][key];
    return n;
}

int main(void)
{
    pthread_t threads[THREADS];
    hash = hash_new();
    for (Word key = KEYS + 1; key <= KEYS + GONE; key++)
        assert(hash_insert(hash, 0, key, 1) && hash_remove(hash, 0, key, 0));
    for (Word key = 1; key <= KEYS; key += 2)
        account[0][key] += hash_insert(hash, 0, key, base_of(key));
    choose_operations();
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, work, (void *)(intptr_t)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    HashAudit audit = hash_audit(hash);
    assert(audit.fault == HASH_SOUND);
    int n_expected = 0;
    for (Word key = 1; key <= KEYS; key++) {
        int n = balance(key);
        Word value = 0;
        assert(n == 0 || n == 1);
        assert(hash_find(hash, 0, key, &value) == (n == 1));
        if (n == 1)
            check_value(key, value);
        n_expected += n;
    }
    assert(audit.n_keys == n_expected);
    hash_free(hash);
    reclaim_all();
    return 0;
}
