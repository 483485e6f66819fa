//! Inputs: each way that a program can go is a path, in one thread and in several.

use selvedge_exec::Source;
use selvedge_irkit::{Flags, Text, Verdict, main_only, search};

use crate::{agree, check};

/// An input, and whether it is below 10.
const SMALL: &str = "%i: i32 = call @__VERIFIER_nondet_int()\n%c: i1 = cmp.ult i32 %i, 10i32\n";

#[test]
fn a_branch_on_an_input_makes_two_paths() {
    let program = main_only(&format!("{SMALL} branch %c, bb1, bb2\nbb1: return 1i32\nbb2: return 2i32"));
    check(&program, "safe: 2 full");
    let mut codes = search(&program, &Flags::none()).codes;
    codes.sort_unstable();
    assert_eq!(codes, [1, 2]);
}

#[test]
fn a_branch_that_was_decided_before_makes_no_more_paths() {
    let again =
        "%d: i1 = cmp.ult i32 %i, 20i32\nbranch %d, bb2, bb3\nbb2: jump bb4\nbb3: call @abort()\nunreachable";
    let program = main_only(&format!("{SMALL} branch %c, bb1, bb4\nbb1: {again}\nbb4:"));
    check(&program, "safe: 2 full");
}

#[test]
fn an_assumption_leaves_out_what_contradicts_it() {
    let program = main_only(&format!(
        "{SMALL} %w: i32 = zext i1 %c to i32\ncall @__VERIFIER_assume(i32 %w)
        %d: i1 = cmp.ult i32 %i, 11i32\nassert %d"
    ));
    check(&program, "safe: 1 full");
}

#[test]
fn an_assumption_that_cannot_hold_leaves_no_execution() {
    check(&main_only("call @__VERIFIER_assume(i32 0i32)\ncall @abort()"), "safe: ");
}

#[test]
fn a_failing_input_is_told() {
    let program = main_only(
        "%i: i32 = call @__VERIFIER_nondet_int()
        %c: i1 = cmp.ne i32 %i, 77i32
        assert %c",
    );
    let found = search(&program, &Flags::ag());
    assert_eq!(found.to_string(), "unsafe: 1 full, 1 failed");
    assert_eq!(found.failure().inputs.bytes[&Source::Input { thread: 0, n: 0 }], [77, 0, 0, 0]);
}

#[test]
fn a_failure_needs_the_right_input_and_the_right_schedule() {
    let program = Text::new()
        .int("x", 0)
        .thread("one", "%i: i32 = call @__VERIFIER_nondet_int()\nstore i32 %i to @x")
        .thread("two", "store i32 1i32 to @x")
        .main("run one two\n%v: i32 = load i32 @x\n%c: i1 = cmp.ne i32 %v, 1234i32\nassert %c");
    check(&program, "unsafe: 2 full, 1 failed");
    let failure = search(&program, &Flags::dpor()).failure().clone();
    assert_eq!(failure.inputs.bytes[&Source::Input { thread: 1, n: 0 }], 1234i32.to_le_bytes());
}

#[test]
fn traces_and_paths_multiply() {
    let body = "%i: i32 = call @__VERIFIER_nondet_int()
        %c: i1 = cmp.eq i32 %i, 0i32
        branch %c, bb1, bb2
        bb1: store i32 1i32 to @x
        jump bb3
        bb2: store i32 2i32 to @x
        jump bb3
        bb3:";
    let program = Text::new().int("x", 0).thread("a", body).thread("b", body).main("run a b");
    check(&program, "safe: 8 full");
}

#[test]
fn paths_of_one_thread_before_others_start_are_explored_each() {
    let program = Text::new()
        .int("x", 0)
        .thread("one", "store i32 1i32 to @x")
        .thread("two", "store i32 2i32 to @x")
        .main(&format!("{SMALL} branch %c, bb1, bb2\nbb1: return 0i32\nbb2: run one two"));
    let expanded = search(&program, &Flags::dpor());
    assert_eq!(expanded.to_string(), "safe: 3 full");
    agree(&program, &expanded);
}

#[test]
fn a_switch_has_a_path_for_each_case_and_one_for_the_rest() {
    let program = main_only(
        "%i: i32 = call @__VERIFIER_nondet_int()
        switch i32 %i [1: bb1, 2: bb2] default bb3
        bb1: return 1i32
        bb2: return 2i32
        bb3: return 3i32",
    );
    check(&program, "safe: 3 full");
}

#[test]
fn a_division_by_an_input_fails_for_zero_alone() {
    let program = main_only("%i: i32 = call @__VERIFIER_nondet_int()\n%q: i32 = udiv i32 100i32, %i");
    let found = search(&program, &Flags::dpor());
    assert_eq!((found.verdict(), found.to_string().as_str()), (Verdict::Unsafe, "unsafe: 1 full, 1 failed"));
}
