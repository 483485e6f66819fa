//! Exact numbers of executions of programs from the literature.
//!
//! Optimal reduction must explore each trace once and give nothing up; source sets the same complete
//! executions.

mod machine;

use machine::Program;
use machine::programs;
use machine::search::count;
use selvedge_por::{Config, Reduction};

#[track_caller]
fn check(program: &Program, expected: u64) {
    let optimal = count(program, Config::new(Reduction::Optimal));
    assert_eq!((optimal.n_executions, optimal.n_blocked), (expected, 0), "{optimal:?}");
    assert_eq!(optimal.n_infeasible, 0);
}

#[track_caller]
fn check_both(program: &Program, expected: u64) {
    check(program, expected);
    let source = count(program, Config::new(Reduction::Source));
    assert_eq!(source.n_executions, expected, "{source:?}");
    assert_eq!(source.n_infeasible, 0);
}

#[test]
fn lastzero_has_its_published_counts() {
    check_both(&programs::lastzero(3), 12);
    check_both(&programs::lastzero(10), 3328);
    check(&programs::lastzero(15), 147_456);
}

#[test]
fn readers_double_with_each_reader() {
    for n in 0..=13 {
        check_both(&programs::readers(n), 1 << n);
    }
    check(&programs::readers(17), 1 << 17);
}

#[test]
fn fib_has_its_published_counts() {
    check_both(&programs::fib(2), 19);
    check_both(&programs::fib(3), 141);
    check_both(&programs::fib(4), 1107);
    check_both(&programs::fib(5), 8953);
    check(&programs::fib(6), 73_789);
}

#[test]
fn indexer_has_no_conflict_below_twelve_threads_and_three_more_with_each_thread() {
    check_both(&programs::indexer(11), 1);
    check_both(&programs::indexer(12), 8);
    check_both(&programs::indexer(13), 64);
    check_both(&programs::indexer(14), 512);
    check(&programs::indexer(15), 4096);
}

#[test]
fn independent_writes_are_explored_once() {
    for n in [0, 1, 5, 40] {
        check_both(&programs::independent_writes(n), 1);
    }
}

#[test]
fn increments_under_one_mutex_come_in_every_order() {
    let mut factorial = 1;
    for n in 2..=6 {
        factorial *= n as u64;
        check_both(&programs::locked_increments(n), factorial);
    }
}

#[test]
fn philosophers_meet_each_neighbour_in_either_order_and_may_all_wait() {
    // Each fork is taken by its two neighbours in one of two orders. Naive: one order of all forks is
    // impossible around the table in each direction, but one of them is the deadlock.
    check_both(&programs::philosophers(3, true), 6);
    check_both(&programs::philosophers(3, false), 7);
}
