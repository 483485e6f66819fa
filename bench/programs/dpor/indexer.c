// N threads put four words each into one hash table by compare-and-swap; from twelve threads on some of them meet.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 15
#endif
#define SIZE 128
#define WORDS 4

static atomic_int table[SIZE];

static void *insert_words(void *argument) {
    for (int i = 1; i <= WORDS; i++) {
        int word = i * 11 + (int)(intptr_t)argument;
        int slot = word * 7 % SIZE;
        for (;;) {
            int empty = 0;
            if (atomic_compare_exchange_strong(&table[slot], &empty, word))
                break;
            slot = (slot + 1) % SIZE;
        }
    }
    return 0;
}

int main(void) {
    pthread_t threads[N];
    for (intptr_t i = 0; i < N; i++)
        pthread_create(&threads[i], 0, insert_words, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], 0);
    return 0;
}
