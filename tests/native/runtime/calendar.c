/* Dates as text, and addresses of the network as text. */
#include "check.h"

#include <arpa/inet.h>
#include <time.h>

RT(strftime); RT(asctime_r); RT(inet_addr); RT(inet_ntoa); RT(htons); RT(htonl);

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
    check_addresses();
}
