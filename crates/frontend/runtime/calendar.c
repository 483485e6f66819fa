/* The calendar: a time as year, month and day, and back. The time zone is UTC, which the ledger notes.
 *
 * Days are counted from 1 March of the year 0, in cycles of 400 years, so that the odd day of a leap year comes last.
 */
#include "world.h"

#include <time.h>

#define DAY 86400
#define CYCLE_DAYS 146097   /* days in 400 years */
#define EPOCH_DAYS 719468   /* from 1 March of the year 0 to 1 January 1970 */

static struct tm shared;
static char utc[] = "UTC", gmt[] = "GMT";

/* What the C library keeps for programs that look. */
WEAK char *tzname[2] = {utc, utc};
WEAK int daylight = 0;
WEAK long timezone = 0;
WEAK void tzset(void) { __selvedge_assumed("world.timezone-utc"); }

static long long floor_div(long long a, long long b) { return a / b - (a % b < 0); }

/* Days before the first of a month, counted from March. */
static int days_before(int month_from_march) { return (153 * month_from_march + 2) / 5; }

static int is_leap(long long year) { return ((year % 4 == 0) & (year % 100 != 0)) | (year % 400 == 0); }

/* Provided by the engine. */
int __selvedge_is_symbolic(uintptr_t n);

/* The end of the times that clocks show, in 2242. */
#define CLOCKS_END (1LL << 33)

/* The next bits of a number. */
static unsigned part(unsigned long long *bits, int n)
{
    unsigned value = (unsigned)(*bits & ((1u << n) - 1));
    *bits >>= n;
    return value;
}

/* The years, from 1970, whose rule this is: every fourth one is a leap year, but for two. */
#define YEARS 330

static unsigned is_leap_since(unsigned year) { return ((year + 2) % 4 == 0) & (year != 130) & (year != 230); }

/* Days before a month in its year: from March on, without a division. */
static unsigned days_in_year(unsigned year, unsigned month)
{
    unsigned is_late = month > 1, late = 59 + is_leap_since(year) + ((979 * (month - 2) + 16) >> 5 & 511);
    return is_late * late + (month == 1) * 31;
}

/* Days from 1970 to a month. Years, months and days are counted from 0. */
static unsigned days_since(unsigned year, unsigned month)
{
    return 365 * year + (year + 1) / 4 - (year > 130) - (year > 230) + days_in_year(year, month);
}

static unsigned days_in_month(unsigned year, unsigned month)
{
    return 30 + ((month + 1 + (month > 6)) & 1) - (month == 1) * (2 - is_leap_since(year));
}

static long long seconds_since(long long days, long long hour, long long minute, long long second)
{
    return days * DAY + hour * 3600 + minute * 60 + second;
}

/* The days of a usual date. */
static unsigned days_of(const struct tm *date)
{
    return days_since((unsigned)date->tm_year - 70, (unsigned)date->tm_mon) + ((unsigned)date->tm_mday - 1);
}

/* The day of the week and of the year of a usual date. */
static void complete(struct tm *date)
{
    date->tm_wday = (int)((days_of(date) + 4) % 7);
    date->tm_yday = (int)(days_in_year((unsigned)date->tm_year - 70, (unsigned)date->tm_mon) + (unsigned)date->tm_mday - 1);
}

/* A date of which only the time is known, from 1970 on. Dividing a symbolic time again and again is much to ask a solver
 * about, and that a month is below 12 even more. So the date is an input: any valid one, of which one has this time. */
static void guess_date(long long seconds, struct tm *to)
{
    unsigned long long any;
    __selvedge_file_input(&any, sizeof any, "date of a time", 14, TIME_OF_FILE);
    unsigned second = part(&any, 6), minute = part(&any, 6), hour = part(&any, 5);
    unsigned day = part(&any, 5), month = part(&any, 4), year = part(&any, 9);
    __VERIFIER_assume((second < 60) & (minute < 60) & (hour < 24) & (month < 12) & (day < days_in_month(year, month)));
    __VERIFIER_assume(seconds == seconds_since(days_since(year, month) + day, hour, minute, second));
    to->tm_sec = (int)second;
    to->tm_min = (int)minute;
    to->tm_hour = (int)hour;
    to->tm_mday = (int)day + 1;
    to->tm_mon = (int)month;
    to->tm_year = (int)year + 70;
    complete(to);
}

/* Whether it is a symbolic date of these years with all members in their ranges. */
static int is_usual(const struct tm *date)
{
    unsigned year = (unsigned)date->tm_year - 70, month = (unsigned)date->tm_mon, day = (unsigned)date->tm_mday - 1;
    if (!__selvedge_is_symbolic(year) && !__selvedge_is_symbolic(month) && !__selvedge_is_symbolic(day))
        return 0;
    return ((unsigned)date->tm_sec < 60) & ((unsigned)date->tm_min < 60) & ((unsigned)date->tm_hour < 24) &
           (month < 12) & (day < days_in_month(year, month)) & (year < YEARS);
}

