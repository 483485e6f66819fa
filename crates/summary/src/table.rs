//! The table of summaries.
//!
//! An under-approximation (R11): to forget a summary, or to refuse one, costs time and nothing else. So the table has a
//! fixed number of places, as in §6.2 of FSE 2015: a control state that falls on the place of another takes it. What
//! all summaries together may weigh grows with that number; beyond it the oldest go.

use std::collections::VecDeque;
use std::collections::hash_map::Entry;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use selvedge_exec::{Control, FactSet, Leads};
use selvedge_por::{Footprint, ThreadId};
use selvedge_term::{TermId, VarId};
use siphasher::sip128::{Hasher128, SipHasher13};
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
        Limits { entries: 1 << 20, size: 1500 }
    }
}

/// Summaries of one control state that are kept; the oldest goes first.
const MAX_SUMMARIES: usize = 2048;

/// Bytes that all summaries may take, besides so many for each place.
const BYTES: u64 = 16 << 20;
const BYTES_OF_PLACE: u64 = 1 << 10;
/// Nodes that formulas may add to those there are, besides so many for each place.
const NODES: u64 = 1 << 20;
const NODES_OF_PLACE: u64 = 16;

impl Limits {
    fn bytes(self) -> u64 {
        BYTES.saturating_add(self.entries.saturating_mul(BYTES_OF_PLACE))
    }

    /// Nodes that formulas may add to those there are.
    pub(crate) fn nodes(self) -> u64 {
        NODES.saturating_add(self.entries.saturating_mul(NODES_OF_PLACE))
    }
}

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
    /// Summaries from before that were taken into account.
    pub recalled: u64,
    /// Hits of such summaries.
    pub reused: u64,
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
        self.recalled += other.recalled;
        self.reused += other.reused;
    }
}

/// What is known about a control state.
#[derive(Debug)]
pub(crate) struct Summary {
    /// Under which values all executions are safe, except those that begin with a thread of `asleep`.
    pub formula: TermId,
    /// The formula as intervals, if it is that.
    pub bounds: Option<Bounds>,
    /// Where the pointers among its variables led when it was made: a formula says where they point.
    pub leads: Rc<[(VarId, Leads)]>,
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
    /// Bytes that its footprint takes, about.
    pub weight: u64,
    /// What it rests on, if somebody asked for it.
    pub facts: Rc<FactSet>,
    /// It may outlive the search: nothing that it covers has failed.
    pub is_lasting: bool,
    /// It is from before the search.
    pub is_recalled: bool,
}

/// Bytes that a summary takes, besides its footprint and its formula.
const WEIGHT: u64 = 256;

/// A control state: the numbers of its parts.
pub(crate) type Key = Rc<[u32]>;

/// A control state for other searches: a hash that no two of them have in common.
pub type Digest = [u64; 2];

