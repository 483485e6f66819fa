//! `selvedge bench` on a table of its own.

use crate::Sandbox;

const TABLE: &str = r#"
title = "Small"
repeat = 1
baseline = "checker"
[limits]
time_s = 60
memory_mib = 4096
[[programs]]
name = "two paths"
files = ["p.c"]
clang_args = ["-DX=5"]
expect = "safe"
[[columns]]
name = "checker"
command = ["{selvedge}", "check", "-q", "{files}", "--json", "{json}", "--", "{clang_args}"]
metrics = [{ name = "executions", json = "/executions/total" }]
[[columns]]
name = "stuck"
command = ["sleep", "1000"]
[[columns]]
name = "peer"
needs = "no-such-tool-anywhere"
command = ["no-such-tool-anywhere"]
"#;

#[test]
fn a_table_is_run_and_written() {
    let sandbox = Sandbox::new();
    sandbox.file("p.c", "int __VERIFIER_nondet_int(void);\nint main(void) { if (__VERIFIER_nondet_int() > X) return 1; return 0; }\n");
    sandbox.file("small.toml", TABLE.replace("time_s = 60", "time_s = 5"));
    let run = sandbox.run(&["bench", "small.toml", "--out", "made"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let row = run.stdout.lines().find(|l| l.starts_with("| two paths")).expect("a row");
    let cells: Vec<&str> = row.split('|').map(str::trim).collect();
    assert_eq!((cells[4], cells[5]), ("2", ">5 s"), "{row}");
    assert!(run.stdout.contains("peer: skipped, `no-such-tool-anywhere` is not on the PATH"), "{run:?}");
    assert!(run.stderr.contains("[1/2] two paths, checker ... ok"), "{run:?}");
    let csv = std::fs::read_to_string(sandbox.path().join("made/small.csv")).expect("raw values");
    assert_eq!(csv.lines().count(), 3, "{csv}");
    let page = std::fs::read_to_string(sandbox.path().join("made/small.md")).expect("the table");
    assert_eq!(page, run.stdout);
}

#[test]
fn wrong_tables_are_refused() {
    let sandbox = Sandbox::new();
    sandbox.file("bad.toml", "title = 3");
    sandbox.file("lost.toml", TABLE);
    for (args, word) in [
        (&["bench", "bad.toml"][..], "invalid type"),
        (&["bench", "lost.toml"], "no file"),
        (&["bench", "none.toml"], "cannot read"),
        (&["bench", "none"], "no table `none`"),
        (&["bench", "--list"], "no tables"),
        (&["bench"], "TABLE"),
    ] {
        let run = sandbox.run(args);
        assert!(run.code == Some(2) && run.stderr.contains(word), "{args:?}: {run:?}");
    }
}
