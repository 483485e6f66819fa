//! The table of summaries.
//!
//! An under-approximation (R11): to forget a summary, or to refuse one, costs time and nothing else. So the table has a
//! fixed number of places, as in §6.2 of FSE 2015: a control state that falls on the place of another takes it.

use std::hash::{Hash, Hasher};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHasher};
use selvedge_exec::Control;
use selvedge_por::{Footprint, ThreadId};
use selvedge_term::TermId;
use smallvec::SmallVec;

use crate::boxes::{Bounds, is_within};

/// Bounds of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Control states that have a place.
    pub entries: u64,
    /// Nodes of one formula.
    pub size: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { entries: 1 << 20, size: 4000 }
    }
}

/// Summaries of one control state that are kept; the oldest goes first.
const MAX_SUMMARIES: usize = 2048;

/// What was counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    /// Summaries that were kept.
    pub stored: u64,
    /// States compared with the summaries of their control state.
    pub checks: u64,
    /// Of these, decided by the solver.
    pub solver_checks: u64,
    /// Of these, recognised as covered, entirely or but for some threads.
    pub hits: u64,
    /// Summaries that were forgotten or refused.
    pub dropped: u64,
    /// Formulas built.
    pub formulas: u64,
    /// Nodes of all formulas that were kept.
    pub nodes: u64,
}

impl std::ops::AddAssign for Stats {
    fn add_assign(&mut self, other: Stats) {
        self.stored += other.stored;
        self.checks += other.checks;
        self.solver_checks += other.solver_checks;
        self.hits += other.hits;
        self.dropped += other.dropped;
        self.formulas += other.formulas;
        self.nodes += other.nodes;
    }
}

/// What is known about a control state.
#[derive(Debug)]
pub(crate) struct Summary {
    /// Under which values all executions are safe, except those that begin with a thread of `asleep`.
    pub formula: TermId,
    /// The formula as intervals, if it is that.
    pub bounds: Option<Bounds>,
    /// Threads that slept when it was made (R8).
    pub asleep: SmallVec<[ThreadId; 4]>,
    /// All events of these executions (R9).
    pub footprint: Footprint,
    /// The state that it was made at.
    pub origin: u64,
    /// One way led from there to an end.
    pub is_single: bool,
    /// Some end was that of an execution; it is not if an assumption does not hold.
    pub has_executions: bool,
    /// States below it, those that were skipped included.
    pub n_states: u64,
}

/// A control state: the numbers of its parts.
pub(crate) type Key = Rc<[u32]>;

/// The summaries of one control state.
#[derive(Debug)]
struct Entry {
    key: Key,
    summaries: Vec<Rc<Summary>>,
    /// Questions to the solver about it that did not lead to a hit, since the last hit.
    n_in_vain: u32,
}

/// All summaries.
#[derive(Debug, Default)]
pub(crate) struct SummaryTable {
    limits: Limits,
    /// Numbers of parts of control states.
    parts: FxHashMap<Rc<[u64]>, u32>,
    places: FxHashMap<u64, Entry>,
    /// What was counted.
    pub stats: Stats,
}

impl SummaryTable {
    /// An empty table.
    pub(crate) fn new(limits: Limits) -> SummaryTable {
        SummaryTable { limits, ..SummaryTable::default() }
    }

    /// Its bounds.
    pub(crate) fn limits(&self) -> Limits {
        self.limits
    }

    /// The key of a control state; `like` is one with much in common, and its key.
    pub(crate) fn key(&mut self, control: &Control, like: Option<(&Control, &Key)>) -> Key {
        let number = |(i, part): (usize, &Rc<[u64]>)| {
            if let Some((known, key)) = like
                && known.parts().get(i).is_some_and(|known| Rc::ptr_eq(known, part))
            {
                return key[i];
            }
            let next = self.parts.len() as u32;
            *self.parts.entry(part.clone()).or_insert(next)
        };
        control.parts().iter().enumerate().map(number).collect()
    }

    fn place(&self, key: &[u32]) -> u64 {
        let mut hasher = FxHasher::default();
        key.hash(&mut hasher);
        hasher.finish() % self.limits.entries.max(1)
    }

    fn entry(&self, key: &[u32]) -> Option<&Entry> {
        self.places.get(&self.place(key)).filter(|e| *e.key == *key)
    }

    /// The summaries of a control state, the newest last.
    pub(crate) fn get(&self, key: &[u32]) -> &[Rc<Summary>] {
        self.entry(key).map_or(&[], |e| &e.summaries)
    }

    /// Whether it is worth asking the solver about a control state: ever more seldom if it never helps.
    pub(crate) fn is_worth_asking(&mut self, key: &[u32]) -> bool {
        let place = self.place(key);
        let Some(entry) = self.places.get_mut(&place) else { return false };
        entry.n_in_vain += 1;
        entry.n_in_vain <= 16 || entry.n_in_vain.is_power_of_two()
    }

    /// A question about this control state has helped.
    pub(crate) fn has_helped(&mut self, key: &[u32]) {
        let place = self.place(key);
        if let Some(entry) = self.places.get_mut(&place) {
            entry.n_in_vain = 0;
        }
    }

    /// Keeps a summary. Those that it makes superfluous go.
    pub(crate) fn store(&mut self, key: &Key, summary: Summary, n_nodes: usize) {
        self.stats.stored += 1;
        self.stats.nodes += n_nodes as u64;
        let place = self.place(key);
        let entry = self.places.entry(place).or_insert_with(|| Entry {
            key: key.clone(),
            summaries: Vec::new(),
            n_in_vain: 0,
        });
        if *entry.key != **key {
            self.stats.dropped += entry.summaries.len() as u64;
            *entry = Entry { key: key.clone(), summaries: Vec::new(), n_in_vain: 0 };
        }
        let is_weaker = |old: &Summary| {
            let is_implied = match (&old.bounds, &summary.bounds) {
                (Some(old), Some(new)) => is_within(old, new),
                _ => old.formula == summary.formula,
            };
            is_implied && summary.asleep.iter().all(|t| old.asleep.contains(t))
        };
        entry.summaries.retain(|old| !is_weaker(old));
        if entry.summaries.len() == MAX_SUMMARIES {
            entry.summaries.remove(0);
            self.stats.dropped += 1;
        }
        entry.summaries.push(Rc::new(summary));
    }

    /// Forgets everything, to give memory back.
    pub(crate) fn clear(&mut self) {
        let n: usize = self.places.values().map(|e| e.summaries.len()).sum();
        self.stats.dropped += n as u64;
        self.places = FxHashMap::default();
        self.parts = FxHashMap::default();
    }
}
