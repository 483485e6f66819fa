//! A depth-first search over the machine's states, driven by the reduction.

use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;
use selvedge_por::{Config, Dpor, Event, Next, Stats, ThreadId, dependent};

use super::{Program, State};

/// One step of an execution, for comparison.
pub struct Made {
    pub event: Event,
    pub choice: u32,
}

/// What a search does with each execution; false stops the search.
pub trait Visitor {
    fn complete(&mut self, made: &[Made], end: &State, dpor: &Dpor) -> bool;
    /// Whether executions are recorded: costs time.
    const RECORDS: bool = true;
}

/// Counts only.
pub struct Nothing;

impl Visitor for Nothing {
    fn complete(&mut self, _: &[Made], _: &State, _: &Dpor) -> bool {
        true
    }
    const RECORDS: bool = false;
}

struct Search<'a, V> {
    program: &'a Program,
    dpor: Dpor,
    visitor: &'a mut V,
    made: Vec<Made>,
    stopped: bool,
}

/// Explores a program; `None` if the visitor stopped it.
pub fn explore<V: Visitor>(program: &Program, config: Config, visitor: &mut V) -> Option<Stats> {
    let mut total = Stats::default();
    for (_, state) in State::initial(program) {
        let mut search =
            Search { program, dpor: Dpor::new(config), visitor, made: Vec::new(), stopped: false };
        search.explore(&state);
        if search.stopped {
            return None;
        }
        total += *search.dpor.stats();
    }
    Some(total)
}

/// Counts the executions of a program.
pub fn count(program: &Program, config: Config) -> Stats {
    explore(program, config, &mut Nothing).expect("nothing stops it")
}

impl<V: Visitor> Search<'_, V> {
    fn explore(&mut self, state: &State) {
        let mut enabled: smallvec::SmallVec<[ThreadId; 20]> = smallvec::SmallVec::new();
        let mut pending = Vec::new();
        for t in 0..self.program.threads.len() {
            match state.next_event(self.program, t) {
                Some((_, true)) => enabled.push(ThreadId(t as u32)),
                Some((event, false)) => pending.push(event),
                None => {}
            }
        }
        self.dpor.enter(&enabled);
        if enabled.is_empty() {
            self.dpor.end(&pending);
            self.stopped |= !self.visitor.complete(&self.made, state, &self.dpor);
        }
        while !self.stopped {
            let thread = match self.dpor.choose() {
                Next::Run(thread) => thread,
                Next::Exhausted => break,
                Next::Blocked => {
                    self.dpor.end(&pending);
                    break;
                }
            };
            let t = thread.0 as usize;
            let (event, is_enabled) =
                state.next_event(self.program, t).expect("an enabled thread has an event");
            assert!(is_enabled, "{thread} was not enabled");
            self.dpor.executed(&event);
            for (choice, successor) in state.clone().step(self.program, t) {
                self.dpor.alternative(choice);
                if V::RECORDS {
                    self.made.push(Made { event: event.clone(), choice });
                }
                self.explore(&successor);
                self.made.pop();
            }
            self.dpor.retract();
        }
        self.dpor.leave();
    }
}

/// A Mazurkiewicz trace in canonical form: its least linearisation, as hashes of the steps.
pub type Trace = Vec<u64>;

/// The canonical form of an execution, from pairwise dependence alone.
pub fn canonical(made: &[Made]) -> Trace {
    let mut left: Vec<usize> = (0..made.len()).collect();
    let mut trace = Vec::with_capacity(made.len());
    while !left.is_empty() {
        let is_minimal = |position: usize| {
            let later = &made[left[position]].event;
            left[..position].iter().all(|&earlier| !dependent(&made[earlier].event, later))
        };
        let minimal = (0..left.len()).filter(|&position| is_minimal(position));
        let position =
            minimal.min_by_key(|&position| made[left[position]].event.thread).expect("a first step");
        let step = &made[left.remove(position)];
        let mut hasher = FxHasher::default();
        step.event.thread.hash(&mut hasher);
        // Levels differ between equivalent executions of commuting accesses, so only places count.
        for access in &step.event.accesses {
            access.location.hash(&mut hasher);
            std::mem::discriminant(&access.mode).hash(&mut hasher);
        }
        step.choice.hash(&mut hasher);
        trace.push(hasher.finish());
    }
    trace
}

/// The traces and final states of a search.
#[derive(Default, Debug)]
pub struct Found {
    pub traces: BTreeSet<Trace>,
    pub ends: BTreeSet<u64>,
    pub n_executions: usize,
    pub limit: usize,
}

impl Visitor for Found {
    fn complete(&mut self, made: &[Made], end: &State, _: &Dpor) -> bool {
        self.n_executions += 1;
        self.traces.insert(canonical(made));
        let mut hasher = FxHasher::default();
        end.hash(&mut hasher);
        self.ends.insert(hasher.finish());
        self.n_executions <= self.limit
    }
}

/// Explores a program and collects what it finds; `None` if there are more executions than `limit`.
pub fn find(program: &Program, config: Config, limit: usize) -> Option<(Found, Stats)> {
    let mut found = Found { limit, ..Found::default() };
    let stats = explore(program, config, &mut found)?;
    Some((found, stats))
}
