//! From an earlier memory to the next: what is kept gets new positions, and what it names comes along.

use rustc_hash::FxHashMap;
use selvedge_exec::FactSet;
use selvedge_summary::LastingTail;

use crate::facts::{LastingFact, Table};

/// What is kept of an earlier memory, under new positions.
pub(crate) struct Moved {
    facts: Vec<LastingFact>,
    sets: Vec<FactSet>,
    tails: Vec<LastingTail>,
    /// By the position of a claim: where it is now.
    standing: Vec<Option<u32>>,
    moved_facts: FxHashMap<u32, u32>,
    moved_sets: FxHashMap<u32, u32>,
    moved_claims: FxHashMap<u32, u32>,
}

impl Moved {
    /// What an earlier memory has; of its claims, some are there under new positions already.
    pub(crate) fn new(
        facts: Vec<LastingFact>,
        sets: Vec<FactSet>,
        tails: Vec<LastingTail>,
        standing: Vec<Option<u32>>,
    ) -> Moved {
        let new = FxHashMap::default;
        let (moved_facts, moved_sets, moved_claims) = (new(), new(), new());
        Moved { facts, sets, tails, standing, moved_facts, moved_sets, moved_claims }
    }

    /// The claims that a set names.
    pub(crate) fn claims(&self, position: u32) -> impl Iterator<Item = u32> {
        let facts = self.sets.get(position as usize).into_iter().flat_map(FactSet::iter);
        facts.filter_map(|fact| match self.facts.get(fact as usize) {
            Some(LastingFact::Tail(claim)) => Some(*claim),
            _ => None,
        })
    }

    /// Whether a claim holds now.
    pub(crate) fn stands(&self, claim: u32) -> bool {
        self.standing.get(claim as usize).is_some_and(Option::is_some)
    }

    /// The new position of a set, with the claims that it names.
    pub(crate) fn set(
        &mut self,
        position: u32,
        table: &mut Table,
        tails: &mut Vec<LastingTail>,
    ) -> Option<u32> {
        if let Some(moved) = self.moved_sets.get(&position) {
            return Some(*moved);
        }
        let old: Vec<u32> = self.sets.get(position as usize)?.iter().collect();
        let mut set = FactSet::default();
        for fact in old {
            set.insert(self.fact(fact, table, tails)?);
        }
        let moved = table.set(set);
        self.moved_sets.insert(position, moved);
        Some(moved)
    }

    fn fact(&mut self, position: u32, table: &mut Table, tails: &mut Vec<LastingTail>) -> Option<u32> {
        if let Some(moved) = self.moved_facts.get(&position) {
            return Some(*moved);
        }
        let fact = match self.facts.get(position as usize)?.clone() {
            LastingFact::Tail(claim) => LastingFact::Tail(self.claim(claim, table, tails)?),
            other => other,
        };
        let moved = table.fact(fact);
        self.moved_facts.insert(position, moved);
        Some(moved)
    }

    fn claim(&mut self, claim: u32, table: &mut Table, tails: &mut Vec<LastingTail>) -> Option<u32> {
        let standing = self.standing.get(claim as usize).copied().flatten();
        if let Some(now) = standing.or_else(|| self.moved_claims.get(&claim).copied()) {
            return Some(now);
        }
        let tail = self.tails.get(claim as usize)?.clone();
        // What a tail rests on names no claim.
        let rests_on = self.set(tail.summary.rests_on, table, tails)?;
        let now = tails.len() as u32;
        tails.push(tail.resting_on(rests_on));
        self.moved_claims.insert(claim, now);
        Some(now)
    }
}
