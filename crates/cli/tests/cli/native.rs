//! `replay --native`: the real program fails like the engine said, or it is said that it does not.

use std::os::unix::process::ExitStatusExt;
use std::process::Command;

use crate::{Run, Sandbox};

pub(crate) const SIGABRT: i32 = 6;

const LOST_UPDATE: &str = r"#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
int x;
void *increment(void *arg) { int t = x; x = t + 1; return arg; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, increment, 0);
    pthread_create(&b, 0, increment, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    if (__VERIFIER_nondet_int() == 12345)
        assert(x == 2);
    return 0;
}
";

const LOST_WAKE_UP: &str = r"#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready;
void *consumer(void *arg) {
    pthread_mutex_lock(&m);
    int seen = ready;
    pthread_mutex_unlock(&m);
    if (!seen) { /* a signal that comes here is lost */
        pthread_mutex_lock(&m);
        pthread_cond_wait(&c, &m);
        pthread_mutex_unlock(&m);
    }
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, consumer, 0);
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
";

/// Checks `source`, and replays the bug that must be there.
#[track_caller]
pub(crate) fn replay(sandbox: &Sandbox, source: &str, flags: &[&str]) -> Run {
    sandbox.file("bug.c", source);
    let mut args = vec!["check", "--out", "result"];
    args.extend(flags);
    args.push("bug.c");
    let run = sandbox.run(&args);
    assert_eq!(run.code, Some(1), "{run:?}");
    sandbox.run(&["replay", "result/bug-1.json", "--native", "--keep", "build"])
}

#[track_caller]
pub(crate) fn check_fails(source: &str, flags: &[&str], words: &[&str]) {
    let sandbox = Sandbox::new();
    let run = replay(&sandbox, source, flags);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.stdout.contains("native: the real program fails in the same way"), "{}", run.stdout);
    let native = run.stdout.split("\nnative: ").nth(1).unwrap_or_default();
    for word in words {
        assert!(native.contains(word), "{word:?} is missing in\n{native}");
    }
}

#[test]
fn a_lost_update_really_aborts_at_the_assertion() {
    let sandbox = Sandbox::new();
    let run = replay(&sandbox, LOST_UPDATE, &[]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.stdout.contains("ended by SIGABRT"), "{}", run.stdout);
    // What was built needs nothing of us: it fails each time it is run.
    for _ in 0..5 {
        let output = Command::new(sandbox.path().join("build/program")).output().expect("an executable");
        assert_eq!(output.status.signal(), Some(SIGABRT), "{output:?}");
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(text.contains("bug.c:13") && text.contains("Assertion `x == 2' failed"), "{text}");
    }
}

#[test]
fn a_lost_wake_up_really_blocks_all_threads() {
    check_fails(LOST_WAKE_UP, &[], &["deadlock", "thread 1 waits on a condition variable at bug.c:11"]);
}

#[test]
fn inputs_of_all_kinds_reach_the_real_program() {
    let source = r#"#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
long __VERIFIER_nondet_long(void);
int main(int argc, char **argv) {
    char line[8];
    long n = __VERIFIER_nondet_long();
    if (argc == 3 && strcmp(argv[1], "fixed") == 0 && strcmp(argv[2], "ab") == 0 && getchar() == 'q' &&
        fgets(line, sizeof line, stdin) && line[0] == 'z' && n == 1L << 40 && rand() == 77)
        assert(malloc(3) != NULL);
    return 0;
}
"#;
    let flags = ["--sym-stdin", "3", "--arg", "fixed", "--sym-args", "2", "--malloc-may-fail"];
    check_fails(source, &flags, &["Assertion `malloc(3) != NULL' failed"]);
}

#[test]
fn a_use_after_free_is_seen_by_the_address_sanitizer() {
    let source = r"#include <pthread.h>
#include <stdlib.h>
int *p;
void *release(void *arg) { free(p); return arg; }
int main(void) {
    pthread_t t;
    p = malloc(sizeof *p);
    *p = 3;
    pthread_create(&t, 0, release, 0);
    int v = *p;
    pthread_join(t, 0);
    return v;
}
";
    check_fails(source, &[], &["AddressSanitizer: heap-use-after-free", "bug.c:10"]);
}

