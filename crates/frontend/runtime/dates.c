/* Dates as text: strftime, strptime, asctime, ctime. The calendar's names are those of the C locale. */
#define _GNU_SOURCE
#include "runtime.h"

#include <string.h>
#include <time.h>

struct tm *__selvedge_local_time(const time_t *when, struct tm *to);
long long __selvedge_seconds(const struct tm *date);

static const char *const day_names[] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
static const char *const month_names[] = {"January", "February", "March",     "April",   "May",      "June",
                                          "July",    "August",   "September", "October", "November", "December"};

static const char days[] = "SunMonTueWedThuFriSat", months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";

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

/* At least so many digits, filled up with `lead`, which 0 stands for nothing. */
static void put_digits(struct text *text, long long value, int digits, char lead)
{
    /* The usual case, without a branch on the digits. */
    if (digits == 2 && (unsigned long long)value < 100) {
        char tens = (char)('0' + value / 10);
        put(text, (char)(tens + (tens == '0') * (lead - '0')));
        put(text, (char)('0' + value % 10));
        return;
    }
    char reversed[20];
    int n = 0;
    unsigned long long rest = value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value;
    do
        reversed[n++] = (char)('0' + rest % 10);
    while (rest /= 10);
    if (value < 0)
        put(text, '-');
    for (int i = n; lead && i < digits - (value < 0); i++)
        put(text, lead);
    while (n > 0)
        put(text, reversed[--n]);
}

static void put_text(struct text *text, const char *from, int most)
{
    for (; *from && most > 0; from++, most--)
        put(text, *from);
}

/* `?` for a number outside the table, as glibc writes. */
static void put_name(struct text *text, const char *const *names, int count, int index)
{
    put_text(text, index >= 0 && index < count ? names[index] : "?", INT_MAX);
}

/* Three letters, all in one text: an index that is not known is then no branch. */
static void put_short(struct text *text, const char *names, int count, int index)
{
    if (index < 0 || index >= count) {
        put(text, '?');
        return;
    }
    for (int i = 0; i < 3; i++)
        put(text, names[3 * index + i]);
}

static int is_leap(long long year) { return ((year % 4 == 0) & (year % 100 != 0)) | (year % 400 == 0); }

/* The week of the year by ISO 8601, and the year that it belongs to. */
static int iso_week(const struct tm *date, long long *year)
{
    int monday_based = (date->tm_wday + 6) % 7;
    int week = (date->tm_yday - monday_based + 10) / 7;
    *year = date->tm_year + 1900LL;
    if (week < 1) {
        (*year)--;
        int days = date->tm_yday + 365 + is_leap(*year);
        return (days - monday_based + 10) / 7;
    }
    if (week == 53 && date->tm_yday - monday_based + 3 >= 365 + is_leap(*year)) {
        (*year)++;
        return 1;
    }
    return week;
}

static void put_all(struct text *text, const char *format, const struct tm *date);

