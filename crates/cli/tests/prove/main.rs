//! `prove`, `check-proof`, `run-gcl` and `fmt-gcl` from the outside: exit codes, files, messages.

mod again;
mod c;

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
fn the_searches_for_c_programs_prove_others_as_well() {
    let dir = tempfile::tempdir().expect("temporary directory");
    let (proof, file) = (dir.path().join("p"), program("ticket.gcl"));
    let flag = Path::new;
    let pdr = ["prove", "--method", "pdr"].map(flag);
    let out = selvedge(&[&pdr[..], &[&file, flag("--proof"), &proof, flag("-v")]].concat());
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stdout));
    assert!(text(&out.stdout).contains(" control states, "), "{}", text(&out.stdout));
    assert!(text(&out.stderr).starts_with("level 1: "), "{}", text(&out.stderr));
    assert_eq!(selvedge(&[flag("check-proof"), &file, &proof]).status.code(), Some(0));
    let out = selvedge(&[&pdr[..], &[&program("ticket_defect.gcl")]].concat());
    assert_eq!(out.status.code(), Some(1), "{}", text(&out.stdout));
    let out = selvedge(&[&pdr[..], &[&file, flag("--graph"), flag("-")]].concat());
    assert!(out.status.code() == Some(2) && text(&out.stderr).contains("--graph"), "{}", text(&out.stderr));
    let out = selvedge(&[&pdr[..], &[&file, flag("--max-states"), flag("3")]].concat());
    assert_eq!(out.status.code(), Some(3), "{}", text(&out.stdout));
    assert!(text(&out.stdout).contains("more than 3 control states"), "{}", text(&out.stdout));
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
    assert!(message.contains("this product is not linear") && message.contains("a.gcl:2:24"), "{message}");
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

#[test]
fn a_program_without_runs_is_safe_with_a_warning() {
    let dir = tempfile::tempdir().expect("temporary directory");
    let (file, json, proof) = (dir.path().join("a.gcl"), dir.path().join("j"), dir.path().join("p"));
    let source =
        "var x: int;\ninit x > 0 && x < 0;\nprocess P { t: when x > 3 do x := x + 1; }\nsafe x < 9;\n";
    std::fs::write(&file, source).expect("write");
    for method in ["spacer", "pdr", "ur", "ase"] {
        let flag = Path::new;
        let args = [
            flag("prove"),
            &file,
            flag("-q"),
            flag("--method"),
            flag(method),
            flag("--json"),
            &json,
            flag("--proof"),
            &proof,
        ];
        let out = selvedge(&args);
        assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
        assert!(text(&out.stdout).starts_with("warning: no state satisfies"), "{}", text(&out.stdout));
        let report: serde_json::Value =
            serde_json::from_slice(&std::fs::read(&json).expect("the report is there")).expect("it is JSON");
        let warnings = report["warnings"].as_array().expect("an array");
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert!(warnings[0].as_str().is_some_and(|w| w.contains("any property holds")), "{warnings:?}");
    }
    let out = selvedge(&[Path::new("check-proof"), &file, &proof]);
    assert!(text(&out.stdout).starts_with("warning: no state satisfies"), "{}", text(&out.stdout));
}

#[test]
fn transitions_that_can_never_be_taken_are_named() {
    let dir = tempfile::tempdir().expect("temporary directory");
    let file = dir.path().join("a.gcl");
    let source =
        "var x: int = 0;\nprocess P { up: when x > 3 do x := x + 1; flip: do x := 1 - x; }\nsafe x < 9;\n";
    std::fs::write(&file, source).expect("write");
    let out = selvedge(&[Path::new("prove"), &file, Path::new("-q")]);
    assert!(text(&out.stdout).starts_with("warning: P.up can never be taken\nSAFE"), "{}", text(&out.stdout));
}

