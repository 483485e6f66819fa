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
//! way back. A branch in the middle of a step is then a node too: what other steps do is not noticed by it, so that the
//! ways from there can be recognised like states. `por` does not see it.
//!
//! Guarantees: those of `por` for the classes of executions; every end of an execution is handed to the
//! caller. Relies on: steps that depend on nothing but the state.

use std::rc::Rc;

use selvedge_base::Id;
use selvedge_exec::{Machine, Noted, PathEnd, State};
use selvedge_por::{Config, Dpor, Event, Footprint, Next, ThreadId, dependent};
use selvedge_summary::{End, Harvest, Left, Open, Stats, Summaries};
use selvedge_term::Assignment;

use crate::branch::Branch;
use crate::deadlock::{note_served_later, regular_end, stuck};
use crate::dive::Choices;
use crate::explorer::{Ended, Explorer, Leaf, SearchConfig, Watch};
use crate::order::{ThreadOrder, enabled};
use crate::settle::settle;

/// A state in which every thread waits for its turn, has ended, or is stuck; or a branch in a step.
pub(crate) struct Node {
    pub(crate) state: State,
    pub(crate) model: Rc<Assignment>,
    /// The branches that the step which led here has taken.
    pub(crate) choice: u32,
    /// The thread whose step is being explored.
    pub(crate) running: u32,
    /// What is known about its event.
    pub(crate) event: Option<Event>,
    /// Ways its step can go that are still to be explored.
    pub(crate) forks: Vec<Fork>,
    /// What its summary needs, if one is made.
    pub(crate) open: Option<Open>,
    /// It is covered.
    pub(crate) is_pruned: bool,
    /// How many claims about tails held again when it was looked up ([`Summaries::n_tails_again`]).
    pub(crate) n_tails_again: u64,
    /// For a branch, whose ways are the forks.
    pub(crate) branch: Option<Branch>,
}

/// Where a step has come to.
enum Advanced {
    /// Its end.
    End(Fork),
    /// A branch that becomes a node, with the ways from there.
    Branch(Fork, Vec<Fork>),
    /// It has become forks.
    Forked,
}

/// A step on its way to the next scheduling point.
pub(crate) struct Fork {
    pub(crate) state: State,
    pub(crate) model: Rc<Assignment>,
    /// The branches taken so far in this step.
    pub(crate) choice: u32,
}

/// The search over schedules.
pub(crate) struct Interleaving {
    pub(crate) dpor: Dpor,
    pub(crate) summaries: Option<Summaries>,
    pub(crate) nodes: Vec<Node>,
    pub(crate) choices: Choices,
    /// The thread of each step before the root.
    pub(crate) before: Vec<u32>,
    /// What sleeps at the root.
    sleep: Vec<Event>,
    pub(crate) enabled: Vec<ThreadId>,
    /// Ways that wait to be explored, from all nodes.
    pub(crate) n_waiting: usize,
    thread_order: ThreadOrder,
    /// Nothing comes after what is below the root.
    pub(crate) is_last: bool,
}

impl Interleaving {
    pub(crate) fn new(config: &SearchConfig) -> Self {
        let mut summaries = config.summaries.map(|(limits, rules)| Summaries::new(limits, rules));
        if let (Some(summaries), Some(archive)) = (&mut summaries, &config.archive) {
            summaries.remember(archive.clone());
        }
        Interleaving {
            dpor: Dpor::new(Config { pruning: summaries.is_some(), ..config.reduction }),
            summaries,
            nodes: Vec::new(),
            choices: Choices::default(),
            before: Vec::new(),
            sleep: Vec::new(),
            enabled: Vec::new(),
            n_waiting: 0,
            thread_order: config.thread_order,
            is_last: false,
        }
    }

    /// What was counted about summaries.
    pub(crate) fn stats(&self) -> Stats {
        self.summaries.as_ref().map_or_else(Stats::default, Summaries::stats)
    }

