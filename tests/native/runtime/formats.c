/* The printf family. */
#include "check.h"

RT(snprintf); RT(sprintf); RT(asprintf); RT(vsnprintf);
int rt___sprintf_chk(char *, int, size_t, const char *, ...);
int rt___snprintf_chk(char *, size_t, int, size_t, const char *, ...);

#pragma clang diagnostic ignored "-Wformat-nonliteral"
#pragma clang diagnostic ignored "-Wformat"
#pragma GCC diagnostic ignored "-Wformat-security"

static char ours[600], theirs[600];

/* Runs both with the same arguments on buffers of the same noise. */
#define COMPARE(size, ...)                                                                                             \
    do {                                                                                                               \
        memset(ours, '#', sizeof ours);                                                                                \
        memset(theirs, '#', sizeof theirs);                                                                            \
        int x = rt_snprintf(ours, size, __VA_ARGS__), y = snprintf(theirs, size, __VA_ARGS__);                         \
        CHECK(x == y && memcmp(ours, theirs, sizeof ours) == 0, "[%s] %d [%.80s], %d [%.80s]", format, x, ours, y,     \
              theirs);                                                                                                 \
    } while (0)

/* A random conversion specification with text around it; returns the number of stars. */
static int random_format(char *to, const char *length, char conversion)
{
    char flags[6];
    int stars = 0;
    random_text(flags, below(4), "-+ #0'");
    to += sprintf(to, "%s%%%s", below(4) ? "" : "ab%%", flags);
    switch (below(4)) {
    case 0:
        to += sprintf(to, "%u", 1 + below(30));
        break;
    case 1:
        *to++ = '*';
        stars++;
    }
    switch (below(5)) {
    case 0:
        to += sprintf(to, ".%u", below(25));
        break;
    case 1:
        *to++ = '.';
        break;
    case 2:
        to += sprintf(to, ".*");
        stars++;
    }
    sprintf(to, "%s%c%s", length, conversion, below(4) ? "" : "|%% z");
    return stars;
}

#define WITH_STARS(size, argument)                                                                                     \
    do {                                                                                                               \
        __typeof__(argument) value = argument;                                                                         \
        int star1 = (int)below(40) - 12, star2 = (int)below(30) - 6;                                                   \
        if (stars == 0)                                                                                                \
            COMPARE(size, format, value);                                                                              \
        else if (stars == 1)                                                                                           \
            COMPARE(size, format, star1, value);                                                                       \
        else                                                                                                           \
            COMPARE(size, format, star1, star2, value);                                                                \
    } while (0)

static void check_integer(void)
{
    static const char *const lengths[] = {"", "hh", "h", "l", "ll", "j", "z", "t", "q"};
    char format[64];
    unsigned length = below(sizeof lengths / sizeof lengths[0]);
    int stars = random_format(format, lengths[length], "diuoxXb"[below(7)]);
    unsigned size = below(3) ? sizeof ours : below(40);
    long long v = random_number();
    switch (length) {
    case 0:
    case 1:
    case 2:
        WITH_STARS(size, (int)v);
        break;
    case 3:
        WITH_STARS(size, (long)v);
        break;
    case 6:
    case 7:
        WITH_STARS(size, (size_t)v);
        break;
    default:
        WITH_STARS(size, v);
    }
}

static void check_other(void)
{
    char format[64], text[40];
    unsigned size = below(3) ? sizeof ours : below(40);
    int stars;
    switch (below(5)) {
    case 0:
        random_text(text, below(20), "xyz%");
        stars = random_format(format, "", 's');
        WITH_STARS(size, below(8) ? (char *)text : NULL);
        break;
    case 1:
        stars = random_format(format, "", 'c');
        WITH_STARS(size, (int)below(256));
        break;
    case 2:
        stars = random_format(format, "", 'p');
        WITH_STARS(size, below(4) ? (void *)(uintptr_t)random_bits() : NULL);
        break;
    default: {
        static const double values[] = {0, -0.0, 1, 0.1, -2.5, 1e300, 1e-310, 123456789.125, 1.0 / 0.0, 0.0 / 0.0};
        stars = random_format(format, below(2) ? "" : "l", "feEgGaAF"[below(8)]);
        WITH_STARS(size, values[below(sizeof values / sizeof values[0])]);
    }
    }
}

static void check_fixed(void)
{
    const char *format = "fixed";
    COMPARE(600, "%%");
    COMPARE(0, "%d", 12345);
    COMPARE(1, "%d", 12345);
    COMPARE(600, "%5%|%-5d|%05d|%+.3d", 1, 2, 3);
    COMPARE(600, "%d %s %c %ld %lld %hhd %zu", 1, "two", '3', 4L, 5LL, 6, (size_t)7);
    COMPARE(600, "%y %k");
    COMPARE(600, "end %");
    COMPARE(600, "%#.0x %#x %#o %#.0o %.0d %#b", 0, 0, 0, 0, 0, 0);
    errno = rt_errno = ENOENT;
    COMPARE(600, "%m %8.3m");
    int a = 0, b = 0;
    long c = 0;
    signed char d = 0;
    rt_snprintf(ours, 3, "12345%n678%hhn%ln", &a, &d, &c);
    snprintf(theirs, 600, "12345%n", &b);
    CHECK(a == b && d == 8 && c == 8, "%%n %d %d %ld", a, d, c);
    char *text = NULL;
    CHECK(rt_asprintf(&text, "%s-%d", "abc", 42) == 6 && strcmp(text, "abc-42") == 0, "asprintf %s", text);
    free(text);
    CHECK(rt_sprintf(ours, "%x", 255) == 2 && strcmp(ours, "ff") == 0, "sprintf %s", ours);
    CHECK(rt___sprintf_chk(ours, 1, 3, "%x", 255) == 2 && strcmp(ours, "ff") == 0, "__sprintf_chk %s", ours);
    CHECK(rt___snprintf_chk(ours, 2, 1, 2, "%x", 255) == 2 && strcmp(ours, "f") == 0, "__snprintf_chk %s", ours);
}

void check_formats(void)
{
    check_fixed();
    for (int i = 0; i < 60000; i++) {
        check_integer();
        check_other();
    }
}
