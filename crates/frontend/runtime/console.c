/* Standard input, output and error as they are at the start: see world.h.
 *
 * Standard input is what the user gave, or else any bytes up to a bound. It comes as from a pipe or a terminal: a call
 * of `read` may give less than is there, once in a run; streams read on and do not notice. A call that takes as much as
 * comes may find that it goes on beyond the bound.
 */
#include "world.h"

#include <unistd.h>

/* Provided by the engine. How many bytes standard input may have if the user has not said what it is: -1 if he has, -2 if
 * it is taken to be empty. */
long __selvedge_stdin_bound(void);

static struct {
    int is_known;
    int is_given;
    unsigned bound;
    unsigned length; /* symbolic: at most `bound` */
    unsigned read;
    int has_part, was_short;
    int goes_on; /* beyond the bound */
    unsigned part; /* symbolic: where a read stops short */
} input;

static void start(void)
{
    long bound = __selvedge_stdin_bound();
    input.is_known = 1;
    input.is_given = bound == -1;
    if (bound == -2)
        __selvedge_assumed("world.task");
    if (bound > 0) {
        __selvedge_assumed("world.stdin-bound");
        input.bound = (unsigned)bound;
        __selvedge_file_input(&input.length, sizeof input.length, "/dev/stdin", 10, LENGTH_OF_FILE);
        __VERIFIER_assume(input.length <= input.bound);
    }
}

/* The next byte, or -1. */
static int next(void)
{
    if (!input.is_known)
        start();
    if (!input.is_given && !input.goes_on && (input.read >= input.bound || input.read >= input.length))
        return -1;
    int byte = __selvedge_stdin();
    if (byte >= 0)
        input.read++;
    return byte;
}

WEAK int __selvedge_stdin_goes_on(void)
{
    unsigned char any;
    if (!input.is_known || input.is_given || input.goes_on || input.bound == 0 || input.read < input.bound)
        return 0;
    __selvedge_file_input(&any, 1, "standard input goes on", 22, TIME_OF_FILE);
    return input.goes_on = any & 1;
}

/* Whether a read stops here although there may be more. */
static int stops_short(void)
{
    if (input.is_given || input.was_short || input.read >= input.bound)
        return 0;
    if (!input.has_part) {
        input.has_part = 1;
        __selvedge_file_input(&input.part, sizeof input.part, "/dev/stdin", 10, PART_OF_FILE);
    }
    return input.was_short = input.read == input.part;
}

static ssize_t console_read(struct description *file, unsigned char *to, size_t size, long long *at)
{
    (void)file, (void)at;
    size_t n = 0;
    while (n < size) {
        if (n > 0 && stops_short())
            break;
        int byte = next();
        if (byte < 0)
            break;
        to[n++] = (unsigned char)byte;
    }
    return (ssize_t)n;
}

static ssize_t console_write(struct description *file, const unsigned char *from, size_t size, long long *at)
{
    (void)at;
    return (ssize_t)__selvedge_print((int)(file - __selvedge_console), from, size);
}

static const char *const names[3] = {"/dev/stdin", "/dev/stdout", "/dev/stderr"};
static struct {
    unsigned char is_known, is_terminal;
} seats[3];

WEAK int __selvedge_is_terminal(const struct description *console)
{
    long i = console - __selvedge_console;
    if (!seats[i].is_known) {
        seats[i].is_known = 1;
        __selvedge_file_input(&seats[i].is_terminal, 1, names[i], i == 0 ? 10 : 11, IS_TERMINAL);
        seats[i].is_terminal &= 1;
    }
    return seats[i].is_terminal;
}

/* A terminal or a pipe. */
static int console_facts(struct description *file, struct facts *facts)
{
    __selvedge_assumed("world.standard-streams");
    facts->mode = __selvedge_is_terminal(file) ? S_IFCHR | 0620 : S_IFIFO | 0600;
    facts->links = 1;
    facts->number = (unsigned long long)(file - __selvedge_console) + 1;
    facts->device = 2;
    return 0;
}

static int console_is_slow(struct description *file) { return file == &__selvedge_console[0]; }

WEAK const struct operations __selvedge_console_kind = {
    .read = console_read,
    .is_slow = console_is_slow,
    .write = console_write,
    .facts = console_facts,
};

/* They are never released: the count of references starts above their descriptors. */
WEAK struct description __selvedge_console[3] = {
    {.kind = &__selvedge_console_kind, .flags = O_RDONLY, .references = 2},
    {.kind = &__selvedge_console_kind, .flags = O_WRONLY, .references = 2},
    {.kind = &__selvedge_console_kind, .flags = O_WRONLY, .references = 2},
};
