// A program that looks at the layout of memory is told so; one that only compares what every layout decides is not.
//@ verdict: safe
//@ rev order:
//@ clang[order]: -DORDER
//@ assumes[order]: layout.address-order
//@ rev bits:
//@ clang[bits]: -DBITS
//@ assumes[bits]: layout.address-bits
//@ rev neighbours:
//@ clang[neighbours]: -DNEIGHBOURS
//@ assumes[neighbours]: layout.neighbours
//@ rev reuse:
//@ clang[reuse]: -DREUSE
//@ assumes[reuse]: layout.reuse world.memory-succeeds
//@ rev printed:
//@ clang[printed]: -DPRINTED
//@ assumes[printed]: layout.address-bits
//@ rev blind:
//@ assumes[blind]: nothing
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static int first[4], second[4];
static char bytes[16];

int main(void)
{
    int answer = 0;
#if defined ORDER
    answer = first < second || second - first == 12;
#elif defined BITS
    answer = ((uintptr_t)first >> 4) % 7 == 3;
#elif defined NEIGHBOURS
    answer = first + 4 == second;
#elif defined REUSE
    char *gone = malloc(1);
    free(gone);
    char *fresh = malloc(1);
    answer = fresh == gone;
    free(fresh);
#elif defined PRINTED
    printf("%p\n", (void *)first);
#else
    int *p = first + 1, *end = first + 4;
    answer = (p < end) + (end - p == 3) + (p == second) + (first == NULL) + (second != (int *)-1);
    answer += ((uintptr_t)first & 3) == 0;                   /* an int is aligned */
    answer += (int *)(((uintptr_t)p | 1) & ~(uintptr_t)1) == p; /* a tag comes and goes */
    answer += bytes == (char *)first;
#endif
    return answer > 100;
}