    /// What later searches can use.
    pub(crate) fn harvest(&self, machine: &Machine<'_>) -> Harvest {
        let summaries = self.summaries.as_ref().filter(|summaries| summaries.remembers());
        summaries.map_or_else(Harvest::default, |summaries| summaries.harvest(machine, self.dpor.events()))
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
            let advanced = self.advance(explorer, watch, root, &mut roots)?;
            note_facts(explorer, None);
            self.is_last = is_last && roots.is_empty();
            match advanced {
                Advanced::End(root) => self.enter_root(explorer, watch, root)?,
                Advanced::Branch(at, ways) => self.enter_branch(explorer, watch, at, ways)?,
                Advanced::Forked => continue,
            }
            self.below(explorer, watch)?;
        }
        Ok(())
    }

    /// Enters a state that no step leads to.
    pub(crate) fn enter_root<'p>(
        &mut self,
        explorer: &mut Explorer<'p>,
        watch: &mut Watch<'_, 'p>,
        root: Fork,
    ) -> Result<(), Ended> {
        let event = root.state.event.clone();
        self.enter(explorer, watch, root)?;
        for asleep in self.sleep.iter().filter(|e| !dependent(e, &event)) {
            self.dpor.assume_covered(asleep);
        }
        Ok(())
    }

    pub(crate) fn below<'p>(
        &mut self,
        explorer: &mut Explorer<'p>,
        watch: &mut Watch<'_, 'p>,
    ) -> Result<(), Ended> {
        while let Some(node) = self.nodes.last_mut() {
            if node.branch.is_some() && self.is_recognised_now(explorer) {
                self.leave_branch(explorer);
                continue;
            }
            let Some(node) = self.nodes.last_mut() else { return Ok(()) };
            if let Some(fork) = node.forks.pop() {
                watch.take_up()?;
                let mut forks = std::mem::take(&mut node.forks);
                self.n_waiting -= forks.len() + 1;
                let advanced = self.advance(explorer, watch, fork, &mut forks)?;
                note_facts(explorer, self.nodes.last_mut());
                self.n_waiting += forks.len();
                if let Some(node) = self.nodes.last_mut() {
                    node.forks = forks;
                }
                match advanced {
                    Advanced::End(reached) if self.base().is_none() => {
                        self.enter_root(explorer, watch, reached)?;
                    }
                    Advanced::End(reached) => {
                        self.arrive(&reached);
                        self.enter(explorer, watch, reached)?;
                    }
                    Advanced::Branch(at, ways) => {
                        self.arrive(&at);
                        self.enter_branch(explorer, watch, at, ways)?;
                    }
                    Advanced::Forked => {}
                }
                continue;
            }
            if node.branch.is_some() {
                self.leave_branch(explorer);
                continue;
            }
            if node.event.take().is_some() {
                self.dpor.retract();
            }
            if let (Some(summaries), Some(open)) = (&mut self.summaries, &mut node.open) {
                summaries.finish_step(&mut explorer.machine, open);
            }
            if node.is_pruned || self.is_recognised_now(explorer) {
                self.leave(explorer);
                continue;
            }
            let Some(node) = self.nodes.last_mut() else { return Ok(()) };
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

    /// The node of which a step is being explored.
    pub(crate) fn base(&self) -> Option<usize> {
        let last = self.nodes.len().checked_sub(1)?;
        self.nodes[last].branch.as_ref().map_or(Some(last), |branch| branch.base)
    }

    /// Tells `por` the event of a step that has come to its end or to a branch.
    fn arrive(&mut self, reached: &Fork) {
        let Some(base) = self.base() else { return };
        let (node, event) = (&mut self.nodes[base], &reached.state.event);
        if node.event.as_ref() != Some(event) {
            if node.event.is_some() {
                self.dpor.retract();
            }
            self.dpor.executed(event);
            node.event = Some(event.clone());
        }
        self.dpor.alternative(reached.choice);
    }

    /// Runs a step up to the next scheduling point, or to a branch; other ways it can go are added to `forks` if they do
    /// not belong to a node of their own.
    fn advance<'p>(
        &mut self,
        explorer: &mut Explorer<'p>,
        watch: &mut Watch<'_, 'p>,
        fork: Fork,
        forks: &mut Vec<Fork>,
    ) -> Result<Advanced, Ended> {
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
            None => Ok(Advanced::End(Fork { state, model, choice })),
            Some(alternatives) => {
                // What sleeps at the root does so after all that comes before it.
                let is_known = self.sleep.is_empty() || self.base().is_some();
                let is_node = self.summaries.is_some() && is_known && state.is_at_branch();
                let mut ways = Vec::new();
                for (branch, cond) in alternatives.into_iter().rev() {
                    let mut next = state.clone();
                    next.take(branch, cond);
                    let choice = self.choices.number(choice, branch);
                    ways.push(Fork { state: next, model: explorer.oracle.model_for(cond), choice });
                }
                if is_node {
                    return Ok(Advanced::Branch(Fork { state, model, choice }, ways));
                }
                forks.extend(ways);
                Ok(Advanced::Forked)
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
        let Fork { state, model, choice } = reached;
        self.enabled.clear();
        self.enabled.extend(enabled(&state, self.thread_order).map(ThreadId::new));
        self.dpor.enter(&self.enabled);
        let (mut open, is_pruned) = self.recognise(explorer, &state, &model);
        self.count_and_draw(explorer, watch, &state, (open.as_ref(), is_pruned))?;
        if self.enabled.is_empty() {
            self.dpor.end(&blocked_events(&state));
            // Only a failure is told with its schedule.
            let schedule = match state.is_cut || (0..state.threads.len()).all(|t| !state.is_live(t)) {
                true => Vec::new(),
                false => schedule(&self.before, &self.nodes),
            };
            let how = end_of_execution(explorer, watch, &state, &model, &schedule)?;
            if let Some(graph) = &mut explorer.graph {
                graph.ended(how != End::Failed);
            }
            if let (Some(summaries), Some(open)) = (&mut self.summaries, &mut open) {
                summaries.end(&explorer.machine, open, how, !state.is_cut);
            }
        }
        let (event, forks, branch) = (None, Vec::new(), None);
        let n_tails_again = self.n_tails_again();
        self.nodes.push(Node {
            state,
            model,
            choice,
            running: 0,
            event,
            forks,
            open,
            is_pruned,
            n_tails_again,
            branch,
        });
        Ok(())
    }

    /// Counts a node that is entered if it is pruned, and puts it into the graph.
    pub(crate) fn count_and_draw<'p>(
        &self,
        explorer: &mut Explorer<'p>,
        watch: &mut Watch<'_, 'p>,
        state: &State,
        (open, is_pruned): (Option<&Open>, bool),
    ) -> Result<(), Ended> {
        if is_pruned && open.is_some_and(Open::has_executions) {
            explorer.n_pruned += 1;
            watch.pruned();
        }
        if let Some(graph) = &mut explorer.graph {
            let from = self.nodes.last().map(|node| &node.state);
            graph.enter(&explorer.machine, from, state, open, is_pruned)?;
        }
        Ok(())
    }

    /// Leaves the last state, and tells the one before what it has found out.
    fn leave(&mut self, explorer: &mut Explorer<'_>) {
        let footprint = self.dpor.leave();
        if let Some(node) = self.nodes.pop() {
            self.tell(explorer, node, footprint);
        }
    }

    /// Makes a summary of what has been left, and tells the node before what is needed for it.
    pub(crate) fn tell(&mut self, explorer: &mut Explorer<'_>, mut node: Node, footprint: Option<Footprint>) {
        note_facts(explorer, Some(&mut node));
        // Nobody will ask for a summary that is made on the way home, unless it is to outlive the search.
        let remembers = self.summaries.as_ref().is_some_and(Summaries::remembers);
        let is_home_bound = self.is_last && self.n_waiting == 0 && explorer.graph.is_none() && !remembers;
        if node.open.is_some() && is_home_bound && !self.dpor.has_plans() {
            node.open = None;
        }
        if let (Some(Node { branch: Some(branch), .. }), Some(footprint)) =
            (self.nodes.last_mut(), &footprint)
        {
            branch.footprint.merge(footprint);
        }
        let choice = node.choice;
        let machine = &mut explorer.machine;
        let left = match (&mut self.summaries, node.open) {
            (Some(summaries), Some(open)) => {
                let at = (&node.state, &*node.model);
                Some(summaries.leave(machine, open, at, footprint.unwrap_or_default()))
            }
            _ => None,
        };
        if let Some(graph) = &mut explorer.graph {
            graph.leave(machine, &node.state, left.as_ref().map(Left::formula));
        }
        let Some(summaries) = &mut self.summaries else { return };
        let claim = match self.nodes.last_mut() {
            None => summaries.claim_alone(machine, left),
            Some(Node { open: None, .. }) => None,
            Some(Node { open: Some(open), state, running, .. }) => {
                let step = (&*state, *running as usize);
                summaries.absorb(machine, open, step, (&node.state, &node.model), left)
            }
        };
        if let Some(claim) = claim {
            self.note_way(claim, choice);
            self.compare_tails(explorer);
        }
    }
}

