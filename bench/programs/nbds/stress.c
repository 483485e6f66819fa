// A native stress test of the list or the skip list; not for a checker: stress.sh compiles and runs it with sanitizers.
//
// Every value that goes into the structure is a ticket that exists once. A ticket comes out when its key is removed or its
// value replaced. At the end each ticket that went in has come out once or is still there.
//
// -DSKIPLIST   the skip list instead of the list    -DBYTES   keys are strings of bytes, nodes come from a pool
// -DTHREADS=n  threads                              -DOPS=n   operations of each
// -DRECLAIM=n  how memory is reclaimed (reclaim.h)
#include "reclaim.h"
#include "reclaim/blocks.h"
#include "which.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#ifndef THREADS
#define THREADS 4
#endif
#ifndef OPS
#define OPS 20000
#endif
#ifndef KEYS
#define KEYS 12
#endif
/* Keys that only one thread uses lie between the common ones. */
#define PRIVATE 4
#define STRIDE (THREADS * PRIVATE + 1)

_Static_assert(THREADS < MAX_THREADS, "the main thread has a number, too");

static Map *map;
static atomic_uchar went_in[THREADS * OPS];
static atomic_uchar came_out[THREADS * OPS];

static Word number_key(int n)
{
    return (Word)(n + 1) * STRIDE;
}

static Word private_key(int thread, int i)
{
    return number_key(i) + (Word)(thread * PRIVATE + i + 1);
}

#ifdef BYTES
static MapOptions options;
static Memory memory;
static Blocks *blocks;

/* Keys of different lengths in the order of their numbers. */
static Word key_of(Word number)
{
    unsigned char bytes[10] = {(unsigned char)(number >> 8), (unsigned char)number, 0};
    return (Word)bytes_new(NULL, bytes, 2 + number % 8);
}

static void drop(Word key)
{
    free((void *)key);
}

static Word number_of_key(Word key)
{
    const Bytes *bytes = (const Bytes *)key;
    Word number = (Word)bytes->bytes[0] << 8 | bytes->bytes[1];
    assert(bytes->length == 2 + number % 8);
    return number;
}

static void drop_copy(Word key)
{
    key_release(&options, key);
}
#else
static Word key_of(Word number)
{
    return number;
}

static void drop(Word key)
{
    (void)key;
}

static Word number_of_key(Word key)
{
    return key;
}

static void drop_copy(Word key)
{
    (void)key;
}
#endif

static Word ticket_of(int thread, int i, Word number)
{
    return ((Word)(i * THREADS + thread) << 16) | number;
}

static void in(Word ticket)
{
    assert(atomic_fetch_add(&went_in[ticket >> 16], 1) == 0);
}

static void out(Word ticket, Word number)
{
    assert((ticket & 0xffff) == number);
    assert(atomic_fetch_add(&came_out[ticket >> 16], 1) == 0);
}

static void see(Word ticket, Word number)
{
    assert((ticket & 0xffff) == number);
}

static unsigned draw(unsigned *lot)
{
    *lot ^= *lot << 13;
    *lot ^= *lot >> 17;
    *lot ^= *lot << 5;
    return *lot >> 3;
}

typedef struct {
    Word ticket;
    Word old;
} Exchange;

static Word to_ticket(Word value, void *context)
{
    Exchange *exchange = context;
    exchange->old = value; /* Of the last call, which is the one that counts. */
    return exchange->ticket;
}

static bool ascends(Word key, Word value, void *last)
{
    Word number = number_of_key(key);
    see(value, number);
    assert(number > *(Word *)last);
    *(Word *)last = number;
    return true;
}

static void check_neighbour(bool is_there, Word key, Word value, Word number, int side)
{
    if (!is_there)
        return;
    Word found = number_of_key(key);
    see(value, found);
    assert(side == 0 || (side < 0 ? found <= number : found >= number));
    drop_copy(key);
}

