//! The reductions against plain enumeration, on random small programs.
//!
//! Plain enumeration gives the set of all traces and of all final states; every reduction must find the
//! same sets, each trace once, and optimal reduction must give nothing up.

mod machine;

use machine::random::{Ingredients, Rng, factor, program};
use machine::search::{Found, Made, Visitor, explore as search, find};
use machine::{Program, State};
use selvedge_por::{Config, Dpor, Event, Reduction, Stats, dependent};

/// Programs with more interleavings are left out.
const LIMIT: usize = 2000;

/// What the reductions counted.
struct Totals {
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

/// Calls `check` on `n` random programs that are small enough, with what plain enumeration finds.
fn for_programs(seed: u64, n: u64, with: Ingredients, mut check: impl FnMut(&Program, &Found)) {
    let mut rng = Rng(seed * factor());
    let mut left = n * factor();
    while left > 0 {
        let program = program(&mut rng, with);
        if let Some((all, _)) = find(&program, Config::new(Reduction::None), LIMIT) {
            check(&program, &all);
            left -= 1;
        }
    }
}

/// Compares all reductions on `n` random programs.
#[track_caller]
fn check(seed: u64, n: u64, with: Ingredients) -> Totals {
    let mut totals = Totals { source: Stats::default(), optimal: Stats::default() };
    let mut n_interleavings = 0;
    for_programs(seed, n, with, |program, all| {
        n_interleavings += all.n_executions as u64;
        totals.source += explore(program, Config::new(Reduction::Source), all);
        totals.optimal += explore(program, Config::new(Reduction::Optimal), all);
        for reduction in [Reduction::Source, Reduction::Optimal] {
            explore(program, Config { sleep: false, ..Config::new(reduction) }, all);
        }
    });
    let Totals { source, optimal } = &totals;
    assert!(n_interleavings > 2 * optimal.n_executions, "there is something to reduce: {optimal:?}");
    assert!(source.n_blocked < source.n_executions / 20, "few executions are given up: {source:?}");
    assert!(optimal.n_blocked <= source.n_blocked.max(20) * 2, "and no more with plans: {optimal:?}");
    totals
}

#[test]
fn reads_writes_and_branches() {
    let totals = check(1, 400, Ingredients::default());
    assert_eq!((totals.optimal.n_blocked, totals.optimal.n_infeasible), (0, 0));
}

#[test]
fn locks_and_joins() {
    let totals = check(2, 400, Ingredients { locks: true, joins: true, ..Ingredients::default() });
    assert_eq!((totals.optimal.n_blocked, totals.optimal.n_infeasible), (0, 0));
}

#[test]
fn semaphores_read_write_locks_and_barriers() {
    let with = Ingredients { locks: true, counters: true, ..Ingredients::default() };
    let totals = check(3, 400, with);
    assert_eq!((totals.optimal.n_blocked, totals.optimal.n_infeasible), (0, 0));
}

#[test]
fn tries_and_atomic_sections() {
    check(4, 400, Ingredients { locks: true, tries: true, ..Ingredients::default() });
}

#[test]
fn conditions() {
    check(5, 400, Ingredients { locks: true, conditions: true, joins: true, ..Ingredients::default() });
}

#[test]
fn data_choices() {
    check(6, 400, Ingredients { locks: true, choices: true, ..Ingredients::default() });
}

#[test]
fn spinning_threads() {
    check(7, 400, Ingredients { spins: true, locks: true, ..Ingredients::default() });
}

#[test]
fn overlapping_cells() {
    let totals = check(8, 400, Ingredients { overlapping: true, ..Ingredients::default() });
    assert_eq!((totals.optimal.n_blocked, totals.optimal.n_infeasible), (0, 0));
}

#[test]
fn everything_at_once() {
    check(9, 800, Ingredients::all());
}

/// Programs too large for plain enumeration: the two reductions against each other.
#[test]
fn source_sets_and_wakeup_trees_agree_on_larger_programs() {
    let plain = Ingredients { extra: 3, ..Ingredients::default() };
    for (seed, with) in [(13, plain), (14, Ingredients { extra: 3, ..Ingredients::all() })] {
        let mut rng = Rng(seed * factor());
        let mut left = 150 * factor();
        while left > 0 {
            let program = program(&mut rng, with);
            let Some((source, _)) = find(&program, Config::new(Reduction::Source), LIMIT) else { continue };
            if source.n_executions < 20 {
                continue;
            }
            explore(&program, Config::new(Reduction::Optimal), &source);
            left -= 1;
        }
    }
}

#[test]
fn happens_before_is_the_closure_of_the_order_of_dependent_steps() {
    struct Compare;
    impl Visitor for Compare {
        fn complete(&mut self, made: &[Made], _: &State, dpor: &Dpor) -> bool {
            let n = made.len();
            let mut before = vec![vec![false; n]; n];
            for later in 0..n {
                for earlier in (0..later).rev() {
                    let through = (earlier + 1..later).any(|k| before[earlier][k] && before[k][later]);
                    before[earlier][later] = through || dependent(&made[earlier].event, &made[later].event);
                    assert_eq!(dpor.happens_before(earlier, later), before[earlier][later]);
                    assert!(!dpor.happens_before(later, earlier));
                }
            }
            true
        }
    }
    let with = Ingredients { overlapping: true, ..Ingredients::all() };
    for_programs(10, 100, with, |program, _| {
        search(program, Config::new(Reduction::Optimal), &mut Compare);
    });
}

/// Whether two events are the same but for levels and for what they would do elsewhere.
fn same(a: &Event, b: &Event) -> bool {
    let places = |event: &Event| -> Vec<_> {
        event.accesses.iter().map(|access| (access.location, std::mem::discriminant(&access.mode))).collect()
    };
    a.thread == b.thread && places(a) == places(b)
}

#[test]
fn independent_events_commute() {
    let mut rng = Rng(11);
    for _ in 0..2000 * factor() {
        let program = program(&mut rng, Ingredients { choices: false, ..Ingredients::all() });
        let (_, mut state) = State::initial(&program).remove(0);
        loop {
            let n = program.threads.len();
            let next: Vec<_> = (0..n).filter_map(|t| Some((t, state.next_event(&program, t)?))).collect();
            for &(a, (ref a_event, a_enabled)) in &next {
                for &(b, (ref b_event, b_enabled)) in &next {
                    if !a_enabled || dependent(a_event, b_event) {
                        continue;
                    }
                    let (_, after_a) = state.clone().step(&program, a).remove(0);
                    let (b_then, b_then_enabled) = after_a.next_event(&program, b).expect("a thread stays");
                    assert!(same(b_event, &b_then), "{a_event:?} changes {b_event:?} into {b_then:?}");
                    assert_eq!(b_enabled, b_then_enabled, "{a_event:?} {b_event:?}");
                    if b_enabled {
                        let ab = after_a.step(&program, b);
                        let (_, after_b) = state.clone().step(&program, b).remove(0);
                        assert_eq!(ab, after_b.step(&program, a), "{a_event:?} {b_event:?}");
                    }
                }
            }
            let enabled: Vec<usize> = next.iter().filter(|(_, (_, e))| *e).map(|(t, _)| *t).collect();
            if enabled.is_empty() {
                break;
            }
            let t = enabled[rng.below(enabled.len())];
            state = state.step(&program, t).remove(0).1;
        }
    }
}
