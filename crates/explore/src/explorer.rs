//! The search over paths of one thread, up to the first scheduling point.
//!
//! As long as a program has one thread, a search is a set of pending states in some order. A state that
//! comes to a scheduling point is handed to the [search over schedules](crate::interleave), which is depth
//! first below it. If summaries are to outlive the search, that one gets everything from the start on.

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use selvedge_base::Loc;
use selvedge_exec::{Arguments, Machine, Noted, PathEnd, State, Stop, start};
use selvedge_por::Config as Reduction;
use selvedge_solver::{Solver, Stats};
use selvedge_summary::{Archive, Harvest, Limits as SummaryLimits, Rules, Stats as SummaryStats};
use selvedge_term::{Assignment, TermId};

use crate::graph::Graph;
use crate::interleave::Interleaving;
use crate::limits::{Limits, Shortage};
use crate::oracle::SolverOracle;
use crate::order::ThreadOrder;
use crate::searcher::{Frontier, Order, Pending};

/// How often memory is compared with its limit.
const CHECK_MEMORY_EVERY: Duration = Duration::from_millis(10);
/// Instructions between two looks at the clock.
const SLICE: u64 = 20_000;
/// Short runs between two looks at the clock.
const RUNS: u64 = 64;
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
    /// How interleavings are reduced.
    pub reduction: Reduction,
    /// Which threads are tried first.
    pub thread_order: ThreadOrder,
    /// Whether states that are known to be safe are left out, and the bounds and rules of that.
    pub summaries: Option<(SummaryLimits, Rules)>,
    /// What summaries are known from before, if those of this search are to be kept.
    pub archive: Option<Arc<Archive>>,
}

/// The end of one path.
pub struct Leaf<'a> {
    /// The state at its end.
    pub state: &'a State,
    /// Values under which the program takes this path.
    pub model: &'a Rc<Assignment>,
    /// How it ended.
    pub end: &'a PathEnd,
    /// The thread that made each visible step.
    pub schedule: &'a [u32],
}

/// What the caller wants after a leaf.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Control {
    /// Go on.
    Continue,
    /// Go on; what is wrong here is noted and need not be found again.
    Noted,
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
    /// A thread came to another's private object by an address that no pointer carried: what was found is
    /// right, but the search must be done again with all objects shared.
    Lost,
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
    /// Executions that were not continued because a summary covers the rest.
    pub pruned: u64,
    /// Time in the solver.
    pub solver_time: Duration,
}

/// A search over one program.
pub struct Explorer<'p> {
    /// The executor.
    pub machine: Machine<'p>,
    pub(crate) oracle: SolverOracle,
    /// States made so far.
    pub n_states: u64,
    /// Executions given up because all threads that could go on are asleep.
    pub n_blocked: u64,
    /// Executions that were not continued because a summary covers the rest.
    pub n_pruned: u64,
    /// How short of memory the search has been.
    pub(crate) shortage: Shortage,
    /// What was counted about summaries.
    pub summaries: SummaryStats,
    /// What later searches can use.
    pub harvest: Harvest,
    /// Alternatives that the solver could not decide, with the place: the search is then incomplete.
    pub undecided: Vec<(Loc, String)>,
    /// Records the states and steps of the search over schedules, if it is there.
    pub graph: Option<Box<Graph>>,
}

/// What a search tells its caller, and when it must stop.
pub(crate) struct Watch<'w, 'p> {
    pub(crate) limits: &'w Limits<'w>,
    pub(crate) on_leaf: &'w mut dyn FnMut(&mut Machine<'p>, Leaf<'_>) -> Control,
    pub(crate) on_progress: &'w mut dyn FnMut(&Snapshot),
    pub(crate) n_pending: u64,
    n_leaves: u64,
    runs: u64,
    last_snapshot: Instant,
    memory_checked: Instant,
    next_look: u64,
}

