//! The store under runs that are killed, that run side by side, and that cannot write.

use std::io::Write as _;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::{Run, Sandbox};

/// A version of a program: every third one fails.
fn version(n: u64) -> String {
    format!(
        "#include <assert.h>\n#include <pthread.h>\nstatic int a = 1, b = 1;\n\
         static void *first(void *p) {{ for (int i = 0; i < 2; i++) a += b; return p; }}\n\
         static void *second(void *p) {{ for (int i = 0; i < 2; i++) b += {} * a; return p; }}\n\
         int main(void)\n{{\n    pthread_t t, u;\n    pthread_create(&t, 0, first, 0);\n    pthread_create(&u, 0, second, 0);\n\
         \x20   pthread_join(t, 0);\n    pthread_join(u, 0);\n    assert(a < {});\n    return 0;\n}}\n",
        n % 4 + 1,
        if n.is_multiple_of(3) { 3 } else { 10_000 }
    )
}

fn code(n: u64) -> Option<i32> {
    Some(i32::from(n.is_multiple_of(3)))
}

/// `SELVEDGE_KILLS` says how many there are.
#[test]
fn runs_that_are_killed_leave_no_wrong_answer() {
    let kills: u64 = std::env::var("SELVEDGE_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(12);
    let sandbox = Sandbox::new();
    let whole = Instant::now();
    sandbox.file("a.c", version(1));
    assert_eq!(sandbox.run(&["check", "--incremental", "a.c"]).code, code(1));
    // A busy machine takes longer for a run, and is to be killed in all of it.
    let whole = whole.elapsed().as_micros() as u64;
    let (mut n_cut, mut n_looked) = (0, 0);
    for i in 0..kills {
        sandbox.file("a.c", version(i));
        let mut command = sandbox.command(&["check", "--incremental", "a.c"]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
        std::thread::sleep(Duration::from_micros(i * 7_919_333 % (whole * 5 / 4)));
        n_cut += u64::from(child.try_wait().expect("it runs").is_none());
        child.kill().expect("it runs, or has ended");
        child.wait().expect("it has ended");
        if i % 4 == 3 {
            let run = sandbox.run(&["check", "--incremental", "a.c"]);
            assert_eq!(run.code, code(i), "after {i} kills: {run:?}");
            assert!(!run.stdout.contains("warning"), "after {i} kills: {run:?}");
            n_looked += 1;
        }
    }
    assert!(n_cut > 0 && n_looked > 0);
    let run = sandbox.run(&["store", "verify"]);
    assert!(run.code == Some(0) && !run.stdout.contains("damaged"), "{run:?}");
    let _ = writeln!(std::io::stderr(), "{kills} kills, {n_cut} of them during a run, {n_looked} looks");
}

#[test]
fn two_runs_share_a_store() {
    let sandbox = Sandbox::new();
    let start = |name: &str, n: u64| {
        sandbox.file(name, version(n));
        let mut command = sandbox.command(&["check", "--incremental", name]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts")
    };
    for n in 0..3 {
        // The same program, and another one.
        let children = [(n, start("a.c", n)), (n, start("a.c", n)), (n + 1, start("b.c", n + 1))];
        for (n, child) in children {
            let run = Run::from(child.wait_with_output().expect("it ends"));
            assert_eq!(run.code, code(n), "{run:?}");
            assert!(!run.stdout.contains("warning"), "{run:?}");
        }
    }
}

#[test]
fn what_cannot_be_kept_is_said_once_and_the_verdict_is_there() {
    let sandbox = Sandbox::new();
    sandbox.file("a.c", version(1));
    let run = sandbox.run(&["check", "--incremental", "--store", "/proc/nowhere", "a.c"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert_eq!(run.stdout.matches("warning: the store is not used").count(), 1, "{run:?}");

    sandbox.run(&["check", "--incremental", "a.c"]);
    let db = rusqlite::Connection::open(sandbox.path().join(".selvedge/store.db")).expect("the file");
    db.pragma_update(None, "user_version", 99).expect("a number");
    drop(db);
    let run = sandbox.run(&["check", "--incremental", "a.c"]);
    assert!(
        run.code == Some(0) && run.stdout.contains("has layout 99, this release reads layout"),
        "{run:?}"
    );
}
