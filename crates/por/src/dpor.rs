//! The driver's side of the reduction: a stack in step with the depth-first search.
//!
//! The driver owns the program and its states; it tells what is enabled and what was executed, and is
//! told which thread to run next:
//!
//! ```text
//! fn explore(state):
//!     dpor.enter(enabled threads of state)
//!     if none is enabled: dpor.end(next events of the disabled threads)
//!     loop:
//!         match dpor.choose():
//!             Run(thread): go on
//!             Blocked: dpor.end(next events of the disabled threads), break
//!             Exhausted: break
//!         execute one event of thread
//!         dpor.executed(event)
//!         for (choice, successor) in the alternatives after the event:   // one, without data forks
//!             dpor.alternative(choice)
//!             explore(successor)
//!         dpor.retract()
//!     dpor.leave()
//! ```
//!
//! Data forks: what a state must still try is shared by all alternatives below it, so a race found in one
//! of them may add work to a common ancestor, whose every alternative is then explored with it. An
//! alternative is a number that the driver chooses freely, but equal for the same branch decisions of the
//! same step of a thread. Each pair of a trace and a sequence of alternatives is explored at most once. If
//! the program forks before its first event, each alternative is a search of its own, one after the other
//! in the same [`Dpor`].
//!
//! Executions that are cut short (a bound, a failure that ends the program) lose the races of what they
//! would still have done; [`Dpor::prune`] takes that, or the verdict must say that the search was bounded.
//!
//! Guarantees, for deterministic steps and finite executions: with every [`Reduction`], each Mazurkiewicz
//! trace has an execution that is explored; with [`Reduction::Source`] and [`Reduction::Optimal`] and sleep
//! sets, exactly one; with [`Reduction::Optimal`], no execution is given up as blocked, unless the program
//! has data forks, unknown guards, or events that do something else when they are moved.
//! Paper: ODPOR, Algorithm 1 (source-DPOR) and Algorithm 2 (optimal-DPOR).
//! Checked by: `tests/random.rs` against plain enumeration, `tests/counts.rs` against published numbers.

use crate::event::{Event, ThreadId};
use crate::execution::Execution;
use crate::node::{Node, Running, Sleeper};
use crate::pruned::{Footprint, Past};
use crate::reversal::UnknownRace;
use crate::stats::Stats;
use crate::table::{EventId, EventTable};
use crate::wakeup_tree::PlannedStep;

/// How much is left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Reduction {
    /// Nothing: every enabled thread is run from every state.
    None,
    /// Source sets: each trace once, but some executions may be started in vain.
    Source,
    /// Wakeup trees: each trace once and nothing in vain. The default.
    #[default]
    Optimal,
}

/// The switches of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Config {
    /// How much is left out. Default is optimal.
    pub reduction: Reduction,
    /// Whether threads sleep below the states they were explored from. Default is true; without it traces
    /// are repeated.
    pub sleep: bool,
    /// Whether parts of the search may be skipped with [`Dpor::prune`]. Default is false; with it,
    /// [`Dpor::leave`] gives the footprint of what was explored, and optimal reduction may start executions
    /// in vain.
    pub pruning: bool,
}

impl Default for Config {
    fn default() -> Self {
        Config { reduction: Reduction::default(), sleep: true, pruning: false }
    }
}

impl Config {
    /// The defaults with this reduction.
    pub fn new(reduction: Reduction) -> Config {
        Config { reduction, ..Config::default() }
    }
}

/// What to do in a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use]
pub enum Next {
    /// Run this thread for one event.
    Run(ThreadId),
    /// Nothing more: leave.
    Exhausted,
    /// Nothing at all: what could come from here is explored elsewhere. End and leave; the execution does
    /// not count.
    Blocked,
}

/// Dynamic partial-order reduction for one search. See the [module](self) for how it is driven.
///
/// # Panics
///
/// The methods panic if the driver does not keep to the order of calls.
pub struct Dpor {
    pub(crate) config: Config,
    pub(crate) table: EventTable,
    pub(crate) execution: Execution,
    /// Node `i` is the state before step `i`; those from `n_nodes` on are kept for reuse.
    pub(crate) nodes: Vec<Node>,
    n_nodes: usize,
    pub(crate) n_steps: usize,
    /// Whether the execution was analysed after its last step.
    has_ended: bool,
    /// How many of the first states have one with plans as their last, if it is known.
    pub(crate) nearest_plan: Option<usize>,
    pub(crate) stats: Stats,
    // Scratch space.
    pub(crate) sequence: Vec<PlannedStep>,
    pub(crate) found: Vec<u32>,
    pub(crate) reversals: Vec<UnknownRace>,
    past: Past,
}

