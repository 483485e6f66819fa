//! All layers of a memory as one, without what is to be forgotten.
//!
//! To read a layer costs little, and to look something up in it as well; so they are made one only when there are many, or
//! when much of them is to be forgotten. Facts get new numbers then.

use rustc_hash::FxHashMap;
use selvedge_exec::FactSet;
use selvedge_summary::{Merged, Merger};

use crate::facts::{LastingFact, Sets, Table};
use crate::kept::Kept;
use crate::memory::{Memory, PATIENCE};

/// More layers than these become one.
const MAX_LAYERS: usize = 8;

/// What is kept of the layers, under new positions.
#[derive(Default)]
struct Compact {
    facts: Vec<LastingFact>,
    layers: Vec<Kept>,
    claims: Vec<(u32, u32)>,
    table: Table,
    sets: Sets,
    merger: Merger,
    /// What was taken of each layer.
    merged: Vec<Merged>,
    moved_facts: FxHashMap<u32, u32>,
    moved_sets: FxHashMap<(u32, u32), u32>,
    /// By claim: its position now, and what it is in the new layer.
    moved_claims: FxHashMap<u32, u32>,
    new_claims: Vec<(u32, u32)>,
}

impl Memory {
    /// Makes one layer of all, if that is due.
    pub(crate) fn compact(&mut self) {
        let n_alive: usize = self.layers.iter().map(Kept::n_alive).sum();
        if self.layers.len() <= MAX_LAYERS && 2 * n_alive >= self.len() {
            return;
        }
        let mut compact = Compact {
            facts: std::mem::take(&mut self.facts),
            layers: std::mem::take(&mut self.layers),
            claims: std::mem::take(&mut self.claims),
            ..Compact::default()
        };
        compact.merged.resize_with(compact.layers.len(), Merged::default);
        self.renumber_answers(|set| compact.facts(set));
        let ages = compact.summaries();
        let Compact { table, sets, merger, new_claims, .. } = compact;
        let (layer, order) = merger.finish(sets.all);
        let ages = order.iter().map(|number| ages[*number as usize]).collect();
        self.layers.push(Kept::of(&layer, ages));
        (self.facts, self.claims) = (table.facts, new_claims);
    }
}

impl Compact {
    /// Takes all summaries that are not to be forgotten. Gives the age of each.
    fn summaries(&mut self) -> Vec<u8> {
        let mut ages = Vec::new();
        for number in 0..self.layers.len() as u32 {
            let kept = self.layers[number as usize].clone();
            for (summary, age) in kept.layer().summaries().iter().zip(kept.n_misses()) {
                if *age > PATIENCE {
                    continue;
                }
                let Some(rests_on) = self.set((number, summary.rests_on)) else { continue };
                let merged = &mut self.merged[number as usize];
                if self.merger.take(kept.layer(), summary, rests_on, merged) {
                    ages.push(*age);
                }
            }
        }
        ages
    }

    /// The new position of a set, with the claims that it names.
    fn set(&mut self, at: (u32, u32)) -> Option<u32> {
        if let Some(moved) = self.moved_sets.get(&at) {
            return Some(*moved);
        }
        let set = self.layers.get(at.0 as usize)?.layer().sets.get(at.1)?;
        let set = self.facts(&set)?;
        let moved = self.sets.position(set);
        self.moved_sets.insert(at, moved);
        Some(moved)
    }

    fn facts(&mut self, old: &FactSet) -> Option<FactSet> {
        let mut set = FactSet::default();
        for fact in old.iter() {
            set.insert(self.fact(fact)?);
        }
        Some(set)
    }

    fn fact(&mut self, number: u32) -> Option<u32> {
        if let Some(moved) = self.moved_facts.get(&number) {
            return Some(*moved);
        }
        let fact = match self.facts.get(number as usize)?.clone() {
            LastingFact::Tail(claim) => LastingFact::Tail(self.claim(claim)?),
            other => other,
        };
        let moved = self.table.fact(fact);
        self.moved_facts.insert(number, moved);
        Some(moved)
    }

    fn claim(&mut self, claim: u32) -> Option<u32> {
        if let Some(moved) = self.moved_claims.get(&claim) {
            return Some(*moved);
        }
        let (number, position) = *self.claims.get(claim as usize)?;
        let layer = self.layers.get(number as usize)?.layer().clone();
        let tail = layer.tails().get(position as usize)?;
        // What a claim rests on names no claim.
        let rests_on = self.set((number, tail.summary.rests_on))?;
        let merged = &mut self.merged[number as usize];
        let position = self.merger.take_tail(&layer, tail, rests_on, merged)?;
        let moved = self.new_claims.len() as u32;
        self.new_claims.push((0, position));
        self.moved_claims.insert(claim, moved);
        Some(moved)
    }
}
