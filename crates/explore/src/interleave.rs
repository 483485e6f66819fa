//! The search over schedules and inputs of a program with threads: depth first, told by `por` which threads
//! to run from each state.
//!
//! A *step* is one visible operation of a thread and all local work up to the next scheduling point, that of
//! threads it started or woke included. Where inputs let a step go several ways, each way is an alternative
//! below the same event.
//!
//! A thread that fails, is cut by a bound or contradicts an assumption stops for good, and the others go on:
//! what they still do could also have happened before. So every execution is run to its end, no race is
//! missed, and a later failure in it is real without the earlier one.
//!
//! With summaries, a state that is known to be safe is left again at once, and what is needed for that is gathered on the
//! way back.
//!
//! Guarantees: those of `por` for the classes of executions; every end of an execution is handed to the
//! caller. Relies on: steps that depend on nothing but the state.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use selvedge_base::Id;
use selvedge_exec::{PathEnd, State};
use selvedge_por::{Config, Dpor, Event, Next, ThreadId, dependent};
use selvedge_summary::{Checker, Entered, Left, Open, Stats, Summaries};
use selvedge_term::Assignment;

use crate::deadlock::{regular_end, stuck};
use crate::explorer::{Ended, Explorer, Leaf, SearchConfig, Watch};
use crate::settle::{Settled, enabled, settle};

/// A state in which every thread waits for its turn, has ended, or is stuck.
struct Node {
    state: State,
    model: Rc<Assignment>,
    /// The thread whose step is being explored.
    running: u32,
    /// What is known about its event.
    event: Option<Event>,
    /// Ways its step can go that are still to be explored.
    forks: Vec<Fork>,
    /// What its summary needs, if one is made.
    open: Option<Open>,
    /// It is covered.
    is_pruned: bool,
}

/// A step on its way to the next scheduling point.
struct Fork {
    state: State,
    model: Rc<Assignment>,
    /// The branches taken so far in this step.
    choice: u32,
}

/// The search over schedules.
pub(crate) struct Interleaving {
    dpor: Dpor,
    summaries: Option<Summaries>,
    nodes: Vec<Node>,
    /// Numbers of sequences of branches: the sequence before, and the branch.
    choices: FxHashMap<(u32, u32), u32>,
    /// The thread of each step before the root.
    before: Vec<u32>,
    /// What sleeps at the root.
    sleep: Vec<Event>,
    enabled: Vec<ThreadId>,
    /// Ways that wait to be explored, from all nodes.
    n_waiting: usize,
    /// Nothing comes after what is below the root.
    is_last: bool,
}

impl Interleaving {
    pub(crate) fn new(config: &SearchConfig) -> Self {
        let summaries = config.summaries.map(|(limits, rules)| Summaries::new(limits, rules));
        Interleaving {
            dpor: Dpor::new(Config { pruning: summaries.is_some(), ..config.reduction }),
            summaries,
            nodes: Vec::new(),
            choices: FxHashMap::default(),
            before: Vec::new(),
            sleep: Vec::new(),
            enabled: Vec::new(),
            n_waiting: 0,
            is_last: false,
        }
    }

    /// What was counted about summaries.
    pub(crate) fn stats(&self) -> Stats {
        self.summaries.as_ref().map_or_else(Stats::default, Summaries::stats)
    }

    /// The next search begins after these steps, and need not begin with those of `sleep`.
    pub(crate) fn begin(&mut self, before: Vec<u32>, sleep: Vec<Event>) {
        self.before = before;
        self.sleep = sleep;
    }

