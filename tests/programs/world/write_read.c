// What a program writes it reads back: by descriptors and streams, truncating and appending.
//@ verdict: safe
//@ flags: --check default,leak
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void streams(void)
{
    char line[32];
    FILE *f = fopen("log", "w");
    assert(f);
    assert(fprintf(f, "%d %s\n", 42, "answer") == 10);
    assert(fputs("two\n", f) >= 0 && fputc('3', f) == '3' && fwrite("xy", 1, 2, f) == 2);
    assert(fgetc(f) == EOF && ferror(f));
    assert(fclose(f) == 0);
    f = fopen("log", "a+");
    assert(fputs("!", f) >= 0);
    rewind(f);
    int n;
    char word[8];
    assert(fscanf(f, "%d %7s", &n, word) == 2 && n == 42 && strcmp(word, "answer") == 0);
    assert(fgetc(f) == '\n' && fgets(line, sizeof line, f) && strcmp(line, "two\n") == 0);
    assert(ftell(f) == 14);
    assert(fgets(line, sizeof line, f) && strcmp(line, "3xy!") == 0 && !fgets(line, sizeof line, f) && feof(f));
    assert(fseek(f, -2, SEEK_END) == 0 && fgetc(f) == 'y' && ungetc('Z', f) == 'Z' && fgetc(f) == 'Z');
    fclose(f);
    assert(!fopen("log", "q") && errno == EINVAL);
    assert(!fopen("log", "wx") && errno == EEXIST);
}

static void descriptors(void)
{
    char buf[16];
    int fd = open("log", O_RDWR | O_TRUNC);
    assert(fd == 3 && read(fd, buf, 4) == 0);
    assert(write(fd, "hello", 5) == 5 && lseek(fd, 1, SEEK_SET) == 1);
    assert(read(fd, buf, sizeof buf) == 4 && memcmp(buf, "ello", 4) == 0);
    assert(pwrite(fd, "HE", 2, 0) == 2 && pread(fd, buf, 3, 0) == 3 && memcmp(buf, "HEl", 3) == 0);
    int other = open("log", O_RDONLY);
    assert(other == 4 && ftruncate(fd, 2) == 0 && read(other, buf, 9) == 2);
    assert(write(other, "x", 1) == -1 && errno == EBADF);
    assert(lseek(fd, 4, SEEK_SET) == 4 && write(fd, "!", 1) == 1);
    assert(pread(other, buf, 9, 0) == 5 && memcmp(buf, "HE\0\0!", 5) == 0);
    assert(close(fd) == 0 && close(fd) == -1 && errno == EBADF);
    fd = open("log", O_WRONLY | O_APPEND);
    assert(fd == 3 && write(fd, "?", 1) == 1 && lseek(other, 0, SEEK_END) == 6);
}

int main(void)
{
    streams();
    descriptors();
    return 0;
}
