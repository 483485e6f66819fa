// Texts in buffers of the library's: what lies behind one is out of bounds, or nothing is known of it. It was zero.
//@ verdict: unsafe(memory)
//@ rev date: --check default
//@ clang[date]: -DTEXT=ctime(&when)
//@ rev broken_down: --check default
//@ clang[broken_down]: -DTEXT=asctime(gmtime(&when))
//@ rev day: --check default
//@ clang[day]: -DTEXT=nl_langinfo(DAY_1)
//@ rev month: --check default
//@ clang[month]: -DTEXT=nl_langinfo(ABMON_2)
//@ rev address: --check default
//@ clang[address]: -DTEXT=inet_ntoa(nowhere)
//@ verdict[address]: unsafe(assert)
//@ rev error: --check default
//@ clang[error]: -DTEXT=strerror(9999)
//@ verdict[error]: unsafe(assert)
#include <arpa/inet.h>
#include <assert.h>
#include <langinfo.h>
#include <string.h>
#include <time.h>

static time_t when __attribute__((unused));
static struct in_addr nowhere __attribute__((unused));

int main(void)
{
    char *text = TEXT;
    assert(text[strlen(text) + 1] == 0);
    return 0;
}