impl<'w, 'p> Watch<'w, 'p> {
    pub(crate) fn new(
        limits: &'w Limits<'w>,
        on_leaf: &'w mut dyn FnMut(&mut Machine<'p>, Leaf<'_>) -> Control,
        on_progress: &'w mut dyn FnMut(&Snapshot),
    ) -> Self {
        Watch {
            limits,
            on_leaf,
            on_progress,
            n_pending: 0,
            n_leaves: 0,
            runs: 0,
            last_snapshot: Instant::now(),
            memory_checked: Instant::now(),
            next_look: 0,
        }
    }

    /// Hands a leaf to the caller, and says whether it is noted; the end of the search, if it must end.
    pub(crate) fn leaf(&mut self, machine: &mut Machine<'p>, leaf: Leaf<'_>) -> Result<Noted, Ended> {
        let control = (self.on_leaf)(machine, leaf);
        if control == Control::Stop {
            return Err(Ended::Stopped);
        }
        self.n_leaves += 1;
        if let Some(runs) = self.limits.runs {
            runs.fetch_add(1, Ordering::Relaxed);
        }
        Ok(if control == Control::Noted { Noted::Yes } else { Noted::No })
    }

    /// An execution is not continued: it counts as a run.
    pub(crate) fn pruned(&mut self) {
        self.n_leaves += 1;
        if let Some(runs) = self.limits.runs {
            runs.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Something is left to explore and about to be taken up; the end of the search, if there may be no more.
    /// Asked here and not at a leaf, where it is not yet known whether anything is left.
    pub(crate) fn take_up(&self) -> Result<(), Ended> {
        let n = self.limits.runs.map_or(self.n_leaves, |runs| runs.load(Ordering::Relaxed));
        match self.limits.max_runs {
            Some(max) if n >= max => {
                Err(Ended::Limit(format!("the limit of {max} runs is reached (--max-runs)")))
            }
            _ => Ok(()),
        }
    }
}

impl<'p> Explorer<'p> {
    /// A search with this executor and solver.
    pub fn new(machine: Machine<'p>, solver: Box<dyn Solver>) -> Self {
        Explorer {
            machine,
            oracle: SolverOracle::new(solver),
            n_states: 0,
            n_blocked: 0,
            n_pruned: 0,
            shortage: Shortage::None,
            summaries: SummaryStats::default(),
            harvest: Harvest::default(),
            undecided: Vec::new(),
            graph: None,
        }
    }

    /// Solver use so far.
    pub fn solver_stats(&self) -> Stats {
        self.oracle.solver.stats()
    }

    /// Explores all paths and schedules. `on_leaf` is called at the end of each, `on_progress` a few times a
    /// second.
    pub fn run(
        &mut self,
        config: &SearchConfig,
        limits: &Limits<'_>,
        mut on_leaf: impl FnMut(&mut Machine<'p>, Leaf<'_>) -> Control,
        mut on_progress: impl FnMut(&Snapshot),
    ) -> Ended {
        let mut watch = Watch::new(limits, &mut on_leaf, &mut on_progress);
        match self.search(config, &mut watch) {
            Ok(()) => Ended::Complete,
            Err(ended) => ended,
        }
    }

    fn search(&mut self, config: &SearchConfig, watch: &mut Watch<'_, 'p>) -> Result<(), Ended> {
        let mut frontier = Frontier::new(config.order, config.seed);
        let first = match start(&mut self.machine, &config.arguments) {
            Ok(first) => first,
            Err(why) => return Err(Ended::Limit(why)),
        };
        if config.archive.is_some() {
            self.machine.trace_code();
        }
        self.n_states += 1;
        let model = Rc::new(Assignment::new());
        let mut interleaving = Interleaving::new(config);
        // What one thread does alone can be summarised as well, and pays if it outlives the search.
        let remembers = config.archive.is_some() && config.summaries.is_some();
        let searched = if remembers && config.order == Order::Dfs {
            let dived = interleaving.dive(self, watch, (&first, &model));
            dived.and_then(|()| interleaving.explore(self, watch, (first, model), true))
        } else {
            frontier.extend(vec![Pending { state: first, model, branch: Vec::new() }]);
            self.paths(watch, &mut frontier, &mut interleaving)
        };
        self.summaries += interleaving.stats();
        self.harvest = interleaving.harvest(&self.machine);
        searched
    }

    /// Takes up pending states until there are none.
    fn paths(
        &mut self,
        watch: &mut Watch<'_, 'p>,
        frontier: &mut Frontier,
        interleaving: &mut Interleaving,
    ) -> Result<(), Ended> {
        while let Some(mut pending) = frontier.pop(&self.machine.image, &self.machine.coverage) {
            watch.take_up()?;
            self.oracle.focus(&pending.model);
            watch.n_pending = frontier.len() as u64 + 1;
            loop {
                match self.step(&mut pending.state, watch)? {
                    Stop::Budget => continue,
                    Stop::Fork(alternatives) => {
                        let successors = self.fork(pending, alternatives, frontier.tracks_branches());
                        frontier.extend(successors);
                    }
                    Stop::Pause => {
                        let model = self.oracle.model().clone();
                        interleaving.explore(self, watch, (pending.state, model), frontier.is_empty())?;
                    }
                    Stop::Lost => return Err(Ended::Lost),
                    Stop::End(end) => {
                        let Pending { mut state, .. } = pending;
                        let model = self.oracle.model().clone();
                        let is_counted = match end {
                            PathEnd::Infeasible => false,
                            // With threads left behind, the end of `main` is not the end.
                            PathEnd::Exit(_) => !state.is_concurrent,
                            _ => true,
                        };
                        let mut noted = Noted::No;
                        if is_counted {
                            let leaf = Leaf { state: &state, model: &model, end: &end, schedule: &[] };
                            noted = watch.leaf(&mut self.machine, leaf)?;
                        }
                        if state.is_concurrent {
                            // What threads do that have been started could have come before.
                            state.stop(&end, noted);
                            interleaving.explore(self, watch, (state, model), frontier.is_empty())?;
                        }
                    }
                }
                break;
            }
        }
        Ok(())
    }

    /// Runs the current thread of `state` for a while.
    pub(crate) fn step(&mut self, state: &mut State, watch: &mut Watch<'_, 'p>) -> Result<Stop, Ended> {
        let stop = self.machine.run(state, &mut self.oracle, SLICE);
        watch.runs += 1;
        if let Some(why) = self.oracle.undecided.take() {
            self.undecided.push((state.user_loc(self.machine.image.program), why));
        }
        if watch.runs.is_multiple_of(RUNS) || self.machine.n_instructions >= watch.next_look {
            watch.next_look = self.machine.n_instructions + SLICE / 2;
            self.look(state, watch)?;
        }
        Ok(stop)
    }

    /// Looks at the clock and the limits.
    fn look(&mut self, state: &State, watch: &mut Watch<'_, 'p>) -> Result<(), Ended> {
        let now = Instant::now();
        // Copies of large objects can take up memory fast, so it is looked at by time and not by steps.
        let check_memory = now - watch.memory_checked >= CHECK_MEMORY_EVERY;
        if check_memory {
            watch.memory_checked = now;
            self.shortage = self.shortage.max(watch.limits.shortage());
        }
        if now - watch.last_snapshot >= SNAPSHOT_EVERY {
            watch.last_snapshot = now;
            (watch.on_progress)(&Snapshot {
                pending: watch.n_pending,
                states: self.n_states,
                instructions: self.machine.n_instructions,
                depth: state.depth,
                pruned: self.n_pruned,
                solver_time: self.oracle.solver.stats().time,
            });
        }
        match watch.limits.reached(check_memory) {
            Some(reason) => Err(Ended::Limit(reason)),
            None => Ok(()),
        }
    }

    fn fork(&mut self, from: Pending, alternatives: Vec<(u32, TermId)>, branches: bool) -> Vec<Pending> {
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
