//! The races of a part of the search that is skipped, with what led to it.
//!
//! The part was explored from another state with the same events. What happens before what within it is known from
//! then, as far as it was always so; how its events are ordered after the present steps follows from their accesses.
//! From the two, each event gets a clock that knows at most what happens before it, so a race may be assumed that is
//! none, which costs an execution, but none is missed.

use rustc_hash::FxHashSet;
use selvedge_base::Id;

use crate::cells::CellId;
use crate::dpor::{Dpor, Reduction};
use crate::execution::Execution;
use crate::pruned::{Footprint, Footstep, Past, Pruned, Source, contains, only, unordered};
use crate::reversal::UnknownRace;
use crate::table::EventTable;
use crate::{clock, table::index};

/// What happens before an event of the part.
#[derive(Clone, Default)]
struct Before {
    /// Apart from what it depends on directly.
    known: Vec<u32>,
    /// All of it.
    clock: Vec<u32>,
}

impl Dpor {
    /// Declares that the search does not look below the current state, or not below all of it, and what it
    /// would have done there. The races of that are analysed as if it were done, with what is not known
    /// about its order taken for the worst. Says whether the part may be skipped: not, and nothing was done, if it was
    /// to be skipped [only if that is free](Pruned::only_if_free) and it is not.
    #[must_use]
    pub fn prune(&mut self, pruned: Pruned) -> bool {
        assert!(self.config.pruning, "the driver skips a part without having said that it might");
        let steps = match pruned.source {
            Source::Footprint(footprint) => footprint.steps(),
            Source::Events(events) => unordered(events.iter().map(|e| self.table.intern(e)).collect()),
        };
        if self.config.reduction == Reduction::None {
            let nothing = Past::default();
            for step in &steps {
                self.nodes[self.n_steps].trail.add(step.event, &nothing, &[]);
            }
            self.stats.n_pruned += 1;
            return true;
        }
        let order = order(&self.execution, &self.table, &steps);
        let mut races = std::mem::take(&mut self.reversals);
        races.clear();
        self.find_reversals(&steps, &order, &mut races);
        let is_skipped = !pruned.only_if_free || !races.iter().any(|race| self.needs_plans(race));
        if is_skipped {
            self.nearest_plan = None;
            self.stats.n_pruned += 1;
            self.nodes[self.n_steps].has_skips = true;
            for race in &races {
                self.reverse_unknown(race);
            }
            self.note_steps(&steps, &order);
        }
        self.reversals = races;
        is_skipped
    }

    /// Whether nothing has to be explored on account of a part that is skipped after the last event.
    pub fn is_free(&mut self, footprint: &Footprint) -> bool {
        let steps = footprint.steps();
        let order = order(&self.execution, &self.table, &steps);
        let mut races = Vec::new();
        self.find_reversals(&steps, &order, &mut races);
        self.config.reduction == Reduction::None || !races.iter().any(|race| self.needs_plans(race))
    }

    /// Appends the races of the events of the part with the steps that were made.
    fn find_reversals(&mut self, steps: &[Footstep], order: &[Before], races: &mut Vec<UnknownRace>) {
        let events = steps.iter().map(|step| self.table.get(step.event));
        let accesses = events.flat_map(|data| self.table.accesses(data));
        let changed: FxHashSet<CellId> = accesses.filter(|a| a.delta != 0).map(|a| a.cell).collect();
        let stays = |cell| !changed.contains(&cell);
        // An event that may do something else when it is moved may have to come after any other.
        let threads =
            |step: &Footstep| step.sometimes_after | only(self.table.get(step.event).thread.index());
        let is_wild = steps.iter().any(|step| self.table.get(step.event).if_moved != step.event);
        let all = match is_wild {
            true => steps.iter().map(threads).fold(0, |a, b| a | b),
            false => 0,
        };
        let mut conflicts = std::mem::take(&mut self.found);
        for (i, step) in steps.iter().enumerate() {
            let data = self.table.get(step.event);
            let me = data.thread.index();
            let sometimes = step.sometimes_after | only(me) | all;
            let own = step.last_of(me).and_then(|event| find(steps, event));
            conflicts.clear();
            let known = match (data.is_guarded, own) {
                (false, _) => &order[i].known[..],
                // What unblocks an event happens before it, and hides no race with what blocked it.
                (true, Some(own)) if own != i => &order[own].clock,
                (true, _) => self.execution.clock_of(data.thread),
            };
            self.execution.find_conflicts(&self.table, data, known, stays, &mut conflicts);
            let race = |&earlier: &u32| UnknownRace { earlier, threads: sometimes, is_wild };
            races.extend(conflicts.iter().map(race));
        }
        self.found = conflicts;
        self.find_reversals_of_moved(steps, races);
    }

