//! `replay --native` of calls about files and streams that fail (`--fail io`): the same calls fail in the real program.

use crate::{Run, Sandbox};

const HEADERS: &str = "#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
";

/// Checks a program with failing calls, and replays the bug that must be there.
#[track_caller]
fn replay(name: &str, source: &str, flags: &[&str]) -> Run {
    let sandbox = Sandbox::new();
    sandbox.file(name, source);
    let mut args = vec!["check", "--fail", "io", "--timeout", "60", "--out", "result"];
    args.extend(flags);
    args.push(name);
    let run = sandbox.run(&args);
    assert_eq!(run.code, Some(1), "{run:?}");
    sandbox.run(&["replay", "result/bug-1.json", "--native"])
}

/// The body of `main` fails natively as it does in the engine. A step that goes another way ends the program, so that
/// few executions meet many failures.
#[track_caller]
fn check_fails(body: &str, flags: &[&str]) {
    let source = format!("{HEADERS}int main(void) {{\n{body}\nreturn 0;\n}}\n");
    let run = replay("bug.c", &source, flags);
    assert!(run.stdout.contains("native: the real program fails in the same way"), "{run:?}");
}

#[test]
fn calls_on_descriptors_and_names_fail_with_the_recorded_errors() {
    let body = r#"
    int ends[2];
    char bytes[4];
    struct iovec parts[2] = {{"ab", 2}, {"cd", 2}};
    if (pipe(ends) == 0 || errno != EMFILE) return 1;
    if (socket(AF_INET, SOCK_STREAM, 0) >= 0 || errno != EMFILE) return 2;
    if (dup(1) >= 0 || errno != EMFILE) return 3;
    if (fcntl(1, F_DUPFD, 10) >= 0 || errno != EMFILE) return 4;
    if (mkdir("made", 0755) == 0 || errno != ENOSPC) return 5;
    if (open("made", O_RDWR | O_CREAT, 0644) >= 0 || errno != EINTR) return 6;
    int out = open("made", O_RDWR | O_CREAT | O_EXCL, 0644);
    if (out < 0 || write(out, "hello world", 11) != 1) return 7;
    if (pwrite(out, "x", 1, 5) == 1 || errno != ENOSPC) return 8;
    if (writev(out, parts, 2) != 1) return 9;
    if (pread(out, bytes, 4, 0) >= 0 || errno != EIO) return 10;
    if (pread(out, bytes, 4, 0) != 2 || memcmp(bytes, "ha", 2)) return 11;
    if (ftruncate(out, 0) == 0 || fsync(out) == 0 || errno != EIO) return 12;
    if (close(out) == 0 || errno != ENOSPC) return 13;
    if (rename("made", "other") == 0 || errno != EXDEV) return 14;
    if (unlink("made") == 0 || errno != EACCES) return 15;
    assert(close(out) == 0);"#;
    check_fails(body, &[]);
}

#[test]
fn streams_fail_to_open_to_write_and_to_close() {
    let body = r#"
    FILE *f = fopen("out", "w");
    if (f || errno != EMFILE) return 1;
    f = fopen("out", "w");
    if (!f || fputs("one", f) < 0) return 2;
    if (fprintf(f, "%d", 5) >= 0 || errno != EIO || !ferror(f)) return 3;
    clearerr(f);
    if (fwrite("two", 1, 3, f) != 3 || fflush(f) == 0 || errno != ENOSPC) return 4;
    if (fclose(f) == 0) return 5;
    struct stat facts;
    if (stat("out", &facts) < 0) return 6;
    assert(facts.st_size != 6);"#;
    check_fails(body, &[]);
}

#[test]
fn output_on_the_console_fails() {
    let body = r#"
    if (printf("%d\n", 1) < 0 || ferror(stdout)) return 1;
    if (printf("%d\n", 2) >= 0 || errno != EIO) return 2;
    if (!ferror(stdout)) return 3;
    clearerr(stdout);
    if (puts("three") >= 0 || errno != ENOSPC) return 4;
    if (fflush(stdout) == 0) return 5;
    if (freopen("log", "w", stdout)) return 6;
    assert(errno != EMFILE);"#;
    check_fails(body, &[]);
}

#[test]
fn a_stream_fails_after_the_bytes_that_it_gave_before() {
    let body = r#"
    char line[8] = "";
    FILE *f = fopen("in", "r");
    if (!f || fgets(line, sizeof line, f) || !ferror(f) || errno != EIO) return 1;
    clearerr(f);
    if (line[0] != 'a' || line[1] != 'b' || line[2]) return 2;
    if (getc(f) != 'c' || fread(line, 1, 2, f) != 0 || !ferror(f)) return 3;
    clearerr(f);
    assert(getc(f) != 'd');"#;
    check_fails(body, &["--sym-file", "in=4"]);

    let body = r#"
    int n = 0, c;
    char *line = NULL;
    size_t room = 0;
    if (scanf("%d", &n) != 1 || n != 12 || !ferror(stdin)) return 1;
    clearerr(stdin);
    if (getline(&line, &room, stdin) != 1 || line[0] != 'x' || !ferror(stdin)) return 2;
    clearerr(stdin);
    assert(getchar() != 'y');"#;
    check_fails(body, &["--sym-stdin", "5"]);
}

#[test]
fn the_failing_call_is_that_of_its_thread() {
    let source = format!(
        r#"{HEADERS}
int got;
void *run(void *arg) {{
    int out = open("out", O_RDWR | O_CREAT, 0644);
    if (out >= 0)
        got = (int)write(out, "xyz", 3);
    return arg;
}}
int main(void) {{
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    long n = write(1, "abc", 3);
    pthread_join(thread, 0);
    assert(!(n == 1 && got == -1));
    return 0;
}}
"#
    );
    let run = replay("bug.c", &source, &["--fail", "memory", "--fail-at-most", "2"]);
    assert!(run.stdout.contains("native: the real program fails in the same way"), "{run:?}");
}

#[test]
fn a_failure_that_cannot_be_rebuilt_is_named() {
    let source =
        "#include <cassert>\n#include <iostream>\nint main() { std::cout << 5; assert(std::cout.good()); }\n";
    let run = replay("bug.cc", source, &[]);
    assert_eq!(run.code, Some(3), "{run:?}");
    let why =
        "the call at bug.cc:3:24 (call of `_ZNSolsEi`) failed in the record, and cannot be made to fail";
    assert!(run.stdout.contains(why), "{}", run.stdout);
}
