//! An earlier answer must not stand, and an earlier summary not hold, where anything that it rests on has changed.
//!
//! Each row is a program and a change that gives another answer: code, types, initial values, options, properties, the world,
//! arguments of clang, headers, the library and the build of the tool.

use serde_json::{Value, json};

use crate::{Run, Sandbox};

/// A program by files and flags, and what is different later. The first file is the program.
struct Row {
    name: &'static str,
    files: &'static [(&'static str, &'static str)],
    flags: &'static str,
    /// What is written over, or the same.
    later: &'static [(&'static str, &'static str)],
    later_flags: &'static str,
}

const NONE: &[(&str, &str)] = &[];

/// A file with another text in it.
const fn edit(
    name: &'static str,
    file: &'static [(&'static str, &'static str)],
    flags: &'static str,
    later: &'static [(&'static str, &'static str)],
) -> Row {
    Row { name, files: file, flags, later, later_flags: flags }
}

/// The same files with other flags.
const fn flags(
    name: &'static str,
    files: &'static [(&'static str, &'static str)],
    flags: &'static str,
    later_flags: &'static str,
) -> Row {
    Row { name, files, flags, later: NONE, later_flags }
}

/// What a run answers: all but how it came to it.
fn answer(sandbox: &Sandbox, row: &Row, flags: &str, store: Option<&str>) -> (Value, Value) {
    let mut words = flags.split_whitespace();
    let own: Vec<&str> = words.by_ref().take_while(|word| *word != "--").collect();
    let mut args = vec!["check", row.files[0].0, "--all-bugs", "--json", "out.json"];
    args.extend(own);
    args.extend(store.into_iter().flat_map(|store| ["--incremental", "--store", store]));
    args.push("--");
    args.extend(words);
    let run = sandbox.run(&args);
    assert!(matches!(run.code, Some(0 | 1 | 3)), "{}: {run:?}", row.name);
    let text = std::fs::read_to_string(sandbox.path().join("out.json")).expect("a report");
    let mut report: Value = serde_json::from_str(&text).expect("JSON");
    let mut bugs: Vec<String> = Vec::new();
    for bug in report["bugs"].as_array().expect("a list") {
        bugs.push(format!("{} {}", bug["kind"], bug["location"]));
    }
    bugs.sort();
    let mut reasons: Vec<String> =
        report["reasons"].as_array().into_iter().flatten().map(Value::to_string).collect();
    reasons.sort();
    let answer = json!({
        "verdict": report["verdict"], "bounded": report["bounded"], "bugs": bugs, "reasons": reasons,
        "assumptions": report["assumptions"],
    });
    (answer, report["incremental"].take())
}

fn write(sandbox: &Sandbox, files: &[(&str, &str)]) {
    for (name, text) in files {
        sandbox.file(name, text);
    }
}

