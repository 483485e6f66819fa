//! `selvedge unit`: paths of functions, errors with what excludes them, and tests that do what was predicted.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::{Run, Sandbox};

/// Small functions of many kinds.
const FUNCTIONS: &str = include_str!("../../../../tests/unit/functions.c");

fn json(sandbox: &Sandbox, name: &str) -> Value {
    let text = std::fs::read_to_string(sandbox.path().join(name)).expect("the report");
    serde_json::from_str(&text).expect("JSON")
}

fn function<'a>(report: &'a Value, name: &str) -> &'a Value {
    let all = report["functions"].as_array().expect("a list");
    all.iter().find(|function| function["function"] == name).unwrap_or_else(|| panic!("no function {name}"))
}

fn strings(value: &Value) -> Vec<&str> {
    value.as_array().expect("a list").iter().map(|text| text.as_str().expect("a text")).collect()
}

/// Builds a test natively and runs it: its exit code, and what it printed.
fn natively(test: &Path) -> (Option<i32>, String) {
    let program = test.with_extension("exe");
    let mut command = Command::new("clang-22");
    command.args(["-w", "-g", "-o"]).arg(&program).arg(test);
    let built = command.output().expect("clang starts");
    let messages = String::from_utf8_lossy(&built.stderr);
    assert!(built.status.success(), "{} does not compile: {messages}", test.display());
    let run = Command::new(&program).output().expect("the test starts");
    (run.status.code(), String::from_utf8_lossy(&run.stdout).into_owned())
}

