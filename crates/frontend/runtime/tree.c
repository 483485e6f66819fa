/* The red-black trees of std::map and std::set: what libstdc++ has compiled of them.
 *
 * The tree hangs below a header: its parent is the root, its left and right are the first and the last node. The header
 * is red and the root black, by which the end is told apart from a root. Insertion and removal are those of Guibas and
 * Sedgewick (FOCS 1978) in their usual form: no red node has a red child, and all ways down have equally many black
 * ones.
 */
#include "runtime.h"

enum color { RED, BLACK };

struct node {
    enum color color;
    struct node *parent, *left, *right;
};

static int is_black(const struct node *node) { return !node || node->color == BLACK; }

/* --- order --- */

static struct node *leftmost(struct node *node)
{
    while (node->left)
        node = node->left;
    return node;
}

static struct node *rightmost(struct node *node)
{
    while (node->right)
        node = node->right;
    return node;
}

static struct node *next(struct node *node)
{
    if (node->right)
        return leftmost(node->right);
    struct node *above = node->parent;
    while (node == above->right) {
        node = above;
        above = above->parent;
    }
    /* From the last node, the root, one gets to the header and back again. */
    return node->right == above ? node : above;
}

static struct node *previous(struct node *node)
{
    if (node->color == RED && node->parent->parent == node)
        return node->right; /* the header */
    if (node->left)
        return rightmost(node->left);
    struct node *above = node->parent;
    while (node == above->left) {
        node = above;
        above = above->parent;
    }
    return above;
}

WEAK struct node *_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base(struct node *node) { return next(node); }
WEAK struct node *_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base(struct node *node) { return next(node); }
WEAK struct node *_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base(struct node *node) { return previous(node); }
WEAK struct node *_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base(struct node *node) { return previous(node); }

/* --- shape --- */

/* What points down to a node. */
static struct node **link_to(struct node *node, struct node *header)
{
    struct node *above = node->parent;
    if (above == header)
        return &header->parent;
    return above->left == node ? &above->left : &above->right;
}

static void rotate_left(struct node *node, struct node *header)
{
    struct node *up = node->right;
    *link_to(node, header) = up;
    up->parent = node->parent;
    node->right = up->left;
    if (up->left)
        up->left->parent = node;
    up->left = node;
    node->parent = up;
}

static void rotate_right(struct node *node, struct node *header)
{
    struct node *up = node->left;
    *link_to(node, header) = up;
    up->parent = node->parent;
    node->left = up->right;
    if (up->right)
        up->right->parent = node;
    up->right = node;
    node->parent = up;
}

/* --- insertion --- */

/* `node` is red; its parent may be, too. */
static void repair_red(struct node *node, struct node *header)
{
    while (node != header->parent && node->parent->color == RED) {
        struct node *above = node->parent, *top = above->parent;
        int is_left = above == top->left;
        struct node *uncle = is_left ? top->right : top->left;
        if (!is_black(uncle)) {
            above->color = uncle->color = BLACK;
            top->color = RED;
            node = top;
            continue;
        }
        if (is_left && node == above->right)
            rotate_left(above, header);
        else if (!is_left && node == above->left)
            rotate_right(above, header);
        top->color = RED;
        if (is_left)
            rotate_right(top, header);
        else
            rotate_left(top, header);
        top->parent->color = BLACK;
        break;
    }
    header->parent->color = BLACK;
}

WEAK void _ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_(_Bool is_left, struct node *node,
                                                                            struct node *above, struct node *header)
{
    *node = (struct node){RED, above, NULL, NULL};
    if (above == header) {
        header->parent = header->left = header->right = node;
    } else if (is_left) {
        above->left = node;
        if (above == header->left)
            header->left = node;
    } else {
        above->right = node;
        if (above == header->right)
            header->right = node;
    }
    repair_red(node, header);
}

/* --- removal --- */

/* The ways through `node`, a child of `above` or the root, have one black node too few. */
static void repair_black(struct node *node, struct node *above, struct node *header)
{
    while (node != header->parent && is_black(node)) {
        int is_left = node == above->left;
        struct node *sibling = is_left ? above->right : above->left;
        if (sibling->color == RED) {
            sibling->color = BLACK;
            above->color = RED;
            if (is_left)
                rotate_left(above, header);
            else
                rotate_right(above, header);
            sibling = is_left ? above->right : above->left;
        }
        if (is_black(sibling->left) && is_black(sibling->right)) {
            sibling->color = RED;
            node = above;
            above = above->parent;
            continue;
        }
        if (is_left && is_black(sibling->right)) {
            sibling->left->color = BLACK;
            sibling->color = RED;
            rotate_right(sibling, header);
            sibling = above->right;
        } else if (!is_left && is_black(sibling->left)) {
            sibling->right->color = BLACK;
            sibling->color = RED;
            rotate_left(sibling, header);
            sibling = above->left;
        }
        sibling->color = above->color;
        above->color = BLACK;
        if (is_left) {
            sibling->right->color = BLACK;
            rotate_left(above, header);
        } else {
            sibling->left->color = BLACK;
            rotate_right(above, header);
        }
        break;
    }
    if (node)
        node->color = BLACK;
}

/* Takes `node` out, and gives it back. */
WEAK struct node *_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_(struct node *node,
                                                                              struct node *header)
{
    /* With a node on both sides, the next node takes its place and color; it has at most one child. */
    struct node *moved = node->left && node->right ? leftmost(node->right) : node;
    struct node *child = moved->left ? moved->left : moved->right;
    struct node *above = moved->parent;
    enum color lost = moved->color;
    if (header->left == node)
        header->left = child ? leftmost(child) : above;
    if (header->right == node)
        header->right = child ? rightmost(child) : above;
    *link_to(moved, header) = child;
    if (child)
        child->parent = above;
    if (moved != node) {
        if (above == node)
            above = moved;
        *link_to(node, header) = moved;
        *moved = *node;
        moved->left->parent = moved;
        if (moved->right)
            moved->right->parent = moved;
    }
    if (lost == BLACK)
        repair_black(child, above, header);
    return node;
}
