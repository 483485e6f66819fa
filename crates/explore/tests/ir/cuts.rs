//! What is cut is a reason: a search that left something out never says `safe`.

use std::rc::Rc;

use selvedge_explore::Ended;
use selvedge_irkit::{Flags, Found, Reduce, Text, Verdict, main_only, search};
use selvedge_program::Program;
use selvedge_solver::{Answer, Why};

use crate::{ADD_ONE, pair, team, x_is};

fn every_way() -> [Flags; 4] {
    [Reduce::None, Reduce::Dpor, Reduce::Ag, Reduce::Summaries].map(Flags::new)
}

/// Counts to a number that is an input.
const COUNT: &str = "%n: i32 = call @__VERIFIER_nondet_int()
    jump bb1(0i32)
    bb1(%i: i32): %c: i1 = cmp.ult i32 %i, %n
    branch %c, bb2, bb3
    bb2: %j: i32 = add i32 %i, 1i32
    jump bb1(%j)
    bb3:";

#[test]
fn a_bound_on_loops_makes_safe_within_that_bound() {
    for flags in every_way() {
        let found = search(&main_only(COUNT), &Flags { unwind: Some(3), ..flags });
        assert_eq!(found.to_string(), "bounded: 4 full, 1 cut");
        assert_eq!(found.cuts.into_iter().collect::<Vec<_>>(), [("Unwind".to_owned(), true)]);
    }
}

#[test]
fn a_bound_that_is_not_reached_makes_no_difference() {
    let program = main_only(
        "jump bb1(0i32)
        bb1(%i: i32): %c: i1 = cmp.ult i32 %i, 3i32
        branch %c, bb2, bb3
        bb2: %j: i32 = add i32 %i, 1i32
        jump bb1(%j)
        bb3:",
    );
    for flags in every_way() {
        let found = search(&program, &Flags { unwind: Some(5), ..flags });
        assert_eq!(found.to_string(), "safe: 1 full");
    }
}

#[test]
fn a_thread_that_a_bound_cuts_does_not_hide_what_the_others_do() {
    let program = Text::new()
        .int("x", 0)
        .thread("counter", COUNT)
        .thread("writer", "store i32 1i32 to @x")
        .main(&format!("start counter\nrun writer\n{}", x_is(0)));
    for flags in every_way() {
        let found = search(&program, &Flags { unwind: Some(2), ..flags });
        assert_eq!(found.verdict(), Verdict::Unsafe, "{found}");
    }
}

#[test]
fn calls_that_nest_without_an_end_are_cut() {
    let program = Text::new()
        .function("down", "(%n: i32) -> i32", "%r: i32 = call @down(i32 %n)\nreturn %r")
        .main("%r: i32 = call @down(i32 1i32)");
    let found = search(&program, &Flags { max_depth: Some(10), ..Flags::ag() });
    assert_eq!(found.to_string(), "bounded: 1 cut");
}

#[test]
fn what_is_not_supported_is_unknown() {
    let program = main_only("unsupported \"a new instruction\"");
    for flags in every_way() {
        let found = search(&program, &flags);
        assert_eq!(found.to_string(), "unknown: 1 cut");
        assert_eq!(found.cuts.first().map(|(why, _)| why.as_str()), Some("unsupported: a new instruction"));
    }
}

/// `two` does something that is not supported if `x` is 1.
fn unsupported_in_one_order() -> Program {
    let two = "%v: i32 = load i32 @x
        %c: i1 = cmp.eq i32 %v, 1i32
        branch %c, bb1, bb2
        bb1: unsupported \"something\"
        jump bb2
        bb2:";
    pair("store i32 1i32 to @x", two, "")
}

#[test]
fn what_is_not_supported_in_one_schedule_is_unknown() {
    for flags in every_way() {
        let found = search(&unsupported_in_one_order(), &flags);
        assert_eq!(found.verdict(), Verdict::Unknown, "{found}");
    }
}

