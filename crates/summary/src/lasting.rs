//! Summaries that outlive their search.
//!
//! A summary is about control states, state variables and events, all of which have names that do not depend on how a
//! search went. So it can be used by a later search of the same program, and of a changed one: as long as all code that
//! the executions it covers have run is unchanged ([`Fact::Ran`]), they are the same executions.
//!
//! The paper (Conc-iSE, ASE 2016) drops the summary of a statement if the statement is in the backward impact of the change.
//! That is not enough: a summary says that the rest of the execution is safe, which a change there can make wrong without
//! being influenced by the statement. DIVERGENCE: a summary is kept if and only if what it rests on is unchanged.
//!
//! Guarantee: what is [recalled](Archive) covers a state under the same conditions as a summary that this search has made.
//! Relies on: equal digests mean equal control states; whoever fills an archive has checked the facts, keeps the numbers of
//! threads, and gives the same names to the same code and globals.

use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashSet;
use selvedge_base::Id;
use selvedge_exec::{Fact, FactSet, FactSets, Machine};
use selvedge_por::{EventTable, ThreadId};
use serde::{Deserialize, Serialize};

use crate::ground::{Ground, Reader, Taken, Writer};
use crate::table::{Digest, Summary};
use crate::tails::Turn;

/// A summary without the search that made it.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Lasting {
    /// Of its control state.
    pub control: Digest,
    /// The position of the set of facts it rests on.
    pub rests_on: u32,
    formula: u32,
    leads: u32,
    asleep: Vec<u32>,
    footprint: u32,
    is_single: bool,
    has_executions: bool,
    n_states: u64,
}

/// A claim about a tail without the search that made it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LastingTail {
    /// What is claimed of the state in which it begins.
    pub summary: Lasting,
    /// How an execution comes there.
    pub way: Vec<Turn>,
}

/// What one search has left behind, or several: it does not change any more. Facts have the numbers of who keeps it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Layer {
    pub(crate) ground: Ground,
    /// The sets of facts that things rest on.
    pub sets: FactSets,
    /// By control state.
    summaries: Vec<Lasting>,
    /// Claims about tails.
    tails: Vec<LastingTail>,
}

/// What a search leaves behind. Facts have its own numbers.
#[derive(Clone, Debug, Default)]
pub struct Harvest {
    /// Its new summaries and claims. They rest on `sets`.
    pub layer: Layer,
    /// Sets of facts.
    pub sets: Vec<Rc<FactSet>>,
    /// Claims about tails by their numbers.
    pub claims: Vec<Claimed>,
    /// By position of a claim from before: its number in the search, if it holds.
    pub standing: Vec<Option<u32>>,
}

/// What a search leaves behind of a claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claimed {
    /// It is good for this search only.
    Fleeting,
    /// The one at this position of the archive, with the code that it had.
    Before(u32),
    /// The one at this position of the layer.
    New(u32),
}

/// What is known from before.
#[derive(Clone, Debug, Default)]
pub struct Archive {
    /// The layers, and for each of their summaries whether it holds if the claims do that are among its facts.
    pub layers: Vec<(Arc<Layer>, Vec<bool>)>,
    /// Facts by their numbers, as far as they hold.
    pub facts: Vec<Option<Fact>>,
    /// Claims about tails: [`Fact::Tail`] is a position here.
    pub claims: Vec<Claim>,
}

/// Where a claim is that is known from before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Claim {
    /// The layer that it is in.
    pub layer: u32,
    /// Its position there.
    pub position: u32,
    /// Whether the code that it rests on is unchanged.
    pub is_unchanged: bool,
}

impl Layer {
    /// What a search has found out.
    pub(crate) fn new(ground: Ground, mut summaries: Vec<Lasting>, tails: Vec<LastingTail>) -> Layer {
        summaries.sort_by_key(|summary| summary.control);
        Layer { ground, sets: FactSets::default(), summaries, tails }
    }

    /// Its summaries, by control state.
    pub fn summaries(&self) -> &[Lasting] {
        &self.summaries
    }

    /// Its claims about tails.
    pub fn tails(&self) -> &[LastingTail] {
        &self.tails
    }

    /// The positions of the summaries of a control state.
    pub(crate) fn of(&self, control: Digest) -> std::ops::Range<usize> {
        let first = self.summaries.partition_point(|summary| summary.control < control);
        let n = self.summaries[first..].iter().take_while(|summary| summary.control == control).count();
        first..first + n
    }

    /// Rests what is in it on other sets, by the positions of those that it rested on: what rests on a set that is not there any
    /// more goes. Gives the new positions of the claims.
    pub fn rest_on(&mut self, sets: FactSets, moved: &[Option<u32>]) -> Vec<Option<u32>> {
        let moved = |rests_on: &mut u32| {
            let now = moved.get(*rests_on as usize).copied().flatten();
            *rests_on = now.unwrap_or_default();
            now.is_some()
        };
        self.sets = sets;
        self.summaries.retain_mut(|summary| moved(&mut summary.rests_on));
        let mut next = 0..;
        let is_kept: Vec<bool> =
            self.tails.iter_mut().map(|tail| moved(&mut tail.summary.rests_on)).collect();
        let mut each = is_kept.iter();
        self.tails.retain(|_| each.next() == Some(&true));
        is_kept.iter().map(|is_kept| if *is_kept { next.next() } else { None }).collect()
    }
}

