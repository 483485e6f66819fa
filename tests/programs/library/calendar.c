// A local time is any time within the ranges of its parts.
//@ verdict: safe
//@ rev wrong:
//@ clang[wrong]: -DWRONG
//@ verdict[wrong]: unsafe(assert)
#include <assert.h>
#include <string.h>
#include <time.h>

int main(void)
{
    time_t now;
    time(&now);
    struct tm *date = localtime(&now);
    assert(date->tm_mon >= 0 && date->tm_mon < 12 && date->tm_sec <= 60);
#ifdef WRONG
    assert(date->tm_sec < 60);
#endif
    char text[64];
    assert(strftime(text, sizeof text, "%D-%T", date) == 17);
    assert(text[2] == '/' && text[8] == '-' && text[11] == ':' && text[0] <= '1');
    assert(strftime(text, 5, "%Y-%m", date) == 0);

    struct tm known = {.tm_year = 123, .tm_mon = 1, .tm_mday = 3, .tm_hour = 13, .tm_min = 5, .tm_sec = 9, .tm_wday = 5};
    strftime(text, sizeof text, "%a %b %e %I:%M %p %Y%%", &known);
    assert(strcmp(text, "Fri Feb  3 01:05 PM 2023%") == 0);
    assert(strcmp(asctime(&known), "Fri Feb  3 13:05:09 2023\n") == 0);
    return 0;
}
