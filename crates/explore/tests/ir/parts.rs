//! A search in parts: workers together find what one search finds, each class of executions once.

use selvedge_explore::Ended;
use selvedge_irkit::{Flags, Text, Verdict, main_only, search, search_in_parts};
use selvedge_program::Program;

use crate::{ADD_ONE, ADD_ONE_LOCKED, pair, team, x_is};

/// All parts together are the whole search.
#[track_caller]
fn adds_up(program: &Program, flags: &Flags) {
    let whole = search(program, flags);
    for want in [1, 2, 3, 5, 16, 40] {
        let (parts, n) = search_in_parts(program, flags, want);
        assert_eq!(
            (parts.full, parts.failed, parts.cut, parts.verdict(), parts.places()),
            (whole.full, whole.failed, whole.cut, whole.verdict(), whole.places()),
            "{want} parts, {n} made: {parts}, as a whole {whole}"
        );
    }
}

#[test]
fn parts_explore_each_trace_once() {
    adds_up(&team(2, ADD_ONE, ""), &Flags::dpor());
    adds_up(&team(3, ADD_ONE_LOCKED, &x_is(3)), &Flags::dpor());
}

#[test]
fn parts_find_each_failure() {
    adds_up(&team(2, ADD_ONE, &x_is(2)), &Flags::dpor());
    adds_up(&team(3, ADD_ONE, &x_is(3)), &Flags { source_sets: true, ..Flags::dpor() });
}

#[test]
fn parts_without_reduction_are_those_of_the_enumeration() {
    adds_up(&pair("store i32 1i32 to @x", "store i32 2i32 to @y", ""), &Flags::none());
}

#[test]
fn paths_of_one_thread_are_parts_too() {
    let program = main_only(
        "%i: i32 = call @__VERIFIER_nondet_int()
        switch i32 %i [1: bb1, 2: bb2, 3: bb3] default bb4
        bb1: return 1i32
        bb2: return 2i32
        bb3: call @abort()
        unreachable
        bb4:",
    );
    adds_up(&program, &Flags::none());
    let (_, n) = search_in_parts(&program, &Flags::none(), 4);
    assert_eq!(n, 4);
}

#[test]
fn inputs_below_a_part_are_explored_there() {
    let body = "%i: i32 = call @__VERIFIER_nondet_int()
        %c: i1 = cmp.eq i32 %i, 0i32
        branch %c, bb1, bb2
        bb1: store i32 1i32 to @x
        jump bb3
        bb2: store i32 2i32 to @x
        jump bb3
        bb3:";
    let program = Text::new().int("x", 0).thread("a", body).thread("b", body).main("run a b");
    adds_up(&program, &Flags::dpor());
}

#[test]
fn what_fails_before_the_parts_is_told_once() {
    let program = pair("call @abort()", "store i32 1i32 to @x", "");
    let flags = Flags::dpor();
    let whole = search(&program, &flags);
    let (parts, _) = search_in_parts(&program, &flags, 8);
    assert_eq!(parts.places(), whole.places());
}

#[test]
fn deadlocks_are_found_in_parts() {
    let locks = |a: &str, b: &str| {
        format!(
            "call @pthread_mutex_lock(ptr @{a})\ncall @pthread_mutex_lock(ptr @{b})
            call @pthread_mutex_unlock(ptr @{b})\ncall @pthread_mutex_unlock(ptr @{a})"
        )
    };
    adds_up(&pair(&locks("m", "k"), &locks("k", "m"), ""), &Flags::dpor());
}

#[test]
fn parts_with_summaries_come_to_the_same_verdict() {
    for program in [team(3, ADD_ONE, &x_is(3)), team(3, ADD_ONE_LOCKED, &x_is(3))] {
        let whole = search(&program, &Flags::ag());
        for want in [2, 7, 20] {
            let (parts, _) = search_in_parts(&program, &Flags::ag(), want);
            assert_eq!(
                (parts.verdict(), parts.places()),
                (whole.verdict(), whole.places()),
                "{want}: {parts}"
            );
        }
    }
}

#[test]
fn a_program_without_choices_has_one_part() {
    let (found, n) = search_in_parts(&main_only(""), &Flags::dpor(), 8);
    assert_eq!((found.to_string().as_str(), n), ("safe: 1 full", 0), "it ends while it is cut");
}

#[test]
fn a_search_that_may_make_no_run_has_no_parts() {
    let flags = Flags { max_runs: Some(0), ..Flags::dpor() };
    let (found, n) = search_in_parts(&team(2, ADD_ONE, ""), &flags, 4);
    assert!(matches!(found.ended, Ended::Limit(_)), "{found}");
    assert_eq!((found.verdict(), n), (Verdict::Unknown, 0));
}