static void put_item(struct text *text, char item, const struct tm *date)
{
    int hour = date->tm_hour % 12;
    hour += 12 * (hour == 0);
    long long year = date->tm_year + 1900LL, iso_year;
    long long century = year / 100 - (year % 100 < 0);
    switch (item) {
    case 'a': put_short(text, days, 7, date->tm_wday); break;
    case 'A': put_name(text, day_names, 7, date->tm_wday); break;
    case 'b':
    case 'h': put_short(text, months, 12, date->tm_mon); break;
    case 'B': put_name(text, month_names, 12, date->tm_mon); break;
    case 'c': put_all(text, "%a %b %e %H:%M:%S %Y", date); break;
    case 'C': put_digits(text, century, 2, '0'); break;
    case 'd': put_digits(text, date->tm_mday, 2, '0'); break;
    case 'D':
    case 'x': put_all(text, "%m/%d/%y", date); break;
    case 'e': put_digits(text, date->tm_mday, 2, ' '); break;
    case 'F': put_all(text, "%Y-%m-%d", date); break;
    case 'g':
        iso_week(date, &iso_year);
        put_digits(text, (iso_year % 100 + 100) % 100, 2, '0');
        break;
    case 'G':
        iso_week(date, &iso_year);
        put_digits(text, iso_year, 1, 0);
        break;
    case 'H': put_digits(text, date->tm_hour, 2, '0'); break;
    case 'I': put_digits(text, hour, 2, '0'); break;
    case 'j': put_digits(text, date->tm_yday + 1LL, 3, '0'); break;
    case 'k': put_digits(text, date->tm_hour, 2, ' '); break;
    case 'l': put_digits(text, hour, 2, ' '); break;
    case 'm': put_digits(text, date->tm_mon + 1LL, 2, '0'); break;
    case 'M': put_digits(text, date->tm_min, 2, '0'); break;
    case 'n': put(text, '\n'); break;
    case 'p': put_text(text, date->tm_hour >= 12 ? "PM" : "AM", 2); break;
    case 'P': put_text(text, date->tm_hour >= 12 ? "pm" : "am", 2); break;
    case 'r': put_all(text, "%I:%M:%S %p", date); break;
    case 'R': put_all(text, "%H:%M", date); break;
    case 's':
        __selvedge_assumed("world.timezone-utc");
        put_digits(text, __selvedge_seconds(date), 1, 0);
        break;
    case 'S': put_digits(text, date->tm_sec, 2, '0'); break;
    case 't': put(text, '\t'); break;
    case 'T':
    case 'X': put_all(text, "%H:%M:%S", date); break;
    case 'u': put_digits(text, (date->tm_wday + 6) % 7 + 1, 1, '0'); break;
    case 'U': put_digits(text, (date->tm_yday - date->tm_wday + 7) / 7, 2, '0'); break;
    case 'V': put_digits(text, iso_week(date, &iso_year), 2, '0'); break;
    case 'w': put_digits(text, date->tm_wday, 1, '0'); break;
    case 'W': put_digits(text, (date->tm_yday - (date->tm_wday + 6) % 7 + 7) / 7, 2, '0'); break;
    case 'y': put_digits(text, (year % 100 + 100) % 100, 2, '0'); break;
    case 'Y': put_digits(text, year, 1, 0); break;
    case 'z': {
        long offset = date->tm_gmtoff, minutes = (offset < 0 ? -offset : offset) / 60;
        if (date->tm_isdst < 0)
            break;
        put(text, offset < 0 ? '-' : '+');
        put_digits(text, minutes / 60 * 100 + minutes % 60, 4, '0');
        break;
    }
    case 'Z': put_text(text, date->tm_isdst < 0 ? "" : date->tm_zone ? date->tm_zone : "", INT_MAX); break;
    case '%': put(text, '%'); break;
    default: __selvedge_unsupported("this conversion of strftime");
    }
}

static void put_all(struct text *text, const char *format, const struct tm *date)
{
    for (; *format; format++) {
        if (*format != '%') {
            put(text, *format);
            continue;
        }
        format++;
        /* The C locale has no other digits or eras. */
        if (*format == 'E' || *format == 'O')
            format++;
        put_item(text, *format, date);
    }
}

WEAK size_t strftime(char *restrict buf, size_t size, const char *restrict format, const struct tm *restrict date)
{
    struct text text = {buf, size, 0};
    put_all(&text, format, date);
    put(&text, '\0');
    if (text.length <= size)
        return text.length - 1;
    errno = ERANGE;
    return 0;
}

/* As C has it; and room for years that these 26 bytes cannot hold. */
static char shared_text[26], longer_text[64];

static char *to_text(const struct tm *date, char *buf, size_t size)
{
    struct text text = {buf, size, 0};
    if (!date) {
        errno = EINVAL;
        return NULL;
    }
    if (date->tm_year > INT_MAX - 1900) {
        errno = EOVERFLOW;
        return NULL;
    }
    put_short(&text, days, 7, date->tm_wday);
    put(&text, ' ');
    put_short(&text, months, 12, date->tm_mon);
    put(&text, ' ');
    put_digits(&text, date->tm_mday, 2, ' ');
    put(&text, ' ');
    put_all(&text, "%H:%M:%S ", date);
    put_digits(&text, date->tm_year + 1900LL, 1, 0);
    put(&text, '\n');
    put(&text, '\0');
    if (text.length <= size)
        return buf;
    errno = EOVERFLOW;
    return NULL;
}