#[test]
fn every_method_stops_when_time_is_up_and_when_it_is_told_to() {
    // One step of each takes long: Spacer's preprocessing, and the first exploration.
    let file = program("elevator.gcl");
    for (method, floors) in [("spacer", "N=30"), ("ase", "N=18"), ("ur", "N=18")] {
        let args = ["prove", "-q", "-D", floors, "--method", method, "--timeout"];
        let start = std::time::Instant::now();
        let run = |limit: &str| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_selvedge"));
            command.args(args).arg(limit).arg(&file).stdout(std::process::Stdio::piped());
            command.stderr(std::process::Stdio::piped()).spawn().expect("the binary runs")
        };
        let out = run("1").wait_with_output().expect("it ends");
        assert_eq!(out.status.code(), Some(3), "{method}: {}", text(&out.stdout));
        assert!(text(&out.stdout).contains("time limit"), "{method}: {}", text(&out.stdout));
        let child = run("60");
        std::thread::sleep(std::time::Duration::from_millis(800));
        let pid = child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &pid]).status().expect("kill").success());
        let out = child.wait_with_output().expect("it ends");
        assert_eq!(out.status.code(), Some(3), "{method}: {}", text(&out.stdout));
        assert!(text(&out.stdout).contains("interrupted"), "{method}: {}", text(&out.stdout));
        assert!(start.elapsed().as_secs() < 15, "{method}: {:?}", start.elapsed());
    }
}

#[test]
fn errors_of_every_kind_have_their_line_and_column() {
    let dir = tempfile::tempdir().expect("temporary directory");
    let file = dir.path().join("a.gcl");
    let check = |source: &str, expected: &str| {
        std::fs::write(&file, source).expect("write");
        let out = selvedge(&[Path::new("prove"), &file]);
        assert_eq!(out.status.code(), Some(2), "{source}");
        let message = text(&out.stderr).replace(&format!("{}/", dir.path().display()), "");
        assert_eq!(message, expected);
    };
    check(
        "var x: int = 0;\nprocess P {\n    t: when xs > 0 do x := 1;\n}\nsafe x < 2;\n",
        "error: there is no variable `xs`\n --> a.gcl:3:13\n  |\n1 | var x: int = 0;\n2 | process P {\n3 |     t: when xs > 0 do x := 1;\n  |             ^^\n  |\n  = help: did you mean `x`?\n",
    );
    check(
        "var x: int = 0;\nvar b: bool = false;\nprocess P {\n    t: do x := b;\n}\nsafe x < 2;\n",
        "error: expected a value of type int, found bool\n --> a.gcl:4:16\n  |\n2 | var b: bool = false;\n3 | process P {\n4 |     t: do x := b;\n  |                ^\n",
    );
    check(
        "var x, y: int = 0;\nprocess P { t: do x := 2 * x * y; }\nsafe x < 2;\n",
        "error: this product is not linear: one factor must be a constant\n --> a.gcl:2:24\n  |\n1 | var x, y: int = 0;\n2 | process P { t: do x := 2 * x * y; }\n  |                        ^^^^^^^^^\n  |\n  = help: nonlinear arithmetic cannot be decided, so it is refused\n",
    );
    check(
        "var x: int = 0;\nvar y: int;\nprocess P { t: do x := y; }\nsafe x < 2;\n",
        "error: the variable `y` has no initial value\n --> a.gcl:2:5\n  |\n1 | var x: int = 0;\n2 | var y: int;\n  |     ^\n  |\n  = help: give it one with `= value` or an `init`, or write `= nondet` if it can have any\n",
    );
    check(
        "var x: int = 0;\nprocess P {\n    loc a;\n}\nsafe x < 2;\n",
        "error: process `P` has no transitions\n --> a.gcl:2:9\n  |\n1 | var x: int = 0;\n2 | process P {\n  |         ^\n  |\n  = help: a transition is `name: at location when guard do x := e goto location;`\n",
    );
    check("", "error: a.gcl: the program has no process\n");
}
