/* What the rows use: variables for arguments and results, and one letter for each way to print a result.
 *
 * Each printer evaluates the call with errno set to 0 and prints `result/errno`. Texts are printed with everything
 * unprintable as hex, doubles as their bits (any NaN is `nan`), pointers as offsets from a base.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <arpa/inet.h>
#include <complex.h>
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <float.h>
#include <getopt.h>
#include <inttypes.h>
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <malloc.h>
#include <math.h>
#include <poll.h>
#include <sched.h>
#include <search.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>
/* The functions behind the macros. */
#undef I
#undef isnan
#undef isinf
extern int isnan(double), isinf(double);

static char a[64], b[64], c[64], *s, *t, *e, **v;
static wchar_t w[32], x[32], *ws, *wt, *we;
static int i, j, k;
static long l;
static double d;
static float f;
static size_t n;
static time_t when;
static struct tm date;
static void *p, *q;
static int numbers[8];

static void start(int number, const char *name)
{
    memset(a, '#', sizeof a), memset(b, '#', sizeof b), memset(c, '#', sizeof c);
    a[63] = b[63] = c[63] = 0;
    for (int at = 0; at < 32; at++)
        w[at] = x[at] = at < 31 ? L'#' : 0;
    s = t = e = 0, v = 0, ws = wt = we = 0, p = q = 0;
    i = j = k = -7, l = -7, d = -7, f = -7, n = 0, when = 0;
    memset(&date, 0, sizeof date);
    for (int at = 0; at < 8; at++)
        numbers[at] = at * 5 % 8;
    printf("%d:%s", number, name);
    errno = 0;
}
static void end(void) { printf("\n"); }

static void print_text(const char *text, size_t length)
{
    printf(" \"");
    for (size_t at = 0; at < length; at++)
        if (text[at] > 32 && text[at] < 127)
            printf("%c", text[at]);
        else
            printf("\\%02x", (unsigned char)text[at]);
    printf("\"");
}
static void print_errno(int error) { error ? (void)printf("/%d", error) : (void)0; }
static void print_int(long long value)
{
    int error = errno;
    printf(" %lld", value);
    print_errno(error);
}
static void print_double(double value)
{
    int error = errno;
    union { double value; unsigned long long bits; } as = {value};
    value != value ? (void)printf(" nan") : (void)printf(" %llx", as.bits);
    print_errno(error);
}
static void print_single(float value)
{
    int error = errno;
    union { float value; unsigned bits; } as = {value};
    value != value ? (void)printf(" nan") : (void)printf(" %x", as.bits);
    print_errno(error);
}
static void print_pointer(const void *pointer, const void *base)
{
    int error = errno;
    pointer ? (void)printf(" +%ld", (long)((const char *)pointer - (const char *)base)) : (void)printf(" null");
    print_errno(error);
}
static void print_string(const char *text)
{
    int error = errno;
    text ? print_text(text, strlen(text)) : (void)printf(" null");
    print_errno(error);
}
static void print_wide(const wchar_t *text)
{
    int error = errno;
    for (printf(" L"); text && *text; text++)
        printf("%x.", (unsigned)*text);
    print_errno(error);
}
static void print_date(const struct tm *at)
{
    int error = errno;
    if (at)
        printf(" %d-%d-%d %d:%d:%d w%d y%d d%d z%ld", at->tm_year, at->tm_mon, at->tm_mday, at->tm_hour, at->tm_min,
               at->tm_sec, at->tm_wday, at->tm_yday, at->tm_isdst, at->tm_gmtoff);
    else
        printf(" null");
    print_errno(error);
}
#define I(call) (errno = 0, print_int((long long)(call)))   /* an integer */
#define B(call) (errno = 0, print_int(!!(call)))            /* true or false */
#define SGN(call) (errno = 0, j = (call), print_int((j > 0) - (j < 0)))
#define D(call) (errno = 0, print_double(call))             /* a double */
#define F(call) (errno = 0, print_single(call))             /* a float */
#define P(call, base) (errno = 0, p = (void *)(call), print_pointer(p, base))
#define S(call) (errno = 0, print_string(call))             /* a text or NULL */
#define W(call) (errno = 0, print_wide(call))               /* a wide text */
#define T(call) (errno = 0, print_date(call))               /* a struct tm */
#define X(call) (errno = 0, (void)(call), print_int(0))     /* nothing */
#define M(memory, size) print_text((const char *)(memory), size)
#define C(call) (errno = 0, z = (call), print_double(creal(z)), print_double(cimag(z)))
static double complex z;

