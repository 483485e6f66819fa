/* The containers of C++, as far as libstdc++ has compiled them: links of std::list, sizes and hashes of
 * std::unordered_map. The trees of std::map are in tree.c.
 */
#include "runtime.h"

#include <string.h>

#if SIZE_MAX == UINT64_MAX
#define NEXT_BUCKETS _ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm
#define NEED_REHASH _ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm
#define HASH_BYTES _ZSt11_Hash_bytesPKvmm
#else
#define NEXT_BUCKETS _ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEj
#define NEED_REHASH _ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEjjj
#define HASH_BYTES _ZSt11_Hash_bytesPKvjj
#endif

/* --- std::list: a ring of nodes --- */

struct link {
    struct link *next, *previous;
};

WEAK void _ZNSt8__detail15_List_node_base7_M_hookEPS0_(struct link *new, struct link *before)
{
    new->next = before;
    new->previous = before->previous;
    before->previous->next = new;
    before->previous = new;
}

WEAK void _ZNSt8__detail15_List_node_base9_M_unhookEv(struct link *old)
{
    old->previous->next = old->next;
    old->next->previous = old->previous;
}

/* The nodes from `first` up to, not including, `end` move before `before`. */
WEAK void _ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_(struct link *before, struct link *first,
                                                               struct link *end)
{
    if (before == end || first == end)
        return;
    struct link *last = end->previous;
    first->previous->next = end;
    end->previous = first->previous;
    first->previous = before->previous;
    before->previous->next = first;
    last->next = before;
    before->previous = last;
}

WEAK void _ZNSt8__detail15_List_node_base10_M_reverseEv(struct link *start)
{
    struct link *link = start;
    do {
        struct link *next = link->next;
        link->next = link->previous;
        link->previous = next;
        link = next;
    } while (link != start);
}

/* The neighbours of a list's head, or the head itself, learn where it is now. */
static void place(struct link *head, struct link *next, struct link *previous, const struct link *was)
{
    int is_empty = next == was;
    head->next = is_empty ? head : next;
    head->previous = is_empty ? head : previous;
    head->next->previous = head;
    head->previous->next = head;
}

WEAK void _ZNSt8__detail15_List_node_base4swapERS0_S1_(struct link *a, struct link *b)
{
    struct link was_a = *a, was_b = *b;
    place(a, was_b.next, was_b.previous, b);
    place(b, was_a.next, was_a.previous, a);
}

/* --- std::unordered_map: how many buckets --- */

struct policy {
    float max_load;
    size_t next_resize; /* so many elements are too many */
};

static int is_prime(size_t n)
{
    for (size_t d = 2; d <= n / d; d++) {
        if (n % d == 0)
            return 0;
    }
    return n >= 2;
}

static size_t next_prime(size_t n)
{
    while (!is_prime(n))
        n++;
    return n;
}

/* How many elements so many buckets take. */
static size_t capacity(const struct policy *policy, size_t n_buckets)
{
    double most = (double)n_buckets * (double)policy->max_load;
    return most >= (double)SIZE_MAX ? SIZE_MAX : (size_t)most;
}

static size_t next_buckets(struct policy *policy, size_t wanted)
{
    if (wanted == 0)
        return 1;
    size_t n = next_prime(wanted);
    if (n > 257) /* libstdc++ leaves out some of the larger primes */
        __selvedge_assumed("library.hash-buckets");
    policy->next_resize = capacity(policy, n);
    return n;
}

WEAK size_t NEXT_BUCKETS(struct policy *policy, size_t wanted) { return next_buckets(policy, wanted); }

/* std::pair<bool, size_t>. */
struct rehash {
    _Bool is_needed;
    size_t n_buckets;
};

WEAK struct rehash NEED_REHASH(struct policy *policy, size_t n_buckets, size_t n_elements, size_t n_new)
{
    if (n_elements + n_new <= policy->next_resize)
        return (struct rehash){0, 0};
    /* The first elements get room for eleven. */
    size_t n = n_elements + n_new;
    if (policy->next_resize == 0 && n < 11)
        n = 11;
    double least = (double)n / (double)policy->max_load;
    if (least < (double)n_buckets) {
        policy->next_resize = capacity(policy, n_buckets);
        return (struct rehash){0, 0};
    }
    size_t wanted = (size_t)least + 1;
    if (wanted < 2 * n_buckets)
        wanted = 2 * n_buckets;
    return (struct rehash){1, next_buckets(policy, wanted)};
}

/* --- hashes of bytes: MurmurHash of Austin Appleby, the variants for words of 64 and 32 bits, as in libstdc++ --- */

#if SIZE_MAX == UINT64_MAX

#define MULTIPLIER 0xc6a4a7935bd1e995u

static uint64_t shifted(uint64_t h) { return h ^ h >> 47; }

WEAK size_t HASH_BYTES(const void *bytes, size_t length, size_t seed)
{
    const unsigned char *at = bytes, *tail = at + (length & ~(size_t)7);
    uint64_t h = seed ^ length * MULTIPLIER;
    for (; at != tail; at += 8) {
        uint64_t word;
        memcpy(&word, at, 8);
        h = (h ^ shifted(word * MULTIPLIER) * MULTIPLIER) * MULTIPLIER;
    }
    if (length & 7) {
        uint64_t word = 0;
        for (size_t i = length & 7; i-- > 0;)
            word = word << 8 | tail[i];
        h = (h ^ word) * MULTIPLIER;
    }
    return shifted(shifted(h) * MULTIPLIER);
}

#else

#define MULTIPLIER 0x5bd1e995u

WEAK size_t HASH_BYTES(const void *bytes, size_t length, size_t seed)
{
    const unsigned char *at = bytes, *tail = at + (length & ~(size_t)3);
    uint32_t h = seed ^ length;
    for (; at != tail; at += 4) {
        uint32_t word;
        memcpy(&word, at, 4);
        word *= MULTIPLIER;
        word ^= word >> 24;
        h = h * MULTIPLIER ^ word * MULTIPLIER;
    }
    if (length & 3) {
        uint32_t word = 0;
        for (size_t i = length & 3; i-- > 0;)
            word = word << 8 | tail[i];
        h = (h ^ word) * MULTIPLIER;
    }
    h = (h ^ h >> 13) * MULTIPLIER;
    return h ^ h >> 15;
}

#endif
