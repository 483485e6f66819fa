//! Race analysis: from the races of an execution to what the states on its way must still explore.
//!
//! For a race of `e` with a later step `e'`, the other order is reached from the state before `e` by steps
//! after it that do not happen after `e`, followed by `e'` (the paper's `v = notdep(e, E).e'`). If no
//! sleeping thread stands for `v`, it is put into the wakeup tree of that state (optimal) or one of its
//! initials into the backtrack set (source).
//!
//! Source sets are updated when `e'` is executed, with the steps before it; and if `e'` may do something else when it
//! is moved, at the end of the execution again, since steps after it need not commute with that. Wakeup trees are updated at the
//! end of every execution, with all steps of it, also for races that earlier executions shared: a sleeper
//! stands for whatever commutes with it, and what keeps that from hiding a trace is that the sequences
//! inserted where it was explored contain all that may come before a conflict with it. (With shorter
//! sequences, about one random program in a thousand loses a trace.)
//!
//! Paper: ODPOR, Algorithm 1 and 2, race detection.
//! Differs: DIVERGENCE (a) a sleeper that commutes with `v` without being in it stands for `v` only as long
//! as the plans made where it was explored are followed. Where they are left with sleepers that they did
//! not wake, these count as in source-DPOR from there on: they have to be in `v`. In the paper this never
//! happens; here plans end early at data forks, at steps that do less than was planned when they are moved,
//! and at steps that turn out to be impossible.

use selvedge_base::Id;
use smallvec::SmallVec;

use crate::dpor::{Dpor, Reduction};
use crate::event::{Event, ThreadId};
use crate::execution::{Execution, Step};
use crate::node::Node;
use crate::pruned::{Threads, contains};
use crate::table::{EventId, EventTable, index};
use crate::wakeup_tree::{ALL, Inserted, PlannedStep, is_weak_initial};

impl Dpor {
    /// Analyses the races of the last step with the steps before it.
    pub(crate) fn analyse_last(&mut self) {
        let step = self.execution.len() - 1;
        let moved = self.moved(self.execution.steps()[step].event, step);
        for nth in self.execution.races_of(step) {
            let race = *self.execution.race_mut(nth);
            self.reverse(race.earlier as usize, moved, step);
        }
    }

    /// Analyses all races of an execution that goes no further, but for those about which nothing changed.
    pub(crate) fn analyse_all(&mut self) {
        let end = self.execution.len();
        for step in 0..end {
            for nth in self.execution.races_of(step) {
                let race = *self.execution.race_mut(nth);
                if race.settled > self.execution.n_same() {
                    let moved = self.moved(self.execution.steps()[step].event, step);
                    let settled = self.reverse(race.earlier as usize, moved, end);
                    self.execution.race_mut(nth).settled = settled;
                }
            }
        }
        self.execution.has_analysed();
    }

    /// Analyses the races of steps that may do something else when they are moved with all steps of an execution that goes
    /// no further.
    pub(crate) fn analyse_unstable(&mut self) {
        let end = self.execution.len();
        for step in 0..end {
            let moved = self.moved(self.execution.steps()[step].event, step);
            if moved.event == self.execution.steps()[step].event {
                continue;
            }
            for nth in self.execution.races_of(step) {
                let race = *self.execution.race_mut(nth);
                self.reverse(race.earlier as usize, moved, end);
            }
        }
    }

    /// The step that is planned when an event, made at `position`, is moved.
    fn moved(&self, event: EventId, position: usize) -> PlannedStep {
        let data = self.table.get(event);
        PlannedStep { thread: data.thread, event: data.if_moved, choice: 0, position: index(position) }
    }

    /// Analyses the races of an event that is blocked at the end of the execution.
    pub(crate) fn analyse_pending(&mut self, event: &Event) {
        if self.config.reduction == Reduction::None {
            return;
        }
        let id = self.table.intern(event);
        let mut races = std::mem::take(&mut self.found);
        races.clear();
        let moved = self.moved(id, self.execution.len());
        self.execution.find_races(&self.table, self.table.get(id), &mut races);
        for &earlier in &races {
            self.reverse(earlier as usize, moved, self.execution.len());
        }
        self.found = races;
    }

    /// Plans for `moved` to happen in place of the step at `earlier`, unless something stands for that. Says
    /// how many of the first steps have decided: while they stay the same, there is nothing more to plan.
    fn reverse(&mut self, earlier: usize, moved: PlannedStep, end: usize) -> u32 {
        self.stats.n_races += 1;
        let Dpor { nodes, table, execution, sequence, .. } = self;
        let node = &mut nodes[earlier];
        not_after(execution, earlier, end, sequence);
        sequence.push(moved);
        // What comes later commutes with the moved step, but need not if that does something else when moved.
        let is_stable =
            execution.steps().get(moved.position as usize).is_some_and(|s| s.event == moved.event);

        for sleeper in &node.sleep {
            if is_weak_initial(table, sleeper.as_step(), sequence) {
                match sequence.iter().find(|step| step.thread == sleeper.thread) {
                    Some(same) if is_stable => return same.position + 1,
                    Some(_) => return ALL,
                    None if sleeper.has_plans => return ALL,
                    None => {}
                }
            }
        }
        let inserted = match self.config.reduction {
            Reduction::Optimal => node.tree.insert(table, sequence),
            Reduction::Source | Reduction::None => {
                Inserted { is_new: add_initial(table, sequence, &mut node.todo), until: ALL }
            }
        };
        self.stats.n_reversals += u64::from(inserted.is_new);
        if is_stable { inserted.until } else { ALL }
    }