static int by_number(const void *left, const void *right) { return *(const int *)left - *(const int *)right; }
static int by_number_r(const void *left, const void *right, void *sign)
{
    return (*(const int *)left - *(const int *)right) * *(int *)sign;
}
static int print_all(char *to, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int result = vsnprintf(to, 64, format, list);
    va_end(list);
    return result;
}
static int scan_all(const char *text, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int result = vsscanf(text, format, list);
    va_end(list);
    return result;
}
static char *print_new(const char *format, ...)
{
    va_list list;
    char *text = 0;
    va_start(list, format);
    int result = vasprintf(&text, format, list);
    va_end(list);
    return result < 0 ? 0 : text;
}
static int print_at(char *to, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int result = vsprintf(to, format, list);
    va_end(list);
    return result;
}
/* The same place with the text in it, so that it can be written. */
static char *put(char *to, const char *text) { return strcpy(to, text); }
static void visit(const void *node, VISIT order, int depth)
{
    if (order == postorder || order == leaf)
        printf(" %d", **(int *const *)node);
}
static int hash_of(const char *text) { return text ? (int)strlen(text) : -1; }

/* A few files, made anew: `f` with five bytes, a folder `d` with `x` in it, an empty one `e`, links to a file, to a
 * folder and to nothing. What rows have made besides is removed, and their descriptors are closed. */
static void world(void)
{
    static const char *const names[] = {"f", "n", "l", "dl", "none", "d/x", "d/n", "e/n"};
    /* A call may have closed the folder itself. */
    static int home;
    home = home ? home : fcntl(open(".", O_RDONLY), F_DUPFD, 40);
    fchmod(home, 0755);
    umask(022);
    for (int number = 3; number < 32; number++)
        close(number);
    for (unsigned at = 0; at < sizeof names / sizeof *names; at++)
        unlink(names[at]), rmdir(names[at]);
    rmdir("d"), rmdir("e"), unlink("d"), unlink("e");
    int made = open("f", O_CREAT | O_WRONLY, 0644);
    write(made, "ab\nc\n", 5), close(made);
    mkdir("d", 0755), mkdir("e", 0755), close(open("d/x", O_CREAT | O_WRONLY, 0644));
    symlink("f", "l"), symlink("d", "dl"), symlink("none", "n");
}
static void print_facts(int result, const struct stat *facts)
{
    print_int(result);
    if (result == 0)
        printf(" %o %d", (unsigned)facts->st_mode, S_ISDIR(facts->st_mode) ? 0 : (int)facts->st_size);
}
static struct stat facts;
#define F_(call, number) (errno = 0, print_facts(call(number, &facts), &facts))
#define N_(call, name) (errno = 0, print_facts(call(name, &facts), &facts))
static void show(const char *name)
{
    char content[40];
    int number = open(name, O_RDONLY);
    long length = number < 0 ? -1 : read(number, content, sizeof content);
    length < 0 ? (void)printf(" gone") : print_text(content, (size_t)length);
    if (number >= 0)
        close(number);
}
static void print_option(int option)
{
    int is_error = option == '?' || option == ':';
    printf(" %d.%d.%d", option, optind, is_error ? optopt : 0);
    if (option != -1 && !is_error && optarg)
        print_text(optarg, strlen(optarg));
}
static void options(char **words, const char *known)
{
    int count = 0, option;
    while (words[count])
        count++;
    optind = 0, opterr = 0;
    do
        print_option(option = getopt(count, words, known));
    while (option != -1);
    for (int at = optind; at < count; at++)
        print_string(words[at]);
}
static void long_options(char **words, const char *known, int is_only)
{
    static const struct option names[] = {{"long", 0, NULL, 1}, {"lost", 2, NULL, 2}, {"value", 1, NULL, 3}, {NULL, 0, NULL, 0}};
    int count = 0, option, which = -1;
    while (words[count])
        count++;
    optind = 0, opterr = 0;
    do {
        option = is_only ? getopt_long_only(count, words, known, names, &which) : getopt_long(count, words, known, names, &which);
        print_option(option);
    } while (option != -1);
    printf(" %d", which);
    for (int at = optind; at < count; at++)
        print_string(words[at]);
}
