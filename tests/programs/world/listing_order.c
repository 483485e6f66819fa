// The order of names is a choice in a folder that the program made itself, too; so are names of temporary files.
//@ verdict: safe
//@ flags: --no-files
//@ assumes: world.directory-listing world.io-succeeds world.memory-succeeds world.temporary-names
#include <assert.h>
#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void)
{
    assert(mkdir("folder", 0700) == 0);
    DIR *all = opendir("folder");
    assert(all && readdir(all)->d_name[0] == '.');
    closedir(all);
    char name[] = "folder/XXXXXX";
    int fd = mkstemp(name);
    assert(fd >= 0 && name[7] != 'X');
    return 0;
}