    /// Plans for a skipped event to happen in place of an earlier step. The steps in between are known to lead there; if
    /// there are none, the first step is of one of the threads of the race, and all of these are tried.
    pub(crate) fn reverse_unknown(&mut self, race: &UnknownRace) {
        self.stats.n_races += 1;
        let Dpor { nodes, table, execution, sequence, config, .. } = self;
        let node = &mut nodes[race.earlier as usize];
        let running = execution.steps()[race.earlier as usize].thread;
        if race.is_wild && config.reduction == Reduction::Source {
            for thread in node.unexplored(running).collect::<SmallVec<[ThreadId; 8]>>() {
                node.sleep.retain(|sleeper| sleeper.thread != thread);
                node.todo.push(thread);
            }
            return;
        }
        not_after(execution, race.earlier as usize, execution.len(), sequence);
        if sequence.is_empty() {
            let missing: SmallVec<[ThreadId; 8]> = race.untried(node, running).collect();
            for thread in missing {
                match config.reduction {
                    Reduction::Optimal => {
                        let event = table.anything(thread);
                        node.tree.add_thread(PlannedStep { thread, event, choice: 0, position: 0 });
                    }
                    Reduction::Source | Reduction::None => node.todo.push(thread),
                }
            }
        } else if !is_begun(node, table, sequence) {
            match config.reduction {
                Reduction::Optimal => node.tree.add_branch(sequence),
                Reduction::Source | Reduction::None => {
                    add_initial(table, sequence, &mut node.todo);
                }
            }
        }
    }

    /// Whether [`reverse_unknown`](Self::reverse_unknown) would plan anything.
    pub(crate) fn needs_plans(&mut self, race: &UnknownRace) -> bool {
        let Dpor { nodes, table, execution, sequence, .. } = self;
        let node = &nodes[race.earlier as usize];
        let running = execution.steps()[race.earlier as usize].thread;
        if race.is_wild && self.config.reduction == Reduction::Source {
            return node.unexplored(running).next().is_some();
        }
        not_after(execution, race.earlier as usize, execution.len(), sequence);
        match sequence.is_empty() {
            true => race.untried(node, running).next().is_some(),
            false => !is_begun(node, table, sequence),
        }
    }
}

/// A race of a step with an event that comes after the current state, and after steps of at most `threads` there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UnknownRace {
    /// The position of the step.
    pub(crate) earlier: u32,
    pub(crate) threads: Threads,
    /// Some event or step that is involved may do something else when it is moved. Source sets then try all threads, those
    /// that sleep as well.
    pub(crate) is_wild: bool,
}

impl UnknownRace {
    /// Threads that may come first when the event is moved, and are not to be tried from the state before the step.
    fn untried<'n>(&self, node: &'n Node, running: ThreadId) -> impl Iterator<Item = ThreadId> + 'n {
        let threads = self.threads;
        node.enabled.iter().copied().filter(move |&thread| {
            let may_be_first = thread.index() >= 64 || contains(threads, thread.index());
            may_be_first && thread != running && !node.is_tried(thread)
        })
    }
}

/// Whether a sequence need not be planned, since one of its first steps is tried.
fn is_begun(node: &Node, table: &EventTable, sequence: &[PlannedStep]) -> bool {
    // A thread that commutes with the known steps need not commute with the unknown ones: only initials count.
    initials(table, sequence).any(|step| node.is_tried(step.thread))
}

/// Sets `sequence` to the steps after `earlier` and before `end` that do not happen after it (the paper's
/// `notdep`).
fn not_after(execution: &Execution, earlier: usize, end: usize, sequence: &mut Vec<PlannedStep>) {
    sequence.clear();
    for position in earlier + 1..end {
        if !execution.is_after(position, earlier) {
            let step = &execution.steps()[position];
            let &Step { thread, event, choice, .. } = step;
            sequence.push(PlannedStep { thread, event, choice, position: index(position) });
        }
    }
}

/// The steps of a sequence on which nothing before them depends (the paper's initials, `I`).
fn initials<'a>(
    table: &'a EventTable,
    sequence: &'a [PlannedStep],
) -> impl Iterator<Item = PlannedStep> + 'a {
    sequence.iter().enumerate().filter_map(|(position, step)| {
        let before = &sequence[..position];
        before.iter().all(|other| !table.dependent(other.event, step.event)).then_some(*step)
    })
}

/// Adds an initial of the sequence to a backtrack set that has none of them, and says whether it did.
fn add_initial(table: &EventTable, sequence: &[PlannedStep], todo: &mut Vec<ThreadId>) -> bool {
    let mut chosen = None;
    for step in initials(table, sequence) {
        if todo.contains(&step.thread) {
            return false;
        }
        chosen = Some(step.thread);
    }
    todo.extend(chosen);
    true
}