static char *to_shared_text(const struct tm *date)
{
    int before = errno;
    FORGET(shared_text);
    if (to_text(date, shared_text, sizeof shared_text))
        return shared_text;
    if (errno != EOVERFLOW)
        return NULL;
    errno = before;
    FORGET(longer_text);
    return to_text(date, longer_text, sizeof longer_text);
}

WEAK char *asctime(const struct tm *date) { return to_shared_text(date); }
WEAK char *asctime_r(const struct tm *restrict date, char *restrict buf) { return to_text(date, buf, 26); }

WEAK char *ctime(const time_t *when)
{
    struct tm date;
    return __selvedge_local_time(when, &date) ? to_shared_text(&date) : NULL;
}

WEAK char *ctime_r(const time_t *restrict when, char *restrict buf)
{
    struct tm date;
    return __selvedge_local_time(when, &date) ? to_text(&date, buf, 26) : NULL;
}

/* What strptime has read so far. */
struct reading {
    struct tm *date;
    int century, year_of_century; /* -1: not given */
    int is_afternoon;             /* -1: not given */
    int has_month_day, has_year, has_year_day, has_week_day;
};

static const char *read_number(const char *text, int low, int high, int digits, int *value)
{
    while (is_space((unsigned char)*text))
        text++;
    if (!is_digit((unsigned char)*text))
        return NULL;
    int sum = 0;
    do
        sum = 10 * sum + (*text++ - '0');
    while (--digits > 0 && is_digit((unsigned char)*text) && 10 * sum <= high);
    if (sum < low || sum > high)
        return NULL;
    *value = sum;
    return text;
}

static const char *match_name(const char *text, const char *name, int length)
{
    for (int i = 0; name[i] && i < length; i++)
        if (to_lower((unsigned char)text[i]) != to_lower((unsigned char)name[i]))
            return NULL;
    int full = 0;
    while (name[full] && full < length)
        full++;
    return text + full;
}

static const char *read_name(const char *text, const char *const *names, int count, int *value)
{
    for (int i = 0; i < count; i++) {
        const char *end = match_name(text, names[i], 99);
        if (!end)
            end = match_name(text, names[i], 3);
        if (end) {
            *value = i;
            return end;
        }
    }
    return NULL;
}

static const char *read_all(struct reading *r, const char *text, const char *format);

static const char *read_item(struct reading *r, const char *text, char item)
{
    struct tm *date = r->date;
    int value;
    switch (item) {
    case 'a':
    case 'A':
        r->has_week_day = 1;
        return read_name(text, day_names, 7, &date->tm_wday);
    case 'b':
    case 'B':
    case 'h':
        r->has_month_day |= 1;
        return read_name(text, month_names, 12, &date->tm_mon);
    case 'c': return read_all(r, text, "%a %b %e %H:%M:%S %Y");
    case 'C': return read_number(text, 0, 99, 2, &r->century);
    case 'd':
    case 'e':
        r->has_month_day |= 2;
        return read_number(text, 1, 31, 2, &date->tm_mday);
    case 'D':
    case 'x': return read_all(r, text, "%m/%d/%y");
    case 'F': return read_all(r, text, "%Y-%m-%d");
    case 'k':
    case 'H':
        r->is_afternoon = -1;
        return read_number(text, 0, 23, 2, &date->tm_hour);
    case 'l':
    case 'I':
        text = read_number(text, 1, 12, 2, &value);
        if (text)
            date->tm_hour = value % 12 + 12 * (r->is_afternoon == 1);
        r->is_afternoon = r->is_afternoon < 0 ? 2 : r->is_afternoon;
        return text;
    case 'j':
        r->has_year_day = 1;
        text = read_number(text, 1, 366, 3, &value);
        if (text)
            date->tm_yday = value - 1;
        return text;
    case 'm':
        r->has_month_day |= 1;
        text = read_number(text, 1, 12, 2, &value);
        if (text)
            date->tm_mon = value - 1;
        return text;
    case 'M': return read_number(text, 0, 59, 2, &date->tm_min);
    case 'n':
    case 't':
        while (is_space((unsigned char)*text))
            text++;
        return text;
    case 'p': {
        const char *end = match_name(text, "AM", 2);
        value = !end;
        if (!end)
            end = match_name(text, "PM", 2);
        if (!end)
            return NULL;
        if (r->is_afternoon == 2)
            date->tm_hour = date->tm_hour % 12 + 12 * value;
        r->is_afternoon = r->is_afternoon == 2 ? 2 : value;
        return end;
    }
    case 'r': return read_all(r, text, "%I:%M:%S %p");
    case 'R': return read_all(r, text, "%H:%M");
    case 's': {
        time_t when = 0;
        if (*text < '0' || *text > '9')
            return NULL;
        for (; *text >= '0' && *text <= '9'; text++)
            when = (time_t)((unsigned long long)when * 10 + (unsigned)(*text - '0'));
        return localtime_r(&when, date) ? text : NULL;
    }
    case 'S': return read_number(text, 0, 61, 2, &date->tm_sec);
    case 'T':
    case 'X': return read_all(r, text, "%H:%M:%S");
    case 'w':
        r->has_week_day = 1;
        return read_number(text, 0, 6, 1, &date->tm_wday);
    case 'y': return read_number(text, 0, 99, 2, &r->year_of_century);
    case 'Y':
        r->has_year = 1;
        text = read_number(text, 0, 9999, 4, &value);
        if (text)
            date->tm_year = value - 1900;
        r->century = -1;
        return text;
    case '%': return *text == '%' ? text + 1 : NULL;
    default: __selvedge_unsupported("this conversion of strptime");
    }
}

