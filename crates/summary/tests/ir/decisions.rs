//! What summaries decide about a state that a search has come to, without the search.

use selvedge_irkit::Text;
use selvedge_program::Program;
use selvedge_summary::{Cover, Decision, Limits, Open, Place};

use crate::walk::Walk;
use crate::{two_values, x_is};

/// Two threads write `x`; then `main` looks.
fn two_writers(after: &str) -> Program {
    two_values().main(&format!("run write_one write_zero\n{after}"))
}

/// `main` starts the second thread; then both threads write and end.
const ONE_LAST: [usize; 5] = [0, 2, 2, 1, 1];
const ZERO_LAST: [usize; 5] = [0, 1, 1, 2, 2];

fn covered(decision: Decision) -> Option<(Open, Cover)> {
    match decision {
        Decision::Covered(open, cover) => Some((open, cover)),
        Decision::Unknown | Decision::Explore(_) => None,
    }
}

/// Whether the state after these steps is covered once that after `first` has been explored.
fn is_covered_after(program: &Program, first: &[usize], then: &[usize]) -> bool {
    let mut walk = Walk::new(program, Limits::default());
    let state = walk.after(first);
    walk.explore(&state, &[]);
    let state = walk.after(then);
    covered(walk.decide(&state, Place::Rest, &[])).is_some()
}

#[test]
fn a_state_that_nobody_has_seen_is_explored() {
    let program = two_writers("");
    let mut walk = Walk::new(&program, Limits::default());
    let first = walk.start();
    assert!(matches!(walk.decide(&first, Place::Rest, &[]), Decision::Explore(_)));
}

#[test]
fn a_state_that_was_explored_is_covered() {
    let program = two_writers(&format!("{}\nassert %c", x_is("eq", 0)));
    assert!(is_covered_after(&program, &ZERO_LAST, &ZERO_LAST));
}

#[test]
fn a_state_with_other_values_that_are_as_safe_is_covered() {
    let program = two_writers(&format!("{}\nassert %c", x_is("ule", 5)));
    assert!(is_covered_after(&program, &ZERO_LAST, &ONE_LAST));
}

#[test]
fn a_state_with_values_that_are_not_safe_is_not_covered() {
    let program = two_writers(&format!("{}\nassert %c", x_is("eq", 0)));
    assert!(!is_covered_after(&program, &ZERO_LAST, &ONE_LAST));
}

#[test]
fn a_state_in_which_a_thread_stands_elsewhere_is_not_covered() {
    let program = two_writers("");
    assert!(!is_covered_after(&program, &ZERO_LAST, &ZERO_LAST[..4]));
}

#[test]
fn a_failing_state_covers_nothing() {
    let program = two_writers(&format!("{}\nassert %c", x_is("eq", 0)));
    assert!(!is_covered_after(&program, &ONE_LAST, &ONE_LAST));
}

#[test]
fn after_a_failure_that_is_not_noted_nothing_is_known() {
    let program = two_writers(&format!("{}\nassert %c", x_is("eq", 0)));
    let mut walk = Walk::new(&program, Limits::default());
    let mut failed = walk.after(&ONE_LAST);
    while let Some(thread) = (0..failed.threads.len()).find(|t| failed.is_enabled(*t)) {
        failed = walk.step(&failed, thread);
    }
    assert!(failed.has_failed);
    assert!(matches!(walk.decide(&failed, Place::End, &[]), Decision::Unknown));
}

#[test]
fn the_end_of_an_execution_is_explored_though_it_was_seen_before() {
    let program = two_writers("");
    let mut walk = Walk::new(&program, Limits::default());
    let first = walk.start();
    walk.explore(&first, &[]);
    let mut end = walk.start();
    while let Some(thread) = (0..end.threads.len()).find(|t| end.is_enabled(*t)) {
        end = walk.step(&end, thread);
    }
    assert!(matches!(walk.decide(&end, Place::End, &[]), Decision::Explore(_)));
    assert!(covered(walk.decide(&end, Place::Rest, &[])).is_some(), "anywhere else it would be covered");
}

#[test]
fn a_thread_that_slept_and_is_awake_is_not_covered() {
    let program = two_writers("");
    let mut walk = Walk::new(&program, Limits::default());
    let first = walk.start();
    walk.explore(&first, &[1]);
    let awake = |walk: &mut Walk<'_>, asleep: &[usize]| {
        let (_, cover) = covered(walk.decide(&first, Place::Rest, asleep)).expect("it was explored");
        cover.except.iter().map(|t| t.0).collect::<Vec<_>>()
    };
    assert_eq!(awake(&mut walk, &[]), [1]);
    assert_eq!(awake(&mut walk, &[1]), [0; 0]);
    assert_eq!(awake(&mut walk, &[1, 2]), [0; 0]);
    assert_eq!(awake(&mut walk, &[2]), [1]);
}

