/* How threads wait for what other threads do to a pipe or a socket.
 *
 * The attempt that finds nothing puts the thread into a queue, in the same step; the thread then waits for its own
 * semaphore. Whoever changes what is waited for posts the semaphores of all in the queue and empties it. So a wait is
 * not possible before it ends, nothing spins, no wake-up is lost, and a wait that never ends is a deadlock. Who was
 * woken tries again.
 */
#include "waiting.h"

#include "clock.h"

/* Provided by the engine. */
void __selvedge_waits_for_outside(int does);
int __selvedge_sem_init(sem_t *semaphore, unsigned value);
int __selvedge_sem_post(sem_t *semaphore);
int __selvedge_poll_wait(sem_t *semaphore); /* an error number, as is the next one: every handler ends them */
int __selvedge_poll_timedwait(sem_t *semaphore);
int __selvedge_masked_wait(sem_t *semaphore, unsigned handled); /* the same; so do those that have run since `handled` */

WEAK struct queue __selvedge_pollers;

WEAK void (*const __selvedge_tell)(struct description *file, int key) = NULL;

static _Thread_local struct waiter *own;

static void leave(struct waiter *waiter)
{
    if (!waiter->link)
        return;
    *waiter->link = waiter->next;
    if (waiter->next)
        waiter->next->link = waiter->link;
    waiter->link = NULL;
}

WEAK void __selvedge_enqueue(struct queue *queue, int for_outside)
{
    if (!own)
        own = __selvedge_keep(sizeof *own);
    leave(own);
    __selvedge_sem_init(&own->is_woken, 0);
    own->for_outside = for_outside;
    own->set = NULL;
    own->is_masked = 0;
    own->limit = (struct timespec){0, 0};
    own->next = queue->first;
    own->link = &queue->first;
    if (own->next)
        own->next->link = &own->next;
    queue->first = own;
}

WEAK void __selvedge_wait_masked(unsigned handled)
{
    own->is_masked = 1;
    own->handled = handled;
}

WEAK void __selvedge_enqueue_for(const void *set, int for_outside)
{
    __selvedge_enqueue(&__selvedge_pollers, for_outside);
    own->set = set;
}

WEAK void __selvedge_limit_wait(const struct timespec *limit) { own->limit = *limit; }

static void wake(struct queue *queue)
{
    while (queue->first) {
        struct waiter *waiter = queue->first;
        leave(waiter);
        __selvedge_sem_post(&waiter->is_woken);
    }
}

WEAK void __selvedge_changed(struct queue *queue)
{
    wake(queue);
    wake(&__selvedge_pollers);
}

WEAK int __selvedge_stop_waiting(int result)
{
    enter_world();
    leave(own);
    leave_world();
    return result;
}

/* Handlers end a wait with a limit, also those with SA_RESTART. */
static int rest_until(const struct timespec *limit, int late)
{
    struct moment begin;
    __selvedge_moment(&begin);
    int error = __selvedge_poll_timedwait(&own->is_woken);
    if (error != ETIMEDOUT)
        return error == 0 ? 0 : __selvedge_stop_waiting(-error);
    __selvedge_time_passed(&begin, (long)limit->tv_sec, limit->tv_nsec);
    return __selvedge_stop_waiting(late);
}

WEAK int __selvedge_rest(const struct timespec *limit, int restarts)
{
    if (!limit && (own->limit.tv_sec > 0 || own->limit.tv_nsec > 0)) {
        struct timespec mine = own->limit;
        return rest_until(&mine, -EAGAIN);
    }
    if (!limit) {
        int for_outside = own->for_outside;
        if (for_outside)
            __selvedge_waits_for_outside(1);
        int result = own->is_masked ? __selvedge_masked_wait(&own->is_woken, own->handled)
                     : restarts     ? sem_wait(&own->is_woken)
                                    : __selvedge_poll_wait(&own->is_woken);
        if (for_outside)
            __selvedge_waits_for_outside(0);
        return result == 0 ? 0 : __selvedge_stop_waiting(-EINTR);
    }
    return rest_until(limit, -ETIMEDOUT);
}

WEAK int __selvedge_wait_in_queue(struct description *file, int restarts)
{
    (void)file;
    return __selvedge_rest(NULL, restarts);
}
