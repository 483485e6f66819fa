//! What of a memory holds for a version.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use selvedge_exec::{Fact, FactSet};
use selvedge_summary::{Archive, Layer};

/// What was found in a memory for a version.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// Summaries whose code is unchanged.
    pub kept: u64,
    /// Summaries whose code is unchanged up to where one thread was left: they hold if what is claimed of that does.
    pub waiting: u64,
    /// Summaries whose code has changed.
    pub dropped: u64,
}

/// What a search may take for known.
#[derive(Debug, Default)]
pub struct Recalled {
    /// Summaries that hold.
    pub archive: Archive,
    /// Numbers of threads that they speak of.
    pub threads: Vec<(u32, u32)>,
    /// How many.
    pub report: Report,
    /// What held for the program as a whole holds for this version.
    pub(crate) is_here: bool,
    /// What is to be known of the summaries of each layer.
    layers: Vec<Holds>,
}

/// What is to be known of the summaries of a layer, by their positions.
#[derive(Debug, Default)]
struct Holds {
    /// Whether one holds if all claims that it rests on do.
    holds: Vec<bool>,
    /// By set of facts: the claims in it whose code has changed, if there are any.
    open: FxHashMap<u32, Vec<u32>>,
}

/// Whether a summary holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Hold {
    /// Its code has changed, or a claim does not hold.
    Not,
    /// Its code is unchanged.
    Unchanged,
    /// The claims that it rests on hold again.
    Again,
}

impl Recalled {
    /// Nothing that is known holds.
    pub(crate) fn nothing(report: Report) -> Recalled {
        Recalled { report, ..Recalled::default() }
    }

    /// What is known but for the layers.
    pub(crate) fn new(archive: Archive, threads: Vec<(u32, u32)>) -> Recalled {
        Recalled { archive, threads, is_here: true, ..Recalled::default() }
    }

    /// The next layer. `all_here` are the facts that hold.
    pub(crate) fn add(&mut self, layer: &Arc<Layer>, all_here: &FactSet) {
        let Archive { facts, claims, .. } = &self.archive;
        let is_open = |fact: u32| match facts.get(fact as usize) {
            Some(Some(Fact::Tail(claim))) => {
                let is_unchanged = claims.get(*claim as usize).is_some_and(|claim| claim.is_unchanged);
                (!is_unchanged).then_some(*claim)
            }
            _ => None,
        };
        let mut all_open = FactSet::default();
        (0..facts.len() as u32)
            .filter(|fact| is_open(*fact).is_some())
            .for_each(|fact| all_open.insert(fact));
        let mut open = FxHashMap::default();
        let is_within: Vec<bool> = (0..layer.sets.len() as u32)
            .map(|position| {
                let set = layer.sets.get(position).unwrap_or_default();
                let is_within = set.is_within(all_here);
                if is_within && !set.is_apart(&all_open) {
                    open.insert(position, set.iter().filter_map(is_open).collect());
                }
                is_within
            })
            .collect();
        let mut holds = Vec::with_capacity(layer.summaries().len());
        for summary in layer.summaries() {
            let is_here = is_within.get(summary.rests_on as usize) == Some(&true);
            holds.push(is_here);
            match (is_here, open.contains_key(&summary.rests_on)) {
                (false, _) => self.report.dropped += 1,
                (true, false) => self.report.kept += 1,
                (true, true) => self.report.waiting += 1,
            }
        }
        self.archive.layers.push((layer.clone(), holds.clone()));
        self.layers.push(Holds { holds, open });
    }

    /// Whether a summary of a layer holds, if these claims do.
    pub(crate) fn holds(&self, layer: usize, position: usize, rests_on: u32, stands: &[bool]) -> Hold {
        let Some(layer) = self.layers.get(layer).filter(|layer| layer.holds.get(position) == Some(&true))
        else {
            return Hold::Not;
        };
        match layer.open.get(&rests_on) {
            None => Hold::Unchanged,
            Some(open) if open.iter().all(|claim| stands.get(*claim as usize) == Some(&true)) => Hold::Again,
            Some(_) => Hold::Not,
        }
    }

    /// A summary that held in other circumstances is not forgotten.
    pub fn also_holds(&mut self, other: &Recalled) {
        for (layer, other) in self.layers.iter_mut().zip(&other.layers) {
            layer.holds.iter_mut().zip(&other.holds).for_each(|(holds, also)| *holds |= also);
            other.open.iter().for_each(|(set, open)| {
                layer.open.entry(*set).or_insert_with(|| open.clone());
            });
        }
    }
}
