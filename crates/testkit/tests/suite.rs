//! Fixtures: all have headers that can be read, a fast check before they are run; and the runner is tested against a
//! stand-in for the binary whose answers are known.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::Duration;

use selvedge_testkit::fixture::{Failure, Suite, find, parse};

/// Answers `check` with the JSON after `ANSWER` in the fixture and the code after `CODE`; `replay` gives `REPLAY`.
const STAND_IN: &str = r#"#!/bin/sh
value() { sed -n "s/^\/\/ $1 //p" "$2"; }
case $1 in
check)
  file=$2
  while [ $# -gt 0 ]; do [ "$1" = --out ] && out=$2; shift; done
  echo "{\"stdout\": \"$(value STDOUT "$file")\"}" > "$out/test000001.json"
  cp "$file" "$out/bug-1.json"
  value ANSWER "$file"
  [ -n "$(value SLEEP "$file")" ] && exec sleep 60
  exit "$(value CODE "$file")" ;;
replay) exit "$(value REPLAY "$2")" ;;
esac
"#;

fn run(fixtures: &[(&str, &str)]) -> Vec<(String, Result<(), Failure>)> {
    let dir = tempfile::tempdir().expect("a folder");
    let binary = dir.path().join("selvedge");
    fs::write(&binary, STAND_IN).expect("written");
    fs::set_permissions(&binary, fs::Permissions::from_mode(0o755)).expect("made executable");
    let root = dir.path().join("programs");
    for (name, text) in fixtures {
        let file = root.join(name);
        fs::create_dir_all(file.parent().unwrap_or(Path::new("/"))).expect("a folder");
        fs::write(file, text).expect("written");
    }
    let suite = Suite { binary, root, limit: Duration::from_secs(3) };
    let cases = suite.cases().expect("the folder is readable");
    cases.into_iter().map(|case| (case.name.clone(), suite.run(&case))).collect()
}

fn problems(text: &str) -> Vec<String> {
    let (_, result) = run(&[("a.c", text)]).pop().expect("a case");
    result.err().map(|failure| failure.problems).unwrap_or_default()
}

const SAFE: &str =
    "//@ verdict: safe\n// CODE 0\n// ANSWER {\"verdict\": \"safe\", \"bounded\": false, \"bugs\": []}\n";
const BUG: &str = "//@ verdict: unsafe(assert)\nreach(); //~ BUG!\n// ANSWER {\"verdict\": \"unsafe\", \"bugs\": \
    [{\"kind\": \"assert\", \"location\": {\"line\": 2}, \"test\": \"bug-1.json\"}]}\n";

#[test]
fn fixtures_in_all_folders_are_run_and_bugs_are_replayed() {
    let bug = format!("{BUG}// CODE 1\n// REPLAY 1\n");
    let report = run(&[("x/safe.c", SAFE), ("x/y/bug.i", &bug), ("x/readme.md", "no fixture")]);
    assert_eq!(report, [("x/safe".to_owned(), Ok(())), ("x/y/bug".to_owned(), Ok(()))]);
}

#[test]
fn each_revision_is_a_case_and_a_failure_shows_its_command() {
    let text = format!("//@ rev one: --search bfs\n//@ rev two:\n//@ verdict[two]: unknown\n{SAFE}");
    let report = run(&[("x/a.c", &text)]);
    assert_eq!(report[0], ("x/a[one]".to_owned(), Ok(())));
    let (name, Err(failure)) = &report[1] else { panic!("the second revision fails") };
    assert_eq!(name, "x/a[two]");
    let shown = failure.to_string();
    assert!(
        shown.starts_with("run: selvedge check ") && shown.contains("\n- exit code: expected 3, found 0\n"),
        "{shown}"
    );
}

#[test]
fn a_wrong_exit_code_is_reported_even_if_the_report_is_right() {
    assert_eq!(problems(&SAFE.replace("CODE 0", "CODE 3")), ["exit code: expected 0, found 3"]);
}

#[test]
fn a_bug_that_cannot_be_replayed_is_reported() {
    let found = problems(&format!("{BUG}// CODE 1\n// REPLAY 3\n"));
    assert!(found[0].starts_with("replay of bug-1.json: expected exit code 1, found 3"), "{found:#?}");
}

#[test]
fn the_predicted_output_is_looked_up_in_the_test_cases() {
    let header = format!("//@ stdout: hello\n{SAFE}");
    assert_eq!(problems(&format!("{header}// STDOUT say hello\n")), Vec::<String>::new());
    assert!(problems(&format!("{header}// STDOUT bye\n"))[0].contains("no explored path prints `hello`"));
}

#[test]
fn a_hanging_run_ends_at_the_limit() {
    let found = problems(&format!("{SAFE}// SLEEP yes\n"));
    assert_eq!(found[0], "exit code: expected 0, found a time-out");
}

#[test]
fn a_malformed_fixture_fails_without_a_run() {
    assert_eq!(problems("//@ verdict: good\n").len(), 1);
}

#[test]
fn every_fixture_has_a_readable_header() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs");
    let mut problems = Vec::new();
    let files = find(&root).expect("the fixtures are readable");
    for file in &files {
        let text = std::fs::read_to_string(file).expect("the fixture is readable");
        if let Err(error) = parse(&text) {
            problems.push(format!("{}: {error}", file.display()));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(!files.is_empty(), "there are no fixtures");
}
