//! The reductions against plain enumeration, on random small programs.
//!
//! Plain enumeration gives the set of all traces and of all final states; every reduction must find the
//! same sets, each trace once, and optimal reduction must give nothing up.

mod machine;

use machine::Program;
use machine::random::{Ingredients, Rng, program};
use machine::search::{Found, find};
use selvedge_por::{Config, Reduction, Stats};

/// Programs with more interleavings are left out.
const LIMIT: usize = 3000;

struct Totals {
    n_programs: usize,
    n_interleavings: usize,
    n_traces: usize,
    source: Stats,
    optimal: Stats,
}

#[track_caller]
fn explore(program: &Program, config: Config, all: &Found) -> Stats {
    let (found, stats) = find(program, config, usize::MAX).expect("no limit");
    let context = || format!("{config:?} {stats:?} on\n{program}");
    assert_eq!(found.ends, all.ends, "final states: {}", context());
    assert!(
        found.traces == all.traces,
        "{} of {} traces: {}",
        found.traces.len(),
        all.traces.len(),
        context()
    );
    if config.sleep {
        assert_eq!(found.n_executions, all.traces.len(), "a trace was repeated: {}", context());
    } else {
        assert_eq!(stats.n_blocked, 0, "nothing sleeps: {}", context());
    }
    stats
}

/// Compares all reductions on `n` random programs.
#[track_caller]
fn check(seed: u64, n: usize, with: Ingredients) -> Totals {
    let mut rng = Rng(seed);
    let mut totals = Totals {
        n_programs: 0,
        n_interleavings: 0,
        n_traces: 0,
        source: Stats::default(),
        optimal: Stats::default(),
    };
    while totals.n_programs < n {
        let program = program(&mut rng, with);
        let Some((all, _)) = find(&program, Config::new(Reduction::None), LIMIT) else { continue };
        totals.n_programs += 1;
        totals.n_interleavings += all.n_executions;
        totals.n_traces += all.traces.len();
        totals.source += explore(&program, Config::new(Reduction::Source), &all);
        let optimal = explore(&program, Config::new(Reduction::Optimal), &all);
        if std::env::var_os("STRICT").is_some() {
            assert_eq!(optimal.n_blocked, 0, "{program}");
        }
        totals.optimal += optimal;
        for reduction in [Reduction::Source, Reduction::Optimal] {
            explore(&program, Config { sleep: false, ..Config::new(reduction) }, &all);
        }
    }
    println!(
        "{} programs {} interleavings {} traces\nsource {:?}\noptimal {:?}",
        totals.n_programs, totals.n_interleavings, totals.n_traces, totals.source, totals.optimal
    );
    totals
}

#[test]
fn reads_writes_and_branches() {
    let totals = check(1, 1500, Ingredients::default());
    assert_eq!((totals.optimal.n_blocked, totals.optimal.n_infeasible), (0, 0));
}

#[test]
fn locks_and_joins() {
    let totals = check(2, 1500, Ingredients { locks: true, joins: true, ..Ingredients::default() });
    assert_eq!((totals.optimal.n_blocked, totals.optimal.n_infeasible), (0, 0));
}

#[test]
fn semaphores_read_write_locks_and_barriers() {
    let with = Ingredients { locks: true, counters: true, ..Ingredients::default() };
    let totals = check(3, 1500, with);
    assert_eq!((totals.optimal.n_blocked, totals.optimal.n_infeasible), (0, 0));
}

#[test]
fn tries_and_atomic_sections() {
    check(4, 1500, Ingredients { locks: true, tries: true, ..Ingredients::default() });
}

#[test]
fn conditions() {
    check(5, 1500, Ingredients { locks: true, conditions: true, joins: true, ..Ingredients::default() });
}

#[test]
fn data_choices() {
    check(6, 1500, Ingredients { locks: true, choices: true, ..Ingredients::default() });
}

#[test]
fn spinning_threads() {
    check(7, 1500, Ingredients { spins: true, locks: true, ..Ingredients::default() });
}

#[test]
fn overlapping_cells() {
    let totals = check(8, 1000, Ingredients { overlapping: true, ..Ingredients::default() });
    assert_eq!((totals.optimal.n_blocked, totals.optimal.n_infeasible), (0, 0));
}

#[test]
fn everything_at_once() {
    let with = Ingredients {
        locks: true,
        tries: true,
        counters: true,
        conditions: true,
        joins: true,
        choices: true,
        spins: true,
        overlapping: true,
    };
    check(9, 1500, with);
}