#[test]
fn a_data_race_is_seen_by_the_thread_sanitizer() {
    let source = r"#include <pthread.h>
int x;
void *set(void *arg) { x = 1; return arg; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, set, 0);
    x = 2;
    return pthread_join(t, 0);
}
";
    check_fails(source, &["--check", "race"], &["ThreadSanitizer: data race"]);
}

#[test]
fn barriers_c11_threads_and_atomic_sections_follow_the_schedule() {
    let source = r"#include <assert.h>
#include <pthread.h>
#include <threads.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
pthread_barrier_t b;
mtx_t m;
int x, y, serial;
int work(void *arg) {
    (void)arg;
    __VERIFIER_atomic_begin();
    x++;
    __VERIFIER_atomic_end();
    mtx_lock(&m);
    y++;
    mtx_unlock(&m);
    if (pthread_barrier_wait(&b))
        serial++;
    int t = x;
    x = t + 1;
    return 3;
}
int main(void) {
    thrd_t t, u;
    int r, s;
    pthread_barrier_init(&b, 0, 2);
    mtx_init(&m, mtx_plain);
    thrd_create(&t, work, 0);
    thrd_create(&u, work, 0);
    thrd_join(t, &r);
    thrd_join(u, &s);
    assert(y == 2 && serial == 1 && r + s == 6);
    assert(x == 4);
    return 0;
}
";
    check_fails(source, &[], &["Assertion `x == 4' failed"]);
}

/// Fixtures of C++, with the macro that puts a bug in, and what the real program then says.
const CXX: [(&str, &str, &[&str], &str); 11] = [
    ("async", "WRONG", &[], "Assertion `a < b"),
    ("thread_join", "FORGOTTEN", &[], "terminate called without an active exception"),
    ("thread_join", "THROWS", &[], "terminate called after throwing an instance of 'int'"),
    ("condition", "LOST", &[], "waits on a condition variable"),
    ("condition", "UNLOCKED", &[], "waits on a condition variable"),
    ("two_mutexes", "NESTED", &[], "deadlock"),
    ("two_mutexes", "UNLOCKED", &[], "Assertion `a.balance == 12"),
    ("two_mutexes", "UNLOCKED", &["--check", "race"], "ThreadSanitizer: data race"),
    ("static_local", "CYCLE", &[], "__cxa_guard_acquire"),
    ("call_once", "PLAIN", &[], "Assertion `n_calls == 1"),
    ("futures", "NEVER", &[], "deadlock"),
];

#[test]
fn threads_of_cxx_follow_the_schedule() {
    for (name, macro_name, flags, words) in CXX {
        let sandbox = Sandbox::new();
        let file = format!("{}/../../tests/programs/cpp/{name}.cpp", env!("CARGO_MANIFEST_DIR"));
        let definition = format!("-D{macro_name}");
        let args = [&["check", "--out", "result"], flags, &[&file, "--", &definition]].concat();
        let run = sandbox.run(&args);
        assert_eq!(run.code, Some(1), "{name} {macro_name}: {run:?}");
        let run = sandbox.run(&["replay", "result/bug-1.json", "--native"]);
        assert_eq!(run.code, Some(1), "{name} {macro_name}: {run:?}");
        assert!(run.stdout.contains(words), "{name} {macro_name}: {}", run.stdout);
    }
}

