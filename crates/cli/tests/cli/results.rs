//! Runs of small programs from the command line to the verdict.

use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::{Run, Sandbox};

const SAFE: &str = "\
#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = x < 0 ? 0 : x;
    assert(y >= 0);
    if (y > 3) return 1;
    return 0;
}
";

const UNSAFE: &str = "\
#include <assert.h>
#include <stdio.h>
int __VERIFIER_nondet_int(void);
static void inspect(int value) {
    assert(value != 42);
}
int main(void) {
    int x = __VERIFIER_nondet_int();
    printf(\"hello\\n\");
    inspect(x);
    return 0;
}
";

const ENDLESS: &str = "int main(void) { for (volatile unsigned i = 0;; i++) {} }\n";

const LONG: &str = "\
int main(void) {
    unsigned x = 1;
    for (unsigned i = 0; i < 1000000000u; i++) x = x * 3 + i;
    return x == 7;
}
";

/// One query that no solver answers in minutes.
const HARD: &str = "\
#include <assert.h>
double __VERIFIER_nondet_double(void);
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
int main(void) {
    if (__VERIFIER_nondet_int() == 3) assert(0);
    double a = __VERIFIER_nondet_double(), b = __VERIFIER_nondet_double(), c = __VERIFIER_nondet_double();
    __VERIFIER_assume(a > 1 && a < 1e3 && b > 1 && b < 1e3 && c > 1 && c < 1e3);
    double x = a * b / c + a * a * b - c / b, y = a * b * b / c * x;
    assert(y * y / x != x * a + 17.25);
    return 0;
}
";

const LOOP: &str = "\
int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int(), i = 0;
    while (i < n) i++;
    return 0;
}
";

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    for (name, text) in
        [("safe.c", SAFE), ("unsafe.c", UNSAFE), ("endless.c", ENDLESS), ("long.c", LONG), ("loop.c", LOOP)]
    {
        sandbox.file(name, text);
    }
    sandbox
}

#[track_caller]
fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|e| panic!("not JSON ({e}):\n{text}"))
}

fn last_line(text: &str) -> &str {
    text.trim_end().lines().last().unwrap_or_default()
}