#[test]
fn a_failure_in_another_schedule_is_found_beside_what_is_not_supported() {
    let program = Text::new()
        .int("x", 0)
        .int("y", 0)
        .thread("one", "store i32 1i32 to @x\nstore i32 1i32 to @y")
        .thread(
            "two",
            "%v: i32 = load i32 @x
            %c: i1 = cmp.eq i32 %v, 1i32
            branch %c, bb1, bb2
            bb1: unsupported \"something\"
            jump bb2
            bb2: %y: i32 = load i32 @y
            %d: i1 = cmp.eq i32 %y, 0i32
            assert %d",
        )
        .main("run one two");
    for flags in every_way() {
        let found = search(&program, &flags);
        assert_eq!(found.verdict(), Verdict::Unsafe, "{found}");
        assert_eq!(found.places().len(), 1);
    }
}

#[test]
fn a_function_without_a_body_is_unknown() {
    let program = {
        let text =
            "entry @main declare @elsewhere() func @main() -> i32 { bb0: call @elsewhere() return 0i32 }";
        selvedge_program::parse(text).expect("it is a program")
    };
    assert_eq!(search(&program, &Flags::ag()).verdict(), Verdict::Unknown);
}

#[test]
fn a_program_without_an_entry_is_not_explored() {
    let program = selvedge_program::parse("func @f() { bb0: return }").expect("it is a program");
    let found = search(&program, &Flags::ag());
    assert_eq!(found.ended, Ended::Limit("the program has no entry".to_owned()));
    assert_eq!(found.verdict(), Verdict::Unknown);
}

#[test]
fn a_search_that_may_not_make_all_runs_is_not_complete() {
    let program = team(2, ADD_ONE, "");
    let all = search(&program, &Flags::dpor()).executions();
    for max_runs in 0..all {
        let found = search(&program, &Flags { max_runs: Some(max_runs), ..Flags::dpor() });
        assert_eq!((found.verdict(), found.executions()), (Verdict::Unknown, max_runs), "{found}");
    }
    let enough = search(&program, &Flags { max_runs: Some(all), ..Flags::dpor() });
    assert_eq!(enough.verdict(), Verdict::Safe, "nothing is left when the limit is reached");
}

#[test]
fn a_search_without_time_is_not_complete() {
    let program = team(3, ADD_ONE, "");
    for flags in every_way() {
        let found = search(&program, &Flags { is_late: true, ..flags });
        let why = "the time limit is reached (--timeout)".to_owned();
        assert_eq!((found.verdict(), found.ended), (Verdict::Unknown, Ended::Limit(why)));
    }
}

/// Two questions about inputs, one after the other, and in a thread.
fn questions() -> Program {
    let ask = "%i: i32 = call @__VERIFIER_nondet_int()
        %c: i1 = cmp.eq i32 %i, 3i32
        %w: i32 = zext i1 %c to i32
        store i32 %w to @x
        branch %c, bb1, bb2
        bb1: store i32 1i32 to @y
        jump bb3
        bb2: store i32 2i32 to @y
        jump bb3
        bb3:";
    pair(ask, ask, "")
}

fn when_open(number: u64, flags: Flags) -> Found {
    let ask = Rc::new(move |n| (n == number).then_some(Answer::Unknown(Why::Timeout)));
    search(&questions(), &Flags { ask: Some(ask), ..flags })
}

#[test]
fn a_question_that_the_solver_leaves_open_makes_the_verdict_unknown() {
    for flags in [Flags::none(), Flags::dpor()] {
        assert_eq!(search(&questions(), &flags).verdict(), Verdict::Safe);
        for number in 0..2 {
            let found = when_open(number, flags.clone());
            assert_eq!(found.verdict(), Verdict::Unknown, "question {number}: {found}");
            assert_eq!(found.undecided, ["the solver reached its time limit"]);
        }
    }
}

#[test]
fn with_summaries_an_open_question_is_about_a_path_or_about_a_summary() {
    let right = search(&questions(), &Flags::ag());
    assert_eq!(right.verdict(), Verdict::Safe);
    for number in 0..20 {
        let found = when_open(number, Flags::ag());
        let is_path = !found.undecided.is_empty();
        // What is not known to be covered is explored.
        assert_eq!(found.verdict() == Verdict::Unknown, is_path, "question {number}: {found}");
    }
}

#[test]
fn a_solver_that_never_answers_never_makes_safe() {
    for flags in every_way() {
        let ask = Rc::new(|_| Some(Answer::Unknown(Why::Timeout)));
        let found = search(&questions(), &Flags { ask: Some(ask), ..flags });
        assert_eq!(found.verdict(), Verdict::Unknown, "{found}");
    }
}