#[test]
fn of_several_summaries_the_one_that_slept_least_is_taken() {
    let program = two_writers("");
    let mut walk = Walk::new(&program, Limits::default());
    let first = walk.start();
    walk.explore(&first, &[1]);
    walk.explore(&first, &[0]);
    let (_, cover) = covered(walk.decide(&first, Place::Rest, &[1])).expect("it was explored");
    assert!(cover.except.is_empty());
}

#[test]
fn a_branch_is_covered_entirely_or_not_at_all() {
    let program = two_writers("");
    let mut walk = Walk::new(&program, Limits::default());
    let first = walk.start();
    walk.explore(&first, &[1]);
    assert!(matches!(walk.decide(&first, Place::Branch, &[]), Decision::Explore(_)));
    assert!(covered(walk.decide(&first, Place::Branch, &[1])).is_some());
}

#[test]
fn what_covers_a_state_is_named() {
    let program = two_writers("");
    let mut walk = Walk::new(&program, Limits::default());
    let first = walk.start();
    let Decision::Explore(open) = walk.decide(&first, Place::Rest, &[]) else { panic!("nothing is known") };
    assert_eq!(open.covered_by(), None);
    walk.explore(&first, &[]);
    let (mut again, cover) = covered(walk.decide(&first, Place::Rest, &[])).expect("it was explored");
    walk.summaries.skip(&mut walk.machine, &mut again, &cover);
    let origin = again.covered_by().expect("it is covered");
    assert!(origin > open.id() && origin < again.id());
    assert!(again.has_executions());
}

#[test]
fn a_search_by_summaries_alone_finds_every_failure_of_the_enumeration() {
    for (limit, fails) in [(4, true), (5, false)] {
        let program = two_values()
            .thread("twice", "%v: i32 = load i32 @x\n%w: i32 = mul i32 %v, 2i32\nstore i32 %w to @x")
            .thread("three_more", "%v: i32 = load i32 @x\n%w: i32 = add i32 %v, 3i32\nstore i32 %w to @x")
            .main(&format!("run write_one\nrun twice three_more\n{}\nassert %c", x_is("sle", limit + 3)));
        let mut with = Walk::new(&program, Limits::default());
        let first = with.start();
        with.explore(&first, &[]);
        let mut without = Walk::new(&program, Limits { entries: 1, size: 0 });
        let first = without.start();
        without.explore(&first, &[]);
        assert_eq!((with.n_failing > 0, without.n_failing > 0), (fails, fails));
        assert!(with.n_ends < without.n_ends, "{} of {}", with.n_ends, without.n_ends);
        assert_eq!(without.n_covered, 0);
    }
}

#[test]
fn the_formula_of_a_state_without_demands_is_true() {
    let program = Text::new().int("x", 0).thread("t", "store i32 1i32 to @x").main("start t");
    let mut walk = Walk::new(&program, Limits::default());
    let first = walk.start();
    let left = walk.explore(&first, &[]).expect("it is explored");
    assert_eq!(left.formula(), walk.machine.pool.tt());
}

#[test]
fn the_formula_of_a_state_that_fails_is_false() {
    let program = two_writers("%c: i1 = copy false\nassert %c");
    let mut walk = Walk::new(&program, Limits::default());
    let first = walk.start();
    let left = walk.explore(&first, &[]).expect("it is explored");
    assert_eq!(left.formula(), walk.machine.pool.ff());
}

#[test]
fn a_formula_that_is_too_large_is_dropped() {
    let program = two_writers(&format!("{}\nassert %c", x_is("ule", 5)));
    let mut walk = Walk::new(&program, Limits { size: 0, ..Limits::default() });
    let first = walk.start();
    walk.explore(&first, &[]);
    let stats = walk.summaries.stats();
    assert_eq!(stats.stored, 0);
    assert!(stats.dropped > 0);
    assert!(matches!(walk.decide(&first, Place::Rest, &[]), Decision::Explore(_)));
}

#[test]
fn who_is_short_of_memory_forgets_the_older_half_and_makes_no_more() {
    let program = two_writers("");
    let mut walk = Walk::new(&program, Limits::default());
    let state = walk.after(&ONE_LAST[..1]);
    walk.explore(&state, &[]);
    let before = walk.summaries.stats();
    walk.summaries.economise();
    let after = walk.summaries.stats();
    assert!(after.dropped > before.dropped && after.dropped - before.dropped < before.stored);
    assert!(covered(walk.decide(&state, Place::Rest, &[])).is_some(), "the newest is kept");
    let first = walk.start();
    assert!(matches!(walk.decide(&first, Place::Rest, &[]), Decision::Unknown), "no more are made");
    let before = walk.summaries.stats();
    walk.summaries.economise();
    assert_eq!(walk.summaries.stats(), before, "once is enough");
}

#[test]
fn who_gives_up_forgets_everything() {
    let program = two_writers("");
    let mut walk = Walk::new(&program, Limits::default());
    let first = walk.start();
    walk.explore(&first, &[]);
    walk.summaries.give_up();
    let stats = walk.summaries.stats();
    assert_eq!(stats.dropped, stats.stored);
    assert!(matches!(walk.decide(&first, Place::Rest, &[]), Decision::Unknown));
}
