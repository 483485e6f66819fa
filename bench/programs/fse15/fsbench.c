// Threads create files: each takes an inode and looks for a free block, both under locks of their own.
// Verdict: unsafe (whether a block is free is asked before its lock is taken); safe with -DSAFE.
// Algorithm: the File System benchmark of Flanagan and Godefroid (POPL 2005). Row fsbenchbad: eight threads, of which pairs want
// the same block.
// Exercises: many locks, conflicts between few of many threads.
#include "threads.h"

#ifndef THREADS
#define THREADS 8
#endif
#ifndef BLOCKS
#define BLOCKS 8
#endif
#define INODES THREADS

static pthread_mutex_t inode_locks[INODES], block_locks[BLOCKS];
static int inodes[INODES], busy[BLOCKS];

static int take(int block)
{
    int is_free;
#ifdef SAFE
    pthread_mutex_lock(&block_locks[block]);
    is_free = !busy[block];
#else
    is_free = !busy[block];
    pthread_mutex_lock(&block_locks[block]);
#endif
    if (is_free) {
        assert(!busy[block]);
        busy[block] = 1;
    }
    pthread_mutex_unlock(&block_locks[block]);
    return is_free;
}

static void *create_file(void *argument)
{
    int inode = (int)(intptr_t)argument % INODES;
    pthread_mutex_lock(&inode_locks[inode]);
    if (inodes[inode] == 0) {
        int block = inode * 2 % BLOCKS;
        while (!take(block))
            block = (block + 1) % BLOCKS;
        inodes[inode] = block + 1;
    }
    pthread_mutex_unlock(&inode_locks[inode]);
    return 0;
}

int main(void)
{
    pthread_t team[THREADS];
    for (int i = 0; i < INODES; i++)
        pthread_mutex_init(&inode_locks[i], 0);
    for (int i = 0; i < BLOCKS; i++)
        pthread_mutex_init(&block_locks[i], 0);
    start(team, THREADS, 0, create_file);
    join(team, THREADS);
    return 0;
}
