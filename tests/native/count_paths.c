/* Counts the paths of a fixture by running it on every input over a small alphabet.
 *
 * Build: clang-22 -O0 -fsanitize-coverage=trace-pc -Dmain=fixture -c FIXTURE.c, and this file with -DELEMENT=type (what
 * the inputs are made of) and -DALPHABET=values. A path is the sequence of control-flow edges; two runs with the same
 * sequence are the same path. The count is right if the alphabet has a value for every way the program can treat one.
 */
#include "../programs/inputs.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_CHOICES 64
#define TABLE (1u << 20)

static const ELEMENT alphabet[] = {ALPHABET};
#define N_LETTERS (sizeof alphabet / sizeof alphabet[0])

static unsigned choices[MAX_CHOICES];
static unsigned n_choices, n_used;
static jmp_buf abandon;

static ELEMENT choose(void)
{
    if (n_used == n_choices) {
        if (n_choices == MAX_CHOICES)
            abort();
        choices[n_choices++] = 0;
    }
    return alphabet[choices[n_used++]];
}

void klee_make_symbolic(void *address, size_t size, const char *name)
{
    (void)name;
    for (size_t i = 0; i < size; i += sizeof(ELEMENT)) {
        ELEMENT element = choose();
        memcpy((char *)address + i, &element, sizeof element);
    }
}

int __VERIFIER_nondet_int(void) { return (int)choose(); }

void klee_assume(uintptr_t condition)
{
    if (!condition)
        longjmp(abandon, 1);
}

void __VERIFIER_assume(int condition) { klee_assume(condition != 0); }

static uint64_t path;

void __sanitizer_cov_trace_pc(void)
{
    path = (path ^ (uintptr_t)__builtin_return_address(0)) * 0x100000001b3u;
    path ^= path >> 29;
}

static uint64_t seen[TABLE];
static unsigned n_paths;

static void remember(uint64_t hash)
{
    for (size_t i = hash % TABLE;; i = (i + 1) % TABLE) {
        if (seen[i] == hash)
            return;
        if (!seen[i]) {
            seen[i] = hash;
            n_paths++;
            return;
        }
    }
}

int fixture(void);

int main(void)
{
    unsigned long n_runs = 0;
    for (;;) {
        path = 1;
        n_used = 0;
        if (setjmp(abandon) == 0) {
            fixture();
            remember(path | 1);
            n_runs++;
        }
        n_choices = n_used;
        while (n_choices > 0 && ++choices[n_choices - 1] == N_LETTERS)
            n_choices--;
        if (n_choices == 0)
            break;
    }
    printf("%u paths in %lu runs\n", n_paths, n_runs);
    return 0;
}
