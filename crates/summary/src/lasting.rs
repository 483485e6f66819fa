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

use rustc_hash::{FxHashMap, FxHashSet};
use selvedge_base::Id;
use selvedge_exec::{Fact, FactSet, Leads, Machine, Piece};
use selvedge_por::{Dpor, PortableFootprint, ThreadId};
use selvedge_solver::Solver;
use selvedge_term::{Portable, Sort, TermId, VarId};
use serde::{Deserialize, Serialize};

use crate::size::Counter;
use crate::table::{Digest, Summary, SummaryTable};
use crate::tails::{Tail, Tails, claims_in};

/// A summary without the search that made it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Lasting {
    /// Of its control state.
    pub control: Digest,
    /// The position of the set of facts it rests on.
    pub rests_on: u32,
    formula: Portable,
    vars: Vec<Var>,
    /// Variables by their position, and where they lead.
    leads: Vec<(u32, Leads)>,
    asleep: Vec<u32>,
    footprint: PortableFootprint,
    is_single: bool,
    has_executions: bool,
    n_states: u64,
}

/// A variable of a formula.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
enum Var {
    /// Part of a state.
    Of(Piece),
    /// An input that was still to come, of so many bits: the formula is meant for all its values.
    Future(u32),
}

/// What a search leaves behind.
#[derive(Clone, Debug, Default)]
pub struct Harvest {
    /// Its summaries.
    pub summaries: Vec<Lasting>,
    /// The sets of facts that these rest on.
    pub sets: Vec<Vec<Fact>>,
    /// Claims about tails: [`Fact::Tail`] is a position here. `None` if one is good for this search only.
    pub tails: Vec<Option<Lasting>>,
    /// By position of a claim from before: its position now, if it holds.
    pub standing: Vec<Option<u32>>,
}

/// What is known from before.
#[derive(Clone, Debug, Default)]
pub struct Archive {
    summaries: FxHashMap<Digest, Vec<Lasting>>,
    sets: Vec<Vec<Fact>>,
    /// Claims about tails, and whether the code of each is unchanged.
    tails: Vec<Lasting>,
    are_unchanged: Vec<bool>,
}

