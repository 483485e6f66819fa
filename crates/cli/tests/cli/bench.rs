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
[[plots]]
name = "times"
title = "Times"
of = "time"
kind = { scatter = { x = "checker", y = "stuck" } }
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
    assert!(page.contains("![Times](small-times.svg)"), "{page}");
    let picture = std::fs::read_to_string(sandbox.path().join("made/small-times.svg")).expect("the plot");
    assert_eq!(picture.matches("<circle").count(), 1, "{picture}");

    let again = sandbox.run(&["bench", "small.toml", "--out", "made", "--resume"]);
    assert_eq!(again.code, Some(0), "{again:?}");
    assert!(!again.stderr.contains("two paths"), "nothing is left to run: {again:?}");
    assert_eq!(again.stdout, page);
}

#[test]
fn results_of_another_state_are_not_resumed() {
    let sandbox = Sandbox::new();
    sandbox.file("p.c", "int main(void) { return X; }\n");
    sandbox.file("small.toml", TABLE.replace("\"sleep\", \"1000\"", "\"true\""));
    let resume = || sandbox.run(&["bench", "small.toml", "--out", "made", "--resume"]);
    let first = resume();
    assert_eq!(first.code, Some(0), "nothing to resume is no mistake: {first:?}");
    let raw = sandbox.path().join("made/small.csv");
    let csv = std::fs::read_to_string(&raw).expect("raw values");

    sandbox.file("made/small.csv", csv.replace("small,unknown,", "small,0123456789ab,"));
    let other_commit = resume();
    assert_eq!(other_commit.code, Some(2), "{other_commit:?}");
    assert!(
        other_commit.stderr.contains("with commit 0123456789ab, and this is unknown"),
        "{other_commit:?}"
    );
    assert!(other_commit.stderr.contains("leave out --resume"), "{other_commit:?}");

    sandbox.file("made/small.csv", &csv);
    sandbox.file("p.c", "int main(void) { return X + 1; }\n");
    let other_program = resume();
    assert!(
        other_program.code == Some(2) && other_program.stderr.contains("another binary"),
        "{other_program:?}"
    );
    let kept = std::fs::read_to_string(&raw).expect("raw values");
    assert_eq!(kept, csv, "what was refused is not overwritten");
}

#[test]
fn two_results_are_compared() {
    let sandbox = Sandbox::new();
    let line = |executions: u32| {
        format!(
            "table,commit,program,column,run,status,wall_s,cpu_s,peak_rss_mib,executions\nt,c,p,ag,1,ok,1.0,1.0,30,{executions}\n"
        )
    };
    for dir in ["old", "new"] {
        std::fs::create_dir(sandbox.path().join(dir)).expect("a directory");
    }
    sandbox.file("old/t.csv", line(5));
    sandbox.file("new/t.csv", line(6));
    let worse = sandbox.run(&["bench-diff", "old", "new"]);
    assert_eq!(worse.code, Some(1), "{worse:?}");
    assert!(worse.stdout.contains("| p, ag | 5 executions | 6 executions | worse |"), "{worse:?}");
    let better = sandbox.run(&["bench-diff", "new/t.csv", "old/t.csv"]);
    assert!(better.code == Some(0) && better.stdout.contains("better"), "{better:?}");
    let lost = sandbox.run(&["bench-diff", "old", "none"]);
    assert!(lost.code == Some(2) && lost.stderr.contains("cannot read"), "{lost:?}");
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