impl Dpor {
    /// A search that has not begun.
    pub fn new(config: Config) -> Dpor {
        Dpor {
            config,
            table: EventTable::default(),
            execution: Execution::default(),
            nodes: Vec::new(),
            n_nodes: 0,
            n_steps: 0,
            has_ended: false,
            nearest_plan: None,
            stats: Stats::default(),
            sequence: Vec::new(),
            found: Vec::new(),
            reversals: Vec::new(),
            past: Past::default(),
        }
    }

    /// The events of the search.
    pub fn events(&self) -> &EventTable {
        &self.table
    }

    /// The events of the search, for who brings some from elsewhere.
    pub fn events_mut(&mut self) -> &mut EventTable {
        &mut self.table
    }

    fn reduces(&self) -> bool {
        self.config.reduction != Reduction::None
    }

    fn is_in_state(&self) -> bool {
        self.n_nodes == self.n_steps + 1
    }

    /// The node of the current state.
    fn top(&mut self) -> &mut Node {
        assert!(self.is_in_state(), "the driver has not entered the state after the last event");
        &mut self.nodes[self.n_steps]
    }

    /// Begins a state, in which these threads can make a step. The first is preferred.
    pub fn enter(&mut self, enabled: &[ThreadId]) {
        self.nearest_plan = None;
        assert!(!self.is_in_state(), "the driver enters a state that it has entered already");
        if self.n_nodes == self.nodes.len() {
            self.nodes.push(Node::default());
        }
        let (below, above) = self.nodes.split_at_mut(self.n_nodes);
        let node = &mut above[0];
        node.reset(enabled);
        if self.config.reduction == Reduction::None {
            node.todo.extend_from_slice(enabled);
        } else if let (Some(from), Some(step)) = (below.last_mut(), self.execution.steps().last()) {
            if self.config.sleep {
                node.inherit_sleepers(from, &self.table, step.event);
            }
            node.inherit_plan(from, step.choice);
        }
        self.n_nodes += 1;
    }

    /// Says which thread to run from the current state; called again after that thread is explored.
    pub fn choose(&mut self) -> Next {
        self.finish_running();
        let next = match self.config.reduction {
            Reduction::None | Reduction::Source => self.choose_todo(),
            Reduction::Optimal => self.choose_planned(),
        };
        let (reduces, node) = (self.reduces(), self.top());
        let next = match next {
            // A state must be left by some thread unless its continuations are known.
            None if reduces && !node.has_started => match node.first_awake() {
                Some(thread) => {
                    node.leave_plans();
                    node.todo.push(thread);
                    node.n_tried = node.todo.len();
                    node.running = Some(Running::freely(thread));
                    Next::Run(thread)
                }
                None if node.enabled.is_empty() => Next::Exhausted,
                None => Next::Blocked,
            },
            None => Next::Exhausted,
            Some(thread) => Next::Run(thread),
        };
        node.has_started = true;
        node.is_blocked |= next == Next::Blocked;
        self.stats.n_blocked += u64::from(next == Next::Blocked);
        next
    }

    /// The thread that was running is explored now, and sleeps.
    fn finish_running(&mut self) {
        let reduces = self.reduces();
        let is_optimal = self.config.reduction == Reduction::Optimal;
        self.top();
        let node = &mut self.nodes[self.n_steps];
        let Some(running) = node.running.take() else { return };
        let Some(event) = running.event else { return };
        if !reduces {
            return;
        }
        // What was skipped is missing in the sequences that were planned.
        let has_plans = is_optimal && !running.has_skips;
        node.has_skips |= running.has_skips;
        node.sleep.push(Sleeper { thread: running.thread, event, has_plans });
    }

    /// The next thread of the backtrack set.
    fn choose_todo(&mut self) -> Option<ThreadId> {
        let reduces = self.reduces();
        let node = &mut self.nodes[self.n_steps];
        while let Some(&thread) = node.todo.get(node.n_tried) {
            node.n_tried += 1;
            if reduces && node.is_asleep(thread) {
                continue;
            }
            if !node.enabled.contains(&thread) {
                self.stats.n_infeasible += 1;
                continue;
            }
            node.running = Some(Running::freely(thread));
            return Some(thread);
        }
        None
    }