#[track_caller]
fn check(rows: &[Row]) {
    let mut wrong = Vec::new();
    for row in rows {
        let sandbox = Sandbox::new();
        write(&sandbox, row.files);
        let (first, _) = answer(&sandbox, row, row.flags, Some("kept"));
        write(&sandbox, row.later);
        let (fresh, _) = answer(&sandbox, row, row.later_flags, None);
        assert_ne!(first, fresh, "{}: nobody could tell if this were wrong", row.name);
        // As it is for who has changed the flags, and for who has changed nothing but the files.
        let (again, reuse) = answer(&sandbox, row, row.later_flags, Some("kept"));
        if again != fresh {
            wrong.push(format!("{}: {again}\ninstead of {fresh}\nwith {reuse}", row.name));
        }
        // And back.
        write(&sandbox, row.files);
        let (back, reuse) = answer(&sandbox, row, row.flags, Some("kept"));
        if back != first {
            wrong.push(format!("{}, back: {back}\ninstead of {first}\nwith {reuse}", row.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn code_and_headers() {
    check(&[
        edit(
            "a called function",
            &[(
                "a.c",
                "#include <assert.h>\nstatic int f(int x) { return x + 1; }\nint main(void) { assert(f(1) == 2); }\n",
            )],
            "",
            &[(
                "a.c",
                "#include <assert.h>\nstatic int f(int x) { return x + 2; }\nint main(void) { assert(f(1) == 2); }\n",
            )],
        ),
        edit(
            "a macro of a header",
            &[
                (
                    "a.c",
                    "#include <assert.h>\n#include \"n.h\"\nint main(void) { int n = N; assert(n == 2); }\n",
                ),
                ("n.h", "#define N 2\n"),
            ],
            "",
            &[("n.h", "#define N 3\n")],
        ),
        edit(
            "a function that was the library's",
            &[
                (
                    "a.c",
                    "#include <assert.h>\n#include <stdlib.h>\n#include \"n.h\"\nint main(void) { int (*f)(int) = abs; assert(f(-2) == 2); }\n",
                ),
                ("n.h", ""),
            ],
            "-- -fno-builtin",
            &[("n.h", "int abs(int x) { return x; }\n")],
        ),
        edit(
            "the line",
            &[("a.c", "#include <assert.h>\nint main(void) { int l = __LINE__; assert(l == 2); }\n")],
            "",
            &[("a.c", "#include <assert.h>\n\nint main(void) { int l = __LINE__; assert(l == 2); }\n")],
        ),
        edit(
            "the place of a failure",
            &[("a.c", "#include <assert.h>\nint main(void) { assert(0); }\n")],
            "",
            &[("a.c", "#include <assert.h>\n\nint main(void) { assert(0); }\n")],
        ),
        edit(
            "a function behind a pointer in a table",
            &[(
                "a.c",
                "#include <assert.h>\nstatic int f(void) { return 1; }\nstatic int g(void) { return 2; }\nstatic int (*const table[])(void) = { f, g };\nint main(void) { assert(table[0]() == 1); return table[1]() - 2; }\n",
            )],
            "",
            &[(
                "a.c",
                "#include <assert.h>\nstatic int f(void) { return 1; }\nstatic int g(void) { return 2; }\nstatic int (*const table[])(void) = { g, f };\nint main(void) { assert(table[0]() == 1); return table[1]() - 2; }\n",
            )],
        ),
    ]);
}

#[test]
fn what_cxx_and_signals_call() {
    check(&[
        edit(
            "a method behind a virtual call",
            &[(
                "a.cc",
                "#include <cassert>\nstruct A { virtual int f() { return 1; } };\nstruct B : A { int f() override { return 2; } };\nint main() { B b; A *a = &b; assert(a->f() == 2); }\n",
            )],
            "",
            &[(
                "a.cc",
                "#include <cassert>\nstruct A { virtual int f() { return 1; } };\nstruct B : A { int g() { return 2; } };\nint main() { B b; A *a = &b; assert(a->f() == 2); }\n",
            )],
        ),
        edit(
            "what a handler catches",
            &[(
                "a.cc",
                "#include <cassert>\nint main() { try { throw 1; } catch (int) { return 0; } catch (...) { assert(0); } }\n",
            )],
            "",
            &[(
                "a.cc",
                "#include <cassert>\nint main() { try { throw 1L; } catch (int) { return 0; } catch (...) { assert(0); } }\n",
            )],
        ),
        edit(
            "a constructor of a global",
            &[(
                "a.cc",
                "#include <cassert>\nstruct A { int n; A() : n(2) {} };\nstatic A a;\nint main() { assert(a.n == 2); }\n",
            )],
            "",
            &[(
                "a.cc",
                "#include <cassert>\nstruct A { int n; A() : n(3) {} };\nstatic A a;\nint main() { assert(a.n == 2); }\n",
            )],
        ),
        edit(
            "a handler of a signal",
            &[(
                "a.c",
                "#include <assert.h>\n#include <signal.h>\nstatic volatile sig_atomic_t n;\nstatic void f(int s) { n = s; }\nint main(void) { signal(SIGUSR1, f); raise(SIGUSR1); assert(n == SIGUSR1); }\n",
            )],
            "--signals 0",
            &[(
                "a.c",
                "#include <assert.h>\n#include <signal.h>\nstatic volatile sig_atomic_t n;\nstatic void f(int s) { n = s + 1; }\nint main(void) { signal(SIGUSR1, f); raise(SIGUSR1); assert(n == SIGUSR1); }\n",
            )],
        ),
    ]);
}

#[test]
fn types_and_initial_values() {
    const MAIN: &str = "#include <assert.h>\n#include <string.h>\n#include <stdint.h>\n#include <pthread.h>\n#include \"n.h\"\nint main(void) { TEST; return 0; }\n";
    macro_rules! rows {
        ($($name:literal: $before:literal => $after:literal),* $(,)?) => {
            [$(edit($name, &[("a.c", MAIN), ("n.h", $before)], "", &[("n.h", $after)])),*]
        };
    }
    check(&rows! {
        "an initial value": "static int n = 2;\n#define TEST assert(n == 2)\n" => "static int n = 3;\n#define TEST assert(n == 2)\n",
        "the size of an array": "static char a[4];\n#define TEST a[3] = 1\n" => "static char a[3];\n#define TEST a[3] = 1\n",
        "the size of an array that is filled by a call": "static char a[4];\n#define TEST memset(a, 1, strlen(\"four\"))\n" => "static char a[3];\n#define TEST memset(a, 1, strlen(\"four\"))\n",
        "the order of fields": "static struct { char c; int i; } s = { 1, 2 };\n#define TEST assert(((char *)&s)[0] == 1)\n" => "static struct { int i; char c; } s = { 2, 1 };\n#define TEST assert(((char *)&s)[0] == 1)\n",
        "the width of a field": "static struct { unsigned char c; } s = { 255 };\n#define TEST s.c++; assert(s.c == 0)\n" => "static struct { unsigned short c; } s = { 255 };\n#define TEST s.c++; assert(s.c == 0)\n",
        "the sign of a type": "typedef signed char t;\nstatic t n = -1;\n#define TEST assert(n < 0)\n" => "typedef unsigned char t;\nstatic t n = -1;\n#define TEST assert(n < 0)\n",
        "what a pointer points to": "static int a = 1, b = 2, *p = &a;\n#define TEST assert(*p == 1 && b == 2)\n" => "static int a = 1, b = 2, *p = &b;\n#define TEST assert(*p == 1 && b == 2)\n",
        "an offset in a pointer": "static int a[2] = {1, 2}, *p = &a[0];\n#define TEST assert(*p == 1)\n" => "static int a[2] = {1, 2}, *p = &a[1];\n#define TEST assert(*p == 1)\n",
        "what a pointer to a pointer points to": "static int a = 1, b = 2; static int *p = &a, **q = &p;\n#define TEST assert(**q == 1 && b)\n" => "static int a = 1, b = 2; static int *p = &b, **q = &p;\n#define TEST assert(**q == 1 && b)\n",
        "a text": "static const char *t = \"abc\";\n#define TEST assert(strlen(t) == 3)\n" => "static const char *t = \"ab\";\n#define TEST assert(strlen(t) == 3)\n",
        "a byte of a text": "static const char *t = \"abc\";\n#define TEST assert(t[2] == 'c')\n" => "static const char *t = \"abd\";\n#define TEST assert(t[2] == 'c')\n",
        "a variable of each thread": "static _Thread_local int n = 2;\n#define TEST assert(n == 2)\n" => "static _Thread_local int n = 3;\n#define TEST assert(n == 2)\n",
        "a static local": "static int f(void) { static int n = 2; return n++; }\n#define TEST assert(f() == 2)\n" => "static int f(void) { static int n = 3; return n++; }\n#define TEST assert(f() == 2)\n",
        "a constant": "static int n = 2;\n#define TEST n = 3\n" => "static const int n = 2;\n#define TEST *(int *)&n = 3\n",
        "an alignment": "static _Alignas(64) char c;\n#define TEST assert((uintptr_t)&c % 64 == 0)\n" => "static _Alignas(1) char c;\n#define TEST assert((uintptr_t)&c % 64 == 0)\n",
        "an alignment that an initial value shows": "static _Alignas(64) char c;\nstatic uintptr_t n = (uintptr_t)&c;\n#define TEST assert(n % 64 == 0)\n" => "static _Alignas(1) char c;\nstatic uintptr_t n = (uintptr_t)&c;\n#define TEST assert(n % 64 == 0)\n",
        "an alignment that a variable shows": "static _Alignas(64) char c;\n#define TEST uintptr_t n = (uintptr_t)&c; assert(n % 64 == 0)\n" => "static _Alignas(1) char c;\n#define TEST uintptr_t n = (uintptr_t)&c; assert(n % 64 == 0)\n",
        "the kind of a lock": "static pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;\n#define TEST pthread_mutex_lock(&m); pthread_mutex_lock(&m)\n" => "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n#define TEST pthread_mutex_lock(&m); pthread_mutex_lock(&m)\n",
        "the value of an enumerator": "enum e { A = 2 };\nstatic enum e e = A;\n#define TEST assert(e == 2)\n" => "enum e { A = 3 };\nstatic enum e e = A;\n#define TEST assert(e == 2)\n",
    }.map(|row| Row { flags: "-- -D_GNU_SOURCE", later_flags: "-- -D_GNU_SOURCE", ..row }));
}

#[test]
fn bounds_and_properties() {
    const THREADS: &str = "#include <pthread.h>\n#include <assert.h>\nstatic int n;\nstatic void *f(void *p) { n++; return p; }\nint main(void) { pthread_t t; pthread_create(&t, 0, f, 0); n++; pthread_join(t, 0); assert(n > 0); }\n";
    const LOOP: &str = "#include <assert.h>\nint nondet_int(void);\nint main(void) { int n = nondet_int(), i = 0; while (i < n && i < 9) i++; assert(i < 5); }\n";
    check(&[
        flags("a bound of loops", &[("a.c", LOOP)], "--unwind 3", "--unwind 7"),
        flags("no bound of loops", &[("a.c", LOOP)], "--unwind 3", ""),
        flags("a bound of steps", &[("a.c", LOOP)], "--max-steps 20", "--max-steps 2000"),
        flags(
            "a bound of calls",
            &[(
                "a.c",
                "#include <assert.h>\nstatic int f(int n) { return n ? f(n - 1) : 0; }\nint main(void) { assert(f(5)); }\n",
            )],
            "--max-depth 3",
            "--max-depth 30",
        ),
        flags("races", &[("a.c", THREADS)], "", "--check race"),
        flags(
            "other properties",
            &[("a.c", "int main(void) { int a[2]; return a[2] * 0; }\n")],
            "--check assert",
            "--check memory",
        ),
        flags(
            "signed overflow",
            &[("a.c", "int nondet_int(void);\nint main(void) { return nondet_int() + 1 > 0; }\n")],
            "",
            "--check default,overflow",
        ),
        flags(
            "the entry",
            &[("a.c", "#include <assert.h>\nint other(void) { assert(0); }\nint main(void) { return 0; }\n")],
            "",
            "--entry other",
        ),
    ]);
}

#[test]
fn arguments_of_clang_and_what_may_happen() {
    check(&[
        flags(
            "macros of the command line",
            &[("a.c", "#include <assert.h>\nint main(void) { int n = N; assert(n == 2); }\n")],
            "-- -DN=2",
            "-- -DN=3",
        ),
        flags(
            "the machine",
            &[(
                "a.c",
                "void __assert_fail(const char *, const char *, unsigned, const char *);\nint main(void) { int n = sizeof(long); if (n != 8) __assert_fail(\"\", \"\", 1, \"\"); }\n",
            )],
            "",
            "-- -m32",
        ),
        flags(
            "the sign of characters",
            &[("a.c", "#include <assert.h>\nint main(void) { volatile char c = 200; assert(c < 0); }\n")],
            "",
            "-- -funsigned-char",
        ),
        flags(
            "allocation that fails",
            &[("a.c", "#include <stdlib.h>\nint main(void) { int *p = malloc(4); *p = 1; free(p); }\n")],
            "",
            "--fail memory",
        ),
        flags(
            "threads that do not start",
            &[(
                "a.c",
                "#include <pthread.h>\n#include <assert.h>\nstatic void *f(void *p) { return p; }\nint main(void) { pthread_t t; assert(!pthread_create(&t, 0, f, 0)); pthread_join(t, 0); }\n",
            )],
            "",
            "--fail threads",
        ),
        flags(
            "functions without a body",
            &[("a.c", "#include <assert.h>\nint g(void);\nint main(void) { assert(g() != 7); }\n")],
            "",
            "--undefined any",
        ),
        flags(
            "nothing assumed",
            &[("a.c", "#include <stdlib.h>\nint main(void) { free(malloc(4)); }\n")],
            "",
            "--strict",
        ),
        flags(
            "what wakes",
            &[(
                "a.c",
                "#include <pthread.h>\n#include <assert.h>\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nstatic pthread_cond_t c = PTHREAD_COND_INITIALIZER;\nstatic int n;\nstatic void *f(void *p) { pthread_mutex_lock(&m); n = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m); return p; }\nint main(void) { pthread_t t; pthread_mutex_lock(&m); pthread_create(&t, 0, f, 0); pthread_cond_wait(&c, &m); assert(n); pthread_mutex_unlock(&m); pthread_join(t, 0); }\n",
            )],
            "",
            "--spurious",
        ),
    ]);
}

#[test]
fn the_world() {
    const ARGS: &str = "#include <assert.h>\n#include <string.h>\nint main(int c, char **v) { if (c > 1) assert(strcmp(v[1], \"ab\")); }\n";
    const READS: &str = "#include <assert.h>\n#include <stdio.h>\nint main(void) { FILE *f = fopen(\"x\", \"r\"); int c = f ? getc(f) : 'n'; assert(c == 'a' || c == 'n'); }\n";
    const INPUT: &str =
        "#include <assert.h>\n#include <stdio.h>\nint main(void) { assert(getchar() != 'a'); }\n";
    const HOME: &str = "#include <assert.h>\n#include <stdlib.h>\nint main(void) { char *h = getenv(\"H\"); assert(!h || *h != 'a'); }\n";
    const SECOND: &str =
        "#include <assert.h>\n#include <stdio.h>\nint main(void) { getchar(); assert(getchar() == EOF); }\n";
    check(&[
        flags("the length of arguments", &[("a.c", ARGS)], "--sym-args 1", "--sym-args 2"),
        flags("arguments", &[("a.c", ARGS)], "--arg b", "--arg ab"),
        flags("any arguments", &[("a.c", ARGS)], "--arg b", ""),
        edit("the content of a file", &[("a.c", READS), ("host", "a")], "--file x=host", &[("host", "b")]),
        flags(
            "another file",
            &[("a.c", READS), ("host", "a"), ("other", "b")],
            "--file x=host",
            "--file x=other",
        ),
        flags("no files", &[("a.c", READS)], "--no-files", ""),
        edit("standard input", &[("a.c", INPUT), ("in", "b")], "--stdin in", &[("in", "a")]),
        flags("any standard input", &[("a.c", INPUT), ("in", "b")], "--stdin in", ""),
        flags("the length of standard input", &[("a.c", SECOND)], "--sym-stdin 1", "--sym-stdin 2"),
        flags("the environment", &[("a.c", HOME)], "--env H=b", "--env H=a"),
        flags("any environment", &[("a.c", HOME)], "--env H=b", ""),
        flags("no other environment", &[("a.c", HOME)], "--sym-env 0", "--sym-env 1"),
        flags(
            "signals from outside",
            &[(
                "a.c",
                "#include <assert.h>\n#include <signal.h>\nstatic volatile sig_atomic_t n;\nstatic void f(int s) { n++; }\nint main(void) { signal(SIGUSR1, f); assert(n < 1); }\n",
            )],
            "--signals 0",
            "--signals 1",
        ),
        flags(
            "the clock",
            &[(
                "a.c",
                "#include <assert.h>\n#include <time.h>\nint main(void) { assert(time(0) > 1000); }\n",
            )],
            "--clock fixed",
            "",
        ),
        edit(
            "a peer",
            &[
                (
                    "a.c",
                    "#include <assert.h>\n#include <sys/socket.h>\n#include <netinet/in.h>\nint main(void) { struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons(7) }; int s = socket(AF_INET, SOCK_STREAM, 0); char c = 'b'; if (connect(s, (void *)&a, sizeof a) == 0 && recv(s, &c, 1, 0) == 1) assert(c != 'a'); }\n",
                ),
                ("says", "b"),
            ],
            "--peer says",
            &[("says", "a")],
        ),
    ]);
}

#[test]
fn properties_for_which_only_answers_are_kept() {
    check(&[
        edit(
            "a race",
            &[(
                "a.c",
                "#include <pthread.h>\nstatic int n;\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nstatic void *f(void *p) { pthread_mutex_lock(&m); n++; pthread_mutex_unlock(&m); return p; }\nint main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_mutex_lock(&m); n++; pthread_mutex_unlock(&m); pthread_join(t, 0); }\n",
            )],
            "--check race",
            &[(
                "a.c",
                "#include <pthread.h>\nstatic int n;\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nstatic void *f(void *p) { n++; pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return p; }\nint main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_mutex_lock(&m); n++; pthread_mutex_unlock(&m); pthread_join(t, 0); }\n",
            )],
        ),
        edit(
            "what makes an access atomic",
            &[(
                "a.c",
                "#include <pthread.h>\nstatic _Atomic int n;\nstatic void *f(void *p) { n = 1; return p; }\nint main(void) { pthread_t t; pthread_create(&t, 0, f, 0); n = 2; pthread_join(t, 0); }\n",
            )],
            "--check race",
            &[(
                "a.c",
                "#include <pthread.h>\nstatic int n;\nstatic void *f(void *p) { n = 1; return p; }\nint main(void) { pthread_t t; pthread_create(&t, 0, f, 0); n = 2; pthread_join(t, 0); }\n",
            )],
        ),
        edit(
            "a leak",
            &[("a.c", "#include <stdlib.h>\nint main(void) { void *p = malloc(4); free(p); }\n")],
            "--check leak",
            &[("a.c", "#include <stdlib.h>\nint main(void) { void *p = malloc(4); (void)p; }\n")],
        ),
        edit(
            "what was never written",
            &[(
                "a.c",
                "#include <stdio.h>\nint main(void) { int n; int *p = &n; *p = 1; if (*p) puts(\"\"); }\n",
            )],
            "--check uninit",
            &[("a.c", "#include <stdio.h>\nint main(void) { int n; int *p = &n; if (*p) puts(\"\"); }\n")],
        ),
        edit(
            "a deadlock",
            &[(
                "a.c",
                "#include <pthread.h>\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, o = PTHREAD_MUTEX_INITIALIZER;\nstatic void *f(void *p) { pthread_mutex_lock(&m); pthread_mutex_lock(&o); pthread_mutex_unlock(&o); pthread_mutex_unlock(&m); return p; }\nint main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_mutex_lock(&m); pthread_mutex_lock(&o); pthread_mutex_unlock(&o); pthread_mutex_unlock(&m); pthread_join(t, 0); }\n",
            )],
            "",
            &[(
                "a.c",
                "#include <pthread.h>\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, o = PTHREAD_MUTEX_INITIALIZER;\nstatic void *f(void *p) { pthread_mutex_lock(&o); pthread_mutex_lock(&m); pthread_mutex_unlock(&m); pthread_mutex_unlock(&o); return p; }\nint main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_mutex_lock(&m); pthread_mutex_lock(&o); pthread_mutex_unlock(&o); pthread_mutex_unlock(&m); pthread_join(t, 0); }\n",
            )],
        ),
    ]);
}

/// What is new in an edited program has other addresses there than in a program that is new as a whole.
#[test]
fn answers_that_depend_on_addresses_are_found_again() {
    let text = "#include <assert.h>\n#include <stdint.h>\nstatic _Alignas(1) char c;\nint main(void) { assert((uintptr_t)&c % 64 == 0); }\n";
    let sandbox = Sandbox::new();
    sandbox.file("a.c", text.replace("(1)", "(64)"));
    assert_eq!(sandbox.run(&["check", "--incremental", "a.c"]).code, Some(0));
    sandbox.file("a.c", text);
    for flag in ["--incremental", "--check-incremental", "--incremental"] {
        let run = sandbox.run(&["check", flag, "a.c"]);
        assert_eq!(run.code, sandbox.run(&["check", "a.c"]).code, "{run:?}");
        assert!(
            run.stdout.contains("from before: nothing is used, as the answer depends on addresses"),
            "{run:?}"
        );
    }
}

#[test]
fn several_workers_begin_from_scratch_and_say_so() {
    let sandbox = Sandbox::new();
    sandbox.file("a.c", "int main(void) { return 0; }\n");
    for _ in 0..2 {
        let run = sandbox.run(&["check", "--incremental", "--jobs", "2", "a.c"]);
        assert_eq!(run.code, Some(0), "{run:?}");
        assert!(
            run.stdout.contains("from before: nothing is used, and nothing is kept, as --jobs"),
            "{run:?}"
        );
    }
}

/// An executable with one bit more in its linker's identification.
#[test]
fn another_build_begins_from_scratch() {
    use std::os::unix::fs::PermissionsExt as _;
    let sandbox = Sandbox::new();
    sandbox.file("a.c", "int main(void) { return 0; }\n");
    let ours = env!("CARGO_BIN_EXE_selvedge");
    let mut bytes = std::fs::read(ours).expect("the executable");
    let file = object::File::parse(&bytes[..]).expect("an executable");
    let id = object::Object::build_id(&file).expect("it can be read").expect("the linker gives one").to_vec();
    let at = bytes.windows(id.len()).position(|window| window == id).expect("it is in the file");
    bytes[at] ^= 1;
    let other = sandbox.file("selvedge", &bytes);
    std::fs::set_permissions(&other, std::fs::Permissions::from_mode(0o755)).expect("a mode");
    for (program, stands) in
        [(ours.as_ref(), false), (ours.as_ref(), true), (&*other, false), (&*other, true)]
    {
        let mut command = std::process::Command::new(program);
        let args = ["check", "--incremental", "a.c"];
        let run = Run::from(command.args(args).current_dir(sandbox.path()).output().expect("it starts"));
        assert_eq!((run.code, run.stdout.contains("stands")), (Some(0), stands), "{run:?}");
    }
}