    /// Appends the races of steps that were made with earlier ones, where an event of the part might come between if the
    /// later step did something else in another place: who sleeps because that is explored elsewhere does not stand for it.
    fn find_reversals_of_moved(&mut self, steps: &[Footstep], races: &mut Vec<UnknownRace>) {
        for position in 0..self.execution.len() {
            let made = self.execution.steps()[position].event;
            let moved = self.table.get(made).if_moved;
            let of_step = self.execution.races_of(position);
            if moved == made || of_step.is_empty() {
                continue;
            }
            let thread = self.table.get(made).thread;
            let comes_between = |step: &Footstep| {
                let data = self.table.get(step.event);
                data.thread != thread && self.table.dependent(data.if_moved, moved)
            };
            let threads =
                |step: &Footstep| step.sometimes_after | only(self.table.get(step.event).thread.index());
            let threads = match steps.iter().any(comes_between) {
                true => steps.iter().map(threads).reduce(|a, b| a | b),
                false => None,
            };
            if let Some(threads) = threads {
                let earlier = of_step.map(|nth| self.execution.race(nth).earlier);
                races.extend(earlier.map(|earlier| UnknownRace { earlier, threads, is_wild: true }));
            }
        }
    }

    /// Adds the events of the part to those made below the current state.
    fn note_steps(&mut self, steps: &[Footstep], order: &[Before]) {
        let (mut past, mut most) = (Past::default(), Vec::new());
        for (step, before) in steps.iter().zip(order) {
            let thread = self.table.get(step.event).thread;
            let me = thread.index();
            let sometimes = step.sometimes_after | only(me);
            self.execution.clock_after(sometimes, &mut most);
            // What it depends on directly comes before it here, whatever it was in the part.
            most.resize(most.len().max(before.clock.len()), 0);
            clock::join(&mut most, &before.clock);
            past.clear();
            past.clock.extend_from_slice(&before.clock);
            if !contains(step.always_after, me) {
                past.clock[me] = self.execution.clock_of(thread).get(me).copied().unwrap_or(0);
            }
            let n_steps = self.execution.len();
            past.last.extend(past.clock.iter().enumerate().map(|(thread, &entry)| match entry as usize {
                0 => None,
                entry if entry > n_steps => step.last_of(thread),
                entry => self.execution.event_at(entry - 1),
            }));
            self.nodes[self.n_steps].trail.add(step.event, &past, &most);
        }
    }
}

fn find(steps: &[Footstep], event: crate::table::EventId) -> Option<usize> {
    steps.binary_search_by_key(&event, |step| step.event).ok()
}

/// What happens before each event of a footprint if it comes now.
fn order(execution: &Execution, table: &EventTable, steps: &[Footstep]) -> Vec<Before> {
    let mut order: Vec<Before> = vec![Before::default(); steps.len()];
    let mut visits = vec![0u8; steps.len()];
    let mut stack: Vec<usize> = (0..steps.len()).rev().collect();
    while let Some(&i) = stack.last() {
        let step = &steps[i];
        let before = || {
            let known = step.last.iter().filter_map(|(_, event)| find(steps, *event));
            known.filter(|j| *j != i)
        };
        match visits[i] {
            0 => {
                visits[i] = 1;
                // Those that are on their way already come in a circle: of them nothing is taken for known.
                stack.extend(before().filter(|j| visits[*j] == 0));
            }
            1 => {
                visits[i] = 2;
                stack.pop();
                let data = table.get(step.event);
                let mut known = Vec::new();
                execution.clock_after(step.always_after, &mut known);
                let own = execution.clock_of(data.thread);
                known.resize(known.len().max(own.len()), 0);
                clock::join(&mut known, own);
                for j in before().filter(|j| visits[*j] == 2) {
                    known.resize(known.len().max(order[j].clock.len()), 0);
                    clock::join(&mut known, &order[j].clock);
                }
                let mut clock = known.clone();
                execution.join_direct(table, data, &mut clock);
                let me = data.thread.index();
                if clock.len() <= me {
                    clock.resize(me + 1, 0);
                }
                clock[me] = index(execution.len()) + 1;
                order[i] = Before { known, clock };
            }
            _ => {
                stack.pop();
            }
        }
    }
    order
}
