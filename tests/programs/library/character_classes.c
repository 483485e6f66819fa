// ctype.h on a symbolic character agrees with the definitions for ASCII.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>
#include <ctype.h>

int main(void)
{
    unsigned char c;
    SYMBOLIC(c);
    assert(!isdigit(c) == !(c >= '0' && c <= '9'));
    assert(!isupper(c) == !(c >= 'A' && c <= 'Z'));
    assert(!isspace(c) == !(c == ' ' || (c >= 9 && c <= 13)));
    if (isalpha(c)) {
        assert(isalnum(c) && !isdigit(c) && isprint(c));
        assert(isupper(c) || islower(c));
        assert(toupper(tolower(c)) == toupper(c));
    }
    if (isxdigit(c))
        assert(isdigit(c) || (tolower(c) >= 'a' && tolower(c) <= 'f'));
    assert(!ispunct(c) || isgraph(c));
    assert(!isalpha(-1) && tolower('A') == 'a' && toupper('z') == 'Z');
    return 0;
}
