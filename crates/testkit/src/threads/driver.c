/* Runs one of the linked programs again and again, each time in a child process with its own noise and inputs.
   A line for each run: how it ended (exit, assert, stuck, signal) and what it printed.
   Arguments: which program, how many runs, a seed. */
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* What makes the noise must not make more of it. */
#define QUIET __attribute__((no_sanitize("coverage")))

extern int (*const programs[])(void);

static unsigned long base;
static unsigned noise_level;
static _Thread_local unsigned long state;

QUIET static unsigned next(void)
{
    if (!state)
        state = base ^ (unsigned long)&state ^ 0x9e3779b97f4a7c15ul;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)(state >> 11);
}

QUIET void NOISE(void)
{
    unsigned r = next() % 64;
    if (r < noise_level)
        usleep(r * 7);
    else if (r < 3 * noise_level)
        sched_yield();
}

QUIET void __sanitizer_cov_trace_pc(void)
{
    if (next() % 8 == 0)
        NOISE();
}

int __VERIFIER_nondet_int(void) { return (int)(next() >> 3); }

int main(int argc, char **argv)
{
    int program = atoi(argv[1]), runs = atoi(argv[2]);
    unsigned long seed = strtoul(argv[3], 0, 10);
    unsigned patience = (unsigned)atoi(argv[4]);
    for (int run = 0; run < runs; run++) {
        int ends[2];
        char text[200];
        size_t length = 0;
        ssize_t got;
        int status;
        fflush(stdout);
        if (pipe(ends))
            return 2;
        pid_t child = fork();
        if (child == 0) {
            base = (seed * 1000003ul + (unsigned long)run) * 0x2545f4914f6cdd1dul + 1;
            noise_level = (unsigned)run % 4 * 5;
            dup2(ends[1], 1);
            close(2);
            close(ends[0]);
            close(ends[1]);
            alarm(patience);
            exit(programs[program]());
        }
        close(ends[1]);
        while ((got = read(ends[0], text + length, sizeof text - 1 - length)) > 0)
            length += (size_t)got;
        text[length] = 0;
        close(ends[0]);
        waitpid(child, &status, 0);
        const char *end = WIFEXITED(status)                                      ? "exit"
                          : WTERMSIG(status) == SIGABRT                          ? "assert"
                          : WTERMSIG(status) == SIGALRM                          ? "stuck"
                                                                                 : "signal";
        printf("%s %s\n", end, text);
        if (strcmp(end, "stuck") == 0)
            return 0; /* Once is enough: each takes seconds. */
    }
    return 0;
}
