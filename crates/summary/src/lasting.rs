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

use rustc_hash::FxHashMap;
use selvedge_base::Id;
use selvedge_exec::{Fact, FactSet, Machine};
use selvedge_por::{Dpor, ThreadId};
use serde::{Deserialize, Serialize};

use crate::ground::{Ground, Reader, Renumbered, Writer};
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

impl LastingTail {
    /// The same claim, where sets of facts have other positions.
    #[must_use]
    pub fn resting_on(&self, position: u32) -> LastingTail {
        LastingTail { summary: self.summary.resting_on(position), way: self.way.clone() }
    }

    /// The same claim on a ground where things have other numbers.
    #[must_use]
    pub fn renumbered(&self, by: &Renumbered) -> Option<LastingTail> {
        Some(LastingTail { summary: self.summary.renumbered(by)?, way: self.way.clone() })
    }
}

/// What a search leaves behind.
#[derive(Clone, Debug, Default)]
pub struct Harvest {
    /// What summaries are made of, those from before included; none if there was no search with summaries.
    pub ground: Option<Ground>,
    /// Its summaries.
    pub summaries: Vec<Lasting>,
    /// Facts by their numbers.
    pub facts: Vec<Fact>,
    /// The sets of facts that these rest on.
    pub sets: Vec<FactSet>,
    /// Claims about tails: [`Fact::Tail`] is a position here. `None` if one is good for this search only.
    pub tails: Vec<Option<LastingTail>>,
    /// By position of a claim from before: its position now, if it holds.
    pub standing: Vec<Option<u32>>,
}

/// What is known from before.
#[derive(Clone, Debug, Default)]
pub struct Archive {
    pub(crate) ground: Ground,
    pub(crate) summaries: FxHashMap<Digest, Vec<Lasting>>,
    /// Facts by their numbers, as far as they hold.
    pub(crate) facts: Vec<Option<Fact>>,
    pub(crate) sets: Vec<FactSet>,
    /// Claims about tails, and whether the code of each is unchanged.
    pub(crate) tails: Vec<LastingTail>,
    pub(crate) are_unchanged: Vec<bool>,
}

impl Archive {
    /// Summaries that still hold if the claims hold that are among their facts. With each claim comes whether what it rests
    /// on is unchanged.
    pub fn new(
        ground: Ground,
        all: Vec<Lasting>,
        (facts, sets): (Vec<Option<Fact>>, Vec<FactSet>),
        tails: Vec<(LastingTail, bool)>,
    ) -> Archive {
        let mut summaries: FxHashMap<Digest, Vec<Lasting>> = FxHashMap::default();
        for summary in all {
            summaries.entry(summary.control).or_default().push(summary);
        }
        let (tails, are_unchanged) = tails.into_iter().unzip();
        Archive { ground, summaries, facts, sets, tails, are_unchanged }
    }

    /// How many summaries there are.
    pub fn len(&self) -> usize {
        self.summaries.values().map(Vec::len).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.summaries.is_empty()
    }
}

impl Lasting {
    /// The same summary, where sets of facts have other positions.
    #[must_use]
    pub fn resting_on(&self, position: u32) -> Lasting {
        Lasting { rests_on: position, ..self.clone() }
    }

    /// The formula that it is made of.
    pub fn formula(&self) -> u32 {
        self.formula
    }

    /// Where its variables lead.
    pub fn leads(&self) -> u32 {
        self.leads
    }

    /// The footprint that it is made of.
    pub fn footprint(&self) -> u32 {
        self.footprint
    }

    /// The same summary on a ground where things have other numbers; `None` if something that it is made of is not there.
    #[must_use]
    pub fn renumbered(&self, by: &Renumbered) -> Option<Lasting> {
        Some(Lasting {
            formula: by.formula(self.formula)?,
            footprint: by.footprint(self.footprint)?,
            leads: by.leads(self.leads)?,
            ..self.clone()
        })
    }

    pub(crate) fn import(
        &self,
        machine: &mut Machine<'_>,
        dpor: &mut Dpor,
        (ground, reader): (&Ground, &mut Reader),
        facts: Rc<FactSet>,
        origin: u64,
    ) -> Option<Summary> {
        let formula = reader.formula(machine, ground, self.formula)?;
        let leads = reader.leads(machine, ground, self.leads)?;
        let footprint = reader.footprint(dpor, ground, self.footprint)?;
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

    pub(crate) fn export(
        machine: &Machine<'_>,
        dpor: &Dpor,
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
            footprint: writer.footprint(dpor, &summary.footprint),
            is_single: summary.is_single,
            has_executions: summary.has_executions,
            n_states: summary.n_states,
        })
    }
}