#[test]
fn verdicts_are_exit_codes_and_last_lines() {
    let sandbox = sandbox();
    let run = sandbox.run(&["check", "safe.c"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(last_line(&run.stdout).starts_with("SAFE  everything was explored: 3 executions in "), "{run:?}");
    let run = sandbox.run(&["check", "unsafe.c"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(last_line(&run.stdout).starts_with("UNSAFE  1 bug"), "{run:?}");
}

#[test]
fn a_bug_is_shown_with_source_inputs_stack_and_output() {
    let run = sandbox().run(&["check", "unsafe.c"]);
    for text in [
        "error[assert]: ",
        "--> unsafe.c:5",
        "in function inspect",
        "5 |     assert(value != 42);",
        "42",
        "call stack",
        "| hello",
        "--out DIR",
    ] {
        assert!(run.stdout.contains(text), "{text:?} is missing in\n{}", run.stdout);
    }
    assert_eq!(run.stderr, "", "nothing but the report");
}

#[test]
fn json_on_standard_output_moves_the_text_to_standard_error() {
    let run = sandbox().run(&["check", "--json", "-", "unsafe.c"]);
    let report = json(&run.stdout);
    assert_eq!((report["schema"].as_u64(), report["verdict"].as_str()), (Some(2), Some("unsafe")));
    assert_eq!(report["executions"]["failed"], 1);
    let bug = &report["bugs"][0];
    assert_eq!((bug["kind"].as_str(), bug["location"]["line"].as_u64()), (Some("assert"), Some(5)));
    assert_eq!(bug["location"]["function"], "inspect");
    assert_eq!(bug["inputs"][0]["value"], "42");
    assert!(bug["test"].is_null());
    assert!(last_line(&run.stderr).starts_with("UNSAFE"), "{run:?}");
}

#[test]
fn json_has_every_field_also_of_an_uneventful_run() {
    let sandbox = sandbox();
    assert_eq!(sandbox.run(&["check", "--json", "r.json", "safe.c"]).code, Some(0));
    let report = json(&std::fs::read_to_string(sandbox.path().join("r.json")).expect("written"));
    for pointer in [
        "/tool",
        "/version",
        "/bounded",
        "/reasons",
        "/warnings",
        "/reduce",
        "/executions/total",
        "/executions/cut",
        "/states",
        "/instructions",
        "/time_s",
        "/peak_rss_mib",
        "/solver/queries",
        "/summaries/hits",
        "/slice/in_slice",
        "/phases/frontend_s",
        "/coverage/lines",
        "/bugs",
    ] {
        assert!(report.pointer(pointer).is_some(), "{pointer} is missing in {report}");
    }
    assert!(report["phases"]["frontend_s"].as_f64() > Some(0.0));
    assert!(report["peak_rss_mib"].as_f64() > Some(1.0));
    assert_eq!(report["executions"]["total"], 3);
}

#[test]
fn two_runs_give_the_same_report() {
    let sandbox = sandbox();
    let report = || {
        let mut report = json(&sandbox.run(&["check", "--json", "-", "--all-bugs", "unsafe.c"]).stdout);
        for measured in ["time_s", "peak_rss_mib", "phases", "solver"] {
            report[measured] = Value::Null;
        }
        report
    };
    assert_eq!(report(), report());
}

#[test]
fn colours_are_for_terminals_unless_asked_for() {
    let sandbox = sandbox();
    let escapes = |args: &[&str]| sandbox.run(args).stdout.contains('\x1b');
    assert!(!escapes(&["check", "unsafe.c"]), "a pipe is no terminal");
    assert!(escapes(&["check", "--color", "always", "unsafe.c"]));
    assert!(!escapes(&["check", "--color", "never", "unsafe.c"]));
    let mut command = sandbox.command(&["check", "unsafe.c"]);
    let run = Run::from(command.env("NO_COLOR", "1").output().expect("starts"));
    assert!(!run.stdout.contains('\x1b'));
}

#[test]
fn a_bug_is_kept_and_replayed_from_anywhere() {
    let sandbox = sandbox();
    let run = sandbox.run(&["check", "--out", "result", "unsafe.c"]);
    assert!(run.stdout.contains("replay: selvedge replay result/bug-1.json"), "{run:?}");
    let dir = sandbox.path().join("result");
    for name in ["bug-1.json", "report.json", "report.txt", "test000001.json", ".selvedge"] {
        assert!(dir.join(name).exists(), "{name} was not written");
    }
    let ktest = std::fs::read(dir.join("test000001.ktest")).expect("a test case");
    assert!(ktest.starts_with(b"KTEST\0\0\0\x03"));
    let report = json(&std::fs::read_to_string(dir.join("report.json")).expect("written"));
    assert_eq!(report["bugs"][0]["test"], "bug-1.json");

    let elsewhere = Sandbox::new();
    let file = dir.join("bug-1.json").display().to_string();
    let run = elsewhere.run(&["replay", &file]);
    assert!(run.code == Some(1) && run.stdout.contains("error[assert]"), "{run:?}");
    let run = elsewhere.run(&["replay", "--json", "r.json", &file]);
    assert_eq!(run.code, Some(1), "{run:?}");
    let report = json(&std::fs::read_to_string(elsewhere.path().join("r.json")).expect("written"));
    assert_eq!((&report["executions"]["total"], &report["verdict"]), (&1.into(), &"unsafe".into()));

    // The bug is repaired: the recorded execution does not fail any more.
    sandbox.file("unsafe.c", UNSAFE.replace("!= 42", "!= value + 1"));
    let run = elsewhere.run(&["replay", &file]);
    assert_eq!(run.code, Some(3), "{run:?}");
    assert!(last_line(&run.stdout).contains("did not happen again"), "{run:?}");

    std::fs::remove_file(sandbox.path().join("unsafe.c")).expect("own file");
    let run = elsewhere.run(&["replay", &file]);
    assert!(run.code == Some(2) && run.stderr.contains("unsafe.c"), "{run:?}");
}

#[test]
fn coverage_is_shown_and_written() {
    let sandbox = sandbox();
    let run = sandbox.run(&["check", "--coverage", "--lcov", "c.info", "--stats", "safe.c"]);
    assert!(run.stdout.contains("coverage: lines") && run.stdout.contains("statistics:"), "{run:?}");
    let lcov = std::fs::read_to_string(sandbox.path().join("c.info")).expect("written");
    assert!(lcov.contains("SF:") && lcov.contains("DA:6,1") && lcov.contains("end_of_record"), "{lcov}");
}

#[test]
fn partial_writes_are_no_reads_of_uninitialised_memory() {
    let sandbox = Sandbox::new();
    let program = |last: &str| {
        format!(
            "unsigned __VERIFIER_nondet_uint(void);\n\
             struct flags {{ unsigned kind : 3, level : 5; }};\n\
             int main(void) {{\n    int a[8];\n    struct flags f;\n\
             a[__VERIFIER_nondet_uint() % 8] = 5;\n    f.kind = 1;\n    f.level = 2;\n    return {last};\n}}\n"
        )
    };
    sandbox.file("written.c", program("f.kind"));
    let run = sandbox.run(&["check", "written.c"]);
    assert!(run.code == Some(0) && !run.stdout.contains("warning"), "{run:?}");
    sandbox.file("read.c", program("f.kind").replace("f.kind = 1", "a[0] = f.kind"));
    let run = sandbox.run(&["check", "read.c"]);
    assert!(run.code == Some(0) && run.stdout.contains("read before it is written"), "{run:?}");
}

#[test]
fn a_quiet_run_still_shows_what_was_asked_for() {
    let run = sandbox().run(&["check", "--quiet", "--coverage", "safe.c"]);
    assert!(run.stdout.contains("coverage: lines") && !run.stdout.contains("stats:"), "{run:?}");
}

#[test]
fn a_bound_of_the_user_gives_bounded_safe_and_names_it() {
    let run = sandbox().run(&["check", "--unwind", "3", "--json", "-", "loop.c"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let report = json(&run.stdout);
    assert_eq!((report["verdict"].as_str(), report["bounded"].as_bool()), (Some("safe"), Some(true)));
    assert!(report["executions"]["cut"].as_u64() > Some(0), "{report}");
    assert!(last_line(&run.stderr).starts_with("SAFE (bounded)"), "{run:?}");
    assert!(last_line(&run.stderr).contains("within --unwind 3"), "the bound is named: {run:?}");
}

#[test]
fn a_time_limit_ends_a_long_run_as_unknown() {
    let start = Instant::now();
    let run = sandbox().run(&["check", "--timeout", "1", "--json", "-", "long.c"]);
    assert!(start.elapsed() < Duration::from_secs(9), "took {:?}", start.elapsed());
    assert_eq!(run.code, Some(3), "{run:?}");
    let report = json(&run.stdout);
    assert_eq!(report["verdict"], "unknown");
    assert!(report["instructions"].as_u64() > Some(1000), "the search ran: {report}");
    assert!(last_line(&run.stderr).contains("time"), "{run:?}");
}

#[test]
fn a_time_limit_holds_inside_a_single_query_and_bugs_found_before_are_reported() {
    let sandbox = Sandbox::new();
    sandbox.file("hard.c", HARD);
    let start = Instant::now();
    let run = sandbox.run(&["check", "--timeout", "1.5", "--all-bugs", "--search", "bfs", "hard.c"]);
    // The limit, a second to notice it, and what a busy machine adds.
    assert!(start.elapsed() < Duration::from_secs(5), "took {:?}", start.elapsed());
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.stdout.contains("assertion `0` failed"), "{run:?}");
}

#[test]
fn a_time_limit_holds_while_compiling() {
    let sandbox = Sandbox::new();
    for name in ["pipe.c", "pipe.bc"] {
        let made = std::process::Command::new("mkfifo").arg(sandbox.path().join(name)).status();
        assert!(made.expect("a tool of every system").success());
        let start = Instant::now();
        // Nobody writes into the pipe.
        let run = sandbox.run(&["check", "--timeout", "0.3", name]);
        assert!(start.elapsed() < Duration::from_secs(4), "took {:?}", start.elapsed());
        assert_eq!(run.code, Some(3), "{run:?}");
        assert!(last_line(&run.stdout).contains("while compiling"), "{run:?}");
    }
}

#[test]
fn an_interrupted_run_reports_what_it_has() {
    interrupt("-INT");
}

#[test]
fn a_terminated_run_reports_what_it_has() {
    interrupt("-TERM");
}

#[track_caller]
fn interrupt(signal: &str) {
    let sandbox = sandbox();
    let mut command = sandbox.command(&["check", "--progress", "plain", "endless.c"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("starts");
    // The first line of progress says that the search runs and the handler is installed.
    let mut stderr = BufReader::new(child.stderr.take().expect("piped"));
    let mut line = String::new();
    while !line.starts_with("progress:") {
        line.clear();
        assert_ne!(stderr.read_line(&mut line).expect("readable"), 0, "ended without progress");
    }
    let drain = std::thread::spawn(move || std::io::copy(&mut stderr, &mut std::io::sink()));
    let pid = child.id().to_string();
    assert!(std::process::Command::new("kill").args([signal, &pid]).status().expect("kill").success());
    let run = Run::from(child.wait_with_output().expect("ends"));
    drop(drain.join());
    assert_eq!(run.code, Some(3), "{run:?}");
    assert!(last_line(&run.stdout).starts_with("UNKNOWN  because"), "{run:?}");
    assert!(last_line(&run.stdout).contains("interrupt"), "{run:?}");
}

#[test]
fn a_reader_that_leaves_early_does_not_change_the_exit_code() {
    let sandbox = sandbox();
    let (reader, writer) = std::io::pipe().expect("pipe");
    drop(reader);
    let output =
        sandbox.command(&["check", "unsafe.c"]).stdout(Stdio::from(writer)).output().expect("starts");
    let run = Run::from(output);
    assert_eq!((run.code, run.stderr.as_str()), (Some(1), ""));
}

#[test]
fn a_step_says_what_it_read_and_who_wrote_it() {
    let sandbox = Sandbox::new();
    let program = "\
#include <assert.h>
#include <pthread.h>
int x;
void *worker(void *arg)
{
    x = 7;
    return arg;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    int seen = x;
    assert(seen == 0);
    return 0;
}
";
    sandbox.file("t.c", program);
    let report = json(&sandbox.run(&["check", "--json", "-", "t.c"]).stdout);
    let schedule = report["bugs"][0]["schedule"].as_array().expect("a schedule");
    let reader = schedule.iter().find(|step| step["line"] == 13 && step["reads"][0]["name"] == "x");
    let reader = reader.unwrap_or_else(|| panic!("nobody reads x: {schedule:?}"));
    let read = &reader["reads"][0];
    assert_eq!((&reader["text"], &read["value"]), (&"int seen = x;".into(), &"7".into()));
    assert_eq!(read["writer"]["thread"], 1);
    let writer = &schedule[read["writer"]["step"].as_u64().expect("a step") as usize];
    assert_eq!((&writer["line"], &writer["text"]), (&6.into(), &"x = 7;".into()));
    let text = sandbox.run(&["check", "t.c"]).stdout;
    assert!(text.contains("(reads x = 7 of"), "{text}");
}
