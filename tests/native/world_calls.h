/* What the random programs about files call (crates/testkit/src/worlds/calls.rs): each function makes one call on a slot
 * or a name and prints what it gave, with errno where that says why.
 *
 * Slots are never used after they are closed, and streams change between reading and writing as C asks for: nothing here
 * is undefined, whatever the order of the calls.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define SLOTS 4
static int fd[SLOTS] = {-1, -1, -1, -1};
static struct {
    FILE *file;
    int last;      /* 1: read, 2: written */
    int is_pushed; /* a byte is put back */
} st[SLOTS];
static int is_unbuffered;

static void say(const char *what, long long result)
{
    int error = errno;
    printf("%s %lld", what, result);
    if (result == -1)
        printf("/%d", error);
    printf("\n");
}
static void say_text(const char *what, const char *text, long long length)
{
    printf("%s %lld \"", what, length);
    for (long long i = 0; i < length; i++)
        if (text[i] > 32 && text[i] < 127)
            printf("%c", text[i]);
        else
            printf("\\%02x", (unsigned char)text[i]);
    printf("\"\n");
}
/* A count of bytes in `text`, or a failure. */
static void say_bytes(const char *what, const char *text, long long length)
{
    if (length < 0)
        say(what, length);
    else
        say_text(what, text, length);
}
static void say_string(const char *what, const char *text)
{
    if (text)
        say_text(what, text, (long long)strlen(text));
    else
        printf("%s null\n", what);
}

/* Descriptors. */

static void open_(int slot, const char *name, int flags, int mode)
{
    if (fd[slot] >= 0)
        say("close", close(fd[slot]));
    say("open", fd[slot] = open(name, flags, mode));
}
static void close_(int slot)
{
    say("close", close(fd[slot]));
    fd[slot] = -1;
}
static void read_(int slot, int n)
{
    char to[40];
    say_bytes("read", to, read(fd[slot], to, (size_t)n));
}
static void pread_(int slot, int n, long at)
{
    char to[40];
    say_bytes("pread", to, pread(fd[slot], to, (size_t)n, at));
}
static void write_(int slot, const char *text) { say("write", write(fd[slot], text, strlen(text))); }
static void pwrite_(int slot, const char *text, long at) { say("pwrite", pwrite(fd[slot], text, strlen(text), at)); }
static void readv_(int slot, int n, int m)
{
    char one[20] = "", two[20] = "";
    struct iovec parts[2] = {{one, (size_t)n}, {two, (size_t)m}};
    long got = readv(fd[slot], parts, 2);
    say("readv", got);
    if (got >= 0)
        say_string("one", one), say_string("two", two);
}
static void writev_(int slot, const char *one, const char *two)
{
    struct iovec parts[2] = {{(void *)one, strlen(one)}, {(void *)two, strlen(two)}};
    say("writev", writev(fd[slot], parts, 2));
}
/* Where a directory ends is the file system's own. */
static int is_directory(int number)
{
    struct stat facts;
    return fstat(number, &facts) == 0 && S_ISDIR(facts.st_mode);
}
static void lseek_(int slot, long at, int whence)
{
    if (!is_directory(fd[slot]))
        say("lseek", lseek(fd[slot], at, whence));
}
static void ftruncate_(int slot, long size) { say("ftruncate", ftruncate(fd[slot], size)); }
static void fsync_(int slot) { say("fsync", fsync(fd[slot]) == 0 ? 0 : errno == EINVAL || errno == EROFS ? -2 : -1); }
static void dup_(int from, int to)
{
    if (from == to)
        return;
    if (fd[to] >= 0)
        say("close", close(fd[to]));
    say("dup", fd[to] = dup(fd[from]));
}
static void dup2_(int from, int to) { say("dup2", dup2(fd[from], fd[to])); }
static void dupfd(int from, int to, int lowest)
{
    if (from == to)
        return;
    if (fd[to] >= 0)
        say("close", close(fd[to]));
    say("F_DUPFD", fd[to] = fcntl(fd[from], F_DUPFD, lowest));
}
static void get_flags(int slot)
{
    int flags = fcntl(fd[slot], F_GETFL);
    say("F_GETFL", flags < 0 ? flags : flags & (O_ACCMODE | O_APPEND | O_NONBLOCK));
    say("F_GETFD", fcntl(fd[slot], F_GETFD));
}
/* O_NONBLOCK stays: nothing must wait for ever. */
static void set_flags(int slot, int flags)
{
    int old = fcntl(fd[slot], F_GETFL);
    say("F_SETFL", fcntl(fd[slot], F_SETFL, flags | (old & O_NONBLOCK)));
}
static void say_facts(const char *what, int result, const struct stat *facts)
{
    say(what, result);
    if (result == 0)
        printf(" %o %lld %d\n", (unsigned)(facts->st_mode & (S_ISREG(facts->st_mode) ? 0177777 : S_IFMT)),
               S_ISREG(facts->st_mode) || S_ISLNK(facts->st_mode) ? (long long)facts->st_size : 0,
               S_ISREG(facts->st_mode) ? (int)facts->st_nlink : 0);
}
static void fstat_(int slot)
{
    struct stat facts;
    say_facts("fstat", fstat(fd[slot], &facts), &facts);
}
static void pipe_(int reader, int writer)
{
    int ends[2];
    if (reader == writer)
        return;
    if (fd[reader] >= 0)
        say("close", close(fd[reader]));
    if (fd[writer] >= 0)
        say("close", close(fd[writer]));
    say("pipe", pipe2(ends, O_NONBLOCK));
    fd[reader] = ends[0], fd[writer] = ends[1];
    say("reader", ends[0]), say("writer", ends[1]);
}
static void poll_(int slot, int events)
{
    struct pollfd one = {fd[slot], (short)events, 0};
    say("poll", poll(&one, 1, 0));
    say("revents", one.revents);
}

