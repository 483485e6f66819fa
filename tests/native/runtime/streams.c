/* Standard input: the same calls on the run-time's stdin and on a pipe-like stream of the host with the same bytes. */
#include "check.h"

#include <unistd.h>

extern FILE *rt_stdin, *rt_stdout, *rt_stderr;
RT(fgetc); RT(getchar); RT(ungetc); RT(fgets); RT(getline); RT(fread); RT(feof); RT(ferror); RT(clearerr); RT(fileno);
RT(fopen); RT(fclose); RT(fflush); RT(read); RT(perror); RT(vprintf);
int rt_fscanf(FILE *, const char *, ...);
int rt_scanf(const char *, ...);
char *rt_gets(char *);

/* What the run-time wrote to its stdout and stderr. */
static char written[100];
static size_t n_written;

size_t rt___selvedge_print(int stream, const void *from, size_t size)
{
    CHECK(stream == 1 || stream == 2, "stream");
    memcpy(written + n_written, from, size);
    n_written += size;
    return size;
}

int rt___selvedge_print_list(int stream, const char *format, va_list args)
{
    char text[100];
    int n = vsnprintf(text, sizeof text, format, args);
    rt___selvedge_print(stream, text, (size_t)n);
    return n;
}

static int vprint(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = rt_vprintf(format, args);
    va_end(args);
    return n;
}

static void one_step(FILE *host)
{
    _Alignas(16) char a[32], b[32];
    memset(a, '#', sizeof a);
    memset(b, '#', sizeof b);
    int x = 0, y = 0, n = 1 + (int)below(8);
    unsigned step = below(8);
    switch (step) {
    case 0:
        x = rt_fgetc(rt_stdin);
        y = fgetc(host);
        if (x != EOF && below(2)) {
            x = rt_ungetc(x, rt_stdin);
            y = ungetc(y, host);
        }
        break;
    case 1:
        x = rt_getchar();
        y = fgetc(host);
        break;
    case 2:
        x = rt_fgets(a, n, rt_stdin) == a;
        y = fgets(b, n, host) == b;
        break;
    case 3:
        x = (int)rt_fread(a, 2, (size_t)n, rt_stdin);
        y = (int)fread(b, 2, (size_t)n, host);
        break;
    case 4:
        x = rt_fscanf(rt_stdin, "%d", (int *)a);
        y = fscanf(host, "%d", (int *)b);
        break;
    case 5:
        x = rt_scanf("%5s", a);
        y = fscanf(host, "%5s", b);
        break;
    case 6: {
        char *p = NULL, *q = NULL;
        size_t size_p = 0, size_q = 0;
        x = (int)rt_getline(&p, &size_p, rt_stdin);
        y = (int)getline(&q, &size_q, host);
        CHECK(x != y || x < 0 || strcmp(p, q) == 0, "getline");
        free(p);
        free(q);
        break;
    }
    default:
        x = rt_scanf(" x%n", (int *)a);
        y = fscanf(host, " x%n", (int *)b);
    }
    CHECK(x == y && memcmp(a, b, sizeof a) == 0, "stdin [%s] at %zu: %d, %d", stdin_text, stdin_position, x, y);
    CHECK(!rt_feof(rt_stdin) == !feof(host), "feof after step %u on [%s] at %zu: %d", step, stdin_text, stdin_position, feof(host));
    CHECK(!rt_ferror(rt_stdin), "ferror");
}

void check_streams(void)
{
    for (int i = 0; i < 5000; i++) {
        char text[40];
        random_text(text, 1 + below(25), "01x \nab");
        stdin_text = text;
        stdin_length = strlen(text);
        stdin_position = 0;
        FILE *host = fmemopen(text, stdin_length, "r");
        rt_clearerr(rt_stdin);
        for (int k = 0; k < 12; k++)
            one_step(host);
        /* Whatever was put back last must not reach the next round. */
        while (rt_fgetc(rt_stdin) != EOF)
            ;
        fclose(host);
    }
    char line[20];
    stdin_text = "one\ntwo";
    stdin_length = 7;
    stdin_position = 0;
    rt_clearerr(rt_stdin);
    CHECK(rt_gets(line) == line && strcmp(line, "one") == 0, "gets %s", line);
    CHECK(rt_read(0, line, 2) == 2 && memcmp(line, "tw", 2) == 0, "read");
    CHECK(rt_read(0, line, 20) == 1 && rt_read(0, line, 1) == 0, "read at the end");
    CHECK(rt_fopen("file", "r") == NULL && rt_errno == ENOENT, "fopen");
    CHECK(rt_fileno(rt_stderr) == 2 && rt_fflush(rt_stdout) == 0, "fileno");
    CHECK(rt_fgetc(rt_stdout) == EOF && rt_ferror(rt_stdout), "reading from stdout");

    rt_errno = ENOENT;
    rt_perror("file");
    CHECK(vprint("%d+%s", 1, "x") == 3, "vprintf");
    CHECK(n_written == 35 && memcmp(written, "file: No such file or directory\n1+x", 35) == 0, "%s", written);
}
