// The date of a time is computed, also of one that is not known.
//@ verdict: safe
//@ rev wrong:
//@ clang[wrong]: -DWRONG
//@ verdict[wrong]: unsafe(assert)
#include <assert.h>
#include <errno.h>
#include <string.h>
#include <time.h>

int main(void)
{
    time_t now;
    time(&now);
    struct tm *date = localtime(&now);
    assert(date->tm_mon >= 0 && date->tm_mon < 12 && date->tm_sec <= 59);
#ifdef WRONG
    assert(date->tm_sec != 30);
#endif
    char text[64];

    struct tm known = {.tm_year = 123, .tm_mon = 1, .tm_mday = 3, .tm_hour = 13, .tm_min = 5, .tm_sec = 9, .tm_wday = 5};
    assert(strftime(text, 5, "%Y-%m", &known) == 0);
    strftime(text, sizeof text, "%a %b %e %I:%M %p %Y%%", &known);
    assert(strcmp(text, "Fri Feb  3 01:05 PM 2023%") == 0);
    assert(strcmp(asctime(&known), "Fri Feb  3 13:05:09 2023\n") == 0);

    time_t leap = 951782400;
    date = gmtime(&leap);
    assert(date->tm_year == 100 && date->tm_mon == 1 && date->tm_mday == 29 && date->tm_wday == 2);
    assert(date->tm_yday == 59 && mktime(date) == leap);
    struct tm later = {.tm_year = 123, .tm_mon = 13, .tm_mday = 30};
    assert(mktime(&later) == 1709251200 && later.tm_mon == 2 && later.tm_mday == 1 && later.tm_year == 124);
    time_t never = (time_t)1 << 62;
    errno = 0;
    assert(!gmtime(&never) && errno == EOVERFLOW);
    return 0;
}
