//! What was not explored to its end feeds no summary: after a bound, something unsupported or an open question, what lies
//! above it is not covered.

use std::rc::Rc;

use selvedge_explore::ThreadOrder;
use selvedge_irkit::{Ask, Flags, Text, Verdict, search};
use selvedge_program::Program;
use selvedge_solver::{Answer, Why};

use crate::{two_values, x_is};

fn orders() -> impl Iterator<Item = ThreadOrder> {
    [ThreadOrder::Meeting, ThreadOrder::Keeping].into_iter().chain((0..10).map(ThreadOrder::Shuffled))
}

#[track_caller]
fn is_always(program: &Program, flags: &Flags, verdict: Verdict) {
    for flags in [
        flags.clone(),
        Flags { source_sets: true, ..flags.clone() },
        Flags { reduce: selvedge_irkit::Reduce::Summaries, ..flags.clone() },
    ] {
        for thread_order in orders() {
            let found = search(program, &Flags { thread_order, ..flags.clone() });
            assert_eq!(found.verdict(), verdict, "{thread_order:?}: {found}");
        }
    }
}

/// With x = 0 something is in the way; with x = 1 it fails behind that place.
fn in_the_way(what: &str) -> Program {
    two_values().main(&format!(
        "run write_one write_zero
        {}
        branch %c, bb1, bb2
        bb1: call @abort()
        unreachable
        bb2: {what}",
        x_is("eq", 1)
    ))
}

#[test]
fn something_unsupported_does_not_cover_a_failure() {
    is_always(&in_the_way("unsupported \"something\""), &Flags::ag(), Verdict::Unsafe);
}

#[test]
fn something_unsupported_on_every_path_is_never_covered() {
    let program = two_values().main("run write_one write_zero\nunsupported \"something\"");
    is_always(&program, &Flags::ag(), Verdict::Unknown);
}

/// Goes round `x` times, then fails if `x` is so large.
fn rounds(writes: [u32; 2], fails_at: u32) -> Program {
    Text::new()
        .int("x", 0)
        .thread("a", &format!("store i32 {}i32 to @x", writes[0]))
        .thread("b", &format!("store i32 {}i32 to @x", writes[1]))
        .main(&format!(
            "run a b
            %x: i32 = load i32 @x
            jump bb1(0i32)
            bb1(%i: i32): %c: i1 = cmp.ult i32 %i, %x
            branch %c, bb2, bb3
            bb2: %j: i32 = add i32 %i, 1i32
            jump bb1(%j)
            bb3: %d: i1 = cmp.ne i32 %x, {fails_at}i32
            assert %d"
        ))
}

#[test]
fn what_a_bound_cuts_does_not_cover_a_failure_within_it() {
    is_always(&rounds([2, 9], 2), &Flags { unwind: Some(3), ..Flags::ag() }, Verdict::Unsafe);
}

#[test]
fn a_failure_behind_the_bound_is_safe_within_it() {
    is_always(&rounds([2, 9], 9), &Flags { unwind: Some(3), ..Flags::ag() }, Verdict::Bounded);
    is_always(&rounds([2, 9], 9), &Flags::ag(), Verdict::Unsafe);
}

#[test]
fn a_search_that_is_stopped_after_some_runs_never_says_safe() {
    let program = in_the_way("jump bb3\nbb3:");
    let all = search(&program, &Flags::ag()).executions();
    for max_runs in 0..all {
        let found = search(&program, &Flags { max_runs: Some(max_runs), ..Flags::ag() });
        assert_ne!(found.verdict(), Verdict::Safe, "{max_runs}: {found}");
    }
}

/// What is asked for is `x` below 10, and `x` is an input that is assumed to be.
fn asks_about_inputs() -> Program {
    let write = "%i: i32 = call @__VERIFIER_nondet_int()
        %w: i32 = and i32 %i, 7i32
        store i32 %w to @x";
    Text::new()
        .int("x", 0)
        .thread("a", write)
        .thread("b", write)
        .main(&format!("run a b\n{}\nassert %c", x_is("ult", 10)))
}

#[test]
fn a_question_about_a_summary_that_stays_open_covers_nothing() {
    let program = asks_about_inputs();
    let answered = search(&program, &Flags::ag());
    assert_eq!(answered.to_string(), "safe: 1 full, 1 pruned");
    let n_asked = 12;
    for open in 0..n_asked {
        let ask: Ask = Rc::new(move |n| (n >= open).then_some(Answer::Unknown(Why::Timeout)));
        let found = search(&program, &Flags { ask: Some(ask), ..Flags::ag() });
        assert!(found.full + found.pruned == 2, "{open}: {found}");
        let is_safe = found.verdict() == Verdict::Safe;
        assert_eq!(is_safe, found.undecided.is_empty(), "{open}: {found}");
    }
}

#[test]
fn an_assumption_that_fails_covers_no_execution_that_satisfies_it() {
    // With x = 0 the assumption leaves nothing; with x = 1 there is a failure behind it.
    let program = two_values().main(&format!(
        "run write_one write_zero
        {}
        %w: i32 = zext i1 %c to i32
        call @__VERIFIER_assume(i32 %w)
        call @abort()",
        x_is("eq", 1)
    ));
    is_always(&program, &Flags::ag(), Verdict::Unsafe);
}
