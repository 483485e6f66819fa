//! Skipping states that were explored before, with the footprints of what was explored below them.
//!
//! A search that remembers states must find the same final states as plain enumeration. The rules are those
//! of sleep sets with state caching: a state explored while Z slept is covered where Z sleeps again;
//! elsewhere the threads of Z that are awake now must still be tried.

mod machine;

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};

use machine::random::{Ingredients, Rng, factor, program};
use machine::search::find;
use machine::{Program, State};
use rustc_hash::{FxHashMap, FxHasher};
use selvedge_por::{
    Access, Config, Dpor, Event, Footprint, Location, Next, Pruned, Reduction, Stats, ThreadId,
};

/// What was explored below a state.
#[derive(Clone)]
struct Covered {
    asleep: BTreeSet<ThreadId>,
    footprint: Footprint,
}

/// How a known state is skipped.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Skip {
    /// If all that slept then sleeps now.
    Whole,
    /// Always; the threads that slept then and are awake now are tried.
    Rest,
    /// As `Whole`, where nothing has to be explored on account of it.
    IfFree,
    /// As `Whole`, but without handing over what is skipped: the wrong reading.
    Silently,
}

struct Search<'a> {
    program: &'a Program,
    skip: Skip,
    dpor: Dpor,
    known: FxHashMap<State, Covered>,
    ends: BTreeSet<u64>,
    /// Decides which thread is preferred in each state, if it is given.
    order: Option<Rng>,
}

impl Search<'_> {
    fn explore(&mut self, state: &State) {
        let events = (0..self.program.threads.len()).filter_map(|t| state.next_event(self.program, t));
        let (enabled, disabled): (Vec<_>, Vec<_>) = events.partition(|(_, is_enabled)| *is_enabled);
        let enabled: BTreeMap<ThreadId, Event> = enabled.into_iter().map(|(e, _)| (e.thread, e)).collect();
        let pending: Vec<Event> = disabled.into_iter().map(|(event, _)| event).collect();
        let mut threads: Vec<ThreadId> = enabled.keys().copied().collect();
        if let Some(rng) = &mut self.order {
            for i in (1..threads.len()).rev() {
                threads.swap(i, rng.below(i + 1));
            }
        }
        self.dpor.enter(&threads);

        let mut asleep: BTreeSet<ThreadId> = self.dpor.sleeping().map(|event| event.thread).collect();
        if let Some(covered) = self.known.get(state) {
            let skipped = match self.skip {
                Skip::Silently => Pruned::with_events([]),
                Skip::IfFree => Pruned::explored_before(&covered.footprint).only_if_free(),
                Skip::Whole | Skip::Rest => Pruned::explored_before(&covered.footprint),
            };
            let missing: BTreeSet<_> = covered.asleep.difference(&asleep).copied().collect();
            if missing.is_empty() {
                let is_skipped = self.dpor.prune(skipped);
                assert!(is_skipped || self.skip == Skip::IfFree);
                if is_skipped {
                    self.dpor.leave();
                    return;
                }
            } else if self.skip == Skip::Rest {
                asleep = covered.asleep.intersection(&asleep).copied().collect();
                assert!(self.dpor.prune(skipped));
                for thread in enabled.keys().filter(|thread| !missing.contains(thread)) {
                    self.dpor.assume_covered_here(*thread);
                }
            }
        }
        if enabled.is_empty() {
            self.dpor.end(&pending);
            let mut hasher = FxHasher::default();
            state.hash(&mut hasher);
            self.ends.insert(hasher.finish());
        }
        loop {
            let thread = match self.dpor.choose() {
                Next::Run(thread) => thread,
                Next::Exhausted => break,
                Next::Blocked => {
                    self.dpor.end(&pending);
                    break;
                }
            };
            self.dpor.executed(&enabled[&thread]);
            for (choice, successor) in state.clone().step(self.program, thread.0 as usize) {
                self.dpor.alternative(choice);
                self.explore(&successor);
            }
            self.dpor.retract();
        }
        let footprint = self.dpor.leave().expect("footprints are asked for");
        self.known.insert(state.clone(), Covered { asleep, footprint });
    }
}