#[test]
fn the_test_of_every_path_does_natively_what_was_predicted() {
    let sandbox = Sandbox::new();
    sandbox.file("functions.c", FUNCTIONS);
    let args =
        ["unit", "functions.c", "--all", "--out", "tests", "--json", "report.json", "--undefined", "any"];
    let run = sandbox.run(&args);
    assert_eq!(run.code, Some(1), "{run:?}");
    let report = json(&sandbox, "report.json");
    let functions = report["functions"].as_array().expect("a list");
    assert!(functions.len() >= 25 && report["failed"].as_array().is_some_and(Vec::is_empty), "{run:?}");
    let mut n_compared = 0;
    let mut wrong = Vec::new();
    for function in functions {
        for path in function["paths"].as_array().expect("a list") {
            let test: PathBuf = sandbox.path().join("tests").join(path["test"].as_str().expect("a name"));
            let (code, stdout) = natively(&test);
            assert_eq!(path["comparable"] == true, path["end"] == "returns" || path["end"] == "exits");
            let expected = match path["end"].as_str() {
                Some("returns") => Some(0),
                Some("exits") => path["exit_code"].as_i64().map(|code| code as i32),
                _ => continue,
            };
            n_compared += 1;
            if code != expected {
                wrong.push(format!("{}: {code:?} {stdout}", test.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {n_compared}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(n_compared >= 100, "only {n_compared} tests were compared");
}

#[test]
fn branches_of_functions_without_unbounded_loops_are_all_taken() {
    let sandbox = Sandbox::new();
    sandbox.file("functions.c", FUNCTIONS);
    sandbox.run(&["unit", "functions.c", "--all", "--json", "report.json", "--undefined", "any"]);
    let report = json(&sandbox, "report.json");
    for name in ["absolute", "clamp", "sum", "mirrored", "swap", "name", "weigh", "list_remove", "twice"] {
        let function = function(&report, name);
        assert_eq!(function["branches_taken"], function["branches"], "{name}: {function}");
    }
}

#[test]
fn conditions_are_told_in_c() {
    let sandbox = Sandbox::new();
    sandbox.file("functions.c", FUNCTIONS);
    let run = sandbox.run(&["unit", "functions.c", "--function", "list_remove", "--json", "report.json"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let report = json(&sandbox, "report.json");
    let function = function(&report, "list_remove");
    let paths = function["paths"].as_array().expect("a list");
    let mut told: Vec<(String, String)> = paths
        .iter()
        .map(|path| (strings(&path["condition"]).join(" && "), path["returns"].to_string()))
        .collect();
    told.sort();
    let expected = [
        ("list != NULL && list[0] != NULL && value != list[0]->value", "\"returns 0\""),
        ("list != NULL && list[0] != NULL && value == list[0]->value", "\"returns 1\""),
        ("list != NULL && list[0] == NULL", "\"returns 0\""),
        ("list == NULL", "\"returns -1\""),
    ];
    let told: Vec<(&str, &str)> = told.iter().map(|(c, e)| (c.as_str(), e.as_str())).collect();
    assert_eq!(told, expected);
}

#[test]
fn an_error_comes_with_what_excludes_it() {
    let sandbox = Sandbox::new();
    sandbox.file("functions.c", FUNCTIONS);
    let run = sandbox.run(&["unit", "functions.c", "--function", "first_value"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.stdout.contains("error[memory, under-constrained]: read of 4 bytes"), "{run:?}");
    assert!(run.stdout.contains("not if the caller sees to it that list != NULL\n"), "{run:?}");
    let last = run.stdout.lines().last().expect("a verdict");
    assert!(last.starts_with("UNSAFE  1 error under-constrained"), "{last}");
    let run = sandbox.run(&["unit", "functions.c", "--function", "first_value", "--assume", "list != NULL"]);
    assert_eq!(run.code, Some(0), "{run:?}");
}

#[test]
fn an_error_for_all_arguments_is_not_under_constrained() {
    let sandbox = Sandbox::new();
    sandbox.file("functions.c", FUNCTIONS);
    let run = sandbox.run(&["unit", "functions.c", "--function", "always_fails"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(
        run.stdout.contains("error[memory]: ") && run.stdout.contains("whatever the arguments are"),
        "{run:?}"
    );
}

#[test]
fn assumptions_are_c_and_mistakes_in_them_are_told() {
    let sandbox = Sandbox::new();
    sandbox.file("functions.c", FUNCTIONS);
    let divide = ["unit", "functions.c", "--function", "divide", "--assume"];
    let with = |condition: &str| sandbox.run(&[&divide[..], &[condition]].concat());
    assert_eq!(with("b > 0").code, Some(0));
    assert_eq!(with("b >= 0").code, Some(1));
    let run = with("c > 0");
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.stderr.contains("--assume:1") && run.stderr.contains("undeclared"), "{run:?}");
}

#[test]
fn what_nobody_asked_to_cut_is_unknown() {
    let sandbox = Sandbox::new();
    sandbox.file("loop.c", "int count(int n) { int i = 0; while (i < n) i++; return i; }\n");
    sandbox.file("array.c", "int last(int *a, unsigned n) { return n && a ? a[n - 1] : 0; }\n");
    let code = |args: &[&str]| sandbox.run(&[&["unit"], args].concat()).code;
    assert_eq!(code(&["loop.c", "--function", "count"]), Some(3));
    assert_eq!(code(&["loop.c", "--function", "count", "--unwind", "3"]), Some(0));
    assert_eq!(code(&["array.c", "--function", "last"]), Some(3));
    assert_eq!(code(&["array.c", "--function", "last", "--elements", "2"]), Some(0));
}

#[test]
fn paths_that_depend_on_addresses_are_not_compared() {
    let sandbox = Sandbox::new();
    sandbox.file("order.c", "int is_below(char *p, long n, char *q) { return p && q && p + n < q; }\n");
    sandbox.file("far.c", "int is_there(char *p, unsigned long n) { return p && p + n; }\n");
    let comparable = |file: &str, name: &str, is_expected: &dyn Fn(&[&str]) -> bool| {
        sandbox.run(&["unit", file, "--function", name, "--json", "report.json"]);
        let report = json(&sandbox, "report.json");
        for path in function(&report, name)["paths"].as_array().expect("a list") {
            assert_eq!(path["comparable"] == true, is_expected(&strings(&path["condition"])), "{path:#}");
        }
    };
    // Within one object, addresses have an order.
    comparable("order.c", "is_below", &|condition| condition.last() != Some(&"q != NULL"));
    comparable("far.c", "is_there", &|condition| condition == ["p == NULL"]);
}

#[test]
fn global_variables_are_as_at_the_start_or_any() {
    let sandbox = Sandbox::new();
    sandbox.file("global.c", "static int level = 1;\nint over(int n) { return n / level; }\n");
    let run = sandbox.run(&["unit", "global.c", "--function", "over"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.stdout.contains("outside.globals"), "{run:?}");
    let run = sandbox.run(&["unit", "global.c", "--function", "over", "--globals", "any"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.stdout.contains("sees to it that level != 0"), "{run:?}");
}

#[test]
fn what_cannot_be_called_is_an_error_of_the_command_line() {
    let sandbox = Sandbox::new();
    sandbox.file("a.c", "int f(void) { return 0; }\n");
    let help = |args: &[&str]| -> Run {
        let run = sandbox.run(args);
        assert_eq!(run.code, Some(2), "{run:?}");
        run
    };
    assert!(help(&["unit", "a.c", "--function", "g"]).stderr.contains("it defines f"));
    help(&["unit", "a.c"]);
    help(&["unit", "b.c", "--all"]);
    sandbox.file("a.cc", "int f() { return 0; }\n");
    assert!(help(&["unit", "a.cc", "--all"]).stderr.contains("no C file"));
}

#[test]
fn assumptions_that_nothing_satisfies_are_no_proof() {
    let sandbox = Sandbox::new();
    sandbox.file("a.c", "int half(int a) { return a / 2; }\n");
    for condition in ["a > 0 && a < 0", "0", "a = 0"] {
        let run = sandbox.run(&["unit", "a.c", "--function", "half", "--assume", condition]);
        assert_eq!(run.code, Some(3), "{run:?}");
        assert!(run.stdout.contains("UNKNOWN  because no arguments satisfy --assume; 0 paths"), "{run:?}");
    }
}

#[test]
fn results_with_several_parts_are_told_as_they_depend_on_arguments() {
    let sandbox = Sandbox::new();
    sandbox.file(
        "point.c",
        "struct point { int x, y, z; };\n\
         struct point make(int a, int b) { struct point p = {a, b + 1, 7}; return p; }\n",
    );
    let run = sandbox.run(&["unit", "point.c", "--function", "make"]);
    assert!(run.stdout.contains("returns {.x = a, .y = b + 1, .z = 7}"), "{run:?}");
}

#[test]
fn what_safe_relies_on_stands_beside_it() {
    let sandbox = Sandbox::new();
    sandbox.file(
        "copy.c",
        "#include <string.h>\nvoid copy(const char *s) { char b[8]; if (s) strcpy(b, s); }\n",
    );
    for flags in [&[][..], &["-q"]] {
        let run = sandbox.run(&[&["unit", "copy.c", "--function", "copy"], flags].concat());
        assert_eq!(run.code, Some(0), "{run:?}");
        let last = run.stdout.lines().last().expect("a verdict");
        assert!(last.starts_with("SAFE  ") && last.contains(", assuming: "), "{last}");
        assert!(last.contains("texts from outside end within --elements characters"), "{last}");
    }
}

#[test]
fn what_excludes_an_error_does_so_in_c() {
    let sandbox = Sandbox::new();
    sandbox.file(
        "index.c",
        "int at(int i) { int a[4] = {1, 2, 3, 4}; return a[i]; }\n\
         int sum(int a, int b) { return a + b; }\n\
         int next(int a) { return a + 1; }\n",
    );
    let run = sandbox.run(&["unit", "index.c", "--function", "at"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    assert!(run.stdout.contains("sees to it that ((size_t)i * 4) < 13\n"), "{run:?}");
    for name in ["sum", "next"] {
        let run = sandbox.run(&["unit", "index.c", "--function", name, "--check", "all"]);
        assert_eq!(run.code, Some(1), "{run:?}");
        assert!(run.stdout.contains("  if ...\n") && !run.stdout.contains("sees to it"), "{run:?}");
    }
}

#[test]
fn names_of_tests_do_not_clash_and_cut_paths_are_told() {
    let sandbox = Sandbox::new();
    sandbox.file(
        "names.c",
        "static int n_wrong, result;\nstatic void check(int a) { n_wrong = a; }\n\
         int f(int *puts, int result) { check(result); return puts ? *puts : n_wrong; }\n\
         int spin(unsigned n) { unsigned i = 0; while (i < n) i++; return 0; }\n",
    );
    sandbox.run(&["unit", "names.c", "--function", "f", "--out", "tests"]);
    for i in [1, 2] {
        let (code, stdout) = natively(&sandbox.path().join(format!("tests/unit-f-{i}.c")));
        assert_eq!(code, Some(0), "{stdout}");
    }
    sandbox.run(&["unit", "names.c", "--function", "spin", "--out", "tests"]);
    let read = |i| std::fs::read_to_string(sandbox.path().join(format!("tests/unit-spin-{i}.c")));
    let n_cut = (1..).map_while(|i| read(i).ok()).filter(|text| text.contains("may run for ever")).count();
    assert_eq!(n_cut, 1);
}
