/* The calendar: a time as year, month and day, and as text.
 *
 * Which time zone there is, is open, and a time is most often an input: so the parts of a local time are inputs within
 * their ranges (years 1969 to 9999), whatever the time. The calendar never fails.
 */
#define _GNU_SOURCE
#include "runtime.h"

#include <time.h>

static struct tm shared;

static int any_between(int low, int high)
{
    int value = __VERIFIER_nondet_int();
    __VERIFIER_assume((value >= low) & (value <= high));
    return value;
}

static struct tm *any_date(const time_t *when, struct tm *to)
{
    (void)*(const volatile time_t *)when;
    to->tm_sec = any_between(0, 60);
    to->tm_min = any_between(0, 59);
    to->tm_hour = any_between(0, 23);
    to->tm_mday = any_between(1, 31);
    to->tm_mon = any_between(0, 11);
    to->tm_year = any_between(69, 9999 - 1900);
    to->tm_wday = any_between(0, 6);
    to->tm_yday = any_between(0, 365);
    to->tm_isdst = any_between(-1, 1);
    to->tm_gmtoff = any_between(-86400, 86400);
    to->tm_zone = "UTC";
    return to;
}

WEAK struct tm *localtime(const time_t *when) { return any_date(when, &shared); }
WEAK struct tm *gmtime(const time_t *when) { return any_date(when, &shared); }
WEAK struct tm *localtime_r(const time_t *restrict when, struct tm *restrict to) { return any_date(when, to); }
WEAK struct tm *gmtime_r(const time_t *restrict when, struct tm *restrict to) { return any_date(when, to); }

struct text {
    char *at;
    size_t room;
    size_t length;
};

static void put(struct text *text, char c)
{
    if (text->length < text->room)
        text->at[text->length] = c;
    text->length++;
}

static void put_digits(struct text *text, int value, int digits, char lead)
{
    unsigned rest = (unsigned)value;
    char reversed[4];
    for (int i = 0; i < digits; i++, rest /= 10)
        reversed[i] = (char)('0' + rest % 10);
    /* A leading zero may have to be a space: a value, not a branch. */
    char first = reversed[digits - 1];
    put(text, (char)(first + (first == '0') * (lead - '0')));
    for (int i = digits - 2; i >= 0; i--)
        put(text, reversed[i]);
}

static void put_name(struct text *text, const char *names, int index)
{
    for (int i = 0; i < 3; i++)
        put(text, names[3 * index + i]);
}

static void put_item(struct text *text, char item, const struct tm *date)
{
    static const char days[] = "SunMonTueWedThuFriSat", months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    int hour = date->tm_hour % 12;
    hour += 12 * (hour == 0);
    const char *several = 0;
    switch (item) {
    case 'a': put_name(text, days, date->tm_wday); break;
    case 'b':
    case 'h': put_name(text, months, date->tm_mon); break;
    case 'C': put_digits(text, (date->tm_year + 1900) / 100, 2, '0'); break;
    case 'd': put_digits(text, date->tm_mday, 2, '0'); break;
    case 'e': put_digits(text, date->tm_mday, 2, ' '); break;
    case 'H': put_digits(text, date->tm_hour, 2, '0'); break;
    case 'I': put_digits(text, hour, 2, '0'); break;
    case 'j': put_digits(text, date->tm_yday + 1, 3, '0'); break;
    case 'm': put_digits(text, date->tm_mon + 1, 2, '0'); break;
    case 'M': put_digits(text, date->tm_min, 2, '0'); break;
    case 'n': put(text, '\n'); break;
    case 'p':
        put(text, (char)('A' + ('P' - 'A') * (date->tm_hour >= 12)));
        put(text, 'M');
        break;
    case 'S': put_digits(text, date->tm_sec, 2, '0'); break;
    case 't': put(text, '\t'); break;
    case 'w': put_digits(text, date->tm_wday, 1, '0'); break;
    case 'y': put_digits(text, date->tm_year % 100, 2, '0'); break;
    case 'Y': put_digits(text, date->tm_year + 1900, 4, '0'); break;
    case '%': put(text, '%'); break;
    case 'c': several = "a b e H:M:S Y"; break;
    case 'D':
    case 'x': several = "m/d/y"; break;
    case 'F': several = "Y-m-d"; break;
    case 'r': several = "I:M:S p"; break;
    case 'R': several = "H:M"; break;
    case 'T':
    case 'X': several = "H:M:S"; break;
    default: __selvedge_unsupported("this conversion of strftime");
    }
    for (; several && *several; several++) {
        int is_item = (unsigned)((*several | 32) - 'a') < 26u;
        if (is_item)
            put_item(text, *several, date);
        else
            put(text, *several);
    }
}

WEAK size_t strftime(char *restrict buf, size_t size, const char *restrict format, const struct tm *restrict date)
{
    struct text text = {buf, size, 0};
    if ((date->tm_year < -900) | (date->tm_year > 9999 - 1900))
        __selvedge_unsupported("strftime with a year that has not four digits");
    for (; *format; format++) {
        if (*format == '%')
            put_item(&text, *++format, date);
        else
            put(&text, *format);
    }
    put(&text, '\0');
    return text.length > size ? 0 : text.length - 1;
}

static char *to_text(const struct tm *date, char *buf)
{
    struct text text = {buf, 26, 0};
    put_item(&text, 'c', date);
    put(&text, '\n');
    put(&text, '\0');
    return buf;
}

static char shared_text[26];

WEAK char *asctime(const struct tm *date) { return to_text(date, shared_text); }
WEAK char *asctime_r(const struct tm *restrict date, char *restrict buf) { return to_text(date, buf); }

WEAK char *ctime(const time_t *when)
{
    struct tm date;
    return to_text(any_date(when, &date), shared_text);
}

WEAK char *ctime_r(const time_t *restrict when, char *restrict buf)
{
    struct tm date;
    return to_text(any_date(when, &date), buf);
}
