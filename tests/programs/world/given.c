// Files that the user gives: one with content, one that may be anything.
//@ verdict: unsafe(assert)
//@ flags: --no-files --file in.txt=/dev/null --sym-file etc/conf=2
#include <assert.h>
#include <stdio.h>
#include <sys/stat.h>

int main(void)
{
    char text[64];
    FILE *f = fopen("in.txt", "r");
    assert(f && !fgets(text, sizeof text, f) && feof(f));
    assert(!fopen("other.txt", "r"));
    struct stat st;
    assert(stat("etc/conf", &st) == 0 && st.st_size <= 2);
    f = fopen("/home/user/etc/conf", "r");
    assert(f);
    if (fgetc(f) == '%' && fgetc(f) == 'd')
        assert(fgetc(f) != EOF); //~ BUG! assert
    return 0;
}