    /// Explores everything below `state`, whose running thread has come to its first scheduling point. With `is_last`,
    /// nothing will be explored after it.
    pub(crate) fn explore<'p>(
        &mut self,
        explorer: &mut Explorer<'p>,
        watch: &mut Watch<'_, 'p>,
        (state, model): (State, Rc<Assignment>),
        is_last: bool,
    ) -> Result<(), Ended> {
        // The threads that exist may have local work to do first.
        let mut roots = vec![Fork { state, model, choice: 0 }];
        while let Some(root) = roots.pop() {
            watch.take_up()?;
            if let Some(root) = self.advance(explorer, watch, root, &mut roots)? {
                self.is_last = is_last && roots.is_empty();
                let event = root.state.event.clone();
                self.enter(explorer, watch, root)?;
                for asleep in self.sleep.iter().filter(|e| !dependent(e, &event)) {
                    self.dpor.assume_covered(asleep);
                }
                self.below(explorer, watch)?;
            }
        }
        Ok(())
    }

    fn below<'p>(&mut self, explorer: &mut Explorer<'p>, watch: &mut Watch<'_, 'p>) -> Result<(), Ended> {
        while let Some(node) = self.nodes.last_mut() {
            if let Some(fork) = node.forks.pop() {
                watch.take_up()?;
                let mut forks = std::mem::take(&mut node.forks);
                self.n_waiting -= forks.len() + 1;
                let reached = self.advance(explorer, watch, fork, &mut forks)?;
                self.n_waiting += forks.len();
                let node = self.nodes.last_mut().expect("still there");
                node.forks = forks;
                let Some(reached) = reached else { continue };
                if node.event.as_ref() != Some(&reached.state.event) {
                    if node.event.is_some() {
                        self.dpor.retract();
                    }
                    self.dpor.executed(&reached.state.event);
                    node.event = Some(reached.state.event.clone());
                }
                self.dpor.alternative(reached.choice);
                self.enter(explorer, watch, reached)?;
                continue;
            }
            if node.event.take().is_some() {
                self.dpor.retract();
            }
            if let (Some(summaries), Some(open)) = (&mut self.summaries, &mut node.open) {
                summaries.finish_step(&mut explorer.machine, open);
            }
            if node.is_pruned {
                self.leave(explorer);
                continue;
            }
            match self.dpor.choose() {
                Next::Run(thread) => {
                    node.running = thread.index() as u32;
                    let mut state = node.state.clone();
                    state.grant(thread.index());
                    explorer.n_states += 1;
                    node.forks.push(Fork { state, model: node.model.clone(), choice: 0 });
                    self.n_waiting += 1;
                }
                next => {
                    if next == Next::Blocked {
                        explorer.n_blocked += 1;
                        let pending = blocked_events(&node.state);
                        self.dpor.end(&pending);
                        if let Some(graph) = &mut explorer.graph {
                            graph.asleep();
                        }
                    }
                    self.leave(explorer);
                }
            }
        }
        Ok(())
    }

    /// Runs a step up to the next scheduling point; other ways it can go are added to `forks`. `None` if the
    /// step itself has become forks.
    fn advance<'p>(
        &mut self,
        explorer: &mut Explorer<'p>,
        watch: &mut Watch<'_, 'p>,
        fork: Fork,
        forks: &mut Vec<Fork>,
    ) -> Result<Option<Fork>, Ended> {
        let Fork { mut state, model, choice } = fork;
        explorer.oracle.focus(&model);
        let (before, nodes) = (&self.before, &self.nodes);
        let mut report =
            |explorer: &mut Explorer<'p>, watch: &mut Watch<'_, 'p>, state: &State, end: &PathEnd| {
                let leaf = Leaf { state, model: &model, end, schedule: &schedule(before, nodes) };
                if let Some(graph) = &mut explorer.graph {
                    graph.stopped(end);
                }
                watch.leaf(&mut explorer.machine, leaf)
            };
        match settle(explorer, watch, &mut state, &mut report)? {
            Settled::AtRest => Ok(Some(Fork { state, model, choice })),
            Settled::Forked(alternatives) => {
                for (branch, cond) in alternatives.into_iter().rev() {
                    let mut next = state.clone();
                    next.take(branch, cond);
                    let choice = number(&mut self.choices, choice, branch);
                    forks.push(Fork { state: next, model: explorer.oracle.model_for(cond), choice });
                }
                Ok(None)
            }
        }
    }

    /// Enters a state; if no thread can go on, the execution is over.
    fn enter<'p>(
        &mut self,
        explorer: &mut Explorer<'p>,
        watch: &mut Watch<'_, 'p>,
        reached: Fork,
    ) -> Result<(), Ended> {
        let Fork { state, model, .. } = reached;
        self.enabled.clear();
        self.enabled.extend(enabled(&state).map(ThreadId::new));
        self.dpor.enter(&self.enabled);
        let (mut open, is_pruned) = self.recognise(explorer, &state, &model);
        if is_pruned && open.as_ref().is_some_and(Open::has_executions) {
            explorer.n_pruned += 1;
            watch.pruned();
        }
        if let Some(graph) = &mut explorer.graph {
            let from = self.nodes.last().map(|node| &node.state);
            graph.enter(&explorer.machine, from, &state, open.as_ref(), is_pruned)?;
        }
        if self.enabled.is_empty() {
            self.dpor.end(&blocked_events(&state));
            // Only a failure is told with its schedule.
            let schedule = match state.is_cut || (0..state.threads.len()).all(|t| !state.is_live(t)) {
                true => Vec::new(),
                false => schedule(&self.before, &self.nodes),
            };
            let is_good = end_of_execution(explorer, watch, &state, &model, &schedule)?;
            if let Some(graph) = &mut explorer.graph {
                graph.ended(is_good);
            }
            if let (Some(summaries), Some(open)) = (&mut self.summaries, &mut open) {
                summaries.end(&explorer.machine, open, is_good, !state.is_cut);
            }
        }
        let event = None;
        self.nodes.push(Node { state, model, running: 0, event, forks: Vec::new(), open, is_pruned });
        Ok(())
    }

    /// Compares a state with the summaries of its control state.
    fn recognise(
        &mut self,
        explorer: &mut Explorer<'_>,
        state: &State,
        model: &Assignment,
    ) -> (Option<Open>, bool) {
        let Some(summaries) = &mut self.summaries else { return (None, false) };
        if explorer.is_short_of_memory {
            summaries.give_up();
        }
        let Explorer { machine, oracle, .. } = explorer;
        let mut checker = Checker { machine, solver: &mut *oracle.solver, state, model };
        let from = self.nodes.last().and_then(|node| Some((&node.state, node.open.as_ref()?)));
        match summaries.enter(&mut checker, &mut self.dpor, &self.enabled, from) {
            Entered::New(open) => (open, false),
            Entered::Rest(open) => (Some(open), false),
            Entered::Covered(open) => (Some(open), true),
        }
    }

    /// Leaves the last state, and tells the one before what it has found out.
    fn leave(&mut self, explorer: &mut Explorer<'_>) {
        let footprint = self.dpor.leave();
        let Some(mut node) = self.nodes.pop() else { return };
        // Nobody will ask for a summary that is made on the way home.
        let is_home_bound = self.is_last && self.n_waiting == 0 && explorer.graph.is_none();
        if node.open.is_some() && is_home_bound && !self.dpor.has_plans() {
            node.open = None;
        }
        let machine = &mut explorer.machine;
        let Some(summaries) = &mut self.summaries else {
            if let Some(graph) = &mut explorer.graph {
                graph.leave(machine, &node.state, None);
            }
            return;
        };
        let left = node.open.map(|open| summaries.leave(machine, open, footprint.unwrap_or_default()));
        if let Some(graph) = &mut explorer.graph {
            graph.leave(machine, &node.state, left.as_ref().map(Left::formula));
        }
        if let Some(Node { state, running, open: Some(open), .. }) = self.nodes.last_mut() {
            let step = (&*state, *running as usize);
            summaries.absorb(machine, open, step, (&node.state, &node.model), left);
        }
    }
}

