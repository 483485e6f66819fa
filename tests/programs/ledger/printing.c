// What a thread prints while another writes to it is read in one step, which the ledger says.
//@ verdict: safe
//@ assumes: threads.print-at-once world.threads-succeed
#include <pthread.h>
#include <stdio.h>

static char text[] = "one";

static void *change(void *unused)
{
    text[0] = 't';
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, change, NULL);
    puts(text);
    pthread_join(thread, NULL);
    return 0;
}