    /// The next thread of the wakeup tree.
    fn choose_planned(&mut self) -> Option<ThreadId> {
        let node = &mut self.nodes[self.n_steps];
        while let Some((planned, rest)) = node.tree.take_first() {
            let thread = planned.thread;
            if node.is_asleep(thread) {
                continue;
            }
            if !node.enabled.contains(&thread) {
                self.stats.n_infeasible += 1;
                continue;
            }
            node.running =
                Some(Running { thread, planned: Some(planned), rest, event: None, has_skips: false });
            return Some(thread);
        }
        None
    }

    /// The chosen thread has made this event.
    pub fn executed(&mut self, event: &Event) {
        let id = match self.reduces() || self.config.pruning {
            true => self.table.intern(event),
            // Plain enumeration asks nothing about events.
            false => EventId(0),
        };
        self.top();
        let running = self.nodes[self.n_steps].running.as_mut();
        let running = running.filter(|running| running.thread == event.thread);
        let running = running.expect("the driver executes the thread that was chosen");
        // Should a fork lead to different events after all, the thread may not sleep.
        running.event = match running.event {
            Some(other) if other != id => Some(self.table.anything(event.thread)),
            _ => Some(id),
        };
        if self.reduces() {
            self.execution.push(&self.table, id);
        }
        if self.is_tracked() {
            let Dpor { execution, past, nodes, n_steps, .. } = self;
            execution.past_of_last(past);
            nodes[*n_steps].trail.add(id, past, &past.clock);
        }
        if self.config.reduction == Reduction::Source {
            self.analyse_last();
        }
        self.n_steps += 1;
        self.stats.n_steps += 1;
        self.has_ended = false;
    }

    /// Which alternative of a data fork the search goes on with after the last event; 0 if never called.
    pub fn alternative(&mut self, choice: u32) {
        assert!(!self.is_in_state() && self.n_steps > 0, "an alternative is chosen after an event");
        self.execution.set_choice(choice);
    }

    /// Takes the last event back, after all its alternatives.
    pub fn retract(&mut self) {
        assert!(!self.is_in_state() && self.n_steps > 0, "an event is retracted after it was explored");
        self.n_steps -= 1;
        if self.reduces() {
            self.execution.pop(&self.table);
        }
    }

    /// Ends a state. Gives what was touched below it if the [`Config`] allows pruning; it may be used
    /// for states like this one if everything was explored, that is if [`choose`](Self::choose) said so.
    pub fn leave(&mut self) -> Option<Footprint> {
        self.top();
        self.finish_running();
        self.analyse_end();
        self.n_nodes -= 1;
        let (below, above) = self.nodes.split_at_mut(self.n_nodes);
        let node = &mut above[0];
        let mut parent = below.last_mut();
        if let Some(Node { running: Some(running), .. }) = &mut parent {
            running.has_skips |= node.has_skips;
        }
        if !self.config.pruning || node.is_untracked {
            return None;
        }
        let trail = std::mem::take(&mut node.trail);
        let footprint = trail.footprint(self.n_nodes);
        if let Some(parent) = parent.filter(|parent| !parent.is_untracked) {
            parent.trail.merge(trail);
        }
        Some(footprint)
    }

    /// Whether something has still to be explored from a state that has not been left.
    pub fn has_plans(&mut self) -> bool {
        // Plans are made when an execution ends or is not continued, and are looked for on the way back from there.
        let n_nodes = self.n_nodes;
        let known = self.nearest_plan.filter(|nearest| *nearest <= n_nodes);
        let nearest = known.unwrap_or_else(|| {
            let has_plans = |node: &Node| !node.tree.is_empty() || node.n_tried < node.todo.len();
            self.nodes[..n_nodes].iter().rposition(has_plans).map_or(0, |position| position + 1)
        });
        self.nearest_plan = Some(nearest);
        nearest > 0
    }

    /// Says that nobody will ask for the footprint of the current state, nor for that of a state before it unless what
    /// lies below this one is left out of it.
    pub fn untrack(&mut self) {
        self.top().is_untracked = true;
    }

    fn is_tracked(&self) -> bool {
        self.config.pruning && !self.nodes[self.n_steps].is_untracked
    }

