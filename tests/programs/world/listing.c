// A directory lists what the program has made in it.
//@ verdict: safe
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void)
{
    assert(mkdir("box", 0700) == 0 || errno == EEXIST);
    if (chdir("box") != 0)
        return 0;
    close(creat("one", 0644));
    close(creat("two", 0644));
    close(creat("gone", 0644));
    unlink("gone");
    DIR *d = opendir(".");
    assert(d);
    int files = 0, others = 0;
    for (struct dirent *e; (e = readdir(d));) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            others++;
        else
            files += strcmp(e->d_name, "one") == 0 || strcmp(e->d_name, "two") == 0;
        assert(strcmp(e->d_name, "gone") != 0);
    }
    assert(files == 2 && others == 2);
    closedir(d);
    assert(!opendir("one") && errno == ENOTDIR);
    char buf[64];
    assert(getcwd(buf, sizeof buf) && strcmp(buf, "/home/user/box") == 0);
    assert(!getcwd(buf, 5) && errno == ERANGE);
    assert(chdir("..") == 0 && access("box/one", R_OK | W_OK) == 0 && access("box/one", X_OK) == -1);
    return 0;
}
