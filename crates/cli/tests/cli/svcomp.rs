//! Tasks of SV-COMP as the competition runs them, and as a person does.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Run, Sandbox};

fn tasks() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/svcomp").canonicalize().expect("a folder")
}

/// Runs a task of the repository; `{p}` in an argument is the folder of property files.
fn task(name: &str, args: &[&str]) -> Run {
    let (sandbox, file) = (Sandbox::new(), tasks().join(name).display().to_string());
    let folder = tasks().join("properties").display().to_string();
    let mut all = vec!["check".to_owned(), "--progress".to_owned(), "none".to_owned(), file];
    all.extend(args.iter().map(|a| a.replace("{p}", &folder)));
    sandbox.run(&all.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Each task gets its answer, and the exit code that goes with it.
#[track_caller]
fn answers(property: &str, expected: &[(&str, &str)]) {
    for (name, answer) in expected {
        let run = task(&format!("{name}.yml"), &["--svcomp", "--property", &format!("{{p}}/{property}.prp")]);
        let code = match *answer {
            "TRUE" => 0,
            "UNKNOWN" => 3,
            _ => 1,
        };
        assert_eq!((run.stdout.lines().last(), run.code), (Some(*answer), Some(code)), "{name}: {run:?}");
    }
}

#[test]
fn reachability_is_answered_for_all_schedules() {
    answers("unreach-call", &[("counter_locked", "TRUE"), ("counter_racy", "FALSE(unreach-call)")]);
}

#[test]
fn waits_may_end_without_a_reason() {
    answers("unreach-call", &[("wait_once", "FALSE(unreach-call)"), ("wait_loop", "TRUE")]);
}

#[test]
fn only_reach_error_violates_reachability() {
    answers("unreach-call", &[("assertion", "TRUE"), ("division", "UNKNOWN")]);
}

#[test]
fn data_races_are_answered() {
    answers("no-data-race", &[("counter_locked", "TRUE"), ("counter_racy", "FALSE(no-data-race)")]);
}

#[test]
fn overflow_depends_on_the_data_model_of_the_task() {
    answers(
        "no-overflow",
        &[
            ("overflow", "FALSE(no-overflow)"),
            ("quotient", "FALSE(no-overflow)"),
            ("wide", "TRUE"),
            ("wide_32", "FALSE(no-overflow)"),
        ],
    );
}

#[test]
fn violations_of_memory_safety_are_told_apart() {
    answers(
        "valid-memsafety",
        &[
            ("deref", "FALSE(valid-deref)"),
            ("double_free", "FALSE(valid-free)"),
            ("lost", "FALSE(valid-memtrack)"),
            ("kept", "TRUE"),
        ],
    );
    answers("valid-memcleanup", &[("kept", "FALSE(valid-memcleanup)")]);
}

#[test]
fn bounded_safe_is_unknown() {
    let run =
        task("counter_locked.yml", &["--svcomp", "--property", "{p}/unreach-call.prp", "--max-steps", "5"]);
    assert_eq!(run.stdout.lines().last(), Some("UNKNOWN"), "{run:?}");
}

#[test]
fn all_properties_of_a_task_are_checked_and_compared_with_what_is_expected() {
    let run = task("counter_racy.yml", &[]);
    assert_eq!(run.code, Some(1));
    assert!(run.stdout.contains("unreach-call: FALSE(unreach-call), as the task expects\n"), "{run:?}");
    assert!(run.stdout.contains("no-data-race: FALSE(no-data-race), as the task expects\n"), "{run:?}");
    assert!(run.stderr.contains("termination is not supported"), "{run:?}");
    assert!(run.stderr.contains("a coverage property is not supported"), "{run:?}");
}

#[test]
fn a_wrong_expectation_is_named() {
    let sandbox = Sandbox::new();
    sandbox.file("a.c", "void reach_error(void) {}\nint main(void) { reach_error(); return 0; }\n");
    sandbox.file("u.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
    let property = "properties:\n  - property_file: u.prp\n    expected_verdict: true\n";
    sandbox.file("a.yml", format!("format_version: '2.0'\ninput_files: a.c\n{property}"));
    let run = sandbox.run(&["check", "a.yml"]);
    assert!(
        run.stdout.ends_with("unreach-call: FALSE(unreach-call), but the task expects true\n"),
        "{run:?}"
    );
}

#[test]
fn a_property_file_works_with_a_source_file_too() {
    let sandbox = Sandbox::new();
    sandbox.file("a.c", "#include <assert.h>\nint main(void) { assert(0); }\n");
    sandbox.file("u.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
    let run = sandbox.run(&["check", "a.c", "--property", "u.prp", "--svcomp"]);
    assert_eq!((run.code, run.stdout.lines().last()), (Some(0), Some("TRUE")), "{run:?}");
    let run = sandbox.run(&["check", "a.c", "--svcomp"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("--svcomp needs a property"), "{run:?}");
}

#[test]
fn what_is_wrong_with_a_task_is_a_usage_error() {
    let sandbox = Sandbox::new();
    sandbox.file("bad.yml", "format_version: '2.0'\ninput_files: [a.c\nproperties:\n");
    sandbox.file("missing.yml", "format_version: '2.0'\ninput_files: none.c\n");
    sandbox.file("a.c", "int main(void) { return 0; }\n");
    sandbox.file("end.prp", "CHECK( init(main()), LTL(F end) )\n");
    sandbox.file(
        "noprp.yml",
        "format_version: '2.0'\ninput_files: a.c\nproperties:\n  - property_file: x.prp\n",
    );
    sandbox.file(
        "end.yml",
        "format_version: '2.0'\ninput_files: a.c\nproperties:\n  - property_file: end.prp\n",
    );
    for (args, message) in [
        (vec!["bad.yml"], "line 3"),
        (vec!["missing.yml"], "none.c does not exist"),
        (vec!["noprp.yml"], "cannot read x.prp"),
        (vec!["end.yml"], "termination is not supported"),
        (vec!["a.c", "--property", "end.prp"], "termination is not supported"),
        (vec!["missing.yml", "a.c"], "must be the only file"),
        (vec!["a.c", "--property", "end.prp", "--check", "memory"], "cannot be used with"),
    ] {
        let run = sandbox.run(&[&["check"], args.as_slice()].concat());
        assert_eq!(run.code, Some(2), "{args:?}: {run:?}");
        assert!(run.stderr.contains(message), "{args:?}: {run:?}");
    }
    let run = sandbox.run(&["check", "--svcomp", "end.yml"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(2), "UNKNOWN\n"));
}

#[test]
fn several_properties_need_a_choice_where_one_answer_is_asked_for() {
    for args in [["--svcomp", "--stats"], ["--json", "r.json"], ["--witness", "w.graphml"]] {
        let run = task("counter_racy.yml", &args);
        assert_eq!(run.code, Some(2), "{run:?}");
        assert!(run.stderr.contains("several properties"), "{run:?}");
    }
}

#[test]
fn a_witness_follows_the_schedule_and_differs_in_its_time_only() {
    let sandbox = Sandbox::new();
    let witness = || {
        let property = tasks().join("properties/unreach-call.prp").display().to_string();
        let file = tasks().join("counter_racy.yml").display().to_string();
        let run =
            sandbox.run(&["check", &file, "--svcomp", "--property", &property, "--witness", "w.graphml"]);
        assert_eq!(run.stdout.lines().last(), Some("FALSE(unreach-call)"), "{run:?}");
        let text = std::fs::read_to_string(sandbox.path().join("w.graphml")).expect("a witness");
        let stable: Vec<String> =
            text.lines().filter(|l| !l.contains("<data key=\"creationtime\">")).map(str::to_owned).collect();
        stable.join("\n")
    };
    let text = witness();
    for part in [
        "<data key=\"witness-type\">violation_witness</data>",
        "<data key=\"architecture\">64bit</data>",
        "<data key=\"assumption\">\\result==41;</data>",
        "<data key=\"assumption.resultfunction\">__VERIFIER_nondet_int</data>",
        "<data key=\"createThread\">2</data>",
        "<data key=\"enterFunction\">worker</data>",
        "<data key=\"violation\">true</data>",
    ] {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
    assert_eq!(text, witness());
}

#[test]
fn without_a_bug_there_is_no_witness() {
    let sandbox = Sandbox::new();
    sandbox.file("a.c", "int main(void) { return 0; }\n");
    assert_eq!(sandbox.run(&["check", "a.c", "--witness", "w.graphml"]).code, Some(0));
    assert!(!sandbox.path().join("w.graphml").exists());
}

#[test]
fn the_benchexec_module_is_valid_python() {
    let module = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../contrib/selvedge.py");
    let program = "import ast, sys; ast.parse(open(sys.argv[1]).read())";
    let Ok(output) = Command::new("python3").args(["-c", program]).arg(module).output() else {
        return; // Without Python there is nobody to ask.
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
