// Nobody said which arguments there are: none, one or two of up to four bytes, and no more.
//@ verdict: unsafe(assert)
//@ rev given: --args
//@ verdict[given]: safe
//@ rev strict: --strict --args ab c
//@ verdict[strict]: safe
#include <assert.h>
#include <string.h>

int main(int argc, char **argv)
{
    assert(argc >= 1 && argc <= 3 && argv[argc] == NULL);
    for (int i = 1; i < argc; i++)
        assert(strlen(argv[i]) <= 4);
    if (argc == 2)
        assert(strcmp(argv[1], "-ok") != 0); //~ BUG!
    return 0;
}