/* Names. */

static void access_(const char *name, int how) { say("access", access(name, how)); }
static void stat_(const char *name)
{
    struct stat facts;
    say_facts("stat", stat(name, &facts), &facts);
}
static void lstat_(const char *name)
{
    struct stat facts;
    say_facts("lstat", lstat(name, &facts), &facts);
}
static void readlink_(const char *name, int size)
{
    char to[40];
    say_bytes("readlink", to, readlink(name, to, (size_t)size));
}
static int by_name(const void *left, const void *right) { return strcmp(left, right); }
static void list(const char *name)
{
    char names[32][32];
    int n = 0;
    DIR *directory = opendir(name);
    if (!directory) {
        say("opendir", -1);
        return;
    }
    errno = 0;
    for (struct dirent *entry; n < 32 && (entry = readdir(directory)) != NULL; n++)
        snprintf(names[n], sizeof names[n], "%s", entry->d_name);
    say("readdir", errno);
    qsort(names, (size_t)n, sizeof names[0], by_name);
    for (int i = 0; i < n; i++)
        say_string("entry", names[i]);
    say("closedir", closedir(directory));
}
static void make_temporary(int slot)
{
    char name[] = "tXXXXXX";
    if (fd[slot] >= 0)
        say("close", close(fd[slot]));
    say("mkstemp", fd[slot] = mkstemp(name));
    if (fd[slot] >= 0)
        say("unlink", unlink(name));
}

/* Streams. */

static FILE *reading(int slot)
{
    if (st[slot].file && st[slot].last == 2)
        fseek(st[slot].file, 0, SEEK_CUR);
    st[slot].last = 1;
    st[slot].is_pushed = 0;
    return st[slot].file;
}
static FILE *writing(int slot)
{
    if (st[slot].file && (st[slot].last == 1 || st[slot].is_pushed))
        fseek(st[slot].file, 0, SEEK_CUR);
    st[slot].last = 2;
    st[slot].is_pushed = 0;
    return st[slot].file;
}
static void fclose_(int slot)
{
    if (st[slot].file)
        say("fclose", fclose(st[slot].file));
    st[slot].file = NULL, st[slot].last = 0, st[slot].is_pushed = 0;
}
static void opened(int slot, const char *what, FILE *file)
{
    st[slot].file = file, st[slot].last = 0, st[slot].is_pushed = 0;
    say(what, file ? 0 : -1);
    if (!file)
        return;
    say("fileno", fileno(file));
    if (is_unbuffered)
        setvbuf(file, NULL, _IONBF, 0);
}
static void fopen_(int slot, const char *name, const char *mode)
{
    fclose_(slot);
    opened(slot, "fopen", fopen(name, mode));
}
static void freopen_(int slot, const char *name, const char *mode)
{
    if (st[slot].file)
        opened(slot, "freopen", freopen(name, mode, st[slot].file));
}
/* The stream takes the slot's descriptor over. */
static void fdopen_(int slot, const char *mode)
{
    fclose_(slot);
    opened(slot, "fdopen", fdopen(fd[slot], mode));
    if (st[slot].file)
        fd[slot] = -1;
}
static void tmpfile_(int slot)
{
    fclose_(slot);
    opened(slot, "tmpfile", tmpfile());
}
#define IF_OPEN(slot) \
    if (!st[slot].file) \
        return
