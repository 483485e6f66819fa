//! Formulas and footprints of summaries that outlive their search.
//!
//! Summaries of one search have almost everything in common: the formula of a state is that of the next with a few terms
//! replaced. So what they are made of is kept once for all, by number, and is read back once.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use selvedge_exec::{Leads, Machine, Piece};
use selvedge_por::{Dpor, Footprint, FootprintExporter, ImportedEvents, PortableFootprints};
use selvedge_term::{Exporter, Imported, Portable, Sort, TermId, VarId};
use serde::{Deserialize, Serialize};

/// What summaries are made of.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Ground {
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

/// New numbers, by the former ones.
pub struct Renumbered {
    formulas: Vec<Option<u32>>,
    leads: FxHashMap<u32, u32>,
    footprints: Vec<Option<u32>>,
}

impl Renumbered {
    pub(crate) fn formula(&self, formula: u32) -> Option<u32> {
        self.formulas.get(formula as usize).copied().flatten()
    }

    pub(crate) fn leads(&self, leads: u32) -> Option<u32> {
        self.leads.get(&leads).copied()
    }

    pub(crate) fn footprint(&self, footprint: u32) -> Option<u32> {
        self.footprints.get(footprint as usize).copied().flatten()
    }
}

impl Ground {
    /// Keeps these formulas, leads and footprints. The variables that are kept are those of the formulas.
    pub fn keep(
        &mut self,
        formulas: impl IntoIterator<Item = u32>,
        leads: impl IntoIterator<Item = u32>,
        footprints: impl IntoIterator<Item = u32>,
    ) -> Renumbered {
        let (old, mut vars) = (std::mem::take(&mut self.vars), FxHashMap::default());
        let formulas = self.terms.keep(formulas, |var| {
            *vars.entry(var).or_insert_with(|| {
                self.vars.extend(old.get(var as usize));
                self.vars.len() as u32 - 1
            })
        });
        let (old, mut now) = (std::mem::take(&mut self.leads), FxHashMap::default());
        for number in leads {
            let Some(leads) = old.get(number as usize).filter(|_| !now.contains_key(&number)) else {
                continue;
            };
            let moved = leads.iter().map(|(var, leads)| Some((*vars.get(var)?, *leads)));
            if let Some(moved) = moved.collect() {
                now.insert(number, self.leads.len() as u32);
                self.leads.push(moved);
            }
        }
        Renumbered { formulas, leads: now, footprints: self.footprints.keep(footprints) }
    }
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
    pub(crate) fn footprint(&mut self, dpor: &mut Dpor, ground: &Ground, part: u32) -> Option<Footprint> {
        dpor.import(&ground.footprints, part, &mut self.events)
    }
}

/// Adds what the summaries of a search are made of.
pub(crate) struct Writer {
    terms: Exporter,
    vars: Vec<Var>,
    numbers: FxHashMap<Var, u32>,
    known: FxHashMap<VarId, u32>,
    leads: Vec<Vec<(u32, Leads)>>,
    known_leads: FxHashMap<Vec<(u32, Leads)>, u32>,
    footprints: FootprintExporter,
}

impl Writer {
    /// Adds to a ground that the search has read.
    pub(crate) fn new(machine: &Machine<'_>, ground: Ground, reader: &Reader) -> Writer {
        let Ground { terms, vars, leads, footprints } = ground;
        let known = reader.vars.iter().filter_map(|(n, term)| Some((machine.pool.var_id(*term)?, *n)));
        let pieces = vars.iter().copied().zip(0..).filter(|(var, _)| matches!(var, Var::Of(_)));
        Writer {
            terms: Exporter::new(terms),
            numbers: pieces.collect(),
            known: known.collect(),
            vars,
            known_leads: leads.iter().cloned().zip(0..).collect(),
            leads,
            footprints: FootprintExporter::new(footprints),
        }
    }

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
        let leads: Vec<(u32, Leads)> = leads.iter().map(lead).collect::<Option<_>>()?;
        let next = self.leads.len() as u32;
        let number = *self.known_leads.entry(leads.clone()).or_insert(next);
        if number == next {
            self.leads.push(leads);
        }
        Some(number)
    }

    /// The number of a footprint.
    pub(crate) fn footprint(&mut self, dpor: &Dpor, footprint: &Footprint) -> u32 {
        self.footprints.add(dpor, footprint)
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
    let var = Var::export(machine, id)?;
    let next = vars.len() as u32;
    let number = match var {
        Var::Of(_) => *numbers.entry(var).or_insert(next),
        // Each is one of its own.
        Var::Future(_) => next,
    };
    if number == next {
        vars.push(var);
    }
    known.insert(id, number);
    Some(number)
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
