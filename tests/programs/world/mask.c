// The file mode creation mask is open until the program sets it, but for the owner's bits.
//@ verdict: safe
//@ flags: --no-files
//@ rev owner:
//@ assumes[owner]: world.file-facts world.io-succeeds world.umask
//@ rev set:
//@ clang[set]: -DSET
//@ assumes[set]: world.file-facts world.io-succeeds
//@ rev group:
//@ clang[group]: -DGROUP
//@ verdict[group]: unsafe(assert)
#include <assert.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void)
{
#ifdef SET
    umask(027);
    assert(umask(027) == 027);
#endif
    int fd = open("new", O_CREAT | O_EXCL | O_RDWR, 0666);
    struct stat facts;
    assert(fd >= 0 && fstat(fd, &facts) == 0);
#ifdef SET
    assert((facts.st_mode & 0777) == 0640);
#else
    assert((facts.st_mode & 0700) == 0600);
    mode_t old = umask(0);
    assert((facts.st_mode & 0777) == (0666 & ~old));
#endif
#ifdef GROUP
    assert(!(facts.st_mode & 020));
#endif
    assert(fchmod(fd, 0644) == 0 && fstat(fd, &facts) == 0 && (facts.st_mode & 0777) == 0644);
    close(fd);
    return 0;
}