#[test]
fn a_pointer_that_travels_as_a_number_is_replayed() {
    let source = r"#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
static uint64_t hidden, key = 0x5a;
void *increment(void *arg) { int *p = (int *)(uintptr_t)(hidden ^ key); int t = *p; *p = t + 1; return arg; }
int main(void) {
    pthread_t a, b;
    int *p = calloc(1, sizeof *p);
    hidden = (uint64_t)(uintptr_t)p ^ key;
    pthread_create(&a, 0, increment, 0);
    pthread_create(&b, 0, increment, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(*p == 2);
    return 0;
}
";
    check_fails(source, &[], &["Assertion `*p == 2' failed"]);
}

#[test]
fn an_error_function_and_arithmetic_fail_natively() {
    let source = r"void reach_error(void) {}
int __VERIFIER_nondet_int(void);
int main(void) {
    if (__VERIFIER_nondet_int() == 7)
        reach_error();
    return 0;
}
";
    check_fails(source, &[], &["bug.c:5:9: `reach_error` is reached"]);
    let source = r"int __VERIFIER_nondet_int(void);
int main(void) { int i = __VERIFIER_nondet_int(); return i + 1 > i; }
";
    check_fails(source, &["--check", "overflow"], &["undefined arithmetic"]);
}

#[test]
fn what_nobody_uses_fails_natively_too() {
    let source = "int main(void) { int *p = 0; *p; return 0; }\n";
    check_fails(source, &[], &["AddressSanitizer"]);
    let source = "int g, h;\nint main(void) { int z = g; h = 2; int x = 10 / z; return 0; }\n";
    check_fails(source, &[], &["SIGFPE"]);
}

#[test]
fn a_run_that_leaves_the_record_is_no_success() {
    let sandbox = Sandbox::new();
    // Where the engine places the block is not where the system does.
    let source = r"#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
int main(void) {
    char *p = malloc(1);
    assert((uintptr_t)p != 0x100000000000);
    free(p);
    return 0;
}
";
    let run = replay(&sandbox, source, &[]);
    assert_eq!(run.code, Some(3), "{run:?}");
    assert!(run.stdout.contains("native replay diverged: thread 0 is at bug.c:7:5 (call of `free`), where the record has bug.c:6:5"), "{}", run.stdout);
}

#[test]
fn an_edited_schedule_is_noticed() {
    let sandbox = Sandbox::new();
    replay(&sandbox, LOST_UPDATE, &[]);
    let path = sandbox.path().join("build/tables.c");
    let text = std::fs::read_to_string(&path).expect("written");
    let start = text.find("sv_steps[] = {").expect("a table");
    let dir = sandbox.path().join("build");
    let run = |command: &mut Command| command.current_dir(&dir).output().expect("starts");
    // A step at another place, and one of another thread.
    for (from, to) in [("{2, ", "{2, 9"), ("{1, ", "{0, ")] {
        let edited = format!("{}{}", &text[..start], text[start..].replacen(from, to, 1));
        std::fs::write(&path, edited).expect("writable");
        let built = run(Command::new("clang-22").args(["-w", "-c", "tables.c"]));
        assert!(built.status.success(), "{built:?}");
        let files = std::fs::read_dir(&dir).expect("kept").map(|file| file.expect("readable").path());
        let objects = files.filter(|path| path.extension().is_some_and(|extension| extension == "o"));
        let mut link = Command::new("clang-22");
        let linked = run(link.args(["-w", "-pthread", "program.bc", "-o", "edited"]).args(objects));
        assert!(linked.status.success(), "{linked:?}");
        let output = run(Command::new("./edited").env("SELVEDGE_PATIENCE", "1"));
        assert_eq!(output.status.code(), Some(113), "{output:?}");
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(message.contains("native replay diverged: thread "), "{message}");
    }

    // In the file itself it is noticed before anything is built.
    let path = sandbox.path().join("result/bug-1.json");
    let text = std::fs::read_to_string(&path).expect("written");
    assert!(text.contains("39300000"), "{text}");
    std::fs::write(&path, text.replace("39300000", "3a300000")).expect("writable");
    let run = sandbox.run(&["replay", "result/bug-1.json", "--native"]);
    assert_eq!(run.code, Some(3), "{run:?}");
    assert!(run.stdout.contains("did not happen again"), "{run:?}");
}

#[test]
fn gdb_is_told_about_and_nothing_is_run() {
    let sandbox = Sandbox::new();
    sandbox.file("bug.c", LOST_UPDATE);
    sandbox.run(&["check", "--out", "result", "bug.c"]);
    let run = sandbox.run(&["replay", "result/bug-1.json", "--gdb"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.stdout.contains("built, not run"), "{}", run.stdout);
    let program = sandbox.path().join("result/bug-1.native/program");
    assert!(program.exists() && run.stdout.contains("gdb "), "{}", run.stdout);
}

const TORN: &str = r#"#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
struct wide { int values[10]; };
struct wide from, to;
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
void *moves(void *arg) { COPY; return arg; }
void *looks(void *arg) {
    int first = to.values[0], last = to.values[9];
    assert(first == 0 || last != 0);
    return arg;
}
int main(void) {
    pthread_t a, b;
    for (int i = 0; i < 10; i++) from.values[i] = 10 - i;
    pthread_create(&a, 0, moves, 0);
    pthread_create(&b, 0, looks, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
"#;

#[test]
fn a_copy_is_really_seen_half_done() {
    let copies = [
        "to = from",
        "memcpy(&to, &from, sizeof to)",
        "void *(*volatile f)(void *, const void *, size_t) = memmove; f(&to, &from, sizeof to)",
        "memset(&to, 1, sizeof to)",
    ];
    for copy in copies {
        check_fails(&TORN.replace("COPY", copy), &[], &["first == 0 || last != 0"]);
    }
}

#[test]
fn a_race_with_a_copy_is_one_to_the_thread_sanitizer() {
    check_fails(&TORN.replace("COPY", "to = from"), &["--check", "race"], &["data race"]);
}

#[test]
fn a_copy_inside_a_library_function_does_not_lead_astray() {
    let copy =
        "qsort(from.values, 10, sizeof(int), compare); to.values[0] = 1; sched_yield(); to.values[9] = 1";
    check_fails(
        &TORN.replace("COPY", copy).replace("<stdlib.h>", "<stdlib.h>\n#include <sched.h>"),
        &[],
        &[],
    );
}

#[test]
fn misuse_is_found_in_the_real_objects() {
    let program = |misuse: &str| {
        format!(
            "#include <pthread.h>\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n\
             void *other(void *arg) {{ pthread_mutex_unlock(&m); return arg; }}\n\
             void *none(void *arg) {{ return arg; }}\n\
             int main(void) {{\n    pthread_t t;\n    {misuse}\n    return 0;\n}}\n"
        )
    };
    let cases = [
        ("pthread_join(pthread_self(), 0);", "bug.c:7:5: a thread joins itself"),
        (
            "pthread_create(&t, 0, none, 0); pthread_detach(t); pthread_join(t, 0);",
            "bug.c:7:56: a detached thread is joined",
        ),
        (
            "pthread_mutex_lock(&m); pthread_create(&t, 0, other, 0); pthread_join(t, 0);",
            "bug.c:3:26: a thread unlocks a mutex that another thread holds",
        ),
    ];
    for (misuse, message) in cases {
        check_fails(&program(misuse), &[], &[message]);
    }
}

/// What `std::string` does stands in the program and in the compiled library; the record counts what the former does.
#[test]
fn a_string_of_cxx_fails_natively_where_it_was_recorded() {
    let source = "#include <cassert>\n#include <iostream>\n#include <string>\n\
                  int main() { std::string s; if (std::cin >> s) assert(s != \"ok\"); }\n";
    check_cxx_fails(source, "s != \"ok\"");
}

#[test]
fn a_program_that_needs_no_more_of_cxx_than_its_exceptions_is_linked() {
    let source = "#include <cassert>\nstruct Held { int value; ~Held() {} bool holds(int v) { return value == v; } };\n\
                  int main() { Held held{2}; assert(!held.holds(2)); }\n";
    check_cxx_fails(source, "!held.holds(2)");
}

#[track_caller]
fn check_cxx_fails(source: &str, word: &str) {
    let sandbox = Sandbox::new();
    sandbox.file("bug.cpp", source);
    let run = sandbox.run(&["check", "--out", "result", "bug.cpp"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    let run = sandbox.run(&["replay", "result/bug-1.json", "--native"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    let native = run.stdout.split("\nnative: ").nth(1).unwrap_or_default();
    assert!(
        native.starts_with("the real program fails in the same way") && native.contains(word),
        "{native}"
    );
}