static void flags(int slot)
{
    printf("%s%s", feof(st[slot].file) ? "eof " : "", ferror(st[slot].file) ? "error " : "");
}
static void fgetc_(int slot)
{
    IF_OPEN(slot);
    int got = fgetc(reading(slot));
    flags(slot), say("fgetc", got == EOF ? -2 : got);
}
static void fgets_(int slot, int size)
{
    IF_OPEN(slot);
    char to[40];
    char *got = fgets(to, size, reading(slot));
    flags(slot), say_string("fgets", got);
}
static void fread_(int slot, int size, int n)
{
    IF_OPEN(slot);
    char to[64];
    size_t got = fread(to, (size_t)size, (size_t)n, reading(slot));
    flags(slot), say_text("fread", to, (long long)got * size);
}
static void getline_(int slot, int end)
{
    IF_OPEN(slot);
    char *line = NULL;
    size_t room = 0;
    long got = getdelim(&line, &room, end, reading(slot));
    flags(slot), say_text("getline", line, got < 0 ? 0 : got);
    free(line);
}
static void fscanf_(int slot, const char *format)
{
    IF_OPEN(slot);
    int number = -7;
    int got = fscanf(reading(slot), format, &number);
    flags(slot), printf("fscanf %d %d\n", got, number);
}
static void scan_word(int slot, const char *format)
{
    IF_OPEN(slot);
    char word[20] = "-";
    int got = fscanf(reading(slot), format, word);
    flags(slot), printf("fscanf %d ", got), say_string("word", word);
}
static void ungetc_(int slot, int byte)
{
    IF_OPEN(slot);
    /* Not to be called for a stream that only writes. */
    if (st[slot].is_pushed || (fcntl(fileno(st[slot].file), F_GETFL) & O_ACCMODE) == O_WRONLY)
        return;
    int got = ungetc(byte, reading(slot));
    st[slot].is_pushed = got != EOF;
    flags(slot), say("ungetc", got == EOF ? -2 : got);
}
static void fputc_(int slot, int byte)
{
    IF_OPEN(slot);
    int got = fputc(byte, writing(slot));
    flags(slot), say("fputc", got == EOF ? -2 : got);
}
static void fputs_(int slot, const char *text)
{
    IF_OPEN(slot);
    int got = fputs(text, writing(slot));
    flags(slot), say("fputs", got >= 0);
}
static void fwrite_(int slot, const char *text, int size, int n)
{
    IF_OPEN(slot);
    size_t got = fwrite(text, (size_t)size, (size_t)n, writing(slot));
    flags(slot), say("fwrite", (long long)got);
}
static void fprintf_(int slot, int number, const char *text)
{
    IF_OPEN(slot);
    int got = fprintf(writing(slot), "%d:%4s;", number, text);
    flags(slot), say("fprintf", got < 0 ? -2 : got);
}
static void fseek_(int slot, long at, int whence)
{
    IF_OPEN(slot);
    if (is_directory(fileno(st[slot].file)))
        return;
    int got = fseek(st[slot].file, at, whence);
    if (got == 0)
        st[slot].last = 0, st[slot].is_pushed = 0;
    flags(slot), say("fseek", got);
}
static void ftell_(int slot)
{
    IF_OPEN(slot);
    if (!st[slot].is_pushed)
        say("ftell", ftell(st[slot].file));
}
static void rewind_(int slot)
{
    IF_OPEN(slot);
    rewind(st[slot].file);
    st[slot].last = 0, st[slot].is_pushed = 0;
    flags(slot), say("rewind", 0);
}
static void fflush_(int slot)
{
    IF_OPEN(slot);
    /* After a byte was put back its meaning is open. */
    if (!st[slot].is_pushed)
        say("fflush", fflush(st[slot].file));
}
static void clearerr_(int slot)
{
    IF_OPEN(slot);
    clearerr(st[slot].file);
    flags(slot), say("clearerr", 0);
}
static void setvbuf_(int slot, int how, int size)
{
    IF_OPEN(slot);
    if (st[slot].last == 0)
        say("setvbuf", setvbuf(st[slot].file, NULL, how, (size_t)size) ? -2 : 0);
}
static void remember(int slot)
{
    IF_OPEN(slot);
    fpos_t at;
    if (st[slot].is_pushed || fgetpos(st[slot].file, &at))
        return;
    fgetc_(slot);
    say("fsetpos", fsetpos(st[slot].file, &at));
    st[slot].last = 0, st[slot].is_pushed = 0;
    ftell_(slot);
}