/// The thread of each step up to the current one.
fn schedule(before: &[u32], nodes: &[Node]) -> Vec<u32> {
    before.iter().copied().chain(nodes.iter().map(|n| n.running)).collect()
}

/// The number of a sequence of branches.
fn number(choices: &mut FxHashMap<(u32, u32), u32>, before: u32, branch: u32) -> u32 {
    let next = choices.len() as u32 + 1;
    *choices.entry((before, branch)).or_insert(next)
}

/// No thread can go on: hands the execution to the caller, as full or as one in which threads wait for ever. Says
/// whether all is well.
pub(crate) fn end_of_execution<'p>(
    explorer: &mut Explorer<'p>,
    watch: &mut Watch<'_, 'p>,
    state: &State,
    model: &Rc<Assignment>,
    schedule: &[u32],
) -> Result<bool, Ended> {
    if state.is_cut {
        // Reported when it was cut, or no execution at all.
        return Ok(!state.has_failed);
    }
    let Some((thread, finding)) = stuck(&explorer.machine, state) else {
        let end = regular_end(&explorer.machine, state);
        let leaf = Leaf { state, model, end: &end, schedule };
        watch.leaf(&mut explorer.machine, leaf)?;
        return Ok(matches!(end, PathEnd::Exit(_)));
    };
    let mut state = state.clone();
    state.current = thread;
    let end = PathEnd::Finding(Rc::new(finding));
    watch.leaf(&mut explorer.machine, Leaf { state: &state, model, end: &end, schedule })?;
    Ok(false)
}

fn blocked_events(state: &State) -> Vec<Event> {
    (0..state.threads.len())
        .filter(|&t| state.is_live(t) && !state.is_enabled(t))
        .filter_map(|t| state.blocked_event(t))
        .collect()
}
