//! What is not known is said, and what cannot be understood is harmless where it cannot be reached.

use std::time::Duration;

use selvedge_exec::{Bounds, Options};
use selvedge_irkit::{Text, address_as_a_number, main_only};
use selvedge_prove::Limits;

use crate::adapter::{Proved, interrupted, limits, options, prove_with};
use crate::{ABORT, for_ever, is_safe, is_unknown, is_unsafe, shared};

#[test]
fn what_is_not_supported_is_unknown() {
    is_unknown(&main_only("unsupported \"a new instruction\""), "a new instruction");
}

/// `what` is done if `x` and `y` ever differ; they never do.
fn if_apart(what: &str) -> selvedge_program::Program {
    shared(&["x", "y"]).main(&format!(
        "jump bb1
        bb1: %x: i32 = load i32 @x
        %y: i32 = load i32 @y
        %apart: i1 = cmp.ne i32 %x, %y
        branch %apart, bb2, bb3
        bb2: {what}
        jump bb3
        bb3: %p: i32 = add i32 %x, 1i32
        store i32 %p to @x
        %q: i32 = add i32 %y, 1i32
        store i32 %q to @y
        jump bb1"
    ))
}

#[test]
fn what_is_not_supported_is_harmless_where_it_cannot_be_reached() {
    is_safe(&if_apart("unsupported \"something\""));
}

#[test]
fn a_failure_beside_something_unsupported_is_found() {
    let program = main_only(
        "%i: i32 = call @__VERIFIER_nondet_int()
        %c: i1 = cmp.eq i32 %i, 1i32
        branch %c, bb1, bb2
        bb1: unsupported \"something\"
        return 0i32
        bb2: %d: i1 = cmp.ne i32 %i, 2i32
        assert %d",
    );
    is_unsafe(&program, ABORT);
}

#[test]
fn calls_without_an_end_are_unknown() {
    let program = Text::new()
        .function("down", "(%n: i32) -> i32", "%r: i32 = call @down(i32 %n)\nreturn %r")
        .main("%r: i32 = call @down(i32 1i32)");
    is_unknown(&program, "nested too deeply");
}

#[test]
fn objects_without_an_end_are_unknown() {
    is_unknown(
        &main_only(&for_ever("%b: ptr = call @malloc(i64 4i64)")),
        "more than 100 objects are allocated",
    );
}

#[test]
fn a_program_without_an_entry_is_unknown() {
    let program = selvedge_program::parse("func @f() { bb0: return }").expect("it is a program");
    is_unknown(&program, "the program has no entry");
}

#[test]
fn more_control_states_than_allowed_are_unknown() {
    let program = shared(&["x"])
        .thread("a", "store i32 1i32 to @x")
        .thread("b", "store i32 2i32 to @x")
        .main("run a b");
    let states = crate::is_safe(&program).stats.control_states;
    let with = |n| prove_with(&program, &options(), &Limits { max_states: Some(n), ..limits() }).verdict;
    assert!(with(states - 1).contains(&format!("more than {} control states", states - 1)));
    assert_eq!(with(states), "safe");
}

#[test]
fn a_proof_without_time_is_unknown() {
    let limits = Limits { timeout: Some(Duration::ZERO), ..limits() };
    let verdict = prove_with(&if_apart("call @abort()"), &options(), &limits).verdict;
    assert!(verdict.starts_with("unknown: "), "{verdict}");
}

#[test]
fn a_proof_that_is_interrupted_is_unknown() {
    let verdict = prove_with(&if_apart("call @abort()"), &options(), &interrupted()).verdict;
    assert!(verdict.starts_with("unknown: "), "{verdict}");
}

#[test]
fn bounds_of_a_search_are_none_of_a_proof() {
    let bounds = Bounds { unwind: Some(1), max_steps: Some(1), ..Bounds::default() };
    let options = Options { bounds, ..options() };
    assert_eq!(prove_with(&if_apart("call @abort()"), &options, &limits()).verdict, "safe");
}

#[test]
fn what_is_not_checked_is_not_proved() {
    let options = Options { checks: Vec::new(), ..options() };
    let locks =
        |a: &str, b: &str| format!("call @pthread_mutex_lock(ptr @{a})\ncall @pthread_mutex_lock(ptr @{b})");
    let program = shared(&[]).thread("a", &locks("m", "k")).thread("b", &locks("k", "m")).main("run a b");
    is_unsafe(&program, "deadlock");
    assert_eq!(prove_with(&program, &options, &limits()).verdict, "safe", "a deadlock that nobody asked for");
}

#[test]
fn a_loop_that_waits_for_ever_is_no_failure_of_a_proof() {
    let wait = for_ever(
        "%v: i32 = load.seqcst i32 @x\n%c: i1 = cmp.eq i32 %v, 0i32\nbranch %c, bb1, bb2\nbb2: return null\nbb3: ",
    );
    is_safe(&shared(&["x"]).thread("a", &wait).main("run a"));
}

#[test]
fn an_address_that_reaches_another_thread_as_a_number_makes_everything_shared() {
    let program = address_as_a_number("%v: i32 = load i32 %l\n%c: i1 = cmp.eq i32 %v, 0i32\nassert %c");
    is_unsafe(&program, ABORT);
}

#[test]
fn a_proof_says_what_it_took() {
    let Proved { stats, proof, .. } = is_safe(&if_apart("call @abort()"));
    assert!(stats.control_states > 1 && stats.steps >= stats.control_states - 1, "{stats:?}");
    assert!(stats.predicates > 0 && stats.clauses > 0 && stats.queries > 0, "{stats:?}");
    let how = proof.as_deref().and_then(|proof| proof.lines().nth(2));
    assert!(matches!(how, Some("check pdr" | "check predicate-abstraction")), "{proof:?}");
}
