//! The current execution: its steps with happens-before and the reversible races found as each was made.
//!
//! *Happens-before* is the least partial order that contains the order of dependent steps. A step `e` is
//! in a *reversible race* with a later step `e'` of another thread (the paper's `e ≲ e'`) if they are
//! dependent, `e'` can be executed in place of `e` (after everything between the two that does not happen
//! after `e`), and no race lies between them.
//!
//! Paper: ODPOR, Abdulla, Aronis, Jonsson, Sagonas, "Optimal dynamic partial order reduction", POPL 2014,
//! and "Source sets: a foundation for optimal dynamic partial order reduction", JACM 2017, definition of
//! reversible races; the latter also for events that are disabled by others.
//! Differs: DIVERGENCE (a) whether a blocked event could run in place of another is decided from the levels
//! of counters: the level before it, less what was changed by the steps that would not have happened. For a
//! mutex this makes the two locks race and the unlock between them not, as in the JACM article, and it
//! carries over to semaphores, read-write locks, joins and barriers. Why no race is lost: let `p` disable the
//! next event of `q`, and consider the shortest continuation in which it is enabled again; between the two,
//! it is enabled nowhere, so no step in between is in a reversible race with it, and the walk back over the
//! history of the counter reaches `p`.
//! Relies on: `dependent` over-approximates; guards name the level before the event.
//! Cost: a step costs its clock, its direct predecessors, and for blocking accesses the walk back to the
//! access that blocked.

use std::ops::Range;

use selvedge_base::Id;

use crate::cells::CellId;
use crate::clock::{self, ClockRef, ClockStack};
use crate::event::{Group, Guard, ThreadId};
use crate::history::History;
use crate::pruned::{Past, Threads, contains};
use crate::table::{EventData, EventId, EventTable, index};
use crate::wakeup_tree::ALL;

/// No step.
const NONE: u32 = u32::MAX;

/// One step of the execution.
pub(crate) struct Step {
    pub(crate) thread: ThreadId,
    pub(crate) event: EventId,
    /// Which alternative of a data fork was taken after it.
    pub(crate) choice: u32,
    /// The step before it of its thread, or the one that started the thread.
    before: u32,
    clock: ClockRef,
    /// Number of records and of races before this step.
    first_record: u32,
    first_race: u32,
}

/// A reversible race of an earlier step with the one it is kept for.
#[derive(Clone, Copy)]
pub(crate) struct Race {
    /// The position of the earlier step.
    pub(crate) earlier: u32,
    /// The race is dealt with as long as the steps before this position stay the same.
    pub(crate) settled: u32,
}

/// The steps from the initial state to the current one.
#[derive(Default)]
pub(crate) struct Execution {
    steps: Vec<Step>,
    clocks: ClockStack,
    history: History,
    /// The races; those with one step lie together.
    races: Vec<Race>,
    /// The least length since [`has_analysed`](Self::has_analysed): the steps before it are the same as then.
    n_same: u32,
    /// The last step of each thread, or the one that started it.
    last: Vec<u32>,
    // Scratch space.
    found: Vec<u32>,
    candidates: Vec<u32>,
    known: Vec<u32>,
}

/// Whether an event could be executed without a step and all that happens after that step.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Enabled {
    Yes,
    No,
    Maybe,
}

impl Execution {
    pub(crate) fn len(&self) -> usize {
        self.steps.len()
    }

    pub(crate) fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Whether the step at `later` happens after the one at `earlier` or is it.
    #[inline]
    pub(crate) fn is_after(&self, later: usize, earlier: usize) -> bool {
        let thread = self.steps[earlier].thread.index();
        self.clocks.covers(self.steps[later].clock, thread, index(earlier))
    }

    /// What happened before the last step.
    pub(crate) fn past_of_last(&self, past: &mut Past) {
        let Some(step) = self.steps.last() else { return past.clear() };
        self.past(self.clocks.get(step.clock), step.thread, step.before, past);
    }

    /// What happened before an event that `thread` is about to make, as far as it knows.
    pub(crate) fn past_of_next(&self, thread: ThreadId, past: &mut Past) {
        let before = self.last.get(thread.index()).copied().unwrap_or(NONE);
        let clock = self.last_of(thread).map_or(&[][..], |clock| self.clocks.get(clock));
        self.past(clock, thread, before, past);
    }

    fn past(&self, clock: &[u32], thread: ThreadId, before: u32, past: &mut Past) {
        past.clear();
        past.clock.extend_from_slice(clock);
        let own = self.steps.get(before as usize).filter(|step| step.thread == thread);
        if let Some(entry) = past.clock.get_mut(thread.index()) {
            *entry = own.map_or(0, |_| before + 1);
        }
        let event = |entry: &u32| entry.checked_sub(1).map(|position| self.steps[position as usize].event);
        past.last.extend(past.clock.iter().map(event));
    }

