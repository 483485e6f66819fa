// Options of the command line: groups, arguments in the same word or the next, unknown ones, the end of options.
//@ verdict: safe
#include <assert.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    char *words[] = {"program", "-ab", "-n5", "-n", "6", "-x", "--", "-a", 0};
    int n = 8;
    opterr = 0;
    assert(getopt(n, words, "abn:") == 'a');
    assert(getopt(n, words, "abn:") == 'b');
    assert(getopt(n, words, "abn:") == 'n' && strcmp(optarg, "5") == 0);
    assert(getopt(n, words, "abn:") == 'n' && strcmp(optarg, "6") == 0);
    assert(getopt(n, words, "abn:") == '?' && optopt == 'x');
    assert(getopt(n, words, "abn:") == -1 && optind == 7);

    char *missing[] = {"program", "-n", 0};
    optind = 1;
    assert(getopt(2, missing, ":n:") == ':');
    return 0;
}