static struct tm *in_zone(struct tm *to, char *zone)
{
    to->tm_isdst = 0;
    to->tm_gmtoff = 0;
    to->tm_zone = zone;
    return to;
}

static struct tm *to_date(const time_t *when, struct tm *to, char *zone)
{
    long long seconds = *when;
    if (__selvedge_is_symbolic((uintptr_t)seconds) && seconds >= 0 && seconds < CLOCKS_END) {
        guess_date(seconds, to);
        return in_zone(to, zone);
    }
    long long days = floor_div(seconds, DAY);
    int rest = (int)(seconds - days * DAY);
    long long since = days + EPOCH_DAYS;
    long long cycle = floor_div(since, CYCLE_DAYS);
    int day = (int)(since - cycle * CYCLE_DAYS);
    int year_in_cycle = (day - day / 1460 + day / 36524 - day / 146096) / 365;
    int day_of_year = day - (365 * year_in_cycle + year_in_cycle / 4 - year_in_cycle / 100);
    int month = (5 * day_of_year + 2) / 153;
    int is_next = month >= 10; /* January and February belong to the next year */
    long long year = cycle * 400 + year_in_cycle + is_next - 1900;
    if (year > INT_MAX || year < INT_MIN) {
        errno = EOVERFLOW;
        return NULL;
    }
    to->tm_sec = rest % 60;
    to->tm_min = rest / 60 % 60;
    to->tm_hour = rest / 3600;
    to->tm_mday = day_of_year - days_before(month) + 1;
    to->tm_mon = month + 2 - 12 * is_next;
    to->tm_year = (int)year;
    to->tm_wday = (int)(((days + 4) % 7 + 7) % 7);
    int before_march = 59 + is_leap(year + 1900);
    to->tm_yday = is_next ? day_of_year - 306 : day_of_year + before_march;
    return in_zone(to, zone);
}

static struct tm *to_local(const time_t *when, struct tm *to)
{
    __selvedge_assumed("world.timezone-utc");
    return to_date(when, to, utc);
}

WEAK struct tm *localtime(const time_t *when) { return to_local(when, &shared); }
WEAK struct tm *gmtime(const time_t *when) { return to_date(when, &shared, gmt); }
WEAK struct tm *localtime_r(const time_t *restrict when, struct tm *restrict to) { return to_local(when, to); }
WEAK struct tm *gmtime_r(const time_t *restrict when, struct tm *restrict to) { return to_date(when, to, gmt); }
WEAK struct tm *__selvedge_local_time(const time_t *when, struct tm *to) { return to_local(when, to); }

/* The seconds of a date whose members may be outside their ranges. */
static long long count_seconds(const struct tm *date)
{
    long long month = date->tm_mon, year = 1900LL + date->tm_year + floor_div(month, 12);
    int from_march = (int)(month - 12 * floor_div(month, 12)) - 2;
    int is_early = from_march < 0;
    from_march += 12 * is_early;
    year -= is_early;
    long long cycle = floor_div(year, 400);
    int year_in_cycle = (int)(year - 400 * cycle);
    int day_of_cycle = 365 * year_in_cycle + year_in_cycle / 4 - year_in_cycle / 100 + days_before(from_march);
    long long days = cycle * CYCLE_DAYS + day_of_cycle - EPOCH_DAYS + date->tm_mday - 1LL;
    return seconds_since(days, date->tm_hour, date->tm_min, date->tm_sec);
}

static time_t from_date(struct tm *date, char *zone)
{
    /* The same terms as those of a date that was guessed: a program that goes there and back is then easy to follow. */
    int is_easy = is_usual(date);
    long long seconds = is_easy ? seconds_since(days_of(date), date->tm_hour, date->tm_min, date->tm_sec) : count_seconds(date);
    time_t when = (time_t)seconds;
    if (is_easy && when == seconds) {
        complete(date);
        in_zone(date, zone);
        return when;
    }
    struct tm normal;
    if (when != seconds || !to_date(&when, &normal, zone)) {
        errno = EOVERFLOW;
        return -1;
    }
    *date = normal;
    return when;
}

static time_t from_local(struct tm *date)
{
    __selvedge_assumed("world.timezone-utc");
    if (date->tm_isdst > 0)
        __selvedge_unsupported("mktime of a date in daylight saving time");
    return from_date(date, utc);
}

WEAK time_t timegm(struct tm *date) { return from_date(date, gmt); }
WEAK time_t mktime(struct tm *date) { return from_local(date); }
WEAK time_t timelocal(struct tm *date) { return from_local(date); }
WEAK long long __selvedge_seconds(const struct tm *date) { return count_seconds(date); }

WEAK int dysize(int year) { return 365 + is_leap(year); }
