// Choices of the library and the system stand beside the verdict of a program that meets them.
//@ verdict: safe
//@ rev identity:
//@ clang[identity]: -DCALL=getpid()
//@ assumes[identity]: world.identity
//@ rev configuration:
//@ clang[configuration]: -DCALL=getpagesize()
//@ assumes[configuration]: world.configuration
//@ rev locale:
//@ clang[locale]: -DCALL=users_locale()
//@ assumes[locale]: world.locale-c
//@ rev own_locale:
//@ clang[own_locale]: -DCALL=c_locale()
//@ assumes[own_locale]: nothing
//@ rev realloc:
//@ clang[realloc]: -DCALL=!realloc(malloc(1),0)
//@ assumes[realloc]: library.realloc-zero world.memory-succeeds
//@ rev deep:
//@ clang[deep]: -DCALL=deep(1500)
//@ assumes[deep]: world.stack-suffices
//@ rev large:
//@ clang[large]: -DCALL=large()
//@ assumes[large]: world.stack-suffices
//@ rev small:
//@ clang[small]: -DCALL=deep(500)
//@ assumes[small]: nothing
#include <locale.h>
#include <stdlib.h>
#include <unistd.h>

int users_locale(void) { return !setlocale(LC_ALL, ""); }

int c_locale(void) { return !setlocale(LC_ALL, "C"); }

int deep(int n) { return n == 0 ? 0 : 1 + deep(n - 1); }

int large(void)
{
    char room[2000000];
    room[0] = 1;
    return room[0];
}

int main(void) { return CALL == 12345; }
