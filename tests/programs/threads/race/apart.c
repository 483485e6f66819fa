// Two threads use places that inputs name. An assumption keeps them apart, or just one element does not, or what is read
// is wider than what is written; by a pointer or a copy it is the same.
//@ verdict: safe
//@ flags: --check default,race
//@ rev elements:
//@ clang[elements]: -DWRITE=items[i]=1 -DREAD=items[j] -DAPART=(i!=j)
//@ rev same:
//@ clang[same]: -DWRITE=items[i]=1 -DREAD=items[j] -DAPART=(i!=j||i==5)
//@ verdict[same]: unsafe(race)
//@ rev ranges:
//@ clang[ranges]: -DWRITE=items[i]=1 -DREAD=items[j] -DAPART=(i<4&&j>=4)
//@ rev one:
//@ clang[one]: -DWRITE=items[i]=1 -DREAD=items[3] -DAPART=(i!=3)
//@ rev pointers:
//@ clang[pointers]: -DWRITE=*p=1 -DREAD=*q -DAPART=(p!=q)
//@ rev halves:
//@ clang[halves]: -DWRITE=*((char*)&items[i]+2)=1 -DREAD=*(short*)&items[j]
//@ rev wide:
//@ clang[wide]: -DWRITE=*((char*)&items[i]+2)=1 -DREAD=*&items[j]
//@ verdict[wide]: unsafe(race)
//@ rev copies:
//@ clang[copies]: -DWRITE=memcpy(&items[i],two,8) -DREAD=items[j] -DAPART=(i<7&&j!=i&&j!=i+1)
//@ rev overlap:
//@ clang[overlap]: -DWRITE=memcpy(&items[i],two,8) -DREAD=items[j] -DAPART=(i<7&&j!=i)
//@ verdict[overlap]: unsafe(race)
#include "../team.h"
#include <selvedge.h>
#include <string.h>

#ifndef APART
#define APART 1
#endif

static int items[8], two[2], seen;
static unsigned i, j;
static int *p, *q;

static void *writes(void *unused)
{
    WRITE; //~ BUG!
    return unused;
}

static void *reads(void *unused)
{
    seen = READ; //~ BUG!
    return unused;
}

int main(void)
{
    i = selvedge_uint("i");
    j = selvedge_uint("j");
    selvedge_assume(i < 8 && j < 8);
    p = &items[i];
    q = &items[j];
    selvedge_assume(APART);
    run_pair(writes, reads);
    return 0;
}
