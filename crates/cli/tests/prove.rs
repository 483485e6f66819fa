//! `prove`, `check-proof`, `run-gcl` and `fmt-gcl` from the outside: exit codes, files, messages.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn program(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/gcl").join(name)
}

fn selvedge(args: &[&Path]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_selvedge")).args(args).output().expect("the binary runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_safe_program_gets_a_proof_that_can_be_checked() {
    let dir = tempfile::tempdir().expect("temporary directory");
    let (proof, json, graph) = (dir.path().join("p"), dir.path().join("j"), dir.path().join("g.dot"));
    let file = program("ticket.gcl");
    let flag = Path::new;
    let out = selvedge(&[
        flag("prove"),
        &file,
        flag("-D"),
        flag("N=3"),
        flag("--proof"),
        &proof,
        flag("--json"),
        &json,
        flag("--graph"),
        &graph,
    ]);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    assert!(text(&out.stdout).lines().last().is_some_and(|l| l.starts_with("SAFE")), "{}", text(&out.stdout));
    let report: serde_json::Value =
        serde_json::from_slice(&std::fs::read(&json).expect("the report is there")).expect("it is JSON");
    assert_eq!(report["verdict"], "safe");
    assert_eq!(report["prove"]["iterations"], 5);
    assert_eq!(report["prove"]["predicates"], 14);
    let dot = std::fs::read_to_string(&graph).expect("the graph is there");
    assert!(dot.contains("style=solid") && dot.starts_with("digraph"), "{dot}");

    let check = |proof: &Path, define: &str| {
        selvedge(&[flag("check-proof"), &file, proof, flag("-D"), flag(define)]).status.code()
    };
    assert_eq!(check(&proof, "N=3"), Some(0));
    assert_eq!(check(&proof, "N=4"), Some(2), "it is the proof of another program");
    let damaged = dir.path().join("damaged");
    let body = std::fs::read_to_string(&proof).expect("the proof is there").replace("crit", "idle");
    std::fs::write(&damaged, body).expect("it can be written");
    assert_eq!(check(&damaged, "N=3"), Some(2));
}

#[test]
fn an_unsafe_program_gets_a_run() {
    let out = selvedge(&[
        Path::new("prove"),
        &program("ticket_defect_any_start.gcl"),
        Path::new("--json"),
        Path::new("-"),
    ]);
    assert_eq!(out.status.code(), Some(1));
    let report: serde_json::Value = serde_json::from_slice(&out.stdout).expect("it is JSON");
    assert_eq!(report["verdict"], "unsafe");
    assert_eq!(report["bugs"][0]["schedule"].as_array().map(Vec::len), Some(6));
    assert!(text(&out.stderr).contains("UNSAFE"), "the text goes to standard error");
}

#[test]
fn limits_give_unknown() {
    let file = program("ticket.gcl");
    let out = selvedge(&[Path::new("prove"), &file, Path::new("--max-iterations"), Path::new("2")]);
    assert_eq!(out.status.code(), Some(3));
    assert!(text(&out.stdout).contains("the limit of 2 iterations"), "{}", text(&out.stdout));
}

#[test]
fn errors_quote_the_line() {
    let dir = tempfile::tempdir().expect("temporary directory");
    let file = dir.path().join("a.gcl");
    std::fs::write(&file, "var x: int = 0;\nprocess P { t: do x := x * x; }\nsafe x < 3;\n").expect("write");
    let out = selvedge(&[Path::new("prove"), &file]);
    assert_eq!(out.status.code(), Some(2));
    let message = text(&out.stderr);
    assert!(message.contains("a.gcl:2:24: this product is not linear"), "{message}");
    assert!(message.contains("2 | process P { t: do x := x * x; }"), "{message}");
    std::fs::write(&file, "var x: int = 0;\nprocess P { t: do x := 1; }\n").expect("write");
    let out = selvedge(&[Path::new("prove"), &file]);
    assert!(text(&out.stderr).contains("has no property"), "{}", text(&out.stderr));
}

#[test]
fn programs_can_be_run_and_formatted() {
    let file = program("mutex.gcl");
    let out = selvedge(&[Path::new("run-gcl"), &file, Path::new("--seed"), Path::new("3")]);
    assert_eq!(out.status.code(), Some(0));
    assert!(text(&out.stdout).contains("the number of steps is reached"));
    let again = selvedge(&[Path::new("run-gcl"), &file, Path::new("--seed"), Path::new("3")]);
    assert_eq!(out.stdout, again.stdout, "a seed names a run");
    let out = selvedge(&[Path::new("fmt-gcl"), &file]);
    assert_eq!(text(&out.stdout), std::fs::read_to_string(&file).expect("it is there"));
}
