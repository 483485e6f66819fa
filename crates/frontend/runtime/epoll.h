/* Sets of descriptions to wait for: what the two units of epoll share. See epoll.c. */
#ifndef SELVEDGE_EPOLL_H
#define SELVEDGE_EPOLL_H

#include "waiting.h"

#include <sys/epoll.h>

/* A description under a number, as on Linux. */
struct member {
    struct member *next;         /* in its set */
    struct member *next_watcher; /* of its description */
    struct member *next_ready;
    struct set *set;
    struct description *file;
    int number;
    int is_spent; /* EPOLLONESHOT */
    int is_gone;  /* taken out of its set */
    int is_listed;
    unsigned told; /* of news from outside */
    struct epoll_event event;
};

struct set {
    struct description *file;
    struct member *members;
    /* Those to which something has happened since they were last found not to be ready, or were reported; in that order. */
    struct member *ready, **last_ready;
};

/* EPOLLIN and the others have the numbers of POLLIN and the others. */
#define EVENTS (EPOLLIN | EPOLLOUT | EPOLLPRI | EPOLLRDNORM | EPOLLWRNORM | EPOLLRDHUP | EPOLLERR | EPOLLHUP)

extern const struct operations __selvedge_set_kind;

/* All inside a step. */

/* The set behind a number, or NULL and the error. */
struct set *__selvedge_set_of(int number, int *error);
/* Puts a member at the end of those that are ready, unless it is there. */
void __selvedge_list(struct member *member);
/* What is ready of a member. */
uint32_t __selvedge_member_state(const struct member *member, int must);

/* A description without references is closed: its memory stays, and nobody else gets it. */
static inline int can_report(const struct member *member)
{
    return !member->is_spent && !member->is_gone && member->file->references > 0;
}

/* Whether it is reported only after something has happened. */
static inline int needs_news(const struct member *member) { return member->event.events & (EPOLLET | EPOLLEXCLUSIVE); }

static inline int is_slow(const struct member *member)
{
    return member->file->kind->is_slow && member->file->kind->is_slow(member->file);
}

#endif
