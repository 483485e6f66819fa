//! `check --incremental` and the store, as a user meets them.

use serde_json::Value;

use crate::Sandbox;

const COUNTERS: &str = "\
#include <assert.h>
#include <pthread.h>
static int a = 1, b = 1;
static void *first(void *p) { for (int i = 0; i < 2; i++) a += b; return p; }
static void *second(void *p) { for (int i = 0; i < 2; i++) b += a; return p; }
int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, first, 0);
    pthread_create(&u, 0, second, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(a < 144 && b < 144);
    return 0;
}
";

fn executions(sandbox: &Sandbox, flags: &[&str]) -> (Option<i32>, u64, String) {
    let mut args = vec!["check", "a.c", "--json", "out.json"];
    args.extend(flags);
    let run = sandbox.run(&args);
    let text = std::fs::read_to_string(sandbox.path().join("out.json")).expect("a report");
    let json: Value = serde_json::from_str(&text).expect("JSON");
    (run.code, json["executions"]["full"].as_u64().expect("a number"), run.stdout + &run.stderr)
}

#[test]
fn the_second_run_explores_nothing() {
    let sandbox = Sandbox::new();
    sandbox.file("a.c", COUNTERS);
    let (code, first, _) = executions(&sandbox, &["--incremental"]);
    assert!(code == Some(0) && first > 0);
    let (code, again, text) = executions(&sandbox, &["--incremental"]);
    assert_eq!((code, again), (Some(0), 0), "{text}");
    assert!(text.contains("from before: the answer of 20") && text.contains("stands"), "{text}");
    assert!(!text.contains("warning"), "{text}");

    let moved = COUNTERS
        .replace("static int a", "/* moved */\n\nstatic const char *unused = \"text\";\nstatic int a");
    sandbox.file("a.c", moved);
    assert_eq!(executions(&sandbox, &["--incremental"]).1, 0, "what is elsewhere makes no difference");
    sandbox.file("a.c", COUNTERS.replace("b += a", "b += 2 * a"));
    let (code, _, text) = executions(&sandbox, &["--check-incremental", "--all-bugs"]);
    assert_eq!(code, sandbox.run(&["check", "a.c", "--all-bugs"]).code, "{text}");
    assert!(!text.contains("bug in selvedge"), "{text}");
}

#[test]
fn a_store_that_is_damaged_costs_a_warning_and_no_verdict() {
    let sandbox = Sandbox::new();
    sandbox.file("a.c", COUNTERS);
    executions(&sandbox, &["--incremental"]);
    let file = sandbox.path().join(".selvedge/store.db");
    for content in [&b"not a database, whatever else it may be, and long enough to be read\n"[..], b""] {
        std::fs::write(&file, content).expect("written");
        let (code, full, text) = executions(&sandbox, &["--incremental"]);
        assert!(code == Some(0) && full > 0, "{text}");
        // An empty file is a new store.
        assert_eq!(text.contains("warning: the store is not used"), !content.is_empty(), "{text}");
    }
    let run = sandbox.run(&["check", "a.c", "--incremental", "--store", "a.c"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!((run.stdout + &run.stderr).contains("warning: the store is not used"));
}

#[test]
fn the_store_can_be_looked_after() {
    let sandbox = Sandbox::new();
    sandbox.file("a.c", COUNTERS);
    let run = sandbox.run(&["store", "info"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("there is no store in .selvedge"), "{run:?}");
    executions(&sandbox, &["--incremental"]);
    let info = sandbox.run(&["store", "info"]).stdout;
    assert!(info.contains("programs: 1 entry") && info.contains("searches: 1 entry"), "{info}");
    assert!(sandbox.run(&["store", "verify"]).stdout.contains("2 entries as they were written"));
    assert!(sandbox.run(&["store", "export", "kept"]).stdout.contains("2 entries written to kept"));
    assert!(sandbox.run(&["store", "--store", "other", "import", "kept"]).stdout.contains("2 entries added"));
    let (_, full, text) = executions(&sandbox, &["--incremental", "--store", "other"]);
    assert_eq!(full, 0, "{text}");
    let run = sandbox.run(&["store", "import", "a.c"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("a.c is no exported store"), "{run:?}");
    assert!(sandbox.run(&["store", "gc", "--limit", "0"]).stdout.contains("2 entries removed"));
    assert!(sandbox.run(&["store", "info"]).stdout.contains("programs: 0 entries"));
}

#[test]
fn flags_that_contradict_each_other_are_refused() {
    let sandbox = Sandbox::new();
    sandbox.file("a.c", COUNTERS);
    for (flags, word) in [
        (&["--incremental", "--out", "x"][..], "--out"),
        (&["--incremental", "--check-incremental"][..], "--check-incremental"),
        (&["--store", "x"][..], "--incremental"),
        (&["--store-limit", "0", "--incremental"][..], "--store-limit"),
    ] {
        let mut args = vec!["check", "a.c"];
        args.extend(flags);
        let run = sandbox.run(&args);
        assert_eq!(run.code, Some(2), "{flags:?}");
        assert!(run.stderr.contains(word), "{run:?}");
    }
}