/// The summaries of one control state.
#[derive(Debug)]
struct Place {
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
    /// Their digests, if somebody asks for those of control states.
    digests: Option<Vec<Digest>>,
    places: FxHashMap<u64, Place>,
    /// Where summaries were put, the oldest first, and the states that they were made at.
    ages: VecDeque<(u64, u64)>,
    /// What they weigh.
    weight: u64,
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
            match self.parts.entry(part.clone()) {
                Entry::Occupied(known) => *known.get(),
                Entry::Vacant(new) => {
                    if let Some(digests) = &mut self.digests {
                        digests.push(digest(part));
                    }
                    *new.insert(next)
                }
            }
        };
        control.parts().iter().enumerate().map(number).collect()
    }

    /// Lets control states have digests.
    pub(crate) fn keep_digests(&mut self) {
        self.digests = Some(Vec::new());
    }

    /// The digest of a control state.
    pub(crate) fn digest(&self, key: &[u32]) -> Option<Digest> {
        let digests = self.digests.as_ref()?;
        let words: Vec<u64> = key.iter().flat_map(|part| digests[*part as usize]).collect();
        Some(digest(&words))
    }

    /// The summaries that may outlive the search, with the digests of their control states.
    pub(crate) fn lasting(&self) -> impl Iterator<Item = (Digest, &Rc<Summary>)> {
        let mut places: Vec<&Place> = self.places.values().collect();
        places.sort_by(|a, b| a.key.cmp(&b.key));
        let digested = places.into_iter().filter_map(|place| Some((self.digest(&place.key)?, place)));
        digested.flat_map(|(digest, place)| {
            let lasting = place.summaries.iter().filter(|summary| summary.is_lasting);
            lasting.map(move |summary| (digest, summary))
        })
    }

    fn place(&self, key: &[u32]) -> u64 {
        let mut hasher = FxHasher::default();
        key.hash(&mut hasher);
        hasher.finish() % self.limits.entries.max(1)
    }

    fn entry(&self, key: &[u32]) -> Option<&Place> {
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
        let entry = self.places.entry(place).or_insert_with(|| Place {
            key: key.clone(),
            summaries: Vec::new(),
            n_in_vain: 0,
        });
        let mut gone = Vec::new();
        if *entry.key != **key {
            gone.append(&mut entry.summaries);
            *entry = Place { key: key.clone(), summaries: Vec::new(), n_in_vain: 0 };
            self.stats.dropped += gone.len() as u64;
        }
        let is_weaker = |old: &mut Rc<Summary>| {
            let is_implied = match (&old.bounds, &summary.bounds) {
                (Some(old), Some(new)) => is_within(old, new),
                _ => old.formula == summary.formula,
            };
            let leads_alike = summary.leads.iter().all(|leads| old.leads.contains(leads));
            is_implied && leads_alike && summary.asleep.iter().all(|t| old.asleep.contains(t))
        };
        gone.extend(entry.summaries.extract_if(.., is_weaker));
        if entry.summaries.len() == MAX_SUMMARIES {
            gone.push(entry.summaries.remove(0));
            self.stats.dropped += 1;
        }
        self.weight += WEIGHT + summary.weight;
        self.weight -= gone.iter().map(|summary| WEIGHT + summary.weight).sum::<u64>();
        self.ages.push_back((place, summary.origin));
        entry.summaries.push(Rc::new(summary));
        // Those that are gone are still among the ages.
        if self.ages.len() as u64 > 1024 + self.weight / 64 {
            let summaries = self.places.values().flat_map(|entry| &entry.summaries);
            let alive: FxHashSet<u64> = summaries.map(|summary| summary.origin).collect();
            self.ages.retain(|(_, origin)| alive.contains(origin));
        }
        self.keep_within(self.limits.bytes());
    }

    /// Forgets the older half.
    pub(crate) fn halve(&mut self) {
        self.keep_within(self.weight / 2);
    }

    /// Forgets the oldest summaries until the others weigh no more than this.
    fn keep_within(&mut self, bytes: u64) {
        while self.weight > bytes {
            let Some((place, origin)) = self.ages.pop_front() else { break };
            let Some(entry) = self.places.get_mut(&place) else { continue };
            // It may have gone before.
            if let Some(at) = entry.summaries.iter().position(|summary| summary.origin == origin) {
                self.weight -= WEIGHT + entry.summaries.remove(at).weight;
                self.stats.dropped += 1;
            }
            if entry.summaries.is_empty() {
                self.places.remove(&place);
            }
        }
    }

    /// Forgets everything, to give memory back.
    pub(crate) fn clear(&mut self) {
        let n: usize = self.places.values().map(|e| e.summaries.len()).sum();
        self.stats.dropped += n as u64;
        self.places = FxHashMap::default();
        self.parts = FxHashMap::default();
        self.digests = None;
        (self.ages, self.weight) = (VecDeque::new(), 0);
    }
}

/// A hash that no two sequences of words have in common.
fn digest(words: &[u64]) -> Digest {
    let mut hasher = SipHasher13::new();
    words.hash(&mut hasher);
    let hash = hasher.finish128();
    [hash.h1, hash.h2]
}

#[cfg(test)]
mod tests;
