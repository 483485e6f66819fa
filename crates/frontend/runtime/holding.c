/* What a stream may hold: counted when it is used, let go when it is flushed. See holding.h. */
#include "streams.h"

/* The other end of a pipe or a connection sees when bytes come; a buffer of the program's own shows it, too. */
WEAK void __selvedge_before_use(struct stream *s, struct description *file, enum use use)
{
    touch_given(s);
    if (s->memory) {
        if (s->memory->is_the_programs && !s->is_unbuffered)
            could_be_seen();
        return;
    }
    if (!file || (!file->node && file->kind != &__selvedge_console_kind)) {
        if (!s->is_unbuffered)
            could_be_seen();
        return;
    }
    note_use(file->node, use == WRITES, &s->holding);
    note_position(file, &s->holding);
}

static void count(struct node **at, struct node *node, unsigned *n, unsigned *n_before)
{
    if (*at == node)
        return;
    if (*at)
        --*n_before;
    *at = node;
    ++*n;
}

WEAK void __selvedge_after_use(struct stream *s, struct description *file, enum use use)
{
    if (s->is_unbuffered)
        return;
    struct holding *h = &s->holding;
    struct node *node = file->node;
    if (h->moved != file) {
        if (h->moved)
            h->moved->n_moved--;
        h->moved = file;
        file->n_moved++;
    }
    if (!node)
        return;
    /* A real stream that is moved may read what lies before its new place, and keeps what it has read. */
    if (use == WRITES)
        count(&h->back, node, &node->n_back, h->back ? &h->back->n_back : NULL);
    else if (use == READS || s->can_read)
        count(&h->ahead, node, &node->n_ahead, h->ahead ? &h->ahead->n_ahead : NULL);
}

/* What is read ahead of a pipe or a terminal cannot go back: such a description stays counted. */
WEAK void __selvedge_let_go(struct stream *s, int of_read)
{
    struct holding *h = &s->holding;
    if (h->back) {
        h->back->n_back--;
        h->back = NULL;
    }
    if (h->ahead && !of_read)
        return;
    if (h->ahead) {
        h->ahead->n_ahead--;
        h->ahead = NULL;
    }
    if (h->moved && h->moved->node) {
        h->moved->n_moved--;
        h->moved = NULL;
    }
}