static const char *read_all(struct reading *r, const char *text, const char *format)
{
    for (; *format; format++) {
        if (is_space((unsigned char)*format)) {
            while (is_space((unsigned char)*text))
                text++;
        } else if (*format != '%') {
            if (*format != *text++)
                return NULL;
        } else {
            format++;
            if (*format == 'E' || *format == 'O')
                format++;
            text = read_item(r, text, *format);
            if (!text)
                return NULL;
        }
    }
    return text;
}

static int day_of_year(int year, int month, int day)
{
    static const short before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
    return before[month] + (month > 1 && is_leap(year)) + day - 1;
}

/* Members that follow from those that were given. */
static void complete(struct reading *r)
{
    struct tm *date = r->date;
    if (r->year_of_century >= 0) {
        int value = r->year_of_century;
        date->tm_year = r->century >= 0 ? 100 * r->century + value - 1900 : value + 100 * (value < 69);
        r->has_year = 1;
    } else if (r->century >= 0) {
        date->tm_year = 100 * r->century - 1900 + (r->has_year ? (date->tm_year + 1900) % 100 : date->tm_year % 100);
        r->has_year = 1;
    }
    int year = date->tm_year + 1900;
    if (!r->has_year && !r->has_month_day)
        return;
    if (r->has_year_day && r->has_month_day != 3) {
        int month = 11;
        while (month > 0 && day_of_year(year, month, 1) > date->tm_yday)
            month--;
        date->tm_mon = r->has_month_day & 1 ? date->tm_mon : month;
        date->tm_mday = r->has_month_day & 2 ? date->tm_mday : date->tm_yday - day_of_year(year, month, 1) + 1;
    }
    if (date->tm_mon < 0 || date->tm_mon > 11)
        return;
    if (!r->has_week_day) {
        struct tm noon = {.tm_year = date->tm_year, .tm_mon = date->tm_mon, .tm_mday = date->tm_mday, .tm_hour = 12};
        long long days = (__selvedge_seconds(&noon) - 43200) / 86400;
        date->tm_wday = (int)(((days + 4) % 7 + 7) % 7);
    }
    if (!r->has_year_day)
        date->tm_yday = day_of_year(year, date->tm_mon, date->tm_mday);
}

WEAK char *strptime(const char *restrict text, const char *restrict format, struct tm *restrict date)
{
    struct reading r = {.date = date, .century = -1, .year_of_century = -1, .is_afternoon = -1};
    text = read_all(&r, text, format);
    if (text)
        complete(&r);
    return (char *)text;
}
