//! `selvedge diff`: two versions, their differences, and what these can influence.

use crate::{Run, Sandbox};

const OLD: &str = "#include <assert.h>
#include <pthread.h>
int x, y;
void *one(void *p)
{
    int a = x;
    y = 1;
    assert(a < 5);
    return p;
}
void *two(void *p)
{
    x = 1;
    int b = y;
    assert(b < 5);
    return p;
}
int main(void)
{
    pthread_t s, t;
    pthread_create(&s, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    return 0;
}
";

fn diff(old: &str, new: &str, args: &[&str]) -> (Sandbox, Run) {
    let sandbox = Sandbox::new();
    sandbox.file("old.c", old);
    sandbox.file("new.c", new);
    let args: Vec<&str> = ["diff", "old.c", "new.c"].into_iter().chain(args.iter().copied()).collect();
    let run = sandbox.run(&args);
    (sandbox, run)
}

#[test]
fn layout_and_comments_are_no_difference() {
    let (_, run) = diff(OLD, &OLD.replace("    int a", "\n\n  /* read */ int a"), &[]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
    assert_eq!(run.stdout, "SAME  nothing that is executed differs\n");
}

#[test]
fn a_change_is_shown_with_its_impact_and_the_assertions_that_it_can_reach() {
    let (_, run) = diff(OLD, &OLD.replace("x = 1;", "x = 2;"), &[]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(1), ""), "{run:?}");
    for line in [
        "function two (threads: two): modified",
        "  - <> old.c:13      x = 1;",
        "  + <> new.c:13      x = 2;",
        "function one (threads: one): impacted",
        "     > new.c:8      assert(a < 5);",
        "1 of 2 places where an assertion can fail: can be influenced",
    ] {
        assert!(run.stdout.lines().any(|l| l == line), "{line}\n{}", run.stdout);
    }
    assert!(!run.stdout.contains("assert(b < 5)"), "{}", run.stdout);
    let last = run.stdout.lines().last().unwrap_or_default();
    assert!(last.starts_with("DIFFERENT  1 line modified, 0 added, 0 deleted"), "{last}");
    assert!(!run.stdout.contains('\u{1b}'), "no colours where nobody sees them");
}

#[test]
fn json_has_the_lines_of_each_function_and_leaves_standard_output_to_itself() {
    let (_, run) = diff(OLD, &OLD.replace("    y = 1;\n", ""), &["--json", "-"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    let report: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!((&report["schema"], &report["same"]), (&1.into(), &false.into()));
    let functions = report["functions"].as_array().expect("a list");
    let one = functions.iter().find(|f| f["name"] == "one").expect("it changed");
    let deleted = one["lines"].as_array().expect("a list").iter().find(|l| l["class"] == "deleted");
    let deleted = deleted.expect("a line");
    assert_eq!((&deleted["line"], &deleted["text"]), (&7.into(), &"    y = 1;".into()));
    let checks = report["checks"].as_array().expect("a list");
    let influenced = |line: u64| checks.iter().find(|c| c["line"] == line).map(|c| c["influenced"] == true);
    assert_eq!((influenced(7), influenced(14)), (Some(false), Some(true)), "{checks:?}");
    assert!(run.stderr.contains("DIFFERENT"), "{}", run.stderr);
}

#[test]
fn flags_for_clang_are_for_both_versions() {
    let text = |n: &str| OLD.replace("x = 1;", n);
    let (_, run) = diff(&text("x = N;"), &text("x = 3;"), &["--", "-DN=3"]);
    assert_eq!(run.code, Some(0), "{run:?}");
}

#[test]
fn globals_and_functions_that_come_and_go_are_named() {
    let new = OLD
        .replace("int x, y;", "int x = 4, y, z = 1;\nint extra(void) { return z; }")
        .replace("x = 1;", "x = extra();");
    let (_, run) = diff(OLD, &new, &["--color", "always"]);
    assert_eq!(run.code, Some(1), "{run:?}");
    let plain = run.stdout.replace("\u{1b}[1m", "").replace("\u{1b}[0m", "");
    assert!(plain.contains("variable x at new.c:3: modified"), "{plain}");
    assert!(plain.contains("variable z at new.c:3: added"), "{plain}");
    assert!(plain.lines().any(|l| l.starts_with("function extra") && l.ends_with("added")), "{plain}");
}

#[test]
fn bad_input_is_refused() {
    let sandbox = Sandbox::new();
    sandbox.file("a.c", "int main(void) { return 0; }");
    sandbox.file("bad.c", "int main(void) { return }");
    let run = |args: &[&str]| sandbox.run(args);
    assert_eq!(run(&["diff", "a.c"]).code, Some(2));
    assert_eq!(run(&["diff", "a.c", "none.c"]).code, Some(2));
    assert_eq!(run(&["diff", "a.c", "bad.c"]).code, Some(2));
    assert_eq!(run(&["diff", "a.c", "a.c", "--json", "a.c"]).code, Some(2));
    assert_eq!(run(&["diff", "a.c", "a.c", "--check", "asert"]).code, Some(2));
}
