// The date of an open clock: every valid one, and there and back is the same time.
//@ verdict: safe
//@ rev any:
//@ rev leap-day:
//@ clang[leap-day]: -DLEAP_DAY
//@ verdict[leap-day]: unsafe(assert)
//@ assumes[any]: world.clock-range world.timezone-utc
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

int main(void)
{
    time_t now = time(NULL);
    struct tm date = *localtime(&now);
    char text[64];
    assert(strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &date) == 19);
    assert(text[4] == '-' && text[0] == '1' + (date.tm_year >= 100));
    assert(date.tm_mon >= 0 && date.tm_mon < 12 && date.tm_wday >= 0 && date.tm_wday < 7);
    assert(date.tm_mday >= 1 && date.tm_mday <= (date.tm_mon == 1 ? 29 : 31));
    assert(date.tm_yday >= 0 && date.tm_yday < 366);
#ifdef LEAP_DAY
    // A Wednesday in 2096, found; 2100 has no such day.
    assert(date.tm_year != 196 || date.tm_mon != 1 || date.tm_mday != 29 || date.tm_wday != 3);
#else
    assert(date.tm_year != 200 || date.tm_mon != 1 || date.tm_mday < 29);
    assert(mktime(&date) == now);
#endif
    puts(text);
    return 0;
}