impl Archive {
    /// Summaries that still hold if the claims hold that are among their facts. With each claim comes whether what it rests
    /// on is unchanged.
    pub fn new(all: Vec<Lasting>, sets: Vec<Vec<Fact>>, tails: Vec<(Lasting, bool)>) -> Archive {
        let mut summaries: FxHashMap<Digest, Vec<Lasting>> = FxHashMap::default();
        for summary in all {
            summaries.entry(summary.control).or_default().push(summary);
        }
        let (tails, are_unchanged) = tails.into_iter().unzip();
        Archive { summaries, sets, tails, are_unchanged }
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

/// What a search takes from an archive.
#[derive(Debug)]
pub(crate) struct Recall {
    archive: std::sync::Arc<Archive>,
    /// Control states that were looked up.
    asked: FxHashSet<Digest>,
    /// Their summaries that rest on a claim that does not hold yet, by position, and how many held again when they were
    /// looked up.
    waiting: FxHashMap<Digest, (Vec<usize>, u64)>,
    /// Sets of facts by their position in the archive.
    sets: FxHashMap<u32, Rc<FactSet>>,
    /// Sets of which this search has noted everything.
    vouched: FxHashSet<*const FactSet>,
    pub(crate) tails: Tails,
}

impl Recall {
    pub(crate) fn new(archive: std::sync::Arc<Archive>) -> Recall {
        let mut tails = Tails::default();
        tails.recall(archive.tails.iter().zip(archive.are_unchanged.iter().copied()));
        Recall {
            archive,
            asked: FxHashSet::default(),
            waiting: FxHashMap::default(),
            sets: FxHashMap::default(),
            vouched: FxHashSet::default(),
            tails,
        }
    }

    /// The summaries of a control state that are new: all that hold when it is met for the first time, later those that hold
    /// again. The numbers of their states begin with `first`.
    pub(crate) fn look_up(
        &mut self,
        machine: &mut Machine<'_>,
        dpor: &mut Dpor,
        control: Digest,
        first: u64,
    ) -> Vec<(Summary, usize)> {
        let archive = self.archive.clone();
        let known = archive.summaries.get(&control).map_or(&[][..], Vec::as_slice);
        let n_again = self.tails.n_again();
        let asked = match self.asked.insert(control) {
            true => (0..known.len()).collect(),
            false => match self.waiting.remove(&control) {
                Some((waiting, before)) if before < n_again => waiting,
                Some(other) => {
                    self.waiting.insert(control, other);
                    return Vec::new();
                }
                None => return Vec::new(),
            },
        };
        let (mut counter, mut found, mut waiting) = (Counter::default(), Vec::new(), Vec::new());
        for position in asked {
            let lasting = &known[position];
            let Some(facts) = self.facts((machine, dpor), lasting.rests_on) else {
                waiting.push(position);
                continue;
            };
            let Some(summary) = lasting.import(machine, dpor, facts, first + found.len() as u64) else {
                continue;
            };
            if let Some(n_nodes) = counter.size(&machine.pool, summary.formula, usize::MAX) {
                found.push((summary, n_nodes));
            }
        }
        if !waiting.is_empty() {
            self.waiting.insert(control, (waiting, n_again));
        }
        found
    }

    /// A set of facts, if all claims in it hold.
    fn facts(
        &mut self,
        (machine, dpor): (&mut Machine<'_>, &mut Dpor),
        position: u32,
    ) -> Option<Rc<FactSet>> {
        if let Some(set) = self.sets.get(&position) {
            return Some(set.clone());
        }
        let archive = self.archive.clone();
        let mut set = FactSet::default();
        for fact in archive.sets.get(position as usize)? {
            let number = match fact {
                Fact::Tail(claim) => {
                    let tail = archive.tails.get(*claim as usize)?;
                    let own = |machine: &mut Machine<'_>| {
                        numbered(machine, archive.sets.get(tail.rests_on as usize)?)
                    };
                    Fact::Tail(self.tails.holds((machine, dpor), *claim, tail, own)?)
                }
                other => other.clone(),
            };
            set.insert(machine.code.as_mut()?.number(&number));
        }
        let set = Rc::new(set);
        self.sets.insert(position, set.clone());
        Some(set)
    }

    /// Compares claims from before with new ones.
    pub(crate) fn compare_tails(
        &mut self,
        machine: &mut Machine<'_>,
        dpor: &mut Dpor,
        solver: &mut dyn Solver,
    ) {
        self.tails.compare((machine, dpor), solver, &self.archive.tails);
    }

    /// A part is skipped on account of a summary from before: what its executions would have noted is noted.
    pub(crate) fn vouch(&mut self, machine: &mut Machine<'_>, facts: &Rc<FactSet>) {
        if !self.vouched.insert(Rc::as_ptr(facts)) {
            return;
        }
        let claims = claims_in(machine, facts);
        if claims.is_empty() {
            return machine.note_again(facts);
        }
        let Some(code) = &machine.code else { return };
        let mut own = FactSet::default();
        facts.iter().filter(|n| !matches!(code.fact(*n), Fact::Tail(_))).for_each(|n| own.insert(n));
        machine.note_again(&own);
        for claim in claims {
            let facts = self.tails.claims()[claim as usize].summary.facts.clone();
            if self.vouched.insert(Rc::as_ptr(&facts)) {
                machine.note_again(&facts);
            }
        }
    }
}

/// Facts by their numbers in this search.
fn numbered(machine: &mut Machine<'_>, facts: &[Fact]) -> Option<Rc<FactSet>> {
    let code = machine.code.as_mut()?;
    let mut set = FactSet::default();
    facts.iter().for_each(|fact| set.insert(code.number(fact)));
    Some(Rc::new(set))
}

impl Lasting {
    /// The same summary, where sets of facts have other positions.
    #[must_use]
    pub fn resting_on(&self, position: u32) -> Lasting {
        Lasting { rests_on: position, ..self.clone() }
    }

    pub(crate) fn import(
        &self,
        machine: &mut Machine<'_>,
        dpor: &mut Dpor,
        facts: Rc<FactSet>,
        origin: u64,
    ) -> Option<Summary> {
        let vars: Option<Vec<TermId>> = self.vars.iter().map(|var| var.import(machine)).collect();
        let vars = vars?;
        let formula = self.formula.import(&mut machine.pool, &vars)?;
        if machine.pool.sort(formula) != Sort::BOOL {
            return None;
        }
        let lead =
            |(var, leads): &(u32, Leads)| Some((machine.pool.var_id(*vars.get(*var as usize)?)?, *leads));
        let leads: Option<Rc<[(VarId, Leads)]>> = self.leads.iter().map(lead).collect();
        let leads = leads?;
        let footprint = dpor.import(&self.footprint)?;
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

    fn export(machine: &Machine<'_>, dpor: &Dpor, control: Digest, summary: &Summary) -> Option<Lasting> {
        let mut vars: Vec<VarId> = Vec::new();
        let mut number = |var: VarId| {
            let position = vars.iter().position(|known| *known == var);
            Some(position.unwrap_or_else(|| {
                vars.push(var);
                vars.len() - 1
            }) as u32)
        };
        let formula = Portable::export(&machine.pool, summary.formula, &mut number)?;
        let lead = |(var, leads): &(VarId, Leads)| Some((number(*var)?, *leads));
        let leads: Option<Vec<(u32, Leads)>> = summary.leads.iter().map(lead).collect();
        let leads = leads?;
        let vars: Option<Vec<Var>> = vars.iter().map(|var| Var::export(machine, *var)).collect();
        Some(Lasting {
            control,
            rests_on: 0,
            formula,
            vars: vars?,
            leads,
            asleep: summary.asleep.iter().map(|t| t.index() as u32).collect(),
            footprint: dpor.export(&summary.footprint),
            is_single: summary.is_single,
            has_executions: summary.has_executions,
            n_states: summary.n_states,
        })
    }
}

impl Var {
    fn export(machine: &Machine<'_>, var: VarId) -> Option<Var> {
        match machine.sources.piece(var) {
            Some(piece) if piece.source.is_input() => None,
            Some(piece) => Some(Var::Of(piece)),
            None => match machine.pool.var_info(var).sort {
                Sort::Bv(width) => Some(Var::Future(width)),
                Sort::Array { .. } | Sort::Int => None,
            },
        }
    }

    fn import(self, machine: &mut Machine<'_>) -> Option<TermId> {
        match self {
            Var::Of(piece) => machine.sources.state_variable(&mut machine.pool, piece),
            Var::Future(width @ 1..=65536) => Some(crate::wp::future(&mut machine.pool, width)),
            Var::Future(_) => None,
        }
    }
}

impl SummaryTable {
    /// All summaries that may outlive the search, and the claims that they rest on.
    pub(crate) fn harvest(&self, machine: &Machine<'_>, dpor: &Dpor, tails: &Tails) -> Harvest {
        let Some(code) = &machine.code else { return Harvest::default() };
        let mut harvest = Harvest { standing: tails.standing(), ..Harvest::default() };
        let mut positions: FxHashMap<Rc<FactSet>, Option<u32>> = FxHashMap::default();
        let mut export = |sets: &mut Vec<Vec<Fact>>, control: Digest, summary: &Summary| {
            let position = *positions.entry(summary.facts.clone()).or_insert_with(|| {
                let facts: Vec<Fact> = summary.facts.iter().map(|n| code.fact(n).clone()).collect();
                (!facts.contains(&Fact::Fleeting)).then(|| {
                    sets.push(facts);
                    sets.len() as u32 - 1
                })
            });
            Some(Lasting { rests_on: position?, ..Lasting::export(machine, dpor, control, summary)? })
        };
        for Tail { control, summary } in tails.claims() {
            harvest.tails.push(export(&mut harvest.sets, *control, summary));
        }
        for (control, summary) in self.lasting() {
            harvest.summaries.extend(export(&mut harvest.sets, control, summary));
        }
        harvest
    }
}