static void walk(int me, Word key, Word number, unsigned lot, Word ticket)
{
    Cursor cursor;
    Word at, value, last = 0;
    bool has_written = false;
    assert(MAP(cursor_open)(&cursor, map, me, lot & 1 ? &key : NULL));
    while (MAP(cursor_next)(&cursor, &at, &value)) {
        Word found = number_of_key(at);
        see(value, found);
        assert(found > last && (!(lot & 1) || found >= number));
        last = found;
        if (found != number)
            continue;
        Word was;
        if (lot & 2) {
            if (MAP(cursor_remove)(&cursor, &was))
                out(was, number);
        } else if (!has_written) {
            in(ticket);
            if (MAP(cursor_replace)(&cursor, ticket, &was))
                out(was, number);
            else
                out(ticket, number);
            has_written = true;
        }
    }
    MAP(cursor_close)(&cursor);
}

static void many(int me, int i)
{
    Pair pairs[PRIVATE];
    Word from, to;
    for (int j = 0; j < PRIVATE; j++) {
        Word number = private_key(me, j);
        /* Tickets of the main thread's numbers: they are not counted. */
        pairs[j] = (Pair){key_of(number), (Word)THREADS * OPS << 16 | number};
    }
    assert(MAP(insert_all)(map, me, pairs, PRIVATE) == PRIVATE);
    assert(MAP(insert_all)(map, me, pairs, PRIVATE) == 0);
    for (int j = 0; j < PRIVATE; j++)
        assert(MAP(contains)(map, me, pairs[j].key));
    from = pairs[0].key;
    to = pairs[PRIVATE - 1].key;
    assert(MAP(count_range)(map, me, &from, &to) >= PRIVATE);
#ifndef SKIPLIST
    if (i % 2) {
        Word keys[PRIVATE];
        for (int j = 0; j < PRIVATE; j++)
            keys[j] = pairs[j].key;
        assert(MAP(remove_all)(map, me, keys, PRIVATE) == PRIVATE);
    } else
#endif
        for (int j = 0; j < PRIVATE; j++)
            assert(i % 3 ? MAP(remove_range)(map, me, &pairs[j].key, &pairs[j].key) == 1
                         : MAP(remove)(map, me, pairs[j].key, NULL));
    for (int j = 0; j < PRIVATE; j++)
        drop(pairs[j].key);
}

/* A queue beside it: what is pushed is popped once. */
static Map *queue;
static atomic_uchar popped[THREADS * OPS];

static bool pop(int me, unsigned how)
{
    Word key, value;
    bool is_there;
#ifdef SKIPLIST
    switch (how % 4) {
    case 0:
        is_there = skiplist_remove_first(queue, me, &key, &value);
        break;
    case 1:
        is_there = skiplist_remove_last(queue, me, &key, &value);
        break;
    case 2:
        is_there = skiplist_remove_due(queue, me, THREADS * OPS, &key, &value);
        break;
    default:
        is_there = skiplist_remove_near_first(queue, me, 4, &key, &value);
    }
#else
    (void)how;
    is_there = list_remove_first(queue, me, &key, &value);
#endif
    if (is_there) {
        assert(value == key + 1);
        assert(atomic_fetch_add(&popped[key], 1) == 0);
    }
    return is_there;
}