    /// The clock of an event that comes after the steps there are, and after further ones of `threads`.
    pub(crate) fn clock_after(&self, threads: Threads, clock: &mut Vec<u32>) {
        clock.clear();
        clock.resize(self.last.len(), 0);
        for (thread, &step) in self.last.iter().enumerate() {
            if contains(threads, thread)
                && let Some(step) = self.steps.get(step as usize)
            {
                clock::join(clock, self.clocks.get(step.clock));
            }
        }
        for (_, entry) in clock.iter_mut().enumerate().filter(|(thread, _)| contains(threads, *thread)) {
            *entry = index(self.steps.len()) + 1;
        }
    }

    /// What a thread knows.
    pub(crate) fn clock_of(&self, thread: ThreadId) -> &[u32] {
        self.last_of(thread).map_or(&[], |clock| self.clocks.get(clock))
    }

    /// Joins into `clock` what happens before an event because it depends on steps that were made.
    pub(crate) fn join_direct(&self, table: &EventTable, event: &EventData, clock: &mut [u32]) {
        for access in table.accesses(event) {
            for &cell in [access.cell].iter().chain(table.cells.overlapping(access.cell)) {
                for earlier in self.history.last_conflicting(cell, access.group) {
                    clock::join(clock, self.clocks.get(self.steps[earlier as usize].clock));
                }
            }
        }
    }

    /// The event of the step at `position`.
    pub(crate) fn event_at(&self, position: usize) -> Option<EventId> {
        self.steps.get(position).map(|step| step.event)
    }

    /// The races of the step at `step`, as positions in [`race_mut`](Self::race_mut).
    pub(crate) fn races_of(&self, step: usize) -> Range<usize> {
        let end = self.steps.get(step + 1).map_or(self.races.len(), |next| next.first_race as usize);
        self.steps[step].first_race as usize..end
    }

    /// One of the races.
    pub(crate) fn race(&self, nth: usize) -> &Race {
        &self.races[nth]
    }

    /// One of the races.
    pub(crate) fn race_mut(&mut self, nth: usize) -> &mut Race {
        &mut self.races[nth]
    }

    /// The number of first steps that are the same as when the execution was last analysed.
    pub(crate) fn n_same(&self) -> u32 {
        self.n_same
    }

    /// Notes that all races are analysed.
    pub(crate) fn has_analysed(&mut self) {
        self.n_same = index(self.steps.len());
    }

    /// Sets which alternative of a data fork is taken after the last step.
    pub(crate) fn set_choice(&mut self, choice: u32) {
        if let Some(step) = self.steps.last_mut() {
            step.choice = choice;
            self.n_same = self.n_same.min(index(self.steps.len() - 1));
        }
    }

    fn last_of(&self, thread: ThreadId) -> Option<ClockRef> {
        self.last.get(thread.index()).and_then(|&step| self.steps.get(step as usize)).map(|step| step.clock)
    }

    /// Adds a step and finds its races.
    pub(crate) fn push(&mut self, table: &EventTable, event: EventId) {
        let data = table.get(event);
        let step = index(self.steps.len());
        let thread = data.thread.index();
        let n_threads = data.spawns.iter().map(|child| child.index()).fold(thread, usize::max) + 1;
        if self.last.len() < n_threads {
            self.last.resize(n_threads, NONE);
        }
        let first_race = index(self.races.len());
        let (first_record, base) = (self.history.len(), self.last_of(data.thread));
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        self.find_races(table, data, &mut found);
        self.races.extend(found.iter().map(|&earlier| Race { earlier, settled: ALL }));
        self.found = found;

        let clock = self.clocks.push_copy(base, self.last.len());
        for access in table.accesses(data) {
            for &cell in [access.cell].iter().chain(table.cells.overlapping(access.cell)) {
                for earlier in self.history.last_conflicting(cell, access.group) {
                    let earlier_step = &self.steps[earlier as usize];
                    if !self.clocks.covers(clock, earlier_step.thread.index(), earlier) {
                        self.clocks.join_top(clock, earlier_step.clock);
                    }
                }
            }
        }
        self.clocks.set_top(clock, thread, step + 1);
        for access in table.accesses(data) {
            self.history.push(access, step);
        }
        let before = std::mem::replace(&mut self.last[thread], step);
        for child in &data.spawns {
            self.last[child.index()] = step;
        }
        let thread = data.thread;
        self.steps.push(Step { thread, event, choice: 0, before, clock, first_record, first_race });
    }

    /// Removes the last step.
    pub(crate) fn pop(&mut self, table: &EventTable) {
        let step = self.steps.pop().expect("a step is retracted only after it was executed");
        for child in &table.get(step.event).spawns {
            self.last[child.index()] = NONE;
        }
        self.last[step.thread.index()] = step.before;
        self.history.truncate(step.first_record);
        self.races.truncate(step.first_race as usize);
        self.clocks.pop(step.clock);
        self.n_same = self.n_same.min(index(self.steps.len()));
    }