/* Standard input is a stream as well; once closed it is gone. */
static void take_stdin(int slot)
{
    static int is_taken;
    if (!is_taken)
        st[slot].file = stdin, is_taken = 1;
}
static void read_stdin(int n)
{
    char to[40];
    say_bytes("stdin", to, read(0, to, (size_t)n));
}
static void end(void)
{
    for (int slot = 0; slot < SLOTS; slot++)
        fclose_(slot);
}

/* Environment and arguments. */

static void getenv_(const char *name) { say_string("getenv", getenv(name)); }
static void setenv_(const char *name, const char *value, int replace) { say("setenv", setenv(name, value, replace)); }
static void unsetenv_(const char *name) { say("unsetenv", unsetenv(name)); }
static void putenv_(char *text) { say("putenv", putenv(text)); }
static void number(const char *text, int base)
{
    char *rest;
    errno = 0;
    long value = strtol(text, &rest, base);
    printf("strtol %ld %d %ld\n", value, errno, (long)(rest - text));
    if (strlen(text) < 6)
        say("atoi", atoi(text));
}
static void options(int argc, char **argv, const char *known)
{
    opterr = 0, optind = 1;
    for (int i = 0; i < 20; i++) {
        int got = getopt(argc, argv, known);
        printf("getopt %d %d %d ", got, optind, got == '?' || got == ':' ? optopt : 0);
        say_string("argument", got == '?' || got == ':' || got == -1 ? NULL : optarg);
        if (got == -1)
            break;
    }
    for (int i = optind; i < argc; i++)
        say_string("left", argv[i]);
}

/* Threads: only `main` prints, when they have ended. */

struct job {
    const char *name, *text;
    int flags, slot, times, results[4], errors[4];
};
static void *append(void *from)
{
    struct job *job = from;
    int own = job->slot >= 0 ? fd[job->slot] : open(job->name, job->flags, 0644);
    job->results[2] = own >= 0;
    for (int i = 0; i < job->times; i++)
        job->results[i] = (int)write(own, job->text, strlen(job->text));
    if (job->slot < 0 && own >= 0)
        close(own);
    return NULL;
}
static void *make(void *from)
{
    struct job *job = from;
    int own = open(job->name, O_CREAT | O_EXCL | O_WRONLY, 0644);
    job->errors[0] = own < 0 ? errno : 0;
    if (own >= 0) {
        job->results[0] = (int)write(own, job->text, strlen(job->text));
        close(own);
    }
    return NULL;
}
static void *move(void *from)
{
    struct job *job = from;
    job->results[0] = rename(job->name, job->text);
    job->errors[0] = job->results[0] ? errno : 0;
    return NULL;
}
static void *drain(void *from)
{
    struct job *job = from;
    char to[8];
    job->results[0] = (int)read(job->slot, to, (size_t)job->times);
    job->errors[0] = job->results[0] < 0 ? errno : job->results[0] > 0 ? to[0] : 0;
    return NULL;
}
static void *feed(void *from)
{
    struct job *job = from;
    job->results[0] = (int)write(job->slot, job->text, strlen(job->text));
    close(job->slot);
    return NULL;
}
static void *print(void *from)
{
    struct job *job = from;
    for (int i = 0; i < job->times; i++)
        job->results[i] = fputs(job->text, st[job->slot].file) >= 0;
    return NULL;
}
static void two(void *(*first)(void *), struct job a, void *(*second)(void *), struct job b)
{
    pthread_t threads[2];
    struct job jobs[2] = {a, b};
    pthread_create(&threads[0], NULL, first, &jobs[0]);
    pthread_create(&threads[1], NULL, second, &jobs[1]);
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
        printf("thread %d %d %d %d\n", jobs[i].results[0], jobs[i].errors[0], jobs[i].results[1], jobs[i].results[2]);
    }
}
static void show(const char *name)
{
    char to[40];
    int own = open(name, O_RDONLY);
    say("show", own);
    if (own >= 0) {
        say_bytes("content", to, read(own, to, sizeof to));
        close(own);
    }
}