static void *work(void *argument)
{
    int number_of_thread = (int)(intptr_t)argument;
    int me = reclaim_register();
    assert(me >= 0);
    unsigned lot = 2463534242u + (unsigned)number_of_thread * 7919u;
    for (int i = 0; i < OPS; i++) {
        Word number = number_key((int)(draw(&lot) % KEYS)), key = key_of(number);
        Word ticket = ticket_of(number_of_thread, i, number), value = 0, found = 0;
        switch (draw(&lot) % 20) {
        case 0:
        case 1:
            in(ticket);
            if (!MAP(insert)(map, me, key, ticket))
                out(ticket, number);
            break;
        case 2:
            in(ticket);
            if (!MAP(insert_or_get)(map, me, key, ticket, &value)) {
                see(value, number);
                out(ticket, number);
            }
            break;
        case 3:
            in(ticket);
            if (MAP(put)(map, me, key, ticket, &value))
                out(value, number);
            break;
        case 4:
            if (MAP(find)(map, me, key, &value))
                see(value, number);
            break;
        case 5:
            MAP(contains)(map, me, key);
            break;
        case 6:
        case 7:
            if (MAP(remove)(map, me, key, &value))
                out(value, number);
            break;
        case 8:
            if (MAP(find)(map, me, key, &value) && MAP(remove_if)(map, me, key, value) == CHANGED)
                out(value, number);
            break;
        case 9:
            in(ticket);
            if (MAP(replace)(map, me, key, ticket, &value))
                out(value, number);
            else
                out(ticket, number);
            break;
        case 10:
            in(ticket);
            if (MAP(find)(map, me, key, &value) && MAP(swap)(map, me, key, value, ticket) == CHANGED)
                out(value, number);
            else
                out(ticket, number);
            break;
        case 11: {
            Exchange exchange = {draw(&lot) % 2 ? ticket : GONE, 0};
            in(ticket);
            bool is_changed = MAP(update)(map, me, key, to_ticket, &exchange, &value);
            if (is_changed)
                out(exchange.old, number);
            if (!is_changed || exchange.ticket == GONE)
                out(ticket, number);
            break;
        }
        case 12:
            check_neighbour(MAP(first)(map, me, &found, &value), found, value, number, 0);
            check_neighbour(MAP(last)(map, me, &found, &value), found, value, number, 0);
            break;
        case 13:
            check_neighbour(MAP(ceiling)(map, me, key, &found, &value), found, value, number, 1);
            check_neighbour(MAP(above)(map, me, key, &found, &value), found, value, number + 1, 1);
            break;
        case 14:
            check_neighbour(MAP(floor)(map, me, key, &found, &value), found, value, number, -1);
            check_neighbour(MAP(below)(map, me, key, &found, &value), found, value, number - 1, -1);
            break;
        case 15:
        case 16:
            walk(me, key, number, draw(&lot), ticket);
            break;
        case 17:
            value = 0;
            MAP(visit)(map, me, NULL, NULL, ascends, &value);
            break;
        case 18:
            many(me, i);
            break;
        default:
            reclaim_flush(me);
        }
        /* In turns, so that the queue is short and everybody wants the same. */
        Word pushed = (Word)(i * THREADS + number_of_thread);
        assert(MAP(insert)(queue, me, pushed, pushed + 1));
        pop(me, draw(&lot));
        drop(key);
    }
    reclaim_unregister(me);
    return 0;
}

int main(void)
{
    pthread_t threads[THREADS];
#ifdef BYTES
    /* Enough even if nothing is released until the end: less than half of the operations add a node and a copy of its key. */
    blocks = blocks_new(THREADS * (OPS + 1000), 120);
    memory = blocks_memory(blocks);
    options = (MapOptions){&byte_key_type, &memory};
    uint32_t n_blocks = blocks_left(blocks);
    map = MAP(new_with)(&options);
#else
    map = MAP(new)();
#endif
    queue = MAP(new)();
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, work, (void *)(intptr_t)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    assert(MAP(is_sound)(map));
    int me = reclaim_register();
    assert(MAP(is_sound)(queue));
    while (pop(me, 0))
        ;
    for (int i = 0; i < THREADS * OPS; i++)
        assert(popped[i] == 1);
    MAP(free)(queue);
    Cursor cursor;
    Word value;
    int n = 0;
    assert(MAP(cursor_open)(&cursor, map, me, NULL));
    for (; MAP(cursor_next)(&cursor, NULL, &value); n++)
        assert(atomic_fetch_add(&came_out[value >> 16], 1) == 0);
    MAP(cursor_close)(&cursor);
    assert(n == MAP(count)(map));
    for (int i = 0; i < THREADS * OPS; i++)
        assert(went_in[i] == came_out[i]);
    Map *copy = MAP(copy)(map);
    assert(MAP(is_sound)(copy) && MAP(is_equal)(map, copy));
    assert(MAP(clear)(copy, me) == n && MAP(count)(copy) == 0 && MAP(is_sound)(copy));
    MAP(free)(copy);
    reclaim_unregister(me);
    assert(reclaim_is_sound());
    ReclaimAccount account = reclaim_account();
    printf("%d keys left; %zu retired, %zu waiting at the end", n, account.n_retired, account.n_waiting);
#ifdef STATISTICS
    printf("; %zu helped, %zu restarted", MAP(statistics)(map).n_helped, MAP(statistics)(map).n_restarted);
#endif
    printf("\n");
    MAP(free)(map);
    reclaim_all();
    assert(reclaim_account().n_waiting == 0);
#ifdef BYTES
    assert(blocks_are_sound(blocks) && blocks_left(blocks) == n_blocks);
    blocks_free(blocks);
#endif
    return 0;
}
