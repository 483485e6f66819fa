//! Logged queries are complete SMT-LIB files with the answer on top.

use selvedge_solver::{Query, SolverConfig, Want, build};
use selvedge_term::{Sort, TermPool};

#[test]
fn every_query_becomes_a_numbered_file() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let log = dir.path().join("queries");
    let config = SolverConfig { log_queries: Some(log.clone()), ..SolverConfig::default() };
    let mut solver = build(&config);
    let mut pool = TermPool::new();
    let x = pool.var("x", Sort::Bv(8));
    let three = pool.bv(8, 3);
    let (small, large) = (pool.ult(x, three), pool.ule(three, x));
    solver.check(&mut pool, &Query { path: &[], goal: &[small], want: Want::Model });
    solver.check(&mut pool, &Query { path: &[small], goal: &[large], want: Want::Verdict });
    let read = |name: &str| std::fs::read_to_string(log.join(name)).expect("the file is there");
    let (first, second) = (read("000000.smt2"), read("000001.smt2"));
    assert!(first.starts_with("; sat;"), "{first}");
    assert!(second.starts_with("; unsat, core of 2;"), "{second}");
    assert!(second.contains("1 conjuncts of path, 1 of goal"), "{second}");
    for text in [first, second] {
        assert!(
            text.contains("(declare-") && text.contains("(assert ") && text.contains("(check-sat)"),
            "{text}"
        );
    }
    assert_eq!(solver.stats().log_failures, 0);
}

#[test]
fn a_log_that_cannot_be_written_is_counted_and_changes_nothing() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let file = dir.path().join("file");
    std::fs::write(&file, "in the way").expect("the file can be written");
    let mut solver = build(&SolverConfig { log_queries: Some(file), ..SolverConfig::default() });
    let mut pool = TermPool::new();
    let x = pool.var("x", Sort::BOOL);
    assert!(solver.check(&mut pool, &Query { path: &[], goal: &[x], want: Want::Verdict }).is_sat());
    assert_eq!(solver.stats().log_failures, 1);
}
