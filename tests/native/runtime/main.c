/* Runs all comparisons, and stands in for what the engine provides to the run-time. */
#include "check.h"

long n_checks;

static uint64_t state = 0x9e3779b97f4a7c15u;

uint64_t random_bits(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

long long random_number(void)
{
    static const long long edges[] = {0, INT_MAX, INT_MIN, UINT_MAX, LLONG_MAX, LLONG_MIN, -1, SHRT_MIN, SCHAR_MIN, 255};
    switch (below(4)) {
    case 0:
        return (long long)below(200) - 100;
    case 1:
        return (long long)((unsigned long long)edges[below(sizeof edges / sizeof edges[0])] + below(5) - 2);
    case 2:
        return (long long)(random_bits() >> below(64));
    default:
        return (long long)random_bits();
    }
}

void random_text(char *to, size_t length, const char *alphabet)
{
    size_t n = strlen(alphabet);
    for (size_t i = 0; i < length; i++)
        to[i] = alphabet[below((unsigned)n)];
    to[length] = 0;
}

const char *stdin_text = "";
size_t stdin_length, stdin_position;

/* There is one thread. */
int rt_pthread_spin_lock(volatile int *lock) { return *lock = 0; }
int rt_pthread_spin_unlock(volatile int *lock) { return *lock = 0; }

int rt___selvedge_stdin(void)
{
    return stdin_position < stdin_length ? (unsigned char)stdin_text[stdin_position++] : -1;
}

void rt___selvedge_unsupported(const char *what)
{
    printf("unsupported: %s\n", what);
    exit(1);
}

/* The world of files is empty, and every call is one step already. */
long rt___selvedge_stdin_bound(void) { return -1; }
void rt___selvedge_assumed(const char *id) { (void)id; }
void *rt___selvedge_keep(size_t size) { return calloc(1, size); }
void rt___selvedge_errno_is_used(void) {}
int rt___selvedge_console_fails(void) { return 0; }
int rt___selvedge_result_is_used(void) { return 1; }
void rt___selvedge_shown(const void *from, size_t size) { (void)from, (void)size; }
int rt___selvedge_may_fail(const char *calls, int n) { return (void)calls, (void)n, 0; }
/* The buffers of this program are large enough. */
void rt___selvedge_must_fit(const void *buf, size_t size) { (void)buf, (void)size; }
size_t rt___selvedge_room(const void *buf) { return (void)buf, SIZE_MAX; }
void rt___selvedge_failed(int error) { (void)error; }
int rt___selvedge_signals_given(void) { return -1; }
int rt___selvedge_may_interrupt(void) { return 0; }
long rt___selvedge_world(int question, long file) { return 0 * (question + file); }
void rt___selvedge_world_bytes(void *to, size_t size) { memset(to, 0, size); }
unsigned long long file_input;
void rt___selvedge_file_input(void *to, size_t size)
{
    memset(to, 0, size);
    memcpy(to, &file_input, size < sizeof file_input ? size : sizeof file_input);
}

/* What the engine does for mappings of memory. */
void *rt___selvedge_map(size_t size) { return calloc(1, size); }
void rt___selvedge_unmap(void *start, size_t size)
{
    (void)size;
    free(start);
}

double rt___selvedge_strtod(const char *text, char **end) { return strtod(text, end); }
float rt___selvedge_strtof(const char *text, char **end) { return strtof(text, end); }
long double rt___selvedge_strtold(const char *text, char **end) { return strtold(text, end); }

int rt___selvedge_format_double(char *buf, unsigned long size, const char *spec, double value)
{
    return snprintf(buf, size, spec, value);
}

int assumptions_hold;
int rt___VERIFIER_nondet_int(void) { return (int)random_number(); }
long long rt___VERIFIER_nondet_longlong(void) { return random_number(); }
long rt___VERIFIER_nondet_long(void) { return (long)random_number(); }
void rt___VERIFIER_assume(int condition) { assumptions_hold &= condition; }
void *rt_malloc(size_t n) { return malloc(n); }
void *rt_realloc(void *p, size_t n) { return realloc(p, n); }
void *rt_calloc(size_t n, size_t size) { return calloc(n, size); }
void rt_free(void *p) { free(p); }
void *rt_memcpy(void *to, const void *from, size_t n) { return memcpy(to, from, n); }
void *rt_memmove(void *to, const void *from, size_t n) { return memmove(to, from, n); }
void *rt_memset(void *to, int byte, size_t n) { return memset(to, byte, n); }
void rt_abort(void) { abort(); }
void rt_pthread_testcancel(void) {}

#if UINTPTR_MAX == UINT32_MAX
/* What the compiler calls for 64-bit division on a 32-bit machine. */
long long rt___divdi3(long long a, long long b) { return a / b; }
unsigned long long rt___udivdi3(unsigned long long a, unsigned long long b) { return a / b; }
long long rt___moddi3(long long a, long long b) { return a % b; }
unsigned long long rt___umoddi3(unsigned long long a, unsigned long long b) { return a % b; }
#endif

int main(void)
{
    check_strings();
    check_classes();
    check_numbers();
    check_formats();
    check_scans();
    check_streams();
    check_files();
    check_sorts();
    check_clocks();
    check_calendar();
    check_exit();
    check_options();
    printf("%ld comparisons\n", n_checks);
    return 0;
}