/// What has been noted since the last time belongs to the node.
fn note_facts(explorer: &mut Explorer<'_>, node: Option<&mut Node>) {
    if let Some(code) = &mut explorer.machine.code {
        code.take(node.and_then(|node| node.open.as_mut()).map(Open::facts));
    }
}

/// The thread of each step up to the current one.
fn schedule(before: &[u32], nodes: &[Node]) -> Vec<u32> {
    let steps = nodes.iter().filter(|node| node.branch.is_none()).map(|node| node.running);
    before.iter().copied().chain(steps).collect()
}

/// No thread can go on: hands the execution to the caller, as full or as one in which threads wait for ever. Says how it
/// has ended.
pub(crate) fn end_of_execution<'p>(
    explorer: &mut Explorer<'p>,
    watch: &mut Watch<'_, 'p>,
    state: &State,
    model: &Rc<Assignment>,
    schedule: &[u32],
) -> Result<End, Ended> {
    if state.is_cut {
        // Reported when it was cut, or no execution at all.
        return Ok(if state.has_failed { End::Failed } else { End::Good });
    }
    let Some((thread, finding)) = stuck(&explorer.machine, state) else {
        let end = regular_end(&explorer.machine, state);
        if matches!(end, PathEnd::Infeasible) {
            return Ok(End::Good);
        }
        note_served_later(&mut explorer.machine, state);
        let leaf = Leaf { state, model, end: &end, schedule };
        watch.leaf(&mut explorer.machine, leaf)?;
        return Ok(if matches!(end, PathEnd::Exit(_)) { End::Good } else { End::Failed });
    };
    let mut state = state.clone();
    state.current = thread;
    let end = PathEnd::Finding(Rc::new(finding));
    let noted = watch.leaf(&mut explorer.machine, Leaf { state: &state, model, end: &end, schedule })?;
    Ok(if noted == Noted::Yes { End::Noted } else { End::Failed })
}

fn blocked_events(state: &State) -> Vec<Event> {
    (0..state.threads.len())
        .filter(|&t| state.is_live(t) && !state.is_enabled(t))
        .filter_map(|t| state.blocked_event(t))
        .collect()
}