fn ends(program: &Program, reduction: Reduction, skip: Skip, order: Option<u64>) -> (BTreeSet<u64>, Stats) {
    let mut ends = BTreeSet::new();
    let mut stats = Stats::default();
    for (_, state) in State::initial(program) {
        let config = Config { pruning: true, ..Config::new(reduction) };
        let mut search = Search {
            program,
            skip,
            dpor: Dpor::new(config),
            known: FxHashMap::default(),
            ends: std::mem::take(&mut ends),
            order: order.map(Rng),
        };
        search.explore(&state);
        ends = search.ends;
        stats += *search.dpor.stats();
    }
    (ends, stats)
}

/// Compares on `n` random programs; the number of those for which final states were lost.
fn lost(
    seed: u64,
    n: u64,
    with: Ingredients,
    (reduction, skip): (Reduction, Skip),
    has_order: bool,
) -> usize {
    let (mut rng, n) = (Rng(seed * factor()), n * factor());
    let (mut n_done, mut n_lost, mut total) = (0, 0, Stats::default());
    while n_done < n {
        let program = program(&mut rng, with);
        let Some((all, _)) = find(&program, Config::new(Reduction::None), 2000) else { continue };
        n_done += 1;
        let order = has_order.then(|| 1 + rng.below(1 << 30) as u64);
        let (ends, stats) = ends(&program, reduction, skip, order);
        total += stats;
        if ends != all.ends {
            n_lost += 1;
            assert!(
                skip == Skip::Silently,
                "{} of {} final states on\n{program}",
                ends.len(),
                all.ends.len()
            );
        }
    }
    assert!(total.n_pruned > n, "hardly anything was skipped: {total:?}");
    n_lost
}

fn plenty() -> Ingredients {
    Ingredients { spins: false, overlapping: false, ..Ingredients::all() }
}

#[test]
fn skipping_known_states_loses_no_final_state() {
    for reduction in [Reduction::Source, Reduction::Optimal] {
        for skip in [Skip::Whole, Skip::Rest, Skip::IfFree] {
            lost(21, 250, Ingredients::default(), (reduction, skip), false);
            lost(22, 250, plenty(), (reduction, skip), false);
        }
    }
}

#[test]
fn it_makes_no_difference_which_thread_is_preferred_and_what_sections_do_elsewhere() {
    let sections = Ingredients { sections: true, ..Ingredients::default() };
    for reduction in [Reduction::Source, Reduction::Optimal] {
        for skip in [Skip::Whole, Skip::Rest, Skip::IfFree] {
            lost(23, 250, Ingredients::default(), (reduction, skip), true);
            lost(24, 100, plenty(), (reduction, skip), true);
            lost(25, 250, sections, (reduction, skip), true);
            lost(26, 250, sections, (reduction, skip), false);
        }
    }
}

#[test]
fn skipping_without_a_footprint_would_lose_final_states() {
    for reduction in [Reduction::Source, Reduction::Optimal] {
        assert!(lost(21, 500, Ingredients::default(), (reduction, Skip::Silently), false) > 0);
    }
}

#[test]
fn a_footprint_holds_each_event_once() {
    let mut dpor = Dpor::new(Config { pruning: true, ..Config::default() });
    let x = Location::bytes(1, 0, 4);
    let (t0, t1) = (ThreadId(0), ThreadId(1));
    let event = |thread| Event::new(thread, [Access::write(x)]);
    dpor.enter(&[t0, t1]);
    let mut n_executions = 0;
    while let Next::Run(first) = dpor.choose() {
        dpor.executed(&event(first));
        let second = if first == t0 { t1 } else { t0 };
        dpor.enter(&[second]);
        while let Next::Run(thread) = dpor.choose() {
            assert_eq!(thread, second);
            dpor.executed(&event(second));
            dpor.enter(&[]);
            dpor.end(&[]);
            n_executions += 1;
            assert!(dpor.leave().is_some_and(|footprint| footprint.is_empty()));
            dpor.retract();
        }
        assert_eq!(dpor.leave().map(|footprint| footprint.len()), Some(1));
        dpor.retract();
    }
    assert_eq!(dpor.leave().map(|footprint| footprint.len()), Some(2));
    assert_eq!(n_executions, 2);
}
