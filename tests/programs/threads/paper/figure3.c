// Figure 3 of Guo et al. (ESEC/FSE 2015): K independent pairs of one read and one write, all reads in one thread.
// (2K)!/K! interleavings, 2^K inequivalent ones; with summaries it takes K + 1.
// (A step that ends in an atomic section is assumed to do anything at another time, so some executions are started in vain;
// with PLAIN, where threads start and end in steps of their own, none is.)
//@ verdict: safe
//@ rev k1_none: --reduce none
//@ clang[k1_none]: -DK=1
//@ executions[k1_none]: total=2 full=2 blocked=0
//@ rev k2_none: --reduce none
//@ clang[k2_none]: -DK=2
//@ executions[k2_none]: total=12 full=12 blocked=0
//@ rev k3_none: --reduce none
//@ clang[k3_none]: -DK=3
//@ executions[k3_none]: total=120 full=120 blocked=0
//@ rev k1_dpor: --reduce dpor
//@ clang[k1_dpor]: -DK=1
//@ executions[k1_dpor]: total=2 full=2 blocked=0
//@ rev k2_dpor: --reduce dpor
//@ clang[k2_dpor]: -DK=2
//@ executions[k2_dpor]: total=4 full=4
//@ rev k3_dpor: --reduce dpor
//@ clang[k3_dpor]: -DK=3
//@ executions[k3_dpor]: total=8 full=8
//@ rev k8_dpor: --reduce dpor
//@ clang[k8_dpor]: -DK=8
//@ executions[k8_dpor]: total=256 full=256
//@ rev k1_ag: --reduce ag
//@ clang[k1_ag]: -DK=1
//@ executions[k1_ag]: total=2 full=2 pruned=0
//@ rev k2_ag: --reduce ag
//@ clang[k2_ag]: -DK=2
//@ executions[k2_ag]: total=3 full=2 pruned=1
//@ rev k3_ag: --reduce ag
//@ clang[k3_ag]: -DK=3
//@ executions[k3_ag]: total=4 full=2 pruned=2
//@ rev k4_ag: --reduce ag
//@ clang[k4_ag]: -DK=4
//@ executions[k4_ag]: total=5 full=2 pruned=3
//@ rev k5_ag: --reduce ag
//@ clang[k5_ag]: -DK=5
//@ executions[k5_ag]: total=6 full=2 pruned=4
//@ rev k6_ag: --reduce ag
//@ clang[k6_ag]: -DK=6
//@ executions[k6_ag]: total=7 full=2 pruned=5
//@ rev k40_ag: --reduce ag
//@ clang[k40_ag]: -DK=40
//@ executions[k40_ag]: total=41 full=2 pruned=39
//@ rev k40_plain: --reduce ag
//@ clang[k40_plain]: -DK=40 -DPLAIN
//@ executions[k40_plain]: total=41 full=2 pruned=39 blocked=0
//@ rev k2_summaries: --reduce ag --no-dpor --no-slice
//@ clang[k2_summaries]: -DK=2
//@ executions[k2_summaries]: total=10
//@ rev k3_summaries: --reduce ag --no-dpor --no-slice
//@ clang[k3_summaries]: -DK=3
//@ executions[k3_summaries]: total=42
#include "steps.h"
#include <assert.h>

#ifndef K
#define K 3
#endif

#ifdef PLAIN
#undef LAST_STEP
#undef START_THREADS
#undef THREADS_STARTED
#define LAST_STEP
#define START_THREADS
#define THREADS_STARTED
#endif

static int x[K];

static void *write(void *cell)
{
    LAST_STEP;
    *(int *)cell = 10;
    return 0;
}

int main(void)
{
    pthread_t writers[K];
    for (int i = 0; i < K; i++)
        x[i] = 1;
    START_THREADS;
    for (int i = 0; i < K; i++)
        pthread_create(&writers[i], 0, write, &x[i]);
    THREADS_STARTED;
    for (int i = 0; i < K - 1; i++) {
        int a = x[i];
        assert(a > 0);
    }
    LAST_STEP;
    int a = x[K - 1];
    assert(a > 0);
    pthread_exit(0);
}
