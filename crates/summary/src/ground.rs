//! Formulas and footprints of summaries that outlive their search.
//!
//! Summaries of one search have almost everything in common: the formula of a state is that of the next with a few terms
//! replaced. So what they are made of is kept once for all, by number, and is read back once.

use std::hash::BuildHasher as _;
use std::rc::Rc;

use rustc_hash::{FxBuildHasher, FxHashMap};
use selvedge_exec::{Leads, Machine, Piece};
use selvedge_por::{
    EventTable, Footprint, FootprintExporter, ImportedEvents, PortableFootprints, TakenFootprints,
};
use selvedge_term::{Exporter, Imported, Portable, Sort, TakenTerms, TermId, VarId};
use serde::{Deserialize, Serialize};

/// What summaries are made of.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Ground {
    terms: Portable,
    vars: Vec<Var>,
    /// Variables, and where they lead.
    leads: Vec<Vec<(u32, Leads)>>,
    footprints: PortableFootprints,
}

/// A variable of a formula.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
enum Var {
    /// Part of a state.
    Of(Piece),
    /// An input that was still to come, of so many bits: the formula is meant for all its values.
    Future(u32),
}

/// What a search has read of a ground.
#[derive(Debug, Default)]
pub(crate) struct Reader {
    terms: Imported,
    vars: FxHashMap<u32, TermId>,
    leads: FxHashMap<u32, Rc<[(VarId, Leads)]>>,
    events: ImportedEvents,
}

impl Reader {
    /// A formula; `None` if it is none.
    pub(crate) fn formula(
        &mut self,
        machine: &mut Machine<'_>,
        ground: &Ground,
        root: u32,
    ) -> Option<TermId> {
        let plan = ground.terms.plan(root, &self.terms)?;
        for var in &plan.variables {
            self.var(machine, ground, *var)?;
        }
        let vars = &self.vars;
        let var = |number| vars.get(&number).copied();
        let formula = ground.terms.import(&mut machine.pool, &plan, &mut self.terms, var)?;
        (machine.pool.sort(formula) == Sort::BOOL).then_some(formula)
    }

    /// A variable.
    pub(crate) fn var(&mut self, machine: &mut Machine<'_>, ground: &Ground, number: u32) -> Option<TermId> {
        if let Some(known) = self.vars.get(&number) {
            return Some(*known);
        }
        let term = ground.vars.get(number as usize)?.import(machine)?;
        self.vars.insert(number, term);
        Some(term)
    }

    /// Where variables lead.
    pub(crate) fn leads(
        &mut self,
        machine: &mut Machine<'_>,
        ground: &Ground,
        number: u32,
    ) -> Option<Rc<[(VarId, Leads)]>> {
        if let Some(known) = self.leads.get(&number) {
            return Some(known.clone());
        }
        let mut lead = |(var, leads): &(u32, Leads)| {
            let var = self.var(machine, ground, *var)?;
            Some((machine.pool.var_id(var)?, *leads))
        };
        let leads: Option<Rc<[_]>> = ground.leads.get(number as usize)?.iter().map(&mut lead).collect();
        self.leads.insert(number, leads.clone()?);
        leads
    }

    /// A footprint.
    pub(crate) fn footprint(
        &mut self,
        events: &mut EventTable,
        ground: &Ground,
        part: u32,
    ) -> Option<Footprint> {
        ground.footprints.import(part, events, &mut self.events)
    }
}

/// Adds what the summaries of a search are made of, or those of several that have ended.
#[derive(Default)]
pub(crate) struct Writer {
    terms: Exporter,
    vars: Vec<Var>,
    numbers: FxHashMap<Var, u32>,
    known: FxHashMap<VarId, u32>,
    leads: Vec<Vec<(u32, Leads)>>,
    /// The position of some leads by their hash. Should two have the same, the second has none, and may be there twice.
    known_leads: FxHashMap<u64, u32>,
    footprints: FootprintExporter,
}

/// What a writer has taken over of a ground already.
#[derive(Debug, Default)]
pub(crate) struct Taken {
    terms: TakenTerms,
    vars: FxHashMap<u32, u32>,
    footprints: TakenFootprints,
}

impl Writer {
    /// The number of a formula, if it can outlive the search.
    pub(crate) fn formula(&mut self, machine: &Machine<'_>, formula: TermId) -> Option<u32> {
        let Writer { terms, vars, numbers, known, .. } = self;
        terms.add(&machine.pool, formula, |var| number(machine, var, (vars, numbers, known)))
    }

    /// The number of where variables lead, if these can outlive the search.
    pub(crate) fn leads(&mut self, machine: &Machine<'_>, leads: &[(VarId, Leads)]) -> Option<u32> {
        let Writer { vars, numbers, known, .. } = self;
        let lead = |(var, leads): &(VarId, Leads)| {
            Some((number(machine, *var, (&mut *vars, &mut *numbers, &mut *known))?, *leads))
        };
        let leads = leads.iter().map(lead).collect::<Option<_>>()?;
        Some(self.leads_number(leads))
    }

    fn leads_number(&mut self, leads: Vec<(u32, Leads)>) -> u32 {
        let next = self.leads.len() as u32;
        let number = *self.known_leads.entry(FxBuildHasher.hash_one(&leads)).or_insert(next);
        if self.leads.get(number as usize) == Some(&leads) {
            return number;
        }
        self.leads.push(leads);
        next
    }

    /// The number of a footprint.
    pub(crate) fn footprint(&mut self, events: &EventTable, footprint: &Footprint) -> u32 {
        self.footprints.add(events, footprint)
    }

    /// Takes over a formula, where its variables lead, and a footprint of another ground. `None` if one of them is none.
    pub(crate) fn take_over(
        &mut self,
        from: &Ground,
        (formula, leads, footprint): (u32, u32, u32),
        taken: &mut Taken,
    ) -> Option<(u32, u32, u32)> {
        let Writer { terms, vars, numbers, .. } = self;
        let mut var = |number: u32| {
            if let Some(known) = taken.vars.get(&number) {
                return Some(*known);
            }
            let known = var_number(*from.vars.get(number as usize)?, vars, numbers);
            taken.vars.insert(number, known);
            Some(known)
        };
        let formula = terms.take_over(&from.terms, formula, &mut taken.terms, &mut var)?;
        let leads = from.leads.get(leads as usize)?.iter();
        let leads = leads.map(|(of, leads)| Some((var(*of)?, *leads))).collect::<Option<_>>()?;
        let footprint = self.footprints.take_over(&from.footprints, footprint, &mut taken.footprints)?;
        Some((formula, self.leads_number(leads), footprint))
    }

    pub(crate) fn finish(self) -> Ground {
        let Writer { terms, vars, leads, footprints, .. } = self;
        Ground { terms: terms.finish(), vars, leads, footprints: footprints.finish() }
    }
}

fn number(
    machine: &Machine<'_>,
    id: VarId,
    (vars, numbers, known): (&mut Vec<Var>, &mut FxHashMap<Var, u32>, &mut FxHashMap<VarId, u32>),
) -> Option<u32> {
    if let Some(number) = known.get(&id) {
        return Some(*number);
    }
    let number = var_number(Var::export(machine, id)?, vars, numbers);
    known.insert(id, number);
    Some(number)
}

fn var_number(var: Var, vars: &mut Vec<Var>, numbers: &mut FxHashMap<Var, u32>) -> u32 {
    let next = vars.len() as u32;
    let number = match var {
        Var::Of(_) => *numbers.entry(var).or_insert(next),
        // Each is one of its own.
        Var::Future(_) => next,
    };
    if number == next {
        vars.push(var);
    }
    number
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