/// Makes one layer of several.
#[derive(Default)]
pub struct Merger {
    writer: Writer,
    summaries: Vec<Lasting>,
    known: FxHashSet<Lasting>,
    tails: Vec<LastingTail>,
}

/// What a merger has taken of one layer.
#[derive(Default)]
pub struct Merged {
    taken: Taken,
}

impl Merger {
    /// Takes a summary of a layer; it rests on another position now. Says whether it is a new one.
    pub fn take(&mut self, from: &Layer, summary: &Lasting, rests_on: u32, merged: &mut Merged) -> bool {
        let moved = self.moved(from, summary, rests_on, merged);
        let moved = moved.filter(|summary| self.known.insert(summary.clone()));
        let is_new = moved.is_some();
        self.summaries.extend(moved);
        is_new
    }

    /// Takes a claim of a layer, and gives its position, if there is one.
    pub fn take_tail(
        &mut self,
        from: &Layer,
        tail: &LastingTail,
        rests_on: u32,
        merged: &mut Merged,
    ) -> Option<u32> {
        let summary = self.moved(from, &tail.summary, rests_on, merged)?;
        self.tails.push(LastingTail { summary, way: tail.way.clone() });
        Some(self.tails.len() as u32 - 1)
    }

    fn moved(
        &mut self,
        from: &Layer,
        summary: &Lasting,
        rests_on: u32,
        merged: &mut Merged,
    ) -> Option<Lasting> {
        let parts = (summary.formula, summary.leads, summary.footprint);
        let (formula, leads, footprint) = self.writer.take_over(&from.ground, parts, &mut merged.taken)?;
        Some(Lasting { rests_on, formula, leads, footprint, ..summary.clone() })
    }

    /// The layer, with the sets that it rests on, and for each of its summaries when it was taken.
    pub fn finish(self, sets: FactSets) -> (Layer, Vec<u32>) {
        let mut numbered: Vec<(Lasting, u32)> = self.summaries.into_iter().zip(0..).collect();
        numbered.sort_by_key(|(summary, _)| summary.control);
        let (summaries, order) = numbered.into_iter().unzip();
        (Layer { ground: self.writer.finish(), sets, summaries, tails: self.tails }, order)
    }
}

impl Archive {
    /// How many summaries hold, if the claims do.
    pub fn len(&self) -> usize {
        self.layers.iter().map(|(_, holds)| holds.iter().filter(|holds| **holds).count()).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.layers.iter().all(|(_, holds)| holds.iter().all(|holds| !holds))
    }

    /// The claim at a position, and the number of its layer.
    pub(crate) fn claim(&self, position: u32) -> Option<(u32, &LastingTail)> {
        let claim = self.claims.get(position as usize)?;
        let (layer, _) = self.layers.get(claim.layer as usize)?;
        Some((claim.layer, layer.tails.get(claim.position as usize)?))
    }
}

impl Lasting {
    pub(crate) fn import(
        &self,
        machine: &mut Machine<'_>,
        events: &mut EventTable,
        (ground, reader): (&Ground, &mut Reader),
        facts: Rc<FactSet>,
        origin: u64,
    ) -> Option<Summary> {
        let formula = reader.formula(machine, ground, self.formula)?;
        let leads = reader.leads(machine, ground, self.leads)?;
        let footprint = reader.footprint(events, ground, self.footprint)?;
        let weight = footprint.weight() + 24 * leads.len() as u64;
        Some(Summary {
            formula,
            bounds: None,
            leads,
            asleep: self.asleep.iter().map(|t| ThreadId::new(*t as usize)).collect(),
            footprint,
            origin,
            is_single: self.is_single,
            has_executions: self.has_executions,
            n_states: self.n_states,
            weight,
            facts,
            is_lasting: true,
            is_recalled: true,
        })
    }

    /// The summary, if it can outlive the search.
    pub(crate) fn export(
        (machine, events): (&Machine<'_>, &EventTable),
        writer: &mut Writer,
        (control, rests_on): (Digest, u32),
        summary: &Summary,
    ) -> Option<Lasting> {
        let formula = writer.formula(machine, summary.formula)?;
        let leads = writer.leads(machine, &summary.leads)?;
        Some(Lasting {
            control,
            rests_on,
            formula,
            leads,
            asleep: summary.asleep.iter().map(|t| t.index() as u32).collect(),
            footprint: writer.footprint(events, &summary.footprint),
            is_single: summary.is_single,
            has_executions: summary.has_executions,
            n_states: summary.n_states,
        })
    }
}
