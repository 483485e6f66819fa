// Runs test cases of many programs that are linked into one executable, each in a forked child.
//
// Standard input holds jobs, standard output gets one answer for each job, in order (numbers little-endian, 32 bit):
//   job:    program, number of inputs, then for each input its length and bytes
//   answer: how it ended (END_*), exit code or signal, trace (64 bit), length of the output, the output
// The trace is a hash of the edges taken in code compiled with -fsanitize-coverage=trace-pc-guard, else 0.
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { END_EXIT, END_SIGNAL, END_ASSUMPTION, END_NO_INPUT, END_INPUT_SIZE };

// The table of programs is in the file that holds their text.
extern int (*const selvedge_programs[])(void);

struct shared {
  uint32_t end;
  uint64_t trace;
};

static struct shared *shared;
static const unsigned char *input, *input_end;
static uint32_t inputs_left;

static void leave(uint32_t end) {
  shared->end = end;
  _exit(0);
}

// Copies the next input to `to`; it must have exactly `size` bytes.
static void take(void *to, uint32_t size) {
  uint32_t length;
  if (inputs_left == 0) leave(END_NO_INPUT);
  inputs_left--;
  memcpy(&length, input, 4);
  if (length != size) leave(END_INPUT_SIZE);
  memcpy(to, input + 4, size);
  input += 4 + size;
}

#define NONDET(name, type)              \
  type __VERIFIER_nondet_##name(void) { \
    type value;                         \
    take(&value, sizeof value);         \
    return value;                       \
  }
NONDET(bool, _Bool)
NONDET(char, char)
NONDET(uchar, unsigned char)
NONDET(short, short)
NONDET(ushort, unsigned short)
NONDET(int, int)
NONDET(uint, unsigned)
NONDET(long, long)
NONDET(ulong, unsigned long)
NONDET(longlong, long long)
NONDET(ulonglong, unsigned long long)

void __VERIFIER_assume(int holds) {
  if (!holds) leave(END_ASSUMPTION);
}

void klee_make_symbolic(void *to, size_t size, const char *name) {
  (void)name;
  take(to, (uint32_t)size);
}

__attribute__((no_sanitize("coverage"))) void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop) {
  static uint32_t count;
  if (start == stop || *start) return;
  for (uint32_t *guard = start; guard < stop; guard++) *guard = ++count;
}

__attribute__((no_sanitize("coverage"))) void __sanitizer_cov_trace_pc_guard(uint32_t *guard) {
  if (shared) shared->trace = (shared->trace ^ *guard) * 0x100000001b3ULL + 0x9e3779b97f4a7c15ULL;
}

static void fail(const char *what) {
  perror(what);
  exit(120);
}

static void write_all(const void *from, size_t size) {
  const char *at = from;
  while (size > 0) {
    ssize_t done = write(STDOUT_FILENO, at, size);
    if (done <= 0) fail("write");
    at += done;
    size -= (size_t)done;
  }
}

// All of standard input.
static unsigned char *read_jobs(size_t *size) {
  size_t capacity = 1 << 16;
  unsigned char *jobs = malloc(capacity);
  *size = 0;
  for (;;) {
    ssize_t got = read(STDIN_FILENO, jobs + *size, capacity - *size);
    if (got < 0) fail("read");
    if (got == 0) return jobs;
    *size += (size_t)got;
    if (*size == capacity) jobs = realloc(jobs, capacity *= 2);
  }
}

static void child(uint32_t program, int out) {
  int none = open("/dev/null", O_RDONLY);
  dup2(none, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  alarm(20);
  exit(selvedge_programs[program]());
}

int main(void) {
  size_t size, length = 0, capacity = 1 << 16;
  unsigned char *jobs = read_jobs(&size), *at = jobs, *output = malloc(capacity);
  struct shared *page = mmap(0, sizeof *page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) fail("mmap");
  while (at < jobs + size) {
    uint32_t program, count, fields[2], output_length;
    memcpy(&program, at, 4);
    memcpy(&count, at + 4, 4);
    at += 8;
    input = at;
    inputs_left = count;
    for (uint32_t i = 0; i < count; i++) {
      uint32_t input_length;
      memcpy(&input_length, at, 4);
      at += 4 + input_length;
    }
    input_end = at;
    page->end = END_EXIT;
    page->trace = 0;
    int ends[2], status;
    if (pipe(ends) != 0) fail("pipe");
    pid_t pid = fork();
    if (pid < 0) fail("fork");
    if (pid == 0) {
      shared = page;
      close(ends[0]);
      child(program, ends[1]);
    }
    close(ends[1]);
    for (length = 0;;) {
      ssize_t got = read(ends[0], output + length, capacity - length);
      if (got <= 0) break;
      length += (size_t)got;
      if (length == capacity) output = realloc(output, capacity *= 2);
    }
    close(ends[0]);
    if (waitpid(pid, &status, 0) != pid) fail("waitpid");
    fields[0] = WIFSIGNALED(status) ? END_SIGNAL : page->end;
    fields[1] = WIFSIGNALED(status) ? (uint32_t)WTERMSIG(status) : (uint32_t)WEXITSTATUS(status);
    output_length = (uint32_t)length;
    write_all(fields, sizeof fields);
    write_all(&page->trace, 8);
    write_all(&output_length, 4);
    write_all(output, length);
  }
  return 0;
}
