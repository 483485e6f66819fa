//! The search loop.

use std::rc::Rc;
use std::time::{Duration, Instant};

use selvedge_exec::{Arguments, Machine, PathEnd, State, Stop, start};
use selvedge_solver::{Solver, Stats};
use selvedge_term::Assignment;

use crate::limits::Limits;
use crate::oracle::SolverOracle;
use crate::searcher::{Frontier, Order, Pending};

/// How often memory is compared with its limit.
const CHECK_MEMORY_EVERY: Duration = Duration::from_millis(10);
/// Instructions between two looks at the clock.
const SLICE: u64 = 20_000;
/// Time between two snapshots for the caller.
const SNAPSHOT_EVERY: Duration = Duration::from_millis(100);

/// What a search does besides exploring everything.
#[derive(Clone, Debug, Default)]
pub struct SearchConfig {
    /// Order of pending states.
    pub order: Order,
    /// Seed of random choices.
    pub seed: u64,
    /// The program's arguments.
    pub arguments: Arguments,
}

/// The end of one path.
pub struct Leaf<'a> {
    /// The state at its end.
    pub state: &'a State,
    /// Values under which the program takes this path.
    pub model: &'a Rc<Assignment>,
    /// How it ended.
    pub end: &'a PathEnd,
}

/// What the caller wants after a leaf.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Control {
    /// Go on.
    Continue,
    /// Stop the search.
    Stop,
}

/// How a search ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ended {
    /// Nothing is left.
    Complete,
    /// The caller stopped it.
    Stopped,
    /// A limit was reached; the text says which.
    Limit(String),
}

/// Numbers of a running search.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Snapshot {
    /// States waiting.
    pub pending: u64,
    /// States made.
    pub states: u64,
    /// Instructions executed.
    pub instructions: u64,
    /// Choices on the current path.
    pub depth: u64,
    /// Time in the solver.
    pub solver_time: Duration,
}

/// A search over one program.
pub struct Explorer<'p> {
    /// The executor.
    pub machine: Machine<'p>,
    oracle: SolverOracle,
    /// States made so far.
    pub n_states: u64,
    /// Alternatives that the solver could not decide, with the place: the search is then incomplete.
    pub undecided: Vec<(selvedge_base::Loc, String)>,
}

impl<'p> Explorer<'p> {
    /// A search with this executor and solver.
    pub fn new(machine: Machine<'p>, solver: Box<dyn Solver>) -> Self {
        Explorer { machine, oracle: SolverOracle::new(solver), n_states: 0, undecided: Vec::new() }
    }

    /// Solver use so far.
    pub fn solver_stats(&self) -> Stats {
        self.oracle.solver.stats()
    }

    /// Explores all paths. `on_leaf` is called at the end of each, `on_progress` a few times a second.
    pub fn run(
        &mut self,
        config: &SearchConfig,
        limits: &Limits<'_>,
        mut on_leaf: impl FnMut(&mut Machine<'p>, Leaf<'_>) -> Control,
        mut on_progress: impl FnMut(&Snapshot),
    ) -> Ended {
        let mut frontier = Frontier::new(config.order, config.seed);
        let first = match start(&mut self.machine, &config.arguments) {
            Ok(first) => first,
            Err(why) => return Ended::Limit(why),
        };
        self.n_states += 1;
        frontier.extend(vec![Pending {
            state: first,
            model: Rc::new(Assignment::new()),
            branch: Vec::new(),
        }]);
        let mut n_leaves = 0u64;
        let mut last_snapshot = Instant::now();
        // Copies of large objects can take up memory fast, so it is looked at by time and not by steps.
        let mut memory_checked = last_snapshot;
        while let Some(mut pending) = frontier.pop(&self.machine.image, &self.machine.coverage) {
            self.oracle.focus(&pending.model);
            loop {
                let stop = self.machine.run(&mut pending.state, &mut self.oracle, SLICE);
                if let Some(why) = self.oracle.undecided.take() {
                    let loc = pending.state.user_loc(self.machine.image.program);
                    self.undecided.push((loc, why));
                }
                let now = Instant::now();
                if now - last_snapshot >= SNAPSHOT_EVERY {
                    last_snapshot = now;
                    on_progress(&Snapshot {
                        pending: frontier.len() as u64 + 1,
                        states: self.n_states,
                        instructions: self.machine.n_instructions,
                        depth: pending.state.depth,
                        solver_time: self.oracle.solver.stats().time,
                    });
                }
                let check_memory = now - memory_checked >= CHECK_MEMORY_EVERY;
                if check_memory {
                    memory_checked = now;
                }
                if let Some(reason) = limits.reached(check_memory) {
                    return Ended::Limit(reason);
                }
                match stop {
                    Stop::Budget => continue,
                    Stop::Fork(alternatives) => {
                        let successors = self.fork(pending, alternatives, frontier.tracks_branches());
                        frontier.extend(successors);
                    }
                    Stop::End(PathEnd::Infeasible) => {}
                    Stop::End(end) => {
                        let leaf = Leaf { state: &pending.state, model: self.oracle.model(), end: &end };
                        if on_leaf(&mut self.machine, leaf) == Control::Stop {
                            return Ended::Stopped;
                        }
                        n_leaves += 1;
                        if limits.max_runs.is_some_and(|max| n_leaves >= max) && frontier.len() > 0 {
                            return Ended::Limit(format!(
                                "the limit of {n_leaves} runs is reached (--max-runs)"
                            ));
                        }
                    }
                }
                break;
            }
        }
        Ended::Complete
    }

    fn fork(
        &mut self,
        from: Pending,
        alternatives: Vec<(u32, selvedge_term::TermId)>,
        branches: bool,
    ) -> Vec<Pending> {
        let Pending { state, branch, .. } = from;
        let n = alternatives.len();
        self.n_states += n as u64 - 1;
        let mut state = Some(state);
        let mut successors = Vec::with_capacity(n);
        for (i, (choice, cond)) in alternatives.into_iter().enumerate() {
            let mut next = if i + 1 == n {
                state.take().expect("taken last")
            } else {
                state.clone().expect("taken last")
            };
            next.take(choice, cond);
            let mut branch = if branches { branch.clone() } else { Vec::new() };
            if branches && n > 1 {
                branch.push(i as u32);
            }
            successors.push(Pending { state: next, model: self.oracle.model_for(cond), branch });
        }
        successors
    }
}