    /// The execution ends here: no thread is enabled, or [`choose`](Self::choose) said that all that are
    /// sleep, or the driver goes no further. `pending` are the next events of threads that have not ended
    /// and cannot move.
    pub fn end(&mut self, pending: &[Event]) {
        self.nearest_plan = None;
        let is_blocked = self.top().is_blocked;
        self.stats.n_executions += u64::from(!is_blocked);
        self.analyse_end();
        for event in pending {
            self.analyse_pending(event);
            if self.is_tracked() {
                // A later visit may come by another way, on which the event is in other races.
                let (thread, event) = (event.thread, self.table.intern(event));
                let Dpor { execution, past, nodes, n_steps, .. } = self;
                execution.past_of_next(thread, past);
                nodes[*n_steps].trail.add(event, past, &past.clock);
            }
        }
    }

    /// Analyses the execution up to here, once.
    fn analyse_end(&mut self) {
        if std::mem::replace(&mut self.has_ended, true) {
            return;
        }
        self.nearest_plan = None;
        match self.config.reduction {
            Reduction::Optimal => self.analyse_all(),
            Reduction::Source => self.analyse_unstable(),
            Reduction::None => {}
        }
    }

    /// Declares that all executions in which `event` comes next from this state are covered: its thread
    /// sleeps here.
    pub fn assume_covered(&mut self, event: &Event) {
        let (thread, event) = (event.thread, self.table.intern(event));
        let node = self.top();
        if !node.is_asleep(thread) {
            node.sleep.push(Sleeper { thread, event, has_plans: false });
        }
    }

    /// Declares that `thread` need not be run from this state because it was when the state was visited before, while
    /// others slept. It does not sleep below: what those others do before it was not explored then.
    pub fn assume_covered_here(&mut self, thread: ThreadId) {
        let event = self.table.anything(thread);
        let node = self.top();
        if !node.is_asleep(thread) {
            node.sleep.push(Sleeper { thread, event, has_plans: false });
        }
    }

    /// Declares that executions in which one of these threads comes next from this state are not covered, whichever of the
    /// others stands for them as well: all of them are tried.
    pub fn must_try(&mut self, threads: &[ThreadId]) {
        self.top();
        let Dpor { nodes, table, config, n_steps, .. } = self;
        let node = &mut nodes[*n_steps];
        for &thread in threads {
            if !node.enabled.contains(&thread) || node.is_tried(thread) {
                continue;
            }
            match config.reduction {
                Reduction::Optimal => {
                    let event = table.anything(thread);
                    node.tree.add_thread(PlannedStep { thread, event, choice: 0, position: 0 });
                }
                Reduction::Source => node.todo.push(thread),
                Reduction::None => {}
            }
        }
    }

    /// The threads that need not be run from the current state, with their next events.
    pub fn sleeping(&self) -> impl Iterator<Item = &Event> {
        assert!(self.is_in_state(), "threads sleep in a state");
        self.nodes[self.n_steps].sleep.iter().map(|sleeper| self.table.event(sleeper.event))
    }

    /// The threads that will sleep after the last event, whose state is not entered yet.
    pub fn sleeping_next(&self) -> impl Iterator<Item = ThreadId> {
        assert!(!self.is_in_state(), "the state after the last event is not entered yet");
        let last = self.execution.steps().last();
        let from = self.nodes[..self.n_nodes].last().filter(|_| self.config.sleep);
        let sleepers = from.into_iter().flat_map(|node| &node.sleep);
        let stays = move |s: &&Sleeper| last.is_some_and(|step| !self.table.dependent(s.event, step.event));
        sleepers.filter(stays).map(|sleeper| sleeper.thread)
    }

    /// The events of a footprint that this search gave.
    pub fn events_of(&self, footprint: &Footprint) -> impl Iterator<Item = &Event> {
        footprint.events().map(|event| self.table.event(event))
    }

    /// Whether the step at `earlier` of the current execution happens before the one at `later`; both count
    /// from 0.
    ///
    /// Not known without reduction: always `false` then.
    pub fn happens_before(&self, earlier: usize, later: usize) -> bool {
        earlier < later && later < self.execution.len() && self.execution.is_after(later, earlier)
    }

    /// What was counted.
    pub fn stats(&self) -> &Stats {
        &self.stats
    }
}
