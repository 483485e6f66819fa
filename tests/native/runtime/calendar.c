/* Dates as text, and addresses of the network as text. */
#include "check.h"

#include <arpa/inet.h>
#include <time.h>

RT(gmtime_r); RT(timegm); RT(strftime); RT(asctime_r); RT(inet_addr); RT(inet_ntoa); RT(htons); RT(htonl);

static void check_dates(void)
{
    static const char *formats[] = {"%D-%T", "%a %b %e %H:%M:%S %Y", "%c|%x|%X", "%F %R %r", "%C %y %j %w %p%%%n%t%I", ""};
    for (int i = 0; i < 20000; i++) {
        struct tm date = {.tm_sec = (int)below(61), .tm_min = (int)below(60), .tm_hour = (int)below(24),
                          .tm_mday = (int)below(31) + 1, .tm_mon = (int)below(12), .tm_year = (int)below(8100),
                          .tm_wday = (int)below(7), .tm_yday = (int)below(366)};
        const char *format = formats[below(sizeof formats / sizeof formats[0])];
        char theirs[100] = "", ours[100] = "";
        size_t room = below(4) == 0 ? below(30) : sizeof ours;
        size_t length = strftime(theirs, room, format, &date);
        CHECK(rt_strftime(ours, room, format, &date) == length, "strftime(%s) gives %zu", format, length);
        CHECK(length == 0 || strcmp(ours, theirs) == 0, "%s: %s, not %s", format, ours, theirs);
        CHECK(strcmp(rt_asctime_r(&date, ours), asctime_r(&date, theirs)) == 0, "%s, not %s", ours, theirs);
    }
}

extern unsigned long long file_input;
extern int numbers_are_symbolic, assumptions_hold;

/* Every day that a symbolic clock may show is one of the dates that the run-time guesses from, and only one. */
static void check_guesses(void)
{
    const long long end = sizeof(time_t) == 8 ? 1LL << 33 : INT32_MAX;
    numbers_are_symbolic = 1;
    for (long long day = 0; day * 86400 < end; day++) {
        time_t when = (time_t)(day * 86400 + (long long)below(86400));
        if (when >= end || when < 0)
            break;
        struct tm theirs, ours;
        gmtime_r(&when, &theirs);
        file_input = (unsigned)theirs.tm_sec | (unsigned)theirs.tm_min << 6 | (unsigned)theirs.tm_hour << 12 |
                     (unsigned)(theirs.tm_mday - 1) << 17 | (unsigned)theirs.tm_mon << 22 |
                     (unsigned long long)(theirs.tm_year - 70) << 26;
        assumptions_hold = 1;
        rt_gmtime_r(&when, &ours);
        CHECK(assumptions_hold, "the date of %lld is no guess", (long long)when);
        CHECK(ours.tm_mday == theirs.tm_mday && ours.tm_mon == theirs.tm_mon && ours.tm_year == theirs.tm_year &&
                  ours.tm_wday == theirs.tm_wday && ours.tm_yday == theirs.tm_yday,
              "the date of %lld", (long long)when);
        CHECK(rt_timegm(&ours) == when, "the time of %lld", (long long)when);
        file_input += 1ULL << 17; /* another day */
        assumptions_hold = 1;
        rt_gmtime_r(&when, &ours);
        CHECK(!assumptions_hold, "two dates of %lld", (long long)when);
    }
    assumptions_hold = 1;
    numbers_are_symbolic = 0;
    file_input = 0;
}

static void check_addresses(void)
{
    for (int i = 0; i < 20000; i++) {
        struct in_addr address = {(in_addr_t)random_bits()};
        CHECK(strcmp(rt_inet_ntoa(address), inet_ntoa(address)) == 0, "%s", inet_ntoa(address));
        CHECK(rt_inet_addr(inet_ntoa(address)) == address.s_addr, "%s", inet_ntoa(address));
    }
    static const char *wrong[] = {"1.2.3.256", "1.2.3.", "1.2.3.4x", "a", "1..2.3", "300.1.1.1", "1.2.3.4 x"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        CHECK(rt_inet_addr(wrong[i]) == inet_addr(wrong[i]), "%s", wrong[i]);
    CHECK(rt_htons(0x1234) == htons(0x1234) && rt_htonl(0x12345678) == htonl(0x12345678), "byte order");
}

void check_calendar(void)
{
    check_dates();
    check_guesses();
    check_addresses();
}