    /// Appends the steps that would be in a reversible race with an event made now.
    pub(crate) fn find_races(&mut self, table: &EventTable, event: &EventData, races: &mut Vec<u32>) {
        let base = self.last_of(event.thread);
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.clear();
        self.find_candidates(table, event, base, &mut candidates);
        if candidates.is_empty() {
            self.candidates = candidates;
            return;
        }
        candidates.sort_unstable_by(|a, b| b.cmp(a));
        candidates.dedup();

        // Newest first: what a race was found with hides everything that happens before it.
        let mut known = std::mem::take(&mut self.known);
        known.clear();
        known.extend_from_slice(base.map_or(&[], |base| self.clocks.get(base)));
        known.resize(known.len().max(self.last.len()), 0);
        for &earlier in &candidates {
            let step = &self.steps[earlier as usize];
            if clock::covers(&known, step.thread.index(), earlier) {
                continue;
            }
            match self.enabled_without(table, event, earlier) {
                Enabled::No => {}
                Enabled::Maybe => races.push(earlier),
                Enabled::Yes => {
                    races.push(earlier);
                    clock::join(&mut known, self.clocks.get(step.clock));
                }
            }
        }
        self.candidates = candidates;
        self.known = known;
    }

    /// Appends steps that conflict with the event and do not happen before it through its thread; among
    /// them all that can be in a race.
    fn find_candidates(
        &self,
        table: &EventTable,
        event: &EventData,
        base: Option<ClockRef>,
        candidates: &mut Vec<u32>,
    ) {
        let is_known = |earlier: u32| {
            let thread = self.steps[earlier as usize].thread;
            thread == event.thread
                || base.is_some_and(|base| self.clocks.covers(base, thread.index(), earlier))
        };
        for access in table.accesses(event) {
            for &cell in [access.cell].iter().chain(table.cells.overlapping(access.cell)) {
                if access.guard == Guard::Open {
                    let direct = self.history.last_conflicting(cell, access.group);
                    candidates.extend(direct.filter(|&earlier| !is_known(earlier)));
                    continue;
                }
                // The access that blocked this one may lie behind others that unblocked it.
                for record in self.history.newest_first(cell) {
                    if !record.group.conflicts(access.group) {
                        continue;
                    }
                    let is_known = is_known(record.step);
                    if !is_known {
                        candidates.push(record.step);
                    }
                    // An exclusive access happens after everything before it on its cell.
                    if record.group == Group::Exclusive
                        && (is_known || self.enabled_without(table, event, record.step) == Enabled::Yes)
                    {
                        break;
                    }
                }
            }
        }
    }

    /// Whether the guards of an event made now would hold without the step at `without` and all that
    /// happens after it.
    fn enabled_without(&self, table: &EventTable, event: &EventData, without: u32) -> Enabled {
        self.enabled_where(table, event, without, |_| true)
    }

    /// As [`enabled_without`](Self::enabled_without), of an event made later, where only these cells stay as they are.
    fn enabled_where(
        &self,
        table: &EventTable,
        event: &EventData,
        without: u32,
        stays: impl Fn(CellId) -> bool,
    ) -> Enabled {
        if !event.is_guarded {
            return Enabled::Yes;
        }
        let mut answer = Enabled::Yes;
        for access in table.accesses(event) {
            match access.guard {
                Guard::Level { .. } if !stays(access.cell) => answer = Enabled::Maybe,
                Guard::Open => {}
                Guard::Unknown => answer = Enabled::Maybe,
                Guard::Level { level, needs } => {
                    let later = self.history.newest_first(access.cell).take_while(|r| r.step >= without);
                    let undone: i64 = later
                        .filter(|record| self.is_after(record.step as usize, without as usize))
                        .map(|record| record.delta)
                        .sum();
                    if i64::from(level) - undone < i64::from(needs) {
                        return Enabled::No;
                    }
                }
            }
        }
        answer
    }

    /// Appends the steps that an event may be in a race with if it is made later, after what `known` knows; after what
    /// else is not known, but that it does not change cells that `stay`.
    pub(crate) fn find_conflicts(
        &self,
        table: &EventTable,
        event: &EventData,
        known: &[u32],
        stays: impl Fn(CellId) -> bool,
        found: &mut Vec<u32>,
    ) {
        let is_unknown = |&earlier: &u32| {
            let thread = self.steps[earlier as usize].thread;
            thread != event.thread && !clock::covers(known, thread.index(), earlier)
        };
        for access in table.accesses(event) {
            for &cell in [access.cell].iter().chain(table.cells.overlapping(access.cell)) {
                if access.guard == Guard::Open {
                    found.extend(self.history.last_conflicting(cell, access.group).filter(is_unknown));
                } else {
                    // The level by then is not known: any of the accesses may be the one that blocks.
                    let records = self.history.newest_first(cell);
                    let conflicting = records.filter(|record| record.group.conflicts(access.group));
                    let unknown = conflicting.map(|record| record.step).filter(is_unknown);
                    found.extend(
                        unknown.filter(|e| self.enabled_where(table, event, *e, &stays) != Enabled::No),
                    );
                }
            }
        }
        found.sort_unstable_by(|a, b| b.cmp(a));
        found.dedup();
    }
}
